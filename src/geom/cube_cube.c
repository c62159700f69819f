// Directions and positions in doubles, with bounds (docs/exactness.md), and what is decided by them.
//
// Departs from the test of Smith & Kitamura 2.4.2, which asks spheres, corners, edges and points of edges in
// turn (geom/cube_steps.c has it): separating directions take no branches until the end, and each is a sign
// that integers can decide.
//
// Cost: 15 directions of about ten operations, less where boxes are apart along an early one; some
// microseconds where integers are asked.
#include "geom/cube_cube.h"

#include "geom/cube_exact.h"
#include "geom/filter.h"
#include "geom/scalar.h"

#include <math.h>
#include <string.h>

#define MAX_DEVIATION 0x1p-20 // of a matrix from rotations or reflections

int impi_cube_frame_exponent(double largest)
{
    return largest > 0 ? ilogb(largest) + 1 : 0;
}

double impi_cube_frame_local(const impi_CubeFrame *frame, double base, double x)
{
    return impi_times_power(x, -frame->exponent) - impi_times_power(base, -frame->exponent);
}

// ---- where the source's base goes

// A sum of products as the sum of two doubles, with an error of the second order.
typedef struct LongSum {
    double high, low;
    bool is_rounded; // otherwise it is just `high`
} LongSum;

static void add_number(LongSum *sum, double x)
{
    double high = sum->high + x, part = high - sum->high;
    double rest = (sum->high - (high - part)) + (x - part);
    sum->high = high;
    sum->low += rest;
    sum->is_rounded |= rest != 0;
}

static void add_product(LongSum *sum, double x, double y)
{
    double product = x * y, rest = fma(x, y, -product);
    add_number(sum, product);
    sum->low += rest;
    sum->is_rounded |= rest != 0;
}

// Scaled without losing bits?
static double scale(double x, int exponent, bool *is_rounded)
{
    double scaled = impi_times_power(x, -exponent);
    *is_rounded |= impi_times_power(scaled, exponent) != x;
    return scaled;
}

static void find_base(impi_CubeMotion *motion, bool is_rounded[3])
{
    const imp_Vec3 *t = &motion->transform.translation;
    const double translation[3] = {t->x, t->y, t->z};
    const impi_CubeFrame *frame = &motion->frame;
    for (int axis = 0; axis < 3; ++axis) {
        LongSum sum = {0};
        for (int i = 0; i < 3; ++i)
            add_product(&sum, motion->transform.rows[axis][i],
                        scale(frame->source_base[i], frame->exponent, &sum.is_rounded));
        add_number(&sum, scale(translation[axis], frame->exponent, &sum.is_rounded));
        add_number(&sum, -scale(frame->target_base[axis], frame->exponent, &sum.is_rounded));
        motion->base[axis] = sum.high + sum.low;
        is_rounded[axis] = sum.is_rounded;
    }
}

// ---- directions

// Component `row` of the cross product of the two columns other than `column`.
static double minor_of(const imp_Transform *m, int row, int column)
{
    int r1 = (row + 1) % 3, r2 = (row + 2) % 3, c1 = (column + 1) % 3, c2 = (column + 2) % 3;
    return m->rows[r1][c1] * m->rows[r2][c2] - m->rows[r1][c2] * m->rows[r2][c1];
}

static void add_direction(impi_CubeMotion *motion, int name, const double target[3], const double source[3])
{
    int k = motion->count++;
    motion->names[k] = (uint8_t)name;
    memcpy(motion->target[k], target, sizeof motion->target[k]);
    memcpy(motion->source[k], source, sizeof motion->source[k]);
    const double *b = motion->base;
    motion->offset[k] = (target[0] * b[0] + target[1] * b[1]) + target[2] * b[2];
    motion->target_size[k] = (fabs(target[0]) + fabs(target[1])) + fabs(target[2]);
    motion->source_size[k] = (fabs(source[0]) + fabs(source[1])) + fabs(source[2]);
}

// The axis that a direction is parallel to, or -1; 3 when it is null.
static int find_parallel_axis(const impi_ExactMatrix *matrix, int name)
{
    int signs[3];
    impi_exact_direction_signs(matrix, name, signs);
    int count = (signs[0] != 0) + (signs[1] != 0) + (signs[2] != 0);
    return count == 0 ? 3 : count > 1 ? -1 : signs[0] ? 0 : signs[1] ? 1 : 2;
}

