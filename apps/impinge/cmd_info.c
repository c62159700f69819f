#include "file_options.h"
#include "info_remarks.h"
#include "kit/json_writer.h"
#include "kit/safe_text.h"
#include "kit/text_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SCHEMA_VERSION   1
#define MAX_CELL         32
#define MAX_TABLE_WIDTH  100
#define COLUMN_GAP       2
#define FIRST_PAIR_GUESS 4096

typedef struct FileInfo {
    const char *path;
    imp_MeshInfo mesh;
    imp_FacePair *self_pairs; // null unless asked for
    size_t self_pair_count;
} FileInfo;

static const char *orientation_word(imp_Orientation orientation)
{
    switch (orientation) {
    case IMP_ORIENTATION_OUTWARD:
        return "outward";
    case IMP_ORIENTATION_INWARD:
        return "inward";
    case IMP_ORIENTATION_MIXED:
        return "mixed";
    case IMP_ORIENTATION_NONE:
        break;
    }
    return "none";
}

// Rows of the table: a label, and how the cell of a file is written.

typedef void (*CellFn)(const FileInfo *file, char cell[MAX_CELL]);

#define COUNT_CELL(field)                                                                                    \
    static void cell_##field(const FileInfo *file, char cell[MAX_CELL])                                      \
    {                                                                                                        \
        snprintf(cell, MAX_CELL, "%zu", file->mesh.field);                                                   \
    }
COUNT_CELL(vertex_count)
COUNT_CELL(distinct_vertex_count)
COUNT_CELL(unused_vertex_count)
COUNT_CELL(triangle_count)
COUNT_CELL(degenerate_triangle_count)
COUNT_CELL(duplicate_triangle_count)
COUNT_CELL(edge_count)
COUNT_CELL(boundary_edge_count)
COUNT_CELL(non_manifold_edge_count)
COUNT_CELL(component_count)

#define NUMBER_CELL(name, expression)                                                                        \
    static void cell_##name(const FileInfo *file, char cell[MAX_CELL])                                       \
    {                                                                                                        \
        snprintf(cell, MAX_CELL, "%.9g", expression);                                                        \
    }
NUMBER_CELL(min_x, file->mesh.bounds.min.x)
NUMBER_CELL(min_y, file->mesh.bounds.min.y)
NUMBER_CELL(min_z, file->mesh.bounds.min.z)
NUMBER_CELL(max_x, file->mesh.bounds.max.x)
NUMBER_CELL(max_y, file->mesh.bounds.max.y)
NUMBER_CELL(max_z, file->mesh.bounds.max.z)
NUMBER_CELL(area, file->mesh.area)

static void cell_surface(const FileInfo *file, char cell[MAX_CELL])
{
    snprintf(cell, MAX_CELL, "%s", file->mesh.closed ? "closed" : "open");
}

static void cell_orientation(const FileInfo *file, char cell[MAX_CELL])
{
    snprintf(cell, MAX_CELL, "%s", file->mesh.closed ? orientation_word(file->mesh.orientation) : "-");
}

static void cell_volume(const FileInfo *file, char cell[MAX_CELL])
{
    if (file->mesh.closed)
        snprintf(cell, MAX_CELL, "%.9g", file->mesh.volume);
    else
        snprintf(cell, MAX_CELL, "-");
}

static void cell_self_pair_count(const FileInfo *file, char cell[MAX_CELL])
{
    snprintf(cell, MAX_CELL, "%zu", file->self_pair_count);
}

static const struct {
    const char *label;
    CellFn write;
} rows[] = {
    {"vertices", cell_vertex_count},
    {"  distinct", cell_distinct_vertex_count},
    {"  unused", cell_unused_vertex_count},
    {"triangles", cell_triangle_count},
    {"  degenerate", cell_degenerate_triangle_count},
    {"  duplicate", cell_duplicate_triangle_count},
    {"edges", cell_edge_count},
    {"  boundary", cell_boundary_edge_count},
    {"  non-manifold", cell_non_manifold_edge_count},
    {"components", cell_component_count},
    {"surface", cell_surface},
    {"orientation", cell_orientation},
    {"min x", cell_min_x},
    {"    y", cell_min_y},
    {"    z", cell_min_z},
    {"max x", cell_max_x},
    {"    y", cell_max_y},
    {"    z", cell_max_z},
    {"area", cell_area},
    {"volume", cell_volume},
    {"intersecting pairs", cell_self_pair_count}, // last: only when asked for
};

#define ROW_COUNT (sizeof rows / sizeof *rows)

static size_t column_width(const FileInfo *file, size_t row_count)
{
    size_t width = impi_text_width(impi_text_path_end(file->path));
    for (size_t r = 0; r < row_count; ++r) {
        char cell[MAX_CELL];
        rows[r].write(file, cell);
        width = impi_text_width(cell) > width ? impi_text_width(cell) : width;
    }
    return width + COLUMN_GAP;
}

