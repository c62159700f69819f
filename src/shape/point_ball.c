#include "shape/point_ball.h"

static const impi_SurfacePoint *next_point(impi_PointWalk *walk)
{
    if (walk->left == 0) {
        walk->entry = walk->then;
        walk->left = walk->then_left;
        walk->then_left = 0;
    }
    if (walk->left == 0)
        return NULL;
    const impi_PointEntry *entry = &walk->entries[walk->entry];
    walk->entry = entry->next;
    --walk->left;
    return &walk->points[entry->point];
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

static double square_distance(imp_Vec3 a, imp_Vec3 b)
{
    imp_Vec3 away = impi_subtract(a, b);
    return impi_dot(away, away);
}

// The two of the points extreme along the axes that are farthest apart, as a diameter to begin with.
static impi_PointBall ball_of_extremes(impi_PointWalk walk)
{
    const impi_SurfacePoint *point = next_point(&walk);
    imp_Vec3 low[3] = {point->position, point->position, point->position};
    imp_Vec3 high[3] = {point->position, point->position, point->position};
    int widest = 0;
    while ((point = next_point(&walk))) {
        const imp_Vec3 p = point->position;
        low[0] = p.x < low[0].x ? p : low[0];
        low[1] = p.y < low[1].y ? p : low[1];
        low[2] = p.z < low[2].z ? p : low[2];
        high[0] = p.x > high[0].x ? p : high[0];
        high[1] = p.y > high[1].y ? p : high[1];
        high[2] = p.z > high[2].z ? p : high[2];
    }
    for (int axis = 1; axis < 3; ++axis)
        if (square_distance(low[axis], high[axis]) > square_distance(low[widest], high[widest]))
            widest = axis;
    imp_Vec3 center = impi_scale(impi_add_scaled(low[widest], 1, high[widest]), 0.5);
    return (impi_PointBall){center, sqrt(square_distance(low[widest], center))};
}

// Ritter (1990): each point that is outside moves the ball until it just holds that point as well.
static impi_PointBall grow_ball(impi_PointWalk walk, impi_PointBall ball)
{
    const impi_SurfacePoint *point;
    while ((point = next_point(&walk))) {
        double distance = sqrt(square_distance(point->position, ball.center));
        if (distance > ball.radius) {
            double radius = (ball.radius + distance) / 2;
            imp_Vec3 outward = impi_subtract(point->position, ball.center);
            ball.center = impi_add_scaled(ball.center, (distance - radius) / distance, outward);
            ball.radius = radius;
        }
    }
    return ball;
}

// With the center as it is.
static impi_PointBall tighten_ball(impi_PointWalk walk, imp_Vec3 center)
{
    const impi_SurfacePoint *point;
    double farthest = 0;
    while ((point = next_point(&walk)))
        farthest = larger(farthest, square_distance(point->position, center));
    return (impi_PointBall){center, sqrt(farthest)};
}

impi_PointBall impi_point_ball_around(impi_PointWalk walk, imp_Vec3 center_a, imp_Vec3 center_b)
{
    impi_PointBall best = tighten_ball(walk, grow_ball(walk, ball_of_extremes(walk)).center);
    impi_PointBall around_a = tighten_ball(walk, center_a), around_b = tighten_ball(walk, center_b);
    best = around_a.radius < best.radius ? around_a : best;
    return around_b.radius < best.radius ? around_b : best;
}

// From a point in the ball along its normal, as far as the ball reaches: of an open surface to both sides,
// and of a face without area to all.
static double reach_at(const impi_PointBall *ball, const impi_SurfacePoint *point, bool is_solid)
{
    imp_Vec3 to_center = impi_subtract(ball->center, point->position);
    double height = impi_dot(to_center, point->normal);
    if (impi_dot(point->normal, point->normal) == 0)
        return impi_length(to_center) + ball->radius;
    double inside = height * height + ball->radius * ball->radius - impi_dot(to_center, to_center);
    return (is_solid ? height : fabs(height)) + sqrt(larger(inside, 0));
}

double impi_point_ball_reach(impi_PointWalk walk, const impi_PointBall *ball, bool is_solid)
{
    const impi_SurfacePoint *point;
    double cost = 0;
    while ((point = next_point(&walk)))
        cost = larger(cost, reach_at(ball, point, is_solid));
    return cost;
}
