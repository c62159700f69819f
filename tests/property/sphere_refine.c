/// Detects with a budget in worlds of bodies with sphere trees, against worlds of the same bodies without
/// trees whose detects take as long as they need, and against exact distances. What is told of undecided
/// pairs must hold, more steps must never make it worse, and with all steps nothing differs.
#include "object/sphere_leaf.h"
#include "posed_faces.h"
#include "reports.h"
#include "sanitizers.h"
#include "shape/sphere_tree.h"
#include "sphere_bodies.h"
#include "sphere_shape_kinds.h"

#include <math.h>
#include <stdio.h>

#define MAX_BODIES   24
#define SCALE_COUNT  3
#define THREAD_KINDS 3 // of contexts: 1, 2 and 5 threads
#define MAX_PAIRS    (MAX_BODIES * (MAX_BODIES - 1) / 2)

// Detects with budgets by default, and from how many on the usual outcomes, or even rare ones, must have
// occurred.
#if defined(TEST_UNDER_SANITIZER)
#define DETECT_COUNT 400
#else
#define DETECT_COUNT 1250
#endif
#define SOME   400
#define ENOUGH 2500
#define LONG   50000 // from here on trees are fitted, too, for which minutes may pass

typedef struct Stage {
    imp_Context *contexts[THREAD_KINDS];
    SphereShape shapes[SCALE_COUNT][SHAPE_KINDS];
    double scale; // of the scene
    imp_Pose place;
    bool is_lattice; // bodies stand on lattice points, as they are or all turned alike
    Body bodies[MAX_BODIES];
    imp_BodyId ids[MAX_BODIES]; // the same in all worlds
    uint32_t body_count;
    imp_DetectDef def; // without a budget
    imp_World *truth;
    const imp_Report *plain;                  // of the truth, asked the same
    double distances[MAX_BODIES][MAX_BODIES]; // as far as they were asked for; else negative
} Stage;

// How often each outcome occurred.
static struct {
    uint64_t detects, spent, complete, undecided, touching_by_leaf, parted, inside, inside_shell,
        containment_open, widened, passed, with_spheres, without_trees, tight, refined, timed, threads, equal,
        far, lattices, tiny, huge, convex_touch, errors_fell;
} tally;

// ---- scenes

static const double scales[SCALE_COUNT] = {1, 1e-150, 1e150};

static void stage_make(Stage *stage, TreeChoice trees)
{
    static const uint32_t thread_counts[THREAD_KINDS] = {1, 2, 5};
    *stage = (Stage){0};
    for (int i = 0; i < THREAD_KINDS; ++i)
        stage->contexts[i] = context_with_threads(thread_counts[i]);
    for (int i = 0; i < SCALE_COUNT; ++i)
        sphere_shapes_make(stage->contexts[0], scales[i], i == 0 ? trees : TREES_FEW, stage->shapes[i]);
}

static void stage_destroy(Stage *stage)
{
    for (int i = 0; i < SCALE_COUNT; ++i)
        for (int k = 0; k < SHAPE_KINDS; ++k) {
            sphere_shape_release(&stage->shapes[i][k]);
        }
    for (int i = 0; i < THREAD_KINDS; ++i)
        imp_context_destroy(stage->contexts[i]);
}

// On a lattice sides and corners touch exactly, or but for the rounding of poses.
static imp_Pose random_pose(const Stage *stage, double reach)
{
    imp_Pose pose = {.translation = random_vector(reach * stage->scale), .rotation = random_rotation()},
             placed;
    double step = 0.25 * stage->scale;
    if (stage->is_lattice)
        pose = (imp_Pose){.translation = {step * round(pose.translation.x / step),
                                          step * round(pose.translation.y / step),
                                          step * round(pose.translation.z / step)}};
    CHECK_INT(imp_pose_compose(&stage->place, &pose, &placed), IMP_STATUS_OK);
    return placed;
}

