/// Two bodies of a case in a world, and answers about their distance compared with each other.
#ifndef IMPINGE_TESTS_DISTANCE_ANSWERS_H
#define IMPINGE_TESTS_DISTANCE_ANSWERS_H

#include "harness.h"
#include "oracle/distance_cases.h"

#include <impinge/impinge.h>

#include <stdio.h>
#include <string.h>

typedef struct CaseWorld {
    imp_World *world;
    imp_BodyId a, b;
} CaseWorld;

static inline imp_BodyId case_world_add(imp_World *world, const CaseShape *shape)
{
    const CaseBody *body = shape->body;
    imp_BodyId id = {0};
    imp_BodyDef def = {
        .mesh = shape->convex ? NULL : shape->mesh, .convex = shape->convex, .pose = body->pose};
    CHECK_INT(imp_world_add_body(world, &def, &id), IMP_STATUS_OK);
    if (body->is_deformed)
        CHECK_INT(imp_body_set_vertices(world, id, &body->vertices->x, body->vertex_count), IMP_STATUS_OK);
    return id;
}

static inline CaseWorld case_world_make(imp_Context *context, const CaseShape *a, const CaseShape *b)
{
    CaseWorld made = {NULL, {0}, {0}};
    CHECK_INT(imp_world_create(context, NULL, &made.world), IMP_STATUS_OK);
    made.a = case_world_add(made.world, a);
    made.b = case_world_add(made.world, b);
    return made;
}

static inline imp_Distance case_world_ask(const CaseWorld *from, const imp_DistanceDef *def)
{
    imp_Distance distance = {.distance = -1};
    CHECK_INT(imp_world_distance(from->world, from->a, from->b, def, &distance), IMP_STATUS_OK);
    return distance;
}

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
