// The hull in three stages: a surface of triangles that holds all points (hull_surface.c), its facets
// (hull_facets.c), triangles of them (there, and hull_coplanar.c). Here input is checked and the result
// numbered.
#include "shape/hull.h"

#include "base/float_guard.h"
#include "base/radix_sort.h"
#include "geom/predicates.h"
#include "shape/hull_facets.h"
#include "shape/hull_simplex.h"

#include <assert.h>

#define SMALLEST_COUNT 4
#define MAX_POINTS     ((size_t)UINT32_MAX - 1)

static imp_Status check_def(imp_Context *context, const imp_ConvexDef *def, impi_HullPoints *points)
{
    if (def->point_count > MAX_POINTS)
        return impi_fail(context, IMP_STATUS_TOO_LARGE, IMP_NOWHERE, "%zu points are more than %zu",
                         def->point_count, MAX_POINTS);
    if (!def->points && def->point_count > 0)
        return impi_fail(context, IMP_STATUS_BAD_ARGUMENT, IMP_NOWHERE, "the points are null");
    if (def->point_stride != 0 && def->point_stride < sizeof(imp_Vec3))
        return impi_fail(context, IMP_STATUS_BAD_ARGUMENT, IMP_NOWHERE,
                         "a point stride of %zu bytes is less than the %zu of a point", def->point_stride,
                         sizeof(imp_Vec3));
    *points = (impi_HullPoints){.data = (const char *)def->points,
                                .stride = def->point_stride ? def->point_stride : sizeof(imp_Vec3),
                                .count = def->point_count};
    impi_watch_work(&context->watch, "checking points", points->count);
    for (size_t i = 0; i < points->count; ++i) {
        if (!impi_watch_item(&context->watch, i))
            return impi_watch_status(context);
        imp_Vec3 p = impi_hull_point(points, i);
        if (!impi_vec3_is_finite(&p))
            return impi_fail(context, IMP_STATUS_BAD_NUMBER, i, "point %zu is not finite", i);
    }
    if (points->count < SMALLEST_COUNT)
        return impi_fail(context, IMP_STATUS_BAD_SHAPE, IMP_NOWHERE,
                         "a polytope needs %d points, and there %s %zu", SMALLEST_COUNT,
                         points->count == 1 ? "is" : "are", points->count);
    return IMPI_CHECK_RESERVED(context, def);
}

static imp_Status find_simplex(imp_Context *context, const impi_HullPoints *points, uint32_t simplex[4])
{
    switch (impi_hull_simplex(&context->watch, points, simplex)) {
    case IMPI_HULL_ENDED:
        return impi_watch_status(context);
    case 0:
        return impi_fail(context, IMP_STATUS_BAD_SHAPE, IMP_NOWHERE, "the %zu points are all equal",
                         points->count);
    case 1:
        return impi_fail(context, IMP_STATUS_BAD_SHAPE, IMP_NOWHERE, "the %zu points lie on one line",
                         points->count);
    case 2:
        return impi_fail(context, IMP_STATUS_BAD_SHAPE, IMP_NOWHERE, "the %zu points lie in one plane",
                         points->count);
    default:
        return IMP_STATUS_OK;
    }
}

// Let the links say the number of each point among those that triangles use. Returns how many there are.
static size_t number_points(const impi_HullTriangles *triangles, const impi_HullPoints *points,
                            uint32_t *links)
{
    uint32_t count = 0;
    for (size_t i = 0; i < points->count; ++i)
        links[i] = IMPI_NO_POINT;
    for (size_t i = 0; i < 3 * triangles->count; ++i)
        links[triangles->corners[i]] = 0;
    for (size_t i = 0; i < points->count; ++i)
        if (links[i] != IMPI_NO_POINT)
            links[i] = count++;
    return count;
}

static void write_vertices(const impi_HullPoints *points, const uint32_t *numbers, imp_Vec3 *vertices)
{
    for (size_t i = 0; i < points->count; ++i)
        if (numbers[i] != IMPI_NO_POINT)
            vertices[numbers[i]] = impi_hull_point(points, i);
}

