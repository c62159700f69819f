/// What takes part in the scenes of rigid motion in the area `sweep`.
#ifndef IMPINGE_BENCH_SWEEP_PEERS_H
#define IMPINGE_BENCH_SWEEP_PEERS_H

#include <impinge/mesh.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Two meshes, each on a rigid path with its origin as pivot.
typedef struct RigidQuestion {
    imp_Pose from_a, to_a, from_b, to_b;
} RigidQuestion;

typedef struct RigidPeer {
    const char *name;
    int threads;
    void *(*create)(imp_Mesh *a, imp_Mesh *b);
    void (*destroy)(void *state);
    /// The first time at which they touch; infinite for none.
    double (*ask)(void *state, const RigidQuestion *question);
} RigidPeer;

/// Conservative advancement over trees of these volumes, with FCL's own error of the time, 1e-4.
extern const RigidPeer fcl_rss_sweep, fcl_obbrss_sweep;

/// Conservative advancement by hand: FCL's distance of the whole meshes, over the speed of their fastest
/// vertices, until that is a millionth of their size.
extern const RigidPeer fcl_distance_sweep;

#ifdef __cplusplus
}
#endif

#endif
