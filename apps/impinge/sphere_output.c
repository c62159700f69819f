#include "sphere_output.h"

#include "arguments.h"
#include "kit/argument_text.h"
#include "kit/safe_text.h"
#include "picture_options.h"
#include "sphere_drawing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NAME_PLACE    "{}" // stands for the name of a mesh
#define DEFAULT_DEPTH 3    // of imp_SphereTreeDef

struct SphereFormat {
    const char *name;                                               // and extension
    bool is_tree;                                                   // all levels go into it
    bool is_table;                                                  // all levels, or one of them
    bool holds_several;                                             // by their names
    void (*put)(const SphereSelection *selection, impi_Text *text); // null: a mesh or a picture
};

static const SphereFormat formats[] = {
    {.name = "csv", .is_table = true, .put = sphere_put_csv},
    {.name = "json", .is_tree = true, .holds_several = true, .put = sphere_put_json},
    {.name = "yaml", .holds_several = true, .put = sphere_put_yaml},
    {.name = "urdf", .holds_several = true, .put = sphere_put_urdf},
    {.name = "obj"},
    {.name = "stl"},
    {.name = "ply"},
    {.name = "off"},
    {.name = "svg"},
};

#define FORMAT_COUNT (sizeof formats / sizeof *formats)

const char *sphere_format_name(size_t index)
{
    return index < FORMAT_COUNT ? formats[index].name : NULL;
}

static bool is_picture(const SphereFormat *format)
{
    return format && strcmp(format->name, "svg") == 0;
}

static bool is_mesh(const SphereFormat *format)
{
    return !format->put && !is_picture(format);
}

// ---- what is asked for

static bool is_folder(const char *path)
{
    struct stat info;
    size_t length = strlen(path);
    return (length > 0 && path[length - 1] == '/') || (stat(path, &info) == 0 && S_ISDIR(info.st_mode));
}

static const SphereFormat *format_of_ending(const char *path)
{
    for (size_t i = 0; i < FORMAT_COUNT; ++i)
        if (impi_file_ends_in(path, formats[i].name))
            return &formats[i];
    return impi_file_ends_in(path, "yml") ? format_of_ending("x.yaml") : NULL;
}

static CommandResult choose_format(const char *word, SphereOutput *output)
{
    if (word && strcmp(word, "yml") == 0)
        word = "yaml";
    output->format = output->is_folder ? NULL : format_of_ending(output->path);
    if (!word && output->is_folder)
        return command_fail("%s is a folder: --format tells what to write there", output->path);
    if (!word && !output->format)
        return command_fail("%s: the ending stands for no format of spheres; these do: csv, json, yaml, yml, "
                            "urdf, obj, stl, ply, off, svg",
                            output->path);
    const SphereFormat *by_ending = output->format;
    for (size_t i = 0; i < FORMAT_COUNT && word; ++i)
        if (strcmp(formats[i].name, word) == 0)
            output->format = &formats[i];
    if (word && (!output->format || strcmp(output->format->name, word) != 0))
        return command_fail("--format: expected csv, json, yaml, urdf, obj, stl, ply, off or svg, got \"%s\"",
                            word);
    if (is_mesh(output->format) && !output->is_folder && output->format != by_ending)
        return command_fail("--format %s: the name of a mesh ends in its format, and %s does not", word,
                            output->path);
    return COMMAND_DONE;
}

CommandResult sphere_output_parse(const Options *options, SphereOutput *output)
{
    const char *format = options_value(options, "format"), *level = options_value(options, "level");
    *output = (SphereOutput){.path = options_value(options, "output"), .has_level = level != NULL};
    if (!output->path && format)
        return command_fail("--format %s: there is no -o to say where to", format);
    output->is_folder = output->path && is_folder(output->path);
    if (output->path && choose_format(format, output) != COMMAND_DONE)
        return COMMAND_FAILED;
    if (level && (!output->format || output->format->is_tree))
        return command_fail("--level is for formats that hold one level; %s",
                            output->format ? "this one holds all" : "nothing is written without -o");
    if (level && !argument_integer("level", level, 0, IMP_MAX_SPHERE_DEPTH, &output->level))
        return COMMAND_FAILED;
    return picture_options_parse(options, output->path, is_picture(output->format), &output->look);
}

// ---- where it goes