static void make_body(Stage *stage, int scale, double reach, Body *body)
{
    static const uint32_t with_corners[] = {SHAPE_GRID_SOUP, SHAPE_SHEET,      SHAPE_BOX,
                                            SHAPE_BOX,       SHAPE_CONVEX_BOX, SHAPE_CONVEX_BOX};
    // Every shape alike, but the small one more often: it lies inside others.
    uint32_t kind = test_random_below(SHAPE_KINDS + 4);
    kind = stage->is_lattice ? with_corners[test_random_below(6)] : kind < SHAPE_KINDS ? kind : SHAPE_SMALL;
    const SphereShape *shape = &stage->shapes[scale][kind];
    free(body->vertices);
    *body = (Body){.shape = shape, .pose = random_pose(stage, reach)};
    if (shape->tree_count > 0 && test_random_below(6) > 0)
        body->tree = shape->trees[test_random_below((uint32_t)shape->tree_count)];
    if (test_random_below(3) == 0)
        body->importance = test_random_between(0, 10);
    if (!shape->convex && test_random_below(6) == 0)
        deform_body(body, stage->scale);
}

static void put_bodies(Stage *stage, imp_World *world)
{
    for (uint32_t i = 0; i < stage->body_count; ++i) {
        const Body *body = &stage->bodies[i];
        imp_BodyDef def = {.mesh = body->shape->convex ? NULL : body->shape->mesh,
                           .convex = body->shape->convex,
                           .pose = body->pose,
                           .importance = body->importance,
                           .spheres = world == stage->truth ? NULL : body->tree};
        CHECK_INT(imp_world_add_body(world, &def, &stage->ids[i]), IMP_STATUS_OK);
        if (body->vertices)
            CHECK_INT(imp_body_set_vertices(world, stage->ids[i], &body->vertices->x,
                                            imp_mesh_get_vertex_count(body->shape->mesh)),
                      IMP_STATUS_OK);
    }
}

static imp_World *make_world(Stage *stage, int threads)
{
    imp_World *world = NULL;
    CHECK_INT(imp_world_create(stage->contexts[threads], NULL, &world), IMP_STATUS_OK);
    put_bodies(stage, world);
    return world;
}

static imp_DetectDef random_def(void)
{
    return (imp_DetectDef){.mode = test_random_below(2) ? IMP_DETECT_FACES : IMP_DETECT_BODIES,
                           .ignore_containment = test_random_below(6) == 0,
                           .order = test_random_below(3) ? IMP_REFINE_LARGEST_ERROR : IMP_REFINE_ROUND_ROBIN};
}

static void ask_truth(Stage *stage)
{
    CHECK_INT(imp_world_detect(stage->truth, &stage->def, &stage->plain), IMP_STATUS_OK);
    for (int i = 0; i < MAX_BODIES; ++i)
        for (int k = 0; k < MAX_BODIES; ++k)
            stage->distances[i][k] = -1;
}

static void make_scene(Stage *stage)
{
    int scale = test_random_below(4) ? 0 : (int)test_random_below(SCALE_COUNT);
    bool is_far = test_random_below(8) == 0;
    bool is_crowd = test_random_below(6) == 0;
    stage->scale = scales[scale];
    stage->body_count = is_crowd ? MAX_BODIES : 2 + test_random_below(5);
    stage->is_lattice = test_random_below(4) == 0;
    stage->place = (imp_Pose){.translation = random_vector(is_far ? stage->scale * 1e12 : 0)};
    if (stage->is_lattice && test_random_below(2))
        stage->place.rotation = random_rotation();
    double reach = is_crowd ? 3 : test_random_between(0.2, 1.8);
    for (uint32_t i = 0; i < stage->body_count; ++i)
        make_body(stage, scale, reach, &stage->bodies[i]);
    stage->def = random_def();
    CHECK_INT(imp_world_create(stage->contexts[0], NULL, &stage->truth), IMP_STATUS_OK);
    put_bodies(stage, stage->truth);
    ask_truth(stage);
    tally.far += is_far;
    tally.lattices += stage->is_lattice;
    tally.tiny += scale == 1;
    tally.huge += scale == 2;
}

