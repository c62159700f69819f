// A clearance goes through the pipeline with a margin: boxes that are that near, then how far apart the
// bodies are, and no farther than that; then, for those that are listed, what is inside of what, and faces.
#include "world/clearance.h"

#include "base/list_changes.h"
#include "base/radix_sort.h"
#include "world/distance.h"
#include "world/report_lists.h"
#include "world/world.h"

#include <string.h>

#define PAIRS_PER_STEP 4096

void impi_clearance_destroy(const imp_Allocator *allocator, impi_Clearance *clearance)
{
    for (int i = 0; i < 2; ++i) {
        impi_array_free(allocator, &clearance->lists[i].pairs, sizeof(imp_NearBodies));
        impi_array_free(allocator, &clearance->lists[i].hints, sizeof(impi_NearHint));
    }
    impi_array_free(allocator, &clearance->asked, sizeof *clearance->asked.data);
    impi_array_free(allocator, &clearance->seen, sizeof *clearance->seen.data);
    impi_array_free(allocator, &clearance->is_kept, sizeof *clearance->is_kept.data);
    impi_array_free(allocator, &clearance->distances, sizeof *clearance->distances.data);
    impi_array_free(allocator, &clearance->states, sizeof *clearance->states.data);
    impi_array_free(allocator, &clearance->faces, sizeof *clearance->faces.data);
    impi_array_free(allocator, &clearance->begun, sizeof(imp_BodyPair));
    impi_array_free(allocator, &clearance->ended, sizeof(imp_BodyPair));
}

// One clearance on its way.
typedef struct Run {
    imp_World *world;
    impi_Clearance *memory;
    const imp_ClearanceDef *def;
    impi_Budget *budget;
    const impi_NearList *last;
    impi_NearList *list;
    bool is_same_question; // as the last one
    size_t next_hint;      // of the last list
    size_t next_asked;     // of the last one's pairs
} Run;

static imp_Status check_def(imp_Context *context, const imp_ClearanceDef *def)
{
    imp_Status status = impi_check_length(context, "a clearance", def->distance);
    if (status == IMP_STATUS_OK)
        status = impi_check_accuracy(context, def->relative_accuracy);
    return status == IMP_STATUS_OK ? IMPI_CHECK_RESERVED(context, def) : status;
}

static uint64_t slots_of(const imp_NearBodies *pair)
{
    return impi_slot_pair(pair->body_a.slot, pair->body_b.slot);
}

// ---- bodies at rest

static bool is_same_question(const imp_ClearanceDef *a, const imp_ClearanceDef *b)
{
    return a->distance == b->distance && a->relative_accuracy == b->relative_accuracy &&
           a->ignore_containment == b->ignore_containment;
}

static impi_SeenBody look_at(const imp_World *world, uint32_t slot)
{
    return (impi_SeenBody){impi_slot_generation(&world->slots, slot), world->bodies.data[slot - 1].motion};
}

static bool is_at_rest(const Run *run, uint32_t slot)
{
    if (slot > run->memory->seen.count)
        return false;
    impi_SeenBody before = run->memory->seen.data[slot - 1], now = look_at(run->world, slot);
    return before.generation == now.generation && before.motion == now.motion;
}

static uint64_t pair_slots(imp_IndexPair pair)
{
    return impi_slot_pair(pair.a, pair.b);
}

// Was the last clearance asked the same about the same? Pairs come in the order of slots.
static bool is_known(Run *run, imp_IndexPair pair)
{
    const impi_IndexPairs *asked = &run->memory->asked;
    if (!run->is_same_question)
        return false;
    while (run->next_asked < asked->count && pair_slots(asked->data[run->next_asked]) < pair_slots(pair))
        ++run->next_asked;
    return run->next_asked < asked->count && pair_slots(asked->data[run->next_asked]) == pair_slots(pair) &&
           is_at_rest(run, pair.a) && is_at_rest(run, pair.b);
}

// What the next clearance needs to know of this one. False when out of memory, with nothing changed.
static bool remember(const Run *run)
{
    const imp_Allocator *allocator = &run->world->context->allocator;
    const impi_IndexPairs *pairs = &run->world->broad.pairs;
    impi_Clearance *memory = run->memory;
    size_t body_count = run->world->bodies.count;
    if (!impi_array_reserve(allocator, &memory->asked, sizeof *memory->asked.data, pairs->count) ||
        !impi_array_reserve(allocator, &memory->seen, sizeof *memory->seen.data, body_count))
        return false;
    if (pairs->count > 0)
        memcpy(memory->asked.data, pairs->data, pairs->count * sizeof *pairs->data);
    memory->asked.count = pairs->count;
    for (uint32_t slot = 1; slot <= body_count; ++slot)
        memory->seen.data[slot - 1] = look_at(run->world, slot);
    memory->seen.count = body_count;
    memory->answered = *run->def;
    return true;
}

