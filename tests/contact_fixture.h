/// Two bodies in a world, and what a detect says of their contacts.
#ifndef IMPINGE_TESTS_CONTACT_FIXTURE_H
#define IMPINGE_TESTS_CONTACT_FIXTURE_H

#include "harness.h"
#include "posed_faces.h"
#include "reports.h"
#include "scenes/shapes.h"

#include <impinge/impinge.h>

#include <math.h>

typedef struct ContactFixture {
    imp_Context *context;
    imp_World *world;
    imp_BodyId a, b;
    const imp_Report *report;
} ContactFixture;

static inline ContactFixture contact_fixture_make(uint32_t thread_count)
{
    ContactFixture fixture = {.context = context_with_threads(thread_count)};
    CHECK_INT(imp_world_create(fixture.context, NULL, &fixture.world), IMP_STATUS_OK);
    return fixture;
}

static inline void contact_fixture_destroy(ContactFixture *fixture)
{
    imp_world_destroy(fixture->world);
    imp_context_destroy(fixture->context);
}

static inline imp_Mesh *box_mesh(const ContactFixture *fixture, imp_Vec3 min, imp_Vec3 max)
{
    imp_Mesh *mesh = NULL;
    CHECK_INT(scene_box(fixture->context, min, max, &mesh), IMP_STATUS_OK);
    return mesh;
}

/// The world's reference is the only one that stays.
static inline imp_BodyId place(ContactFixture *fixture, imp_Mesh *mesh, imp_Pose pose)
{
    imp_BodyId id = {0};
    CHECK_INT(imp_world_add_body(fixture->world, &(imp_BodyDef){.mesh = mesh, .pose = pose}, &id),
              IMP_STATUS_OK);
    imp_mesh_release(mesh);
    return id;
}

/// Both are given away.
static inline void place_two(ContactFixture *fixture, imp_Mesh *a, imp_Mesh *b)
{
    fixture->a = place(fixture, a, (imp_Pose){0});
    fixture->b = place(fixture, b, (imp_Pose){0});
}

static inline const imp_Report *find_contacts(ContactFixture *fixture)
{
    static const imp_Report none;
    imp_DetectDef def = {.contacts = true};
    fixture->report = &none;
    CHECK_INT(imp_world_detect(fixture->world, &def, &fixture->report), IMP_STATUS_OK);
    return fixture->report;
}

#endif