// The pattern with the name of a mesh in it, in which a slash would lead elsewhere.
static char *fill_in(const char *pattern, const char *name)
{
    impi_Text path;
    impi_text_begin(&path);
    for (const char *rest = pattern; *rest;) {
        bool is_place = strncmp(rest, NAME_PLACE, strlen(NAME_PLACE)) == 0;
        for (const char *c = is_place ? name : ""; *c; ++c)
            impi_text_append(&path, *c == '/' ? "_" : c, 1);
        if (!is_place)
            impi_text_append(&path, rest, 1);
        rest += is_place ? strlen(NAME_PLACE) : 1;
    }
    impi_text_append(&path, "", 1);
    char *copy = path.out_of_memory ? NULL : strdup(path.bytes.data);
    impi_text_free(&path);
    return copy;
}

// Null when out of memory.
static char *make_pattern(const SphereOutput *output)
{
    size_t length = strlen(output->path);
    char *pattern = malloc(length + sizeof "/" NAME_PLACE "." + strlen(output->format->name));
    const char *slash = length > 0 && output->path[length - 1] == '/' ? "" : "/";
    if (pattern && output->is_folder)
        sprintf(pattern, "%s%s" NAME_PLACE ".%s", output->path, slash, output->format->name);
    else if (pattern)
        strcpy(pattern, output->path);
    return pattern;
}

// The folder is there and can be written to, and the file is no folder itself.
static CommandResult check_place(const char *path)
{
    struct stat info;
    const char *slash = strrchr(path, '/');
    char *folder = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
    bool is_there = folder && access(folder, F_OK) == 0, is_file = stat(path, &info) == 0;
    bool is_open = folder && access(is_file && !S_ISREG(info.st_mode) ? path : folder, W_OK) == 0;
    bool has_room = folder != NULL;
    free(folder);
    if (!has_room)
        return command_fail("out of memory");
    if (!is_there)
        return command_fail("%s can't be written: its folder is not there", path);
    if (is_file && S_ISDIR(info.st_mode))
        return command_fail("%s can't be written: it is a folder", path);
    return is_open ? COMMAND_DONE : command_fail("%s can't be written: permission denied", path);
}

static CommandResult check_paths(const SphereFiles *files, const SphereSets *sets, const char *from_path)
{
    for (size_t i = 0; i < files->count; ++i) {
        if (check_place(files->paths[i]) != COMMAND_DONE)
            return COMMAND_FAILED;
        if (from_path && command_is_same_file(files->paths[i], from_path))
            return command_fail("%s would be written over the file that spheres are taken from",
                                files->paths[i]);
        for (size_t k = 0; k < i; ++k)
            if (strcmp(files->paths[i], files->paths[k]) == 0)
                return command_fail("%s would be written twice, for %s and for %s", files->paths[i],
                                    sets->sets[k].path, sets->sets[i].path);
        for (size_t k = 0; k < sets->count; ++k)
            if (command_is_same_file(files->paths[i], sets->sets[k].path))
                return command_fail("%s would be written over the mesh that spheres are made for",
                                    files->paths[i]);
    }
    return COMMAND_DONE;
}

// False when out of memory.
static bool fill_paths(const char *pattern, const SphereSets *sets, size_t count, SphereFiles *files)
{
    files->paths = calloc(count, sizeof *files->paths);
    for (size_t i = 0; i < count && files->paths; ++i) {
        files->paths[i] = fill_in(pattern, sets->sets[i].name);
        if (!files->paths[i])
            return false;
        files->count = i + 1;
    }
    return files->paths != NULL;
}

// Spheres that are made have no more levels than this; what a file holds is seen when it is read.
static CommandResult check_made_levels(const SphereOutput *output, const SphereSetsDef *def)
{
    bool is_flat = def->tree.count > 0 || def->tree.protrusion > 0;
    uint32_t depth = is_flat ? 1 : def->tree.depth > 0 ? def->tree.depth : DEFAULT_DEPTH;
    if (def->from_path || !output->has_level || output->level <= depth)
        return COMMAND_DONE;
    return command_fail("--level %u: the spheres have levels 0 to %u", output->level, depth);
}

// Files of several sets tell them apart by names: as they are written, they have to be different, and the
// same when they are read back.
static CommandResult check_written_names(const SphereOutput *output, const SphereSets *sets)
{
    for (size_t i = 0; i < sets->count && output->format->holds_several; ++i)
        if (!impi_is_plain_utf8(sets->sets[i].name))
            return command_fail(
                "%s: the name has bytes that are no characters of UTF-8, and %s can't hold it: "
                "rename the mesh",
                sets->sets[i].path, output->path);
    return COMMAND_DONE;
}

