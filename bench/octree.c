// Area octree: octrees of meshes, and octrees that move. Here: how long it takes to make them, milliseconds.
// `bunny-L`: the voxels of level L that faces touch, with lists of them (regime faces). `sphere-L`: a solid
// of 100,000 faces, gray voxels are black (regime outer). `pairs` counts black voxels, and `agrees` those
// that a peer does not find, or finds beside ours: CGAL knows closed cells alone. With --memory: bytes that
// an octree keeps for each of its gray cells, besides lists of faces.
#include "bunny.h"
#include "octree_parts.h"
#include "octree_peers.h"

#include "base/memory.h"
#include "geom/touch.h"
#include "scenes/shapes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_SYSTEMS 3
#define CHECKED     200 // cells that brute force is asked for
#define SEED        5
#define PEER_LEVELS 8 // it takes minutes beyond
#define LEVEL_COUNT 3

static const uint32_t levels[LEVEL_COUNT] = {6, 8, 10};

typedef struct BuildScene {
    imp_Mesh *mesh;
    imp_OctreeRule rule;
    imp_OctreeGrid grid;
    OctreeText text; // what comes out
    size_t list_face_count;
} BuildScene;

// ---- ours

typedef struct OurBuild {
    const BuildScene *scene;
    imp_Context *context;
} OurBuild;

static imp_Octree *make_octree(const OurBuild *build)
{
    imp_OctreeDef def = {.mesh = build->scene->mesh, .grid = build->scene->grid, .rule = build->scene->rule};
    imp_Octree *octree;
    bench_require(imp_octree_create(build->context, &def, &octree));
    return octree;
}

static imp_OctreeInfo info_of(const imp_Octree *octree)
{
    imp_OctreeInfo info;
    bench_require(imp_octree_get_info(octree, &info));
    return info;
}

static uint64_t run_ours(void *state)
{
    imp_Octree *octree = make_octree(state);
    uint64_t count = info_of(octree).black_voxel_count;
    imp_octree_release(octree);
    return count;
}

// Any number of threads gives the same.
static const char *check_ours(void *state)
{
    const OurBuild *build = state;
    imp_Octree *octree = make_octree(build);
    OctreeText text = octree_text(build->context, octree);
    bench_check(text.length == build->scene->text.length &&
                    memcmp(text.data, build->scene->text.data, text.length) == 0,
                "another octree by another number of threads");
    free(text.data);
    imp_octree_release(octree);
    return "yes";
}

static double corner(const imp_OctreeGrid *grid, int axis, uint32_t i)
{
    return (&grid->origin.x)[axis] + (double)i * grid->voxel;
}

// By all faces, and by where the center lies.
static bool is_black(imp_Context *context, const BuildScene *scene, const uint32_t at[3])
{
    const imp_OctreeGrid *grid = &scene->grid;
    imp_Box box = {{corner(grid, 0, at[0]), corner(grid, 1, at[1]), corner(grid, 2, at[2])},
                   {corner(grid, 0, at[0] + 1), corner(grid, 1, at[1] + 1), corner(grid, 2, at[2] + 1)}};
    bool is_closed = scene->rule == IMP_OCTREE_FACES;
    for (size_t i = 0; i < imp_mesh_get_triangle_count(scene->mesh); ++i) {
        imp_Triangle face;
        bench_require(imp_mesh_get_triangle(scene->mesh, i, &face));
        if (is_closed ? impi_triangle_touches_box(&face, &box) : impi_triangle_enters_box(&face, &box))
            return true;
    }
    imp_Vec3 center = {(box.min.x + box.max.x) / 2, (box.min.y + box.max.y) / 2, (box.min.z + box.max.z) / 2};
    imp_PointLocation location = IMP_LOCATION_OUTSIDE;
    if (!is_closed)
        bench_require(imp_mesh_locate_points(context, scene->mesh, &center, 1, &location));
    return location != IMP_LOCATION_OUTSIDE;
}

// Random voxels, half of them near a vertex.
static void check_by_brute_force(imp_Context *context, const BuildScene *scene, const imp_Octree *octree)
{
    uint64_t random = SEED, black = 0;
    uint32_t end = 1u << scene->grid.level;
    for (int i = 0; i < CHECKED; ++i) {
        const imp_Vec3 *vertices = imp_mesh_get_vertices(scene->mesh);
        size_t vertex = (size_t)(scene_random_unit(&random) * (double)imp_mesh_get_vertex_count(scene->mesh));
        uint32_t at[3];
        for (int axis = 0; axis < 3; ++axis) {
            double there = ((&vertices[vertex].x)[axis] - corner(&scene->grid, axis, 0)) / scene->grid.voxel;
            double place =
                i % 2 ? there + scene_random_between(&random, -1.5, 1.5) : scene_random_unit(&random) * end;
            at[axis] = (uint32_t)fmin(fmax(place, 0), end - 1);
        }
        imp_CellColour colour;
        bench_require(imp_octree_get_colour(octree, scene->grid.level, at[0], at[1], at[2], &colour));
        bench_check((colour == IMP_CELL_BLACK) == is_black(context, scene, at), "a voxel by brute force");
        black += colour == IMP_CELL_BLACK;
    }
    bench_check(black > CHECKED / 8 && black < CHECKED, "nearly all voxels looked at have one colour");
}

// ---- peers

typedef struct PeerBuild {
    const BuildScene *scene;
    const OctreePeer *peer;
    void *state;
    const char *text;
    size_t length, list_face_count;
    char agrees[64];
} PeerBuild;

static uint64_t run_peer(void *state)
{
    PeerBuild *build = state;
    build->length = build->peer->build(build->state, &build->scene->grid, build->scene->rule, &build->text,
                                       &build->list_face_count);
    OctreeDifference white = octree_texts_compare("W", build->text, build->scene->grid.level);
    return white.extra;
}

