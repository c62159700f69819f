/// Decimal text to double and back: correctly rounded, locale independent, fast.
///
/// Both expect the default floating-point mode (base/float_guard.h).
#ifndef IMPINGE_IO_DECIMAL_H
#define IMPINGE_IO_DECIMAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Read the longest prefix of [begin, end) that is a decimal number: digits with at most one point, an
/// optional sign before and an optional exponent behind. Returns where it ends, or null when there is no
/// number there ("nan", "inf", "0x1p3" and "1,5" are none, or end early). `*value` is the nearest double,
/// ties to even; infinite when the number is beyond all doubles.
const char *impi_decimal_parse(const char *begin, const char *end, double *value);

#define IMPI_MAX_DECIMAL_LENGTH 32

/// Write a finite double with 15 significant digits, or 16 or 17 if it takes them to read back as the
/// same bits. Trailing zeros are left out. Returns the length; no terminating zero is written.
size_t impi_decimal_format(double value, char text[IMPI_MAX_DECIMAL_LENGTH]);

/// The same, but never toward zero: read as a real number, the text is at least as far from zero as the
/// value. It may take 18 digits.
size_t impi_decimal_format_up(double value, char text[IMPI_MAX_DECIMAL_LENGTH]);

#define IMPI_MAX_INTEGER_LENGTH 20

/// The same for a whole number.
size_t impi_decimal_format_integer(uint64_t value, char text[IMPI_MAX_INTEGER_LENGTH]);

#endif
