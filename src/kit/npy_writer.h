/// NumPy array files (.npy), written whole or not at all.
#ifndef IMPINGE_KIT_NPY_WRITER_H
#define IMPINGE_KIT_NPY_WRITER_H

#include "base/context.h"

typedef enum impi_NpyType { IMPI_NPY_UINT32, IMPI_NPY_FLOAT32, IMPI_NPY_FLOAT64 } impi_NpyType;

#define IMPI_NPY_MAX_WRITTEN_DIMENSIONS 3

/// Numbers in C order, as this machine keeps them.
typedef struct impi_NpyArray {
    impi_NpyType type;
    unsigned dimension_count; // 1 to 3
    size_t shape[IMPI_NPY_MAX_WRITTEN_DIMENSIONS];
    const void *numbers; // may be null when there are none
} impi_NpyArray;

/// Write version 1.0 of the format, little-endian, with the numbers at a multiple of 64 bytes: the same bytes
/// on every machine. IMP_STATUS_IO with the system's reason; the file is then as it was. What lies in the
/// context's scratch memory stays.
imp_Status impi_npy_save(imp_Context *context, const char *path, const impi_NpyArray *array);

#endif
