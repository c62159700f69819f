// Branch and bound over cubes that cover the ball, in the mesh's local frame.
//
// A cube is measured at its center, moved into the ball where it lies outside. Let q be that place, s a point
// of the surface, d = |q - s|, v the direction from s to q, and x any point of the cube that is in the ball.
// Moving points into a ball brings them no farther from its points, so |x - q| <= e, half the cube's
// diagonal. x is no farther from the surface than from s, and
//     |x - s|^2 = d^2 + 2 d v (x - q) + |x - q|^2,
// where |x - q| <= e and v (x - q) is limited both by the cube and by the ball. With the ball's limit, cubes
// around the place that sticks out farthest are off by some e^2 / d only, not by e, which saves most of the
// work: distances for a ball are some hundred.
//
// Inside of a solid nothing sticks out. A way from a point inside, an anchor, to x outside leads through the
// surface, no earlier than at the anchor's own distance from it, so x is nearer to the surface than to the
// anchor by that. Points nearer to each other than to the surface are on the same side of it, so that most
// cubes know from the one they were cut from whether they are inside; otherwise the exact test tells.
//
// The whole ball counts, not only its skin: of a ball in a hollow shell the center is farthest away.
//
// Errors: distances are off by IMPI_SURFACE_FIELD_ERROR of 1 and the sizes of coordinates, centers by u of
// these, and the arithmetic of a bound by less than 64 u. The slack of a ball is more than twice all of them
// together, and part of each bound. So a bound of 0 is proof that all of the ball is inside.
#include "shape/sphere_protrusion.h"

#include "geom/scalar.h"
#include "shape/surface_field.h"

#include <math.h>

#define SPHERES_PER_TASK   4
#define DISTANCES_PER_LOOK 256   // at who watches
#define DISTANCES_AT_FULL  16384 // accuracy; then it doubles, again and again
#define FAR_AWAY           0x1p11
#define AS_FAR_AS_COUNTS   0x1p40
#define ASCENTS            6
// Each cube's bound exceeds what was measured in it by at most half its diagonal, so cubes of the ball's
// radius over 2^12 are small enough for any accuracy.
#define MAX_DEPTH 13

typedef enum Reading { SURFACE, SOLID, READING_COUNT } Reading;

typedef enum Side { UNKNOWN, INSIDE, OUTSIDE } Side;

typedef struct Ball {
    const impi_SurfaceField *field;
    impi_Watch *watch;
    imp_Vec3 center;
    double radius;
    double slack;
    bool is_solid;
    double best[READING_COUNT];  // the farthest that was seen
    double bound[READING_COUNT]; // of all cubes that are done with
    double accuracy;
    size_t distance_count;
    bool is_ended; // by who watches
} Ball;

// A point inside, and how far it is from the surface.
typedef struct Anchor {
    imp_Vec3 point;
    double depth; // negative: there is none
} Anchor;

typedef struct Cube {
    imp_Vec3 center, sample;     // the center, moved into the ball
    double half;                 // of its sides
    double upper[READING_COUNT]; // negative where the reading is done with the cube
    impi_NearestPoint nearest;   // to the sample
    Side side;                   // of the sample
    Anchor anchor;               // of those seen on the way to this cube, the one that says most about it
} Cube;

static double length_of(imp_Vec3 v)
{
    return sqrt(impi_dot(v, v));
}

// What cubes need not exceed any more.
static double target(const Ball *ball, Reading reading)
{
    double share = ball->best[reading] * IMPI_PROTRUSION_SHARE;
    return ball->best[reading] + impi_larger(ball->accuracy, share);
}

static imp_Vec3 into_ball(const Ball *ball, imp_Vec3 point)
{
    imp_Vec3 way = impi_subtract(point, ball->center);
    double length = length_of(way);
    return length > ball->radius ? impi_add_scaled(ball->center, ball->radius / length, way) : point;
}

static double axis_gap(double center, double half, double ball_center)
{
    return impi_larger(fabs(center - ball_center) - half, 0);
}

