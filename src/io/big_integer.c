#include "io/big_integer.h"

#include <assert.h>
#include <string.h>

static void push_word(impi_BigInteger *big, uint32_t word)
{
    assert(big->count < IMPI_BIG_WORDS);
    big->words[big->count++] = word;
}

void impi_big_set(impi_BigInteger *big, uint64_t value)
{
    big->count = 0;
    for (; value; value >>= 32)
        push_word(big, (uint32_t)value);
}

void impi_big_multiply_add(impi_BigInteger *big, uint32_t factor, uint32_t addend)
{
    uint64_t carry = addend;
    for (int i = 0; i < big->count; ++i) {
        carry += (uint64_t)big->words[i] * factor;
        big->words[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry)
        push_word(big, (uint32_t)carry);
}

void impi_big_multiply_power_of_five(impi_BigInteger *big, int power)
{
    const uint32_t five_to_the_13th = 1220703125u;
    for (; power >= 13; power -= 13)
        impi_big_multiply_add(big, five_to_the_13th, 0);
    for (; power > 0; --power)
        impi_big_multiply_add(big, 5, 0);
}

void impi_big_shift_left(impi_BigInteger *big, int bits)
{
    int words = bits / 32;
    impi_big_multiply_add(big, (uint32_t)1 << (bits % 32), 0);
    if (big->count == 0 || words == 0)
        return;
    assert(big->count + words <= IMPI_BIG_WORDS);
    memmove(big->words + words, big->words, (size_t)big->count * sizeof *big->words);
    memset(big->words, 0, (size_t)words * sizeof *big->words);
    big->count += words;
}

int impi_big_compare(const impi_BigInteger *a, const impi_BigInteger *b)
{
    if (a->count != b->count)
        return a->count < b->count ? -1 : 1;
    for (int i = a->count - 1; i >= 0; --i)
        if (a->words[i] != b->words[i])
            return a->words[i] < b->words[i] ? -1 : 1;
    return 0;
}
