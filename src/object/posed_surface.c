#include "object/posed_surface.h"

#include "geom/pose.h"
#include "shape/bounds.h"

#include <assert.h>
#include <string.h>

#define GROUPS_PER_RANGE 32 // of 8 blocks of 64 faces

// ---- making and ending

// A surface and its arrays are one piece of memory, since small bodies are many. The widest alignment comes
// first.
typedef struct Layout {
    size_t tree, boxes, vertices, posed_at; // bytes from the begin
    size_t size;
} Layout;

static Layout lay_out(const impi_FaceBlocks *blocks)
{
    Layout layout = {.tree = sizeof(impi_PosedSurface)};
    layout.boxes = layout.tree + impi_block_tree_size(blocks->block_count) * sizeof(impi_BoxLanes);
    layout.vertices = layout.boxes + blocks->block_count * sizeof(imp_Box);
    layout.posed_at = layout.vertices + blocks->vertex_count * sizeof(imp_Vec3);
    layout.size = layout.posed_at + blocks->block_count * sizeof(uint32_t);
    return layout;
}

void impi_posed_surface_release(const imp_Allocator *allocator, impi_Body *body)
{
    const impi_FaceBlocks *blocks = &body->blocks->blocks;
    if (!body->posed)
        return;
    impi_release(allocator, body->posed->end_vertices,
                 blocks->vertex_count * sizeof *body->posed->end_vertices);
    impi_release(allocator, body->posed, lay_out(blocks).size);
    body->posed = NULL;
}

void impi_posed_surface_forget(impi_Body *body)
{
    if (!body->posed)
        return;
    memset(body->posed->posed_at, 0, body->blocks->blocks.block_count * sizeof *body->posed->posed_at);
    body->posed->motion = body->posed->exact_motion = 0;
}

static impi_PosedSurface *make_surface(const imp_Allocator *allocator, const impi_FaceBlocks *blocks)
{
    Layout layout = lay_out(blocks);
    char *storage = impi_allocate(allocator, layout.size);
    impi_PosedSurface *made = (impi_PosedSurface *)storage;
    if (!storage)
        return NULL;
    *made = (impi_PosedSurface){.posed_at = (uint32_t *)(storage + layout.posed_at),
                                .vertices = (imp_Vec3 *)(storage + layout.vertices),
                                .boxes = (imp_Box *)(storage + layout.boxes)};
    memset(made->posed_at, 0, blocks->block_count * sizeof *made->posed_at);
    made->surface.blocks = blocks;
    made->surface.vertices = made->vertices;
    made->surface.boxes = made->boxes;
    impi_block_tree_init(&made->surface.tree, blocks->block_count, (impi_BoxLanes *)(storage + layout.tree));
    return made;
}

static bool allocate_surface(const imp_Allocator *allocator, impi_Body *body)
{
    const impi_FaceBlocks *blocks = &body->blocks->blocks;
    if (!body->posed)
        body->posed = make_surface(allocator, blocks);
    if (body->posed && body->end && !body->posed->end_vertices)
        body->posed->end_vertices =
            impi_allocate_array(allocator, blocks->vertex_count, sizeof *body->posed->end_vertices);
    if (!body->posed || (body->end && !body->posed->end_vertices))
        return false;
    body->posed->surface.end_vertices = body->end ? body->posed->end_vertices : NULL;
    return true;
}

// ---- blocks

static void add_vertices(imp_Box *box, const imp_Vec3 *vertices, unsigned count)
{
    for (unsigned i = 0; i < count; ++i)
        impi_box_add(box, &vertices[i]);
}

void impi_block_pose(impi_Body *body, uint32_t number)
{
    assert(body->posed && number < body->blocks->blocks.block_count);
    const impi_FaceBlock *block = &body->blocks->blocks.blocks[number];
    const imp_Vec3 *from = impi_body_vertices(body) + block->first_vertex;
    imp_Vec3 *to = body->posed->vertices + block->first_vertex;
    impi_transform_apply_many(&body->transform, from, block->vertex_count, to);
    imp_Box box = {to[0], to[0]};
    add_vertices(&box, to, block->vertex_count);
    if (body->end) {
        imp_Vec3 *at_end = body->posed->end_vertices + block->first_vertex;
        impi_transform_apply_many(body->end, from, block->vertex_count, at_end);
        add_vertices(&box, at_end, block->vertex_count);
    }
    body->posed->boxes[number] = box;
    body->posed->posed_at[number] = (uint32_t)body->motion;
}

const imp_Box *impi_surface_exact_bounds(impi_Body *body)
{
    impi_PosedSurface *posed = body->posed;
    if (posed->exact_motion == body->motion)
        return &posed->exact_bounds;
    const imp_Vec3 *vertices = impi_body_vertices(body);
    imp_Vec3 first = impi_pose_vertex(&body->transform, &vertices[0]);
    posed->exact_bounds = (imp_Box){first, first};
    for (size_t i = 1; i < body->blocks->blocks.vertex_count; ++i) {
        imp_Vec3 vertex = impi_pose_vertex(&body->transform, &vertices[i]);
        impi_box_add(&posed->exact_bounds, &vertex);
    }
    posed->exact_motion = body->motion;
    return &posed->exact_bounds;
}

// ---- trees

// Groups of blocks of one body that one task bounds.
typedef struct Range {
    impi_Body *body;
    size_t begin, end;
} Range;

