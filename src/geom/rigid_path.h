/// The way of a rigid body from one pose to another: a point of it, the pivot, goes straight while the body
/// turns about it at a constant rate, the short way and then some whole turns. Default floating-point mode
/// expected. No functions of the C library but sqrt take part, so all machines give the same bits.
#ifndef IMPINGE_GEOM_RIGID_PATH_H
#define IMPINGE_GEOM_RIGID_PATH_H

#include <impinge/math.h>

#define IMPI_MAX_TURNS 65536

typedef struct impi_RigidPathDef {
    imp_Pose from, to;
    imp_Vec3 pivot; // in the body's frame
    int32_t turns;  // whole ones on top of the short way, in its direction; negative: against it
    imp_Vec3 axis;  // in the world, any length: what the turns are about where both rotations are the same
} impi_RigidPathDef;

/// The ideal path, which all bounds are about, is what these numbers say in real arithmetic: at time t the
/// pivot is at pivot_from + t * pivot_way, and the body is turned about it by 2 * half_angle * t, about the
/// axis over its length, from where the rotation of `from` has it.
typedef struct impi_RigidPath {
    imp_Pose from, to;
    imp_Quat start;      // the rotation of `from`, normalised
    imp_Vec3 pivot;      // in the body's frame
    imp_Vec3 pivot_from; // in the world, posed by `from`
    imp_Vec3 pivot_way;  // from there to where `to` has it
    imp_Vec3 axis;       // in the world, of unit length but for rounding; zeros: it does not turn
    double half_angle;   // of the whole turn, in radians; not negative
} impi_RigidPath;

/// IMP_STATUS_BAD_NUMBER when a pose is none (imp_pose_transform), the pivot or the axis is not finite, or
/// the pivot's way is longer than the largest double; IMP_STATUS_BAD_ARGUMENT when there are more than
/// IMPI_MAX_TURNS turns, or there are some, both rotations are the same to the bit, or opposite, and the axis
/// is zero.
imp_Status impi_rigid_path_make(const impi_RigidPathDef *def, impi_RigidPath *path);

/// Where the body is at a time from 0 to 1: `from` at 0 and `to` at 1, to the bit; between them the rotation
/// is normalised.
imp_Pose impi_rigid_path_pose(const impi_RigidPath *path, double time);

/// A vertex, posed by what impi_rigid_path_pose gives at any time, is no farther than this from where the
/// ideal path has it, if its coordinates in the body's frame are at most `largest` in size
/// (docs/exactness.md).
double impi_rigid_path_rounding(const impi_RigidPath *path, double largest);

/// On the ideal path no point within `radius` of the axis through the pivot moves farther than this between
/// two times; also, the second derivative of where it is by time is never longer than the bend.
double impi_rigid_path_reach(const impi_RigidPath *path, double radius, double from_time, double to_time);
double impi_rigid_path_bend(const impi_RigidPath *path, double radius);

/// The velocity, by time from 0 to 1, of a point of the body that is here in the world while the pivot is at
/// `pivot`: rounded.
imp_Vec3 impi_rigid_path_velocity(const impi_RigidPath *path, imp_Vec3 pivot, imp_Vec3 point);

/// Where the pivot is, rounded.
imp_Vec3 impi_rigid_path_pivot(const impi_RigidPath *path, double time);

/// Sine and cosine, each within 2^-50 of the true value for angles of at most 2^20 in size.
void impi_sine_cosine(double angle, double *sine, double *cosine);

/// The angle from 0 to pi of the point (x, y), y not negative and not both zero, x * x + y * y within 1e-6 of
/// 1; within 2^-49 of the true value.
double impi_angle_of(double x, double y);

#endif
