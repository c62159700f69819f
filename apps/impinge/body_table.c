#include "body_table.h"

#include "command.h"
#include "kit/text_table.h"

#include <stdlib.h>
#include <string.h>

#define FEW_BODIES         20
#define LEAST_NAME         8 // columns that are left of a name
#define LEAST_NUMBER_WIDTH 4
#define GAP                2

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

static void put_gap(impi_Text *output)
{
    impi_text_put_spaces(output, GAP);
}

static void put_name(impi_Text *output, const char *name, size_t width)
{
    impi_text_put_spaces(output, width - impi_text_put_shortened(output, name, width));
}

static size_t number_width(const impi_Motion *motion)
{
    size_t width = 1;
    for (size_t last = motion->body_count; last > 10; last = (last + 9) / 10)
        ++width;
    return larger(width, LEAST_NUMBER_WIDTH);
}

// ---- bodies

void body_table_begin(BodyTable *table, const impi_Motion *motion, BodyPathFn path, impi_Text *output)
{
    *table = (BodyTable){.motion = motion, .path = path, .style = command_style()};
    table->is_listed = calloc(motion->body_count + 1, sizeof *table->is_listed);
    if (!table->is_listed)
        output->out_of_memory = true;
    for (size_t i = 0; table->is_listed && i < motion->body_count; ++i)
        table->is_listed[i] = motion->body_count <= FEW_BODIES;
}

void body_table_free(BodyTable *table)
{
    free(table->is_listed);
    *table = (BodyTable){0};
}

typedef struct BodyColumns {
    size_t number, name, triangles, path; // widths; no path: 0
    size_t listed_count;
} BodyColumns;

static const char *name_of(const BodyTable *table, size_t body)
{
    return impi_motion_body(table->motion, body).name;
}

// Files are told where they say more than the names.
static BodyColumns measure_bodies(const BodyTable *table)
{
    static const char triangles[] = "triangles";
    BodyColumns columns = {.number = number_width(table->motion),
                           .name = impi_text_width("name"),
                           .triangles = impi_text_width(triangles)};
    bool tells_paths = false;
    for (size_t i = 0; i < table->motion->body_count; ++i) {
        if (!table->is_listed[i])
            continue;
        ++columns.listed_count;
        columns.name = larger(columns.name, impi_text_width(name_of(table, i)));
        if (!table->path)
            continue;
        const char *path = table->path(table->motion->source, i);
        tells_paths = tells_paths || strcmp(path, name_of(table, i)) != 0;
        columns.path = larger(columns.path, impi_text_width(path));
    }
    if (!tells_paths)
        columns.path = 0;
    if (!table->style.is_terminal)
        return columns;
    size_t others = columns.number + columns.triangles + GAP * 3;
    size_t room = table->style.columns > others ? table->style.columns - others : 0;
    columns.name = smaller(columns.name, larger(LEAST_NAME, columns.path ? room / 2 : room));
    room = room > columns.name ? room - columns.name : 0;
    columns.path = smaller(columns.path, larger(LEAST_NAME, room));
    return columns;
}

static void put_body(const BodyTable *table, const BodyColumns *columns, size_t body, impi_Text *output)
{
    impi_MotionBody motion_body = impi_motion_body(table->motion, body);
    impi_text_put_number(output, body, columns->number);
    put_gap(output);
    put_name(output, motion_body.name, columns->name);
    put_gap(output);
    impi_text_put_number(output, motion_body.triangle_count, columns->triangles);
    if (motion_body.deforms)
        impi_text_put(output, "  deforms");
    if (columns->path) {
        put_gap(output);
        impi_text_put_shortened(output, table->path(table->motion->source, body), columns->path);
    }
    impi_text_put(output, "\n");
}

