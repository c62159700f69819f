// Octrees that move, milliseconds, by each rule (regimes overlap, centre, touch; with -shift where nothing
// turns). `shuttle-5`: the shuttle of Smith & Kitamura's chapter 2. `sphere-8`: a solid of 100,000 faces.
// `impinge-paper` moves few cubes, compacted before, which is not timed; `weng-ahuja` has one rule. `pairs`
// counts black voxels.
#include "octree_parts.h"

#include "experiments/listed_cubes.h"
#include "experiments/weng_ahuja.h"
#include "scenes/objects.h"
#include "scenes/shapes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CUBE_EDGE   2.5 // with room for what moves
#define MAX_SYSTEMS 5

typedef struct MoveScene {
    const char *name;
    imp_Octree *octree;
    imp_OctreeGrid grid;
    ListedCubes black, few;
    imp_Pose pose;
    imp_OctreeMoveRule rule;
    OctreeText expected; // what comes out
    uint64_t black_voxel_count;
} MoveScene;

// ---- ours

typedef struct OurMove {
    const MoveScene *scene;
    imp_Context *context;
    imp_OctreeMoveMethod method;
    imp_Octree *moved;
} OurMove;

// The paper's method gets cubes that were compacted before.
static void move(OurMove *move)
{
    const MoveScene *scene = move->scene;
    imp_OctreeMoveDef def = {.pose = scene->pose, .rule = scene->rule, .method = move->method};
    imp_octree_release(move->moved);
    bench_require(move->method == IMP_MOVE_PAPER
                      ? listed_cubes_move(move->context, scene->octree, &def, &scene->few, 1, &move->moved)
                      : imp_octree_move(move->context, scene->octree, &def, &move->moved));
}

static uint64_t run_ours(void *state)
{
    OurMove *ours = state;
    move(ours);
    return ours->scene->black_voxel_count;
}

// All methods and numbers of threads give the same.
static const char *check_ours(void *state)
{
    const OurMove *ours = state;
    OctreeText text = octree_text(ours->context, ours->moved);
    const OctreeText *expected = &ours->scene->expected;
    bench_check(text.length == expected->length && memcmp(text.data, expected->data, text.length) == 0,
                "a moved octree by another method or number of threads");
    free(text.data);
    return "yes";
}

// ---- Weng & Ahuja's

typedef struct TheirMove {
    const MoveScene *scene;
    imp_Context *context;
    WengAhuja *target;
} TheirMove;

static uint64_t run_theirs(void *state)
{
    TheirMove *move = state;
    const MoveScene *scene = move->scene;
    WengAhujaDef def = {scene->grid, scene->grid, scene->black.data, scene->black.count,
                        .test = WENG_AHUJA_SPHERES};
    bench_require(imp_pose_transform(&scene->pose, &def.transform));
    bench_check(weng_ahuja_move(move->target, &def), "out of memory");
    return scene->black_voxel_count;
}

static const char *check_theirs(void *state)
{
    const TheirMove *move = state;
    const MoveScene *scene = move->scene;
    size_t count = (size_t)1 << 3 * scene->grid.level;
    uint8_t *voxels = malloc(2 * count);
    imp_Octree *expected;
    bench_check(voxels != NULL, "out of memory");
    bench_require(imp_octree_create_from_df(move->context, &scene->grid, scene->expected.data,
                                            scene->expected.length, &expected));
    bench_require(imp_octree_get_voxels(move->context, expected, voxels, count));
    weng_ahuja_voxels(move->target, voxels + count);
    bench_check(memcmp(voxels, voxels + count, count) == 0, "voxels by Weng & Ahuja's method");
    imp_octree_release(expected);
    free(voxels);
    return "yes";
}

// ---- a scene

static void find_expected(imp_Context *context, MoveScene *scene)
{
    imp_OctreeInfo info;
    OurMove first = {.scene = scene, .context = context};
    move(&first);
    bench_require(imp_octree_get_info(first.moved, &info));
    scene->black_voxel_count = info.black_voxel_count;
    scene->expected = octree_text(context, first.moved);
    imp_octree_release(first.moved);
}

