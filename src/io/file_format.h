/// Formats and the extensions of file names that stand for them.
#ifndef IMPINGE_IO_FILE_FORMAT_H
#define IMPINGE_IO_FILE_FORMAT_H

#include <impinge/io.h>

/// What follows the last point of the file's name, without it; empty when there is none.
const char *impi_file_extension(const char *path);

/// IMP_FORMAT_BY_NAME when the extension is none of ours. Upper and lower case are the same.
imp_FileFormat impi_file_format(const char *path);

/// Is it .gltf or .glb?
bool impi_file_is_gltf(const char *path);

#endif
