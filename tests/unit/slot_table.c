#include "base/slot_table.h"

#include "base/context.h"
#include "failing_allocator.h"
#include "harness.h"
#include "posed_faces.h"

#define MAX_SLOTS 20

TEST(an_empty_table_names_nothing)
{
    impi_SlotTable table = {0};
    CHECK(!impi_slot_table_is_used(&table, 0));
    CHECK(!impi_slot_table_is_used(&table, 1));
    CHECK(!impi_slot_table_is_used(&table, UINT32_MAX));
    CHECK(!impi_slot_table_holds(&table, 0, 0) && !impi_slot_table_holds(&table, 1, 0));
    CHECK_INT(impi_slot_table_size_with(&table, 0), 0);
    CHECK_INT(impi_slot_table_size_with(&table, 3), 3);
    CHECK_INT(impi_slot_table_next(&table), 1);
}

TEST(the_slot_that_came_back_last_is_the_first_to_go)
{
    imp_Context *context = context_with_threads(1);
    impi_SlotTable table = {0};
    CHECK(impi_slot_table_reserve(&context->allocator, &table, 4));
    for (uint32_t slot = 1; slot <= 4; ++slot)
        CHECK_INT(impi_slot_table_take(&table), slot);
    impi_slot_table_give_back(&table, 2);
    impi_slot_table_give_back(&table, 4);
    CHECK_INT(table.used_count, 2);
    CHECK_INT(table.free_count, 2);
    CHECK_INT(impi_slot_table_size_with(&table, 2), 4);
    CHECK_INT(impi_slot_table_size_with(&table, 3), 5);
    CHECK(!impi_slot_table_holds(&table, 2, 1) && !impi_slot_table_holds(&table, 4, 1));
    CHECK_INT(impi_slot_table_next(&table), 4);
    CHECK_INT(impi_slot_table_take(&table), 4);
    CHECK_INT(impi_slot_table_take(&table), 2);
    CHECK_INT(impi_slot_generation(&table, 2), 2);
    CHECK(impi_slot_table_holds(&table, 2, 2) && !impi_slot_table_holds(&table, 2, 1));
    CHECK_INT(impi_slot_generation(&table, 1), 1);
    impi_slot_table_destroy(&context->allocator, &table);
    imp_context_destroy(context);
}

TEST(a_slot_that_has_no_generation_left_stays_out_of_use)
{
    imp_Context *context = context_with_threads(1);
    impi_SlotTable table = {0};
    CHECK(impi_slot_table_reserve(&context->allocator, &table, 2));
    CHECK_INT(impi_slot_table_take(&table), 1);
    table.slots.data[0].generation = UINT32_MAX - 1;
    impi_slot_table_give_back(&table, 1);
    CHECK_INT(impi_slot_table_take(&table), 1);
    CHECK(impi_slot_table_holds(&table, 1, UINT32_MAX));
    impi_slot_table_give_back(&table, 1);
    CHECK_INT(table.free_count, 0);
    CHECK_INT(table.used_count, 0);
    CHECK(!impi_slot_table_is_used(&table, 1));
    CHECK_INT(impi_slot_table_size_with(&table, 1), 2);
    CHECK_INT(impi_slot_table_take(&table), 2);
    impi_slot_table_destroy(&context->allocator, &table);
    imp_context_destroy(context);
}

TEST(no_room_leaves_the_table_as_it_was)
{
    FailingAllocator memory;
    failing_allocator_init(&memory, 0);
    imp_Allocator allocator = failing_allocator_hooks(&memory);
    impi_SlotTable table = {0};
    CHECK(impi_slot_table_reserve(&allocator, &table, 1));
    CHECK_INT(impi_slot_table_take(&table), 1);
    failing_allocator_arm(&memory, 1);
    CHECK(!impi_slot_table_reserve(&allocator, &table, 1000));
    CHECK(impi_slot_table_holds(&table, 1, 1));
    CHECK_INT(table.used_count, 1);
    failing_allocator_arm(&memory, 0);
    CHECK(impi_slot_table_reserve(&allocator, &table, 1000));
    // There is room now: taking needs no memory.
    uint64_t before = atomic_load(&memory.allocations);
    for (uint32_t slot = 2; slot <= 1001; ++slot)
        CHECK_INT(impi_slot_table_take(&table), slot);
    CHECK_INT(atomic_load(&memory.allocations), before);
    impi_slot_table_destroy(&allocator, &table);
    CHECK(failing_allocator_is_clean(&memory));
}

// Against a plain model: which slots are in use, and how often each was given away.
TEST(random_programs_follow_a_model)
{
    imp_Context *context = context_with_threads(1);
    uint64_t takes = 0, returns = 0, again = 0, count = test_count(200);
    for (uint64_t run = 0; run < count; ++run) {
        impi_SlotTable table = {0};
        bool used[MAX_SLOTS + 1] = {false};
        uint32_t generations[MAX_SLOTS + 1] = {0};
        size_t used_count = 0;
        for (int step = 0; step < 100; ++step) {
            uint32_t slot = 1 + test_random_below(MAX_SLOTS);
            if (used[slot]) {
                impi_slot_table_give_back(&table, slot);
                used[slot] = false;
                --used_count;
                ++returns;
            } else if (used_count < MAX_SLOTS) {
                CHECK(impi_slot_table_reserve(&context->allocator, &table, 1));
                uint32_t next = impi_slot_table_next(&table);
                slot = impi_slot_table_take(&table);
                CHECK_INT(slot, next);
                if (!CHECK(slot >= 1 && slot <= MAX_SLOTS && !used[slot]))
                    break;
                used[slot] = true;
                again += generations[slot]++ > 0;
                ++used_count;
                ++takes;
            }
            CHECK_INT(table.used_count, used_count);
            CHECK_INT(table.slots.count, table.used_count + table.free_count);
            for (uint32_t s = 1; s <= MAX_SLOTS; ++s) {
                CHECK(impi_slot_table_is_used(&table, s) == used[s]);
                CHECK(impi_slot_table_holds(&table, s, generations[s]) == used[s]);
                CHECK(!impi_slot_table_holds(&table, s, generations[s] + 1));
            }
        }
        impi_slot_table_destroy(&context->allocator, &table);
    }
    CHECK(takes > 10 * count && returns > 10 * count && again > 5 * count);
    imp_context_destroy(context);
}
