/// Closest points of two triangles in plain doubles: a guess that others check, or take bounds from.
#ifndef IMPINGE_GEOM_CLOSEST_GUESS_H
#define IMPINGE_GEOM_CLOSEST_GUESS_H

#include "geom/part_pair.h"

typedef struct impi_ClosestGuess {
    impi_PartPair parts;
    imp_Vec3 vertices[6]; // in a frame that begins at the first vertex of a, times a power of two
    double scale;         // that power
    double extent;        // the largest size of a coordinate of these vertices
    imp_Vec3 from_a_to_b; // between points of the triangles, up to rounding: see IMPI_DISTANCE_ERROR
    imp_Vec3 direction;   // of that, more precisely where it is short; of any length
} impi_ClosestGuess;

/// Coordinates are finite. Whether these points and parts are the closest ones is not certain.
void impi_guess_closest(const imp_Triangle *a, const imp_Triangle *b, impi_ClosestGuess *guess);

#endif
