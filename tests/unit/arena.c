#include "base/arena.h"
#include "base/memory.h"
#include "failing_allocator.h"
#include "harness.h"

#include <string.h>

typedef struct Fixture {
    FailingAllocator memory;
    imp_Allocator hooks;
    impi_Arena arena;
} Fixture;

static void fixture_begin(Fixture *fixture)
{
    failing_allocator_init(&fixture->memory, 0);
    fixture->hooks = failing_allocator_hooks(&fixture->memory);
    impi_arena_init(&fixture->arena, &fixture->hooks);
}

static void fixture_end(Fixture *fixture)
{
    impi_arena_destroy(&fixture->arena);
    CHECK(failing_allocator_is_clean(&fixture->memory));
}

#define MAX_BLOCKS 400

// Blocks of changing sizes, each filled with a byte of its own, all checked at the end.
static void use_arena(impi_Arena *arena, uint32_t block_count, size_t scale)
{
    unsigned char *blocks[MAX_BLOCKS];
    for (uint32_t i = 0; i < block_count; ++i) {
        blocks[i] = impi_arena_allocate(arena, i * scale);
        if (!CHECK(blocks[i] != NULL))
            return;
        CHECK((uintptr_t)blocks[i] % IMPI_ALIGNMENT == 0);
        memset(blocks[i], (int)(i & 255), i * scale);
    }
    for (uint32_t i = 0; i < block_count; ++i)
        for (size_t k = 0; k < i * scale; ++k)
            if (blocks[i][k] != (i & 255)) {
                CHECK(!"a block was overwritten");
                return;
            }
}

TEST(unused_arena_holds_nothing)
{
    Fixture fixture;
    fixture_begin(&fixture);
    impi_arena_reset(&fixture.arena);
    impi_arena_rewind(&fixture.arena, impi_arena_mark(&fixture.arena));
    CHECK_INT(fixture.memory.allocations, 0);
    fixture_end(&fixture);
}

TEST(no_bytes_give_a_pointer)
{
    Fixture fixture;
    fixture_begin(&fixture);
    void *first = impi_arena_allocate(&fixture.arena, 0);
    void *second = impi_arena_allocate_array(&fixture.arena, 0, 8);
    CHECK(first != NULL && second != NULL && first != second);
    fixture_end(&fixture);
}

TEST(blocks_do_not_overlap)
{
    Fixture fixture;
    fixture_begin(&fixture);
    use_arena(&fixture.arena, MAX_BLOCKS, 37);
    CHECK(fixture.memory.live_blocks > 1);
    fixture_end(&fixture);
}

TEST(reset_joins_chunks_and_the_same_use_allocates_nothing)
{
    Fixture fixture;
    fixture_begin(&fixture);
    use_arena(&fixture.arena, MAX_BLOCKS, 37);
    impi_arena_reset(&fixture.arena);
    CHECK_INT(fixture.memory.live_blocks, 1);
    uint64_t allocations = fixture.memory.allocations;
    for (int i = 0; i < 5; ++i) {
        use_arena(&fixture.arena, MAX_BLOCKS, 37);
        impi_arena_reset(&fixture.arena);
    }
    CHECK_INT(fixture.memory.allocations, allocations);
    fixture_end(&fixture);
}

// Each inner use is rewound, so that no chunk of it is left when the arena is reset.
static void use_with_rewinds(impi_Arena *arena)
{
    CHECK(impi_arena_allocate(arena, 1000) != NULL);
    for (uint32_t i = 1; i < 50; ++i) {
        impi_ArenaMark mark = impi_arena_mark(arena);
        use_arena(arena, i, 1000);
        impi_arena_rewind(arena, mark);
    }
}

TEST(same_use_with_rewinds_allocates_nothing)
{
    Fixture fixture;
    fixture_begin(&fixture);
    use_with_rewinds(&fixture.arena);
    impi_arena_reset(&fixture.arena);
    uint64_t allocations = fixture.memory.allocations;
    use_with_rewinds(&fixture.arena);
    impi_arena_reset(&fixture.arena);
    CHECK_INT(fixture.memory.allocations, allocations);
    fixture_end(&fixture);
}

