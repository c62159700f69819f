// Steps of math.h, against the exact oracle.
#include "call.h"
#include "oracle/exact_oracle.h"
#include "steps.h"

#include <math.h>
#include <pthread.h>
#include <string.h>

#define MAX_TRIANGLE_PAIRS 40

static pthread_mutex_t oracle_lock = PTHREAD_MUTEX_INITIALIZER; // the oracle is for one thread at a time

static imp_Triangle choose_triangle(Lane *lane)
{
    imp_Triangle triangle;
    for (int i = 0; i < 3; ++i)
        triangle.v[i] = choose_wild_point(&lane->choices);
    if (choose_rarely(&lane->choices, 8))
        triangle.v[2] = triangle.v[choose(&lane->choices, 2)];
    return triangle;
}

// What is wrong with a call of two arguments and room for the answer: 1 .. 3 one of them is null, 4 a number.
static Call make_kernel_call(Lane *lane, uint32_t flaw, const char *name)
{
    Call call = call_make(lane, NULL, "%s, flaw %u", name, flaw);
    if (flaw)
        call_expect(&call, flaw == 4 ? IMP_STATUS_BAD_NUMBER : IMP_STATUS_BAD_ARGUMENT, ANY_INDEX);
    return call;
}

static bool is_finite(imp_Vec3 v)
{
    return isfinite(v.x) && isfinite(v.y) && isfinite(v.z);
}

static void pose_point(Lane *lane)
{
    imp_Transform transform;
    imp_Vec3 posed = {0, 0, 0}, applied = {0, 0, 0}, point = choose_wild_point(&lane->choices);
    uint32_t flaw = lane_flaw(lane, 4);
    flaw = flaw == 2 ? 1 : flaw;
    imp_Pose pose = flaw == 4 ? choose_bad_pose(&lane->choices) : choose_pose(&lane->choices, 4);
    Call call = make_kernel_call(lane, flaw, "pose");
    call_output(&call, &transform, sizeof transform);
    CALL(&call, imp_pose_transform, (flaw == 1 ? NULL : &pose, flaw == 3 ? NULL : &transform));
    bool has_transform = call_is_done(&call);
    call = make_kernel_call(lane, flaw, "point");
    if (has_transform) {
        CALL_VALUE(&call, applied, imp_transform_apply, (&transform, point));
        if (!is_finite(applied))
            call_expect(&call, IMP_STATUS_BAD_NUMBER, ANY_INDEX);
    }
    call_output(&call, &posed, sizeof posed);
    CALL(&call, imp_pose_apply, (flaw == 1 ? NULL : &pose, point, flaw == 3 ? NULL : &posed));
    if (call_is_done(&call))
        CHECK(memcmp(&posed, &applied, sizeof posed) == 0);
}

// Poses of small numbers: what a composition moves to is near what both move to, one after the other.
static void combine_poses(Lane *lane)
{
    uint32_t flaw = lane_flaw(lane, 4);
    imp_Pose outer = flaw == 4 ? choose_bad_pose(&lane->choices) : choose_pose(&lane->choices, 4);
    imp_Pose inner = choose_pose(&lane->choices, 4), both = {0}, back = {0}, none;
    imp_Vec3 moved;
    Call call = make_kernel_call(lane, flaw, "compose");
    call_output(&call, &both, sizeof both);
    CALL(&call, imp_pose_compose,
         (flaw == 1 ? NULL : &outer, flaw == 2 ? NULL : &inner, flaw == 3 ? NULL : &both));
    if (call_is_done(&call)) {
        CHECK_INT(imp_pose_apply(&outer, inner.translation, &moved), IMP_STATUS_OK);
        CHECK(memcmp(&moved, &both.translation, sizeof moved) == 0);
    }
    call = make_kernel_call(lane, flaw, "inverse");
    call_output(&call, &back, sizeof back);
    CALL(&call, imp_pose_inverse, (flaw == 1 || flaw == 2 ? NULL : &outer, flaw == 3 ? NULL : &back));
    if (!call_is_done(&call))
        return;
    double size = fabs(outer.translation.x) + fabs(outer.translation.y) + fabs(outer.translation.z);
    CHECK_INT(imp_pose_compose(&back, &outer, &none), IMP_STATUS_OK);
    CHECK(fabs(fabs(none.rotation.w) - 1) < 1e-14 && fabs(none.rotation.x) < 1e-14);
    CHECK(fabs(none.translation.x) <= 1e-13 * size && fabs(none.translation.z) <= 1e-13 * size);
}

