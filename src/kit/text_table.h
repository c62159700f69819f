/// Cells of tables. Widths are in characters rather than bytes, as far as UTF-8 tells.
#ifndef IMPINGE_KIT_TEXT_TABLE_H
#define IMPINGE_KIT_TEXT_TABLE_H

#include "kit/text.h"

size_t impi_text_width(const char *text);

/// Append `text` at the left or right end of a cell; what is wider than the cell is not cut.
void impi_text_put_left(impi_Text *output, const char *text, size_t width);
void impi_text_put_right(impi_Text *output, const char *text, size_t width);
void impi_text_put_number(impi_Text *output, size_t number, size_t width); ///< at the right end

/// As many of a path's last folders, and its file, as a heading has room for: its end tells more than its
/// beginning.
const char *impi_text_path_end(const char *path);

#endif
