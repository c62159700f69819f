// Questions about many bodies, and about scenes from files, asked at sizes from 2^-1000 to 2^1000: the
// answers are those at size 1. See exponents.c.
#include "scaled_answers.h"
#include "scene_fixture.h"
#include "scenes/shapes.h"

#include <impinge/impinge.h>

#include <stdlib.h>
#include <string.h>

static imp_Context *make_context(void)
{
    imp_Context *context = NULL;
    CHECK_INT(imp_context_create(NULL, &context), IMP_STATUS_OK);
    return context;
}

static uint64_t scene_count(void)
{
    return test_count(12);
}

// -------------------------------------------------------------------------------------------- boxes

#define BOXES 300

typedef struct Boxes {
    double rows[BOXES][6];
} Boxes;

static void scale_rows(const Boxes *boxes, int exponent, double rows[BOXES][6])
{
    for (int i = 0; i < BOXES; ++i)
        for (int k = 0; k < 6; ++k)
            rows[i][k] = ldexp(boxes->rows[i][k], exponent);
}

static void answer_pairs(const imp_IndexPair *pairs, size_t count, ScaledAnswers *answers)
{
    answer_number(answers, "box pairs", count);
    for (size_t i = 0; i < count; ++i)
        answer_number(answers, "box pair", (uint64_t)pairs[i].a << 32 | pairs[i].b);
}

static void ask_broad(imp_Context *context, const imp_BoxArray *boxes, imp_BroadPrecision precision,
                      ScaledAnswers *answers)
{
    imp_Broad *broad = NULL;
    imp_BroadId ids[BOXES];
    const imp_BroadResult *result = NULL;
    imp_BroadDef def = {.precision = precision};
    CHECK_INT(imp_broad_create(context, &def, &broad), IMP_STATUS_OK);
    CHECK_INT(imp_broad_add_many(broad, boxes, ids), IMP_STATUS_OK);
    CHECK_INT(imp_broad_update(broad, &result), IMP_STATUS_OK);
    answer_pairs(result->pairs, result->pair_count, answers);
    imp_broad_destroy(broad);
}

static void ask_boxes(imp_Context *context, const void *scene, int exponent, ScaledAnswers *answers)
{
    double rows[BOXES][6];
    scale_rows(scene, exponent, rows);
    imp_BoxArray boxes = {.boxes = rows[0], .count = BOXES};
    const imp_IndexPair *pairs = NULL;
    size_t count = 0;
    CHECK_INT(imp_pairs_list(context, &boxes, &pairs, &count), IMP_STATUS_OK);
    answer_pairs(pairs, count, answers);
    ask_broad(context, &boxes, IMP_BROAD_DOUBLE, answers);
}

// Single precision ends at 2^128 (unit/broad tells what becomes of boxes there) and rounds below 2^-126.
static void check_float_boxes(imp_Context *context, const Boxes *scene)
{
    static const int exponents[] = {-90, -40, 40, 120};
    static ScaledAnswers at_one, scaled;
    for (int i = -1; i < 4; ++i) {
        int exponent = i < 0 ? 0 : exponents[i];
        double rows[BOXES][6];
        float floats[BOXES][6];
        scale_rows(scene, exponent, rows);
        for (int k = 0; k < 6 * BOXES; ++k)
            floats[k / 6][k % 6] = (float)rows[k / 6][k % 6];
        ScaledAnswers *answers = i < 0 ? &at_one : &scaled;
        answers->count = 0;
        ask_broad(context, &(imp_BoxArray){.boxes = rows[0], .count = BOXES}, IMP_BROAD_FLOAT, answers);
        ask_broad(context, &(imp_BoxArray){.float_boxes = floats[0], .count = BOXES}, IMP_BROAD_FLOAT,
                  answers);
        if (i >= 0)
            are_scaled_answers(&at_one, &scaled, exponent);
    }
}

TEST(boxes_at_all_sizes)
{
    imp_Context *context = make_context();
    static Boxes boxes;
    for (uint64_t n = 0; n < scene_count(); ++n) {
        for (int i = 0; i < BOXES; ++i)
            for (int axis = 0; axis < 3; ++axis) {
                double low = 4 * random_scalable(), width = fabs(random_scalable());
                // As many bits as floats have.
                boxes.rows[i][axis] = rint(low * 0x1p16) * 0x1p-16;
                boxes.rows[i][3 + axis] = rint((low + width) * 0x1p16) * 0x1p-16;
            }
        ask_at_all_sizes(context, &boxes, ask_boxes);
        check_float_boxes(context, &boxes);
    }
    imp_context_destroy(context);
}

