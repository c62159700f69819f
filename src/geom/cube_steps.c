// Numbers of steps are those of the paper.
//
// Departs from it where cubes have the same edge: then the target may just be the source's image, so that
// intersection is certain to be partial only where their centers differ.
//
// Positions in the other's frame are off by less than twice the error of directions. Comparisons are certain
// where they hold by `margin`, which is four times as much and covers what distances and radii are off by.
#include "geom/cube_steps.h"

#include "geom/scalar.h"

#include <math.h>

static double margin_of(const impi_CubeMotion *motion)
{
    return 4 * motion->largest_error;
}

// ---- cubes

static void place_upright(const double center[3], double half, impi_StepsCube *cube)
{
    for (int axis = 0; axis < 3; ++axis) {
        cube->low[axis] = center[axis] - half;
        cube->high[axis] = center[axis] + half;
    }
    cube->edge = 2 * half;
    cube->inner = half;
    cube->outer = half * sqrt(3);
}

static void corner_of(const impi_StepsCube *cube, int corner, double point[3])
{
    for (int axis = 0; axis < 3; ++axis)
        point[axis] = corner >> axis & 1 ? cube->high[axis] : cube->low[axis];
}

static void move(const impi_CubeMotion *motion, const double p[3], double moved[3])
{
    for (int axis = 0; axis < 3; ++axis) {
        const double *row = motion->transform.rows[axis];
        moved[axis] = ((row[0] * p[0] + row[1] * p[1]) + row[2] * p[2]) + motion->base[axis];
    }
}

static void move_back(const impi_CubeMotion *motion, const double x[3], double moved[3])
{
    const double d[3] = {x[0] - motion->base[0], x[1] - motion->base[1], x[2] - motion->base[2]};
    for (int axis = 0; axis < 3; ++axis) {
        const double *row = motion->inverse[axis];
        moved[axis] = (row[0] * d[0] + row[1] * d[1]) + row[2] * d[2];
    }
}

void impi_steps_source(const impi_CubeMotion *motion, const double center[3], double half,
                       impi_StepsCube *cube)
{
    place_upright(center, half, cube);
    move(motion, center, cube->center);
    for (int corner = 0; corner < 8; ++corner) {
        double point[3];
        corner_of(cube, corner, point);
        move(motion, point, cube->corners[corner]);
    }
}

void impi_steps_target(const impi_CubeMotion *motion, const double center[3], double half,
                       impi_StepsCube *cube)
{
    place_upright(center, half, cube);
    move_back(motion, center, cube->center);
    for (int corner = 0; corner < 8; ++corner) {
        double point[3];
        corner_of(cube, corner, point);
        move_back(motion, point, cube->corners[corner]);
    }
}

// ---- steps

// 1 inside, -1 outside, 0 not certain.
static int is_inside(const impi_StepsCube *cube, const double point[3], double margin)
{
    int inside = 1;
    for (int axis = 0; axis < 3; ++axis) {
        double depth = impi_smaller(point[axis] - cube->low[axis], cube->high[axis] - point[axis]);
        if (depth < -margin)
            return -1;
        inside &= depth > margin;
    }
    return inside;
}

// Step 2: how far is the center of the smaller cube from the larger one?
static double distance_to(const impi_StepsCube *larger, const double center[3])
{
    double square = 0;
    for (int axis = 0; axis < 3; ++axis) {
        double away =
            impi_larger(impi_larger(larger->low[axis] - center[axis], center[axis] - larger->high[axis]), 0);
        square += away * away;
    }
    return sqrt(square);
}

typedef struct CornerCounts {
    int inside, outside, uncertain;
} CornerCounts;

static CornerCounts count_corners(const impi_StepsCube *of, const impi_StepsCube *in, double margin)
{
    CornerCounts counts = {0, 0, 0};
    for (int corner = 0; corner < 8; ++corner) {
        int inside = is_inside(in, of->corners[corner], margin);
        counts.inside += inside > 0;
        counts.outside += inside < 0;
        counts.uncertain += inside == 0;
    }
    return counts;
}

static const uint8_t edges[12][2] = {{0, 1}, {2, 3}, {4, 5}, {6, 7}, {0, 2}, {1, 3},
                                     {4, 6}, {5, 7}, {0, 4}, {1, 5}, {2, 6}, {3, 7}};

// Step 5: is the edge outside of one of the faces?
static bool is_edge_outside(const impi_StepsCube *larger, const double *a, const double *b, double margin)
{
    for (int axis = 0; axis < 3; ++axis)
        if (impi_larger(a[axis], b[axis]) < larger->low[axis] - margin ||
            impi_smaller(a[axis], b[axis]) > larger->high[axis] + margin)
            return true;
    return false;
}

