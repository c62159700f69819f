/// NumPy array files (.npy), written whole or not at all.
#ifndef IMPINGE_KIT_NPY_WRITER_H
#define IMPINGE_KIT_NPY_WRITER_H

#include "base/context.h"
#include "kit/npy_header.h"
#include "kit/npy_type.h"

/// Numbers in C order, as this machine keeps them.
typedef struct impi_NpyArray {
    impi_NpyType type;
    unsigned dimension_count; // at least 1
    size_t shape[IMPI_NPY_MAX_DIMENSIONS];
    const void *numbers; // may be null when there are none
} impi_NpyArray;

/// Write version 1.0 of the format, little-endian, with the numbers at a multiple of 64 bytes: the same bytes
/// on every machine. IMP_STATUS_IO with the system's reason; the file is then as it was. What lies in the
/// context's scratch memory stays.
imp_Status impi_npy_save(imp_Context *context, const char *path, const impi_NpyArray *array);

/// The header alone, for whoever writes the numbers behind it, and returns its size.
#define IMPI_NPY_MAX_HEADER_SIZE 192
size_t impi_npy_format_header(const impi_NpyArray *array, char header[IMPI_NPY_MAX_HEADER_SIZE]);

/// Numbers of 32 bits as this machine keeps them become little-endian, where they are.
void impi_npy_make_little_endian(uint32_t *numbers, size_t count);

#endif
