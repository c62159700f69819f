#include "playback/pose_table.h"

#include "base/arena.h"
#include "base/context.h"
#include "io/decimal.h"
#include "io/file_bytes.h"
#include "playback/pose_columns.h"
#include "playback/pose_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SHOWN 60 // bytes of a name, in errors

// A row of the table: where it puts a body.
typedef struct Row {
    size_t configuration;
    uint32_t body;
    imp_Pose pose;
} Row;

typedef struct Configuration {
    size_t label; // where it begins among the labels
    uint64_t line;
    double time;
} Configuration;

typedef struct Builder {
    imp_Context *context;
    const impi_BodyNames *names;
    impi_CsvReader csv;
    impi_PoseColumns columns;
    IMPI_ARRAY(Row) rows;
    IMPI_ARRAY(Configuration) configurations;
    IMPI_ARRAY(char) labels;
    size_t *placed; // by body: one more than the configuration that placed it last; 0: none did
    size_t body_count, normalised_count;
} Builder;

// The table, and what it points to.
typedef struct OwnedTable {
    impi_PoseTable table;
    impi_Arena memory;
} OwnedTable;

// Fail at the row that was read last.
#define REFUSE(builder, ...)                                                                                 \
    impi_fail_at((builder)->context, IMP_STATUS_BAD_FILE, impi_csv_place(&(builder)->csv), __VA_ARGS__)

// ---- rows

static imp_Status begin_configuration(Builder *builder, const char *label, double time)
{
    const imp_Allocator *allocator = &builder->context->allocator;
    size_t size = strlen(label) + 1;
    if (!impi_array_reserve(allocator, &builder->labels, 1, builder->labels.count + size) ||
        !impi_array_reserve(allocator, &builder->configurations, sizeof *builder->configurations.data,
                            builder->configurations.count + 1))
        return impi_fail_out_of_memory(builder->context);
    builder->configurations.data[builder->configurations.count++] =
        (Configuration){builder->labels.count, builder->csv.row_line, time};
    memcpy(builder->labels.data + builder->labels.count, label, size);
    builder->labels.count += size;
    return IMP_STATUS_OK;
}

// A field that is a finite number.
static imp_Status read_number(const Builder *builder, size_t column, double *number)
{
    const char *text = builder->csv.fields.data[column], *end = text + strlen(text);
    if (end > text && impi_decimal_parse(text, end, number) == end && isfinite(*number))
        return IMP_STATUS_OK;
    const char *body = builder->csv.fields.data[builder->columns.body];
    return REFUSE(builder, "%.*s: expected a finite number as %s, got '%.*s'", SHOWN, body,
                  impi_pose_columns_name(&builder->columns, column), SHOWN, text);
}

// Does the row belong to the configuration of the row before? Otherwise another one begins.
static imp_Status read_key(Builder *builder)
{
    const char *key = builder->csv.fields.data[builder->columns.key];
    const Configuration *last = builder->configurations.count
                                    ? &builder->configurations.data[builder->configurations.count - 1]
                                    : NULL;
    double time = 0;
    if (!*key)
        return REFUSE(builder, "the %s is empty", builder->columns.has_times ? "time" : "configuration");
    if (!builder->columns.has_times) {
        bool is_same = last && strcmp(builder->labels.data + last->label, key) == 0;
        return is_same ? IMP_STATUS_OK : begin_configuration(builder, key, 0);
    }
    imp_Status status = read_number(builder, builder->columns.key, &time);
    if (status != IMP_STATUS_OK)
        return status;
    if (last && time < last->time)
        return REFUSE(builder, "the time %.*s comes after %.*s; times must ascend", SHOWN, key, SHOWN,
                      builder->labels.data + last->label);
    return last && time == last->time ? IMP_STATUS_OK : begin_configuration(builder, key, time);
}