// ------------------------------------------------------------------------------------------- worlds

#define BODIES      14
#define HULL_POINTS 12

// Boxes, nested ones, open ones, and hulls.
typedef struct Bodies {
    imp_Pose poses[BODIES];
    imp_Vec3 sides[BODIES];
    bool is_open[BODIES], is_convex[BODIES], is_deformed[BODIES];
    imp_Vec3 points[BODIES][HULL_POINTS];
} Bodies;

static imp_Mesh *mesh_at(imp_Context *context, const Bodies *bodies, int i, int exponent)
{
    imp_Mesh *box = NULL, *mesh = NULL;
    imp_Vec3 sides = scaled_point(bodies->sides[i], exponent);
    scene_box(context, (imp_Vec3){0, 0, 0}, sides, &box);
    imp_MeshDef def = {.vertices = &imp_mesh_get_vertices(box)->x,
                       .vertex_count = imp_mesh_get_vertex_count(box),
                       .indices = imp_mesh_get_indices(box),
                       .triangle_count = imp_mesh_get_triangle_count(box) - bodies->is_open[i]};
    CHECK_INT(imp_mesh_create(context, &def, &mesh), IMP_STATUS_OK);
    imp_mesh_release(box);
    return mesh;
}

static imp_Convex *convex_at(imp_Context *context, const Bodies *bodies, int i, int exponent)
{
    imp_Vec3 points[HULL_POINTS];
    imp_Convex *convex = NULL;
    for (int k = 0; k < HULL_POINTS; ++k)
        points[k] = scaled_point(bodies->points[i][k], exponent);
    imp_ConvexDef def = {.points = &points->x, .point_count = HULL_POINTS};
    CHECK_INT(imp_convex_create(context, &def, &convex), IMP_STATUS_OK);
    return convex;
}

static void add_body(imp_Context *context, imp_World *world, const Bodies *bodies, int i, int exponent)
{
    imp_BodyDef def = {.pose = bodies->poses[i]};
    imp_BodyId id;
    def.pose.translation = scaled_point(def.pose.translation, exponent);
    if (bodies->is_convex[i])
        def.convex = convex_at(context, bodies, i, exponent);
    else
        def.mesh = mesh_at(context, bodies, i, exponent);
    CHECK_INT(imp_world_add_body(world, &def, &id), IMP_STATUS_OK);
    if (bodies->is_deformed[i]) {
        imp_Vec3 vertices[8];
        for (int k = 0; k < 8; ++k)
            vertices[k] = sum_of(imp_mesh_get_vertices(def.mesh)[k],
                                 scaled_point(bodies->points[i][k % HULL_POINTS], exponent - 3));
        CHECK_INT(imp_body_set_vertices(world, id, &vertices->x, 8), IMP_STATUS_OK);
    }
    imp_mesh_release(def.mesh);
    imp_convex_release(def.convex);
}

static void answer_report(const imp_Report *report, ScaledAnswers *answers)
{
    answer_number(answers, "body pairs", report->body_pair_count);
    for (size_t i = 0; i < report->body_pair_count; ++i) {
        const imp_BodyPair *pair = &report->body_pairs[i];
        answer_number(answers, "body pair", (uint64_t)pair->body_a.slot << 32 | pair->body_b.slot);
        answer_number(answers, "relations", pair->relations);
    }
    answer_number(answers, "face pairs", report->face_pair_count);
    for (size_t i = 0; i < report->face_pair_count; ++i) {
        const imp_TouchingFaces *faces = &report->face_pairs[i];
        answer_number(answers, "bodies of faces", (uint64_t)faces->body_a.slot << 32 | faces->body_b.slot);
        answer_number(answers, "faces", (uint64_t)faces->face_a << 32 | faces->face_b);
    }
    answer_number(answers, "open containers", report->open_container_count);
    answer_number(answers, "candidate bodies", report->candidate_body_pairs);
    answer_number(answers, "candidate faces", report->candidate_face_pairs);
}

