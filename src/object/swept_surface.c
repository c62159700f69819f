#include "object/swept_surface.h"

#include "geom/pose.h"
#include "object/target.h"
#include "shape/bounds.h"
#include "shape/face_parts.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#define BODIES_PER_TASK 4
#define GROUPS_AT_ONCE  8

// ---- making and ending

// One piece of memory for a surface and what it has where its way begins, another for the end. The widest
// alignment comes first.
typedef struct Layout {
    size_t tree, ends, boxes, vertices, posed_at; // bytes from the begin
    size_t size;
} Layout;

static Layout lay_out(const impi_FaceBlocks *blocks)
{
    Layout layout = {.tree = sizeof(impi_SweptSurface)};
    layout.ends = layout.tree + impi_block_tree_size(blocks->block_count) * sizeof(impi_BoxLanes);
    layout.boxes = layout.ends + impi_group_count(blocks->block_count) * sizeof(impi_BoxLanes);
    layout.vertices = layout.boxes + blocks->block_count * sizeof(imp_Box);
    layout.posed_at = layout.vertices + blocks->vertex_count * sizeof(imp_Vec3);
    layout.size = layout.posed_at + blocks->block_count * sizeof(uint32_t);
    return layout;
}

static Layout lay_out_end(const impi_FaceBlocks *blocks)
{
    Layout layout = {.ends = 0};
    layout.boxes = impi_group_count(blocks->block_count) * sizeof(impi_BoxLanes);
    layout.vertices = layout.boxes + blocks->block_count * sizeof(imp_Box);
    layout.size = layout.vertices + blocks->vertex_count * sizeof(imp_Vec3);
    return layout;
}

void impi_swept_surface_release(const imp_Allocator *allocator, impi_Body *body)
{
    const impi_FaceBlocks *blocks = &body->blocks->blocks;
    if (!body->swept)
        return;
    impi_release(allocator, body->swept->end_storage, lay_out_end(blocks).size);
    impi_release(allocator, body->swept, lay_out(blocks).size);
    body->swept = NULL;
}

static impi_SweptSurface *make_surface(const imp_Allocator *allocator, const impi_FaceBlocks *blocks)
{
    Layout layout = lay_out(blocks);
    char *storage = impi_allocate(allocator, layout.size);
    impi_SweptSurface *made = (impi_SweptSurface *)storage;
    if (!storage)
        return NULL;
    *made = (impi_SweptSurface){.posed_at = (uint32_t *)(storage + layout.posed_at),
                                .vertices = (imp_Vec3 *)(storage + layout.vertices),
                                .boxes = (imp_Box *)(storage + layout.boxes),
                                .ends = (impi_BoxLanes *)(storage + layout.ends)};
    memset(made->posed_at, 0, blocks->block_count * sizeof *made->posed_at);
    made->surface.blocks = blocks;
    made->surface.vertices[0] = made->vertices;
    made->surface.boxes[0] = made->boxes;
    made->surface.ends[0] = made->ends;
    impi_block_tree_init(&made->surface.tree, blocks->block_count, (impi_BoxLanes *)(storage + layout.tree));
    return made;
}

// What a surface has at the end of its way: memory of its own, or what it has at the begin.
typedef struct End {
    impi_BoxLanes *ends;
    imp_Box *boxes;
    imp_Vec3 *vertices;
} End;

static End end_of(const impi_SweptSurface *swept)
{
    char *storage = swept->end_storage;
    Layout layout = lay_out_end(swept->surface.blocks);
    return (End){(impi_BoxLanes *)storage, (imp_Box *)(storage + layout.boxes),
                 (imp_Vec3 *)(storage + layout.vertices)};
}

