/// Files that appear whole or not at all.
#ifndef IMPINGE_IO_ATOMIC_FILE_H
#define IMPINGE_IO_ATOMIC_FILE_H

#include "base/context.h"

/// A file in the making. What is written goes to a temporary file beside the target, which takes the
/// target's place when it is complete. A target that is no regular file (a device, a pipe) is written to
/// directly. A link stays a link: what it leads to is replaced.
typedef struct impi_AtomicFile {
    imp_Context *context;
    const char *path;  // as the caller named it, for errors
    char *target_path; // what gets replaced
    char *temporary_path;
    size_t path_capacity; // of both allocations
    char *buffer;
    size_t buffered;
    int descriptor;
    bool direct; // the target itself is open
} impi_AtomicFile;

/// `path` must stay until the file is committed or aborted. IMP_STATUS_IO with the system's reason.
imp_Status impi_atomic_file_open(imp_Context *context, const char *path, impi_AtomicFile *file);

/// After a failure only impi_atomic_file_abort makes sense.
imp_Status impi_atomic_file_write(impi_AtomicFile *file, const void *bytes, size_t size);

/// Put the file in its place. Either way it is closed afterwards, and a failure leaves nothing behind.
imp_Status impi_atomic_file_commit(impi_AtomicFile *file);

/// Close it and leave everything as it was.
void impi_atomic_file_abort(impi_AtomicFile *file);

/// All of that for bytes that are ready.
imp_Status impi_atomic_file_save(imp_Context *context, const char *path, const void *bytes, size_t size);

#endif
