/// Eight characters of a decimal number at once, in the bytes of one word, the first in the lowest.
#ifndef IMPINGE_IO_DIGIT_CHUNK_H
#define IMPINGE_IO_DIGIT_CHUNK_H

#include <stdint.h>
#include <string.h>

#define IMPI_EVERY_BYTE 0x0101010101010101u

/// The eight characters at `text`, such that digits become 0 to 9.
static inline uint64_t impi_load_digits(const char *text)
{
    uint64_t digits;
    memcpy(&digits, text, sizeof digits);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    digits = __builtin_bswap64(digits);
#endif
    return digits ^ ('0' * IMPI_EVERY_BYTE);
}

/// How many digits come first; 8 when all are.
static inline unsigned impi_count_digits(uint64_t digits)
{
    // The top bit of each byte that holds more than 9. A carry can only spoil bytes behind the first such.
    uint64_t others = ((digits + (0x80 - 10) * IMPI_EVERY_BYTE) | digits) & (0x80 * IMPI_EVERY_BYTE);
    return others ? (unsigned)__builtin_ctzll(others) / 8 : 8;
}

/// The value of the first `count` digits, 0 to 8.
static inline uint32_t impi_join_digits(uint64_t digits, unsigned count)
{
    // Zeros come before the digits. In two steps, because a shift by 64 bits is none.
    digits = count == 8 ? digits : digits << (56 - 8 * count) << 8;
    // Neighbours are joined: 1 2 3 4 5 6 7 8  ->  12 34 56 78  ->  12345678
    digits = digits * 10 + (digits >> 8);
    uint64_t outer = (digits & 0x000000FF000000FFu) * (100 + ((uint64_t)1000000 << 32));
    uint64_t inner = ((digits >> 16) & 0x000000FF000000FFu) * (1 + ((uint64_t)10000 << 32));
    return (uint32_t)((outer + inner) >> 32);
}

#endif
