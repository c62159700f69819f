// The body of impi_octants_decide_*, compiled once per instruction set; DECIDE is its name, and LANES, 2 or
// 4, how many triangles there are in its vectors.
//
// Bounding boxes come first: most triangles are small beside the cells near the root, and inside of an
// octant. The directions are those of geom/triangle_box.c. Along each of them a triangle reaches from its
// lowest vertex to its highest, and an octant to both sides of its center. The two are apart if their middles
// are farther from each other than half of both widths together: by the gap. Where an edge is parallel to an
// axis, its directions are axes, and where a triangle lies in a plane across an axis, its normal is one; axes
// are decided by comparing coordinates, so these directions are left out: their gaps are -INFINITY.
//
// Edges and axes are counted by constants, so that the compiler unrolls everything.
#include "geom/filter.h"
#include "geom/triangle_octants.h"

#include <math.h>

#ifdef __AVX__
#include <immintrin.h>
#endif

#define KERNEL static inline __attribute__((always_inline))

// One number for each triangle, and bits: those of comparisons, or a state, which is what is known.
typedef double Lanes __attribute__((vector_size(8 * LANES)));
typedef int64_t Bits __attribute__((vector_size(8 * LANES)));

#define MISSED(octants)  ((int64_t)(octants))
#define UNKNOWN(octants) ((int64_t)(octants) << 8)
#define INSIDE           ((int64_t)1 << 16)
#define ALL_OCTANTS      0xFF

// Octants in the lower and in the upper half along an axis.
static const uint8_t halves[3][2] = {{0x55, 0xAA}, {0x33, 0xCC}, {0x0F, 0xF0}};

typedef struct Points {
    Lanes at[3][3];   // of each vertex, from the cut on
    Lanes edge[3][3]; // from each vertex to the next
    Lanes turn[3][3]; // cross product of both vertices, from the cut on
    Lanes normal[3];
    Lanes size; // the largest coordinate of triangle and cell
} Points;

KERNEL Lanes all(double number)
{
    return number - (Lanes){0};
}

KERNEL Lanes where(Bits which, double number)
{
    return (Lanes)(which & (Bits)all(number));
}

KERNEL Lanes magnitude(Lanes a)
{
    return (Lanes)((Bits)a & INT64_MAX);
}

KERNEL Lanes greater(Lanes a, Lanes b)
{
#ifdef __AVX__
    return (Lanes)_mm256_max_pd((__m256d)a, (__m256d)b);
#else
    Bits is_greater = a > b;
    return (Lanes)((is_greater & (Bits)a) | (~is_greater & (Bits)b));
#endif
}

KERNEL Lanes lesser(Lanes a, Lanes b)
{
#ifdef __AVX__
    return (Lanes)_mm256_min_pd((__m256d)a, (__m256d)b);
#else
    Bits is_less = a < b;
    return (Lanes)((is_less & (Bits)a) | (~is_less & (Bits)b));
#endif
}

KERNEL double coordinate(const imp_Vec3 *v, int axis)
{
    return axis == 0 ? v->x : axis == 1 ? v->y : v->z;
}

KERNEL Lanes load(const imp_Triangle *const *triangles, int vertex, int axis)
{
#if LANES == 4
    return (Lanes){coordinate(&triangles[0]->v[vertex], axis), coordinate(&triangles[1]->v[vertex], axis),
                   coordinate(&triangles[2]->v[vertex], axis), coordinate(&triangles[3]->v[vertex], axis)};
#else
    return (Lanes){coordinate(&triangles[0]->v[vertex], axis), coordinate(&triangles[1]->v[vertex], axis)};
#endif
}

// ---- by boxes

