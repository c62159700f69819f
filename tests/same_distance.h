/// Answers about distances compared with each other, to the last bit, and printed.
#ifndef IMPINGE_TESTS_SAME_DISTANCE_H
#define IMPINGE_TESTS_SAME_DISTANCE_H

#include <impinge/distance.h>

#include <stdio.h>
#include <string.h>

static inline bool same_double(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

static inline bool same_surface_point(const imp_SurfacePoint *a, const imp_SurfacePoint *b)
{
    return same_double(a->position.x, b->position.x) && same_double(a->position.y, b->position.y) &&
           same_double(a->position.z, b->position.z) && a->face == b->face && a->feature == b->feature &&
           a->corner == b->corner;
}

/// All but the points.
static inline bool same_lengths(const imp_Distance *a, const imp_Distance *b)
{
    return a->touch == b->touch && a->a_inside_b == b->a_inside_b && a->b_inside_a == b->b_inside_a &&
           a->has_stopped == b->has_stopped && a->reached_accuracy == b->reached_accuracy &&
           same_double(a->distance, b->distance) && same_double(a->lower_bound, b->lower_bound);
}

static inline bool same_distance(const imp_Distance *a, const imp_Distance *b)
{
    return same_lengths(a, b) && same_surface_point(&a->a, &b->a) && same_surface_point(&a->b, &b->b);
}

/// What is to be said when a and b change places.
static inline imp_Distance mirrored_distance(const imp_Distance *distance)
{
    imp_Distance mirrored = *distance;
    mirrored.a_inside_b = distance->b_inside_a;
    mirrored.b_inside_a = distance->a_inside_b;
    mirrored.a = distance->b;
    mirrored.b = distance->a;
    return mirrored;
}

/// Silent after the first 20 calls.
static inline void print_distance(const char *title, const imp_Distance *d)
{
    static int printed;
    if (++printed > 20)
        return;
    printf("  %s: %s%s%s%s%s distance %a lower bound %a\n", title, d->touch ? "touch" : "apart",
           d->a_inside_b ? ", a inside b" : "", d->b_inside_a ? ", b inside a" : "",
           d->has_stopped ? ", stopped" : "", d->reached_accuracy ? "" : ", inaccurate", d->distance,
           d->lower_bound);
    for (int i = 0; i < 2; ++i) {
        const imp_SurfacePoint *p = i ? &d->b : &d->a;
        printf("    %c: face %u feature %d corner %u {%a, %a, %a}\n", "ab"[i], p -> face, (int)p -> feature,
               p -> corner, p -> position.x, p->position.y, p->position.z);
    }
}

#endif
