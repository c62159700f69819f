// Why not fnmatch: what it calls a character depends on the locale of the program, and implementations take
// exponential time for patterns with many stars. Here only the last star is ever tried again: if what stands
// before it has matched as early as it can, a longer match of an earlier star gives nothing new.

#include "playback/name_pattern.h"

#include <stdint.h>
#include <string.h>

static const char special[] = "*?[\\";

// Take one character: its UTF-8 bytes read as one number, which sorts as code points do.
static uint32_t take_character(const char **text)
{
    const unsigned char *bytes = (const unsigned char *)*text;
    unsigned length = bytes[0] < 0xC0 ? 1 : bytes[0] < 0xE0 ? 2 : bytes[0] < 0xF0 ? 3 : 4;
    uint32_t character = bytes[0];
    for (unsigned i = 1; i < length; ++i) {
        if ((bytes[i] & 0xC0) != 0x80) { // which the final zero is as well
            *text += 1;
            return bytes[0];
        }
        character = character << 8 | bytes[i];
    }
    *text += length;
    return character;
}

static uint32_t take_literal(const char **pattern)
{
    if (**pattern == '\\' && (*pattern)[1])
        ++*pattern;
    return take_character(pattern);
}

// Where the first '[' is that is never closed; those behind it are not closed either. The end if there is
// none.
static const char *find_unclosed(const char *pattern)
{
    const char *open = NULL;
    while (*pattern) {
        if (!open && *pattern == '[') {
            open = pattern++;
        } else if (open && *pattern == ']') {
            open = NULL;
            ++pattern;
        } else {
            take_literal(&pattern);
        }
    }
    return open ? open : pattern;
}

static bool take_class(const char **pattern, uint32_t character)
{
    const char *next = *pattern + 1;
    bool is_excluding = *next == '!', is_found = false;
    next += is_excluding;
    while (*next != ']') {
        uint32_t low = take_literal(&next), high = low;
        if (*next == '-' && next[1] != ']') {
            ++next;
            high = take_literal(&next);
        }
        is_found = is_found || (low <= character && character <= high);
    }
    *pattern = next + 1;
    return is_found != is_excluding;
}

// Take one character of the name and what stands for one in the pattern. Do they fit?
static bool take_one(const char **pattern, const char *unclosed, const char **name)
{
    uint32_t character = take_character(name);
    if (**pattern == '?') {
        ++*pattern;
        return true;
    }
    if (**pattern == '[' && *pattern < unclosed)
        return take_class(pattern, character);
    return take_literal(pattern) == character;
}

// Where the rest of the pattern behind a star can fit next, from `name` on, or null: no sooner than where its
// first letter is, if that stands for itself and is ASCII, whose bytes are in no other character.
static const char *find_next_try(const char *behind_star, const char *name)
{
    bool is_letter = (unsigned char)*behind_star < 0x80 && !strchr(special, *behind_star);
    return is_letter ? strchr(name, *behind_star) : name;
}

bool impi_name_matches(const char *pattern, const char *name)
{
    const char *unclosed = find_unclosed(pattern);
    const char *behind_star = NULL, *retry = NULL; // where the rest of the name was tried last
    while (*name) {
        if (*pattern == '*') {
            behind_star = ++pattern;
            retry = name;
            if (!*behind_star)
                return true;
        } else if (!*pattern || !take_one(&pattern, unclosed, &name)) {
            if (!behind_star)
                return false;
            take_character(&retry);
            retry = find_next_try(behind_star, retry);
            if (!retry)
                return false;
            pattern = behind_star;
            name = retry;
        }
    }
    return pattern[strspn(pattern, "*")] == 0;
}

bool impi_is_pattern(const char *text)
{
    return strpbrk(text, special) != NULL;
}

size_t impi_pattern_prefix_length(const char *pattern)
{
    return strcspn(pattern, special);
}
