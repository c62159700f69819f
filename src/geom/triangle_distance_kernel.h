// The body of impi_triangle_distance_*, compiled once per instruction set; TABLE is its name.
// Loops over the lanes without branches, which the compiler turns into vectors: one for each step, because it
// gives up on longer ones. What is between them stays in the nearest cache.
//
// The closest points of two triangles that are apart lie on two edges, or on a vertex and a face: 9 and 6
// cases, of which the shortest is taken. That need not be right to give bounds that are:
//
// - Points are made of parameters between 0 and 1, so whatever rounding does to these, the points lie in
//   their triangles but for the rounding of their coordinates, and their distance is an upper bound.
// - Seen along any direction w, two triangles are at least as far apart as their shadows on w. For the
//   closest points' own direction that is their distance: the lower bound, which also tells of triangles that
//   cross, whose closest points are none of the 15.
//
// Errors: coordinates are taken relative to a vertex, which rounds each by at most e = 2^-53 of its size; let
// M be the largest of them. A point is a sum of a coordinate and a product with a parameter, of which none
// exceeds 2M: each coordinate of a difference of points is off by less than 16 e M, its length by less than
// 28 e M. A product of the direction w with a vertex is off by less than 7 e |w| M, the difference of two of
// them by less than 18 e |w| M. Both are below 64 e M, which is what is used; relative errors of lengths are
// below 8 e. Sizes are limited so that nothing that counts under- or overflows.
#include "geom/scalar.h"
#include "geom/triangle_distance.h"

#include <math.h>

#define KERNEL static inline __attribute__((always_inline))

#define ABSOLUTE_ERROR (64 * 0x1p-53)
#define RELATIVE_ERROR (8 * 0x1p-53)
#define MIN_EXTENT     1e-70
#define MAX_EXTENT     1e70
#define MIN_LENGTH     1e-150

#define LANES IMPI_BATCH_LANES

// A vector in each lane.
typedef struct LaneVectors {
    _Alignas(64) double x[LANES], y[LANES], z[LANES];
} LaneVectors;

typedef struct LaneTriangles {
    LaneVectors corners[3], edges[3]; // edge i goes from corner i to the next
    double squares[3][LANES];         // of the edges' lengths
    double inverses[3][LANES];        // of these; 0 for an edge that is a point
    double along[LANES];              // product of edge 0 with the way from corner 0 to corner 2
    double inverse[LANES];            // of four times the square of the area; 0 for none
} LaneTriangles;

typedef struct LaneBest {
    LaneVectors way;
    double square[LANES];
} LaneBest;

KERNEL imp_Vec3 at(const LaneVectors *vectors, int lane)
{
    return (imp_Vec3){vectors->x[lane], vectors->y[lane], vectors->z[lane]};
}

KERNEL void put(LaneVectors *vectors, int lane, imp_Vec3 v)
{
    vectors->x[lane] = v.x;
    vectors->y[lane] = v.y;
    vectors->z[lane] = v.z;
}

