#include "base/shown_text.h"

#include "base/utf8.h"

#include <stdio.h>
#include <string.h>

static bool is_control(uint32_t code)
{
    return code < 0x20 || (code >= 0x7F && code < 0xA0);
}

bool impi_is_shown_escaped(uint32_t code)
{
    bool ends_line = code == 0x2028 || code == 0x2029;
    bool turns_text = (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
    return is_control(code) || ends_line || turns_text;
}

static size_t escape_bytes(const char *bytes, size_t count, char *shown)
{
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < count; ++i) {
        const char escape[] = {'\\', 'x', digits[(unsigned char)bytes[i] >> 4], digits[bytes[i] & 15]};
        memcpy(shown + i * sizeof escape, escape, sizeof escape);
    }
    return 4 * count;
}

size_t impi_show_character(const char **text, char shown[IMPI_MAX_SHOWN])
{
    const char *at = *text;
    uint32_t code = 0;
    size_t length = impi_utf8_read(at, &code);
    *text += length ? length : 1;
    if (length == 0 || is_control(code))
        return escape_bytes(at, length ? length : 1, shown);
    if (impi_is_shown_escaped(code))
        return (size_t)snprintf(shown, IMPI_MAX_SHOWN, "\\u%04x", (unsigned)code & 0xFFFF);
    memcpy(shown, at, length);
    return length;
}

size_t impi_show_text(char *line, size_t capacity, const char *text)
{
    size_t used = 0;
    while (*text) {
        char shown[IMPI_MAX_SHOWN];
        size_t size = impi_show_character(&text, shown);
        if (used + size + 1 > capacity)
            break;
        memcpy(line + used, shown, size);
        used += size;
    }
    line[used] = '\0';
    return used;
}
