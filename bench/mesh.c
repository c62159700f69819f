// Two meshes, all touching face pairs, milliseconds a query: impinge beside FCL with its three bounding
// volumes. `rigid`: one body gets a new pose each time. `deforming`: all vertices of both change each time.
#include "bench.h"
#include "bunny.h"
#include "fcl_mesh.h"
#include "found_pairs.h"
#include "mesh_peers.h"
#include "mesh_scenes.h"

#include "scenes/shapes.h"

#include <impinge/impinge.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Scene {
    imp_Context *context;
    imp_Mesh *mesh; // both bodies have it
    imp_World *world;
    imp_BodyId a, b;
    imp_Pose poses[FOUND_PAIRS_MAX_POSES]; // of b; a run visits all of them
    size_t pose_count;
    imp_Vec3 *shapes[2];  // vertices of a: as they are, and slightly changed
    imp_Vec3 *shifted[2]; // the same for b, where it is
    unsigned shape;
} Scene;

static const imp_Report *detect(Scene *scene, size_t pose)
{
    const imp_Report *report = NULL;
    imp_Pose elsewhere = scene->poses[pose]; // a body that stays where it is would cost nothing
    elsewhere.translation.x += 1;
    bench_require(imp_body_set_pose(scene->world, scene->b, elsewhere));
    bench_require(imp_body_set_pose(scene->world, scene->b, scene->poses[pose]));
    bench_require(imp_world_detect(scene->world, NULL, &report));
    return report;
}

static uint64_t run_rigid(void *state)
{
    Scene *scene = state;
    uint64_t pairs = 0;
    for (size_t i = 0; i < scene->pose_count; ++i)
        pairs += detect(scene, i)->face_pair_count;
    return pairs;
}

static uint64_t run_deforming(void *state)
{
    Scene *scene = state;
    size_t count = imp_mesh_get_vertex_count(scene->mesh);
    scene->shape ^= 1;
    bench_require(imp_body_set_vertices(scene->world, scene->a, &scene->shapes[scene->shape]->x, count));
    bench_require(imp_body_set_vertices(scene->world, scene->b, &scene->shapes[scene->shape]->x, count));
    return detect(scene, 0)->face_pair_count;
}

// ---- peers

// FCL with one of its bounding volumes, or a peer that takes the triangles where they stand.
typedef struct PeerSystem {
    Scene *scene;
    const MeshPeer *standing; // null for FCL
    void *state;
    unsigned shape;
    FoundPairs found;
} PeerSystem;

static size_t collide(PeerSystem *system, size_t pose, imp_FacePair *pairs, size_t capacity)
{
#if IMPINGE_BENCH_FCL
    if (!system->standing)
        return fcl_pair_collide(system->state, &system->scene->poses[pose], pairs, capacity);
#else
    (void)pose;
#endif
    return system->standing->collide(system->state, pairs, capacity);
}

// The first run keeps what it finds, for check_peer.
static uint64_t run_peer(void *state)
{
    PeerSystem *system = state;
    FoundPairs *found = &system->found;
    uint64_t pairs = 0;
    for (size_t i = 0; i < system->scene->pose_count; ++i) {
        size_t room = found->capacity - found->count;
        size_t count = collide(system, i, room ? found->pairs + found->count : NULL, room);
        pairs += count;
        if (found->is_compared)
            continue;
        if (count > room) {
            found_pairs_reserve(found, 2 * (found->count + count));
            collide(system, i, found->pairs + found->count, count);
        }
        found_pairs_end_pose(found, count);
    }
    return pairs;
}

static const char *check_peer(void *state)
{
    PeerSystem *system = state;
    for (size_t i = 0; i < system->scene->pose_count; ++i)
        found_pairs_compare(&system->found, i, detect(system->scene, i));
    return found_pairs_describe(&system->found);
}

static BenchSystem make_peer_system(PeerSystem *made, const char *name)
{
    found_pairs_reserve(&made->found, 2 * detect(made->scene, 0)->face_pair_count + 1000);
    return (BenchSystem){.name = name, .threads = 1, .run = run_peer, .state = made, .check = check_peer};
}

