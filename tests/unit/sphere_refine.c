// Detects with budgets in worlds of bodies with sphere trees: what is refused, what goes on, whose turn it
// is.
#include "reports.h"
#include "sphere_shapes.h"
#include "world_fixture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// ---- bodies

static imp_Mesh *torus(imp_Context *context)
{
    imp_Mesh *mesh = NULL;
    CHECK_INT(scene_torus(context, 24, 12, 1, 0.3, &mesh), IMP_STATUS_OK);
    return mesh;
}

// The world's references are the only ones that stay.
static imp_BodyId add_with_spheres(imp_Context *context, imp_World *world, imp_Mesh *mesh, imp_Vec3 place)
{
    imp_BodyId id = {0};
    imp_SphereTree *tree = octree_spheres(context, mesh, 8, 3);
    imp_BodyDef def = {.mesh = mesh, .spheres = tree, .pose.translation = place};
    CHECK_INT(imp_world_add_body(world, &def, &id), IMP_STATUS_OK);
    imp_sphere_tree_release(tree);
    imp_mesh_release(mesh);
    return id;
}

// A ball in the hole of a ring: their boxes meet, they don't, and spheres take long to tell.
static void add_ring_and_ball(const Fixture *fixture, double x)
{
    add_with_spheres(fixture->context, fixture->world, torus(fixture->context), (imp_Vec3){x, 0, 0});
    add_with_spheres(fixture->context, fixture->world, sphere(fixture->context, 0.65), (imp_Vec3){x, 0, 0});
}

static const imp_Report *detect_steps(imp_World *world, uint64_t steps)
{
    static const imp_Report none;
    const imp_Report *report = NULL;
    imp_DetectDef def = {.budget_steps = steps};
    return CHECK_INT(imp_world_detect(world, &def, &report), IMP_STATUS_OK) ? report : &none;
}

static const imp_Report *refine(imp_World *world, const imp_RefineDef *def)
{
    static const imp_Report none;
    const imp_Report *report = NULL;
    return CHECK_INT(imp_world_refine(world, def, &report), IMP_STATUS_OK) ? report : &none;
}

