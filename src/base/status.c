#include "base/status.h"

#include "base/context.h"
#include "base/shown_text.h"
#include "base/utf8.h"

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

// Drop the last character of a text that was cut if the cut went through its middle.
static void drop_partial_character(char *text, size_t length)
{
    uint32_t code;
    size_t start = length;
    while (start > 0 && length - start < 3 && ((unsigned char)text[start - 1] & 0xC0) == 0x80)
        --start;
    if (start > 0 && (unsigned char)text[start - 1] >= 0xC0 && impi_utf8_read(text + start - 1, &code) == 0)
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

// File names and words quoted from files can hold any bytes, and take more room where they are shown.
static void write_message(imp_Error *error, const char *format, va_list arguments)
{
    char suffix[48] = "", text[IMP_MAX_ERROR_MESSAGE];
    if (error->byte_offset != IMP_NOWHERE)
        snprintf(suffix, sizeof suffix, " (at byte %" PRIu64 ")", error->byte_offset);

    // The file is cut to half of the message, so that there is always room for what is wrong.
    char *message = error->message;
    size_t used = impi_show_text(message, sizeof error->file, error->file);
    if (used && error->line != IMP_NOWHERE)
        used += (size_t)snprintf(message + used, sizeof error->message - used, ":%" PRIu64 ": ", error->line);
    else if (used)
        used += (size_t)snprintf(message + used, sizeof error->message - used, ": ");

    int length = vsnprintf(text, sizeof text, format, arguments);
    if (length < 0)
        text[0] = '\0';
    else if ((size_t)length >= sizeof text)
        drop_partial_character(text, sizeof text - 1);
    used += impi_show_text(message + used, sizeof error->message - used - strlen(suffix), text);
    strcpy(message + used, suffix);
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
    if (!error)
        return status;
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
