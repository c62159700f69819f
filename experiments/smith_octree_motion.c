#include "smith_octree_motion.h"

#include "geom/vector.h"
#include "scenes/objects.h"
#include "scenes/shapes.h"

#include <assert.h>
#include <string.h>
#include <time.h>

#define CUBE_EDGE   2.5 // the shuttle is 2.26 long
#define TURN_STEPS  480 // half an angle is a step of so many: a cycle turns by 1.5 degrees
#define PAPER_BLACK 863
#define PAPER_FEW   458

static const imp_Vec3 turn_axis = {1, 3, 1}; // not normalised
static const imp_Vec3 way_of_cycle = {0.004, 0.012, 0.0015};

// ---- the object

static bool check(ExperimentRun *run, imp_Status status)
{
    if (status != IMP_STATUS_OK)
        experiment_fail(run, "%s: %s", imp_status_name(status), imp_context_get_error(run->context)->message);
    return status == IMP_STATUS_OK;
}

static bool make_shuttle(ExperimentRun *run, SmithOctreeMotion *motion)
{
    imp_Mesh *mesh = NULL;
    if (!check(run, scene_shuttle(run->context, &mesh)))
        return false;
    imp_Box box = imp_mesh_get_bounds(mesh);
    imp_Vec3 low = {(box.min.x + box.max.x - CUBE_EDGE) / 2, (box.min.y + box.max.y - CUBE_EDGE) / 2,
                    (box.min.z + box.max.z - CUBE_EDGE) / 2};
    motion->grid = (imp_OctreeGrid){low, CUBE_EDGE / (1 << MOTION_LEVEL), MOTION_LEVEL};
    imp_OctreeDef def = {.mesh = mesh, .grid = motion->grid, .rule = IMP_OCTREE_OUTER};
    bool done = check(run, imp_octree_create(run->context, &def, &motion->shuttle));
    imp_mesh_release(mesh);
    return done;
}

static bool list_cubes(ExperimentRun *run, SmithOctreeMotion *motion)
{
    ListedCubes quick = {0};
    imp_OctreeCubesDef some = {.compact = true}, all = {.compact = true, .starts = IMP_ALL_STARTS};
    imp_OctreeInfo info;
    if (!check(run, imp_octree_get_info(motion->shuttle, &info)) ||
        !check(run, listed_cubes_make(run->context, motion->shuttle, NULL, &motion->black)) ||
        !check(run, listed_cubes_make(run->context, motion->shuttle, &some, &quick)))
        return false;
    motion->black_voxel_count = info.black_voxel_count;
    motion->quick_count = quick.count;
    listed_cubes_free(&quick);
    double start = motion_now_ns(MOTION_PROCESSOR_TIME);
    bool done = check(run, listed_cubes_make(run->context, motion->shuttle, &all, &motion->few));
    motion->few_ns = motion_now_ns(MOTION_PROCESSOR_TIME) - start;
    return done;
}

bool motion_make(ExperimentRun *run, SmithOctreeMotion *motion)
{
    *motion = (SmithOctreeMotion){0};
    return make_shuttle(run, motion) && list_cubes(run, motion);
}

void motion_free(SmithOctreeMotion *motion)
{
    ListedCubes black = motion->black, few = motion->few; // their counts stay
    imp_octree_release(motion->shuttle);
    listed_cubes_free(&black);
    listed_cubes_free(&few);
    motion->shuttle = NULL;
    motion->black.data = motion->few.data = NULL;
}

// ---- its motion

// Around the middle of the cube.
imp_Pose motion_pose(const SmithOctreeMotion *motion, uint32_t cycle, bool turns)
{
    imp_Vec3 way = impi_scale(way_of_cycle, cycle), axis = impi_unit(turn_axis);
    imp_Pose pose = {way, {1, 0, 0, 0}};
    imp_Transform turn;
    if (!turns)
        return pose;
    SceneTurn half = scene_turn(cycle, TURN_STEPS);
    pose.rotation = (imp_Quat){half.cosine, half.sine * axis.x, half.sine * axis.y, half.sine * axis.z};
    imp_Vec3 middle = {motion->grid.origin.x + CUBE_EDGE / 2, motion->grid.origin.y + CUBE_EDGE / 2,
                       motion->grid.origin.z + CUBE_EDGE / 2};
    imp_Status status = imp_pose_transform(&(imp_Pose){.rotation = pose.rotation}, &turn);
    assert(status == IMP_STATUS_OK); // of unit length
    (void)status;
    pose.translation = impi_add_scaled(way, 1, impi_subtract(middle, imp_transform_apply(&turn, middle)));
    return pose;
}

size_t motion_repetitions(const ExperimentRun *run)
{
    return run->quick ? 1 : 15;
}

uint32_t motion_cycle_step(const ExperimentRun *run)
{
    return run->quick ? 19 : 1;
}

double motion_now_ns(MotionClock clock)
{
    struct timespec time;
    if (clock == MOTION_PROCESSOR_TIME)
        return experiment_processor_ns();
    clock_gettime(CLOCK_MONOTONIC, &time);
    return 1e9 * (double)time.tv_sec + (double)time.tv_nsec;
}

imp_Octree *motion_move(ExperimentRun *run, const SmithOctreeMotion *motion, const MotionOrder *order,
                        imp_OctreeMoveStats *stats)
{
    imp_Octree *moved = NULL;
    imp_OctreeMoveDef def = {
        .pose = order->pose, .rule = order->rule, .method = order->method, .stats = stats};
    imp_Status status =
        listed_cubes_move(order->context, motion->shuttle, &def, order->cubes, order->part_count, &moved);
    if (status != IMP_STATUS_OK)
        experiment_fail(run, "%s", imp_context_get_error(order->context)->message);
    return moved;
}

void motion_voxels(ExperimentRun *run, const imp_Octree *octree, uint8_t voxels[MOTION_VOXELS])
{
    memset(voxels, 0, MOTION_VOXELS);
    if (octree)
        check(run, imp_octree_get_voxels(run->context, octree, voxels, MOTION_VOXELS));
}

void motion_check(ExperimentRun *run, const char *name, const imp_Octree *octree,
                  const uint8_t expected[MOTION_VOXELS])
{
    uint8_t voxels[MOTION_VOXELS];
    motion_voxels(run, octree, voxels);
    if (memcmp(voxels, expected, MOTION_VOXELS) != 0)
        experiment_fail(run, "%s gives other voxels", name);
}

// ---- the page

void motion_put_object(ExperimentRun *run, const SmithOctreeMotion *motion)
{
    impi_text_printf(
        &run->page,
        "| object | a space shuttle, resolution level 5 | our shuttle of 528 faces (`scenes/shuttle.c`), "
        "level "
        "%d, in the middle of a cube of edge %.1f, rule `outer` |\n"
        "| black nodes | %d | %zu (%zu voxels) |\n"
        "| cubes after compaction | %d, by as many scans as there are cubes to choose from | %zu by as many, "
        "in "
        "%.1f ms; %zu as `imp_octree_get_cubes` compacts by itself |\n"
        "| motion | values not given; always from the same source octree | %.4f, %.4f, %.4f a cycle, and 1.5 "
        "degrees around (1, 3, 1) where it turns; nothing leaves the cube |\n",
        MOTION_LEVEL, CUBE_EDGE, PAPER_BLACK, motion->black.count, motion->black_voxel_count, PAPER_FEW,
        motion->few.count, motion->few_ns / 1e6, motion->quick_count, way_of_cycle.x, way_of_cycle.y,
        way_of_cycle.z);
}
