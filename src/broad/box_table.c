#include "broad/box_table.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define ROW 6

static bool reserve_slots(impi_BoxTable *table, size_t count)
{
    const imp_Allocator *allocator = table->allocator;
    bool has_rows = table->is_float
                        ? impi_array_reserve(allocator, &table->float_rows, sizeof(float), ROW * count)
                        : impi_array_reserve(allocator, &table->double_rows, sizeof(double), ROW * count);
    return has_rows && impi_array_reserve(allocator, &table->slots, sizeof(impi_BoxSlot), count) &&
           impi_array_reserve(allocator, &table->filters, sizeof(impi_PairFilter), count) &&
           impi_array_reserve(allocator, &table->is_new, sizeof(uint8_t), count);
}

static void set_no_box(impi_BoxTable *table, uint32_t slot)
{
    for (size_t k = ROW * (size_t)slot; k < ROW * (size_t)slot + ROW; ++k) {
        if (table->is_float)
            table->float_rows.data[k] = NAN;
        else
            table->double_rows.data[k] = (double)NAN;
    }
}

static uint32_t append_slot(impi_BoxTable *table)
{
    uint32_t slot = (uint32_t)table->slots.count;
    table->slots.data[table->slots.count++] = (impi_BoxSlot){0, 0};
    table->filters.data[table->filters.count++] = (impi_PairFilter){0, 0};
    table->is_new.data[table->is_new.count++] = 0;
    table->float_rows.count += table->is_float ? ROW : 0;
    table->double_rows.count += table->is_float ? 0 : ROW;
    return slot;
}

bool impi_box_table_init(impi_BoxTable *table, const imp_Allocator *allocator, bool is_float,
                         size_t expected_count)
{
    *table = (impi_BoxTable){.allocator = allocator, .is_float = is_float};
    if (!reserve_slots(table, expected_count + 1)) {
        impi_box_table_destroy(table);
        return false;
    }
    set_no_box(table, append_slot(table));
    return true;
}

void impi_box_table_destroy(impi_BoxTable *table)
{
    impi_array_free(table->allocator, &table->float_rows, sizeof(float));
    impi_array_free(table->allocator, &table->double_rows, sizeof(double));
    impi_array_free(table->allocator, &table->slots, sizeof(impi_BoxSlot));
    impi_array_free(table->allocator, &table->filters, sizeof(impi_PairFilter));
    impi_array_free(table->allocator, &table->is_new, sizeof(uint8_t));
}

bool impi_box_table_reserve(impi_BoxTable *table, size_t count)
{
    size_t free_count = table->slots.count - 1 - table->box_count;
    return count <= free_count || reserve_slots(table, table->slots.count + (count - free_count));
}

static float round_down(double x)
{
    float rounded = (float)x;
    return (double)rounded > x ? nextafterf(rounded, -INFINITY) : rounded;
}

static float round_up(double x)
{
    float rounded = (float)x;
    return (double)rounded < x ? nextafterf(rounded, INFINITY) : rounded;
}

void impi_box_table_set(impi_BoxTable *table, uint32_t slot, impi_BoxSource source, size_t row)
{
    float *floats = table->is_float ? table->float_rows.data + ROW * (size_t)slot : NULL;
    double *doubles = table->is_float ? NULL : table->double_rows.data + ROW * (size_t)slot;
    const float *from_floats = source.float_rows ? source.float_rows + ROW * row : NULL;
    const double *from_doubles = source.double_rows ? source.double_rows + ROW * row : NULL;
    if (floats && from_floats)
        memcpy(floats, from_floats, ROW * sizeof *floats);
    else if (doubles && from_doubles)
        memcpy(doubles, from_doubles, ROW * sizeof *doubles);
    else if (doubles)
        for (int k = 0; k < ROW; ++k)
            doubles[k] = (double)from_floats[k];
    else
        for (int k = 0; k < ROW; ++k)
            floats[k] = k < 3 ? round_down(from_doubles[k]) : round_up(from_doubles[k]);
}