static void ask_world(imp_Context *context, const void *scene, int exponent, ScaledAnswers *answers)
{
    static const imp_DetectMethod methods[] = {IMP_METHOD_AUTO, IMP_METHOD_EXACT_BOXES,
                                               IMP_METHOD_POSED_BOXES, IMP_METHOD_SMITH_1994};
    for (int method = 0; method < 4; ++method)
        for (int mode = IMP_DETECT_FACES; mode <= IMP_DETECT_BODIES; ++mode) {
            imp_World *world = NULL;
            const imp_Report *report = NULL;
            CHECK_INT(imp_world_create(context, NULL, &world), IMP_STATUS_OK);
            for (int i = 0; i < BODIES; ++i)
                add_body(context, world, scene, i, exponent);
            imp_DetectDef def = {.mode = (imp_DetectMode)mode, .method = methods[method], .smith_level = 3};
            CHECK_INT(imp_world_detect(world, &def, &report), IMP_STATUS_OK);
            answer_report(report, answers);
            imp_world_destroy(world);
        }
}

static void make_bodies(Bodies *bodies)
{
    for (int i = 0; i < BODIES; ++i) {
        bodies->poses[i] = (imp_Pose){.translation = random_place()};
        if (test_random_below(2))
            bodies->poses[i].rotation = random_rotation();
        bodies->sides[i] =
            (imp_Vec3){ldexp(1, -(int)test_random_below(6)), ldexp(3, -(int)test_random_below(6)), 1};
        bodies->is_convex[i] = test_random_below(3) == 0;
        bodies->is_open[i] = test_random_below(4) == 0;
        bodies->is_deformed[i] = !bodies->is_convex[i] && test_random_below(4) == 0;
        for (int k = 0; k < HULL_POINTS; ++k)
            bodies->points[i][k] = scaled_point(random_place(), -1);
    }
    // The first holds the second, and an open one the third.
    bodies->is_convex[0] = bodies->is_open[0] = bodies->is_deformed[0] = bodies->is_convex[2] = false;
    bodies->is_deformed[2] = false;
    bodies->is_open[2] = true;
    for (int i = 0; i < 4; ++i)
        bodies->poses[i] = (imp_Pose){.translation = {i < 2 ? 50 : 70, i % 2, i % 2}};
    bodies->sides[0] = bodies->sides[2] = (imp_Vec3){8, 8, 8};
    for (int i = 1; i < 4; i += 2)
        bodies->poses[i].translation = sum_of(bodies->poses[i].translation, (imp_Vec3){2, 2, 2});
}

TEST(worlds_at_all_sizes)
{
    imp_Context *context = make_context();
    static Bodies bodies;
    uint64_t touching = 0;
    for (uint64_t n = 0; n < scene_count(); ++n) {
        static ScaledAnswers answers;
        make_bodies(&bodies);
        ask_at_all_sizes(context, &bodies, ask_world);
        answers.count = 0;
        ask_world(context, &bodies, 1000, &answers);
        for (size_t i = 0; i < answers.count; ++i)
            touching += answers.list[i].what[0] == 'r' && answers.list[i].number != 0; // relations
    }
    CHECK(touching > 8 * scene_count());
    imp_context_destroy(context);
}

// A few of the bodies, farther from each other, and where they go: filters are silent at most sizes.
#define TRAVELLERS 6

typedef struct Journey {
    Bodies bodies;
    imp_TargetDef targets[TRAVELLERS];
} Journey;

typedef enum Going { STRAIGHT, RIGID, AT_A_DISTANCE, GOING_COUNT } Going;

static imp_Vec3 random_far_place(void)
{
    return scaled_point(random_place(), 2);
}

static void make_journey(Journey *journey)
{
    make_bodies(&journey->bodies);
    for (int i = 0; i < TRAVELLERS; ++i) {
        imp_TargetDef *target = &journey->targets[i];
        journey->bodies.poses[i].translation = random_far_place();
        *target = (imp_TargetDef){.pose = journey->bodies.poses[i], .axis = {0.5, -1, 2}};
        target->pose.translation = random_far_place();
        if (test_random_below(2))
            target->pose.rotation = random_rotation();
        if (test_random_below(2))
            target->pivot = random_place();
        target->turns = (int32_t)test_random_below(3) - 1;
    }
}

static imp_TargetDef target_at(const imp_TargetDef *target, Going going, int exponent)
{
    imp_TargetDef def = *target;
    def.pose.translation = scaled_point(target->pose.translation, exponent);
    def.pivot = scaled_point(target->pivot, exponent);
    if (going == STRAIGHT) {
        def.path = IMP_PATH_STRAIGHT;
        def.turns = 0;
    }
    return def;
}