void body_table_put(const BodyTable *table, impi_Text *output)
{
    if (!table->is_listed)
        return;
    BodyColumns columns = measure_bodies(table);
    size_t other_count = table->motion->body_count - columns.listed_count;
    if (columns.listed_count == 0) {
        impi_text_printf(output, "Bodies: %zu.\n", other_count);
        return;
    }
    impi_text_begin_emphasis(output, &table->style, IMPI_DIM);
    impi_text_put_right(output, "body", columns.number);
    put_gap(output);
    impi_text_put_left(output, "name", columns.name);
    impi_text_put(output, columns.path ? "  triangles  file" : "  triangles");
    impi_text_end_emphasis(output, &table->style, IMPI_DIM);
    impi_text_put(output, "\n");
    for (size_t i = 0; i < table->motion->body_count; ++i)
        if (table->is_listed[i])
            put_body(table, &columns, i, output);
    if (other_count)
        impi_text_printf(output, "Other bodies, which are not in the lines below: %zu.\n", other_count);
}

// ---- pairs

PairTable pair_table_begin(BodyTable *bodies, bool has_relations, size_t rest_width)
{
    return (PairTable){.bodies = bodies,
                       .has_relations = has_relations,
                       .rest_width = rest_width,
                       .number_width = number_width(bodies->motion),
                       .relation_width = has_relations ? impi_text_width("relation") : 0};
}

void pair_table_announce(PairTable *table, uint32_t body_a, Relation relation, uint32_t body_b)
{
    BodyTable *bodies = table->bodies;
    table->name_width_a = larger(table->name_width_a, impi_text_width(name_of(bodies, body_a)));
    table->name_width_b = larger(table->name_width_b, impi_text_width(name_of(bodies, body_b)));
    if (table->has_relations)
        table->relation_width = larger(table->relation_width, impi_text_width(relation_name(relation)));
    if (bodies->is_listed)
        bodies->is_listed[body_a] = bodies->is_listed[body_b] = true;
}

size_t pair_table_width(const PairTable *table)
{
    size_t relation = table->has_relations ? GAP + table->relation_width : 0;
    return table->number_width + GAP + table->name_width_a + relation + GAP + table->number_width + GAP +
           table->name_width_b;
}

// The shorter of the two names stays as it is where it takes less than half of the room.
void pair_table_fit(PairTable *table)
{
    const impi_Style *style = &table->bodies->style;
    size_t a = table->name_width_a, b = table->name_width_b;
    size_t others = pair_table_width(table) - a - b + table->rest_width;
    size_t room = style->columns > others ? style->columns - others : 0;
    if (!style->is_terminal || a + b <= room)
        return;
    if (a <= room / 2)
        b = room - a;
    else if (b <= room / 2)
        a = room - b;
    else
        a = b = room / 2;
    table->name_width_a = smaller(table->name_width_a, larger(a, LEAST_NAME));
    table->name_width_b = smaller(table->name_width_b, larger(b, LEAST_NAME));
}

void pair_table_begin_heading(const PairTable *table, impi_Text *output)
{
    const impi_Style *style = &table->bodies->style;
    impi_text_put(output, "\n");
    impi_text_begin_emphasis(output, style, IMPI_DIM);
    impi_text_put_right(output, "a", table->number_width);
    impi_text_put_spaces(output, GAP + table->name_width_a);
    if (table->has_relations) {
        put_gap(output);
        impi_text_put_left(output, "relation", table->relation_width);
    }
    impi_text_put_right(output, "b", GAP + table->number_width);
    if (table->rest_width)
        impi_text_put_spaces(output, GAP + table->name_width_b);
}

void pair_table_end_heading(const PairTable *table, impi_Text *output)
{
    impi_text_end_emphasis(output, &table->bodies->style, IMPI_DIM);
    impi_text_put(output, "\n");
}

void pair_table_put(const PairTable *table, uint32_t body_a, Relation relation, uint32_t body_b,
                    impi_Text *output)
{
    const BodyTable *bodies = table->bodies;
    impi_text_put_number(output, body_a, table->number_width);
    put_gap(output);
    put_name(output, name_of(bodies, body_a), table->name_width_a);
    if (table->has_relations) {
        const char *word = relation_name(relation);
        put_gap(output);
        impi_text_begin_emphasis(output, &bodies->style, relation_emphasis(relation));
        impi_text_put(output, word);
        impi_text_end_emphasis(output, &bodies->style, relation_emphasis(relation));
        impi_text_put_spaces(output, table->relation_width - impi_text_width(word));
    }
    impi_text_put_number(output, body_b, GAP + table->number_width);
    put_gap(output);
    put_name(output, name_of(bodies, body_b), table->name_width_b);
}
