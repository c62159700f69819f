#include "io/text_scanner.h"

#include "io/decimal.h"
#include "io/plain_decimal.h"

#include <math.h>

void impi_scan_init(impi_TextScanner *scanner, const void *text, size_t size)
{
    static const char nothing[1] = {0}; // so that pointer arithmetic is defined for an empty text too
    const char *begin = size ? text : nothing;
    *scanner = (impi_TextScanner){.cursor = begin, .end = begin + size, .line = 1};
}

static const char *find_line_end(const impi_TextScanner *scanner)
{
    if (scanner->cursor == scanner->end || *scanner->cursor == '\n')
        return scanner->cursor;
    const char *found = memchr(scanner->cursor, '\n', (size_t)(scanner->end - scanner->cursor));
    return found ? found : scanner->end;
}

bool impi_scan_next_line(impi_TextScanner *scanner)
{
    const char *line_end = find_line_end(scanner);
    if (line_end == scanner->end)
        return false;
    scanner->cursor = line_end + 1;
    ++scanner->line;
    return true;
}

void impi_scan_skip_line(impi_TextScanner *scanner)
{
    for (;;) {
        const char *line_end = find_line_end(scanner), *last = line_end;
        while (last > scanner->cursor && impi_is_blank(last[-1]))
            --last;
        bool joined = scanner->joins_lines && last > scanner->cursor && last[-1] == '\\';
        if (!joined || !impi_scan_next_line(scanner)) {
            scanner->cursor = line_end;
            return;
        }
    }
}

bool impi_scan_join_line(impi_TextScanner *scanner)
{
    const char *c = scanner->cursor + 1;
    while (c < scanner->end && impi_is_blank(*c))
        ++c;
    return c < scanner->end && *c == '\n' && impi_scan_next_line(scanner);
}

void impi_scan_skip_comment(impi_TextScanner *scanner)
{
    scanner->cursor = find_line_end(scanner);
}

static const char *find_word_end(const impi_TextScanner *scanner)
{
    const char *c = scanner->cursor;
    while (c < scanner->end && *c != '\n' && !impi_is_blank(*c))
        ++c;
    return c;
}

impi_Word impi_scan_take_word(impi_TextScanner *scanner)
{
    if (impi_scan_at_line_end(scanner))
        return (impi_Word){scanner->cursor, 0};
    const char *word_end = find_word_end(scanner);
    impi_Word word = {scanner->cursor, (size_t)(word_end - scanner->cursor)};
    scanner->cursor = word_end;
    return word;
}

// Does the text name a number that is not finite? "nan(ind)" and "1.#INF" are what some systems print.
static bool names_no_finite_number(const impi_TextScanner *scanner)
{
    impi_Word word = {scanner->cursor, (size_t)(find_word_end(scanner) - scanner->cursor)};
    if (word.length && (*word.text == '-' || *word.text == '+')) {
        ++word.text;
        --word.length;
    }
    if (word.length > 3 && memcmp(word.text, "1.#", 3) == 0)
        return true;
    impi_Word start = {word.text, word.length < 3 ? word.length : 3};
    return impi_word_is_caseless(start, "nan") || impi_word_is_caseless(word, "inf") ||
           impi_word_is_caseless(word, "infinity");
}

// A number between blanks or line ends. False when it takes a closer look; `value` is lost then.
static inline bool take_plain_double(impi_TextScanner *scanner, bool across_lines, double *value)
{
    const char *c = scanner->cursor;
    bool new_line = across_lines && c < scanner->end && *c == '\n';
    c += new_line || (c < scanner->end && *c == ' ');
    c = impi_decimal_parse_plain(c, scanner->end, value);
    if (!c || (*c != ' ' && *c != '\n'))
        return false;
    scanner->cursor = c;
    scanner->line += new_line;
    return true;
}

