// Sweeps of worlds on rigid paths, and with separations, against exact distances of the bodies at many times
// on their way: never so near before the time that is told, near enough at it, never where nothing is told.
// The same bytes on 1, 2 and 5 threads.
#include "harness.h"
#include "posed_faces.h"
#include "sanitizers.h"
#include "scenes/shapes.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define THREAD_KINDS 3
#define MESH_KINDS   5
#define BODY_COUNT   5
#define TOLERANCE    1e-6
#define MAX_VERTICES 100

#ifdef TEST_UNDER_SANITIZER
#define TRIALS  6
#define SAMPLES 20
#else
#define TRIALS  40
#define SAMPLES 60
#endif

static struct {
    uint64_t pairs, meeting, certain, never, at_start, rigid, straight, separated, samples, vertices, edges;
} tallies;

static imp_Context *contexts[THREAD_KINDS];
static imp_Mesh *meshes[MESH_KINDS];
static imp_Convex *solid;

static void make_shapes(void)
{
    static const uint32_t thread_counts[THREAD_KINDS] = {1, 2, 5};
    for (int i = 0; i < THREAD_KINDS; ++i)
        contexts[i] = context_with_threads(thread_counts[i]);
    imp_Mesh *box = NULL;
    CHECK_INT(scene_box(contexts[0], (imp_Vec3){-1, -0.5, -0.2}, (imp_Vec3){1, 0.5, 0.2}, &meshes[0]),
              IMP_STATUS_OK);
    CHECK_INT(scene_sphere(contexts[0], 8, 6, 0.7, &meshes[1]), IMP_STATUS_OK);
    CHECK_INT(scene_needle(contexts[0], 3, 0.05, &meshes[2]), IMP_STATUS_OK);
    CHECK_INT(scene_torus(contexts[0], 12, 8, 0.8, 0.3, &meshes[3]), IMP_STATUS_OK);
    CHECK_INT(scene_soup(contexts[0], 10, 0.5, 3, &meshes[4]), IMP_STATUS_OK);
    CHECK_INT(scene_box(contexts[0], (imp_Vec3){0}, (imp_Vec3){1.5, 0.3, 0.6}, &box), IMP_STATUS_OK);
    CHECK_INT(imp_convex_create_from_mesh(contexts[0], box, &solid), IMP_STATUS_OK);
    imp_mesh_release(box);
}

static void release_shapes(void)
{
    for (int i = 0; i < MESH_KINDS; ++i)
        imp_mesh_release(meshes[i]);
    imp_convex_release(solid);
    for (int i = 0; i < THREAD_KINDS; ++i)
        imp_context_destroy(contexts[i]);
}

// Bodies and where they go.
typedef struct Scene {
    imp_BodyDef bodies[BODY_COUNT];
    bool is_deformed[BODY_COUNT]; // from the start on, and as it is
    imp_Vec3 shapes[BODY_COUNT][MAX_VERTICES];
    bool has_target[BODY_COUNT];
    imp_TargetDef targets[BODY_COUNT];
    double separation;
} Scene;

static imp_Vec3 random_vector(double reach)
{
    return (imp_Vec3){test_random_between(-reach, reach), test_random_between(-reach, reach),
                      test_random_between(-reach, reach)};
}

static void deform(Scene *scene, int body)
{
    const imp_Mesh *mesh = scene->bodies[body].mesh;
    imp_Vec3 by = {test_random_between(0.5, 2), test_random_between(0.5, 2), test_random_between(0.5, 2)};
    size_t count = imp_mesh_get_vertex_count(mesh);
    if (!CHECK(count <= MAX_VERTICES))
        return;
    scene->is_deformed[body] = true;
    for (size_t i = 0; i < count; ++i) {
        imp_Vec3 v = imp_mesh_get_vertices(mesh)[i], more = random_vector(0.1);
        scene->shapes[body][i] = (imp_Vec3){by.x * v.x + more.x, by.y * v.y + more.y, by.z * v.z + more.z};
    }
}

