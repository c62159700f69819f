/// Patterns that names are compared with.
///
///     *        any characters, also none, and also '/'
///     ?        one character
///     [abc]    one of these; [a-z] one of a range, [!abc] one that is none of these. A ']' inside is \]
///     \x       x itself, whatever it means otherwise
///
/// A '[' that is never closed stands for itself, as does a '\' at the end. Characters are those of UTF-8; a
/// byte that is no part of one is a character of its own. Upper and lower case differ.
#ifndef IMPINGE_PLAYBACK_NAME_PATTERN_H
#define IMPINGE_PLAYBACK_NAME_PATTERN_H

#include <stdbool.h>
#include <stddef.h>

/// Does the whole name fit the pattern? Takes time proportional to the product of their lengths at most.
bool impi_name_matches(const char *pattern, const char *name);

/// Is there anything in it that does not stand for itself?
bool impi_is_pattern(const char *text);

/// How many bytes of the pattern stand for themselves before the first that does not: all that fits it begins
/// with them.
size_t impi_pattern_prefix_length(const char *pattern);

#endif