// Octants that bounding boxes miss, and whether these are inside of the closed cell.
KERNEL Bits look_at_boxes(Lanes given[3][3], const impi_Octants *octants, bool is_open)
{
    Bits state = {0}, is_inside = ~state;
    for (int axis = 0; axis < 3; ++axis) {
        Lanes low = lesser(lesser(given[0][axis], given[1][axis]), given[2][axis]);
        Lanes high = greater(greater(given[0][axis], given[1][axis]), given[2][axis]);
        Lanes begin = all(octants->planes[axis][0]), cut = all(octants->planes[axis][1]),
              end = all(octants->planes[axis][2]);
        Bits in_low = is_open ? (low < cut) & (high > begin) : (low <= cut) & (high >= begin);
        Bits in_high = is_open ? (high > cut) & (low < end) : (high >= cut) & (low <= end);
        state |= ~in_low & MISSED(halves[axis][0]);
        state |= ~in_high & MISSED(halves[axis][1]);
        is_inside &= (low >= begin) & (high <= end);
    }
    return state | (is_inside & INSIDE);
}

// No octant is left, or one, which what is inside of the cell then meets: something of it is in one, in an
// open one, too, unless it lies in a plane between them or in a wall of the cell, and then none is left.
KERNEL Bits is_told(Bits state)
{
    Bits left = ~state & MISSED(ALL_OCTANTS);
    return ((left & (left - 1)) == 0) & ((left == 0) | ((state & INSIDE) != 0));
}

KERNEL bool are_all(Bits which)
{
    int64_t all_of_them = -1;
    for (int lane = 0; lane < LANES; ++lane)
        all_of_them &= which[lane];
    return all_of_them != 0;
}

// ---- along directions

// Seen along an axis, cross products around a triangle sum up to twice its area: the normal's coordinate.
KERNEL void find_points(Lanes given[3][3], const impi_Octants *octants, Points *p)
{
    p->size = all(octants->extent);
    for (int i = 0; i < 3; ++i) {
        for (int axis = 0; axis < 3; ++axis) {
            p->at[i][axis] = given[i][axis] - octants->planes[axis][1];
            p->size = greater(p->size, magnitude(p->at[i][axis]));
        }
    }
    for (int axis = 0; axis < 3; ++axis) {
        int u = (axis + 1) % 3, v = (axis + 2) % 3;
        for (int from = 0; from < 3; ++from) {
            int to = (from + 1) % 3;
            p->edge[from][axis] = p->at[to][axis] - p->at[from][axis];
            p->turn[from][axis] = p->at[from][u] * p->at[to][v] - p->at[from][v] * p->at[to][u];
        }
        p->normal[axis] = (p->turn[0][axis] + p->turn[1][axis]) + p->turn[2][axis];
    }
}

KERNEL Bits of_gap(Lanes gap, Lanes error, uint8_t octants)
{
    return ((gap > error) & MISSED(octants)) | (~(gap < -error) & UNKNOWN(octants));
}

KERNEL Bits look_along_normal(Lanes given[3][3], const Points *p, const impi_Octants *octants)
{
    Lanes at[3][2], reach[3][2], error = IMPI_OCTANT_NORMAL_ERROR * p->size * p->size * p->size;
    Bits is_axis = {0}, state = {0};
    const Lanes *n = p->normal;
    Lanes height = (n[0] * p->at[0][0] + n[1] * p->at[0][1]) + n[2] * p->at[0][2];
    for (int axis = 0; axis < 3; ++axis) {
        is_axis |= (given[0][axis] == given[1][axis]) & (given[0][axis] == given[2][axis]);
        for (int side = 0; side < 2; ++side) {
            at[axis][side] = n[axis] * octants->center[axis][side];
            reach[axis][side] = magnitude(at[axis][side]);
        }
    }
    for (int side = 0; side < 2; ++side) {
        at[0][side] -= height;
        reach[0][side] += where(is_axis, INFINITY);
    }
    for (int octant = 0; octant < 8; ++octant) {
        int x = octant & 1, y = octant >> 1 & 1, z = octant >> 2;
        Lanes gap = magnitude((at[0][x] + at[1][y]) + at[2][z]) - ((reach[0][x] + reach[1][y]) + reach[2][z]);
        state |= of_gap(gap, error, (uint8_t)(1 << octant));
    }
    return state;
}

