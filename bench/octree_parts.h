/// The parts of area octree, and what they share.
#ifndef IMPINGE_BENCH_OCTREE_PARTS_H
#define IMPINGE_BENCH_OCTREE_PARTS_H

#include "bench.h"

#include <impinge/impinge.h>

/// Octrees made of meshes.
void octree_builds(const BenchOptions *options);

/// Octrees in another place.
void octree_moves(const BenchOptions *options);

/// Depth-first text, as imp_octree_get_df gives it.
typedef struct OctreeText {
    char *data;
    size_t length;
} OctreeText;

OctreeText octree_text(imp_Context *context, const imp_Octree *octree);

/// How many voxels two octrees of a level differ in.
typedef struct OctreeDifference {
    uint64_t missing, extra; // black in the first one alone, in the second one alone
} OctreeDifference;

OctreeDifference octree_texts_compare(const char *ours, const char *other, uint32_t level);

#endif
