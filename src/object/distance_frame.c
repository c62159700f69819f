#include "object/distance_frame.h"

#include "geom/pose.h"
#include "geom/vector.h"
#include "object/box_distance.h"

#include <float.h>

// Posed coordinates are below 2 * largest + |translation| in size, since rotated ones are below sqrt(3) times
// the largest. Exponents instead of sums: these could overflow.
static int exponent_of(const impi_Body *body)
{
    int size, shift;
    frexp(body->largest_coordinate, &size);
    frexp(impi_longest(body->transform.translation), &shift);
    return (size + 1 > shift ? size + 1 : shift) + 1;
}

int impi_distance_frame_exponent(const impi_Body *a, const impi_Body *b)
{
    int exponent_a = exponent_of(a), exponent_b = exponent_of(b);
    return exponent_a > exponent_b ? exponent_a : exponent_b;
}

static void set_row(double row[3], imp_Vec3 v)
{
    row[0] = v.x;
    row[1] = v.y;
    row[2] = v.z;
}

impi_DistanceFrame impi_distance_frame(imp_Vec3 way, imp_Vec3 origin, int exponent)
{
    impi_DistanceFrame frame = {.origin = origin};
    imp_Vec3 first = impi_unit(way);
    if (!(impi_longest(first) > 0))
        first = (imp_Vec3){1, 0, 0};
    imp_Vec3 beside = fabs(first.x) < 0.6   ? (imp_Vec3){1, 0, 0}
                      : fabs(first.y) < 0.6 ? (imp_Vec3){0, 1, 0}
                                            : (imp_Vec3){0, 0, 1};
    imp_Vec3 second = impi_unit(impi_cross(first, beside));
    set_row(frame.rows[0], first);
    set_row(frame.rows[1], second);
    set_row(frame.rows[2], impi_cross(first, second));
    // Beyond 2^1000 the frame is coarser than need be, which only tiny bodies notice.
    frame.scale = ldexp(1, exponent < -1000 ? 1000 : -exponent);
    return frame;
}

static double apply_row(const double row[3], imp_Vec3 v)
{
    return (row[0] * v.x + row[1] * v.y) + row[2] * v.z;
}

// Scaled first: a difference of large coordinates could overflow.
imp_Vec3 impi_distance_frame_map(const impi_DistanceFrame *frame, imp_Vec3 point)
{
    imp_Vec3 offset = impi_subtract(impi_scale(point, frame->scale), impi_scale(frame->origin, frame->scale));
    return (imp_Vec3){apply_row(frame->rows[0], offset), apply_row(frame->rows[1], offset),
                      apply_row(frame->rows[2], offset)};
}

imp_Transform impi_distance_frame_transform(const impi_DistanceFrame *frame, const imp_Transform *transform)
{
    imp_Transform to_frame;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            to_frame.rows[i][j] =
                ((frame->rows[i][0] * transform->rows[0][j] + frame->rows[i][1] * transform->rows[1][j]) +
                 frame->rows[i][2] * transform->rows[2][j]) *
                frame->scale;
    to_frame.translation = impi_distance_frame_map(frame, transform->translation);
    return to_frame;
}

void impi_distance_frame_boxes(const imp_Transform *to_frame, const impi_OrientedLanes *oriented,
                               impi_BlockTree *tree)
{
    impi_box_distance()->pose_boxes(oriented, to_frame, IMPI_FRAME_ERROR, tree->group_counts[0],
                                    tree->levels[0]);
    impi_block_tree_finish(tree);
}

void impi_distance_frame_points(const imp_Transform *to_frame, const imp_Vec3 *vertices, unsigned count,
                                impi_FramePoints *points)
{
    for (unsigned i = 0; i < count; ++i) {
        imp_Vec3 mapped = impi_pose_vertex(to_frame, &vertices[i]);
        points->points[0][i] = (float)mapped.x;
        points->points[1][i] = (float)mapped.y;
        points->points[2][i] = (float)mapped.z;
    }
    for (int axis = 0; axis < 3; ++axis) {
        float low = points->points[axis][0], high = low;
        for (unsigned i = 1; i < count; ++i) {
            float x = points->points[axis][i];
            low = x < low ? x : low;
            high = x > high ? x : high;
        }
        points->whole[axis] = low;
        points->whole[3 + axis] = high;
    }
}
