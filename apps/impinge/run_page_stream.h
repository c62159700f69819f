/// A page on its way into its file: text as it is, numbers as base64 of little-endian bytes.
#ifndef IMPINGE_APPS_RUN_PAGE_STREAM_H
#define IMPINGE_APPS_RUN_PAGE_STREAM_H

#include "io/atomic_file.h"

/// After a failure it takes no more, and `status` tells: writers need to look once, at the end.
typedef struct PageStream {
    impi_AtomicFile file;
    imp_Status status;
    uint32_t group; // bytes that wait until they are three, the first one highest
    size_t grouped;
    uint64_t number_bytes; // put as base64 so far
} PageStream;

/// The status is also that of the call. `path` must stay until the end.
imp_Status page_stream_open(imp_Context *context, const char *path, PageStream *stream);

/// Put the file in its place; leave everything as it was when something failed, or when it is not to be kept.
imp_Status page_stream_close(PageStream *stream, bool keep);

void page_put_text(PageStream *stream, const char *text, size_t size);

/// Numbers may follow each other in any mixture; page_end_numbers pads and ends the base64.
void page_put_float(PageStream *stream, double number); ///< to the nearest float; beyond, the largest
void page_put_u32(PageStream *stream, uint32_t number);
void page_put_u16(PageStream *stream, uint16_t number);
void page_put_varint(PageStream *stream, uint64_t number); ///< 7 bits a byte, low ones first
void page_align_numbers(PageStream *stream);               ///< zeros up to the next multiple of four bytes
void page_end_numbers(PageStream *stream);

#endif
