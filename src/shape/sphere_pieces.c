// Faces are bisected at the middle of their longest edges until no edge is longer than a limit, which is
// chosen by the number of pieces that is wanted. Neighbouring faces have the same middles, so corners are
// shared, and a ball is fitted to each of them once. Cost: the number of pieces, times the few limits tried.
#include "shape/sphere_pieces.h"

#include <string.h>

// Edges of pieces are at least this long in the local frame, where the mesh is about as large as 1: finer
// ones would only cost memory.
#define SHORTEST_EDGE 0x1p-24

// A limit is taken when it gives no more than this times the pieces that are wanted; otherwise the next one
// is longer by this factor.
#define COUNT_TOLERANCE 1.25
#define LIMIT_GROWTH    1.15

typedef struct Cutter {
    impi_Watch *watch;
    double limit_squared;
    impi_SpherePieces *pieces; // null: only count
    imp_Vec3 *corners;         // three of each piece
    uint32_t face;
    size_t count, most;
} Cutter;

static double squared_length(imp_Vec3 a, imp_Vec3 b)
{
    imp_Vec3 edge = impi_subtract(a, b);
    return impi_dot(edge, edge);
}

// The corner opposite to the longest edge.
static int apex_of(const imp_Vec3 *corners, double *longest)
{
    int apex = 0;
    *longest = squared_length(corners[1], corners[2]);
    for (int i = 1; i < IMPI_FACE_CORNERS; ++i) {
        double length = squared_length(corners[(i + 1) % 3], corners[(i + 2) % 3]);
        if (length > *longest) {
            *longest = length;
            apex = i;
        }
    }
    return apex;
}

// Each step halves the longest edge of a piece, so that after at most three it is shorter; edges of the local
// frame are shorter than 4, hence the depth is at most 3 * 26.
static void cut(Cutter *cutter, const imp_Vec3 *corners)
{
    double longest;
    int apex = apex_of(corners, &longest);
    if (cutter->count > cutter->most)
        return;
    if (longest <= cutter->limit_squared) {
        if (cutter->pieces) {
            memcpy(cutter->corners + IMPI_FACE_CORNERS * cutter->count, corners, 3 * sizeof *corners);
            cutter->pieces->faces[cutter->count] = cutter->face;
        }
        ++cutter->count;
        return;
    }
    imp_Vec3 tip = corners[apex], from = corners[(apex + 1) % 3], to = corners[(apex + 2) % 3];
    imp_Vec3 middle = {(from.x + to.x) / 2, (from.y + to.y) / 2, (from.z + to.z) / 2};
    cut(cutter, (imp_Vec3[]){tip, from, middle});
    cut(cutter, (imp_Vec3[]){tip, middle, to});
}

static void local_corners(const imp_Mesh *mesh, const impi_LocalFrame *frame, size_t face, imp_Vec3 *corners)
{
    imp_Triangle triangle = impi_mesh_triangle(mesh, face);
    for (int i = 0; i < IMPI_FACE_CORNERS; ++i)
        corners[i] = impi_to_local(frame, triangle.v[i]);
}

static void cut_all(Cutter *cutter, const imp_Mesh *mesh, const impi_LocalFrame *frame)
{
    cutter->count = 0;
    for (size_t face = 0; face < mesh->arrays.triangle_count && impi_watch_item(cutter->watch, face);
         ++face) {
        imp_Vec3 corners[IMPI_FACE_CORNERS];
        local_corners(mesh, frame, face, corners);
        cutter->face = (uint32_t)face;
        cut(cutter, corners);
    }
}

static double area_of(const imp_Mesh *mesh, const impi_LocalFrame *frame)
{
    double area = 0;
    for (size_t face = 0; face < mesh->arrays.triangle_count; ++face) {
        imp_Vec3 c[IMPI_FACE_CORNERS];
        local_corners(mesh, frame, face, c);
        imp_Vec3 normal = impi_cross(impi_subtract(c[1], c[0]), impi_subtract(c[2], c[0]));
        area += sqrt(impi_dot(normal, normal)) / 2;
    }
    return area;
}

