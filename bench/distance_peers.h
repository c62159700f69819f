/// Systems that tell how far apart two meshes are. Each builds what it needs once, and is then asked.
#ifndef IMPINGE_BENCH_DISTANCE_PEERS_H
#define IMPINGE_BENCH_DISTANCE_PEERS_H

#include <impinge/convex.h>
#include <impinge/mesh.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What is asked about. `a` stays where it is, b is posed.
typedef struct DistancePair {
    imp_Mesh *a, *b;
    imp_Convex *convex_a; ///< the solid whose surface a is, or null
} DistancePair;

/// One for each pose of b.
typedef struct DistanceQuestions {
    const imp_Pose *poses_b;
    const double *at_most; ///< of each question: is the distance at most this? Null: what is it?
    size_t count;
} DistanceQuestions;

typedef struct DistanceAnswer {
    double distance; ///< where a limit is asked for, anything on the right side of it
    imp_Vec3 a, b;   ///< closest points in the world; undefined where the distance is 0
} DistanceAnswer;

typedef struct DistancePeer {
    const char *name;
    int threads;
    void *(*create)(const DistancePair *pair);
    void (*destroy)(void *state);
    /// New vertices for both, each in its own frame. Null: can't.
    void (*deform)(void *state, const imp_Vec3 *a, const imp_Vec3 *b);
    void (*ask)(void *state, const DistanceQuestions *questions, DistanceAnswer *answers);
    size_t most_questions; ///< is asked only so many in a run, because it is slow; 0: all
} DistancePeer;

extern const DistancePeer fcl_rss_distance, fcl_obbrss_distance;
/// The same, beginning with the two triangles that were closest the last time.
extern const DistancePeer fcl_rss_last_distance, fcl_obbrss_last_distance;
/// a as a solid of FCL's own, b as a tree.
extern const DistancePeer fcl_convex_distance;

/// A tree over the triangles of b, asked for the point nearest to each vertex of a. No more than an anchor:
/// it misses what is nearer than any vertex of a, so that its distances are too large, or right.
extern const DistancePeer cgal_vertices_distance;

#ifdef __cplusplus
}
#endif

#endif
