// Octrees of meshes, from the root down (shape/octree_grow.h): each cell hands its faces to those of its
// octants that they meet, so that a face is compared with cells near it only. Smith & Kitamura 1994,
// section 3.2.3, divide faces in the same way.
//
// Cells without faces are inside or outside as a whole. Which one the columns of their centers tell
// (shape/center_columns.h), found once for the mesh: a look-up instead of a ray for each cell.
#include "shape/octree_build.h"

#include "geom/touch.h"
#include "geom/triangle_octants.h"
#include "shape/center_columns.h"
#include "shape/mesh_topology.h"
#include "shape/octree_grow.h"
#include "shape/octree_seal.h"

#include <stdio.h>

typedef struct Build {
    const imp_Mesh *mesh;
    imp_OctreeGrid grid;
    bool cells_are_open;
    impi_CenterColumns columns; // of solids
} Build;

static bool is_solid(imp_OctreeRule rule)
{
    return rule != IMP_OCTREE_FACES && rule != IMP_OCTREE_SEALED;
}

// ---- what growing asks

static void distribute_faces(void *user, const impi_OctreeCell *cell, const uint32_t *items, size_t count,
                             uint8_t *masks, uint8_t *black)
{
    const Build *build = user;
    impi_Octants octants = {.is_open = build->cells_are_open};
    uint32_t half = 1u << (build->grid.level - cell->level - 1);
    (void)black;
    for (int axis = 0; axis < 3; ++axis)
        for (uint32_t i = 0; i < 3; ++i)
            octants.planes[axis][i] = impi_grid_corner(
                &build->grid, axis, impi_octree_first_voxel(&build->grid, cell, axis) + i * half);
    impi_octants_make(&octants);
    for (size_t first = 0; first < count; first += IMPI_OCTANT_LANES) {
        imp_Triangle triangles[IMPI_OCTANT_LANES];
        size_t left = count - first, taken = left < IMPI_OCTANT_LANES ? left : IMPI_OCTANT_LANES;
        for (size_t i = 0; i < taken; ++i)
            triangles[i] = impi_mesh_triangle(build->mesh, items[first + i]);
        impi_triangles_octants(triangles, taken, &octants, masks + first);
    }
}

static bool is_inside(void *user, const impi_OctreeCell *cell)
{
    const Build *build = user;
    return impi_center_is_inside(&build->columns, impi_octree_first_voxel(&build->grid, cell, 0),
                                 impi_octree_first_voxel(&build->grid, cell, 1),
                                 impi_octree_first_voxel(&build->grid, cell, 2));
}

static bool is_never_black(void *user, const impi_OctreeCell *cell, const uint32_t *items, size_t count)
{
    (void)user;
    (void)cell;
    (void)items;
    (void)count;
    return false;
}

static bool is_center_inside(void *user, const impi_OctreeCell *cell, const uint32_t *items, size_t count)
{
    const Build *build = user;
    impi_Center center[3];
    for (int axis = 0; axis < 3; ++axis)
        center[axis] = build->columns.centers[axis][cell->at[axis]];
    for (size_t i = 0; i < count; ++i) {
        imp_Triangle triangle = impi_mesh_triangle(build->mesh, items[i]);
        if (impi_triangle_holds_center(&triangle, center))
            return true;
    }
    return is_inside(user, cell);
}

// ---- checks

// Of the sides on one edge, how many have the direction of the first one?
static size_t count_along(const impi_HalfEdge *sides, size_t count)
{
    size_t along = 0;
    for (size_t i = 0; i < count; ++i)
        along += sides[i].ascending == sides[0].ascending;
    return along;
}

// Names a boundary edge, one that is not used equally often in both directions.
static imp_Status fail_open(imp_Context *context, const imp_Mesh *mesh)
{
    impi_Corners corners;
    impi_HalfEdges half_edges;
    imp_Status status = impi_corners_find(context, mesh, &corners);
    if (status == IMP_STATUS_OK)
        status = impi_half_edges_sort(context, &corners, &half_edges);
    if (status != IMP_STATUS_OK)
        return status;
    size_t begin = 0, end = 0, along = 0;
    while (2 * along == end - begin && end < half_edges.count) {
        begin = end;
        end = impi_half_edges_run_end(&half_edges, begin);
        along = count_along(half_edges.data + begin, end - begin);
    }
    const impi_HalfEdge *edge = &half_edges.data[begin];
    const uint32_t *face = mesh->arrays.indices + 3 * (size_t)edge->face;
    const imp_Vec3 *a = &mesh->arrays.vertices[face[edge->side]];
    const imp_Vec3 *b = &mesh->arrays.vertices[face[(edge->side + 1) % 3]];
    char uses[96] = "has no face on its other side";
    if (end - begin > 1) // a face may be turned the wrong way
        snprintf(uses, sizeof uses, "is one of %zu faces in this direction and of %zu in the other", along,
                 end - begin - along);
    return impi_fail(
        context, IMP_STATUS_BAD_SHAPE, edge->face,
        "the mesh is open, so it has no inside: the edge of face %u from (%g, %g, %g) to (%g, %g, %g) %s",
        (unsigned)edge->face, a->x, a->y, a->z, b->x, b->y, b->z, uses);
}

