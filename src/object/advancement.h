/// When do two moving bodies first come near? For rigid paths and for separations: conservatively, which
/// misses nothing.
#ifndef IMPINGE_OBJECT_ADVANCEMENT_H
#define IMPINGE_OBJECT_ADVANCEMENT_H

#include "base/context.h"
#include "object/body_path.h"
#include "object/face_chase.h"
#include "shape/surface.h"

typedef struct impi_AdvanceAsk {
    double separation; // how near counts; 0: touching. Finite, not negative
    double tolerance;  // see impi_Advance; 0: 1e-9 of the box around both bodies where they begin
    double end;        // later times are of no interest; 1 at most
    impi_Budget *budget;
} impi_AdvanceAsk;

typedef enum impi_AdvanceVerdict {
    IMPI_ADVANCE_APART,     // they never come so near, up to the end that was asked for
    IMPI_ADVANCE_MEET,      // they do, or come nearer than the separation and the tolerance
    IMPI_ADVANCE_OPEN,      // the limit on steps was met: nothing is known from `time` on
    IMPI_ADVANCE_CUT_SHORT, // the budget ended first: likewise
} impi_AdvanceVerdict;

/// Before `time` the bodies are farther apart than the separation: on the path in real arithmetic, and with
/// vertices as they are computed for any time. At `time`, as computed, they are at most the separation and
/// the tolerance apart. Where `is_certain` is set they are, as computed, at most the separation apart at
/// `certain_time`, which is not before: decided exactly.
typedef struct impi_Advance {
    impi_AdvanceVerdict verdict;
    double time; // apart: the end
    bool is_certain;
    double certain_time;
    double tolerance;        // that was used: what was asked for, or more where poses are rounded more
    uint32_t face_a, face_b; // that are so near at `time`; IMP_NO_FACE: one is in the other, a solid
    uint32_t step_count;     // searches through whole bodies, for whoever measures
    impi_NearParts parts;    // of the faces, at `time`; both whole where they are so near from the start
} impi_Advance;

/// What has to be made of a pair before threads begin. IMP_STATUS_OUT_OF_MEMORY or OK.
imp_Status impi_advance_prepare(imp_Context *context, const impi_BodyPath *a, const impi_BodyPath *b);

/// What impi_advance takes from its arena.
size_t impi_advance_memory(const impi_BodyPath *a, const impi_BodyPath *b);

/// For a pair that was prepared. A convex body is a solid where it begins; meshes are surfaces, and so is
/// what moves. Any thread, each with an arena of its own, which is left as it was; the context is only asked
/// for what was prepared. The result depends on the paths and the ask alone. IMP_STATUS_OUT_OF_MEMORY or OK.
imp_Status impi_advance(imp_Context *context, impi_Arena *arena, const impi_BodyPath *a,
                        const impi_BodyPath *b, const impi_AdvanceAsk *ask, impi_Advance *result);

#endif
