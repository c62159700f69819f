/// FCL's mesh collision, where its Debian package is installed (IMPINGE_BENCH_FCL).
#ifndef IMPINGE_BENCH_FCL_MESH_H
#define IMPINGE_BENCH_FCL_MESH_H

#include <impinge/mesh.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum FclVolume { FCL_AABB, FCL_OBB, FCL_OBBRSS } FclVolume;

/// Two meshes with FCL's trees over them.
typedef struct FclPair FclPair;

FclPair *fcl_pair_create(FclVolume volume, const imp_Mesh *a, const imp_Mesh *b);
void fcl_pair_destroy(FclPair *pair);

/// New vertices for both, then refit from the bottom up. Where b is elsewhere, its vertices should say so:
/// with a pose FCL would copy and refit trees of AABBs once more.
void fcl_pair_deform(FclPair *pair, const imp_Vec3 *a, const imp_Vec3 *b);

/// All contacts with b posed relative to a. Returns how many face pairs; `pairs` (may be null) gets at most
/// `capacity`, unsorted and perhaps repeated.
size_t fcl_pair_collide(FclPair *pair, const imp_Pose *pose_b, imp_FacePair *pairs, size_t capacity);

#ifdef __cplusplus
}
#endif

#endif
