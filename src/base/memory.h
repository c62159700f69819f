/// Single blocks of memory through the context's allocator. See also arena.h and array.h.
#ifndef IMPINGE_BASE_MEMORY_H
#define IMPINGE_BASE_MEMORY_H

#include <impinge/base.h>

/// What every block is aligned to: a cache line, and the widest vector register.
#define IMPI_ALIGNMENT 64

/// Null when the allocator has no more, or when `size` is 0 bytes. Aligned to 64 bytes.
void *impi_allocate(const imp_Allocator *allocator, size_t size);

/// count * size with the overflow check.
void *impi_allocate_array(const imp_Allocator *allocator, size_t count, size_t size);

/// Null is fine.
void impi_release(const imp_Allocator *allocator, void *storage, size_t size);

/// The C library's heap.
extern const imp_Allocator impi_default_allocator;

#endif