static const char *check_peer(void *state)
{
    PeerBuild *build = state;
    const BuildScene *scene = build->scene;
    OctreeDifference voxels = octree_texts_compare(scene->text.data, build->text, scene->grid.level);
    if (voxels.missing == 0 && voxels.extra == 0 && build->list_face_count == scene->list_face_count)
        return "yes";
    snprintf(build->agrees, sizeof build->agrees, "-%llu/+%llu", (unsigned long long)voxels.missing,
             (unsigned long long)voxels.extra);
    return build->agrees;
}

// ---- a scene

static void measure(BuildScene *scene, const char *name, const BenchOptions *options)
{
    OurBuild ours[2];
    PeerBuild peer = {.scene = scene};
    BenchSystem systems[MAX_SYSTEMS];
    size_t count = 0;
    for (uint32_t threads = 1; threads <= 2; ++threads) {
        ours[count].scene = scene;
        bench_require(imp_context_create(&(imp_ContextDef){.thread_count = threads}, &ours[count].context));
        systems[count] = (BenchSystem){.name = "impinge",
                                       .threads = (int)threads,
                                       .run = run_ours,
                                       .state = &ours[count],
                                       .check = check_ours};
        ++count;
    }
    imp_Octree *octree = make_octree(&ours[0]);
    scene->text = octree_text(ours[0].context, octree);
    scene->list_face_count = info_of(octree).face_count;
    check_by_brute_force(ours[0].context, scene, octree);
    imp_octree_release(octree);
#if IMPINGE_BENCH_CGAL
    if (scene->grid.level <= PEER_LEVELS && bench_wants_system(options, cgal_octree_peer.name)) {
        peer.peer = &cgal_octree_peer;
        peer.state = peer.peer->create(scene->mesh);
        systems[count++] = (BenchSystem){
            .name = peer.peer->name, .threads = 1, .run = run_peer, .state = &peer, .check = check_peer};
    }
#endif
    BenchScene description = {name, scene->rule == IMP_OCTREE_FACES ? "faces" : "outer", "ms", 1e6,
                              options->quick || scene->grid.level > PEER_LEVELS ? 5 : 11};
    bench_measure(options, &description, systems, count);
    if (peer.peer)
        peer.peer->destroy(peer.state);
    free(scene->text.data);
    for (int i = 0; i < 2; ++i)
        imp_context_destroy(ours[i].context);
}

// ---- memory

typedef struct Meter {
    size_t held;
} Meter;

static void *allocate_metered(size_t size, void *user)
{
    ((Meter *)user)->held += size;
    return impi_default_allocator.allocate(size, impi_default_allocator.user);
}

static void release_metered(void *memory, size_t size, void *user)
{
    if (memory)
        ((Meter *)user)->held -= size;
    impi_default_allocator.release(memory, size, impi_default_allocator.user);
}

static uint64_t sum(const uint64_t counts[IMP_MAX_OCTREE_LEVEL + 1])
{
    uint64_t total = 0;
    for (int level = 0; level <= IMP_MAX_OCTREE_LEVEL; ++level)
        total += counts[level];
    return total;
}

// What goes away with the octree.
static void measure_memory(const BuildScene *scene, const char *name)
{
    Meter meter = {0};
    OurBuild build = {.scene = scene};
    imp_Allocator allocator = {allocate_metered, release_metered, &meter};
    imp_ContextDef def = {.thread_count = 1, .allocator = allocator};
    bench_require(imp_context_create(&def, &build.context));
    imp_Octree *octree = make_octree(&build);
    imp_OctreeInfo info = info_of(octree);
    uint64_t gray = sum(info.gray_count), lists = 0;
    if (info.has_faces)
        lists = (info.face_count + info.black_voxel_count + 1) * sizeof(uint32_t);
    size_t before = meter.held;
    imp_octree_release(octree);
    double bytes = (double)(before - meter.held) - (double)lists;
    bench_print(
        &(BenchLine){name, "gray", "impinge", 1, bench_single(bytes / (double)gray), "B", gray, "yes", 1});
    imp_context_destroy(build.context);
}

// ---- all scenes

static void run_levels(imp_Mesh *mesh, const char *mesh_name, imp_OctreeRule rule,
                       const BenchOptions *options)
{
    for (int i = 0; i < LEVEL_COUNT; ++i) {
        char name[32];
        BuildScene scene = {.mesh = mesh, .rule = rule};
        snprintf(name, sizeof name, "%s-%u", mesh_name, levels[i]);
        if (!bench_wants(options, name))
            continue;
        bench_require(imp_octree_grid_around(mesh, levels[i], &scene.grid));
        if (options->memory)
            measure_memory(&scene, name);
        else
            measure(&scene, name, options);
    }
}

void octree_builds(const BenchOptions *options)
{
    imp_Context *context;
    imp_Mesh *bunny, *sphere;
    bench_require(imp_context_create(NULL, &context));
    bunny = bench_load_bunny(context);
    if (bunny)
        run_levels(bunny, "bunny", IMP_OCTREE_FACES, options);
    imp_mesh_release(bunny);
    bench_require(scene_sphere(context, 316, 159, 1, &sphere));
    run_levels(sphere, "sphere", IMP_OCTREE_OUTER, options);
    imp_mesh_release(sphere);
    imp_context_destroy(context);
}

int bench_octree(const BenchOptions *options)
{
#if !IMPINGE_BENCH_CGAL
    fprintf(stderr, "impinge-bench: cgal is left out: install libcgal-dev\n");
#endif
    octree_builds(options);
    if (!options->memory)
        octree_moves(options);
    return 0;
}
