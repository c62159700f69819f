// How far apart are two bodies? Milliseconds a question, closest points included, beside FCL, which is asked
// for an exact distance as well, and CGAL as a lower anchor (see distance_peers.h). `pairs` is how many
// questions a run asks. `agrees` is -m/+n where m of a peer's distances are less than ours by more than a
// millionth, and n are more; where a limit was asked for, what lies on the wrong side of it.
//
//   bunny-GAP     random rotations, GAP widths apart          cold: each question is about somewhere else
//   bunny-path    one bunny slides past the other             coherent: `-last` begins where the last one
//   ended bunny-within  bunny-1e-2: at most a thousandth more or less than it is?  See also
//   distance_within.c. bunny-deform  all vertices of both change before each question nested        spheres
//   of radii 1 and 1.05, nearly concentric convex-mesh   an ellipsoid of 500 vertices, as a solid, beside a
//   bunny crowd-1000    see distance_crowd.c
#include "bench.h"
#include "bunny.h"
#include "distance_impinge.h"
#include "distance_peers.h"
#include "distance_scene.h"
#include "distance_scenes.h"
#include "near_pairs.h"

#include "geom/vector.h"
#include "scenes/convex_shapes.h"
#include "scenes/shapes.h"

#include <impinge/impinge.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct System {
    const DistanceScene *scene;
    const DistancePeer *peer;
    void *state;
    DistanceAnswer answers[DISTANCE_MAX_QUESTIONS];
    char agrees[48];
} System;

static uint64_t run_system(void *state)
{
    System *system = state;
    distance_scene_ask(system->scene, system->peer, system->state, system->answers);
    return distance_scene_count(system->scene, system->peer->most_questions);
}

static const char *check_system(void *state)
{
    System *system = state;
    const DistanceScene *scene = system->scene;
    size_t count = distance_scene_count(scene, system->peer->most_questions), shorter = 0, longer = 0;
    for (size_t i = 0; i < count; ++i) {
        double expected = scene->expected[i].distance, found = system->answers[i].distance;
        bool differs = near_pairs_differ(found, expected);
        if (scene->has_limits)
            differs = (found <= scene->at_most[i]) != (expected <= scene->at_most[i]);
        shorter += differs && found < expected;
        longer += differs && !(found < expected);
    }
    if (!shorter && !longer)
        return "yes";
    snprintf(system->agrees, sizeof system->agrees, "-%zu/+%zu", shorter, longer);
    return system->agrees;
}

static const char *check_ours(void *state)
{
    const char *agrees = check_system(state);
    bench_check(strcmp(agrees, "yes") == 0, "one distance by two ways differs");
    return agrees;
}

// ---- who takes part

typedef enum Part {
    PART_QUERY = 1,   // our meshes without a world,
    PART_WORLD = 2,   // or bodies in one, with one thread
    PART_WORLD_2 = 4, // and with two
    PART_TREES = 8,   // FCL's
    PART_LAST = 16,
    PART_CONVEX = 32,
    PART_VERTICES = 64, // CGAL's
} Part;

typedef struct Row {
    Part part;
    const DistancePeer *peer;
} Row;

static const Row rows[] = {
    {PART_QUERY, &impinge_query_distance},     {PART_WORLD, &impinge_world_distance},
    {PART_WORLD_2, &impinge_world_distance_2},
#if IMPINGE_BENCH_FCL
    {PART_TREES, &fcl_rss_distance},           {PART_TREES, &fcl_obbrss_distance},
    {PART_LAST, &fcl_rss_last_distance},       {PART_LAST, &fcl_obbrss_last_distance},
    {PART_CONVEX, &fcl_convex_distance},
#endif
#if IMPINGE_BENCH_CGAL
    {PART_VERTICES, &cgal_vertices_distance},
#endif
};

#define ROW_COUNT (sizeof rows / sizeof rows[0])

#define RULER       (&impinge_query_distance)
#define WORLD_RULER (&impinge_world_distance)

static void measure(DistanceScene *scene, unsigned parts, int repeats, const BenchOptions *options)
{
    BenchSystem systems[BENCH_MAX_SYSTEMS];
    System *made = calloc(ROW_COUNT, sizeof *made);
    size_t count = 0;
    if (!made)
        exit(1);
    for (size_t i = 0; i < ROW_COUNT; ++i) {
        const DistancePeer *peer = rows[i].peer;
        bool is_ours = strcmp(peer->name, "impinge") == 0;
        if (!(rows[i].part & parts) || (!is_ours && !bench_wants_system(options, peer->name)))
            continue;
        size_t questions = distance_scene_count(scene, peer->most_questions);
        made[count] = (System){.scene = scene, .peer = peer, .state = peer->create(&scene->pair)};
        systems[count] = (BenchSystem){.name = peer->name,
                                       .threads = peer->threads,
                                       .run = run_system,
                                       .state = &made[count],
                                       .check = is_ours ? check_ours : check_system,
                                       .unit_per_item = 1e6 * (double)questions};
        ++count;
    }
    BenchScene description = {scene->name, scene->regime, "ms", 0, options->quick ? 3 : repeats};
    bench_measure(options, &description, systems, count);
    for (size_t i = 0; i < count; ++i)
        made[i].peer->destroy(made[i].state);
    free(made);
}

// ---- scenes

static void run_gap(imp_Mesh *bunny, const char *name, double gap, const BenchOptions *options)
{
    DistanceScene scene = {.name = name, .regime = "cold"};
    if (!bench_wants(options, name))
        return;
    distance_scene_open(&scene, (DistancePair){bunny, bunny, NULL}, RULER);
    distance_scene_scatter(&scene, gap, 11);
    distance_scene_expect(&scene);
    measure(&scene, PART_QUERY | PART_TREES | PART_VERTICES, 21, options);
    distance_scene_close(&scene);
}

