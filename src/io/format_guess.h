/// Which format is it really? Asked when a file is refused, so that the message can tell.
#ifndef IMPINGE_IO_FORMAT_GUESS_H
#define IMPINGE_IO_FORMAT_GUESS_H

#include "io/file_source.h"

#include <impinge/io.h>

/// The format that these bytes clearly begin, or IMP_FORMAT_BY_NAME. `total` is the size of the whole file,
/// or 0 where nobody knows.
imp_FileFormat impi_guess_format(const unsigned char *bytes, size_t size, uint64_t total);

/// The file, whose error is recorded with `status`, was refused as `format`. When it looks like another one,
/// the error becomes one that says so. IMP_FORMAT_BY_NAME stands for all formats that assimp reads. Returns
/// the status.
imp_Status impi_explain_refusal(imp_Context *context, const char *name, imp_FileFormat format,
                                imp_Status status, const unsigned char *bytes, size_t size, uint64_t total);

/// The same for an open file. If it has no size, which can't be read again, nothing happens.
imp_Status impi_explain_source_refusal(impi_FileSource *source, imp_FileFormat format, imp_Status status);

#endif
