/// Worlds over many frames, with bodies that come, go, move and deform, against a plain model that looks at
/// all pairs anew each frame with single calls of the public interface.
#define MAX_MODEL_BODIES 40

#include "harness.h"
#include "sanitizers.h"
#include "scenes/shapes.h"
#include "world_truth.h"

#include <stdio.h>

#define FRAME_COUNT  30
#define THREAD_KINDS 3
#define MESH_KINDS   8

static const uint32_t thread_counts[THREAD_KINDS] = {1, 2, 5};

// What must be reported in the frame at hand, and what was in the last one.
typedef struct Model {
    WorldModel bodies;
    WorldTruth truth;
    PairList last, begun, ended;
} Model;

typedef struct Stage {
    imp_Context *contexts[THREAD_KINDS];
    imp_World *worlds[THREAD_KINDS];
    imp_Mesh *meshes[MESH_KINDS];
    Model *model;
} Stage;

// How often each outcome occurred.
typedef struct Tally {
    uint64_t touch, inside, both_inside, begun, ended, face_pairs, open, ignored, removed, deformed;
} Tally;

static Tally tally;

static void make_meshes(Stage *stage)
{
    imp_Context *context = stage->contexts[0];
    imp_Mesh *near = NULL, *far = NULL, *moved = NULL;
    CHECK_INT(scene_sphere(context, 8, 5, 1, &stage->meshes[0]), IMP_STATUS_OK);
    CHECK_INT(scene_torus(context, 9, 6, 1, 0.3, &stage->meshes[1]), IMP_STATUS_OK);
    CHECK_INT(scene_box(context, (imp_Vec3){-0.2, -0.2, -0.2}, (imp_Vec3){0.2, 0.2, 0.2}, &stage->meshes[2]),
              IMP_STATUS_OK);
    CHECK_INT(scene_hollow_sphere(context, 10, 6, 1.5, 1.2, &stage->meshes[3]), IMP_STATUS_OK);
    CHECK_INT(scene_soup(context, 60, 0.4, 5, &stage->meshes[4]), IMP_STATUS_OK);
    CHECK_INT(scene_bumpy_sphere(context, 14, 9, 1, 0.4, 3, &stage->meshes[5]), IMP_STATUS_OK);
    CHECK_INT(scene_grid_soup(context, 30, 3, 9, &stage->meshes[6]), IMP_STATUS_OK);
    // Two components, one of which may lie inside something while the other does not.
    CHECK_INT(scene_sphere(context, 6, 4, 0.3, &near), IMP_STATUS_OK);
    CHECK_INT(scene_sphere(context, 6, 4, 0.3, &far), IMP_STATUS_OK);
    CHECK_INT(scene_place(context, far, 1, (imp_Vec3){2, 0, 0}, &moved), IMP_STATUS_OK);
    CHECK_INT(scene_join(context, near, moved, &stage->meshes[7]), IMP_STATUS_OK);
    imp_mesh_release(near);
    imp_mesh_release(far);
    imp_mesh_release(moved);
}

static void stage_make(Stage *stage)
{
    *stage = (Stage){.model = calloc(1, sizeof(Model))};
    for (int i = 0; i < THREAD_KINDS; ++i) {
        stage->contexts[i] = context_with_threads(thread_counts[i]);
        CHECK_INT(imp_world_create(stage->contexts[i], NULL, &stage->worlds[i]), IMP_STATUS_OK);
    }
    make_meshes(stage);
}

static void stage_destroy(Stage *stage)
{
    for (int i = 0; i < MESH_KINDS; ++i)
        imp_mesh_release(stage->meshes[i]);
    for (int i = 0; i < THREAD_KINDS; ++i) {
        imp_world_destroy(stage->worlds[i]);
        imp_context_destroy(stage->contexts[i]);
    }
    for (int i = 0; i < MAX_MODEL_BODIES; ++i)
        free(stage->model->bodies.bodies[i].deformed);
    world_truth_free(&stage->model->truth);
    free(stage->model);
}

