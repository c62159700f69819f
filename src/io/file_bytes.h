/// The content of a file, as one block of memory.
#ifndef IMPINGE_IO_FILE_BYTES_H
#define IMPINGE_IO_FILE_BYTES_H

#include "base/context.h"

/// Regular files are mapped, so that reading one costs no memory of ours; another program must not shorten
/// such a file meanwhile. Pipes and the like are read whole.
typedef struct impi_FileBytes {
    const unsigned char *data;
    size_t size;
    size_t forgotten; // bytes at the start that are no longer mapped
    size_t capacity;  // of the allocation; 0 for a mapped file
} impi_FileBytes;

/// IMP_STATUS_IO, with the system's reason, when the file can't be opened or read or is a directory. An
/// empty file gives 0 bytes.
imp_Status impi_file_bytes_open(imp_Context *context, const char *path, impi_FileBytes *file);

void impi_file_bytes_close(imp_Context *context, impi_FileBytes *file);

/// The bytes before `offset` will not be looked at again: give their pages back to the system, so that a
/// large file doesn't add to the memory that its mesh takes.
void impi_file_bytes_forget(impi_FileBytes *file, size_t offset);

#endif
