/// Convex polytopes: solids, tested against each other with a proof for every answer.
///
/// A polytope in a pose is the convex hull of its posed vertices (imp_pose_apply gives them, to the bit). Two
/// of them touch when they share a point; one inside the other touches it. Every verdict is right as if made
/// in exact arithmetic on the posed vertices, for all finite doubles.
#ifndef IMPINGE_CONVEX_H
#define IMPINGE_CONVEX_H

#include <impinge/distance.h>
#include <impinge/mesh.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A convex polytope. Immutable after creation and shared by reference counting, like a mesh.
typedef struct imp_Convex imp_Convex;

/// The convex hull of points.
typedef struct imp_ConvexDef {
    const double *points; ///< x, y, z of each; may repeat, and lie inside
    size_t point_count;
    size_t point_stride;  ///< bytes from one point to the next; 0: 3 numbers, tightly packed
    bool keep_coplanar;   ///< points inside a face or an edge of the hull become vertices too
    uint64_t reserved[4]; ///< zero
} imp_ConvexDef;

/// Make a polytope with one reference, in exact arithmetic. Points inside are dropped: vertices are numbered
/// anew, in the order of the points (see imp_convex_get_mesh). Refused: coordinates that are not finite
/// (IMP_STATUS_BAD_NUMBER, with the index of the point); fewer than four distinct points, or all of them on
/// one line or in one plane (IMP_STATUS_BAD_SHAPE, the message says which).
IMP_CHECKED imp_Status imp_convex_create(imp_Context *context, const imp_ConvexDef *def, imp_Convex **convex);

/// The polytope bounded by a mesh, which is retained: faces and vertices keep their numbers. Checked
/// exactly: closed, of one component, turned outward, convex at every edge, going once around. What is wrong
/// is IMP_STATUS_BAD_SHAPE, the message names the edge and its faces, the error's index is a face.
IMP_CHECKED imp_Status imp_convex_create_from_mesh(imp_Context *context, imp_Mesh *mesh, imp_Convex **convex);

/// As imp_mesh_retain and imp_mesh_release.
IMP_API imp_Convex *imp_convex_retain(imp_Convex *convex);
IMP_API void imp_convex_release(imp_Convex *convex);

/// Its surface: closed, turned outward. Owned by the polytope. Vertices of the polytope are named by their
/// index in this mesh.
IMP_API imp_Mesh *imp_convex_get_mesh(const imp_Convex *convex);

/// Two polytopes and where they are.
typedef struct imp_ConvexPair {
    const imp_Convex *a, *b;
    imp_Pose pose_a, pose_b; ///< all zero is the identity
} imp_ConvexPair;

typedef struct imp_VertexPair {
    uint32_t vertex_a, vertex_b;
} imp_VertexPair;

#define IMP_MAX_WITNESSES 4

/// What is kept of a pair of polytopes from one test to the next, because the answer is likely near the last
/// one. All zero knows nothing: start with that, and go back to it when the bodies jump. It never changes a
/// verdict, only how soon it is found. Any content is safe.
typedef struct imp_ConvexState {
    imp_Vec3 direction; // from a to b, in the world
    uint32_t witness_count;
    imp_VertexPair witnesses[IMP_MAX_WITNESSES];
} imp_ConvexState;

/// The proof of a verdict. Let d(p) be the posed vertex p.vertex_b minus the posed vertex p.vertex_a.
///
/// Touching: the origin lies in the convex hull of d(pairs[0]), ... d(pairs[pair_count - 1]).
///
/// Separate: w . (vb - va) > 0 for every posed vertex va of a and vb of b. `support` names the vertex of a
/// that lies farthest along w and that of b that lies least far; where rounding hides which of several it is,
/// one of them. If pair_count is 0, w is `direction`, the very doubles. Otherwise doubles
/// are too coarse for it; `direction` is w rounded, and with d0 = d(pairs[0]), ...
///     1 pair:  w = d0
///     2 pairs: w = (e x d0) x e, where e = d1 - d0
///     3 pairs: w = n or -n, where n = (d1 - d0) x (d2 - d0), such that w . d0 > 0
typedef struct imp_Certificate {
    bool touch;
    uint32_t pair_count;
    imp_VertexPair pairs[IMP_MAX_WITNESSES];
    imp_Vec3 direction;     ///< separate only
    imp_VertexPair support; ///< separate only
} imp_Certificate;

typedef struct imp_ConvexResult {
    bool touch;
    bool used_exact;     ///< doubles could not decide
    uint32_t step_count; ///< directions in which support vertices were looked for
    imp_Certificate certificate;
} imp_ConvexResult;

/// Do two polytopes touch? `state` may be null. Refused (IMP_STATUS_BAD_NUMBER): a pose that
/// imp_pose_transform refuses, or that moves a vertex beyond the largest double.
IMP_CHECKED imp_Status imp_convex_test(imp_Context *context, imp_ConvexState *state,
                                       const imp_ConvexPair *pair, imp_ConvexResult *result);

/// Does a certificate prove its verdict? Looks at every vertex in exact arithmetic, by code that shares
/// nothing with the search. A vertex that does not exist makes it invalid.
IMP_CHECKED imp_Status imp_certificate_check(imp_Context *context, const imp_ConvexPair *pair,
                                             const imp_Certificate *certificate, bool *is_valid);

typedef struct imp_ConvexDistance {
    bool touch;
    double distance;           ///< above 0; 0 when touching
    double lower_bound;        ///< proven: the true distance is not less. 0 when touching
    bool reached_accuracy;     ///< see imp_convex_distance
    imp_Vec3 point_a, point_b; ///< separate: closest points, rounded; touching: a point of both, rounded
    imp_Vec3 normal;           ///< unit, from a to b. Touching: the direction of least overlap that was seen
    double depth;              ///< touching: moving b this far along `normal` parts them, or leaves them in
                               ///< contact; right to a millionth of it
} imp_ConvexDistance;

/// How far apart, and where? The verdict is certain as that of imp_convex_test, and lengths hold for all
/// finite doubles, also where the gap is less than an ulp of the coordinates. `state` and `def` may be null.
/// Of `def` only the accuracy counts: the search is too short to be stopped, and solids are inside each other
/// when they touch, so that stop_below, stop_above and ignore_containment are not looked at.
///
/// `reached_accuracy` tells that both distance - lower_bound and what `distance` is off the true one are at
/// most relative_accuracy * distance. That fails only where doubles are too coarse for it: for accuracies
/// below 2^-48, and for distances so small that their accuracy would be less than 2^-1074. There `distance`
/// is rounded up, so that it is never 0, and lower_bound is rounded down. Where the true distance exceeds the
/// largest double, `distance` is infinite and `lower_bound` is the largest double; a depth may be infinite in
/// the same way. All else is finite.
IMP_CHECKED imp_Status imp_convex_distance(imp_Context *context, imp_ConvexState *state,
                                           const imp_ConvexPair *pair, const imp_DistanceDef *def,
                                           imp_ConvexDistance *result);

#ifdef __cplusplus
}
#endif

#endif
