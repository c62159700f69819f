#include "object/sphere_motion.h"

#include "geom/pose.h"
#include "shape/sphere_tree.h"

// What rounding to single precision may move, per size of the translation and of the spheres' coordinates,
// which the trees do not make up for.
#define FLOAT_ERROR_OF_TRANSLATION 0x1p-21
#define FLOAT_ERROR_OF_POINTS      0x1p-18

#define LARGEST 0x1p60

static imp_Vec3 turn_back(const double rows[3][3], imp_Vec3 v)
{
    return (imp_Vec3){(rows[0][0] * v.x + rows[1][0] * v.y) + rows[2][0] * v.z,
                      (rows[0][1] * v.x + rows[1][1] * v.y) + rows[2][1] * v.z,
                      (rows[0][2] * v.x + rows[1][2] * v.y) + rows[2][2] * v.z};
}

static void find_rows(const impi_Body *a, const impi_Body *b, double ratio, impi_SphereMotion *motion)
{
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k) {
            double sum = 0;
            for (int j = 0; j < 3; ++j)
                sum += b->transform.rows[j][i] * a->transform.rows[j][k];
            motion->rows[i][k] = (float)(sum * ratio);
        }
}

void impi_sphere_motion_find(const impi_Body *a, const impi_Body *b, impi_SphereMotion *motion)
{
    const impi_LocalFrame *frame_a = &a->spheres->lanes.frame, *frame_b = &b->spheres->lanes.frame;
    int exponent = frame_b->exponent;
    double ratio = impi_times_power(1, exponent - frame_a->exponent);
    imp_Vec3 origin = impi_transform_apply(&a->transform, frame_a->origin);
    imp_Vec3 in_b = turn_back(b->transform.rows, impi_subtract(origin, b->transform.translation));
    imp_Vec3 translation = impi_to_local(frame_b, in_b);
    double sizes = impi_longest(a->transform.translation) + impi_longest(b->transform.translation) +
                   a->largest_coordinate + b->largest_coordinate + impi_longest(frame_a->origin) +
                   impi_longest(frame_b->origin);
    double moved = impi_body_displacement(a) + impi_body_displacement(b);
    double widening = impi_times_power(IMPI_POSE_ERROR * sizes + IMPI_LEAST_POSE_ERROR + moved, exponent) +
                      FLOAT_ERROR_OF_TRANSLATION * impi_longest(translation) +
                      FLOAT_ERROR_OF_POINTS * (ratio + 1);
    find_rows(a, b, ratio, motion);
    motion->translation[0] = (float)translation.x;
    motion->translation[1] = (float)translation.y;
    motion->translation[2] = (float)translation.z;
    motion->ratio = (float)ratio;
    // Squares of larger numbers would overflow, and what is infinite is not comparable.
    bool is_comparable = ratio < LARGEST && impi_longest(translation) < LARGEST;
    motion->widening = is_comparable ? (float)widening * (1 + FLT_EPSILON) : INFINITY;
}
