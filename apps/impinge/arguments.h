/// Values of options: numbers and counts. Each function says what is wrong on standard error, naming the
/// option, and returns false.
#ifndef IMPINGE_APPS_ARGUMENTS_H
#define IMPINGE_APPS_ARGUMENTS_H

#include <impinge/math.h>

/// Exactly `count` finite numbers, separated by spaces or commas.
bool argument_numbers(const char *option, const char *text, size_t count, double *numbers);

/// A length: a finite number that is not negative, or one above 0.
bool argument_length(const char *option, const char *text, double *length);
bool argument_length_above_zero(const char *option, const char *text, double *length);

/// A whole number from `low` to `high`.
bool argument_integer(const char *option, const char *text, uint32_t low, uint32_t high, uint32_t *number);

/// From 1 to 10^18: numbers of bytes.
bool argument_large_integer(const char *option, const char *text, uint64_t *number);

/// From -most to most, which is at most INT32_MAX.
bool argument_signed_integer(const char *option, const char *text, uint32_t most, int32_t *number);

/// Whole numbers from `low` to `high`, separated by spaces or commas, at least one; to be freed.
bool argument_integers(const char *option, const char *text, uint32_t low, uint32_t high, uint32_t **numbers,
                       size_t *count);

#endif
