// imp_sweep_vertex_faces, imp_sweep_edges and imp_sweep_triangles: answers worked out by hand; what is
// refused, fails or is ended leaves the output alone; the host's floating-point mode makes no difference.
#include "base/float_guard.h"
#include "failing_allocator.h"
#include "harness.h"

#include <impinge/impinge.h>

#include <fenv.h>
#include <math.h>
#include <string.h>

#define COUNT 5000

static imp_SweepQuery queries[COUNT];
static imp_MovingTriangle a[COUNT], b[COUNT];
static double times[COUNT], before[COUNT];

static imp_Vec3 random_point(void)
{
    return (imp_Vec3){test_random_unit(), test_random_unit(), test_random_unit()};
}

static void fill(void)
{
    for (int i = 0; i < COUNT; ++i) {
        for (int k = 0; k < 4; ++k) {
            queries[i].begin[k] = random_point();
            queries[i].end[k] = random_point();
        }
        for (int k = 0; k < 3; ++k) {
            a[i].begin.v[k] = random_point();
            a[i].end.v[k] = random_point();
            b[i].begin.v[k] = random_point();
            b[i].end.v[k] = random_point();
        }
        before[i] = times[i] = -i;
    }
}

// A point that falls from 1 above a face to 2 below it, a third of the way; over its corner; beside it.
TEST(a_point_falls_through_a_face)
{
    imp_Context *context;
    imp_Vec3 face[3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    imp_SweepQuery falling[4];
    imp_Vec3 from[4] = {{0.25, 0.25, 1}, {0, 0, 1}, {1, 1, 1}, {0.5, 0.5, 1}};
    for (int i = 0; i < 4; ++i) {
        falling[i] =
            (imp_SweepQuery){{from[i], face[0], face[1], face[2]}, {from[i], face[0], face[1], face[2]}};
        falling[i].end[0].z = -2;
    }
    CHECK_INT(imp_context_create(NULL, &context), IMP_STATUS_OK);
    CHECK_INT(imp_sweep_vertex_faces(context, falling, 4, times), IMP_STATUS_OK);
    double third = floor(0x1p53 / 3) * 0x1p-53; // rounded down
    CHECK_DOUBLE(times[0], third);
    CHECK_DOUBLE(times[1], third);
    CHECK(isnan(times[2]));
    CHECK_DOUBLE(times[3], third);
    imp_context_destroy(context);
}

// Edges that cross at half-time; that begin touching; that touch at the end only; that just miss it.
TEST(edges_pass_each_other)
{
    imp_Context *context;
    imp_SweepQuery crossing = {{{-1, 0, 1}, {1, 0, 1}, {0, -1, 0}, {0, 1, 0}},
                               {{-1, 0, -1}, {1, 0, -1}, {0, -1, 0}, {0, 1, 0}}};
    imp_SweepQuery passing[4] = {crossing, crossing, crossing, crossing};
    passing[1].begin[0].z = passing[1].begin[1].z = 0;
    passing[2].end[0].z = passing[2].end[1].z = 0;
    passing[3].end[0].z = passing[3].end[1].z = 0x1p-1074;
    CHECK_INT(imp_context_create(NULL, &context), IMP_STATUS_OK);
    CHECK_INT(imp_sweep_edges(context, passing, 4, times), IMP_STATUS_OK);
    CHECK_DOUBLE(times[0], 0.5);
    CHECK_DOUBLE(times[1], 0);
    CHECK_DOUBLE(times[2], 1);
    CHECK(isnan(times[3]));
    imp_context_destroy(context);
}

// Triangles that pierce each other from the beginning have no vertex and no edge that touches there.
TEST(triangles_that_pierce_each_other_touch_at_once)
{
    imp_Context *context;
    imp_Triangle flat = {{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}}, upright = {{{1, 1, -1}, {1, 1, 1}, {9, 9, 1}}};
    imp_MovingTriangle one = {flat, flat}, other = {upright, upright};
    CHECK_INT(imp_context_create(NULL, &context), IMP_STATUS_OK);
    CHECK_INT(imp_sweep_triangles(context, &one, &other, 1, times), IMP_STATUS_OK);
    CHECK_DOUBLE(times[0], 0);
    for (int i = 0; i < 3; ++i)
        other.begin.v[i].z += 2; // now it comes down by 2, and its lowest point touches after 1
    CHECK_INT(imp_sweep_triangles(context, &one, &other, 1, times), IMP_STATUS_OK);
    CHECK_DOUBLE(times[0], 0.5);
    imp_context_destroy(context);
}

TEST(the_first_bad_query_is_named_and_nothing_is_written)
{
    imp_Context *context;
    fill();
    queries[4321].begin[3].y = NAN;
    queries[4001].end[0].z = -INFINITY;
    b[3999].end.v[2].x = INFINITY;
    CHECK_INT(imp_context_create(&(imp_ContextDef){.thread_count = 3}, &context), IMP_STATUS_OK);
    CHECK_INT(imp_sweep_edges(context, queries, COUNT, times), IMP_STATUS_BAD_NUMBER);
    CHECK_INT((int64_t)imp_context_get_error(context)->index, 4001);
    CHECK_CONTAINS(imp_context_get_error(context)->message, "query 4001");
    CHECK_INT(imp_sweep_vertex_faces(context, queries, COUNT, times), IMP_STATUS_BAD_NUMBER);
    CHECK_INT(imp_sweep_triangles(context, a, b, COUNT, times), IMP_STATUS_BAD_NUMBER);
    CHECK_INT((int64_t)imp_context_get_error(context)->index, 3999);
    CHECK(memcmp(times, before, sizeof times) == 0);
    CHECK_INT(imp_sweep_edges(context, queries, 4001, times), IMP_STATUS_OK);
    CHECK_INT(imp_sweep_edges(context, NULL, 0, NULL), IMP_STATUS_OK);
    CHECK_INT(imp_sweep_edges(context, queries, 1, NULL), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_sweep_vertex_faces(context, NULL, 1, times), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_sweep_triangles(context, a, NULL, 1, times), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_sweep_edges(NULL, queries, 1, times), IMP_STATUS_BAD_ARGUMENT);
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
            status = imp_sweep_edges(context, queries, COUNT, times);
            if (status != IMP_STATUS_OK)
                CHECK(memcmp(times, before, sizeof times) == 0);
            imp_context_destroy(context);
        }
        CHECK(status == IMP_STATUS_OK || status == IMP_STATUS_OUT_OF_MEMORY);
        CHECK(failing_allocator_is_clean(&memory));
    } while (failing_allocator_has_failed(&memory));
    CHECK(n > 2);
}