static void measure(imp_Context *const contexts[2], MoveScene *scene, const char *regime, bool shifts,
                    const BenchOptions *options)
{
    static const struct {
        const char *name;
        int threads;
        imp_OctreeMoveMethod method;
    } ours[] = {{"impinge", 1, IMP_MOVE_BEST},
                {"impinge", 2, IMP_MOVE_BEST},
                {"impinge-paper", 1, IMP_MOVE_PAPER},
                {"impinge-translate", 1, IMP_MOVE_TRANSLATE}};
    const size_t our_count = sizeof ours / sizeof *ours;
    OurMove moves[sizeof ours / sizeof *ours];
    TheirMove theirs = {.scene = scene, .context = contexts[0]};
    BenchSystem systems[MAX_SYSTEMS];
    size_t count = 0;
    find_expected(contexts[0], scene);
    for (size_t i = 0; i < our_count; ++i) {
        moves[i] =
            (OurMove){.scene = scene, .context = contexts[ours[i].threads - 1], .method = ours[i].method};
        if (ours[i].method == IMP_MOVE_TRANSLATE && !shifts)
            continue;
        systems[count++] = (BenchSystem){.name = ours[i].name,
                                         .threads = ours[i].threads,
                                         .run = run_ours,
                                         .state = &moves[i],
                                         .check = check_ours};
    }
    if (scene->rule == IMP_MOVE_CENTRE && bench_wants_system(options, "weng-ahuja")) {
        theirs.target = weng_ahuja_create();
        bench_check(theirs.target != NULL, "out of memory");
        systems[count++] = (BenchSystem){
            .name = "weng-ahuja", .threads = 1, .run = run_theirs, .state = &theirs, .check = check_theirs};
    }
    BenchScene description = {scene->name, regime, "ms", 1e6, options->quick ? 7 : 31};
    bench_measure(options, &description, systems, count);
    weng_ahuja_destroy(theirs.target);
    for (size_t i = 0; i < our_count; ++i)
        imp_octree_release(moves[i].moved);
    free(scene->expected.data);
}

static void measure_all(imp_Context *const contexts[2], MoveScene *scene, const BenchOptions *options)
{
    static const char *const regimes[2][3] = {{"overlap", "centre", "touch"},
                                              {"overlap-shift", "centre-shift", "touch-shift"}};
    SceneTurn half = scene_turn(20, 480); // 30 degrees around (2, 3, 6)
    for (int shifts = 0; shifts < 2; ++shifts)
        for (int rule = IMP_MOVE_OVERLAP; rule <= IMP_MOVE_TOUCH; ++rule) {
            double sine = shifts ? 0 : half.sine / 7;
            scene->rule = (imp_OctreeMoveRule)rule;
            scene->pose =
                (imp_Pose){{0.013, 0.047, 0.003}, {shifts ? 1 : half.cosine, 2 * sine, 3 * sine, 6 * sine}};
            measure(contexts, scene, regimes[shifts][rule], shifts, options);
        }
}

static void run_mesh(imp_Context *const contexts[2], imp_Mesh *mesh, const char *name, uint32_t level,
                     const BenchOptions *options)
{
    imp_Box box = imp_mesh_get_bounds(mesh);
    MoveScene scene = {.name = name};
    scene.grid =
        (imp_OctreeGrid){{(box.min.x + box.max.x - CUBE_EDGE) / 2, (box.min.y + box.max.y - CUBE_EDGE) / 2,
                          (box.min.z + box.max.z - CUBE_EDGE) / 2},
                         CUBE_EDGE / (1u << level),
                         level};
    imp_OctreeDef def = {.mesh = mesh, .grid = scene.grid, .rule = IMP_OCTREE_OUTER};
    bench_require(imp_octree_create(contexts[0], &def, &scene.octree));
    bench_require(listed_cubes_make(contexts[0], scene.octree, NULL, &scene.black));
    bench_require(
        listed_cubes_make(contexts[0], scene.octree, &(imp_OctreeCubesDef){.compact = true}, &scene.few));
    measure_all(contexts, &scene, options);
    listed_cubes_free(&scene.black);
    listed_cubes_free(&scene.few);
    imp_octree_release(scene.octree);
}

void octree_moves(const BenchOptions *options)
{
    imp_Context *contexts[2];
    imp_Mesh *mesh;
    for (uint32_t threads = 1; threads <= 2; ++threads)
        bench_require(imp_context_create(&(imp_ContextDef){.thread_count = threads}, &contexts[threads - 1]));
    if (bench_wants(options, "shuttle-5")) {
        bench_require(scene_shuttle(contexts[0], &mesh));
        run_mesh(contexts, mesh, "shuttle-5", 5, options);
        imp_mesh_release(mesh);
    }
    if (bench_wants(options, "sphere-8")) {
        bench_require(scene_sphere(contexts[0], 316, 159, 1, &mesh));
        run_mesh(contexts, mesh, "sphere-8", 8, options);
        imp_mesh_release(mesh);
    }
    for (int i = 0; i < 2; ++i)
        imp_context_destroy(contexts[i]);
}
