#define _XOPEN_SOURCE 700

#include "kit/text_table.h"

#include "harness.h"
#include "kit/style.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *text_of(impi_Text *text)
{
    impi_text_append(text, "", 1);
    return text->bytes.data;
}

TEST(widths_are_columns_of_what_is_shown)
{
    CHECK_INT(impi_text_width(""), 0);
    CHECK_INT(impi_text_width("caf\xC3\xA9"), 4);
    CHECK_INT(impi_text_width("cafe\xCC\x81"), 4);                 // a combining accent
    CHECK_INT(impi_text_width("\xE5\xA3\x81\xE5\xA3\x81 3"), 6);   // two ideographs
    CHECK_INT(impi_text_width("\xEC\x9E\x90"), 2);                 // Hangul
    CHECK_INT(impi_text_width("\xF0\x9F\xA6\x8A"), 2);             // a fox
    CHECK_INT(impi_text_width("\xEF\xBC\xA1"), 2);                 // a fullwidth A
    CHECK_INT(impi_text_width("\xEF\xBD\xB1"), 1);                 // a halfwidth kana
    CHECK_INT(impi_text_width("\x1B[31m"), 8);                     // \x1b[31m
    CHECK_INT(impi_text_width("\xE2\x80\xAE"), 6);                 // \u202e
    CHECK_INT(impi_text_width("\xE2\x80\x8B\xEF\xB8\x8F"), 0);     // without width by themselves
    CHECK_INT(impi_text_width("\xCE\xA9\xD0\x96\xE2\x82\xAC"), 3); // other scripts
}

TEST(cells_are_padded_by_width)
{
    impi_Text text;
    impi_text_begin(&text);
    impi_text_put_left(&text, "\xE5\xA3\x81", 4);
    impi_text_put(&text, "|");
    impi_text_put_right(&text, "\x1B", 6);
    impi_text_put(&text, "|");
    impi_text_put_left(&text, "too wide", 3);
    impi_text_put(&text, "|");
    impi_text_put_number(&text, 42, 4);
    impi_text_put_left(&text, "", 5);
    impi_text_end_line(&text);
    CHECK_TEXT(text_of(&text), "\xE5\xA3\x81  |  \\x1b|too wide|  42\n");
    impi_text_free(&text);
}

static void check_shortened(const char *name, size_t width, const char *expected)
{
    impi_Text text;
    impi_text_begin(&text);
    size_t taken = impi_text_put_shortened(&text, name, width);
    CHECK(taken <= width);
    CHECK_TEXT(text_of(&text), expected);
    CHECK_INT(impi_text_width(text.bytes.data), taken);
    impi_text_free(&text);
}

TEST(long_names_lose_their_middle)
{
    check_shortened("wall", 5, "wall");
    check_shortened("wall_", 5, "wall_");
    check_shortened("wall_3", 5, "w...3");
    check_shortened("external_wall_of_level_12", 12, "exte...el_12");
    check_shortened("\xE5\xA3\x81\xE5\xA3\x81\xE5\xA3\x81\xE5\xA3\x81", 7, "\xE5\xA3\x81...\xE5\xA3\x81");
    check_shortened("\xE5\xA3\x81\xE5\xA3\x81\xE5\xA3\x81\xE5\xA3\x81", 6, "...\xE5\xA3\x81");
    check_shortened("\x1B\x1B\x1B\x1B", 11, "\\x1b...\\x1b"); // escapes are not cut
}

TEST(output_into_files_has_no_colours_and_one_width)
{
    int ends[2];
    impi_Text text;
    if (!CHECK(pipe(ends) == 0))
        return;
    setenv("COLUMNS", "33", 1);
    impi_Style style = impi_style_of(ends[1]);
    CHECK(!style.is_terminal && !style.has_colours);
    CHECK_INT(style.columns, IMPI_COLUMNS_OF_FILES);
    impi_text_begin(&text);
    impi_text_begin_emphasis(&text, &style, IMPI_RED);
    impi_text_end_emphasis(&text, &style, IMPI_RED);
    CHECK_INT(text.bytes.count, 0);
    impi_text_free(&text);
    close(ends[0]);
    close(ends[1]);
}

TEST(terminals_have_colours_unless_told_otherwise)
{
    int master = posix_openpt(O_RDWR | O_NOCTTY);
    if (master < 0 || grantpt(master) != 0 || unlockpt(master) != 0) {
        test_skip("this system lends no terminals");
        return;
    }
    int terminal = open(ptsname(master), O_RDWR | O_NOCTTY);
    if (!CHECK(terminal >= 0))
        return;
    setenv("TERM", "xterm", 1);
    setenv("COLUMNS", "33", 1);
    unsetenv("NO_COLOR");
    impi_Style style = impi_style_of(terminal);
    CHECK(style.is_terminal && style.has_colours);
    CHECK_INT(style.columns, 33); // it has no size of its own yet
    setenv("COLUMNS", "-1", 1);
    CHECK_INT(impi_style_of(terminal).columns, 80);
    setenv("NO_COLOR", "", 1);
    CHECK(impi_style_of(terminal).has_colours);
    setenv("NO_COLOR", "1", 1);
    CHECK(!impi_style_of(terminal).has_colours);
    unsetenv("NO_COLOR");
    setenv("TERM", "dumb", 1);
    CHECK(!impi_style_of(terminal).has_colours);
    close(terminal);
    close(master);
}
