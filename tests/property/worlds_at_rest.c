/// A detect costs what has changed, and says the same as one that looks at everything: random programs over
/// one long-lived world, whose every report must equal that of a fresh world made of the same bodies in the
/// same slots. What began and ended is the difference to the last report but those of IMP_DETECT_FIRST; how
/// many pairs are looked at is told by which bodies have changed; and where nothing has, nothing is
/// allocated.
#include "failing_allocator.h"
#include "harness.h"
#include "posed_faces.h"
#include "reports.h"
#include "sanitizers.h"
#include "scenes/shapes.h"
#include "world/world.h"
#include "world_model.h"

#include <math.h>
#include <stdio.h>

#define STEP_COUNT   40
#define THREAD_KINDS 3
#define MESH_KINDS   7
#define CONVEX_KINDS 3

static const uint32_t thread_counts[THREAD_KINDS] = {1, 2, 5};

typedef struct SlotPairs {
    imp_IndexPair pairs[MAX_MODEL_BODIES * MAX_MODEL_BODIES];
    size_t count;
} SlotPairs;

typedef struct Stage {
    FailingAllocator memory; // of the world under test
    imp_Context *context, *fresh_context;
    imp_World *world;
    imp_Mesh *meshes[MESH_KINDS];
    imp_Convex *convexes[CONVEX_KINDS];
    imp_Cancel *cancel;
    WorldModel model;
    bool has_moved[MAX_MODEL_BODIES]; // since the last report that counts
    double reach;

    // As of the last detect but those of IMP_DETECT_FIRST:
    bool has_report, was_truncated, has_changed;
    imp_DetectDef question;
    PairList last;
    SlotPairs looked_at;
} Stage;

// How often each outcome occurred.
typedef struct Tally {
    uint64_t kept, changed, new_pairs, begun, ended, repeated, truncated, first, open, touching_solids,
        inside, other_question, all_kept, cancelled, refused, same_pose, used_again, deformed, restored,
        filtered, ignored, face_pairs;
} Tally;

static Tally tally;

// ---- shapes

static imp_Convex *hull_of(imp_Context *context, imp_Mesh *mesh)
{
    imp_Convex *convex = NULL;
    imp_ConvexDef def = {.points = &imp_mesh_get_vertices(mesh)->x,
                         .point_count = imp_mesh_get_vertex_count(mesh)};
    CHECK_INT(imp_convex_create(context, &def, &convex), IMP_STATUS_OK);
    imp_mesh_release(mesh);
    return convex;
}

static void make_shapes(Stage *stage)
{
    imp_Context *context = stage->fresh_context;
    imp_Mesh *mesh = NULL;
    CHECK_INT(scene_sphere(context, 8, 5, 1, &stage->meshes[0]), IMP_STATUS_OK);
    CHECK_INT(scene_torus(context, 9, 6, 1, 0.3, &stage->meshes[1]), IMP_STATUS_OK);
    CHECK_INT(scene_box(context, (imp_Vec3){-0.2, -0.2, -0.2}, (imp_Vec3){0.2, 0.2, 0.2}, &stage->meshes[2]),
              IMP_STATUS_OK);
    CHECK_INT(scene_hollow_sphere(context, 10, 6, 1.5, 1.2, &stage->meshes[3]), IMP_STATUS_OK);
    // An open and a closed one that others find room in.
    CHECK_INT(scene_soup(context, 12, 0.2, 5, &mesh), IMP_STATUS_OK);
    CHECK_INT(scene_place(context, mesh, 4, (imp_Vec3){-2, -2, -2}, &stage->meshes[4]), IMP_STATUS_OK);
    imp_mesh_release(mesh);
    CHECK_INT(scene_bumpy_sphere(context, 14, 9, 2.4, 0.2, 3, &stage->meshes[5]), IMP_STATUS_OK);
    CHECK_INT(scene_grid_soup(context, 30, 3, 9, &stage->meshes[6]), IMP_STATUS_OK);
    CHECK_INT(scene_box(context, (imp_Vec3){-0.4, -0.4, -0.4}, (imp_Vec3){0.4, 0.4, 0.4}, &mesh),
              IMP_STATUS_OK);
    stage->convexes[0] = hull_of(context, mesh);
    CHECK_INT(scene_sphere(context, 9, 6, 0.8, &mesh), IMP_STATUS_OK);
    stage->convexes[1] = hull_of(context, mesh);
    CHECK_INT(scene_needle(context, 5, 0.1, &mesh), IMP_STATUS_OK);
    stage->convexes[2] = hull_of(context, mesh);
}

