// Steps of broad.h.
#include "broad_model.h"
#include "call.h"
#include "posed_faces.h"
#include "reports.h"
#include "steps.h"

#include <string.h>

#define MAX_BOXES 60
#define MAX_PAIRS (MAX_BOXES * (MAX_BOXES - 1) / 2)

// ---- boxes

static imp_Box choose_box(Lane *lane)
{
    imp_Vec3 low = choose_point(&lane->choices, 2);
    double size = choose_rarely(&lane->choices, 4) ? 0 : choose_coordinate(&lane->choices, 1) + 1;
    return (imp_Box){low, {low.x + size, low.y + size, low.z + 0.5 * size}};
}

static void spoil_box(Lane *lane, imp_Box *box)
{
    if (choose(&lane->choices, 2))
        box->max.y = choose_bad_number(&lane->choices);
    else
        *box = (imp_Box){{1, 0, 0}, {0, 1, 1}};
}

// The same boxes as doubles and as floats; floats are what counts when these are asked for.
typedef struct Rows {
    double doubles[MAX_BOXES][6];
    float floats[MAX_BOXES][6];
    imp_Box boxes[MAX_BOXES];
    size_t count;
    bool is_float;
} Rows;

static void rows_set(Rows *rows, size_t i, const imp_Box *box)
{
    memcpy(rows->doubles[i], box, sizeof *box);
    for (int k = 0; k < 6 && rows->is_float; ++k) {
        rows->floats[i][k] = (float)rows->doubles[i][k];
        rows->doubles[i][k] = (double)rows->floats[i][k];
    }
    memcpy(&rows->boxes[i], rows->doubles[i], sizeof *box);
}

static void choose_rows(Lane *lane, Rows *rows, size_t count, bool may_be_wild)
{
    rows->count = count;
    rows->is_float = choose(&lane->choices, 2);
    bool is_wild = may_be_wild && !rows->is_float && choose_rarely(&lane->choices, 4);
    for (size_t i = 0; i < count; ++i) {
        imp_Box box = is_wild ? choose_wild_box(&lane->choices) : choose_box(lane);
        rows_set(rows, i, &box);
    }
}

static imp_BoxArray rows_array(const Rows *rows)
{
    return rows->is_float ? (imp_BoxArray){rows->floats[0], NULL, rows->count}
                          : (imp_BoxArray){NULL, rows->doubles[0], rows->count};
}

// ---- all pairs at once

static size_t find_by_brute_force(const Rows *rows, imp_IndexPair *pairs)
{
    size_t count = 0;
    for (uint32_t a = 0; a < rows->count; ++a)
        for (uint32_t b = a + 1; b < rows->count; ++b)
            if (boxes_overlap(&rows->boxes[a], &rows->boxes[b]))
                pairs[count++] = (imp_IndexPair){a, b};
    return count;
}

// Flaws of an array: 4 a box, 5 both arrays or none, 6 too many; 1 .. 3 are nulls of the call.
#define ARRAY_FLAWS 6

static void spoil_array(Lane *lane, uint32_t flaw, Rows *rows, imp_BoxArray *array, Call *call)
{
    uint32_t bad = choose(&lane->choices, (uint32_t)rows->count);
    imp_Box box = rows->boxes[bad];
    call_expect(call, IMP_STATUS_BAD_ARGUMENT, ANY_INDEX);
    if (flaw == 4) {
        spoil_box(lane, &box);
        rows_set(rows, bad, &box);
        call_expect(call, IMP_STATUS_BAD_NUMBER, bad);
    } else if (flaw == 5) {
        array->float_boxes = choose(&lane->choices, 2) ? rows->floats[0] : NULL;
        array->boxes = array->float_boxes ? rows->doubles[0] : NULL;
    } else if (flaw == 6) {
        array->count = UINT32_MAX;
        call_expect(call, IMP_STATUS_TOO_LARGE, IMP_NOWHERE);
    }
}

