#include "distance_scene.h"

#include "distance_oracle.h"

#include "geom/vector.h"
#include "scenes/shapes.h"

#include <math.h>
#include <stdlib.h>

void distance_scene_open(DistanceScene *scene, DistancePair pair, const DistancePeer *ruler)
{
    imp_Box box = imp_mesh_get_bounds(pair.b);
    imp_mesh_retain(pair.a);
    imp_mesh_retain(pair.b);
    if (pair.convex_a)
        imp_convex_retain(pair.convex_a);
    scene->pair = pair;
    scene->width = box.max.x - box.min.x;
    scene->ruler = ruler;
    scene->ruler_state = ruler->create(&scene->pair);
}

void distance_scene_close(DistanceScene *scene)
{
    scene->ruler->destroy(scene->ruler_state);
    for (int i = 0; i < DISTANCE_SHAPE_COUNT; ++i)
        free(scene->shapes[i]);
    imp_mesh_release(scene->pair.a);
    imp_mesh_release(scene->pair.b);
    imp_convex_release(scene->pair.convex_a);
}

// ---- poses

static imp_Vec3 middle_of(const imp_Mesh *mesh)
{
    imp_Box box = imp_mesh_get_bounds(mesh);
    return impi_scale(impi_add_scaled(box.min, 1, box.max), 0.5);
}

// Turned around its middle, which is this far from the middle of a.
static imp_Pose pose_of(const DistanceScene *scene, imp_Quat rotation, imp_Vec3 offset)
{
    imp_Pose pose = {.rotation = rotation};
    imp_Vec3 turned;
    bench_require(imp_pose_apply(&pose, middle_of(scene->pair.b), &turned));
    pose.translation = impi_subtract(impi_add_scaled(middle_of(scene->pair.a), 1, offset), turned);
    return pose;
}

static imp_Quat random_rotation(uint64_t *random)
{
    SceneTurn s = scene_turn((uint64_t)(scene_random_unit(random) * 4096), 4096);
    SceneTurn t = scene_turn((uint64_t)(scene_random_unit(random) * 4096), 4096);
    return (imp_Quat){s.cosine * t.cosine, s.sine * t.cosine, s.cosine * t.sine, s.sine * t.sine};
}

static imp_Vec3 random_direction(uint64_t *random)
{
    for (;;) {
        imp_Vec3 v = scene_random_vector(random, -1, 1);
        double square = impi_dot(v, v);
        if (square > 0.01 && square <= 1)
            return impi_unit(v);
    }
}

// A way that b can go: where it is at t is pose_of(rotation, start + t * direction).
typedef struct Way {
    imp_Quat rotation;
    imp_Vec3 start, direction;
} Way;

static imp_Pose pose_on_way(const DistanceScene *scene, const Way *way, double t)
{
    return pose_of(scene, way->rotation, impi_add_scaled(way->start, t, way->direction));
}

static double distance_on_way(const DistanceScene *scene, const Way *way, double t)
{
    imp_Pose pose = pose_on_way(scene, way, t);
    DistanceAnswer answer;
    scene->ruler->ask(scene->ruler_state, &(DistanceQuestions){.poses_b = &pose, .count = 1}, &answer);
    return answer.distance;
}

// Where the distance passes `gap`, between `low`, where it is less, and `high`, where it is not: a place
// where it is `gap`, or up to `slack` more.
static double bisect_way(const DistanceScene *scene, const Way *way, double gap, double slack, double low,
                         double high)
{
    // The distance changes no faster than b moves.
    while (high - low > slack) {
        double t = (low + high) / 2;
        *(distance_on_way(scene, way, t) < gap ? &low : &high) = t;
    }
    return high;
}

void distance_scene_scatter(DistanceScene *scene, double gap, uint64_t seed)
{
    double length = gap * scene->width, far = (6 + gap) * scene->width;
    scene->pose_count = DISTANCE_POSE_COUNT;
    for (size_t i = 0; i < scene->pose_count; ++i) {
        Way way = {.rotation = random_rotation(&seed), .direction = random_direction(&seed)};
        double t = bisect_way(scene, &way, length, 1e-3 * length, 0, far);
        scene->poses[i] = pose_on_way(scene, &way, t);
        scene->directions[i] = way.direction;
    }
}

