#include "kit/json_writer.h"

#include "base/shown_text.h"
#include "base/utf8.h"

#include <assert.h>
#include <inttypes.h>

static void new_line(impi_JsonWriter *json)
{
    impi_text_printf(json->text, "\n%*s", 2 * json->depth, "");
}

static void begin_item(impi_JsonWriter *json)
{
    if (json->after_key) {
        json->after_key = false;
        return;
    }
    if (json->has_items[json->depth])
        impi_text_put(json->text, json->inline_items[json->depth] ? ", " : ",");
    if (json->depth > 0 && !json->inline_items[json->depth])
        new_line(json);
    json->has_items[json->depth] = true;
}

static void begin_level(impi_JsonWriter *json, const char *bracket, bool inline_items)
{
    begin_item(json);
    assert(json->depth < IMPI_JSON_MAX_DEPTH);
    impi_text_put(json->text, bracket);
    ++json->depth;
    json->has_items[json->depth] = false;
    json->inline_items[json->depth] = inline_items;
}

static void end_level(impi_JsonWriter *json, const char *bracket)
{
    assert(json->depth > 0);
    bool on_new_line = json->has_items[json->depth] && !json->inline_items[json->depth];
    --json->depth;
    if (on_new_line)
        new_line(json);
    impi_text_put(json->text, bracket);
}

impi_JsonWriter impi_json_begin_document(impi_Text *text, int schema_version)
{
    impi_JsonWriter json = {.text = text};
    impi_json_begin_object(&json);
    impi_json_put_key(&json, "schema_version");
    impi_json_put_integer(&json, (uint64_t)schema_version);
    return json;
}

void impi_json_end_document(impi_JsonWriter *json)
{
    impi_json_end_object(json);
    impi_text_put(json->text, "\n");
}

void impi_json_begin_object(impi_JsonWriter *json)
{
    begin_level(json, "{", false);
}

void impi_json_begin_inline_object(impi_JsonWriter *json)
{
    begin_level(json, "{", true);
}

void impi_json_end_object(impi_JsonWriter *json)
{
    end_level(json, "}");
}

void impi_json_begin_array(impi_JsonWriter *json)
{
    begin_level(json, "[", false);
}

void impi_json_begin_inline_array(impi_JsonWriter *json)
{
    begin_level(json, "[", true);
}

void impi_json_end_array(impi_JsonWriter *json)
{
    end_level(json, "]");
}

// What is not shown as it is to people is escaped, so that the text can be looked at on a terminal.
static void put_quoted(impi_JsonWriter *json, const char *string)
{
    impi_text_put(json->text, "\"");
    while (*string) {
        uint32_t code = 0;
        size_t length = impi_utf8_read(string, &code);
        if (length == 0)
            impi_text_put(json->text, "\xEF\xBF\xBD");
        else if (code == '"' || code == '\\')
            impi_text_printf(json->text, "\\%c", (char)code);
        else if (impi_is_shown_escaped(code))
            impi_text_printf(json->text, "\\u%04x", (unsigned)code);
        else
            impi_text_append(json->text, string, length);
        string += length ? length : 1;
    }
    impi_text_put(json->text, "\"");
}

void impi_json_put_key(impi_JsonWriter *json, const char *key)
{
    begin_item(json);
    put_quoted(json, key);
    impi_text_put(json->text, ": ");
    json->after_key = true;
}

void impi_json_put_string(impi_JsonWriter *json, const char *string)
{
    begin_item(json);
    put_quoted(json, string);
}

void impi_json_put_integer(impi_JsonWriter *json, uint64_t number)
{
    begin_item(json);
    impi_text_printf(json->text, "%" PRIu64, number);
}

void impi_json_put_double(impi_JsonWriter *json, double number)
{
    begin_item(json);
    impi_text_put_double(json->text, number);
}

void impi_json_put_upper(impi_JsonWriter *json, double number)
{
    begin_item(json);
    impi_text_put_upper(json->text, number);
}

void impi_json_put_vector(impi_JsonWriter *json, const char *key, imp_Vec3 v)
{
    impi_json_put_key(json, key);
    impi_json_begin_inline_array(json);
    impi_json_put_double(json, v.x);
    impi_json_put_double(json, v.y);
    impi_json_put_double(json, v.z);
    impi_json_end_array(json);
}

void impi_json_put_bool(impi_JsonWriter *json, bool value)
{
    begin_item(json);
    impi_text_put(json->text, value ? "true" : "false");
}

void impi_json_put_null(impi_JsonWriter *json)
{
    begin_item(json);
    impi_text_put(json->text, "null");
}
