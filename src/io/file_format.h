/// Formats, their names, and the extensions of file names that stand for them.
#ifndef IMPINGE_IO_FILE_FORMAT_H
#define IMPINGE_IO_FILE_FORMAT_H

#include "base/status.h"

#include <impinge/io.h>

/// What follows the last point of the file's name, without it; empty when there is none.
const char *impi_file_extension(const char *path);

/// IMP_FORMAT_BY_NAME when the extension is none of ours. Upper and lower case are the same.
imp_FileFormat impi_file_format(const char *path);

/// "STL"; null for what is no format.
const char *impi_format_name(imp_FileFormat format);

/// Fail because the caller asks for a format that is none.
imp_Status impi_fail_format(imp_Context *context, imp_FileFormat format);

/// The extensions that can be read without assimp, for messages.
#define IMPI_OUR_EXTENSIONS ".obj, .stl, .ply, .off, .gltf or .glb"

#endif
