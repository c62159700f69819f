#include "kit/style.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define DEFAULT_COLUMNS 80
#define MAX_COLUMNS     10000

static size_t columns_of(int descriptor)
{
    struct winsize size;
    if (ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        return size.ws_col;
    const char *variable = getenv("COLUMNS");
    long columns = variable ? strtol(variable, NULL, 10) : 0;
    return columns > 0 && columns <= MAX_COLUMNS ? (size_t)columns : DEFAULT_COLUMNS;
}

impi_Style impi_style_of(int descriptor)
{
    const char *no_colour = getenv("NO_COLOR"), *terminal = getenv("TERM");
    if (!isatty(descriptor))
        return (impi_Style){.columns = IMPI_COLUMNS_OF_FILES};
    return (impi_Style){.is_terminal = true,
                        .has_colours =
                            !(no_colour && *no_colour) && terminal && strcmp(terminal, "dumb") != 0,
                        .columns = columns_of(descriptor)};
}

void impi_text_begin_emphasis(impi_Text *output, const impi_Style *style, impi_Emphasis emphasis)
{
    static const char *const begins[] = {
        [IMPI_PLAIN] = "", [IMPI_DIM] = "\033[2m", [IMPI_YELLOW] = "\033[33m", [IMPI_RED] = "\033[31m"};
    if (style->has_colours)
        impi_text_put(output, begins[emphasis]);
}

void impi_text_end_emphasis(impi_Text *output, const impi_Style *style, impi_Emphasis emphasis)
{
    if (style->has_colours && emphasis != IMPI_PLAIN)
        impi_text_put(output, "\033[0m");
}
