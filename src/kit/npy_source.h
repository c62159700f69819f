/// The bytes of a NumPy array file, looked at before its numbers are: what they are, and whether all are
/// there.
#ifndef IMPINGE_KIT_NPY_SOURCE_H
#define IMPINGE_KIT_NPY_SOURCE_H

#include "io/file_bytes.h"
#include "kit/npy_header.h"
#include "kit/npy_type.h"

typedef struct impi_NpySource {
    imp_Context *context;
    const char *name; // stands for the file in messages
    const unsigned char *bytes;
    size_t size;
    impi_NpyHeader header;
    impi_NpyType type;
    bool swap; // the bytes of each number are in the other order than this machine's
} impi_NpySource;

/// Read header and type. `bytes` and `name` must stay. The statuses of impi_npy_parse_header, and
/// IMP_STATUS_UNSUPPORTED for numbers of a type that is none of ours.
imp_Status impi_npy_source_open(imp_Context *context, const void *bytes, size_t size, const char *name,
                                impi_NpySource *source);

/// The same for bools, and integers that are taken for such: not 0 is true.
imp_Status impi_npy_source_open_bools(imp_Context *context, const void *bytes, size_t size, const char *name,
                                      impi_NpySource *source);

/// IMP_STATUS_BAD_FILE unless the file holds exactly the numbers that its header promises.
imp_Status impi_npy_source_check_size(const impi_NpySource *source);

/// Can numbers be used where they are: in C order, as this machine keeps them, and aligned?
bool impi_npy_source_is_native(const impi_NpySource *source);

/// A byte of the file, for errors.
impi_Place impi_npy_place(const impi_NpySource *source, size_t offset);

/// All of a file; one of another kind is refused before the rest of it is read.
imp_Status impi_npy_load_bytes(imp_Context *context, const char *path, impi_FileBytes *file);

#endif