static void put_table(const FileInfo *files, size_t file_count, size_t row_count, impi_Text *output)
{
    size_t label_width = 0;
    for (size_t r = 0; r < row_count; ++r)
        label_width =
            impi_text_width(rows[r].label) > label_width ? impi_text_width(rows[r].label) : label_width;
    // One column per file, as many side by side as fit.
    for (size_t begin = 0, end; begin < file_count; begin = end) {
        size_t width = label_width;
        for (end = begin; end < file_count; ++end) {
            width += column_width(&files[end], row_count);
            if (end > begin && width > MAX_TABLE_WIDTH)
                break;
        }
        impi_text_printf(output, "%s%-*s", begin ? "\n" : "", (int)label_width, "");
        for (size_t f = begin; f < end; ++f)
            impi_text_put_right(output, impi_text_path_end(files[f].path),
                                column_width(&files[f], row_count));
        for (size_t r = 0; r < row_count; ++r) {
            impi_text_printf(output, "\n%-*s", (int)label_width, rows[r].label);
            for (size_t f = begin; f < end; ++f) {
                char cell[MAX_CELL];
                rows[r].write(&files[f], cell);
                impi_text_put_right(output, cell, column_width(&files[f], row_count));
            }
        }
        impi_text_put(output, "\n");
    }
}

static void put_self_pairs(const FileInfo *file, impi_Text *output)
{
    impi_text_put(output, "\n");
    impi_text_put_shown(output, file->path);
    impi_text_printf(output, ": %zu intersecting pairs of faces\n", file->self_pair_count);
    if (file->self_pair_count)
        impi_text_put(output, "face_a,face_b\n");
    for (size_t i = 0; i < file->self_pair_count; ++i)
        impi_text_printf(output, "%u,%u\n", file->self_pairs[i].face_a, file->self_pairs[i].face_b);
}

static void put_remarks(const FileInfo *files, size_t file_count, impi_Text *output)
{
    const char *separator = "\n"; // a line between the table and them
    for (size_t f = 0; f < file_count; ++f) {
        InfoRemarks remarks = info_remarks(&files[f].mesh);
        for (size_t i = 0; i < remarks.count; ++i) {
            impi_text_printf(output, "%snote: %s: %s\n", separator, files[f].path, remarks.texts[i]);
            separator = "";
        }
    }
}

static void put_json_remarks(impi_JsonWriter *json, const imp_MeshInfo *mesh)
{
    InfoRemarks remarks = info_remarks(mesh);
    impi_json_put_key(json, "remarks");
    impi_json_begin_array(json);
    for (size_t i = 0; i < remarks.count; ++i)
        impi_json_put_string(json, remarks.texts[i]);
    impi_json_end_array(json);
}

static void put_json_file(impi_JsonWriter *json, const FileInfo *file)
{
    const imp_MeshInfo *mesh = &file->mesh;
    const struct {
        const char *key;
        size_t count;
    } counts[] = {
        {"vertex_count", mesh->vertex_count},
        {"distinct_vertex_count", mesh->distinct_vertex_count},
        {"unused_vertex_count", mesh->unused_vertex_count},
        {"triangle_count", mesh->triangle_count},
        {"degenerate_triangle_count", mesh->degenerate_triangle_count},
        {"duplicate_triangle_count", mesh->duplicate_triangle_count},
        {"edge_count", mesh->edge_count},
        {"boundary_edge_count", mesh->boundary_edge_count},
        {"non_manifold_edge_count", mesh->non_manifold_edge_count},
        {"component_count", mesh->component_count},
    };
    impi_json_begin_object(json);
    impi_json_put_key(json, "file");
    impi_json_put_string(json, file->path);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; ++i) {
        impi_json_put_key(json, counts[i].key);
        impi_json_put_integer(json, counts[i].count);
    }
    put_json_remarks(json, mesh);
    impi_json_put_key(json, "closed");
    impi_json_put_bool(json, mesh->closed);
    impi_json_put_key(json, "orientation");
    impi_json_put_string(json, orientation_word(mesh->orientation));
    impi_json_put_vector(json, "min", mesh->bounds.min);
    impi_json_put_vector(json, "max", mesh->bounds.max);
    impi_json_put_key(json, "area");
    impi_json_put_double(json, mesh->area);
    impi_json_put_key(json, "volume");
    if (mesh->closed)
        impi_json_put_double(json, mesh->volume);
    else
        impi_json_put_null(json);
    if (file->self_pairs) {
        impi_json_put_key(json, "self_pair_count");
        impi_json_put_integer(json, file->self_pair_count);
        impi_json_put_key(json, "self_pairs");
        impi_json_begin_array(json);
        for (size_t i = 0; i < file->self_pair_count; ++i) {
            impi_json_begin_inline_array(json);
            impi_json_put_integer(json, file->self_pairs[i].face_a);
            impi_json_put_integer(json, file->self_pairs[i].face_b);
            impi_json_end_array(json);
        }
        impi_json_end_array(json);
    }
    impi_json_end_object(json);
}

