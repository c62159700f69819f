/// Working memory for tasks: as many pieces as tasks run at the same time.
#ifndef IMPINGE_WORLD_SCRATCH_POOL_H
#define IMPINGE_WORLD_SCRATCH_POOL_H

#include "base/arena.h"
#include "base/array.h"

#include <pthread.h>

/// A piece. The arena is for what has no fixed size; it stays with the piece, so whoever takes from it
/// rewinds it.
typedef struct impi_Scratch {
    impi_Arena arena;
    void *memory; // memory_size bytes
} impi_Scratch;

typedef struct impi_ScratchPool {
    const imp_Allocator *allocator;
    size_t memory_size;
    pthread_mutex_t lock;
    IMPI_ARRAY(impi_Scratch *) idle;
    size_t piece_count; // idle or not
} impi_ScratchPool;

void impi_scratch_pool_init(impi_ScratchPool *pool, const imp_Allocator *allocator, size_t memory_size);
void impi_scratch_pool_destroy(impi_ScratchPool *pool);

/// While all pieces are idle: have at least `count` of them, with room for `arena_size` bytes in the arena of
/// each, so that as many tasks can run without allocating. False when out of memory.
bool impi_scratch_pool_prepare(impi_ScratchPool *pool, size_t count, size_t arena_size);

/// Any thread. Null when out of memory.
impi_Scratch *impi_scratch_pool_take(impi_ScratchPool *pool);
void impi_scratch_pool_give_back(impi_ScratchPool *pool, impi_Scratch *piece);

#endif
