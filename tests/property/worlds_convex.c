/// Worlds of convex bodies and meshes over many frames, against a plain model that looks at all pairs anew
/// each frame: two solids are tested knowing nothing, and the proof is checked; a solid and a mesh are tested
/// triangle by triangle; surfaces are compared face by face.
#include "harness.h"
#include "oracle/convex_oracle.h"
#include "posed_faces.h"
#include "reports.h"
#include "sanitizers.h"
#include "scenes/shapes.h"
#include "solid_triangle.h"

#include <math.h>
#include <stdio.h>

#define MAX_BODIES   30
#define FRAME_COUNT  24
#define THREAD_KINDS 3
#define MESH_KINDS   7
#define CONVEX_KINDS 6

static const uint32_t thread_counts[THREAD_KINDS] = {1, 2, 5};

typedef struct ModelBody {
    bool alive;
    imp_BodyId id;
    imp_Mesh *mesh;     // of a solid: its surface
    imp_Convex *convex; // null for a mesh
    imp_Pose pose;
    imp_Vec3 *deformed;
    uint64_t category_bits, ignore_bits;
    // Of the frame at hand:
    imp_Transform transform;
    PosedFaces faces;
    imp_Mesh *posed;     // the same as a mesh
    imp_Vec3 *positions; // its vertices
    bool closed;
} ModelBody;

typedef struct Stage {
    imp_Context *contexts[THREAD_KINDS];
    imp_World *worlds[THREAD_KINDS];
    imp_Mesh *meshes[MESH_KINDS];
    imp_Convex *convexes[CONVEX_KINDS];
    ModelBody bodies[MAX_BODIES]; // slot s is bodies[s - 1]
    bool ignored[MAX_BODIES][MAX_BODIES];
    PairList last, now, begun, ended;
    FacePairList faces; // of all pairs, in the order of pairs
} Stage;

// How often each outcome occurred.
static struct {
    uint64_t solids_touch, solids_apart, mesh_touch, mesh_apart, without_faces, inside, begun, ended, removed,
        deformed, ignored, face_pairs, judged;
} tally;

// ------------------------------------------------------------------------------------------- shapes

static imp_Convex *hull_of(imp_Context *context, const imp_Vec3 *points, size_t count)
{
    imp_Convex *convex = NULL;
    imp_ConvexDef def = {.points = &points->x, .point_count = count};
    CHECK_INT(imp_convex_create(context, &def, &convex), IMP_STATUS_OK);
    return convex;
}

static imp_Convex *hull_of_mesh(imp_Context *context, imp_Mesh *mesh)
{
    imp_Convex *convex = hull_of(context, imp_mesh_get_vertices(mesh), imp_mesh_get_vertex_count(mesh));
    imp_mesh_release(mesh);
    return convex;
}

static imp_Convex *random_hull(imp_Context *context, imp_Vec3 size)
{
    imp_Vec3 points[14];
    for (int i = 0; i < 14; ++i)
        points[i] = (imp_Vec3){test_random_between(-size.x, size.x), test_random_between(-size.y, size.y),
                               test_random_between(-size.z, size.z)};
    return hull_of(context, points, 14);
}

static void make_convexes(Stage *stage)
{
    imp_Context *context = stage->contexts[0];
    imp_Mesh *mesh = NULL;
    CHECK_INT(scene_box(context, (imp_Vec3){0, 0, 0}, (imp_Vec3){1, 1, 1}, &mesh), IMP_STATUS_OK);
    CHECK_INT(imp_convex_create_from_mesh(context, mesh, &stage->convexes[0]), IMP_STATUS_OK);
    imp_mesh_release(mesh);
    CHECK_INT(scene_sphere(context, 9, 6, 0.8, &mesh), IMP_STATUS_OK);
    stage->convexes[1] = hull_of_mesh(context, mesh);
    // Large enough to hold most of the others.
    CHECK_INT(scene_sphere(context, 24, 16, 2.2, &mesh), IMP_STATUS_OK);
    stage->convexes[2] = hull_of_mesh(context, mesh);
    stage->convexes[3] = random_hull(context, (imp_Vec3){0.9, 0.9, 0.9});
    stage->convexes[4] = random_hull(context, (imp_Vec3){1.5, 0.7, 0.02});
    CHECK_INT(scene_needle(context, 5, 0.05, &mesh), IMP_STATUS_OK);
    stage->convexes[5] = hull_of_mesh(context, mesh);
}

