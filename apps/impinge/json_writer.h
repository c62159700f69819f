/// JSON text, piece by piece. Objects and arrays are indented; commas and line ends come by themselves.
#ifndef IMPINGE_APPS_JSON_WRITER_H
#define IMPINGE_APPS_JSON_WRITER_H

#include "io/text_buffer.h"

#define JSON_MAX_DEPTH 16

typedef struct JsonWriter {
    impi_Text *text;
    int depth;
    bool has_items[JSON_MAX_DEPTH + 1];
    bool inline_items[JSON_MAX_DEPTH + 1]; // on one line
    bool after_key;
} JsonWriter;

/// Begin a document: an object that starts with "schema_version". Versions count up when a field is removed
/// or changes its meaning; new fields don't count.
JsonWriter json_begin(impi_Text *text, int schema_version);
void json_end(JsonWriter *json);

/// Inside of objects each value follows a key.
void json_key(JsonWriter *json, const char *key);

void json_begin_object(JsonWriter *json);
void json_end_object(JsonWriter *json);
void json_begin_array(JsonWriter *json);
void json_begin_inline_array(JsonWriter *json); ///< short: all items on one line
void json_end_array(JsonWriter *json);

/// Bytes that are no UTF-8 become U+FFFD.
void json_string(JsonWriter *json, const char *string);
void json_integer(JsonWriter *json, uint64_t number);
void json_double(JsonWriter *json, double number); ///< reads back identical; not finite: null
void json_bool(JsonWriter *json, bool value);
void json_null(JsonWriter *json);

#endif
