#include "base/context.h"
#include "harness.h"

#include <string.h>

static imp_Context *new_context(void)
{
    imp_Context *context = NULL;
    CHECK_INT(imp_context_create(NULL, &context), IMP_STATUS_OK);
    return context;
}

TEST(every_status_has_a_name_of_its_own)
{
    for (int a = IMP_STATUS_OK; a <= IMP_STATUS_FORKED; ++a) {
        CHECK(strcmp(imp_status_name((imp_Status)a), "unknown status") != 0);
        for (int b = IMP_STATUS_OK; b < a; ++b)
            CHECK(strcmp(imp_status_name((imp_Status)a), imp_status_name((imp_Status)b)) != 0);
    }
    CHECK_TEXT(imp_status_name(IMP_STATUS_OUT_OF_MEMORY), "out of memory");
    CHECK_TEXT(imp_status_name((imp_Status)(IMP_STATUS_FORKED + 1)), "unknown status");
}

TEST(running_version_is_that_of_the_header)
{
    CHECK_TEXT(imp_version(), IMP_VERSION);
}

TEST(argument_error_carries_its_index)
{
    imp_Context *context = new_context();
    CHECK_INT(impi_fail(context, IMP_STATUS_BAD_INDEX, 7, "face %d names no vertex", 7),
              IMP_STATUS_BAD_INDEX);
    const imp_Error *error = imp_context_get_error(context);
    CHECK_INT(error->status, IMP_STATUS_BAD_INDEX);
    CHECK_TEXT(error->message, "face 7 names no vertex");
    CHECK_TEXT(error->file, "");
    CHECK_INT(error->index, 7);
    CHECK(error->line == IMP_NOWHERE && error->byte_offset == IMP_NOWHERE);
    imp_context_destroy(context);
}

TEST(message_begins_with_file_and_line)
{
    imp_Context *context = new_context();
    impi_Place place = IMPI_NO_PLACE;
    place.file = "teapot.obj";
    place.line = 12;
    place.index = 3;
    CHECK_INT(impi_fail_at(context, IMP_STATUS_BAD_FILE, place, "\"%s\" is not a number", "1.x"),
              IMP_STATUS_BAD_FILE);
    const imp_Error *error = imp_context_get_error(context);
    CHECK_TEXT(error->message, "teapot.obj:12: \"1.x\" is not a number");
    CHECK_TEXT(error->file, "teapot.obj");
    CHECK_INT(error->line, 12);
    CHECK_INT(error->index, 3);
    imp_context_destroy(context);
}

TEST(message_ends_with_byte_offset)
{
    imp_Context *context = new_context();
    impi_Place place = IMPI_NO_PLACE;
    place.file = "part.stl";
    place.byte_offset = 84;
    impi_fail_at(context, IMP_STATUS_BAD_FILE, place, "the file ends early");
    CHECK_TEXT(imp_context_get_error(context)->message, "part.stl: the file ends early (at byte 84)");
    CHECK_INT(imp_context_get_error(context)->byte_offset, 84);
    place.line = 5;
    impi_fail_at(context, IMP_STATUS_BAD_FILE, place, "the file ends early");
    CHECK_TEXT(imp_context_get_error(context)->message, "part.stl:5: the file ends early (at byte 84)");
    imp_context_destroy(context);
}

TEST(later_error_replaces_earlier_one_entirely)
{
    imp_Context *context = new_context();
    impi_Place place = {"a.ply", 1, 2, 3};
    impi_fail_at(context, IMP_STATUS_BAD_FILE, place, "bad");
    CHECK_INT(impi_fail_out_of_memory(context), IMP_STATUS_OUT_OF_MEMORY);
    const imp_Error *error = imp_context_get_error(context);
    CHECK_INT(error->status, IMP_STATUS_OUT_OF_MEMORY);
    CHECK_TEXT(error->message, "out of memory");
    CHECK_TEXT(error->file, "");
    CHECK(error->line == IMP_NOWHERE && error->byte_offset == IMP_NOWHERE && error->index == IMP_NOWHERE);
    imp_context_destroy(context);
}

TEST(arguments_may_point_into_the_error_that_is_replaced)
{
    imp_Context *context = new_context();
    impi_Place place = IMPI_NO_PLACE;
    place.file = "a.off";
    impi_fail_at(context, IMP_STATUS_BAD_FILE, place, "bad header");
    place.file = imp_context_get_error(context)->file;
    impi_fail_at(context, IMP_STATUS_BAD_FILE, place, "in [%s]", imp_context_get_error(context)->message);
    CHECK_TEXT(imp_context_get_error(context)->message, "a.off: in [a.off: bad header]");
    imp_context_destroy(context);
}

TEST(null_context_records_nothing)
{
    CHECK_INT(impi_fail(NULL, IMP_STATUS_BAD_NUMBER, 0, "nan"), IMP_STATUS_BAD_NUMBER);
    CHECK_INT(impi_fail_at(NULL, IMP_STATUS_IO, IMPI_NO_PLACE, "x"), IMP_STATUS_IO);
    CHECK_INT(impi_fail_out_of_memory(NULL), IMP_STATUS_OUT_OF_MEMORY);
}

