/// Text that grows: what is written can be looked at, or thrown away, before any of it leaves the program.
#ifndef IMPINGE_IO_TEXT_BUFFER_H
#define IMPINGE_IO_TEXT_BUFFER_H

#include "base/array.h"

/// After running out of memory it takes no more, and `out_of_memory` stays set: writers need to look once,
/// at the end.
typedef struct impi_Text {
    const imp_Allocator *allocator;
    IMPI_ARRAY(char) bytes; ///< not terminated by a zero
    bool out_of_memory;
} impi_Text;

/// `allocator` must outlive the text.
void impi_text_init(impi_Text *text, const imp_Allocator *allocator);
void impi_text_free(impi_Text *text);

void impi_text_append(impi_Text *text, const char *bytes, size_t size);
void impi_text_put(impi_Text *text, const char *string);

/// In decimal; several times faster than by a format.
void impi_text_put_integer(impi_Text *text, int64_t number);

/// As many digits as it takes to read back as the same double. Not finite: "null", as JSON has no word for
/// it.
void impi_text_put_double(impi_Text *text, double number);

/// The same for radii and bounds: the text, as a real number, is no less than the number, which is not
/// negative.
void impi_text_put_upper(impi_Text *text, double number);

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void impi_text_printf(impi_Text *text, const char *format, ...);

#endif