static void find_pairs(Lane *lane, Rows *rows)
{
    imp_IndexPair wanted[MAX_PAIRS], pairs[MAX_PAIRS];
    Home *home = lane_home(lane);
    uint64_t count = 0;
    size_t total = find_by_brute_force(rows, wanted), capacity = MAX_PAIRS;
    imp_BoxArray array = rows_array(rows);
    uint32_t flaw = lane_flaw(lane, rows->count ? ARRAY_FLAWS : 3), room = choose(&lane->choices, 4);
    if (room > 0 && total > 0)
        capacity = room == 1 ? 0 : room == 2 ? total - 1 : total;
    Call call = call_make(lane, flaw == 1 ? NULL : home, "%zu boxes, %zu pairs, room for %zu, flaw %u",
                          rows->count, total, capacity, flaw);
    call_is_watched(&call);
    call_output(&call, pairs, sizeof pairs);
    call_count_output(&call, &count, sizeof count);
    if (capacity < total && capacity > 0)
        call_expect(&call, IMP_STATUS_BUFFER_SHORT, IMP_NOWHERE);
    if (flaw)
        spoil_array(lane, flaw, rows, &array, &call);
    CALL(&call, imp_pairs_find,
         (flaw == 1 ? NULL : home->context, flaw == 2 ? NULL : &array, capacity ? pairs : NULL, capacity,
          flaw == 3 ? NULL : &count));
    if (flaw)
        return;
    CHECK_INT((int64_t)count, (int64_t)total);
    if (call_is_done(&call) && capacity > 0)
        CHECK(are_same_bytes(pairs, wanted, total * sizeof *pairs));
    lane_count(lane, OUTCOME_box_pairs_found, total > 0);
}

static void list_pairs(Lane *lane, Rows *rows)
{
    imp_IndexPair wanted[MAX_PAIRS];
    Home *home = lane_home(lane);
    const imp_IndexPair *pairs = NULL;
    size_t count = 0, total = find_by_brute_force(rows, wanted);
    imp_BoxArray array = rows_array(rows);
    uint32_t flaw = lane_flaw(lane, rows->count ? ARRAY_FLAWS : 3);
    uint64_t searches = home->stats.search_count;
    Call call =
        call_make(lane, flaw == 1 ? NULL : home, "%zu boxes, %zu pairs, flaw %u", rows->count, total, flaw);
    call_is_watched(&call);
    call_output(&call, &pairs, sizeof pairs);
    call_output(&call, &count, sizeof count);
    if (flaw)
        spoil_array(lane, flaw, rows, &array, &call);
    CALL(&call, imp_pairs_list,
         (flaw == 1 ? NULL : home->context, flaw == 2 ? NULL : &array, &pairs, flaw == 3 ? NULL : &count));
    if (!call_is_done(&call))
        return;
    CHECK_INT(count, total);
    CHECK(count == total && are_same_bytes(pairs, wanted, total * sizeof *pairs));
    if (call.attempts == 1)
        CHECK(home->stats.search_count == searches + (home->is_measured && rows->count > 0));
    lane_count(lane, OUTCOME_box_pairs_found, total > 0);
}

// ---- all pairs between two sets

#define MAX_SET           40
#define MAX_PAIRS_BETWEEN (MAX_SET * MAX_SET)

typedef struct TwoSets {
    Rows rows[2];
    imp_BoxArray arrays[2];
    imp_IndexPair wanted[MAX_PAIRS_BETWEEN];
    size_t total;
    uint32_t flaw; // of one of the two arrays, see ARRAY_FLAWS
    int flawed;    // which
} TwoSets;

static void choose_sets(Lane *lane, TwoSets *sets)
{
    for (int i = 0; i < 2; ++i)
        choose_rows(lane, &sets->rows[i], choose(&lane->choices, MAX_SET + 1), true);
    sets->total = 0;
    for (uint32_t a = 0; a < sets->rows[0].count; ++a)
        for (uint32_t b = 0; b < sets->rows[1].count; ++b)
            if (boxes_overlap(&sets->rows[0].boxes[a], &sets->rows[1].boxes[b]))
                sets->wanted[sets->total++] = (imp_IndexPair){a, b};
    for (int i = 0; i < 2; ++i)
        sets->arrays[i] = rows_array(&sets->rows[i]);
    sets->flawed = (int)choose(&lane->choices, 2);
    sets->flaw = lane_flaw(lane, sets->rows[sets->flawed].count ? ARRAY_FLAWS : 3);
}

