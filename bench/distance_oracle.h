/// How far apart two surfaces are, by looking at all pairs of their triangles in plain doubles: slow, and
/// right to 1e-9 or so where surfaces do not touch.
#ifndef IMPINGE_BENCH_DISTANCE_ORACLE_H
#define IMPINGE_BENCH_DISTANCE_ORACLE_H

#include <impinge/math.h>

/// Triangles where they stand.
typedef struct OracleSurface {
    const imp_Triangle *triangles;
    size_t count;
} OracleSurface;

/// The least distance of two triangles, among pairs that can be less than `limit` apart; infinite when there
/// are none. `direction` is of unit length, and saves time if b lies there, seen from a. No triangle of a may
/// cross one of b.
double distance_oracle_find(const OracleSurface *a, const OracleSurface *b, imp_Vec3 direction, double limit);

/// How many pairs of triangles have boxes that are at most `margin` apart along every axis?
uint64_t distance_oracle_count(const OracleSurface *a, const OracleSurface *b, double margin);

#endif
