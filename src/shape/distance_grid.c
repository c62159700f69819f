// Nearest faces spread from the vertices beside the surface by sweeps: a vertex tries what its neighbours
// found (as the fast sweeping method does, with faces instead of distances: Tsai 2002). Signs come from
// columns of vertices: each face that a column crosses changes the winding number above it. Cost: a few
// distances for each vertex.
#include "shape/distance_grid.h"

#include <string.h>

// Vertices of the grid: finer ones gain nothing for spheres by the hundred. Meshes with many faces get more,
// because there the nearest faces of a cell's corners are small beside the cell.
#define LEAST_VERTICES   300000.0
#define MOST_VERTICES    1500000.0
#define VERTICES_OF_FACE 3.0

// Two rounds of sweeps along all eight diagonals; a third changes nothing that matters.
#define ROUND_COUNT 2

// Cells around the bounds.
#define MARGIN 1.25

// ---- distance to a face

static float dot(const float a[3], const float b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static float clamp_unit(float t)
{
    return t < 0 ? 0 : t > 1 ? 1 : t;
}

// Squared distance of a point w (relative to the edge's beginning) from an edge.
static float from_edge(const float w[3], const float edge[3], float along, float inverse)
{
    float t = clamp_unit(along * inverse);
    float rest[3] = {w[0] - t * edge[0], w[1] - t * edge[1], w[2] - t * edge[2]};
    return dot(rest, rest);
}

// Inside of the face's prism the plane counts, elsewhere the nearest edge.
static float squared_distance(const impi_GridFace *face, const float point[3])
{
    float w[3] = {point[0] - face->corner[0], point[1] - face->corner[1], point[2] - face->corner[2]};
    float wu = dot(w, face->u), wv = dot(w, face->v);
    float s = face->vv * wu - face->uv * wv, t = face->uu * wv - face->uv * wu;
    if (s >= 0 && t >= 0 && s + t <= face->determinant && face->determinant > 0) {
        float height = dot(w, face->normal);
        return height * height;
    }
    float from_u[3] = {w[0] - face->u[0], w[1] - face->u[1], w[2] - face->u[2]};
    float least = from_edge(w, face->u, wu, face->inverse_uu);
    float other = from_edge(w, face->v, wv, face->inverse_vv);
    least = other < least ? other : least;
    other = from_edge(from_u, face->third, dot(from_u, face->third), face->inverse_third);
    return other < least ? other : least;
}

static float inverse_of(float number)
{
    return number > 0 ? 1 / number : 0;
}

static void set_face(impi_GridFace *face, const imp_Triangle *local)
{
    const imp_Vec3 *v = local->v;
    const double a[3] = {v[0].x, v[0].y, v[0].z}, b[3] = {v[1].x, v[1].y, v[1].z},
                 c[3] = {v[2].x, v[2].y, v[2].z};
    imp_Vec3 normal = impi_unit(impi_cross(impi_subtract(v[1], v[0]), impi_subtract(v[2], v[0])));
    for (int axis = 0; axis < 3; ++axis) {
        face->corner[axis] = (float)a[axis];
        face->u[axis] = (float)(b[axis] - a[axis]);
        face->v[axis] = (float)(c[axis] - a[axis]);
        face->third[axis] = (float)(c[axis] - b[axis]);
    }
    face->normal[0] = (float)normal.x;
    face->normal[1] = (float)normal.y;
    face->normal[2] = (float)normal.z;
    face->uu = dot(face->u, face->u);
    face->uv = dot(face->u, face->v);
    face->vv = dot(face->v, face->v);
    face->determinant = face->uu * face->vv - face->uv * face->uv;
    face->inverse_uu = inverse_of(face->uu);
    face->inverse_vv = inverse_of(face->vv);
    face->inverse_third = inverse_of(dot(face->third, face->third));
}

// ---- the grid

static float vertex_coordinate(const impi_DistanceGrid *grid, int axis, size_t i)
{
    return grid->origin[axis] + (float)i * grid->cell_size;
}

static size_t vertex_count(const impi_DistanceGrid *grid)
{
    return grid->size[0] * grid->size[1] * grid->size[2];
}

// Cells are cubes; flat bodies have few of them across.
static void choose_size(impi_DistanceGrid *grid, const impi_SpherePieces *pieces, size_t face_count)
{
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (size_t i = 0; i < pieces->point_count; ++i) {
        const double point[3] = {pieces->points[i].x, pieces->points[i].y, pieces->points[i].z};
        for (int axis = 0; axis < 3; ++axis) {
            low[axis] = fmin(low[axis], point[axis]);
            high[axis] = fmax(high[axis], point[axis]);
        }
    }
    double wanted = fmin(fmax(LEAST_VERTICES, VERTICES_OF_FACE * (double)face_count), MOST_VERTICES);
    double cell = fmax(high[0] - low[0], fmax(high[1] - low[1], high[2] - low[2])) / wanted;
    for (double count = INFINITY; cell > 0 && count > wanted; cell *= 1.05) {
        count = 1;
        for (int axis = 0; axis < 3; ++axis)
            count *= (high[axis] - low[axis]) / cell + 2 * MARGIN + 1;
    }
    cell = cell > 0 ? cell : 1;
    grid->cell_size = (float)cell;
    for (int axis = 0; axis < 3; ++axis) {
        grid->origin[axis] = (float)(low[axis] - MARGIN * cell);
        grid->size[axis] = (size_t)ceil((high[axis] - low[axis]) / cell + 2 * MARGIN) + 1;
    }
}

// First and last vertex along an axis that lie within [low, high], which may be none.
static void range_of(const impi_DistanceGrid *grid, int axis, float low, float high, size_t range[2])
{
    float first = ceilf((low - grid->origin[axis]) / grid->cell_size);
    float last = floorf((high - grid->origin[axis]) / grid->cell_size);
    float most = (float)(grid->size[axis] - 1);
    range[0] = (size_t)(first < 0 ? 0 : first > most ? most : first);
    range[1] = (size_t)(last < 0 ? 0 : last > most ? most : last);
}

static void offer(impi_DistanceGrid *grid, size_t vertex, const float place[3], uint32_t face)
{
    if (grid->nearest[vertex] == face)
        return;
    float squared = squared_distance(&grid->faces[face], place);
    if (squared < grid->distance[vertex]) {
        grid->distance[vertex] = squared;
        grid->nearest[vertex] = face;
    }
}

// Vertices within a cell of a piece are offered its face.
static void seed_piece(impi_DistanceGrid *grid, const impi_SpherePieces *pieces, size_t piece)
{
    const uint32_t *corners = impi_piece_corners(pieces, piece);
    const float *coordinates[3] = {pieces->x, pieces->y, pieces->z};
    size_t range[3][2];
    for (int axis = 0; axis < 3; ++axis) {
        float low = INFINITY, high = -INFINITY;
        for (int i = 0; i < IMPI_FACE_CORNERS; ++i) {
            low = fminf(low, coordinates[axis][corners[i]]);
            high = fmaxf(high, coordinates[axis][corners[i]]);
        }
        range_of(grid, axis, low - grid->cell_size, high + grid->cell_size, range[axis]);
    }
    for (size_t k = range[2][0]; k <= range[2][1]; ++k)
        for (size_t j = range[1][0]; j <= range[1][1]; ++j)
            for (size_t i = range[0][0]; i <= range[0][1]; ++i) {
                float place[3] = {vertex_coordinate(grid, 0, i), vertex_coordinate(grid, 1, j),
                                  vertex_coordinate(grid, 2, k)};
                offer(grid, (k * grid->size[1] + j) * grid->size[0] + i, place, pieces->faces[piece]);
            }
}

// One pass over all vertices, each axis upward or downward.
static void sweep(impi_DistanceGrid *grid, int directions)
{
    const size_t *size = grid->size;
    const size_t stride[3] = {1, size[0], size[0] * size[1]};
    bool down[3] = {directions & 1, directions & 2, directions & 4};
    for (size_t c = 0; c < size[2]; ++c)
        for (size_t b = 0; b < size[1]; ++b)
            for (size_t a = 0; a < size[0]; ++a) {
                const size_t steps[3] = {a, b, c};
                size_t vertex = 0;
                float place[3];
                for (int axis = 0; axis < 3; ++axis) {
                    size_t at = down[axis] ? size[axis] - 1 - steps[axis] : steps[axis];
                    vertex += at * stride[axis];
                    place[axis] = vertex_coordinate(grid, axis, at);
                }
                for (int axis = 0; axis < 3; ++axis) {
                    if (steps[axis] == 0)
                        continue;
                    uint32_t face = grid->nearest[down[axis] ? vertex + stride[axis] : vertex - stride[axis]];
                    if (face != UINT32_MAX)
                        offer(grid, vertex, place, face);
                }
            }
}

// ---- inside and outside

// On which side of the edge from a to b, seen along z, the point lies. Ends are taken in one order, so that
// both faces of an edge agree.
static bool is_left(const imp_Vec3 *a, const imp_Vec3 *b, double x, double y)
{
    bool swap = impi_is_before(b, a);
    const imp_Vec3 *from = swap ? b : a, *to = swap ? a : b;
    bool left = (to->x - from->x) * (y - from->y) - (to->y - from->y) * (x - from->x) > 0;
    return left != swap;
}

// Where a column crosses the face, its winding changes from there on.
static void cross_columns(const impi_DistanceGrid *grid, const imp_Triangle *face, int32_t *changes)
{
    const imp_Vec3 *a = &face->v[0], *b = &face->v[1], *c = &face->v[2];
    imp_Vec3 normal = impi_cross(impi_subtract(*b, *a), impi_subtract(*c, *a));
    size_t range[2][2];
    range_of(grid, 0, (float)fmin(a->x, fmin(b->x, c->x)) - grid->cell_size,
             (float)fmax(a->x, fmax(b->x, c->x)) + grid->cell_size, range[0]);
    range_of(grid, 1, (float)fmin(a->y, fmin(b->y, c->y)) - grid->cell_size,
             (float)fmax(a->y, fmax(b->y, c->y)) + grid->cell_size, range[1]);
    for (size_t j = range[1][0]; j <= range[1][1]; ++j)
        for (size_t i = range[0][0]; i <= range[0][1]; ++i) {
            double x = vertex_coordinate(grid, 0, i), y = vertex_coordinate(grid, 1, j);
            bool left = is_left(a, b, x, y);
            if (left != is_left(b, c, x, y) || left != is_left(c, a, x, y) || normal.z == 0)
                continue;
            double z = a->z - (normal.x * (x - a->x) + normal.y * (y - a->y)) / normal.z;
            double cell = ceil((z - grid->origin[2]) / grid->cell_size);
            size_t k = cell < 0 ? 0 : (size_t)cell;
            if (k < grid->size[2])
                changes[(k * grid->size[1] + j) * grid->size[0] + i] += left ? -1 : 1;
        }
}

static void turn_inside_negative(impi_DistanceGrid *grid, int32_t *changes)
{
    size_t layer = grid->size[0] * grid->size[1], count = vertex_count(grid);
    for (size_t i = 0; i < count; ++i) {
        if (i >= layer)
            changes[i] += changes[i - layer];
        if (changes[i] != 0)
            grid->distance[i] = -grid->distance[i];
    }
}

// ---- together

imp_Status impi_distance_grid_build(imp_Context *context, const imp_Mesh *mesh, const impi_LocalFrame *frame,
                                    const impi_SpherePieces *pieces, bool is_solid, impi_DistanceGrid *grid)
{
    impi_Arena *arena = &context->scratch;
    size_t face_count = mesh->arrays.triangle_count;
    *grid = (impi_DistanceGrid){.is_solid = is_solid};
    choose_size(grid, pieces, face_count);
    size_t count = vertex_count(grid);
    impi_GridFace *faces = impi_arena_allocate_array(arena, face_count, sizeof *faces);
    int32_t *changes = impi_arena_allocate_array(arena, count, sizeof *changes);
    grid->distance = impi_arena_allocate_array(arena, count, sizeof *grid->distance);
    grid->nearest = impi_arena_allocate_array(arena, count, sizeof *grid->nearest);
    grid->faces = faces;
    if (!faces || !changes || !grid->distance || !grid->nearest)
        return impi_fail_out_of_memory(context);
    for (size_t i = 0; i < count; ++i)
        grid->distance[i] = INFINITY;
    memset(grid->nearest, 0xff, count * sizeof *grid->nearest);
    memset(changes, 0, count * sizeof *changes);
    for (size_t i = 0; i < face_count && impi_watch_item(&context->watch, i); ++i) {
        imp_Triangle local = impi_mesh_triangle(mesh, i);
        for (int k = 0; k < IMPI_FACE_CORNERS; ++k)
            local.v[k] = impi_to_local(frame, local.v[k]);
        set_face(&faces[i], &local);
        if (is_solid)
            cross_columns(grid, &local, changes);
    }
    for (size_t i = 0; i < pieces->face_count && impi_watch_item(&context->watch, i); ++i)
        seed_piece(grid, pieces, i);
    for (int i = 0; i < 8 * ROUND_COUNT && impi_watch_goes_on(&context->watch); ++i)
        sweep(grid, i % 8);
    for (size_t i = 0; i < count; ++i)
        grid->distance[i] = sqrtf(grid->distance[i]);
    if (is_solid)
        turn_inside_negative(grid, changes);
    return impi_watch_status(context);
}

// Is the point inside? Where the corners of its cell disagree, the distance is interpolated.
static bool is_inside(const float signed_distance[8], const float t[3])
{
    float along_x[4], along_y[2];
    for (int i = 0; i < 4; ++i)
        along_x[i] = signed_distance[2 * i] + t[0] * (signed_distance[2 * i + 1] - signed_distance[2 * i]);
    for (int i = 0; i < 2; ++i)
        along_y[i] = along_x[2 * i] + t[1] * (along_x[2 * i + 1] - along_x[2 * i]);
    return along_y[0] + t[2] * (along_y[1] - along_y[0]) < 0;
}

float impi_distance_grid_at(const impi_DistanceGrid *grid, const float point[3])
{
    const size_t *size = grid->size;
    size_t cell = 0, stride = 1;
    float t[3], corner_distance[8], least = INFINITY;
    uint32_t tried[8] = {0};
    int tried_count = 0;
    for (int axis = 0; axis < 3; ++axis) {
        float at = (point[axis] - grid->origin[axis]) / grid->cell_size, most = (float)(size[axis] - 2);
        float first = at < 0 ? 0 : at > most ? most : floorf(at);
        t[axis] = clamp_unit(at - first);
        cell += (size_t)first * stride;
        stride *= size[axis];
    }
    for (int i = 0; i < 8; ++i) {
        size_t vertex = cell + (size_t)(i & 1) + (i & 2 ? size[0] : 0) + (i & 4 ? size[0] * size[1] : 0);
        uint32_t face = grid->nearest[vertex];
        int k = 0;
        corner_distance[i] = grid->distance[vertex];
        while (k < tried_count && tried[k] != face)
            ++k;
        if (k < tried_count)
            continue;
        tried[tried_count++] = face;
        float squared = squared_distance(&grid->faces[face], point);
        least = squared < least ? squared : least;
    }
    least = sqrtf(least);
    return grid->is_solid && is_inside(corner_distance, t) ? -least : least;
}
