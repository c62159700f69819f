#include "base/float_guard.h"
#include "io/file_format.h"
#include "io/readers.h"

#include <impinge/io.h>

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

// Finish or free what was read with `status`.
static imp_Status finish(impi_MeshBuilder *builder, imp_Status status, imp_Mesh **mesh)
{
    if (status == IMP_STATUS_OK)
        status = impi_mesh_builder_finish(builder, mesh);
    impi_mesh_builder_free(builder);
    return status;
}

static imp_Status load_bytes(impi_MeshBuilder *builder, imp_FileFormat format, imp_Mesh **mesh)
{
    imp_Status status;
    impi_FloatGuard guard = impi_float_guard_enter();
    if (builder->size == 0) {
        impi_Place place = IMPI_NO_PLACE;
        place.file = builder->file_name;
        status = impi_fail_at(builder->context, IMP_STATUS_BAD_FILE, place, "the file is empty");
    } else {
        status = read_native(format, builder);
    }
    status = finish(builder, status, mesh);
    impi_float_guard_leave(guard);
    return status;
}

static imp_Status load_native(imp_Context *context, imp_FileFormat format, const char *path, imp_Mesh **mesh)
{
    impi_FileBytes file;
    imp_Status status = impi_file_bytes_open(context, path, &file);
    if (status != IMP_STATUS_OK)
        return status;
    impi_MeshBuilder builder;
    impi_mesh_builder_init(&builder, context, path);
    builder.bytes = file.data;
    builder.size = file.size;
    builder.file = &file;
    status = load_bytes(&builder, format, mesh);
    impi_file_bytes_close(context, &file);
    return status;
}

// glTF, whose bytes may stand in several files, and what is not ours.
static imp_Status load_other(imp_Context *context, const char *path, imp_Mesh **mesh)
{
    impi_MeshBuilder builder;
    impi_mesh_builder_init(&builder, context, path);
    impi_FloatGuard guard = impi_float_guard_enter();
    imp_Status status = impi_file_is_gltf(path) ? impi_read_gltf(&builder) : impi_read_assimp(&builder);
    status = finish(&builder, status, mesh);
    impi_float_guard_leave(guard);
    return status;
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
    if (format == IMP_FORMAT_BY_NAME)
        return load_other(context, path, mesh);
    return load_native(context, format, path, mesh);
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
    impi_mesh_builder_init(&builder, context, name);
    builder.bytes = bytes;
    builder.size = size;
    return load_bytes(&builder, format, mesh);
}
