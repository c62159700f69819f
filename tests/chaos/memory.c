#include "memory.h"

#include <time.h>

#define DAWDLE_NS 25000000

static void *allocate(size_t size, void *user)
{
    Memory *memory = user;
    imp_Allocator counted = failing_allocator_hooks(&memory->counted);
    uint64_t number = atomic_load(&memory->counted.allocations) + 1;
    if (number >= atomic_load(&memory->first) && number < atomic_load(&memory->end)) {
        switch ((MemoryEvent)atomic_load(&memory->event)) {
        case MEMORY_FAILS:
            atomic_fetch_add(&memory->counted.allocations, 1);
            atomic_fetch_add(memory->failure_count, 1);
            return NULL;
        case MEMORY_CANCELS:
            imp_cancel_request(atomic_load(&memory->cancel));
            break;
        case MEMORY_DAWDLES:
            nanosleep(&(struct timespec){.tv_nsec = DAWDLE_NS}, NULL);
            break;
        }
    }
    return counted.allocate(size, counted.user);
}

static void release(void *storage, size_t size, void *user)
{
    Memory *memory = user;
    imp_Allocator counted = failing_allocator_hooks(&memory->counted);
    counted.release(storage, size, counted.user);
}

void memory_init(Memory *memory, atomic_uint_fast64_t *failure_count)
{
    failing_allocator_init(&memory->counted, 0);
    atomic_init(&memory->first, 0);
    atomic_init(&memory->end, 0);
    atomic_init(&memory->event, MEMORY_FAILS);
    atomic_init(&memory->cancel, NULL);
    memory->failure_count = failure_count;
}

imp_Allocator memory_hooks(Memory *memory)
{
    return (imp_Allocator){allocate, release, memory};
}

void memory_arm(Memory *memory, MemoryEvent event, uint64_t n, uint64_t run, imp_Cancel *cancel)
{
    uint64_t first = atomic_load(&memory->counted.allocations) + n;
    atomic_store(&memory->event, (int)event);
    atomic_store(&memory->cancel, cancel);
    atomic_store(&memory->first, first);
    atomic_store(&memory->end, first + run);
}

void memory_disarm(Memory *memory)
{
    atomic_store(&memory->end, 0);
}