// ---- distances

// Did the last clearance list the pair? Then next_hint is where. Pairs come in the order of slots.
static bool was_near(Run *run, imp_IndexPair pair)
{
    const impi_NearHint *hints = run->last->hints.data;
    while (run->next_hint < run->last->hints.count && hints[run->next_hint].slots < pair_slots(pair))
        ++run->next_hint;
    return run->next_hint < run->last->hints.count && hints[run->next_hint].slots == pair_slots(pair);
}

static bool reserve_work(const Run *run, size_t count)
{
    const imp_Allocator *allocator = &run->world->context->allocator;
    impi_ObjectStage *stage = &run->world->object;
    return impi_array_reserve(allocator, &stage->work, sizeof *stage->work.data, count) &&
           impi_array_reserve(allocator, &run->memory->distances, sizeof *run->memory->distances.data,
                              count) &&
           impi_array_reserve(allocator, &run->memory->states, sizeof *run->memory->states.data, count);
}

static impi_PairWork work_of(const Run *run, uint32_t slot_a, uint32_t slot_b, size_t number)
{
    return (impi_PairWork){.a = &run->world->bodies.data[slot_a - 1],
                           .b = &run->world->bodies.data[slot_b - 1],
                           .face_list = IMPI_NO_LIST,
                           .face_room = IMPI_ALL_FACES,
                           .last_face = UINT64_MAX,
                           .number = number};
}

// Where the answer about a pair comes from.
typedef struct Source {
    enum { SOURCE_NONE, SOURCE_WORK, SOURCE_LAST } kind; // the former: it is known not to be near
    size_t index;                                        // of the work, or of the last list
} Source;

// Make the pairs that are not known the stage's work.
static void take_unknown(Run *run, const imp_IndexPair *pairs, size_t count, Source *sources)
{
    impi_ObjectStage *stage = &run->world->object;
    stage->work.count = 0;
    for (size_t i = 0; i < count; ++i) {
        bool is_listed = was_near(run, pairs[i]);
        sources[i] = (Source){is_listed ? SOURCE_LAST : SOURCE_NONE, run->next_hint};
        if (is_known(run, pairs[i]))
            continue;
        size_t number = stage->work.count++;
        impi_PairWork work = work_of(run, pairs[i].a, pairs[i].b, number);
        work.distance = &run->memory->distances.data[number];
        work.state = &run->memory->states.data[number];
        *work.distance = (impi_PairDistance){.has_hint = is_listed};
        if (is_listed)
            work.distance->hint = run->last->hints.data[run->next_hint].hint;
        *work.state = (imp_ConvexState){.witness_count = 0};
        stage->work.data[number] = work;
        sources[i] = (Source){SOURCE_WORK, number};
    }
}

static void add_near(const Run *run, const imp_NearBodies *pair, const impi_FaceHint *hint, bool is_kept)
{
    size_t position = run->list->pairs.count++;
    run->list->hints.count = run->memory->is_kept.count = run->list->pairs.count;
    run->list->pairs.data[position] = *pair;
    run->list->hints.data[position] = (impi_NearHint){slots_of(pair), *hint};
    run->memory->is_kept.data[position] = is_kept;
}

// The pairs that are near, in order. False when out of memory.
static bool list_near(const Run *run, const Source *sources, size_t count)
{
    const imp_Allocator *allocator = &run->world->context->allocator;
    size_t most = run->list->pairs.count + count;
    if (!impi_array_reserve(allocator, &run->list->pairs, sizeof(imp_NearBodies), most) ||
        !impi_array_reserve(allocator, &run->list->hints, sizeof(impi_NearHint), most) ||
        !impi_array_reserve(allocator, &run->memory->is_kept, sizeof(bool), most))
        return false;
    for (size_t i = 0; i < count; ++i) {
        if (sources[i].kind == SOURCE_LAST)
            add_near(run, &run->last->pairs.data[sources[i].index],
                     &run->last->hints.data[sources[i].index].hint, true);
        if (sources[i].kind != SOURCE_WORK)
            continue;
        const impi_PairWork *pair = &run->world->object.work.data[sources[i].index];
        if (!(pair->answered & IMP_QUESTION_DISTANCE) || pair->distance->answer.has_stopped)
            continue;
        imp_NearBodies near = {impi_body_id(&run->world->slots, pair->a->slot),
                               impi_body_id(&run->world->slots, pair->b->slot), pair->distance->answer};
        add_near(run, &near, &pair->distance->hint, false);
    }
    return true;
}