// Null where that is the flaw.
static const imp_BoxArray *given_set(const TwoSets *sets, int set)
{
    return sets->flaw == 2 && sets->flawed == set ? NULL : &sets->arrays[set];
}

static void find_pairs_between(Lane *lane, TwoSets *sets)
{
    imp_IndexPair pairs[MAX_PAIRS_BETWEEN];
    Home *home = lane_home(lane);
    uint32_t flaw = sets->flaw, room = choose(&lane->choices, 4);
    uint64_t count = 0;
    size_t total = sets->total, capacity = MAX_PAIRS_BETWEEN;
    if (room > 0 && total > 0)
        capacity = room == 1 ? 0 : room == 2 ? total - 1 : total;
    Call call =
        call_make(lane, flaw == 1 ? NULL : home, "%zu and %zu boxes, %zu pairs, room for %zu, flaw %u",
                  sets->arrays[0].count, sets->arrays[1].count, total, capacity, flaw);
    call_is_watched(&call);
    call_output(&call, pairs, sizeof pairs);
    call_count_output(&call, &count, sizeof count);
    if (capacity < total && capacity > 0)
        call_expect(&call, IMP_STATUS_BUFFER_SHORT, IMP_NOWHERE);
    if (flaw)
        spoil_array(lane, flaw, &sets->rows[sets->flawed], &sets->arrays[sets->flawed], &call);
    CALL(&call, imp_pairs_find_between,
         (flaw == 1 ? NULL : home->context, given_set(sets, 0), given_set(sets, 1), capacity ? pairs : NULL,
          capacity, flaw == 3 ? NULL : &count));
    if (flaw)
        return;
    CHECK_INT((int64_t)count, (int64_t)total);
    if (call_is_done(&call) && capacity > 0)
        CHECK(are_same_bytes(pairs, sets->wanted, total * sizeof *pairs));
    lane_count(lane, OUTCOME_box_pairs_found, total > 0);
}

static void list_pairs_between(Lane *lane, TwoSets *sets)
{
    Home *home = lane_home(lane);
    const imp_IndexPair *pairs = NULL;
    size_t count = 0, total = sets->total;
    uint32_t flaw = sets->flaw;
    Call call = call_make(lane, flaw == 1 ? NULL : home, "%zu and %zu boxes, %zu pairs, flaw %u",
                          sets->arrays[0].count, sets->arrays[1].count, total, flaw);
    call_is_watched(&call);
    call_output(&call, &pairs, sizeof pairs);
    call_output(&call, &count, sizeof count);
    if (flaw)
        spoil_array(lane, flaw, &sets->rows[sets->flawed], &sets->arrays[sets->flawed], &call);
    CALL(&call, imp_pairs_list_between,
         (flaw == 1 ? NULL : home->context, given_set(sets, 0), given_set(sets, 1), &pairs,
          flaw == 3 ? NULL : &count));
    if (!call_is_done(&call))
        return;
    CHECK_INT(count, total);
    CHECK(count == total && are_same_bytes(pairs, sets->wanted, total * sizeof *pairs));
    lane_count(lane, OUTCOME_box_pairs_found, total > 0);
}

static void step_pairs_between(Lane *lane)
{
    TwoSets sets;
    choose_sets(lane, &sets);
    if (choose(&lane->choices, 2))
        find_pairs_between(lane, &sets);
    else
        list_pairs_between(lane, &sets);
}

