// imp_triangle_pairs_touch: allocation failure and bad numbers leave the output alone.
#include "failing_allocator.h"
#include "harness.h"

#include <impinge/impinge.h>

#include <math.h>
#include <string.h>

#define COUNT 5000

static imp_Triangle a[COUNT], b[COUNT];
static bool touch[COUNT], before[COUNT];

static void fill(void)
{
    for (int i = 0; i < COUNT; ++i) {
        for (int k = 0; k < 3; ++k) {
            a[i].v[k] = (imp_Vec3){test_random_unit(), test_random_unit(), test_random_unit()};
            b[i].v[k] = (imp_Vec3){test_random_unit(), test_random_unit(), test_random_unit()};
        }
        before[i] = touch[i] = i % 3 == 0;
    }
}

TEST(first_bad_pair_is_named_and_nothing_is_written)
{
    imp_Context *context;
    fill();
    a[4321].v[1].y = NAN;
    b[4000].v[2].z = -INFINITY;
    CHECK_INT(imp_context_create(&(imp_ContextDef){.thread_count = 3}, &context), IMP_STATUS_OK);
    CHECK_INT(imp_triangle_pairs_touch(context, a, b, COUNT, touch), IMP_STATUS_BAD_NUMBER);
    CHECK_INT((int64_t)imp_context_get_error(context)->index, 4000);
    CHECK_CONTAINS(imp_context_get_error(context)->message, "triangle pair 4000");
    CHECK(memcmp(touch, before, sizeof touch) == 0);
    CHECK_INT(imp_triangle_pairs_touch(context, a, b, 4000, touch), IMP_STATUS_OK);
    CHECK_INT(imp_triangle_pairs_touch(context, NULL, NULL, 0, NULL), IMP_STATUS_OK);
    CHECK_INT(imp_triangle_pairs_touch(context, a, NULL, 1, touch), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_triangle_pairs_touch(NULL, a, b, 1, touch), IMP_STATUS_BAD_ARGUMENT);
    imp_context_destroy(context);
}

TEST(running_out_of_memory_is_a_status)
{
    FailingAllocator memory;
    uint64_t n = 0;
    fill();
    do {
        failing_allocator_init(&memory, ++n);
        imp_Context *context;
        imp_ContextDef def = {.allocator = failing_allocator_hooks(&memory), .thread_count = 2};
        imp_Status status = imp_context_create(&def, &context);
        if (status == IMP_STATUS_OK) {
            status = imp_triangle_pairs_touch(context, a, b, COUNT, touch);
            if (status != IMP_STATUS_OK) {
                CHECK(memcmp(touch, before, sizeof touch) == 0);
                CHECK_INT(imp_context_get_error(context)->status, IMP_STATUS_OUT_OF_MEMORY);
            }
            imp_context_destroy(context);
        }
        CHECK_INT(status, failing_allocator_has_failed(&memory) ? IMP_STATUS_OUT_OF_MEMORY : IMP_STATUS_OK);
        CHECK(failing_allocator_is_clean(&memory));
    } while (failing_allocator_has_failed(&memory));
    CHECK(n > 2);
}
