/// Which bodies come near each other, by FCL, where its Debian package is installed (IMPINGE_BENCH_FCL).
#ifndef IMPINGE_BENCH_FCL_CLEARANCE_H
#define IMPINGE_BENCH_FCL_CLEARANCE_H

#include "near_pairs.h"

#include <impinge/mesh.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Bodies in its dynamic tree, by boxes that are larger by half the clearance on every side; trees of RSSs
/// over their faces.
typedef struct FclClearance FclClearance;

FclClearance *fcl_clearance_create(imp_Mesh *const *meshes, size_t count, double clearance);
void fcl_clearance_destroy(FclClearance *bodies);
void fcl_clearance_pose(FclClearance *bodies, size_t body, const imp_Pose *pose);

/// New vertices, then refit.
void fcl_clearance_deform(FclClearance *bodies, size_t body, const imp_Vec3 *vertices);

/// All pairs of bodies at most the clearance apart are added to `pairs`.
void fcl_clearance_find(FclClearance *bodies, uint32_t frame, NearPairs *pairs);

#ifdef __cplusplus
}
#endif

#endif
