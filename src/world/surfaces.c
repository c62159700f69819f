#include "world/surfaces.h"

#include "geom/pose.h"
#include "shape/bounds.h"

#include <math.h>

#define GROUPS_PER_TASK 32 // of 8 blocks of 64 faces
#define BLOCKS_PER_TASK 32

void impi_block_pose(impi_Body *body, uint32_t number)
{
    const impi_FaceBlock *block = &body->tree->blocks.blocks[number];
    imp_Vec3 *to = body->posed + block->first_vertex;
    impi_transform_apply_many(&body->transform, impi_body_vertices(body) + block->first_vertex,
                              block->vertex_count, to);
    imp_Box box = {to[0], to[0]};
    for (unsigned i = 1; i < block->vertex_count; ++i)
        impi_box_add(&box, &to[i]);
    body->posed_boxes[number] = box;
    body->posed_at[number] = body->motion;
}

imp_Box impi_body_exact_bounds(impi_Body *body)
{
    imp_Box bounds = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (uint32_t block = 0; block < body->tree->blocks.block_count; ++block) {
        if (!impi_block_is_posed(body, block))
            impi_block_pose(body, block);
        impi_box_add(&bounds, &body->posed_boxes[block].min);
        impi_box_add(&bounds, &body->posed_boxes[block].max);
    }
    return bounds;
}

static void pose_blocks(size_t begin, size_t end, size_t block, void *argument)
{
    const impi_BlockRef *blocks = argument;
    (void)block;
    for (size_t i = begin; i < end; ++i)
        impi_block_pose(blocks[i].body, blocks[i].block);
}

void impi_blocks_pose(const imp_Executor *executor, const impi_BlockRefs *blocks)
{
    impi_parallel_for(executor, blocks->count, BLOCKS_PER_TASK, pose_blocks, blocks->data);
}

// Groups of blocks of one body that one task bounds.
typedef struct Range {
    impi_Body *body;
    size_t begin, end;
} Range;

typedef struct BoundsJob {
    imp_World *world;
    Range *ranges;
    size_t range_count;
    bool exact;
} BoundsJob;

// What is reported may not depend on how earlier detects were made.
static bool needs_bounds(const impi_Body *body, bool exact)
{
    return body->alive && (body->stale || body->is_exact != exact);
}

static void bound_exactly(impi_Body *body, size_t begin, size_t end)
{
    impi_BoxLanes *groups = body->surface.tree.levels[0];
    size_t count = body->tree->blocks.block_count;
    for (size_t number = begin * IMPI_GROUP_SIZE; number < end * IMPI_GROUP_SIZE; ++number) {
        // Lanes beyond the last block are taken from the mesh's boxes, where they are empty.
        imp_Box box =
            impi_box_lanes_load(&body->tree->boxes[number / IMPI_GROUP_SIZE], number % IMPI_GROUP_SIZE);
        if (number < count) {
            impi_block_pose(body, (uint32_t)number);
            box = body->posed_boxes[number];
        }
        impi_box_lanes_store(&groups[number / IMPI_GROUP_SIZE], number % IMPI_GROUP_SIZE, &box);
    }
}

static void bound_from_frame(impi_Body *body, size_t begin, size_t end)
{
    const impi_BoxLanes *from = body->is_deformed ? body->deformed.boxes : body->tree->boxes;
    impi_pose_boxes(from + begin, &body->transform, end - begin, body->surface.tree.levels[0] + begin);
}

static void bound_ranges(size_t begin, size_t end, size_t block, void *argument)
{
    const BoundsJob *job = argument;
    (void)block;
    for (size_t i = begin; i < end; ++i) {
        const Range *range = &job->ranges[i];
        if (job->exact)
            bound_exactly(range->body, range->begin, range->end);
        else
            bound_from_frame(range->body, range->begin, range->end);
    }
}

static void finish_bodies(size_t begin, size_t end, size_t block, void *argument)
{
    const BoundsJob *job = argument;
    (void)block;
    for (size_t i = begin; i < end; ++i) {
        impi_Body *body = &job->world->bodies.data[i];
        if (!needs_bounds(body, job->exact))
            continue;
        body->surface.bounds = impi_block_tree_finish(&body->surface.tree);
        body->stale = false;
        body->is_exact = job->exact;
    }
}

static bool cut_ranges(BoundsJob *job)
{
    imp_World *world = job->world;
    size_t count = 0;
    for (size_t i = 0; i < world->bodies.count; ++i) {
        const impi_Body *body = &world->bodies.data[i];
        if (needs_bounds(body, job->exact))
            count += impi_block_count(body->surface.tree.group_counts[0], GROUPS_PER_TASK);
    }
    job->ranges = impi_arena_allocate_array(&world->context->scratch, count, sizeof *job->ranges);
    if (!job->ranges)
        return false;
    for (size_t i = 0; i < world->bodies.count; ++i) {
        impi_Body *body = &world->bodies.data[i];
        if (!needs_bounds(body, job->exact))
            continue;
        size_t groups = body->surface.tree.group_counts[0];
        for (size_t begin = 0; begin < groups; begin += GROUPS_PER_TASK) {
            size_t end = begin + GROUPS_PER_TASK < groups ? begin + GROUPS_PER_TASK : groups;
            job->ranges[job->range_count++] = (Range){body, begin, end};
        }
    }
    return true;
}

imp_Status impi_surfaces_update(imp_World *world, bool exact)
{
    const imp_Executor *executor = &world->context->executor;
    BoundsJob job = {.world = world, .exact = exact};
    if (!cut_ranges(&job))
        return impi_fail_out_of_memory(world->context);
    impi_parallel_for(executor, job.range_count, 4, bound_ranges, &job);
    impi_parallel_for(executor, world->bodies.count, 64, finish_bodies, &job);
    return IMP_STATUS_OK;
}