static bool is_off_ball(const Ball *ball, const Cube *cube)
{
    imp_Vec3 gap = {axis_gap(cube->center.x, cube->half, ball->center.x),
                    axis_gap(cube->center.y, cube->half, ball->center.y),
                    axis_gap(cube->center.z, cube->half, ball->center.z)};
    return length_of(gap) > ball->radius + ball->slack;
}

static double half_diagonal(const Cube *cube)
{
    return cube->half * 1.7320508075688774;
}

// How far points of the cube that are in the ball are from the sample, at most.
static double reach(const Ball *ball, const Cube *cube)
{
    double in_ball = ball->radius + length_of(impi_subtract(cube->sample, ball->center));
    return impi_smaller(half_diagonal(cube), in_ball);
}

// How far they are from any other point, at most.
static double bound_from(const Ball *ball, const Cube *cube, imp_Vec3 point)
{
    imp_Vec3 way = impi_subtract(cube->sample, point);
    double d = length_of(way), e = reach(ball, cube);
    if (d <= ball->slack)
        return d + e + ball->slack;
    imp_Vec3 v = impi_scale(way, 1 / d);
    double in_cube = impi_dot(v, impi_subtract(cube->center, cube->sample)) +
                     cube->half * ((fabs(v.x) + fabs(v.y)) + fabs(v.z));
    double in_ball = impi_dot(v, impi_subtract(ball->center, cube->sample)) + ball->radius;
    // Less would be of no use, and the square root would make much of what is rounded.
    double ahead = impi_larger(impi_smaller(impi_smaller(in_cube, in_ball), e), -0.25 * d);
    return sqrt((d * d + 2 * d * ahead) + e * e) + ball->slack;
}

static impi_NearestPoint find_nearest(Ball *ball, imp_Vec3 point, uint32_t hint, double enough)
{
    if (++ball->distance_count % DISTANCES_PER_LOOK == 0 && !impi_watch_goes_on(ball->watch))
        ball->is_ended = true;
    if (ball->distance_count % DISTANCES_AT_FULL == 0)
        ball->accuracy *= 2;
    return impi_surface_field_nearest(ball->field, point, hint, enough);
}

// The exact test knows doubles of the mesh's frame, which are far between where the mesh is far from its
// origin. Points that have the surface as near as the next of them may be on either side: they count as
// outside.
static Side side_of(const Ball *ball, imp_Vec3 local, double distance)
{
    imp_Vec3 point = impi_from_local(&ball->field->frame, local);
    imp_Vec3 tested = impi_to_local(&ball->field->frame, point);
    if (distance <= length_of(impi_subtract(tested, local)) + ball->slack)
        return OUTSIDE;
    return impi_surface_field_is_inside(ball->field, point) ? INSIDE : OUTSIDE;
}

// ---- cubes

// How far points of the cube that are outside of the body are from it, at most.
static double bound_outside(const Ball *ball, const Cube *cube, const Anchor *anchor)
{
    if (anchor->depth < 0)
        return INFINITY;
    return impi_larger(bound_from(ball, cube, anchor->point) - anchor->depth, 0);
}

static Side find_side(const Ball *ball, const Cube *cube, const Cube *parent)
{
    double distance = cube->nearest.distance;
    if (parent && parent->side != UNKNOWN &&
        length_of(impi_subtract(cube->sample, parent->sample)) < distance - ball->slack)
        return parent->side;
    return side_of(ball, cube->sample, distance);
}

static void bound_solid(Ball *ball, Cube *cube, const Cube *parent)
{
    if (cube->upper[SOLID] <= target(ball, SOLID))
        return;
    cube->side = find_side(ball, cube, parent);
    if (cube->side == OUTSIDE) {
        ball->best[SOLID] = impi_larger(ball->best[SOLID], cube->nearest.distance);
        return;
    }
    Anchor anchor = {cube->sample, cube->nearest.distance};
    double bound = bound_outside(ball, cube, &anchor);
    if (bound <= bound_outside(ball, cube, &cube->anchor))
        cube->anchor = anchor;
    cube->upper[SOLID] = impi_smaller(cube->upper[SOLID], bound);
}