static imp_Status allocate_surface(imp_Context *context, impi_Body *body)
{
    const imp_Allocator *allocator = &context->allocator;
    const impi_FaceBlocks *blocks = &body->blocks->blocks;
    bool is_moving = impi_body_target(body);
    const uint8_t *parts = NULL;
    imp_Status status = impi_mesh_face_parts(context, impi_body_surface(body), &parts);
    if (status != IMP_STATUS_OK)
        return status;
    if (!body->swept)
        body->swept = make_surface(allocator, blocks);
    if (body->swept && is_moving && !body->swept->end_storage)
        body->swept->end_storage = impi_allocate(allocator, lay_out_end(blocks).size);
    if (!body->swept || (is_moving && !body->swept->end_storage))
        return impi_fail_out_of_memory(context);
    impi_MovingSurface *surface = &body->swept->surface;
    End end =
        is_moving ? end_of(body->swept) : (End){body->swept->ends, body->swept->boxes, body->swept->vertices};
    surface->parts = parts;
    surface->is_at_rest = !is_moving;
    surface->ends[1] = end.ends;
    surface->boxes[1] = end.boxes;
    surface->vertices[1] = end.vertices;
    return IMP_STATUS_OK;
}

// ---- boxes

static const imp_Transform *transform_at(const impi_Body *body, int end)
{
    const impi_Target *target = impi_body_target(body);
    return end && target ? &target->transform : &body->transform;
}

static const impi_BoxLanes *frame_boxes_at(const impi_Body *body, int end)
{
    const impi_Target *target = impi_body_target(body);
    return end && target && target->deforms ? target->shape.boxes : impi_body_boxes(body);
}

static const imp_Vec3 *frame_vertices_at(const impi_Body *body, int end)
{
    const impi_Target *target = impi_body_target(body);
    return end && target && target->deforms ? target->shape.vertices : impi_body_vertices(body);
}

static double middle(double min, double max)
{
    return 0.5 * min + 0.5 * max;
}

static double finite_difference(double from, double to)
{
    double difference = to - from;
    return isfinite(difference) ? difference : 0;
}

imp_Vec3 impi_drift_between(const imp_Box *begin, const imp_Box *end)
{
    return (imp_Vec3){finite_difference(middle(begin->min.x, begin->max.x), middle(end->min.x, end->max.x)),
                      finite_difference(middle(begin->min.y, begin->max.y), middle(end->min.y, end->max.y)),
                      finite_difference(middle(begin->min.z, begin->max.z), middle(end->min.z, end->max.z))};
}

static imp_Box bound_end(const impi_Body *body, int end)
{
    size_t groups = impi_group_count(body->blocks->blocks.block_count);
    const impi_BoxLanes *from = frame_boxes_at(body, end);
    imp_Box box = {{0, 0, 0}, {0, 0, 0}};
    for (size_t group = 0; group < groups; group += GROUPS_AT_ONCE) {
        impi_BoxLanes posed[GROUPS_AT_ONCE];
        size_t count = groups - group < GROUPS_AT_ONCE ? groups - group : GROUPS_AT_ONCE;
        impi_pose_boxes(from + group, transform_at(body, end), count, posed);
        imp_Box next = impi_bound_groups(posed, count);
        if (group == 0)
            box = next;
        impi_box_add(&box, &next.min);
        impi_box_add(&box, &next.max);
    }
    return box;
}

void impi_body_bound_ends(const impi_Body *body, imp_Box ends[2])
{
    ends[0] = bound_end(body, 0);
    ends[1] = impi_body_target(body) ? bound_end(body, 1) : ends[0];
}

static void show_way(const impi_Body *body)
{
    impi_SweptSurface *swept = body->swept;
    impi_MovingSurface *surface = &swept->surface;
    size_t groups = impi_group_count(surface->blocks->block_count);
    impi_pose_boxes(frame_boxes_at(body, 0), transform_at(body, 0), groups, swept->ends);
    surface->end_bounds[0] = surface->end_bounds[1] = impi_bound_groups(swept->ends, groups);
    if (!surface->is_at_rest) {
        End end = end_of(swept);
        impi_pose_boxes(frame_boxes_at(body, 1), transform_at(body, 1), groups, end.ends);
        surface->end_bounds[1] = impi_bound_groups(end.ends, groups);
    }
    surface->drift = impi_drift_between(&surface->end_bounds[0], &surface->end_bounds[1]);
    impi_boxes_around_ways(surface->ends[0], surface->ends[1], surface->drift, groups,
                           surface->tree.levels[0]);
    impi_block_tree_finish(&surface->tree);
}