// Straight ways are exact; on others times go on as far as doubles of the body's size lead.
static void answer_sweep(const imp_SweepReport *report, Going going, ScaledAnswers *answers)
{
    double tolerance = going == STRAIGHT ? 0 : 1e-7;
    answer_number(answers, "bodies that meet", report->pair_count);
    for (size_t i = 0; i < report->pair_count; ++i) {
        const imp_SweptBodies *pair = &report->pairs[i];
        answer_number(answers, "meeting bodies", (uint64_t)pair->body_a.slot << 32 | pair->body_b.slot);
        answer_number(answers, "path", (uint64_t)pair->path);
        answer_number(answers, "touched at start", pair->touched_at_start);
        answer_number(answers, "is certain", pair->is_certain);
        answer_time(answers, going == STRAIGHT ? "time" : "time of a body that turns", pair->time, tolerance);
    }
    for (size_t i = 0; i < report->face_pair_count && going == STRAIGHT; ++i) {
        const imp_SweptFaces *faces = &report->face_pairs[i];
        answer_number(answers, "meeting faces", (uint64_t)faces->face_a << 32 | faces->face_b);
        answer_number(answers, "what meets", 4 * (uint64_t)faces->feature_a + faces->corner_a);
        answer_time(answers, "time of faces", faces->time, 0);
    }
}

static void ask_sweep(imp_Context *context, const void *scene, int exponent, ScaledAnswers *answers)
{
    const Journey *journey = scene;
    for (Going going = STRAIGHT; going < GOING_COUNT; ++going) {
        imp_World *world = NULL;
        const imp_SweepReport *report = NULL;
        imp_SweepDef def = {.face_times = going == STRAIGHT,
                            .separation = going == AT_A_DISTANCE ? ldexp(0.25, exponent) : 0};
        CHECK_INT(imp_world_create(context, NULL, &world), IMP_STATUS_OK);
        for (uint32_t i = 0; i < TRAVELLERS; ++i) {
            imp_TargetDef target = target_at(&journey->targets[i], going, exponent);
            add_body(context, world, &journey->bodies, (int)i, exponent);
            CHECK_INT(imp_body_set_target(world, (imp_BodyId){i + 1, 1}, &target), IMP_STATUS_OK);
        }
        CHECK_INT(imp_world_sweep(world, &def, &report), IMP_STATUS_OK);
        answer_sweep(report, going, answers);
        imp_world_destroy(world);
    }
}

// Where squares of lengths vanished, steps of bodies that turn were twice as long as they may be, and boxes
// around their ways too small.
TEST(sweeps_at_all_sizes)
{
    imp_Context *context = make_context();
    static Journey journey;
    uint64_t straight = 0, turning = 0;
    for (uint64_t n = 0; 2 * n < scene_count(); ++n) {
        static ScaledAnswers answers;
        make_journey(&journey);
        ask_at_all_sizes(context, &journey, ask_sweep);
        answers.count = 0;
        ask_sweep(context, &journey, 0, &answers);
        for (size_t i = 0; i < answers.count; ++i) {
            const ScaledAnswer *answer = &answers.list[i];
            bool is_on_the_way = answer->value > 0 && answer->value < 1;
            straight += is_on_the_way && strcmp(answer->what, "time") == 0;
            turning += is_on_the_way && answer->tolerance > 0;
        }
    }
    printf("%llu pairs meet on straight ways, %llu on others\n", (unsigned long long)straight,
           (unsigned long long)turning);
    CHECK(straight > scene_count() / 4 && turning > scene_count());
    imp_context_destroy(context);
}