static void make_meshes(Stage *stage)
{
    imp_Context *context = stage->contexts[0];
    imp_Mesh *near = NULL, *moved = NULL;
    CHECK_INT(scene_sphere(context, 8, 5, 0.4, &stage->meshes[0]), IMP_STATUS_OK);
    CHECK_INT(scene_torus(context, 14, 8, 1.2, 0.3, &stage->meshes[1]), IMP_STATUS_OK);
    CHECK_INT(scene_hollow_sphere(context, 12, 8, 3, 1, &stage->meshes[2]), IMP_STATUS_OK);
    CHECK_INT(scene_soup(context, 40, 0.3, 5, &stage->meshes[3]), IMP_STATUS_OK);
    CHECK_INT(scene_grid_soup(context, 30, 3, 9, &stage->meshes[4]), IMP_STATUS_OK);
    CHECK_INT(scene_bumpy_sphere(context, 14, 9, 2.8, 0.2, 3, &stage->meshes[5]), IMP_STATUS_OK);
    // Two components, one of which may lie inside something while the other does not.
    CHECK_INT(scene_sphere(context, 6, 4, 0.3, &near), IMP_STATUS_OK);
    CHECK_INT(scene_place(context, near, 1, (imp_Vec3){2, 0, 0}, &moved), IMP_STATUS_OK);
    CHECK_INT(scene_join(context, near, moved, &stage->meshes[6]), IMP_STATUS_OK);
    imp_mesh_release(near);
    imp_mesh_release(moved);
}

static Stage *stage_make(void)
{
    Stage *stage = calloc(1, sizeof *stage);
    for (int i = 0; i < THREAD_KINDS; ++i) {
        stage->contexts[i] = context_with_threads(thread_counts[i]);
        CHECK_INT(imp_world_create(stage->contexts[i], NULL, &stage->worlds[i]), IMP_STATUS_OK);
    }
    make_meshes(stage);
    make_convexes(stage);
    return stage;
}

// Bodies keep what they are made of.
static void release_shapes(Stage *stage)
{
    for (int i = 0; i < MESH_KINDS; ++i)
        imp_mesh_release(stage->meshes[i]);
    for (int i = 0; i < CONVEX_KINDS; ++i)
        imp_convex_release(stage->convexes[i]);
}

static void stage_destroy(Stage *stage)
{
    release_shapes(stage);
    for (int i = 0; i < THREAD_KINDS; ++i) {
        imp_world_destroy(stage->worlds[i]);
        imp_context_destroy(stage->contexts[i]);
    }
    for (int i = 0; i < MAX_BODIES; ++i)
        free(stage->bodies[i].deformed);
    face_pair_list_free(&stage->faces);
    free(stage);
}

// ------------------------------------------------------------------------------------------- motion

// Sometimes on whole numbers without rotation, where solids share corners, edges and faces.
static imp_Pose random_pose(double reach)
{
    imp_Pose pose = {.translation = {test_random_between(-reach, reach), test_random_between(-reach, reach),
                                     test_random_between(-reach, reach)}};
    if (test_random_below(3) == 0)
        pose.translation =
            (imp_Vec3){(int)pose.translation.x, (int)pose.translation.y, (int)pose.translation.z};
    else
        pose.rotation = random_rotation();
    return pose;
}

// A small step, or a jump.
static imp_Pose next_pose(imp_Pose pose, double reach)
{
    if (test_random_below(4) == 0)
        return random_pose(reach);
    pose.translation.x += test_random_between(-0.1, 0.1);
    pose.translation.y += test_random_between(-0.1, 0.1);
    pose.translation.z += test_random_between(-0.1, 0.1);
    return pose;
}

static void add_body(Stage *stage, double reach)
{
    ModelBody added = {.alive = true,
                       .pose = random_pose(reach),
                       .category_bits = (uint64_t)1 << test_random_below(4),
                       .ignore_bits = test_random_below(8) ? 0 : (uint64_t)1 << test_random_below(4)};
    imp_BodyDef def = {
        .pose = added.pose, .category_bits = added.category_bits, .ignore_bits = added.ignore_bits};
    if (test_random_below(3)) {
        def.convex = added.convex = stage->convexes[test_random_below(CONVEX_KINDS)];
        added.mesh = imp_convex_get_mesh(added.convex);
    } else {
        def.mesh = added.mesh = stage->meshes[test_random_below(MESH_KINDS)];
    }
    for (int i = 0; i < THREAD_KINDS; ++i)
        CHECK_INT(imp_world_add_body(stage->worlds[i], &def, &added.id), IMP_STATUS_OK);
    if (CHECK(added.id.slot >= 1 && added.id.slot <= MAX_BODIES))
        stage->bodies[added.id.slot - 1] = added;
}

