#include "io/assimp_import.h"

#include "io/file_format.h"
#include "io/gltf_plain.h"

#include <strings.h>

static imp_Status fail(imp_Context *context, const char *path, const impi_AssimpLibrary *library)
{
    impi_Place place = IMPI_NO_PLACE;
    place.file = path;
    return impi_fail_at(context, IMP_STATUS_BAD_FILE, place, "%s", library->get_error_string());
}

static imp_Status import_gltf(imp_Context *context, const char *path, impi_AssimpImport *import)
{
    imp_Status status = impi_gltf_open(context, path, &import->gltf);
    if (status != IMP_STATUS_OK)
        return status;
    impi_PlainGltf plain;
    status = impi_gltf_write_plain(&import->gltf, &plain);
    if (status == IMP_STATUS_OK) {
        import->scene = import->library.import_file_from_memory((const char *)plain.bytes,
                                                                (unsigned)plain.size, 0, "glb");
        impi_gltf_free_plain(&import->gltf, &plain);
        if (!import->scene)
            status = fail(context, path, &import->library);
    }
    if (status != IMP_STATUS_OK)
        impi_gltf_close(&import->gltf);
    return status;
}

static imp_Status import_other(imp_Context *context, const char *path, impi_AssimpImport *import)
{
    import->scene = import->library.import_file(path, 0);
    return import->scene ? IMP_STATUS_OK : fail(context, path, &import->library);
}

imp_Status impi_assimp_import(imp_Context *context, const char *path, impi_AssimpImport *import)
{
    const char *extension = impi_file_extension(path);
    *import = (impi_AssimpImport){0};
    import->is_gltf = strcasecmp(extension, "gltf") == 0 || strcasecmp(extension, "glb") == 0;
    // A file that can't be read is told apart from a format that can't.
    impi_FileBytes file;
    imp_Status status = impi_file_bytes_open(context, path, &file);
    if (status != IMP_STATUS_OK)
        return status;
    impi_file_bytes_close(context, &file);
    status = impi_assimp_library_demand(context, path, &import->library);
    if (status != IMP_STATUS_OK)
        return status;
    return import->is_gltf ? import_gltf(context, path, import) : import_other(context, path, import);
}

void impi_assimp_release(impi_AssimpImport *import)
{
    import->library.release_import(import->scene);
    if (import->is_gltf)
        impi_gltf_close(&import->gltf);
}
