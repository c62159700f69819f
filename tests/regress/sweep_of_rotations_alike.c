// Bodies whose rotations at both ends differed in their last bits only were bounded by a point on their way:
// a path that does not turn has no axis to measure them about. They went through others unnoticed.
#include "harness.h"
#include "scenes/shapes.h"

#include <impinge/impinge.h>

#include <math.h>

TEST(a_rod_whose_rotation_is_rounded_meets_a_post)
{
    imp_Context *context = NULL;
    imp_World *world = NULL;
    imp_Mesh *rod = NULL, *post = NULL;
    imp_BodyId rod_id, post_id;
    CHECK_INT(imp_context_create(NULL, &context), IMP_STATUS_OK);
    CHECK_INT(imp_world_create(context, NULL, &world), IMP_STATUS_OK);
    CHECK_INT(scene_box(context, (imp_Vec3){-5, -0.125, -0.125}, (imp_Vec3){5, 0.125, 0.125}, &rod),
              IMP_STATUS_OK);
    CHECK_INT(scene_box(context, (imp_Vec3){4, -0.25, -0.25}, (imp_Vec3){4.5, 0.25, 0.25}, &post),
              IMP_STATUS_OK);
    CHECK_INT(
        imp_world_add_body(world, &(imp_BodyDef){.mesh = rod, .pose = {{0, -3.375, 0}, {.w = 1}}}, &rod_id),
        IMP_STATUS_OK);
    CHECK_INT(imp_world_add_body(world, &(imp_BodyDef){.mesh = post}, &post_id), IMP_STATUS_OK);
    for (int bits = 40; bits <= 60; ++bits) {
        const imp_SweepReport *report = NULL;
        imp_TargetDef target = {.pose = {{0, 2.625, 0}, {.w = 1, .z = ldexp(1, -bits)}}};
        CHECK_INT(imp_body_set_target(world, rod_id, &target), IMP_STATUS_OK);
        CHECK_INT(imp_world_sweep(world, NULL, &report), IMP_STATUS_OK);
        CHECK_INT(report->pair_count, 1);
        CHECK(fabs(report->first_time - 0.5) < 1e-11);
    }
    imp_mesh_release(rod);
    imp_mesh_release(post);
    imp_world_destroy(world);
    imp_context_destroy(context);
}
