/// A ball around points that sticks out of a body as little as is easily found.
#ifndef IMPINGE_SHAPE_BALL_FIT_H
#define IMPINGE_SHAPE_BALL_FIT_H

#include "shape/distance_grid.h"
#include "shape/surface_field.h"

/// Lists of points are padded to a multiple of this, by repeating the last one.
#define IMPI_POINT_LANES 8

/// Points that a ball is to hold, in the local frame.
typedef struct impi_BallPoints {
    float *x, *y, *z;
    size_t count;
} impi_BallPoints;

typedef struct impi_Ball {
    float center[3];
    float radius;
    float excess; // how far the ball sticks out of the body, or a little more
} impi_Ball;

/// Directions from the center of a sphere in which its excess is sampled.
#define IMPI_BALL_SAMPLES 256

/// How well the excess is known. A bound takes one look into the grid and is nearly true of small balls;
/// samples take many, and are for large balls.
typedef struct impi_BallSearch {
    const impi_DistanceGrid *grid;  // null: the whole radius counts as excess
    const impi_SurfaceField *field; // where given, for what the grid says is good; not with samples
    bool is_sampled;
    float radius_part; // of the radius counts as excess, too: what a proof may exceed the truth by
    float directions[IMPI_BALL_SAMPLES][3];
} impi_BallSearch;

void impi_ball_search_make(const impi_DistanceGrid *grid, bool is_sampled, impi_BallSearch *search);

/// Repeat the last point until the count is a multiple of the lanes; there must be room for it.
void impi_ball_points_pad(impi_BallPoints *points);

/// Squared distance of the farthest point.
float impi_farthest_squared(const impi_BallPoints *points, const float center[3]);

/// The middle of the box around points, and how far from it they are.
float impi_points_middle(const impi_BallPoints *points, float middle[3]);

/// The ball around a center that holds the points.
impi_Ball impi_ball_at(const impi_BallSearch *search, const impi_BallPoints *points, const float center[3]);

/// Move the center of a ball from where it is, with steps from `step` down to `least_step`, while the excess
/// falls. Its other fields are set.
void impi_ball_fit(const impi_BallSearch *search, const impi_BallPoints *points, float step, float least_step,
                   impi_Ball *ball);

/// The center of a ball around all points of the pieces that is smallest, nearly. Ends early when the watch
/// says so.
imp_Vec3 impi_smallest_ball_center(impi_Watch *watch, const impi_SpherePieces *pieces);

#endif
