/// Numbers in files, in either byte order, at any address.
#ifndef IMPINGE_IO_BYTE_ORDER_H
#define IMPINGE_IO_BYTE_ORDER_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define IMPI_HOST_IS_BIG_ENDIAN (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)

static inline uint16_t impi_load_u16(const unsigned char *bytes, bool swap)
{
    uint16_t value;
    memcpy(&value, bytes, sizeof value);
    return swap ? __builtin_bswap16(value) : value;
}

static inline uint32_t impi_load_u32(const unsigned char *bytes, bool swap)
{
    uint32_t value;
    memcpy(&value, bytes, sizeof value);
    return swap ? __builtin_bswap32(value) : value;
}

static inline uint64_t impi_load_u64(const unsigned char *bytes, bool swap)
{
    uint64_t value;
    memcpy(&value, bytes, sizeof value);
    return swap ? __builtin_bswap64(value) : value;
}

static inline float impi_load_float(const unsigned char *bytes, bool swap)
{
    uint32_t bits = impi_load_u32(bytes, swap);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline double impi_load_double(const unsigned char *bytes, bool swap)
{
    uint64_t bits = impi_load_u64(bytes, swap);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline void impi_store_u32(unsigned char *bytes, uint32_t value, bool swap)
{
    if (swap)
        value = __builtin_bswap32(value);
    memcpy(bytes, &value, sizeof value);
}

static inline void impi_store_float(unsigned char *bytes, float value, bool swap)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    impi_store_u32(bytes, bits, swap);
}

static inline void impi_store_double(unsigned char *bytes, double value, bool swap)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    if (swap)
        bits = __builtin_bswap64(bits);
    memcpy(bytes, &bits, sizeof bits);
}

#endif
