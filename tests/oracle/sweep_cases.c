#include "sweep_cases.h"

#include "harness.h"
#include "moving_differences.h"
#include "sweep_builders.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef SweepCase Query;

const SweepKindInfo sweep_kinds[SWEEP_KIND_COUNT] = {
    [SWEEP_KIND_GENERIC] = {"generic", sweep_make_generic, {{0.03, 0.25}, {0.05, 0.35}}, false},
    [SWEEP_KIND_GENERIC_NEAR] = {"generic_near", sweep_make_generic_near, {{0.2, 0.5}, {0.35, 0.65}}, false},
    [SWEEP_KIND_ROUNDED_CONTACT] = {"rounded_contact",
                                    sweep_make_rounded_contact,
                                    {{0.45, 0.75}, {0.45, 0.75}},
                                    true},
    [SWEEP_KIND_CONTACT_AT_START] = {"contact_at_start", sweep_make_contact_at_start, {{1, 1}, {1, 1}}, true},
    [SWEEP_KIND_CONTACT_AT_END] = {"contact_at_end", sweep_make_contact_at_end, {{1, 1}, {1, 1}}, true},
    [SWEEP_KIND_CONTACT_AT_DYADIC] = {"contact_at_dyadic",
                                      sweep_make_contact_at_dyadic,
                                      {{1, 1}, {1, 1}},
                                      true},
    [SWEEP_KIND_CONTACT_AT_RATIONAL] = {"contact_at_rational",
                                        sweep_make_contact_at_rational,
                                        {{1, 1}, {1, 1}},
                                        true},
    [SWEEP_KIND_CONTACT_OUTSIDE] = {"contact_outside", sweep_make_contact_outside, {{0, 0}, {0, 0}}, true},
    [SWEEP_KIND_MEETING_VERTICES] = {"meeting_vertices", sweep_make_meeting_vertices, {{1, 1}, {1, 1}}, true},
    [SWEEP_KIND_LAST_BIT] = {"last_bit", sweep_make_last_bit, {{1, 1}, {1, 1}}, true},
    [SWEEP_KIND_IRRATIONAL] = {"irrational", sweep_make_irrational, {{1, 1}, {1, 1}}, false},
    [SWEEP_KIND_GRAZING] = {"grazing", sweep_make_grazing, {{0.5, 0.8}, {0.5, 0.8}}, true},
    [SWEEP_KIND_DOUBLE_ROOT] = {"double_root", sweep_make_double_root, {{0.55, 0.85}, {0.6, 0.9}}, true},
    [SWEEP_KIND_TRIPLE_ROOT] = {"triple_root", sweep_make_triple_root, {{0.45, 0.75}, {0.5, 0.8}}, true},
    [SWEEP_KIND_ONE_PLANE] = {"one_plane", sweep_make_one_plane, {{0.55, 0.85}, {0.55, 0.85}}, true},
    [SWEEP_KIND_MOVING_PLANE] = {"moving_plane", sweep_make_moving_plane, {{0.55, 0.85}, {0.6, 0.9}}, true},
    [SWEEP_KIND_FIXED_WEIGHTS] = {"fixed_weights", sweep_make_fixed_weights, {{0.7, 1}, {0.75, 1}}, true},
    [SWEEP_KIND_SINGULAR_PENCIL] = {"singular_pencil",
                                    sweep_make_singular_pencil,
                                    {{0.7, 1}, {0.75, 1}},
                                    true},
    [SWEEP_KIND_ONE_LINE] = {"one_line", sweep_make_one_line, {{0.4, 0.7}, {0.55, 0.85}}, true},
    [SWEEP_KIND_MOVING_LINE] = {"moving_line", sweep_make_moving_line, {{0.55, 0.85}, {0.6, 0.9}}, true},
    [SWEEP_KIND_FLAT] = {"flat", sweep_make_flat, {{0.45, 0.75}, {0.55, 0.85}}, true},
    [SWEEP_KIND_FLAT_NOW] = {"flat_now", sweep_make_flat_now, {{0.65, 0.95}, {0.7, 1}}, true},
    [SWEEP_KIND_FACE_AS_EDGE] = {"face_as_edge", sweep_make_face_as_edge, {{0.35, 0.65}, {0.4, 0.7}}, true},
    [SWEEP_KIND_FACE_AS_POINT] = {"face_as_point",
                                  sweep_make_face_as_point,
                                  {{0.35, 0.65}, {0.35, 0.65}},
                                  true},
    [SWEEP_KIND_POINT_NOW] = {"point_now", sweep_make_point_now, {{0.4, 0.7}, {0.45, 0.75}}, true},
    [SWEEP_KIND_SHARED_VERTEX] = {"shared_vertex", sweep_make_shared_vertex, {{1, 1}, {1, 1}}, true},
    [SWEEP_KIND_STATIC] = {"static", sweep_make_static, {{0.35, 0.65}, {0.35, 0.65}}, true},
    [SWEEP_KIND_EQUAL_MOTION] = {"equal_motion", sweep_make_equal_motion, {{0.35, 0.65}, {0.4, 0.7}}, true},
    [SWEEP_KIND_ONE_ULP_OFF] = {"one_ulp_off", sweep_make_one_ulp_off, {{0.5, 0.8}, {0.55, 0.85}}, true},
    [SWEEP_KIND_SMALL_LATTICE] = {"small_lattice", sweep_make_small_lattice, {{0.2, 0.5}, {0.3, 0.6}}, true},
    [SWEEP_KIND_NEEDLE] = {"needle", sweep_make_needle, {{0.04, 0.25}, {0.15, 0.45}}, true},
    [SWEEP_KIND_MIXED_MAGNITUDES] = {"mixed_magnitudes",
                                     sweep_make_mixed_magnitudes,
                                     {{0.1, 0.4}, {0.2, 0.5}},
                                     false},
    [SWEEP_KIND_SUBNORMALS] = {"subnormals", sweep_make_subnormals, {{0.03, 0.25}, {0.05, 0.35}}, false},
    [SWEEP_KIND_HUGE] = {"huge", sweep_make_huge, {{0.02, 0.2}, {0.05, 0.35}}, false},
};

