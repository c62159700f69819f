/// The assimp library, found at run time: impinge is not linked to it and works without it.
#ifndef IMPINGE_IO_ASSIMP_LIBRARY_H
#define IMPINGE_IO_ASSIMP_LIBRARY_H

#include <impinge/base.h>

struct aiScene;
struct aiFileIO;

/// The functions of assimp's C interface that are used here, under its names.
typedef struct impi_AssimpLibrary {
    const struct aiScene *(*import_file)(const char *path, unsigned flags);
    const struct aiScene *(*import_file_ex)(const char *path, unsigned flags, struct aiFileIO *files);
    void (*release_import)(const struct aiScene *scene);
    const char *(*get_error_string)(void);
    int (*is_extension_supported)(const char *extension);
} impi_AssimpLibrary;

/// False when the system's loader does not find the library of the version that this build was made for,
/// or when this build was made without its headers. It stays loaded. Any thread.
bool impi_assimp_library_open(impi_AssimpLibrary *library);

/// The same for a file that is to be read, which `name` stands for in errors. IMP_STATUS_UNSUPPORTED when
/// assimp is not there (the message names the package that brings it) or doesn't know the extension. The
/// message lists what can be read.
imp_Status impi_assimp_library_demand(imp_Context *context, const char *path, const char *name,
                                      impi_AssimpLibrary *library);

#endif