static void add_axis(impi_CubeMotion *motion, int axis)
{
    double target[3] = {0, 0, 0};
    target[axis] = 1;
    add_direction(motion, axis, target, motion->transform.rows[axis]);
}

static void add_normal(impi_CubeMotion *motion, const impi_ExactMatrix *exact, int column)
{
    const imp_Transform *m = &motion->transform;
    double target[3], source[3] = {0, 0, 0};
    for (int row = 0; row < 3; ++row) {
        target[row] = minor_of(m, row, column);
        source[column] += m->rows[row][column] * target[row];
    }
    for (int row = 0; row < 3; ++row)
        motion->inverse[column][row] = target[row] / source[column];
    int axis = find_parallel_axis(exact, 3 + column);
    if (axis < 0)
        add_direction(motion, 3 + column, target, source);
    else
        add_axis(motion, axis);
}

// See cube_exact.c for what these are multiplied with.
static void add_cross(impi_CubeMotion *motion, int axis, int column)
{
    const imp_Transform *m = &motion->transform;
    int a1 = (axis + 1) % 3, a2 = (axis + 2) % 3, c1 = (column + 1) % 3, c2 = (column + 2) % 3;
    if (m->rows[a1][column] == 0 || m->rows[a2][column] == 0) // null, or parallel to an axis
        return;
    double target[3] = {0, 0, 0}, source[3] = {0, 0, 0};
    target[a1] = -m->rows[a2][column];
    target[a2] = m->rows[a1][column];
    source[c1] = minor_of(m, axis, c2);
    source[c2] = -minor_of(m, axis, c1);
    add_direction(motion, 6 + 3 * axis + column, target, source);
}

// ---- errors

static bool is_nearly_rigid(const imp_Transform *m)
{
    for (int i = 0; i < 3; ++i)
        for (int j = i; j < 3; ++j) {
            double product = 0;
            for (int row = 0; row < 3; ++row)
                product += m->rows[row][i] * m->rows[row][j];
            if (!(fabs(product - (i == j)) <= MAX_DEVIATION))
                return false;
        }
    return true;
}

static bool is_unit_row(const double row[3])
{
    double sizes = (fabs(row[0]) + fabs(row[1])) + fabs(row[2]);
    return sizes == 1 && (fabs(row[0]) == 1 || fabs(row[1]) == 1 || fabs(row[2]) == 1);
}

// Is position along an axis exact, in steps far above what other directions are off by? Then nothing that
// is computed with such positions is rounded either: it is less than 2^50 steps.
static bool is_exact_axis(const impi_CubeMotion *motion, int axis, bool is_base_rounded)
{
    int step = motion->frame.step;
    if (step == IMPI_NO_STEP || is_base_rounded || !is_unit_row(motion->transform.rows[axis]))
        return false;
    double steps = impi_times_power(motion->base[axis], -step);
    return rint(steps) == steps && scalbn(0.25, step) > motion->largest_error;
}

static void find_errors(impi_CubeMotion *motion, const bool is_base_rounded[3])
{
    double reach = motion->frame.reach;
    for (int axis = 0; axis < 3; ++axis)
        reach = fmax(reach, fabs(motion->base[axis]));
    double error = (IMPI_CUBE_ERROR * reach + IMPI_CUBE_SLOP * motion->frame.slop) + IMPI_CUBE_BASE_ERROR;
    if (!is_nearly_rigid(&motion->transform))
        error = INFINITY;
    motion->largest_error = error;
    for (int k = 0; k < motion->count; ++k) {
        int axis = motion->names[k];
        bool is_exact = axis < 3 && is_exact_axis(motion, axis, is_base_rounded[axis]);
        motion->error[k] = is_exact ? 0 : error;
    }
}

