/// The boxes of an imp_Broad, by slot.
#ifndef IMPINGE_BROAD_BOX_TABLE_H
#define IMPINGE_BROAD_BOX_TABLE_H

#include "base/array.h"
#include "broad/box_rows.h"
#include "broad/pair_store.h"

#include <impinge/broad.h>

#include <stdatomic.h>

typedef struct impi_BoxSlot {
    uint32_t generation; // how often the slot was given away
    uint32_t next_free;  // when it is free: the next such slot, or 0
} impi_BoxSlot;

/// What boxes have unless told otherwise: one category, nothing ignored.
#define IMPI_PLAIN_FILTER ((impi_PairFilter){1, 0})

/// Slot 0 is never given away. Rows of free slots hold NaN, which is no box (see box_rows.h).
typedef struct impi_BoxTable {
    const imp_Allocator *allocator;
    bool is_float;
    IMPI_ARRAY(float) float_rows; // six numbers per slot, in one of the two arrays
    IMPI_ARRAY(double) double_rows;
    IMPI_ARRAY(impi_BoxSlot) slots;
    IMPI_ARRAY(impi_PairFilter) filters; // only when has_filters
    IMPI_ARRAY(uint8_t) is_new;          // given away since this was last cleared
    IMPI_ARRAY(float) float_reach;       // rows of larger boxes, see impi_box_table_make_reach
    IMPI_ARRAY(double) double_reach;
    atomic_bool is_within_reach;
    size_t box_count, new_count;
    uint32_t first_free;
    size_t free_count; // slots that can be given away again
    bool has_filters;  // some filter is or was not IMPI_PLAIN_FILTER
} impi_BoxTable;

/// Where boxes come from: rows of float or double.
typedef struct impi_BoxSource {
    const float *float_rows;
    const double *double_rows;
} impi_BoxSource;

/// False when out of memory, with nothing to free.
bool impi_box_table_init(impi_BoxTable *table, const imp_Allocator *allocator, bool is_float,
                         size_t expected_count);
void impi_box_table_destroy(impi_BoxTable *table);

/// Make room for filters other than the plain one, which most programs never use. False when out of memory.
bool impi_box_table_use_filters(impi_BoxTable *table);

/// Make room for `count` more boxes. False when out of memory, with the table as it was.
bool impi_box_table_reserve(impi_BoxTable *table, size_t count);

/// There must be room for the box, and for its filter. Returns the slot.
uint32_t impi_box_table_add(impi_BoxTable *table, impi_BoxSource source, size_t row, impi_PairFilter filter);

/// Floats are kept as they are; doubles are rounded outward where the table holds floats.
void impi_box_table_set(impi_BoxTable *table, uint32_t slot, impi_BoxSource source, size_t row);

/// Rows [begin, end) to the boxes ids[begin .. end), which the table holds.
void impi_box_table_set_many(impi_BoxTable *table, const imp_BroadId *ids, impi_BoxSource source,
                             size_t begin, size_t end);

void impi_box_table_remove(impi_BoxTable *table, uint32_t slot);

bool impi_box_table_holds(const impi_BoxTable *table, imp_BroadId id);

/// All slots as rows, free ones included.
impi_BoxRows impi_box_table_rows(const impi_BoxTable *table);

/// Give each box a larger one around it, by `share` of its longest side on every side. From then on
/// is_within_reach tells whether every box still lies within its larger one, and no box is new and no filter
/// changed. False when out of memory.
bool impi_box_table_make_reach(impi_BoxTable *table, const imp_Executor *executor, double share);

/// The larger boxes as rows.
impi_BoxRows impi_box_table_reach_rows(const impi_BoxTable *table);

/// There must be room for it.
void impi_box_table_set_filter(impi_BoxTable *table, uint32_t slot, impi_PairFilter filter);

void impi_box_table_clear_new(impi_BoxTable *table);

/// The first of rows [begin, end) that is no box, or `end`. When `floats_only` is set, neither is one that is
/// beyond the range of float.
size_t impi_box_source_find_bad(impi_BoxSource source, size_t begin, size_t end, bool floats_only);

#endif
