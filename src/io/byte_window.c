#include "io/byte_window.h"

#include <string.h>

// A window stays in the processor's cache, and is read through in less than a millisecond. What is ahead of
// `stop` has to hold a record of fixed size, the largest being STL's. Fuzzers have a small one, so that their
// small files go beyond it.
#ifdef IMPI_WINDOW_CAPACITY
#define FIRST_CAPACITY ((size_t)IMPI_WINDOW_CAPACITY)
#else
#define FIRST_CAPACITY ((size_t)256 << 10)
#endif
#define LOOKAHEAD_PART 8 // of a window is ahead of `stop`
#define WIDER          16

// Where the watch is asked next, or bytes are needed.
static void set_stop(impi_ByteWindow *window, const unsigned char *cursor)
{
    size_t ahead = (size_t)(window->end - cursor);
    if (!impi_byte_window_is_last(window))
        window->stop = window->end - window->lookahead;
    else
        window->stop = cursor + (ahead < FIRST_CAPACITY ? ahead : FIRST_CAPACITY);
}

void impi_byte_window_init(impi_ByteWindow *window, imp_Context *context, const void *bytes, size_t size)
{
    static const unsigned char nothing[1] = {0}; // so that pointer arithmetic is defined for no bytes too
    const unsigned char *begin = size ? bytes : nothing;
    *window = (impi_ByteWindow){.begin = begin, .end = begin + size, .total = size, .context = context};
    set_stop(window, begin);
    impi_watch_work(&context->watch, "reading", size);
}

// Behind the `kept` bytes that are in storage.
static imp_Status fill(impi_ByteWindow *window, size_t kept)
{
    size_t got = 0;
    imp_Status status =
        impi_file_source_read(window->source, window->storage + kept, window->capacity - kept, &got);
    if (status != IMP_STATUS_OK)
        return status;
    window->begin = window->storage;
    window->end = window->begin + kept + got;
    set_stop(window, window->begin);
    return IMP_STATUS_OK;
}

static imp_Status make(impi_ByteWindow *window, size_t capacity)
{
    window->capacity = capacity < window->total ? capacity : (size_t)window->total;
    window->lookahead = capacity / LOOKAHEAD_PART;
    window->storage = impi_allocate(&window->context->allocator, window->capacity);
    if (!window->storage)
        return impi_fail_out_of_memory(window->context);
    imp_Status status = fill(window, 0);
    if (status != IMP_STATUS_OK)
        impi_byte_window_free(window);
    return status;
}

imp_Status impi_byte_window_open(impi_ByteWindow *window, impi_FileSource *source)
{
    *window = (impi_ByteWindow){.context = source->context, .source = source, .total = source->size};
    impi_watch_work(&window->context->watch, "reading", window->total);
    return make(window, FIRST_CAPACITY);
}

void impi_byte_window_free(impi_ByteWindow *window)
{
    impi_release(&window->context->allocator, window->storage, window->capacity);
    window->storage = NULL;
}

imp_Status impi_byte_window_jump(impi_ByteWindow *window, uint64_t offset)
{
    if (!impi_watch_goes_on(&window->context->watch))
        return impi_watch_status(window->context);
    window->offset = offset;
    impi_file_source_seek(window->source, offset);
    return fill(window, 0);
}

imp_Status impi_byte_window_rewind(impi_ByteWindow *window)
{
    window->told = 0;
    impi_watch_work(&window->context->watch, "reading", window->total);
    if (window->offset > 0)
        return impi_byte_window_jump(window, 0);
    set_stop(window, window->begin);
    return IMP_STATUS_OK;
}

imp_Status impi_byte_window_widen(impi_ByteWindow *window)
{
    size_t capacity = window->capacity * WIDER;
    impi_byte_window_free(window);
    window->is_short = false;
    window->offset = window->told = 0;
    impi_file_source_seek(window->source, 0);
    impi_watch_work(&window->context->watch, "reading", window->total);
    return make(window, capacity);
}

imp_Status impi_byte_window_move(impi_ByteWindow *window, const unsigned char **cursor)
{
    uint64_t offset = impi_byte_window_offset(window, *cursor);
    bool goes_on = impi_watch_step(&window->context->watch, offset - window->told);
    window->told = offset;
    if (!goes_on)
        return impi_watch_status(window->context);
    if (impi_byte_window_is_last(window)) {
        set_stop(window, *cursor);
        return IMP_STATUS_OK;
    }
    size_t kept = (size_t)(window->end - *cursor);
    memmove(window->storage, *cursor, kept);
    window->offset = offset;
    *cursor = window->storage;
    return fill(window, kept);
}

imp_Status impi_byte_window_fail_short(impi_ByteWindow *window)
{
    window->is_short = true;
    return IMP_STATUS_BAD_FILE;
}
