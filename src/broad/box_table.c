#include "broad/box_table.h"

#include "base/tasks.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

#define ROW            6
#define SLOTS_PER_TASK 16384

static void set_no_box(impi_BoxTable *table, size_t slot)
{
    for (size_t k = ROW * slot; k < ROW * slot + ROW; ++k) {
        if (table->is_float)
            table->float_rows.data[k] = NAN;
        else
            table->double_rows.data[k] = (double)NAN;
    }
}

void impi_box_table_init(impi_BoxTable *table, const imp_Allocator *allocator, bool is_float,
                         impi_PairFilter plain_filter)
{
    *table = (impi_BoxTable){.allocator = allocator, .is_float = is_float, .plain_filter = plain_filter};
    atomic_init(&table->is_within_reach, false);
}

void impi_box_table_destroy(impi_BoxTable *table)
{
    impi_array_free(table->allocator, &table->float_rows, sizeof(float));
    impi_array_free(table->allocator, &table->double_rows, sizeof(double));
    impi_array_free(table->allocator, &table->float_reach, sizeof(float));
    impi_array_free(table->allocator, &table->double_reach, sizeof(double));
    impi_array_free(table->allocator, &table->filters, sizeof(impi_PairFilter));
}

bool impi_box_table_reserve(impi_BoxTable *table, size_t slot_count)
{
    const imp_Allocator *allocator = table->allocator;
    size_t count = slot_count + 1;
    bool has_room = table->is_float
                        ? impi_array_reserve(allocator, &table->float_rows, sizeof(float), ROW * count)
                        : impi_array_reserve(allocator, &table->double_rows, sizeof(double), ROW * count);
    has_room = has_room && (!table->has_filters ||
                            impi_array_reserve(allocator, &table->filters, sizeof(impi_PairFilter), count));
    if (has_room && count > table->row_capacity)
        table->row_capacity = count;
    return has_room;
}

static bool is_plain(const impi_BoxTable *table, impi_PairFilter filter)
{
    return filter.category_bits == table->plain_filter.category_bits &&
           filter.ignore_bits == table->plain_filter.ignore_bits && filter.group == table->plain_filter.group;
}

bool impi_box_table_reserve_filter(impi_BoxTable *table, impi_PairFilter filter)
{
    if (table->has_filters || is_plain(table, filter))
        return true;
    if (!impi_array_reserve(table->allocator, &table->filters, sizeof(impi_PairFilter), table->row_capacity))
        return false;
    for (size_t slot = 0; slot < table->row_count; ++slot)
        table->filters.data[slot] = table->plain_filter;
    table->filters.count = table->row_count;
    table->has_filters = true;
    return true;
}

static void write_filter(impi_BoxTable *table, uint32_t slot, impi_PairFilter filter)
{
    assert(table->has_filters || is_plain(table, filter));
    if (table->has_filters)
        table->filters.data[slot] = filter;
}

// What lies beyond the largest float is between that and infinity: a min is never +infinity, a max never
// -infinity, so that sides of boxes are numbers, if infinite ones.
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

static bool is_float_within(const float *inner, const float *outer)
{
    return (inner[0] >= outer[0]) & (inner[1] >= outer[1]) & (inner[2] >= outer[2]) & (inner[3] <= outer[3]) &
           (inner[4] <= outer[4]) & (inner[5] <= outer[5]);
}

static bool is_double_within(const double *inner, const double *outer)
{
    return (inner[0] >= outer[0]) & (inner[1] >= outer[1]) & (inner[2] >= outer[2]) & (inner[3] <= outer[3]) &
           (inner[4] <= outer[4]) & (inner[5] <= outer[5]);
}

static void note_escape(impi_BoxTable *table)
{
    atomic_store_explicit(&table->is_within_reach, false, memory_order_relaxed);
}

// Several threads may set different boxes at once, and only ever turn is_within_reach off.
static void note_move(impi_BoxTable *table, uint32_t slot)
{
    size_t first = ROW * (size_t)slot;
    if (!atomic_load_explicit(&table->is_within_reach, memory_order_relaxed))
        return;
    if (!(table->is_float
              ? is_float_within(table->float_rows.data + first, table->float_reach.data + first)
              : is_double_within(table->double_rows.data + first, table->double_reach.data + first)))
        note_escape(table);
}

