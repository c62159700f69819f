#include "kit/memory_meter.h"

#include "base/memory.h"

static void *allocate(size_t size, void *user)
{
    impi_MemoryMeter *meter = user;
    void *storage = impi_default_allocator.allocate(size, NULL);
    if (!storage)
        return NULL;
    size_t live = atomic_fetch_add(&meter->live, size) + size;
    size_t peak = atomic_load(&meter->peak);
    while (live > peak && !atomic_compare_exchange_weak(&meter->peak, &peak, live))
        ;
    return storage;
}

static void release(void *storage, size_t size, void *user)
{
    impi_MemoryMeter *meter = user;
    atomic_fetch_sub(&meter->live, size);
    impi_default_allocator.release(storage, size, NULL);
}

imp_Allocator impi_memory_meter_allocator(impi_MemoryMeter *meter)
{
    return (imp_Allocator){allocate, release, meter};
}