// The edge's cross products with points, seen along the axis: -turn for all that are on it, and by the
// normal's coordinate more for the opposite vertex.
KERNEL void look_across_edge(const Points *p, int axis, int from, Lanes left_out, const impi_Octants *octants,
                             Lanes gaps[2][2])
{
    int u = (axis + 1) % 3, v = (axis + 2) % 3;
    Lanes to_apex = 0.5 * p->normal[axis], middle = to_apex - p->turn[from][axis];
    Lanes half = magnitude(to_apex) + left_out, at_u[2], at_v[2], reach_u[2], reach_v[2];
    for (int side = 0; side < 2; ++side) {
        at_u[side] = p->edge[from][v] * octants->center[u][side];
        at_v[side] = p->edge[from][u] * octants->center[v][side];
        reach_u[side] = magnitude(at_u[side]);
        reach_v[side] = magnitude(at_v[side]) + half;
        at_v[side] -= middle;
    }
    for (int side_u = 0; side_u < 2; ++side_u)
        for (int side_v = 0; side_v < 2; ++side_v) {
            Lanes gap = magnitude(at_v[side_v] - at_u[side_u]) - (reach_v[side_v] + reach_u[side_u]);
            gaps[side_u][side_v] = from == 0 ? gap : greater(gap, gaps[side_u][side_v]);
        }
}

// Octants that differ along the axis only share their gaps.
KERNEL Bits look_across_axis(const Points *p, int axis, const Lanes left_out[3], const impi_Octants *octants)
{
    int u = (axis + 1) % 3, v = (axis + 2) % 3;
    Lanes gaps[2][2], error = IMPI_OCTANT_EDGE_ERROR * p->size * p->size;
    Bits state = {0};
    look_across_edge(p, axis, 0, left_out[0], octants, gaps);
    look_across_edge(p, axis, 1, left_out[1], octants, gaps);
    look_across_edge(p, axis, 2, left_out[2], octants, gaps);
    for (int side_u = 0; side_u < 2; ++side_u)
        for (int side_v = 0; side_v < 2; ++side_v)
            state |= of_gap(gaps[side_u][side_v], error, halves[u][side_u] & halves[v][side_v]);
    return state;
}

KERNEL Bits look_across_edges(Lanes given[3][3], const Points *p, const impi_Octants *octants)
{
    Lanes left_out[3];
    for (int from = 0; from < 3; ++from) {
        int to = (from + 1) % 3;
        Bits x = given[from][0] == given[to][0], y = given[from][1] == given[to][1],
             z = given[from][2] == given[to][2];
        left_out[from] = where((x & y) | (y & z) | (z & x), INFINITY);
    }
    return look_across_axis(p, 0, left_out, octants) | look_across_axis(p, 1, left_out, octants) |
           look_across_axis(p, 2, left_out, octants);
}

KERNEL Bits decide(const imp_Triangle *const *triangles, const impi_Octants *octants, bool is_open)
{
    Lanes given[3][3];
    for (int i = 0; i < 3; ++i)
        for (int axis = 0; axis < 3; ++axis)
            given[i][axis] = load(triangles, i, axis);
    Bits state = look_at_boxes(given, octants, is_open);
    if (are_all(is_told(state)))
        return state;
    Points p;
    find_points(given, octants, &p);
    Bits is_in_range = (p.size > IMPI_OCTANT_MIN_SIZE) & (p.size < IMPI_OCTANT_MAX_SIZE);
    Bits seen = look_along_normal(given, &p, octants) | look_across_edges(given, &p, octants);
    state |= (seen & is_in_range) | (~is_in_range & UNKNOWN(ALL_OCTANTS));
    return state & ~(is_told(state) & UNKNOWN(ALL_OCTANTS));
}

void DECIDE(const imp_Triangle *const triangles[IMPI_OCTANT_LANES], const impi_Octants *octants,
            impi_OctantLane lanes[IMPI_OCTANT_LANES])
{
    for (int first = 0; first < IMPI_OCTANT_LANES; first += LANES) {
        Bits state = octants->is_open ? decide(triangles + first, octants, true)
                                      : decide(triangles + first, octants, false);
        for (int lane = 0; lane < LANES; ++lane)
            lanes[first + lane] = (impi_OctantLane){(uint8_t)state[lane], (uint8_t)(state[lane] >> 8)};
    }
}
