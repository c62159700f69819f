/// The allocator of a context under test: it counts what is live and notices wrong releases, and at a chosen
/// allocation it fails, requests a cancel flag, or dawdles.
#ifndef IMPINGE_TESTS_CHAOS_MEMORY_H
#define IMPINGE_TESTS_CHAOS_MEMORY_H

#include "failing_allocator.h"

#include <impinge/cancel.h>

typedef enum MemoryEvent {
    MEMORY_FAILS,
    MEMORY_CANCELS,
    MEMORY_DAWDLES, // for longer than watches wait until they tell their progress
} MemoryEvent;

/// Several threads may allocate at once, also while another one arms it.
typedef struct Memory {
    FailingAllocator counted;            // never fails by itself
    atomic_uint_fast64_t first, end;     // the allocations at which the event occurs, by number
    atomic_int event;                    // a MemoryEvent
    _Atomic(imp_Cancel *) cancel;        // for MEMORY_CANCELS
    atomic_uint_fast64_t *failure_count; // of the whole program
} Memory;

void memory_init(Memory *memory, atomic_uint_fast64_t *failure_count);
imp_Allocator memory_hooks(Memory *memory);

/// From now on let the event occur at the n-th allocation (counting from 1) and at `run` - 1 more behind it.
void memory_arm(Memory *memory, MemoryEvent event, uint64_t n, uint64_t run, imp_Cancel *cancel);
void memory_disarm(Memory *memory);

#endif
