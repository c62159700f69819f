/// How output looks: for a terminal, with colours and as wide as that is, or for a file or a program.
#ifndef IMPINGE_KIT_STYLE_H
#define IMPINGE_KIT_STYLE_H

#include "kit/text.h"

typedef struct impi_Style {
    bool is_terminal; ///< long names may be shortened there, and nowhere else
    bool has_colours; ///< on terminals, unless NO_COLOR is set and not empty, or TERM is "dumb"
    size_t columns;   ///< of the terminal; 100 where there is none, so that files are always the same
} impi_Style;

#define IMPI_COLUMNS_OF_FILES 100

typedef enum impi_Emphasis { IMPI_PLAIN, IMPI_DIM, IMPI_YELLOW, IMPI_RED } impi_Emphasis;

/// The style of what is written to a file descriptor. The width is that of the terminal, else COLUMNS of the
/// environment, else 80.
impi_Style impi_style_of(int descriptor);

/// Begin and end a piece of text that stands out; nothing where there are no colours.
void impi_text_begin_emphasis(impi_Text *output, const impi_Style *style, impi_Emphasis emphasis);
void impi_text_end_emphasis(impi_Text *output, const impi_Style *style, impi_Emphasis emphasis);

#endif