// Whatever else may stand there.
static impi_NumberStatus take_any_double(impi_TextScanner *scanner, double *value)
{
    if (impi_scan_at_line_end(scanner))
        return IMPI_NUMBER_MISSING;
    double number;
    const char *number_end = impi_decimal_parse(scanner->cursor, scanner->end, &number);
    if (!number_end || !impi_scan_is_boundary(scanner, number_end))
        return names_no_finite_number(scanner) ? IMPI_NUMBER_NOT_FINITE : IMPI_NUMBER_MISSING;
    if (isinf(number))
        return IMPI_NUMBER_NOT_FINITE;
    scanner->cursor = number_end;
    *value = number;
    return IMPI_NUMBER_OK;
}

impi_NumberStatus impi_scan_take_double(impi_TextScanner *scanner, double *value)
{
    double number;
    if (!take_plain_double(scanner, false, &number))
        return take_any_double(scanner, value);
    *value = number;
    return IMPI_NUMBER_OK;
}

impi_NumberStatus impi_scan_find_double(impi_TextScanner *scanner, double *value)
{
    double number;
    if (!take_plain_double(scanner, true, &number)) {
        impi_scan_find_word(scanner);
        return take_any_double(scanner, value);
    }
    *value = number;
    return IMPI_NUMBER_OK;
}

// Digits up to the first other character. False when there are too many.
static bool take_digits(const char **cursor, const char *end, int64_t *value)
{
    const char *c = *cursor;
    int64_t number = 0;
    bool fits = true;
    if (end - c >= 8) {
        uint64_t digits = impi_load_digits(c);
        unsigned count = impi_count_digits(digits);
        if (count > 0)
            number = impi_join_digits(digits, count);
        c += count;
    }
    for (; c < end && *c >= '0' && *c <= '9'; ++c) {
        fits = fits && number < INT64_MAX / 10; // the last few that would fit are of no use to anyone
        if (fits)
            number = 10 * number + (*c - '0');
    }
    *cursor = c;
    *value = number;
    return fits;
}

impi_NumberStatus impi_scan_take_integer(impi_TextScanner *scanner, char stop, int64_t *value)
{
    if (impi_scan_at_line_end(scanner))
        return IMPI_NUMBER_MISSING;
    const char *c = scanner->cursor;
    bool negative = *c == '-';
    if (*c == '-' || *c == '+')
        ++c;
    const char *digits = c;
    int64_t number;
    bool fits = take_digits(&c, scanner->end, &number);
    if (c == digits || !(impi_scan_is_boundary(scanner, c) || (stop && *c == stop)))
        return IMPI_NUMBER_MISSING;
    if (!fits)
        return IMPI_NUMBER_NOT_FINITE;
    scanner->cursor = c;
    *value = negative ? -number : number;
    return IMPI_NUMBER_OK;
}

bool impi_word_is(impi_Word word, const char *name)
{
    return strlen(name) == word.length && memcmp(word.text, name, word.length) == 0;
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

bool impi_word_is_caseless(impi_Word word, const char *name)
{
    if (strlen(name) != word.length)
        return false;
    for (size_t i = 0; i < word.length; ++i)
        if (lower(word.text[i]) != lower(name[i]))
            return false;
    return true;
}

const char *impi_scan_describe(const impi_TextScanner *scanner, char text[IMPI_MAX_WORD_DESCRIPTION])
{
    impi_TextScanner ahead = *scanner;
    if (impi_scan_at_line_end(&ahead))
        return find_line_end(&ahead) == ahead.end ? "the end of the file" : "the end of the line";
    const char *word_end = find_word_end(&ahead);
    size_t length = 0;
    text[length++] = '\'';
    for (const char *c = ahead.cursor; c < word_end; ++c) {
        if (length == IMPI_MAX_WORD_DESCRIPTION - 5) {
            memcpy(text + length, "...", 3);
            length += 3;
            break;
        }
        text[length++] = *c ? *c : '?'; // a zero would end the message
    }
    text[length++] = '\'';
    text[length] = '\0';
    return text;
}
