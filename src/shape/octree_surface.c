// Walls are found by a walk of cells and of pairs of neighbours: the walls inside of a cell are those inside
// of its children and those between two of them. It is walked twice, to count walls and to make them. Their
// order, and that of vertices, is that of the walk down to voxels, so that it does not matter whether the
// octree is condensed.
//
// Walls share vertices through a hash table of corners. A closed surface of quadrangles has as many vertices
// as quadrangles and at most 2 more for each of its components, which have at least 6; where components share
// corners there are less. So W walls have at most 4 W / 3 vertices. Cost: the gray cells, and the walls.
#include "shape/octree_surface.h"

#include "shape/mesh.h"
#include "shape/octree_view.h"

#define NO_VERTEX UINT32_MAX

// Half of what 32 bits can number, as each wall has two triangles.
#define MOST_WALLS (((uint64_t)UINT32_MAX - 1) / 2)

typedef struct Surface {
    const imp_Octree *octree;
    impi_Watch *watch;
    uint64_t wall_count;
    size_t pair_count; // of cells that were looked at
    bool has_ended;
    // In the second walk; null in the first.
    uint32_t *indices, *index_end;
    uint64_t *corners; // of each vertex
    size_t vertex_count;
    uint32_t *table; // vertices by hashes of their corners
    uint64_t table_mask;
} Surface;

// ---- vertices

// A corner of the grid, 17 bits for each axis.
static uint64_t pack_corner(const uint32_t at[3])
{
    return (uint64_t)at[0] | (uint64_t)at[1] << 20 | (uint64_t)at[2] << 40;
}

static uint64_t hash_corner(uint64_t corner)
{
    corner *= 0x9E3779B97F4A7C15u;
    return corner ^ corner >> 32;
}

static uint32_t vertex_at(Surface *surface, const uint32_t at[3])
{
    uint64_t corner = pack_corner(at);
    uint64_t place = hash_corner(corner) & surface->table_mask;
    while (surface->table[place] != NO_VERTEX && surface->corners[surface->table[place]] != corner)
        place = (place + 1) & surface->table_mask;
    if (surface->table[place] == NO_VERTEX) {
        surface->table[place] = (uint32_t)surface->vertex_count;
        surface->corners[surface->vertex_count++] = corner;
    }
    return surface->table[place];
}

static void place_vertices(const Surface *surface, imp_Vec3 *vertices)
{
    const imp_OctreeGrid *grid = &surface->octree->grid;
    const uint32_t mask = (1u << 20) - 1;
    for (size_t i = 0; i < surface->vertex_count; ++i) {
        uint64_t corner = surface->corners[i];
        vertices[i] = (imp_Vec3){impi_grid_corner(grid, 0, (uint32_t)corner & mask),
                                 impi_grid_corner(grid, 1, (uint32_t)(corner >> 20) & mask),
                                 impi_grid_corner(grid, 2, (uint32_t)(corner >> 40) & mask)};
    }
}

// ---- walls

// Two neighbours along an axis: `low` ends at the wall where `high` begins. `at` is where the wall begins, in
// walls of this level along the other axes, and in cells along `axis`.
typedef struct Pair {
    impi_OctreeView low, high;
    uint32_t level, at[3];
} Pair;

// Of the wall of a voxel: against the sense of a clock when seen from where the axis points to.
//
//     3 --- 2     u: the next axis, v: the one after that
//     |   / |
//   v | /   |
//     0 --- 1
//        u
static void make_wall(Surface *surface, const Pair *pair, int axis)
{
    int u = (axis + 1) % 3, v = (axis + 2) % 3;
    uint32_t vertices[4];
    for (unsigned i = 0; i < 4; ++i) {
        uint32_t at[3] = {pair->at[0], pair->at[1], pair->at[2]};
        at[u] += i == 1 || i == 2;
        at[v] += i >= 2;
        vertices[i] = vertex_at(surface, at);
    }
    bool turns = pair->low.colour != IMP_CELL_BLACK; // outward is down the axis
    const uint32_t corners[6] = {vertices[0], vertices[turns ? 2 : 1], vertices[turns ? 1 : 2],
                                 vertices[0], vertices[turns ? 3 : 2], vertices[turns ? 2 : 3]};
    for (int i = 0; i < 6; ++i)
        *surface->index_end++ = corners[i];
}

static void take_pair(Surface *surface, const Pair *pair, int axis)
{
    uint32_t depth = surface->octree->grid.level - pair->level;
    bool are_leaves = pair->low.colour != IMP_CELL_GRAY && pair->high.colour != IMP_CELL_GRAY;
    if (surface->has_ended || (are_leaves && pair->low.colour == pair->high.colour))
        return;
    if (!impi_watch_item(surface->watch, surface->pair_count++)) {
        surface->has_ended = true;
        return;
    }
    if (are_leaves && !surface->indices) {
        surface->wall_count += (uint64_t)1 << 2 * depth;
        return;
    }
    if (depth == 0) {
        make_wall(surface, pair, axis);
        return;
    }
    int u = (axis + 1) % 3, v = (axis + 2) % 3;
    for (unsigned i = 0; i < 4; ++i) {
        unsigned octant = (i & 1) << u | (i >> 1) << v;
        Pair part = {impi_octree_view_child(&pair->low, octant | 1u << axis),
                     impi_octree_view_child(&pair->high, octant),
                     pair->level + 1,
                     {2 * pair->at[0], 2 * pair->at[1], 2 * pair->at[2]}};
        part.at[u] += i & 1;
        part.at[v] += i >> 1;
        take_pair(surface, &part, axis);
    }
}

