#include "world/scratch_pool.h"

#include "base/memory.h"

void impi_scratch_pool_init(impi_ScratchPool *pool, const imp_Allocator *allocator, size_t piece_size)
{
    *pool = (impi_ScratchPool){.allocator = allocator, .piece_size = piece_size};
    pthread_mutex_init(&pool->lock, NULL);
}

void impi_scratch_pool_destroy(impi_ScratchPool *pool)
{
    for (size_t i = 0; i < pool->idle.count; ++i)
        impi_release(pool->allocator, pool->idle.data[i], pool->piece_size);
    impi_array_free(pool->allocator, &pool->idle, sizeof *pool->idle.data);
    pthread_mutex_destroy(&pool->lock);
}

// With the lock held. The list of idle pieces always has room for all, so that giving back never fails.
static void *make_piece(impi_ScratchPool *pool)
{
    if (!impi_array_reserve(pool->allocator, &pool->idle, sizeof *pool->idle.data, pool->piece_count + 1))
        return NULL;
    void *piece = impi_allocate(pool->allocator, pool->piece_size);
    pool->piece_count += piece != NULL;
    return piece;
}

bool impi_scratch_pool_prepare(impi_ScratchPool *pool, size_t count)
{
    bool done = true;
    pthread_mutex_lock(&pool->lock);
    while (done && pool->piece_count < count) {
        void *piece = make_piece(pool);
        done = piece != NULL;
        if (done)
            pool->idle.data[pool->idle.count++] = piece;
    }
    pthread_mutex_unlock(&pool->lock);
    return done;
}

void *impi_scratch_pool_take(impi_ScratchPool *pool)
{
    pthread_mutex_lock(&pool->lock);
    void *piece = pool->idle.count > 0 ? pool->idle.data[--pool->idle.count] : make_piece(pool);
    pthread_mutex_unlock(&pool->lock);
    return piece;
}

void impi_scratch_pool_give_back(impi_ScratchPool *pool, void *piece)
{
    pthread_mutex_lock(&pool->lock);
    pool->idle.data[pool->idle.count++] = piece;
    pthread_mutex_unlock(&pool->lock);
}
