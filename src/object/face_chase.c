// Conservative advancement (Mirtich 1996; with motion bounds along one direction: Zhang, Lee & Kim 2006), for
// two triangles. Let n be the way between their closest points, of unit length. As long as all corners of b
// are beyond all of a along n, by more than the separation d, so are the triangles apart by more than d. The
// gap between corners p of a and q of b, n.(q - p), is g now, changes at the rate -c now, and that rate
// changes by no more than the bend k: after a time s it is at least
//
//     g - c s - k s s / 2
//
// so until that is d, for the first of the nine pairs of corners, nothing can happen. Near contact that is
// Newton's step, with k for the curvature: the number of correct digits doubles.
//
// Where faces turn while they pass each other, one end of an edge comes nearer along n and the other one goes
// away, while the point between that is closest does neither. Then the direction is turned as well, n + s m
// with m upright on n, so that it stays upright on two edges, or on a face. With w = q - p, v its rate and e
// the rounding of w, it is enough that
//
//     (n + s m).(w + s v) - (1 + s |m|) k s s / 2  >  (d + e) (1 + s s |m| |m| / 2)
//
// where the factor on the right is no less than the length of n + s m. That is the same inequality, with c
// less by m.w and k more by 2 m.v, |m| s k and (d + e) |m| |m|. Whatever m is, steps are safe; a good one
// makes them long.
//
// Departs from both papers: in that, and in that vertices of a pose are rounded, so that what is measured is
// off the path, by what the paths tell. Gaps are taken less than they are by twice that; then what holds for
// the path holds for the computed vertices of any time as well. And steps go on within the tolerance, for as
// long as they lead anywhere, since what only passes by is apart.
#include "object/face_chase.h"

#include "geom/scalar.h"
#include "geom/triangle_closest.h"
#include "geom/triangle_distance.h"
#include "geom/triangle_sweep.h"
#include "geom/triangle_within.h"
#include "geom/vector.h"

#include <float.h>

// Newton's steps take ten or so; what passes by at a distance next to the separation, some sixty. After a few
// of them directions that turn are tried, too.
#define MAX_STEPS 400
#define FEW_STEPS 3

// Speeds beyond this may be infinite when they are added up.
#define LARGEST 0x1p1016

// Directions that turn faster lead nowhere, and their squares may be infinite.
#define FASTEST_TURN 0x1p200

// What the faces of a solid lie inside of its hull, at most: see object/solid_distance_filter.c.
static double solid_slack(const impi_BodyPath *path)
{
    if (!impi_body_is_convex(path->body))
        return 0;
    const imp_Vec3 *t = &path->body->transform.translation;
    double far =
        impi_longest(*t) + (impi_longest(path->rigid.pivot_from) + impi_longest(path->rigid.pivot_way));
    return 0x1p-46 * (far + path->body->largest_coordinate) + 8 * DBL_TRUE_MIN;
}

static impi_ChaseBounds times_unit(const impi_ChaseBounds *bounds, double unit)
{
    return (impi_ChaseBounds){.separation = bounds->separation * unit,
                              .speed = bounds->speed * unit,
                              .bend = bounds->bend * unit,
                              .slack = bounds->slack * unit,
                              .speed_slack = bounds->speed_slack * unit};
}

static double largest_start(const impi_BodyPath *path)
{
    return impi_larger(impi_longest(path->start.min), impi_longest(path->start.max));
}