TEST(a_watch_ends_long_lists)
{
    imp_Context *context;
    imp_Cancel *cancel;
    fill();
    CHECK_INT(imp_context_create(&(imp_ContextDef){.thread_count = 2}, &context), IMP_STATUS_OK);
    CHECK_INT(imp_cancel_create(context, &cancel), IMP_STATUS_OK);
    CHECK_INT(imp_context_watch(context, &(imp_Watch){.cancel = cancel}), IMP_STATUS_OK);
    imp_cancel_request(cancel);
    CHECK_INT(imp_sweep_edges(context, queries, COUNT, times), IMP_STATUS_CANCELLED);
    CHECK_INT(imp_sweep_triangles(context, a, b, COUNT, times), IMP_STATUS_CANCELLED);
    CHECK(memcmp(times, before, sizeof times) == 0);
    CHECK_INT(imp_context_watch(context, NULL), IMP_STATUS_OK);
    imp_cancel_destroy(cancel);
    imp_context_destroy(context);
}

TEST(modes_of_the_host_make_no_difference)
{
    static double wanted[COUNT];
    static const int modes[] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    imp_Context *context;
    fill();
    CHECK_INT(imp_context_create(NULL, &context), IMP_STATUS_OK);
    CHECK_INT(imp_sweep_edges(context, queries, COUNT, wanted), IMP_STATUS_OK);
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; ++i) {
        fesetround(modes[i]);
        imp_Status status = imp_sweep_edges(context, queries, COUNT, times);
        CHECK_INT(fegetround(), modes[i]);
        fesetround(FE_TONEAREST);
        CHECK_INT(status, IMP_STATUS_OK);
        CHECK(memcmp(times, wanted, sizeof times) == 0);
    }
    imp_context_destroy(context);
}
