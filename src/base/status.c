#include "base/status.h"

#include "base/context.h"

#include <assert.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *imp_status_name(imp_Status status)
{
    switch (status) {
    case IMP_STATUS_OK:
        return "ok";
    case IMP_STATUS_OUT_OF_MEMORY:
        return "out of memory";
    case IMP_STATUS_BAD_ARGUMENT:
        return "bad argument";
    case IMP_STATUS_BAD_NUMBER:
        return "bad number";
    case IMP_STATUS_BAD_INDEX:
        return "bad index";
    case IMP_STATUS_BAD_SHAPE:
        return "bad shape";
    case IMP_STATUS_BUFFER_SHORT:
        return "buffer too short";
    case IMP_STATUS_TOO_LARGE:
        return "too large";
    case IMP_STATUS_BAD_FILE:
        return "bad file";
    case IMP_STATUS_IO:
        return "input or output failed";
    case IMP_STATUS_UNSUPPORTED:
        return "unsupported";
    case IMP_STATUS_CANCELLED:
        return "cancelled";
    case IMP_STATUS_OUT_OF_TIME:
        return "out of time";
    case IMP_STATUS_FORKED:
        return "forked";
    }
    return "unknown status";
}

// The length of the well-formed UTF-8 character at `text`, or 0. Reads no further than the final null.
static size_t utf8_length(const unsigned char *text)
{
    static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000}; // that needs so many bytes
    size_t length = text[0] < 0x80 ? 1 : text[0] < 0xC0 ? 0 : text[0] < 0xE0 ? 2 : text[0] < 0xF0 ? 3 : 4;
    if (length < 2)
        return length;
    uint32_t code = text[0] & (0xFFu >> (length + 1));
    for (size_t i = 1; i < length; ++i) {
        if ((text[i] & 0xC0) != 0x80)
            return 0;
        code = code << 6 | (text[i] & 0x3F);
    }
    bool is_surrogate = code >= 0xD800 && code <= 0xDFFF;
    return text[0] >= 0xF8 || code < smallest[length] || code > 0x10FFFF || is_surrogate ? 0 : length;
}

// File names and words quoted from files can hold any bytes.
static void make_printable_line(char *text)
{
    unsigned char *at = (unsigned char *)text;
    while (*at) {
        size_t length = utf8_length(at);
        if (length == 0 || *at < 0x20 || *at == 0x7F) {
            *at = '?';
            length = 1;
        }
        at += length;
    }
}

// Drop the last character of a text that was cut if the cut went through its middle.
static void drop_partial_character(char *text, size_t length)
{
    size_t start = length;
    while (start > 0 && length - start < 3 && ((unsigned char)text[start - 1] & 0xC0) == 0x80)
        --start;
    if (start > 0 && (unsigned char)text[start - 1] >= 0xC0 &&
        utf8_length((unsigned char *)text + start - 1) == 0)
        text[start - 1] = '\0';
}

static void copy_cut(char *target, size_t capacity, const char *source)
{
    size_t length = strlen(source);
    bool is_cut = length >= capacity;
    if (is_cut)
        length = capacity - 1;
    memcpy(target, source, length);
    target[length] = '\0';
    if (is_cut)
        drop_partial_character(target, length);
}

static void write_message(imp_Error *error, const char *format, va_list arguments)
{
    char suffix[48] = "";
    if (error->byte_offset != IMP_NOWHERE)
        snprintf(suffix, sizeof suffix, " (at byte %" PRIu64 ")", error->byte_offset);

    // The file is cut to half of the message, so that there is always room for what is wrong.
    int prefix_length = 0;
    if (error->file[0] && error->line != IMP_NOWHERE)
        prefix_length =
            snprintf(error->message, sizeof error->message, "%s:%" PRIu64 ": ", error->file, error->line);
    else if (error->file[0])
        prefix_length = snprintf(error->message, sizeof error->message, "%s: ", error->file);

    char *text = error->message + prefix_length;
    size_t capacity = sizeof error->message - (size_t)prefix_length - strlen(suffix);
    int text_length = vsnprintf(text, capacity, format, arguments);
    if (text_length < 0)
        text[0] = '\0';
    else if ((size_t)text_length >= capacity)
        drop_partial_character(text, capacity - 1);
    strcat(text, suffix);
    make_printable_line(error->message);
}

static void record(imp_Context *context, imp_Status status, impi_Place place, const char *format,
                   va_list arguments)
{
    assert(status != IMP_STATUS_OK);
    if (!context)
        return;
    // Made aside, because the arguments may point into the error that it replaces.
    imp_Error error = {
        .status = status, .line = place.line, .byte_offset = place.byte_offset, .index = place.index};
    if (place.file)
        copy_cut(error.file, sizeof error.file, place.file);
    write_message(&error, format, arguments);
    context->error = error;
}

imp_Status impi_fail_at(imp_Context *context, imp_Status status, impi_Place place, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    record(context, status, place, format, arguments);
    va_end(arguments);
    return status;
}

imp_Status impi_fail_into(imp_Error *error, imp_Status status, const char *format, ...)
{
    va_list arguments;
    *error =
        (imp_Error){.status = status, .line = IMP_NOWHERE, .byte_offset = IMP_NOWHERE, .index = IMP_NOWHERE};
    va_start(arguments, format);
    write_message(error, format, arguments);
    va_end(arguments);
    return status;
}

imp_Status impi_fail(imp_Context *context, imp_Status status, uint64_t index, const char *format, ...)
{
    impi_Place place = IMPI_NO_PLACE;
    place.index = index;
    va_list arguments;
    va_start(arguments, format);
    record(context, status, place, format, arguments);
    va_end(arguments);
    return status;
}

imp_Status impi_fail_out_of_memory(imp_Context *context)
{
    return impi_fail(context, IMP_STATUS_OUT_OF_MEMORY, IMP_NOWHERE, "out of memory");
}

imp_Status impi_fail_cancelled(imp_Context *context)
{
    return impi_fail(context, IMP_STATUS_CANCELLED, IMP_NOWHERE, "cancelled by the caller");
}

imp_Status impi_check_reserved(imp_Context *context, const uint64_t *reserved, size_t count)
{
    for (size_t i = 0; i < count; ++i)
        if (reserved[i] != 0)
            return impi_fail(context, IMP_STATUS_BAD_ARGUMENT, i,
                             "reserved field %zu of a def is not zero: zero the whole struct first", i);
    return IMP_STATUS_OK;
}
