// The reader of JSON.

#include "failing_allocator.h"
#include "harness.h"
#include "io/json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool parse(imp_Context *context, const char *text, impi_Json *json)
{
    imp_Status status = impi_json_parse(context, "test.json", text, strlen(text), 100, json);
    if (!CHECK_INT(status, IMP_STATUS_OK))
        printf("  %s\n", imp_context_get_error(context)->message);
    return status == IMP_STATUS_OK;
}

TEST(values_follow_each_other)
{
    imp_Context *context = NULL;
    impi_Json json;
    CHECK_INT(imp_context_create(NULL, &context), IMP_STATUS_OK);
    if (parse(context, " { \"a\" : [1, -2.5e1, true,false,null], \"b\":{}, \"a\":7 , \"c\":\"x\\\"y\" } ",
              &json)) {
        const impi_JsonValue *root = json.values.data, *a = impi_json_member(&json, root, "a");
        CHECK_INT(root->type, IMPI_JSON_OBJECT);
        CHECK_INT(root->count, 4);
        CHECK_INT(root->next, json.values.count);
        CHECK_INT(a->type, IMPI_JSON_ARRAY);
        CHECK_INT(a->count, 5);
        const impi_JsonValue *item = a + 1;
        CHECK_DOUBLE(item->number, 1);
        item = impi_json_next(&json, item);
        CHECK_DOUBLE(item->number, -25);
        item = impi_json_next(&json, item);
        CHECK_INT(item->type, IMPI_JSON_TRUE);
        item = impi_json_next(&json, item);
        CHECK_INT(item->type, IMPI_JSON_FALSE);
        item = impi_json_next(&json, item);
        CHECK_INT(item->type, IMPI_JSON_NULL);
        CHECK_INT(impi_json_member(&json, root, "b")->count, 0);
        CHECK(impi_json_is_text(&json, impi_json_member(&json, root, "c"), "x\"y"));
        CHECK(impi_json_member(&json, root, "d") == NULL);
        CHECK(impi_json_member(&json, a, "a") == NULL);
        CHECK(impi_json_member(&json, NULL, "a") == NULL);
        impi_json_free(context, &json);
    }
    imp_context_destroy(context);
}

TEST(strings)
{
    static const struct {
        const char *json, *text;
    } cases[] = {
        {"\"\"", ""},
        {"\"plain\"", "plain"},
        {"\"\\\"\\\\\\/\"", "\"\\/"},
        {"\"a\\tb\\u0000\"", "a\tb\xEF\xBF\xBD"},
        {"\"\\u0041\\u00e9\\u20ac\"", "A\xC3\xA9\xE2\x82\xAC"},
        {"\"\\ud83c\\udf75\"", "\xF0\x9F\x8D\xB5"},
        {"\"\\ud83cx\\udf75\"", "\xEF\xBF\xBDx\xEF\xBF\xBD"},
        {"\"\\ud83c\\ud83c\\udf75\"", "\xEF\xBF\xBD\xF0\x9F\x8D\xB5"},
        {"\"caf\xC3\xA9\"", "caf\xC3\xA9"},
    };
    imp_Context *context = NULL;
    CHECK_INT(imp_context_create(NULL, &context), IMP_STATUS_OK);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        impi_Json json;
        if (!parse(context, cases[i].json, &json))
            continue;
        char *copy = malloc((size_t)json.values.data->length + 1);
        CHECK_INT(impi_json_copy_text(&json, json.values.data, copy), strlen(cases[i].text));
        CHECK_TEXT(copy, cases[i].text);
        CHECK(impi_json_is_text(&json, json.values.data, cases[i].text));
        CHECK(!impi_json_is_text(&json, json.values.data, "other"));
        free(copy);
        impi_json_free(context, &json);
    }
    imp_context_destroy(context);
}