void impi_box_table_set_many(impi_BoxTable *table, const imp_BroadId *ids, impi_BoxSource source,
                             size_t begin, size_t end)
{
    if (table->is_float && source.float_rows) { // by far the most
        for (size_t i = begin; i < end; ++i)
            memcpy(table->float_rows.data + ROW * (size_t)ids[i].slot, source.float_rows + ROW * i,
                   ROW * sizeof(float));
        return;
    }
    for (size_t i = begin; i < end; ++i)
        impi_box_table_set(table, ids[i].slot, source, i);
}

uint32_t impi_box_table_add(impi_BoxTable *table, impi_BoxSource source, size_t row, impi_PairFilter filter)
{
    uint32_t slot = table->first_free;
    if (slot)
        table->first_free = table->slots.data[slot].next_free;
    else
        slot = append_slot(table);
    ++table->slots.data[slot].generation;
    table->slots.data[slot].next_free = 0;
    table->filters.data[slot] = filter;
    table->has_filters |= filter.ignore_bits != 0;
    table->is_new.data[slot] = 1;
    ++table->box_count;
    ++table->new_count;
    impi_box_table_set(table, slot, source, row);
    return slot;
}

// A slot that was given away 2^32 - 1 times stays out of use, so that no id comes twice.
void impi_box_table_remove(impi_BoxTable *table, uint32_t slot)
{
    set_no_box(table, slot);
    table->filters.data[slot] = (impi_PairFilter){0, 0};
    --table->box_count;
    if (table->slots.data[slot].generation == UINT32_MAX)
        return;
    table->slots.data[slot].next_free = table->first_free;
    table->first_free = slot;
}

static bool is_row_used(const impi_BoxTable *table, uint32_t slot)
{
    size_t first = ROW * (size_t)slot;
    return table->is_float ? !isnan(table->float_rows.data[first]) : !isnan(table->double_rows.data[first]);
}

bool impi_box_table_holds(const impi_BoxTable *table, imp_BroadId id)
{
    return id.slot != 0 && id.slot < table->slots.count &&
           table->slots.data[id.slot].generation == id.generation && is_row_used(table, id.slot);
}

impi_BoxRows impi_box_table_rows(const impi_BoxTable *table)
{
    return (impi_BoxRows){table->is_float ? table->float_rows.data : NULL,
                          table->is_float ? NULL : table->double_rows.data,
                          table->slots.count,
                          {0, 0, 0},
                          1};
}

void impi_box_table_clear_new(impi_BoxTable *table)
{
    if (table->new_count > 0)
        memset(table->is_new.data, 0, table->is_new.count);
    table->new_count = 0;
}

// Comparisons are false for NaN.
static bool is_good_float_row(const float *row)
{
    return (row[0] >= -FLT_MAX) & (row[0] <= row[3]) & (row[3] <= FLT_MAX) & (row[1] >= -FLT_MAX) &
           (row[1] <= row[4]) & (row[4] <= FLT_MAX) & (row[2] >= -FLT_MAX) & (row[2] <= row[5]) &
           (row[5] <= FLT_MAX);
}

static bool is_good_double_row(const double *row, double limit)
{
    return (row[0] >= -limit) & (row[0] <= row[3]) & (row[3] <= limit) & (row[1] >= -limit) &
           (row[1] <= row[4]) & (row[4] <= limit) & (row[2] >= -limit) & (row[2] <= row[5]) &
           (row[5] <= limit);
}

size_t impi_box_source_find_bad(impi_BoxSource source, size_t begin, size_t end, bool floats_only)
{
    double limit = floats_only ? (double)FLT_MAX : DBL_MAX;
    size_t i = begin;
    if (source.float_rows)
        while (i < end && is_good_float_row(source.float_rows + ROW * i))
            ++i;
    else
        while (i < end && is_good_double_row(source.double_rows + ROW * i, limit))
            ++i;
    return i;
}
