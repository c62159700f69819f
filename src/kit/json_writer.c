#include "kit/json_writer.h"

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

// How many bytes of `s` are one well-formed character, 0 when they are none: overlong forms, surrogates and
// what lies beyond U+10FFFF are not.
static size_t character_length(const unsigned char *s)
{
    if (s[0] < 0x80)
        return 1;
    size_t length = s[0] >= 0xF0 ? 4 : s[0] >= 0xE0 ? 3 : 2;
    if (s[0] < 0xC2 || s[0] > 0xF4)
        return 0;
    for (size_t i = 1; i < length; ++i)
        if ((s[i] & 0xC0) != 0x80)
            return 0;
    bool overlong = (s[0] == 0xE0 && s[1] < 0xA0) || (s[0] == 0xF0 && s[1] < 0x90);
    bool out_of_range = (s[0] == 0xED && s[1] >= 0xA0) || (s[0] == 0xF4 && s[1] >= 0x90);
    return overlong || out_of_range ? 0 : length;
}

static void put_quoted(impi_JsonWriter *json, const char *string)
{
    const unsigned char *s = (const unsigned char *)string;
    impi_text_put(json->text, "\"");
    while (*s) {
        size_t length = character_length(s);
        if (length == 0)
            impi_text_put(json->text, "\xEF\xBF\xBD");
        else if (*s == '"' || *s == '\\')
            impi_text_printf(json->text, "\\%c", *s);
        else if (*s < 0x20 || *s == 0x7F)
            impi_text_printf(json->text, "\\u%04x", *s);
        else
            impi_text_append(json->text, (const char *)s, length);
        s += length ? length : 1;
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
