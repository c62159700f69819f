#include "base/context.h"
#include "broad/pairs_find.h"
#include "failing_allocator.h"
#include "harness.h"

#include <impinge/broad.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static imp_Context *make_context(void)
{
    imp_Context *context = NULL;
    CHECK_INT(imp_context_create(NULL, &context), IMP_STATUS_OK);
    return context;
}

// ---- imp_pairs_find

TEST(no_box_and_one_box)
{
    imp_Context *context = make_context();
    uint64_t count = 7;
    CHECK_INT(imp_pairs_find(context, &(imp_BoxArray){0}, NULL, 0, &count), IMP_STATUS_OK);
    CHECK_INT((int64_t)count, 0);
    float row[6] = {0, 0, 0, 1, 1, 1};
    count = 7;
    CHECK_INT(imp_pairs_find(context, &(imp_BoxArray){row, NULL, 1}, NULL, 0, &count), IMP_STATUS_OK);
    CHECK_INT((int64_t)count, 0);
    imp_context_destroy(context);
}

TEST(touching_counts_and_a_hair_apart_does_not)
{
    imp_Context *context = make_context();
    double rows[4][6] = {{0, 0, 0, 1, 1, 1},
                         {1, 1, 1, 2, 2, 2},
                         {nextafter(2, 3), 1, 1, 3, 2, 2},
                         {nextafter(1, 2), -1, -1, 1.5, 0.5, 0.5}};
    imp_IndexPair pairs[6];
    uint64_t count;
    CHECK_INT(imp_pairs_find(context, &(imp_BoxArray){NULL, rows[0], 4}, pairs, 6, &count), IMP_STATUS_OK);
    CHECK_INT((int64_t)count, 1);
    CHECK_INT(pairs[0].a, 0);
    CHECK_INT(pairs[0].b, 1);
    imp_context_destroy(context);
}

TEST(four_thousand_identical_boxes)
{
    size_t box_count = 4000;
    uint64_t count, want = 7998000;
    imp_Context *context = make_context();
    float(*rows)[6] = malloc(box_count * sizeof *rows);
    imp_IndexPair *pairs = malloc(want * sizeof *pairs);
    for (size_t i = 0; i < box_count; ++i)
        memcpy(rows[i], (float[6]){1, 2, 3, 4, 5, 6}, sizeof rows[i]);
    imp_BoxArray boxes = {rows[0], NULL, box_count};
    CHECK_INT(imp_pairs_find(context, &boxes, pairs, want, &count), IMP_STATUS_OK);
    CHECK_INT((int64_t)count, (int64_t)want);
    size_t at = 0;
    bool complete = true;
    for (uint32_t a = 0; a < box_count; ++a)
        for (uint32_t b = a + 1; b < box_count; ++b, ++at)
            complete &= pairs[at].a == a && pairs[at].b == b;
    CHECK(complete);
    imp_context_destroy(context);
    free(pairs);
    free(rows);
}

TEST(more_than_2_to_the_32_pairs_are_counted)
{
    size_t box_count = 100000;
    uint64_t count;
    imp_IndexPair pair;
    imp_Context *context = make_context();
    double(*rows)[6] = malloc(box_count * sizeof *rows);
    for (size_t i = 0; i < box_count; ++i)
        memcpy(rows[i], (double[6]){1, 2, 3, 4, 5, 6}, sizeof rows[i]);
    imp_BoxArray boxes = {NULL, rows[0], box_count};
    CHECK_INT(imp_pairs_find(context, &boxes, NULL, 0, &count), IMP_STATUS_OK);
    CHECK_INT((int64_t)count, 4999950000);
    boxes.count = 1000;
    CHECK_INT(imp_pairs_find(context, &boxes, &pair, 1, &count), IMP_STATUS_BUFFER_SHORT);
    CHECK_INT((int64_t)count, 499500);
    imp_context_destroy(context);
    free(rows);
}

