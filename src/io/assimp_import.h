/// Files that assimp reads, as it gives them.
#ifndef IMPINGE_IO_ASSIMP_IMPORT_H
#define IMPINGE_IO_ASSIMP_IMPORT_H

#include "io/assimp_library.h"
#include "io/gltf_document.h"

typedef struct impi_AssimpImport {
    impi_AssimpLibrary library;
    const struct aiScene *scene;
    bool is_gltf;
    impi_Gltf gltf; // what assimp does not tell about a glTF file
} impi_AssimpImport;

/// Read a file. No post-processing is asked for: faces come in the order of the file, none merged or dropped.
/// glTF files are checked first, and assimp gets them in a plainer form (io/gltf_plain.h); other formats are
/// as safe as assimp is. On success release it; on failure there is nothing to release.
imp_Status impi_assimp_import(imp_Context *context, const char *path, impi_AssimpImport *import);
void impi_assimp_release(impi_AssimpImport *import);

#endif
