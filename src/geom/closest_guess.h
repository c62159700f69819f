/// Closest points of two triangles in plain doubles: a guess that others check, or take bounds from.
#ifndef IMPINGE_GEOM_CLOSEST_GUESS_H
#define IMPINGE_GEOM_CLOSEST_GUESS_H

#include "geom/part_pair.h"

typedef struct impi_ClosestGuess {
    impi_PartPair parts;
    imp_Vec3 vertices[6]; // in a frame that begins at the first vertex of a, over a power of two
    double scale;         // that power's inverse
    double extent;        // the largest size of a coordinate of these vertices
    double weights[2][2]; // of the corners after the first, of each part
    imp_Vec3 from_a_to_b; // of the points that have these weights
    imp_Vec3 direction;   // of that, more precisely where it is short; of any length
} impi_ClosestGuess;

/// Coordinates are finite. Nothing about the guess is certain, except that weights are not negative and those
/// of a part do not exceed 1 by more than 2^-52 in all.
void impi_guess_closest(const imp_Triangle *a, const imp_Triangle *b, impi_ClosestGuess *guess);

#endif
