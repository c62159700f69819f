#include "kit/text_table.h"

#include "kit/safe_text.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#define MAX_HEADING 32
#define MAX_CELL    32

void impi_text_put_spaces(impi_Text *output, size_t count)
{
    for (; count > 0; --count)
        impi_text_append(output, " ", 1);
}

void impi_text_end_line(impi_Text *output)
{
    while (output->bytes.count > 0 && output->bytes.data[output->bytes.count - 1] == ' ')
        --output->bytes.count;
    impi_text_append(output, "\n", 1);
}

static void pad(impi_Text *output, const char *text, size_t width)
{
    size_t own = impi_text_width(text);
    impi_text_put_spaces(output, own < width ? width - own : 0);
}

void impi_text_put_left(impi_Text *output, const char *text, size_t width)
{
    impi_text_put_shown(output, text);
    pad(output, text, width);
}

void impi_text_put_right(impi_Text *output, const char *text, size_t width)
{
    pad(output, text, width);
    impi_text_put_shown(output, text);
}

void impi_text_put_number(impi_Text *output, size_t number, size_t width)
{
    char cell[MAX_CELL];
    snprintf(cell, sizeof cell, "%zu", number);
    impi_text_put_right(output, cell, width);
}

// The part of `text` before `end` as it is shown.
static void put_part(impi_Text *output, const char *text, const char *end)
{
    while (text < end) {
        char shown[IMPI_MAX_SHOWN];
        size_t size = impi_show_character(&text, shown);
        impi_text_append(output, shown, size);
    }
}

// The first character behind at most `width` columns; `*used` is how many they are.
static const char *pass_columns(const char *text, size_t width, size_t *used)
{
    *used = 0;
    while (*text) {
        char shown[IMPI_MAX_SHOWN + 1];
        const char *next = text;
        shown[impi_show_character(&next, shown)] = '\0';
        size_t own = impi_text_width(shown);
        if (*used + own > width)
            break;
        *used += own;
        text = next;
    }
    return text;
}

// The beginning and the end have equal shares; the end, which often tells more, has the odd column.
size_t impi_text_put_shortened(impi_Text *output, const char *text, size_t width)
{
    static const char dots[] = "...";
    size_t own = impi_text_width(text), dot_width = sizeof dots - 1, left, skipped;
    if (own <= width) {
        impi_text_put_shown(output, text);
        return own;
    }
    assert(width >= dot_width + 2);
    const char *left_end = pass_columns(text, (width - dot_width) / 2, &left);
    size_t right = width - dot_width - left;
    const char *right_begin = pass_columns(text, own - right, &skipped);
    // A wide character that does not fit as a whole belongs to what is left out.
    if (skipped < own - right) {
        char shown[IMPI_MAX_SHOWN];
        impi_show_character(&right_begin, shown);
    }
    put_part(output, text, left_end);
    impi_text_put(output, dots);
    impi_text_put_shown(output, right_begin);
    return left + dot_width + impi_text_width(right_begin);
}

const char *impi_text_path_end(const char *path)
{
    while (impi_text_width(path) > MAX_HEADING) {
        const char *rest = path + strcspn(path, "/");
        if (*rest == 0)
            break;
        path = rest + 1;
    }
    return path;
}