static imp_Status read_body(Builder *builder, uint32_t *body)
{
    const char *text = builder->csv.fields.data[builder->columns.body];
    imp_Status status =
        impi_body_names_find_one(builder->context, builder->names, impi_csv_place(&builder->csv), text, body);
    if (status != IMP_STATUS_OK)
        return status;
    size_t configuration = builder->configurations.count;
    if (builder->placed[*body] == configuration)
        return REFUSE(builder, "the body '%.*s' is there twice in %s '%.*s'", SHOWN,
                      impi_body_name(builder->names, *body),
                      builder->columns.has_times ? "time" : "configuration", SHOWN,
                      builder->labels.data + builder->configurations.data[configuration - 1].label);
    builder->placed[*body] = configuration;
    return IMP_STATUS_OK;
}

static imp_Status read_pose(Builder *builder, const char *body, imp_Pose *pose)
{
    const impi_PoseColumns *columns = &builder->columns;
    impi_Place place = impi_csv_place(&builder->csv);
    impi_ParsedPose parsed = {0};
    double numbers[IMPI_MAX_POSE_NUMBERS];
    imp_Status status = IMP_STATUS_OK;
    for (size_t i = 0; i < columns->number_count && status == IMP_STATUS_OK; ++i)
        status = read_number(builder, columns->numbers[i], &numbers[i]);
    if (status != IMP_STATUS_OK)
        return status;
    if (columns->number_count == 0)
        status = impi_pose_parse(builder->context, place, body, builder->csv.fields.data[columns->numbers[0]],
                                 &parsed);
    else
        status =
            impi_pose_from_numbers(builder->context, place, body, numbers, columns->number_count, &parsed);
    builder->normalised_count += parsed.was_normalised;
    *pose = parsed.pose;
    return status;
}

static imp_Status read_row(Builder *builder)
{
    Row row = {0};
    if (builder->csv.fields.count != builder->columns.column_count)
        return REFUSE(builder, "the row has %zu fields, expected %zu as in the first row",
                      builder->csv.fields.count, builder->columns.column_count);
    imp_Status status = read_key(builder);
    if (status == IMP_STATUS_OK)
        status = read_body(builder, &row.body);
    if (status == IMP_STATUS_OK)
        status = read_pose(builder, impi_body_name(builder->names, row.body), &row.pose);
    if (status != IMP_STATUS_OK)
        return status;
    if (!impi_array_reserve(&builder->context->allocator, &builder->rows, sizeof row,
                            builder->rows.count + 1))
        return impi_fail_out_of_memory(builder->context);
    row.configuration = builder->configurations.count - 1;
    builder->rows.data[builder->rows.count++] = row;
    return IMP_STATUS_OK;
}

static imp_Status read_rows(Builder *builder)
{
    bool has_row = false;
    imp_Status status = impi_csv_next_row(&builder->csv, &has_row);
    if (status == IMP_STATUS_OK && !has_row)
        status = REFUSE(builder, "the file is empty, expected a first row with the names of the columns");
    if (status == IMP_STATUS_OK)
        status = impi_pose_columns_read(&builder->csv, &builder->columns);
    while (status == IMP_STATUS_OK) {
        status = impi_csv_next_row(&builder->csv, &has_row);
        if (status != IMP_STATUS_OK || !has_row)
            break;
        status = read_row(builder);
    }
    if (status == IMP_STATUS_OK && builder->rows.count == 0)
        status = REFUSE(builder, "there are no rows behind the first, which names the columns");
    return status;
}

// ---- configurations that are torn apart

typedef struct Label {
    const char *text;
    size_t configuration;
} Label;

static int compare_labels(const void *left, const void *right)
{
    const Label *a = left, *b = right;
    int order = strcmp(a->text, b->text);
    return order ? order : (a->configuration > b->configuration) - (a->configuration < b->configuration);
}