TEST(a_list_has_the_pairs_of_the_buffer)
{
    imp_Context *context = make_context();
    float rows[40][6];
    imp_IndexPair pairs[40];
    const imp_IndexPair *list = NULL;
    size_t list_count = 7;
    uint64_t count = 0;
    for (size_t i = 0; i < 40; ++i)
        memcpy(rows[i], (float[6]){(float)i, 0, 0, (float)i + 1, 1, 1}, sizeof rows[i]);
    imp_BoxArray boxes = {rows[0], NULL, 40};
    CHECK_INT(imp_pairs_find(context, &boxes, pairs, 40, &count), IMP_STATUS_OK);
    for (int again = 0; again < 2; ++again) {
        CHECK_INT(imp_pairs_list(context, &boxes, &list, &list_count), IMP_STATUS_OK);
        if (CHECK_INT((int64_t)list_count, (int64_t)count))
            CHECK(memcmp(list, pairs, list_count * sizeof *list) == 0);
    }
    CHECK_INT(imp_pairs_list(context, &(imp_BoxArray){0}, &list, &list_count), IMP_STATUS_OK);
    CHECK(list == NULL);
    CHECK_INT((int64_t)list_count, 0);
    rows[7][2] = NAN;
    list_count = 7;
    CHECK_INT(imp_pairs_list(context, &boxes, &list, &list_count), IMP_STATUS_BAD_NUMBER);
    CHECK_INT((int64_t)imp_context_get_error(context)->index, 7);
    CHECK_INT((int64_t)list_count, 7);
    CHECK_INT(imp_pairs_list(context, &boxes, NULL, &list_count), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_pairs_list(context, &boxes, &list, NULL), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_pairs_list(NULL, &boxes, &list, &list_count), IMP_STATUS_BAD_ARGUMENT);
    imp_context_destroy(context);
}

TEST(searches_are_measured_while_that_is_wanted)
{
    imp_Context *context = make_context();
    imp_SearchStats stats = {0};
    float rows[40][6];
    uint64_t count = 0;
    for (size_t i = 0; i < 40; ++i)
        memcpy(rows[i], (float[6]){(float)i, 0, 0, (float)i + 1, 1, 1}, sizeof rows[i]);
    imp_BoxArray boxes = {rows[0], NULL, 40};
    CHECK_INT(imp_pairs_measure(context, &stats), IMP_STATUS_OK);
    for (int i = 0; i < 3; ++i)
        CHECK_INT(imp_pairs_find(context, &boxes, NULL, 0, &count), IMP_STATUS_OK);
    CHECK_INT((int64_t)stats.search_count, 3);
    CHECK_INT((int64_t)stats.sort_count, 3);
    CHECK(stats.level_count >= 1 && stats.level_count <= IMP_MAX_SEARCH_LEVELS);
    CHECK(stats.block_counts[0] * IMP_SEARCH_BLOCK_SIZE >= 40);
    CHECK_INT(imp_pairs_measure(context, NULL), IMP_STATUS_OK);
    CHECK_INT(imp_pairs_find(context, &boxes, NULL, 0, &count), IMP_STATUS_OK);
    CHECK_INT((int64_t)stats.search_count, 3);
    CHECK_INT(imp_pairs_measure(NULL, &stats), IMP_STATUS_BAD_ARGUMENT);
    imp_context_destroy(context);
}

static void check_refused(imp_Context *context, const float *rows, size_t count, size_t index)
{
    double double_rows[64 * 6];
    imp_IndexPair pair = {7, 7};
    uint64_t pair_count = 7;
    for (size_t i = 0; i < 6 * count; ++i)
        double_rows[i] = (double)rows[i];
    imp_BoxArray arrays[2] = {{rows, NULL, count}, {NULL, double_rows, count}};
    for (int i = 0; i < 2; ++i) {
        CHECK_INT(imp_pairs_find(context, &arrays[i], &pair, 1, &pair_count), IMP_STATUS_BAD_NUMBER);
        CHECK_INT((int64_t)imp_context_get_error(context)->index, (int64_t)index);
        CHECK_INT((int64_t)pair_count, 7);
        CHECK_INT(pair.a, 7);
    }
}

