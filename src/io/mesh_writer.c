#include "io/mesh_writer.h"

#include "base/float_guard.h"
#include "io/file_format.h"

#include <impinge/io.h>

static imp_Status write_format(impi_AtomicFile *file, imp_FileFormat format, const imp_Mesh *mesh,
                               const impi_Rgb *colors)
{
    switch (format) {
    case IMP_FORMAT_OBJ:
        return impi_write_obj(file, mesh);
    case IMP_FORMAT_STL:
        return impi_write_stl(file, mesh);
    case IMP_FORMAT_PLY:
        return impi_write_ply(file, mesh, colors);
    case IMP_FORMAT_OFF:
        return impi_write_off(file, mesh, colors);
    case IMP_FORMAT_GLTF:
    case IMP_FORMAT_BY_NAME:
        break;
    }
    return IMP_STATUS_UNSUPPORTED;
}

static imp_Status check_format(imp_Context *context, const char *path, bool colored)
{
    imp_FileFormat format = impi_file_format(path);
    impi_Place place = IMPI_NO_PLACE;
    place.file = path;
    if (format == IMP_FORMAT_BY_NAME || format == IMP_FORMAT_GLTF)
        return impi_fail_at(context, IMP_STATUS_UNSUPPORTED, place,
                            "the extension '%s' stands for no format that can be written; these can: obj, "
                            "stl, ply, off",
                            impi_file_extension(path));
    if (colored && format != IMP_FORMAT_PLY && format != IMP_FORMAT_OFF)
        return impi_fail_at(context, IMP_STATUS_UNSUPPORTED, place,
                            "colours can be written to PLY and OFF files only");
    return IMP_STATUS_OK;
}

imp_Status impi_mesh_save_colored(imp_Context *context, const imp_Mesh *mesh, const impi_Rgb *colors,
                                  const char *path)
{
    imp_Status status = check_format(context, path, colors != NULL);
    if (status != IMP_STATUS_OK)
        return status;
    impi_AtomicFile file;
    status = impi_atomic_file_open(context, path, &file);
    if (status != IMP_STATUS_OK)
        return status;
    impi_FloatGuard guard = impi_float_guard_enter();
    status = write_format(&file, impi_file_format(path), mesh, colors);
    impi_float_guard_leave(guard);
    if (status == IMP_STATUS_OK)
        return impi_atomic_file_commit(&file);
    impi_atomic_file_abort(&file);
    return status;
}

imp_Status imp_mesh_save(imp_Context *context, const imp_Mesh *mesh, const char *path)
{
    imp_Status status = impi_context_check(context);
    if (status != IMP_STATUS_OK)
        return status;
    if (!mesh || !path)
        return impi_fail(context, IMP_STATUS_BAD_ARGUMENT, IMP_NOWHERE,
                         "imp_mesh_save needs a context, a mesh and a path");
    return impi_mesh_save_colored(context, mesh, NULL, path);
}
