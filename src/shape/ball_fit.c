// No point of a ball is farther from the body than its center is, plus the radius: distances from a body grow
// no faster than the way. Where the center is inside of a solid, at a depth, the ball sticks out no more than
// the radius exceeds the depth, and mostly as much. So a good center is one that is deep beside its distance
// from the points, and to know how good it is takes one look into the grid. Large balls reach other parts of
// the surface, where this bound is poor: there the excess is sampled on the sphere, only until a sample shows
// that a center is worse than the best so far.
//
// Searched by steps along axes that turn each time, because the excess has creases, on which fixed axes get
// stuck. Cost: about a hundred passes over the points.
#include "shape/ball_fit.h"

// A step that succeeds is made longer, one that fails all around is halved.
#define STEP_GROWTH 1.25F
#define STEP_SHRINK 0.5F

// More turns than this are of no use; few balls take half of them.
#define MOST_TURNS 40

// Points that are looked at while a center is searched for. The radius is that of all of them.
#define THIN_COUNT 512

#define CELL_DIAGONAL 1.8F // in edges, and a little more

// Samples lie on a spiral of Fibonacci.
#define GOLDEN_ANGLE 2.39996322972865332F

void impi_ball_points_pad(impi_BallPoints *points)
{
    while (points->count > 0 && points->count % IMPI_POINT_LANES != 0) {
        size_t at = points->count++;
        points->x[at] = points->x[at - 1];
        points->y[at] = points->y[at - 1];
        points->z[at] = points->z[at - 1];
    }
}

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

float impi_points_middle(const impi_BallPoints *points, float middle[3])
{
    const float *coordinates[3] = {points->x, points->y, points->z};
    for (int axis = 0; axis < 3; ++axis) {
        float low = INFINITY, high = -INFINITY;
        for (size_t i = 0; i < points->count; ++i) {
            low = coordinates[axis][i] < low ? coordinates[axis][i] : low;
            high = coordinates[axis][i] > high ? coordinates[axis][i] : high;
        }
        middle[axis] = (low + high) / 2;
    }
    return sqrtf(impi_farthest_squared(points, middle));
}

// Neighbours in space are far apart in order, so that a few samples already show what a ball is like.
void impi_ball_search_make(const impi_DistanceGrid *grid, bool is_sampled, impi_BallSearch *search)
{
    *search = (impi_BallSearch){.grid = grid, .is_sampled = is_sampled};
    for (unsigned i = 0; i < IMPI_BALL_SAMPLES; ++i) {
        float *direction = search->directions[i * 97 % IMPI_BALL_SAMPLES];
        float z = 1 - (2 * (float)i + 1) / IMPI_BALL_SAMPLES, flat = sqrtf(1 - z * z);
        direction[0] = flat * cosf(GOLDEN_ANGLE * (float)i);
        direction[1] = flat * sinf(GOLDEN_ANGLE * (float)i);
        direction[2] = z;
    }
}

// What showed a center to be bad: the first to try with the next one.
typedef struct Witness {
    unsigned sample;
    float point[3]; // the farthest from the best center so far
    bool has_point;
} Witness;

// The largest distance from the body of the samples, or any that exceeds `enough`.
static float sampled_excess(const impi_BallSearch *search, Witness *witness, const impi_Ball *ball,
                            float enough)
{
    float most = 0;
    unsigned first = witness->sample;
    for (unsigned i = 0; i < IMPI_BALL_SAMPLES && most < enough; ++i) {
        unsigned at = (first + i) % IMPI_BALL_SAMPLES;
        const float *direction = search->directions[at];
        float point[3] = {ball->center[0] + ball->radius * direction[0],
                          ball->center[1] + ball->radius * direction[1],
                          ball->center[2] + ball->radius * direction[2]};
        float distance = impi_distance_grid_at(search->grid, point);
        if (distance > most) {
            most = distance;
            witness->sample = at;
        }
    }
    return most;
}

// Where the surface is farther than all of the point's cell, the grid knows the side.
static float exact_distance(const impi_BallSearch *search, const float center[3], float rough)
{
    const impi_SurfaceField *field = search->field;
    imp_Vec3 point = {(double)center[0], (double)center[1], (double)center[2]};
    float distance = (float)impi_surface_field_nearest(field, point, IMPI_NO_SLOT, -1).distance;
    bool is_inside = distance > CELL_DIAGONAL * search->grid->cell_size
                         ? rough < 0
                         : search->grid->is_solid &&
                               impi_surface_field_is_inside(field, impi_from_local(&field->frame, point));
    return is_inside ? -distance : distance;
}

// Does the point of the witness alone show that the ball sticks out no less than `enough`?
static bool is_refuted(const impi_BallSearch *search, const Witness *witness, const float center[3],
                       float distance, float enough)
{
    if (!witness->has_point || search->is_sampled || search->field)
        return false;
    float x = witness->point[0] - center[0], y = witness->point[1] - center[1],
          z = witness->point[2] - center[2];
    return sqrtf(x * x + y * y + z * z) + distance >= enough;
}

