#include "kit/memory_meter.h"

#include "harness.h"

TEST(what_lives_and_the_most_there_was)
{
    impi_MemoryMeter meter = {0};
    imp_Allocator allocator = impi_memory_meter_allocator(&meter);
    void *first = allocator.allocate(1000, allocator.user), *second = allocator.allocate(200, allocator.user);
    CHECK((uintptr_t)first % 64 == 0 && (uintptr_t)second % 64 == 0);
    CHECK_INT((int64_t)atomic_load(&meter.live), 1200);
    allocator.release(first, 1000, allocator.user);
    first = allocator.allocate(300, allocator.user);
    CHECK_INT((int64_t)atomic_load(&meter.live), 500);
    CHECK_INT((int64_t)atomic_load(&meter.peak), 1200);
    allocator.release(first, 300, allocator.user);
    allocator.release(second, 200, allocator.user);
    CHECK_INT((int64_t)atomic_load(&meter.live), 0);
}

TEST(a_context_gives_all_of_it_back)
{
    impi_MemoryMeter meter = {0};
    imp_Context *context = NULL;
    imp_ContextDef def = {.allocator = impi_memory_meter_allocator(&meter), .thread_count = 2};
    CHECK_INT(imp_context_create(&def, &context), IMP_STATUS_OK);
    CHECK(atomic_load(&meter.live) > 0);
    imp_context_destroy(context);
    CHECK_INT((int64_t)atomic_load(&meter.live), 0);
}
