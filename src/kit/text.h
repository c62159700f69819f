/// Text of programs: on the C library's heap, and into files. What is put into it: io/text_buffer.h.
#ifndef IMPINGE_KIT_TEXT_H
#define IMPINGE_KIT_TEXT_H

#include "io/text_buffer.h"

/// An empty text; free it with impi_text_free.
void impi_text_begin(impi_Text *text);

/// Write it into a file, which appears whole or not at all. IMP_STATUS_OUT_OF_MEMORY when the text has run
/// out of it, IMP_STATUS_IO with the system's reason.
imp_Status impi_text_save(imp_Context *context, const impi_Text *text, const char *path);

#endif
