// Axes are those of the covariance of a block's vertices, found by Jacobi's rotations.
#include "shape/oriented_boxes.h"

#include "geom/scalar.h"
#include "geom/vector.h"

#include <float.h>

// Four sweeps. Where they leave something, axes fit a little less well; any are right.
#define JACOBI_STEPS 12

// Errors are a few roundings of coordinates seen from the centre: of products with an axis, and of axes that
// are not quite upright on each other.
#define HALF_INFLATION (64 * DBL_EPSILON)

// What the centre of a box of subnormal size may be off by.
#define LEAST_HALF (8 * DBL_TRUE_MIN)

// Turn the rows and columns p and q so that what is beside the diagonal there vanishes.
static void rotate(double matrix[3][3], double axes[3][3], int p, int q)
{
    double beside = matrix[p][q];
    if (beside == 0)
        return;
    double ratio = (matrix[q][q] - matrix[p][p]) / (2 * beside);
    double tangent = (ratio >= 0 ? 1 : -1) / (fabs(ratio) + sqrt(ratio * ratio + 1));
    double cosine = 1 / sqrt(tangent * tangent + 1), sine = tangent * cosine;
    for (int k = 0; k < 3; ++k) {
        double x = matrix[k][p], y = matrix[k][q];
        matrix[k][p] = cosine * x - sine * y;
        matrix[k][q] = sine * x + cosine * y;
    }
    for (int k = 0; k < 3; ++k) {
        double x = matrix[p][k], y = matrix[q][k];
        matrix[p][k] = cosine * x - sine * y;
        matrix[q][k] = sine * x + cosine * y;
        x = axes[p][k], y = axes[q][k];
        axes[p][k] = cosine * x - sine * y;
        axes[q][k] = sine * x + cosine * y;
    }
}

static void find_axes(const imp_Vec3 *points, unsigned count, imp_Vec3 mean, imp_Vec3 axes[3])
{
    double matrix[3][3] = {{0}}, turned[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (unsigned i = 0; i < count; ++i) {
        imp_Vec3 d = impi_subtract(points[i], mean);
        const double offset[3] = {d.x, d.y, d.z};
        for (int j = 0; j < 3; ++j)
            for (int k = 0; k < 3; ++k)
                matrix[j][k] += offset[j] * offset[k];
    }
    for (int step = 0; step < JACOBI_STEPS; ++step)
        rotate(matrix, turned, step % 3 == 2 ? 1 : 0, step % 3 == 0 ? 1 : 2);
    for (int k = 0; k < 3; ++k)
        axes[k] = impi_unit((imp_Vec3){turned[k][0], turned[k][1], turned[k][2]});
}

typedef struct OrientedBox {
    imp_Vec3 centre, axes[3];
    double half[3];
} OrientedBox;

static OrientedBox fit_box(const imp_Vec3 *points, unsigned count, bool is_turned)
{
    OrientedBox box = {.axes = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    imp_Vec3 mean = {0, 0, 0};
    for (unsigned i = 0; i < count; ++i)
        mean = impi_add_scaled(mean, 1.0 / count, points[i]);
    if (is_turned)
        find_axes(points, count, mean, box.axes);
    box.centre = mean;
    for (int k = 0; k < 3; ++k) {
        double low = INFINITY, high = -INFINITY;
        for (unsigned i = 0; i < count; ++i) {
            double along = impi_dot(impi_subtract(points[i], mean), box.axes[k]);
            low = impi_smaller(along, low);
            high = impi_larger(along, high);
        }
        box.centre = impi_add_scaled(box.centre, 0.5 * (low + high), box.axes[k]);
    }
    double sum = 0;
    for (int k = 0; k < 3; ++k) {
        for (unsigned i = 0; i < count; ++i)
            box.half[k] =
                impi_larger(fabs(impi_dot(impi_subtract(points[i], box.centre), box.axes[k])), box.half[k]);
        sum += box.half[k];
    }
    for (int k = 0; k < 3; ++k)
        box.half[k] += HALF_INFLATION * sum;
    return box;
}

// Along slanting axes, what lies between the largest doubles can be farther from a centre than these, and the
// centre beyond them.
static bool is_in_range(const OrientedBox *box, int exponent)
{
    double most = impi_larger(impi_longest(box->centre),
                              impi_larger(impi_larger(box->half[0], box->half[1]), box->half[2]));
    return exponent < DBL_MAX_EXP || most < 1;
}

static void store_box(impi_OrientedLanes *group, unsigned lane, const OrientedBox *box, int exponent)
{
    const double centre[3] = {box->centre.x, box->centre.y, box->centre.z};
    for (int k = 0; k < 3; ++k) {
        group->centre[k][lane] = ldexp(centre[k], exponent);
        group->axes[k][0][lane] = box->axes[k].x;
        group->axes[k][1][lane] = box->axes[k].y;
        group->axes[k][2][lane] = box->axes[k].z;
        group->half[k][lane] = impi_smaller(ldexp(box->half[k], exponent) + LEAST_HALF, DBL_MAX);
    }
}

static void store_nothing(impi_OrientedLanes *group, unsigned lane)
{
    for (int k = 0; k < 3; ++k) {
        group->centre[k][lane] = group->half[k][lane] = NAN;
        for (int axis = 0; axis < 3; ++axis)
            group->axes[k][axis][lane] = NAN;
    }
}

// Fitting takes squares, so it is done on coordinates of at most 1 in size.
void impi_oriented_boxes_fit(const impi_FaceBlocks *blocks, const imp_Vec3 *vertices, double largest,
                             impi_OrientedLanes *boxes)
{
    int exponent;
    frexp(largest, &exponent);
    for (size_t number = 0; number < impi_group_count(blocks->block_count) * IMPI_GROUP_SIZE; ++number) {
        impi_OrientedLanes *group = &boxes[number / IMPI_GROUP_SIZE];
        unsigned lane = number % IMPI_GROUP_SIZE;
        if (number >= blocks->block_count) {
            store_nothing(group, lane);
            continue;
        }
        const impi_FaceBlock *block = &blocks->blocks[number];
        imp_Vec3 points[IMPI_MAX_BLOCK_VERTICES];
        for (unsigned i = 0; i < block->vertex_count; ++i) {
            const imp_Vec3 *v = &vertices[block->first_vertex + i];
            points[i] = (imp_Vec3){ldexp(v->x, -exponent), ldexp(v->y, -exponent), ldexp(v->z, -exponent)};
        }
        OrientedBox box = fit_box(points, block->vertex_count, true);
        if (!is_in_range(&box, exponent))
            box = fit_box(points, block->vertex_count, false);
        store_box(group, lane, &box, exponent);
    }
}

void impi_oriented_boxes_copy(const impi_BoxLanes *from, size_t group_count, impi_OrientedLanes *to)
{
    for (size_t group = 0; group < group_count; ++group) {
        for (int k = 0; k < 3; ++k) {
            for (unsigned lane = 0; lane < IMPI_GROUP_SIZE; ++lane) {
                double low = from[group].min[k][lane], high = from[group].max[k][lane];
                double centre = 0.5 * low + 0.5 * high;
                double half = impi_larger(high - centre, centre - low);
                to[group].centre[k][lane] = centre;
                to[group].half[k][lane] =
                    impi_smaller((half + half * HALF_INFLATION) + LEAST_HALF, DBL_MAX) + 0 * low;
                for (int axis = 0; axis < 3; ++axis)
                    to[group].axes[k][axis][lane] = axis == k;
            }
        }
    }
}