void distance_scene_slide(DistanceScene *scene, double gap)
{
    double width = scene->width, length = gap * width, t = 0;
    scene->pose_count = DISTANCE_MAX_QUESTIONS;
    for (size_t i = 0; i < scene->pose_count; ++i) {
        SceneTurn half = scene_turn(i, 40 * DISTANCE_MAX_QUESTIONS); // a twentieth of a turn in all
        double along = ((double)i / DISTANCE_MAX_QUESTIONS - 0.5) * width;
        Way way = {.rotation = {half.cosine, 0, 0, half.sine},
                   .start = {0, 0.6 * along, 0.8 * along},
                   .direction = {1, 0, 0}};
        double low = i == 0 ? 0 : t - 0.02 * width, high = i == 0 ? 6 * width : t + 0.02 * width;
        while (distance_on_way(scene, &way, low) >= length)
            low -= 0.02 * width;
        while (distance_on_way(scene, &way, high) < length)
            high += 0.02 * width;
        t = bisect_way(scene, &way, length, 1e-2 * length, low, high);
        scene->poses[i] = pose_on_way(scene, &way, t);
    }
}

void distance_scene_shake(DistanceScene *scene, size_t pose_count, double radius, uint64_t seed)
{
    scene->pose_count = pose_count;
    for (size_t i = 0; i < pose_count; ++i) {
        imp_Quat rotation = random_rotation(&seed);
        imp_Vec3 direction = random_direction(&seed);
        scene->poses[i] = pose_of(scene, rotation, impi_scale(direction, radius * scene_random_unit(&seed)));
    }
}

// ---- what else is asked

void distance_scene_deform(DistanceScene *scene)
{
    size_t count = imp_mesh_get_vertex_count(scene->pair.a);
    const imp_Vec3 *vertices = imp_mesh_get_vertices(scene->pair.a);
    uint64_t random = 7;
    bench_check(scene->pair.a == scene->pair.b, "both bodies have one mesh when they deform");
    for (int shape = 0; shape < DISTANCE_SHAPE_COUNT; ++shape) {
        double amplitude = shape * scene->width * 1e-4;
        scene->shapes[shape] = malloc(count * sizeof *scene->shapes[shape]);
        if (!scene->shapes[shape])
            exit(1);
        for (size_t i = 0; i < count; ++i)
            scene->shapes[shape][i] =
                impi_add_scaled(vertices[i], amplitude, scene_random_vector(&random, 0, 1));
    }
}

void distance_scene_limit(DistanceScene *scene)
{
    for (size_t i = 0; i < scene->pose_count; ++i)
        scene->at_most[i] = scene->expected[i].distance * (i % 2 ? 1.001 : 0.999);
    scene->has_limits = true;
}

// ---- asking

size_t distance_scene_count(const DistanceScene *scene, size_t most)
{
    size_t count = scene->shapes[0] ? DISTANCE_SHAPE_COUNT : scene->pose_count;
    return most && most < count ? most : count;
}

void distance_scene_ask(const DistanceScene *scene, const DistancePeer *peer, void *state,
                        DistanceAnswer *answers)
{
    DistanceQuestions questions = {scene->poses, scene->has_limits ? scene->at_most : NULL,
                                   distance_scene_count(scene, peer->most_questions)};
    if (!scene->shapes[0]) {
        peer->ask(state, &questions, answers);
        return;
    }
    questions.count = 1;
    for (size_t i = 0; i < DISTANCE_SHAPE_COUNT; ++i) {
        peer->deform(state, scene->shapes[i], scene->shapes[i]);
        peer->ask(state, &questions, &answers[i]);
    }
}

imp_Triangle *distance_scene_triangles(const imp_Mesh *mesh, const imp_Pose *pose)
{
    size_t count = imp_mesh_get_triangle_count(mesh);
    imp_Triangle *triangles = malloc(count * sizeof *triangles);
    imp_Transform transform;
    if (!triangles)
        exit(1);
    bench_require(imp_pose_transform(pose, &transform));
    for (size_t i = 0; i < count; ++i) {
        bench_require(imp_mesh_get_triangle(mesh, i, &triangles[i]));
        for (int k = 0; k < 3; ++k)
            triangles[i].v[k] = imp_transform_apply(&transform, triangles[i].v[k]);
    }
    return triangles;
}

static void check_against_oracle(const DistanceScene *scene)
{
    const DistanceAnswer *answer = &scene->expected[0];
    imp_Triangle *a = distance_scene_triangles(scene->pair.a, &(imp_Pose){0});
    imp_Triangle *b = distance_scene_triangles(scene->pair.b, &scene->poses[0]);
    OracleSurface surface_a = {a, imp_mesh_get_triangle_count(scene->pair.a)};
    OracleSurface surface_b = {b, imp_mesh_get_triangle_count(scene->pair.b)};
    double found =
        distance_oracle_find(&surface_a, &surface_b, impi_unit(impi_subtract(answer->b, answer->a)),
                             answer->distance * (1 + 1e-3));
    bench_check(fabs(found - answer->distance) <= 2e-6 * found, "two triangles are at another distance");
    free(a);
    free(b);
}

void distance_scene_expect(DistanceScene *scene)
{
    distance_scene_ask(scene, scene->ruler, scene->ruler_state, scene->expected);
    check_against_oracle(scene);
}