static void ask_query(imp_Context *context, const void *scene, int exponent, ScaledAnswers *answers)
{
    const Bodies *bodies = scene;
    imp_Query *query = NULL;
    CHECK_INT(imp_query_create(NULL, &query), IMP_STATUS_OK);
    imp_Pose poses[BODIES];
    for (int i = 0; i < BODIES; ++i) {
        poses[i] = bodies->poses[i];
        poses[i].translation = scaled_point(poses[i].translation, exponent);
    }
    imp_MeshPair pair = {.a = mesh_at(context, bodies, 4, exponent),
                         .b = mesh_at(context, bodies, 5, exponent),
                         .pose_a = poses[4],
                         .poses_b = poses,
                         .pose_count = BODIES};
    bool touch[BODIES] = {false};
    static imp_FacePair faces[10000];
    size_t ends[BODIES] = {0}, count = 0;
    CHECK_INT(imp_meshes_touch(query, &pair, touch), IMP_STATUS_OK);
    CHECK_INT(imp_meshes_face_pairs(query, &pair, faces, 10000, ends, &count), IMP_STATUS_OK);
    for (int i = 0; i < BODIES; ++i) {
        answer_number(answers, "meshes touch", touch[i]);
        answer_number(answers, "end", ends[i]);
    }
    for (size_t i = 0; i < count; ++i)
        answer_number(answers, "face pair", (uint64_t)faces[i].face_a << 32 | faces[i].face_b);
    imp_mesh_release(pair.a);
    imp_mesh_release(pair.b);
    imp_query_destroy(query);
}

TEST(queries_at_all_sizes)
{
    imp_Context *context = make_context();
    static Bodies bodies;
    for (uint64_t n = 0; n < scene_count(); ++n) {
        make_bodies(&bodies);
        ask_at_all_sizes(context, &bodies, ask_query);
    }
    imp_context_destroy(context);
}

// ------------------------------------------------------------------------------------------- scenes

// Positions and keys in files are single precision; what is placed beyond is placed by nodes: by a scale, by
// a matrix, by both in turn, with a rotation that moves.
static void write_scene(const char *path, int exponent)
{
    double s = ldexp(1, exponent);
    GltfFile *file = gltf_new();
    int mesh = gltf_box(file, -1, -0.5f, 0.25f, 1, 2, 3);
    gltf_node(file, true, "\"scale\":[%.17g,%.17g,%.17g],\"children\":[1,3]", s, s, s);
    gltf_node(file, false, "\"translation\":[1,2,3],\"children\":[2]");
    int turning = gltf_node(file, false, "\"name\":\"turning\",\"mesh\":%d", mesh);
    gltf_node(file, false, "\"name\":\"sheared\",\"mesh\":%d,\"matrix\":[2,1,0,0,0.5,1,0,0,0,0,3,0,1,1,1,1]",
              mesh);
    gltf_node(file, true,
              "\"name\":\"matrix\",\"mesh\":%d,\"matrix\":[%.17g,0,0,0,0,0,%.17g,0,0,%.17g,0,0,%.17g,0,0,1]",
              mesh, s, s, -s, 3 * s);
    gltf_animate(file, turning, "rotation", "LINEAR", 2, (float[]){0, 1}, 4,
                 (float[]){0, 0, 0, 1, 0, 0, 0.70710678f, 0.70710678f});
    gltf_save(file, path);
}

static void ask_scene(imp_Context *context, const void *ignored, int exponent, ScaledAnswers *answers)
{
    (void)ignored;
    imp_Scene *scene = NULL;
    write_scene("exponents.gltf", exponent);
    if (!CHECK_INT(imp_scene_load(context, "exponents.gltf", &scene), IMP_STATUS_OK))
        return;
    for (size_t body = 0; body < imp_scene_get_body_count(scene); ++body)
        for (int frame = 0; frame <= 4; ++frame) {
            imp_Pose pose;
            imp_Vec3 vertices[64], posed = {0, 0, 0};
            imp_SceneBody made;
            CHECK_INT(imp_scene_get_body(scene, body, &made), IMP_STATUS_OK);
            size_t count = imp_mesh_get_vertex_count(made.mesh);
            CHECK_INT(imp_scene_sample(scene, body, frame / 4.0, &pose, vertices), IMP_STATUS_OK);
            for (size_t i = 0; i < count && i < 64; ++i) {
                CHECK_INT(imp_pose_apply(&pose, vertices[i], &posed), IMP_STATUS_OK);
                answer_value(answers, "sampled x", posed.x, 1, 1e-12);
                answer_value(answers, "sampled y", posed.y, 1, 1e-12);
                answer_value(answers, "sampled z", posed.z, 1, 1e-12);
            }
        }
    imp_scene_destroy(scene);
    remove("exponents.gltf");
}

TEST(scenes_at_all_sizes)
{
    imp_Context *context = make_context();
    ask_at_all_sizes(context, NULL, ask_scene);
    imp_context_destroy(context);
}
