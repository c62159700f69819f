/// Chung & Wang's test of two polytopes as they print it, for experiments. The library's own test is
/// object/separating_vector.h: exact, with a proof.
///
/// Polytopes that only touch count as separate here, as in the paper. All arithmetic is in doubles: verdicts
/// are right where polytopes are neither close to contact nor barely overlapping, up to rounding.
#ifndef IMPINGE_OBJECT_PAPER_SEPARATING_VECTOR_H
#define IMPINGE_OBJECT_PAPER_SEPARATING_VECTOR_H

#include "shape/convex_hierarchy.h"

typedef enum impi_PaperVerdict {
    IMPI_PAPER_UNDECIDED, ///< the bound on steps was reached
    IMPI_PAPER_SEPARATE,
    IMPI_PAPER_COLLIDING
} impi_PaperVerdict;

/// The paper proves no useful bound of k: its largest is 55, among bodies of 1000 vertices.
#define IMPI_PAPER_MAX_STEPS 1000

/// What is kept of a pair: the last separating vector, and its support vertices. All zero knows nothing:
/// boxes overlap for the first time.
typedef struct impi_PaperCache {
    bool is_known;
    imp_Vec3 direction;
    uint32_t vertex_a, vertex_b;
} impi_PaperCache;

/// Which search of support vertices: null for the local one (2.3), or those of the two polytopes (5).
typedef struct impi_PaperHierarchies {
    const impi_Hierarchy *a, *b;
} impi_PaperHierarchies;

typedef struct impi_PaperResult {
    impi_PaperVerdict verdict;
    uint32_t step_count;  // the paper's k
    bool has_recurred;    // a pair of support vertices came again, but not at once
    uint64_t visit_count; // vertices looked at
} impi_PaperResult;

/// `cache` and `hierarchies` may be null. Transforms are finite rotations and translations.
impi_PaperResult impi_paper_test(const imp_ConvexPair *pair, impi_PaperCache *cache,
                                 const impi_PaperHierarchies *hierarchies);

/// The support vertex by local search from `start` (2.3), in the polytope's own frame.
uint32_t impi_paper_climb(const imp_Convex *convex, uint32_t start, imp_Vec3 direction,
                          uint64_t *visit_count);

/// Where local search may start when nothing is known: from the table of 2.4.
uint32_t impi_paper_start(const imp_Convex *convex, imp_Vec3 direction);

#endif
