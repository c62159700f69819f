#include "failing_allocator.h"

#include <stdlib.h>
#include <string.h>

#define ALIGNMENT 64

// Stands in the ALIGNMENT bytes before each block. The mark is what a write before the block destroys.
typedef struct BlockHeader {
    size_t size;
    unsigned char mark[ALIGNMENT - sizeof(size_t)];
} BlockHeader;

#define MARK_BYTE 0xA7
// Fresh storage is filled with it, so that what forgets to initialise does not find zeros.
#define FRESH_BYTE 0xCB

static bool header_is_intact(const BlockHeader *header, size_t size)
{
    for (size_t i = 0; i < sizeof header->mark; ++i)
        if (header->mark[i] != MARK_BYTE)
            return false;
    return header->size == size;
}

static void *allocate(size_t size, void *user)
{
    FailingAllocator *memory = user;
    uint64_t number = atomic_fetch_add(&memory->allocations, 1) + 1;
    void *storage;
    // The size is not rounded up, so that the address sanitizer sees the true end of the block.
    if (number == memory->fail_at || size > SIZE_MAX - sizeof(BlockHeader) ||
        posix_memalign(&storage, ALIGNMENT, sizeof(BlockHeader) + size) != 0)
        return NULL;
    BlockHeader *header = storage;
    header->size = size;
    memset(header->mark, MARK_BYTE, sizeof header->mark);
    memset(header + 1, FRESH_BYTE, size);
    atomic_fetch_add(&memory->live_blocks, 1);
    atomic_fetch_add(&memory->live_bytes, size);
    return header + 1;
}

static void release(void *storage, size_t size, void *user)
{
    FailingAllocator *memory = user;
    BlockHeader *header = (BlockHeader *)storage - 1;
    if (!header_is_intact(header, size)) {
        // Its true size is unknown: it stays live and so shows twice.
        atomic_fetch_add(&memory->mistakes, 1);
        return;
    }
    atomic_fetch_sub(&memory->live_blocks, 1);
    atomic_fetch_sub(&memory->live_bytes, size);
    memset(header, 0, sizeof *header);
    free(header);
}

void failing_allocator_init(FailingAllocator *memory, uint64_t fail_at)
{
    memory->fail_at = fail_at;
    atomic_init(&memory->allocations, 0);
    atomic_init(&memory->live_blocks, 0);
    atomic_init(&memory->live_bytes, 0);
    atomic_init(&memory->mistakes, 0);
}

void failing_allocator_arm(FailingAllocator *memory, uint64_t n)
{
    memory->fail_at = n == 0 ? 0 : atomic_load(&memory->allocations) + n;
}

imp_Allocator failing_allocator_hooks(FailingAllocator *memory)
{
    return (imp_Allocator){allocate, release, memory};
}

bool failing_allocator_has_failed(const FailingAllocator *memory)
{
    return memory->fail_at != 0 && atomic_load(&memory->allocations) >= memory->fail_at;
}

bool failing_allocator_is_clean(const FailingAllocator *memory)
{
    return atomic_load(&memory->live_blocks) == 0 && atomic_load(&memory->live_bytes) == 0 &&
           atomic_load(&memory->mistakes) == 0;
}
