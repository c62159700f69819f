#include "bodies.h"

#include "kit/argument_text.h"
#include "kit/progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define MAX_REMARK 128

static CommandResult parse_format(const char *text, imp_FileFormat *format)
{
    static const struct {
        const char *name;
        imp_FileFormat format;
    } formats[] = {{"obj", IMP_FORMAT_OBJ}, {"stl", IMP_FORMAT_STL},   {"ply", IMP_FORMAT_PLY},
                   {"off", IMP_FORMAT_OFF}, {"gltf", IMP_FORMAT_GLTF}, {"glb", IMP_FORMAT_GLTF}};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; ++i)
        if (strcasecmp(text, formats[i].name) == 0) {
            *format = formats[i].format;
            return COMMAND_DONE;
        }
    return command_fail("--format: expected obj, stl, ply, off, gltf or glb, got \"%s\"", text);
}

CommandResult bodies_parse(const Options *options, BodiesDef *def)
{
    const char *format = options_value(options, "format");
    bool has_input = false;
    *def = (BodiesDef){.joins = options_has(options, "join"),
                       .solids = options_has(options, "solids"),
                       .keeps_going = options_has(options, "keep-going")};
    for (size_t i = 0; i < options->argument_count; ++i)
        has_input = has_input || strcmp(options->arguments[i], "-") == 0;
    if (def->joins && def->solids)
        return command_fail("--join and --solids exclude each other");
    if (has_input && !format)
        return command_fail("-: --format tells what %s holds, as in --format stl", STANDARD_INPUT_NAME);
    if (format && !has_input)
        return command_fail("--format is for %s, which '-' stands for", STANDARD_INPUT_NAME);
    return format ? parse_format(format, &def->format) : COMMAND_DONE;
}

// ---- reading

static bool is_standard_input(const char *path)
{
    return strcmp(path, "-") == 0;
}

static imp_LoadDef load_def(const BodiesDef *def, const char *path)
{
    imp_LoadDef load = {.solids = def->solids};
    if (is_standard_input(path)) {
        load.format = def->format;
        load.name = STANDARD_INPUT_NAME;
    }
    return load;
}

static const char *path_to_open(const char *path)
{
    return is_standard_input(path) ? "/dev/stdin" : path;
}

// Make room for one more body. False when out of memory.
static bool make_room(Bodies *bodies)
{
    if (bodies->count < bodies->capacity)
        return true;
    size_t capacity = bodies->capacity ? 2 * bodies->capacity : 16;
    impi_StillBody *stills = realloc(bodies->stills, capacity * sizeof *stills);
    if (!stills)
        return false;
    bodies->stills = stills;
    Body *others = realloc(bodies->bodies, capacity * sizeof *others);
    if (!others)
        return false;
    bodies->bodies = others;
    bodies->capacity = capacity;
    return true;
}

static imp_Status add_body(Bodies *bodies, size_t file, const BodiesDef *def, imp_Mesh *mesh,
                           const char *name, const imp_Pose *pose)
{
    const char *path = bodies->files.paths[file];
    bool is_input = is_standard_input(path);
    if (!make_room(bodies))
        return IMP_STATUS_OUT_OF_MEMORY;
    bodies->stills[bodies->count] =
        (impi_StillBody){.name = name, .mesh = imp_mesh_retain(mesh), .pose = *pose};
    bodies->bodies[bodies->count++] = (Body){.path = is_input ? STANDARD_INPUT_NAME : path,
                                             .file = file,
                                             .format = is_input ? def->format : IMP_FORMAT_BY_NAME};
    return IMP_STATUS_OK;
}

// The bodies of a scene, where they are at rest: all or none. `source` is the file that it was read from.
static imp_Status add_scene(Bodies *bodies, size_t file, size_t source, const BodiesDef *def)
{
    const imp_Scene *scene = bodies->scenes[source];
    size_t first = bodies->count;
    imp_Status status = IMP_STATUS_OK;
    for (size_t i = 0; i < imp_scene_get_body_count(scene) && status == IMP_STATUS_OK; ++i) {
        imp_SceneBody body;
        imp_Pose pose;
        status = imp_scene_get_body(scene, i, &body);
        if (status == IMP_STATUS_OK)
            status = imp_scene_sample(scene, i, 0, &pose, NULL);
        if (status == IMP_STATUS_OK)
            status = add_body(bodies, file, def, body.mesh, body.name, &pose);
        else
            snprintf(bodies->reason, sizeof bodies->reason,
                     "%s: the transforms of '%s' make a number that is not finite", bodies->files.paths[file],
                     body.name);
    }
    while (status != IMP_STATUS_OK && bodies->count > first)
        imp_mesh_release(bodies->stills[--bodies->count].mesh);
    return status;
}