static void orient(Lane *lane)
{
    imp_Vec3 p[4];
    int sign = 0;
    uint32_t flaw = lane_flaw(lane, 2) ? 3 + choose(&lane->choices, 2) : 0;
    for (int i = 0; i < 4; ++i)
        p[i] = choose_wild_point(&lane->choices);
    bool is_flat = choose_rarely(&lane->choices, 2);
    uint32_t which = choose(&lane->choices, 3);
    if (flaw == 4)
        p[which].y = choose_bad_number(&lane->choices);
    imp_Vec2 a = {p[0].x, p[0].y}, b = {p[1].x, p[1].y}, c = {p[2].x, p[2].y};
    Call call = make_kernel_call(lane, flaw, is_flat ? "plane" : "space");
    call_output(&call, &sign, sizeof sign);
    if (is_flat)
        CALL(&call, imp_orient2d, (a, b, c, flaw == 3 ? NULL : &sign));
    else
        CALL(&call, imp_orient3d, (p[0], p[1], p[2], p[3], flaw == 3 ? NULL : &sign));
    if (!call_is_done(&call))
        return;
    pthread_mutex_lock(&oracle_lock);
    CHECK_INT(sign, is_flat ? oracle_orient2d(a, b, c) : oracle_orient3d(p[0], p[1], p[2], p[3]));
    pthread_mutex_unlock(&oracle_lock);
    lane_count(lane, OUTCOME_kernel_judged, true);
}

// A box may also be turned inside out.
static void spoil_case(Lane *lane, uint32_t kind, imp_Triangle *a, imp_Triangle *b, imp_Segment *segment,
                       imp_Box *box)
{
    double bad = choose_bad_number(&lane->choices);
    if (choose(&lane->choices, 2))
        b->v[choose(&lane->choices, 3)].x = bad;
    else if (kind == 0)
        a->v[choose(&lane->choices, 3)].z = bad;
    else if (kind == 1)
        segment->v[choose(&lane->choices, 2)].y = bad;
    else if (choose(&lane->choices, 2))
        box->max.y = bad;
    else
        *box = (imp_Box){{0, 0, 1}, {1, 1, 0}};
}

static void touch_one(Lane *lane)
{
    imp_Triangle a = choose_triangle(lane), b = choose_triangle(lane);
    imp_Segment segment = {{a.v[0], a.v[1]}};
    imp_Box box = choose_wild_box(&lane->choices);
    bool touch = false, wanted = false;
    uint32_t flaw = lane_flaw(lane, 4), kind = choose(&lane->choices, 3);
    if (flaw == 4)
        spoil_case(lane, kind, &a, &b, &segment, &box);
    Call call = make_kernel_call(lane, flaw, "touch");
    call_output(&call, &touch, sizeof touch);
    bool *room = flaw == 3 ? NULL : &touch;
    imp_Triangle *first = flaw == 1 ? NULL : &a, *second = flaw == 2 ? NULL : &b;
    if (kind == 0)
        CALL(&call, imp_triangles_touch, (first, second, room));
    else if (kind == 1)
        CALL(&call, imp_segment_touches_triangle, (flaw == 1 ? NULL : &segment, second, room));
    else
        CALL(&call, imp_triangle_touches_box, (second, flaw == 1 ? NULL : &box, room));
    if (!call_is_done(&call))
        return;
    pthread_mutex_lock(&oracle_lock);
    wanted = kind == 0   ? oracle_triangles_touch(&a, &b)
             : kind == 1 ? oracle_segment_touches_triangle(&segment, &b)
                         : oracle_triangle_touches_box(&b, &box);
    pthread_mutex_unlock(&oracle_lock);
    CHECK_INT(touch, wanted);
    lane_count(lane, OUTCOME_kernel_judged, true);
}