// ---- the truth

static const imp_BodyPair *find_in(const imp_BodyPair *pairs, size_t count, const imp_BodyPair *pair)
{
    return count ? bsearch(pair, pairs, count, sizeof *pairs, compare_body_pairs) : NULL;
}

// Slots are handed out in order, from 1.
static const Body *body_of(const Stage *stage, imp_BodyId id)
{
    return &stage->bodies[id.slot - 1];
}

static uint32_t true_relations(const Stage *stage, const imp_BodyPair *pair)
{
    const imp_BodyPair *found = find_in(stage->plain->body_pairs, stage->plain->body_pair_count, pair);
    return found ? found->relations : 0;
}

// With closed meshes as solids, which a detect that ignores containment does not tell.
static bool is_one_inside(Stage *stage, const imp_BodyPair *pair)
{
    if (!stage->def.ignore_containment)
        return true_relations(stage, pair) != 0;
    imp_World *world = NULL;
    const imp_Report *report = NULL;
    imp_DetectDef def = {.mode = IMP_DETECT_BODIES};
    CHECK_INT(imp_world_create(stage->contexts[0], NULL, &world), IMP_STATUS_OK);
    put_bodies(stage, world);
    CHECK_INT(imp_world_detect(world, &def, &report), IMP_STATUS_OK);
    bool is_found = find_in(report->body_pairs, report->body_pair_count, pair);
    imp_world_destroy(world);
    return is_found;
}

// Not more than the true distance, and nearly that.
static double true_distance(Stage *stage, const imp_BodyPair *pair)
{
    double *known = &stage->distances[pair->body_a.slot - 1][pair->body_b.slot - 1];
    imp_Distance distance = {0};
    if (*known >= 0)
        return *known;
    CHECK_INT(imp_world_distance(stage->truth, pair->body_a, pair->body_b, NULL, &distance), IMP_STATUS_OK);
    *known = distance.lower_bound;
    if (*known > 0 && is_one_inside(stage, pair))
        *known = 0;
    return *known;
}

// ---- what a report may say

static void check_listed(const Stage *stage, const imp_Report *report)
{
    for (size_t i = 0; i < report->body_pair_count; ++i) {
        const imp_BodyPair *pair = &report->body_pairs[i];
        uint32_t wanted = true_relations(stage, pair);
        const Body *a = body_of(stage, pair->body_a), *b = body_of(stage, pair->body_b);
        CHECK(i == 0 || compare_body_pairs(pair - 1, pair) < 0);
        CHECK(pair->relations != 0);
        CHECK_INT(pair->relations, wanted);
        CHECK(!pair->unanswered || report->budget_spent);
        if (!a->tree || !b->tree || !report->budget_spent)
            continue;
        tally.touching_by_leaf += pair->unanswered == IMP_QUESTION_FACES;
        tally.inside += (pair->relations & ~(uint32_t)IMP_RELATION_TOUCH) != 0;
        tally.convex_touch += a->shape->convex || b->shape->convex;
    }
}

static void check_ruled_out(const Stage *stage, const imp_Report *report)
{
    CHECK_INT(report->candidate_body_pairs, stage->plain->candidate_body_pairs);
    CHECK(report->body_pair_count + report->undecided_count <= report->candidate_body_pairs);
    for (size_t i = 0; i < stage->plain->body_pair_count; ++i) {
        const imp_BodyPair *pair = &stage->plain->body_pairs[i];
        bool is_listed = find_in(report->body_pairs, report->body_pair_count, pair) ||
                         find_in(report->undecided, report->undecided_count, pair);
        if (!CHECK(is_listed))
            printf("%s and %s came out separate\n", body_of(stage, pair->body_a)->shape->name,
                   body_of(stage, pair->body_b)->shape->name);
        tally.inside_shell += (pair->relations & ~(uint32_t)IMP_RELATION_TOUCH) != 0;
    }
}