// Readings that need not look into the cube are done with it. Does one of them go on?
static bool is_open(Ball *ball, Cube *cube)
{
    bool is_any = false;
    for (int reading = 0; reading < READING_COUNT; ++reading) {
        double upper = cube->upper[reading];
        if (upper < 0)
            continue;
        if (upper <= target(ball, (Reading)reading)) {
            ball->bound[reading] = impi_larger(ball->bound[reading], upper);
            cube->upper[reading] = -1;
        }
        is_any |= cube->upper[reading] >= 0;
    }
    return is_any;
}

static void lower_bounds(Cube *cube, double upper)
{
    for (int reading = 0; reading < READING_COUNT; ++reading)
        cube->upper[reading] = impi_smaller(cube->upper[reading], upper);
}

// The distance below which neither reading has to look into the cube.
static double enough_for(const Ball *ball, const Cube *cube)
{
    double least = INFINITY;
    for (int reading = 0; reading < READING_COUNT; ++reading)
        if (cube->upper[reading] >= 0)
            least = impi_smaller(least, target(ball, (Reading)reading));
    return least - reach(ball, cube) - ball->slack;
}

static void close_cube(Ball *ball, Cube *cube)
{
    for (int reading = 0; reading < READING_COUNT; ++reading) {
        ball->bound[reading] = impi_larger(ball->bound[reading], cube->upper[reading]);
        cube->upper[reading] = -1;
    }
}

// The hint is where `nearest` was before. What ended the search early need not be nearest, and tells of the
// cube that it is done with and no more.
static void measure_cube(Ball *ball, Cube *cube, const Cube *parent)
{
    double enough = enough_for(ball, cube);
    cube->nearest = find_nearest(ball, cube->sample, cube->nearest.slot, enough);
    lower_bounds(cube, impi_smaller(bound_from(ball, cube, cube->nearest.point),
                                    cube->nearest.distance + reach(ball, cube) + ball->slack));
    if (cube->nearest.distance <= enough)
        close_cube(ball, cube);
    if (!is_open(ball, cube))
        return;
    ball->best[SURFACE] = impi_larger(ball->best[SURFACE], cube->nearest.distance);
    if (ball->is_solid && cube->upper[SOLID] >= 0)
        bound_solid(ball, cube, parent);
}

// One of the eight cubes of a cube, measured unless what is known of the whole is enough. Is it open?
static bool cut_cube(Ball *ball, const Cube *parent, unsigned octant, Cube *cube)
{
    double half = parent->half / 2;
    *cube = (Cube){.center = {parent->center.x + (octant & 1 ? half : -half),
                              parent->center.y + (octant & 2 ? half : -half),
                              parent->center.z + (octant & 4 ? half : -half)},
                   .half = half,
                   .upper = {parent->upper[SURFACE], parent->upper[SOLID]},
                   .nearest.slot = parent->nearest.slot,
                   .anchor = parent->anchor};
    if (is_off_ball(ball, cube))
        return false;
    cube->sample = into_ball(ball, cube->center);
    lower_bounds(cube, bound_from(ball, cube, parent->nearest.point));
    cube->upper[SOLID] = impi_smaller(cube->upper[SOLID], bound_outside(ball, cube, &cube->anchor));
    if (!is_open(ball, cube))
        return false;
    measure_cube(ball, cube, parent);
    return is_open(ball, cube);
}

static double largest_upper(const Cube *cube)
{
    return impi_larger(cube->upper[SURFACE], cube->upper[SOLID]);
}

