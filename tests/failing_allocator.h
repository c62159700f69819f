/// An allocator for tests: it counts what is live, notices wrong releases, and fails the n-th allocation.
///
/// To fail every allocation that a call makes, one after the other:
///
///     FailingAllocator memory;
///     uint64_t n = 0;
///     do {
///         failing_allocator_init(&memory, ++n);
///         imp_ContextDef def = {.allocator = failing_allocator_hooks(&memory)};
///         ... the calls under test; a failure must be IMP_STATUS_OUT_OF_MEMORY; give everything back ...
///         CHECK(failing_allocator_is_clean(&memory));
///     } while (failing_allocator_has_failed(&memory));
#ifndef IMPINGE_TESTS_FAILING_ALLOCATOR_H
#define IMPINGE_TESTS_FAILING_ALLOCATOR_H

#include <impinge/base.h>

#include <stdatomic.h>

/// Read the counts at will; they may be used from several threads at once.
typedef struct FailingAllocator {
    uint64_t fail_at;                 // which allocation fails, counting from 1; 0 for none
    atomic_uint_fast64_t allocations; // asked for so far, the failed one among them
    atomic_size_t live_blocks, live_bytes;
    atomic_uint_fast64_t mistakes; // releases with a wrong size, or of damaged or foreign storage
} FailingAllocator;

void failing_allocator_init(FailingAllocator *memory, uint64_t fail_at);

/// Let the n-th allocation from now on fail, with what is live left alone; 0 for none.
void failing_allocator_arm(FailingAllocator *memory, uint64_t n);

/// `memory` must outlive the hooks.
imp_Allocator failing_allocator_hooks(FailingAllocator *memory);

/// Was the allocation that was to fail reached?
bool failing_allocator_has_failed(const FailingAllocator *memory);

/// Nothing is live and no mistake was made.
bool failing_allocator_is_clean(const FailingAllocator *memory);

#endif