#if IMPINGE_BENCH_FCL
static uint64_t run_fcl_deforming(void *state)
{
    PeerSystem *system = state;
    system->shape ^= 1;
    fcl_pair_deform(system->state, system->scene->shapes[system->shape],
                    system->scene->shifted[system->shape]);
    return fcl_pair_collide(system->state, &(imp_Pose){0}, NULL, 0);
}
#endif

// Peers that take the triangles where they stand.
static const MeshPeer *const standing_peers[] = {
#if IMPINGE_BENCH_CGAL
    &cgal_mesh_peer,
#endif
#if IMPINGE_BENCH_EMBREE
    &embree_mesh_peer,
#endif
#if IMPINGE_BENCH_ODE
    &ode_mesh_peer,
#endif
    NULL,
};

#define MAX_PEERS 6

static imp_Triangle *posed_triangles(const Scene *scene, const imp_Pose *pose)
{
    size_t count = imp_mesh_get_triangle_count(scene->mesh);
    imp_Triangle *triangles = malloc(count * sizeof *triangles);
    imp_Transform transform;
    if (!triangles)
        exit(1);
    bench_require(imp_pose_transform(pose, &transform));
    for (size_t i = 0; i < count; ++i) {
        bench_require(imp_mesh_get_triangle(scene->mesh, i, &triangles[i]));
        for (int k = 0; k < 3; ++k)
            triangles[i].v[k] = imp_transform_apply(&transform, triangles[i].v[k]);
    }
    return triangles;
}

// ODE ends the program with a failed assertion where a mesh lies on itself.
static bool stops_program(const MeshPeer *peer, const Scene *scene)
{
    bool stops = strcmp(peer->name, "ode-trimesh") == 0 && scene->poses[0].translation.x == 0;
    if (stops)
        fprintf(stderr, "impinge-bench: %s is left out: it aborts on this scene\n", peer->name);
    return stops;
}

static size_t add_standing(Scene *scene, PeerSystem *made, BenchSystem *systems, const BenchOptions *options)
{
    size_t count = imp_mesh_get_triangle_count(scene->mesh), added = 0;
    imp_Triangle *a = posed_triangles(scene, &(imp_Pose){0}), *b = posed_triangles(scene, &scene->poses[0]);
    for (size_t i = 0; standing_peers[i]; ++i) {
        const MeshPeer *peer = standing_peers[i];
        if (!bench_wants_system(options, peer->name) || stops_program(peer, scene))
            continue;
        made[added] =
            (PeerSystem){.scene = scene, .standing = peer, .state = peer->create(a, count, b, count)};
        systems[added] = make_peer_system(&made[added], peer->name);
        ++added;
    }
    free(a);
    free(b);
    return added;
}

// The oracle of the rigid scenes: the paper's method, which shares no culling with the default one. It is
// slow, so it looks at the first pose only.
static void check_against_paper(Scene *scene)
{
    const imp_Report *report = detect(scene, 0);
    size_t count = report->face_pair_count;
    imp_TouchingFaces *copy = malloc((count + 1) * sizeof *copy);
    if (!copy)
        exit(1);
    if (count)
        memcpy(copy, report->face_pairs, count * sizeof *copy);
    bench_require(imp_world_detect(scene->world, &(imp_DetectDef){.method = IMP_METHOD_SMITH_1994}, &report));
    bench_check(report->face_pair_count == count &&
                    (count == 0 || memcmp(copy, report->face_pairs, count * sizeof *copy) == 0),
                "the paper's method finds other faces");
    free(copy);
}

// FCL with those of its bounding volumes that are wanted. Returns how many.
static size_t add_fcl(Scene *scene, PeerSystem *made, BenchSystem *systems, const BenchOptions *options)
{
    size_t added = 0;
#if IMPINGE_BENCH_FCL
    static const char *const names[] = {"fcl-aabb", "fcl-obb", "fcl-obbrss"};
    for (int i = 0; i < 3; ++i) {
        if (!bench_wants_system(options, names[i]))
            continue;
        made[added] =
            (PeerSystem){.scene = scene, .state = fcl_pair_create((FclVolume)i, scene->mesh, scene->mesh)};
        systems[added] = make_peer_system(&made[added], names[i]);
        ++added;
    }
#else
    (void)scene, (void)made, (void)systems, (void)options;
#endif
    return added;
}