impi_Chase impi_chase_make(const impi_BodyPath *a, const impi_BodyPath *b, double separation)
{
    imp_Vec3 drift = impi_subtract(a->drift, b->drift);
    double speed = (impi_length(drift) + 0x1p-50 * (impi_longest(a->drift) + impi_longest(b->drift))) +
                   (a->stray + b->stray);
    impi_Chase chase = {.a = a,
                        .b = b,
                        .bounds = {.separation = separation,
                                   .speed = speed * (1 + 0x1p-48),
                                   .bend = a->bend + b->bend,
                                   .speed_slack = a->speed_rounding + b->speed_rounding}};
    // Times are rounded by less than 2^-53, during which things move on.
    chase.bounds.slack =
        2 * (a->rounding + b->rounding) + (solid_slack(a) + solid_slack(b)) + 0x1p-50 * chase.bounds.speed;
    double size = impi_larger(impi_larger(largest_start(a), largest_start(b)),
                              impi_larger(chase.bounds.speed, separation));
    chase.unit = impi_unit_power(size);
    chase.scaled = times_unit(&chase.bounds, chase.unit);
    return chase;
}

bool impi_chase_is_bounded(const impi_Chase *chase)
{
    const impi_ChaseBounds *bounds = &chase->bounds;
    return bounds->speed <= LARGEST && bounds->slack <= LARGEST && bounds->bend < INFINITY;
}

static void find_corners(const impi_BodyPath *path, const impi_PathMoment *moment, impi_BlockFace face,
                         double unit, impi_MovingPoint corners[3])
{
    impi_body_path_face(path, moment, face, corners);
    for (int i = 0; i < 3; ++i)
        corners[i] =
            (impi_MovingPoint){impi_scale(corners[i].position, unit), impi_scale(corners[i].velocity, unit)};
}

void impi_chase_faces_at(const impi_Chase *chase, const impi_PathMoment *moment_a,
                         const impi_PathMoment *moment_b, impi_BlockFacePair faces, impi_MovingFaces *moving)
{
    find_corners(chase->a, moment_a, faces.a, chase->unit, moving->a);
    find_corners(chase->b, moment_b, faces.b, chase->unit, moving->b);
}

static void find_faces(const impi_Chase *chase, double time, impi_BlockFacePair faces,
                       impi_MovingFaces *moving)
{
    impi_PathMoment a = impi_body_path_moment(chase->a, time), b = impi_body_path_moment(chase->b, time);
    impi_chase_faces_at(chase, &a, &b, faces, moving);
}

static imp_Triangle triangle_of(const impi_MovingPoint corners[3])
{
    return (imp_Triangle){{corners[0].position, corners[1].position, corners[2].position}};
}

// ---- a step

// Until g - v s - k s s / 2 is 0. Rounded down by more than what all its roundings come to.
static double time_until_closed(double gap, double closing, double bend)
{
    double root = sqrt(closing * closing + 2 * bend * gap);
    double time = closing > 0 ? 2 * gap / (closing + root)
                  : bend > 0  ? (root - closing) / bend
                              : (double)INFINITY;
    return time * (1 - 0x1p-46);
}

// A direction that turns, and for how long it is looked at.
typedef struct Direction {
    imp_Vec3 n, turn;
    double longest; // step; finite where it turns
} Direction;

// What one pair of corners needs of a direction; how fast it turns, and what rounding adds.
typedef struct Terms {
    double off, rate, bend, speed_slack, turn_slack;
} Terms;

// Offsets of corners and their projections are rounded by 6 u times their lengths, the latter below sqrt(3)
// times their largest coordinate, the size, u being 2^-53; n is longer than 1 by 4 u at most, which counts
// for gaps of up to twice that. For two corners: 35 u of the size. Products with the turn likewise, and there
// positions are off by the slack; n and the turn are upright on each other but for 8 u.
static Terms terms_of(const impi_ChaseBounds *bounds, const Direction *direction, double size)
{
    double rate = impi_length(direction->turn) * (1 + 0x1p-48);
    double off = bounds->separation + (bounds->slack + 0x1p-47 * size);
    return (Terms){
        .off = off,
        .rate = rate,
        .bend = rate > 0 ? bounds->bend * (1 + direction->longest * rate) + off * rate * rate : bounds->bend,
        .speed_slack = bounds->speed_slack + rate * (0x1p-47 * size + bounds->slack + 0x1p-49 * off),
        .turn_slack = rate * (bounds->speed_slack + 0x1p-48 * bounds->speed)};
}

