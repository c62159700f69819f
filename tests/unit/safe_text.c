#include "kit/safe_text.h"

#include "harness.h"

#include <string.h>

typedef void (*PutFn)(impi_Text *output, const char *text);

static void check_put(PutFn put, const char *text, const char *expected)
{
    impi_Text output;
    impi_text_begin(&output);
    put(&output, text);
    impi_text_append(&output, "", 1);
    CHECK_TEXT(output.bytes.data, expected);
    impi_text_free(&output);
}

TEST(what_is_shown_does_nothing_to_a_terminal)
{
    check_put(impi_text_put_shown, "", "");
    check_put(impi_text_put_shown, "wall_3 \\ caf\xC3\xA9", "wall_3 \\ caf\xC3\xA9");
    check_put(impi_text_put_shown, "\x1B[31m\a\b\r\n\t\x7F", "\\x1b[31m\\x07\\x08\\x0d\\x0a\\x09\\x7f");
    check_put(impi_text_put_shown, "\xC2\x9B", "\\xc2\\x9b"); // a C1 character
    check_put(impi_text_put_shown, "\x9B \xE9t\xE9", "\\x9b \\xe9t\\xe9");
    check_put(impi_text_put_shown, "\xE2\x80\xAE\xE2\x81\xA9\xE2\x80\xA9", "\\u202e\\u2069\\u2029");
}

// Each byte, and each byte behind one that begins a character.
TEST(whatever_the_bytes_only_printable_ones_are_shown)
{
    size_t escaped = 0, kept = 0;
    for (int lead = 0; lead < 256; ++lead) {
        for (int byte = 1; byte < 256; ++byte) {
            char text[] = {(char)(lead ? lead : ' '), (char)byte, 0}, line[3 * IMPI_MAX_SHOWN];
            size_t length = impi_show_text(line, sizeof line, text);
            CHECK_INT(strlen(line), length);
            for (size_t i = 0; i < length; ++i)
                CHECK((unsigned char)line[i] >= 0x20 && line[i] != 0x7F);
            escaped += strchr(line, '\\') != NULL;
            kept += strcmp(line, text) == 0;
        }
    }
    CHECK(escaped > 10000 && kept > 5000);
}

TEST(lines_are_cut_between_characters)
{
    char line[16];
    for (size_t capacity = 1; capacity <= sizeof line; ++capacity) {
        CHECK_INT(impi_show_text(line, capacity, "\x1B\x1B\x1B\x1B\x1B"), (capacity - 1) / 4 * 4);
        CHECK_INT(
            impi_show_text(line, capacity, "\xE2\x82\xAC\xE2\x82\xAC\xE2\x82\xAC\xE2\x82\xAC\xE2\x82\xAC"),
            (capacity - 1) / 3 * 3);
    }
}

TEST(csv_fields_are_quoted_where_they_must_be)
{
    check_put(impi_text_put_csv_field, "", "");
    check_put(impi_text_put_csv_field, "wall 3", "wall 3");
    check_put(impi_text_put_csv_field, "a,b", "\"a,b\"");
    check_put(impi_text_put_csv_field, "12\" pipe", "\"12\"\" pipe\"");
    check_put(impi_text_put_csv_field, "\"", "\"\"\"\"");
    check_put(impi_text_put_csv_field, "a\nb", "\"a\nb\"");
    check_put(impi_text_put_csv_field, "a\rb", "\"a\rb\"");
    check_put(impi_text_put_csv_field, "=cmd|' /C calc'!A0", "=cmd|' /C calc'!A0");
    check_put(impi_text_put_csv_field, "\x1B[31m \xE9", "\x1B[31m \xE9"); // the bytes of the name
}

TEST(xml_holds_text_alone)
{
    check_put(impi_text_put_xml, "</title><script>alert(1)</script>",
              "&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;");
    check_put(impi_text_put_xml, "a & \"b\" 'c'", "a &amp; &quot;b&quot; &#39;c&#39;");
    check_put(impi_text_put_xml, "\x1B[31m\n\xE9", "\\x1b[31m\\x0a\\xe9");
    check_put(impi_text_put_xml, "\xEF\xBF\xBE\xEF\xBF\xBF", "\xEF\xBF\xBD\xEF\xBF\xBD");
}
