#include "base/utf8.h"

size_t impi_utf8_read(const char *text, uint32_t *code)
{
    static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000}; // that needs so many bytes
    const unsigned char *bytes = (const unsigned char *)text;
    unsigned char lead = bytes[0];
    size_t length = lead < 0x80   ? 1
                    : lead < 0xC0 ? 0
                    : lead < 0xE0 ? 2
                    : lead < 0xF0 ? 3
                    : lead < 0xF8 ? 4
                                  : 0;
    uint32_t number = length < 2 ? lead : lead & (0xFFu >> (length + 1));
    for (size_t i = 1; i < length; ++i) {
        if ((bytes[i] & 0xC0) != 0x80)
            return 0;
        number = number << 6 | (bytes[i] & 0x3F);
    }
    if (length == 0 || number < smallest[length] || number > 0x10FFFF ||
        (number >= 0xD800 && number <= 0xDFFF))
        return 0;
    *code = number;
    return length;
}