// What sticks out most comes first, since that leaves the least to do for the others.
static void search_cube(Ball *ball, const Cube *parent, unsigned depth)
{
    Cube cubes[8];
    unsigned order[8], count = 0;
    for (unsigned octant = 0; octant < 8; ++octant) {
        if (!cut_cube(ball, parent, octant, &cubes[count]))
            continue;
        unsigned i = count++;
        for (; i > 0 && largest_upper(&cubes[order[i - 1]]) < largest_upper(&cubes[count - 1]); --i)
            order[i] = order[i - 1];
        order[i] = count - 1;
    }
    for (unsigned i = 0; i < count && !ball->is_ended; ++i) {
        Cube *cube = &cubes[order[i]];
        if (!is_open(ball, cube))
            continue;
        if (depth < MAX_DEPTH)
            search_cube(ball, cube, depth + 1);
        else
            close_cube(ball, cube);
    }
}

// ---- balls

// Steps to the point of the ball that is farthest from where the last one was nearest: each goes farther,
// and after a few a place is known that sticks out far, which spares many cubes.
static void ascend(Ball *ball, imp_Vec3 direction)
{
    double farthest = 0;
    uint32_t hint = IMPI_NO_SLOT;
    for (int i = 0; i < ASCENTS; ++i) {
        imp_Vec3 place = impi_add_scaled(ball->center, ball->radius, direction);
        impi_NearestPoint nearest = find_nearest(ball, place, hint, -1);
        if (nearest.distance <= farthest || nearest.distance <= ball->slack)
            return;
        farthest = nearest.distance;
        hint = nearest.slot;
        ball->best[SURFACE] = impi_larger(ball->best[SURFACE], farthest);
        if (ball->is_solid && farthest > ball->best[SOLID] && side_of(ball, place, farthest) == OUTSIDE)
            ball->best[SOLID] = farthest;
        direction = impi_unit(impi_subtract(place, nearest.point));
    }
}

static void search_ball(Ball *ball, const impi_NearestPoint *nearest)
{
    Cube cube = {.center = ball->center, .sample = ball->center, .half = ball->radius, .nearest = *nearest};
    cube.anchor.depth = -1;
    cube.upper[SURFACE] = INFINITY;
    cube.upper[SOLID] = ball->is_solid ? INFINITY : -1;
    imp_Vec3 away = impi_unit(impi_subtract(ball->center, nearest->point));
    ascend(ball, away);
    ascend(ball, impi_scale(away, -1));
    measure_cube(ball, &cube, NULL);
    if (is_open(ball, &cube))
        search_cube(ball, &cube, 1);
}

// Balls that are much larger than the mesh or far away from it, and meshes that are a point: the mesh's
// size counts for little. Rounded by less than 16 u, and by the least double.
static double bound_far(const imp_Sphere *sphere, const impi_SurfaceField *field)
{
    const imp_Box *box = &field->mesh->shape.bounds;
    imp_Vec3 extent = impi_subtract(box->max, box->min);
    double away = impi_length(impi_subtract(sphere->center, field->frame.origin));
    double sum = ((extent.x + extent.y) + extent.z) + (away + sphere->radius);
    return nextafter(sum * (1 + 0x1p-48), INFINITY);
}

// Far away from the mesh only the direction counts, and coordinates in the local frame may overflow.
static imp_Vec3 place_center(const imp_Sphere *sphere, const impi_LocalFrame *frame)
{
    imp_Vec3 local = impi_to_local(frame, sphere->center);
    if (impi_longest(local) <= AS_FAR_AS_COUNTS)
        return local;
    return impi_scale(
        impi_unit(impi_subtract(impi_scale(sphere->center, 0.5), impi_scale(frame->origin, 0.5))),
        AS_FAR_AS_COUNTS);
}

// Of the center: a ball with this radius around it is all inside. Negative: there is none.
static double find_depth(const Ball *ball, const impi_NearestPoint *nearest)
{
    bool is_inside = ball->is_solid && side_of(ball, ball->center, nearest->distance) == INSIDE;
    return is_inside ? nearest->distance - ball->slack : -1;
}

