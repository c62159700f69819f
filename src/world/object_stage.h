/// Stage "object": pairs of bodies to answers, by the filters of the table; faces go through the stage
/// "feature" on the way.
#ifndef IMPINGE_WORLD_OBJECT_STAGE_H
#define IMPINGE_WORLD_OBJECT_STAGE_H

#include "object/estimates.h"
#include "object/kept_faces.h"
#include "object/pair_contacts.h"
#include "world/filters.h"

/// Memory kept from detect to detect.
typedef struct impi_ObjectStage {
    IMPI_ARRAY(impi_PairWork) work; // the pairs that are asked about in one go, in order
    impi_FaceLists faces;           // what was found of all pairs
    impi_Estimates estimates;       // of those that are undecided
    IMPI_ARRAY(uint32_t) list;      // of pairs for the filter at hand
    uint64_t turn;                  // slots of the pair that a detect with a budget begins with
    impi_ScratchPool scratch;
    void *filter_memory[IMPI_FILTER_COUNT];
    IMPI_ARRAY(impi_ContactLists) contacts; // of the pairs that were asked for contacts
} impi_ObjectStage;

void impi_object_stage_init(impi_ObjectStage *stage, const imp_Allocator *allocator);
void impi_object_stage_destroy(const imp_Allocator *allocator, impi_ObjectStage *stage);

/// What is asked about each pair of the work.
typedef struct impi_ObjectAsk {
    const imp_DetectDef *def;
    impi_FilterChoice choice;
    impi_Budget *budget;
    double margin;
    const impi_DistanceAsk *distance; // asked instead of faces; null: nobody does
    const impi_SweepAsk *sweep;       // likewise
    impi_Body *const *bodies;         // all, in order, if a chosen filter takes all at once
    size_t body_count;
    double report_ns; // what a pair or a face in the report takes, for which the budget keeps time
} impi_ObjectAsk;

/// Answer about the pairs of the work. At most `max_faces` touching faces are kept of them, the first ones;
/// IMPI_ALL_FACES is no limit. What the budget did not last for stays unanswered, also when it is cancelled.
/// IMP_STATUS_OUT_OF_MEMORY or OK.
imp_Status impi_object_stage(imp_Context *context, impi_ObjectStage *stage, const impi_ObjectAsk *ask,
                             uint64_t max_faces);

/// Find out about those pairs of the work whose bodies have sphere trees what the budget lasts for. Pairs
/// that are left undecided have an estimate. IMP_STATUS_OUT_OF_MEMORY or OK.
imp_Status impi_object_stage_refine(imp_Context *context, impi_ObjectStage *stage, const impi_ObjectAsk *ask);

/// Is such a filter to be asked about a pair first?
bool impi_object_stage_refines(const impi_ObjectAsk *ask, const impi_PairWork *pair);

/// The questions about a pair that are still open: imp_Question bits.
uint32_t impi_open_questions(uint32_t relations, uint32_t answered, const imp_DetectDef *def);

#endif
