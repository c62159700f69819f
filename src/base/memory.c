#include "base/memory.h"

#include <stdlib.h>

// Not aligned_alloc: that wants the size rounded up, which would hide short overruns from the address
// sanitizer.
static void *heap_allocate(size_t size, void *user)
{
    void *storage;
    (void)user;
    return posix_memalign(&storage, IMPI_ALIGNMENT, size) == 0 ? storage : NULL;
}

static void heap_release(void *storage, size_t size, void *user)
{
    (void)size;
    (void)user;
    free(storage);
}

const imp_Allocator impi_default_allocator = {heap_allocate, heap_release, NULL};

void *impi_allocate(const imp_Allocator *allocator, size_t size)
{
    return size == 0 ? NULL : allocator->allocate(size, allocator->user);
}

void *impi_allocate_array(const imp_Allocator *allocator, size_t count, size_t size)
{
    if (size != 0 && count > SIZE_MAX / size)
        return NULL;
    return impi_allocate(allocator, count * size);
}

void impi_release(const imp_Allocator *allocator, void *storage, size_t size)
{
    if (storage)
        allocator->release(storage, size, allocator->user);
}