static Stage *stage_make(uint32_t thread_count, double reach)
{
    Stage *stage = calloc(1, sizeof *stage);
    stage->reach = reach;
    failing_allocator_init(&stage->memory, 0);
    imp_ContextDef def = {.allocator = failing_allocator_hooks(&stage->memory), .thread_count = thread_count};
    CHECK_INT(imp_context_create(&def, &stage->context), IMP_STATUS_OK);
    stage->fresh_context = context_with_threads(1);
    make_shapes(stage);
    CHECK_INT(imp_cancel_create(stage->context, &stage->cancel), IMP_STATUS_OK);
    CHECK_INT(imp_world_create(stage->context, NULL, &stage->world), IMP_STATUS_OK);
    return stage;
}

static void stage_destroy(Stage *stage)
{
    imp_world_destroy(stage->world);
    imp_cancel_destroy(stage->cancel);
    imp_context_destroy(stage->context);
    CHECK(failing_allocator_is_clean(&stage->memory));
    for (int i = 0; i < MESH_KINDS; ++i)
        imp_mesh_release(stage->meshes[i]);
    for (int i = 0; i < CONVEX_KINDS; ++i)
        imp_convex_release(stage->convexes[i]);
    for (int i = 0; i < MAX_MODEL_BODIES; ++i)
        free(stage->model.bodies[i].deformed);
    imp_context_destroy(stage->fresh_context);
    free(stage);
}

// ---- steps of a program

// Sometimes on whole numbers without rotation, where faces lie in common planes.
static imp_Pose random_pose(double reach)
{
    imp_Pose pose = {0};
    pose.translation.x = test_random_between(-reach, reach);
    pose.translation.y = test_random_between(-reach, reach);
    pose.translation.z = test_random_between(-reach, reach);
    if (test_random_below(4) == 0)
        pose.translation =
            (imp_Vec3){rint(pose.translation.x), rint(pose.translation.y), rint(pose.translation.z)};
    else
        pose.rotation = random_rotation();
    return pose;
}

static void note_move(Stage *stage, ModelBody *body)
{
    stage->has_moved[body - stage->model.bodies] = true;
    stage->has_changed = true;
}

static ModelBody *random_body(Stage *stage)
{
    uint32_t start = test_random_below(MAX_MODEL_BODIES);
    for (uint32_t i = 0; i < MAX_MODEL_BODIES; ++i)
        if (stage->model.bodies[(start + i) % MAX_MODEL_BODIES].alive)
            return &stage->model.bodies[(start + i) % MAX_MODEL_BODIES];
    return NULL;
}

static size_t living_count(const Stage *stage)
{
    size_t count = 0;
    for (int i = 0; i < MAX_MODEL_BODIES; ++i)
        count += stage->model.bodies[i].alive;
    return count;
}

static void add_body(Stage *stage)
{
    imp_BodyDef def = {.pose = random_pose(stage->reach),
                       .category_bits = (uint64_t)1 << test_random_below(4),
                       .ignore_bits = test_random_below(6) ? 0 : (uint64_t)1 << test_random_below(4),
                       .group = test_random_below(4) ? 0 : 1 + test_random_below(3)};
    imp_BodyId id = {0};
    if (test_random_below(5) < 2)
        def.convex = stage->convexes[test_random_below(CONVEX_KINDS)];
    else
        def.mesh = stage->meshes[test_random_below(MESH_KINDS)];
    CHECK_INT(imp_world_add_body(stage->world, &def, &id), IMP_STATUS_OK);
    if (!CHECK(id.slot >= 1 && id.slot <= MAX_MODEL_BODIES))
        return;
    ModelBody *body = &stage->model.bodies[id.slot - 1];
    CHECK(!body->alive && id.generation == body->id.generation + 1);
    tally.used_again += id.generation > 1;
    *body = (ModelBody){.alive = true, .id = id, .def = def};
    stage->model.slot_count = id.slot > stage->model.slot_count ? id.slot : stage->model.slot_count;
    note_move(stage, body);
}

static void remove_body(Stage *stage, ModelBody *body)
{
    size_t number = (size_t)(body - stage->model.bodies);
    CHECK_INT(imp_world_remove_body(stage->world, body->id), IMP_STATUS_OK);
    for (int i = 0; i < MAX_MODEL_BODIES; ++i)
        stage->model.ignored[i][number] = stage->model.ignored[number][i] = false;
    free(body->deformed);
    *body = (ModelBody){.id = body->id};
    stage->has_changed = true;
}