static void check_estimate(Stage *stage, const imp_Report *report, size_t number)
{
    const imp_BodyPair *pair = &report->undecided[number];
    const imp_Estimate *estimate = &report->estimates[number];
    const Body *a = body_of(stage, pair->body_a), *b = body_of(stage, pair->body_b);
    double distance = true_distance(stage, pair);
    if (!CHECK(distance <= estimate->error))
        printf("%s and %s are %g apart, not %g; %s %s, moved %g and %g\n", a->shape->name, b->shape->name,
               distance, estimate->error, a->tree ? "spheres" : "no spheres", b->tree ? "spheres" : "none",
               a->moved, b->moved);
    bool has_trees = a->tree && b->tree;
    CHECK(has_trees || estimate->sphere_pair_count == 0);
    CHECK(estimate->first_sphere_pair + estimate->sphere_pair_count <= report->sphere_pair_count);
    for (size_t i = 0; i < estimate->sphere_pair_count && has_trees; ++i)
        check_spheres(stage->scale, a, b, report->sphere_pairs[estimate->first_sphere_pair + i]);
    const imp_Vec3 *n = &estimate->normal;
    double length = hypot(hypot(n->x, n->y), n->z);
    CHECK(length == 0 || fabs(length - 1) < 1e-6);
    CHECK(isfinite(estimate->point.x) && isfinite(estimate->point.y) && isfinite(estimate->point.z));
    tally.without_trees += !has_trees;
    tally.with_spheres += estimate->sphere_pair_count > 0;
    tally.widened += estimate->sphere_pair_count > 0 && (a->vertices || b->vertices);
    tally.tight += distance > 0 && estimate->error < 2 * distance;
    if (estimate->sphere_pair_count == 0)
        return;
    imp_SpherePair first = report->sphere_pairs[estimate->first_sphere_pair];
    bool are_leaves =
        first.sphere_a >= a->tree->lanes.first_leaf && first.sphere_b >= b->tree->lanes.first_leaf;
    impi_Body left = {.spheres = a->tree}, right = {.spheres = b->tree};
    tally.passed +=
        are_leaves && !impi_leaves_are_small(&(impi_LeafPair){&left, &right, first.sphere_a, first.sphere_b});
}

static void check_undecided(Stage *stage, const imp_Report *report)
{
    const uint32_t deciding = IMP_QUESTION_TOUCH | IMP_QUESTION_CONTAINMENT;
    size_t next = 0;
    CHECK(report->undecided_count == 0 || report->budget_spent);
    for (size_t i = 0; i < report->undecided_count; ++i) {
        const imp_BodyPair *pair = &report->undecided[i];
        CHECK(i == 0 || compare_body_pairs(pair - 1, pair) < 0);
        CHECK(pair->relations == 0 && (pair->unanswered & deciding) != 0);
        CHECK(!find_in(report->body_pairs, report->body_pair_count, pair));
        CHECK_INT(report->estimates[i].first_sphere_pair, next);
        next += report->estimates[i].sphere_pair_count;
        check_estimate(stage, report, i);
        tally.containment_open += pair->unanswered == IMP_QUESTION_CONTAINMENT;
    }
    CHECK_INT(report->sphere_pair_count, next);
    tally.undecided += report->undecided_count;
}

// While a pair of spheres is left, nothing but spheres has ruled pairs out.
static void count_parted(const imp_Report *report)
{
    bool is_refining = false;
    for (size_t i = 0; i < report->undecided_count; ++i)
        is_refining |= report->estimates[i].sphere_pair_count > 0;
    if (is_refining)
        tally.parted += report->candidate_body_pairs - report->body_pair_count - report->undecided_count;
}