TEST(bad_boxes_are_refused_with_their_index)
{
    imp_Context *context = make_context();
    float rows[64][6];
    for (size_t i = 0; i < 64; ++i)
        memcpy(rows[i], (float[6]){(float)i, 0, 0, (float)i + 1, 1, 1}, sizeof rows[i]);
    static const float bad[] = {NAN, INFINITY, -INFINITY};
    for (size_t k = 0; k < 6; ++k) {
        for (size_t i = 0; i < 3; ++i) {
            size_t index = 9 * k + i;
            float good = rows[index][k];
            rows[index][k] = bad[i];
            check_refused(context, rows[0], 64, index);
            rows[63][k] = bad[i];
            check_refused(context, rows[0], 64, index);
            rows[index][k] = good;
            rows[63][k] = good;
        }
    }
    for (size_t k = 0; k < 3; ++k) {
        memcpy(rows[20], (float[6]){1, 2, 3, 1, 2, 3}, sizeof rows[20]);
        rows[20][k] = rows[20][k + 3] + 1;
        check_refused(context, rows[0], 64, 20);
    }
    CHECK_CONTAINS(imp_context_get_error(context)->message, "box 20");
    imp_context_destroy(context);
}

TEST(bad_arguments_are_refused)
{
    imp_Context *context = make_context();
    float row[6] = {0, 0, 0, 1, 1, 1};
    double double_row[6] = {0, 0, 0, 1, 1, 1};
    uint64_t count = 7;
    imp_BoxArray boxes = {row, NULL, 1};
    CHECK_INT(imp_pairs_find(NULL, &boxes, NULL, 0, &count), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_pairs_find(context, NULL, NULL, 0, &count), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_pairs_find(context, &boxes, NULL, 0, NULL), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_pairs_find(context, &boxes, NULL, 1, &count), IMP_STATUS_BAD_ARGUMENT);
    boxes = (imp_BoxArray){row, double_row, 1};
    CHECK_INT(imp_pairs_find(context, &boxes, NULL, 0, &count), IMP_STATUS_BAD_ARGUMENT);
    boxes = (imp_BoxArray){NULL, NULL, 1};
    CHECK_INT(imp_pairs_find(context, &boxes, NULL, 0, &count), IMP_STATUS_BAD_ARGUMENT);
    boxes = (imp_BoxArray){row, NULL, UINT32_MAX};
    CHECK_INT(imp_pairs_find(context, &boxes, NULL, 0, &count), IMP_STATUS_TOO_LARGE);
    CHECK_INT((int64_t)count, 7);
    imp_context_destroy(context);
}

TEST(pairs_in_an_arena)
{
    imp_Context *context = make_context();
    double rows[3][6] = {{0, 0, 0, 1, 1, 1}, {5, 0, 0, 6, 1, 1}, {0.5, 0, 0, 5, 1, 1}};
    const imp_IndexPair *pairs = NULL;
    size_t count = 7;
    imp_BoxArray boxes = {NULL, rows[0], 3};
    impi_arena_reset(&context->scratch);
    CHECK_INT(impi_pairs_find(context, &boxes, &context->scratch, &pairs, &count), IMP_STATUS_OK);
    if (CHECK_INT((int64_t)count, 2)) {
        CHECK(pairs[0].a == 0 && pairs[0].b == 2);
        CHECK(pairs[1].a == 1 && pairs[1].b == 2);
    }
    rows[1][0] = 7;
    CHECK_INT(impi_pairs_find(context, &boxes, &context->scratch, &pairs, &count), IMP_STATUS_BAD_NUMBER);
    CHECK_INT((int64_t)count, 2);
    imp_context_destroy(context);
}

// ---- imp_Broad