static void close_peers(PeerSystem *peers, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        if (peers[i].standing)
            peers[i].standing->destroy(peers[i].state);
#if IMPINGE_BENCH_FCL
        else
            fcl_pair_destroy(peers[i].state);
#endif
        found_pairs_free(&peers[i].found);
    }
}

// Of FCL's trees those of AABBs stand for all where vertices change. Returns how many systems take part.
static size_t turn_to_deforming(BenchSystem *systems, size_t fcl_count)
{
    systems[0].run = run_deforming;
#if IMPINGE_BENCH_FCL
    if (fcl_count > 0 && strcmp(systems[1].name, "fcl-aabb") == 0) {
        systems[1].run = run_fcl_deforming;
        systems[1].check = NULL;
        return 2;
    }
#else
    (void)fcl_count;
#endif
    return 1;
}

static void measure(Scene *scene, const char *name, const BenchOptions *options)
{
    BenchSystem systems[BENCH_MAX_SYSTEMS] = {
        {.name = "impinge", .threads = 1, .run = run_rigid, .state = scene}};
    static PeerSystem peers[MAX_PEERS];
    bool is_one_pose = scene->pose_count == 1;
    check_against_paper(scene);
    size_t fcl_count = add_fcl(scene, peers, systems + 1, options), count = fcl_count;
    if (is_one_pose)
        count += add_standing(scene, peers + count, systems + 1 + count, options);
    BenchScene description = {name, "rigid", "ms", 1e6 * (double)scene->pose_count,
                              options->quick || !is_one_pose ? 5 : 21};
    bench_measure(options, &description, systems, 1 + count);
    if (is_one_pose) {
        description.regime = "deforming";
        bench_measure(options, &description, systems, turn_to_deforming(systems, fcl_count));
    }
    close_peers(peers, count);
}

static imp_Vec3 *new_vertices(const Scene *scene)
{
    imp_Vec3 *vertices = malloc(imp_mesh_get_vertex_count(scene->mesh) * sizeof *vertices);
    if (!vertices)
        exit(1);
    return vertices;
}

static void make_shapes(Scene *scene)
{
    size_t count = imp_mesh_get_vertex_count(scene->mesh);
    const imp_Vec3 *vertices = imp_mesh_get_vertices(scene->mesh);
    imp_Box box = imp_mesh_get_bounds(scene->mesh);
    imp_Transform transform;
    uint64_t random = 7;
    bench_require(imp_pose_transform(&scene->poses[0], &transform));
    for (int shape = 0; shape < 2; ++shape) {
        double amplitude = shape * (box.max.x - box.min.x) * 1e-4;
        scene->shapes[shape] = new_vertices(scene);
        scene->shifted[shape] = new_vertices(scene);
        for (size_t i = 0; i < count; ++i) {
            imp_Vec3 change = {amplitude * scene_random_unit(&random), amplitude * scene_random_unit(&random),
                               amplitude * scene_random_unit(&random)};
            imp_Vec3 v = {vertices[i].x + change.x, vertices[i].y + change.y, vertices[i].z + change.z};
            scene->shapes[shape][i] = v;
            scene->shifted[shape][i] = imp_transform_apply(&transform, v);
        }
    }
}

static void run_scene(Scene *scene, const char *name, const BenchOptions *options)
{
    make_shapes(scene);
    bench_check(imp_world_create(scene->context, NULL, &scene->world) == IMP_STATUS_OK, "no world");
    bench_require(imp_world_add_body(scene->world, &(imp_BodyDef){.mesh = scene->mesh}, &scene->a));
    bench_require(imp_world_add_body(scene->world, &(imp_BodyDef){.mesh = scene->mesh}, &scene->b));
    measure(scene, name, options);
    imp_world_destroy(scene->world);
    for (int i = 0; i < 2; ++i) {
        free(scene->shapes[i]);
        free(scene->shifted[i]);
    }
}

