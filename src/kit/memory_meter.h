/// How much memory a context takes: the C library's heap, counted.
#ifndef IMPINGE_KIT_MEMORY_METER_H
#define IMPINGE_KIT_MEMORY_METER_H

#include <impinge/base.h>

#include <stdatomic.h>

/// Bytes now, and the most there were. All zero to begin with; it stays as long as memory does.
typedef struct impi_MemoryMeter {
    atomic_size_t live, peak;
} impi_MemoryMeter;

/// For imp_ContextDef; any thread may use it.
imp_Allocator impi_memory_meter_allocator(impi_MemoryMeter *meter);

#endif