static void make_scene(Scene *scene)
{
    *scene = (Scene){.separation = test_random_below(2) ? test_random_between(0, 0.3) : 0};
    for (int i = 0; i < BODY_COUNT; ++i) {
        imp_BodyDef *body = &scene->bodies[i];
        imp_TargetDef *target = &scene->targets[i];
        uint32_t kind = test_random_below(MESH_KINDS + 1);
        if (kind < MESH_KINDS)
            body->mesh = meshes[kind];
        else
            body->convex = solid;
        if (body->mesh && test_random_below(3) == 0)
            deform(scene, i);
        body->pose = (imp_Pose){random_vector(1.8), random_rotation()};
        scene->has_target[i] = test_random_below(5) > 0;
        target->pose = (imp_Pose){random_vector(1.8), random_rotation()};
        if (test_random_below(2))
            target->pose.rotation = body->pose.rotation;
        if (test_random_below(3) == 0) // the same but for a last bit, or nothing
            target->pose.rotation.x = nextafter(target->pose.rotation.x, 1);
        if (test_random_below(3) == 0)
            target->pivot = random_vector(1);
        if (test_random_below(4) == 0) {
            target->turns = (int32_t)test_random_below(5) - 2;
            target->axis = (imp_Vec3){0.3, 1, -0.2};
        }
    }
}

static imp_World *make_world(imp_Context *context, const Scene *scene, imp_BodyId ids[BODY_COUNT])
{
    imp_World *world = NULL;
    CHECK_INT(imp_world_create(context, NULL, &world), IMP_STATUS_OK);
    for (int i = 0; i < BODY_COUNT; ++i) {
        CHECK_INT(imp_world_add_body(world, &scene->bodies[i], &ids[i]), IMP_STATUS_OK);
        if (scene->is_deformed[i])
            CHECK_INT(imp_body_set_vertices(world, ids[i], &scene->shapes[i][0].x,
                                            imp_mesh_get_vertex_count(scene->bodies[i].mesh)),
                      IMP_STATUS_OK);
        if (scene->has_target[i])
            CHECK_INT(imp_body_set_target(world, ids[i], &scene->targets[i]), IMP_STATUS_OK);
    }
    return world;
}

// How far apart two bodies are at a time: in a world that is advanced to it.
static double distance_at(const Scene *scene, int a, int b, double time)
{
    imp_BodyId ids[BODY_COUNT];
    imp_World *world = make_world(contexts[0], scene, ids);
    imp_Distance distance = {.distance = NAN};
    CHECK_INT(imp_world_advance(world, time), IMP_STATUS_OK);
    CHECK_INT(imp_world_distance(world, ids[a], ids[b], NULL, &distance), IMP_STATUS_OK);
    imp_world_destroy(world);
    ++tallies.samples;
    return distance.distance;
}

static imp_Triangle face_in(const imp_World *world, const Scene *scene, int body, imp_BodyId id,
                            uint32_t face)
{
    const imp_BodyDef *def = &scene->bodies[body];
    const imp_Mesh *mesh = def->mesh ? def->mesh : imp_convex_get_mesh(def->convex);
    const imp_Vec3 *vertices = scene->is_deformed[body] ? scene->shapes[body] : imp_mesh_get_vertices(mesh);
    imp_Triangle triangle = {0};
    imp_Pose pose;
    CHECK_INT(imp_body_get_pose(world, id, &pose), IMP_STATUS_OK);
    for (size_t i = 0; i < 3; ++i)
        CHECK_INT(
            imp_pose_apply(&pose, vertices[imp_mesh_get_indices(mesh)[3 * (size_t)face + i]], &triangle.v[i]),
            IMP_STATUS_OK);
    return triangle;
}

// A part of a triangle, as a triangle of its own.
static imp_Triangle part_of(const imp_Triangle *triangle, imp_Feature feature, uint32_t corner)
{
    imp_Vec3 first = triangle->v[corner], next = triangle->v[(corner + 1) % 3];
    return feature == IMP_FEATURE_FACE   ? *triangle
           : feature == IMP_FEATURE_EDGE ? (imp_Triangle){{first, next, first}}
                                         : (imp_Triangle){{first, first, first}};
}

