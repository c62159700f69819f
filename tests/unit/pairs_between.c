// imp_pairs_find_between and imp_pairs_list_between: arguments, failures, sets without boxes. Answers are
// compared with brute force in tests/property/pairs_find.c.
#include "failing_allocator.h"
#include "harness.h"

#include <impinge/broad.h>

#include <math.h>
#include <stdlib.h>

static imp_Context *make_context(void)
{
    imp_Context *context = NULL;
    CHECK_INT(imp_context_create(NULL, &context), IMP_STATUS_OK);
    return context;
}

static const float cubes_a[3][6] = {{0, 0, 0, 1, 1, 1}, {1, 0, 0, 2, 1, 1}, {0, 0, 0, 9, 9, 9}};
static const double cubes_b[2][6] = {{1, 1, 1, 2, 2, 2}, {9.000000001, 0, 0, 10, 1, 1}};

TEST(numbers_are_those_in_each_set)
{
    imp_Context *context = make_context();
    imp_BoxArray a = {.float_boxes = cubes_a[0], .count = 3}, b = {.boxes = cubes_b[0], .count = 2};
    imp_IndexPair pairs[6];
    uint64_t count = 0;
    CHECK_INT(imp_pairs_find_between(context, &a, &b, pairs, 6, &count), IMP_STATUS_OK);
    if (CHECK_INT((int64_t)count, 3))
        for (uint32_t i = 0; i < 3; ++i)
            CHECK(pairs[i].a == i && pairs[i].b == 0);
    CHECK_INT(imp_pairs_find_between(context, &b, &a, pairs, 6, &count), IMP_STATUS_OK);
    if (CHECK_INT((int64_t)count, 3))
        for (uint32_t i = 0; i < 3; ++i)
            CHECK(pairs[i].a == 0 && pairs[i].b == i);
    imp_context_destroy(context);
}

TEST(a_set_with_itself_has_each_box_with_itself)
{
    imp_Context *context = make_context();
    imp_BoxArray a = {.float_boxes = cubes_a[0], .count = 3};
    uint64_t count = 0;
    CHECK_INT(imp_pairs_find_between(context, &a, &a, NULL, 0, &count), IMP_STATUS_OK);
    CHECK_INT((int64_t)count, 9);
    imp_context_destroy(context);
}

TEST(sets_without_boxes_have_no_pairs)
{
    imp_Context *context = make_context();
    imp_BoxArray a = {.float_boxes = cubes_a[0], .count = 3}, none = {0};
    const imp_IndexPair *list = NULL;
    size_t listed = 7;
    uint64_t count = 7;
    const imp_BoxArray *sets[3][2] = {{&a, &none}, {&none, &a}, {&none, &none}};
    for (int i = 0; i < 3; ++i) {
        count = listed = 7;
        CHECK_INT(imp_pairs_find_between(context, sets[i][0], sets[i][1], NULL, 0, &count), IMP_STATUS_OK);
        CHECK_INT((int64_t)count, 0);
        CHECK_INT(imp_pairs_list_between(context, sets[i][0], sets[i][1], &list, &listed), IMP_STATUS_OK);
        CHECK_INT((int64_t)listed, 0);
    }
    imp_context_destroy(context);
}

TEST(a_bad_box_is_named_with_its_set)
{
    imp_Context *context = make_context();
    float bad[3][6] = {{0, 0, 0, 1, 1, 1}, {0, 0, 0, 1, NAN, 1}, {3, 0, 0, 2, 1, 1}};
    imp_BoxArray good = {.float_boxes = cubes_a[0], .count = 3}, wrong = {.float_boxes = bad[0], .count = 3};
    imp_BoxArray none = {0};
    uint64_t count = 7;
    CHECK_INT(imp_pairs_find_between(context, &wrong, &good, NULL, 0, &count), IMP_STATUS_BAD_NUMBER);
    CHECK_CONTAINS(imp_context_get_error(context)->message, "box 1 of the first set");
    CHECK_INT((int64_t)imp_context_get_error(context)->index, 1);
    CHECK_INT(imp_pairs_find_between(context, &good, &wrong, NULL, 0, &count), IMP_STATUS_BAD_NUMBER);
    CHECK_CONTAINS(imp_context_get_error(context)->message, "box 1 of the second set");
    CHECK_INT((int64_t)imp_context_get_error(context)->index, 1);
    CHECK_INT(imp_pairs_find_between(context, &none, &wrong, NULL, 0, &count), IMP_STATUS_BAD_NUMBER);
    CHECK_INT((int64_t)count, 7);
    imp_context_destroy(context);
}

