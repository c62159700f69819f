// The winding number of a closed surface around a point is that of shape/point_location.c: what a ray along
// +z crosses, from the point moved by (e, e^2, 0) for an infinitely small e > 0. All centers of a column
// share the line of their rays. So each face is asked once which columns it crosses, and how many centers of
// each are below it; centers on the face may be on either side, since nobody asks for those.
//
//     bits of a crossing:  | y 16 | x 16 | centers below 17 | 1 |
//                                       then: inside ^ , from the last crossing up to this one
//
// Seen from above, the columns of a row that a triangle crosses follow each other, because each of its edges
// has the moved points of a row on its left up to one of them, or from one on; that is found by bisection.
// The height at which a face is crossed is guessed in doubles and mended by exact signs.
//
// Cost: some signs for each row of a face, two for each crossing, and a sort.
#include "shape/center_columns.h"

#include "base/array.h"
#include "base/radix_sort.h"
#include "geom/predicates.h"

#define FACES_PER_BLOCK 1024
#define BELOW_BITS      17
#define SIDE_BITS       1
#define X_SHIFT         (SIDE_BITS + BELOW_BITS)
#define Y_SHIFT         (X_SHIFT + 16)
#define KEY_BITS        (Y_SHIFT + 16)

typedef struct Crossings {
    IMPI_ARRAY(uint64_t) keys;
} Crossings;

typedef struct Search {
    imp_Context *context;
    const imp_Mesh *mesh;
    const imp_OctreeGrid *grid;
    const impi_CenterColumns *columns;
    Crossings *blocks;
    atomic_bool is_out_of_memory;
} Search;

// ---- one face

// How many of the first centers along an axis lie before x, those at x included or not.
static uint32_t count_before(const impi_CenterColumns *columns, int axis, double x, bool with_equal)
{
    uint32_t low = 0, high = columns->voxel_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        int order = impi_center_compare(x, &columns->centers[axis][middle]);
        if (order > 0 || (with_equal && order == 0))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// As side_of_moved_point in point_location.c.
static int side_of_moved_center(const imp_Vec3 *a, const imp_Vec3 *b, const impi_Center *x,
                                const impi_Center *y)
{
    int side = impi_center_area_sign((imp_Vec2){a->x, a->y}, (imp_Vec2){b->x, b->y}, x, y);
    if (side != 0)
        return side;
    if (a->y != b->y)
        return a->y > b->y ? 1 : -1;
    return (b->x > a->x) - (b->x < a->x);
}

typedef struct Run {
    uint32_t begin, end;
} Run;

// Of the columns of a row in `run`, those that have the edge a-b on the side `turn`. The area grows along the
// row where a is above b, and shrinks where it is below.
static Run clip_run(const impi_CenterColumns *columns, Run run, uint32_t row, const imp_Vec3 *a,
                    const imp_Vec3 *b, int turn)
{
    const impi_Center *y = &columns->centers[1][row];
    bool holds_later = (a->y > b->y) == (turn > 0); // or, where both are alike, for all or none
    uint32_t low = run.begin, high = run.end;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        bool holds = side_of_moved_center(a, b, &columns->centers[0][middle], y) == turn;
        if (a->y == b->y)
            return holds ? run : (Run){run.begin, run.begin};
        if (holds == holds_later)
            high = middle;
        else
            low = middle + 1;
    }
    return holds_later ? (Run){low, run.end} : (Run){run.begin, low};
}

// Is center z of the column below the face?
static bool is_below(const Search *search, const imp_Triangle *triangle, int turn, uint32_t x, uint32_t y,
                     uint32_t z)
{
    impi_Center center[3] = {search->columns->centers[0][x], search->columns->centers[1][y],
                             search->columns->centers[2][z]};
    return impi_center_volume_sign(triangle, center) == -turn;
}