static void run_path(imp_Mesh *bunny, const BenchOptions *options)
{
    DistanceScene scene = {.name = "bunny-path", .regime = "coherent"};
    if (!bench_wants(options, scene.name))
        return;
    distance_scene_open(&scene, (DistancePair){bunny, bunny, NULL}, RULER);
    distance_scene_slide(&scene, 1e-2);
    distance_scene_expect(&scene);
    measure(&scene, PART_QUERY | PART_TREES | PART_LAST, 21, options);
    distance_scene_close(&scene);
}

static void run_within(imp_Mesh *bunny, const BenchOptions *options)
{
    DistanceScene scene = {.name = "bunny-within", .regime = "at-most"};
    if (!bench_wants(options, scene.name))
        return;
    distance_scene_open(&scene, (DistancePair){bunny, bunny, NULL}, RULER);
    distance_scene_scatter(&scene, 1e-2, 11);
    distance_scene_expect(&scene);
    distance_scene_limit(&scene);
    measure(&scene, PART_QUERY | PART_TREES, 21, options);
    bench_faces_within(&scene, options);
    distance_scene_close(&scene);
}

static void run_deform(imp_Mesh *bunny, const BenchOptions *options)
{
    DistanceScene scene = {.name = "bunny-deform", .regime = "deforming"};
    if (!bench_wants(options, scene.name))
        return;
    distance_scene_open(&scene, (DistancePair){bunny, bunny, NULL}, WORLD_RULER);
    distance_scene_scatter(&scene, 1e-2, 11);
    distance_scene_deform(&scene);
    distance_scene_expect(&scene);
    measure(&scene, PART_WORLD | PART_WORLD_2 | PART_TREES, 21, options);
    distance_scene_close(&scene);
}

static void run_nested(imp_Context *context, const BenchOptions *options)
{
    DistanceScene scene = {.name = "nested", .regime = "cold"};
    imp_Mesh *inner = NULL, *outer = NULL;
    if (!bench_wants(options, scene.name))
        return;
    bench_check(scene_sphere_of_faces(context, 16128, 1, &inner) == IMP_STATUS_OK &&
                    scene_sphere_of_faces(context, 16128, 1.05, &outer) == IMP_STATUS_OK,
                "no spheres");
    distance_scene_open(&scene, (DistancePair){inner, outer, NULL}, RULER);
    distance_scene_shake(&scene, 5, 0.002, 3);
    distance_scene_expect(&scene);
    measure(&scene, PART_QUERY | PART_WORLD_2 | PART_TREES | PART_VERTICES, 11, options);
    distance_scene_close(&scene);
    imp_mesh_release(inner);
    imp_mesh_release(outer);
}

#define HULL_POINT_COUNT 500

// As long as the bunny is wide.
static imp_Convex *make_hull(imp_Context *context, const imp_Mesh *bunny)
{
    imp_Vec3 points[HULL_POINT_COUNT];
    imp_Box box = imp_mesh_get_bounds(bunny);
    imp_Convex *hull;
    scene_convex_points(SCENE_ELLIPSOID, HULL_POINT_COUNT, 1, points);
    for (size_t i = 0; i < HULL_POINT_COUNT; ++i)
        points[i] = impi_scale(points[i], (box.max.x - box.min.x) / 2);
    imp_ConvexDef def = {.points = &points[0].x, .point_count = HULL_POINT_COUNT};
    bench_check(imp_convex_create(context, &def, &hull) == IMP_STATUS_OK, "no hull");
    return hull;
}

static void run_convex(imp_Context *context, imp_Mesh *bunny, const BenchOptions *options)
{
    DistanceScene scene = {.name = "convex-mesh", .regime = "cold"};
    if (!bench_wants(options, scene.name))
        return;
    imp_Convex *hull = make_hull(context, bunny);
    distance_scene_open(&scene, (DistancePair){imp_convex_get_mesh(hull), bunny, hull}, WORLD_RULER);
    distance_scene_scatter(&scene, 1e-2, 13);
    distance_scene_expect(&scene);
    measure(&scene, PART_WORLD | PART_TREES | PART_CONVEX, 21, options);
    distance_scene_close(&scene);
    imp_convex_release(hull);
}

static void run_bunnies(imp_Context *context, const BenchOptions *options)
{
    imp_Mesh *bunny = bench_load_bunny(context);
    if (!bunny)
        return;
    run_gap(bunny, "bunny-1e-6", 1e-6, options);
    run_gap(bunny, "bunny-1e-2", 1e-2, options);
    run_gap(bunny, "bunny-0.1", 0.1, options);
    run_gap(bunny, "bunny-1", 1, options);
    run_path(bunny, options);
    run_within(bunny, options);
    run_deform(bunny, options);
    run_convex(context, bunny, options);
    imp_mesh_release(bunny);
}

int bench_distance(const BenchOptions *options)
{
    imp_Context *context;
    if (imp_context_create(NULL, &context) != IMP_STATUS_OK)
        return 1;
#if !IMPINGE_BENCH_FCL
    fprintf(stderr, "impinge-bench: FCL is left out: install libfcl-dev\n");
#endif
#if !IMPINGE_BENCH_CGAL
    fprintf(stderr, "impinge-bench: cgal-vertices is left out: install libcgal-dev\n");
#endif
    run_bunnies(context, options);
    run_nested(context, options);
    bench_near_crowd(context, options);
    imp_context_destroy(context);
    return 0;
}
