#include "kit/text_table.h"

#include <stdio.h>
#include <string.h>

#define MAX_HEADING 32
#define MAX_CELL    32

size_t impi_text_width(const char *text)
{
    size_t width = 0;
    for (; *text; ++text)
        width += ((unsigned char)*text & 0xC0) != 0x80;
    return width;
}

static int padding(const char *text, size_t width)
{
    size_t own = impi_text_width(text);
    return (int)(own < width ? width - own : 0);
}

void impi_text_put_left(impi_Text *output, const char *text, size_t width)
{
    impi_text_printf(output, "%s%*s", text, padding(text, width), "");
}

void impi_text_put_right(impi_Text *output, const char *text, size_t width)
{
    impi_text_printf(output, "%*s%s", padding(text, width), "", text);
}

void impi_text_put_number(impi_Text *output, size_t number, size_t width)
{
    char cell[MAX_CELL];
    snprintf(cell, sizeof cell, "%zu", number);
    impi_text_put_right(output, cell, width);
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