static void take_cell(Surface *surface, const impi_OctreeView *view, const impi_OctreeCell *cell)
{
    if (view->colour != IMP_CELL_GRAY || surface->has_ended)
        return;
    impi_OctreeView children[8];
    for (unsigned octant = 0; octant < 8; ++octant) {
        impi_OctreeCell child = impi_octree_child_cell(cell, octant);
        children[octant] = impi_octree_view_child(view, octant);
        take_cell(surface, &children[octant], &child);
    }
    for (int axis = 0; axis < 3; ++axis) {
        for (unsigned octant = 0; octant < 8; ++octant) {
            unsigned next = octant | 1u << axis;
            impi_OctreeCell beyond = impi_octree_child_cell(cell, next);
            Pair pair = {
                children[octant], children[next], beyond.level, {beyond.at[0], beyond.at[1], beyond.at[2]}};
            if (next != octant)
                take_pair(surface, &pair, axis);
        }
    }
}

static void walk(Surface *surface)
{
    impi_OctreeView root = impi_octree_view(surface->octree);
    take_cell(surface, &root, &IMPI_ROOT_CELL);
    for (int axis = 0; axis < 3; ++axis) {
        Pair low = {IMPI_WHITE_VIEW, root, 0, {0, 0, 0}}, high = {root, IMPI_WHITE_VIEW, 0, {0, 0, 0}};
        high.at[axis] = 1;
        take_pair(surface, &low, axis);
        take_pair(surface, &high, axis);
    }
}

// ---- all together

// Scratch for the second walk, in which walls are known.
static imp_Status make_room(imp_Context *context, Surface *surface)
{
    impi_Arena *arena = &context->scratch;
    uint64_t capacity = 16;
    while (capacity < 2 * surface->wall_count)
        capacity *= 2;
    surface->corners = impi_arena_allocate_array(
        arena, (size_t)(surface->wall_count + surface->wall_count / 3), sizeof *surface->corners);
    surface->table = impi_arena_allocate_array(arena, (size_t)capacity, sizeof *surface->table);
    if (!surface->corners || !surface->table)
        return impi_fail_out_of_memory(context);
    surface->table_mask = capacity - 1;
    for (uint64_t i = 0; i < capacity; ++i)
        surface->table[i] = NO_VERTEX;
    return IMP_STATUS_OK;
}

static imp_Status make_mesh(imp_Context *context, Surface *surface, imp_Mesh **mesh)
{
    const imp_Allocator *allocator = &context->allocator;
    impi_MeshArrays arrays = {.triangle_count = 2 * (size_t)surface->wall_count,
                              .index_capacity = 6 * (size_t)surface->wall_count};
    arrays.indices = impi_allocate_array(allocator, arrays.index_capacity, sizeof *arrays.indices);
    if (!arrays.indices)
        return impi_fail_out_of_memory(context);
    surface->indices = surface->index_end = arrays.indices;
    walk(surface);
    imp_Status status = impi_watch_status(context);
    if (status == IMP_STATUS_OK) {
        arrays.vertex_count = arrays.vertex_capacity = surface->vertex_count;
        arrays.vertices = impi_allocate_array(allocator, arrays.vertex_capacity, sizeof *arrays.vertices);
    }
    if (arrays.vertices) {
        place_vertices(surface, arrays.vertices);
        status = impi_mesh_adopt(context, &arrays, NULL, mesh);
    } else if (status == IMP_STATUS_OK) {
        status = impi_fail_out_of_memory(context);
    }
    if (status != IMP_STATUS_OK)
        impi_mesh_arrays_release(allocator, &arrays);
    return status;
}

imp_Status impi_octree_get_surface(imp_Context *context, const imp_Octree *octree, imp_Mesh **mesh)
{
    Surface surface = {.octree = octree, .watch = &context->watch};
    impi_watch_work(&context->watch, "counting walls", 1 + 4 * (uint64_t)octree->node_count);
    walk(&surface);
    imp_Status status = impi_watch_status(context);
    if (status != IMP_STATUS_OK)
        return status;
    if (surface.wall_count == 0)
        return impi_fail(context, IMP_STATUS_BAD_SHAPE, IMP_NOWHERE,
                         "nothing in the octree is black, so that it has no surface");
    if (surface.wall_count > MOST_WALLS || surface.wall_count > SIZE_MAX / (6 * sizeof(uint32_t)))
        return impi_fail(context, IMP_STATUS_TOO_LARGE, IMP_NOWHERE,
                         "the surface of the octree has %llu walls; a mesh holds %llu",
                         (unsigned long long)surface.wall_count, (unsigned long long)MOST_WALLS);
    impi_watch_work(&context->watch, "making walls", surface.pair_count + 2 * surface.wall_count);
    surface.pair_count = 0;
    status = make_room(context, &surface);
    return status == IMP_STATUS_OK ? make_mesh(context, &surface, mesh) : status;
}
