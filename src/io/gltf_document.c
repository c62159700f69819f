#include "io/gltf_document.h"

#include "io/format_guess.h"
#include "io/gltf_accessor.h"
#include "io/gltf_buffers.h"
#include "io/gltf_meshes.h"
#include "io/gltf_nodes.h"
#include "io/gltf_numbers.h"

#include <string.h>

// Extensions that say nothing about shapes and motion.
static bool is_harmless(const char *extension)
{
    static const char *const beginnings[] = {"KHR_materials_", "KHR_texture_", "EXT_texture_",
                                             "KHR_lights_",    "EXT_lights_",  "KHR_xmp"};
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; ++i)
        if (strncmp(extension, beginnings[i], strlen(beginnings[i])) == 0)
            return true;
    return false;
}

static void check_extensions(impi_GltfReader *reader)
{
    const impi_JsonValue *root = reader->gltf->json.values.data;
    uint32_t count;
    const impi_JsonValue *item = impi_gltf_array(reader, root, "extensionsRequired", &count);
    for (uint32_t i = 0; i < count; ++i) {
        item = i == 0 ? item + 1 : impi_json_next(&reader->gltf->json, item);
        char *name = impi_gltf_allocate(reader, (size_t)item->length + 1, 1);
        if (!name)
            return;
        if (item->type == IMPI_JSON_STRING)
            impi_json_copy_text(&reader->gltf->json, item, name);
        if (!is_harmless(name))
            impi_gltf_fail(reader, IMP_STATUS_UNSUPPORTED, item, "it needs the extension '%s'", name);
    }
}

static void check_version(impi_GltfReader *reader)
{
    const impi_Json *json = &reader->gltf->json;
    const impi_JsonValue *root = json->values.data;
    const impi_JsonValue *version = impi_json_member(json, impi_json_member(json, root, "asset"), "version");
    if (root->type != IMPI_JSON_OBJECT || !version || version->type != IMPI_JSON_STRING)
        impi_gltf_fail(reader, IMP_STATUS_BAD_FILE, version,
                       "it is no glTF: there is no asset with a version");
    else if (version->length < 2 || memcmp(json->text + version->begin, "2.", 2) != 0)
        impi_gltf_fail(reader, IMP_STATUS_UNSUPPORTED, version, "only version 2 of glTF can be read");
}

static imp_Status read_document(impi_GltfReader *reader, const unsigned char *bytes, size_t size)
{
    impi_Gltf *gltf = reader->gltf;
    size_t json_offset = 0, json_size = 0;
    imp_Status status = impi_gltf_split(gltf, bytes, size, &json_offset, &json_size);
    if (status == IMP_STATUS_OK)
        status = impi_json_parse(gltf->context, gltf->file_name, (const char *)bytes + json_offset, json_size,
                                 json_offset, &gltf->json);
    if (status != IMP_STATUS_OK)
        return status;
    static void (*const steps[])(impi_GltfReader *) = {
        check_version,
        check_extensions,
        impi_gltf_read_buffers,
        impi_gltf_read_views,
        impi_gltf_read_accessors,
        impi_gltf_read_meshes,
        impi_gltf_read_nodes,
        impi_gltf_read_skins,
        impi_gltf_check_skinning,
        impi_gltf_read_animations,
        impi_gltf_check_numbers,
    };
    for (size_t i = 0; i < sizeof steps / sizeof *steps && reader->status == IMP_STATUS_OK; ++i)
        steps[i](reader);
    return reader->status;
}

static void init(impi_Gltf *gltf, imp_Context *context, const char *file_name)
{
    *gltf = (impi_Gltf){.context = context, .file_name = file_name};
    impi_arena_init(&gltf->arena, &context->allocator);
}

// What begins neither with "glTF" nor as JSON may be of any length.
static imp_Status check_start(imp_Context *context, const char *name, const unsigned char *bytes, size_t size)
{
    static const char blanks[] = " \t\r\n";
    size_t at = size >= 3 && memcmp(bytes, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    while (at < size && bytes[at] && strchr(blanks, bytes[at]))
        ++at;
    if (at == size || bytes[at] == '{' || bytes[at] == '[' ||
        (at == 0 && size >= 4 && memcmp(bytes, "glTF", 4) == 0))
        return IMP_STATUS_OK;
    impi_Place place = IMPI_NO_PLACE;
    place.file = name;
    place.byte_offset = at;
    imp_Status status =
        impi_fail_at(context, IMP_STATUS_BAD_FILE, place,
                     "it is no glTF: expected an object of JSON, or glTF as its first letters");
    return impi_explain_refusal(context, name, IMP_FORMAT_GLTF, status, bytes, size, 0);
}

static imp_Status load_bytes(imp_Context *context, const char *path, const char *name, impi_FileBytes *file)
{
    impi_FileSource source;
    imp_Status status = impi_file_source_open(context, path, name, &source);
    if (status != IMP_STATUS_OK)
        return status;
    status = impi_file_bytes_read(&source, SIZE_MAX, check_start, file);
    status = impi_explain_source_refusal(&source, IMP_FORMAT_GLTF, status);
    impi_file_source_close(&source);
    return status;
}

imp_Status impi_gltf_open(imp_Context *context, const char *path, const char *name, impi_Gltf *gltf)
{
    init(gltf, context, name);
    gltf->path = path;
    impi_GltfReader reader = {.gltf = gltf, .may_open_files = true};
    imp_Status status = load_bytes(context, path, name, &gltf->file);
    if (status != IMP_STATUS_OK)
        return status;
    gltf->bytes_read = gltf->file.size;
    status = read_document(&reader, gltf->file.data, gltf->file.size);
    if (status != IMP_STATUS_OK)
        impi_gltf_close(gltf);
    return status;
}

imp_Status impi_gltf_open_memory(imp_Context *context, const char *name, const void *bytes, size_t size,
                                 impi_Gltf *gltf)
{
    init(gltf, context, name);
    impi_GltfReader reader = {.gltf = gltf};
    imp_Status status = read_document(&reader, bytes, size);
    if (status != IMP_STATUS_OK)
        impi_gltf_close(gltf);
    return status;
}

void impi_gltf_close(impi_Gltf *gltf)
{
    impi_gltf_close_buffers(gltf);
    impi_json_free(gltf->context, &gltf->json);
    impi_file_bytes_free(gltf->context, &gltf->file);
    impi_arena_destroy(&gltf->arena);
}

imp_Status impi_gltf_fail_transforms(const impi_Gltf *gltf)
{
    impi_Place place = IMPI_NO_PLACE;
    place.file = gltf->file_name;
    return impi_fail_at(gltf->context, IMP_STATUS_BAD_FILE, place,
                        "its transforms and weights make a coordinate that is not finite");
}
