/// Smith & Kitamura 1994, sections 4.4 and 4.5: the swept-space method on several processors. Every form
/// gives what one processor gives, to the byte.
#ifndef IMPINGE_EXPERIMENTS_SMITH_SWEPT_PARALLEL_H
#define IMPINGE_EXPERIMENTS_SMITH_SWEPT_PARALLEL_H

#include "smith_swept_steps.h"

typedef enum SmithForm {
    SMITH_FORM_SERIAL,
    SMITH_FORM_SPMD,              // processor N of P tests pairs N, N + P, N + 2P, ...
    SMITH_FORM_DYNAMIC,           // processors take the next pair of the list
    SMITH_FORM_PRODUCER_CONSUMER, // one fills a queue of pairs, the others empty it, then it joins them
    SMITH_FORM_COUNT
} SmithForm;

#define SMITH_QUEUE_CAPACITY 256

typedef struct SmithSweptDef {
    const imp_Executor *executor; // each processor is a task of it; null runs them one after the other
    SmithForm form;
    uint32_t processor_count; // 1 to IMP_MAX_THREADS
    bool is_pinned;           // keep threads on their processors
    uint32_t queue_capacity;  // of producer and consumers; 0 is SMITH_QUEUE_CAPACITY
} SmithSweptDef;

typedef struct SmithSweptResult {
    SmithFacePairs colliding; // sorted; to be freed with smith_swept_result_free
    uint64_t tested;          // face pairs
    uint64_t largest_share;   // that one processor tested
    bool was_pinned;          // all processors were
} SmithSweptResult;

/// All four steps. The result is zeroed or one from before, of which memory is used again.
/// IMP_STATUS_OUT_OF_MEMORY or OK.
imp_Status smith_swept_run(SmithSweptSearch *search, const SmithSweptScene *scene, const SmithSweptDef *def,
                           SmithSweptResult *result);

void smith_swept_result_free(const imp_Allocator *allocator, SmithSweptResult *result);

#endif