KERNEL imp_Vec3 difference(imp_Vec3 a, imp_Vec3 b)
{
    return (imp_Vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

KERNEL imp_Vec3 step(imp_Vec3 from, imp_Vec3 along, double parameter)
{
    return (imp_Vec3){from.x + along.x * parameter, from.y + along.y * parameter,
                      from.z + along.z * parameter};
}

KERNEL double dot(imp_Vec3 u, imp_Vec3 v)
{
    return (u.x * v.x + u.y * v.y) + u.z * v.z;
}

KERNEL double clamp(double parameter)
{
    return impi_smaller(impi_larger(parameter, 0.0), 1.0);
}

KERNEL double invert(double value)
{
    double inverse = 1 / value;
    return value > 0 ? inverse : 0;
}

KERNEL void load_corners(const double t[3][3][LANES], const double origin[3][LANES], LaneTriangles *out)
{
    for (int i = 0; i < 3; ++i) {
        for (int lane = 0; lane < LANES; ++lane) {
            out->corners[i].x[lane] = t[i][0][lane] - origin[0][lane];
            out->corners[i].y[lane] = t[i][1][lane] - origin[1][lane];
            out->corners[i].z[lane] = t[i][2][lane] - origin[2][lane];
        }
    }
}

KERNEL void load(const double t[3][3][LANES], const double origin[3][LANES], LaneTriangles *out)
{
    load_corners(t, origin, out);
    for (int i = 0; i < 3; ++i) {
        const LaneVectors *corner = &out->corners[i], *next = &out->corners[(i + 1) % 3];
        for (int lane = 0; lane < LANES; ++lane) {
            imp_Vec3 edge = difference(at(next, lane), at(corner, lane));
            double square = dot(edge, edge);
            put(&out->edges[i], lane, edge);
            out->squares[i][lane] = square;
            out->inverses[i][lane] = invert(square);
        }
    }
    for (int lane = 0; lane < LANES; ++lane) {
        double along = -dot(at(&out->edges[0], lane), at(&out->edges[2], lane));
        out->along[lane] = along;
        out->inverse[lane] = invert(out->squares[0][lane] * out->squares[2][lane] - along * along);
    }
}

KERNEL void consider(LaneBest *best, int lane, imp_Vec3 way)
{
    double square = dot(way, way), least = best->square[lane];
    imp_Vec3 old = at(&best->way, lane);
    bool is_shorter = square < least;
    best->way.x[lane] = is_shorter ? way.x : old.x;
    best->way.y[lane] = is_shorter ? way.y : old.y;
    best->way.z[lane] = is_shorter ? way.z : old.z;
    best->square[lane] = is_shorter ? square : least;
}

// Closest points of two edges. Along parallel ones any parameter will do to begin with.
KERNEL void consider_edges(LaneBest *best, const LaneTriangles *a, int i, const LaneTriangles *b, int j)
{
    for (int lane = 0; lane < LANES; ++lane) {
        imp_Vec3 edge_a = at(&a->edges[i], lane), edge_b = at(&b->edges[j], lane);
        imp_Vec3 start = difference(at(&b->corners[j], lane), at(&a->corners[i], lane));
        double square_a = a->squares[i][lane], square_b = b->squares[j][lane];
        double both = dot(edge_a, edge_b), start_a = dot(edge_a, start), start_b = dot(edge_b, start);
        double determinant = square_a * square_b - both * both;
        double s = clamp((start_a * square_b - both * start_b) * invert(determinant));
        double t = clamp((both * s - start_b) * b->inverses[j][lane]);
        s = clamp((both * t + start_a) * a->inverses[i][lane]);
        consider(best, lane, step(step(start, edge_b, t), edge_a, -s));
    }
}

// The foot of a point's perpendicular on a face, where it falls into it. `sign` is 1 when the way leads from
// the face to the point.
KERNEL void consider_face(LaneBest *best, const LaneTriangles *face, const LaneVectors *points, double sign)
{
    for (int lane = 0; lane < LANES; ++lane) {
        imp_Vec3 edge = at(&face->edges[0], lane), back = at(&face->edges[2], lane);
        imp_Vec3 offset = difference(at(points, lane), at(&face->corners[0], lane));
        double along = face->along[lane], inverse = face->inverse[lane];
        double first = dot(offset, edge), second = -dot(offset, back);
        double u = impi_larger((face->squares[2][lane] * first - along * second) * inverse, 0.0);
        double v = impi_larger((face->squares[0][lane] * second - along * first) * inverse, 0.0);
        double excess = impi_larger(u + v, 1.0);
        imp_Vec3 way = step(step(offset, edge, -(u / excess)), back, v / excess);
        consider(best, lane, (imp_Vec3){way.x * sign, way.y * sign, way.z * sign});
    }
}

KERNEL void find_best(const LaneTriangles *a, const LaneTriangles *b, LaneBest *best)
{
    for (int lane = 0; lane < LANES; ++lane) {
        put(&best->way, lane, (imp_Vec3){0, 0, 0});
        best->square[lane] = INFINITY;
    }
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            consider_edges(best, a, i, b, j);
    for (int i = 0; i < 3; ++i) {
        consider_face(best, a, &b->corners[i], 1);
        consider_face(best, b, &a->corners[i], -1);
    }
}

KERNEL double larger_coordinate(double size, imp_Vec3 v)
{
    return impi_larger(impi_larger(size, fabs(v.x)), impi_larger(fabs(v.y), fabs(v.z)));
}

KERNEL void find_extent(const LaneTriangles *a, const LaneTriangles *b, double extent[LANES])
{
    for (int lane = 0; lane < LANES; ++lane) {
        double size = larger_coordinate(0, at(&a->corners[1], lane)); // corner 0 is the origin
        size = larger_coordinate(size, at(&a->corners[2], lane));
        size = larger_coordinate(size, at(&b->corners[0], lane));
        size = larger_coordinate(size, at(&b->corners[1], lane));
        extent[lane] = larger_coordinate(size, at(&b->corners[2], lane));
    }
}

// Shadows of the triangles on a direction, times its length. Corner 0 of a is the origin.
typedef struct Shadows {
    double min_a, max_a, min_b, max_b;
} Shadows;

KERNEL Shadows cast_shadows(const LaneTriangles *a, const LaneTriangles *b, imp_Vec3 direction, int lane)
{
    double a1 = dot(at(&a->corners[1], lane), direction), a2 = dot(at(&a->corners[2], lane), direction);
    double b0 = dot(at(&b->corners[0], lane), direction), b1 = dot(at(&b->corners[1], lane), direction),
           b2 = dot(at(&b->corners[2], lane), direction);
    return (Shadows){impi_smaller(impi_smaller(a1, a2), 0.0), impi_larger(impi_larger(a1, a2), 0.0),
                     impi_smaller(impi_smaller(b0, b1), b2), impi_larger(impi_larger(b0, b1), b2)};
}

static void measure(const impi_TriangleBatch *batch, impi_BatchDistance *distance)
{
    LaneTriangles a, b;
    LaneBest best;
    _Alignas(64) double extents[LANES];
    load(batch->a, batch->a[0], &a);
    load(batch->b, batch->a[0], &b);
    find_best(&a, &b, &best);
    find_extent(&a, &b, extents);
    for (int lane = 0; lane < LANES; ++lane) {
        imp_Vec3 way = at(&best.way, lane);
        double extent = extents[lane], error = extent * ABSOLUTE_ERROR, length = sqrt(best.square[lane]);
        Shadows shadows = cast_shadows(&a, &b, way, lane);
        double lower = (shadows.min_b - shadows.max_a) / length;
        bool is_sound = (extent >= MIN_EXTENT) & (extent <= MAX_EXTENT);
        bool has_way = is_sound & (length >= MIN_LENGTH) & (length <= 4 * MAX_EXTENT);
        distance->upper[lane] = is_sound ? (length + length * RELATIVE_ERROR) + error : (double)INFINITY;
        distance->lower[lane] = has_way ? (lower - lower * RELATIVE_ERROR) - error : 0;
        distance->way[0][lane] = way.x;
        distance->way[1][lane] = way.y;
        distance->way[2][lane] = way.z;
    }
}

KERNEL imp_Vec3 normal_at(const LaneTriangles *t, int lane)
{
    imp_Vec3 u = difference(at(&t->corners[1], lane), at(&t->corners[0], lane));
    imp_Vec3 v = difference(at(&t->corners[2], lane), at(&t->corners[0], lane));
    return (imp_Vec3){u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x};
}

// How far apart along the normal of `of`, which need not be a good one: shadows on any direction will do.
KERNEL void bound_along_normal(const LaneTriangles *a, const LaneTriangles *b, const LaneTriangles *of,
                               const double extents[LANES], double lower[LANES])
{
    for (int lane = 0; lane < LANES; ++lane) {
        imp_Vec3 normal = normal_at(of, lane);
        double length = sqrt(dot(normal, normal)), extent = extents[lane];
        Shadows shadows = cast_shadows(a, b, normal, lane);
        double gap = impi_larger(shadows.min_b - shadows.max_a, shadows.min_a - shadows.max_b) / length;
        double bound = (gap - gap * RELATIVE_ERROR) - extent * ABSOLUTE_ERROR;
        bool is_sound = (extent >= MIN_EXTENT) & (extent <= MAX_EXTENT) & (length >= MIN_LENGTH);
        lower[lane] = impi_larger(is_sound ? bound : 0.0, lower[lane]);
    }
}

static void bound(const impi_TriangleBatch *batch, double lower[LANES])
{
    LaneTriangles a, b;
    _Alignas(64) double extents[LANES];
    load_corners(batch->a, batch->a[0], &a);
    load_corners(batch->b, batch->a[0], &b);
    find_extent(&a, &b, extents);
    for (int lane = 0; lane < LANES; ++lane)
        lower[lane] = 0;
    bound_along_normal(&a, &b, &a, extents, lower);
    bound_along_normal(&a, &b, &b, extents, lower);
}

const impi_TriangleDistance TABLE = {.measure = measure, .bound = bound};
