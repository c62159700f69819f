// A slot that has run out of generations is never given away again. It was counted as free all the same, so
// that the box after it was written past the end of the arrays.
#include "base/memory.h"
#include "base/slot_table.h"
#include "harness.h"

TEST(retired_slots_are_not_counted_as_free)
{
    impi_SlotTable table = {0};
    if (!CHECK(impi_slot_table_reserve(&impi_default_allocator, &table, 1)))
        return;
    uint32_t slot = impi_slot_table_take(&table);
    while (table.slots.count < table.slots.capacity &&
           CHECK(impi_slot_table_reserve(&impi_default_allocator, &table, 1)))
        impi_slot_table_take(&table);
    table.slots.data[slot - 1].generation = UINT32_MAX;
    impi_slot_table_give_back(&table, slot);
    CHECK_INT((int64_t)table.free_count, 0);
    CHECK(!impi_slot_table_holds(&table, slot, UINT32_MAX));
    CHECK(impi_slot_table_reserve(&impi_default_allocator, &table, 1));
    CHECK(table.slots.capacity > table.slots.count);
    CHECK(impi_slot_table_take(&table) != slot);
    impi_slot_table_destroy(&impi_default_allocator, &table);
}