TEST(bad_arguments_are_refused)
{
    imp_Context *context = make_context();
    imp_BoxArray a = {.float_boxes = cubes_a[0], .count = 3}, both = {cubes_a[0], cubes_b[0], 2};
    imp_BoxArray large = {.float_boxes = cubes_a[0], .count = UINT32_MAX - 3};
    const imp_IndexPair *list = NULL;
    size_t listed = 7;
    uint64_t count = 7;
    CHECK_INT(imp_pairs_find_between(NULL, &a, &a, NULL, 0, &count), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_pairs_find_between(context, NULL, &a, NULL, 0, &count), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_pairs_find_between(context, &a, NULL, NULL, 0, &count), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_pairs_find_between(context, &a, &both, NULL, 0, &count), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_pairs_find_between(context, &a, &a, NULL, 1, &count), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_pairs_find_between(context, &a, &a, NULL, 0, NULL), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_pairs_find_between(context, &a, &large, NULL, 0, &count), IMP_STATUS_TOO_LARGE);
    CHECK_CONTAINS(imp_context_get_error(context)->message, "together");
    CHECK_INT(imp_pairs_list_between(NULL, &a, &a, &list, &listed), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_pairs_list_between(context, NULL, &a, &list, &listed), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_pairs_list_between(context, &a, NULL, &list, &listed), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_pairs_list_between(context, &a, &a, NULL, &listed), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_pairs_list_between(context, &a, &a, &list, NULL), IMP_STATUS_BAD_ARGUMENT);
    CHECK(count == 7 && listed == 7 && list == NULL);
    imp_context_destroy(context);
}

#define MEMORY_BOXES 3000

// Cubes all over the place, in another order for each step.
static void fill_rows(float (*rows)[6], size_t count, size_t step)
{
    for (size_t i = 0; i < count; ++i)
        for (int k = 0; k < 3; ++k) {
            rows[i][k] = (float)((i * (step + (size_t)(12 * k))) % 97);
            rows[i][k + 3] = rows[i][k] + 8;
        }
}

TEST(out_of_memory_at_every_allocation)
{
    static float a[MEMORY_BOXES][6], b[MEMORY_BOXES][6];
    FailingAllocator memory;
    uint64_t n = 0, failures = 0;
    fill_rows(a, MEMORY_BOXES, 7);
    fill_rows(b, MEMORY_BOXES, 11);
    imp_BoxArray boxes_a = {.float_boxes = a[0], .count = MEMORY_BOXES};
    imp_BoxArray boxes_b = {.float_boxes = b[0], .count = MEMORY_BOXES};
    do {
        failing_allocator_init(&memory, ++n);
        imp_ContextDef def = {.allocator = failing_allocator_hooks(&memory)};
        imp_Context *context = NULL;
        const imp_IndexPair *pairs = NULL;
        size_t count = 7;
        if (imp_context_create(&def, &context) == IMP_STATUS_OK) {
            imp_Status status = imp_pairs_list_between(context, &boxes_a, &boxes_b, &pairs, &count);
            if (status == IMP_STATUS_OK) {
                CHECK(count > MEMORY_BOXES);
            } else {
                ++failures;
                CHECK_INT(status, IMP_STATUS_OUT_OF_MEMORY);
                CHECK(count == 7 && pairs == NULL);
            }
        }
        imp_context_destroy(context);
        CHECK(failing_allocator_is_clean(&memory));
    } while (failing_allocator_has_failed(&memory));
    CHECK(failures > 2);
}

TEST(searches_between_sets_are_measured)
{
    imp_Context *context = make_context();
    imp_BoxArray a = {.float_boxes = cubes_a[0], .count = 3}, b = {.boxes = cubes_b[0], .count = 2};
    imp_SearchStats stats = {0};
    uint64_t count = 0;
    CHECK_INT(imp_pairs_measure(context, &stats), IMP_STATUS_OK);
    CHECK_INT(imp_pairs_find_between(context, &a, &b, NULL, 0, &count), IMP_STATUS_OK);
    CHECK(stats.search_count == 1 && stats.sort_count == 1 && stats.level_count == 3);
    imp_context_destroy(context);
}
