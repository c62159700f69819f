/// Natural numbers long enough to compare any decimal number with the midpoint of two doubles.
#ifndef IMPINGE_IO_BIG_INTEGER_H
#define IMPINGE_IO_BIG_INTEGER_H

#include <stdint.h>

// 781 digits times 2^1875 (a subnormal's place, after its power of two), or 10^1150 times 2^54.
#define IMPI_BIG_WORDS 160

/// The value is the sum of words[i] * 2^(32 i); words from `count` on are not set.
typedef struct impi_BigInteger {
    uint32_t words[IMPI_BIG_WORDS];
    int count;
} impi_BigInteger;

void impi_big_set(impi_BigInteger *big, uint64_t value);

/// big = big * factor + addend.
void impi_big_multiply_add(impi_BigInteger *big, uint32_t factor, uint32_t addend);

void impi_big_multiply_power_of_five(impi_BigInteger *big, int power);
void impi_big_shift_left(impi_BigInteger *big, int bits);

/// -1, 0 or 1.
int impi_big_compare(const impi_BigInteger *a, const impi_BigInteger *b);

#endif