// Sometimes on whole numbers without rotation, where faces lie in common planes.
static imp_Pose random_pose(double reach)
{
    imp_Pose pose = {0};
    pose.translation.x = test_random_between(-reach, reach);
    pose.translation.y = test_random_between(-reach, reach);
    pose.translation.z = test_random_between(-reach, reach);
    if (test_random_below(4) == 0)
        pose.translation =
            (imp_Vec3){(int)pose.translation.x, (int)pose.translation.y, (int)pose.translation.z};
    else
        pose.rotation = random_rotation();
    return pose;
}

static void add_body(Stage *stage, double reach)
{
    imp_BodyId id = {0};
    imp_BodyDef def = {.mesh = stage->meshes[test_random_below(MESH_KINDS)]};
    def.pose = random_pose(reach);
    def.category_bits = (uint64_t)1 << test_random_below(4);
    def.ignore_bits = test_random_below(5) ? 0 : (uint64_t)1 << test_random_below(4);
    for (int i = 0; i < THREAD_KINDS; ++i) {
        imp_BodyId other = id;
        CHECK_INT(imp_world_add_body(stage->worlds[i], &def, &id), IMP_STATUS_OK);
        CHECK(i == 0 || (id.slot == other.slot && id.generation == other.generation));
    }
    world_model_note(&stage->model->bodies, id, &def);
}

static void remove_body(Stage *stage, ModelBody *body)
{
    for (int i = 0; i < THREAD_KINDS; ++i)
        CHECK_INT(imp_world_remove_body(stage->worlds[i], body->id), IMP_STATUS_OK);
    world_model_forget(&stage->model->bodies, body);
    ++tally.removed;
}

static void move_body(Stage *stage, ModelBody *body, double reach)
{
    body->def.pose = random_pose(reach);
    for (int i = 0; i < THREAD_KINDS; ++i)
        CHECK_INT(imp_body_set_pose(stage->worlds[i], body->id, body->def.pose), IMP_STATUS_OK);
}

// Squeezed along an axis, at times to a plane or a point, and at times torn by noise; or as it was.
static void deform_body(Stage *stage, ModelBody *body)
{
    size_t count = imp_mesh_get_vertex_count(body->def.mesh);
    uint32_t kind = test_random_below(6);
    double noise = kind == 1 ? 0.1 : 0, flat = kind == 2 ? 0 : test_random_between(0.3, 1.5);
    double wide = kind == 3 ? 0 : test_random_between(0.5, 1.5);
    free(body->deformed);
    body->deformed = NULL;
    if (kind > 0) {
        body->deformed = malloc(count * sizeof *body->deformed);
        for (size_t i = 0; i < count; ++i) {
            imp_Vec3 v = imp_mesh_get_vertices(body->def.mesh)[i];
            double bump = test_random_between(-noise, noise);
            body->deformed[i] = (imp_Vec3){wide * v.x + bump, wide * v.y, (kind == 3 ? 0 : flat) * v.z};
        }
    }
    for (int i = 0; i < THREAD_KINDS; ++i)
        CHECK_INT(imp_body_set_vertices(stage->worlds[i], body->id,
                                        body->deformed ? &body->deformed->x : NULL,
                                        body->deformed ? count : 0),
                  IMP_STATUS_OK);
    ++tally.deformed;
}

static void change_filters(Stage *stage, ModelBody *body)
{
    WorldModel *model = &stage->model->bodies;
    size_t number = (size_t)(body - model->bodies), other = test_random_below(MAX_MODEL_BODIES);
    bool ignore = test_random_below(2);
    body->def.ignore_bits = test_random_below(3) ? 0 : (uint64_t)1 << test_random_below(4);
    for (int i = 0; i < THREAD_KINDS; ++i)
        CHECK_INT(
            imp_body_set_filter(stage->worlds[i], body->id, body->def.category_bits, body->def.ignore_bits),
            IMP_STATUS_OK);
    if (other == number || !model->bodies[other].alive)
        return;
    model->ignored[number][other] = model->ignored[other][number] = ignore;
    for (int i = 0; i < THREAD_KINDS; ++i)
        CHECK_INT(imp_world_ignore_pair(stage->worlds[i], body->id, model->bodies[other].id, ignore),
                  IMP_STATUS_OK);
}