void impi_cube_motion_init(impi_CubeMotion *motion, const imp_Transform *transform,
                           const impi_CubeFrame *frame)
{
    bool is_base_rounded[3];
    impi_ExactMatrix exact;
    impi_exact_matrix_init(&exact, transform);
    *motion = (impi_CubeMotion){.transform = *transform, .frame = *frame};
    find_base(motion, is_base_rounded);
    for (int axis = 0; axis < 3; ++axis)
        add_axis(motion, axis);
    for (int column = 0; column < 3; ++column)
        add_normal(motion, &exact, column);
    for (int axis = 0; axis < 3; ++axis)
        for (int column = 0; column < 3; ++column)
            add_cross(motion, axis, column);
    find_errors(motion, is_base_rounded);
}

// ---- pairs

static void find_shadow(int count, const double directions[][3], const double *offset, const double center[3],
                        const double half[3], impi_CubeShadow *shadow)
{
    for (int k = 0; k < count; ++k) {
        const double *d = directions[k];
        double middle = (d[0] * center[0] + d[1] * center[1]) + d[2] * center[2];
        shadow->middle[k] = offset ? middle + offset[k] : middle;
        shadow->half[k] = (fabs(d[0]) * half[0] + fabs(d[1]) * half[1]) + fabs(d[2]) * half[2];
    }
}

void impi_cube_source_shadow(const impi_CubeMotion *motion, const double center[3], const double half[3],
                             impi_CubeShadow *shadow)
{
    find_shadow(motion->count, motion->source, motion->offset, center, half, shadow);
}

void impi_cube_target_shadow(const impi_CubeMotion *motion, const double center[3], const double half[3],
                             impi_CubeShadow *shadow)
{
    find_shadow(motion->count, motion->target, NULL, center, half, shadow);
}

// Along a direction: 1 apart, -1 not, 0 unknown.
static int is_apart(const impi_CubeMotion *motion, const impi_CubePair *pair, impi_CubeSense sense, int k)
{
    double distance = fabs(pair->target_shadow->middle[k] - pair->source_shadow->middle[k]);
    double gap = distance - (pair->target_shadow->half[k] + pair->source_shadow->half[k]);
    double error = motion->error[k];
    bool is_open = sense == IMPI_CUBES_OPEN;
    if (is_open ? gap >= error : gap > error)
        return 1;
    return (is_open ? gap < -error : gap <= -error) ? -1 : 0;
}

// Directions along which it is not known whether they are apart, as bits; false when they are along one.
static bool find_open(const impi_CubeMotion *motion, const impi_CubePair *pair, impi_CubeSense sense,
                      uint32_t *open)
{
    *open = 0;
    for (int k = 0; k < motion->count; ++k) {
        int verdict = is_apart(motion, pair, sense, k);
        if (verdict > 0)
            return false;
        *open |= (uint32_t)(verdict == 0) << k;
    }
    return true;
}

// Along one of these directions?
static bool are_apart_exactly(const impi_CubeMotion *motion, const impi_ExactCubes *cubes,
                              impi_CubeSense sense, uint32_t directions)
{
    const int least = sense == IMPI_CUBES_OPEN ? 0 : 1;
    for (; directions; directions &= directions - 1) {
        impi_CubeGaps gaps = impi_exact_cube_gaps(cubes, motion->names[__builtin_ctz(directions)]);
        if (gaps.above >= least || gaps.below >= least)
            return true;
    }
    return false;
}

bool impi_cube_are_apart(const impi_CubeMotion *motion, const impi_CubePair *pair, impi_CubeSense sense,
                         bool *is_exact)
{
    uint32_t open;
    *is_exact = false;
    if (!find_open(motion, pair, sense, &open))
        return true;
    *is_exact = open != 0;
    if (open == 0)
        return false;
    impi_ExactCubes cubes;
    impi_exact_cubes_init(&cubes, &motion->transform, pair->source, pair->target);
    return are_apart_exactly(motion, &cubes, sense, open);
}

// Is the target between the two faces of the source along a normal? 1 yes, -1 no, 0 unknown.
static int is_between(const impi_CubeMotion *motion, const impi_CubePair *pair, int k)
{
    double distance = fabs(pair->target_shadow->middle[k] - pair->source_shadow->middle[k]);
    double excess = distance - (pair->source_shadow->half[k] - pair->target_shadow->half[k]);
    return excess <= -motion->error[k] ? 1 : excess > motion->error[k] ? -1 : 0;
}