static void put_json(const FileInfo *files, size_t file_count, impi_Text *output)
{
    impi_JsonWriter json = impi_json_begin_document(output, SCHEMA_VERSION);
    impi_json_put_key(&json, "files");
    impi_json_begin_array(&json);
    for (size_t i = 0; i < file_count; ++i)
        put_json_file(&json, &files[i]);
    impi_json_end_array(&json);
    impi_json_end_document(&json);
}

static CommandResult find_self_pairs(imp_Context *context, const imp_Mesh *mesh, FileInfo *file)
{
    size_t capacity = FIRST_PAIR_GUESS;
    for (;;) {
        file->self_pairs = malloc(capacity * sizeof *file->self_pairs);
        if (!file->self_pairs)
            return command_fail("%s: out of memory for %zu pairs of faces", file->path, capacity);
        imp_Status status =
            imp_mesh_self_pairs(context, mesh, file->self_pairs, capacity, &file->self_pair_count);
        if (status == IMP_STATUS_OK)
            return COMMAND_DONE;
        free(file->self_pairs);
        file->self_pairs = NULL;
        if (status != IMP_STATUS_BUFFER_SHORT || file->self_pair_count <= capacity)
            return command_fail_in(context);
        capacity = file->self_pair_count;
    }
}

static CommandResult look_at_file(imp_Context *context, bool with_self_pairs, FileInfo *file)
{
    CommandResult result = COMMAND_DONE;
    imp_Mesh *mesh = command_load_mesh(context, file->path);
    if (!mesh)
        return COMMAND_FAILED;
    if (imp_mesh_analyse(context, mesh, &file->mesh) != IMP_STATUS_OK)
        result = command_fail_in(context);
    else if (with_self_pairs)
        result = find_self_pairs(context, mesh, file);
    imp_mesh_release(mesh);
    return result;
}

static CommandResult run_info(const Options *options, impi_Text *output)
{
    size_t file_count = options->argument_count;
    bool with_self_pairs = options_has(options, "self");
    CommandResult result = COMMAND_DONE;
    imp_Context *context = file_options_create_context(options, 0);
    FileInfo *files = calloc(file_count, sizeof *files);
    if (!context || !files) {
        result = context ? command_fail("out of memory") : COMMAND_FAILED;
        goto cleanup;
    }
    impi_Progress *progress = impi_progress_begin();
    command_show_progress(context, progress);
    for (size_t i = 0; i < file_count && result == COMMAND_DONE; ++i) {
        files[i].path = options->arguments[i];
        impi_progress_set(progress, files[i].path, 0, 0);
        result = look_at_file(context, with_self_pairs, &files[i]);
    }
    command_show_progress(context, NULL);
    impi_progress_end(progress);
    if (result != COMMAND_DONE)
        goto cleanup;
    if (options_has(options, "json")) {
        put_json(files, file_count, output);
    } else {
        put_table(files, file_count, with_self_pairs ? ROW_COUNT : ROW_COUNT - 1, output);
        put_remarks(files, file_count, output);
        for (size_t i = 0; with_self_pairs && i < file_count; ++i)
            put_self_pairs(&files[i], output);
    }
cleanup:
    for (size_t i = 0; files && i < file_count; ++i)
        free(files[i].self_pairs);
    free(files);
    imp_context_destroy(context);
    return result;
}

static const OptionSpec info_options[] = {
    {.name = "self",
     .help = "also find the pairs of faces that intersect beyond their common\n"
             "vertices and edges, and list them"},
    {.name = "json", .help = "print JSON, for programs"},
    FILE_SIZE_OPTION,
    FILE_PLACE_OPTION,
};

const Command command_info = {
    .name = "info",
    .summary = "what mesh files hold, and whether they are sound",
    .details = "Tells counts, bounds, area and, for closed surfaces, orientation and volume.\n"
               "A surface is closed when each of its edges is used equally often in both directions.\n"
               "Vertices are the same when their coordinates are equal. Faces are triangles and\n"
               "count from 0 in file order; polygons are fanned from their first vertex.\n"
               "Files: OBJ, STL, PLY, OFF, glTF, and more where the build has assimp.\n",
    .examples = "  impinge info bunny.obj teapot.stl       a table, one column per file\n"
                "  impinge info --self scan.ply            is the surface free of self-intersections?\n"
                "  impinge info --json part.off            the same facts for a program\n",
    .options = {info_options, sizeof info_options / sizeof *info_options, 1, 0, "FILE..."},
    .run = run_info,
};