static void remove_body(Stage *stage, size_t number)
{
    ModelBody *body = &stage->bodies[number];
    for (int i = 0; i < THREAD_KINDS; ++i)
        CHECK_INT(imp_world_remove_body(stage->worlds[i], body->id), IMP_STATUS_OK);
    for (int i = 0; i < MAX_BODIES; ++i)
        stage->ignored[i][number] = stage->ignored[number][i] = false;
    free(body->deformed);
    *body = (ModelBody){.alive = false};
    ++tally.removed;
}

// A solid refuses.
static void deform_body(Stage *stage, ModelBody *body)
{
    size_t count = imp_mesh_get_vertex_count(body->mesh);
    imp_Vec3 *vertices = malloc(count * sizeof *vertices);
    double flat = test_random_below(3) ? test_random_between(0.3, 1.2) : 0;
    for (size_t i = 0; i < count; ++i) {
        imp_Vec3 v = imp_mesh_get_vertices(body->mesh)[i];
        vertices[i] = (imp_Vec3){v.x + test_random_between(-0.05, 0.05), v.y, flat * v.z};
    }
    for (int i = 0; i < THREAD_KINDS; ++i)
        CHECK_INT(imp_body_set_vertices(stage->worlds[i], body->id, &vertices->x, count),
                  body->convex ? IMP_STATUS_BAD_SHAPE : IMP_STATUS_OK);
    if (body->convex) {
        free(vertices);
        return;
    }
    free(body->deformed);
    body->deformed = vertices;
    ++tally.deformed;
}

static void change_ignored(Stage *stage, size_t number)
{
    size_t other = test_random_below(MAX_BODIES);
    bool ignore = test_random_below(2);
    if (other == number || !stage->bodies[other].alive)
        return;
    stage->ignored[number][other] = stage->ignored[other][number] = ignore;
    for (int i = 0; i < THREAD_KINDS; ++i)
        CHECK_INT(imp_world_ignore_pair(stage->worlds[i], stage->bodies[number].id, stage->bodies[other].id,
                                        ignore),
                  IMP_STATUS_OK);
}

static void change_body(Stage *stage, size_t number, double reach)
{
    ModelBody *body = &stage->bodies[number];
    uint32_t what = test_random_below(16);
    if (what == 0) {
        remove_body(stage, number);
    } else if (what == 1) {
        deform_body(stage, body);
    } else if (what == 2) {
        change_ignored(stage, number);
    } else if (what < 13) {
        body->pose = next_pose(body->pose, reach);
        for (int i = 0; i < THREAD_KINDS; ++i)
            CHECK_INT(imp_body_set_pose(stage->worlds[i], body->id, body->pose), IMP_STATUS_OK);
    }
}

// Slots are used again by bodies of another kind.
static void change_bodies(Stage *stage, size_t most_bodies, double reach)
{
    for (size_t i = 0; i < MAX_BODIES; ++i)
        if (stage->bodies[i].alive)
            change_body(stage, i, reach);
    while (imp_world_get_body_count(stage->worlds[0]) < most_bodies && test_random_below(4))
        add_body(stage, reach);
}

// -------------------------------------------------------------------------------------------- model

static void pose_body(imp_Context *context, ModelBody *body)
{
    size_t count = imp_mesh_get_vertex_count(body->mesh);
    imp_Mesh *shape = NULL;
    const imp_Vec3 *from = body->deformed ? body->deformed : imp_mesh_get_vertices(body->mesh);
    body->faces = posed_faces_make(body->mesh, body->deformed, &body->pose);
    body->positions = malloc(count * sizeof *body->positions);
    CHECK_INT(imp_pose_transform(&body->pose, &body->transform), IMP_STATUS_OK);
    for (size_t i = 0; i < count; ++i)
        body->positions[i] = imp_transform_apply(&body->transform, from[i]);
    imp_MeshDef def = {.vertices = &body->positions->x,
                       .vertex_count = count,
                       .indices = imp_mesh_get_indices(body->mesh),
                       .triangle_count = imp_mesh_get_triangle_count(body->mesh)};
    CHECK_INT(imp_mesh_create(context, &def, &body->posed), IMP_STATUS_OK);
    def.vertices = &from->x;
    CHECK_INT(imp_mesh_create(context, &def, &shape), IMP_STATUS_OK);
    CHECK_INT(imp_mesh_is_closed(context, shape, &body->closed), IMP_STATUS_OK);
    imp_mesh_release(shape);
}

