/// Do two convex polytopes touch? In exact arithmetic, for what doubles cannot decide.
#ifndef IMPINGE_OBJECT_CONVEX_EXACT_H
#define IMPINGE_OBJECT_CONVEX_EXACT_H

#include "object/simplex.h"

/// Decide, beginning with the differences in `start` (which may have none), and prove it. Counts its own
/// steps only. The arena is as it was afterwards. IMP_STATUS_BAD_NUMBER when a posed vertex is not finite,
/// IMP_STATUS_OUT_OF_MEMORY.
imp_Status impi_convex_decide_exact(impi_Arena *arena, const impi_Polytope *a, const impi_Polytope *b,
                                    const impi_Simplex *start, imp_ConvexResult *result);

/// How much of the arena that takes at most, for two support sets of `lane_count` lanes together.
size_t impi_convex_exact_memory(size_t lane_count);

#endif