static imp_Box unit_box(double x)
{
    return (imp_Box){{x, 0, 0}, {x + 1, 1, 1}};
}

static imp_BroadId add_box(imp_Broad *broad, double x, uint64_t category_bits, uint64_t ignore_bits)
{
    imp_BroadId id = {0, 0};
    imp_Box box = unit_box(x);
    CHECK_INT(imp_broad_add(broad, &box, category_bits, ignore_bits, &id), IMP_STATUS_OK);
    return id;
}

static void check_counts(imp_Broad *broad, size_t pairs, size_t begun, size_t ended)
{
    const imp_BroadResult *result;
    if (!CHECK_INT(imp_broad_update(broad, &result), IMP_STATUS_OK))
        return;
    CHECK_INT((int64_t)result->pair_count, (int64_t)pairs);
    CHECK_INT((int64_t)result->begun_count, (int64_t)begun);
    CHECK_INT((int64_t)result->ended_count, (int64_t)ended);
}

TEST(pairs_begin_and_end)
{
    imp_Context *context = make_context();
    imp_Broad *broad;
    CHECK_INT(imp_broad_create(context, NULL, &broad), IMP_STATUS_OK);
    check_counts(broad, 0, 0, 0);
    imp_BroadId a = add_box(broad, 0, 1, 0), b = add_box(broad, 1, 1, 0);
    check_counts(broad, 1, 1, 0);
    check_counts(broad, 1, 0, 0);
    imp_Box away = unit_box(1.5);
    CHECK_INT(imp_broad_move(broad, b, &away), IMP_STATUS_OK);
    check_counts(broad, 0, 0, 1);
    imp_Box back = unit_box(0.5);
    CHECK_INT(imp_broad_move(broad, b, &back), IMP_STATUS_OK);
    check_counts(broad, 1, 1, 0);
    CHECK_INT(imp_broad_remove(broad, a), IMP_STATUS_OK);
    check_counts(broad, 0, 0, 1);
    imp_broad_destroy(broad);
    imp_context_destroy(context);
}

TEST(a_slot_used_again_is_another_box)
{
    imp_Context *context = make_context();
    imp_Broad *broad;
    CHECK_INT(imp_broad_create(context, NULL, &broad), IMP_STATUS_OK);
    imp_BroadId a = add_box(broad, 0, 1, 0), b = add_box(broad, 1, 1, 0);
    check_counts(broad, 1, 1, 0);
    CHECK_INT(imp_broad_remove(broad, b), IMP_STATUS_OK);
    imp_BroadId c = add_box(broad, 1, 1, 0);
    CHECK_INT(c.slot, b.slot);
    CHECK(c.generation != b.generation);
    CHECK(imp_broad_is_valid(broad, a) && imp_broad_is_valid(broad, c) && !imp_broad_is_valid(broad, b));
    check_counts(broad, 1, 1, 1);
    imp_Box box = unit_box(9);
    CHECK_INT(imp_broad_move(broad, b, &box), IMP_STATUS_BAD_INDEX);
    CHECK_INT(imp_broad_move(broad, (imp_BroadId){0, 0}, &box), IMP_STATUS_BAD_INDEX);
    CHECK_INT(imp_broad_move(broad, (imp_BroadId){99, 1}, &box), IMP_STATUS_BAD_INDEX);
    check_counts(broad, 1, 0, 0);
    imp_broad_destroy(broad);
    imp_context_destroy(context);
}

TEST(categories)
{
    imp_Context *context = make_context();
    imp_Broad *broad;
    CHECK_INT(imp_broad_create(context, NULL, &broad), IMP_STATUS_OK);
    imp_BroadId a = add_box(broad, 0, 1, 0);
    add_box(broad, 0, 2, 0);
    add_box(broad, 0, 4, 1); // ignores the first
    check_counts(broad, 2, 2, 0);
    CHECK_INT(imp_broad_set_filter(broad, a, 1, 2), IMP_STATUS_OK); // ignores the second as well
    check_counts(broad, 1, 0, 1);
    CHECK_INT(imp_broad_set_filter(broad, a, 8, 0), IMP_STATUS_OK);
    check_counts(broad, 3, 2, 0);
    imp_broad_destroy(broad);
    imp_context_destroy(context);
}

