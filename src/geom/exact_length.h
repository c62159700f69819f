/// The length between parts of two triangles as a fraction of integers, and whether no other points of the
/// triangles are nearer.
#ifndef IMPINGE_GEOM_EXACT_LENGTH_H
#define IMPINGE_GEOM_EXACT_LENGTH_H

#include "geom/grid_pair.h"
#include "geom/part_pair.h"

/// The square of a length, in steps of the grid, is square / divisor. The nearest point of a part is its
/// first corner plus the edges from there to its other corners, each times weight / divisor. All are
/// positive.
typedef struct impi_ExactLength {
    int step; // exponent of the grid
    int square_words, divisor_words;
    uint64_t square[6 * IMPI_PAIR_MAX_WORDS];
    uint64_t divisor[4 * IMPI_PAIR_MAX_WORDS];
    uint64_t weights[2][2][4 * IMPI_PAIR_MAX_WORDS]; // of a and of b; as many words as the divisor
} impi_ExactLength;

typedef enum impi_Nearness {
    IMPI_NOT_NEAREST,
    IMPI_NEAREST,      ///< and others may be as near, or the points lie on the border of their parts
    IMPI_ALONE_NEAREST ///< no other points are as near, and these lie inside their parts
} impi_Nearness;

/// Have the triangles, which do not touch, no points that are nearer to each other than the nearest ones of
/// the lines or planes of these parts, and do those lie in them? If so `length` tells how far that is.
impi_Nearness impi_exact_nearness(const impi_GridPair *pair, const impi_PartPair *parts,
                                  impi_ExactLength *length);

/// The sign of `value` minus the length; the value is finite and not negative.
int impi_exact_length_compare(const impi_ExactLength *length, double value);

/// The greatest double that is not more and the least that is not less: the largest double and infinity
/// beyond their range.
void impi_exact_length_round(const impi_ExactLength *length, double *lower, double *upper);

#endif