// How many centers of the column are below the face, between two bounds.
static uint32_t count_below(const Search *search, const imp_Triangle *triangle, int turn, uint32_t x,
                            uint32_t y, double guess, Run bounds)
{
    uint32_t low = bounds.begin, high = bounds.end;
    uint32_t middle = guess > low ? (guess < high ? (uint32_t)guess : high) : low;
    // What is near the guess first: it is hardly ever off by more than one.
    if (middle < high && !is_below(search, triangle, turn, x, y, middle))
        high = middle;
    else if (middle < high)
        low = middle + 1;
    if (low < high && high == middle && is_below(search, triangle, turn, x, y, middle - 1))
        low = middle;
    while (low < high) {
        middle = low + (high - low) / 2;
        if (is_below(search, triangle, turn, x, y, middle))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// The height of the face's plane over the columns of a row, in voxels from the first center on: at + by * x.
typedef struct Slope {
    double at, by;
} Slope;

static Slope slope_of_row(const Search *search, const imp_Triangle *triangle, uint32_t row)
{
    const imp_Vec3 *a = &triangle->v[0], *b = &triangle->v[1], *c = &triangle->v[2];
    double voxel = search->grid->voxel;
    double ux = (b->x - a->x) / voxel, uy = (b->y - a->y) / voxel, uz = (b->z - a->z) / voxel;
    double vx = (c->x - a->x) / voxel, vy = (c->y - a->y) / voxel, vz = (c->z - a->z) / voxel;
    double nx = uy * vz - uz * vy, ny = uz * vx - ux * vz, nz = ux * vy - uy * vx;
    const impi_CenterColumns *columns = search->columns;
    double x = (columns->centers[0][0].nearest - a->x) / voxel;
    double y = (columns->centers[1][row].nearest - a->y) / voxel;
    double z = (columns->centers[2][0].nearest - a->z) / voxel;
    return (Slope){-(nx * x + ny * y) / nz - z, -nx / nz};
}

static bool add_row(Search *search, Crossings *crossings, const imp_Triangle *triangle, int turn,
                    uint32_t row, Run run, Run heights)
{
    Slope slope = slope_of_row(search, triangle, row);
    if (!impi_array_reserve(&search->context->allocator, &crossings->keys, sizeof *crossings->keys.data,
                            crossings->keys.count + (run.end - run.begin)))
        return false;
    for (uint32_t x = run.begin; x < run.end; ++x) {
        double guess = ceil(slope.at + slope.by * x);
        uint64_t below = count_below(search, triangle, turn, x, row, guess, heights);
        if (below > 0)
            crossings->keys.data[crossings->keys.count++] =
                (uint64_t)row << Y_SHIFT | (uint64_t)x << X_SHIFT | below << SIDE_BITS | (turn > 0);
    }
    return true;
}

static bool add_face(Search *search, Crossings *crossings, const imp_Triangle *triangle)
{
    const imp_Vec3 *t = triangle->v;
    const impi_CenterColumns *columns = search->columns;
    int turn = impi_orient2d(&t[0], &t[1], &t[2], IMPI_AXIS_Z);
    if (turn == 0)
        return true;
    double low[3] = {fmin(t[0].x, fmin(t[1].x, t[2].x)), fmin(t[0].y, fmin(t[1].y, t[2].y)),
                     fmin(t[0].z, fmin(t[1].z, t[2].z))};
    double high[3] = {fmax(t[0].x, fmax(t[1].x, t[2].x)), fmax(t[0].y, fmax(t[1].y, t[2].y)),
                      fmax(t[0].z, fmax(t[1].z, t[2].z))};
    Run spans[3];
    for (int axis = 0; axis < 3; ++axis)
        spans[axis] = (Run){count_before(columns, axis, low[axis], false),
                            count_before(columns, axis, high[axis], true)};
    for (uint32_t row = spans[1].begin; row < spans[1].end; ++row) {
        Run run = spans[0];
        for (int i = 0; i < 3; ++i)
            run = clip_run(columns, run, row, &t[i], &t[(i + 1) % 3], turn);
        if (run.begin < run.end && !add_row(search, crossings, triangle, turn, row, run, spans[2]))
            return false;
    }
    return true;
}

static void add_faces(size_t begin, size_t end, size_t block, void *argument)
{
    Search *search = argument;
    impi_Watch *watch = &search->context->watch;
    for (size_t face = begin; face < end; ++face) {
        imp_Triangle triangle = impi_mesh_triangle(search->mesh, face);
        if (!impi_watch_goes_on(watch))
            return;
        if (!add_face(search, &search->blocks[block], &triangle)) {
            atomic_store_explicit(&search->is_out_of_memory, true, memory_order_relaxed);
            return;
        }
    }
    impi_watch_step(watch, end - begin);
}

// ---- all faces

// Crossings of one place from the highest down: the number of windings below each.
static void sum_columns(uint64_t *crossings, size_t count)
{
    int64_t winding = 0;
    for (size_t i = count; i-- > 0;) {
        if (i + 1 == count || crossings[i] >> X_SHIFT != crossings[i + 1] >> X_SHIFT)
            winding = 0;
        winding += crossings[i] & 1 ? 1 : -1;
        crossings[i] = (crossings[i] & ~(uint64_t)1) | (winding != 0);
    }
}

static imp_Status sort_crossings(Search *search, size_t block_count, impi_CenterColumns *columns)
{
    imp_Context *context = search->context;
    size_t count = 0;
    for (size_t i = 0; i < block_count; ++i)
        count += search->blocks[i].keys.count;
    uint64_t *keys = impi_arena_allocate_array(&context->scratch, count, sizeof *keys);
    uint64_t *spare = impi_arena_allocate_array(&context->scratch, count, sizeof *spare);
    columns->rows =
        impi_arena_allocate_array(&context->scratch, (size_t)columns->voxel_count + 1, sizeof *columns->rows);
    if (!keys || !spare || !columns->rows)
        return impi_fail_out_of_memory(context);
    size_t taken = 0;
    for (size_t i = 0; i < block_count; ++i)
        for (size_t k = 0; k < search->blocks[i].keys.count; ++k)
            keys[taken++] = search->blocks[i].keys.data[k];
    impi_watch_work(&context->watch, "sorting crossings", count + 1);
    columns->crossings = impi_radix_sort_packed_watched(&context->watch, keys, spare, count, 0, KEY_BITS);
    if (!columns->crossings)
        return impi_watch_status(context);
    sum_columns(columns->crossings, count);
    size_t place = 0;
    for (uint32_t row = 0; row <= columns->voxel_count; ++row) {
        while (place < count && columns->crossings[place] >> Y_SHIFT < row)
            ++place;
        columns->rows[row] = place;
    }
    return IMP_STATUS_OK;
}

static bool list_centers(imp_Context *context, const imp_OctreeGrid *grid, impi_CenterColumns *columns)
{
    for (int axis = 0; axis < 3; ++axis) {
        columns->centers[axis] = impi_arena_allocate_array(&context->scratch, columns->voxel_count,
                                                           sizeof *columns->centers[axis]);
        if (!columns->centers[axis])
            return false;
        for (uint32_t i = 0; i < columns->voxel_count; ++i)
            columns->centers[axis][i] =
                impi_center_of(impi_grid_corner(grid, axis, i), impi_grid_corner(grid, axis, i + 1));
    }
    return true;
}

imp_Status impi_center_columns_find(imp_Context *context, const imp_Mesh *mesh, const imp_OctreeGrid *grid,
                                    impi_CenterColumns *columns)
{
    size_t face_count = mesh->arrays.triangle_count;
    size_t block_count = impi_block_count(face_count, FACES_PER_BLOCK);
    *columns = (impi_CenterColumns){.voxel_count = 1u << grid->level};
    Search search = {.context = context, .mesh = mesh, .grid = grid, .columns = columns};
    search.blocks = impi_arena_allocate_array(&context->scratch, block_count, sizeof *search.blocks);
    if (!search.blocks || !list_centers(context, grid, columns))
        return impi_fail_out_of_memory(context);
    for (size_t i = 0; i < block_count; ++i)
        search.blocks[i] = (Crossings){0};
    impi_watch_work(&context->watch, "finding what is inside", face_count);
    impi_parallel_for(&context->executor, face_count, FACES_PER_BLOCK, add_faces, &search);
    imp_Status status = impi_watch_status(context);
    if (status == IMP_STATUS_OK && search.is_out_of_memory)
        status = impi_fail_out_of_memory(context);
    if (status == IMP_STATUS_OK)
        status = sort_crossings(&search, block_count, columns);
    for (size_t i = 0; i < block_count; ++i)
        impi_array_free(&context->allocator, &search.blocks[i].keys, sizeof *search.blocks[i].keys.data);
    return status;
}

// The crossing that ends the span in which the center lies tells.
bool impi_center_is_inside(const impi_CenterColumns *columns, uint32_t x, uint32_t y, uint32_t z)
{
    uint64_t key = (uint64_t)y << Y_SHIFT | (uint64_t)x << X_SHIFT | ((uint64_t)z + 1) << SIDE_BITS;
    size_t low = columns->rows[y], high = columns->rows[y + 1], end = high;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (columns->crossings[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low < end && columns->crossings[low] >> X_SHIFT == key >> X_SHIFT && (columns->crossings[low] & 1);
}