TEST(many_at_once)
{
    imp_Context *context = make_context();
    imp_Broad *broad;
    imp_BroadId ids[3];
    float rows[3][6] = {{0, 0, 0, 1, 1, 1}, {1, 0, 0, 2, 1, 1}, {2, 0, 0, 3, 1, 1}};
    imp_BoxArray boxes = {rows[0], NULL, 3};
    CHECK_INT(
        imp_broad_create(context, &(imp_BroadDef){.precision = IMP_BROAD_FLOAT, .expected_count = 3}, &broad),
        IMP_STATUS_OK);
    CHECK_INT(imp_broad_add_many(broad, &boxes, ids), IMP_STATUS_OK);
    check_counts(broad, 2, 2, 0);
    rows[0][0] = -1;
    rows[2][0] = 4; // inverted: none is moved
    rows[1][0] = 1.5f;
    CHECK_INT(imp_broad_move_many(broad, ids, &boxes), IMP_STATUS_BAD_NUMBER);
    CHECK_INT((int64_t)imp_context_get_error(context)->index, 2);
    check_counts(broad, 2, 0, 0);
    rows[2][0] = 2;
    CHECK_INT(imp_broad_move_many(broad, ids, &boxes), IMP_STATUS_OK);
    check_counts(broad, 1, 0, 1);
    CHECK_INT(imp_broad_remove(broad, ids[1]), IMP_STATUS_OK);
    CHECK_INT(imp_broad_move_many(broad, ids, &boxes), IMP_STATUS_BAD_INDEX);
    CHECK_INT((int64_t)imp_context_get_error(context)->index, 1);
    CHECK_INT((int64_t)imp_broad_get_count(broad), 2);
    imp_broad_destroy(broad);
    imp_context_destroy(context);
}

TEST(doubles_in_a_float_broad_phase_grow)
{
    imp_Context *context = make_context();
    imp_Broad *broad;
    imp_BroadId id;
    CHECK_INT(imp_broad_create(context, &(imp_BroadDef){.precision = IMP_BROAD_FLOAT}, &broad),
              IMP_STATUS_OK);
    imp_Box left = {{0, 0, 0}, {1 - 1e-12, 1, 1}}, right = {{1 + 1e-12, 0, 0}, {2, 1, 1}};
    CHECK_INT(imp_broad_add(broad, &left, 1, 0, &id), IMP_STATUS_OK);
    CHECK_INT(imp_broad_add(broad, &right, 1, 0, &id), IMP_STATUS_OK);
    check_counts(broad, 1, 1, 0);
    imp_broad_destroy(broad);
    imp_context_destroy(context);
}

// A coordinate somewhere among floats, or beyond all of them.
static double far_coordinate(void)
{
    static const double scales[] = {1, 1e30, 1e38, 3.4e38, 3.5e38, 1e39, 1e100, 1e308};
    return test_random_between(-1, 1) * scales[test_random_below(8)];
}

static imp_Box far_box(void)
{
    double low[3], high[3];
    for (int k = 0; k < 3; ++k) {
        double a = far_coordinate(), b = test_random_below(2) ? far_coordinate() : a + fabs(a) * 1e-3;
        low[k] = a < b ? a : b;
        high[k] = a < b ? b : a;
    }
    return (imp_Box){{low[0], low[1], low[2]}, {high[0], high[1], high[2]}};
}

