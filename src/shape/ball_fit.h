/// A ball around points that sticks out of a body as little as is easily found.
#ifndef IMPINGE_SHAPE_BALL_FIT_H
#define IMPINGE_SHAPE_BALL_FIT_H

#include "shape/distance_grid.h"

/// Lists of points are padded to a multiple of this, by repeating the last one.
#define IMPI_POINT_LANES 8

/// Points that a ball is to hold, in the local frame.
typedef struct impi_BallPoints {
    float *x, *y, *z;
    size_t count; // padded
} impi_BallPoints;

typedef struct impi_Ball {
    float center[3];
    float distance; // of the center from the body, negative inside
    float radius;
    float excess; // radius + distance: no point of the ball is farther from the body
} impi_Ball;

/// Squared distance of the farthest point.
float impi_farthest_squared(const impi_BallPoints *points, const float center[3]);

/// The ball around a center that holds the points.
impi_Ball impi_ball_at(const impi_DistanceGrid *grid, const impi_BallPoints *points, const float center[3]);

/// Move the center of a ball from where it is, with steps from `step` down to `least_step`, while the excess
/// falls. Its other fields are set.
void impi_ball_fit(const impi_DistanceGrid *grid, const impi_BallPoints *points, float step, float least_step,
                   impi_Ball *ball);

/// The center of a ball around all points of the pieces that is smallest, nearly.
imp_Vec3 impi_smallest_ball_center(const impi_SpherePieces *pieces);

#endif
