/// JSON text, piece by piece. Objects and arrays are indented; commas and line ends come by themselves.
#ifndef IMPINGE_KIT_JSON_WRITER_H
#define IMPINGE_KIT_JSON_WRITER_H

#include "kit/text.h"

#include <impinge/math.h>

#define IMPI_JSON_MAX_DEPTH 16

typedef struct impi_JsonWriter {
    impi_Text *text;
    int depth;
    bool has_items[IMPI_JSON_MAX_DEPTH + 1];
    bool inline_items[IMPI_JSON_MAX_DEPTH + 1]; // on one line
    bool after_key;
} impi_JsonWriter;

/// Begin a document: an object that starts with "schema_version". Versions count up when a field is removed
/// or changes its meaning; new fields don't count.
impi_JsonWriter impi_json_begin_document(impi_Text *text, int schema_version);
void impi_json_end_document(impi_JsonWriter *json);

/// Inside of objects each value follows a key.
void impi_json_put_key(impi_JsonWriter *json, const char *key);

void impi_json_begin_object(impi_JsonWriter *json);
void impi_json_begin_inline_object(impi_JsonWriter *json); ///< short: all members on one line
void impi_json_end_object(impi_JsonWriter *json);
void impi_json_begin_array(impi_JsonWriter *json);
void impi_json_begin_inline_array(impi_JsonWriter *json); ///< short: all items on one line
void impi_json_end_array(impi_JsonWriter *json);

/// Bytes that are no UTF-8 become U+FFFD; what base/shown_text.h escapes is escaped here too.
void impi_json_put_string(impi_JsonWriter *json, const char *string);
void impi_json_put_integer(impi_JsonWriter *json, uint64_t number);
void impi_json_put_double(impi_JsonWriter *json, double number); ///< reads back identical; not finite: null
void impi_json_put_upper(impi_JsonWriter *json, double number);  ///< the same, rounded up as text
void impi_json_put_bool(impi_JsonWriter *json, bool value);
void impi_json_put_null(impi_JsonWriter *json);

/// A member of an object: an array of three numbers on one line.
void impi_json_put_vector(impi_JsonWriter *json, const char *key, imp_Vec3 v);

#endif