static imp_Status measure_step(Run *run, const impi_ObjectAsk *ask, const imp_IndexPair *pairs, size_t count)
{
    imp_Context *context = run->world->context;
    impi_ArenaMark mark = impi_arena_mark(&context->scratch);
    Source *sources = impi_arena_allocate_array(&context->scratch, count, sizeof *sources);
    if (!sources || !reserve_work(run, count))
        return impi_fail_out_of_memory(context);
    take_unknown(run, pairs, count, sources);
    imp_Status status = impi_object_stage(context, &run->world->object, ask, IMPI_ALL_FACES);
    if (status == IMP_STATUS_OK && !list_near(run, sources, count))
        status = impi_fail_out_of_memory(context);
    impi_arena_rewind(&context->scratch, mark);
    return status;
}

static imp_Status measure_pairs(Run *run)
{
    const imp_DetectDef detect = {.mode = IMP_DETECT_BODIES, .ignore_containment = true};
    const impi_DistanceAsk distance = {.relative_accuracy = impi_choose_accuracy(run->def->relative_accuracy),
                                       .stop_above = run->def->distance};
    impi_ObjectAsk ask = {.def = &detect, .budget = run->budget, .distance = &distance};
    const impi_IndexPairs *pairs = &run->world->broad.pairs;
    imp_Status status = IMP_STATUS_OK;
    impi_filters_choose(IMP_METHOD_AUTO, &ask.choice);
    run->list->pairs.count = run->list->hints.count = run->memory->is_kept.count = 0;
    for (size_t done = 0; done < pairs->count && status == IMP_STATUS_OK; done += PAIRS_PER_STEP) {
        size_t left = pairs->count - done;
        status = measure_step(run, &ask, pairs->data + done, left < PAIRS_PER_STEP ? left : PAIRS_PER_STEP);
    }
    return status;
}

// ---- of those that are near

// Make the pairs [begin, end) of the list the stage's work, as far as is known of them.
static bool take_near(const Run *run, size_t begin, size_t end)
{
    impi_ObjectStage *stage = &run->world->object;
    if (!impi_array_reserve(&run->world->context->allocator, &stage->work, sizeof *stage->work.data,
                            end - begin))
        return false;
    for (size_t i = begin; i < end; ++i) {
        const imp_NearBodies *near = &run->list->pairs.data[i];
        impi_PairWork work = work_of(run, near->body_a.slot, near->body_b.slot, i);
        work.answered = IMP_QUESTION_TOUCH;
        stage->work.data[i - begin] = work;
    }
    stage->work.count = end - begin;
    return true;
}

// What was kept knows it.
static void leave_out_kept(const Run *run)
{
    impi_ObjectStage *stage = &run->world->object;
    size_t open = 0;
    for (size_t i = 0; i < stage->work.count; ++i) {
        stage->work.data[open] = stage->work.data[i];
        open += !run->memory->is_kept.data[i];
    }
    stage->work.count = open;
}

static imp_Status ask_containment(const Run *run)
{
    const imp_DetectDef detect = {.mode = IMP_DETECT_BODIES};
    impi_ObjectAsk ask = {.def = &detect, .budget = run->budget};
    impi_ObjectStage *stage = &run->world->object;
    impi_filters_choose(IMP_METHOD_AUTO, &ask.choice);
    if (!take_near(run, 0, run->list->pairs.count))
        return impi_fail_out_of_memory(run->world->context);
    leave_out_kept(run);
    for (size_t i = 0; i < stage->work.count; ++i) {
        impi_PairWork *pair = &stage->work.data[i];
        pair->relations = run->list->pairs.data[pair->number].distance.touch ? IMP_RELATION_TOUCH : 0;
    }
    imp_Status status = impi_object_stage(run->world->context, stage, &ask, IMPI_ALL_FACES);
    for (size_t i = 0; i < stage->work.count && status == IMP_STATUS_OK; ++i) {
        const impi_PairWork *pair = &stage->work.data[i];
        imp_Distance *distance = &run->list->pairs.data[pair->number].distance;
        distance->a_inside_b = pair->relations & IMP_RELATION_A_INSIDE_B;
        distance->b_inside_a = pair->relations & IMP_RELATION_B_INSIDE_A;
    }
    return status;
}