// Far away, a little, or not at all.
static imp_Pose next_pose(const Stage *stage, const ModelBody *body)
{
    imp_Pose pose = body->def.pose;
    switch (test_random_below(3)) {
    case 0:
        return random_pose(stage->reach);
    case 1:
        pose.translation.x += test_random_between(-0.05, 0.05);
        return pose;
    default:
        return pose;
    }
}

// As numbers: a zero is a zero, whatever its sign.
static bool is_same_pose(const imp_Pose *a, const imp_Pose *b)
{
    return a->translation.x == b->translation.x && a->translation.y == b->translation.y &&
           a->translation.z == b->translation.z && a->rotation.w == b->rotation.w &&
           a->rotation.x == b->rotation.x && a->rotation.y == b->rotation.y && a->rotation.z == b->rotation.z;
}

static void note_pose(Stage *stage, ModelBody *body, const imp_Pose *pose)
{
    bool is_same = is_same_pose(pose, &body->def.pose);
    tally.same_pose += is_same;
    body->def.pose = *pose;
    if (!is_same)
        note_move(stage, body);
}

static void move_body(Stage *stage, ModelBody *body)
{
    imp_Pose pose = next_pose(stage, body);
    CHECK_INT(imp_body_set_pose(stage->world, body->id, pose), IMP_STATUS_OK);
    note_pose(stage, body, &pose);
}

// Some of the bodies, perhaps twice; one wrong id or number refuses all of them.
static void move_bodies(Stage *stage)
{
    imp_BodyId ids[MAX_MODEL_BODIES];
    imp_Pose poses[MAX_MODEL_BODIES];
    size_t count = test_random_below(MAX_MODEL_BODIES / 3);
    for (size_t i = 0; i < count; ++i) {
        const ModelBody *body = random_body(stage);
        ids[i] = body->id;
        poses[i] = next_pose(stage, body);
    }
    if (count > 0 && test_random_below(4) == 0) {
        size_t wrong = test_random_below((uint32_t)count);
        imp_BodyId id = ids[wrong];
        imp_Pose pose = poses[wrong];
        bool is_bad_id = test_random_below(2);
        ids[wrong].generation += is_bad_id;
        poses[wrong].translation.y = is_bad_id ? 0 : NAN;
        CHECK_INT(imp_world_set_poses(stage->world, ids, poses, count),
                  is_bad_id ? IMP_STATUS_BAD_INDEX : IMP_STATUS_BAD_NUMBER);
        CHECK_INT(imp_context_get_error(stage->context)->index, wrong);
        ids[wrong] = id;
        poses[wrong] = pose;
        ++tally.refused;
        if (test_random_below(2))
            return;
    }
    CHECK_INT(imp_world_set_poses(stage->world, ids, poses, count), IMP_STATUS_OK);
    for (size_t i = 0; i < count; ++i)
        note_pose(stage, &stage->model.bodies[ids[i].slot - 1], &poses[i]);
}

static void deform_body(Stage *stage, ModelBody *body)
{
    if (!body->def.mesh)
        return;
    size_t count = imp_mesh_get_vertex_count(body->def.mesh);
    imp_Vec3 factors = {test_random_between(0.5, 1.5), test_random_between(0.5, 1.5),
                        test_random_below(4) ? test_random_between(0.5, 1.5) : 0};
    free(body->deformed);
    body->deformed = NULL;
    if (test_random_below(3)) {
        body->deformed = malloc(count * sizeof *body->deformed);
        for (size_t i = 0; i < count; ++i) {
            imp_Vec3 v = imp_mesh_get_vertices(body->def.mesh)[i];
            body->deformed[i] = (imp_Vec3){factors.x * v.x, factors.y * v.y, factors.z * v.z};
        }
    }
    CHECK_INT(imp_body_set_vertices(stage->world, body->id, body->deformed ? &body->deformed->x : NULL,
                                    body->deformed ? count : 0),
              IMP_STATUS_OK);
    tally.deformed += body->deformed != NULL;
    tally.restored += !body->deformed;
    note_move(stage, body);
}

static void change_filter(Stage *stage, ModelBody *body)
{
    body->def.category_bits = (uint64_t)1 << test_random_below(4);
    body->def.ignore_bits = test_random_below(3) ? 0 : (uint64_t)1 << test_random_below(4);
    CHECK_INT(imp_body_set_filter(stage->world, body->id, body->def.category_bits, body->def.ignore_bits),
              IMP_STATUS_OK);
    stage->has_changed = true;
    ++tally.filtered;
}

