// madvise is not part of POSIX.
#define _DEFAULT_SOURCE

#include "base/memory.h"

#include <stdlib.h>
#include <sys/mman.h>

#define HUGE_PAGE ((size_t)2 << 20)

// Not aligned_alloc: that wants the size rounded up, which would hide short overruns from the address
// sanitizer.
//
// Fresh memory costs a page fault per page, which is a large share of reading a file or of a first query;
// large blocks ask for large pages, of which the system may give any number or none.
static void *heap_allocate(size_t size, void *user)
{
    void *storage;
    bool is_large = size >= 2 * HUGE_PAGE;
    (void)user;
    if (posix_memalign(&storage, is_large ? HUGE_PAGE : IMPI_ALIGNMENT, size) != 0)
        return NULL;
#if defined(MADV_HUGEPAGE)
    if (is_large)
        (void)madvise(storage, size / HUGE_PAGE * HUGE_PAGE, MADV_HUGEPAGE);
#endif
    return storage;
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
