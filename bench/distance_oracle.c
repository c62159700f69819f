#include "distance_oracle.h"

#include "geom/vector.h"
#include "shape/bounds.h"

#include <math.h>
#include <stdlib.h>

// ---- two triangles

static double clamp(double t)
{
    return t < 0 ? 0 : t > 1 ? 1 : t;
}

// The square of the distance of a point p and the segment from a to b.
static double point_segment(imp_Vec3 p, imp_Vec3 a, imp_Vec3 b)
{
    imp_Vec3 along = impi_subtract(b, a), from = impi_subtract(p, a);
    double square = impi_dot(along, along);
    imp_Vec3 rest = impi_add_scaled(from, square > 0 ? -clamp(impi_dot(from, along) / square) : 0, along);
    return impi_dot(rest, rest);
}

// Where the foot of the perpendicular lies inside, it is nearest; otherwise an edge is.
static double point_triangle(imp_Vec3 p, const imp_Triangle *triangle)
{
    const imp_Vec3 *v = triangle->v;
    imp_Vec3 normal = impi_cross(impi_subtract(v[1], v[0]), impi_subtract(v[2], v[0]));
    double square = impi_dot(normal, normal), least = INFINITY;
    bool is_above = square > 0;
    for (int i = 0; i < 3; ++i) {
        imp_Vec3 from = v[i], to = v[(i + 1) % 3];
        is_above &= impi_dot(impi_cross(impi_subtract(to, from), impi_subtract(p, from)), normal) >= 0;
        least = fmin(least, point_segment(p, from, to));
    }
    if (!is_above)
        return least;
    double height = impi_dot(impi_subtract(p, v[0]), normal);
    return fmin(least, height * height / square);
}

// Of two segments: where both lines are nearest inside of both; ends are compared with triangles anyway.
static double segment_segment(const imp_Vec3 *a, const imp_Vec3 *b)
{
    imp_Vec3 u = impi_subtract(a[1], a[0]), v = impi_subtract(b[1], b[0]), w = impi_subtract(b[0], a[0]);
    imp_Vec3 normal = impi_cross(u, v);
    double square = impi_dot(normal, normal);
    double s = impi_dot(impi_cross(w, v), normal), t = impi_dot(impi_cross(w, u), normal);
    if (square == 0 || s < 0 || s > square || t < 0 || t > square)
        return INFINITY;
    double height = impi_dot(w, normal);
    return height * height / square;
}

static double triangle_triangle(const imp_Triangle *a, const imp_Triangle *b)
{
    double least = INFINITY;
    for (int i = 0; i < 3; ++i) {
        least = fmin(least, fmin(point_triangle(a->v[i], b), point_triangle(b->v[i], a)));
        for (int k = 0; k < 3; ++k)
            least = fmin(least, segment_segment((imp_Vec3[]){a->v[i], a->v[(i + 1) % 3]},
                                                (imp_Vec3[]){b->v[k], b->v[(k + 1) % 3]}));
    }
    return sqrt(least);
}

// ---- all of them

// A triangle's box, and how far it reaches towards the other surface.
typedef struct Reach {
    imp_Box box;
    double reach;
    const imp_Triangle *triangle;
} Reach;

static imp_Box box_of(const imp_Triangle *triangle)
{
    imp_Box box = {triangle->v[0], triangle->v[0]};
    impi_box_add(&box, &triangle->v[1]);
    impi_box_add(&box, &triangle->v[2]);
    return box;
}

static int compare_reaches(const void *a, const void *b)
{
    double left = ((const Reach *)a)->reach, right = ((const Reach *)b)->reach;
    return (left < right) - (left > right);
}

// Those that reach farthest along the direction come first.
static Reach *make_reaches(const OracleSurface *surface, imp_Vec3 direction)
{
    Reach *reaches = malloc(surface->count * sizeof *reaches);
    if (!reaches)
        exit(1);
    for (size_t i = 0; i < surface->count; ++i) {
        const imp_Triangle *triangle = &surface->triangles[i];
        double reach = fmax(impi_dot(triangle->v[0], direction),
                            fmax(impi_dot(triangle->v[1], direction), impi_dot(triangle->v[2], direction)));
        reaches[i] = (Reach){box_of(triangle), reach, triangle};
    }
    qsort(reaches, surface->count, sizeof *reaches, compare_reaches);
    return reaches;
}

static double gap(double min_a, double max_a, double min_b, double max_b)
{
    return fmax(0, fmax(min_b - max_a, min_a - max_b));
}

static double box_distance(const imp_Box *a, const imp_Box *b)
{
    double x = gap(a->min.x, a->max.x, b->min.x, b->max.x);
    double y = gap(a->min.y, a->max.y, b->min.y, b->max.y);
    double z = gap(a->min.z, a->max.z, b->min.z, b->max.z);
    return sqrt(x * x + y * y + z * z);
}

double distance_oracle_find(const OracleSurface *a, const OracleSurface *b, imp_Vec3 direction, double limit)
{
    Reach *reaches_a = make_reaches(a, direction), *reaches_b = make_reaches(b, impi_scale(direction, -1));
    double least = INFINITY;
    for (size_t i = 0; i < a->count; ++i)
        for (size_t k = 0; k < b->count && -reaches_b[k].reach - reaches_a[i].reach < limit; ++k)
            if (box_distance(&reaches_a[i].box, &reaches_b[k].box) < fmin(limit, least))
                least = fmin(least, triangle_triangle(reaches_a[i].triangle, reaches_b[k].triangle));
    free(reaches_a);
    free(reaches_b);
    return least;
}

// ---- candidates

static bool meet(const imp_Box *a, const imp_Box *b)
{
    return a->min.x <= b->max.x && b->min.x <= a->max.x && a->min.y <= b->max.y && b->min.y <= a->max.y &&
           a->min.z <= b->max.z && b->min.z <= a->max.z;
}

static imp_Box bounds_of(const OracleSurface *surface)
{
    imp_Box bounds = box_of(&surface->triangles[0]);
    for (size_t i = 1; i < surface->count; ++i)
        for (int k = 0; k < 3; ++k)
            impi_box_add(&bounds, &surface->triangles[i].v[k]);
    return bounds;
}

// Boxes of those triangles that come near the other surface's bounds.
static imp_Box *make_near_boxes(const OracleSurface *surface, imp_Box bounds, size_t *count)
{
    imp_Box *boxes = malloc(surface->count * sizeof *boxes);
    if (!boxes)
        exit(1);
    *count = 0;
    for (size_t i = 0; i < surface->count; ++i) {
        imp_Box box = box_of(&surface->triangles[i]);
        if (meet(&box, &bounds))
            boxes[(*count)++] = box;
    }
    return boxes;
}

uint64_t distance_oracle_count(const OracleSurface *a, const OracleSurface *b, double margin)
{
    imp_Box bounds_a = bounds_of(a), bounds_b = bounds_of(b);
    size_t count_a, count_b;
    imp_Box *boxes_a = make_near_boxes(a, impi_box_widen(&bounds_b, margin), &count_a);
    imp_Box *boxes_b = make_near_boxes(b, impi_box_widen(&bounds_a, margin), &count_b);
    uint64_t count = 0;
    for (size_t i = 0; i < count_a; ++i) {
        imp_Box widened = impi_box_widen(&boxes_a[i], margin);
        for (size_t k = 0; k < count_b; ++k)
            count += meet(&widened, &boxes_b[k]);
    }
    free(boxes_a);
    free(boxes_b);
    return count;
}
