/// A world with few bodies, and short ways to fill it, ask it and compare what it says.
#ifndef IMPINGE_TESTS_WORLD_FIXTURE_H
#define IMPINGE_TESTS_WORLD_FIXTURE_H

#include "harness.h"
#include "posed_faces.h"
#include "scenes/shapes.h"

#include <impinge/impinge.h>

#include <string.h>

typedef struct Fixture {
    imp_Context *context;
    imp_World *world;
} Fixture;

static inline Fixture fixture_make(void)
{
    Fixture fixture = {context_with_threads(1), NULL};
    CHECK_INT(imp_world_create(fixture.context, NULL, &fixture.world), IMP_STATUS_OK);
    return fixture;
}

static inline void fixture_destroy(Fixture *fixture)
{
    imp_world_destroy(fixture->world);
    imp_context_destroy(fixture->context);
}

static inline imp_Mesh *sphere(imp_Context *context, double radius)
{
    imp_Mesh *mesh = NULL;
    CHECK_INT(scene_sphere(context, 12, 8, radius, &mesh), IMP_STATUS_OK);
    return mesh;
}

static inline imp_Mesh *cube(imp_Context *context, double half)
{
    imp_Mesh *mesh = NULL;
    CHECK_INT(scene_box(context, (imp_Vec3){-half, -half, -half}, (imp_Vec3){half, half, half}, &mesh),
              IMP_STATUS_OK);
    return mesh;
}

// The world's reference is the only one that stays.
static inline imp_BodyId add(imp_World *world, imp_Mesh *mesh, double x)
{
    imp_BodyId id = {0};
    CHECK_INT(imp_world_add_body(world, &(imp_BodyDef){.mesh = mesh, .pose.translation.x = x}, &id),
              IMP_STATUS_OK);
    imp_mesh_release(mesh);
    return id;
}

static inline const imp_Report *detect(imp_World *world)
{
    static const imp_Report none;
    const imp_Report *report = NULL;
    return CHECK_INT(imp_world_detect(world, NULL, &report), IMP_STATUS_OK) ? report : &none;
}

// What the only two bodies of a world have to do with each other, with each method and mode; 0 for nothing.
static inline uint32_t relations_of_two(imp_World *world)
{
    const imp_Report *report = detect(world);
    uint32_t relations = report->body_pair_count ? report->body_pairs[0].relations : 0;
    CHECK(report->body_pair_count <= 1);
    for (int mode = IMP_DETECT_FACES; mode <= IMP_DETECT_FIRST; ++mode)
        for (int method = IMP_METHOD_AUTO; method <= IMP_METHOD_SMITH_1994; ++method) {
            imp_DetectDef def = {
                .mode = (imp_DetectMode)mode, .method = (imp_DetectMethod)method, .smith_level = 3};
            CHECK_INT(imp_world_detect(world, &def, &report), IMP_STATUS_OK);
            CHECK_INT(report->body_pair_count ? report->body_pairs[0].relations : 0, relations);
        }
    return relations;
}

// Multiply the vertices of a body's mesh.
static inline imp_Status stretch(imp_World *world, imp_BodyId id, imp_Vec3 factors)
{
    imp_Mesh *mesh = NULL;
    CHECK_INT(imp_body_get_mesh(world, id, &mesh), IMP_STATUS_OK);
    size_t count = imp_mesh_get_vertex_count(mesh);
    imp_Vec3 *vertices = malloc(count * sizeof *vertices);
    for (size_t i = 0; i < count; ++i) {
        imp_Vec3 v = imp_mesh_get_vertices(mesh)[i];
        vertices[i] = (imp_Vec3){factors.x * v.x, factors.y * v.y, factors.z * v.z};
    }
    imp_Status status = imp_body_set_vertices(world, id, &vertices->x, count);
    free(vertices);
    return status;
}

// A copy of what a report says, to compare with a later one.
typedef struct ReportCopy {
    imp_Report report;
    imp_BodyPair pairs[16];
    imp_TouchingFaces faces[4096];
} ReportCopy;

// Lists may be empty, and then null.
static inline void copy_list(void *copy, const void *list, size_t size)
{
    if (size > 0)
        memcpy(copy, list, size);
}

static inline bool same_list(const void *copy, const void *list, size_t size)
{
    return size == 0 || memcmp(copy, list, size) == 0;
}

static inline void copy_report(imp_World *world, ReportCopy *copy)
{
    const imp_Report *report = detect(world);
    CHECK(report->body_pair_count <= 16 && report->face_pair_count <= 4096);
    copy->report = *report;
    copy_list(copy->pairs, report->body_pairs, report->body_pair_count * sizeof *copy->pairs);
    copy_list(copy->faces, report->face_pairs, report->face_pair_count * sizeof *copy->faces);
}

static inline bool says_the_same(imp_World *world, const ReportCopy *copy)
{
    const imp_Report *report = detect(world), *old = &copy->report;
    return report->body_pair_count == old->body_pair_count &&
           report->face_pair_count == old->face_pair_count && report->begun_count == 0 &&
           report->ended_count == 0 &&
           same_list(copy->pairs, report->body_pairs, old->body_pair_count * sizeof *copy->pairs) &&
           same_list(copy->faces, report->face_pairs, old->face_pair_count * sizeof *copy->faces);
}

#endif