// ---- faces

static uint64_t most_faces(const Run *run)
{
    return run->def->max_face_pairs ? run->def->max_face_pairs : IMPI_ALL_FACES;
}

// Append a pair's faces, sorted, up to the limit. False when out of memory.
static bool append_faces(const Run *run, const impi_PairWork *pair, uint64_t limit)
{
    imp_Context *context = run->world->context;
    const imp_NearBodies *near = &run->list->pairs.data[pair->number];
    size_t kept = impi_kept_face_count(&run->world->object.faces, pair);
    if (kept == 0 || run->memory->faces.count >= limit)
        return true;
    uint64_t *spare = impi_arena_allocate_array(&context->scratch, kept, sizeof *spare);
    if (!spare || !impi_array_reserve(&context->allocator, &run->memory->faces,
                                      sizeof *run->memory->faces.data, run->memory->faces.count + kept))
        return false;
    uint64_t *keys = run->world->object.faces.lists.data[pair->face_list].data;
    const uint64_t *sorted = impi_radix_sort_packed(keys, spare, kept, 0, 64);
    for (size_t i = 0; i < kept && run->memory->faces.count < limit; ++i)
        run->memory->faces.data[run->memory->faces.count++] =
            (imp_TouchingFaces){near->body_a, (uint32_t)(sorted[i] >> 32), near->body_b, (uint32_t)sorted[i]};
    return true;
}

// Ask the pairs [begin, end) of the list for their faces, and take what they have. `*is_done` when the limit
// was passed and what comes behind it does not matter.
static imp_Status find_some_faces(const Run *run, const impi_ObjectAsk *ask, size_t begin, size_t end,
                                  bool *is_done)
{
    imp_Context *context = run->world->context;
    impi_ObjectStage *stage = &run->world->object;
    imp_ClearanceReport *report = &run->memory->report;
    const uint64_t limit = most_faces(run);
    uint64_t left = limit == IMPI_ALL_FACES           ? IMPI_ALL_FACES
                    : report->face_pair_total < limit ? limit - report->face_pair_total
                                                      : 0;
    if (!take_near(run, begin, end))
        return impi_fail_out_of_memory(context);
    for (size_t i = 0; i < stage->work.count; ++i) {
        stage->work.data[i].relations = IMP_RELATION_TOUCH; // here: near
        stage->work.data[i].wants_faces = true;
    }
    stage->faces.used = 0;
    imp_Status status = impi_object_stage(context, stage, ask, left);
    for (size_t i = 0; i < stage->work.count && status == IMP_STATUS_OK && !*is_done; ++i) {
        const impi_PairWork *pair = &stage->work.data[i];
        report->face_pair_total += pair->face_count;
        report->total_is_lower_bound |= !(pair->answered & IMP_QUESTION_FACES);
        if (!append_faces(run, pair, limit))
            status = impi_fail_out_of_memory(context);
        *is_done = report->face_pair_total > limit && !run->def->count_all;
        report->total_is_lower_bound |= *is_done && begin + i + 1 < run->list->pairs.count;
    }
    return status;
}

// With a limit, one pair first, then twice as many each time: what comes behind the limit is not looked for.
static imp_Status find_faces(const Run *run)
{
    imp_ClearanceReport *report = &run->memory->report;
    const imp_DetectDef detect = {.mode = IMP_DETECT_FACES, .count_all = run->def->count_all};
    impi_ObjectAsk ask = {.def = &detect, .budget = run->budget, .margin = run->def->distance};
    size_t count = run->list->pairs.count;
    size_t step = most_faces(run) == IMPI_ALL_FACES ? PAIRS_PER_STEP : 1;
    imp_Status status = IMP_STATUS_OK;
    bool is_done = false;
    impi_filters_choose(IMP_METHOD_AUTO, &ask.choice);
    for (size_t done = 0; done < count && status == IMP_STATUS_OK && !is_done; done += step) {
        if (done > 0 && step < PAIRS_PER_STEP)
            step *= 2;
        status = find_some_faces(run, &ask, done, count - done < step ? count : done + step, &is_done);
    }
    report->face_pairs = run->memory->faces.data;
    report->face_pair_count = run->memory->faces.count;
    report->truncated = report->face_pair_total > report->face_pair_count;
    return status;
}

// ---- what has changed

typedef struct Changes {
    const imp_Allocator *allocator;
    impi_Clearance *memory;
    const impi_NearList *before, *after;
} Changes;

