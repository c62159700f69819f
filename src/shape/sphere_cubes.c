// Cubes are halved on each axis until they lie inside or outside, as the distance of their middle tells, or
// are single cells, which are taken when all their corners are inside. Cost: the cells near the surface.
#include "shape/sphere_cubes.h"

#include <string.h>

// Cells along an edge of the largest cubes: larger ones would be hard to hold.
#define LARGEST_CUBE 8

#define HALF_DIAGONAL 0.8660254F // of a unit cube

typedef struct Cubes {
    const impi_DistanceGrid *grid;
    uint32_t *point_of;        // of each vertex of the grid, or UINT32_MAX
    impi_SpherePieces *pieces; // null: only count
    size_t count;
} Cubes;

static size_t vertex_at(const impi_DistanceGrid *grid, const size_t at[3])
{
    return (at[2] * grid->size[1] + at[1]) * grid->size[0] + at[0];
}

static void corner_of(const size_t at[3], size_t edge, unsigned corner, size_t place[3])
{
    for (unsigned axis = 0; axis < 3; ++axis)
        place[axis] = at[axis] + (corner >> axis & 1 ? edge : 0);
}

static uint32_t point_at(Cubes *cubes, const size_t place[3])
{
    const impi_DistanceGrid *grid = cubes->grid;
    impi_SpherePieces *pieces = cubes->pieces;
    uint32_t *point = &cubes->point_of[vertex_at(grid, place)];
    if (*point == UINT32_MAX) {
        *point = (uint32_t)pieces->point_count++;
        pieces->x[*point] = grid->origin[0] + (float)place[0] * grid->cell_size;
        pieces->y[*point] = grid->origin[1] + (float)place[1] * grid->cell_size;
        pieces->z[*point] = grid->origin[2] + (float)place[2] * grid->cell_size;
        pieces->points[*point] =
            (imp_Vec3){(double)pieces->x[*point], (double)pieces->y[*point], (double)pieces->z[*point]};
    }
    return *point;
}

static void take_cube(Cubes *cubes, const size_t at[3], size_t edge)
{
    if (cubes->pieces) {
        uint32_t *corners = cubes->pieces->corners + IMPI_FACE_CORNERS * cubes->pieces->face_count +
                            IMPI_CUBE_CORNERS * cubes->count;
        for (unsigned corner = 0; corner < IMPI_CUBE_CORNERS; ++corner) {
            size_t place[3];
            corner_of(at, edge, corner, place);
            corners[corner] = point_at(cubes, place);
        }
    }
    ++cubes->count;
}

static bool is_cell_inside(const impi_DistanceGrid *grid, const size_t at[3])
{
    for (unsigned corner = 0; corner < IMPI_CUBE_CORNERS; ++corner) {
        size_t place[3];
        corner_of(at, 1, corner, place);
        if (grid->distance[vertex_at(grid, place)] >= 0)
            return false;
    }
    return true;
}

static void halve(Cubes *cubes, const size_t at[3], size_t edge)
{
    const impi_DistanceGrid *grid = cubes->grid;
    bool fits = true;
    for (int axis = 0; axis < 3; ++axis) {
        if (at[axis] + 1 >= grid->size[axis])
            return;
        fits = fits && at[axis] + edge < grid->size[axis];
    }
    if (edge == 1) {
        if (is_cell_inside(grid, at))
            take_cube(cubes, at, edge);
        return;
    }
    if (fits) {
        const size_t middle[3] = {at[0] + edge / 2, at[1] + edge / 2, at[2] + edge / 2};
        float distance = grid->distance[vertex_at(grid, middle)];
        float reach = HALF_DIAGONAL * (float)edge * grid->cell_size;
        if (distance < -reach)
            take_cube(cubes, at, edge);
        if (fabsf(distance) > reach)
            return;
    }
    for (unsigned corner = 0; corner < IMPI_CUBE_CORNERS; ++corner) {
        size_t place[3];
        corner_of(at, edge / 2, corner, place);
        halve(cubes, place, edge / 2);
    }
}

static void find_cubes(Cubes *cubes)
{
    const size_t *size = cubes->grid->size;
    cubes->count = 0;
    for (size_t k = 0; k < size[2]; k += LARGEST_CUBE)
        for (size_t j = 0; j < size[1]; j += LARGEST_CUBE)
            for (size_t i = 0; i < size[0]; i += LARGEST_CUBE)
                halve(cubes, (size_t[]){i, j, k}, LARGEST_CUBE);
}

// Copies with room for the cubes.
static imp_Status make_room(imp_Context *context, impi_SpherePieces *pieces, size_t cube_count)
{
    impi_Arena *arena = &context->scratch;
    size_t most = pieces->point_count + IMPI_CUBE_CORNERS * cube_count;
    size_t corner_count = IMPI_FACE_CORNERS * pieces->face_count;
    imp_Vec3 *points = impi_arena_allocate_array(arena, most, sizeof *points);
    float *rounded = impi_arena_allocate_array(arena, 3 * most, sizeof *rounded);
    uint32_t *corners =
        impi_arena_allocate_array(arena, corner_count + IMPI_CUBE_CORNERS * cube_count, sizeof *corners);
    if (!points || !rounded || !corners)
        return impi_fail_out_of_memory(context);
    memcpy(points, pieces->points, pieces->point_count * sizeof *points);
    memcpy(rounded, pieces->x, pieces->point_count * sizeof *rounded);
    memcpy(rounded + most, pieces->y, pieces->point_count * sizeof *rounded);
    memcpy(rounded + 2 * most, pieces->z, pieces->point_count * sizeof *rounded);
    memcpy(corners, pieces->corners, corner_count * sizeof *corners);
    pieces->points = points;
    pieces->x = rounded;
    pieces->y = rounded + most;
    pieces->z = rounded + 2 * most;
    pieces->corners = corners;
    pieces->count = pieces->face_count + cube_count;
    return IMP_STATUS_OK;
}

imp_Status impi_sphere_pieces_add_cubes(imp_Context *context, const impi_DistanceGrid *grid,
                                        impi_SpherePieces *pieces)
{
    size_t vertex_count = grid->size[0] * grid->size[1] * grid->size[2];
    Cubes cubes = {.grid = grid};
    find_cubes(&cubes);
    imp_Status status = make_room(context, pieces, cubes.count);
    if (status != IMP_STATUS_OK)
        return status;
    cubes.point_of = impi_arena_allocate_array(&context->scratch, vertex_count, sizeof *cubes.point_of);
    if (!cubes.point_of)
        return impi_fail_out_of_memory(context);
    memset(cubes.point_of, 0xff, vertex_count * sizeof *cubes.point_of);
    cubes.pieces = pieces;
    find_cubes(&cubes);
    return IMP_STATUS_OK;
}