// What is told to meet is as near as the bodies are said to be.
static void check_parts(const Scene *scene, int a, int b, const imp_SweptFaces *faces)
{
    imp_BodyId ids[BODY_COUNT];
    imp_World *world = make_world(contexts[0], scene, ids);
    CHECK_INT(imp_world_advance(world, faces->time), IMP_STATUS_OK);
    imp_Triangle face_a = face_in(world, scene, a, ids[a], faces->face_a),
                 face_b = face_in(world, scene, b, ids[b], faces->face_b);
    imp_Triangle part_a = part_of(&face_a, faces->feature_a, faces->corner_a),
                 part_b = part_of(&face_b, faces->feature_b, faces->corner_b);
    imp_Distance distance = {.distance = NAN};
    CHECK_INT(imp_triangles_distance(&part_a, &part_b, &distance), IMP_STATUS_OK);
    CHECK(distance.distance <= scene->separation + TOLERANCE);
    bool is_edge = faces->feature_a == IMP_FEATURE_EDGE,
         is_vertex = faces->feature_a == IMP_FEATURE_VERTEX || faces->feature_b == IMP_FEATURE_VERTEX;
    CHECK(is_edge == (faces->feature_b == IMP_FEATURE_EDGE));
    CHECK(!is_vertex || faces->feature_a == IMP_FEATURE_FACE || faces->feature_b == IMP_FEATURE_FACE);
    CHECK(faces->time > 0 || (!is_edge && !is_vertex));
    tallies.edges += is_edge;
    tallies.vertices += is_vertex;
    imp_world_destroy(world);
}

static const imp_SweptBodies *find_pair(const imp_SweepReport *report, imp_BodyId a, imp_BodyId b)
{
    for (size_t i = 0; i < report->pair_count; ++i)
        if (memcmp(&report->pairs[i].body_a, &a, sizeof a) == 0 &&
            memcmp(&report->pairs[i].body_b, &b, sizeof b) == 0)
            return &report->pairs[i];
    return NULL;
}

static void check_pair(const Scene *scene, int a, int b, const imp_SweptBodies *found)
{
    double until = found ? found->time : 1, last = NAN;
    ++tallies.pairs;
    ++*(found ? &tallies.meeting : &tallies.never);
    for (int i = 0; i < SAMPLES; ++i) {
        double time = i == 0 ? 0 : until * test_random_unit(), distance = distance_at(scene, a, b, time);
        if (time < until && !CHECK(distance > scene->separation))
            printf("  bodies %d and %d at %.17g: %g apart, before %.17g\n", a, b, time, distance, until);
    }
    if (!found)
        return;
    last = distance_at(scene, a, b, found->time);
    if (!CHECK(last <= scene->separation + TOLERANCE))
        printf("  bodies %d and %d: %g apart at %.17g\n", a, b, last, found->time);
    tallies.certain += found->is_certain;
    tallies.at_start += found->touched_at_start;
    ++*(found->path == IMP_PATH_RIGID ? &tallies.rigid : &tallies.straight);
    tallies.separated += scene->separation > 0;
    CHECK(!found->touched_at_start || found->time == 0);
}

static void check_same(const imp_SweepReport *a, const imp_SweepReport *b)
{
    CHECK_DOUBLE(a->first_time, b->first_time);
    if (!CHECK_INT((int64_t)a->pair_count, (int64_t)b->pair_count) ||
        !CHECK_INT((int64_t)a->face_pair_count, (int64_t)b->face_pair_count))
        return;
    for (size_t i = 0; i < a->pair_count; ++i) {
        CHECK_DOUBLE(a->pairs[i].time, b->pairs[i].time);
        CHECK_INT(a->pairs[i].is_certain, b->pairs[i].is_certain);
    }
    for (size_t i = 0; i < a->face_pair_count; ++i) {
        CHECK_INT(a->face_pairs[i].face_a, b->face_pairs[i].face_a);
        CHECK_INT(a->face_pairs[i].face_b, b->face_pairs[i].face_b);
        CHECK_INT(a->face_pairs[i].feature_a, b->face_pairs[i].feature_a);
        CHECK_INT(a->face_pairs[i].corner_b, b->face_pairs[i].corner_b);
    }
}

