/// The files that assimp reads, opened by us: with the context's limits, its watch, and no files outside of
/// the folder of the mesh where those are not allowed.
#ifndef IMPINGE_IO_ASSIMP_FILES_H
#define IMPINGE_IO_ASSIMP_FILES_H

#include "base/context.h"

#include <assimp/cfileio.h>

typedef struct impi_AssimpFiles {
    C_STRUCT aiFileIO io; // for aiImportFileEx
    imp_Context *context;
    const char *path;  // of the mesh
    imp_Status status; // of the first file that could not be read to its end; its error is recorded
} impi_AssimpFiles;

/// A file that is not there, or where it may not be, is missing to assimp, which says so if it needs it.
/// `files` must stay where it is until all is read.
void impi_assimp_files_init(impi_AssimpFiles *files, imp_Context *context, const char *path);

#endif