static void set_float_row(float *to, impi_BoxSource source, size_t row)
{
    if (source.float_rows) {
        memcpy(to, source.float_rows + ROW * row, ROW * sizeof *to);
        return;
    }
    const double *from = source.double_rows + ROW * row;
    for (int k = 0; k < ROW; ++k)
        to[k] = k < 3 ? round_down(from[k]) : round_up(from[k]);
}

static void set_double_row(double *to, impi_BoxSource source, size_t row)
{
    if (source.double_rows) {
        memcpy(to, source.double_rows + ROW * row, ROW * sizeof *to);
        return;
    }
    const float *from = source.float_rows + ROW * row;
    for (int k = 0; k < ROW; ++k)
        to[k] = (double)from[k];
}

void impi_box_table_set(impi_BoxTable *table, uint32_t slot, impi_BoxSource source, size_t row)
{
    if (table->is_float)
        set_float_row(table->float_rows.data + ROW * (size_t)slot, source, row);
    else
        set_double_row(table->double_rows.data + ROW * (size_t)slot, source, row);
    note_move(table, slot);
}

static void set_many_floats(impi_BoxTable *table, const imp_BroadId *ids, const float *rows, size_t begin,
                            size_t end)
{
    bool has_reach = atomic_load_explicit(&table->is_within_reach, memory_order_relaxed), is_within = true;
    float *to = table->float_rows.data;
    const float *reach = table->float_reach.data;
    for (size_t i = begin; i < end; ++i) {
        size_t first = ROW * (size_t)ids[i].slot;
        memcpy(to + first, rows + ROW * i, ROW * sizeof(float));
        if (has_reach)
            is_within &= is_float_within(rows + ROW * i, reach + first);
    }
    if (!is_within)
        note_escape(table);
}

void impi_box_table_set_many(impi_BoxTable *table, const imp_BroadId *ids, impi_BoxSource source,
                             size_t begin, size_t end)
{
    if (table->is_float && source.float_rows) { // by far the most
        set_many_floats(table, ids, source.float_rows, begin, end);
        return;
    }
    for (size_t i = begin; i < end; ++i)
        impi_box_table_set(table, ids[i].slot, source, i);
}

void impi_box_table_add(impi_BoxTable *table, uint32_t slot, impi_PairFilter filter)
{
    assert(slot != 0 && slot < table->row_capacity);
    for (; table->row_count <= slot; ++table->row_count) {
        set_no_box(table, table->row_count);
        write_filter(table, (uint32_t)table->row_count, table->plain_filter);
    }
    table->float_rows.count = table->is_float ? ROW * table->row_count : 0;
    table->double_rows.count = table->is_float ? 0 : ROW * table->row_count;
    table->filters.count = table->has_filters ? table->row_count : 0;
    write_filter(table, slot, filter);
    ++table->box_count;
    ++table->added_since_sort;
    note_escape(table);
}

void impi_box_table_remove(impi_BoxTable *table, uint32_t slot)
{
    set_no_box(table, slot);
    write_filter(table, slot, table->plain_filter);
    --table->box_count;
}

impi_BoxRows impi_box_table_rows(const impi_BoxTable *table)
{
    return (impi_BoxRows){table->is_float ? table->float_rows.data : NULL,
                          table->is_float ? NULL : table->double_rows.data,
                          table->row_count,
                          {0, 0, 0},
                          1};
}

typedef struct ReachJob {
    impi_BoxTable *table;
    double share;
} ReachJob;