static void change_ignored(Stage *stage, const ModelBody *body)
{
    const ModelBody *other = random_body(stage);
    size_t a = (size_t)(body - stage->model.bodies), b = (size_t)(other - stage->model.bodies);
    bool ignore = test_random_below(2);
    if (a == b)
        return;
    CHECK_INT(imp_world_ignore_pair(stage->world, body->id, other->id, ignore), IMP_STATUS_OK);
    stage->has_changed |= stage->model.ignored[a][b] != ignore;
    tally.ignored += stage->model.ignored[a][b] != ignore;
    stage->model.ignored[a][b] = stage->model.ignored[b][a] = ignore;
}

static void take_step(Stage *stage, size_t most_bodies)
{
    ModelBody *body = random_body(stage);
    uint32_t what = test_random_below(16);
    if (!body || (what < 3 && living_count(stage) < most_bodies))
        add_body(stage);
    else if (what < 5 && living_count(stage) > 2)
        remove_body(stage, body);
    else if (what < 10)
        move_body(stage, body);
    else if (what < 12)
        move_bodies(stage);
    else if (what == 12)
        deform_body(stage, body);
    else if (what == 13)
        change_filter(stage, body);
    else
        change_ignored(stage, body);
}

// ---- detects

static void compare_with_fresh(const Stage *stage, const imp_DetectDef *def, const imp_Report *report)
{
    const imp_Report *fresh = NULL;
    imp_World *world = world_model_build(&stage->model, stage->fresh_context, stage->meshes[2]);
    imp_DetectDef plain = *def;
    plain.budget_us = 0;
    if (CHECK_INT(imp_world_detect(world, &plain, &fresh), IMP_STATUS_OK))
        CHECK(report_equals_fresh(report, fresh));
    imp_world_destroy(world);
}

static bool is_same_question(const imp_DetectDef *a, const imp_DetectDef *b)
{
    uint32_t level_a = a->smith_level ? a->smith_level : 6, level_b = b->smith_level ? b->smith_level : 6;
    return a->mode == b->mode && a->method == b->method && a->ignore_containment == b->ignore_containment &&
           a->max_face_pairs == b->max_face_pairs && a->count_all == b->count_all && level_a == level_b;
}

// Mostly what was asked before.
static imp_DetectDef next_question(const Stage *stage)
{
    static const uint32_t levels[] = {0, 3, 6};
    imp_DetectDef def = stage->question;
    switch (test_random_below(20)) {
    case 0:
        def.mode = def.mode == IMP_DETECT_FACES ? IMP_DETECT_BODIES : IMP_DETECT_FACES;
        break;
    case 1:
        def.method = (imp_DetectMethod)test_random_below(4);
        break;
    case 2:
        def.ignore_containment = !def.ignore_containment;
        break;
    case 3:
        def.max_face_pairs = test_random_below(2) ? 0 : 1 + test_random_below(400);
        def.count_all = test_random_below(2);
        break;
    case 4:
        def.smith_level = levels[test_random_below(3)];
        break;
    case 5:
    case 6:
    case 7:
        def.mode = IMP_DETECT_FIRST;
        break;
    default:
        break;
    }
    // A day is no limit, but makes the work go in steps.
    def.budget_us = test_random_below(4) ? 0 : 86400000000u;
    return def;
}

static bool is_listed(const SlotPairs *list, uint32_t a, uint32_t b)
{
    for (size_t i = 0; i < list->count; ++i)
        if (list->pairs[i].a == a && list->pairs[i].b == b)
            return true;
    return false;
}

// How many pairs had to be looked at: those of bodies that have changed, and those that are new.
static void check_work(Stage *stage, bool takes_over)
{
    const impi_Answer *answer = &stage->world->answers[stage->world->current];
    size_t work = 0, asked = 0;
    for (size_t i = 0; i < answer->results.count; ++i) {
        const impi_PairResult *pair = &answer->results.data[i];
        asked += pair->is_new;
        bool is_new = !is_listed(&stage->looked_at, pair->slot_a, pair->slot_b);
        bool has_moved = stage->has_moved[pair->slot_a - 1] || stage->has_moved[pair->slot_b - 1];
        bool is_work = !takes_over || is_new || has_moved;
        work += is_work;
        tally.new_pairs += is_new;
        tally.changed += takes_over && has_moved && !is_new;
        tally.kept += !is_work;
    }
    CHECK_INT(asked, work);
    tally.all_kept += work == 0 && answer->results.count > 0;
}