// The largest size of a coordinate, as seen from a corner of a.
static double size_of(const impi_MovingFaces *faces)
{
    double size = 0;
    for (int i = 0; i < 3; ++i) {
        size = impi_larger(impi_longest(impi_subtract(faces->a[i].position, faces->a[0].position)), size);
        size = impi_larger(impi_longest(impi_subtract(faces->b[i].position, faces->a[0].position)), size);
    }
    return size;
}

// For so long from now they stay apart, seen along a direction.
static double step_along(const impi_Chase *chase, const impi_MovingFaces *faces, const Direction *direction,
                         double *closing)
{
    const Terms terms = terms_of(&chase->scaled, direction, size_of(faces));
    double least = direction->longest, least_gap = INFINITY;
    *closing = 0;
    if (!(terms.rate <= FASTEST_TURN))
        return 0;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            imp_Vec3 w = impi_subtract(faces->b[j].position, faces->a[i].position);
            imp_Vec3 v = impi_subtract(faces->b[j].velocity, faces->a[i].velocity);
            double gap = impi_dot(direction->n, w) - terms.off;
            double speed = terms.speed_slack - impi_dot(direction->n, v), bend = terms.bend;
            if (!(gap > 0))
                return 0;
            if (terms.rate > 0) {
                speed -= impi_dot(direction->turn, w);
                bend += 2 * impi_larger(terms.turn_slack - impi_dot(direction->turn, v), 0);
            }
            double time = time_until_closed(gap, speed, bend);
            *closing = time < least ? speed : *closing;
            least = impi_smaller(time, least);
            least_gap = impi_smaller(gap, least_gap);
        }
    }
    return impi_larger(least, least_gap / chase->scaled.speed * (1 - 0x1p-46));
}

double impi_chase_step(const impi_Chase *chase, const impi_MovingFaces *faces, imp_Vec3 way, double *closing)
{
    Direction direction = {.n = impi_unit(way), .longest = INFINITY};
    return step_along(chase, faces, &direction, closing);
}

// ---- directions

// The way between closest points is a difference of points: where it is short beside the faces, it points
// anywhere. Then other directions are tried, which are as good as the edges that they are made of: the
// normals of the faces, what is upright on two edges, and what of the way is upright on an edge. Each gives a
// step that is safe; the longest is taken.
typedef struct Directions {
    const impi_Chase *chase;
    const impi_MovingFaces *faces;
    double longest; // step that is of interest
    imp_Vec3 n;     // of the best one so far
    double step, closing;
} Directions;

static void try_turning(Directions *directions, imp_Vec3 n, imp_Vec3 turn)
{
    Direction direction = {n, turn, directions->longest};
    double closing, step = step_along(directions->chase, directions->faces, &direction, &closing);
    if (step > directions->step) {
        directions->n = n;
        directions->step = step;
        directions->closing = closing;
    }
}

static void try_direction(Directions *directions, imp_Vec3 way)
{
    try_turning(directions, impi_unit(way), (imp_Vec3){0, 0, 0});
}

static void try_both(Directions *directions, imp_Vec3 way)
{
    try_direction(directions, way);
    try_direction(directions, impi_scale(way, -1));
}

// An edge of a face and how fast it changes.
typedef struct Edge {
    imp_Vec3 way, velocity;
} Edge;

static void find_edges(const impi_MovingFaces *faces, Edge edges[2][3])
{
    for (int i = 0; i < 3; ++i) {
        const impi_MovingPoint *a = &faces->a[i], *b = &faces->b[i];
        const impi_MovingPoint *next_a = &faces->a[(i + 1) % 3], *next_b = &faces->b[(i + 1) % 3];
        edges[0][i] = (Edge){impi_subtract(next_a->position, a->position),
                             impi_subtract(next_a->velocity, a->velocity)};
        edges[1][i] = (Edge){impi_subtract(next_b->position, b->position),
                             impi_subtract(next_b->velocity, b->velocity)};
    }
}