static imp_Status check_closed(imp_Context *context, const imp_Mesh *mesh)
{
    bool is_closed;
    impi_ArenaMark mark = impi_arena_mark(&context->scratch);
    imp_Status status = impi_mesh_is_closed(context, mesh, &is_closed);
    if (status == IMP_STATUS_OK && !is_closed)
        status = fail_open(context, mesh);
    impi_arena_rewind(&context->scratch, mark);
    return status;
}

static imp_Status choose_grid(imp_Context *context, const imp_OctreeDef *def, imp_OctreeGrid *grid)
{
    *grid = def->grid;
    if (grid->voxel != 0)
        return impi_grid_check(context, grid);
    uint32_t level = grid->level ? grid->level : IMP_DEFAULT_OCTREE_LEVEL;
    imp_Status status = impi_grid_around(def->mesh, level, grid);
    if (status == IMP_STATUS_TOO_LARGE)
        return impi_fail(context, status, IMP_NOWHERE,
                         "a cube around the mesh would reach beyond the largest double");
    return impi_grid_check(context, status == IMP_STATUS_OK ? grid : &def->grid);
}

// Does it reach beyond the cube?
static bool is_cut(const imp_Mesh *mesh, const imp_OctreeGrid *grid)
{
    uint32_t end = 1u << grid->level;
    const imp_Box *bounds = &mesh->shape.bounds;
    const double low[3] = {bounds->min.x, bounds->min.y, bounds->min.z};
    const double high[3] = {bounds->max.x, bounds->max.y, bounds->max.z};
    for (int axis = 0; axis < 3; ++axis)
        if (low[axis] < impi_grid_corner(grid, axis, 0) || high[axis] > impi_grid_corner(grid, axis, end))
            return true;
    return false;
}

// ---- all together

static bool is_inside_box(const imp_Vec3 *point, const imp_Box *box)
{
    return point->x > box->min.x && point->x < box->max.x && point->y > box->min.y && point->y < box->max.y &&
           point->z > box->min.z && point->z < box->max.z;
}

static imp_Status list_faces(imp_Context *context, const Build *build, impi_OctreeGrowth *growth)
{
    // Only those that meet the cube: cells are handed what they meet.
    uint32_t end = 1u << build->grid.level;
    imp_Box cube = {build->grid.origin,
                    {impi_grid_corner(&build->grid, 0, end), impi_grid_corner(&build->grid, 1, end),
                     impi_grid_corner(&build->grid, 2, end)}};
    size_t face_count = build->mesh->arrays.triangle_count, count = 0;
    uint32_t *faces = impi_arena_allocate_array(&context->scratch, face_count, sizeof *faces);
    if (!faces)
        return impi_fail_out_of_memory(context);
    for (size_t i = 0; i < face_count; ++i) {
        imp_Triangle triangle = impi_mesh_triangle(build->mesh, i);
        bool meets = is_inside_box(&triangle.v[0], &cube) ||
                     (build->cells_are_open ? impi_triangle_enters_box(&triangle, &cube)
                                            : impi_triangle_touches_box(&triangle, &cube));
        faces[count] = (uint32_t)i;
        count += meets;
    }
    growth->items = faces;
    growth->item_count = count;
    return IMP_STATUS_OK;
}

static imp_Status build_octree(imp_Context *context, Build *build, imp_OctreeRule rule, imp_Octree **octree)
{
    impi_OctreeGrowth growth = {
        .grid = build->grid,
        .is_condensed = rule != IMP_OCTREE_FACES,
        .keeps_lists = rule == IMP_OCTREE_FACES,
        .work = "dividing faces",
        .user = build,
        .distribute = distribute_faces,
        .is_black_without_items = is_solid(rule) ? is_inside : NULL,
        .is_black_voxel = rule == IMP_OCTREE_INNER    ? is_never_black
                          : rule == IMP_OCTREE_CENTRE ? is_center_inside
                                                      : NULL,
    };
    imp_Status status = IMP_STATUS_OK;
    if (is_solid(rule))
        status = check_closed(context, build->mesh);
    if (status == IMP_STATUS_OK && is_solid(rule))
        status = impi_center_columns_find(context, build->mesh, &build->grid, &build->columns);
    if (status == IMP_STATUS_OK)
        status = list_faces(context, build, &growth);
    if (status == IMP_STATUS_OK)
        status = impi_octree_grow(context, &growth, is_cut(build->mesh, &build->grid), octree);
    return status;
}

imp_Status impi_octree_create(imp_Context *context, const imp_OctreeDef *def, imp_Octree **octree)
{
    Build build = {.mesh = def->mesh};
    if ((unsigned)def->rule > IMP_OCTREE_FACES)
        return impi_fail(context, IMP_STATUS_BAD_ARGUMENT, IMP_NOWHERE, "there is no octree rule %d",
                         (int)def->rule);
    imp_Status status = IMPI_CHECK_RESERVED(context, def);
    if (status == IMP_STATUS_OK)
        status = choose_grid(context, def, &build.grid);
    if (status != IMP_STATUS_OK)
        return status;
    build.cells_are_open = is_solid(def->rule) && def->rule != IMP_OCTREE_TOUCH;
    imp_Octree *made = NULL;
    status = build_octree(context, &build, def->rule, &made);
    if (status == IMP_STATUS_OK && def->rule == IMP_OCTREE_SEALED) {
        imp_Octree *sealed = NULL;
        status = impi_octree_seal(context, made, &sealed);
        impi_shape_release(&made->shape);
        made = sealed;
    }
    if (status == IMP_STATUS_OK)
        *octree = made;
    return status;
}
