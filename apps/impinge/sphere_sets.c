#include "sphere_sets.h"

#include "kit/stopwatch.h"

#include <stdlib.h>
#include <string.h>

// The same file twice would be two sets of one name.
static CommandResult check_names(const SphereSets *sets)
{
    for (size_t i = 0; i < sets->count; ++i)
        for (size_t k = 0; k < i; ++k)
            if (strcmp(sets->sets[i].name, sets->sets[k].name) == 0)
                return command_fail("%s is there twice; each mesh has one set of spheres",
                                    sets->sets[i].path);
    return COMMAND_DONE;
}

CommandResult sphere_sets_list(imp_Context *context, const char *const *arguments, size_t count,
                               SphereSets *sets)
{
    *sets = (SphereSets){.context = context};
    if (input_files_list(arguments, count, false, &sets->files) != COMMAND_DONE)
        return COMMAND_FAILED;
    sets->count = sets->files.count;
    sets->sets = calloc(sets->count + 1, sizeof *sets->sets);
    impi_BodySource *sources = calloc(sets->count + 1, sizeof *sources);
    if (!sets->sets || !sources) {
        free(sources);
        return command_fail("out of memory");
    }
    for (size_t i = 0; i < sets->count; ++i)
        sources[i].path = sets->sets[i].path = sets->files.paths[i];
    imp_Status status = impi_body_names_create(context, sources, sets->count, &sets->names);
    free(sources);
    if (status != IMP_STATUS_OK)
        return command_fail_in(context);
    for (size_t i = 0; i < sets->count; ++i)
        sets->sets[i].name = impi_body_name(sets->names, i);
    return check_names(sets);
}

void sphere_sets_free(SphereSets *sets)
{
    for (size_t i = 0; i < sets->count && sets->sets; ++i) {
        imp_mesh_release(sets->sets[i].mesh);
        imp_sphere_tree_release(sets->sets[i].tree);
    }
    free(sets->sets);
    impi_body_names_destroy(sets->names);
    input_files_free(&sets->files);
    *sets = (SphereSets){0};
}

// The spheres of a file that are meant for a mesh: those of its name, or the only ones for the only mesh.
static const impi_ReadSpheres *find_spheres(const SphereSets *sets, const SphereSet *set,
                                            const impi_SphereFile *file)
{
    if (sets->count == 1 && file->trees.count == 1)
        return file->trees.data;
    for (size_t i = 0; i < file->trees.count; ++i)
        if (strcmp(file->trees.data[i].name, set->name) == 0)
            return &file->trees.data[i];
    return NULL;
}

static imp_Status make_given(imp_Context *context, imp_Mesh *mesh, const impi_ReadSpheres *read,
                             imp_SphereTree **tree)
{
    imp_GivenSpheresDef def = {
        .mesh = mesh, .cover = read->cover, .spheres = read->spheres.data, .count = read->spheres.count};
    return imp_sphere_tree_create_from_spheres(context, &def, tree);
}

// What can be wrong with files is found before the first tree is made, which may take long.
static CommandResult load_set(SphereSets *sets, const impi_SphereFile *file, SphereSet *set)
{
    if (file && !find_spheres(sets, set, file))
        return command_fail("%s: there is no tree with the name \"%s\" for %s", file->path, set->name,
                            set->path);
    set->mesh = command_load_mesh(sets->context, set->path);
    return set->mesh ? COMMAND_DONE : COMMAND_FAILED;
}

// `file` is null where spheres are made.
static CommandResult make_set(SphereSets *sets, const SphereSetsDef *def, const impi_SphereFile *file,
                              SphereSet *set)
{
    imp_SphereTreeDef tree_def = def->tree;
    const impi_ReadSpheres *read = file ? find_spheres(sets, set, file) : NULL;
    tree_def.mesh = set->mesh;
    set->method = read ? read->method : impi_sphere_method_name(tree_def.method);
    impi_Stopwatch watch = impi_stopwatch_start();
    imp_Status status = read ? make_given(sets->context, set->mesh, read, &set->tree)
                             : imp_sphere_tree_create(sets->context, &tree_def, &set->tree);
    set->seconds = (double)impi_stopwatch_ns(&watch) * 1e-9;
    imp_mesh_release(set->mesh);
    set->mesh = NULL;
    if (status != IMP_STATUS_OK)
        return command_fail("%s: %s%s%s", set->path, file ? file->path : "", file ? ": " : "",
                            imp_context_get_error(sets->context)->message);
    return COMMAND_DONE;
}

CommandResult sphere_sets_make(SphereSets *sets, const SphereSetsDef *def)
{
    impi_SphereFile file = {0};
    const impi_SphereFile *from = def->from_path ? &file : NULL;
    CommandResult result = COMMAND_DONE;
    if (from && impi_sphere_file_load(sets->context, def->from_path, &file) != IMP_STATUS_OK)
        return command_fail_in(sets->context);
    impi_Progress *progress = impi_progress_begin();
    command_show_progress(sets->context, progress);
    for (size_t i = 0; i < sets->count && result == COMMAND_DONE; ++i)
        result = load_set(sets, from, &sets->sets[i]);
    for (size_t i = 0; i < sets->count && result == COMMAND_DONE; ++i) {
        impi_progress_set(progress, sets->sets[i].path, i, sets->count);
        result = make_set(sets, def, from, &sets->sets[i]);
    }
    command_show_progress(sets->context, NULL);
    impi_progress_end(progress);
    impi_sphere_file_free(&file);
    return result;
}
