/// JSON text as a flat list of values, in the order of the text.
#ifndef IMPINGE_IO_JSON_H
#define IMPINGE_IO_JSON_H

#include "base/array.h"
#include "base/context.h"

typedef enum impi_JsonType {
    IMPI_JSON_NULL,
    IMPI_JSON_FALSE,
    IMPI_JSON_TRUE,
    IMPI_JSON_NUMBER,
    IMPI_JSON_STRING,
    IMPI_JSON_ARRAY,
    IMPI_JSON_OBJECT,
} impi_JsonType;

/// The items of an array follow it. The members of an object follow it as well, each a string, the key, and
/// then its value.
typedef struct impi_JsonValue {
    impi_JsonType type;
    uint32_t next;          // of the value behind this one and all that is in it
    uint32_t count;         // items of an array, members of an object
    uint32_t begin, length; // in the text; of a string without its quotes
    double number;          // finite
} impi_JsonValue;

/// Arrays and objects may be nested this deep.
#define IMPI_MAX_JSON_DEPTH 128

typedef struct impi_Json {
    const char *text;     // the caller's: it must stay as long as the values
    uint64_t text_offset; // of the text in its file, for errors
    IMPI_ARRAY(impi_JsonValue) values;
} impi_Json;

/// Read a text, strictly by RFC 8259, but for bytes above 127 in strings, which are passed through, and keys
/// that stand twice in an object, of which the first counts. IMP_STATUS_BAD_FILE with the byte offset where
/// the text is none, IMP_STATUS_UNSUPPORTED when it is nested too deeply, IMP_STATUS_TOO_LARGE beyond 4 GiB.
/// On success free it; on failure there is nothing to free. Expects the default floating-point mode.
imp_Status impi_json_parse(imp_Context *context, const char *file_name, const char *text, size_t size,
                           uint64_t text_offset, impi_Json *json);
void impi_json_free(imp_Context *context, impi_Json *json);

/// The value of a member; null when there is none, or when `object` is null or no object.
const impi_JsonValue *impi_json_member(const impi_Json *json, const impi_JsonValue *object, const char *key);

/// The value behind this one: from an array to its first item with `value + 1`, from there on with this.
static inline const impi_JsonValue *impi_json_next(const impi_Json *json, const impi_JsonValue *value)
{
    return json->values.data + value->next;
}

/// A string says exactly this. False for values that are no strings.
bool impi_json_is_text(const impi_Json *json, const impi_JsonValue *string, const char *text);

/// Copy a string, with escapes resolved to UTF-8; the zero and what is no character become U+FFFD. It never
/// gets longer than in the text; `copy` holds one byte more, for the zero. Returns the length.
size_t impi_json_copy_text(const impi_Json *json, const impi_JsonValue *string, char *copy);

#endif
