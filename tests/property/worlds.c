/// Worlds over many frames, with bodies that come, go, move and deform, against a plain model that looks at
/// all pairs anew each frame with single calls of the public interface.
#include "harness.h"
#include "posed_faces.h"
#include "reports.h"
#include "sanitizers.h"
#include "scenes/shapes.h"

#include <stdio.h>

#define MAX_BODIES   40
#define FRAME_COUNT  30
#define THREAD_KINDS 3
#define MESH_KINDS   8

static const uint32_t thread_counts[THREAD_KINDS] = {1, 2, 5};

typedef struct ModelBody {
    bool alive;
    imp_BodyId id;
    imp_Mesh *mesh;
    imp_Pose pose;
    imp_Vec3 *deformed;
    uint64_t category_bits, ignore_bits;
    // Of the frame at hand:
    PosedFaces faces;
    imp_Mesh *posed; // the same as a mesh
    bool closed;
} ModelBody;

typedef struct Model {
    ModelBody bodies[MAX_BODIES]; // slot s is bodies[s - 1]
    bool ignored[MAX_BODIES][MAX_BODIES];
    PairList last, now, begun, ended;
    imp_TouchingFaces *faces;
    size_t face_count, face_capacity;
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
    for (int i = 0; i < MAX_BODIES; ++i)
        free(stage->model->bodies[i].deformed);
    free(stage->model->faces);
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
    ModelBody added = {.alive = true,
                       .mesh = stage->meshes[test_random_below(MESH_KINDS)],
                       .pose = random_pose(reach),
                       .category_bits = (uint64_t)1 << test_random_below(4),
                       .ignore_bits = test_random_below(5) ? 0 : (uint64_t)1 << test_random_below(4)};
    imp_BodyDef def = {.mesh = added.mesh,
                       .pose = added.pose,
                       .category_bits = added.category_bits,
                       .ignore_bits = added.ignore_bits};
    for (int i = 0; i < THREAD_KINDS; ++i) {
        imp_BodyId id = {0};
        CHECK_INT(imp_world_add_body(stage->worlds[i], &def, &id), IMP_STATUS_OK);
        if (i > 0)
            CHECK(id.slot == added.id.slot && id.generation == added.id.generation);
        added.id = id;
    }
    if (!CHECK(added.id.slot >= 1 && added.id.slot <= MAX_BODIES))
        return;
    ModelBody *place = &stage->model->bodies[added.id.slot - 1];
    CHECK(!place->alive && added.id.generation > place->id.generation);
    *place = added;
}

static void remove_body(Stage *stage, ModelBody *body)
{
    Model *model = stage->model;
    size_t number = (size_t)(body - model->bodies);
    for (int i = 0; i < THREAD_KINDS; ++i)
        CHECK_INT(imp_world_remove_body(stage->worlds[i], body->id), IMP_STATUS_OK);
    for (int i = 0; i < MAX_BODIES; ++i)
        model->ignored[i][number] = model->ignored[number][i] = false;
    free(body->deformed);
    *body = (ModelBody){.id = body->id};
    ++tally.removed;
}

static void move_body(Stage *stage, ModelBody *body, double reach)
{
    body->pose = random_pose(reach);
    for (int i = 0; i < THREAD_KINDS; ++i)
        CHECK_INT(imp_body_set_pose(stage->worlds[i], body->id, body->pose), IMP_STATUS_OK);
}