static void note_looked_at(Stage *stage)
{
    const impi_Answer *answer = &stage->world->answers[stage->world->current];
    stage->looked_at.count = answer->results.count;
    for (size_t i = 0; i < answer->results.count; ++i)
        stage->looked_at.pairs[i] =
            (imp_IndexPair){answer->results.data[i].slot_a, answer->results.data[i].slot_b};
}

static void check_changes(Stage *stage, const imp_Report *report)
{
    static PairList now, begun, ended;
    if (!CHECK(report->body_pair_count <= MAX_LISTED_PAIRS))
        return;
    now.count = report->body_pair_count;
    if (now.count > 0)
        memcpy(now.pairs, report->body_pairs, now.count * sizeof *now.pairs);
    list_missing(&now, &stage->last, &begun);
    list_missing(&stage->last, &now, &ended);
    CHECK(is_list(report->begun, report->begun_count, &begun));
    CHECK(is_list(report->ended, report->ended_count, &ended));
    tally.begun += begun.count;
    tally.ended += ended.count;
    stage->last = now;
}

static void count_outcomes(const Stage *stage, const imp_Report *report)
{
    tally.truncated += report->truncated;
    tally.open += report->open_container_count;
    tally.face_pairs += report->face_pair_count;
    for (size_t i = 0; i < report->body_pair_count; ++i) {
        const imp_BodyPair *pair = &report->body_pairs[i];
        tally.touching_solids += stage->model.bodies[pair->body_a.slot - 1].def.convex &&
                                 stage->model.bodies[pair->body_b.slot - 1].def.convex;
        tally.inside += (pair->relations & ~(uint32_t)IMP_RELATION_TOUCH) != 0;
    }
}

static void note_report(Stage *stage, const imp_DetectDef *def, const imp_Report *report)
{
    note_looked_at(stage);
    stage->question = *def;
    stage->has_report = true;
    stage->was_truncated = report->truncated;
    stage->has_changed = false;
    memset(stage->has_moved, 0, sizeof stage->has_moved);
}

static void run_detect(Stage *stage)
{
    imp_DetectDef def = next_question(stage);
    const imp_Report *report = NULL;
    bool is_first = def.mode == IMP_DETECT_FIRST;
    bool is_same = stage->has_report && is_same_question(&def, &stage->question);
    bool is_repeated = is_same && !is_first && !stage->has_changed;
    uint64_t before = atomic_load(&stage->memory.allocations);
    unsigned current = stage->world->current;
    if (!CHECK_INT(imp_world_detect(stage->world, &def, &report), IMP_STATUS_OK))
        return;
    if (is_repeated) {
        CHECK_INT(atomic_load(&stage->memory.allocations), before);
        CHECK(stage->world->current == current && report->begun_count == 0 && report->ended_count == 0);
        ++tally.repeated;
    }
    compare_with_fresh(stage, &def, report);
    count_outcomes(stage, report);
    if (is_first) {
        CHECK(report->begun_count == 0 && report->ended_count == 0);
        ++tally.first;
        return;
    }
    if (!is_repeated)
        check_work(stage, is_same && !stage->was_truncated && def.method != IMP_METHOD_SMITH_1994);
    tally.other_question += stage->has_report && !is_same;
    check_changes(stage, report);
    note_report(stage, &def, report);
}

// A detect that is cancelled or refused is none.
static void fail_detect(Stage *stage)
{
    const imp_Report *report = NULL;
    imp_DetectDef def = next_question(stage);
    if (test_random_below(2)) {
        def.cancel = stage->cancel;
        imp_cancel_request(stage->cancel);
        CHECK_INT(imp_world_detect(stage->world, &def, &report), IMP_STATUS_CANCELLED);
        imp_cancel_reset(stage->cancel);
        ++tally.cancelled;
    } else {
        def.smith_level = IMP_MAX_SMITH_LEVEL + 1;
        CHECK_INT(imp_world_detect(stage->world, &def, &report), IMP_STATUS_BAD_ARGUMENT);
        ++tally.refused;
    }
    CHECK(!report);
}

static void run_program(uint32_t thread_count, size_t most_bodies, double reach)
{
    Stage *stage = stage_make(thread_count, reach);
    for (size_t i = 0; i < most_bodies; ++i)
        add_body(stage);
    for (int step = 0; step < STEP_COUNT; ++step) {
        for (uint32_t k = test_random_below(4); k > 0; --k)
            take_step(stage, most_bodies);
        if (test_random_below(8) == 0)
            fail_detect(stage);
        run_detect(stage);
    }
    stage_destroy(stage);
}