// What must be the same once nothing is left to be asked.
static void check_complete(const Stage *stage, const imp_Report *report)
{
    imp_Report got = *report, wanted = *stage->plain;
    got.begun_count = got.ended_count = wanted.begun_count = wanted.ended_count = 0;
    got.candidate_face_pairs = wanted.candidate_face_pairs; // spheres spare some of them
    CHECK(same_reports(&got, &wanted));
    CHECK(report->undecided_count == 0 && report->sphere_pair_count == 0);
    ++tally.equal;
}

static void check_report(Stage *stage, const imp_Report *report, uint64_t budget_steps)
{
    check_listed(stage, report);
    check_undecided(stage, report);
    check_ruled_out(stage, report);
    if (!report->budget_spent)
        check_complete(stage, report);
    else
        count_parted(report);
    CHECK(budget_steps == 0 || report->step_count <= budget_steps);
    ++tally.detects;
    tally.spent += report->budget_spent;
    tally.complete += !report->budget_spent;
}

// ---- more steps are never worse

typedef struct Known {
    imp_BodyPair pairs[MAX_PAIRS];
    double errors[MAX_PAIRS];
    size_t count;
} Known;

static void note_known(const imp_Report *report, Known *known)
{
    known->count = 0;
    for (size_t i = 0; i < report->undecided_count && known->count < MAX_PAIRS; ++i, ++known->count) {
        known->pairs[known->count] = report->undecided[i];
        known->errors[known->count] = report->estimates[i].error;
    }
}

static void check_no_worse(const Known *before, const imp_Report *report)
{
    for (size_t i = 0; i < report->undecided_count; ++i) {
        const imp_BodyPair *was = find_in(before->pairs, before->count, &report->undecided[i]);
        if (!CHECK(was)) // what was decided stays so
            continue;
        double error = before->errors[was - before->pairs];
        CHECK(report->estimates[i].error <= error);
        tally.errors_fell += report->estimates[i].error < error;
    }
}

// ---- detects

static const imp_Report *detect(Stage *stage, imp_World *world, const imp_DetectDef *def)
{
    const imp_Report *report = NULL;
    if (!CHECK_INT(imp_world_detect(world, def, &report), IMP_STATUS_OK))
        return NULL;
    check_report(stage, report, def->budget_steps);
    return report;
}

static uint64_t random_steps(const Stage *stage)
{
    double most = 40.0 * stage->body_count * stage->body_count;
    return (uint64_t)exp(test_random_between(0, log(most)));
}

// Go on until all is known, by steps or by the clock.
static void refine_to_the_end(Stage *stage, imp_World *world, Known *known)
{
    const imp_Report *report = NULL;
    for (int round = 0;; ++round) {
        imp_RefineDef def = {.budget_steps = random_steps(stage)};
        if (test_random_below(8) == 0)
            def = (imp_RefineDef){.budget_us = 1 + test_random_below(50)};
        if (!CHECK(round < 10000) ||
            !CHECK_INT(imp_world_refine(world, round < 20 ? &def : NULL, &report), IMP_STATUS_OK))
            return;
        check_report(stage, report, round < 20 ? def.budget_steps : 0);
        check_no_worse(known, report);
        ++tally.refined;
        if (!report->budget_spent)
            return;
        note_known(report, known);
    }
}

static bool have_same_estimates(const imp_Report *a, const imp_Report *b)
{
    return are_same_bytes(a->estimates, b->estimates, a->undecided_count * sizeof *a->estimates) &&
           a->sphere_pair_count == b->sphere_pair_count && a->step_count == b->step_count &&
           are_same_bytes(a->sphere_pairs, b->sphere_pairs, a->sphere_pair_count * sizeof *a->sphere_pairs);
}