static void change_bodies(Stage *stage, size_t most_bodies, double reach)
{
    WorldModel *model = &stage->model->bodies;
    for (int i = 0; i < MAX_MODEL_BODIES; ++i) {
        ModelBody *body = &model->bodies[i];
        if (!body->alive)
            continue;
        uint32_t what = test_random_below(16);
        if (what < 2 && world_model_count(model) > 2)
            remove_body(stage, body);
        else if (what < 8)
            move_body(stage, body, reach);
        else if (what == 8)
            deform_body(stage, body);
        else if (what == 9)
            change_filters(stage, body);
    }
    while (world_model_count(model) < most_bodies && test_random_below(3))
        add_body(stage, reach);
    for (int i = 0; i < THREAD_KINDS; ++i)
        CHECK_INT(imp_world_get_body_count(stage->worlds[i]), world_model_count(model));
}

static void count_ignored(const WorldModel *model)
{
    for (size_t a = 0; a < model->slot_count; ++a)
        for (size_t b = a + 1; b < model->slot_count; ++b)
            tally.ignored +=
                model->bodies[a].alive && model->bodies[b].alive && !world_model_compares(model, a, b);
}

static void compute_frame(imp_Context *context, Model *model)
{
    const PairList *now = &model->truth.pairs;
    world_truth_find(context, &model->bodies, &model->truth);
    list_missing(now, &model->last, &model->begun);
    list_missing(&model->last, now, &model->ended);
    count_ignored(&model->bodies);
    for (size_t i = 0; i < now->count; ++i) {
        uint32_t relations = now->pairs[i].relations;
        tally.touch += (relations & IMP_RELATION_TOUCH) != 0;
        tally.inside += relations > IMP_RELATION_TOUCH;
        tally.both_inside += relations == (IMP_RELATION_A_INSIDE_B | IMP_RELATION_B_INSIDE_A);
    }
    tally.begun += model->begun.count;
    tally.ended += model->ended.count;
    tally.face_pairs += model->truth.face_count;
    tally.open += model->truth.open_container_count;
}

// Detect in all worlds, whose reports must be the same bytes; returns the first world's.
static const imp_Report *detect_everywhere(Stage *stage, const imp_DetectDef *def)
{
    const imp_Report *reports[THREAD_KINDS] = {0};
    for (int i = 0; i < THREAD_KINDS; ++i) {
        if (!CHECK_INT(imp_world_detect(stage->worlds[i], def, &reports[i]), IMP_STATUS_OK))
            return NULL;
        CHECK(same_reports(reports[0], reports[i]));
    }
    return reports[0];
}

static void check_faces(Stage *stage, imp_DetectMethod method)
{
    const WorldTruth *truth = &stage->model->truth;
    const imp_Report *report = detect_everywhere(stage, &(imp_DetectDef){.method = method, .smith_level = 4});
    if (!report)
        return;
    CHECK(is_list(report->body_pairs, report->body_pair_count, &truth->pairs));
    CHECK_INT(report->face_pair_total, truth->face_count);
    CHECK(report->face_pair_count == truth->face_count &&
          are_same_bytes(report->face_pairs, truth->faces, truth->face_count * sizeof *truth->faces));
    CHECK(!report->truncated && report->candidate_face_pairs >= truth->face_count);
    CHECK(report->open_container_count == truth->open_container_count &&
          are_same_bytes(report->open_containers, truth->open_containers,
                         truth->open_container_count * sizeof *truth->open_containers));
}

static void check_changes(Stage *stage, imp_DetectMode mode)
{
    const Model *model = stage->model;
    const imp_Report *report = detect_everywhere(stage, &(imp_DetectDef){.mode = mode});
    if (!report)
        return;
    CHECK(is_list(report->body_pairs, report->body_pair_count, &model->truth.pairs));
    CHECK(is_list(report->begun, report->begun_count, &model->begun));
    CHECK(is_list(report->ended, report->ended_count, &model->ended));
    if (mode == IMP_DETECT_BODIES)
        CHECK(report->face_pair_count == 0 && report->face_pair_total == 0);
}