static void try_all_directions(Directions *directions, imp_Vec3 way, Edge edges[2][3])
{
    imp_Vec3 n = impi_unit(way), units[2][3];
    for (int i = 0; i < 6; ++i)
        units[i / 3][i % 3] = impi_unit(edges[i / 3][i % 3].way);
    for (int side = 0; side < 2; ++side) {
        try_both(directions, impi_cross(units[side][0], units[side][1]));
        for (int i = 0; i < 3; ++i)
            try_direction(directions, impi_add_scaled(n, -impi_dot(n, units[side][i]), units[side][i]));
    }
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            try_both(directions, impi_cross(units[0][i], units[1][j]));
}

// What turns n so that it stays upright on two edges: m.e = -n.e' for both, and m.n = 0.
static void try_turn_with(Directions *directions, imp_Vec3 n, const Edge *e, const Edge *f)
{
    imp_Vec3 across_f = impi_cross(f->way, n), across_e = impi_cross(n, e->way);
    double determinant = impi_dot(e->way, across_f);
    imp_Vec3 turn = impi_add_scaled(impi_scale(across_f, -impi_dot(n, e->velocity) / determinant),
                                    -impi_dot(n, f->velocity) / determinant, across_e);
    turn = impi_add_scaled(turn, -impi_dot(turn, n), n);
    if (isfinite(impi_longest(turn)))
        try_turning(directions, n, turn);
}

// The same for one edge, with the slowest turn.
static void try_turn_with_one(Directions *directions, imp_Vec3 n, const Edge *e)
{
    imp_Vec3 flat = impi_add_scaled(e->way, -impi_dot(e->way, n), n);
    imp_Vec3 turn = impi_scale(flat, -impi_dot(n, e->velocity) / impi_dot(flat, flat));
    turn = impi_add_scaled(turn, -impi_dot(turn, n), n);
    if (isfinite(impi_longest(turn)))
        try_turning(directions, n, turn);
}

static void try_turns(Directions *directions, imp_Vec3 n, Edge edges[2][3])
{
    for (int side = 0; side < 2; ++side) {
        try_turn_with(directions, n, &edges[side][0], &edges[side][1]);
        for (int i = 0; i < 3; ++i)
            try_turn_with_one(directions, n, &edges[side][i]);
    }
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            try_turn_with(directions, n, &edges[0][i], &edges[1][j]);
}

// ---- steps

static double measure(const impi_MovingFaces *faces, imp_Vec3 *way, double *lower)
{
    impi_TriangleBatch batch;
    impi_BatchDistance found;
    for (int lane = 0; lane < IMPI_BATCH_LANES; ++lane) {
        for (int i = 0; i < 3; ++i) {
            const imp_Vec3 *a = &faces->a[i].position, *b = &faces->b[i].position;
            batch.a[i][0][lane] = a->x;
            batch.a[i][1][lane] = a->y;
            batch.a[i][2][lane] = a->z;
            batch.b[i][0][lane] = b->x;
            batch.b[i][1][lane] = b->y;
            batch.b[i][2][lane] = b->z;
        }
    }
    impi_triangle_distance()->measure(&batch, &found);
    *way = (imp_Vec3){found.way[0][0], found.way[1][0], found.way[2][0]};
    *lower = found.lower[0];
    return found.upper[0];
}

static double measure_exactly(const impi_MovingFaces *faces)
{
    imp_Triangle a = triangle_of(faces->a), b = triangle_of(faces->b);
    imp_Distance found;
    impi_triangles_closest(&a, &b, &found);
    return found.distance;
}

// Two faces, how far they have come, and how long a step is of interest.
typedef struct Look {
    impi_BlockFacePair faces;
    double time, longest;
    bool is_slow; // steps so far did not lead far
} Look;

