// Smith & Kitamura 2.3: all cubes of black voxels, of any edge, from large to small; each that meets none of
// those taken before is taken. The paper does this n times, beginning at each of n cubes in turn, and keeps
// the fewest. What begins among cubes of one voxel would leave out black voxels, so those are no beginnings.
//
// Departs from the paper in how cubes are found: no list has them all. The largest black cube that begins at
// a voxel says which ones do (each voxel knows its own, from the seven voxels after it). Cubes taken so far
// are never smaller than the one that is looked at, so where they meet it, they hold one of its eight
// corners. A voxel whose cube can't be taken waits for its next smaller one that can be taken as things are.
//
// Octrees are compacted tile by tile, of 128 voxels along an axis, so that memory is bounded by 32 MB; black
// cells of that size and more stay. In place of more cubes than there were cells, cells stay, too.
#include "shape/octree_compact.h"

#include <string.h>

#define TILE_BITS      7
#define TILE_EDGE      (1u << TILE_BITS)
#define DEFAULT_STARTS 16
#define MOST_TRIED     ((size_t)1 << 18) // voxels: larger tiles are scanned once where nothing is said

// Black voxels of a tile in their bounding box.
typedef struct Voxels {
    uint32_t min[3], size[3];
    size_t count; // in the box
    size_t black_count;
    uint8_t *largest; // edge of the largest black cube that begins at a voxel
    uint8_t *next;    // the same, less what can't be taken any more
    uint8_t *is_taken;
    uint32_t *order;   // voxels by the edge of the cube that they wait with
    uint32_t *waiting; // those that were put off
    imp_OctreeCube *best, *taken;
    size_t taken_count;
} Voxels;

static size_t place_of(const Voxels *v, uint32_t x, uint32_t y, uint32_t z)
{
    return ((size_t)x * v->size[1] + y) * v->size[2] + z;
}

static bool is_same_tile(const imp_OctreeCube *a, const imp_OctreeCube *b)
{
    return a->x >> TILE_BITS == b->x >> TILE_BITS && a->y >> TILE_BITS == b->y >> TILE_BITS &&
           a->z >> TILE_BITS == b->z >> TILE_BITS;
}

// ---- voxels

static void find_bounds(Voxels *v, const imp_OctreeCube *cells, size_t count)
{
    uint32_t max[3] = {0, 0, 0};
    v->min[0] = v->min[1] = v->min[2] = UINT32_MAX;
    v->black_count = 0;
    for (size_t i = 0; i < count; ++i) {
        const uint32_t at[3] = {cells[i].x, cells[i].y, cells[i].z}, edge = cells[i].edge;
        for (int axis = 0; axis < 3; ++axis) {
            v->min[axis] = at[axis] < v->min[axis] ? at[axis] : v->min[axis];
            max[axis] = at[axis] + edge > max[axis] ? at[axis] + edge : max[axis];
        }
        v->black_count += (size_t)edge * edge * edge;
    }
    for (int axis = 0; axis < 3; ++axis)
        v->size[axis] = max[axis] - v->min[axis];
    v->count = (size_t)v->size[0] * v->size[1] * v->size[2];
}

static void mark(const Voxels *v, uint8_t *voxels, const imp_OctreeCube *cube)
{
    for (uint32_t x = cube->x - v->min[0]; x < cube->x - v->min[0] + cube->edge; ++x)
        for (uint32_t y = cube->y - v->min[1]; y < cube->y - v->min[1] + cube->edge; ++y)
            memset(voxels + place_of(v, x, y, cube->z - v->min[2]), 1, cube->edge);
}

static uint8_t smaller(uint8_t a, uint8_t b)
{
    return a < b ? a : b;
}

