/// Boxes of a mesh's blocks of faces, and an implicit tree over them.
///
/// All functions expect the default floating-point mode (base/float_guard.h).
#ifndef IMPINGE_SHAPE_BLOCK_TREE_H
#define IMPINGE_SHAPE_BLOCK_TREE_H

#include "shape/face_blocks.h"

/// Boxes come in groups of eight, structure of arrays, so that eight are compared at a time. Lanes beyond the
/// last box are NaN, which meets nothing.
#define IMPI_GROUP_SIZE        8
#define IMPI_BLOCK_TREE_LEVELS 9 // 8^9 groups of 64 faces exceed 2^32 faces

typedef struct impi_BoxLanes {
    _Alignas(64) double min[3][IMPI_GROUP_SIZE], max[3][IMPI_GROUP_SIZE];
} impi_BoxLanes;

static inline size_t impi_group_count(size_t box_count)
{
    return (box_count + IMPI_GROUP_SIZE - 1) / IMPI_GROUP_SIZE;
}

void impi_box_lanes_store(impi_BoxLanes *group, unsigned lane, const imp_Box *box);

static inline imp_Box impi_box_lanes_load(const impi_BoxLanes *group, unsigned lane)
{
    return (imp_Box){{group->min[0][lane], group->min[1][lane], group->min[2][lane]},
                     {group->max[0][lane], group->max[1][lane], group->max[2][lane]}};
}

/// Level 0 holds the boxes of blocks, each level above the boxes of the groups below it, up to one group.
typedef struct impi_BlockTree {
    impi_BoxLanes *levels[IMPI_BLOCK_TREE_LEVELS];
    size_t group_counts[IMPI_BLOCK_TREE_LEVELS];
    unsigned level_count;
} impi_BlockTree;

/// How many groups a tree over `block_count` blocks has in all.
size_t impi_block_tree_size(size_t block_count);

/// Lay the levels of a tree out in `storage`, which holds impi_block_tree_size groups.
void impi_block_tree_init(impi_BlockTree *tree, size_t block_count, impi_BoxLanes *storage);

/// The levels above, when level 0 stands. Returns the box around everything.
imp_Box impi_block_tree_finish(impi_BlockTree *tree);

typedef bool (*impi_BlockFoundFn)(uint32_t block, const imp_Box *block_box, void *argument);

/// Visit the blocks whose boxes meet `box`, ascending, until the function returns false. The fastest form
/// that this processor runs.
bool impi_block_tree_visit(const impi_BlockTree *tree, const imp_Box *box, impi_BlockFoundFn found,
                           void *argument);

bool impi_block_tree_visit_portable(const impi_BlockTree *tree, const imp_Box *box, impi_BlockFoundFn found,
                                    void *argument);
#if defined(__x86_64__)
bool impi_block_tree_visit_avx2(const impi_BlockTree *tree, const imp_Box *box, impi_BlockFoundFn found,
                                void *argument);
bool impi_block_tree_visit_avx512(const impi_BlockTree *tree, const imp_Box *box, impi_BlockFoundFn found,
                                  void *argument);
#endif

/// Copy vertices, numbered as in the mesh, block by block, and bound the blocks. `gathered` holds
/// blocks->vertex_count vertices, `groups` impi_group_count(blocks->block_count) groups.
void impi_gather_blocks(const impi_FaceBlocks *blocks, const imp_Vec3 *vertices, imp_Vec3 *gathered,
                        impi_BoxLanes *groups);

/// Bound blocks whose vertices stand block by block already.
void impi_bound_blocks(const impi_FaceBlocks *blocks, const imp_Vec3 *gathered, impi_BoxLanes *groups);

/// The box around what goes straight from one box to another, less a drift: where it ends is moved back by
/// that, rounded to nearest, and what is between follows.
///
/// Whatever the drift is, two such boxes with the same drift that have no point in common are of things that
/// never meet. For along some axis one of the two lies beyond the other where they begin, and beyond it in
/// the same direction where they end, drift or not, because rounding never swaps two numbers; and what is in
/// order at both ends of straight ways is so between.
imp_Box impi_box_around_way(const imp_Box *begin, const imp_Box *end, imp_Vec3 drift);

/// The same for groups.
void impi_boxes_around_ways(const impi_BoxLanes *begin, const impi_BoxLanes *end, imp_Vec3 drift,
                            size_t count, impi_BoxLanes *to);

/// Boxes in the world around boxes in a body's frame: whatever point lies in one of `from`, what
/// impi_transform_apply makes of it, if finite, lies in the one of `to`. Boxes end at the largest double.
void impi_pose_boxes(const impi_BoxLanes *from, const imp_Transform *transform, size_t count,
                     impi_BoxLanes *to);

/// Make each box of `to` the box around itself and the one of `other`.
void impi_join_boxes(const impi_BoxLanes *other, size_t count, impi_BoxLanes *to);

/// The box around some groups of boxes, of which the first is not empty.
imp_Box impi_bound_groups(const impi_BoxLanes *groups, size_t count);

static inline bool impi_boxes_meet(const imp_Box *a, const imp_Box *b)
{
    return a->min.x <= b->max.x && b->min.x <= a->max.x && a->min.y <= b->max.y && b->min.y <= a->max.y &&
           a->min.z <= b->max.z && b->min.z <= a->max.z;
}

#endif
