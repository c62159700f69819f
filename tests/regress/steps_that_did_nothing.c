/// Where fewer steps of a budget were left than pairs stood in line, the last steps were counted but nothing
/// was asked, and the next detect began behind the pairs that were left out.
#include "world_fixture.h"

#define PAIR_COUNT 14

// Two boxes that touch, far from the others; where they are depends on the frame.
static void place_boxes(imp_World *world, const imp_BodyId *bodies, int frame)
{
    for (int i = 0; i < 2 * PAIR_COUNT; ++i) {
        imp_Pose pose = {.translation = {10.0 * (i / 2) + 0.5 * (i % 2), 0.01 * frame, 0}};
        CHECK_INT(imp_body_set_pose(world, bodies[i], pose), IMP_STATUS_OK);
    }
}

static void add_boxes(const Fixture *fixture, imp_BodyId *bodies)
{
    imp_Mesh *mesh = cube(fixture->context, 1);
    for (int i = 0; i < 2 * PAIR_COUNT; ++i)
        CHECK_INT(imp_world_add_body(fixture->world, &(imp_BodyDef){.mesh = mesh}, &bodies[i]),
                  IMP_STATUS_OK);
    imp_mesh_release(mesh);
    place_boxes(fixture->world, bodies, 0);
}

TEST(a_step_is_a_pair)
{
    for (uint64_t steps = 1; steps <= PAIR_COUNT; ++steps) {
        Fixture fixture = fixture_make();
        imp_BodyId bodies[2 * PAIR_COUNT];
        const imp_Report *report = NULL;
        add_boxes(&fixture, bodies);
        CHECK_INT(imp_world_detect(fixture.world, &(imp_DetectDef){.budget_steps = steps}, &report),
                  IMP_STATUS_OK);
        CHECK_INT(report->body_pair_count, steps);
        CHECK_INT(report->step_count, steps);
        CHECK_INT(report->budget_spent, steps < PAIR_COUNT);
        fixture_destroy(&fixture);
    }
}

TEST(no_pair_waits_forever)
{
    Fixture fixture = fixture_make();
    imp_BodyId bodies[2 * PAIR_COUNT];
    bool is_asked[PAIR_COUNT] = {false};
    add_boxes(&fixture, bodies);
    for (int frame = 1; frame <= PAIR_COUNT; ++frame) {
        const imp_Report *report = NULL;
        place_boxes(fixture.world, bodies, frame);
        CHECK_INT(imp_world_detect(fixture.world, &(imp_DetectDef){.budget_steps = 3}, &report),
                  IMP_STATUS_OK);
        for (size_t i = 0; i < report->body_pair_count; ++i)
            is_asked[(report->body_pairs[i].body_a.slot - 1) / 2] = true;
    }
    for (int i = 0; i < PAIR_COUNT; ++i)
        CHECK(is_asked[i]);
    fixture_destroy(&fixture);
}