// From the last voxel to the first; those beyond the box are white.
static void find_largest(const Voxels *v)
{
    const size_t to_y = v->size[2], to_x = (size_t)v->size[1] * v->size[2];
    for (uint32_t x = v->size[0] - 1; x-- > 0;)
        for (uint32_t y = v->size[1] - 1; y-- > 0;)
            for (uint32_t z = v->size[2] - 1; z-- > 0;) {
                uint8_t *here = v->largest + place_of(v, x, y, z);
                if (!*here)
                    continue;
                uint8_t least = smaller(smaller(here[1], here[to_y]), smaller(here[to_x], here[1 + to_y]));
                least = smaller(least,
                                smaller(smaller(here[1 + to_x], here[to_x + to_y]), here[1 + to_x + to_y]));
                *here = (uint8_t)(1 + least);
            }
}

// ---- scans

// Where a scan begins: at cubes of this edge, of these at the one that begins at this voxel.
typedef struct Start {
    uint32_t edge;
    size_t voxel;
} Start;

static bool is_free(const Voxels *v, size_t voxel, uint32_t edge)
{
    const size_t z = edge - 1, y = z * v->size[2], x = y * v->size[1];
    const uint8_t *taken = v->is_taken + voxel;
    return !(taken[0] | taken[z] | taken[y] | taken[y + z] | taken[x] | taken[x + z] | taken[x + y] |
             taken[x + y + z]);
}

// The largest cube from a voxel that is free and smaller than one that is not; 0 where the voxel is taken.
static uint32_t find_free(const Voxels *v, size_t voxel, uint32_t edge)
{
    uint32_t low = 0, high = edge; // `low` is free, `high` is not
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (is_free(v, voxel, middle))
            low = middle;
        else
            high = middle;
    }
    return low;
}

static imp_OctreeCube cube_at(const Voxels *v, size_t voxel, uint32_t edge)
{
    size_t row = voxel / v->size[2];
    return (imp_OctreeCube){v->min[0] + (uint32_t)(row / v->size[1]),
                            v->min[1] + (uint32_t)(row % v->size[1]),
                            v->min[2] + (uint32_t)(voxel % v->size[2]), edge};
}

// Voxels by what they wait with from 2 on, largest first; starts[e] is the first of those with edge e or
// less.
static void sort_voxels(const Voxels *v, Start start, size_t starts[TILE_EDGE + 2])
{
    memset(starts, 0, (TILE_EDGE + 2) * sizeof *starts);
    for (size_t i = 0; i < v->count; ++i) {
        uint32_t most = i >= start.voxel ? start.edge : start.edge - 1;
        v->next[i] = v->largest[i] < most ? v->largest[i] : (uint8_t)most;
        ++starts[v->next[i]];
    }
    size_t total = 0;
    for (uint32_t edge = TILE_EDGE; edge >= 2; --edge) {
        size_t here = starts[edge];
        starts[edge] = total;
        total += here;
    }
    starts[1] = total;
    size_t at[TILE_EDGE + 1];
    memcpy(at, starts, sizeof at);
    for (size_t i = 0; i < v->count; ++i)
        if (v->next[i] >= 2)
            v->order[at[v->next[i]]++] = (uint32_t)i;
}

typedef struct Scan {
    Voxels *v;
    size_t waiting_count, covered;
} Scan;

static void look_at(Scan *scan, uint32_t voxel, uint32_t edge)
{
    Voxels *v = scan->v;
    if (v->is_taken[voxel])
        return;
    if (is_free(v, voxel, edge)) {
        imp_OctreeCube cube = cube_at(v, voxel, edge);
        mark(v, v->is_taken, &cube);
        v->taken[v->taken_count++] = cube;
        scan->covered += (size_t)edge * edge * edge;
        return;
    }
    v->next[voxel] = (uint8_t)find_free(v, voxel, edge);
    if (v->next[voxel] >= 2)
        v->waiting[scan->waiting_count++] = voxel;
}

static void look_at_waiting(Scan *scan, uint32_t edge, size_t most)
{
    Voxels *v = scan->v;
    size_t count = scan->waiting_count;
    scan->waiting_count = 0;
    for (size_t i = 0; i < count; ++i) {
        uint32_t voxel = v->waiting[i];
        if (v->next[voxel] == edge && v->taken_count < most)
            look_at(scan, voxel, edge);
        else
            v->waiting[scan->waiting_count++] = voxel;
    }
}

