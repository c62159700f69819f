/// The bytes of a file, of which a part is in memory at a time.
///
/// Readers go through it record by record (a line, a facet, an element) and say how far they are behind each:
///
///     file     |----------------|=====================|---------------------|
///                               begin    ^      ^     end
///                                        cursor stop
///
/// A reader at `stop` or behind it has the window moved on; what lies ahead of it stays. So a record that
/// begins before `stop` has all of the bytes up to `end`, which suffices for any but the longest. One that
/// does not fit says so with impi_byte_window_fail_short, and the file is read again through a wider window.
#ifndef IMPINGE_IO_BYTE_WINDOW_H
#define IMPINGE_IO_BYTE_WINDOW_H

#include "io/file_source.h"

typedef struct impi_ByteWindow {
    const unsigned char *begin, *end;
    const unsigned char *stop;
    uint64_t offset; // of `begin` in the file
    uint64_t total;  // bytes of the file
    bool is_short;   // a record did not fit

    imp_Context *context;
    impi_FileSource *source; // null: all of the bytes are in memory, and the caller's
    unsigned char *storage;
    size_t capacity, lookahead;
    uint64_t told; // how far the watch knows of
} impi_ByteWindow;

/// All of these bytes, which must outlive it.
void impi_byte_window_init(impi_ByteWindow *window, imp_Context *context, const void *bytes, size_t size);

/// The beginning of a source, which has a size and must outlive it. On failure there is nothing to free.
imp_Status impi_byte_window_open(impi_ByteWindow *window, impi_FileSource *source);
void impi_byte_window_free(impi_ByteWindow *window);

/// Back to the beginning; or the same with a window 16 times as wide, after a record did not fit.
imp_Status impi_byte_window_rewind(impi_ByteWindow *window);
imp_Status impi_byte_window_widen(impi_ByteWindow *window);

/// To any other place of a source. Whoever does that rewinds it afterwards.
imp_Status impi_byte_window_jump(impi_ByteWindow *window, uint64_t offset);

/// Does it reach to the end of the file?
static inline bool impi_byte_window_is_last(const impi_ByteWindow *window)
{
    return window->offset + (uint64_t)(window->end - window->begin) == window->total;
}

/// Where in the file something is.
static inline uint64_t impi_byte_window_offset(const impi_ByteWindow *window, const void *position)
{
    return window->offset + (uint64_t)((const unsigned char *)position - window->begin);
}

/// Move on, so that `*cursor`, which becomes the same byte in its new place, is the first. Asks the watch.
imp_Status impi_byte_window_move(impi_ByteWindow *window, const unsigned char **cursor);

/// The reader is done with the bytes before `*cursor`.
static inline imp_Status impi_byte_window_pass(impi_ByteWindow *window, const unsigned char **cursor)
{
    return *cursor < window->stop ? IMP_STATUS_OK : impi_byte_window_move(window, cursor);
}

/// A record goes beyond a window that is not the last. The status is an error that nobody sees.
imp_Status impi_byte_window_fail_short(impi_ByteWindow *window);

#endif
