#include "kit/npy_type.h"

#include "io/byte_order.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define DOUBLE_DIGITS 53

static const struct {
    const char *code, *name;
    size_t size;
} types[IMPI_NPY_TYPE_COUNT] = {
    [IMPI_NPY_INT8] = {"i1", "int8", 1},       [IMPI_NPY_INT16] = {"i2", "int16", 2},
    [IMPI_NPY_INT32] = {"i4", "int32", 4},     [IMPI_NPY_INT64] = {"i8", "int64", 8},
    [IMPI_NPY_UINT8] = {"u1", "uint8", 1},     [IMPI_NPY_UINT16] = {"u2", "uint16", 2},
    [IMPI_NPY_UINT32] = {"u4", "uint32", 4},   [IMPI_NPY_UINT64] = {"u8", "uint64", 8},
    [IMPI_NPY_FLOAT32] = {"f4", "float32", 4}, [IMPI_NPY_FLOAT64] = {"f8", "float64", 8},
    [IMPI_NPY_BOOL] = {"b1", "bool", 1},
};

const char *impi_npy_type_name(impi_NpyType type)
{
    return types[type].name;
}

const char *impi_npy_type_code(impi_NpyType type)
{
    return types[type].code;
}

size_t impi_npy_type_size(impi_NpyType type)
{
    return types[type].size;
}

bool impi_npy_type_fits_float(impi_NpyType type)
{
    return type == IMPI_NPY_FLOAT32 || types[type].size <= 2;
}

bool impi_npy_type_parse(const char *text, impi_NpyType *type, bool *swap)
{
    for (int i = 0; i < IMPI_NPY_TYPE_COUNT; ++i) {
        if (text[0] == 0 || strcmp(text + 1, types[i].code) != 0)
            continue;
        // A single byte has no order, and NumPy says so.
        bool has_order = text[0] == '<' || text[0] == '>';
        if (!has_order && !(text[0] == '|' && types[i].size == 1))
            return false;
        *type = (impi_NpyType)i;
        *swap = has_order && (text[0] == '>') != IMPI_HOST_IS_BIG_ENDIAN;
        return true;
    }
    return false;
}

// ---- numbers

static bool is_signed(impi_NpyType type)
{
    return type <= IMPI_NPY_INT64;
}

// An integer in 64 bits, a signed one in two's complement.
static uint64_t load_integer(impi_NpyType type, const unsigned char *bytes, bool swap)
{
    bool has_sign = is_signed(type);
    switch (types[type].size) {
    case 1:
        return has_sign ? (uint64_t)(int8_t)bytes[0] : bytes[0];
    case 2: {
        uint16_t value = impi_load_u16(bytes, swap);
        return has_sign ? (uint64_t)(int16_t)value : value;
    }
    case 4: {
        uint32_t value = impi_load_u32(bytes, swap);
        return has_sign ? (uint64_t)(int32_t)value : value;
    }
    default:
        return impi_load_u64(bytes, swap);
    }
}

// A double has as many binary digits between its first one and its last one as fit into it.
static bool is_double(uint64_t magnitude)
{
    return magnitude == 0 || 64 - __builtin_clzll(magnitude) - __builtin_ctzll(magnitude) <= DOUBLE_DIGITS;
}

bool impi_npy_load_double(impi_NpyType type, const unsigned char *bytes, bool swap, double *number)
{
    if (type == IMPI_NPY_FLOAT64) {
        *number = impi_load_double(bytes, swap);
        return true;
    }
    if (type == IMPI_NPY_FLOAT32) {
        *number = (double)impi_load_float(bytes, swap);
        return true;
    }
    uint64_t bits = load_integer(type, bytes, swap);
    bool is_negative = is_signed(type) && bits >> 63;
    uint64_t magnitude = is_negative ? 0 - bits : bits;
    *number = is_negative ? -(double)magnitude : (double)magnitude;
    return is_double(magnitude);
}

void impi_npy_format_integer(impi_NpyType type, const unsigned char *bytes, bool swap,
                             char text[IMPI_NPY_MAX_DIGITS])
{
    uint64_t bits = load_integer(type, bytes, swap);
    if (is_signed(type))
        snprintf(text, IMPI_NPY_MAX_DIGITS, "%" PRId64, (int64_t)bits);
    else
        snprintf(text, IMPI_NPY_MAX_DIGITS, "%" PRIu64, bits);
}
