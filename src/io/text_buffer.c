#include "io/text_buffer.h"

#include "io/decimal.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define MAX_INTEGER_DIGITS 20

void impi_text_init(impi_Text *text, const imp_Allocator *allocator)
{
    *text = (impi_Text){.allocator = allocator};
}

void impi_text_free(impi_Text *text)
{
    impi_array_free(text->allocator, &text->bytes, 1);
}

static bool make_room(impi_Text *text, size_t size)
{
    if (!text->out_of_memory && size > text->bytes.capacity - text->bytes.count)
        text->out_of_memory = !impi_array_reserve(text->allocator, &text->bytes, 1, text->bytes.count + size);
    return !text->out_of_memory;
}

void impi_text_append(impi_Text *text, const char *bytes, size_t size)
{
    if (size == 0 || !make_room(text, size))
        return;
    memcpy(text->bytes.data + text->bytes.count, bytes, size);
    text->bytes.count += size;
}

void impi_text_put(impi_Text *text, const char *string)
{
    impi_text_append(text, string, strlen(string));
}

void impi_text_put_integer(impi_Text *text, int64_t number)
{
    char digits[MAX_INTEGER_DIGITS];
    char *end = digits + sizeof digits, *begin = end;
    uint64_t rest = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
    do {
        *--begin = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest);
    if (number < 0)
        *--begin = '-';
    impi_text_append(text, begin, (size_t)(end - begin));
}

static void put_formatted(impi_Text *text, double number, size_t (*format)(double, char *))
{
    char digits[IMPI_MAX_DECIMAL_LENGTH] = "";
    if (isfinite(number))
        impi_text_append(text, digits, format(number, digits));
    else
        impi_text_put(text, "null");
}

void impi_text_put_double(impi_Text *text, double number)
{
    put_formatted(text, number, impi_decimal_format);
}

void impi_text_put_upper(impi_Text *text, double number)
{
    put_formatted(text, number, impi_decimal_format_up);
}

void impi_text_printf(impi_Text *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int size = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    // vsnprintf ends with a zero byte, for which there must be room although it does not count.
    if (size < 0 || !make_room(text, (size_t)size + 1))
        return;
    va_start(arguments, format);
    vsnprintf(text->bytes.data + text->bytes.count, (size_t)size + 1, format, arguments);
    va_end(arguments);
    text->bytes.count += (size_t)size;
}