static void measure(Lane *lane)
{
    Home *home = lane_home(lane);
    bool is_measured = choose(&lane->choices, 2);
    uint32_t flaw = lane_flaw(lane, 1);
    Call call = call_make(lane, flaw ? NULL : home, "%d, flaw %u", is_measured, flaw);
    if (flaw)
        call_expect(&call, IMP_STATUS_BAD_ARGUMENT, ANY_INDEX);
    CALL(&call, imp_pairs_measure, (flaw ? NULL : home->context, is_measured ? &home->stats : NULL));
    if (call_is_done(&call))
        home->is_measured = is_measured;
}

void step_pairs(Lane *lane)
{
    Rows rows;
    uint32_t what = choose(&lane->choices, 12);
    if (what > 8) {
        step_pairs_between(lane);
        return;
    }
    choose_rows(lane, &rows, choose(&lane->choices, 1u << choose(&lane->choices, 6)) % (MAX_BOXES + 1), true);
    if (what < 4)
        find_pairs(lane, &rows);
    else if (what < 8)
        list_pairs(lane, &rows);
    else
        measure(lane);
}

// ---- boxes that stay

static void make_broad(Lane *lane, LaneBroad **place)
{
    LaneBroad *model = calloc(1, sizeof *model);
    imp_Broad *broad = NULL;
    model->home = lane_home(lane);
    model->is_float = choose(&lane->choices, 2);
    imp_BroadDef def = {.precision = model->is_float ? IMP_BROAD_FLOAT : IMP_BROAD_DOUBLE,
                        .expected_count = choose(&lane->choices, 4) ? 0 : choose(&lane->choices, 100)};
    uint32_t flaw = lane_flaw(lane, 5);
    Call call = call_make(lane, flaw == 1 ? NULL : model->home, "float %d, flaw %u", model->is_float, flaw);
    call_output(&call, &broad, sizeof broad);
    if (flaw)
        call_expect(&call, flaw == 5 ? IMP_STATUS_TOO_LARGE : IMP_STATUS_BAD_ARGUMENT, ANY_INDEX);
    if (flaw == 3)
        def.precision = (imp_BroadPrecision)7;
    if (flaw == 4)
        spoil_reserved(lane, def.reserved, sizeof def.reserved);
    if (flaw == 5)
        def.expected_count = UINT32_MAX;
    bool has_def = flaw || model->is_float || choose(&lane->choices, 2);
    CALL(&call, imp_broad_create,
         (flaw == 1 ? NULL : model->home->context, has_def ? &def : NULL, flaw == 2 ? NULL : &broad));
    model->broad = broad;
    if (call_is_done(&call))
        *place = model;
    else
        free(model);
}

void end_broad(Lane *lane, int number)
{
    Call call = call_make(lane, NULL, "broad %d", number);
    CALL_VOID(&call, imp_broad_destroy, (lane->broads[number]->broad));
    free(lane->broads[number]);
    lane->broads[number] = NULL;
}

// A box of the broad phase, or null; `id` is then one that names nothing.
static BroadBox *choose_member(Lane *lane, LaneBroad *model, imp_BroadId *id)
{
    uint32_t limit = choose_rarely(&lane->choices, 6) ? MAX_BROAD_SLOTS : (uint32_t)broad_model_count(model);
    BroadBox *box = &model->boxes[choose(&lane->choices, limit)];
    if (box->is_alive) {
        *id = box->id;
        return box;
    }
    // Gone, never there, or of a generation to come.
    *id = (imp_BroadId){box->id.slot, box->id.generation + choose(&lane->choices, 2)};
    return NULL;
}

