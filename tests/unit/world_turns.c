// With a budget that lasts for nothing, each detect begins one pair later, so that none waits forever.
#include "world/world.h"
#include "world_fixture.h"

#define BODIES 4

static void move_all(imp_World *world, const imp_BodyId *bodies, int frame)
{
    for (int i = 0; i < BODIES; ++i)
        CHECK_INT(
            imp_body_set_pose(world, bodies[i], (imp_Pose){.translation = {0.1 * i, 0.001 * (frame + 1), 0}}),
            IMP_STATUS_OK);
}

TEST(every_pair_has_its_turn)
{
    static const uint64_t turns[] = {(uint64_t)1 << 32 | 3, (uint64_t)1 << 32 | 4, (uint64_t)2 << 32 | 3,
                                     (uint64_t)2 << 32 | 4, (uint64_t)3 << 32 | 4, 0,
                                     (uint64_t)1 << 32 | 3};
    Fixture fixture = fixture_make();
    imp_BodyId bodies[BODIES];
    for (int i = 0; i < BODIES; ++i)
        bodies[i] = add(fixture.world, sphere(fixture.context, 1), 0.1 * i);
    for (int i = 0; i < 7; ++i) {
        const imp_Report *report = NULL;
        move_all(fixture.world, bodies, i);
        CHECK_INT(imp_world_detect(fixture.world, &(imp_DetectDef){.budget_us = 1}, &report), IMP_STATUS_OK);
        CHECK(report->budget_spent);
        CHECK_INT(report->undecided_count, 6);
        CHECK(fixture.world->object.turn == turns[i]);
    }
    fixture_destroy(&fixture);
}

TEST(a_detect_that_is_done_begins_anew)
{
    Fixture fixture = fixture_make();
    imp_BodyId bodies[BODIES];
    const imp_Report *report = NULL;
    for (int i = 0; i < BODIES; ++i)
        bodies[i] = add(fixture.world, sphere(fixture.context, 1), 0.1 * i);
    CHECK_INT(imp_world_detect(fixture.world, &(imp_DetectDef){.budget_us = 1}, &report), IMP_STATUS_OK);
    CHECK(fixture.world->object.turn != 0);
    // The pairs before the turn are asked about as well, and the report is complete.
    move_all(fixture.world, bodies, 0);
    CHECK_INT(imp_world_detect(fixture.world, &(imp_DetectDef){.budget_us = 60000000}, &report),
              IMP_STATUS_OK);
    CHECK(!report->budget_spent);
    CHECK_INT(report->body_pair_count, 6);
    CHECK(report->face_pair_count > 0);
    fixture_destroy(&fixture);
}
