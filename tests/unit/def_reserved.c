// Reserved fields of defs are zero until they mean something; then old programs that left rubbish there would
// change their meaning, so that they are refused from the begin, with nothing changed.
#include "world_fixture.h"

#define RESERVED_COUNT(def) (sizeof(def).reserved / sizeof *(def).reserved)

static const uint64_t rubbish[] = {1, UINT64_MAX, (uint64_t)1 << 63};
#define RUBBISH_COUNT (sizeof rubbish / sizeof *rubbish)

static void check_refusal(imp_Context *context, imp_Status status)
{
    CHECK_INT(status, IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_context_get_error(context)->status, IMP_STATUS_BAD_ARGUMENT);
    CHECK_CONTAINS(imp_context_get_error(context)->message, "reserved");
}

TEST(world_def)
{
    imp_Context *context = context_with_threads(1);
    for (size_t i = 0; i < RESERVED_COUNT((imp_WorldDef){0}); ++i)
        for (size_t k = 0; k < RUBBISH_COUNT; ++k) {
            imp_WorldDef def = {.expected_body_count = 3};
            imp_World *world = NULL;
            def.reserved[i] = rubbish[k];
            check_refusal(context, imp_world_create(context, &def, &world));
            CHECK(!world);
            def.reserved[i] = 0;
            CHECK_INT(imp_world_create(context, &def, &world), IMP_STATUS_OK);
            imp_world_destroy(world);
        }
    imp_context_destroy(context);
}

// Two spheres that touch.
static Fixture world_of_two(void)
{
    Fixture fixture = fixture_make();
    add(fixture.world, sphere(fixture.context, 1), 0);
    add(fixture.world, sphere(fixture.context, 1), 0.7);
    return fixture;
}

TEST(body_def)
{
    Fixture fixture = world_of_two();
    imp_Mesh *mesh = cube(fixture.context, 0.5);
    imp_Convex *convex = NULL;
    ReportCopy copy;
    CHECK_INT(imp_convex_create_from_mesh(fixture.context, mesh, &convex), IMP_STATUS_OK);
    copy_report(fixture.world, &copy);
    CHECK_INT(copy.report.body_pair_count, 1);
    for (size_t i = 0; i < RESERVED_COUNT((imp_BodyDef){0}); ++i)
        for (size_t k = 0; k < 2 * RUBBISH_COUNT; ++k) {
            imp_BodyDef def = {.mesh = k % 2 ? mesh : NULL, .convex = k % 2 ? NULL : convex};
            imp_BodyId id = {77, 78};
            def.reserved[i] = rubbish[k / 2];
            check_refusal(fixture.context, imp_world_add_body(fixture.world, &def, &id));
            CHECK(id.slot == 77 && id.generation == 78);
            CHECK_INT(imp_world_get_body_count(fixture.world), 2);
            CHECK(says_the_same(fixture.world, &copy));
        }
    // No slot was lost either.
    imp_BodyId id = add(fixture.world, mesh, 0);
    CHECK(id.slot == 3 && id.generation == 1);
    imp_convex_release(convex);
    fixture_destroy(&fixture);
}

TEST(detect_def)
{
    Fixture fixture = world_of_two();
    ReportCopy copy;
    copy_report(fixture.world, &copy);
    for (size_t i = 0; i < RESERVED_COUNT((imp_DetectDef){0}); ++i)
        for (size_t k = 0; k < RUBBISH_COUNT; ++k)
            for (int mode = IMP_DETECT_FACES; mode <= IMP_DETECT_FIRST; ++mode) {
                imp_DetectDef def = {.mode = (imp_DetectMode)mode};
                const imp_Report *report = &copy.report;
                def.reserved[i] = rubbish[k];
                check_refusal(fixture.context, imp_world_detect(fixture.world, &def, &report));
                CHECK(report == &copy.report);
                CHECK(says_the_same(fixture.world, &copy));
            }
    // A body has moved: the refused detect did not take that for its own.
    CHECK_INT(imp_body_set_pose(fixture.world, (imp_BodyId){2, 1}, (imp_Pose){.translation.x = 9}),
              IMP_STATUS_OK);
    const imp_Report *report = NULL;
    imp_DetectDef def = {.reserved = {1}};
    check_refusal(fixture.context, imp_world_detect(fixture.world, &def, &report));
    CHECK(!report);
    report = detect(fixture.world);
    CHECK_INT(report->ended_count, 1);
    CHECK_INT(report->body_pair_count, 0);
    fixture_destroy(&fixture);
}

TEST(refine_def)
{
    Fixture fixture = world_of_two();
    detect(fixture.world);
    for (size_t i = 0; i < RESERVED_COUNT((imp_RefineDef){0}); ++i)
        for (size_t k = 0; k < RUBBISH_COUNT; ++k) {
            imp_RefineDef def = {0};
            const imp_Report *report = NULL;
            def.reserved[i] = rubbish[k];
            check_refusal(fixture.context, imp_world_refine(fixture.world, &def, &report));
            CHECK(!report);
            def.reserved[i] = 0;
            CHECK_INT(imp_world_refine(fixture.world, &def, &report), IMP_STATUS_OK);
        }
    fixture_destroy(&fixture);
}

