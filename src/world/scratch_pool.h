/// Working memory for tasks: as many pieces of one size as tasks run at the same time.
#ifndef IMPINGE_WORLD_SCRATCH_POOL_H
#define IMPINGE_WORLD_SCRATCH_POOL_H

#include "base/array.h"

#include <pthread.h>

typedef struct impi_ScratchPool {
    const imp_Allocator *allocator;
    size_t piece_size;
    pthread_mutex_t lock;
    IMPI_ARRAY(void *) idle;
    size_t piece_count; // idle or not
} impi_ScratchPool;

void impi_scratch_pool_init(impi_ScratchPool *pool, const imp_Allocator *allocator, size_t piece_size);
void impi_scratch_pool_destroy(impi_ScratchPool *pool);

/// Have at least `count` pieces ready, so that as many tasks can run without allocating. False when out of
/// memory.
bool impi_scratch_pool_prepare(impi_ScratchPool *pool, size_t count);

/// Any thread. Null when out of memory.
void *impi_scratch_pool_take(impi_ScratchPool *pool);
void impi_scratch_pool_give_back(impi_ScratchPool *pool, void *piece);

#endif
