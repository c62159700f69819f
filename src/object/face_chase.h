/// When do two moving faces first come near? Step by step, none of which they can come near in.
#ifndef IMPINGE_OBJECT_FACE_CHASE_H
#define IMPINGE_OBJECT_FACE_CHASE_H

#include "object/body_path.h"
#include "shape/surface.h"

/// What holds for all points of two bodies in motion. All of these are lengths, per unit of time or its
/// square.
typedef struct impi_ChaseBounds {
    double separation;
    double speed;       // no two points of the bodies come nearer, or go farther, faster than this
    double bend;        // nor does that change faster
    double slack;       // what distances of computed vertices are off those of the path, twice, and more
    double speed_slack; // what velocities of vertices are off
} impi_ChaseBounds;

/// What is known of two bodies in motion, and asked of their faces. Single faces are looked at times `unit`,
/// a power of two that brings coordinates and ways to about 1, so that squares neither overflow nor vanish.
typedef struct impi_Chase {
    const impi_BodyPath *a, *b;
    double tolerance;
    impi_ChaseBounds bounds;
    double unit;
    impi_ChaseBounds scaled; // times the unit
} impi_Chase;

/// Of two paths.
impi_Chase impi_chase_make(const impi_BodyPath *a, const impi_BodyPath *b, double separation);

/// Are numbers small enough for doubles? Otherwise nothing can be told.
bool impi_chase_is_bounded(const impi_Chase *chase);

/// Two faces at a time, times the unit.
typedef struct impi_MovingFaces {
    impi_MovingPoint a[3], b[3];
} impi_MovingFaces;

void impi_chase_faces_at(const impi_Chase *chase, const impi_PathMoment *moment_a,
                         const impi_PathMoment *moment_b, impi_BlockFacePair faces, impi_MovingFaces *moving);

/// For so long from now they stay farther apart than the separation; 0 where nothing is known. `way` leads
/// from a to b, about the shortest way; any will do. `closing` gets how fast they come nearer along it, at
/// most, times the unit.
double impi_chase_step(const impi_Chase *chase, const impi_MovingFaces *faces, imp_Vec3 way, double *closing);

typedef enum impi_ChaseVerdict {
    IMPI_CHASE_APART, // until the limit
    IMPI_CHASE_NEAR,  // at `time` they are at most the separation and the tolerance apart
    IMPI_CHASE_STUCK, // nothing is known from `time` on
} impi_ChaseVerdict;

/// Before `time` they are farther apart than the separation.
typedef struct impi_ChaseResult {
    impi_ChaseVerdict verdict;
    double time;
    double distance; // near: at most
    double closing;  // near: how fast they come nearer, at most
} impi_ChaseResult;

/// From a time on, before which they are known to be apart.
impi_ChaseResult impi_chase_run(const impi_Chase *chase, impi_BlockFacePair faces, double time, double limit);

/// Are they, as computed for the time, at most the separation apart? Exact.
bool impi_chase_is_within(const impi_Chase *chase, impi_BlockFacePair faces, double time);

/// Parts of two faces, numbered as in geom/triangle_sweep.h: a vertex and a whole face, or two edges; both
/// whole where they go through each other.
typedef struct impi_NearParts {
    uint8_t a, b;
} impi_NearParts;

/// Those that are nearest to each other, as computed for the time.
impi_NearParts impi_chase_near_parts(const impi_Chase *chase, impi_BlockFacePair faces, double time);

#endif
