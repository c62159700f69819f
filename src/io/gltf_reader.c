#include "io/gltf_reader.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define MAX_COMPLAINT 256

void impi_gltf_fail(impi_GltfReader *reader, imp_Status status, const impi_JsonValue *value,
                    const char *format, ...)
{
    if (reader->status != IMP_STATUS_OK)
        return;
    const impi_Gltf *gltf = reader->gltf;
    impi_Place place = IMPI_NO_PLACE;
    place.file = gltf->file_name;
    if (value)
        place.byte_offset = gltf->json.text_offset + value->begin;
    char complaint[MAX_COMPLAINT];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(complaint, sizeof complaint, format, arguments);
    va_end(arguments);
    if (reader->what)
        reader->status = impi_fail_at(gltf->context, status, place, "%s %u: %s", reader->what,
                                      (unsigned)reader->number, complaint);
    else
        reader->status = impi_fail_at(gltf->context, status, place, "%s", complaint);
}

bool impi_gltf_goes_on(impi_GltfReader *reader, uint64_t number_count)
{
    imp_Context *context = reader->gltf->context;
    if (!impi_watch_step(&context->watch, number_count) && reader->status == IMP_STATUS_OK)
        reader->status = impi_watch_status(context);
    return reader->status == IMP_STATUS_OK;
}

void *impi_gltf_allocate(impi_GltfReader *reader, size_t count, size_t size)
{
    if (reader->status != IMP_STATUS_OK)
        return NULL;
    void *storage = impi_arena_allocate_array(&reader->gltf->arena, count, size);
    if (!storage)
        reader->status = impi_fail_out_of_memory(reader->gltf->context);
    else
        memset(storage, 0, count * size);
    return storage;
}

const impi_JsonValue *impi_gltf_array(impi_GltfReader *reader, const impi_JsonValue *object, const char *key,
                                      uint32_t *count)
{
    const impi_JsonValue *array = impi_json_member(&reader->gltf->json, object, key);
    *count = 0;
    if (!array)
        return NULL;
    if (array->type != IMPI_JSON_ARRAY) {
        impi_gltf_fail(reader, IMP_STATUS_BAD_FILE, array, "%s is no array", key);
        return NULL;
    }
    *count = array->count;
    return array;
}

void *impi_gltf_make_items(impi_GltfReader *reader, const char *key, size_t size, uint32_t *count)
{
    impi_gltf_array(reader, reader->gltf->json.values.data, key, count);
    void *items = impi_gltf_allocate(reader, *count, size);
    if (!items)
        *count = 0;
    return items;
}

void impi_gltf_read_items(impi_GltfReader *reader, const char *key, const char *what,
                          void (*read)(impi_GltfReader *reader, const impi_JsonValue *object))
{
    const impi_Json *json = &reader->gltf->json;
    uint32_t count;
    const impi_JsonValue *item = impi_gltf_array(reader, json->values.data, key, &count);
    reader->what = what;
    for (uint32_t i = 0; i < count && reader->status == IMP_STATUS_OK; ++i) {
        item = i == 0 ? item + 1 : impi_json_next(json, item);
        reader->number = i;
        read(reader, item);
    }
    reader->what = NULL;
}

static bool to_integer(const impi_JsonValue *value, uint64_t max, uint64_t *integer)
{
    if (value->type != IMPI_JSON_NUMBER || !(value->number >= 0 && value->number <= (double)max) ||
        value->number != (double)(uint64_t)value->number)
        return false;
    *integer = (uint64_t)value->number;
    return true;
}

uint64_t impi_gltf_integer(impi_GltfReader *reader, const impi_JsonValue *object, const char *key,
                           uint64_t max, uint64_t absent)
{
    const impi_JsonValue *value = impi_json_member(&reader->gltf->json, object, key);
    uint64_t integer = absent;
    if (value && !to_integer(value, max, &integer))
        impi_gltf_fail(reader, IMP_STATUS_BAD_FILE, value, "%s is no whole number from 0 to %llu", key,
                       (unsigned long long)max);
    return integer;
}

static uint32_t to_index(impi_GltfReader *reader, const impi_JsonValue *value, const char *key,
                         const char *kind, uint32_t count)
{
    uint64_t index;
    if (count > 0 && to_integer(value, count - 1, &index))
        return (uint32_t)index;
    impi_gltf_fail(reader, IMP_STATUS_BAD_FILE, value, "%s names no %s; there are %u", key, kind,
                   (unsigned)count);
    return IMPI_GLTF_NONE;
}

uint32_t impi_gltf_index(impi_GltfReader *reader, const impi_JsonValue *object, const char *key,
                         const char *kind, uint32_t count)
{
    const impi_JsonValue *value = impi_json_member(&reader->gltf->json, object, key);
    return value ? to_index(reader, value, key, kind, count) : IMPI_GLTF_NONE;
}

uint32_t impi_gltf_needed_index(impi_GltfReader *reader, const impi_JsonValue *object, const char *key,
                                const char *kind, uint32_t count)
{
    if (!impi_json_member(&reader->gltf->json, object, key))
        impi_gltf_fail(reader, IMP_STATUS_BAD_FILE, object, "it has no %s", key);
    return impi_gltf_index(reader, object, key, kind, count);
}

uint32_t *impi_gltf_indices(impi_GltfReader *reader, const impi_JsonValue *object, const char *key,
                            const char *kind, uint32_t limit, uint32_t *count)
{
    const impi_JsonValue *array = impi_gltf_array(reader, object, key, count);
    uint32_t *indices = impi_gltf_allocate(reader, *count, sizeof *indices);
    if (!array || !indices)
        return indices;
    const impi_JsonValue *item = array + 1;
    for (uint32_t i = 0; i < *count; ++i, item = impi_json_next(&reader->gltf->json, item))
        indices[i] = to_index(reader, item, key, kind, limit);
    return indices;
}

bool impi_gltf_numbers(impi_GltfReader *reader, const impi_JsonValue *object, const char *key, size_t count,
                       double *numbers)
{
    uint32_t length;
    const impi_JsonValue *array = impi_gltf_array(reader, object, key, &length);
    if (!array)
        return false;
    if (length != count) {
        impi_gltf_fail(reader, IMP_STATUS_BAD_FILE, array, "%s has %u numbers instead of %zu", key,
                       (unsigned)length, count);
        return true;
    }
    const impi_JsonValue *item = array + 1;
    for (size_t i = 0; i < count; ++i, item = impi_json_next(&reader->gltf->json, item)) {
        if (item->type != IMPI_JSON_NUMBER)
            impi_gltf_fail(reader, IMP_STATUS_BAD_FILE, item, "%s holds something that is no number", key);
        numbers[i] = item->number;
    }
    return true;
}