TEST(use_that_grows_slowly_seldom_allocates)
{
    Fixture fixture;
    fixture_begin(&fixture);
    for (size_t size = 100000; size < 200000; size += 100) {
        CHECK(impi_arena_allocate(&fixture.arena, size) != NULL);
        impi_arena_reset(&fixture.arena);
    }
    CHECK(fixture.memory.allocations < 8);
    fixture_end(&fixture);
}

TEST(rewind_gives_back_what_came_after_the_mark)
{
    Fixture fixture;
    fixture_begin(&fixture);
    impi_ArenaMark empty = impi_arena_mark(&fixture.arena);
    unsigned char *kept = impi_arena_allocate(&fixture.arena, 10);
    memset(kept, 7, 10);
    impi_ArenaMark mark = impi_arena_mark(&fixture.arena);
    void *after = impi_arena_allocate(&fixture.arena, 10);
    use_arena(&fixture.arena, MAX_BLOCKS, 37);
    impi_arena_rewind(&fixture.arena, mark);
    CHECK_INT(fixture.memory.live_blocks, 1);
    CHECK(impi_arena_allocate(&fixture.arena, 10) == after);
    for (int i = 0; i < 10; ++i)
        CHECK_INT(kept[i], 7);
    impi_arena_rewind(&fixture.arena, empty);
    CHECK_INT(fixture.memory.live_blocks, 0);
    fixture_end(&fixture);
}

TEST(sizes_that_overflow_are_refused)
{
    Fixture fixture;
    fixture_begin(&fixture);
    CHECK(impi_arena_allocate(&fixture.arena, SIZE_MAX) == NULL);
    CHECK(impi_arena_allocate(&fixture.arena, SIZE_MAX - 63) == NULL);
    CHECK(impi_arena_allocate_array(&fixture.arena, SIZE_MAX, 2) == NULL);
    CHECK(impi_arena_allocate_array(&fixture.arena, SIZE_MAX / 4 + 2, 4) == NULL);
    CHECK_INT(fixture.memory.live_blocks, 0);
    CHECK(impi_arena_allocate(&fixture.arena, 1) != NULL);
    fixture_end(&fixture);
}

TEST(failed_chunk_leaves_the_arena_as_it_was)
{
    Fixture fixture;
    fixture_begin(&fixture);
    failing_allocator_arm(&fixture.memory, 1);
    CHECK(impi_arena_allocate(&fixture.arena, 10) == NULL);
    unsigned char *first = impi_arena_allocate(&fixture.arena, 10);
    failing_allocator_arm(&fixture.memory, 1);
    CHECK(impi_arena_allocate(&fixture.arena, 1000000) == NULL);
    CHECK(impi_arena_allocate(&fixture.arena, 10) == first + IMPI_ALIGNMENT);
    CHECK(impi_arena_allocate(&fixture.arena, 1000000) != NULL);
    fixture_end(&fixture);
}

TEST(reset_keeps_the_largest_chunk_when_joining_fails)
{
    Fixture fixture;
    fixture_begin(&fixture);
    for (size_t size = 1000; size < 4000000; size *= 3)
        CHECK(impi_arena_allocate(&fixture.arena, size) != NULL);
    CHECK(fixture.memory.live_blocks > 2);
    failing_allocator_arm(&fixture.memory, 1);
    impi_arena_reset(&fixture.arena);
    CHECK(failing_allocator_has_failed(&fixture.memory));
    CHECK_INT(fixture.memory.live_blocks, 1);
    uint64_t allocations = fixture.memory.allocations;
    CHECK(impi_arena_allocate(&fixture.arena, 1000000) != NULL);
    CHECK_INT(fixture.memory.allocations, allocations);
    fixture_end(&fixture);
}

TEST(destroyed_arena_can_be_used_again)
{
    Fixture fixture;
    fixture_begin(&fixture);
    use_arena(&fixture.arena, 10, 10);
    impi_arena_destroy(&fixture.arena);
    CHECK_INT(fixture.memory.live_blocks, 0);
    use_arena(&fixture.arena, 10, 10);
    fixture_end(&fixture);
}