static bool solids_touch(imp_Context *context, const ModelBody *a, const ModelBody *b)
{
    imp_ConvexPair pair = {a->convex, b->convex, a->pose, b->pose};
    imp_ConvexResult result = {.touch = false};
    bool is_valid = false;
    CHECK_INT(imp_convex_test(context, NULL, &pair, &result), IMP_STATUS_OK);
    CHECK_INT(imp_certificate_check(context, &pair, &result.certificate, &is_valid), IMP_STATUS_OK);
    CHECK(is_valid && result.certificate.touch == result.touch);
    tally.solids_touch += result.touch;
    tally.solids_apart += !result.touch;
    return result.touch;
}

// One triangle in world coordinates, as a hull in no pose. Now and then the oracle is asked as well.
static bool triangle_touches(imp_Context *context, const ModelBody *solid, const imp_Triangle *triangle)
{
    bool touch = solid_touches_triangle(context, solid->convex, &solid->transform, triangle);
    size_t count = imp_mesh_get_vertex_count(solid->mesh);
    if (count <= 60 && test_random_below(20) == 0) {
        CHECK(oracle_hulls_touch(solid->positions, count, triangle->v, 3) == touch);
        ++tally.judged;
    }
    return touch;
}

static bool solid_touches_mesh(imp_Context *context, const ModelBody *solid, const ModelBody *mesh)
{
    bool touches = false;
    for (size_t i = 0; i < mesh->faces.count && !touches; ++i)
        touches = boxes_overlap(&mesh->faces.boxes[i], &solid->faces.bounds) &&
                  triangle_touches(context, solid, &mesh->faces.triangles[i]);
    tally.mesh_touch += touches;
    tally.mesh_apart += !touches;
    return touches;
}

static uint32_t containment(imp_Context *context, const ModelBody *a, const ModelBody *b)
{
    uint32_t relations = 0;
    if (!b->convex && b->closed && has_corner_inside(context, &a->faces, b->posed))
        relations |= IMP_RELATION_A_INSIDE_B;
    if (!a->convex && a->closed && has_corner_inside(context, &b->faces, a->posed))
        relations |= IMP_RELATION_B_INSIDE_A;
    tally.inside += relations != 0 && (a->convex || b->convex);
    return relations;
}

static uint32_t relate(Stage *stage, const ModelBody *a, const ModelBody *b)
{
    imp_Context *context = stage->contexts[0];
    size_t face_count = stage->faces.count;
    if (!boxes_overlap(&a->faces.bounds, &b->faces.bounds))
        return 0;
    brute_force_touching(&a->faces, &b->faces, library_triangles_touch, &stage->faces);
    face_count = stage->faces.count - face_count;
    bool touches = a->convex && b->convex ? solids_touch(context, a, b)
                   : a->convex            ? solid_touches_mesh(context, a, b)
                   : b->convex            ? solid_touches_mesh(context, b, a)
                                          : face_count > 0;
    CHECK(touches || face_count == 0);
    tally.without_faces += touches && face_count == 0;
    return touches ? IMP_RELATION_TOUCH : containment(context, a, b);
}

static bool is_compared(const Stage *stage, size_t a, size_t b)
{
    const ModelBody *first = &stage->bodies[a], *second = &stage->bodies[b];
    return first->alive && second->alive && !stage->ignored[a][b] &&
           !(first->category_bits & second->ignore_bits) && !(second->category_bits & first->ignore_bits);
}

static void compute_frame(Stage *stage)
{
    stage->now.count = stage->faces.count = 0;
    for (int i = 0; i < MAX_BODIES; ++i)
        if (stage->bodies[i].alive)
            pose_body(stage->contexts[0], &stage->bodies[i]);
    for (size_t a = 0; a < MAX_BODIES; ++a)
        for (size_t b = a + 1; b < MAX_BODIES; ++b) {
            if (!is_compared(stage, a, b)) {
                tally.ignored += stage->bodies[a].alive && stage->bodies[b].alive;
                continue;
            }
            imp_BodyPair pair = {stage->bodies[a].id, stage->bodies[b].id,
                                 relate(stage, &stage->bodies[a], &stage->bodies[b]), 0};
            if (pair.relations)
                stage->now.pairs[stage->now.count++] = pair;
        }
    list_missing(&stage->now, &stage->last, &stage->begun);
    list_missing(&stage->last, &stage->now, &stage->ended);
    tally.begun += stage->begun.count;
    tally.ended += stage->ended.count;
    tally.face_pairs += stage->faces.count;
}

