#include "base/scratch_pool.h"

#include "base/memory.h"

void impi_scratch_pool_init(impi_ScratchPool *pool, const imp_Allocator *allocator)
{
    *pool = (impi_ScratchPool){.allocator = allocator};
    pthread_mutex_init(&pool->lock, NULL);
}

void impi_scratch_pool_destroy(impi_ScratchPool *pool)
{
    for (size_t i = 0; i < pool->idle.count; ++i) {
        impi_arena_destroy(pool->idle.data[i]);
        impi_release(pool->allocator, pool->idle.data[i], sizeof *pool->idle.data[i]);
    }
    impi_array_free(pool->allocator, &pool->idle, sizeof *pool->idle.data);
    pthread_mutex_destroy(&pool->lock);
}

// With the lock held. The list of idle arenas always has room for all, so that giving back never fails.
static impi_Arena *make_arena(impi_ScratchPool *pool)
{
    if (!impi_array_reserve(pool->allocator, &pool->idle, sizeof *pool->idle.data, pool->arena_count + 1))
        return NULL;
    impi_Arena *arena = impi_allocate(pool->allocator, sizeof *arena);
    if (!arena)
        return NULL;
    impi_arena_init(arena, pool->allocator);
    ++pool->arena_count;
    return arena;
}

// An empty arena keeps what was taken from it.
static bool enlarge(impi_Arena *arena, size_t size)
{
    if (arena->capacity >= size)
        return true;
    impi_arena_destroy(arena);
    bool done = impi_arena_allocate(arena, size) != NULL;
    impi_arena_reset(arena);
    return done;
}

bool impi_scratch_pool_prepare(impi_ScratchPool *pool, size_t count, size_t size)
{
    bool done = true;
    pthread_mutex_lock(&pool->lock);
    while (done && pool->arena_count < count) {
        impi_Arena *arena = make_arena(pool);
        done = arena != NULL;
        if (done)
            pool->idle.data[pool->idle.count++] = arena;
    }
    for (size_t i = 0; done && i < pool->idle.count; ++i)
        done = enlarge(pool->idle.data[i], size);
    pthread_mutex_unlock(&pool->lock);
    return done;
}

size_t impi_scratch_pool_room(impi_ScratchPool *pool)
{
    size_t room = 0;
    pthread_mutex_lock(&pool->lock);
    for (size_t i = 0; i < pool->idle.count; ++i)
        room = pool->idle.data[i]->capacity > room ? pool->idle.data[i]->capacity : room;
    pthread_mutex_unlock(&pool->lock);
    return room;
}

impi_Arena *impi_scratch_pool_take(impi_ScratchPool *pool)
{
    pthread_mutex_lock(&pool->lock);
    impi_Arena *arena = pool->idle.count > 0 ? pool->idle.data[--pool->idle.count] : make_arena(pool);
    pthread_mutex_unlock(&pool->lock);
    return arena;
}

void impi_scratch_pool_give_back(impi_ScratchPool *pool, impi_Arena *arena)
{
    impi_arena_reset(arena);
    pthread_mutex_lock(&pool->lock);
    pool->idle.data[pool->idle.count++] = arena;
    pthread_mutex_unlock(&pool->lock);
}
