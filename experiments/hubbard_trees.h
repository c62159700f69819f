/// Sphere trees of Hubbard's experiments, under several policies of coverage.
#ifndef IMPINGE_EXPERIMENTS_HUBBARD_TREES_H
#define IMPINGE_EXPERIMENTS_HUBBARD_TREES_H

#include "hubbard_paper.h"

#include <impinge/impinge.h>
#include <impinge/spheres.h>

#define HUBBARD_BRANCH 8
#define HUBBARD_DEPTH  3

/// What the spheres of a medial tree must hold.
typedef enum HubbardPolicy {
    HUBBARD_PER_LEVEL,  ///< each level together every face, as the paper applied it to its trees
    HUBBARD_DAG,        ///< the same, with levels that were merged independently of each other
    HUBBARD_CHAINS,     ///< each point in a sphere whose ancestors hold it too: what impinge promises
    HUBBARD_PER_PARENT, ///< children together all that their parent holds of the surface
    HUBBARD_POLICY_COUNT
} HubbardPolicy;

/// Of the spheres of one level, in the mesh's units; closed meshes as solids.
typedef struct HubbardLevel {
    size_t sphere_count;
    double mean, largest;          ///< certified bounds
    double paper_mean, paper_most; ///< at the vertices of dodecahedra, without correction
} HubbardLevel;

typedef struct HubbardTree {
    HubbardLevel levels[HUBBARD_DEPTH + 1]; ///< the root's first
    size_t level_count;
    double root_radius;
    double build_ns; ///< processor time, with coverage and protrusions
} HubbardTree;

/// A tree by the library's public function, on one thread. IMP_STATUS_OK or why not.
imp_Status hubbard_build_tree(imp_Context *context, imp_Mesh *mesh, imp_SphereMethod method, uint32_t depth,
                              HubbardTree *tree);

/// A medial tree of which a policy is true. Its time is not measured.
imp_Status hubbard_apply_policy(imp_Context *context, imp_Mesh *mesh, HubbardPolicy policy, uint32_t depth,
                                HubbardTree *tree);

#endif
