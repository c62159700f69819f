/// Working memory for tasks: as many arenas as tasks run at the same time.
#ifndef IMPINGE_BASE_SCRATCH_POOL_H
#define IMPINGE_BASE_SCRATCH_POOL_H

#include "base/arena.h"
#include "base/array.h"

#include <pthread.h>

typedef struct impi_ScratchPool {
    const imp_Allocator *allocator;
    pthread_mutex_t lock;
    IMPI_ARRAY(impi_Arena *) idle;
    size_t arena_count; // idle or not
} impi_ScratchPool;

void impi_scratch_pool_init(impi_ScratchPool *pool, const imp_Allocator *allocator);
void impi_scratch_pool_destroy(impi_ScratchPool *pool);

/// While all arenas are idle: have at least `count` of them with room for `size` bytes in each, so that as
/// many tasks can run without allocating. False when out of memory.
bool impi_scratch_pool_prepare(impi_ScratchPool *pool, size_t count, size_t size);

/// The room of the largest arena that is idle: what tasks have needed so far.
size_t impi_scratch_pool_room(impi_ScratchPool *pool);

/// An empty arena, from any thread. Null when out of memory.
impi_Arena *impi_scratch_pool_take(impi_ScratchPool *pool);

/// It is emptied. Any thread.
void impi_scratch_pool_give_back(impi_ScratchPool *pool, impi_Arena *arena);

#endif