static void add_one(Lane *lane, LaneBroad *model)
{
    imp_BroadId id;
    imp_Box box = choose_box(lane);
    uint64_t category = (uint64_t)1 << choose(&lane->choices, 3);
    uint64_t ignore = choose_rarely(&lane->choices, 4) ? choose(&lane->choices, 8) : 0;
    uint32_t flaw = lane_flaw(lane, 4);
    Call call = call_make(lane, flaw == 1 ? NULL : model->home, "category %d ignores %d, flaw %u",
                          (int)category, (int)ignore, flaw);
    call_output(&call, &id, sizeof id);
    if (flaw)
        call_expect(&call, flaw == 4 ? IMP_STATUS_BAD_NUMBER : IMP_STATUS_BAD_ARGUMENT, ANY_INDEX);
    if (flaw == 4)
        spoil_box(lane, &box);
    CALL(
        &call, imp_broad_add,
        (flaw == 1 ? NULL : model->broad, flaw == 2 ? NULL : &box, category, ignore, flaw == 3 ? NULL : &id));
    if (call_is_done(&call))
        broad_model_add(model, id, &box, category, ignore);
}

static void add_many(Lane *lane, LaneBroad *model)
{
    Rows rows;
    imp_BroadId ids[8];
    choose_rows(lane, &rows, choose(&lane->choices, 8), !model->is_float);
    imp_BoxArray array = rows_array(&rows);
    uint32_t flaw = lane_flaw(lane, rows.count ? 5 : 2);
    Call call = call_make(lane, flaw == 1 ? NULL : model->home, "%zu boxes, flaw %u", rows.count, flaw);
    call_output(&call, ids, sizeof ids);
    if (flaw)
        spoil_array(lane, flaw, &rows, &array, &call);
    CALL(&call, imp_broad_add_many,
         (flaw == 1 ? NULL : model->broad, flaw == 2 ? NULL : &array, flaw == 3 ? NULL : ids));
    for (size_t i = 0; call_is_done(&call) && i < rows.count; ++i)
        broad_model_add(model, ids[i], &rows.boxes[i], 1, 0);
}

static void move_one(Lane *lane, LaneBroad *model)
{
    imp_BroadId id;
    BroadBox *member = choose_member(lane, model, &id);
    imp_Box box = choose_box(lane);
    uint32_t flaw = lane_flaw(lane, 3);
    Call call = call_make(lane, flaw == 1 ? NULL : model->home, "slot %u, flaw %u", id.slot, flaw);
    if (flaw == 3)
        spoil_box(lane, &box);
    if (flaw == 1 || flaw == 2)
        call_expect(&call, IMP_STATUS_BAD_ARGUMENT, ANY_INDEX);
    else if (!member)
        call_expect(&call, IMP_STATUS_BAD_INDEX, id.slot);
    else if (flaw == 3)
        call_expect(&call, IMP_STATUS_BAD_NUMBER, ANY_INDEX);
    CALL(&call, imp_broad_move, (flaw == 1 ? NULL : model->broad, id, flaw == 2 ? NULL : &box));
    if (call_is_done(&call) && member)
        member->box = broad_box_rounded(model, &box);
}

static void move_many(Lane *lane, LaneBroad *model)
{
    Rows rows;
    imp_BroadId ids[MAX_BROAD_SLOTS];
    size_t count = 0;
    for (int i = 0; i < MAX_BROAD_SLOTS; ++i)
        if (model->boxes[i].is_alive && choose(&lane->choices, 2))
            ids[count++] = model->boxes[i].id;
    choose_rows(lane, &rows, count, !model->is_float);
    imp_BoxArray array = rows_array(&rows);
    uint32_t flaw = lane_flaw(lane, count ? 6 : 2);
    Call call = call_make(lane, flaw == 1 ? NULL : model->home, "%zu boxes, flaw %u", count, flaw);
    if (flaw == 6) {
        uint32_t bad = choose(&lane->choices, (uint32_t)count);
        ids[bad].generation += 1 + choose(&lane->choices, 3);
        call_expect(&call, IMP_STATUS_BAD_INDEX, bad);
    } else if (flaw) {
        spoil_array(lane, flaw, &rows, &array, &call);
    }
    CALL(&call, imp_broad_move_many,
         (flaw == 1 ? NULL : model->broad, flaw == 3 ? NULL : ids, flaw == 2 ? NULL : &array));
    for (size_t i = 0; call_is_done(&call) && i < count; ++i)
        model->boxes[ids[i].slot - 1].box = broad_box_rounded(model, &rows.boxes[i]);
}

