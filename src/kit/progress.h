/// A bar on standard error for work that lasts: it appears after a second, on a terminal only, and leaves
/// nothing behind. How much time is left is judged by how long what is done has taken.
#ifndef IMPINGE_KIT_PROGRESS_H
#define IMPINGE_KIT_PROGRESS_H

#include <stddef.h>

typedef struct impi_Progress impi_Progress;

/// Null where there is no terminal, which the functions below take as well.
impi_Progress *impi_progress_begin(void);

/// What is being done, and how much of it is; a total of 0 when nobody knows. `what` must stay.
void impi_progress_set(impi_Progress *progress, const char *what, size_t done, size_t total);

/// The same where only a share is known, 0 to 1. Its `what` is compared by address: a new one is new work.
void impi_progress_set_share(impi_Progress *progress, const char *what, double share);

/// Before a line is printed that cannot wait for the end: erases the bar, if there may be one.
void impi_progress_make_way(void);

/// Before anything else is printed.
void impi_progress_end(impi_Progress *progress);

#endif
