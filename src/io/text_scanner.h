/// Words and numbers of a text in memory, line by line.
///
/// Lines end with '\n'; '\r', tabs and the like count as blanks, so CR LF needs no care. The last line may
/// lack its end. Nothing is copied and nothing is written to the text.
#ifndef IMPINGE_IO_TEXT_SCANNER_H
#define IMPINGE_IO_TEXT_SCANNER_H

#include "io/digit_chunk.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct impi_TextScanner {
    const char *cursor; // the next character
    const char *end;
    uint64_t line;    // of the cursor, counting from 1
    bool joins_lines; // a backslash before the end of a line joins it with the next
    char comment;     // begins a comment that lasts to the end of the line; 0: there are none
} impi_TextScanner;

/// A run of characters that are not blank; not terminated.
typedef struct impi_Word {
    const char *text;
    size_t length;
} impi_Word;

typedef enum impi_NumberStatus {
    IMPI_NUMBER_OK,
    IMPI_NUMBER_MISSING,    ///< the line ends, or there is a word that is no number
    IMPI_NUMBER_NOT_FINITE, ///< nan, inf, or beyond the range of the type
} impi_NumberStatus;

void impi_scan_init(impi_TextScanner *scanner, const void *text, size_t size);

/// To the end of this line (and of those that are joined to it).
void impi_scan_skip_line(impi_TextScanner *scanner);

/// To the start of the next line. False, with nothing changed, when this is the last one.
bool impi_scan_next_line(impi_TextScanner *scanner);

/// Step over the backslash at the cursor when it joins two lines. For impi_scan_skip_blanks.
bool impi_scan_join_line(impi_TextScanner *scanner);

/// Blank, but no end of line.
static inline bool impi_is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r' && c != '\n');
}

/// To the next word of this line (or of the line that is joined to it).
static inline void impi_scan_skip_blanks(impi_TextScanner *scanner)
{
    do {
        while (scanner->cursor < scanner->end && impi_is_blank(*scanner->cursor))
            ++scanner->cursor;
    } while (scanner->joins_lines && scanner->cursor < scanner->end && *scanner->cursor == '\\' &&
             impi_scan_join_line(scanner));
}

/// Is nothing but blanks and a comment left on this line? Skips blanks.
static inline bool impi_scan_at_line_end(impi_TextScanner *scanner)
{
    impi_scan_skip_blanks(scanner);
    return scanner->cursor == scanner->end || *scanner->cursor == '\n' ||
           (scanner->comment && *scanner->cursor == scanner->comment);
}

/// Step over the comment at the cursor, to the end of its line.
void impi_scan_skip_comment(impi_TextScanner *scanner);

/// To the next word, on this line or a later one. False at the end of the text. Joins no lines.
static inline bool impi_scan_find_word(impi_TextScanner *scanner)
{
    while (scanner->cursor < scanner->end) {
        char c = *scanner->cursor;
        if (scanner->comment && c == scanner->comment) {
            impi_scan_skip_comment(scanner);
            continue;
        }
        if (c != '\n' && !impi_is_blank(c))
            return true;
        scanner->line += c == '\n';
        ++scanner->cursor;
    }
    return false;
}

/// Take the next word of this line; its length is 0 at the end of the line.
impi_Word impi_scan_take_word(impi_TextScanner *scanner);

/// Does a word end at `c`?
static inline bool impi_scan_is_boundary(const impi_TextScanner *scanner, const char *c)
{
    return c == scanner->end || *c == '\n' || impi_is_blank(*c) ||
           (scanner->comment && *c == scanner->comment) || (scanner->joins_lines && *c == '\\');
}

/// Does the word equal `name`? Upper and lower case differ, or not.
bool impi_word_is(impi_Word word, const char *name);
bool impi_word_is_caseless(impi_Word word, const char *name);

/// Find the next word as impi_scan_find_word does and take it if it is `keyword`, in any case.
static inline bool impi_scan_take_keyword(impi_TextScanner *scanner, const char *keyword)
{
    size_t length = strlen(keyword);
    if (!impi_scan_find_word(scanner) || (size_t)(scanner->end - scanner->cursor) < length)
        return false;
    if (memcmp(scanner->cursor, keyword, length) != 0 &&
        !impi_word_is_caseless((impi_Word){scanner->cursor, length}, keyword))
        return false;
    if (!impi_scan_is_boundary(scanner, scanner->cursor + length))
        return false;
    scanner->cursor += length;
    return true;
}

/// Take the next number of this line. It must be a whole word, except that `stop` may follow an integer
/// directly (0: nothing may). When the result is not IMPI_NUMBER_OK the cursor stays at the word.
impi_NumberStatus impi_scan_take_double(impi_TextScanner *scanner, double *value);
impi_NumberStatus impi_scan_take_integer(impi_TextScanner *scanner, char stop, int64_t *value);

/// The same from this line or a later one.
impi_NumberStatus impi_scan_find_double(impi_TextScanner *scanner, double *value);

static inline impi_NumberStatus impi_scan_find_integer(impi_TextScanner *scanner, int64_t *value)
{
    // Nearly every integer has fewer than eight digits and stands behind one blank or a line end.
    const char *c = scanner->cursor;
    bool new_line = c < scanner->end && *c == '\n';
    if (scanner->end - c > 16 && (*c == ' ' || new_line)) {
        uint64_t digits = impi_load_digits(++c);
        unsigned count = impi_count_digits(digits);
        if (count - 1 < 7 && (c[count] == ' ' || c[count] == '\n')) {
            scanner->cursor = c + count;
            scanner->line += new_line;
            *value = impi_join_digits(digits, count);
            return IMPI_NUMBER_OK;
        }
    }
    impi_scan_find_word(scanner);
    return impi_scan_take_integer(scanner, 0, value);
}

#define IMPI_MAX_WORD_DESCRIPTION 48

/// What stands at the cursor, for messages: 'abc', "the end of the line" or "the end of the file". Long
/// words are cut. Their bytes are those of the file: errors show them. `text` is where a word is written to.
const char *impi_scan_describe(const impi_TextScanner *scanner, char text[IMPI_MAX_WORD_DESCRIPTION]);

#endif
