/// Bodies count their motions, and what was found out of them is kept with the count. It had 32 bits: after
/// as many motions between two questions, a body that was elsewhere seemed to be at rest.
#include "sphere_shapes.h"
#include "world/world.h"
#include "world_fixture.h"

typedef struct Ring {
    Fixture fixture;
    imp_BodyId ball;
} Ring;

// A ball in the hole of a ring.
static Ring ring_make(void)
{
    Ring ring = {.fixture = fixture_make()};
    imp_Mesh *meshes[2] = {NULL, sphere(ring.fixture.context, 0.2)};
    CHECK_INT(scene_torus(ring.fixture.context, 16, 8, 1, 0.3, &meshes[0]), IMP_STATUS_OK);
    for (int i = 0; i < 2; ++i) {
        imp_SphereTree *tree = octree_spheres(ring.fixture.context, meshes[i], 8, 2);
        imp_BodyDef def = {.mesh = meshes[i], .spheres = tree};
        CHECK_INT(imp_world_add_body(ring.fixture.world, &def, &ring.ball), IMP_STATUS_OK);
        imp_sphere_tree_release(tree);
        imp_mesh_release(meshes[i]);
    }
    return ring;
}

// As many times that 32 bits have all counts, the last time into the ring.
static void move_ball(const Ring *ring)
{
    CHECK_INT((int64_t)ring->fixture.world->bodies.data[ring->ball.slot - 1].motion, 1);
    ring->fixture.world->bodies.data[ring->ball.slot - 1].motion = UINT32_MAX;
    CHECK_INT(imp_body_set_pose(ring->fixture.world, ring->ball, (imp_Pose){.translation = {0.7, 0, 0}}),
              IMP_STATUS_OK);
}

TEST(spheres_are_compared_again)
{
    Ring ring = ring_make();
    for (int i = 0; i < 2; ++i) {
        const imp_Report *report = NULL;
        CHECK_INT(
            imp_world_detect(ring.fixture.world, &(imp_DetectDef){.method = IMP_METHOD_SPHERES}, &report),
            IMP_STATUS_OK);
        CHECK_INT(report->candidate_body_pairs, 1);
        CHECK_INT((int64_t)report->body_pair_count, i);
        if (i == 0)
            move_ball(&ring);
    }
    fixture_destroy(&ring.fixture);
}

TEST(clearances_are_measured_again)
{
    Ring ring = ring_make();
    for (int i = 0; i < 2; ++i) {
        const imp_ClearanceReport *report = NULL;
        CHECK_INT(imp_world_clearance(ring.fixture.world, &(imp_ClearanceDef){.distance = 1}, &report),
                  IMP_STATUS_OK);
        if (CHECK_INT((int64_t)report->pair_count, 1))
            CHECK((report->pairs[0].distance.distance > 0) == (i == 0));
        if (i == 0)
            move_ball(&ring);
    }
    fixture_destroy(&ring.fixture);
}