// Two corners in turn tell a triangle of a closed surface from all others.
static void key_triangle(const uint32_t *corners, const uint32_t *numbers, uint64_t *key, uint32_t *payload)
{
    uint32_t c[3] = {numbers[corners[0]], numbers[corners[1]], numbers[corners[2]]};
    unsigned first = c[0] < c[1] ? (c[0] < c[2] ? 0 : 2) : (c[1] < c[2] ? 1 : 2);
    *key = (uint64_t)c[first] << 32 | c[(first + 1) % 3];
    *payload = c[(first + 2) % 3];
}

static imp_Status write_triangles(imp_Context *context, const impi_HullTriangles *triangles,
                                  const uint32_t *numbers, uint32_t *indices)
{
    impi_Arena *arena = &context->scratch;
    impi_KeyedArrays items = {impi_arena_allocate_array(arena, triangles->count, sizeof *items.keys),
                              impi_arena_allocate_array(arena, triangles->count, sizeof *items.payloads)};
    impi_KeyedArrays spare = {impi_arena_allocate_array(arena, triangles->count, sizeof *spare.keys),
                              impi_arena_allocate_array(arena, triangles->count, sizeof *spare.payloads)};
    if (!items.keys || !items.payloads || !spare.keys || !spare.payloads)
        return impi_fail_out_of_memory(context);
    for (size_t i = 0; i < triangles->count; ++i)
        key_triangle(triangles->corners + 3 * i, numbers, &items.keys[i], &items.payloads[i]);
    impi_watch_work(&context->watch, "sorting triangles", triangles->count);
    items = impi_radix_sort_keyed_watched(&context->watch, items, spare, triangles->count, 0, 64);
    if (!items.keys)
        return impi_watch_status(context);
    for (size_t i = 0; i < triangles->count; ++i) {
        indices[3 * i] = (uint32_t)(items.keys[i] >> 32);
        indices[3 * i + 1] = (uint32_t)items.keys[i];
        indices[3 * i + 2] = items.payloads[i];
    }
    return IMP_STATUS_OK;
}

static imp_Status write_mesh(imp_Context *context, const impi_HullSurface *surface,
                             const impi_HullTriangles *triangles, impi_MeshArrays *arrays)
{
    const impi_HullPoints *points = &surface->points;
    impi_MeshArrays made = {.triangle_count = triangles->count, .index_capacity = 3 * triangles->count};
    made.vertex_count = made.vertex_capacity = number_points(triangles, points, surface->links);
    made.vertices = impi_allocate_array(&context->allocator, made.vertex_capacity, sizeof *made.vertices);
    made.indices = impi_allocate_array(&context->allocator, made.index_capacity, sizeof *made.indices);
    imp_Status status;
    if (made.vertices && made.indices) {
        write_vertices(points, surface->links, made.vertices);
        status = write_triangles(context, triangles, surface->links, made.indices);
    } else {
        status = impi_fail_out_of_memory(context);
    }
    if (status == IMP_STATUS_OK)
        *arrays = made;
    else
        impi_mesh_arrays_release(&context->allocator, &made);
    return status;
}

imp_Status impi_hull_find(imp_Context *context, const imp_ConvexDef *def, impi_MeshArrays *arrays)
{
    assert(impi_float_mode_is_default(impi_float_mode_get()));
    impi_ArenaMark mark = impi_arena_mark(&context->scratch);
    impi_HullPoints points = {0};
    uint32_t simplex[4];
    imp_Status status = check_def(context, def, &points);
    if (status == IMP_STATUS_OK)
        status = find_simplex(context, &points, simplex);
    if (status != IMP_STATUS_OK)
        return status;
    impi_HullSurface surface;
    impi_HullFacets facets;
    impi_HullTriangles triangles;
    status = impi_hull_surface_build(context, &points, simplex, def->keep_coplanar, &surface);
    if (status == IMP_STATUS_OK)
        status = impi_hull_facets_find(context, &surface, &facets);
    if (status == IMP_STATUS_OK)
        status = def->keep_coplanar ? impi_hull_cover(context, &surface, &facets, &triangles)
                                    : impi_hull_fans(context, &facets, &triangles);
    if (status == IMP_STATUS_OK)
        status = write_mesh(context, &surface, &triangles, arrays);
    impi_hull_surface_free(&surface);
    impi_arena_rewind(&context->scratch, mark);
    return status;
}