// Squeezed along an axis, at times to a plane or a point, and at times torn by noise; or as it was.
static void deform_body(Stage *stage, ModelBody *body)
{
    size_t count = imp_mesh_get_vertex_count(body->mesh);
    uint32_t kind = test_random_below(6);
    double noise = kind == 1 ? 0.1 : 0, flat = kind == 2 ? 0 : test_random_between(0.3, 1.5);
    double wide = kind == 3 ? 0 : test_random_between(0.5, 1.5);
    free(body->deformed);
    body->deformed = NULL;
    if (kind > 0) {
        body->deformed = malloc(count * sizeof *body->deformed);
        for (size_t i = 0; i < count; ++i) {
            imp_Vec3 v = imp_mesh_get_vertices(body->mesh)[i];
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
    Model *model = stage->model;
    size_t number = (size_t)(body - model->bodies), other = test_random_below(MAX_BODIES);
    bool ignore = test_random_below(2);
    body->ignore_bits = test_random_below(3) ? 0 : (uint64_t)1 << test_random_below(4);
    for (int i = 0; i < THREAD_KINDS; ++i)
        CHECK_INT(imp_body_set_filter(stage->worlds[i], body->id, body->category_bits, body->ignore_bits),
                  IMP_STATUS_OK);
    if (other == number || !model->bodies[other].alive)
        return;
    model->ignored[number][other] = model->ignored[other][number] = ignore;
    for (int i = 0; i < THREAD_KINDS; ++i)
        CHECK_INT(imp_world_ignore_pair(stage->worlds[i], body->id, model->bodies[other].id, ignore),
                  IMP_STATUS_OK);
}

static size_t living_count(const Model *model)
{
    size_t count = 0;
    for (int i = 0; i < MAX_BODIES; ++i)
        count += model->bodies[i].alive;
    return count;
}

static void change_bodies(Stage *stage, size_t most_bodies, double reach)
{
    for (int i = 0; i < MAX_BODIES; ++i) {
        ModelBody *body = &stage->model->bodies[i];
        if (!body->alive)
            continue;
        uint32_t what = test_random_below(16);
        if (what < 2 && living_count(stage->model) > 2)
            remove_body(stage, body);
        else if (what < 8)
            move_body(stage, body, reach);
        else if (what == 8)
            deform_body(stage, body);
        else if (what == 9)
            change_filters(stage, body);
    }
    while (living_count(stage->model) < most_bodies && test_random_below(3))
        add_body(stage, reach);
    for (int i = 0; i < THREAD_KINDS; ++i)
        CHECK_INT(imp_world_get_body_count(stage->worlds[i]), living_count(stage->model));
}

// World coordinates of a body, and what its shape is.
static void pose_body(imp_Context *context, ModelBody *body)
{
    size_t count = imp_mesh_get_vertex_count(body->mesh);
    imp_Vec3 *vertices = malloc(count * sizeof *vertices);
    imp_Mesh *shape = NULL;
    imp_Transform transform;
    const imp_Vec3 *from = body->deformed ? body->deformed : imp_mesh_get_vertices(body->mesh);
    body->faces = posed_faces_make(body->mesh, body->deformed, &body->pose);
    CHECK_INT(imp_pose_transform(&body->pose, &transform), IMP_STATUS_OK);
    for (size_t i = 0; i < count; ++i)
        vertices[i] = imp_transform_apply(&transform, from[i]);
    imp_MeshDef def = {.vertices = &vertices->x,
                       .vertex_count = count,
                       .indices = imp_mesh_get_indices(body->mesh),
                       .triangle_count = imp_mesh_get_triangle_count(body->mesh)};
    CHECK_INT(imp_mesh_create(context, &def, &body->posed), IMP_STATUS_OK);
    def.vertices = &from->x;
    CHECK_INT(imp_mesh_create(context, &def, &shape), IMP_STATUS_OK);
    CHECK_INT(imp_mesh_is_closed(context, shape, &body->closed), IMP_STATUS_OK);
    imp_mesh_release(shape);
    free(vertices);
}

static bool is_compared(const Model *model, size_t a, size_t b)
{
    const ModelBody *first = &model->bodies[a], *second = &model->bodies[b];
    return first->alive && second->alive && !model->ignored[a][b] &&
           !(first->category_bits & second->ignore_bits) && !(second->category_bits & first->ignore_bits);
}

static void add_face_pairs(Model *model, const ModelBody *a, const ModelBody *b, const FacePairList *list)
{
    size_t needed = model->face_count + list->count;
    if (needed > model->face_capacity) {
        model->face_capacity = 2 * needed;
        model->faces = realloc(model->faces, model->face_capacity * sizeof *model->faces);
    }
    for (size_t i = 0; i < list->count; ++i)
        model->faces[model->face_count++] =
            (imp_TouchingFaces){a->id, list->pairs[i].face_a, b->id, list->pairs[i].face_b};
}

static uint32_t relate(imp_Context *context, Model *model, const ModelBody *a, const ModelBody *b)
{
    FacePairList list = {0};
    uint32_t relations = 0;
    if (!boxes_overlap(&a->faces.bounds, &b->faces.bounds))
        return 0;
    brute_force_touching(&a->faces, &b->faces, library_triangles_touch, &list);
    if (list.count > 0) {
        relations = IMP_RELATION_TOUCH;
        add_face_pairs(model, a, b, &list);
    } else {
        if (b->closed && has_corner_inside(context, &a->faces, b->posed))
            relations |= IMP_RELATION_A_INSIDE_B;
        if (a->closed && has_corner_inside(context, &b->faces, a->posed))
            relations |= IMP_RELATION_B_INSIDE_A;
    }
    face_pair_list_free(&list);
    return relations;
}

static void compute_frame(imp_Context *context, Model *model)
{
    model->now.count = model->face_count = 0;
    for (int i = 0; i < MAX_BODIES; ++i)
        if (model->bodies[i].alive)
            pose_body(context, &model->bodies[i]);
    for (size_t a = 0; a < MAX_BODIES; ++a)
        for (size_t b = a + 1; b < MAX_BODIES; ++b) {
            if (!is_compared(model, a, b)) {
                tally.ignored += model->bodies[a].alive && model->bodies[b].alive;
                continue;
            }
            imp_BodyPair pair = {model->bodies[a].id, model->bodies[b].id,
                                 relate(context, model, &model->bodies[a], &model->bodies[b]), 0};
            if (pair.relations)
                model->now.pairs[model->now.count++] = pair;
            tally.touch += (pair.relations & IMP_RELATION_TOUCH) != 0;
            tally.inside += pair.relations > IMP_RELATION_TOUCH;
            tally.both_inside += pair.relations == (IMP_RELATION_A_INSIDE_B | IMP_RELATION_B_INSIDE_A);
        }
    list_missing(&model->now, &model->last, &model->begun);
    list_missing(&model->last, &model->now, &model->ended);
    tally.begun += model->begun.count;
    tally.ended += model->ended.count;
    tally.face_pairs += model->face_count;
}

static void end_frame(Model *model)
{
    model->last = model->now;
    for (int i = 0; i < MAX_BODIES; ++i)
        if (model->bodies[i].alive) {
            posed_faces_free(&model->bodies[i].faces);
            imp_mesh_release(model->bodies[i].posed);
        }
}

static bool lists_open_container(const imp_Report *report, imp_BodyId inner, imp_BodyId outer)
{
    for (size_t i = 0; i < report->open_container_count; ++i)
        if (memcmp(&report->open_containers[i], &(imp_OpenContainer){inner, outer},
                   sizeof(imp_OpenContainer)) == 0)
            return true;
    return false;
}

// Whoever has its box inside that of an open body and does not touch it is listed, and outer ones are open.
static void check_open_containers(const Model *model, const imp_Report *report)
{
    for (size_t a = 0; a < MAX_BODIES; ++a)
        for (size_t b = 0; b < MAX_BODIES; ++b) {
            const ModelBody *inner = &model->bodies[a], *outer = &model->bodies[b];
            if (a == b || !is_compared(model, a, b) || outer->closed ||
                !box_is_inside(&inner->faces.bounds, &outer->faces.bounds))
                continue;
            imp_BodyPair pair = {a < b ? inner->id : outer->id, a < b ? outer->id : inner->id, 0, 0};
            const imp_BodyPair *found = find_pair(&model->now, &pair);
            bool touch = found && found->relations & IMP_RELATION_TOUCH;
            CHECK(lists_open_container(report, inner->id, outer->id) == !touch);
        }
    for (size_t i = 0; i < report->open_container_count; ++i) {
        const ModelBody *outer = &model->bodies[report->open_containers[i].outer.slot - 1];
        const ModelBody *inner = &model->bodies[report->open_containers[i].inner.slot - 1];
        CHECK(outer->alive && inner->alive && !outer->closed &&
              box_is_inside(&inner->faces.bounds, &outer->faces.bounds));
    }
    tally.open += report->open_container_count;
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
    const Model *model = stage->model;
    const imp_Report *report = detect_everywhere(stage, &(imp_DetectDef){.method = method, .smith_level = 4});
    if (!report)
        return;
    CHECK(is_list(report->body_pairs, report->body_pair_count, &model->now));
    CHECK_INT(report->face_pair_total, model->face_count);
    CHECK(report->face_pair_count == model->face_count &&
          (model->face_count == 0 ||
           memcmp(report->face_pairs, model->faces, model->face_count * sizeof *model->faces) == 0));
    CHECK(!report->truncated && report->candidate_face_pairs >= model->face_count);
    check_open_containers(model, report);
}

static void check_changes(Stage *stage, imp_DetectMode mode)
{
    const Model *model = stage->model;
    const imp_Report *report = detect_everywhere(stage, &(imp_DetectDef){.mode = mode});
    if (!report)
        return;
    CHECK(is_list(report->body_pairs, report->body_pair_count, &model->now));
    CHECK(is_list(report->begun, report->begun_count, &model->begun));
    CHECK(is_list(report->ended, report->ended_count, &model->ended));
    if (mode == IMP_DETECT_BODIES)
        CHECK(report->face_pair_count == 0 && report->face_pair_total == 0);
}

// The first pair, and only its faces; what began and ended is left alone.
static void check_first(Stage *stage, imp_DetectMethod method)
{
    const Model *model = stage->model;
    size_t faces = 0;
    const imp_Report *report = detect_everywhere(
        stage, &(imp_DetectDef){.mode = IMP_DETECT_FIRST, .method = method, .smith_level = 3});
    if (!report)
        return;
    CHECK_INT(report->body_pair_count, model->now.count > 0);
    CHECK(report->begun_count == 0 && report->ended_count == 0);
    if (model->now.count == 0)
        return;
    CHECK(memcmp(report->body_pairs, model->now.pairs, sizeof *model->now.pairs) == 0);
    while (faces < model->face_count &&
           memcmp(&model->faces[faces].body_a, &model->now.pairs[0].body_a, sizeof(imp_BodyId)) == 0 &&
           memcmp(&model->faces[faces].body_b, &model->now.pairs[0].body_b, sizeof(imp_BodyId)) == 0)
        ++faces;
    CHECK(report->face_pair_count == faces && report->face_pair_total == faces &&
          (faces == 0 || memcmp(report->face_pairs, model->faces, faces * sizeof *model->faces) == 0));
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
        end_frame(stage.model);
    }
    stage_destroy(&stage);
}

#if defined(TEST_UNDER_SANITIZER)
#define DEFAULT_WORLDS 24
#else
#define DEFAULT_WORLDS 64
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