// Rounded outward, do they meet on an axis? What is beyond the largest float counts as being there, or at
// infinity.
static bool meet_on_axis(double low_a, double high_a, double low_b, double high_b)
{
    const double largest = FLT_MAX;
    float from_a = low_a > largest ? FLT_MAX : (float)low_a,
          to_a = high_a < -largest ? -FLT_MAX : (float)high_a;
    float from_b = low_b > largest ? FLT_MAX : (float)low_b,
          to_b = high_b < -largest ? -FLT_MAX : (float)high_b;
    from_a = (double)from_a > low_a ? nextafterf(from_a, -INFINITY) : from_a;
    from_b = (double)from_b > low_b ? nextafterf(from_b, -INFINITY) : from_b;
    to_a = (double)to_a < high_a ? nextafterf(to_a, INFINITY) : to_a;
    to_b = (double)to_b < high_b ? nextafterf(to_b, INFINITY) : to_b;
    return from_a <= to_b && from_b <= to_a;
}

static bool meet(const imp_Box *a, const imp_Box *b)
{
    return meet_on_axis(a->min.x, a->max.x, b->min.x, b->max.x) &&
           meet_on_axis(a->min.y, a->max.y, b->min.y, b->max.y) &&
           meet_on_axis(a->min.z, a->max.z, b->min.z, b->max.z);
}

#define FAR_BOXES 100

TEST(boxes_beyond_the_largest_float_are_in_a_float_broad_phase)
{
    imp_Context *context = make_context();
    imp_Broad *broad;
    imp_BroadId ids[FAR_BOXES];
    imp_Box boxes[FAR_BOXES];
    uint64_t pair_total = 0, rounds = test_count(60);
    CHECK_INT(imp_broad_create(context, &(imp_BroadDef){.precision = IMP_BROAD_FLOAT}, &broad),
              IMP_STATUS_OK);
    for (size_t i = 0; i < FAR_BOXES; ++i) {
        boxes[i] = far_box();
        if (i % 2) {
            CHECK_INT(imp_broad_add(broad, &boxes[i], 1, 0, &ids[i]), IMP_STATUS_OK);
        } else {
            imp_BoxArray one = {.boxes = &boxes[i].min.x, .count = 1};
            CHECK_INT(imp_broad_add_many(broad, &one, &ids[i]), IMP_STATUS_OK);
        }
    }
    for (uint64_t round = 0; round < rounds; ++round) {
        // Nobody moves, one does, or all do: searches of all kinds.
        size_t moved = round % 3 == 0 ? 0 : round % 3 == 1 ? 1 : FAR_BOXES;
        for (size_t i = 0; i < moved; ++i)
            boxes[i] = far_box();
        imp_BoxArray array = {.boxes = &boxes[0].min.x, .count = moved};
        CHECK_INT(imp_broad_move_many(broad, ids, &array), IMP_STATUS_OK);
        const imp_BroadResult *result = NULL;
        if (!CHECK_INT(imp_broad_update(broad, &result), IMP_STATUS_OK))
            break;
        size_t next = 0;
        bool held = true;
        for (uint32_t a = 0; a < FAR_BOXES; ++a)
            for (uint32_t b = a + 1; b < FAR_BOXES; ++b)
                if (meet(&boxes[a], &boxes[b])) {
                    held &= next < result->pair_count && result->pairs[next].a == ids[a].slot &&
                            result->pairs[next].b == ids[b].slot;
                    ++next;
                }
        CHECK(held && next == result->pair_count);
        pair_total += next;
    }
    CHECK(pair_total > 20 * rounds && pair_total < rounds * FAR_BOXES * (FAR_BOXES - 1) / 2 / 2);
    imp_broad_destroy(broad);
    imp_context_destroy(context);
}