// The limit begins where equal, right-angled pieces would be as many as are wanted.
static void choose_limit(Cutter *cutter, const imp_Mesh *mesh, const impi_LocalFrame *frame, size_t wanted)
{
    double limit = fmax(sqrt(4 * area_of(mesh, frame) / (double)wanted), SHORTEST_EDGE);
    cutter->most = (size_t)(COUNT_TOLERANCE * (double)wanted) + mesh->arrays.triangle_count;
    for (limit *= 0.5;; limit *= LIMIT_GROWTH) {
        cutter->limit_squared = limit * limit;
        cut_all(cutter, mesh, frame);
        if (cutter->count <= cutter->most)
            return;
    }
}

static size_t hash_point(imp_Vec3 point)
{
    uint64_t bits[3], hash = 0;
    memcpy(bits, &point, sizeof bits);
    for (int i = 0; i < 3; ++i)
        hash = (hash ^ bits[i]) * 0x9e3779b97f4a7c15u, hash ^= hash >> 29;
    return (size_t)hash;
}

static size_t corner_count_of(const impi_SpherePieces *pieces)
{
    return IMPI_FACE_CORNERS * pieces->face_count + IMPI_CUBE_CORNERS * (pieces->count - pieces->face_count);
}

// Equal corners become one point. Zeros of both signs are equal, and are made one of them.
static imp_Status share_corners(imp_Context *context, impi_SpherePieces *pieces, imp_Vec3 *corners)
{
    size_t corner_count = corner_count_of(pieces), table_size = 64;
    while (table_size < 2 * corner_count)
        table_size *= 2;
    uint32_t *table = impi_arena_allocate_array(&context->scratch, table_size, sizeof *table);
    pieces->points = impi_arena_allocate_array(&context->scratch, corner_count, sizeof *pieces->points);
    if (!table || !pieces->points)
        return impi_fail_out_of_memory(context);
    memset(table, 0xff, table_size * sizeof *table);
    for (size_t i = 0; i < corner_count && impi_watch_item(&context->watch, i); ++i) {
        imp_Vec3 point = {corners[i].x + 0.0, corners[i].y + 0.0, corners[i].z + 0.0};
        size_t slot = hash_point(point) & (table_size - 1);
        while (table[slot] != UINT32_MAX && !impi_is_equal(&pieces->points[table[slot]], &point))
            slot = (slot + 1) & (table_size - 1);
        if (table[slot] == UINT32_MAX) {
            table[slot] = (uint32_t)pieces->point_count;
            pieces->points[pieces->point_count++] = point;
        }
        pieces->corners[i] = table[slot];
    }
    return impi_watch_status(context);
}

static imp_Status round_points(imp_Context *context, impi_SpherePieces *pieces)
{
    float *rounded = impi_arena_allocate_array(&context->scratch, 3 * pieces->point_count, sizeof *rounded);
    if (!rounded)
        return impi_fail_out_of_memory(context);
    pieces->x = rounded;
    pieces->y = rounded + pieces->point_count;
    pieces->z = rounded + 2 * pieces->point_count;
    for (size_t i = 0; i < pieces->point_count; ++i) {
        pieces->x[i] = (float)pieces->points[i].x;
        pieces->y[i] = (float)pieces->points[i].y;
        pieces->z[i] = (float)pieces->points[i].z;
    }
    return IMP_STATUS_OK;
}

static imp_Status allocate(imp_Context *context, impi_SpherePieces *pieces, imp_Vec3 **corners)
{
    size_t corner_count = corner_count_of(pieces);
    *corners = impi_arena_allocate_array(&context->scratch, corner_count, sizeof **corners);
    pieces->corners = impi_arena_allocate_array(&context->scratch, corner_count, sizeof *pieces->corners);
    pieces->faces = impi_arena_allocate_array(&context->scratch, pieces->face_count, sizeof *pieces->faces);
    return *corners && pieces->corners && pieces->faces ? IMP_STATUS_OK : impi_fail_out_of_memory(context);
}

imp_Status impi_sphere_pieces_cut(imp_Context *context, const imp_Mesh *mesh, const impi_LocalFrame *frame,
                                  size_t wanted_count, impi_SpherePieces *pieces)
{
    Cutter cutter = {.watch = &context->watch};
    *pieces = (impi_SpherePieces){0};
    choose_limit(&cutter, mesh, frame, wanted_count);
    pieces->face_count = pieces->count = cutter.count;
    imp_Status status = impi_watch_status(context);
    if (status == IMP_STATUS_OK)
        status = allocate(context, pieces, &cutter.corners);
    if (status != IMP_STATUS_OK)
        return status;
    cutter.pieces = pieces;
    cut_all(&cutter, mesh, frame);
    status = impi_watch_status(context);
    if (status == IMP_STATUS_OK)
        status = share_corners(context, pieces, cutter.corners);
    return status == IMP_STATUS_OK ? round_points(context, pieces) : status;
}