const char *const sweep_scale_names[SWEEP_SCALE_COUNT] = {"1e-300", "1e-3",      "0.03",   "0.1",   "1",
                                                          "10",     "1e3",       "1e6",    "1e300", "as_is",
                                                          "axes",   "subnormal", "rounded"};

const char *const sweep_features_names[SWEEP_FEATURES_COUNT] = {"vertex_face", "edge_edge"};

SweepScale sweep_random_scale(void)
{
    static const SweepScale others[] = {SWEEP_SCALE_ASIS, SWEEP_SCALE_ASIS,      SWEEP_SCALE_ASIS,
                                        SWEEP_SCALE_AXES, SWEEP_SCALE_SUBNORMAL, SWEEP_SCALE_ROUNDED};
    uint32_t number = test_random_below(SWEEP_SCALE_ASIS);
    uint32_t other = test_random_below(sizeof others / sizeof *others);
    return test_random_below(2) ? (SweepScale)number : others[other];
}

// By the power of two that brings the largest to the target or just below it; not at all if that loses bits.
static void scale_to(double *coordinates, int count, double target)
{
    double most = largest_size(coordinates, count), scaled[SWEEP_COORDINATES];
    if (most == 0)
        return;
    int exponent = ilogb(target) - ilogb(most);
    if (ldexp(most, exponent) > target)
        --exponent;
    for (int i = 0; i < count; ++i) {
        scaled[i] = ldexp(coordinates[i], exponent);
        if (ldexp(scaled[i], -exponent) != coordinates[i])
            return;
    }
    memcpy(coordinates, scaled, (size_t)count * sizeof *scaled);
}

static bool scale_query(Query *query)
{
    static const double targets[] = {1e-300, 1e-3, 0.03, 0.1, 1, 10, 1e3, 1e6, 1e300};
    double *coordinates = &query->points[0].x;
    switch (query->scale) {
    case SWEEP_SCALE_ASIS:
        return true;
    case SWEEP_SCALE_AXES:
        return scale_coordinates(coordinates, SWEEP_COORDINATES, SCALING_AXES);
    case SWEEP_SCALE_SUBNORMAL:
        return scale_coordinates(coordinates, SWEEP_COORDINATES, SCALING_SUBNORMAL);
    case SWEEP_SCALE_ROUNDED:
        return scale_coordinates(coordinates, SWEEP_COORDINATES, SCALING_POWER_OF_TEN);
    default:
        scale_to(coordinates, SWEEP_COORDINATES, targets[query->scale]);
        return true;
    }
}

static void swap_points(Query *query, int i, int j)
{
    for (int end = 0; end < 8; end += 4) {
        imp_Vec3 other = query->points[i + end];
        query->points[i + end] = query->points[j + end];
        query->points[j + end] = other;
    }
}

static void shuffle(Query *query)
{
    if (query->features == SWEEP_VERTEX_FACE) {
        for (int i = 3; i > 1; --i)
            swap_points(query, i, 1 + (int)test_random_below((uint32_t)i));
        return;
    }
    if (test_random_below(2))
        swap_points(query, 0, 1);
    if (test_random_below(2))
        swap_points(query, 2, 3);
    if (test_random_below(2)) {
        swap_points(query, 0, 2);
        swap_points(query, 1, 3);
    }
}

SweepCase sweep_case_make(SweepKind kind, SweepFeatures features, SweepScale scale)
{
    Query query = {.kind = kind, .features = features, .scale = scale, .most_time = SWEEP_UNKNOWN};
    sweep_kinds[kind].build(&query);
    query.is_exact = scale_query(&query);
    if (!query.is_exact)
        sweep_set_time(&query, SWEEP_UNKNOWN, false);
    if (test_random_below(4) == 0)
        flip_zeros(&query.points[0].x, SWEEP_COORDINATES);
    shuffle(&query);
    return query;
}

void sweep_case_print(const SweepCase *query)
{
    static int printed;
    if (++printed > 20)
        return;
    printf("  %s, %s, %s\n", sweep_features_names[query->features], sweep_kinds[query->kind].name,
           sweep_scale_names[query->scale]);
    for (int i = 0; i < 8; ++i) {
        imp_Vec3 v = query->points[i];
        printf("  %d at t = %d {%a, %a, %a}\n", i % 4, i / 4, v.x, v.y, v.z);
    }
}
