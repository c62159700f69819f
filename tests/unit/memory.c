#include "base/memory.h"
#include "failing_allocator.h"
#include "harness.h"
#include "sanitizers.h"

#include <string.h>

static bool is_aligned(const void *storage)
{
    return (uintptr_t)storage % IMPI_ALIGNMENT == 0;
}

TEST(heap_blocks_are_aligned_and_writable)
{
    for (size_t size = 1; size < 300; ++size) {
        unsigned char *storage = impi_allocate(&impi_default_allocator, size);
        if (CHECK(storage != NULL)) {
            CHECK(is_aligned(storage));
            memset(storage, 1, size);
        }
        impi_release(&impi_default_allocator, storage, size);
    }
}

TEST(no_bytes_are_null_and_never_asked_for)
{
    FailingAllocator memory;
    failing_allocator_init(&memory, 0);
    imp_Allocator hooks = failing_allocator_hooks(&memory);
    CHECK(impi_allocate(&hooks, 0) == NULL);
    CHECK(impi_allocate_array(&hooks, 0, 8) == NULL);
    CHECK(impi_allocate_array(&hooks, 8, 0) == NULL);
    impi_release(&hooks, NULL, 8);
    CHECK_INT(memory.allocations, 0);
    CHECK(failing_allocator_is_clean(&memory));
}

TEST(array_size_that_overflows_is_refused)
{
    FailingAllocator memory;
    failing_allocator_init(&memory, 0);
    imp_Allocator hooks = failing_allocator_hooks(&memory);
    CHECK(impi_allocate_array(&hooks, SIZE_MAX, 2) == NULL);
    CHECK(impi_allocate_array(&hooks, 2, SIZE_MAX) == NULL);
    CHECK(impi_allocate_array(&hooks, SIZE_MAX / 8 + 1, 8) == NULL);
    CHECK(impi_allocate_array(&hooks, (size_t)1 << 33, (size_t)1 << 33) == NULL);
    CHECK_INT(memory.allocations, 0);
}

#if !defined(TEST_UNDER_SANITIZER)
TEST(heap_that_has_no_more_gives_null)
{
    CHECK(impi_allocate(&impi_default_allocator, SIZE_MAX) == NULL);
    CHECK(impi_allocate(&impi_default_allocator, SIZE_MAX / 2) == NULL);
    CHECK(impi_allocate_array(&impi_default_allocator, SIZE_MAX / 8, 8) == NULL);
}
#endif

TEST(array_gets_all_its_bytes_and_release_the_same_size)
{
    FailingAllocator memory;
    failing_allocator_init(&memory, 0);
    imp_Allocator hooks = failing_allocator_hooks(&memory);
    uint32_t *numbers = impi_allocate_array(&hooks, 1000, sizeof *numbers);
    if (CHECK(numbers != NULL)) {
        CHECK(is_aligned(numbers));
        CHECK_INT(memory.live_blocks, 1);
        CHECK_INT(memory.live_bytes, 4000);
        memset(numbers, 0, 4000);
        impi_release(&hooks, numbers, 4000);
    }
    CHECK(failing_allocator_is_clean(&memory));
}

TEST(failing_allocator_fails_once_where_told)
{
    FailingAllocator memory;
    failing_allocator_init(&memory, 2);
    imp_Allocator hooks = failing_allocator_hooks(&memory);
    void *first = impi_allocate(&hooks, 10);
    CHECK(first != NULL && !failing_allocator_has_failed(&memory));
    CHECK(impi_allocate(&hooks, 10) == NULL && failing_allocator_has_failed(&memory));
    void *third = impi_allocate(&hooks, 10);
    CHECK(third != NULL);
    failing_allocator_arm(&memory, 1);
    CHECK(!failing_allocator_has_failed(&memory));
    CHECK(impi_allocate(&hooks, 10) == NULL && failing_allocator_has_failed(&memory));
    impi_release(&hooks, first, 10);
    CHECK(!failing_allocator_is_clean(&memory));
    impi_release(&hooks, third, 10);
    CHECK(failing_allocator_is_clean(&memory));
}

TEST(failing_allocator_notices_wrong_releases)
{
    FailingAllocator memory;
    failing_allocator_init(&memory, 0);
    imp_Allocator hooks = failing_allocator_hooks(&memory);
    unsigned char *storage = impi_allocate(&hooks, 100);
    if (!CHECK(storage != NULL))
        return;
    impi_release(&hooks, storage, 99);
    CHECK_INT(memory.mistakes, 1);
    storage[-1] ^= 1;
    impi_release(&hooks, storage, 100);
    CHECK_INT(memory.mistakes, 2);
    storage[-1] ^= 1;
    impi_release(&hooks, storage, 100);
    CHECK_INT(memory.live_blocks, 0);
    CHECK(!failing_allocator_is_clean(&memory));
}