static int compare_ids(imp_BodyId a, imp_BodyId b)
{
    if (a.slot != b.slot)
        return a.slot < b.slot ? -1 : 1;
    return (a.generation > b.generation) - (a.generation < b.generation);
}

static int compare_pairs(size_t i, size_t k, const void *lists)
{
    const Changes *changes = lists;
    const imp_NearBodies *before = &changes->before->pairs.data[i], *after = &changes->after->pairs.data[k];
    if (before->body_a.slot != after->body_a.slot || before->body_b.slot != after->body_b.slot)
        return slots_of(before) < slots_of(after) ? -1 : 1;
    int order = compare_ids(before->body_a, after->body_a);
    return order != 0 ? order : compare_ids(before->body_b, after->body_b);
}

static bool add_change(const Changes *changes, const imp_NearBodies *pair, impi_BodyPairs *list)
{
    if (!impi_array_reserve(changes->allocator, list, sizeof *list->data, list->count + 1))
        return false;
    list->data[list->count++] = (imp_BodyPair){.body_a = pair->body_a, .body_b = pair->body_b};
    return true;
}

static bool note_ended(size_t index, void *lists)
{
    const Changes *changes = lists;
    return add_change(changes, &changes->before->pairs.data[index], &changes->memory->ended);
}

static bool note_begun(size_t index, void *lists)
{
    const Changes *changes = lists;
    return add_change(changes, &changes->after->pairs.data[index], &changes->memory->begun);
}

static imp_Status find_changes(const Run *run)
{
    imp_ClearanceReport *report = &run->memory->report;
    Changes changes = {&run->world->context->allocator, run->memory, run->last, run->list};
    run->memory->begun.count = run->memory->ended.count = 0;
    if (!impi_list_changes(run->last->pairs.count, run->list->pairs.count, compare_pairs, note_ended,
                           note_begun, &changes))
        return impi_fail_out_of_memory(run->world->context);
    report->begun = run->memory->begun.data;
    report->begun_count = run->memory->begun.count;
    report->ended = run->memory->ended.data;
    report->ended_count = run->memory->ended.count;
    return IMP_STATUS_OK;
}

// ---- the whole

static imp_Status run_stages(Run *run)
{
    imp_World *world = run->world;
    double margin = run->def->distance;
    impi_BroadAsk ask = impi_world_broad_ask(world, margin, run->budget);
    imp_Status status = impi_world_update_bounds(world, margin, run->budget);
    if (status == IMP_STATUS_OK)
        status = impi_broad_stage(world->context, &world->broad, &ask);
    if (status == IMP_STATUS_OK)
        status = measure_pairs(run);
    if (status == IMP_STATUS_OK && !run->def->ignore_containment)
        status = ask_containment(run);
    if (status == IMP_STATUS_OK && run->def->face_pairs)
        status = find_faces(run);
    if (status == IMP_STATUS_OK && impi_budget_is_cancelled(run->budget))
        status = impi_fail_cancelled(world->context);
    if (status == IMP_STATUS_OK)
        status = find_changes(run);
    if (status == IMP_STATUS_OK && !remember(run))
        status = impi_fail_out_of_memory(world->context);
    return status;
}

imp_Status impi_world_clearance(imp_World *world, const imp_ClearanceDef *def,
                                const imp_ClearanceReport **report)
{
    impi_Clearance *memory = &world->clearance;
    impi_Budget budget;
    imp_Status status = check_def(world->context, def);
    if (status != IMP_STATUS_OK)
        return status;
    impi_budget_begin(&budget, 0, def->cancel);
    if (impi_budget_is_cancelled(&budget))
        return impi_fail_cancelled(world->context);
    Run run = {.world = world,
               .memory = memory,
               .def = def,
               .budget = &budget,
               .last = &memory->lists[memory->current],
               .list = &memory->lists[memory->current ^ 1],
               .is_same_question = is_same_question(&memory->answered, def)};
    impi_arena_reset(&world->context->scratch);
    memory->report = (imp_ClearanceReport){0};
    memory->faces.count = 0;
    status = run_stages(&run);
    world->object.work.count = 0;
    if (status != IMP_STATUS_OK)
        return status;
    memory->current ^= 1;
    memory->report.pairs = run.list->pairs.data;
    memory->report.pair_count = run.list->pairs.count;
    memory->report.candidate_body_pairs = world->broad.pairs.count;
    *report = &memory->report;
    return IMP_STATUS_OK;
}
