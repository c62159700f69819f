/// Robots in FCL: its dynamic tree over bodies, trees of OBBRSS over their faces, asked about one
/// configuration after the other.
#ifndef IMPINGE_BENCH_FCL_CONFIGURATIONS_H
#define IMPINGE_BENCH_FCL_CONFIGURATIONS_H

#include "near_pairs.h"

#include <impinge/mesh.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct FclConfigurations FclConfigurations;

/// `is_asked[a * count + b]` tells which pairs may be compared; it must live as long as they are.
FclConfigurations *fcl_configurations_create(imp_Mesh *const *meshes, const imp_Pose *poses, size_t count,
                                             const bool *is_asked);
void fcl_configurations_destroy(FclConfigurations *bodies);

/// Place bodies and list the pairs that touch, as those of frame `number`; with `first_only` any one of them.
void fcl_configurations_ask(FclConfigurations *bodies, const size_t *moved, size_t moved_count,
                            const imp_Pose *poses, bool first_only, uint32_t number, NearPairs *pairs);

#ifdef __cplusplus
}
#endif

#endif