static void set_filter(Lane *lane, LaneBroad *model)
{
    imp_BroadId id;
    BroadBox *member = choose_member(lane, model, &id);
    uint64_t category = choose(&lane->choices, 4), ignore = choose(&lane->choices, 4);
    uint32_t flaw = lane_flaw(lane, 1);
    Call call = call_make(lane, flaw ? NULL : model->home, "slot %u, flaw %u", id.slot, flaw);
    if (flaw)
        call_expect(&call, IMP_STATUS_BAD_ARGUMENT, ANY_INDEX);
    else if (!member)
        call_expect(&call, IMP_STATUS_BAD_INDEX, id.slot);
    CALL(&call, imp_broad_set_filter, (flaw ? NULL : model->broad, id, category, ignore));
    if (call_is_done(&call) && member) {
        member->category_bits = category;
        member->ignore_bits = ignore;
    }
}

static void remove_one(Lane *lane, LaneBroad *model)
{
    imp_BroadId id;
    BroadBox *member = choose_member(lane, model, &id);
    uint32_t flaw = lane_flaw(lane, 1);
    bool is_valid = false;
    Call call = call_make(lane, flaw ? NULL : model->home, "slot %u, flaw %u", id.slot, flaw);
    CALL_VALUE(&call, is_valid, imp_broad_is_valid, (model->broad, id));
    CHECK(is_valid == (member != NULL));
    if (flaw)
        call_expect(&call, IMP_STATUS_BAD_ARGUMENT, ANY_INDEX);
    else if (!member)
        call_expect(&call, IMP_STATUS_BAD_INDEX, id.slot);
    CALL(&call, imp_broad_remove, (flaw ? NULL : model->broad, id));
    if (call_is_done(&call) && member)
        member->is_alive = false;
}

// What the last update said stays while a new one fails.
static void check_last_result(void *argument)
{
    const LaneBroad *model = argument;
    if (model->result)
        broad_model_check(model, model->result);
}

static void update(Lane *lane, LaneBroad *model)
{
    const imp_BroadResult *result = NULL;
    size_t count = 0;
    uint32_t flaw = lane_flaw(lane, 2);
    Call call =
        call_make(lane, flaw == 1 ? NULL : model->home, "%zu boxes, flaw %u", broad_model_count(model), flaw);
    CALL_VALUE(&call, count, imp_broad_get_count, (model->broad));
    CHECK_INT(count, broad_model_count(model));
    call_output(&call, &result, sizeof result);
    call.check_failed = check_last_result;
    call.check_argument = model;
    if (flaw)
        call_expect(&call, IMP_STATUS_BAD_ARGUMENT, ANY_INDEX);
    CALL(&call, imp_broad_update, (flaw == 1 ? NULL : model->broad, flaw == 2 ? NULL : &result));
    if (!call_is_done(&call))
        return;
    broad_model_update(model);
    broad_model_check(model, result);
    model->result = result;
    lane_count(lane, OUTCOME_broad_begun, model->begun.count > 0);
    lane_count(lane, OUTCOME_broad_ended, model->ended.count > 0);
}

void step_broad(Lane *lane)
{
    int number = (int)choose(&lane->choices, MAX_BROADS);
    LaneBroad *model = lane->broads[number];
    if (!model) {
        make_broad(lane, &lane->broads[number]);
        return;
    }
    uint32_t what = choose(&lane->choices, 20);
    size_t count = broad_model_count(model);
    if (what < 2 && count < 20)
        add_one(lane, model);
    else if (what < (count < 5 ? 12u : 4u) && count < 16)
        add_many(lane, model);
    else if (what < 7)
        move_one(lane, model);
    else if (what < 9)
        move_many(lane, model);
    else if (what == 9)
        set_filter(lane, model);
    else if (what < 12)
        remove_one(lane, model);
    else if (what == 12 && choose_rarely(&lane->choices, 4))
        end_broad(lane, number);
    else
        update(lane, model);
}
