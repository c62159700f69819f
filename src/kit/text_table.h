/// Cells of tables. Their text may come from anywhere: it is put as it is shown (kit/safe_text.h), and its
/// width is that of columns of a terminal.
#ifndef IMPINGE_KIT_TEXT_TABLE_H
#define IMPINGE_KIT_TEXT_TABLE_H

#include "kit/text.h"
#include "kit/text_width.h"

/// Append `text` at the left or right end of a cell; what is wider than the cell is not cut.
void impi_text_put_left(impi_Text *output, const char *text, size_t width);
void impi_text_put_right(impi_Text *output, const char *text, size_t width);
void impi_text_put_number(impi_Text *output, size_t number, size_t width); ///< at the right end

void impi_text_put_spaces(impi_Text *output, size_t count);

/// End a line, without spaces of cells that are empty.
void impi_text_end_line(impi_Text *output);

/// Append `text`, with "..." instead of its middle where it is wider than `width`, which is at least 5. The
/// width that it takes is returned.
size_t impi_text_put_shortened(impi_Text *output, const char *text, size_t width);

/// As many of a path's last folders, and its file, as a heading has room for: its end tells more than its
/// beginning.
const char *impi_text_path_end(const char *path);

#endif
