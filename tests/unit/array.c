#include "base/array.h"
#include "failing_allocator.h"
#include "harness.h"

typedef IMPI_ARRAY(uint64_t) Numbers;

static bool append(const imp_Allocator *allocator, Numbers *numbers, uint64_t value)
{
    if (!impi_array_reserve(allocator, numbers, sizeof *numbers->data, numbers->count + 1))
        return false;
    numbers->data[numbers->count++] = value;
    return true;
}

TEST(appended_values_survive_growth)
{
    FailingAllocator memory;
    failing_allocator_init(&memory, 0);
    imp_Allocator hooks = failing_allocator_hooks(&memory);
    Numbers numbers = {0};
    for (uint64_t i = 0; i < 100000; ++i)
        CHECK(append(&hooks, &numbers, i * i));
    CHECK_INT(numbers.count, 100000);
    CHECK(numbers.capacity >= numbers.count);
    for (uint64_t i = 0; i < 100000; ++i)
        CHECK_INT(numbers.data[i], i * i);
    CHECK(memory.allocations < 20);
    CHECK_INT(memory.live_blocks, 1);
    impi_array_free(&hooks, &numbers, sizeof *numbers.data);
    CHECK(numbers.data == NULL && numbers.count == 0 && numbers.capacity == 0);
    CHECK(failing_allocator_is_clean(&memory));
}

TEST(growth_at_least_doubles_and_gives_what_is_needed)
{
    FailingAllocator memory;
    failing_allocator_init(&memory, 0);
    imp_Allocator hooks = failing_allocator_hooks(&memory);
    IMPI_ARRAY(char) text = {0};
    CHECK(impi_array_reserve(&hooks, &text, 1, 1000));
    CHECK_INT(text.capacity, 1000);
    CHECK_INT(text.count, 0);
    char *before = text.data;
    CHECK(impi_array_reserve(&hooks, &text, 1, 1000));
    CHECK(text.data == before);
    CHECK(impi_array_reserve(&hooks, &text, 1, 1001));
    CHECK_INT(text.capacity, 2000);
    CHECK(impi_array_reserve(&hooks, &text, 1, 9000));
    CHECK_INT(text.capacity, 9000);
    impi_array_free(&hooks, &text, 1);
    CHECK(failing_allocator_is_clean(&memory));
}

TEST(failed_growth_leaves_the_array_as_it_was)
{
    FailingAllocator memory;
    failing_allocator_init(&memory, 0);
    imp_Allocator hooks = failing_allocator_hooks(&memory);
    Numbers numbers = {0};
    failing_allocator_arm(&memory, 1);
    CHECK(!append(&hooks, &numbers, 1));
    CHECK(numbers.data == NULL && numbers.count == 0 && numbers.capacity == 0);
    while (numbers.count == 0 || numbers.count < numbers.capacity)
        CHECK(append(&hooks, &numbers, numbers.count));
    Numbers before = numbers;
    failing_allocator_arm(&memory, 1);
    CHECK(!append(&hooks, &numbers, 1));
    CHECK(!impi_array_reserve(&hooks, &numbers, sizeof *numbers.data, SIZE_MAX));
    CHECK(!impi_array_reserve(&hooks, &numbers, sizeof *numbers.data, SIZE_MAX / 8 + 1));
    CHECK(numbers.data == before.data && numbers.count == before.count &&
          numbers.capacity == before.capacity);
    for (size_t i = 0; i < numbers.count; ++i)
        CHECK_INT(numbers.data[i], i);
    CHECK(append(&hooks, &numbers, 1));
    impi_array_free(&hooks, &numbers, sizeof *numbers.data);
    CHECK(failing_allocator_is_clean(&memory));
}

TEST(empty_array_needs_and_frees_nothing)
{
    FailingAllocator memory;
    failing_allocator_init(&memory, 0);
    imp_Allocator hooks = failing_allocator_hooks(&memory);
    Numbers numbers = {0};
    CHECK(impi_array_reserve(&hooks, &numbers, sizeof *numbers.data, 0));
    impi_array_free(&hooks, &numbers, sizeof *numbers.data);
    CHECK_INT(memory.allocations, 0);
}