TEST(bad_boxes_leave_the_broad_phase_as_it_was)
{
    imp_Context *context = make_context();
    imp_Broad *broad;
    imp_BroadId id = {7, 7};
    CHECK_INT(imp_broad_create(context, NULL, &broad), IMP_STATUS_OK);
    imp_BroadId a = add_box(broad, 0, 1, 0);
    add_box(broad, 0, 1, 0);
    imp_Box bad[3] = {{{0, 0, NAN}, {1, 1, 1}}, {{0, 0, 0}, {1, INFINITY, 1}}, {{0, 2, 0}, {1, 1, 1}}};
    for (int i = 0; i < 3; ++i) {
        CHECK_INT(imp_broad_add(broad, &bad[i], 1, 0, &id), IMP_STATUS_BAD_NUMBER);
        CHECK_INT(imp_broad_move(broad, a, &bad[i]), IMP_STATUS_BAD_NUMBER);
    }
    imp_Box good = {{0, 0, 0}, {1, 1, 1}};
    const double row[6] = {0, 0, 0, 1, 1, 1};
    CHECK_INT(imp_broad_add(broad, NULL, 1, 0, &id), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_broad_add(broad, &good, 1, 0, NULL), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_broad_move(broad, a, NULL), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_broad_add_many(broad, NULL, &id), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_broad_add_many(broad, &(imp_BoxArray){.boxes = row, .count = 1}, NULL),
              IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_broad_move_many(broad, &a, &(imp_BoxArray){.count = 1}), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(id.slot, 7);
    check_counts(broad, 1, 1, 0);
    CHECK_INT(imp_broad_update(broad, NULL), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_broad_update(NULL, NULL), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_broad_create(context, &(imp_BroadDef){.precision = (imp_BroadPrecision)9}, &broad),
              IMP_STATUS_BAD_ARGUMENT);
    imp_broad_destroy(broad);
    imp_broad_destroy(NULL);
    imp_context_destroy(context);
}

// ---- out of memory

static bool is_refused(imp_Status status)
{
    return CHECK(status == IMP_STATUS_OK || status == IMP_STATUS_OUT_OF_MEMORY) && status != IMP_STATUS_OK;
}

static void fill_rows(float (*rows)[6], size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        for (int k = 0; k < 3; ++k) {
            rows[i][k] = (float)((i * (size_t)(7 + 12 * k)) % 97);
            rows[i][k + 3] = rows[i][k] + 8;
        }
    }
}

#define MEMORY_BOXES 6000

TEST(pairs_find_out_of_memory_at_every_allocation)
{
    static float rows[MEMORY_BOXES][6];
    size_t capacity = 1000000;
    imp_IndexPair *pairs = malloc(capacity * sizeof *pairs);
    FailingAllocator memory;
    uint64_t n = 0, failures = 0;
    fill_rows(rows, MEMORY_BOXES);
    do {
        failing_allocator_init(&memory, ++n);
        imp_ContextDef def = {.allocator = failing_allocator_hooks(&memory)};
        imp_Context *context = NULL;
        uint64_t count = 7;
        if (!is_refused(imp_context_create(&def, &context))) {
            imp_BoxArray boxes = {rows[0], NULL, MEMORY_BOXES};
            if (is_refused(imp_pairs_find(context, &boxes, pairs, capacity, &count))) {
                ++failures;
                CHECK_INT((int64_t)count, 7);
            } else {
                CHECK(count > IMP_MAX_THREADS && count <= capacity);
            }
        }
        imp_context_destroy(context);
        CHECK(failing_allocator_is_clean(&memory));
    } while (failing_allocator_has_failed(&memory));
    CHECK(failures > 2);
    free(pairs);
}

// The state of a broad phase after a failed update is that before: the next one that succeeds says what it
// would have said.
static void update_until_it_works(imp_Broad *broad, FailingAllocator *memory, const imp_BroadResult *last,
                                  uint64_t *failures)
{
    size_t pair_count = last ? last->pair_count : 0;
    uint64_t sum = 0, sum_after = 0;
    for (size_t i = 0; i < pair_count; ++i)
        sum += last->pairs[i].a * 31u + last->pairs[i].b;
    for (uint64_t n = 1;; ++n) {
        const imp_BroadResult *result = NULL;
        failing_allocator_arm(memory, n);
        imp_Status status = imp_broad_update(broad, &result);
        failing_allocator_arm(memory, 0);
        if (!is_refused(status))
            break;
        ++*failures;
        CHECK(result == NULL);
        sum_after = 0;
        for (size_t i = 0; last && i < last->pair_count; ++i)
            sum_after += last->pairs[i].a * 31u + last->pairs[i].b;
        CHECK(sum_after == sum && (!last || last->pair_count == pair_count));
    }
}

