/// Pairs that may be merged, the cheapest first.
#ifndef IMPINGE_SHAPE_MERGE_QUEUE_H
#define IMPINGE_SHAPE_MERGE_QUEUE_H

#include "base/array.h"

typedef struct impi_MergeCandidate {
    double cost;
    uint32_t a, b;
    uint32_t look_count; // how often it was looked at: the cost is a guess that rises
} impi_MergeCandidate;

/// A heap.
typedef IMPI_ARRAY(impi_MergeCandidate) impi_MergeQueue;

/// False when out of memory.
bool impi_merge_queue_push(const imp_Allocator *allocator, impi_MergeQueue *queue,
                           impi_MergeCandidate candidate);

/// Of a queue that is not empty. Of equal costs the one with the lowest numbers comes first.
impi_MergeCandidate impi_merge_queue_pop(impi_MergeQueue *queue);

#endif
