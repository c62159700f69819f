/// The method of Smith & Kitamura 1994, section 3.3, as printed, for experiments and comparison.
#ifndef IMPINGE_OBJECT_SMITH_OCTREE_H
#define IMPINGE_OBJECT_SMITH_OCTREE_H

#include "base/array.h"
#include "base/budget.h"
#include "base/context.h"
#include "shape/surface.h"

/// Two surfaces, by their numbers, whose boxes meet.
typedef struct impi_SurfacePair {
    uint32_t a, b;
} impi_SurfacePair;

/// A face pair of one of the surface pairs.
typedef struct impi_SmithCandidate {
    uint32_t pair; // which of the surface pairs
    impi_BlockFacePair faces;
} impi_SmithCandidate;

typedef IMPI_ARRAY(impi_SmithCandidate) impi_SmithCandidates;

typedef struct impi_SmithSearch {
    const impi_Surface *const *surfaces; // with all blocks posed
    size_t surface_count;
    const impi_SurfacePair *pairs; // sorted
    size_t pair_count;
    uint32_t level; // of the voxels
    impi_Budget *budget;
} impi_SmithSearch;

/// Candidates of all pairs, each once, sorted by pair and faces, appended to `candidates`; incomplete and of
/// no use when the budget was over first. IMP_STATUS_OUT_OF_MEMORY or OK. Scratch comes from the context's
/// arena.
imp_Status impi_smith_octree_candidates(imp_Context *context, const impi_SmithSearch *search,
                                        impi_SmithCandidates *candidates, bool *is_complete);

#endif