static imp_Status refuse_torn(const Builder *builder, const Label *first, const Label *again)
{
    impi_Place place = impi_csv_place(&builder->csv);
    place.line = builder->configurations.data[again->configuration].line;
    return impi_fail_at(
        builder->context, IMP_STATUS_BAD_FILE, place,
        "the configuration '%.*s' began at line %llu and others came since; its rows must stand "
        "together",
        SHOWN, again->text, (unsigned long long)builder->configurations.data[first->configuration].line);
}

// Labels that come again; times ascend anyway.
static imp_Status check_labels(const Builder *builder)
{
    const imp_Allocator *allocator = &builder->context->allocator;
    size_t count = builder->configurations.count;
    const Label *torn = NULL;
    if (builder->columns.has_times)
        return IMP_STATUS_OK;
    Label *labels = impi_allocate_array(allocator, count, sizeof *labels);
    if (!labels)
        return impi_fail_out_of_memory(builder->context);
    for (size_t i = 0; i < count; ++i)
        labels[i] = (Label){builder->labels.data + builder->configurations.data[i].label, i};
    qsort(labels, count, sizeof *labels, compare_labels);
    for (size_t i = 1; i < count; ++i)
        if (strcmp(labels[i - 1].text, labels[i].text) == 0 &&
            (!torn || labels[i].configuration < torn->configuration))
            torn = &labels[i];
    imp_Status status = torn ? refuse_torn(builder, torn - 1, torn) : IMP_STATUS_OK;
    impi_release(allocator, labels, count * sizeof *labels);
    return status;
}

// ---- the table

// Which bodies the rows place, and for each of them its column of the table.
static imp_Status list_moving(Builder *builder, OwnedTable *owned)
{
    size_t count = 0;
    for (size_t body = 0; body < builder->body_count; ++body)
        count += builder->placed[body] > 0;
    uint32_t *moving = impi_arena_allocate_array(&owned->memory, count, sizeof *moving);
    if (!moving)
        return impi_fail_out_of_memory(builder->context);
    for (size_t body = 0; body < builder->body_count; ++body)
        if (builder->placed[body] > 0) {
            moving[owned->table.moving_count] = (uint32_t)body;
            builder->placed[body] = owned->table.moving_count++;
        }
    owned->table.moving = moving;
    return IMP_STATUS_OK;
}

static imp_Status fill_poses(Builder *builder, const imp_Pose *base, OwnedTable *owned)
{
    impi_PoseTable *table = &owned->table;
    size_t width = table->moving_count, next = 0;
    if (table->configuration_count > IMPI_MAX_TABLE_POSES / width) {
        impi_Place place = IMPI_NO_PLACE;
        place.file = builder->csv.path;
        return impi_fail_at(builder->context, IMP_STATUS_TOO_LARGE, place,
                            "%zu configurations of %zu bodies are more than %zu poses",
                            table->configuration_count, width, IMPI_MAX_TABLE_POSES);
    }
    imp_Pose *poses =
        impi_arena_allocate_array(&owned->memory, table->configuration_count * width, sizeof *poses);
    if (!poses)
        return impi_fail_out_of_memory(builder->context);
    for (size_t k = 0; k < table->configuration_count; ++k) {
        imp_Pose *placed = poses + k * width;
        for (size_t i = 0; i < width; ++i)
            placed[i] = builder->columns.has_times && k > 0 ? poses[(k - 1) * width + i]
                        : base                              ? base[table->moving[i]]
                                                            : (imp_Pose){.rotation.w = 1};
        for (; next < builder->rows.count && builder->rows.data[next].configuration == k; ++next)
            placed[builder->placed[builder->rows.data[next].body]] = builder->rows.data[next].pose;
    }
    table->poses = poses;
    return IMP_STATUS_OK;
}

