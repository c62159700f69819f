/// The part of a few points' convex hull that is nearest to the origin, in integers: nothing is rounded.
#ifndef IMPINGE_OBJECT_EXACT_SIMPLEX_H
#define IMPINGE_OBJECT_EXACT_SIMPLEX_H

#include "geom/exact_integer.h"
#include "geom/exact_round.h"
#include "object/simplex.h"

/// Coordinates of points are integers on a common grid. A difference of coordinates takes a bit more than
/// they do, an edge between differences two; a cross product of edges is twice that and one more, and so on:
/// directions have up to degree 3 in the coordinates, their products with differences degree 4, and
/// 4 * bits + 13 holds all that is computed with its sign.
#define IMPI_EXACT_EXTRA_BITS 13
#define IMPI_EXACT_MAX_WORDS  ((4 * IMPI_DOUBLE_BITS + IMPI_EXACT_EXTRA_BITS + 63) / 64)

typedef struct impi_ExactInteger {
    uint64_t words[IMPI_EXACT_MAX_WORDS]; // as many as the width are used
} impi_ExactInteger;

typedef struct impi_ExactVector {
    impi_ExactInteger x, y, z;
} impi_ExactVector;

typedef struct impi_ExactSimplex {
    int width; // words of every integer
    unsigned count;
    imp_VertexPair pairs[IMPI_MAX_SIMPLEX];
    impi_ExactVector differences[IMPI_MAX_SIMPLEX];
    impi_ExactVector direction; // of what is nearest, of any length
} impi_ExactSimplex;

/// Coordinates over 2^*exponent, such that the longest lies between 1/2 and 1; each is off as what
/// impi_integer_round gives, or underflows. Not for a vector of zeros.
imp_Vec3 impi_exact_round_direction(int width, const impi_ExactVector *direction, int *exponent);

void impi_exact_load(int width, imp_Vec3 v, int step, impi_ExactVector *out);
void impi_exact_subtract(int width, const impi_ExactVector *a, const impi_ExactVector *b,
                         impi_ExactVector *out);
void impi_exact_dot(int width, const impi_ExactVector *a, const impi_ExactVector *b, impi_ExactInteger *out);
int impi_exact_dot_sign(int width, const impi_ExactVector *a, const impi_ExactVector *b);

/// Keep the points that span the part nearest to the origin, and set the direction: that of its nearest
/// point, as seen from the origin. True when the origin is in the hull; then there is no direction. At least
/// one point.
bool impi_exact_simplex_reduce(impi_ExactSimplex *simplex);

/// Weights, adding up to 1 but for rounding, of the point nearest to the origin. For a simplex that was just
/// reduced.
void impi_exact_simplex_weights(const impi_ExactSimplex *simplex, double weights[IMPI_MAX_SIMPLEX]);

#endif
