// .bt: see octomap.h. White voxels are free, and nothing is known of what is outside of the octree's cube.
// The tree is walked twice, because its header tells how many nodes there are.
#include "io/decimal.h"
#include "io/octomap.h"
#include "io/octree_writer.h"
#include "shape/octree_shift.h"
#include "shape/octree_view.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#define MAX_HEADER 256

static imp_Status fail(imp_Context *context, const char *path, const char *what)
{
    impi_Place place = IMPI_NO_PLACE;
    place.file = path;
    return impi_fail_at(context, IMP_STATUS_BAD_SHAPE, place, "%s", what);
}

// Where along an axis the cube begins, in voxels of the map.
static imp_Status place_axis(imp_Context *context, const char *path, const imp_OctreeGrid *grid, int axis,
                             uint32_t *begin)
{
    char text[IMP_MAX_ERROR_MESSAGE];
    double corner = impi_grid_corner(grid, axis, 0), count = floor(corner / grid->voxel + 0.5);
    double most = IMPI_OCTOMAP_MIDDLE, edge = scalbn(1, (int)grid->level);
    if (!(count >= -most && count + edge <= most)) {
        snprintf(text, sizeof text,
                 "OctoMaps end %d voxels from 0, 0, 0, and the octree's cube goes beyond along %c",
                 IMPI_OCTOMAP_MIDDLE, "xyz"[axis]);
        return fail(context, path, text);
    }
    if (count * grid->voxel != corner) {
        snprintf(
            text, sizeof text,
            "voxels of OctoMaps lie at multiples of their edge from 0, 0, 0: along %c the octree begins at "
            "%.17g, which is none of %.17g (the nearest is %.17g)",
            "xyz"[axis], corner, grid -> voxel, count * grid -> voxel);
        return fail(context, path, text);
    }
    *begin = (uint32_t)(count + most);
    return IMP_STATUS_OK;
}

imp_Status impi_octomap_place(imp_Context *context, const char *path, const imp_Octree *octree,
                              impi_OctoMapPart *part)
{
    const imp_OctreeGrid whole = {{0, 0, 0}, octree->grid.voxel, IMPI_OCTOMAP_LEVEL};
    imp_Status status = IMP_STATUS_OK;
    int32_t from[3];
    *part = (impi_OctoMapPart){0};
    for (int axis = 0; axis < 3 && status == IMP_STATUS_OK; ++axis) {
        status = place_axis(context, path, &octree->grid, axis, &part->begin[axis]);
        part->end[axis] = part->begin[axis] + (1u << octree->grid.level);
        from[axis] = -(int32_t)part->begin[axis];
    }
    return status == IMP_STATUS_OK ? impi_octree_shift(context, octree, &whole, from, &part->octree) : status;
}

typedef struct Output {
    const impi_OctoMapPart *part;
    impi_AtomicFile *file; // null: nodes are counted
    imp_Status status;
    uint64_t node_count;
    size_t step_count;
} Output;

static impi_OctoMapChild kind_of(const impi_OctoMapPart *part, const impi_OctreeView *view,
                                 const impi_OctreeCell *cell)
{
    uint32_t edge = 1u << (IMPI_OCTOMAP_LEVEL - cell->level);
    bool is_apart = false, is_within = true;
    for (int axis = 0; axis < 3; ++axis) {
        uint32_t begin = cell->at[axis] * edge, end = begin + edge;
        is_apart |= end <= part->begin[axis] || begin >= part->end[axis];
        is_within &= begin >= part->begin[axis] && end <= part->end[axis];
    }
    if (is_apart)
        return IMPI_OCTOMAP_UNKNOWN;
    if (view->colour == IMP_CELL_BLACK)
        return IMPI_OCTOMAP_OCCUPIED;
    return view->colour == IMP_CELL_WHITE && is_within ? IMPI_OCTOMAP_FREE : IMPI_OCTOMAP_NODE;
}

static void put_node(Output *output, unsigned children)
{
    const unsigned char bytes[IMPI_OCTOMAP_NODE_SIZE] = {(unsigned char)(children & 255),
                                                         (unsigned char)(children >> 8)};
    if (output->file)
        output->status = impi_atomic_file_write(output->file, bytes, sizeof bytes);
}

static void walk(Output *output, imp_Context *context, const impi_OctreeView *view,
                 const impi_OctreeCell *cell)
{
    impi_OctreeView views[8];
    unsigned children = 0;
    for (unsigned octant = 0; octant < 8; ++octant) {
        impi_OctreeCell child = impi_octree_child_cell(cell, octant);
        views[octant] = impi_octree_view_child(view, octant);
        unsigned kind = kind_of(output->part, &views[octant], &child);
        output->node_count += kind != IMPI_OCTOMAP_UNKNOWN;
        children |= kind << 2 * octant;
    }
    put_node(output, children);
    if (output->status == IMP_STATUS_OK && !impi_watch_item(&context->watch, output->step_count++))
        output->status = impi_watch_status(context);
    for (unsigned octant = 0; octant < 8 && output->status == IMP_STATUS_OK; ++octant) {
        impi_OctreeCell child = impi_octree_child_cell(cell, octant);
        if ((children >> 2 * octant & 3) == IMPI_OCTOMAP_NODE)
            walk(output, context, &views[octant], &child);
    }
}

static imp_Status write_header(impi_AtomicFile *file, double voxel, uint64_t node_count)
{
    char header[MAX_HEADER], number[IMPI_MAX_DECIMAL_LENGTH];
    size_t length = impi_decimal_format(voxel, number);
    int size = snprintf(header, sizeof header, "%s\n#\nid OcTree\nsize %" PRIu64 "\nres %.*s\ndata\n",
                        IMPI_OCTOMAP_BEGINNING, node_count, (int)length, number);
    return impi_atomic_file_write(file, header, (size_t)size);
}

imp_Status impi_write_octomap(impi_AtomicFile *file, const impi_OctoMapPart *part)
{
    imp_Context *context = file->context;
    Output output = {.part = part, .node_count = 1};
    impi_OctreeView root = impi_octree_view(part->octree);
    impi_watch_work(&context->watch, "writing", 2 + 2 * (uint64_t)part->octree->node_count);
    walk(&output, context, &root, &IMPI_ROOT_CELL);
    if (output.status == IMP_STATUS_OK)
        output.status = write_header(file, part->octree->grid.voxel, output.node_count);
    output.file = file;
    if (output.status == IMP_STATUS_OK)
        walk(&output, context, &root, &IMPI_ROOT_CELL);
    return output.status;
}
