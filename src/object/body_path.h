/// How a body moves during an interval of time from 0 to 1, and how fast at most.
#ifndef IMPINGE_OBJECT_BODY_PATH_H
#define IMPINGE_OBJECT_BODY_PATH_H

#include "base/arena.h"
#include "geom/rigid_path.h"
#include "object/body.h"

typedef enum impi_PathKind {
    IMPI_PATH_REST,     // it stays where it is
    IMPI_PATH_STRAIGHT, // each vertex goes straight: at x0 + t (x1 - x0), with x0 and x1 as they are posed
    IMPI_PATH_RIGID,    // see geom/rigid_path.h
} impi_PathKind;

/// The velocity of each vertex is the drift, and no more than the stray beside it; what the velocity changes
/// by, per unit of time, is no more than the bend. All bounds are on the safe side.
typedef struct impi_BodyPath {
    const impi_Body *body; // where it begins
    impi_PathKind kind;
    impi_RigidPath rigid;
    imp_Transform end;            // straight: where it ends
    const imp_Vec3 *end_vertices; // straight: in the frame of the end, block by block, or the body's own
    imp_Vec3 drift;
    double stray, bend;
    double rounding;       // vertices as they are computed for a time are no farther than this from the path
    double speed_rounding; // what velocities of single vertices, as they are computed, are off by
    double radius;         // rigid: how far vertices are from the axis through the pivot
    double low, high;      // rigid: and from the pivot along the axis
    imp_Box start;         // around the vertices where they begin
    imp_Box ends;          // straight: around the vertices at both ends
} impi_BodyPath;

/// The body stays as it is while the path is used.
void impi_body_path_rest(const impi_Body *body, impi_BodyPath *path);

/// `end_vertices` stand block by block (as impi_body_vertices) in the frame of the end, and stay; null: the
/// body's own. All posed vertices are finite. Goes through all vertices, once.
void impi_body_path_straight(const impi_Body *body, const imp_Transform *end, const imp_Vec3 *end_vertices,
                             impi_BodyPath *path);

/// The rigid path begins where the body is. Goes through all vertices, once.
void impi_body_path_rigid(const impi_Body *body, const impi_RigidPath *rigid, impi_BodyPath *path);

/// The path to the body's target, or rest. The target was checked (impi_body_check_target).
void impi_body_path_to_target(const impi_Body *body, impi_BodyPath *path);

/// Boxes such that what goes straight from the first to the second holds the body at all times.
void impi_body_path_bound_ends(const impi_BodyPath *path, imp_Box ends[2]);

/// A box around all vertices at all times from 0 to 1, as the path has them and as they are computed.
imp_Box impi_body_path_box(const impi_BodyPath *path);

/// What impi_body_path_begin takes from the arena.
size_t impi_body_path_memory(const impi_BodyPath *path);

/// A body to be placed along the path, for searches that look at shape, blocks, vertices and transform alone:
/// it is not to be released and has no surface. False when out of memory.
bool impi_body_path_begin(const impi_BodyPath *path, impi_Arena *arena, impi_Body *moved);

/// Place it: `moved` is what impi_body_path_begin made, and is used by one thread.
void impi_body_path_place(const impi_BodyPath *path, double time, impi_Body *moved);

/// A vertex in motion: where it is, as computed, and its velocity, rounded.
typedef struct impi_MovingPoint {
    imp_Vec3 position, velocity;
} impi_MovingPoint;

/// What is needed to look at single faces at a time.
typedef struct impi_PathMoment {
    imp_Transform transform; // rigid and at rest
    imp_Vec3 pivot;          // rigid: in the world
    double time;
} impi_PathMoment;

impi_PathMoment impi_body_path_moment(const impi_BodyPath *path, double time);

/// The corners of a face, by its place in the blocks.
void impi_body_path_face(const impi_BodyPath *path, const impi_PathMoment *moment, uint32_t block_face,
                         impi_MovingPoint corners[3]);

#endif
