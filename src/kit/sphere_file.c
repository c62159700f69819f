#include "kit/sphere_file.h"

#include "base/context.h"
#include "base/memory.h"
#include "io/file_bytes.h"
#include "io/json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SCHEMA_VERSION 1

static const char *const method_names[] = {[IMP_SPHERES_FIT] = "fit",
                                           [IMP_SPHERES_MEDIAL] = "medial",
                                           [IMP_SPHERES_OCTREE] = "octree",
                                           IMPI_GIVEN_METHOD};

#define METHOD_NAME_COUNT (sizeof method_names / sizeof *method_names)

const char *impi_sphere_method_name(size_t index)
{
    return index < METHOD_NAME_COUNT ? method_names[index] : NULL;
}

const char *impi_sphere_cover_name(imp_SphereCover cover)
{
    return cover == IMP_COVER_SOLID ? "solid" : "surface";
}

// ---- writing

static void put_upper(impi_JsonWriter *json, const char *key, double number)
{
    impi_json_put_key(json, key);
    impi_json_put_upper(json, number);
}

static void put_index(impi_JsonWriter *json, const char *key, uint32_t index, uint32_t none)
{
    impi_json_put_key(json, key);
    if (index == none)
        impi_json_put_null(json);
    else
        impi_json_put_integer(json, index);
}

void impi_sphere_levels_put(impi_JsonWriter *json, const imp_SphereTree *tree)
{
    imp_SphereLevel level;
    impi_json_put_key(json, "levels");
    impi_json_begin_array(json);
    for (size_t i = 0; imp_sphere_tree_get_level(tree, i, &level) == IMP_STATUS_OK; ++i) {
        impi_json_begin_object(json);
        impi_json_put_key(json, "level");
        impi_json_put_integer(json, i);
        impi_json_put_key(json, "count");
        impi_json_put_integer(json, level.count);
        put_upper(json, "largest_protrusion", level.largest_protrusion);
        put_upper(json, "mean_protrusion", level.mean_protrusion);
        put_upper(json, "largest_surface_protrusion", level.largest_surface_protrusion);
        put_upper(json, "mean_surface_protrusion", level.mean_surface_protrusion);
        impi_json_end_object(json);
    }
    impi_json_end_array(json);
}

static void put_sphere(impi_JsonWriter *json, const imp_Sphere *sphere)
{
    impi_json_begin_inline_object(json);
    impi_json_put_key(json, "level");
    impi_json_put_integer(json, sphere->level);
    put_index(json, "parent", sphere->parent, IMP_NO_SPHERE);
    impi_json_put_vector(json, "center", sphere->center);
    put_upper(json, "radius", sphere->radius);
    put_upper(json, "protrusion", sphere->protrusion);
    put_upper(json, "surface_protrusion", sphere->surface_protrusion);
    impi_json_put_vector(json, "point", sphere->point);
    put_index(json, "face", sphere->face, IMP_NO_FACE);
    impi_json_end_object(json);
}

static void put_tree(impi_JsonWriter *json, const impi_NamedSpheres *named)
{
    size_t count;
    const imp_Sphere *spheres = imp_sphere_tree_get_spheres(named->tree, &count);
    const struct {
        const char *key, *word;
    } words[] = {{"name", named->name},
                 {"file", named->file},
                 {"method", named->method},
                 {"cover", impi_sphere_cover_name(imp_sphere_tree_get_cover(named->tree))},
                 {"reading", imp_sphere_tree_is_solid(named->tree) ? "solid" : "surface"}};
    impi_json_begin_object(json);
    for (size_t i = 0; i < sizeof words / sizeof *words; ++i) {
        impi_json_put_key(json, words[i].key);
        impi_json_put_string(json, words[i].word);
    }
    impi_sphere_levels_put(json, named->tree);
    impi_json_put_key(json, "spheres");
    impi_json_begin_array(json);
    for (size_t i = 0; i < count; ++i)
        put_sphere(json, &spheres[i]);
    impi_json_end_array(json);
    impi_json_end_object(json);
}

void impi_sphere_file_put(impi_Text *text, const impi_NamedSpheres *trees, size_t count)
{
    impi_JsonWriter json = impi_json_begin_document(text, SCHEMA_VERSION);
    impi_json_put_key(&json, "trees");
    impi_json_begin_array(&json);
    for (size_t i = 0; i < count; ++i)
        put_tree(&json, &trees[i]);
    impi_json_end_array(&json);
    impi_json_end_document(&json);
}

// ---- reading

typedef struct Reader {
    impi_SphereFile *file;
    impi_Json json;
} Reader;

