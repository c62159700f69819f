/// A file that a fuzzer writes for readers that open files: in memory where the system has a folder for that,
/// one per process.
#ifndef IMPINGE_FUZZ_FILE_H
#define IMPINGE_FUZZ_FILE_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define FUZZ_MAX_PATH 256

static inline void fuzz_demand(int held, const char *what)
{
    if (held)
        return;
    fprintf(stderr, "broken promise: %s\n", what);
    abort();
}

/// False when it can't be written.
static inline int fuzz_write_file(char path[FUZZ_MAX_PATH], const char *extension, const uint8_t *bytes,
                                  size_t size)
{
    const char *folder = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
    snprintf(path, FUZZ_MAX_PATH, "%s/impinge-fuzz-%ld.%s", folder, (long)getpid(), extension);
    FILE *file = fopen(path, "wb");
    if (!file)
        return 0;
    int written = fwrite(bytes, 1, size, file) == size;
    return fclose(file) == 0 && written;
}

#endif