static imp_Status copy_keys(const Builder *builder, OwnedTable *owned)
{
    impi_PoseTable *table = &owned->table;
    size_t count = table->configuration_count;
    char *text = impi_arena_allocate(&owned->memory, builder->labels.count);
    const char **labels = impi_arena_allocate_array(&owned->memory, count, sizeof *labels);
    double *times = impi_arena_allocate_array(&owned->memory, count, sizeof *times);
    if (!text || !labels || !times)
        return impi_fail_out_of_memory(builder->context);
    memcpy(text, builder->labels.data, builder->labels.count);
    for (size_t i = 0; i < count; ++i) {
        labels[i] = text + builder->configurations.data[i].label;
        times[i] = builder->configurations.data[i].time;
    }
    table->labels = labels;
    table->times = builder->columns.has_times ? times : NULL;
    return IMP_STATUS_OK;
}

static imp_Status make_table(Builder *builder, const imp_Pose *base, impi_PoseTable **table)
{
    imp_Context *context = builder->context;
    OwnedTable *owned = impi_allocate(&context->allocator, sizeof *owned);
    if (!owned)
        return impi_fail_out_of_memory(context);
    *owned = (OwnedTable){.table = {.configuration_count = builder->configurations.count,
                                    .normalised_count = builder->normalised_count}};
    impi_arena_init(&owned->memory, &context->allocator);
    imp_Status status = list_moving(builder, owned);
    if (status == IMP_STATUS_OK)
        status = copy_keys(builder, owned);
    if (status == IMP_STATUS_OK)
        status = fill_poses(builder, base, owned);
    if (status == IMP_STATUS_OK)
        *table = &owned->table;
    else
        impi_pose_table_destroy(context, &owned->table);
    return status;
}

imp_Status impi_pose_table_read(imp_Context *context, const void *bytes, size_t size, const char *path,
                                const impi_BodyNames *names, const imp_Pose *base, impi_PoseTable **table)
{
    const imp_Allocator *allocator = &context->allocator;
    Builder builder = {.context = context, .names = names, .body_count = impi_body_names_count(names)};
    imp_Status status = IMP_STATUS_OK;
    impi_csv_init(&builder.csv, context, bytes, size, path);
    builder.placed = impi_allocate_array(allocator, builder.body_count, sizeof *builder.placed);
    if (builder.placed)
        memset(builder.placed, 0, builder.body_count * sizeof *builder.placed);
    else if (builder.body_count > 0)
        status = impi_fail_out_of_memory(context);
    if (status == IMP_STATUS_OK)
        status = read_rows(&builder);
    if (status == IMP_STATUS_OK)
        status = check_labels(&builder);
    if (status == IMP_STATUS_OK)
        status = make_table(&builder, base, table);
    impi_csv_free(&builder.csv);
    impi_array_free(allocator, &builder.rows, sizeof *builder.rows.data);
    impi_array_free(allocator, &builder.configurations, sizeof *builder.configurations.data);
    impi_array_free(allocator, &builder.labels, 1);
    impi_release(allocator, builder.placed, builder.body_count * sizeof *builder.placed);
    return status;
}

imp_Status impi_pose_table_load(imp_Context *context, const char *path, const impi_BodyNames *names,
                                const imp_Pose *base, impi_PoseTable **table)
{
    impi_FileBytes file;
    imp_Status status = impi_file_bytes_load(context, path, NULL, &file);
    if (status != IMP_STATUS_OK)
        return status;
    status = impi_pose_table_read(context, file.data, file.size, path, names, base, table);
    impi_file_bytes_free(context, &file);
    return status;
}

void impi_pose_table_destroy(imp_Context *context, impi_PoseTable *table)
{
    if (!table)
        return;
    OwnedTable *owned = (OwnedTable *)table; // of which it is the first member
    impi_arena_destroy(&owned->memory);
    impi_release(&context->allocator, owned, sizeof *owned);
}

const imp_Pose *impi_pose_table_find(const impi_PoseTable *table, size_t configuration, size_t body)
{
    size_t low = 0, high = table->moving_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (table->moving[middle] < body)
            low = middle + 1;
        else
            high = middle;
    }
    bool is_moving = low < table->moving_count && table->moving[low] == body;
    return is_moving ? &table->poses[configuration * table->moving_count + low] : NULL;
}