TEST(what_is_no_json)
{
    static const struct {
        const char *text, *message;
        imp_Status status;
    } cases[] = {
        {"", "the text ends too early (at byte 100)", IMP_STATUS_BAD_FILE},
        {"[1,]", "expected a value of JSON (at byte 103)", IMP_STATUS_BAD_FILE},
        {"[1 2]", "expected a comma or the end of the array (at byte 103)", IMP_STATUS_BAD_FILE},
        {"{\"a\" 1}", "expected a colon behind the key (at byte 105)", IMP_STATUS_BAD_FILE},
        {"{a:1}", "expected a string (at byte 101)", IMP_STATUS_BAD_FILE},
        {"{\"a\":1", "expected a comma or the end of the object", IMP_STATUS_BAD_FILE},
        {"01", "there is more behind the end of the JSON text (at byte 101)", IMP_STATUS_BAD_FILE},
        {"1.", "expected a digit (at byte 102)", IMP_STATUS_BAD_FILE},
        {"-", "expected a digit", IMP_STATUS_BAD_FILE},
        {"1e+", "expected a digit", IMP_STATUS_BAD_FILE},
        {"1e999", "the number is too large", IMP_STATUS_BAD_FILE},
        {"+1", "expected a value of JSON", IMP_STATUS_BAD_FILE},
        {"NaN", "expected a value of JSON", IMP_STATUS_BAD_FILE},
        {"nul", "expected a value of JSON", IMP_STATUS_BAD_FILE},
        {"\"a", "the string does not end (at byte 102)", IMP_STATUS_BAD_FILE},
        {"\"a\nb\"", "there is a control character in a string (at byte 102)", IMP_STATUS_BAD_FILE},
        {"\"\\x\"", "expected an escape sequence of JSON behind the backslash", IMP_STATUS_BAD_FILE},
        {"\"\\u12g4\"", "expected four hexadecimal digits", IMP_STATUS_BAD_FILE},
        {"\"\\u12", "expected four hexadecimal digits", IMP_STATUS_BAD_FILE},
        {"{} {}", "there is more behind the end of the JSON text (at byte 103)", IMP_STATUS_BAD_FILE},
    };
    imp_Context *context = NULL;
    CHECK_INT(imp_context_create(NULL, &context), IMP_STATUS_OK);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        impi_Json json;
        // A copy without a final zero, so that the address sanitizer sees what is read beyond the end.
        size_t size = strlen(cases[i].text);
        char *copy = malloc(size + 1);
        memcpy(copy, cases[i].text, size);
        copy[size] = '7';
        CHECK_INT(impi_json_parse(context, "test.json", copy, size, 100, &json), cases[i].status);
        CHECK_CONTAINS(imp_context_get_error(context)->message, cases[i].message);
        CHECK_TEXT(imp_context_get_error(context)->file, "test.json");
        free(copy);
    }
    imp_context_destroy(context);
}

TEST(depth_is_limited)
{
    imp_Context *context = NULL;
    impi_Json json;
    char text[2 * IMPI_MAX_JSON_DEPTH + 3];
    CHECK_INT(imp_context_create(NULL, &context), IMP_STATUS_OK);
    memset(text, '[', IMPI_MAX_JSON_DEPTH);
    memset(text + IMPI_MAX_JSON_DEPTH, ']', IMPI_MAX_JSON_DEPTH);
    CHECK_INT(impi_json_parse(context, "test.json", text, 2 * IMPI_MAX_JSON_DEPTH, 0, &json), IMP_STATUS_OK);
    impi_json_free(context, &json);
    memset(text, '[', IMPI_MAX_JSON_DEPTH + 1);
    memset(text + IMPI_MAX_JSON_DEPTH + 1, ']', IMPI_MAX_JSON_DEPTH + 1);
    CHECK_INT(impi_json_parse(context, "test.json", text, 2 * IMPI_MAX_JSON_DEPTH + 2, 0, &json),
              IMP_STATUS_UNSUPPORTED);
    CHECK_CONTAINS(imp_context_get_error(context)->message, "its JSON is nested too deeply");
    imp_context_destroy(context);
}

TEST(out_of_memory)
{
    static const char text[] =
        "[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29]";
    FailingAllocator memory;
    uint64_t n = 0;
    do {
        failing_allocator_init(&memory, ++n);
        imp_ContextDef def = {.allocator = failing_allocator_hooks(&memory)};
        imp_Context *context = NULL;
        impi_Json json;
        imp_Status status = imp_context_create(&def, &context);
        if (status == IMP_STATUS_OK) {
            status = impi_json_parse(context, "test.json", text, strlen(text), 0, &json);
            if (status == IMP_STATUS_OK)
                impi_json_free(context, &json);
        }
        CHECK_INT(status, failing_allocator_has_failed(&memory) ? IMP_STATUS_OUT_OF_MEMORY : IMP_STATUS_OK);
        imp_context_destroy(context);
        CHECK(failing_allocator_is_clean(&memory));
    } while (failing_allocator_has_failed(&memory));
}