static imp_Status refuse(const Reader *reader, const impi_JsonValue *value, size_t index, const char *what)
{
    impi_Place place = IMPI_NO_PLACE;
    place.file = reader->file->path;
    place.byte_offset = value->begin;
    place.index = index;
    return impi_fail_at(reader->file->context, IMP_STATUS_BAD_FILE, place, "%s", what);
}

static imp_Status refuse_sphere(const Reader *reader, const impi_JsonValue *value, size_t index,
                                const char *what)
{
    char text[IMP_MAX_ERROR_MESSAGE];
    snprintf(text, sizeof text, "sphere %zu %s", index, what);
    return refuse(reader, value, index, text);
}

// The parent of the root is null.
static bool read_parent(const impi_JsonValue *value, uint32_t *parent)
{
    if (!value || (value->type != IMPI_JSON_NULL && value->type != IMPI_JSON_NUMBER))
        return false;
    bool is_index = value->type == IMPI_JSON_NUMBER && value->number >= 0 &&
                    value->number < (double)IMP_NO_SPHERE && floor(value->number) == value->number;
    *parent = is_index ? (uint32_t)value->number : IMP_NO_SPHERE;
    return is_index || value->type == IMPI_JSON_NULL;
}

static imp_Status read_sphere(const Reader *reader, const impi_JsonValue *value, size_t index,
                              imp_GivenSphere *sphere)
{
    const impi_Json *json = &reader->json;
    const impi_JsonValue *center = impi_json_member(json, value, "center");
    const impi_JsonValue *radius = impi_json_member(json, value, "radius");
    if (!center || center->type != IMPI_JSON_ARRAY || center->count != 3)
        return refuse_sphere(reader, value, index, "has no \"center\" of three numbers");
    const impi_JsonValue *item = center + 1;
    double *const coordinates[] = {&sphere->center.x, &sphere->center.y, &sphere->center.z};
    for (size_t i = 0; i < 3; ++i, item = impi_json_next(json, item)) {
        if (item->type != IMPI_JSON_NUMBER)
            return refuse_sphere(reader, item, index, "has no \"center\" of three numbers");
        *coordinates[i] = item->number;
    }
    if (!radius || radius->type != IMPI_JSON_NUMBER)
        return refuse_sphere(reader, value, index, "has no \"radius\"");
    sphere->radius = radius->number;
    if (!read_parent(impi_json_member(json, value, "parent"), &sphere->parent))
        return refuse_sphere(reader, value, index, "has no \"parent\", which is a number or null");
    return IMP_STATUS_OK;
}

static imp_Status read_spheres(const Reader *reader, const impi_JsonValue *list, impi_ReadSpheres *tree)
{
    imp_Context *context = reader->file->context;
    if (!impi_array_reserve(&context->allocator, &tree->spheres, sizeof *tree->spheres.data, list->count))
        return impi_fail_out_of_memory(context);
    const impi_JsonValue *item = list + 1;
    for (size_t i = 0; i < list->count; ++i, item = impi_json_next(&reader->json, item)) {
        imp_Status status = read_sphere(reader, item, i, &tree->spheres.data[i]);
        if (status != IMP_STATUS_OK)
            return status;
        ++tree->spheres.count;
    }
    return IMP_STATUS_OK;
}

// A file that does not say has spheres from elsewhere. Null: a word that is no method.
static const char *read_method(const impi_Json *json, const impi_JsonValue *value)
{
    for (size_t i = 0; i < METHOD_NAME_COUNT && value; ++i)
        if (impi_json_is_text(json, value, method_names[i]))
            return method_names[i];
    return value ? NULL : IMPI_GIVEN_METHOD;
}