static void expect_refusal(const Fixture *fixture, imp_Status status, const char *part)
{
    const imp_Error *error = imp_context_get_error(fixture->context);
    CHECK_INT(status, IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(error->status, IMP_STATUS_BAD_ARGUMENT);
    CHECK_CONTAINS(error->message, part);
}

// ---- going on

TEST(refining_goes_on_until_all_is_known)
{
    Fixture fixture = fixture_make();
    add_ring_and_ball(&fixture, 0);
    const imp_Report *report = detect_steps(fixture.world, 2);
    double error = INFINITY;
    int rounds = 0;
    for (; report->budget_spent && rounds < 10000; ++rounds) {
        CHECK_INT(report->step_count, 2);
        CHECK_INT(report->undecided_count, 1);
        CHECK(report->estimates[0].error <= error && report->estimates[0].error >= 0.05);
        error = report->estimates[0].error;
        report = refine(fixture.world, &(imp_RefineDef){.budget_steps = 2});
    }
    CHECK(rounds > 5 && rounds < 10000 && error < 0.5);
    CHECK(report->undecided_count == 0 && report->body_pair_count == 0 && report->candidate_body_pairs == 1);
    // Nothing is left: no step is needed to say so again.
    CHECK_INT(refine(fixture.world, NULL)->step_count, 0);
    CHECK_INT(detect_steps(fixture.world, 1)->step_count, 0);
    fixture_destroy(&fixture);
}

TEST(refining_without_a_def_is_done_at_once)
{
    Fixture fixture = fixture_make();
    add_ring_and_ball(&fixture, 0);
    CHECK(detect_steps(fixture.world, 1)->budget_spent);
    const imp_Report *report = refine(fixture.world, NULL);
    CHECK(!report->budget_spent && report->undecided_count == 0 && report->overshoot_ns == 0);
    fixture_destroy(&fixture);
}

TEST(refining_needs_a_detect_of_the_world_as_it_is)
{
    Fixture fixture = fixture_make();
    const imp_Report *report = NULL;
    add_ring_and_ball(&fixture, 0);
    imp_BodyId id =
        add_with_spheres(fixture.context, fixture.world, cube(fixture.context, 0.5), (imp_Vec3){9, 0, 0});
    expect_refusal(&fixture, imp_world_refine(fixture.world, NULL, &report), "no detect");
    CHECK_INT(imp_world_detect(fixture.world, &(imp_DetectDef){.mode = IMP_DETECT_FIRST}, &report),
              IMP_STATUS_OK);
    report = NULL;
    expect_refusal(&fixture, imp_world_refine(fixture.world, NULL, &report), "no detect");
    CHECK(report == NULL);
    detect_steps(fixture.world, 3);
    CHECK_INT(imp_body_set_pose(fixture.world, id, (imp_Pose){.translation = {8, 0, 0}}), IMP_STATUS_OK);
    expect_refusal(&fixture, imp_world_refine(fixture.world, NULL, &report), "changed");
    detect_steps(fixture.world, 3);
    CHECK_INT(imp_world_ignore_pair(fixture.world, id, (imp_BodyId){1, 1}, true) == IMP_STATUS_OK, true);
    expect_refusal(&fixture, imp_world_refine(fixture.world, NULL, &report), "changed");
    detect_steps(fixture.world, 3);
    CHECK_INT(imp_world_remove_body(fixture.world, id), IMP_STATUS_OK);
    expect_refusal(&fixture, imp_world_refine(fixture.world, NULL, &report), "changed");
    detect_steps(fixture.world, 3);
    refine(fixture.world, NULL);
    fixture_destroy(&fixture);
}

TEST(null_arguments_and_reserved_fields_of_refining)
{
    Fixture fixture = fixture_make();
    const imp_Report *report = NULL;
    CHECK_INT(imp_world_refine(NULL, NULL, &report), IMP_STATUS_BAD_ARGUMENT);
    detect(fixture.world);
    CHECK_INT(imp_world_refine(fixture.world, NULL, NULL), IMP_STATUS_BAD_ARGUMENT);
    for (int i = 0; i < 4; ++i) {
        imp_RefineDef def = {0};
        def.reserved[i] = 1;
        expect_refusal(&fixture, imp_world_refine(fixture.world, &def, &report), "reserved");
    }
    expect_refusal(&fixture,
                   imp_world_detect(fixture.world, &(imp_DetectDef){.order = (imp_RefineOrder)2}, &report),
                   "order");
    expect_refusal(&fixture,
                   imp_world_detect(fixture.world, &(imp_DetectDef){.order = (imp_RefineOrder)-1}, &report),
                   "order");
    fixture_destroy(&fixture);
}

// ---- what a body is given

TEST(spheres_of_another_mesh_are_refused)
{
    Fixture fixture = fixture_make();
    imp_Mesh *mesh = cube(fixture.context, 1), *same = cube(fixture.context, 1);
    imp_Convex *convex = NULL;
    imp_BodyId id;
    CHECK_INT(imp_convex_create_from_mesh(fixture.context, mesh, &convex), IMP_STATUS_OK);
    imp_SphereTree *tree = octree_spheres(fixture.context, same, 8, 1);
    imp_SphereTree *of_convex = octree_spheres(fixture.context, imp_convex_get_mesh(convex), 8, 1);
    const imp_BodyDef refused[] = {{.mesh = mesh, .spheres = tree},
                                   {.mesh = same, .spheres = of_convex},
                                   {.convex = convex, .spheres = tree}};
    for (int i = 0; i < 3; ++i)
        expect_refusal(&fixture, imp_world_add_body(fixture.world, &refused[i], &id), "another mesh");
    CHECK_INT(imp_world_get_body_count(fixture.world), 0);
    const imp_BodyDef taken[] = {{.mesh = same, .spheres = tree}, {.convex = convex, .spheres = of_convex}};
    for (int i = 0; i < 2; ++i)
        CHECK_INT(imp_world_add_body(fixture.world, &taken[i], &id), IMP_STATUS_OK);
    imp_sphere_tree_release(tree);
    imp_sphere_tree_release(of_convex);
    imp_convex_release(convex);
    imp_mesh_release(mesh);
    imp_mesh_release(same);
    CHECK(detect_steps(fixture.world, 1)->budget_spent); // with what the world alone holds
    CHECK_INT(refine(fixture.world, NULL)->body_pair_count, 1);
    fixture_destroy(&fixture);
}

TEST(bad_importances_are_refused)
{
    static const double bad[] = {-1, -0x1p-1074, INFINITY, -INFINITY, NAN};
    Fixture fixture = fixture_make();
    imp_Mesh *mesh = cube(fixture.context, 1);
    imp_BodyId id;
    for (int i = 0; i < 5; ++i)
        expect_refusal(
            &fixture,
            imp_world_add_body(fixture.world, &(imp_BodyDef){.mesh = mesh, .importance = bad[i]}, &id),
            "importance");
    CHECK_INT(imp_world_get_body_count(fixture.world), 0);
    CHECK_INT(imp_world_add_body(fixture.world, &(imp_BodyDef){.mesh = mesh, .importance = 1e308}, &id),
              IMP_STATUS_OK);
    imp_mesh_release(mesh);
    fixture_destroy(&fixture);
}

// ---- whose turn it is

#define PAIR_COUNT 200 // more than have their turns at once
#define IMPORTANT  150

typedef struct Rings {
    Fixture fixture;
    imp_BodyId rings[PAIR_COUNT];
} Rings;

// Trees of a ring, and of a ball of a radius. Made once for each radius: they outlive contexts.
typedef struct RingTrees {
    double radius;
    imp_SphereTree *ring, *ball;
} RingTrees;

static const RingTrees *ring_trees(double radius)
{
    static RingTrees kept[2];
    static size_t count;
    imp_Context *context = NULL;
    for (size_t i = 0; i < count; ++i)
        if (kept[i].radius == radius)
            return &kept[i];
    if (!CHECK(count < 2))
        exit(1);
    CHECK_INT(imp_context_create(NULL, &context), IMP_STATUS_OK);
    imp_Mesh *ring = torus(context), *ball = sphere(context, radius);
    kept[count] =
        (RingTrees){radius, octree_spheres(context, ring, 8, 3), octree_spheres(context, ball, 8, 3)};
    imp_mesh_release(ring);
    imp_mesh_release(ball);
    imp_context_destroy(context);
    return &kept[count++];
}

// Rings with balls of a radius in their holes, all alike but for the importance of one pair.
static Rings rings_make(double radius, double importance)
{
    Rings rings = {.fixture = fixture_make()};
    const RingTrees *trees = ring_trees(radius);
    for (int i = 0; i < PAIR_COUNT; ++i) {
        imp_BodyId id;
        imp_BodyDef def = {.mesh = imp_sphere_tree_get_mesh(trees->ring),
                           .spheres = trees->ring,
                           .pose.translation.x = 4.0 * i,
                           .importance = i == IMPORTANT ? importance : 0};
        CHECK_INT(imp_world_add_body(rings.fixture.world, &def, &rings.rings[i]), IMP_STATUS_OK);
        def.mesh = imp_sphere_tree_get_mesh(trees->ball);
        def.spheres = trees->ball;
        CHECK_INT(imp_world_add_body(rings.fixture.world, &def, &id), IMP_STATUS_OK);
    }
    return rings;
}

static const imp_Report *detect_rings(const Rings *rings, imp_RefineOrder order, uint64_t steps)
{
    const imp_Report *report = NULL;
    imp_DetectDef def = {.order = order, .budget_steps = steps};
    CHECK_INT(imp_world_detect(rings->fixture.world, &def, &report), IMP_STATUS_OK);
    return report;
}

static bool is_undecided(const imp_Report *report, imp_BodyId body)
{
    bool is_listed = false;
    for (size_t i = 0; i < report->undecided_count; ++i)
        is_listed |= report->undecided[i].body_a.slot == body.slot;
    return is_listed;
}

// How many steps it takes until the pair is decided, or a little more.
static uint64_t steps_until_decided(imp_RefineOrder order, double importance)
{
    uint64_t steps = 64;
    bool is_decided = false;
    while (!is_decided && steps < 1000000) {
        steps += 1 + steps / 16;
        Rings rings = rings_make(0.3, importance);
        is_decided = !is_undecided(detect_rings(&rings, order, steps), rings.rings[IMPORTANT]);
        fixture_destroy(&rings.fixture);
    }
    CHECK(is_decided);
    return steps;
}

TEST(important_bodies_come_first)
{
    uint64_t important = steps_until_decided(IMP_REFINE_LARGEST_ERROR, 1000);
    uint64_t alike = steps_until_decided(IMP_REFINE_LARGEST_ERROR, 1);
    if (!CHECK(important < alike))
        printf("%llu steps, and without importance %llu\n", (unsigned long long)important,
               (unsigned long long)alike);
}

TEST(each_in_turn_whatever_is_important)
{
    for (uint64_t steps = 1; steps < 30000; steps *= 3) {
        Rings rings[2] = {rings_make(0.65, 0), rings_make(0.65, 1000)};
        const imp_Report *reports[2];
        for (int i = 0; i < 2; ++i)
            reports[i] = detect_rings(&rings[i], IMP_REFINE_ROUND_ROBIN, steps);
        CHECK(same_reports(reports[0], reports[1]));
        CHECK(are_same_bytes(reports[0]->estimates, reports[1]->estimates,
                             reports[0]->undecided_count * sizeof *reports[0]->estimates));
        for (int i = 0; i < 2; ++i)
            fixture_destroy(&rings[i].fixture);
    }
}

// ---- what begins and ends

TEST(undecided_pairs_neither_begin_nor_end)
{
    Fixture fixture = fixture_make();
    add_with_spheres(fixture.context, fixture.world, torus(fixture.context), (imp_Vec3){0, 0, 0});
    imp_BodyId ball = add_with_spheres(fixture.context, fixture.world, sphere(fixture.context, 0.65),
                                       (imp_Vec3){0.2, 0, 0});
    const imp_Report *report = detect_steps(fixture.world, 2);
    CHECK(report->undecided_count == 1 && report->begun_count == 0 && report->ended_count == 0);
    report = refine(fixture.world, NULL);
    CHECK(report->body_pair_count == 1 && report->begun_count == 1 && report->ended_count == 0);
    CHECK_INT(imp_body_set_pose(fixture.world, ball, (imp_Pose){0}), IMP_STATUS_OK);
    report = detect_steps(fixture.world, 2);
    CHECK(report->undecided_count == 1 && report->begun_count == 0 && report->ended_count == 0);
    report = refine(fixture.world, &(imp_RefineDef){.budget_steps = 2});
    CHECK(report->undecided_count == 1 && report->begun_count == 0 && report->ended_count == 0);
    report = refine(fixture.world, NULL);
    CHECK(report->body_pair_count == 0 && report->begun_count == 0 && report->ended_count == 1);
    fixture_destroy(&fixture);
}

// ---- what touched before

TEST(what_touched_is_looked_at_first)
{
    Fixture fixture = fixture_make();
    add_with_spheres(fixture.context, fixture.world, torus(fixture.context), (imp_Vec3){0, 0, 0});
    imp_BodyId ball = add_with_spheres(fixture.context, fixture.world, sphere(fixture.context, 0.65),
                                       (imp_Vec3){0.5, 0, 0});
    imp_Pose nearby = {.translation = {0.5001, 0, 0}}, apart = {.translation = {0.01, 0, 0}};
    CHECK_INT(detect_steps(fixture.world, 1)->undecided_count, 1); // nothing is known yet
    CHECK_INT(refine(fixture.world, &(imp_RefineDef){.budget_steps = 1000000})->body_pair_count, 1);
    CHECK_INT(imp_body_set_pose(fixture.world, ball, nearby), IMP_STATUS_OK);
    const imp_Report *report = detect_steps(fixture.world, 1);
    CHECK(report->body_pair_count == 1 && report->undecided_count == 0); // one step was enough
    CHECK_INT(imp_body_set_pose(fixture.world, ball, apart), IMP_STATUS_OK);
    CHECK_INT(detect_steps(fixture.world, 1)->undecided_count, 1);
    CHECK_INT(refine(fixture.world, NULL)->body_pair_count, 0);
    CHECK_INT(imp_body_set_pose(fixture.world, ball, nearby), IMP_STATUS_OK);
    CHECK_INT(detect_steps(fixture.world, UINT64_MAX)->body_pair_count, 1);
    fixture_destroy(&fixture);
}

// ---- how long it took

TEST(steps_and_overshoot_are_told)
{
    Rings rings = rings_make(0.65, 0);
    const imp_Report *report = NULL;
    imp_DetectDef def = {.budget_us = 1};
    CHECK_INT(imp_world_detect(rings.fixture.world, &def, &report), IMP_STATUS_OK);
    CHECK(report->budget_spent && report->overshoot_ns > 0 && report->overshoot_ns < 60000000000u);
    CHECK_INT(report->undecided_count, PAIR_COUNT);
    for (size_t i = 0; i < report->undecided_count; ++i) // most of them have not had a turn
        CHECK(report->estimates[i].error >= 0.05);
    for (uint64_t steps = 1; steps < 1000; steps = 3 * steps + 1) {
        report = refine(rings.fixture.world, &(imp_RefineDef){.budget_steps = steps});
        CHECK(report->budget_spent && report->overshoot_ns == 0);
        CHECK_INT(report->step_count, (int64_t)steps);
    }
    def = (imp_DetectDef){.budget_us = 1, .budget_steps = 1000000000};
    CHECK_INT(imp_world_detect(rings.fixture.world, &def, &report), IMP_STATUS_OK);
    CHECK(report->budget_spent && report->overshoot_ns > 0);
    report = refine(rings.fixture.world, &(imp_RefineDef){.budget_us = 3600000000u});
    CHECK(!report->budget_spent && report->overshoot_ns == 0);
    fixture_destroy(&rings.fixture);
}

// ---- what spheres can't tell

static imp_BodyId add_shape(imp_World *world, imp_BodyDef def)
{
    imp_BodyId id = {0};
    CHECK_INT(imp_world_add_body(world, &def, &id), IMP_STATUS_OK);
    return id;
}

static uint32_t relations_by_spheres(imp_World *world)
{
    const imp_Report *report = NULL;
    imp_DetectDef def = {.method = IMP_METHOD_SPHERES};
    CHECK_INT(imp_world_detect(world, &def, &report), IMP_STATUS_OK);
    return report->body_pair_count == 1 ? report->body_pairs[0].relations : 0;
}

TEST(a_body_inside_a_shell_is_never_separate)
{
    for (int cover = IMP_COVER_SURFACE; cover <= IMP_COVER_SOLID; ++cover) {
        Fixture fixture = fixture_make();
        imp_Mesh *meshes[2] = {sphere(fixture.context, 1), sphere(fixture.context, 0.2)};
        for (int i = 0; i < 2; ++i) {
            imp_SphereTree *tree = NULL;
            imp_SphereTreeDef def = {.mesh = meshes[i],
                                     .method = IMP_SPHERES_OCTREE,
                                     .cover = (imp_SphereCover)cover,
                                     .branch = 8,
                                     .depth = 2};
            CHECK_INT(imp_sphere_tree_create(fixture.context, &def, &tree), IMP_STATUS_OK);
            add_shape(fixture.world, (imp_BodyDef){.mesh = meshes[i], .spheres = tree});
            imp_sphere_tree_release(tree);
            imp_mesh_release(meshes[i]);
        }
        CHECK_INT(relations_by_spheres(fixture.world), IMP_RELATION_B_INSIDE_A);
        fixture_destroy(&fixture);
    }
}

TEST(a_mesh_inside_a_convex_body_touches_it)
{
    for (int cover = IMP_COVER_SURFACE; cover <= IMP_COVER_SOLID; ++cover) {
        Fixture fixture = fixture_make();
        SphereShape solid = convex_shape_make(fixture.context, "ball", sphere(fixture.context, 1));
        SphereShape inner = sphere_shape_make(fixture.context, "cube", cube(fixture.context, 0.1));
        imp_SphereTreeDef def = {
            .method = IMP_SPHERES_OCTREE, .cover = (imp_SphereCover)cover, .branch = 8, .depth = 2};
        sphere_shape_add(fixture.context, &solid, def);
        sphere_shape_add(fixture.context, &inner, def);
        add_shape(fixture.world, (imp_BodyDef){.convex = solid.convex, .spheres = solid.trees[0]});
        add_shape(fixture.world, (imp_BodyDef){.mesh = inner.mesh, .spheres = inner.trees[0]});
        CHECK_INT(relations_by_spheres(fixture.world), IMP_RELATION_TOUCH);
        sphere_shape_release(&solid);
        sphere_shape_release(&inner);
        fixture_destroy(&fixture);
    }
}