// ---- cutting finer

// Null origins: only count.
static void refine_faces(Cutter *cutter, const impi_SpherePieces *pieces, const uint8_t *is_marked,
                         uint32_t *origins)
{
    cutter->count = 0;
    for (size_t piece = 0; piece < pieces->face_count; ++piece) {
        imp_Vec3 corners[IMPI_FACE_CORNERS];
        double longest;
        size_t first = cutter->count;
        for (int i = 0; i < IMPI_FACE_CORNERS; ++i)
            corners[i] = pieces->points[impi_piece_corners(pieces, piece)[i]];
        apex_of(corners, &longest);
        cutter->limit_squared =
            is_marked[piece] && longest > SHORTEST_EDGE * SHORTEST_EDGE ? longest / 4 : INFINITY;
        cutter->face = pieces->faces[piece];
        cut(cutter, corners);
        for (size_t i = first; i < cutter->count && origins; ++i)
            origins[i] = (uint32_t)piece;
    }
}

// One of the eight halves of a cube, whose corners are numbered by their sides.
static void halve_cube(const imp_Vec3 *corners, unsigned octant, imp_Vec3 *half)
{
    for (unsigned i = 0; i < IMPI_CUBE_CORNERS; ++i) {
        const imp_Vec3 *a = &corners[i & octant], *b = &corners[i | octant];
        half[i] = (imp_Vec3){(a->x + b->x) / 2, (a->y + b->y) / 2, (a->z + b->z) / 2};
    }
}

static bool is_cut(const impi_SpherePieces *pieces, const uint8_t *is_marked, size_t cube)
{
    const uint32_t *corners = impi_piece_corners(pieces, cube);
    return is_marked[cube] && squared_length(pieces->points[corners[0]], pieces->points[corners[1]]) >
                                  SHORTEST_EDGE * SHORTEST_EDGE;
}

// Corners and origins behind those of faces.
static void refine_cubes(const impi_SpherePieces *pieces, const uint8_t *is_marked, imp_Vec3 *corners,
                         uint32_t *origins)
{
    for (size_t cube = pieces->face_count; cube < pieces->count; ++cube) {
        imp_Vec3 whole[IMPI_CUBE_CORNERS];
        unsigned part_count = is_cut(pieces, is_marked, cube) ? IMPI_CUBE_CORNERS : 1;
        for (unsigned i = 0; i < IMPI_CUBE_CORNERS; ++i)
            whole[i] = pieces->points[impi_piece_corners(pieces, cube)[i]];
        for (unsigned i = 0; i < part_count; ++i, corners += IMPI_CUBE_CORNERS) {
            if (part_count > 1)
                halve_cube(whole, i, corners);
            else
                memcpy(corners, whole, sizeof whole);
            *origins++ = (uint32_t)cube;
        }
    }
}

imp_Status impi_sphere_pieces_refine(imp_Context *context, const uint8_t *is_marked,
                                     impi_SpherePieces *pieces, uint32_t **origins)
{
    impi_SpherePieces old = *pieces;
    Cutter cutter = {.most = SIZE_MAX};
    size_t cube_count = old.count - old.face_count;
    refine_faces(&cutter, &old, is_marked, NULL);
    for (size_t cube = old.face_count; cube < old.count; ++cube)
        cube_count += is_cut(&old, is_marked, cube) ? IMPI_CUBE_CORNERS - 1 : 0;
    *pieces = (impi_SpherePieces){.face_count = cutter.count, .count = cutter.count + cube_count};
    imp_Status status = allocate(context, pieces, &cutter.corners);
    *origins = impi_arena_allocate_array(&context->scratch, pieces->count, sizeof **origins);
    if (status != IMP_STATUS_OK || !*origins)
        return impi_fail_out_of_memory(context);
    cutter.pieces = pieces;
    refine_faces(&cutter, &old, is_marked, *origins);
    refine_cubes(&old, is_marked, cutter.corners + IMPI_FACE_CORNERS * cutter.count, *origins + cutter.count);
    status = share_corners(context, pieces, cutter.corners);
    return status == IMP_STATUS_OK ? round_points(context, pieces) : status;
}
