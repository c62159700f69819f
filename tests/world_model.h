/// A plain record of the bodies of a world, from which a fresh world with the same ids is made: what worlds
/// that remember are compared with.
#ifndef IMPINGE_TESTS_WORLD_MODEL_H
#define IMPINGE_TESTS_WORLD_MODEL_H

#include "harness.h"
#include "reports.h"

#include <impinge/impinge.h>

#include <stdlib.h>

#ifndef MAX_MODEL_BODIES // a test may need more
#define MAX_MODEL_BODIES 24
#endif

typedef struct ModelBody {
    bool alive;
    imp_BodyId id; // of the last body in this slot
    imp_BodyDef def;
    imp_Vec3 *deformed; // null: its mesh's own vertices
} ModelBody;

typedef struct WorldModel {
    ModelBody bodies[MAX_MODEL_BODIES]; // slot s is bodies[s - 1]
    size_t slot_count;                  // that were ever in use
    bool ignored[MAX_MODEL_BODIES][MAX_MODEL_BODIES];
    bool is_filtered; // by world_model_passes
} WorldModel;

/// A filter of pairs, for worlds that have one.
static inline bool world_model_passes(imp_BodyId a, imp_BodyId b, void *user)
{
    (void)user;
    return (7 * a.slot + b.slot) % 5 != 0;
}

static inline void world_model_add(imp_World *world, const imp_BodyDef *def, imp_BodyId wanted)
{
    imp_BodyId id = {0};
    CHECK_INT(imp_world_add_body(world, def, &id), IMP_STATUS_OK);
    CHECK(memcmp(&id, &wanted, sizeof id) == 0);
}

// The slot that came back last is the first to go, so that each slot can be given away as often as in the
// world under test. Slots that nobody uses there come back at the end.
static inline void world_model_fill_slots(const WorldModel *model, imp_Mesh *filler_mesh, imp_World *world)
{
    const imp_BodyDef filler = {.mesh = filler_mesh};
    for (uint32_t slot = 1; slot <= model->slot_count; ++slot) {
        const ModelBody *body = &model->bodies[slot - 1];
        for (uint32_t generation = 1; generation <= body->id.generation; ++generation) {
            bool is_last = generation == body->id.generation;
            imp_BodyId id = {slot, generation};
            world_model_add(world, is_last && body->alive ? &body->def : &filler, id);
            if (!is_last)
                CHECK_INT(imp_world_remove_body(world, id), IMP_STATUS_OK);
        }
    }
    for (uint32_t slot = 1; slot <= model->slot_count; ++slot)
        if (!model->bodies[slot - 1].alive)
            CHECK_INT(imp_world_remove_body(world, model->bodies[slot - 1].id), IMP_STATUS_OK);
}

static inline size_t world_model_count(const WorldModel *model)
{
    size_t count = 0;
    for (size_t i = 0; i < model->slot_count; ++i)
        count += model->bodies[i].alive;
    return count;
}

/// A body has come, with this id.
static inline void world_model_note(WorldModel *model, imp_BodyId id, const imp_BodyDef *def)
{
    if (!CHECK(id.slot >= 1 && id.slot <= MAX_MODEL_BODIES))
        return;
    ModelBody *place = &model->bodies[id.slot - 1];
    CHECK(!place->alive && id.generation > place->id.generation);
    *place = (ModelBody){.alive = true, .id = id, .def = *def};
    if (model->slot_count < id.slot)
        model->slot_count = id.slot;
}

/// A body has gone.
static inline void world_model_forget(WorldModel *model, ModelBody *body)
{
    size_t number = (size_t)(body - model->bodies);
    for (size_t i = 0; i < MAX_MODEL_BODIES; ++i)
        model->ignored[i][number] = model->ignored[number][i] = false;
    free(body->deformed);
    *body = (ModelBody){.id = body->id};
}

/// A fresh world with the bodies of the model, under the same ids. `filler` is any mesh.
static inline imp_World *world_model_build(const WorldModel *model, imp_Context *context, imp_Mesh *filler)
{
    imp_World *world = NULL;
    CHECK_INT(imp_world_create(context, NULL, &world), IMP_STATUS_OK);
    world_model_fill_slots(model, filler, world);
    if (model->is_filtered)
        CHECK_INT(imp_world_set_pair_filter(world, world_model_passes, NULL), IMP_STATUS_OK);
    for (size_t a = 0; a < model->slot_count; ++a) {
        const ModelBody *body = &model->bodies[a];
        if (body->deformed)
            CHECK_INT(imp_body_set_vertices(world, body->id, &body->deformed->x,
                                            imp_mesh_get_vertex_count(body->def.mesh)),
                      IMP_STATUS_OK);
        for (size_t b = 0; b < a; ++b)
            if (model->ignored[a][b])
                CHECK_INT(imp_world_ignore_pair(world, body->id, model->bodies[b].id, true), IMP_STATUS_OK);
    }
    return world;
}

/// Do two reports say the same, but for what has begun and ended, which a fresh world can't know?
static inline bool report_equals_fresh(const imp_Report *report, const imp_Report *fresh)
{
    imp_Report a = *report, b = *fresh;
    a.begun_count = a.ended_count = b.begun_count = b.ended_count = 0;
    return same_reports(&a, &b) && a.candidate_body_pairs == b.candidate_body_pairs && !a.budget_spent &&
           !b.budget_spent && a.undecided_count == 0 && b.undecided_count == 0;
}

#endif
