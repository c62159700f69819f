// Decimal text to double: the same as the C library, to the bit, for whatever both call a number; and what is
// written reads back.

#include "io/decimal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_INPUT 1200

static void demand(bool held, const char *what)
{
    if (held)
        return;
    fprintf(stderr, "broken promise: %s\n", what);
    abort();
}

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t size);

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t size)
{
    char text[MAX_INPUT + 1];
    if (size > MAX_INPUT)
        return 0;
    memcpy(text, bytes, size);
    text[size] = '\0';
    // What strtod takes and we don't: blanks before, hexadecimal, nan and inf.
    if (strspn(text, "0123456789+-.eE") != size)
        return 0;
    double value = 0.0;
    char *library_end;
    const char *end = impi_decimal_parse(text, text + size, &value);
    double library_value = strtod(text, &library_end);
    demand(end ? end == library_end : library_end == text, "the number ends where the library says");
    if (!end)
        return 0;
    demand(memcmp(&value, &library_value, sizeof value) == 0, "the nearest double");
    if (isfinite(value)) {
        char written[IMPI_MAX_DECIMAL_LENGTH];
        double read_back;
        size_t length = impi_decimal_format(value, written);
        demand(impi_decimal_parse(written, written + length, &read_back) == written + length &&
                   memcmp(&read_back, &value, sizeof value) == 0,
               "what is written reads back");
    }
    return 0;
}