TEST(long_file_name_is_cut_and_leaves_room_for_the_rest)
{
    imp_Context *context = new_context();
    char name[2000];
    memset(name, 'n', sizeof name);
    name[sizeof name - 1] = '\0';
    impi_Place place = {name, UINT64_MAX - 1, UINT64_MAX - 1, IMP_NOWHERE};
    impi_fail_at(context, IMP_STATUS_BAD_FILE, place, "what is wrong");
    const imp_Error *error = imp_context_get_error(context);
    CHECK_INT(strlen(error->file), sizeof error->file - 1);
    CHECK(strncmp(error->message, name, sizeof error->file - 1) == 0);
    CHECK_CONTAINS(error->message, ":18446744073709551614: what is wrong (at byte 18446744073709551614)");
    imp_context_destroy(context);
}

TEST(long_text_is_cut_before_the_byte_offset)
{
    imp_Context *context = new_context();
    impi_Place place = IMPI_NO_PLACE;
    place.byte_offset = 9;
    impi_fail_at(context, IMP_STATUS_BAD_FILE, place, "%2000d", 1);
    const char *message = imp_context_get_error(context)->message;
    CHECK_INT(strlen(message), IMP_MAX_ERROR_MESSAGE - 1);
    CHECK_CONTAINS(message, "  (at byte 9)");
    imp_context_destroy(context);
}

TEST(names_of_any_length_are_cut_between_characters)
{
    imp_Context *context = new_context();
    static const char *const characters[] = {"x", "\xC3\xA9", "\xE2\x82\xAC", "\xF0\x9F\xA6\x8A"};
    for (size_t c = 0; c < 4; ++c) {
        char name[1200] = "";
        size_t step = strlen(characters[c]);
        for (size_t length = 0; length + step < sizeof name; length += step) {
            impi_Place place = IMPI_NO_PLACE;
            place.file = name;
            impi_fail_at(context, IMP_STATUS_IO, place, "%s", name);
            const imp_Error *error = imp_context_get_error(context);
            CHECK_INT(strlen(error->file) % step, 0);
            CHECK(strchr(error->message, '?') == NULL);
            CHECK(length >= sizeof error->file || strcmp(error->file, name) == 0);
            memcpy(name + length, characters[c], step + 1);
        }
    }
    imp_context_destroy(context);
}

// Escapes take four bytes for one: the reason and the place are told all the same.
TEST(names_of_control_characters_leave_room_for_what_is_wrong)
{
    imp_Context *context = new_context();
    char name[1200] = "";
    for (size_t length = 0; length + 1 < sizeof name; ++length) {
        impi_Place place = {.file = name, .line = 7, .byte_offset = 9, .index = IMP_NOWHERE};
        impi_fail_at(context, IMP_STATUS_IO, place, "it is gone");
        const char *message = imp_context_get_error(context)->message;
        CHECK_CONTAINS(message, length ? ":7: it is gone (at byte 9)" : "it is gone (at byte 9)");
        CHECK(strlen(message) < IMP_MAX_ERROR_MESSAGE);
        name[length] = '\x1B';
    }
    impi_fail(context, IMP_STATUS_IO, IMP_NOWHERE, "%s", name);
    CHECK_INT(strlen(imp_context_get_error(context)->message), IMP_MAX_ERROR_MESSAGE / 4 * 4 - 4);
    imp_context_destroy(context);
}

TEST(message_is_one_line_of_utf8_whatever_is_quoted)
{
    static const struct {
        const char *quoted, *message;
    } cases[] = {
        {"two\nlines\r\t\x7F", "two\\x0alines\\x0d\\x09\\x7f"},
        {"\x1B[31m \xC2\x9B", "\\x1b[31m \\xc2\\x9b"},
        {"\xE2\x80\xAE \xE2\x80\xA8 \xE2\x81\xA6", "\\u202e \\u2028 \\u2066"},
        {"caf\xC3\xA9 \xE2\x82\xAC \xF0\x9F\xA6\x8A", "caf\xC3\xA9 \xE2\x82\xAC \xF0\x9F\xA6\x8A"},
        {"\xE9t\xE9", "\\xe9t\\xe9"},                            // Latin-1
        {"\xC0\xAF \xE0\x80\xAF", "\\xc0\\xaf \\xe0\\x80\\xaf"}, // longer than need be
        {"\xED\xA0\x80", "\\xed\\xa0\\x80"},                     // a surrogate
        {"\xF4\x90\x80\x80 \xF8\x88\x80\x80\x80",
         "\\xf4\\x90\\x80\\x80 \\xf8\\x88\\x80\\x80\\x80"}, // past the last character
        {"\x80\xBF \xE2\x82", "\\x80\\xbf \\xe2\\x82"},
    };
    imp_Context *context = new_context();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        impi_fail(context, IMP_STATUS_BAD_FILE, IMP_NOWHERE, "%s", cases[i].quoted);
        CHECK_TEXT(imp_context_get_error(context)->message, cases[i].message);
    }
    imp_context_destroy(context);
}
