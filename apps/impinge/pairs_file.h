/// Files of pairs: NumPy arrays or CSV, by the end of their name.
#ifndef IMPINGE_APPS_PAIRS_FILE_H
#define IMPINGE_APPS_PAIRS_FILE_H

#include "pairs_run.h"

/// Can pairs be written to a file of this name? Says what can be written if not.
CommandResult pairs_file_check(const char *path);

/// Rows of box and box, behind the frame where there are frames; .csv has a line of names first. The run must
/// have wanted a file, which appears whole or not at all. Says what is wrong.
CommandResult pairs_file_save(const PairsRun *run, const char *path);

/// The rows of a file in CSV, or without frames those of a list.
void pairs_put_rows(const PairsRun *run, impi_Text *text);

/// The line of names, and a row of one number per column.
void pairs_put_heading(bool has_frames, impi_Text *text);
void pairs_put_row(impi_Text *text, const uint32_t *numbers, size_t count);

#endif
