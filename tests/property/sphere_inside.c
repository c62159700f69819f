// What balls inside of two bodies prove, against detects without trees: where they meet, the bodies touch or
// one is inside of the other; and they touch where each is found to stick out of the other, too.
#include "object/sphere_inside.h"

#include "harness.h"
#include "posed_faces.h"
#include "scenes/shapes.h"
#include "shape/sphere_tree.h"
#include "sphere_bodies.h"
#include "world/world.h"

#include <impinge/impinge.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define SHAPE_COUNT 6

static struct {
    uint64_t proven, inside, apart, not_told, far, deformed;
} tally;

typedef struct Shapes {
    imp_Context *context;
    imp_Mesh *meshes[SHAPE_COUNT];
    imp_SphereTree *trees[SHAPE_COUNT];
} Shapes;

// Large and small ones.
static void shapes_make(Shapes *shapes)
{
    static const double scales[SHAPE_COUNT] = {1, 1, 0.2, 0.2, 1, 1};
    shapes->context = context_with_threads(1);
    for (int i = 0; i < SHAPE_COUNT; ++i) {
        imp_Mesh *mesh = NULL;
        CHECK_INT(i == SHAPE_COUNT - 1 ? scene_sphere_of_faces(shapes->context, 120, 1, &mesh)
                  : i % 2              ? scene_bumpy_sphere(shapes->context, 12, 9, 1, 0.3, 7, &mesh)
                                       : scene_torus(shapes->context, 12, 8, 1, 0.4, &mesh),
                  IMP_STATUS_OK);
        CHECK_INT(scene_place(shapes->context, mesh, scales[i], (imp_Vec3){0.1, 0, -0.2}, &shapes->meshes[i]),
                  IMP_STATUS_OK);
        imp_mesh_release(mesh);
        imp_SphereTreeDef def = {.mesh = shapes->meshes[i], .method = IMP_SPHERES_OCTREE};
        CHECK_INT(imp_sphere_tree_create(shapes->context, &def, &shapes->trees[i]), IMP_STATUS_OK);
    }
}

static void shapes_release(Shapes *shapes)
{
    for (int i = 0; i < SHAPE_COUNT; ++i) {
        imp_sphere_tree_release(shapes->trees[i]);
        imp_mesh_release(shapes->meshes[i]);
    }
    imp_context_destroy(shapes->context);
}

static void deform(imp_World *world, imp_BodyId body, const imp_Mesh *mesh)
{
    size_t count = imp_mesh_get_vertex_count(mesh);
    imp_Vec3 *vertices = malloc(count * sizeof *vertices);
    CHECK(vertices != NULL);
    for (size_t i = 0; i < count; ++i)
        vertices[i] = sum(imp_mesh_get_vertices(mesh)[i], random_vector(0.02));
    CHECK_INT(imp_body_set_vertices(world, body, &vertices->x, count), IMP_STATUS_OK);
    free(vertices);
    ++tally.deformed;
}

static bool do_insides_meet(const impi_Body *a, const impi_Body *b, const impi_SphereMotion *motion)
{
    for (uint32_t i = 0; i < a->spheres->count; ++i)
        for (uint32_t k = 0; k < b->spheres->count; ++k)
            if (impi_insides_meet(a, b, motion, i, k))
                return true;
    return false;
}

static void check_pair(const imp_World *world, uint32_t relations)
{
    const impi_Body *a = &world->bodies.data[0], *b = &world->bodies.data[1];
    impi_SphereMotion motion;
    impi_sphere_motion_find(a, b, &motion);
    bool meet = do_insides_meet(a, b, &motion), stick_out = impi_bodies_stick_out(a, b, &motion);
    CHECK(!meet || relations != 0);
    CHECK(!meet || !stick_out || (relations & IMP_RELATION_TOUCH));
    tally.proven += meet && stick_out;
    tally.inside += meet && !stick_out && !(relations & IMP_RELATION_TOUCH);
    tally.apart += !meet && relations == 0;
    tally.not_told += !meet && relations != 0;
}

static void run_pair(const Shapes *shapes)
{
    imp_World *world = NULL;
    imp_BodyId bodies[2];
    const imp_Report *report;
    bool is_far = test_random_below(8) == 0;
    imp_Vec3 place = random_vector(is_far ? 1e9 : 0);
    CHECK_INT(imp_world_create(shapes->context, NULL, &world), IMP_STATUS_OK);
    for (int i = 0; i < 2; ++i) {
        uint32_t shape = test_random_below(SHAPE_COUNT);
        imp_BodyDef def = {
            .mesh = shapes->meshes[shape],
            .spheres = shapes->trees[shape],
            .pose = {.rotation = random_rotation(), .translation = sum(place, random_vector(1))}};
        CHECK_INT(imp_world_add_body(world, &def, &bodies[i]), IMP_STATUS_OK);
        if (test_random_below(4) == 0)
            deform(world, bodies[i], shapes->meshes[shape]);
    }
    CHECK_INT(imp_world_detect(world, &(imp_DetectDef){.mode = IMP_DETECT_BODIES}, &report), IMP_STATUS_OK);
    check_pair(world, report->body_pair_count > 0 ? report->body_pairs[0].relations : 0);
    tally.far += is_far;
    imp_world_destroy(world);
}

TEST(insides_that_meet_prove_what_is_true)
{
    Shapes shapes;
    uint64_t count = test_count(2000);
    shapes_make(&shapes);
    for (uint64_t i = 0; i < count && test_failed_checks() < 20; ++i) {
        test_random_restart(i);
        run_pair(&shapes);
    }
    shapes_release(&shapes);
    printf(
        "%llu proven to touch, %llu inside, %llu apart, %llu that balls inside do not tell; %llu far away, "
        "%llu bodies deformed\n",
        (unsigned long long)tally.proven, (unsigned long long)tally.inside, (unsigned long long)tally.apart,
        (unsigned long long)tally.not_told, (unsigned long long)tally.far,
        (unsigned long long)tally.deformed);
    if (count >= 2000)
        CHECK(tally.proven > 200 && tally.inside > 20 && tally.apart > 50 && tally.not_told > 20 &&
              tally.far > 100 && tally.deformed > 100);
}