// How many cubes this makes, of which those of more than one voxel are in v->taken. SIZE_MAX when they are
// not fewer than `most`.
static size_t scan_from(Voxels *v, Start start, size_t most)
{
    size_t starts[TILE_EDGE + 2];
    Scan scan = {v, 0, 0};
    v->taken_count = 0;
    sort_voxels(v, start, starts);
    memset(v->is_taken, 0, v->count);
    for (uint32_t edge = start.edge; edge >= 2; --edge) {
        for (size_t i = starts[edge]; i < starts[edge - 1] && v->taken_count < most; ++i)
            look_at(&scan, v->order[i], edge);
        if (v->taken_count < most)
            look_at_waiting(&scan, edge, most);
    }
    size_t count = v->taken_count + (v->black_count - scan.covered);
    return count < most ? count : SIZE_MAX;
}

// ---- starts

typedef struct Starts {
    size_t with_edge[TILE_EDGE + 1]; // how many cubes of each edge there are
    size_t count;                    // with edges of at least 2
    uint32_t largest;
} Starts;

static void count_starts(const Voxels *v, Starts *starts)
{
    *starts = (Starts){{0}, 0, 0};
    for (size_t i = 0; i < v->count; ++i)
        ++starts->with_edge[v->largest[i]];
    for (uint32_t edge = TILE_EDGE; edge-- > 2;) {
        starts->with_edge[edge] += starts->with_edge[edge + 1];
        starts->count += starts->with_edge[edge];
        if (starts->with_edge[edge] > 0 && starts->largest == 0)
            starts->largest = edge;
    }
}

// The number-th cube from large to small, which there is.
static Start find_start(const Voxels *v, const Starts *starts, size_t number)
{
    Start start = {starts->largest, 0};
    for (; number >= starts->with_edge[start.edge]; --start.edge)
        number -= starts->with_edge[start.edge];
    for (;; ++start.voxel)
        if (v->largest[start.voxel] >= start.edge && number-- == 0)
            return start;
}

// Which of `count` starts is the one that is tried as the number-th of `tried`? Those that begin with large
// cubes are the better ones, so they are tried more closely: squares.
static size_t tried_start(size_t number, size_t tried, size_t count)
{
    double share = (double)number / (double)tried;
    size_t start = tried == count ? number : (size_t)(share * share * (double)count);
    return start < count ? start : count - 1;
}

// ---- tiles

static bool allocate(impi_Arena *arena, size_t cell_count, Voxels *v)
{
    // Cubes that are taken have at least eight voxels, and are fewer than the cells.
    size_t most_taken = v->black_count / 8 < cell_count ? v->black_count / 8 : cell_count;
    v->largest = impi_arena_allocate(arena, v->count);
    v->next = impi_arena_allocate(arena, v->count);
    v->is_taken = impi_arena_allocate(arena, v->count);
    v->order = impi_arena_allocate_array(arena, v->count, sizeof *v->order);
    v->waiting = impi_arena_allocate_array(arena, v->count, sizeof *v->waiting);
    v->best = impi_arena_allocate_array(arena, most_taken, sizeof *v->best);
    v->taken = impi_arena_allocate_array(arena, most_taken, sizeof *v->taken);
    return v->largest && v->next && v->is_taken && v->order && v->waiting && v->best && v->taken;
}

// The taken cubes, and those of one voxel.
static size_t write_cubes(Voxels *v, size_t best_count, imp_OctreeCube *cubes)
{
    size_t count = best_count;
    memset(v->is_taken, 0, v->count);
    for (size_t i = 0; i < best_count; ++i) {
        cubes[i] = v->best[i];
        mark(v, v->is_taken, &v->best[i]);
    }
    for (size_t i = 0; i < v->count; ++i)
        if (v->largest[i] && !v->is_taken[i])
            cubes[count++] = cube_at(v, i, 1);
    return count;
}