static void end_frame(Stage *stage)
{
    stage->last = stage->now;
    for (int i = 0; i < MAX_BODIES; ++i)
        if (stage->bodies[i].alive) {
            posed_faces_free(&stage->bodies[i].faces);
            imp_mesh_release(stage->bodies[i].posed);
            free(stage->bodies[i].positions);
        }
}

// ------------------------------------------------------------------------------------------- checks

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

static void check_faces(const Stage *stage, const imp_Report *report)
{
    CHECK_INT(report->face_pair_total, stage->faces.count);
    if (!CHECK_INT(report->face_pair_count, stage->faces.count))
        return;
    for (size_t i = 0; i < stage->faces.count; ++i)
        CHECK(report->face_pairs[i].face_a == stage->faces.pairs[i].face_a &&
              report->face_pairs[i].face_b == stage->faces.pairs[i].face_b);
}

static void check_frame(Stage *stage, const imp_DetectDef *def)
{
    const imp_Report *report = detect_everywhere(stage, def);
    if (!report)
        return;
    CHECK(is_list(report->body_pairs, report->body_pair_count, &stage->now));
    CHECK(is_list(report->begun, report->begun_count, &stage->begun));
    CHECK(is_list(report->ended, report->ended_count, &stage->ended));
    if (def->mode == IMP_DETECT_FACES)
        check_faces(stage, report);
    else
        CHECK_INT(report->face_pair_total, 0);
}

static void check_first(Stage *stage, imp_DetectMethod method)
{
    const imp_Report *report = detect_everywhere(
        stage, &(imp_DetectDef){.mode = IMP_DETECT_FIRST, .method = method, .smith_level = 3});
    if (!report)
        return;
    CHECK_INT(report->body_pair_count, stage->now.count > 0);
    if (stage->now.count > 0)
        CHECK(memcmp(report->body_pairs, stage->now.pairs, sizeof *stage->now.pairs) == 0);
}

static void run_world(size_t most_bodies)
{
    Stage *stage = stage_make();
    // Denser worlds for few bodies, so that pairs are found in all of them.
    double reach = most_bodies < 10 ? 2 : 5;
    for (int frame = 0; frame < FRAME_COUNT; ++frame) {
        change_bodies(stage, most_bodies, reach);
        compute_frame(stage);
        if (frame % 3 == 0)
            check_first(stage, frame % 2 ? IMP_METHOD_SMITH_1994 : IMP_METHOD_AUTO);
        check_frame(stage, &(imp_DetectDef){.mode = frame % 2 ? IMP_DETECT_BODIES : IMP_DETECT_FACES,
                                            .method = (imp_DetectMethod)(frame / 2 % 4),
                                            .smith_level = 4});
        end_frame(stage);
    }
    stage_destroy(stage);
}

#if defined(TEST_UNDER_SANITIZER)
#define DEFAULT_WORLDS 12
#else
#define DEFAULT_WORLDS 24
#endif

TEST(worlds_with_solids_follow_the_model_frame_by_frame)
{
    static const size_t body_counts[] = {2, 30, 7, 16, 4, 24};
    uint64_t count = test_count(DEFAULT_WORLDS);
    for (uint64_t i = 0; i < count; ++i)
        run_world(body_counts[i % (sizeof body_counts / sizeof *body_counts)]);
    printf("  solids: %llu touch, %llu apart; solid and mesh: %llu touch, %llu apart, %llu inside\n",
           (unsigned long long)tally.solids_touch, (unsigned long long)tally.solids_apart,
           (unsigned long long)tally.mesh_touch, (unsigned long long)tally.mesh_apart,
           (unsigned long long)tally.inside);
    printf("  touch without faces %llu, face pairs %llu, begun %llu, ended %llu, triangles judged %llu\n",
           (unsigned long long)tally.without_faces, (unsigned long long)tally.face_pairs,
           (unsigned long long)tally.begun, (unsigned long long)tally.ended,
           (unsigned long long)tally.judged);
    printf("  removed %llu, deformed %llu, pairs ignored %llu\n", (unsigned long long)tally.removed,
           (unsigned long long)tally.deformed, (unsigned long long)tally.ignored);
    if (count >= 12)
        CHECK(tally.solids_touch > 200 && tally.solids_apart > 200 && tally.mesh_touch > 200 &&
              tally.mesh_apart > 100 && tally.inside > 5 && tally.without_faces > 50 && tally.begun > 200 &&
              tally.ended > 200 && tally.removed > 50 && tally.deformed > 10 && tally.judged > 50 &&
              tally.ignored > 100);
}

