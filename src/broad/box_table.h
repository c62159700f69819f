/// Boxes that stay and move, by slot.
#ifndef IMPINGE_BROAD_BOX_TABLE_H
#define IMPINGE_BROAD_BOX_TABLE_H

#include "base/array.h"
#include "broad/box_rows.h"
#include "broad/pair_store.h"

#include <impinge/broad.h>

#include <stdatomic.h>

/// Which slots are in use is the owner's to know (base/slot_table.h); there is a row for each, and one for
/// slot 0, which names none. Rows without a box hold NaN (see box_rows.h).
typedef struct impi_BoxTable {
    const imp_Allocator *allocator;
    bool is_float;
    IMPI_ARRAY(float) float_rows; // six numbers per slot, in one of the two arrays
    IMPI_ARRAY(double) double_rows;
    size_t row_count, row_capacity;
    impi_PairFilter plain_filter;        // what boxes have unless told otherwise
    IMPI_ARRAY(impi_PairFilter) filters; // only when has_filters
    IMPI_ARRAY(float) float_reach;       // rows of larger boxes, see impi_box_table_make_reach
    IMPI_ARRAY(double) double_reach;
    atomic_bool is_within_reach;
    size_t box_count;
    size_t added_since_sort; // for whoever sorts the boxes, who zeroes it
    bool has_filters;        // some filter is or was not the plain one
} impi_BoxTable;

/// Where boxes come from: rows of float or double.
typedef struct impi_BoxSource {
    const float *float_rows;
    const double *double_rows;
} impi_BoxSource;

void impi_box_table_init(impi_BoxTable *table, const imp_Allocator *allocator, bool is_float,
                         impi_PairFilter plain_filter);
void impi_box_table_destroy(impi_BoxTable *table);

/// Make room for boxes in slots up to `slot_count`, and for a filter if it is not the plain one, which is all
/// that most programs ever use. False when out of memory, with the boxes as they were.
bool impi_box_table_reserve(impi_BoxTable *table, size_t slot_count);
bool impi_box_table_reserve_filter(impi_BoxTable *table, impi_PairFilter filter);

/// A slot has a box from now on; until it is set it overlaps nothing. There must be room for both.
void impi_box_table_add(impi_BoxTable *table, uint32_t slot, impi_PairFilter filter);

/// Floats are kept as they are; doubles are rounded outward where the table holds floats, to infinity where
/// they lie beyond the largest one.
void impi_box_table_set(impi_BoxTable *table, uint32_t slot, impi_BoxSource source, size_t row);

/// Rows [begin, end) to the boxes ids[begin .. end), which the table holds.
void impi_box_table_set_many(impi_BoxTable *table, const imp_BroadId *ids, impi_BoxSource source,
                             size_t begin, size_t end);

void impi_box_table_remove(impi_BoxTable *table, uint32_t slot);

/// All rows, those without a box included.
impi_BoxRows impi_box_table_rows(const impi_BoxTable *table);

/// Give each box a larger one around it, by `share` of its longest side on every side. From then on
/// is_within_reach tells whether every box still lies within its larger one, and no box is new and no filter
/// changed. False when out of memory.
bool impi_box_table_make_reach(impi_BoxTable *table, const imp_Executor *executor, double share);

/// The larger boxes as rows.
impi_BoxRows impi_box_table_reach_rows(const impi_BoxTable *table);

static inline impi_PairFilter impi_box_table_get_filter(const impi_BoxTable *table, uint32_t slot)
{
    return table->has_filters ? table->filters.data[slot] : table->plain_filter;
}

/// There must be room for it.
void impi_box_table_set_filter(impi_BoxTable *table, uint32_t slot, impi_PairFilter filter);

/// The first of rows [begin, end) that is no box, or `end`.
size_t impi_box_source_find_bad(impi_BoxSource source, size_t begin, size_t end);

#endif