// Cubes in place of the cells of a tile; how many these are.
static size_t compact_voxels(impi_Watch *watch, Voxels *v, imp_OctreeCube *cells, size_t count,
                             uint32_t tries)
{
    Starts starts;
    memset(v->largest, 0, v->count);
    for (size_t i = 0; i < count; ++i)
        mark(v, v->largest, &cells[i]);
    find_largest(v);
    count_starts(v, &starts);
    if (tries == 0)
        tries = v->count > MOST_TRIED ? 1 : DEFAULT_STARTS;
    size_t tried = tries < starts.count ? tries : starts.count;
    size_t fewest = count, taken_count = SIZE_MAX;
    for (size_t i = 0; i < tried && impi_watch_goes_on(watch); ++i) {
        size_t found = scan_from(v, find_start(v, &starts, tried_start(i, tried, starts.count)), fewest);
        if (found == SIZE_MAX)
            continue;
        fewest = found;
        taken_count = v->taken_count;
        imp_OctreeCube *taken = v->taken;
        v->taken = v->best;
        v->best = taken;
    }
    return taken_count == SIZE_MAX ? count : write_cubes(v, taken_count, cells);
}

static imp_Status compact_tile(imp_Context *context, imp_OctreeCube *cells, size_t *count, uint32_t tries)
{
    impi_ArenaMark mark_before = impi_arena_mark(&context->scratch);
    Voxels v;
    find_bounds(&v, cells, *count);
    if (!allocate(&context->scratch, *count, &v))
        return impi_fail_out_of_memory(context);
    *count = compact_voxels(&context->watch, &v, cells, *count, tries);
    impi_arena_rewind(&context->scratch, mark_before);
    return impi_watch_status(context);
}

// ---- all together

// Edges from 1 up, or powers of two from TILE_EDGE up.
static uint32_t class_of(uint32_t edge)
{
    return edge < TILE_EDGE ? edge : TILE_EDGE + (uint32_t)__builtin_ctz(edge) - TILE_BITS;
}

#define EDGE_CLASSES (TILE_EDGE + IMP_MAX_OCTREE_LEVEL - TILE_BITS + 1)

static bool sort_by_edge(impi_Arena *arena, impi_CubeList *list)
{
    imp_OctreeCube *sorted = impi_arena_allocate_array(arena, list->count, sizeof *sorted);
    size_t places[EDGE_CLASSES] = {0}, place = 0;
    if (!sorted)
        return false;
    for (size_t i = 0; i < list->count; ++i)
        ++places[class_of(list->cubes[i].edge)];
    for (uint32_t c = EDGE_CLASSES; c-- > 0;) {
        size_t here = places[c];
        places[c] = place;
        place += here;
    }
    for (size_t i = 0; i < list->count; ++i)
        sorted[places[class_of(list->cubes[i].edge)]++] = list->cubes[i];
    list->cubes = sorted;
    return true;
}

imp_Status impi_octree_compact(imp_Context *context, uint32_t starts, impi_CubeList *list)
{
    imp_Status status = IMP_STATUS_OK;
    size_t kept = 0, end;
    impi_watch_work(&context->watch, "compacting an octree", list->count + 1);
    for (size_t begin = 0; begin < list->count && status == IMP_STATUS_OK; begin = end) {
        for (end = begin + 1; end < list->count && is_same_tile(&list->cubes[begin], &list->cubes[end]);)
            ++end;
        size_t count = end - begin;
        if (count > 1)
            status = compact_tile(context, list->cubes + begin, &count, starts);
        memmove(list->cubes + kept, list->cubes + begin, count * sizeof *list->cubes);
        kept += count;
        impi_watch_step(&context->watch, end - begin);
    }
    list->count = kept;
    if (status == IMP_STATUS_OK && !sort_by_edge(&context->scratch, list))
        status = impi_fail_out_of_memory(context);
    return status == IMP_STATUS_OK ? impi_watch_status(context) : status;
}