// A point as a mesh: a triangle with three equal corners.
static imp_Mesh *point_mesh(imp_Context *context, imp_Vec3 p)
{
    static const uint32_t corners[3] = {0, 0, 0};
    imp_MeshDef def = {.vertices = &p.x, .vertex_count = 1, .indices = corners, .triangle_count = 1};
    imp_Mesh *mesh = NULL;
    CHECK_INT(imp_mesh_create(context, &def, &mesh), IMP_STATUS_OK);
    return mesh;
}

// Add a point to a world for one detect. True when it touches; `*is_in_gap` tells that no face of the solid
// does.
static bool probe(imp_World *world, imp_Mesh *point, bool *is_in_gap)
{
    const imp_Report *report = NULL;
    imp_BodyId id = {0};
    CHECK_INT(imp_world_add_body(world, &(imp_BodyDef){.mesh = point}, &id), IMP_STATUS_OK);
    CHECK_INT(imp_world_detect(world, NULL, &report), IMP_STATUS_OK);
    bool touches = report->body_pair_count > 0;
    CHECK(!touches || report->body_pairs[0].relations == IMP_RELATION_TOUCH);
    *is_in_gap = touches && report->face_pair_count == 0;
    CHECK_INT(imp_world_remove_body(world, id), IMP_STATUS_OK);
    return touches;
}

// The corners of a turned cube's face are rounded, so they lie in no plane: of the two diagonals one is an
// edge between the face's triangles, and the other may pass above it. It belongs to the hull.
TEST(what_reaches_between_faces_and_hull_touches)
{
    imp_Context *context = context_with_threads(1);
    imp_Mesh *mesh = NULL;
    uint64_t touching = 0, in_gap = 0, count = test_count(100);
    CHECK_INT(scene_box(context, (imp_Vec3){-1, -1, -1}, (imp_Vec3){1, 1, 1}, &mesh), IMP_STATUS_OK);
    imp_Convex *cube = hull_of_mesh(context, mesh);
    const imp_Vec3 *corners = imp_mesh_get_vertices(imp_convex_get_mesh(cube));
    for (uint64_t i = 0; i < count; ++i) {
        imp_World *world = NULL;
        imp_BodyId id = {0};
        imp_Transform transform;
        imp_Vec3 posed[8];
        imp_BodyDef def = {.convex = cube, .pose.rotation = random_rotation()};
        CHECK_INT(imp_world_create(context, NULL, &world), IMP_STATUS_OK);
        CHECK_INT(imp_world_add_body(world, &def, &id), IMP_STATUS_OK);
        CHECK_INT(imp_pose_transform(&def.pose, &transform), IMP_STATUS_OK);
        for (int k = 0; k < 8; ++k)
            posed[k] = imp_transform_apply(&transform, corners[k]);
        for (int k = 0; k < 8 * 8; ++k) {
            imp_Vec3 p = posed[k / 8], q = posed[k % 8];
            imp_Vec3 middle = {0.5 * (p.x + q.x), 0.5 * (p.y + q.y), 0.5 * (p.z + q.z)};
            imp_Mesh *point = point_mesh(context, middle);
            bool is_in_gap = false, touches = probe(world, point, &is_in_gap);
            CHECK(touches == oracle_hulls_touch(posed, 8, &middle, 1));
            touching += touches;
            // The cube's centre is far from its faces.
            in_gap += is_in_gap && fabs(middle.x) + fabs(middle.y) + fabs(middle.z) > 0.5;
            imp_mesh_release(point);
        }
        imp_world_destroy(world);
    }
    printf("  %llu of %llu points touch, %llu of them no face\n", (unsigned long long)touching,
           (unsigned long long)(64 * count), (unsigned long long)in_gap);
    CHECK(touching > 16 * count && touching < 56 * count && in_gap > count);
    imp_convex_release(cube);
    imp_context_destroy(context);
}
