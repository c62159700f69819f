// Steps with enough work for several tasks and for cancels that come in the midst of it. Too much for models:
// the answers are compared with those of the reference context, which has one thread and is never disturbed.
#include "call.h"
#include "patterns.h"
#include "reports.h"
#include "steps.h"

#include <string.h>

#define LARGE_BOXES     20000
#define LARGE_TRIANGLES 5000
#define LARGE_POINTS    1000
#define LARGE_BODIES    40

static void large_pairs(Lane *lane, Choices *numbers)
{
    Home *home = lane_home(lane);
    size_t count = 1 + choose(&lane->choices, LARGE_BOXES), found = 0, wanted_count = 0;
    float *rows = malloc(count * 6 * sizeof *rows);
    const imp_IndexPair *pairs = NULL, *wanted = NULL;
    for (size_t i = 0; i < count; ++i)
        for (int k = 0; k < 3; ++k) {
            rows[6 * i + (size_t)k] = (float)choose_between(numbers, 0, 30);
            rows[6 * i + (size_t)k + 3] = rows[6 * i + (size_t)k] + (float)choose_between(numbers, 0, 1.5);
        }
    imp_BoxArray boxes = {rows, NULL, count};
    CHECK_INT(imp_pairs_list(lane->reference, &boxes, &wanted, &wanted_count), IMP_STATUS_OK);
    Call call = call_make(lane, home, "%zu boxes", count);
    call_is_watched(&call);
    call_output(&call, &pairs, sizeof pairs);
    call_output(&call, &found, sizeof found);
    CALL(&call, imp_pairs_list, (home->context, &boxes, &pairs, &found));
    if (call_is_done(&call))
        CHECK(found == wanted_count && are_same_bytes(pairs, wanted, found * sizeof *pairs));
    free(rows);
}

static void large_touch(Lane *lane, Choices *numbers)
{
    Home *home = lane_home(lane);
    size_t size = LARGE_TRIANGLES * sizeof(imp_Triangle);
    imp_Triangle *a = malloc(size), *b = malloc(size);
    bool *touch = malloc(LARGE_TRIANGLES), *wanted = malloc(LARGE_TRIANGLES);
    for (size_t i = 0; i < LARGE_TRIANGLES; ++i)
        for (int k = 0; k < 3; ++k) {
            a[i].v[k] = choose_point(numbers, 2);
            b[i].v[k] = choose_point(numbers, 2);
        }
    CHECK_INT(imp_triangle_pairs_touch(lane->reference, a, b, LARGE_TRIANGLES, wanted), IMP_STATUS_OK);
    Call call = call_make(lane, home, "%d pairs", LARGE_TRIANGLES);
    call_output(&call, touch, LARGE_TRIANGLES);
    CALL(&call, imp_triangle_pairs_touch, (home->context, a, b, LARGE_TRIANGLES, touch));
    if (call_is_done(&call))
        CHECK(memcmp(touch, wanted, LARGE_TRIANGLES) == 0);
    free(a);
    free(b);
    free(touch);
    free(wanted);
}

// Either the tangle with many pairs or the large mesh with several tasks.
static void large_self_pairs(Lane *lane, Choices *numbers)
{
    Home *home = lane_home(lane);
    const LargePattern *pattern = choose(&lane->choices, 2) ? pattern_tangle() : pattern_large();
    imp_FacePair *pairs = malloc(sizeof pattern->pairs);
    size_t count = 0;
    (void)numbers;
    Call call = call_make(lane, home, "%zu pairs", pattern->pair_count);
    call_is_watched(&call);
    call_output(&call, pairs, sizeof pattern->pairs);
    call_count_output(&call, &count, sizeof count);
    CALL(&call, imp_mesh_self_pairs, (home->context, pattern->mesh, pairs, MAX_SELF_PAIRS, &count));
    if (call_is_done(&call))
        CHECK(count == pattern->pair_count && memcmp(pairs, pattern->pairs, count * sizeof *pairs) == 0);
    free(pairs);
}

