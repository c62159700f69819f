// Steps of convex.h: verdicts are compared with their certificates, with each other and with the oracle.
#include "call.h"
#include "oracle/convex_oracle.h"
#include "patterns.h"
#include "steps.h"

#include <math.h>
#include <pthread.h>
#include <string.h>

#define MAX_HULL_POINTS 24
#define MAX_JUDGED      16 // vertices; more take the oracle too long

static pthread_mutex_t oracle_lock = PTHREAD_MUTEX_INITIALIZER; // the oracle is for one thread at a time

// ---- making

static const imp_Vec3 tetrahedron[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

// Points of which some span a solid in any case.
static size_t choose_points(Lane *lane, imp_Vec3 *points)
{
    size_t count = 4 + choose(&lane->choices, MAX_HULL_POINTS - 3);
    for (size_t i = 0; i < count; ++i)
        points[i] = i < 4 ? tetrahedron[i] : choose_point(&lane->choices, 1);
    return count;
}

static void flatten(Lane *lane, imp_Vec3 *points, size_t count)
{
    uint32_t kind = choose(&lane->choices, 3); // a point, a line, a plane
    for (size_t i = 0; i < count; ++i) {
        if (kind == 0)
            points[i] = points[0];
        else if (kind == 1)
            points[i] = (imp_Vec3){(double)i, 2 * (double)i, -(double)i};
        else
            points[i].z = -points[i].x;
    }
}

#define CONVEX_FLAWS 8

static void spoil_points(Lane *lane, uint32_t flaw, imp_Vec3 *points, imp_ConvexDef *def, Call *call)
{
    uint32_t bad = choose(&lane->choices, (uint32_t)def->point_count);
    call_expect(call, IMP_STATUS_BAD_ARGUMENT, ANY_INDEX);
    switch (flaw) {
    case 4:
        points[bad].y = choose_bad_number(&lane->choices);
        call_expect(call, IMP_STATUS_BAD_NUMBER, bad);
        break;
    case 5:
        flatten(lane, points, def->point_count);
        call_expect(call, IMP_STATUS_BAD_SHAPE, ANY_INDEX);
        break;
    case 6:
        def->point_count = choose(&lane->choices, 4);
        call_expect(call, IMP_STATUS_BAD_SHAPE, ANY_INDEX);
        break;
    case 7:
        spoil_reserved(lane, def->reserved, sizeof def->reserved);
        break;
    case 8:
        def->points = NULL;
        break;
    default:
        break;
    }
}

static void make_hull(Lane *lane)
{
    imp_Vec3 points[MAX_HULL_POINTS + 1];
    Home *home = lane_home(lane);
    imp_Convex *convex = NULL;
    size_t count = choose_points(lane, points);
    imp_ConvexDef def = {
        .points = &points->x, .point_count = count, .keep_coplanar = choose_rarely(&lane->choices, 2)};
    uint32_t flaw = lane_flaw(lane, CONVEX_FLAWS);
    Call call = call_make(lane, flaw == 1 ? NULL : home, "%zu points, flaw %u", count, flaw);
    call_is_watched(&call);
    call_output(&call, &convex, sizeof convex);
    if (flaw)
        spoil_points(lane, flaw, points, &def, &call);
    CALL(&call, imp_convex_create,
         (flaw == 1 ? NULL : home->context, flaw == 2 ? NULL : &def, flaw == 3 ? NULL : &convex));
    if (!call_is_done(&call))
        return;
    imp_Mesh *mesh = NULL;
    bool closed = false;
    Call get = call_make(lane, NULL, "the new one");
    CALL_VALUE(&get, mesh, imp_convex_get_mesh, (convex));
    CHECK(mesh && imp_mesh_get_vertex_count(mesh) <= count && imp_mesh_get_triangle_count(mesh) >= 4);
    CHECK_INT(imp_mesh_is_closed(lane->reference, mesh, &closed), IMP_STATUS_OK);
    CHECK(closed);
    lane_keep_convex(lane, convex);
}

// Whether a mesh is convex is what the reference says.
static void make_from_mesh(Lane *lane)
{
    Home *home = lane_home(lane);
    imp_Mesh *mesh = lane_mesh(lane);
    imp_Convex *convex = NULL, *wanted = NULL;
    uint32_t flaw = lane_flaw(lane, 3);
    imp_Status status = imp_convex_create_from_mesh(lane->reference, mesh, &wanted);
    Call call = call_make(lane, flaw == 1 ? NULL : home, "a mesh of %zu faces, flaw %u",
                          imp_mesh_get_triangle_count(mesh), flaw);
    call_is_watched(&call);
    call_output(&call, &convex, sizeof convex);
    call_expect(&call, flaw ? IMP_STATUS_BAD_ARGUMENT : status, ANY_INDEX);
    CHECK(status == IMP_STATUS_OK || status == IMP_STATUS_BAD_SHAPE);
    CALL(&call, imp_convex_create_from_mesh,
         (flaw == 1 ? NULL : home->context, flaw == 2 ? NULL : mesh, flaw == 3 ? NULL : &convex));
    imp_convex_release(wanted);
    if (!call_is_done(&call))
        return;
    CHECK(imp_convex_get_mesh(convex) == mesh);
    lane_keep_convex(lane, convex);
}

static void pass_on_convex(Lane *lane)
{
    imp_Convex *convex = lane_convex(lane), *same = NULL;
    Call call = call_make(lane, NULL, "one more");
    CALL_VALUE(&call, same, imp_convex_retain, (convex));
    CHECK(same == convex);
    if (choose_rarely(&lane->choices, 3))
        lane_keep_convex(lane, convex);
    else
        CALL_VOID(&call, imp_convex_release, (convex));
    CALL_VOID(&call, imp_convex_release, (NULL));
}

// ---- pairs

// Any content of a state is safe.
static imp_ConvexState choose_state(Lane *lane)
{
    imp_ConvexState state = {.witness_count = 0};
    if (choose_rarely(&lane->choices, 3)) {
        state.direction = choose_wild_point(&lane->choices);
        if (choose_rarely(&lane->choices, 4))
            state.direction.x = choose_bad_number(&lane->choices);
        state.witness_count = choose(&lane->choices, 7);
        for (int i = 0; i < IMP_MAX_WITNESSES; ++i) {
            state.witnesses[i].vertex_a = choose(&lane->choices, 30);
            state.witnesses[i].vertex_b = choose(&lane->choices, 30);
        }
    }
    return state;
}

static imp_ConvexPair choose_pair(Lane *lane)
{
    imp_ConvexPair pair = {.a = lane_convex(lane)};
    pair.b = lane_convex(lane);
    pair.pose_a = choose_pose(&lane->choices, 0.5);
    pair.pose_b = choose_pose(&lane->choices, 2);
    return pair;
}

// Flaws of a call about a pair: 1 .. 4 something is null, 5 a pose.
#define PAIR_FLAWS 5

static Call make_pair_call(Lane *lane, Home *home, uint32_t flaw, imp_ConvexPair *pair)
{
    imp_Pose bad;
    Call call = call_make(lane, flaw == 1 ? NULL : home, "flaw %u", flaw);
    if (flaw == 4)
        *(choose(&lane->choices, 2) ? &pair->a : &pair->b) = NULL;
    if (flaw == 5)
        bad = choose_bad_pose(&lane->choices);
    if (flaw == 5)
        *(choose(&lane->choices, 2) ? &pair->pose_a : &pair->pose_b) = bad;
    if (flaw)
        call_expect(&call, flaw == 5 ? IMP_STATUS_BAD_NUMBER : IMP_STATUS_BAD_ARGUMENT, ANY_INDEX);
    return call;
}

static size_t pose_vertices(const imp_Convex *convex, const imp_Pose *pose, imp_Vec3 posed[MAX_JUDGED])
{
    const imp_Mesh *mesh = imp_convex_get_mesh(convex);
    size_t count = imp_mesh_get_vertex_count(mesh);
    for (size_t i = 0; i < count && count <= MAX_JUDGED; ++i)
        CHECK_INT(imp_pose_apply(pose, imp_mesh_get_vertices(mesh)[i], &posed[i]), IMP_STATUS_OK);
    return count;
}

static void judge(Lane *lane, const imp_ConvexPair *pair, bool touch)
{
    imp_Vec3 a[MAX_JUDGED], b[MAX_JUDGED];
    size_t count_a = pose_vertices(pair->a, &pair->pose_a, a);
    size_t count_b = pose_vertices(pair->b, &pair->pose_b, b);
    if (count_a > MAX_JUDGED || count_b > MAX_JUDGED)
        return;
    pthread_mutex_lock(&oracle_lock);
    CHECK_INT(touch, oracle_hulls_touch(a, count_a, b, count_b));
    pthread_mutex_unlock(&oracle_lock);
    lane_count(lane, OUTCOME_convex_judged, true);
}

// A certificate that says something else, and is believed only if that is so.
static void damage_certificate(Lane *lane, imp_Certificate *certificate)
{
    uint32_t place = choose(&lane->choices, 4);
    switch (choose(&lane->choices, 4)) {
    case 0:
        certificate->touch = !certificate->touch;
        break;
    case 1:
        certificate->pair_count = choose(&lane->choices, 9);
        break;
    case 2:
        certificate->pairs[place].vertex_a = choose(&lane->choices, 40);
        break;
    default:
        certificate->direction = choose_wild_point(&lane->choices);
    }
}

static void check_certificate(Lane *lane, imp_ConvexPair pair, const imp_ConvexResult *result)
{
    Home *home = lane_home(lane);
    bool is_valid = false, is_damaged = choose_rarely(&lane->choices, 2);
    imp_Certificate certificate = result->certificate;
    uint32_t flaw = lane_flaw(lane, PAIR_FLAWS);
    if (is_damaged)
        damage_certificate(lane, &certificate);
    Call call = make_pair_call(lane, home, flaw, &pair);
    call_output(&call, &is_valid, sizeof is_valid);
    CALL(&call, imp_certificate_check,
         (flaw == 1 ? NULL : home->context, &pair, flaw == 2 ? NULL : &certificate,
          flaw == 3 ? NULL : &is_valid));
    if (!call_is_done(&call))
        return;
    CHECK(is_damaged ? !is_valid || certificate.touch == result->touch : is_valid);
    lane_count(lane, OUTCOME_certificate_refuted, !is_valid);
}

static void test_pair(Lane *lane)
{
    Home *home = lane_home(lane);
    imp_ConvexPair pair = choose_pair(lane), asked = pair;
    imp_ConvexState state = choose_state(lane);
    imp_ConvexResult result, swapped;
    bool has_state = choose_rarely(&lane->choices, 2);
    uint32_t flaw = lane_flaw(lane, PAIR_FLAWS);
    Call call = make_pair_call(lane, home, flaw, &asked);
    call_output(&call, &result, sizeof result);
    CALL(&call, imp_convex_test,
         (flaw == 1 ? NULL : home->context, has_state ? &state : NULL, flaw == 2 ? NULL : &asked,
          flaw == 3 ? NULL : &result));
    if (!call_is_done(&call))
        return;
    CHECK(result.certificate.touch == result.touch);
    imp_ConvexPair other_way = {pair.b, pair.a, pair.pose_b, pair.pose_a};
    CHECK_INT(imp_convex_test(lane->reference, NULL, &other_way, &swapped), IMP_STATUS_OK);
    CHECK_INT(result.touch, swapped.touch);
    lane_count(lane, OUTCOME_convex_touches, result.touch);
    lane_count(lane, OUTCOME_convex_apart, !result.touch);
    if (choose_rarely(&lane->choices, 4))
        judge(lane, &pair, result.touch);
    check_certificate(lane, pair, &result);
}

static double length(imp_Vec3 v)
{
    return hypot(hypot(v.x, v.y), v.z);
}

static void check_distance(Lane *lane, const imp_ConvexPair *pair, double accuracy,
                           const imp_ConvexDistance *found)
{
    imp_ConvexResult result;
    CHECK_INT(imp_convex_test(lane->reference, NULL, pair, &result), IMP_STATUS_OK);
    CHECK_INT(found->touch, result.touch);
    CHECK(found->lower_bound >= 0 && found->distance >= found->lower_bound);
    CHECK(fabs(length(found->normal) - 1) < 1e-9);
    if (found->touch) {
        CHECK(found->distance == 0 && found->lower_bound == 0 && found->depth >= 0);
        return;
    }
    imp_Vec3 between = {found->point_b.x - found->point_a.x, found->point_b.y - found->point_a.y,
                        found->point_b.z - found->point_a.z};
    // Points are rounded to places that depend on where they are.
    double rounding = 1e-12 * (length(found->point_a) + length(found->point_b));
    CHECK(found->distance > 0 &&
          fabs(length(between) - found->distance) <= 1e-9 * found->distance + rounding);
    CHECK(found->reached_accuracy == (found->distance - found->lower_bound <= accuracy * found->distance));
    lane_count(lane, OUTCOME_distance_measured, true);
}

static void measure_pair(Lane *lane)
{
    Home *home = lane_home(lane);
    imp_ConvexPair pair = choose_pair(lane);
    imp_ConvexState state = choose_state(lane);
    imp_ConvexDistance found;
    imp_DistanceDef def = {.relative_accuracy = choose(&lane->choices, 2) ? 1e-3 : 0};
    uint32_t flaw = lane_flaw(lane, PAIR_FLAWS + 2);
    Call call = make_pair_call(lane, home, flaw, &pair);
    call_output(&call, &found, sizeof found);
    if (flaw == 6)
        def.relative_accuracy = choose(&lane->choices, 2) ? 1 : choose_bad_number(&lane->choices);
    if (flaw == 7)
        spoil_reserved(lane, def.reserved, sizeof def.reserved);
    bool has_def = def.relative_accuracy != 0 || flaw >= 6;
    CALL(&call, imp_convex_distance,
         (flaw == 1 ? NULL : home->context, &state, flaw == 2 ? NULL : &pair, has_def ? &def : NULL,
          flaw == 3 ? NULL : &found));
    if (call_is_done(&call))
        check_distance(lane, &pair, has_def ? def.relative_accuracy : 1e-6, &found);
}

void step_convex(Lane *lane)
{
    switch (choose(&lane->choices, 6)) {
    case 0:
        make_hull(lane);
        break;
    case 1:
        make_from_mesh(lane);
        break;
    case 2:
        pass_on_convex(lane);
        break;
    case 3:
    case 4:
        test_pair(lane);
        break;
    default:
        measure_pair(lane);
    }
}
