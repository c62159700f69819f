#include "kit/json_writer.h"

#include "harness.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *text_of(impi_Text *text)
{
    impi_text_append(text, "", 1);
    return text->bytes.data;
}

TEST(nesting_commas_and_lines)
{
    impi_Text text;
    impi_text_begin(&text);
    impi_JsonWriter json = impi_json_begin_document(&text, 3);
    impi_json_put_key(&json, "list");
    impi_json_begin_array(&json);
    impi_json_begin_inline_array(&json);
    impi_json_put_integer(&json, 1);
    impi_json_put_double(&json, 0.5);
    impi_json_end_array(&json);
    impi_json_begin_object(&json);
    impi_json_end_object(&json);
    impi_json_begin_inline_object(&json);
    impi_json_put_key(&json, "a");
    impi_json_put_upper(&json, 0.1);
    impi_json_put_key(&json, "b");
    impi_json_begin_inline_array(&json);
    impi_json_end_array(&json);
    impi_json_end_object(&json);
    impi_json_put_null(&json);
    impi_json_end_array(&json);
    impi_json_put_key(&json, "flag");
    impi_json_put_bool(&json, true);
    impi_json_end_document(&json);
    CHECK_TEXT(text_of(&text), "{\n"
                               "  \"schema_version\": 3,\n"
                               "  \"list\": [\n"
                               "    [1, 0.5],\n"
                               "    {},\n"
                               "    {\"a\": 0.10000000000000001, \"b\": []},\n"
                               "    null\n"
                               "  ],\n"
                               "  \"flag\": true\n"
                               "}\n");
    impi_text_free(&text);
}

static void check_string(const char *string, const char *expected)
{
    impi_Text text;
    impi_text_begin(&text);
    impi_JsonWriter json = {.text = &text};
    impi_json_put_string(&json, string);
    CHECK_TEXT(text_of(&text), expected);
    impi_text_free(&text);
}

TEST(strings_are_escaped)
{
    check_string("a\"b\\c", "\"a\\\"b\\\\c\"");
    check_string("tab\tline\n\x7F", "\"tab\\u0009line\\u000a\\u007f\"");
    check_string("\x1B[31m \xC2\x9B \xE2\x80\xAE \xE2\x80\xA8", "\"\\u001b[31m \\u009b \\u202e \\u2028\"");
    check_string("gr\xC3\xBC\xC3\x9F", "\"gr\xC3\xBC\xC3\x9F\"");
    check_string("\xF0\x9F\x90\x87", "\"\xF0\x9F\x90\x87\"");
}

TEST(bytes_that_are_no_utf8_are_replaced)
{
    check_string("a\xFFz", "\"a\xEF\xBF\xBDz\"");
    check_string("\xC3", "\"\xEF\xBF\xBD\"");                                                 // cut short
    check_string("\xC0\x80", "\"\xEF\xBF\xBD\xEF\xBF\xBD\"");                                 // overlong
    check_string("\xED\xA0\x80", "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\"");                 // a surrogate
    check_string("\xF4\x90\x80\x80", "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\""); // too large
}

TEST(doubles_read_back_identical)
{
    for (uint64_t i = 0; i < test_count(20000); ++i) {
        uint64_t bits = test_random();
        double number;
        memcpy(&number, &bits, sizeof number);
        impi_Text text;
        impi_text_begin(&text);
        impi_JsonWriter json = {.text = &text};
        impi_json_put_double(&json, number);
        if (isfinite(number))
            CHECK_DOUBLE(strtod(text_of(&text), NULL), number);
        else
            CHECK_TEXT(text_of(&text), "null");
        impi_text_free(&text);
    }
}
