// A slot that has run out of generations is never given away again. It was counted as free all the same, so
// that the box after it was written past the end of the arrays.
#include "base/memory.h"
#include "broad/box_table.h"
#include "harness.h"

TEST(retired_slots_are_not_counted_as_free)
{
    static const double row[6] = {0, 0, 0, 1, 1, 1};
    impi_BoxSource source = {.double_rows = row};
    impi_BoxTable table;
    if (!CHECK(impi_box_table_init(&table, &impi_default_allocator, false, 0)))
        return;
    CHECK(impi_box_table_reserve(&table, 1));
    uint32_t slot = impi_box_table_add(&table, source, 0, IMPI_PLAIN_FILTER);
    while (table.slots.count < table.slots.capacity && CHECK(impi_box_table_reserve(&table, 1)))
        impi_box_table_add(&table, source, 0, IMPI_PLAIN_FILTER);
    table.slots.data[slot].generation = UINT32_MAX;
    impi_box_table_remove(&table, slot);
    CHECK_INT((int64_t)table.free_count, 0);
    CHECK(impi_box_table_reserve(&table, 1));
    CHECK(table.slots.capacity > table.slots.count);
    CHECK(impi_box_table_add(&table, source, 0, IMPI_PLAIN_FILTER) != slot);
    impi_box_table_destroy(&table);
}
