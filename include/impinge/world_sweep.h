/// When do the bodies of a world first touch on their way?
///
/// Time goes from 0, where bodies are, to 1, where their targets are; bodies without a target stay. See
/// impinge/sweep.h for what is exact, and docs/continuous.md.
#ifndef IMPINGE_WORLD_SWEEP_H
#define IMPINGE_WORLD_SWEEP_H

#include <impinge/sweep.h>
#include <impinge/world.h>

#ifdef __cplusplus
extern "C" {
#endif

/// How a body gets from where it is to its target.
typedef enum imp_PathKind {
    IMP_PATH_AUTO = 0, ///< straight if both rotations are the same, or it deforms; otherwise rigid
    IMP_PATH_STRAIGHT, ///< each posed vertex goes straight, so that a body that turns changes its shape
    IMP_PATH_RIGID,    ///< a point of the body goes straight, and the body turns about it
} imp_PathKind;

/// Where a body is to be at time 1.
typedef struct imp_TargetDef {
    imp_Pose pose; ///< all zero is the identity
    const double
        *vertices;       ///< where it deforms: x, y, z each, in the body's frame; copied; null: as they are
    size_t vertex_count; ///< the mesh's; 0 without vertices
    imp_PathKind path;
    imp_Vec3 pivot; ///< rigid paths: the point of the body's frame that goes straight
    int32_t turns;  ///< rigid paths: whole turns more than the short way; below 0, the other way round
    imp_Vec3
        axis; ///< in the world, of any length: what whole turns are about where both rotations are the same
    uint64_t reserved[4]; ///< zero
} imp_TargetDef;

/// Give a body a target; null takes it away. It stays until imp_world_advance, whatever becomes of the body's
/// pose meanwhile. Straight paths begin and end at the vertices as the two poses put them (imp_pose_apply).
///
/// Refused, with the target that there was: what imp_body_set_pose and imp_body_set_vertices refuse;
/// vertices with a rigid path, turns with a straight one (IMP_STATUS_BAD_ARGUMENT); a pivot or an axis that
/// is not finite (IMP_STATUS_BAD_NUMBER).
IMP_CHECKED imp_Status imp_body_set_target(imp_World *world, imp_BodyId body, const imp_TargetDef *def);

typedef struct imp_SweepDef {
    double separation; ///< how near counts; 0: touching
    double tolerance;  ///< of what is not exact, a length; 0: 1e-9 of what both bodies extend over
    bool face_times;   ///< list all face pairs that touch at some time, not only those that do so first
    bool self;         ///< bodies that deform against themselves, too
    const imp_Cancel *cancel;
    uint64_t reserved[4]; ///< zero
} imp_SweepDef;

/// Faces that touch, and what of each: a vertex or an edge of one, and what of the other it meets. Where they
/// touch at the start, or begin to do so in several ways at the same time as it is rounded, see
/// imp_world_sweep.
typedef struct imp_SweptFaces {
    imp_BodyId body_a;
    uint32_t face_a;
    imp_BodyId body_b;
    uint32_t face_b;
    double time;                      ///< the first at which they touch
    imp_Feature feature_a, feature_b; ///< vertex and face, face and vertex, or edge and edge
    uint32_t corner_a, corner_b;      ///< 0 to 2: the vertex, or where the edge begins; 0 for a face
} imp_SweptFaces;

typedef struct imp_SweptBodies {
    imp_BodyId body_a, body_b; ///< slot of a < slot of b; the same body twice where it meets itself
    double time;               ///< the first at which they touch
    bool is_certain;           ///< contact is proven; always so on straight paths without a separation
    bool touched_at_start;
    imp_PathKind path; ///< straight if both are, otherwise rigid
    size_t first_face_pair, face_pair_count;
} imp_SweptBodies;

/// Owned by the world, valid until its next sweep or its end. Lists are sorted by slots, then faces.
typedef struct imp_SweepReport {
    const imp_SweptBodies *pairs; ///< those that meet
    size_t pair_count;
    const imp_SweptFaces *face_pairs; ///< pair by pair
    size_t face_pair_count;
    double first_time;             ///< the least of all pairs; NaN when none meets
    uint64_t candidate_body_pairs; ///< whose boxes meet on their way
} imp_SweepReport;

/// Find out which bodies meet on their way, and when first. `def` may be null, which means all defaults.
/// Pairs that categories, groups, imp_world_ignore_pair or a filter exclude are left out, as in a detect.
///
/// On straight paths, and without a separation, a pair is listed if and only if the closed surfaces share a
/// point at some time in [0, 1], with vertices at x0 + t (x1 - x0) in real arithmetic between the posed
/// doubles. Its time is the first such, rounded down to a multiple of 2^-53. Face pairs are those that first
/// touch at that time, as it is rounded, or with face_times all that ever do, each with its own first time.
/// What meets is told by vertices of a first, then by vertices of b, then by edges, each in the order of
/// corners; of faces that touch at the start it is face and face. Nothing of that depends on threads or
/// instruction sets.
///
/// touched_at_start: surfaces touch at time 0, or a convex body touches, holds or is held by the other one.
/// The latter may have no touching faces. From then on convex bodies count as their moving faces.
///
/// With `self`, bodies on straight paths that deform or turn are swept against themselves: vertices against
/// faces, and edges against edges, that have no vertex of the mesh in common; and what faces without a common
/// vertex have in common at the start, or faces with one beyond it. That is about touching, with a separation
/// too.
///
/// Where a path is rigid, or with a separation, nothing is missed: before the time of a pair its bodies are
/// farther apart than the separation, at that time, as they are posed then, they are at most the separation
/// and the tolerance apart, and pairs that are not listed never come so near. The tolerance is never less
/// than the rounding of the poses. `is_certain` tells that they come as near as the separation, proven. Such
/// a pair has one face pair, the faces that are so near, told by what of them is nearest at that time; both
/// as faces where they are so near at the start, or go through each other as they are posed. None where a
/// solid holds the other body. touched_at_start: they are so near at time 0, proven. A search ends after
/// 20,000 steps, and where ways are beyond 2^1016 at once: then bodies are known to be apart before the time
/// of the pair, and no more, which is not certain, and there are no faces.
///
/// Poses, targets and the reports of detects and clearances stay as they are. Refused: a separation or
/// tolerance that is negative or not finite (IMP_STATUS_BAD_ARGUMENT); a target that vertices set since would
/// go beyond the largest double at (IMP_STATUS_BAD_NUMBER, with the slot); more than 65,536 whole turns, or
/// turns without an axis between two poses of the same rotation (IMP_STATUS_BAD_ARGUMENT, likewise). On
/// failure the report of the last sweep is void. IMP_STATUS_CANCELLED when `cancel` was requested before or
/// meanwhile.
IMP_CHECKED imp_Status imp_world_sweep(imp_World *world, const imp_SweepDef *def,
                                       const imp_SweepReport **report);

/// Move bodies with targets to where they are at time t, and take their targets away. At 0 they stay, at 1
/// pose and vertices are the target's. Between, translations are x0 + t (x1 - x0), in doubles and in this
/// order, but never beyond x0 or x1. A body that neither turns nor deforms keeps its rotation and vertices.
/// One that deforms, or turns on a straight path, keeps its rotation too, and its vertices in its own frame
/// are v0 + t (v1 - v0) in the same way, v1 being the vertex at the target, turned back into that frame. On a
/// rigid path the body gets the pose that sweeps take for that time.
///
/// All or none: IMP_STATUS_BAD_ARGUMENT when t is not in [0, 1]; IMP_STATUS_BAD_NUMBER, with the slot, when a
/// target is refused as in imp_world_sweep; IMP_STATUS_BAD_SHAPE when a convex body turns on a straight path
/// and t is neither 0 nor 1.
IMP_CHECKED imp_Status imp_world_advance(imp_World *world, double t);

#ifdef __cplusplus
}
#endif

#endif
