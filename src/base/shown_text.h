/// Text from files and arguments, as it is shown to people: whatever it holds, it stays on its line, does
/// nothing to a terminal, and reads in the order in which it is written.
#ifndef IMPINGE_BASE_SHOWN_TEXT_H
#define IMPINGE_BASE_SHOWN_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define IMPI_MAX_SHOWN 8 // bytes that one character is shown in

/// Is the character shown by an escape: a control character (C0, DEL, C1), an end of a line, or one that
/// changes the direction of what follows?
bool impi_is_shown_escaped(uint32_t code);

/// The next character of `*text`, which is not at its end, as it is shown; moves on behind it and returns how
/// many bytes were written. Control characters and bytes that are no UTF-8 are \x1b, byte by byte, other
/// characters that are not shown as they are \u202e. Backslashes stay: paths and names have them.
size_t impi_show_character(const char **text, char shown[IMPI_MAX_SHOWN]);

/// Write `text` as it is shown to `line`, with a final zero. What does not fit into `capacity` bytes is cut
/// between characters. Returns how many bytes were written, without the zero.
size_t impi_show_text(char *line, size_t capacity, const char *text);

#endif