#if defined(TEST_UNDER_SANITIZER)
#define DEFAULT_PROGRAMS 24
#else
#define DEFAULT_PROGRAMS 48
#endif

// Each outcome, and the least that there must be of it in `of` programs.
static const struct {
    const char *name;
    const uint64_t *count;
    uint64_t least, of;
} outcomes[] = {
    {"pairs kept", &tally.kept, 10, 1},
    {"pairs changed", &tally.changed, 5, 1},
    {"pairs new", &tally.new_pairs, 5, 1},
    {"all pairs kept", &tally.all_kept, 1, 4},
    {"repeated", &tally.repeated, 1, 1},
    {"first", &tally.first, 1, 1},
    {"begun", &tally.begun, 5, 1},
    {"ended", &tally.ended, 5, 1},
    {"truncated", &tally.truncated, 1, 4},
    {"other question", &tally.other_question, 1, 1},
    {"open containers", &tally.open, 1, 1},
    {"inside", &tally.inside, 1, 1},
    {"touching solids", &tally.touching_solids, 1, 1},
    {"face pairs", &tally.face_pairs, 100, 1},
    {"cancelled", &tally.cancelled, 1, 2},
    {"refused", &tally.refused, 1, 2},
    {"same pose", &tally.same_pose, 1, 1},
    {"slots used again", &tally.used_again, 1, 1},
    {"deformed", &tally.deformed, 1, 2},
    {"restored", &tally.restored, 1, 4},
    {"filters changed", &tally.filtered, 1, 2},
    {"ignored pairs changed", &tally.ignored, 1, 2},
};

static void check_tally(uint64_t program_count)
{
    for (size_t i = 0; i < sizeof outcomes / sizeof *outcomes; ++i) {
        printf("  %-22s %8llu\n", outcomes[i].name, (unsigned long long)*outcomes[i].count);
        if (program_count >= 24)
            CHECK(outcomes[i].of * *outcomes[i].count >= outcomes[i].least * program_count);
    }
}

TEST(reports_equal_those_of_fresh_worlds)
{
    static const size_t body_counts[] = {3, 24, 8, 16};
    static const double reaches[] = {1.2, 3.5, 1.8, 2.5};
    uint64_t count = test_count(DEFAULT_PROGRAMS);
    tally = (Tally){0};
    for (uint64_t i = 0; i < count; ++i)
        run_program(thread_counts[i % THREAD_KINDS], body_counts[i % 4], reaches[i % 4]);
    check_tally(count);
}

// What is asked again of a world at rest is told again, without memory, with every mode, method and thread
// count; searches for the first pair in between change nothing.
TEST(a_world_at_rest_is_told_again_without_memory)
{
    for (int i = 0; i < THREAD_KINDS * 2 * 4; ++i) {
        Stage *stage = stage_make(thread_counts[i % THREAD_KINDS], 2);
        imp_DetectDef def = {.mode = (imp_DetectMode)(i / THREAD_KINDS % 2),
                             .method = (imp_DetectMethod)(i / THREAD_KINDS / 2),
                             .smith_level = 3},
                      first = {.mode = IMP_DETECT_FIRST};
        const imp_Report *report = NULL, *again = NULL;
        for (int k = 0; k < 12; ++k)
            add_body(stage);
        CHECK_INT(imp_world_detect(stage->world, &def, &report), IMP_STATUS_OK);
        CHECK(report->begun_count == report->body_pair_count && report->begun_count > 0);
        CHECK_INT(imp_world_detect(stage->world, &first, &again), IMP_STATUS_OK);
        CHECK_INT(imp_world_detect(stage->world, &first, &again), IMP_STATUS_OK);
        imp_Report copy = *report;
        uint64_t before = atomic_load(&stage->memory.allocations);
        for (int k = 0; k < 6; ++k) {
            CHECK_INT(imp_world_detect(stage->world, k % 3 == 2 ? &first : &def, &again), IMP_STATUS_OK);
            CHECK(again->begun_count == 0 && again->ended_count == 0);
            if (k % 3 < 2)
                CHECK(again == report && report_equals_fresh(again, &copy) &&
                      again->body_pairs == copy.body_pairs);
        }
        CHECK_INT(atomic_load(&stage->memory.allocations), before);
        stage_destroy(stage);
    }
}