// The same steps on other numbers of threads, detect and refine.
static void check_threads(Stage *stage, const imp_DetectDef *def)
{
    const imp_RefineDef further = {.budget_steps = random_steps(stage)};
    imp_World *worlds[THREAD_KINDS];
    const imp_Report *reports[THREAD_KINDS];
    for (int round = 0; round < 2; ++round)
        for (int i = 0; i < THREAD_KINDS; ++i) {
            if (round == 0)
                worlds[i] = make_world(stage, i);
            CHECK_INT(round == 0 ? imp_world_detect(worlds[i], def, &reports[i])
                                 : imp_world_refine(worlds[i], &further, &reports[i]),
                      IMP_STATUS_OK);
            check_report(stage, reports[i], round == 0 ? def->budget_steps : further.budget_steps);
            CHECK(same_reports(reports[i], reports[0]) && have_same_estimates(reports[i], reports[0]));
            ++tally.threads;
        }
    for (int i = 0; i < THREAD_KINDS; ++i)
        imp_world_destroy(worlds[i]);
}

static void detect_without_end(Stage *stage)
{
    imp_DetectDef def = stage->def;
    imp_World *world = make_world(stage, 0);
    const imp_Report *report;
    uint32_t how = test_random_below(3);
    if (how == 0)
        def.method = IMP_METHOD_SPHERES;
    else
        def.budget_steps = UINT64_MAX - (how - 1);
    report = detect(stage, world, &def);
    CHECK(report && !report->budget_spent);
    imp_world_destroy(world);
}

static void detect_within_time(Stage *stage)
{
    static Known known;
    imp_DetectDef def = stage->def;
    imp_World *world = make_world(stage, (int)test_random_below(2));
    def.budget_us = 1 + test_random_below(60);
    const imp_Report *report = detect(stage, world, &def);
    ++tally.timed;
    if (report) {
        note_known(report, &known);
        refine_to_the_end(stage, world, &known);
    }
    imp_world_destroy(world);
}

// Two budgets in two worlds, and the second goes on to the end.
static void detect_within_steps(Stage *stage)
{
    static Known known;
    imp_DetectDef def = stage->def;
    imp_World *first = make_world(stage, 0), *second = make_world(stage, 0);
    def.budget_steps = random_steps(stage);
    if (test_random_below(4) == 0)
        def.method = IMP_METHOD_SPHERES;
    const imp_Report *report = detect(stage, first, &def);
    if (report)
        note_known(report, &known);
    imp_world_destroy(first);
    def.budget_steps += test_random_below(3) ? 1 : random_steps(stage);
    report = report ? detect(stage, second, &def) : NULL;
    if (report) {
        check_no_worse(&known, report);
        note_known(report, &known);
        if (test_random_below(2))
            refine_to_the_end(stage, second, &known);
    }
    imp_world_destroy(second);
}

// Some bodies move, in the truth and in a world that stays: what it knows from before must not mislead it.
static void move_bodies(Stage *stage, imp_World *world)
{
    for (uint32_t i = 0; i < stage->body_count; ++i) {
        Body *body = &stage->bodies[i];
        uint32_t what = test_random_below(6);
        if (what == 0 && !body->shape->convex) {
            deform_body(body, stage->scale);
            size_t count = imp_mesh_get_vertex_count(body->shape->mesh);
            CHECK_INT(imp_body_set_vertices(world, stage->ids[i], &body->vertices->x, count), IMP_STATUS_OK);
            CHECK_INT(imp_body_set_vertices(stage->truth, stage->ids[i], &body->vertices->x, count),
                      IMP_STATUS_OK);
        } else if (what < 3) {
            body->pose.translation = sum(body->pose.translation, random_vector(0.3 * stage->scale));
            CHECK_INT(imp_body_set_pose(world, stage->ids[i], body->pose), IMP_STATUS_OK);
            CHECK_INT(imp_body_set_pose(stage->truth, stage->ids[i], body->pose), IMP_STATUS_OK);
        }
    }
    ask_truth(stage);
}

