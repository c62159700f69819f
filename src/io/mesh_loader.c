#include "base/scratch_call.h"
#include "io/file_format.h"
#include "io/mesh_file.h"

// Finish or free what was read with `status`.
static imp_Status finish(impi_MeshBuilder *builder, imp_Status status, imp_Mesh **mesh)
{
    if (status == IMP_STATUS_OK)
        status = impi_mesh_builder_finish(builder, mesh);
    impi_mesh_builder_free(builder);
    return status;
}

imp_Status imp_mesh_load(imp_Context *context, const char *path, imp_Mesh **mesh)
{
    return imp_mesh_load_with(context, path, NULL, mesh);
}

imp_Status imp_mesh_load_with(imp_Context *context, const char *path, const imp_LoadDef *def, imp_Mesh **mesh)
{
    impi_FileLoad load;
    imp_Status status = impi_context_check(context);
    if (status != IMP_STATUS_OK)
        return status;
    if (!path || !mesh)
        return impi_fail(context, IMP_STATUS_BAD_ARGUMENT, IMP_NOWHERE,
                         "to load a mesh takes a context, a path and room for the mesh");
    status = impi_file_load_init(context, path, def, &load);
    if (status != IMP_STATUS_OK)
        return status;
    load.solids = false;
    impi_MeshBuilder builder;
    impi_FloatGuard guard = impi_scratch_call_begin(context);
    impi_mesh_file_begin(context, &load, &builder);
    status = finish(&builder, impi_mesh_file_read(&load, &builder), mesh);
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
    impi_FileLoad load = {.name = name,
                          .format = format == IMP_FORMAT_BY_NAME ? impi_file_format(name) : format};
    if (load.format == IMP_FORMAT_BY_NAME || load.format == IMP_FORMAT_GLTF) {
        impi_Place place = IMPI_NO_PLACE;
        place.file = name;
        return impi_fail_at(context, IMP_STATUS_UNSUPPORTED, place,
                            "only OBJ, STL, PLY and OFF can be read from memory");
    }
    impi_MeshBuilder builder;
    impi_FloatGuard guard = impi_scratch_call_begin(context);
    impi_mesh_file_begin(context, &load, &builder);
    status = finish(&builder, impi_mesh_file_read_bytes(&load, bytes, size, &builder), mesh);
    return impi_scratch_call_end(context, guard, status);
}
