/// What a detect found out about all pairs of bodies whose boxes meet, and the report of it. It is kept, so
/// that the next detect asks only about pairs that have changed, and can tell what has begun and ended.
#ifndef IMPINGE_WORLD_ANSWER_H
#define IMPINGE_WORLD_ANSWER_H

#include "base/slot_table.h"
#include "broad/pair_changes.h"
#include "world/object_stage.h"

#define IMPI_NO_STATE UINT32_MAX

typedef struct impi_PairResult {
    uint32_t slot_a, slot_b; // a < b
    uint32_t state;          // of two solids: in impi_Answer.states; else IMPI_NO_STATE
    uint8_t relations;       // imp_Relation bits
    uint8_t unanswered;      // imp_Question bits
    bool a_in_open_b, b_in_open_a;
    uint64_t first_face, face_count; // in impi_Answer.faces, as far as these go
    uint64_t candidate_count;        // face pairs that were tested
} impi_PairResult;

typedef IMPI_ARRAY(imp_BodyPair) impi_BodyPairs;

typedef struct impi_Answer {
    IMPI_ARRAY(impi_PairResult) results; // sorted by slots
    IMPI_ARRAY(imp_ConvexState) states;
    IMPI_ARRAY(imp_TouchingFaces) faces;
    impi_BodyPairs body_pairs, undecided, begun, ended;
    impi_BodyPairs
        contacts; // where some are undecided: body pairs, and those undecided that were contacts before
    IMPI_ARRAY(imp_OpenContainer) open_containers;
    imp_Report report;
} impi_Answer;

void impi_answer_destroy(const imp_Allocator *allocator, impi_Answer *answer);

/// What answers are made of.
typedef struct impi_AnswerDef {
    const imp_DetectDef *def;
    impi_Body *bodies; // slot s is bodies[s - 1]
    const impi_SlotTable *slots;
    const impi_IndexPairs *pairs; // whose boxes meet
    const impi_Answer *last;      // null at first
    const uint8_t *has_moved;     // by slot: since the last answer; null: nothing of it holds any more
} impi_AnswerDef;

/// Take over from the last answer what still holds; what does not becomes work. IMP_STATUS_OUT_OF_MEMORY or
/// OK. `answer` is another one than the last.
imp_Status impi_answer_begin(imp_Context *context, const impi_AnswerDef *def, impi_Answer *answer,
                             impi_ObjectStage *stage);

/// Write down what was found out about the work, and the report. `is_spent` tells whether the budget ended
/// first. Uses the context's scratch arena. IMP_STATUS_OUT_OF_MEMORY or OK.
imp_Status impi_answer_finish(imp_Context *context, const impi_AnswerDef *def, impi_Answer *answer,
                              const impi_ObjectStage *stage, bool is_spent);

#endif
