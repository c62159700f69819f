/// A file that several processes write together, and that appears whole or not at all.
///
/// They write into PATH.partial beside it, each at its own place; when all of it is there, one process gives
/// it its name. One that an earlier run left is replaced. Where the file is a link, what it leads to is
/// replaced. A device or a pipe has no places: one process alone writes to it (io/atomic_file.h).
#ifndef IMPINGE_KIT_PARTIAL_FILE_H
#define IMPINGE_KIT_PARTIAL_FILE_H

#include "base/context.h"

typedef struct impi_PartialFile {
    imp_Context *context;
    const char *path;   // as the caller named it, for errors
    char *target_path;  // what gets replaced
    char *partial_path; // what is written
    size_t path_capacity;
    int descriptor; // -1: not open
} impi_PartialFile;

/// Is there something that has no places, as a device or a pipe has none?
bool impi_partial_file_is_stream(const char *path);

/// Work out the names; `path` must stay. Every process does this before any of them goes on, and calls
/// impi_partial_file_end in the end.
imp_Status impi_partial_file_begin(imp_Context *context, const char *path, impi_PartialFile *file);
void impi_partial_file_end(impi_PartialFile *file);

/// Make the file, with room for `size` bytes on its disk. One process does this, before the others open it.
/// IMP_STATUS_IO with the system's reason, as from the functions below.
imp_Status impi_partial_file_create(impi_PartialFile *file, uint64_t size);
imp_Status impi_partial_file_open(impi_PartialFile *file);

imp_Status impi_partial_file_write(impi_PartialFile *file, uint64_t offset, const void *bytes, size_t size);

/// What was written is on the disk.
imp_Status impi_partial_file_sync(impi_PartialFile *file);

/// Give it its name, once all processes have synced; or take it away, if it is there. The process that made
/// it does either.
imp_Status impi_partial_file_commit(impi_PartialFile *file);
void impi_partial_file_remove(impi_PartialFile *file);

#endif
