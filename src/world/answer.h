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
    bool is_new;             // found out by this answer, not taken over from the last one
    bool a_in_open_b : 1, b_in_open_a : 1;
    uint32_t estimate;   // in the stage's estimates, or IMPI_NO_ESTIMATE
    uint64_t first_face; // in impi_Answer.faces, as far as these go; until they stand, where they are now
    uint64_t face_count; // how many were found
    uint64_t candidate_count; // face pairs that were tested
} impi_PairResult;

static inline uint64_t impi_result_slots(const impi_PairResult *result)
{
    return impi_slot_pair(result->slot_a, result->slot_b);
}

typedef IMPI_ARRAY(imp_BodyPair) impi_BodyPairs;

typedef struct impi_Answer {
    IMPI_ARRAY(impi_PairResult) results; // sorted by slots
    IMPI_ARRAY(imp_ConvexState) states;
    IMPI_ARRAY(imp_TouchingFaces) faces;
    impi_BodyPairs body_pairs, undecided, begun, ended;
    impi_BodyPairs
        contacts; // where some are undecided: body pairs, and those undecided that were contacts before
    IMPI_ARRAY(imp_OpenContainer) open_containers;
    impi_ContactLists regions; // of all pairs
    impi_Estimates estimates;  // of all that are undecided
    uint64_t passed_count;     // pairs before the results, which have no relation
    imp_Report report;
} impi_Answer;

void impi_answer_destroy(const imp_Allocator *allocator, impi_Answer *answer);

/// What answers are made of.
typedef struct impi_AnswerDef {
    const imp_DetectDef *def;
    impi_Body *bodies; // slot s is bodies[s - 1]
    const impi_SlotTable *slots;
    const impi_IndexPairs *pairs; // whose boxes meet: all, or the next ones
    const impi_Answer *last;      // null at first
    const uint8_t *has_moved;     // by slot: since the last answer; null: nothing of it holds any more
} impi_AnswerDef;

/// A result for each pair: what still holds is taken over from the last answer, the others are open.
/// IMP_STATUS_OUT_OF_MEMORY or OK. `answer` is another one than the last.
imp_Status impi_answer_begin(imp_Context *context, const impi_AnswerDef *def, impi_Answer *answer);

/// The first result of these slots or later ones, or of all when there is none.
size_t impi_answer_find_turn(const impi_Answer *answer, uint64_t slots);

/// The first result with a relation, or their number.
size_t impi_answer_find_first(const impi_Answer *answer);

/// How many touching faces the results [begin, end) have.
uint64_t impi_answer_count_faces(const impi_Answer *answer, size_t begin, size_t end);

/// Open results that are to be asked about.
typedef struct impi_WorkRange {
    size_t begin, end;
    size_t most; // open ones
    bool wants_faces;
    /// Null, or: take only those that this lets pass.
    bool (*takes)(const impi_ObjectAsk *ask, const impi_PairWork *pair);
    const impi_ObjectAsk *ask;
} impi_WorkRange;

/// Make them the stage's work. `*end` is the result behind the last one. False when out of memory.
bool impi_answer_take_work(const imp_Allocator *allocator, const impi_AnswerDef *def,
                           const impi_Answer *answer, const impi_WorkRange *range, impi_ObjectStage *stage,
                           size_t *end);

/// Make one result of bodies that touch the stage's work, to be asked for its faces. False when out of
/// memory.
bool impi_answer_take_again(const imp_Allocator *allocator, const impi_AnswerDef *def,
                            const impi_Answer *answer, size_t result, impi_ObjectStage *stage);

/// Write down what was found out about the work.
void impi_answer_note(const impi_AnswerDef *def, impi_Answer *answer, const impi_ObjectStage *stage);

/// None of the results has a relation, and more pairs will come: they are passed. False when out of memory.
bool impi_answer_pass(const imp_Allocator *allocator, const impi_AnswerDef *def, impi_Answer *answer);

/// Write the report, contacts first if they are asked for. Uses the context's scratch arena.
/// IMP_STATUS_OUT_OF_MEMORY, IMP_STATUS_CANCELLED or OK.
imp_Status impi_answer_finish(imp_Context *context, const impi_AnswerDef *def, impi_Answer *answer,
                              impi_ObjectStage *stage, impi_Budget *budget);

#endif
