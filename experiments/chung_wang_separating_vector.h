/// Chung & Wang's test of two polytopes as they print it. The library's own test is
/// src/object/separating_vector.h: exact, with a proof.
///
/// Polytopes that only touch count as separate here, as in the paper. All arithmetic is in doubles: verdicts
/// are right where polytopes are neither close to contact nor barely overlapping, up to rounding.
#ifndef IMPINGE_EXPERIMENTS_CHUNG_WANG_SEPARATING_VECTOR_H
#define IMPINGE_EXPERIMENTS_CHUNG_WANG_SEPARATING_VECTOR_H

#include "chung_wang_hierarchy.h"

typedef enum ChungWangVerdict {
    CHUNG_WANG_UNDECIDED, ///< the bound on steps was reached
    CHUNG_WANG_SEPARATE,
    CHUNG_WANG_COLLIDING
} ChungWangVerdict;

/// The paper proves no useful bound of k: its largest is 55, among bodies of 1000 vertices.
#define CHUNG_WANG_STEP_LIMIT 1000

/// Two bodies and where they are: finite rotations and translations.
typedef struct ChungWangPair {
    const ChungWangBody *a, *b;
    const imp_Transform *transform_a, *transform_b;
} ChungWangPair;

/// What is kept of a pair: the last separating vector, and its support vertices. All zero knows nothing:
/// boxes overlap for the first time.
typedef struct ChungWangCache {
    bool is_known;
    imp_Vec3 direction;
    uint32_t vertex_a, vertex_b;
} ChungWangCache;

/// Which search of support vertices: null for the local one (2.3), or those of the two polytopes (5).
typedef struct ChungWangHierarchies {
    const ChungWangHierarchy *a, *b;
} ChungWangHierarchies;

typedef struct ChungWangAnswer {
    ChungWangVerdict verdict;
    uint32_t step_count;  // the paper's k
    bool has_recurred;    // a pair of support vertices came again, but not at once
    uint64_t visit_count; // vertices looked at
} ChungWangAnswer;

/// `cache` and `hierarchies` may be null.
ChungWangAnswer chung_wang_test(const ChungWangPair *pair, ChungWangCache *cache,
                                const ChungWangHierarchies *hierarchies);

#endif
