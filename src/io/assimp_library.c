#include "io/assimp_library.h"

#include "base/library_function.h"
#include "base/status.h"
#include "io/file_format.h"

#ifdef IMPINGE_ASSIMP_SONAME

#define PACKAGE_HINT "install the package libassimp5"

bool impi_assimp_library_open(impi_AssimpLibrary *library)
{
    // Opened once more for each use and never closed: the loader counts, and a library of C++ with state of
    // its own does not always survive being unloaded.
    void *handle = dlopen(IMPINGE_ASSIMP_SONAME, RTLD_NOW | RTLD_LOCAL);
    return handle && impi_library_function(handle, "aiImportFile", &library->import_file) &&
           impi_library_function(handle, "aiImportFileEx", &library->import_file_ex) &&
           impi_library_function(handle, "aiReleaseImport", &library->release_import) &&
           impi_library_function(handle, "aiGetErrorString", &library->get_error_string) &&
           impi_library_function(handle, "aiIsExtensionSupported", &library->is_extension_supported);
}

#else

#define PACKAGE_HINT "install the package libassimp-dev and build impinge again"

bool impi_assimp_library_open(impi_AssimpLibrary *library)
{
    (void)library;
    return false;
}

#endif

static imp_Status fail_extension(imp_Context *context, const char *name, const char *extension,
                                 const char *others)
{
    impi_Place place = IMPI_NO_PLACE;
    place.file = name;
    if (!*extension)
        return impi_fail_at(context, IMP_STATUS_UNSUPPORTED, place,
                            "its name has no extension; expected " IMPI_OUR_EXTENSIONS "%s", others);
    return impi_fail_at(context, IMP_STATUS_UNSUPPORTED, place,
                        "unknown extension \".%.32s\"; expected " IMPI_OUR_EXTENSIONS "%s", extension,
                        others);
}

imp_Status impi_assimp_library_demand(imp_Context *context, const char *path, const char *name,
                                      impi_AssimpLibrary *library)
{
    const char *extension = impi_file_extension(path);
    if (!impi_assimp_library_open(library))
        return fail_extension(context, name, extension, " (for others, as .dae or .fbx, " PACKAGE_HINT ")");
    // assimp wants the point, and takes the empty extension for any.
    if (!*extension || !library->is_extension_supported(extension - 1))
        return fail_extension(context, name, extension, ", or one of assimp's, as .dae, .fbx or .3ds");
    return IMP_STATUS_OK;
}
