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

static long double coordinate(const imp_Vec3 *v, int axis)
{
    return axis == 0 ? v->x : axis == 1 ? v->y : v->z;
}

long double oracle_box_gap(const imp_Vec3 *a, size_t count_a, const imp_Vec3 *b, size_t count_b)
{
    long double square = 0;
    for (int axis = 0; axis < 3; ++axis) {
        long double low_a = INFINITY, high_a = -INFINITY, low_b = INFINITY, high_b = -INFINITY;
        for (size_t i = 0; i < count_a; ++i) {
            low_a = fminl(low_a, coordinate(&a[i], axis));
            high_a = fmaxl(high_a, coordinate(&a[i], axis));
        }
        for (size_t i = 0; i < count_b; ++i) {
            low_b = fminl(low_b, coordinate(&b[i], axis));
            high_b = fmaxl(high_b, coordinate(&b[i], axis));
        }
        long double gap = fmaxl(0, fmaxl(low_a - high_b, low_b - high_a));
        square += gap * gap;
    }
    return sqrtl(square);
}

static long double nearest_vertices(const OracleBody *a, const OracleBody *b)
{
    long double least = INFINITY;
    for (size_t i = 0; i < part_count(a); ++i)
        for (size_t j = 0; j < part_count(b); ++j) {
            Part first = part_of(a, i), second = part_of(b, j);
            for (size_t p = 0; p < first.count; ++p)
                for (size_t q = 0; q < second.count; ++q)
                    least = fminl(least, oracle_box_gap(&first.points[p], 1, &second.points[q], 1));
        }
    return least;
}

OracleGap oracle_bodies_distance(const OracleBody *a, const OracleBody *b, bool judge_all)
{
    OracleGap gap = {.nearest_count = 0};
    long double bound = judge_all ? INFINITY : nearest_vertices(a, b);
    for (size_t i = 0; i < part_count(a); ++i)
        for (size_t j = 0; j < part_count(b); ++j) {
            Part first = part_of(a, i), second = part_of(b, j);
            if (!judge_all &&
                oracle_box_gap(first.points, first.count, second.points, second.count) > bound * (1 + SLACK))
                continue;
            bool apart = oracle_distance_find(first.points, first.count, second.points, second.count);
            int order = gap.nearest_count == 0 ? -1 : oracle_distance_compare_kept();
            if (order < 0) {
                gap = (OracleGap){!apart, (uint32_t)i, (uint32_t)j, 0};
                oracle_distance_keep();
                bound = fminl(bound, oracle_distance_value());
            }
            gap.nearest_count += order <= 0;
            if (!apart)
                return gap;
        }
    oracle_distance_recall();
    return gap;
}
