/// Two bodies of a case in a world, to be asked how far apart they are.
#ifndef IMPINGE_TESTS_DISTANCE_ANSWERS_H
#define IMPINGE_TESTS_DISTANCE_ANSWERS_H

#include "harness.h"
#include "oracle/distance_cases.h"
#include "same_distance.h"

#include <impinge/impinge.h>

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

#endif
