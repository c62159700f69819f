/// Do two convex polytopes touch? As other libraries answer it, one thread.
#ifndef IMPINGE_BENCH_CONVEX_PEERS_H
#define IMPINGE_BENCH_CONVEX_PEERS_H

#include <impinge/broad.h>

#ifdef __cplusplus
extern "C" {
#endif

/// All of its points are vertices.
typedef struct ConvexBody {
    const imp_Vec3 *vertices;
    size_t vertex_count;
    const uint32_t *indices; // three per triangle, counter-clockwise from outside
    size_t triangle_count;
} ConvexBody;

typedef struct ConvexPeer {
    const char *name;

    void *(*open)(const ConvexBody *bodies, size_t body_count);
    void (*close)(void *state);

    /// Where all bodies are from now on: poses, and the same as transforms for those who want matrices. Not
    /// part of what is measured.
    void (*pose)(void *state, const imp_Pose *poses, const imp_Transform *transforms);

    /// Whatever is kept of a pair from test to test. Not part of what is measured.
    void (*forget)(void *state, imp_IndexPair pair);

    /// Test all pairs in turn; touch[i] tells the verdict on pairs[i].
    void (*test)(void *state, const imp_IndexPair *pairs, size_t count, bool *touch);
} ConvexPeer;

/// Where what is kept of a pair stands, in an array of body_count * body_count.
static inline size_t convex_pair_slot(imp_IndexPair pair, size_t body_count)
{
    return pair.a * body_count + pair.b;
}

extern const ConvexPeer ccd_gjk_convex, ccd_mpr_convex;
extern const ConvexPeer fcl_indep_convex, fcl_libccd_convex;
extern const ConvexPeer bullet_convex, bullet_mpr_convex;

#ifdef __cplusplus
}
#endif

#endif
