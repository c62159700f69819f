#include "io/mesh_file.h"

#include "io/file_bytes.h"
#include "io/file_format.h"
#include "io/format_guess.h"
#include "io/readers.h"

#include <string.h>

void impi_mesh_file_begin(imp_Context *context, const impi_FileLoad *load, impi_MeshBuilder *builder)
{
    impi_mesh_builder_init(builder, context, load->name);
    builder->path = load->path;
    builder->conversion = load->conversion;
    builder->keeps_solids = load->solids;
}

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
    case IMP_FORMAT_GLTF:
    case IMP_FORMAT_BY_NAME:
        break;
    }
    return impi_fail_format(builder->context, format);
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

static imp_Status read_window(imp_FileFormat format, impi_MeshBuilder *builder)
{
    if (builder->window.total == 0) {
        impi_Place place = IMPI_NO_PLACE;
        place.file = builder->file_name;
        return impi_fail_at(builder->context, IMP_STATUS_BAD_FILE, place, "the file is empty");
    }
    imp_Status status = read_through_window(format, builder);
    return status == IMP_STATUS_OK ? impi_mesh_builder_check(builder) : status;
}

imp_Status impi_mesh_file_read_bytes(const impi_FileLoad *load, const void *bytes, size_t size,
                                     impi_MeshBuilder *builder)
{
    impi_byte_window_init(&builder->window, builder->context, bytes, size);
    imp_Status status = read_window(load->format, builder);
    return impi_explain_refusal(builder->context, load->name, load->format, status, bytes, size, size);
}

// Text has no zero bytes.
static imp_Status check_start_of_text(imp_Context *context, const char *name, const unsigned char *bytes,
                                      size_t size, imp_FileFormat format)
{
    const unsigned char *zero = size ? memchr(bytes, 0, size) : NULL;
    if (!zero)
        return IMP_STATUS_OK;
    impi_Place place = IMPI_NO_PLACE;
    place.file = name;
    place.byte_offset = (uint64_t)(zero - bytes);
    imp_Status status =
        impi_fail_at(context, IMP_STATUS_BAD_FILE, place, "it is no text: there is a zero byte");
    return impi_explain_refusal(context, name, format, status, bytes, size, 0);
}

static imp_Status check_start_of_obj(imp_Context *context, const char *name, const unsigned char *bytes,
                                     size_t size)
{
    return check_start_of_text(context, name, bytes, size, IMP_FORMAT_OBJ);
}

static imp_Status check_start_of_off(imp_Context *context, const char *name, const unsigned char *bytes,
                                     size_t size)
{
    return check_start_of_text(context, name, bytes, size, IMP_FORMAT_OFF);
}

// What has no size may have no end either, so that its beginning is looked at first.
static imp_Status read_stream(const impi_FileLoad *load, impi_FileSource *source, impi_MeshBuilder *builder)
{
    impi_FileStartFn check = load->format == IMP_FORMAT_OBJ   ? check_start_of_obj
                             : load->format == IMP_FORMAT_OFF ? check_start_of_off
                                                              : NULL;
    impi_FileBytes file;
    imp_Status status = impi_file_bytes_read(source, SIZE_MAX, check, &file);
    if (status != IMP_STATUS_OK)
        return status;
    status = impi_mesh_file_read_bytes(load, file.data, file.size, builder);
    impi_file_bytes_free(builder->context, &file);
    return status;
}

static imp_Status read_file(const impi_FileLoad *load, impi_MeshBuilder *builder)
{
    impi_FileSource source;
    imp_Status status = impi_file_source_open(builder->context, load->path, load->name, &source);
    if (status != IMP_STATUS_OK)
        return status;
    if (source.has_size) {
        status = impi_byte_window_open(&builder->window, &source);
        if (status == IMP_STATUS_OK) {
            status = read_window(load->format, builder);
            impi_byte_window_free(&builder->window);
        }
        status = impi_explain_source_refusal(&source, load->format, status);
    } else {
        status = read_stream(load, &source, builder);
    }
    impi_file_source_close(&source);
    return status;
}

imp_Status impi_mesh_file_read(const impi_FileLoad *load, impi_MeshBuilder *builder)
{
    // The bytes of glTF may stand in several files, and those of assimp's formats too.
    if (load->format == IMP_FORMAT_GLTF)
        return impi_read_gltf(builder);
    return load->format == IMP_FORMAT_BY_NAME ? impi_read_assimp(builder) : read_file(load, builder);
}