// Of boxes that are not apart.
static impi_CubeRelation find_completeness(const impi_CubeMotion *motion, const impi_CubePair *pair,
                                           bool *is_exact)
{
    uint32_t open = 0;
    for (int k = 3; k < IMPI_FACE_DIRECTIONS; ++k) {
        int verdict = is_between(motion, pair, k);
        if (verdict < 0)
            return IMPI_CUBES_PARTIAL;
        open |= (uint32_t)(verdict == 0) << k;
    }
    if (open == 0)
        return IMPI_CUBES_COMPLETE;
    impi_ExactCubes cubes;
    *is_exact = true;
    impi_exact_cubes_init(&cubes, &motion->transform, pair->source, pair->target);
    for (; open; open &= open - 1) {
        impi_CubeEnds ends = impi_exact_cube_ends(&cubes, __builtin_ctz(open));
        if (ends.least < 0 || ends.largest > 0)
            return IMPI_CUBES_PARTIAL;
    }
    return IMPI_CUBES_COMPLETE;
}

impi_CubeRelation impi_cube_relation(const impi_CubeMotion *motion, const impi_CubePair *pair,
                                     impi_CubeSense sense, bool *is_exact)
{
    if (impi_cube_are_apart(motion, pair, sense, is_exact))
        return IMPI_CUBES_APART;
    return find_completeness(motion, pair, is_exact);
}

// ---- boxes that stand alone

static impi_CubeFrame frame_of(const imp_Transform *transform, const impi_SourceBox *source,
                               const impi_TargetBox *target)
{
    const imp_Vec3 *t = &transform->translation;
    double largest = fmax(fmax(fabs(t->x), fabs(t->y)), fabs(t->z));
    impi_CubeFrame frame = {.step = IMPI_NO_STEP};
    for (int axis = 0; axis < 3; ++axis) {
        frame.source_base[axis] = source->min[axis];
        frame.target_base[axis] = target->min[axis][0];
        const double values[6] = {source->min[axis],    source->max[axis],    target->min[axis][0],
                                  target->min[axis][1], target->max[axis][0], target->max[axis][1]};
        for (int i = 0; i < 6; ++i)
            largest = fmax(largest, fabs(values[i]));
    }
    frame.exponent = impi_cube_frame_exponent(largest);
    return frame;
}

impi_CubeRelation impi_cube_cube(const imp_Transform *transform, const impi_SourceBox *source,
                                 const impi_TargetBox *target, impi_CubeSense sense)
{
    impi_CubeFrame frame = frame_of(transform, source, target);
    double center[2][3], half[2][3];
    for (int axis = 0; axis < 3; ++axis) {
        double low = impi_cube_frame_local(&frame, frame.source_base[axis], source->min[axis]);
        double high = impi_cube_frame_local(&frame, frame.source_base[axis], source->max[axis]);
        center[0][axis] = (low + high) / 2;
        half[0][axis] = (high - low) / 2;
        low = (impi_cube_frame_local(&frame, frame.target_base[axis], target->min[axis][0]) +
               impi_cube_frame_local(&frame, frame.target_base[axis], target->min[axis][1])) /
              2;
        double other = (impi_cube_frame_local(&frame, frame.target_base[axis], target->max[axis][0]) +
                        impi_cube_frame_local(&frame, frame.target_base[axis], target->max[axis][1])) /
                       2;
        center[1][axis] = (low + other) / 2;
        half[1][axis] = (other - low) / 2;
        frame.reach = fmax(fmax(frame.reach, fmax(fabs(low), fabs(other))), high);
    }
    impi_CubeMotion motion;
    impi_CubeShadow shadows[2] = {{{0}, {0}}, {{0}, {0}}};
    impi_cube_motion_init(&motion, transform, &frame);
    impi_cube_source_shadow(&motion, center[0], half[0], &shadows[0]);
    impi_cube_target_shadow(&motion, center[1], half[1], &shadows[1]);
    impi_CubePair pair = {source, target, &shadows[0], &shadows[1]};
    bool is_exact;
    return impi_cube_relation(&motion, &pair, sense, &is_exact);
}