// One step from a time on; the verdict holds if it leads nowhere.
static impi_ChaseResult look(const impi_Chase *chase, const Look *at, double *step)
{
    impi_MovingFaces moving;
    Edge edges[2][3];
    imp_Vec3 way;
    find_faces(chase, at->time, at->faces, &moving);
    double separation = chase->scaled.separation, enough = separation + chase->tolerance * chase->unit;
    double lower, upper = measure(&moving, &way, &lower);
    bool is_way_good = lower - separation >= 0.5 * (upper - separation);
    Directions directions = {.chase = chase, .faces = &moving, .longest = at->longest};
    try_direction(&directions, way);
    if (directions.step < at->longest && (!is_way_good || at->is_slow)) {
        find_edges(&moving, edges);
        if (!is_way_good)
            try_all_directions(&directions, way, edges);
        if (at->is_slow)
            try_turns(&directions, is_way_good ? impi_unit(way) : directions.n, edges);
    }
    *step = directions.step;
    if (!(at->time + *step > at->time) && upper > enough) // they may cross, which doubles do not see
        upper = measure_exactly(&moving);
    return (impi_ChaseResult){upper <= enough ? IMPI_CHASE_NEAR : IMPI_CHASE_STUCK, at->time,
                              upper / chase->unit, directions.closing / chase->unit};
}

impi_ChaseResult impi_chase_run(const impi_Chase *chase, impi_BlockFacePair faces, double time, double limit)
{
    impi_ChaseResult result = {.verdict = IMPI_CHASE_STUCK, .time = time};
    double closing = chase->bounds.speed;
    for (int i = 0; i < MAX_STEPS; ++i) {
        Look at = {faces, time, 2 * (limit - time), i >= FEW_STEPS};
        double step;
        result = look(chase, &at, &step);
        closing = result.closing > 0 ? result.closing : closing;
        result.closing = closing; // a step of 0 tells of none
        if (time + step >= limit)
            return (impi_ChaseResult){.verdict = IMPI_CHASE_APART, .time = limit};
        if (!(time + step > time))
            return result;
        time += step;
    }
    return result;
}

static void pose_faces(const impi_Chase *chase, impi_BlockFacePair faces, double time, imp_Triangle *a,
                       imp_Triangle *b)
{
    impi_PathMoment at_a = impi_body_path_moment(chase->a, time),
                    at_b = impi_body_path_moment(chase->b, time);
    impi_MovingFaces moving;
    impi_body_path_face(chase->a, &at_a, faces.a, moving.a);
    impi_body_path_face(chase->b, &at_b, faces.b, moving.b);
    *a = triangle_of(moving.a);
    *b = triangle_of(moving.b);
}

bool impi_chase_is_within(const impi_Chase *chase, impi_BlockFacePair faces, double time)
{
    imp_Triangle a, b;
    pose_faces(chase, faces, time, &a, &b);
    return impi_triangles_within(&a, &b, chase->bounds.separation);
}

impi_NearParts impi_chase_near_parts(const impi_Chase *chase, impi_BlockFacePair faces, double time)
{
    imp_Triangle a, b;
    imp_Distance found;
    pose_faces(chase, faces, time, &a, &b);
    impi_triangles_closest(&a, &b, &found);
    if (found.a.feature == IMP_FEATURE_VERTEX)
        return (impi_NearParts){(uint8_t)found.a.corner, IMPI_WHOLE_FACE};
    if (found.b.feature == IMP_FEATURE_VERTEX)
        return (impi_NearParts){IMPI_WHOLE_FACE, (uint8_t)found.b.corner};
    if (found.a.feature == IMP_FEATURE_EDGE && found.b.feature == IMP_FEATURE_EDGE)
        return (impi_NearParts){(uint8_t)(3 + found.a.corner), (uint8_t)(3 + found.b.corner)};
    return (impi_NearParts){IMPI_WHOLE_FACE, IMPI_WHOLE_FACE};
}