static void try_scene(void)
{
    Scene scene;
    imp_BodyId ids[BODY_COUNT];
    imp_World *worlds[THREAD_KINDS];
    const imp_SweepReport *reports[THREAD_KINDS] = {NULL, NULL, NULL};
    make_scene(&scene);
    imp_SweepDef def = {.separation = scene.separation};
    for (int i = 0; i < THREAD_KINDS; ++i) {
        worlds[i] = make_world(contexts[i], &scene, ids);
        CHECK_INT(imp_world_sweep(worlds[i], &def, &reports[i]), IMP_STATUS_OK);
        if (i > 0 && reports[0] && reports[i])
            check_same(reports[0], reports[i]);
    }
    for (int a = 0; a < BODY_COUNT && reports[0]; ++a)
        for (int b = a + 1; b < BODY_COUNT; ++b) {
            const imp_SweptBodies *found = find_pair(reports[0], ids[a], ids[b]);
            check_pair(&scene, a, b, found);
            if (found && found->face_pair_count == 1 &&
                (found->path == IMP_PATH_RIGID || scene.separation > 0))
                check_parts(&scene, a, b, &reports[0]->face_pairs[found->first_face_pair]);
        }
    for (int i = 0; i < THREAD_KINDS; ++i)
        imp_world_destroy(worlds[i]);
}

TEST(bodies_on_rigid_paths_never_come_near_unnoticed)
{
    make_shapes();
    for (uint64_t i = 0, count = test_count(TRIALS); i < count; ++i)
        try_scene();
    release_shapes();
    printf("%" PRIu64 " pairs: %" PRIu64 " meet (%" PRIu64 " for certain, %" PRIu64 " at the start; %" PRIu64
           " on rigid paths, %" PRIu64 " on straight ones; %" PRIu64 " with a separation), %" PRIu64
           " never do; %" PRIu64 " distances; %" PRIu64 " meet with a vertex, %" PRIu64 " with edges\n",
           tallies.pairs, tallies.meeting, tallies.certain, tallies.at_start, tallies.rigid, tallies.straight,
           tallies.separated, tallies.never, tallies.samples, tallies.vertices, tallies.edges);
    CHECK(10 * tallies.meeting > 2 * tallies.pairs && 10 * tallies.never > tallies.pairs);
    CHECK(10 * tallies.certain > 9 * tallies.meeting);
    CHECK(tallies.rigid > tallies.straight && tallies.straight > 0 && tallies.at_start > 0);
    CHECK(10 * tallies.vertices > tallies.meeting && 10 * tallies.edges > tallies.meeting);
}

// A rod that begins and ends in the same pose, a whole turn apart, meets a post that its ends do not.
TEST(a_whole_turn_is_no_rest)
{
    make_shapes();
    imp_World *world = NULL;
    imp_BodyId rod, post;
    const imp_SweepReport *report = NULL;
    CHECK_INT(imp_world_create(contexts[0], NULL, &world), IMP_STATUS_OK);
    CHECK_INT(imp_world_add_body(world, &(imp_BodyDef){.mesh = meshes[0]}, &rod), IMP_STATUS_OK);
    CHECK_INT(
        imp_world_add_body(world, &(imp_BodyDef){.mesh = meshes[1], .pose.translation = {0, 1.5, 0}}, &post),
        IMP_STATUS_OK);
    imp_TargetDef target = {.turns = 1, .axis = {0, 0, 1}};
    CHECK_INT(imp_body_set_target(world, rod, &target), IMP_STATUS_OK);
    CHECK_INT(imp_world_sweep(world, NULL, &report), IMP_STATUS_OK);
    CHECK_INT((int64_t)report->pair_count, 1);
    CHECK(report->first_time > 0 && report->first_time < 1 && report->pairs[0].is_certain);
    target.axis = (imp_Vec3){0, 0, 0}; // about what?
    CHECK_INT(imp_body_set_target(world, rod, &target), IMP_STATUS_OK);
    CHECK_INT(imp_world_sweep(world, NULL, &report), IMP_STATUS_BAD_ARGUMENT);
    CHECK_CONTAINS(imp_context_get_error(contexts[0])->message, "axis");
    CHECK_INT(imp_world_advance(world, 0.5), IMP_STATUS_BAD_ARGUMENT);
    imp_world_destroy(world);
    release_shapes();
}
