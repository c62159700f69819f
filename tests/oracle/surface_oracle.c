#include "surface_oracle.h"

#include "distance_oracle.h"

#include <math.h>

// Far more than extended precision loses here.
#define SLACK 1e-9L

typedef struct Part {
    const imp_Vec3 *points;
    size_t count;
} Part;

static size_t part_count(const OracleBody *body)
{
    return body->hull ? 1 : body->triangle_count;
}

static Part part_of(const OracleBody *body, size_t i)
{
    return body->hull ? (Part){body->hull, body->hull_count} : (Part){body->triangles[i].v, 3};
}

typedef struct Range {
    double low, high;
} Range;

static Range range_of(const imp_Vec3 *points, size_t count, int axis)
{
    Range range = {INFINITY, -INFINITY};
    for (size_t i = 0; i < count; ++i) {
        double c = axis == 0 ? points[i].x : axis == 1 ? points[i].y : points[i].z;
        range.low = c < range.low ? c : range.low;
        range.high = c > range.high ? c : range.high;
    }
    return range;
}

long double oracle_box_gap(const imp_Vec3 *a, size_t count_a, const imp_Vec3 *b, size_t count_b)
{
    long double square = 0;
    for (int axis = 0; axis < 3; ++axis) {
        Range first = range_of(a, count_a, axis), second = range_of(b, count_b, axis);
        long double gap = first.low > second.high   ? (long double)first.low - second.high
                          : second.low > first.high ? (long double)second.low - first.high
                                                    : 0;
        square += gap * gap;
    }
    return sqrtl(square);
}

// Of the first corners of all parts: any two points bound the distance.
static long double nearest_vertices(const OracleBody *a, const OracleBody *b)
{
    long double least = INFINITY;
    for (size_t i = 0; i < part_count(a); ++i)
        for (size_t j = 0; j < part_count(b); ++j) {
            const imp_Vec3 *p = part_of(a, i).points, *q = part_of(b, j).points;
            long double x = (long double)p->x - q->x, y = (long double)p->y - q->y,
                        z = (long double)p->z - q->z;
            long double square = x * x + y * y + z * z;
            least = square < least ? square : least;
        }
    return sqrtl(least);
}

static bool is_clearly_farther(Part a, Part b, long double than)
{
    return oracle_box_gap(a.points, a.count, b.points, b.count) > than * (1 + SLACK);
}

bool oracle_bodies_distance(const OracleBody *a, const OracleBody *b, bool judge_all)
{
    bool is_kept = false;
    long double bound = judge_all ? INFINITY : nearest_vertices(a, b);
    for (size_t i = 0; i < part_count(a); ++i)
        for (size_t j = 0; j < part_count(b); ++j) {
            Part first = part_of(a, i), second = part_of(b, j);
            if (!judge_all && is_clearly_farther(first, second, bound))
                continue;
            if (!oracle_distance_find(first.points, first.count, second.points, second.count))
                return false;
            if (!is_kept || oracle_distance_compare_kept() < 0) {
                oracle_distance_keep();
                bound = fminl(bound, oracle_distance_value());
            }
            is_kept = true;
        }
    oracle_distance_recall();
    return true;
}

static bool is_before(uint32_t low, uint32_t high, const OracleFaces *other)
{
    return low != other->low ? low < other->low : high < other->high;
}

OracleFaces oracle_first_faces(const OracleBody *a, const OracleBody *b, double most, bool is_less,
                               bool judge_all)
{
    OracleFaces faces = {UINT32_MAX, UINT32_MAX, 0};
    for (size_t i = 0; i < a->triangle_count; ++i)
        for (size_t j = 0; j < b->triangle_count; ++j) {
            Part first = {a->triangles[i].v, 3}, second = {b->triangles[j].v, 3};
            uint32_t low = (uint32_t)(i < j ? i : j), high = (uint32_t)(i < j ? j : i);
            if (!judge_all && is_clearly_farther(first, second, most))
                continue;
            oracle_distance_find(first.points, 3, second.points, 3);
            if (oracle_distance_compare(most) < (is_less ? 1 : 0))
                continue;
            if (is_before(low, high, &faces))
                faces.low = low, faces.high = high;
            ++faces.count;
        }
    return faces;
}
