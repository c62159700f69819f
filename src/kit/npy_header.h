/// The header of a NumPy array file: type, order and shape of the numbers behind it.
#ifndef IMPINGE_KIT_NPY_HEADER_H
#define IMPINGE_KIT_NPY_HEADER_H

#include "base/context.h"

#define IMPI_NPY_MAGIC          "\x93NUMPY"
#define IMPI_NPY_MAGIC_SIZE     6
#define IMPI_NPY_MAX_DIMENSIONS 4
#define IMPI_NPY_MAX_TYPE       16

typedef struct impi_NpyHeader {
    char type[IMPI_NPY_MAX_TYPE]; // as NumPy spells it: "<f8"
    bool fortran_order;
    unsigned dimension_count;
    uint64_t shape[IMPI_NPY_MAX_DIMENSIONS];
    size_t type_offset, order_offset, shape_offset; // where in the file each of them stands
    size_t data_offset;
} impi_NpyHeader;

/// IMP_STATUS_BAD_FILE with the byte offset and what was expected there. Arrays of more dimensions than
/// IMPI_NPY_MAX_DIMENSIONS, structured types and versions after 3 are IMP_STATUS_UNSUPPORTED.
imp_Status impi_npy_parse_header(imp_Context *context, const unsigned char *bytes, size_t size,
                                 const char *name, impi_NpyHeader *header);

#endif
