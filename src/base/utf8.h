/// Characters of UTF-8 text that may hold any bytes.
#ifndef IMPINGE_BASE_UTF8_H
#define IMPINGE_BASE_UTF8_H

#include <stddef.h>
#include <stdint.h>

/// Read the character at the beginning of a text that ends in a zero: `*code` is its number, and how many
/// bytes it takes is returned, 0 where these are no well-formed UTF-8. Overlong forms, surrogates and what
/// lies past U+10FFFF are not. Reads no further than the final zero.
size_t impi_utf8_read(const char *text, uint32_t *code);

#endif
