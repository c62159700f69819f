#include "kit/csv_reader.h"

#include "base/context.h"

#include <string.h>

void impi_csv_init(impi_CsvReader *reader, imp_Context *context, const void *bytes, size_t size,
                   const char *path)
{
    static const char nothing[1] = {0}; // so that pointer arithmetic is defined for an empty text too
    const char *begin = size ? bytes : nothing;
    *reader = (impi_CsvReader){
        .context = context, .path = path, .cursor = begin, .end = begin + size, .line = 1, .row_line = 1};
    if (size >= 3 && memcmp(begin, "\xEF\xBB\xBF", 3) == 0)
        reader->cursor += 3;
}

void impi_csv_free(impi_CsvReader *reader)
{
    impi_array_free(&reader->context->allocator, &reader->fields, sizeof *reader->fields.data);
    impi_array_free(&reader->context->allocator, &reader->text, 1);
}

impi_Place impi_csv_place(const impi_CsvReader *reader)
{
    impi_Place place = IMPI_NO_PLACE;
    place.file = reader->path;
    place.line = reader->row_line;
    return place;
}

static imp_Status refuse(const impi_CsvReader *reader, uint64_t line, const char *what)
{
    impi_Place place = impi_csv_place(reader);
    place.line = line;
    return impi_fail_at(reader->context, IMP_STATUS_BAD_FILE, place, "%s", what);
}

static bool append(impi_CsvReader *reader, const char *bytes, size_t size)
{
    if (!impi_array_reserve(&reader->context->allocator, &reader->text, 1, reader->text.count + size))
        return false;
    if (size > 0)
        memcpy(reader->text.data + reader->text.count, bytes, size);
    reader->text.count += size;
    return true;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static void skip_blanks(impi_CsvReader *reader)
{
    while (reader->cursor < reader->end && is_blank(*reader->cursor))
        ++reader->cursor;
}

static bool is_field_end(const impi_CsvReader *reader)
{
    return reader->cursor == reader->end || *reader->cursor == ',' || *reader->cursor == '\n';
}

// Take a field in quotes, from its opening quote, and blanks behind it.
static imp_Status take_quoted(impi_CsvReader *reader)
{
    uint64_t first_line = reader->line;
    const char *begin = ++reader->cursor;
    for (; reader->cursor < reader->end; ++reader->cursor) {
        if (*reader->cursor == 0)
            return refuse(reader, reader->line, "there is a zero byte: this is no text");
        reader->line += *reader->cursor == '\n';
        if (*reader->cursor != '"')
            continue;
        bool is_doubled = reader->cursor + 1 < reader->end && reader->cursor[1] == '"';
        if (!append(reader, begin, (size_t)(reader->cursor - begin) + is_doubled))
            return impi_fail_out_of_memory(reader->context);
        if (!is_doubled) {
            ++reader->cursor;
            skip_blanks(reader);
            return is_field_end(reader)
                       ? IMP_STATUS_OK
                       : refuse(reader, reader->line,
                                "expected a comma or the end of the line behind a quoted field");
        }
        begin = ++reader->cursor + 1;
    }
    return refuse(reader, first_line, "a quote is opened and never closed");
}

static imp_Status take_plain(impi_CsvReader *reader)
{
    const char *begin = reader->cursor;
    for (; !is_field_end(reader); ++reader->cursor) {
        if (*reader->cursor == '"')
            return refuse(reader, reader->line, "there is a quote inside a field that is not quoted");
        if (*reader->cursor == 0)
            return refuse(reader, reader->line, "there is a zero byte: this is no text");
    }
    const char *end = reader->cursor;
    while (end > begin && is_blank(end[-1]))
        --end;
    return append(reader, begin, (size_t)(end - begin)) ? IMP_STATUS_OK
                                                        : impi_fail_out_of_memory(reader->context);
}

// Take the field at the cursor, up to the comma or line end behind it.
static imp_Status take_field(impi_CsvReader *reader)
{
    skip_blanks(reader);
    bool is_quoted = reader->cursor < reader->end && *reader->cursor == '"';
    imp_Status status = is_quoted ? take_quoted(reader) : take_plain(reader);
    if (status != IMP_STATUS_OK)
        return status;
    if (!append(reader, "", 1) || !impi_array_reserve(&reader->context->allocator, &reader->fields,
                                                      sizeof *reader->fields.data, reader->fields.count + 1))
        return impi_fail_out_of_memory(reader->context);
    ++reader->fields.count;
    return IMP_STATUS_OK;
}

// To the next line that has anything in it. False at the end.
static bool find_row(impi_CsvReader *reader)
{
    for (skip_blanks(reader); reader->cursor < reader->end && *reader->cursor == '\n'; skip_blanks(reader)) {
        ++reader->cursor;
        ++reader->line;
    }
    reader->row_line = reader->line;
    return reader->cursor < reader->end;
}

imp_Status impi_csv_next_row(impi_CsvReader *reader, bool *has_row)
{
    reader->fields.count = reader->text.count = 0;
    if (!find_row(reader)) {
        *has_row = false;
        return IMP_STATUS_OK;
    }
    for (bool is_more = true; is_more;) {
        imp_Status status = take_field(reader);
        if (status != IMP_STATUS_OK)
            return status;
        is_more = reader->cursor < reader->end && *reader->cursor == ',';
        reader->line += reader->cursor < reader->end && !is_more;
        reader->cursor += reader->cursor < reader->end;
    }
    // The text has its place only now that it does not grow any more.
    const char *text = reader->text.data;
    for (size_t i = 0; i < reader->fields.count; ++i, text += strlen(text) + 1)
        reader->fields.data[i] = text;
    *has_row = true;
    return IMP_STATUS_OK;
}