// Shifted along x so that the boxes overlap by this share of their width.
static void run_shifted(imp_Context *context, imp_Mesh *mesh, const char *name, double overlap,
                        const BenchOptions *options)
{
    imp_Box box = imp_mesh_get_bounds(mesh);
    Scene scene = {.context = context, .mesh = mesh, .pose_count = 1};
    scene.poses[0].translation.x = (box.max.x - box.min.x) * (1 - overlap);
    if (bench_wants(options, name))
        run_scene(&scene, name, options);
}

// As far apart as can be while they still touch, to 2^-20 of the width.
static void run_touching(imp_Context *context, imp_Mesh *mesh, const char *name, const BenchOptions *options)
{
    imp_Box box = imp_mesh_get_bounds(mesh);
    double low = 0, high = 1; // overlaps: apart, touching
    imp_Query *query;
    bench_check(imp_query_create(NULL, &query) == IMP_STATUS_OK, "no query");
    for (int i = 0; i < 20; ++i) {
        imp_Pose pose = {.translation = {.x = (box.max.x - box.min.x) * (1 - (low + high) / 2)}};
        bool touch = false;
        bench_require(imp_meshes_touch(
            query, &(imp_MeshPair){.a = mesh, .b = mesh, .poses_b = &pose, .pose_count = 1}, &touch));
        *(touch ? &high : &low) = (low + high) / 2;
    }
    imp_query_destroy(query);
    run_shifted(context, mesh, name, high, options);
}

// Random rotations, and shifts of up to the body's width.
static void run_random(imp_Context *context, imp_Mesh *mesh, const char *name, const BenchOptions *options)
{
    imp_Box box = imp_mesh_get_bounds(mesh);
    uint64_t random = 11;
    Scene scene = {.context = context, .mesh = mesh, .pose_count = FOUND_PAIRS_MAX_POSES};
    for (size_t i = 0; i < FOUND_PAIRS_MAX_POSES; ++i) {
        SceneTurn s = scene_turn((uint64_t)(scene_random_unit(&random) * 4096), 4096);
        SceneTurn t = scene_turn((uint64_t)(scene_random_unit(&random) * 4096), 4096);
        scene.poses[i].rotation =
            (imp_Quat){s.cosine * t.cosine, s.sine * t.cosine, s.cosine * t.sine, s.sine * t.sine};
        scene.poses[i].translation = (imp_Vec3){(box.max.x - box.min.x) * (scene_random_unit(&random) - 0.5),
                                                (box.max.y - box.min.y) * (scene_random_unit(&random) - 0.5),
                                                (box.max.z - box.min.z) * (scene_random_unit(&random) - 0.5)};
    }
    if (bench_wants(options, name))
        run_scene(&scene, name, options);
}

static void run_spheres(imp_Context *context, uint32_t meridians, uint32_t bands, const char *name,
                        const BenchOptions *options)
{
    imp_Mesh *mesh;
    bench_check(scene_sphere(context, meridians, bands, 1, &mesh) == IMP_STATUS_OK, "no sphere");
    run_shifted(context, mesh, name, 0.25, options);
    imp_mesh_release(mesh);
}

static void run_bunnies(imp_Context *context, const BenchOptions *options)
{
    imp_Mesh *mesh = bench_load_bunny(context);
    if (!mesh)
        return;
    run_touching(context, mesh, "bunny-touch", options);
    run_shifted(context, mesh, "bunny-5", 0.05, options);
    run_shifted(context, mesh, "bunny-25", 0.25, options);
    run_shifted(context, mesh, "bunny-75", 0.75, options);
    run_random(context, mesh, "bunny-random", options);
    run_shifted(context, mesh, "self", 1, options);
    imp_mesh_release(mesh);
}

int bench_mesh(const BenchOptions *options)
{
    imp_Context *context;
    if (imp_context_create(NULL, &context) != IMP_STATUS_OK)
        return 1;
#if !IMPINGE_BENCH_FCL
    fprintf(stderr, "impinge-bench: fcl-aabb, fcl-obb and fcl-obbrss are left out: install libfcl-dev\n");
#endif
    run_spheres(context, 32, 16, "spheres-960-25", options);
    run_spheres(context, 64, 32, "spheres-3968-25", options);
    run_spheres(context, 316, 159, "spheres-100k-25", options);
    run_bunnies(context, options);
    bench_crowd(context, options);
    imp_context_destroy(context);
    return 0;
}
