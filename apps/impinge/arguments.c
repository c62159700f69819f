#include "arguments.h"

#include "command.h"
#include "kit/argument_text.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SEPARATORS      " \t,"
#define LARGEST_INTEGER ((uint64_t)1000000000000000000)

static const char *skip_separators(const char *text)
{
    return text + strspn(text, SEPARATORS);
}

bool argument_numbers(const char *option, const char *text, size_t count, double *numbers)
{
    const char *end = text + strlen(text), *next = skip_separators(text);
    for (size_t i = 0; i < count; ++i) {
        if (next == end) {
            command_fail("--%s: expected %zu numbers, got %zu in \"%s\"", option, count, i, text);
            return false;
        }
        const char *past = impi_number_parse(next, &numbers[i]);
        if (!past || !isfinite(numbers[i]) || (past != end && !strchr(SEPARATORS, *past))) {
            command_fail("--%s: expected a number at \"%s\"", option, next);
            return false;
        }
        next = skip_separators(past);
    }
    if (next == end)
        return true;
    command_fail("--%s: expected %zu numbers, got more in \"%s\"", option, count, text);
    return false;
}

static bool parse_length(const char *text, double *length)
{
    double value = 0;
    const char *past = impi_number_parse(skip_separators(text), &value);
    *length = value == 0 ? 0 : value; // no sign
    return past && !*skip_separators(past) && isfinite(value) && value >= 0;
}

bool argument_length(const char *option, const char *text, double *length)
{
    double value;
    if (!parse_length(text, &value)) {
        command_fail("--%s: expected a length of 0 or more, got \"%s\"", option, text);
        return false;
    }
    *length = value;
    return true;
}

bool argument_length_above_zero(const char *option, const char *text, double *length)
{
    double value;
    if (!parse_length(text, &value) || value == 0) {
        command_fail("--%s: expected a length above 0, got \"%s\"", option, text);
        return false;
    }
    *length = value;
    return true;
}

static bool read_digits(const char *text, uint32_t low, uint32_t high, uint32_t *number)
{
    uint64_t value = 0;
    const char *digit = text;
    for (; *digit >= '0' && *digit <= '9' && value <= UINT32_MAX; ++digit)
        value = 10 * value + (uint64_t)(*digit - '0');
    if (digit == text || *digit || value < low || value > high)
        return false;
    *number = (uint32_t)value;
    return true;
}

bool argument_large_integer(const char *option, const char *text, uint64_t *number)
{
    uint64_t value = 0;
    const char *digit = text;
    for (; *digit >= '0' && *digit <= '9' && value <= LARGEST_INTEGER; ++digit)
        value = 10 * value + (uint64_t)(*digit - '0');
    if (value == 0 || value > LARGEST_INTEGER || *digit) {
        command_fail("--%s: expected a whole number from 1 to %" PRIu64 ", got \"%s\"", option,
                     LARGEST_INTEGER, text);
        return false;
    }
    *number = value;
    return true;
}

bool argument_integer(const char *option, const char *text, uint32_t low, uint32_t high, uint32_t *number)
{
    if (read_digits(text, low, high, number))
        return true;
    command_fail("--%s: expected a whole number from %u to %u, got \"%s\"", option, low, high, text);
    return false;
}

bool argument_signed_integer(const char *option, const char *text, uint32_t most, int32_t *number)
{
    bool is_negative = text[0] == '-';
    uint32_t size;
    if (!read_digits(text + is_negative, 0, most, &size)) {
        command_fail("--%s: expected a whole number from -%u to %u, got \"%s\"", option, most, most, text);
        return false;
    }
    *number = is_negative ? -(int32_t)size : (int32_t)size;
    return true;
}

bool argument_integers(const char *option, const char *text, uint32_t low, uint32_t high, uint32_t **numbers,
                       size_t *count)
{
    char *words = strdup(text), *rest = NULL;
    // Each number takes a digit at least, and each but the last a separator.
    uint32_t *read = calloc(strlen(text) / 2 + 1, sizeof *read);
    size_t read_count = 0;
    bool good = words && read;
    if (!good)
        command_fail("out of memory");
    for (char *word = good ? strtok_r(words, SEPARATORS, &rest) : NULL; good && word;
         word = strtok_r(NULL, SEPARATORS, &rest))
        good = argument_integer(option, word, low, high, &read[read_count++]);
    if (good && read_count == 0)
        good = argument_integer(option, text, low, high, read); // which says what is expected
    free(words);
    if (!good) {
        free(read);
        return false;
    }
    *numbers = read;
    *count = read_count;
    return true;
}