static void large_locate(Lane *lane, Choices *numbers)
{
    imp_Vec3 points[LARGE_POINTS];
    imp_PointLocation places[LARGE_POINTS], wanted[LARGE_POINTS];
    Home *home = lane_home(lane);
    for (size_t i = 0; i < LARGE_POINTS; ++i)
        points[i] = choose_point(numbers, 1.5);
    CHECK_INT(imp_mesh_locate_points(lane->reference, pattern_large()->mesh, points, LARGE_POINTS, wanted),
              IMP_STATUS_OK);
    Call call = call_make(lane, home, "%d points in the large mesh", LARGE_POINTS);
    call_is_watched(&call);
    call_output(&call, places, sizeof places);
    CALL(&call, imp_mesh_locate_points, (home->context, pattern_large()->mesh, points, LARGE_POINTS, places));
    if (call_is_done(&call))
        CHECK(memcmp(places, wanted, sizeof places) == 0);
}

static void large_hull(Lane *lane, Choices *numbers)
{
    imp_Vec3 points[LARGE_POINTS];
    Home *home = lane_home(lane);
    imp_Convex *convex = NULL, *wanted = NULL;
    for (size_t i = 0; i < LARGE_POINTS; ++i)
        points[i] = choose_point(numbers, 1);
    imp_ConvexDef def = {.points = &points->x, .point_count = LARGE_POINTS};
    CHECK_INT(imp_convex_create(lane->reference, &def, &wanted), IMP_STATUS_OK);
    Call call = call_make(lane, home, "%d points", LARGE_POINTS);
    call_is_watched(&call);
    call_output(&call, &convex, sizeof convex);
    CALL(&call, imp_convex_create, (home->context, &def, &convex));
    if (call_is_done(&call)) {
        CHECK(same_mesh(imp_convex_get_mesh(convex), imp_convex_get_mesh(wanted)));
        imp_convex_release(convex);
    }
    imp_convex_release(wanted);
}

static imp_World *fill_world(imp_Context *context, Lane *lane, Choices numbers)
{
    imp_World *world = NULL;
    CHECK_INT(imp_world_create(context, NULL, &world), IMP_STATUS_OK);
    for (int i = 0; i < LARGE_BODIES; ++i) {
        imp_BodyId id;
        imp_BodyDef def = {.mesh = lane->shelf->meshes[i % MAX_SHARED]};
        def.pose = choose_pose(&numbers, 4);
        if (i % 4 == 3) {
            def.mesh = NULL;
            def.convex = lane->shelf->convexes[i % MAX_SHARED];
        }
        CHECK_INT(imp_world_add_body(world, &def, &id), IMP_STATUS_OK);
    }
    return world;
}

static void large_world(Lane *lane, Choices *numbers)
{
    Home *home = lane_home(lane);
    const imp_Report *report = NULL, *wanted = NULL;
    imp_World *world = fill_world(home->context, lane, *numbers);
    imp_World *reference = fill_world(lane->reference, lane, *numbers);
    imp_DetectDef def = {.mode = (imp_DetectMode)choose(&lane->choices, 3)};
    CHECK_INT(imp_world_detect(reference, &def, &wanted), IMP_STATUS_OK);
    Call call = call_make(lane, home, "%d bodies, mode %d", LARGE_BODIES, (int)def.mode);
    call.cancel = lane_cancel(lane);
    call.obeys_at_once = true;
    call_output(&call, &report, sizeof report);
    def.cancel = call.cancel;
    CALL(&call, imp_world_detect, (world, &def, &report));
    if (call_is_done(&call))
        CHECK(same_reports(report, wanted));
    imp_world_destroy(world);
    imp_world_destroy(reference);
}

void step_large(Lane *lane)
{
    static void (*const kinds[])(Lane *, Choices *) = {large_world, large_pairs,  large_self_pairs,
                                                       large_hull,  large_locate, large_touch};
    Choices numbers = choices_from_seed(choose_bits(&lane->choices));
    if (choose_rarely(&lane->choices, 8))
        kinds[choose(&lane->choices, sizeof kinds / sizeof *kinds)](lane, &numbers);
}