static void detect_in_motion(Stage *stage)
{
    imp_World *world = make_world(stage, (int)test_random_below(2));
    for (int frame = 0; frame < 6; ++frame) {
        imp_DetectDef def = stage->def;
        def.budget_steps = random_steps(stage);
        if (test_random_below(8) == 0)
            def.budget_us = 1 + test_random_below(60);
        detect(stage, world, &def);
        move_bodies(stage, world);
    }
    imp_world_destroy(world);
}

static void run_scene(Stage *stage, uint64_t number)
{
    test_random_restart(number);
    make_scene(stage);
    for (int i = 0; i < 4; ++i)
        detect_within_steps(stage);
    if (test_random_below(2))
        detect_within_time(stage);
    if (test_random_below(8) == 0)
        check_threads(stage, &(imp_DetectDef){.mode = stage->def.mode,
                                              .ignore_containment = stage->def.ignore_containment,
                                              .order = stage->def.order,
                                              .budget_steps = random_steps(stage)});
    detect_without_end(stage);
    detect_in_motion(stage);
    imp_world_destroy(stage->truth);
    stage->truth = NULL;
}

static void print_tally(void)
{
#define N(count) (unsigned long long)tally.count
    printf(
        "%llu detects (%llu refined, %llu by the clock, %llu on several threads): %llu cut short, %llu "
        "complete; %llu pairs undecided, %llu of them for containment only, %llu with spheres, %llu without "
        "trees, %llu with leaves of many faces; %llu touching by leaves, %llu with solids, %llu parted by "
        "spheres, %llu inside, %llu times inside a shell; %llu widened; %llu errors below twice the "
        "distance, %llu fell; %llu scenes far away, %llu on lattices, %llu tiny, %llu huge\n",
        N(detects), N(refined), N(timed), N(threads), N(spent), N(complete), N(undecided),
        N(containment_open), N(with_spheres), N(without_trees), N(passed), N(touching_by_leaf),
        N(convex_touch), N(parted), N(inside), N(inside_shell), N(widened), N(tight), N(errors_fell), N(far),
        N(lattices), N(tiny), N(huge));
#undef N
}

TEST(what_is_known_within_a_budget_is_true)
{
    static Stage stage;
    uint64_t count = test_count(DETECT_COUNT);
    stage_make(&stage, count >= LONG ? TREES_ALL : TREES_UNFITTED);
    for (uint64_t number = 0; tally.detects < count && test_failed_checks() < 20; ++number)
        run_scene(&stage, number);
    for (int i = 0; i < MAX_BODIES; ++i)
        free(stage.bodies[i].vertices);
    stage_destroy(&stage);
    print_tally();
    if (count < SOME)
        return;
    CHECK(tally.spent * 5 > tally.detects && tally.complete * 20 > tally.detects);
    CHECK(tally.undecided > tally.spent && tally.with_spheres > count / 10 &&
          tally.without_trees > count / 10);
    CHECK(tally.touching_by_leaf > count / 100 && tally.parted > count / 100 && tally.widened > count / 100);
    CHECK(tally.errors_fell > count / 100 && tally.refined > count / 100 && tally.tight > 0);
    if (count < ENOUGH)
        return;
    CHECK(tally.containment_open > 0 && tally.passed > 0);
    CHECK(tally.with_spheres > 1000 && tally.without_trees > 1000 && tally.widened > 100);
    CHECK(tally.touching_by_leaf > 100 && tally.parted > 100 && tally.inside > 0 && tally.inside_shell > 0);
    CHECK(tally.tight > 0 && tally.errors_fell > 100 && tally.convex_touch > 0);
    CHECK(tally.timed > 0 && tally.refined > 100 && tally.threads > 0);
    CHECK(tally.far > 0 && tally.lattices > 0 && tally.tiny > 0 && tally.huge > 0);
}