static impi_Ball ball_at(const impi_BallSearch *search, Witness *witness, const impi_BallPoints *points,
                         const float center[3], float enough)
{
    impi_Ball ball = {.center = {center[0], center[1], center[2]}, .excess = INFINITY};
    float distance = search->grid ? impi_distance_grid_at(search->grid, center) : 0;
    if (is_refuted(search, witness, center, distance, enough))
        return ball;
    ball.radius = sqrtf(impi_farthest_squared(points, center));
    ball.excess = ball.radius + distance;
    if (search->grid && search->field && ball.excess < enough)
        ball.excess = ball.radius + exact_distance(search, center, distance);
    if (search->is_sampled)
        ball.excess = fminf(ball.excess, fmaxf(distance, sampled_excess(search, witness, &ball, enough)));
    ball.excess += search->radius_part * ball.radius;
    return ball;
}

impi_Ball impi_ball_at(const impi_BallSearch *search, const impi_BallPoints *points, const float center[3])
{
    return ball_at(search, &(Witness){0}, points, center, INFINITY);
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

static void note_farthest(const impi_BallPoints *points, const impi_Ball *ball, Witness *witness)
{
    float most = -1;
    size_t farthest = 0;
    for (size_t i = 0; i < points->count; ++i) {
        float x = points->x[i] - ball->center[0], y = points->y[i] - ball->center[1];
        float z = points->z[i] - ball->center[2], squared = x * x + y * y + z * z;
        farthest = squared > most ? i : farthest;
        most = squared > most ? squared : most;
    }
    witness->has_point = points->count > 0;
    for (int axis = 0; axis < 3 && witness->has_point; ++axis)
        witness->point[axis] = (axis == 0 ? points->x : axis == 1 ? points->y : points->z)[farthest];
}

static bool try_axes(const impi_BallSearch *search, Witness *witness, const impi_BallPoints *points,
                     float axes[3][3], float step, impi_Ball *ball)
{
    for (int i = 0; i < 6; ++i) {
        const float *axis = axes[i % 3], way = i < 3 ? step : -step;
        float center[3] = {ball->center[0] + way * axis[0], ball->center[1] + way * axis[1],
                           ball->center[2] + way * axis[2]};
        impi_Ball tried = ball_at(search, witness, points, center, ball->excess);
        if (tried.excess < ball->excess) {
            *ball = tried;
            note_farthest(points, ball, witness);
            return true;
        }
    }
    return false;
}

// Every so many of the points, as many as are enough to search with.
static impi_BallPoints thin_out(const impi_BallPoints *points, float storage[3][THIN_COUNT])
{
    impi_BallPoints thin = {storage[0], storage[1], storage[2], THIN_COUNT};
    if (points->count <= THIN_COUNT)
        return *points;
    for (size_t i = 0; i < THIN_COUNT; ++i) {
        size_t from = i * points->count / THIN_COUNT;
        thin.x[i] = points->x[from];
        thin.y[i] = points->y[from];
        thin.z[i] = points->z[from];
    }
    return thin;
}

void impi_ball_fit(const impi_BallSearch *search, const impi_BallPoints *points, float step, float least_step,
                   impi_Ball *ball)
{
    uint32_t state = 1;
    float axes[3][3], storage[3][THIN_COUNT];
    Witness witness = {0};
    impi_BallPoints thin = thin_out(points, storage);
    *ball = ball_at(search, &witness, &thin, ball->center, INFINITY);
    for (int turn = 0; turn < MOST_TURNS && step > least_step; ++turn) {
        turn_axes(&state, axes);
        step *= try_axes(search, &witness, &thin, axes, step, ball) ? STEP_GROWTH : STEP_SHRINK;
    }
    witness.has_point = false;
    if (thin.count < points->count)
        *ball = ball_at(search, &witness, points, ball->center, INFINITY);
}

// From Badoiu and Clarkson 2003: the center goes to the farthest point by ever smaller parts of the way. The
// radius comes within about 1 / ENCLOSE_STEPS of the least.
#define ENCLOSE_STEPS 500

static imp_Vec3 farthest_from(const impi_SpherePieces *pieces, imp_Vec3 center)
{
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
    return farthest;
}

imp_Vec3 impi_smallest_ball_center(impi_Watch *watch, const impi_SpherePieces *pieces)
{
    imp_Vec3 center = pieces->points[0];
    for (int step = 1; step <= ENCLOSE_STEPS && impi_watch_goes_on(watch); ++step)
        center =
            impi_add_scaled(center, 1.0 / (step + 1), impi_subtract(farthest_from(pieces, center), center));
    return center;
}