// The first pair, and only its faces; what began and ended is left alone.
static void check_first(Stage *stage, imp_DetectMethod method)
{
    const WorldTruth *truth = &stage->model->truth;
    const imp_BodyPair *first = truth->pairs.pairs;
    size_t faces = 0;
    const imp_Report *report = detect_everywhere(
        stage, &(imp_DetectDef){.mode = IMP_DETECT_FIRST, .method = method, .smith_level = 3});
    if (!report)
        return;
    CHECK_INT(report->body_pair_count, truth->pairs.count > 0);
    CHECK(report->begun_count == 0 && report->ended_count == 0);
    if (truth->pairs.count == 0)
        return;
    CHECK(memcmp(report->body_pairs, first, sizeof *first) == 0);
    while (faces < truth->face_count &&
           memcmp(&truth->faces[faces].body_a, &first->body_a, sizeof(imp_BodyId)) == 0 &&
           memcmp(&truth->faces[faces].body_b, &first->body_b, sizeof(imp_BodyId)) == 0)
        ++faces;
    CHECK(report->face_pair_count == faces && report->face_pair_total == faces &&
          are_same_bytes(report->face_pairs, truth->faces, faces * sizeof *truth->faces));
}

static const imp_DetectMethod frame_methods[] = {
    IMP_METHOD_SMITH_1994, IMP_METHOD_AUTO, IMP_METHOD_EXACT_BOXES, IMP_METHOD_POSED_BOXES, IMP_METHOD_AUTO};

static void run_world(size_t most_bodies)
{
    Stage stage;
    // Denser worlds for few bodies, so that pairs are found in all of them.
    double reach = most_bodies < 10 ? 1.5 : 4;
    stage_make(&stage);
    for (int frame = 0; frame < FRAME_COUNT; ++frame) {
        change_bodies(&stage, most_bodies, reach);
        compute_frame(stage.contexts[0], stage.model);
        if (frame % 3 == 0)
            check_first(&stage, frame % 2 ? IMP_METHOD_SMITH_1994 : IMP_METHOD_AUTO);
        check_changes(&stage, frame % 2 ? IMP_DETECT_BODIES : IMP_DETECT_FACES);
        check_faces(&stage, frame_methods[frame % 5]);
        stage.model->last = stage.model->truth.pairs;
    }
    stage_destroy(&stage);
}

#if defined(TEST_UNDER_SANITIZER)
#define DEFAULT_WORLDS 24
#else
#define DEFAULT_WORLDS 40
#endif

TEST(worlds_follow_the_model_frame_by_frame)
{
    static const size_t body_counts[] = {2, 40, 7, 20, 3, 12, 30, 5};
    uint64_t count = test_count(DEFAULT_WORLDS);
    tally = (Tally){0};
    for (uint64_t i = 0; i < count; ++i)
        run_world(body_counts[i % (sizeof body_counts / sizeof *body_counts)]);
    printf("  touch %llu, inside %llu, both inside %llu, begun %llu, ended %llu, face pairs %llu\n",
           (unsigned long long)tally.touch, (unsigned long long)tally.inside,
           (unsigned long long)tally.both_inside, (unsigned long long)tally.begun,
           (unsigned long long)tally.ended, (unsigned long long)tally.face_pairs);
    printf("  open containers %llu, ignored pairs %llu, removals %llu, deformations %llu\n",
           (unsigned long long)tally.open, (unsigned long long)tally.ignored,
           (unsigned long long)tally.removed, (unsigned long long)tally.deformed);
    if (count >= 24)
        CHECK(tally.touch > 100 && tally.inside > 20 && tally.begun > 100 && tally.ended > 100 &&
              tally.face_pairs > 1000 && tally.open > 10 && tally.ignored > 100 && tally.removed > 20 &&
              tally.deformed > 20);
}