// Any rounding will do: where a box lies within, comparisons tell.
static void make_reach_task(size_t begin, size_t end, size_t block, void *argument)
{
    (void)block;
    const ReachJob *job = argument;
    impi_BoxTable *table = job->table;
    for (size_t slot = begin; slot < end; ++slot) {
        if (table->is_float) {
            const float *row = table->float_rows.data + ROW * slot;
            float *reach = table->float_reach.data + ROW * slot;
            float side = row[3] - row[0], y = row[4] - row[1], z = row[5] - row[2];
            side = y > side ? y : side;
            float margin = (z > side ? z : side) * (float)job->share;
            for (int k = 0; k < 3; ++k) {
                reach[k] = row[k] - margin;
                reach[k + 3] = row[k + 3] + margin;
            }
        } else {
            const double *row = table->double_rows.data + ROW * slot;
            double *reach = table->double_reach.data + ROW * slot;
            double side = row[3] - row[0], y = row[4] - row[1], z = row[5] - row[2];
            side = y > side ? y : side;
            double margin = (z > side ? z : side) * job->share;
            for (int k = 0; k < 3; ++k) {
                reach[k] = row[k] - margin;
                reach[k + 3] = row[k + 3] + margin;
            }
        }
    }
}

bool impi_box_table_make_reach(impi_BoxTable *table, const imp_Executor *executor, double share)
{
    size_t numbers = ROW * table->row_count;
    note_escape(table);
    if (table->is_float
            ? !impi_array_reserve(table->allocator, &table->float_reach, sizeof(float), numbers)
            : !impi_array_reserve(table->allocator, &table->double_reach, sizeof(double), numbers))
        return false;
    ReachJob job = {table, share};
    impi_parallel_for(executor, table->row_count, SLOTS_PER_TASK, make_reach_task, &job);
    atomic_store(&table->is_within_reach, true);
    return true;
}

impi_BoxRows impi_box_table_reach_rows(const impi_BoxTable *table)
{
    impi_BoxRows rows = impi_box_table_rows(table);
    rows.float_rows = table->is_float ? table->float_reach.data : NULL;
    rows.double_rows = table->is_float ? NULL : table->double_reach.data;
    return rows;
}

void impi_box_table_set_filter(impi_BoxTable *table, uint32_t slot, impi_PairFilter filter)
{
    write_filter(table, slot, filter);
    note_escape(table);
}

// Comparisons are false for NaN.
static bool is_good_float_row(const float *row)
{
    return (row[0] >= -FLT_MAX) & (row[0] <= row[3]) & (row[3] <= FLT_MAX) & (row[1] >= -FLT_MAX) &
           (row[1] <= row[4]) & (row[4] <= FLT_MAX) & (row[2] >= -FLT_MAX) & (row[2] <= row[5]) &
           (row[5] <= FLT_MAX);
}

#define TILE_ROWS 4

// Four rows as one array of 24 numbers, without a look at what each means: none may be infinite or NaN, and
// numbers three apart must ascend where the first belongs to a min.
static bool is_good_float_tile(const float *tile)
{
    static const int32_t is_min[ROW * TILE_ROWS] = {1, 1, 1, 0, 0, 0, 1, 1, 1, 0, 0, 0,
                                                    1, 1, 1, 0, 0, 0, 1, 1, 1, 0, 0, 0};
    int32_t bad = 0;
    for (int k = 0; k < ROW * TILE_ROWS; ++k)
        bad |= !(fabsf(tile[k]) <= FLT_MAX);
    for (int k = 0; k < ROW * TILE_ROWS - 3; ++k)
        bad |= (tile[k] > tile[k + 3]) & is_min[k];
    return !bad;
}

static bool is_good_double_row(const double *row)
{
    return (row[0] >= -DBL_MAX) & (row[0] <= row[3]) & (row[3] <= DBL_MAX) & (row[1] >= -DBL_MAX) &
           (row[1] <= row[4]) & (row[4] <= DBL_MAX) & (row[2] >= -DBL_MAX) & (row[2] <= row[5]) &
           (row[5] <= DBL_MAX);
}

size_t impi_box_source_find_bad(impi_BoxSource source, size_t begin, size_t end)
{
    size_t i = begin;
    while (source.float_rows && end - i >= TILE_ROWS && is_good_float_tile(source.float_rows + ROW * i))
        i += TILE_ROWS;
    if (source.float_rows)
        while (i < end && is_good_float_row(source.float_rows + ROW * i))
            ++i;
    else
        while (i < end && is_good_double_row(source.double_rows + ROW * i))
            ++i;
    return i;
}