// A file as one mesh, whatever it holds.
static imp_Status add_joined(Bodies *bodies, size_t file, const BodiesDef *def)
{
    const char *path = bodies->files.paths[file];
    imp_LoadDef load = load_def(def, path);
    imp_Mesh *mesh = NULL;
    imp_Status status = imp_mesh_load_with(bodies->context, path_to_open(path), &load, &mesh);
    if (status != IMP_STATUS_OK)
        return status;
    if (imp_mesh_get_remark(mesh))
        command_remark(path, imp_mesh_get_remark(mesh));
    status = add_body(bodies, file, def, mesh, NULL, &(imp_Pose){.translation = {0, 0, 0}});
    imp_mesh_release(mesh);
    return status;
}

// The first body of a file that was read as one mesh.
static const impi_StillBody *body_of_file(const Bodies *bodies, size_t file)
{
    size_t i = 0;
    while (i < bodies->count && bodies->bodies[i].file != file)
        ++i;
    return i < bodies->count ? &bodies->stills[i] : NULL;
}

static imp_Status read_file(Bodies *bodies, size_t file, size_t source, const BodiesDef *def)
{
    const char *path = bodies->files.paths[file];
    imp_LoadDef load = load_def(def, path);
    if (def->joins && source < file) {
        const impi_StillBody *first = body_of_file(bodies, source);
        imp_Pose pose = first ? first->pose : (imp_Pose){.translation = {0, 0, 0}}; // the array may move
        return first ? add_body(bodies, file, def, first->mesh, NULL, &pose) : IMP_STATUS_OK;
    }
    if (def->joins)
        return add_joined(bodies, file, def);
    if (source == file) {
        imp_Status status =
            imp_scene_load_with(bodies->context, path_to_open(path), &load, &bodies->scenes[file]);
        if (status != IMP_STATUS_OK)
            return status;
        if (imp_scene_get_remark(bodies->scenes[file]))
            command_remark(is_standard_input(path) ? STANDARD_INPUT_NAME : path,
                           imp_scene_get_remark(bodies->scenes[file]));
    }
    return bodies->scenes[source] ? add_scene(bodies, file, source, def) : IMP_STATUS_OK;
}

// ---- files that are named more than once

typedef struct NamedFile {
    const char *path;
    size_t number;
} NamedFile;

static int compare_files(const void *left, const void *right)
{
    const NamedFile *a = left, *b = right;
    int order = strcmp(a->path, b->path);
    return order ? order : (a->number > b->number) - (a->number < b->number);
}

// Of each file the first that has the same path; to be freed. Null when out of memory.
static size_t *find_sources(const InputFiles *files)
{
    NamedFile *sorted = calloc(files->count + 1, sizeof *sorted);
    size_t *sources = calloc(files->count + 1, sizeof *sources);
    for (size_t i = 0; sorted && i < files->count; ++i)
        sorted[i] = (NamedFile){files->paths[i], i};
    if (sorted && sources) {
        qsort(sorted, files->count, sizeof *sorted, compare_files);
        for (size_t i = 0, first = 0; i < files->count; ++i) {
            first = i > 0 && strcmp(sorted[i].path, sorted[first].path) == 0 ? first : i;
            sources[sorted[i].number] = sorted[first].number;
        }
    } else {
        free(sources);
        sources = NULL;
    }
    free(sorted);
    return sources;
}

// ---- names

// Nodes and solids are parts of their files; other files are bodies themselves.
static bool is_part(const Bodies *bodies, size_t body, const BodiesDef *def)
{
    const Body *own = &bodies->bodies[body];
    if (def->joins)
        return false;
    if (own->format == IMP_FORMAT_GLTF ||
        (own->format == IMP_FORMAT_BY_NAME && impi_file_is_scene(own->path)))
        return true;
    bool is_alone = (body == 0 || bodies->bodies[body - 1].file != own->file) &&
                    (body + 1 == bodies->count || bodies->bodies[body + 1].file != own->file);
    return def->solids && !is_alone;
}

