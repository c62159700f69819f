/// What one thread needs to answer configurations: bodies of its own, which it moves, and memory of filters.
#ifndef IMPINGE_WORLD_CONFIGURATION_WORKER_H
#define IMPINGE_WORLD_CONFIGURATION_WORKER_H

#include "base/slot_table.h"
#include "world/answer.h"
#include "world/broad_stage.h"
#include "world/object_stage.h"

#include <impinge/configurations.h>

/// What all configurations of a call have in common. Workers only read it.
typedef struct impi_ConfigurationPlan {
    const imp_World *world;
    const imp_ConfigurationsDef *def;
    uint64_t call;     // counts calls, from 1
    const bool *moves; // by slot, from slot 0 on
    bool has_solids;   // two or more of the bodies
    bool is_listed;    // the pairs are; otherwise they are too many, and searched for in each configuration
    const imp_IndexPair *pairs; // that may be compared and of which one moves, sorted
    size_t pair_count;
    const imp_BodyPair *still; // related pairs of bodies that do not move, sorted
    size_t still_count;
    imp_DetectDef detect;
    impi_FilterChoice choice;
    impi_Budget *budget;
} impi_ConfigurationPlan;

/// Which of the world's bodies a worker's is a copy of.
typedef struct impi_BodyCopy {
    uint32_t generation; // 0: of none
    uint64_t motion;     // that the world's body had
    bool is_bounded;     // its bounds are those of its pose
} impi_BodyCopy;

typedef struct impi_ConfigurationWorker {
    imp_Context *context; // of its own, with one thread
    uint64_t call;        // that it is prepared for
    IMPI_ARRAY(impi_Body)
    bodies; // slot s is bodies.data[s - 1]; shapes and vertices are those of the world's
    IMPI_ARRAY(impi_BodyCopy) copies;   // likewise
    IMPI_ARRAY(impi_Body *) unbounded;  // while bodies are moved
    const imp_IndexPair *pairs;         // of slots: the plan's, or those that were found
    IMPI_ARRAY(uint32_t) candidates;    // which of them have boxes that meet, and move
    IMPI_ARRAY(impi_TouchHint) hints;   // of listed pairs, or of those that are asked about in one go
    IMPI_ARRAY(imp_ConvexState) states; // likewise, if there are solids
    impi_BroadStage broad;              // where pairs are searched for
    impi_ObjectStage object;
    impi_BodyPairs found; // of all configurations that it answered in this call
} impi_ConfigurationWorker;

/// Null when out of memory.
impi_ConfigurationWorker *impi_configuration_worker_create(const imp_Allocator *allocator);
void impi_configuration_worker_destroy(const imp_Allocator *allocator, impi_ConfigurationWorker *worker);

/// The world's body in this slot goes.
void impi_configuration_worker_forget(impi_ConfigurationWorker *worker, uint32_t slot);

/// Boxes for the world's bodies, without those that are left out, by slot, if any are. They overlap nothing
/// until they are set. False when out of memory.
bool impi_add_boxes(const imp_World *world, const bool *left_out, impi_BoxTable *boxes);

/// Work on a pair that is asked for relations alone. The state is that of two solids; otherwise nobody looks
/// at it.
static inline impi_PairWork impi_plain_work(impi_Body *a, impi_Body *b, imp_ConvexState *state)
{
    return (impi_PairWork){.a = a,
                           .b = b,
                           .state = state,
                           .face_list = IMPI_NO_LIST,
                           .face_room = IMPI_ALL_FACES,
                           .last_face = UINT64_MAX};
}

/// Answer configurations [begin, end). What is found stands in `found` from `*first` on; counts[i] tells how
/// many pairs configuration i has. IMP_STATUS_OUT_OF_MEMORY, IMP_STATUS_CANCELLED or OK; with OK, and the
/// budget over, answers may be missing.
imp_Status impi_configuration_worker_run(impi_ConfigurationWorker *worker, const impi_ConfigurationPlan *plan,
                                         size_t begin, size_t end, size_t *counts, size_t *first);

#endif