TEST(sweep_defs)
{
    Fixture fixture = world_of_two();
    const imp_BodyId id = {2, 1};
    for (size_t i = 0; i < RESERVED_COUNT((imp_SweepDef){0}); ++i)
        for (size_t k = 0; k < RUBBISH_COUNT; ++k) {
            imp_SweepDef def = {0};
            const imp_SweepReport *report = NULL;
            def.reserved[i] = rubbish[k];
            check_refusal(fixture.context, imp_world_sweep(fixture.world, &def, &report));
            CHECK(!report);
            def.reserved[i] = 0;
            CHECK_INT(imp_world_sweep(fixture.world, &def, &report), IMP_STATUS_OK);
        }
    for (size_t i = 0; i < RESERVED_COUNT((imp_TargetDef){0}); ++i)
        for (size_t k = 0; k < RUBBISH_COUNT; ++k) {
            imp_TargetDef def = {.pose.translation.x = 9};
            def.reserved[i] = rubbish[k];
            check_refusal(fixture.context, imp_body_set_target(fixture.world, id, &def));
        }
    // None of them was taken.
    imp_Pose pose;
    CHECK_INT(imp_world_advance(fixture.world, 1), IMP_STATUS_OK);
    CHECK_INT(imp_body_get_pose(fixture.world, id, &pose), IMP_STATUS_OK);
    CHECK(pose.translation.x != 9);
    fixture_destroy(&fixture);
}

TEST(octree_defs)
{
    imp_Context *context = context_with_threads(1);
    imp_Mesh *mesh = cube(context, 0.5);
    imp_Octree *octree = NULL, *other = NULL;
    imp_OctreeDef whole = {.mesh = mesh, .grid.level = 2};
    CHECK_INT(imp_octree_create(context, &whole, &octree), IMP_STATUS_OK);
    for (size_t i = 0; i < RESERVED_COUNT((imp_OctreeDef){0}); ++i)
        for (size_t k = 0; k < RUBBISH_COUNT; ++k) {
            imp_OctreeDef def = whole;
            imp_OctreeMoveDef motion = {0};
            imp_OctreeCubesDef cubes = {0};
            imp_OctreeLoadDef load = {0};
            size_t count = 77;
            def.reserved[i] = motion.reserved[i] = cubes.reserved[i] = load.reserved[i] = rubbish[k];
            check_refusal(context, imp_octree_create(context, &def, &other));
            check_refusal(context, imp_octree_move(context, octree, &motion, &other));
            check_refusal(context, imp_octree_get_cubes(context, octree, &cubes, NULL, 0, &count));
            check_refusal(context, imp_octree_load(context, "nothing.oct", &load, &other));
            CHECK(!other && count == 77);
        }
    imp_octree_release(octree);
    imp_mesh_release(mesh);
    imp_context_destroy(context);
}

TEST(sphere_tree_defs)
{
    imp_Context *context = context_with_threads(1);
    imp_Mesh *mesh = cube(context, 1);
    imp_GivenSphere sphere = {.radius = 2, .parent = IMP_NO_SPHERE};
    for (size_t i = 0; i < RESERVED_COUNT((imp_SphereTreeDef){0}); ++i)
        for (size_t k = 0; k < RUBBISH_COUNT; ++k) {
            imp_SphereTreeDef def = {.mesh = mesh, .method = IMP_SPHERES_OCTREE};
            imp_SphereTree *tree = NULL;
            def.reserved[i] = rubbish[k];
            check_refusal(context, imp_sphere_tree_create(context, &def, &tree));
            CHECK(!tree);
        }
    for (size_t i = 0; i < RESERVED_COUNT((imp_GivenSpheresDef){0}); ++i)
        for (size_t k = 0; k < RUBBISH_COUNT; ++k) {
            imp_GivenSpheresDef def = {.mesh = mesh, .spheres = &sphere, .count = 1};
            imp_SphereTree *tree = NULL;
            def.reserved[i] = rubbish[k];
            check_refusal(context, imp_sphere_tree_create_from_spheres(context, &def, &tree));
            CHECK(!tree);
            def.reserved[i] = 0;
            CHECK_INT(imp_sphere_tree_create_from_spheres(context, &def, &tree), IMP_STATUS_OK);
            imp_sphere_tree_release(tree);
        }
    imp_mesh_release(mesh);
    imp_context_destroy(context);
}

TEST(watch)
{
    imp_Context *context = context_with_threads(1);
    imp_Cancel *cancel = NULL;
    bool closed;
    imp_Mesh *mesh = cube(context, 1);
    CHECK_INT(imp_cancel_create(context, &cancel), IMP_STATUS_OK);
    imp_cancel_request(cancel);
    CHECK_INT(imp_context_watch(context, &(imp_Watch){.cancel = cancel}), IMP_STATUS_OK);
    for (size_t i = 0; i < RESERVED_COUNT((imp_Watch){0}); ++i)
        for (size_t k = 0; k < RUBBISH_COUNT; ++k) {
            imp_Watch watch = {.budget_us = 1};
            watch.reserved[i] = rubbish[k];
            check_refusal(context, imp_context_watch(context, &watch));
            // The earlier one still watches.
            CHECK_INT(imp_mesh_is_closed(context, mesh, &closed), IMP_STATUS_CANCELLED);
        }
    imp_mesh_release(mesh);
    imp_cancel_destroy(cancel);
    imp_context_destroy(context);
}
