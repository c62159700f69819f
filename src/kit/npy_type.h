/// The types of numbers that NumPy arrays of ours have.
#ifndef IMPINGE_KIT_NPY_TYPE_H
#define IMPINGE_KIT_NPY_TYPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum impi_NpyType {
    IMPI_NPY_INT8,
    IMPI_NPY_INT16,
    IMPI_NPY_INT32,
    IMPI_NPY_INT64,
    IMPI_NPY_UINT8,
    IMPI_NPY_UINT16,
    IMPI_NPY_UINT32,
    IMPI_NPY_UINT64,
    IMPI_NPY_FLOAT32,
    IMPI_NPY_FLOAT64,
    IMPI_NPY_NUMBER_TYPE_COUNT,
    IMPI_NPY_BOOL = IMPI_NPY_NUMBER_TYPE_COUNT, // a byte, 0 or 1: no number where numbers are asked for
    IMPI_NPY_TYPE_COUNT,
} impi_NpyType;

const char *impi_npy_type_name(impi_NpyType type); ///< "float32"
const char *impi_npy_type_code(impi_NpyType type); ///< "f4": as headers have it behind the byte order
size_t impi_npy_type_size(impi_NpyType type);      ///< bytes of a number

/// Is every number of the type a float?
bool impi_npy_type_fits_float(impi_NpyType type);

/// The type that a header spells like this, "<f8"; `*swap` tells whether its bytes are in the other order
/// than this machine's. False when it is none of ours.
bool impi_npy_type_parse(const char *text, impi_NpyType *type, bool *swap);

/// The number at any address, as a double. False for an integer that is no double.
bool impi_npy_load_double(impi_NpyType type, const unsigned char *bytes, bool swap, double *number);

/// The number of an integer type in decimal.
#define IMPI_NPY_MAX_DIGITS 24
void impi_npy_format_integer(impi_NpyType type, const unsigned char *bytes, bool swap,
                             char text[IMPI_NPY_MAX_DIGITS]);

#endif
