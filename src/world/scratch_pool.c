#include "world/scratch_pool.h"

#include "base/memory.h"

void impi_scratch_pool_init(impi_ScratchPool *pool, const imp_Allocator *allocator, size_t memory_size)
{
    *pool = (impi_ScratchPool){.allocator = allocator, .memory_size = memory_size};
    pthread_mutex_init(&pool->lock, NULL);
}

static void release_piece(const impi_ScratchPool *pool, impi_Scratch *piece)
{
    impi_arena_destroy(&piece->arena);
    impi_release(pool->allocator, piece->memory, pool->memory_size);
    impi_release(pool->allocator, piece, sizeof *piece);
}

void impi_scratch_pool_destroy(impi_ScratchPool *pool)
{
    for (size_t i = 0; i < pool->idle.count; ++i)
        release_piece(pool, pool->idle.data[i]);
    impi_array_free(pool->allocator, &pool->idle, sizeof *pool->idle.data);
    pthread_mutex_destroy(&pool->lock);
}

// With the lock held. The list of idle pieces always has room for all, so that giving back never fails.
static impi_Scratch *make_piece(impi_ScratchPool *pool)
{
    if (!impi_array_reserve(pool->allocator, &pool->idle, sizeof *pool->idle.data, pool->piece_count + 1))
        return NULL;
    impi_Scratch *piece = impi_allocate(pool->allocator, sizeof *piece);
    if (!piece)
        return NULL;
    impi_arena_init(&piece->arena, pool->allocator);
    piece->memory = impi_allocate(pool->allocator, pool->memory_size);
    if (!piece->memory) {
        release_piece(pool, piece);
        return NULL;
    }
    ++pool->piece_count;
    return piece;
}

// An empty arena keeps what was taken from it.
static bool enlarge_arena(impi_Arena *arena, size_t size)
{
    if (arena->capacity >= size)
        return true;
    impi_arena_destroy(arena);
    bool done = impi_arena_allocate(arena, size) != NULL;
    impi_arena_reset(arena);
    return done;
}

bool impi_scratch_pool_prepare(impi_ScratchPool *pool, size_t count, size_t arena_size)
{
    bool done = true;
    pthread_mutex_lock(&pool->lock);
    while (done && pool->piece_count < count) {
        impi_Scratch *piece = make_piece(pool);
        done = piece != NULL;
        if (done)
            pool->idle.data[pool->idle.count++] = piece;
    }
    for (size_t i = 0; done && i < pool->idle.count; ++i)
        done = enlarge_arena(&pool->idle.data[i]->arena, arena_size);
    pthread_mutex_unlock(&pool->lock);
    return done;
}

impi_Scratch *impi_scratch_pool_take(impi_ScratchPool *pool)
{
    pthread_mutex_lock(&pool->lock);
    impi_Scratch *piece = pool->idle.count > 0 ? pool->idle.data[--pool->idle.count] : make_piece(pool);
    pthread_mutex_unlock(&pool->lock);
    return piece;
}

void impi_scratch_pool_give_back(impi_ScratchPool *pool, impi_Scratch *piece)
{
    pthread_mutex_lock(&pool->lock);
    pool->idle.data[pool->idle.count++] = piece;
    pthread_mutex_unlock(&pool->lock);
}
