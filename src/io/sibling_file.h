/// Files that other files name: the buffers of a scene, the materials of a mesh.
#ifndef IMPINGE_IO_SIBLING_FILE_H
#define IMPINGE_IO_SIBLING_FILE_H

#include "io/file_source.h"

typedef enum impi_SiblingResult {
    IMPI_SIBLING_OPEN,
    IMPI_SIBLING_OUTSIDE, ///< it is neither beside the file that names it nor below
    IMPI_SIBLING_MISSING, ///< errno says why
    IMPI_SIBLING_NO_FILE, ///< a folder, a device, a pipe: what may never end, or can't be read
} impi_SiblingResult;

/// Open the regular file `name`, a path from the folder of `file_name` on. Symbolic links are followed before
/// it is decided where it is, and those with absolute targets count as leading out, except on systems without
/// openat2, where what counts is where they end. With `allow_outside` it may be anywhere, also at an absolute
/// path. Returns the descriptor, or -1.
int impi_sibling_open(const char *file_name, const char *name, bool allow_outside,
                      impi_SiblingResult *result);

#endif
