/// Equal items found by hashing: a table of item numbers, whose keys the caller tells.
#ifndef IMPINGE_BASE_ITEM_TABLE_H
#define IMPINGE_BASE_ITEM_TABLE_H

#include "base/arena.h"

#include <string.h>

/// What makes two items equal.
typedef struct impi_ItemKey {
    uint64_t words[3];
} impi_ItemKey;

typedef impi_ItemKey (*impi_ItemKeyFn)(const void *source, uint32_t item);

#define IMPI_NO_ITEM UINT32_MAX

/// Open addressing, at most half full.
typedef struct impi_ItemTable {
    uint32_t *slots;
    size_t mask;
} impi_ItemTable;

/// For so many items at most, in the arena. False when out of memory.
static inline bool impi_item_table_make(impi_Arena *arena, size_t item_count, impi_ItemTable *table)
{
    size_t size = 16;
    while (size / 2 < item_count)
        size *= 2;
    table->slots = impi_arena_allocate_array(arena, size, sizeof *table->slots);
    table->mask = size - 1;
    if (table->slots)
        memset(table->slots, 0xFF, size * sizeof *table->slots);
    return table->slots != NULL;
}

// The finaliser of splitmix64: each bit of the result hangs on each bit of the word.
static inline uint64_t impi_mix_bits(uint64_t word)
{
    word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9u;
    word = (word ^ (word >> 27)) * 0x94D049BB133111EBu;
    return word ^ (word >> 31);
}

static inline uint64_t impi_item_hash(const impi_ItemKey *key)
{
    const uint64_t step = 0x9E3779B97F4A7C15u;
    return impi_mix_bits(impi_mix_bits(impi_mix_bits(key->words[0] + step) + key->words[1] + step) +
                         key->words[2] + step);
}

/// Where the key's item stands, or would: a slot of it or an empty one.
static inline uint32_t *impi_item_table_slot(const impi_ItemTable *table, const impi_ItemKey *key,
                                             impi_ItemKeyFn key_of, const void *source)
{
    size_t slot = impi_item_hash(key) & table->mask;
    for (;; slot = (slot + 1) & table->mask) {
        uint32_t other = table->slots[slot];
        if (other == IMPI_NO_ITEM)
            return &table->slots[slot];
        impi_ItemKey other_key = key_of(source, other);
        if (memcmp(&other_key, key, sizeof *key) == 0)
            return &table->slots[slot];
    }
}

/// The item of the table that has this key, or IMPI_NO_ITEM.
static inline uint32_t impi_item_table_find(const impi_ItemTable *table, impi_ItemKey key,
                                            impi_ItemKeyFn key_of, const void *source)
{
    return *impi_item_table_slot(table, &key, key_of, source);
}

/// The item of the table that equals this one: itself, if it is the first of its kind.
static inline uint32_t impi_item_table_add(const impi_ItemTable *table, uint32_t item, impi_ItemKeyFn key_of,
                                           const void *source)
{
    impi_ItemKey key = key_of(source, item);
    uint32_t *slot = impi_item_table_slot(table, &key, key_of, source);
    if (*slot == IMPI_NO_ITEM)
        *slot = item;
    return *slot;
}

/// Have room for so many items, of which [0, count) are in it. A table that is all zero has none. False when
/// out of memory.
static inline bool impi_item_table_grow(impi_Arena *arena, impi_ItemTable *table, size_t count, size_t needed,
                                        impi_ItemKeyFn key_of, const void *source)
{
    impi_ItemTable larger;
    if (table->slots && needed <= (table->mask + 1) / 2)
        return true;
    if (!impi_item_table_make(arena, 2 * needed, &larger))
        return false;
    for (size_t i = 0; i < count; ++i)
        impi_item_table_add(&larger, (uint32_t)i, key_of, source);
    *table = larger;
    return true;
}

#endif
