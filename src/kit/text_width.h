/// How many columns of a terminal text takes.
#ifndef IMPINGE_KIT_TEXT_WIDTH_H
#define IMPINGE_KIT_TEXT_WIDTH_H

#include <stddef.h>
#include <stdint.h>

/// 0 for marks that combine with the character before, 2 for wide characters of East Asia and emoji, 1 for
/// all others. The same in every locale, unlike the C library's; for a few symbols terminals disagree anyway.
size_t impi_character_width(uint32_t code);

/// Of a text as it is shown (base/shown_text.h).
size_t impi_text_width(const char *text);

#endif