static imp_Status read_tree(const Reader *reader, const impi_JsonValue *value, impi_ReadSpheres *tree)
{
    const impi_Json *json = &reader->json;
    imp_Context *context = reader->file->context;
    const impi_JsonValue *name = impi_json_member(json, value, "name");
    const impi_JsonValue *cover = impi_json_member(json, value, "cover");
    const impi_JsonValue *spheres = impi_json_member(json, value, "spheres");
    const impi_JsonValue *method = impi_json_member(json, value, "method");
    tree->method = read_method(json, method);
    if (!tree->method)
        return refuse(reader, method, IMP_NOWHERE,
                      "the \"method\" of a tree is not one of fit, medial, octree and given");
    if (!name || name->type != IMPI_JSON_STRING)
        return refuse(reader, value, IMP_NOWHERE, "a tree has no \"name\"");
    bool is_solid = cover && impi_json_is_text(json, cover, "solid");
    if (!is_solid && (!cover || !impi_json_is_text(json, cover, "surface")))
        return refuse(reader, cover ? cover : value, IMP_NOWHERE,
                      "a tree has no \"cover\", which is \"surface\" or \"solid\"");
    if (!spheres || spheres->type != IMPI_JSON_ARRAY)
        return refuse(reader, value, IMP_NOWHERE, "a tree has no \"spheres\"");
    tree->name = impi_allocate(&context->allocator, (size_t)name->length + 1);
    if (!tree->name)
        return impi_fail_out_of_memory(context);
    tree->name_capacity = (size_t)name->length + 1;
    impi_json_copy_text(json, name, tree->name);
    tree->cover = is_solid ? IMP_COVER_SOLID : IMP_COVER_SURFACE;
    return read_spheres(reader, spheres, tree);
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

// Two trees of one name could not be told apart.
static imp_Status check_names(const Reader *reader, const impi_JsonValue *list)
{
    const impi_SphereFile *file = reader->file;
    size_t count = file->trees.count;
    imp_Allocator allocator = file->context->allocator;
    const char **names = impi_allocate_array(&allocator, count + 1, sizeof *names);
    imp_Status status = IMP_STATUS_OK;
    if (!names)
        return impi_fail_out_of_memory(file->context);
    for (size_t i = 0; i < count; ++i)
        names[i] = file->trees.data[i].name;
    qsort(names, count, sizeof *names, compare_names);
    for (size_t i = 1; i < count && status == IMP_STATUS_OK; ++i)
        if (strcmp(names[i], names[i - 1]) == 0) {
            char text[IMP_MAX_ERROR_MESSAGE];
            snprintf(text, sizeof text, "there are two trees with the name \"%s\"", names[i]);
            status = refuse(reader, list, IMP_NOWHERE, text);
        }
    impi_release(&allocator, names, (count + 1) * sizeof *names);
    return status;
}

static imp_Status read_document(const Reader *reader)
{
    const impi_Json *json = &reader->json;
    const impi_JsonValue *root = json->values.data;
    const impi_JsonValue *version = impi_json_member(json, root, "schema_version");
    const impi_JsonValue *list = impi_json_member(json, root, "trees");
    impi_SphereFile *file = reader->file;
    if (!version || version->type != IMPI_JSON_NUMBER || !list || list->type != IMPI_JSON_ARRAY)
        return refuse(reader, root, IMP_NOWHERE,
                      "this is no file of sphere trees: it has no \"schema_version\" or no \"trees\"");
    if (version->number != SCHEMA_VERSION)
        return refuse(reader, version, IMP_NOWHERE, "sphere trees of this version can't be read");
    if (!impi_array_reserve(&file->context->allocator, &file->trees, sizeof *file->trees.data, list->count))
        return impi_fail_out_of_memory(file->context);
    const impi_JsonValue *item = list + 1;
    for (size_t i = 0; i < list->count; ++i, item = impi_json_next(json, item)) {
        impi_ReadSpheres *tree = &file->trees.data[file->trees.count++];
        *tree = (impi_ReadSpheres){0};
        imp_Status status = read_tree(reader, item, tree);
        if (status != IMP_STATUS_OK)
            return status;
    }
    return check_names(reader, list);
}

imp_Status impi_sphere_file_parse(imp_Context *context, const char *text, size_t size, const char *path,
                                  impi_SphereFile *file)
{
    *file = (impi_SphereFile){.context = context, .path = path};
    Reader reader = {.file = file};
    imp_Status status = impi_json_parse(context, path, text, size, 0, &reader.json);
    if (status != IMP_STATUS_OK)
        return status;
    status = read_document(&reader);
    impi_json_free(context, &reader.json);
    if (status != IMP_STATUS_OK)
        impi_sphere_file_free(file);
    return status;
}

imp_Status impi_sphere_file_load(imp_Context *context, const char *path, impi_SphereFile *file)
{
    impi_FileBytes bytes;
    imp_Status status = impi_file_bytes_load(context, path, NULL, &bytes);
    if (status != IMP_STATUS_OK)
        return status;
    status = impi_sphere_file_parse(context, (const char *)bytes.data, bytes.size, path, file);
    impi_file_bytes_free(context, &bytes);
    return status;
}

void impi_sphere_file_free(impi_SphereFile *file)
{
    if (!file->context)
        return;
    const imp_Allocator *allocator = &file->context->allocator;
    for (size_t i = 0; i < file->trees.count; ++i) {
        impi_ReadSpheres *tree = &file->trees.data[i];
        impi_release(allocator, tree->name, tree->name_capacity);
        impi_array_free(allocator, &tree->spheres, sizeof *tree->spheres.data);
    }
    impi_array_free(allocator, &file->trees, sizeof *file->trees.data);
}
