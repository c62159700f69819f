/// The content of a file, as one block of memory.
#ifndef IMPINGE_IO_FILE_BYTES_H
#define IMPINGE_IO_FILE_BYTES_H

#include "io/file_source.h"

typedef struct impi_FileBytes {
    unsigned char *data;
    size_t size;
    void *storage; // the allocation that the bytes are in
    size_t capacity;
} impi_FileBytes;

/// Can a file begin with these bytes, which are all of it or at least a few thousand, of what has no size
/// IMPI_FILE_START? Otherwise the status of its error, so that what is no such file is refused before the
/// rest of it is read.
#define IMPI_FILE_START ((size_t)1 << 16)
typedef imp_Status (*impi_FileStartFn)(imp_Context *context, const char *path, const unsigned char *bytes,
                                       size_t size);

/// Read all of a file, or its first `max_size` bytes. `check` may be null. An empty file gives 0 bytes.
/// On failure there is nothing to free.
/// Statuses are those of impi_file_source_open and impi_file_source_read.
imp_Status impi_file_bytes_load(imp_Context *context, const char *path, impi_FileStartFn check,
                                impi_FileBytes *file);
imp_Status impi_file_bytes_read(impi_FileSource *source, size_t max_size, impi_FileStartFn check,
                                impi_FileBytes *file);

void impi_file_bytes_free(imp_Context *context, impi_FileBytes *file);

#endif
