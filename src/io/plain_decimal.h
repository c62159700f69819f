/// The part of impi_decimal_parse that nearly every number of a file takes, to be inlined where it counts.
#ifndef IMPINGE_IO_PLAIN_DECIMAL_H
#define IMPINGE_IO_PLAIN_DECIMAL_H

#include "io/digit_chunk.h"

#include <stdbool.h>
#include <stddef.h>

#define IMPI_MAX_HEAD_DIGITS   19 // as many as surely fit into 64 bits
#define IMPI_MAX_EXACT_INTEGER ((uint64_t)1 << 53)

#define IMPI_EXACT_POWERS 23

/// 10^0 to 10^22: those that are doubles.
extern const double impi_exact_powers_of_ten[IMPI_EXACT_POWERS];

/// The double nearest to digits * 10^exponent.
double impi_decimal_compose(uint64_t digits, int exponent);

/// Append up to 24 digits to `head`. Returns their number; `head` means nothing if it gets more than 19 in
/// all.
static inline unsigned impi_take_digit_chunks(const char *c, uint64_t *head)
{
    static const uint64_t powers_of_ten[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000};
    for (unsigned taken = 0; taken < 24; taken += 8) {
        uint64_t digits = impi_load_digits(c + taken);
        unsigned count = impi_count_digits(digits);
        // A branch, so that the processor can go on with the next characters before this is computed.
        if (count == 8) {
            *head = *head * 100000000 + impi_join_digits(digits, 8);
        } else {
            *head = *head * powers_of_ten[count] + impi_join_digits(digits, count);
            return taken + count;
        }
    }
    return 24;
}

/// Read a number like -1.2345 or 17: digits with at most one point, 19 of them or fewer. Returns where it
/// ends, or null when it is something else (with an exponent, say) or the text ends too soon to look ahead.
/// The result is finite.
static inline const char *impi_decimal_parse_plain(const char *begin, const char *end, double *value)
{
    const ptrdiff_t look_ahead = 64; // more than a sign, a point and six chunks
    if (end - begin < look_ahead)
        return NULL;
    bool negative = *begin == '-';
    const char *c = begin + negative;
    uint64_t head = 0;
    unsigned whole_count = 1, fraction_count = 0;
    if (*c >= '0' && *c <= '9' && c[1] == '.') // worth a test: a predicted branch costs nothing
        head = (uint64_t)(*c - '0');
    else
        whole_count = impi_take_digit_chunks(c, &head);
    c += whole_count;
    if (*c == '.') {
        fraction_count = impi_take_digit_chunks(++c, &head);
        c += fraction_count;
    }
    unsigned digit_count = whole_count + fraction_count;
    if (digit_count == 0 || whole_count > IMPI_MAX_HEAD_DIGITS || digit_count > IMPI_MAX_HEAD_DIGITS ||
        (*c | 0x20) == 'e')
        return NULL;
    double magnitude = head <= IMPI_MAX_EXACT_INTEGER
                           ? (double)head / impi_exact_powers_of_ten[fraction_count]
                           : impi_decimal_compose(head, -(int)fraction_count);
    *value = negative ? -magnitude : magnitude;
    return c;
}

#endif
