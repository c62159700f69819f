/// What people write on command lines: numbers, and names of files.
#ifndef IMPINGE_KIT_ARGUMENT_TEXT_H
#define IMPINGE_KIT_ARGUMENT_TEXT_H

#include "io/file_format.h"

#include <stdbool.h>

/// Read a decimal number at the beginning of `text`. Returns where it ends, or null when there is none; the
/// rules are those of mesh files (io/decimal.h).
const char *impi_number_parse(const char *text, double *value);

/// Does the file's name have an extension at all?
bool impi_file_has_extension(const char *path);

/// Is it that of a format that is read without assimp (IMPI_OUR_EXTENSIONS)?
bool impi_file_is_native(const char *path);

/// Is it .gltf or .glb, of files that hold several bodies?
bool impi_file_is_scene(const char *path);

/// Is it this one, "svg" for example? Upper and lower case are the same.
bool impi_file_ends_in(const char *path, const char *extension);

#endif