// ---- blocks

static imp_Box pose_block(const impi_Body *body, const impi_FaceBlock *block, int end, imp_Vec3 *vertices)
{
    const imp_Vec3 *from = frame_vertices_at(body, end) + block->first_vertex;
    imp_Vec3 *to = vertices + block->first_vertex;
    impi_transform_apply_many(transform_at(body, end), from, block->vertex_count, to);
    imp_Box box = {to[0], to[0]};
    for (unsigned i = 1; i < block->vertex_count; ++i)
        impi_box_add(&box, &to[i]);
    return box;
}

void impi_swept_block_pose(impi_Body *body, uint32_t number)
{
    impi_SweptSurface *swept = body->swept;
    assert(swept && number < swept->surface.blocks->block_count);
    const impi_FaceBlock *block = &swept->surface.blocks->blocks[number];
    swept->boxes[number] = pose_block(body, block, 0, swept->vertices);
    if (!swept->surface.is_at_rest) {
        End end = end_of(swept);
        end.boxes[number] = pose_block(body, block, 1, end.vertices);
    }
    impi_swept_block_note(body, number, true);
}

// ---- all of them

static uint64_t change_of(const impi_Body *body)
{
    return impi_body_target(body) ? body->target->change : 0;
}

bool impi_swept_surface_is_ready(const impi_Body *body)
{
    return body->swept && body->swept->motion == body->motion && body->swept->change == change_of(body);
}

static void show_ways(size_t begin, size_t end, size_t block, void *argument)
{
    impi_Body *const *bodies = argument;
    (void)block;
    for (size_t i = begin; i < end; ++i)
        show_way(bodies[i]);
}

// Blocks that were posed are so no more.
static void begin_round(impi_Body *body)
{
    impi_SweptSurface *swept = body->swept;
    if (++swept->round == 0) {
        memset(swept->posed_at, 0, swept->surface.blocks->block_count * sizeof *swept->posed_at);
        swept->round = 1;
    }
    swept->motion = body->motion;
    swept->change = change_of(body);
}

// A body that is listed counts as ready at once, so that none is listed twice.
imp_Status impi_swept_surfaces_require(imp_Context *context, impi_Body *const *bodies, size_t count)
{
    size_t needed = 0;
    for (size_t i = 0; i < count; ++i)
        needed += !impi_swept_surface_is_ready(bodies[i]);
    if (needed == 0)
        return IMP_STATUS_OK;
    impi_ArenaMark mark = impi_arena_mark(&context->scratch);
    impi_Body **listed = impi_arena_allocate_array(&context->scratch, needed, sizeof *listed);
    imp_Status status = listed ? IMP_STATUS_OK : impi_fail_out_of_memory(context);
    needed = 0;
    for (size_t i = 0; i < count && listed && status == IMP_STATUS_OK; ++i) {
        if (impi_swept_surface_is_ready(bodies[i]))
            continue;
        status = allocate_surface(context, bodies[i]);
        if (status == IMP_STATUS_OK) {
            begin_round(bodies[i]);
            listed[needed++] = bodies[i];
        }
    }
    if (status == IMP_STATUS_OK)
        impi_parallel_for(&context->executor, needed, BODIES_PER_TASK, show_ways, listed);
    else
        for (size_t i = 0; i < needed; ++i)
            listed[i]->swept->motion = 0;
    impi_arena_rewind(&context->scratch, mark);
    return status;
}
