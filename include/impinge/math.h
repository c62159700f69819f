/// Vectors, poses, boxes, triangles, and exact decisions about them.
///
/// Every decision here is right as if it were made in exact arithmetic on the doubles given, for all
/// finite doubles: subnormals, 1e-300 next to 1e+300, degenerate triangles. Touching counts.
/// All functions of this header may be called from any thread, in any floating-point mode.
#ifndef IMPINGE_MATH_H
#define IMPINGE_MATH_H

#include <impinge/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct imp_Vec2 {
    double x, y;
} imp_Vec2;

typedef struct imp_Vec3 {
    double x, y, z;
} imp_Vec3;

/// A rotation. All zero means none.
typedef struct imp_Quat {
    double w, x, y, z;
} imp_Quat;

/// Rotation first, then translation. All zero is the identity.
typedef struct imp_Pose {
    imp_Vec3 translation;
    imp_Quat rotation;
} imp_Pose;

/// A pose made ready to be applied: rows of the rotation matrix, and the translation.
typedef struct imp_Transform {
    double rows[3][3];
    imp_Vec3 translation;
} imp_Transform;

/// Closed: points on the boundary belong to it.
typedef struct imp_Box {
    imp_Vec3 min, max;
} imp_Box;

/// Closed and filled. Vertices may coincide or be collinear: then it is a segment or a point.
typedef struct imp_Triangle {
    imp_Vec3 v[3];
} imp_Triangle;

/// Closed. Ends may coincide: then it is a point.
typedef struct imp_Segment {
    imp_Vec3 v[2];
} imp_Segment;

/// Normalise the rotation and compute its matrix, by the formula of docs/exactness.md, to the bit.
/// IMP_STATUS_BAD_NUMBER when a number is not finite or the norm of the rotation is off 1 by more than
/// 1e-6. An all-zero rotation is the identity.
IMP_CHECKED imp_Status imp_pose_transform(const imp_Pose *pose, imp_Transform *transform);

/// ((m0*x + m1*y) + m2*z) + t for each row, in this order, rounded to nearest at each step. Every
/// verdict of impinge about a posed mesh is taken on the coordinates that this function gives. `transform`
/// may not be null.
IMP_API imp_Vec3 imp_transform_apply(const imp_Transform *transform, imp_Vec3 point);

/// Both in one, for single points. IMP_STATUS_BAD_NUMBER also when the point, or what it is posed to, is
/// not finite.
IMP_CHECKED imp_Status imp_pose_apply(const imp_Pose *pose, imp_Vec3 point, imp_Vec3 *posed);

/// The pose that is `inner` first and then `outer`. `result` may be one of both. Its rotation is normalised,
/// also where those of the poses are zero or off 1 a little; its translation is what imp_pose_apply makes of
/// the inner one's. IMP_STATUS_BAD_NUMBER as imp_pose_transform, and when the result is not finite.
///
/// Each number of the rotation is within 2^-48 of the exact composition's (of the rotations, divided by their
/// lengths), each coordinate of the translation within 2^-48 times the sum of the sizes of the inner
/// translation's coordinates and the outer one's. Where numbers vanish, 2^-1070 comes on top of both
/// (docs/exactness.md).
IMP_CHECKED imp_Status imp_pose_compose(const imp_Pose *outer, const imp_Pose *inner, imp_Pose *result);

/// The pose that undoes `pose`, which `inverse` may be. Normalised, refused and accurate in the same way:
/// each coordinate of its translation is within 2^-48 times the sum of the sizes of the pose's coordinates,
/// plus 2^-1070.
IMP_CHECKED imp_Status imp_pose_inverse(const imp_Pose *pose, imp_Pose *inverse);

/// The sign (-1, 0, 1) of the area of a, b, c: 1 when they turn counter-clockwise.
/// IMP_STATUS_BAD_NUMBER when a coordinate is not finite.
IMP_CHECKED imp_Status imp_orient2d(imp_Vec2 a, imp_Vec2 b, imp_Vec2 c, int *sign);

/// The sign (-1, 0, 1) of ((b-a) x (c-a)) . (d-a): 1 when d lies on the side of the plane a, b, c
/// from which they turn counter-clockwise, 0 when the four points lie in one plane.
IMP_CHECKED imp_Status imp_orient3d(imp_Vec3 a, imp_Vec3 b, imp_Vec3 c, imp_Vec3 d, int *sign);

/// Do two triangles share a point?
IMP_CHECKED imp_Status imp_triangles_touch(const imp_Triangle *a, const imp_Triangle *b, bool *touch);

/// touch[i] tells whether a[i] and b[i] share a point, for each i below `count`. Several pairs are
/// decided at once, on the threads of the context. When a coordinate is not finite, the status is
/// IMP_STATUS_BAD_NUMBER, the error's index is that of the first such pair, and nothing is written.
IMP_CHECKED imp_Status imp_triangle_pairs_touch(imp_Context *context, const imp_Triangle *a,
                                                const imp_Triangle *b, size_t count, bool *touch);

/// Do a segment and a triangle share a point?
IMP_CHECKED imp_Status imp_segment_touches_triangle(const imp_Segment *segment, const imp_Triangle *triangle,
                                                    bool *touch);

/// Do a triangle and a box share a point? IMP_STATUS_BAD_NUMBER also when min exceeds max.
IMP_CHECKED imp_Status imp_triangle_touches_box(const imp_Triangle *triangle, const imp_Box *box,
                                                bool *touch);

#ifdef __cplusplus
}
#endif

#endif
