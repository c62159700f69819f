/// Where the bytes of files come from: the one place that opens files for reading, with the limits that hold
/// for all of them.
#ifndef IMPINGE_IO_FILE_SOURCE_H
#define IMPINGE_IO_FILE_SOURCE_H

#include "base/context.h"

/// An open file. What is read is copied, never mapped, so that whatever another program does to the file
/// meanwhile ends in a status: one that is cut short is IMP_STATUS_IO, of one that grows the bytes count that
/// it had when it was opened.
typedef struct impi_FileSource {
    imp_Context *context;
    const char *name; // for errors
    int descriptor;
    bool has_size;  // a regular file; others end where they end
    bool is_device; // may end at once, as /dev/null does, but may not give a byte
    uint64_t size;  // if it has one
    uint64_t position;
    uint64_t limit; // no more is read
} impi_FileSource;

/// IMP_STATUS_IO, with the system's reason, when the file can't be opened or is a directory or a block
/// device; IMP_STATUS_TOO_LARGE when its size is beyond the context's limit. `name` stands for it in errors,
/// and must stay until it is closed.
imp_Status impi_file_source_open(imp_Context *context, const char *path, const char *name,
                                 impi_FileSource *source);

/// The same for a descriptor that is open, which the source closes, also on failure.
imp_Status impi_file_source_adopt(imp_Context *context, const char *name, int descriptor,
                                  impi_FileSource *source);

void impi_file_source_close(impi_FileSource *source);

/// Read the next `size` bytes; `*count` is less only where the file ends. IMP_STATUS_IO, IMP_STATUS_TOO_LARGE
/// when what has no size goes on beyond the limit, or the status of the context's watch, which is looked at
/// between the calls to the system.
imp_Status impi_file_source_read(impi_FileSource *source, void *bytes, size_t size, size_t *count);

/// Go on at another place, up to its size, which it must have.
void impi_file_source_seek(impi_FileSource *source, uint64_t position);

/// Fail because the file has, or promises, more bytes than may be read.
imp_Status impi_file_source_fail_large(const impi_FileSource *source, uint64_t size);

#endif
