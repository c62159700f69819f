/// Convex polygons, cut by half-spaces without any rounding: what oracles need that look at common parts
/// instead of directions between them. A polygon may be flat, a segment or a point: its corners then lie on a
/// line or in one place, and nothing else is different. Not for use on several threads.
#ifndef IMPINGE_TESTS_EXACT_POLYGON_H
#define IMPINGE_TESTS_EXACT_POLYGON_H

#include <gmp.h>
#include <stdbool.h>

/// At x/w, y/w, z/w, with w > 0.
typedef struct ExactPoint {
    mpz_t v[4];
} ExactPoint;

/// The points where n[0] x + n[1] y + n[2] z + n[3] w is not negative.
typedef struct ExactSpace {
    mpz_t n[4];
} ExactSpace;

/// Each cut adds one corner at most: enough for four corners and twelve cuts.
#define EXACT_MAX_CORNERS 16

typedef struct ExactPolygon {
    ExactPoint corners[EXACT_MAX_CORNERS];
    int count; ///< 0: there is nothing left
} ExactPolygon;

/// Numbers begin at 0, points and spaces with all of theirs, polygons empty.
void exact_point_init(ExactPoint *point);
void exact_point_clear(ExactPoint *point);
void exact_space_init(ExactSpace *space);
void exact_space_clear(ExactSpace *space);
void exact_polygon_init(ExactPolygon *polygon);
void exact_polygon_clear(ExactPolygon *polygon);

/// `values` times 2^`scale` with the scale of exact_scale_of is a whole number.
int exact_scale_of(const double *values, int count);
void exact_set_double(mpz_t number, double value, int scale);

/// One more corner, with w = 1.
void exact_polygon_add(ExactPolygon *polygon, const mpz_t x, const mpz_t y, const mpz_t z);

/// Above (or below) a value along an axis.
void exact_space_along(ExactSpace *space, int axis, bool above, const mpz_t value);

/// The side of a point: 1 inside, 0 on the boundary, -1 outside.
int exact_side(const ExactSpace *space, const ExactPoint *point);

/// The common part of polygon and half-space into `cut`, which is another one.
void exact_polygon_cut(const ExactPolygon *polygon, const ExactSpace *space, ExactPolygon *cut);

/// Is any corner strictly inside? If so for each of several half-spaces, a polygon that lies in all of them
/// has a point strictly inside of all of them at once, for example the middle of its corners.
bool exact_polygon_enters(const ExactPolygon *polygon, const ExactSpace *space);

#endif