// The error is in the context, but for that of memory.
static imp_Status name_bodies(Bodies *bodies, const BodiesDef *def)
{
    impi_BodySource *sources = calloc(bodies->count + 1, sizeof *sources);
    if (!sources)
        return IMP_STATUS_OUT_OF_MEMORY;
    for (size_t i = 0; i < bodies->count; ++i)
        sources[i] = (impi_BodySource){bodies->bodies[i].path,
                                       is_part(bodies, i, def) ? bodies->stills[i].name : NULL};
    imp_Status status = impi_body_names_create(bodies->context, sources, bodies->count, &bodies->names);
    free(sources);
    for (size_t i = 0; status == IMP_STATUS_OK && i < bodies->count; ++i) {
        bodies->stills[i].name = impi_body_name(bodies->names, i);
        bodies->stills[i].path = bodies->bodies[i].path;
    }
    return status;
}

static CommandResult say_status(const Bodies *bodies, imp_Status status)
{
    return status == IMP_STATUS_OK              ? COMMAND_DONE
           : status == IMP_STATUS_OUT_OF_MEMORY ? command_fail("out of memory")
                                                : command_fail_in(bodies->context);
}

// ---- all together

static CommandResult read_files(Bodies *bodies, const BodiesDef *def, const size_t *sources,
                                impi_Progress *progress)
{
    for (size_t i = 0; i < bodies->files.count; ++i) {
        impi_progress_set(progress, "loading", i, bodies->files.count);
        bodies->reason[0] = 0;
        imp_Status status = read_file(bodies, i, sources[i], def);
        if (status == IMP_STATUS_OK)
            continue;
        const char *reason = status == IMP_STATUS_OUT_OF_MEMORY ? imp_status_name(status)
                             : bodies->reason[0]                ? bodies->reason
                                                 : imp_context_get_error(bodies->context)->message;
        if (status == IMP_STATUS_OUT_OF_MEMORY)
            return command_fail("%s", reason);
        if (input_files_leave_out(&bodies->files, reason) != COMMAND_DONE)
            return COMMAND_FAILED;
    }
    return COMMAND_DONE;
}

CommandResult bodies_load(imp_Context *context, const char *const *arguments, size_t argument_count,
                          const BodiesDef *def, Bodies *bodies)
{
    *bodies = (Bodies){.context = context};
    if (input_files_list(arguments, argument_count, def->keeps_going, &bodies->files) != COMMAND_DONE)
        return COMMAND_FAILED;
    bodies->scenes = calloc(bodies->files.count + 1, sizeof(imp_Scene *));
    size_t *sources = find_sources(&bodies->files);
    if (!bodies->scenes || !sources) {
        free(sources);
        return command_fail("out of memory");
    }
    impi_Progress *progress = impi_progress_begin();
    command_show_progress(context, progress);
    CommandResult result = read_files(bodies, def, sources, progress);
    command_show_progress(context, NULL);
    impi_progress_end(progress);
    free(sources);
    if (result == COMMAND_DONE && bodies->count == 0)
        result = command_fail("nothing can be read: %s", bodies->files.first_left_out);
    return result == COMMAND_DONE ? say_status(bodies, name_bodies(bodies, def)) : result;
}

imp_Status bodies_list_far(imp_Context *context, const FarBody *list, size_t count, Bodies *bodies)
{
    const BodiesDef def = {.joins = true};
    *bodies = (Bodies){.context = context};
    for (size_t i = 0; i < count; ++i) {
        if (!make_room(bodies))
            return IMP_STATUS_OUT_OF_MEMORY;
        bodies->stills[i] = (impi_StillBody){.far_mesh = list[i].mesh, .pose = list[i].pose};
        bodies->bodies[i] = (Body){.path = list[i].path, .file = i};
        ++bodies->count;
    }
    return name_bodies(bodies, &def);
}

