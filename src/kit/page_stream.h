/// A page on its way into its file: text as it is, numbers as base64 of little-endian bytes.
#ifndef IMPINGE_KIT_PAGE_STREAM_H
#define IMPINGE_KIT_PAGE_STREAM_H

#include "io/atomic_file.h"

/// After a failure it takes no more, and `status` tells: writers need to look once, at the end.
typedef struct impi_PageStream {
    impi_AtomicFile file;
    imp_Status status;
    uint32_t group; // bytes that wait until they are three, the first one highest
    size_t grouped;
    uint64_t number_bytes; // put as base64 so far
} impi_PageStream;

/// The status is also that of the call. `path` must stay until the end.
imp_Status impi_page_stream_open(imp_Context *context, const char *path, impi_PageStream *stream);

/// Put the file in its place; leave everything as it was when something failed, or when it is not to be kept.
imp_Status impi_page_stream_close(impi_PageStream *stream, bool keep);

void impi_page_put_text(impi_PageStream *stream, const char *text, size_t size);

/// Numbers may follow each other in any mixture; impi_page_end_numbers pads and ends the base64.
void impi_page_put_float(impi_PageStream *stream,
                         double number); ///< to the nearest float; beyond, the largest
void impi_page_put_u32(impi_PageStream *stream, uint32_t number);
void impi_page_put_u16(impi_PageStream *stream, uint16_t number);
void impi_page_put_varint(impi_PageStream *stream, uint64_t number); ///< 7 bits a byte, low ones first
void impi_page_align_numbers(impi_PageStream *stream); ///< zeros up to the next multiple of four bytes
void impi_page_end_numbers(impi_PageStream *stream);

#endif
