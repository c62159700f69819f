/// Bodies as lines of text: a mesh file, and where it is.
///
///     # two of a kind, the second one turned by a quarter and 2.5 higher
///     part.obj
///     part.obj            0 0 2.5  0.7071067811865476 0 0 0.7071067811865476
///     "with blanks.stl"   1 2 3
///
/// A file whose name has blanks, or begins with '#' or a quote, stands in double quotes, in which \" and
/// \\ are a quote and a backslash. Paths are relative to the folder of the manifest. Poses are what
/// pose_text.h reads; without one a body stands where its file puts it. Comments begin with '#' at the
/// beginning of a word. Lines end with LF or CR LF; a byte order mark is skipped.
#ifndef IMPINGE_PLAYBACK_MANIFEST_H
#define IMPINGE_PLAYBACK_MANIFEST_H

#include "base/arena.h"
#include "base/array.h"

#include <impinge/math.h>

typedef struct impi_ManifestBody {
    const char *path; // with the folder of the manifest before it, unless it is absolute or that is empty
    imp_Pose pose;
} impi_ManifestBody;

typedef struct impi_Manifest {
    const imp_Allocator *allocator;
    IMPI_ARRAY(impi_ManifestBody) bodies;
    uint64_t check; // made of all bytes: another one for another text, but for once in 2^64
    impi_Arena paths;
} impi_Manifest;

/// Errors name file and line: IMP_STATUS_BAD_FILE for what is no manifest or has no body, otherwise those of
/// files. Free it in any case; the context must still be there.
imp_Status impi_manifest_load(imp_Context *context, const char *path, impi_Manifest *manifest);
void impi_manifest_free(impi_Manifest *manifest);

#endif
