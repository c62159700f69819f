/// Slots that are given away and come back: what ids of bodies and boxes are made of.
#ifndef IMPINGE_BASE_SLOT_TABLE_H
#define IMPINGE_BASE_SLOT_TABLE_H

#include "base/array.h"

typedef struct impi_Slot {
    uint32_t generation; // how often the slot was given away
    uint32_t next_free;  // the next free slot, 0 behind the last; IMPI_SLOT_IN_USE while it is not free
} impi_Slot;

#define IMPI_SLOT_IN_USE UINT32_MAX

/// Slots count from 1: slot 0 names none. A slot that was given away 2^32 - 1 times stays out of use, so that
/// no id comes twice. All zero is an empty table.
typedef struct impi_SlotTable {
    IMPI_ARRAY(impi_Slot) slots; // slot s is slots.data[s - 1]
    uint32_t first_free;
    size_t free_count; // slots that can be given away again
    size_t used_count;
} impi_SlotTable;

void impi_slot_table_destroy(const imp_Allocator *allocator, impi_SlotTable *table);

/// How many slots there will be at most once `count` more are in use.
size_t impi_slot_table_size_with(const impi_SlotTable *table, size_t count);

/// Make room for `count` more in use. False when out of memory, with the table as it was.
bool impi_slot_table_reserve(const imp_Allocator *allocator, impi_SlotTable *table, size_t count);

/// The slot that the next impi_slot_table_take gives away.
uint32_t impi_slot_table_next(const impi_SlotTable *table);

/// There must be room. The slot that came back last is the first to go.
uint32_t impi_slot_table_take(impi_SlotTable *table);

/// The slot must be in use.
void impi_slot_table_give_back(impi_SlotTable *table, uint32_t slot);

static inline bool impi_slot_table_is_used(const impi_SlotTable *table, uint32_t slot)
{
    return slot != 0 && slot <= table->slots.count &&
           table->slots.data[slot - 1].next_free == IMPI_SLOT_IN_USE;
}

static inline bool impi_slot_table_holds(const impi_SlotTable *table, uint32_t slot, uint32_t generation)
{
    return impi_slot_table_is_used(table, slot) && table->slots.data[slot - 1].generation == generation;
}

static inline uint32_t impi_slot_generation(const impi_SlotTable *table, uint32_t slot)
{
    return table->slots.data[slot - 1].generation;
}

/// Two slots as one number. Lists of pairs are in the order of it.
static inline uint64_t impi_slot_pair(uint32_t a, uint32_t b)
{
    return (uint64_t)a << 32 | b;
}

#endif