// Step 6: does the edge meet the face of an axis at `plane`? 1 yes, -1 no, 0 not certain.
static int meets_face(const impi_StepsCube *larger, const double *a, const double *b, int axis, double plane,
                      double margin)
{
    double from = a[axis] - plane, to = b[axis] - plane;
    if (impi_smaller(from, to) > margin || impi_larger(from, to) < -margin)
        return -1;
    if (impi_smaller(from, to) > -margin || impi_larger(from, to) < margin)
        return 0;
    // Where the plane cuts the edge is off by as much as the edge is long for what it gains along the axis.
    double share = from / (from - to), length = 0, depth = INFINITY;
    for (int i = 1; i < 3; ++i) {
        int other = (axis + i) % 3;
        double point = a[other] + share * (b[other] - a[other]);
        length += fabs(b[other] - a[other]);
        depth = impi_smaller(depth, impi_smaller(point - larger->low[other], larger->high[other] - point));
    }
    double uncertain = 2 * margin * (1 + length / fabs(from - to));
    return depth > uncertain ? 1 : depth < -uncertain ? -1 : 0;
}

// Steps 5 and 6: 1 some edge of the smaller cube meets a face of the larger one, -1 none does.
static int edges_meet(const impi_StepsCube *smaller, const impi_StepsCube *larger, double margin)
{
    int verdict = -1;
    for (int edge = 0; edge < 12; ++edge) {
        const double *a = smaller->corners[edges[edge][0]], *b = smaller->corners[edges[edge][1]];
        if (is_edge_outside(larger, a, b, margin))
            continue;
        for (int axis = 0; axis < 3; ++axis)
            for (int side = 0; side < 2; ++side) {
                double plane = side ? larger->high[axis] : larger->low[axis];
                int met = meets_face(larger, a, b, axis, plane, margin);
                if (met > 0)
                    return 1;
                verdict = met == 0 ? 0 : verdict;
            }
    }
    return verdict;
}

// Steps 3 to 6 where the source is the smaller cube: then the target is not inside of it.
static impi_StepsVerdict compare_smaller_source(const impi_StepsCube *source, const impi_StepsCube *target,
                                                double margin)
{
    CornerCounts counts = count_corners(source, target, margin);
    if (counts.inside > 0)
        return IMPI_STEPS_PARTIAL;
    CornerCounts others = count_corners(target, source, margin);
    if (others.inside > 0)
        return IMPI_STEPS_PARTIAL;
    int met = edges_meet(source, target, margin);
    bool is_certain = counts.uncertain + others.uncertain == 0 && met < 0;
    return met > 0 ? IMPI_STEPS_PARTIAL : is_certain ? IMPI_STEPS_APART : IMPI_STEPS_UNCERTAIN;
}

static impi_StepsVerdict compare_smaller_target(const impi_StepsCube *source, const impi_StepsCube *target,
                                                bool is_met, double margin)
{
    CornerCounts counts = count_corners(target, source, margin);
    if (counts.inside == 8)
        return IMPI_STEPS_COMPLETE;
    if (is_met || counts.inside > 0)
        return counts.outside > 0 ? IMPI_STEPS_PARTIAL : IMPI_STEPS_UNCERTAIN;
    CornerCounts others = count_corners(source, target, margin);
    int met = others.inside > 0 ? 1 : edges_meet(target, source, margin);
    if (met > 0)
        return counts.outside > 0 ? IMPI_STEPS_PARTIAL : IMPI_STEPS_UNCERTAIN;
    bool is_certain = counts.uncertain + others.uncertain == 0 && met < 0;
    return is_certain ? IMPI_STEPS_APART : IMPI_STEPS_UNCERTAIN;
}

impi_StepsVerdict impi_cube_steps(const impi_CubeMotion *motion, const impi_StepsCube *source,
                                  const impi_StepsCube *target)
{
    const double margin = margin_of(motion);
    bool is_source_smaller = source->edge <= target->edge + margin;
    const impi_StepsCube *smaller = is_source_smaller ? source : target;
    const impi_StepsCube *larger = is_source_smaller ? target : source;
    double distance = distance_to(larger, smaller->center);
    if (distance > smaller->outer + margin)
        return IMPI_STEPS_APART;
    bool is_met = distance < smaller->inner - margin;
    if (!is_source_smaller)
        return compare_smaller_target(source, target, is_met, margin);
    impi_StepsVerdict verdict = is_met ? IMPI_STEPS_PARTIAL : compare_smaller_source(source, target, margin);
    if (verdict == IMPI_STEPS_PARTIAL && source->edge > target->edge - margin) {
        double apart = 0;
        for (int axis = 0; axis < 3; ++axis)
            apart = impi_larger(apart,
                                fabs(source->center[axis] - 0.5 * (target->low[axis] + target->high[axis])));
        return apart > 4 * margin ? IMPI_STEPS_PARTIAL : IMPI_STEPS_UNCERTAIN;
    }
    return verdict;
}

impi_StepsVerdict impi_center_steps(const impi_CubeMotion *motion, const impi_StepsCube *source,
                                    const impi_StepsCube *target)
{
    int inside = is_inside(source, target->center, margin_of(motion));
    return inside > 0 ? IMPI_STEPS_COMPLETE : inside < 0 ? IMPI_STEPS_APART : IMPI_STEPS_UNCERTAIN;
}
