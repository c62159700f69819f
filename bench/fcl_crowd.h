/// Many bodies in FCL: its dynamic tree over bodies, trees of OBBs over their faces (the best that its rigid
/// bodies can have, and both of a pair must have the same), refitted where a body deforms.
#ifndef IMPINGE_BENCH_FCL_CROWD_H
#define IMPINGE_BENCH_FCL_CROWD_H

#include <impinge/world.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct FclCrowd FclCrowd;

FclCrowd *fcl_crowd_create(imp_Mesh *const *meshes, size_t count);
void fcl_crowd_destroy(FclCrowd *crowd);
void fcl_crowd_pose(FclCrowd *crowd, size_t body, const imp_Pose *pose);
void fcl_crowd_deform(FclCrowd *crowd, size_t body, const imp_Vec3 *vertices);

/// All face pairs of all bodies; returns how many.
size_t fcl_crowd_collide(FclCrowd *crowd);

#ifdef __cplusplus
}
#endif

#endif