static void measure_sphere(const impi_SurfaceField *field, bool is_solid, impi_Watch *watch,
                           imp_Sphere *sphere, double *depth)
{
    const impi_LocalFrame *frame = &field->frame;
    Ball ball = {.field = field,
                 .watch = watch,
                 .center = place_center(sphere, frame),
                 .radius = scalbn(sphere->radius, frame->exponent),
                 .is_solid = is_solid};
    double size = (fabs(ball.center.x) + fabs(ball.center.y)) + (fabs(ball.center.z) + ball.radius);
    impi_NearestPoint nearest = find_nearest(&ball, ball.center, IMPI_NO_SLOT, -1);
    sphere->point = impi_surface_field_point(field, &nearest);
    sphere->face = field->faces[nearest.slot];
    if (depth)
        *depth = -1;
    if (frame->is_point || !(size < FAR_AWAY)) {
        sphere->protrusion = sphere->surface_protrusion = bound_far(sphere, field);
        return;
    }
    ball.slack = (1 + size) * (4 * IMPI_SURFACE_FIELD_ERROR);
    ball.accuracy = impi_larger(ball.radius * IMPI_PROTRUSION_ACCURACY, 4 * ball.slack);
    search_ball(&ball, &nearest);
    if (depth)
        *depth = scalbn(find_depth(&ball, &nearest), -frame->exponent);
    sphere->surface_protrusion = impi_length_from_local_up(frame, ball.bound[SURFACE]);
    // The surface is a part of the solid, so no point is farther from the solid than from the surface: what
    // bounds the latter bounds the former too, and may be the less as found.
    double solid_bound =
        is_solid ? impi_smaller(ball.bound[SOLID], ball.bound[SURFACE]) : ball.bound[SURFACE];
    sphere->protrusion = impi_length_from_local_up(frame, solid_bound);
    bool is_apart = nearest.distance > ball.radius + ball.slack;
    if (is_solid && is_apart && impi_surface_field_is_inside(field, sphere->center)) {
        sphere->point = sphere->center;
        sphere->face = IMP_NO_FACE;
    }
}

typedef struct Batch {
    const impi_SurfaceField *field;
    bool is_solid;
    impi_Watch *watch;
    imp_Sphere *spheres;
    double *depths;
} Batch;

static void measure_block(size_t begin, size_t end, size_t block, void *argument)
{
    const Batch *batch = argument;
    (void)block;
    for (size_t i = begin; i < end; ++i) {
        if (!impi_watch_goes_on(batch->watch))
            return;
        measure_sphere(batch->field, batch->is_solid, batch->watch, &batch->spheres[i],
                       batch->depths ? &batch->depths[i] : NULL);
        (void)impi_watch_step(batch->watch, 1);
    }
}

static imp_Status check_bounds(imp_Context *context, const imp_Sphere *spheres, size_t count)
{
    for (size_t i = 0; i < count; ++i)
        if (!isfinite(spheres[i].surface_protrusion))
            return impi_fail(context, IMP_STATUS_BAD_NUMBER, i,
                             "sphere %zu (radius %g) sticks out beyond the largest double", i,
                             spheres[i].radius);
    return IMP_STATUS_OK;
}

imp_Status impi_sphere_protrusions_measure(imp_Context *context, const imp_Mesh *mesh, bool is_solid,
                                           imp_Sphere *spheres, double *depths, size_t count)
{
    impi_SurfaceField field;
    impi_ArenaMark mark = impi_arena_mark(&context->scratch);
    imp_Status status = impi_surface_field_build(context, mesh, is_solid, &field);
    if (status == IMP_STATUS_OK) {
        Batch batch = {&field, is_solid, &context->watch, spheres, depths};
        impi_watch_work(&context->watch, "measuring protrusions", count);
        impi_parallel_for(&context->executor, count, SPHERES_PER_TASK, measure_block, &batch);
        status = impi_watch_status(context);
    }
    impi_arena_rewind(&context->scratch, mark);
    return status == IMP_STATUS_OK ? check_bounds(context, spheres, count) : status;
}
