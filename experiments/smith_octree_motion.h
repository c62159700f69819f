/// The octree of Smith & Kitamura's chapter 2 and its motion, cycle by cycle: a space shuttle of resolution
/// level 5, always moved from the same source octree.
#ifndef IMPINGE_EXPERIMENTS_SMITH_OCTREE_MOTION_H
#define IMPINGE_EXPERIMENTS_SMITH_OCTREE_MOTION_H

#include "experiment.h"
#include "listed_cubes.h"

#define MOTION_CYCLES          39
#define MOTION_LEVEL           5
#define MOTION_VOXELS          ((size_t)1 << 3 * MOTION_LEVEL)
#define MOTION_MAX_REPETITIONS 16

typedef struct SmithOctreeMotion {
    imp_Octree *shuttle;
    imp_OctreeGrid grid; // of source and target
    ListedCubes black;   // its black cells
    ListedCubes few;     // compacted with as many starts as there are cubes (2.3)
    size_t quick_count;  // as few with the starts that imp_octree_get_cubes makes by itself
    double few_ns;       // how long compaction took
    size_t black_voxel_count;
} SmithOctreeMotion;

/// Fails the run, and returns false, when it can't be made.
bool motion_make(ExperimentRun *run, SmithOctreeMotion *motion);

/// Figures for the page stay.
void motion_free(SmithOctreeMotion *motion);

/// Where the shuttle is in a cycle, 1 to MOTION_CYCLES; with or without its turn.
imp_Pose motion_pose(const SmithOctreeMotion *motion, uint32_t cycle, bool turns);

/// How often to measure, and which cycles: all, or a few in a quick run.
size_t motion_repetitions(const ExperimentRun *run);
uint32_t motion_cycle_step(const ExperimentRun *run);

typedef enum MotionClock { MOTION_PROCESSOR_TIME, MOTION_WALL_TIME } MotionClock;

double motion_now_ns(MotionClock clock);

typedef struct MotionOrder {
    imp_Context *context; // decides how many threads there are
    imp_Pose pose;
    imp_OctreeMoveRule rule;
    imp_OctreeMoveMethod method;
    const ListedCubes *cubes;
    uint32_t part_count;
} MotionOrder;

/// See listed_cubes_move. Fails the run, and returns null, when it fails.
imp_Octree *motion_move(ExperimentRun *run, const SmithOctreeMotion *motion, const MotionOrder *order,
                        imp_OctreeMoveStats *stats);

/// Fails the run where an octree has other voxels than expected; `name` is said then.
void motion_check(ExperimentRun *run, const char *name, const imp_Octree *octree,
                  const uint8_t expected[MOTION_VOXELS]);
void motion_voxels(ExperimentRun *run, const imp_Octree *octree, uint8_t voxels[MOTION_VOXELS]);

/// The rows of a page's table about the object, the grid and the motion.
void motion_put_object(ExperimentRun *run, const SmithOctreeMotion *motion);

#endif
