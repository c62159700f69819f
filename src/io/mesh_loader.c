#include "base/scratch_call.h"
#include "io/file_bytes.h"
#include "io/file_format.h"
#include "io/readers.h"

#include <impinge/io.h>

#include <string.h>

static imp_Status read_native(imp_FileFormat format, impi_MeshBuilder *builder)
{
    switch (format) {
    case IMP_FORMAT_OBJ:
        return impi_read_obj(builder);
    case IMP_FORMAT_STL:
        return impi_read_stl(builder);
    case IMP_FORMAT_PLY:
        return impi_read_ply(builder);
    case IMP_FORMAT_OFF:
        return impi_read_off(builder);
    case IMP_FORMAT_BY_NAME:
        break;
    }
    return impi_fail(builder->context, IMP_STATUS_BAD_ARGUMENT, IMP_NOWHERE, "there is no file format %d",
                     (int)format);
}

// A record that goes beyond the window, a very long line, takes a wider one.
static imp_Status read_through_window(imp_FileFormat format, impi_MeshBuilder *builder)
{
    impi_ByteWindow *window = &builder->window;
    const imp_Error earlier = builder->context->error;
    imp_Status status = read_native(format, builder);
    while (status != IMP_STATUS_OK && window->is_short) {
        builder->context->error = earlier;
        impi_mesh_builder_restart(builder);
        status = impi_byte_window_widen(window);
        if (status == IMP_STATUS_OK)
            status = read_native(format, builder);
    }
    return status;
}

// Finish or free what was read with `status`.
static imp_Status finish(impi_MeshBuilder *builder, imp_Status status, imp_Mesh **mesh)
{
    if (status == IMP_STATUS_OK)
        status = impi_mesh_builder_finish(builder, mesh);
    impi_mesh_builder_free(builder);
    return status;
}

static imp_Status load_window(impi_MeshBuilder *builder, imp_FileFormat format, imp_Mesh **mesh)
{
    imp_Status status;
    if (builder->window.total == 0) {
        impi_Place place = IMPI_NO_PLACE;
        place.file = builder->file_name;
        status = impi_fail_at(builder->context, IMP_STATUS_BAD_FILE, place, "the file is empty");
    } else {
        status = read_through_window(format, builder);
    }
    return finish(builder, status, mesh);
}

static imp_Status load_bytes(impi_MeshBuilder *builder, imp_FileFormat format, const void *bytes, size_t size,
                             imp_Mesh **mesh)
{
    impi_byte_window_init(&builder->window, builder->context, bytes, size);
    return load_window(builder, format, mesh);
}

// Text has no zero bytes.
static imp_Status check_start_of_text(imp_Context *context, const char *path, const unsigned char *bytes,
                                      size_t size)
{
    const unsigned char *zero = size ? memchr(bytes, 0, size) : NULL;
    if (!zero)
        return IMP_STATUS_OK;
    impi_Place place = IMPI_NO_PLACE;
    place.file = path;
    place.byte_offset = (uint64_t)(zero - bytes);
    return impi_fail_at(context, IMP_STATUS_BAD_FILE, place, "it is no text: there is a zero byte");
}

// What has no size may have no end either, so that its beginning is looked at first.
static imp_Status load_stream(impi_MeshBuilder *builder, imp_FileFormat format, impi_FileSource *source,
                              imp_Mesh **mesh)
{
    bool is_text = format == IMP_FORMAT_OBJ || format == IMP_FORMAT_OFF;
    impi_FileBytes file;
    imp_Status status = impi_file_bytes_read(source, SIZE_MAX, is_text ? check_start_of_text : NULL, &file);
    if (status != IMP_STATUS_OK)
        return status;
    status = load_bytes(builder, format, file.data, file.size, mesh);
    impi_file_bytes_free(builder->context, &file);
    return status;
}

static imp_Status load_file(impi_MeshBuilder *builder, imp_FileFormat format, imp_Mesh **mesh)
{
    impi_FileSource source;
    imp_Status status = impi_file_source_open(builder->context, builder->file_name, &source);
    if (status != IMP_STATUS_OK)
        return status;
    if (source.has_size) {
        status = impi_byte_window_open(&builder->window, &source);
        if (status == IMP_STATUS_OK) {
            status = load_window(builder, format, mesh);
            impi_byte_window_free(&builder->window);
        }
    } else {
        status = load_stream(builder, format, &source, mesh);
    }
    impi_file_source_close(&source);
    return status;
}

// glTF, whose bytes may stand in several files, and what is not ours.
static imp_Status load_other(impi_MeshBuilder *builder, imp_Mesh **mesh)
{
    bool is_gltf = impi_file_is_gltf(builder->file_name);
    imp_Status status = is_gltf ? impi_read_gltf(builder) : impi_read_assimp(builder);
    return finish(builder, status, mesh);
}

imp_Status imp_mesh_load(imp_Context *context, const char *path, imp_Mesh **mesh)
{
    imp_Status status = impi_context_check(context);
    if (status != IMP_STATUS_OK)
        return status;
    if (!path || !mesh)
        return impi_fail(context, IMP_STATUS_BAD_ARGUMENT, IMP_NOWHERE,
                         "imp_mesh_load needs a context, a path and room for the mesh");
    imp_FileFormat format = impi_file_format(path);
    impi_MeshBuilder builder;
    impi_FloatGuard guard = impi_scratch_call_begin(context);
    impi_mesh_builder_init(&builder, context, path);
    status = format == IMP_FORMAT_BY_NAME ? load_other(&builder, mesh) : load_file(&builder, format, mesh);
    return impi_scratch_call_end(context, guard, status);
}

imp_Status imp_mesh_load_memory(imp_Context *context, imp_FileFormat format, const void *bytes, size_t size,
                                const char *name, imp_Mesh **mesh)
{
    imp_Status status = impi_context_check(context);
    if (status != IMP_STATUS_OK)
        return status;
    if (!name || !mesh || (!bytes && size > 0))
        return impi_fail(context, IMP_STATUS_BAD_ARGUMENT, IMP_NOWHERE,
                         "imp_mesh_load_memory needs a context, bytes, a name and room for the mesh");
    if (format == IMP_FORMAT_BY_NAME)
        format = impi_file_format(name);
    if (format == IMP_FORMAT_BY_NAME) {
        impi_Place place = IMPI_NO_PLACE;
        place.file = name;
        return impi_fail_at(context, IMP_STATUS_UNSUPPORTED, place,
                            "only OBJ, STL, PLY and OFF can be read from memory");
    }
    impi_MeshBuilder builder;
    impi_FloatGuard guard = impi_scratch_call_begin(context);
    impi_mesh_builder_init(&builder, context, name);
    status = load_bytes(&builder, format, bytes, size, mesh);
    return impi_scratch_call_end(context, guard, status);
}
