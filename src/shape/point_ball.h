/// Balls around chains of points, and how far they reach out of the surface there.
#ifndef IMPINGE_SHAPE_POINT_BALL_H
#define IMPINGE_SHAPE_POINT_BALL_H

#include "shape/surface_points.h"

/// An entry of a chain.
typedef struct impi_PointEntry {
    uint32_t point, next;
} impi_PointEntry;

/// The points of two chains, one after the other: of each so many. The first has at least one.
typedef struct impi_PointWalk {
    const impi_SurfacePoint *points;
    const impi_PointEntry *entries;
    uint32_t entry, then;   // in the first chain, and where the second begins
    size_t left, then_left; // how many points of each
} impi_PointWalk;

typedef struct impi_PointBall {
    imp_Vec3 center;
    double radius;
} impi_PointBall;

/// A small ball that holds the points. One of these centers may be the best.
impi_PointBall impi_point_ball_around(impi_PointWalk walk, imp_Vec3 center_a, imp_Vec3 center_b);

/// How far the ball reaches from its points along their normals, at most: nearly how far it sticks out of the
/// surface.
double impi_point_ball_reach(impi_PointWalk walk, const impi_PointBall *ball, bool is_solid);

#endif