TEST(broad_out_of_memory_at_every_allocation)
{
    static float rows[MEMORY_BOXES][6];
    static imp_BroadId ids[MEMORY_BOXES];
    FailingAllocator memory;
    uint64_t failures = 0;
    fill_rows(rows, MEMORY_BOXES);
    failing_allocator_init(&memory, 0);
    imp_ContextDef def = {.allocator = failing_allocator_hooks(&memory)};
    imp_Context *context;
    imp_Broad *broad = NULL;
    CHECK_INT(imp_context_create(&def, &context), IMP_STATUS_OK);
    for (uint64_t n = 1; !broad; ++n) {
        failing_allocator_arm(&memory, n);
        failures +=
            is_refused(imp_broad_create(context, &(imp_BroadDef){.precision = IMP_BROAD_FLOAT}, &broad));
    }
    imp_BoxArray boxes = {rows[0], NULL, MEMORY_BOXES / 2},
                 more = {rows[MEMORY_BOXES / 2], NULL, MEMORY_BOXES / 2};
    imp_Status status;
    uint64_t n = 0;
    do {
        failing_allocator_arm(&memory, ++n);
        status = imp_broad_add_many(broad, &boxes, ids);
        failures += is_refused(status);
    } while (status != IMP_STATUS_OK);
    update_until_it_works(broad, &memory, NULL, &failures);
    const imp_BroadResult *first;
    CHECK_INT(imp_broad_update(broad, &first), IMP_STATUS_OK);
    failing_allocator_arm(&memory, 0);
    CHECK_INT(imp_broad_add_many(broad, &more, ids + MEMORY_BOXES / 2), IMP_STATUS_OK);
    update_until_it_works(broad, &memory, first, &failures);
    CHECK(failures > 8);
    const imp_BroadResult *last;
    CHECK_INT(imp_broad_update(broad, &last), IMP_STATUS_OK);
    CHECK(last->pair_count > 100000 && last->begun_count == 0 && last->ended_count == 0);
    imp_broad_destroy(broad);
    imp_context_destroy(context);
    CHECK(failing_allocator_is_clean(&memory));
}

TEST(after_warm_up_an_update_allocates_nothing)
{
    static float rows[MEMORY_BOXES][6];
    static imp_BroadId ids[MEMORY_BOXES];
    FailingAllocator memory;
    fill_rows(rows, MEMORY_BOXES);
    failing_allocator_init(&memory, 0);
    imp_ContextDef def = {.allocator = failing_allocator_hooks(&memory)};
    imp_Context *context;
    imp_Broad *broad;
    const imp_BroadResult *result;
    CHECK_INT(imp_context_create(&def, &context), IMP_STATUS_OK);
    CHECK_INT(imp_broad_create(context, NULL, &broad), IMP_STATUS_OK);
    imp_BoxArray boxes = {rows[0], NULL, MEMORY_BOXES};
    CHECK_INT(imp_broad_add_many(broad, &boxes, ids), IMP_STATUS_OK);
    for (int i = 0; i < 4; ++i)
        CHECK_INT(imp_broad_update(broad, &result), IMP_STATUS_OK);
    uint64_t before = atomic_load(&memory.allocations);
    for (int i = 0; i < 4; ++i) {
        CHECK_INT(imp_broad_move_many(broad, ids, &boxes), IMP_STATUS_OK);
        CHECK_INT(imp_broad_update(broad, &result), IMP_STATUS_OK);
    }
    CHECK_INT((int64_t)atomic_load(&memory.allocations), (int64_t)before);
    imp_broad_destroy(broad);
    imp_context_destroy(context);
}