typedef struct TreeJob {
    Range *ranges;
    size_t range_count;
    impi_Body **bodies; // to be done
    size_t body_count;
    bool exact;
} TreeJob;

static void bound_exactly(impi_Body *body, size_t begin, size_t end)
{
    impi_BoxLanes *groups = body->posed->surface.tree.levels[0];
    size_t count = body->blocks->blocks.block_count;
    for (size_t number = begin * IMPI_GROUP_SIZE; number < end * IMPI_GROUP_SIZE; ++number) {
        // Lanes beyond the last block are taken from the mesh's boxes, where they are empty.
        imp_Box box =
            impi_box_lanes_load(&body->blocks->boxes[number / IMPI_GROUP_SIZE], number % IMPI_GROUP_SIZE);
        if (number < count) {
            impi_block_pose(body, (uint32_t)number);
            box = body->posed->boxes[number];
        }
        impi_box_lanes_store(&groups[number / IMPI_GROUP_SIZE], number % IMPI_GROUP_SIZE, &box);
    }
}

static void bound_from_frame(const impi_Body *body, size_t begin, size_t end)
{
    const impi_BoxLanes *from = impi_body_boxes(body);
    impi_BoxLanes *to = body->posed->surface.tree.levels[0];
    impi_pose_boxes(from + begin, &body->transform, end - begin, to + begin);
    for (size_t group = begin; body->end && group < end; ++group) {
        impi_BoxLanes at_end;
        impi_pose_boxes(from + group, body->end, 1, &at_end);
        impi_join_boxes(&at_end, 1, to + group);
    }
}

static void bound_ranges(size_t begin, size_t end, size_t block, void *argument)
{
    const TreeJob *job = argument;
    (void)block;
    for (size_t i = begin; i < end; ++i) {
        const Range *range = &job->ranges[i];
        if (job->exact)
            bound_exactly(range->body, range->begin, range->end);
        else
            bound_from_frame(range->body, range->begin, range->end);
    }
}

static void finish_trees(size_t begin, size_t end, size_t block, void *argument)
{
    const TreeJob *job = argument;
    (void)block;
    for (size_t i = begin; i < end; ++i) {
        impi_Surface *surface = &job->bodies[i]->posed->surface;
        surface->bounds = impi_block_tree_finish(&surface->tree);
    }
}

static size_t range_count_of(const impi_Body *body)
{
    return impi_block_count(impi_group_count(body->blocks->blocks.block_count), GROUPS_PER_RANGE);
}

static bool cut_ranges(impi_Arena *arena, TreeJob *job)
{
    size_t count = 0;
    for (size_t i = 0; i < job->body_count; ++i)
        count += range_count_of(job->bodies[i]);
    job->ranges = impi_arena_allocate_array(arena, count, sizeof *job->ranges);
    if (!job->ranges)
        return false;
    for (size_t i = 0; i < job->body_count; ++i) {
        size_t groups = impi_group_count(job->bodies[i]->blocks->blocks.block_count);
        for (size_t begin = 0; begin < groups; begin += GROUPS_PER_RANGE) {
            size_t end = begin + GROUPS_PER_RANGE < groups ? begin + GROUPS_PER_RANGE : groups;
            job->ranges[job->range_count++] = (Range){job->bodies[i], begin, end};
        }
    }
    return true;
}

// A body that is listed counts as ready at once, so that none is listed twice.
static bool list_bodies(imp_Context *context, impi_Body *const *bodies, size_t count, TreeJob *job)
{
    for (size_t i = 0; i < count; ++i) {
        if (impi_surface_is_ready(bodies[i], job->exact))
            continue;
        if (!allocate_surface(&context->allocator, bodies[i]))
            return false;
        bodies[i]->posed->motion = bodies[i]->motion;
        bodies[i]->posed->is_exact = job->exact;
        job->bodies[job->body_count++] = bodies[i];
    }
    return true;
}

imp_Status impi_surfaces_require(imp_Context *context, impi_Body *const *bodies, size_t count, bool exact)
{
    size_t needed = 0;
    for (size_t i = 0; i < count; ++i)
        needed += !impi_surface_is_ready(bodies[i], exact);
    if (needed == 0)
        return IMP_STATUS_OK;
    impi_ArenaMark mark = impi_arena_mark(&context->scratch);
    TreeJob job = {.exact = exact};
    job.bodies = impi_arena_allocate_array(&context->scratch, needed, sizeof(impi_Body *));
    bool has_memory = job.bodies && list_bodies(context, bodies, count, &job);
    if (has_memory && cut_ranges(&context->scratch, &job)) {
        impi_parallel_for(&context->executor, job.range_count, 4, bound_ranges, &job);
        impi_parallel_for(&context->executor, job.body_count, 64, finish_trees, &job);
    } else {
        has_memory = false;
        for (size_t i = 0; i < job.body_count; ++i)
            job.bodies[i]->posed->motion = 0;
    }
    impi_arena_rewind(&context->scratch, mark);
    return has_memory ? IMP_STATUS_OK : impi_fail_out_of_memory(context);
}

imp_Status impi_surface_require(imp_Context *context, impi_Body *body)
{
    if (impi_surface_is_ready(body, true))
        return IMP_STATUS_OK;
    return impi_surfaces_require(context, &body, 1, false);
}