CommandResult bodies_find(const Bodies *bodies, const char *option, const char *text, impi_BodyList *found)
{
    impi_Place place = IMPI_NO_PLACE;
    place.file = option;
    if (impi_body_names_find(bodies->context, bodies->names, place, text, found) != IMP_STATUS_OK)
        return command_fail_in(bodies->context);
    if (found->count > 0)
        return COMMAND_DONE;
    if (text[strspn(text, "0123456789")] == 0)
        return command_fail("%s %s: there is no such body; the last one is %zu, counting from 0", option,
                            text, bodies->count - 1);
    const char *nearest = impi_body_names_suggest(bodies->names, text);
    if (nearest)
        return command_fail("%s: no body is named '%s'; did you mean '%s'?", option, text, nearest);
    return command_fail("%s: no body is named '%s'", option, text);
}

// ---- hulls

static int compare_meshes(const void *left, const void *right)
{
    const impi_StillBody *const *a = left, *const *b = right;
    uintptr_t mesh_a = (uintptr_t)(*a)->mesh, mesh_b = (uintptr_t)(*b)->mesh;
    return mesh_a != mesh_b ? (mesh_a > mesh_b) - (mesh_a < mesh_b) : (*a > *b) - (*a < *b);
}

static imp_Status make_hull(imp_Context *context, const imp_Mesh *mesh, imp_Convex **convex)
{
    imp_ConvexDef def = {.points = &imp_mesh_get_vertices(mesh)->x,
                         .point_count = imp_mesh_get_vertex_count(mesh)};
    return imp_convex_create(context, &def, convex);
}

static void put_hull(impi_StillBody *body, imp_Convex *convex)
{
    imp_mesh_release(body->mesh);
    body->convex = convex;
    body->mesh = imp_mesh_retain(imp_convex_get_mesh(convex));
}

// Bodies that share a mesh share its hull.
CommandResult bodies_take_hulls(Bodies *bodies)
{
    impi_StillBody **sorted = calloc(bodies->count + 1, sizeof(impi_StillBody *));
    CommandResult result = COMMAND_DONE;
    if (!sorted)
        return command_fail("out of memory");
    for (size_t i = 0; i < bodies->count; ++i)
        sorted[i] = &bodies->stills[i];
    qsort(sorted, bodies->count, sizeof *sorted, compare_meshes);
    for (size_t i = 0, end; result == COMMAND_DONE && i < bodies->count; i = end) {
        const imp_Mesh *mesh = sorted[i]->mesh;
        imp_Convex *convex = NULL;
        if (make_hull(bodies->context, mesh, &convex) != IMP_STATUS_OK) {
            result = command_fail("%s: %s", sorted[i]->path, imp_context_get_error(bodies->context)->message);
            break;
        }
        for (end = i; end < bodies->count && sorted[end]->mesh == mesh; ++end)
            if (end > i)
                imp_convex_retain(convex);
        for (size_t k = i; k < end; ++k)
            put_hull(sorted[k], convex);
    }
    free(sorted);
    return result;
}

// ---- poses

CommandResult bodies_load_poses(const Bodies *bodies, const char *path, impi_PoseTable **table)
{
    imp_Pose *base = calloc(bodies->count + 1, sizeof *base);
    char remark[MAX_REMARK];
    if (!base)
        return command_fail("out of memory");
    for (size_t i = 0; i < bodies->count; ++i)
        base[i] = bodies->stills[i].pose;
    imp_Status status = impi_pose_table_load(bodies->context, path, bodies->names, base, table);
    free(base);
    if (status != IMP_STATUS_OK)
        return command_fail_in(bodies->context);
    snprintf(remark, sizeof remark, "rotations that were off by rounding, and were made right: %zu",
             (*table)->normalised_count);
    if ((*table)->normalised_count > 0)
        command_remark(path, remark);
    return COMMAND_DONE;
}

void bodies_free(Bodies *bodies)
{
    impi_body_names_destroy(bodies->names);
    for (size_t i = 0; i < bodies->count; ++i) {
        imp_mesh_release(bodies->stills[i].mesh);
        imp_convex_release(bodies->stills[i].convex);
    }
    for (size_t i = 0; bodies->scenes && i < bodies->files.count; ++i)
        imp_scene_destroy(bodies->scenes[i]);
    free(bodies->scenes);
    free(bodies->stills);
    free(bodies->bodies);
    input_files_free(&bodies->files);
    *bodies = (Bodies){0};
}