// The null of an array is not a flaw where the count is 0.
static void touch_many(Lane *lane)
{
    imp_Triangle a[MAX_TRIANGLE_PAIRS], b[MAX_TRIANGLE_PAIRS];
    bool touch[MAX_TRIANGLE_PAIRS];
    Home *home = lane_home(lane);
    size_t count = choose(&lane->choices, MAX_TRIANGLE_PAIRS + 1), bad = 0;
    for (size_t i = 0; i < count; ++i) {
        a[i] = choose_triangle(lane);
        b[i] = choose_triangle(lane);
    }
    uint32_t flaw = count ? lane_flaw(lane, 4) : 0;
    Call call = call_make(lane, flaw == 1 ? NULL : home, "%zu pairs, flaw %u", count, flaw);
    call_output(&call, touch, sizeof touch);
    if (flaw == 4) {
        bad = choose(&lane->choices, (uint32_t)count);
        b[bad].v[2].z = choose_bad_number(&lane->choices);
        call_expect(&call, IMP_STATUS_BAD_NUMBER, bad);
    } else if (flaw) {
        call_expect(&call, IMP_STATUS_BAD_ARGUMENT, IMP_NOWHERE);
    }
    CALL(&call, imp_triangle_pairs_touch,
         (flaw == 1 ? NULL : home->context, flaw == 2 || !count ? NULL : a, b, count,
          flaw == 3 ? NULL : touch));
    for (size_t i = 0; call_is_done(&call) && i < count; ++i) {
        bool wanted = false;
        CHECK_INT(imp_triangles_touch(&a[i], &b[i], &wanted), IMP_STATUS_OK);
        CHECK_INT(touch[i], wanted);
    }
}

// The bounds of the distance are where "at most so far" changes.
static void check_lengths(const imp_Triangle *a, const imp_Triangle *b, const imp_Distance *found,
                          double asked, bool within)
{
    bool touch = false, within_lower = false, within_upper = false;
    CHECK_INT(imp_triangles_touch(a, b, &touch), IMP_STATUS_OK);
    CHECK_INT(imp_triangles_within(a, b, found->lower_bound, &within_lower), IMP_STATUS_OK);
    CHECK_INT(found->touch, touch);
    CHECK_INT(found->distance == 0, touch);
    CHECK_INT(within_lower, found->lower_bound == found->distance);
    CHECK_INT(within, asked >= found->distance);
    if (isfinite(found->distance)) {
        CHECK_INT(imp_triangles_within(a, b, found->distance, &within_upper), IMP_STATUS_OK);
        CHECK(within_upper);
    }
}

static void measure_triangles(Lane *lane)
{
    imp_Triangle a = choose_triangle(lane), b = choose_triangle(lane);
    imp_Distance found;
    bool within = false;
    double asked = fabs(choose_wild_point(&lane->choices).x);
    uint32_t flaw = lane_flaw(lane, 4);
    if (flaw == 4)
        a.v[choose(&lane->choices, 3)].y = choose_bad_number(&lane->choices);
    imp_Triangle *first = flaw == 1 ? NULL : &a, *second = flaw == 2 ? NULL : &b;
    Call call = make_kernel_call(lane, flaw, "distance");
    call_output(&call, &found, sizeof found);
    CALL(&call, imp_triangles_distance, (first, second, flaw == 3 ? NULL : &found));
    bool is_found = call_is_done(&call);
    call = make_kernel_call(lane, flaw, "within");
    call_output(&call, &within, sizeof within);
    CALL(&call, imp_triangles_within, (first, second, asked, flaw == 3 ? NULL : &within));
    if (!is_found || !call_is_done(&call))
        return;
    check_lengths(&a, &b, &found, asked, within);
    lane_count(lane, OUTCOME_kernel_judged, true);
}

void step_math(Lane *lane)
{
    switch (choose(&lane->choices, 6)) {
    case 0:
        pose_point(lane);
        break;
    case 4:
        combine_poses(lane);
        break;
    case 1:
        orient(lane);
        break;
    case 2:
        touch_one(lane);
        break;
    case 3:
        measure_triangles(lane);
        break;
    default:
        touch_many(lane);
    }
}
