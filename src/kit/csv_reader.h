/// Tables of comma-separated values (RFC 4180), row by row.
///
/// Fields may stand in double quotes, in which a doubled quote is a quote and commas and line ends are text.
/// Blanks around fields do not count, nor do lines with nothing in them. Lines end with LF or CR LF; a byte
/// order mark is skipped.
#ifndef IMPINGE_KIT_CSV_READER_H
#define IMPINGE_KIT_CSV_READER_H

#include "base/array.h"
#include "base/status.h"

/// Its fields are those of the row that was read last.
typedef struct impi_CsvReader {
    imp_Context *context;
    const char *path; // for errors
    const char *cursor, *end;
    uint64_t line;                   // of the cursor
    uint64_t row_line;               // where the row begins, counting from 1
    IMPI_ARRAY(const char *) fields; // each ended by a zero; valid until the next row
    IMPI_ARRAY(char) text;           // what they point to
} impi_CsvReader;

/// The bytes must stay while it is used. Free it in any case.
void impi_csv_init(impi_CsvReader *reader, imp_Context *context, const void *bytes, size_t size,
                   const char *path);
void impi_csv_free(impi_CsvReader *reader);

/// Read the next row; `*has_row` is false at the end. IMP_STATUS_BAD_FILE with the line for quotes that are
/// not closed or stand inside a field, and for zero bytes.
imp_Status impi_csv_next_row(impi_CsvReader *reader, bool *has_row);

/// Where the row is, for errors.
impi_Place impi_csv_place(const impi_CsvReader *reader);

#endif