CommandResult sphere_files_plan(const SphereOutput *output, const SphereSets *sets, const SphereSetsDef *def,
                                SphereFiles *files)
{
    *files = (SphereFiles){0};
    if (!output->path)
        return COMMAND_DONE;
    if (check_made_levels(output, def) != COMMAND_DONE || check_written_names(output, sets) != COMMAND_DONE)
        return COMMAND_FAILED;
    char *pattern = make_pattern(output);
    if (!pattern)
        return command_fail("out of memory");
    bool is_each = strstr(pattern, NAME_PLACE) != NULL;
    bool is_too_much = !is_each && sets->count > 1 && !output->format->holds_several;
    bool is_filled = !is_too_much && fill_paths(pattern, sets, is_each ? sets->count : 1, files);
    free(pattern);
    if (is_too_much)
        return command_fail("%s can hold the spheres of one mesh, and there are %zu: write " NAME_PLACE
                            " where the names of meshes belong, as in spheres-" NAME_PLACE ".%s",
                            output->path, sets->count, output->format->name);
    return is_filled ? check_paths(files, sets, def->from_path) : command_fail("out of memory");
}

void sphere_files_free(SphereFiles *files)
{
    for (size_t i = 0; i < files->count; ++i)
        free(files->paths[i]);
    free(files->paths);
    *files = (SphereFiles){0};
}

// ---- writing

static CommandResult check_level(const SphereSelection *selection)
{
    for (size_t i = 0; i < selection->count; ++i) {
        const SphereSet *set = &selection->sets[i];
        size_t count;
        if (!sphere_selection_spheres(selection, set, &count))
            return command_fail("--level %u: the spheres of %s have levels 0 to %zu", selection->level,
                                set->path, imp_sphere_tree_get_level_count(set->tree) - 1);
    }
    return COMMAND_DONE;
}

static CommandResult save_text(imp_Context *context, const SphereFormat *format,
                               const SphereSelection *selection, const char *path)
{
    impi_Text text;
    impi_text_begin(&text);
    format->put(selection, &text);
    imp_Status status = impi_text_save(context, &text, path);
    impi_text_free(&text);
    return status == IMP_STATUS_OK ? COMMAND_DONE : command_fail_in(context);
}

static CommandResult save_file(imp_Context *context, const SphereOutput *output,
                               const SphereSelection *selection, const char *path)
{
    if (output->format->put)
        return save_text(context, output->format, selection, path);
    return is_picture(output->format) ? sphere_picture_save(context, selection, &output->look, path)
                                      : sphere_mesh_save(context, selection, path);
}

static void tell(const SphereOutput *output, const SphereSelection *selection, const char *path,
                 impi_Text *text)
{
    size_t total = 0, count;
    for (size_t i = 0; i < selection->count; ++i) {
        if (output->format->is_table)
            sphere_selection_rows(selection, &selection->sets[i], &count);
        else if (output->format->is_tree || (is_picture(output->format) && !output->has_level))
            imp_sphere_tree_get_spheres(selection->sets[i].tree, &count);
        else
            sphere_selection_spheres(selection, &selection->sets[i], &count);
        total += count;
    }
    impi_text_put_shown(text, path);
    impi_text_printf(text, ": %zu sphere%s\n", total, total == 1 ? "" : "s");
}

CommandResult sphere_files_save(const SphereFiles *files, const SphereOutput *output, const SphereSets *sets,
                                impi_Text *text)
{
    SphereSelection all = {sets->sets, sets->count, output->has_level, output->level};
    bool *is_new = calloc(files->count + 1, sizeof *is_new);
    if (!is_new)
        return command_fail("out of memory");
    CommandResult result = check_level(&all);
    size_t saved = 0;
    for (; saved < files->count && result == COMMAND_DONE; ++saved) {
        SphereSelection selection = all;
        if (files->count > 1) {
            selection.sets += saved;
            selection.count = 1;
        }
        is_new[saved] = access(files->paths[saved], F_OK) != 0;
        result = save_file(sets->context, output, &selection, files->paths[saved]);
        if (result == COMMAND_DONE && text)
            tell(output, &selection, files->paths[saved], text);
    }
    for (size_t i = 0; i < saved && result != COMMAND_DONE; ++i)
        if (is_new[i])
            unlink(files->paths[i]);
    free(is_new);
    return result;
}
