/// How far apart two convex polytopes are, or how deep in each other, for what doubles are too coarse or too
/// short for: sizes near the ends of their range, gaps below an ulp.
#ifndef IMPINGE_OBJECT_EXACT_DISTANCE_H
#define IMPINGE_OBJECT_EXACT_DISTANCE_H

#include "object/simplex.h"

/// Of polytopes that are apart, beginning with the differences in `start` (which may have none). All of
/// `result` is set; it is right up to its last rounding. The arena is as it was afterwards.
/// IMP_STATUS_BAD_NUMBER when a posed vertex is not finite, IMP_STATUS_OUT_OF_MEMORY.
imp_Status impi_exact_distance(impi_Arena *arena, const impi_Polytope *a, const impi_Polytope *b,
                               const impi_Simplex *start, double relative_accuracy,
                               imp_ConvexDistance *result);

/// Is the distance of two polytopes, which may touch, at most `distance`? Exactly: is its square at most that
/// of the number, in real arithmetic on the posed vertices? The distance is finite and not negative. Statuses
/// and the arena as above.
imp_Status impi_exact_within(impi_Arena *arena, const impi_Polytope *a, const impi_Polytope *b,
                             const impi_Simplex *start, double distance, bool *within);

/// What impi_exact_distance does for polytopes that touch, as the certificate proves. The depth along the
/// normal is right up to its last rounding; the normal itself is searched for in doubles.
imp_Status impi_exact_depth(impi_Arena *arena, const impi_Polytope *a, const impi_Polytope *b,
                            const imp_Certificate *certificate, imp_ConvexDistance *result);

#endif
