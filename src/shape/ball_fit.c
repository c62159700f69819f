// No point of a ball is farther from the body than its center is, plus the radius: distances from a body grow
// no faster than the way. Where the center is inside of a solid, at a depth, the ball sticks out no more than
// the radius exceeds the depth, and mostly as much. So a good center is one that is deep beside its distance
// from the points, and to know how good it is takes one look into the grid. Searched by steps along axes that
// turn each time, because the excess has creases, on which fixed axes get stuck.
// Cost: about a hundred passes over the points.
#include "shape/ball_fit.h"

// A step that succeeds is made longer, one that fails all around is halved.
#define STEP_GROWTH 1.25F
#define STEP_SHRINK 0.5F

// More turns than this are of no use; few balls take half of them.
#define MOST_TURNS 64

float impi_farthest_squared(const impi_BallPoints *points, const float center[3])
{
    float most[IMPI_POINT_LANES] = {0};
    for (size_t i = 0; i < points->count; i += IMPI_POINT_LANES)
        for (size_t lane = 0; lane < IMPI_POINT_LANES; ++lane) {
            float x = points->x[i + lane] - center[0], y = points->y[i + lane] - center[1];
            float z = points->z[i + lane] - center[2], squared = x * x + y * y + z * z;
            most[lane] = squared > most[lane] ? squared : most[lane];
        }
    for (size_t lane = 1; lane < IMPI_POINT_LANES; ++lane)
        most[0] = most[lane] > most[0] ? most[lane] : most[0];
    return most[0];
}

impi_Ball impi_ball_at(const impi_DistanceGrid *grid, const impi_BallPoints *points, const float center[3])
{
    impi_Ball ball = {.center = {center[0], center[1], center[2]}};
    ball.distance = impi_distance_grid_at(grid, center);
    ball.radius = sqrtf(impi_farthest_squared(points, center));
    ball.excess = ball.radius + ball.distance;
    return ball;
}

// Axes that are turned anew each time, the same way for each ball.
static void turn_axes(uint32_t *state, float axes[3][3])
{
    float q[4], squared = 0;
    for (int i = 0; i < 4; ++i) {
        *state = *state * 1664525u + 1013904223u;
        q[i] = (float)(*state >> 8) * 0x1p-23F - 1;
        squared += q[i] * q[i];
    }
    float s = squared > 0 ? 2 / squared : 0, w = q[3];
    for (int i = 0; i < 3; ++i) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        axes[i][i] = 1 - s * (q[j] * q[j] + q[k] * q[k]);
        axes[i][j] = s * (q[i] * q[j] + q[k] * w);
        axes[i][k] = s * (q[i] * q[k] - q[j] * w);
    }
}

static bool try_axes(const impi_DistanceGrid *grid, const impi_BallPoints *points, float axes[3][3],
                     float step, impi_Ball *ball)
{
    for (int i = 0; i < 6; ++i) {
        const float *axis = axes[i % 3], way = i < 3 ? step : -step;
        float center[3] = {ball->center[0] + way * axis[0], ball->center[1] + way * axis[1],
                           ball->center[2] + way * axis[2]};
        impi_Ball tried = impi_ball_at(grid, points, center);
        if (tried.excess < ball->excess) {
            *ball = tried;
            return true;
        }
    }
    return false;
}

void impi_ball_fit(const impi_DistanceGrid *grid, const impi_BallPoints *points, float step, float least_step,
                   impi_Ball *ball)
{
    uint32_t state = 1;
    float axes[3][3];
    *ball = impi_ball_at(grid, points, ball->center);
    for (int turn = 0; turn < MOST_TURNS && step > least_step; ++turn) {
        turn_axes(&state, axes);
        step *= try_axes(grid, points, axes, step, ball) ? STEP_GROWTH : STEP_SHRINK;
    }
}

// From Badoiu and Clarkson 2003: the center goes to the farthest point by ever smaller parts of the way. The
// radius comes within about 1 / ENCLOSE_STEPS of the least.
#define ENCLOSE_STEPS 1000

imp_Vec3 impi_smallest_ball_center(const impi_SpherePieces *pieces)
{
    imp_Vec3 center = pieces->points[0];
    for (int step = 1; step <= ENCLOSE_STEPS; ++step) {
        imp_Vec3 farthest = center;
        double most = 0;
        for (size_t i = 0; i < pieces->point_count; ++i) {
            imp_Vec3 way = impi_subtract(pieces->points[i], center);
            double squared = impi_dot(way, way);
            if (squared > most) {
                most = squared;
                farthest = pieces->points[i];
            }
        }
        center = impi_add_scaled(center, 1.0 / (step + 1), impi_subtract(farthest, center));
    }
    return center;
}
