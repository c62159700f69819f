#include "base/slot_table.h"

#include <assert.h>

void impi_slot_table_destroy(const imp_Allocator *allocator, impi_SlotTable *table)
{
    impi_array_free(allocator, &table->slots, sizeof *table->slots.data);
}

size_t impi_slot_table_size_with(const impi_SlotTable *table, size_t count)
{
    return table->slots.count + (count > table->free_count ? count - table->free_count : 0);
}

bool impi_slot_table_reserve(const imp_Allocator *allocator, impi_SlotTable *table, size_t count)
{
    return impi_array_reserve(allocator, &table->slots, sizeof *table->slots.data,
                              impi_slot_table_size_with(table, count));
}

uint32_t impi_slot_table_next(const impi_SlotTable *table)
{
    return table->first_free ? table->first_free : (uint32_t)table->slots.count + 1;
}

uint32_t impi_slot_table_take(impi_SlotTable *table)
{
    uint32_t slot = impi_slot_table_next(table);
    if (table->first_free) {
        table->first_free = table->slots.data[slot - 1].next_free;
        --table->free_count;
    } else {
        assert(table->slots.count < table->slots.capacity);
        table->slots.data[table->slots.count++] = (impi_Slot){0, 0};
    }
    ++table->slots.data[slot - 1].generation;
    table->slots.data[slot - 1].next_free = IMPI_SLOT_IN_USE;
    ++table->used_count;
    return slot;
}

void impi_slot_table_give_back(impi_SlotTable *table, uint32_t slot)
{
    assert(impi_slot_table_is_used(table, slot));
    impi_Slot *given = &table->slots.data[slot - 1];
    --table->used_count;
    given->next_free = 0;
    if (given->generation == UINT32_MAX)
        return;
    given->next_free = table->first_free;
    table->first_free = slot;
    ++table->free_count;
}
