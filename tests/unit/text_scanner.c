#include "io/text_scanner.h"

#include "harness.h"
#include "io/decimal.h"

#include <fenv.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static impi_TextScanner scan(const char *text)
{
    impi_TextScanner scanner;
    impi_scan_init(&scanner, text, strlen(text));
    return scanner;
}

// The C library as the oracle: same value to the bit, same end.
static void check_number(const char *text)
{
    double value = -7.0;
    char *library_end;
    const char *end = impi_decimal_parse(text, text + strlen(text), &value);
    double expected = strtod(text, &library_end);
    if (!CHECK(end == library_end) || !CHECK_DOUBLE(value, expected))
        printf("  for %.80s\n", text);
}

TEST(numbers_are_rounded_like_the_c_library_rounds_them)
{
    static const char *const numbers[] = {
        "0",
        "-0",
        "+1",
        "1.",
        ".5",
        "-.5e1",
        "0.1",
        "1e22",
        "1e23",
        "123456789012345678901234567890",
        "9007199254740993",
        "9007199254740992.9999999999999999999999999999999999999999",
        "9007199254740993.00000000000000000000000000000000000000000000000000000000000001",
        "1.7976931348623157e308",
        "1.7976931348623158e308",
        "1.7976931348623159e308",
        "1e308",
        "1e309",
        "2.2250738585072014e-308",
        "2.2250738585072011e-308",
        "2.2250738585072012e-308",
        "4.9e-324",
        "5e-324",
        "2.4703282292062327e-324",
        "2.4703282292062328e-324",
        "1e-400",
        "1e400",
        "0e999999999999999999999",
        "1e-999999999999999999999",
        "1e999999999999999999999",
        "6.02214076e23",
        "1.e5",
        "000000000000000000001.5",
        "0."
        "000000000000000000000000000000000000000000000000000000000000000000000000000012345678901234567890e7"
        "7"};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i)
        check_number(numbers[i]);
}

TEST(random_numbers_are_rounded_correctly)
{
    char text[64];
    for (uint64_t i = 0; i < test_count(200000); ++i) {
        size_t length = 0, digit_count = 1 + test_random_below(25), point = test_random_below(30);
        for (size_t k = 0; k < digit_count; ++k) {
            if (k == point)
                text[length++] = '.';
            text[length++] = (char)('0' + test_random_below(10));
        }
        snprintf(text + length, sizeof text - length, "e%d", (int)test_random_below(700) - 360);
        check_number(text);
    }
}

static double random_bits(void)
{
    uint64_t bits = test_random();
    if (test_random_below(8) == 0)
        bits &= 0x800FFFFFFFFFFFFFu; // subnormal
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

// Halfway between two doubles, and a hair beside it, with all the digits that takes.
TEST(midpoints_are_rounded_to_even)
{
    static char text[1300];
    int halves = 0;
    for (uint64_t i = 0; i < test_count(3000); ++i) {
        double value = fabs(random_bits()), next = nextafter(value, INFINITY);
        if (!isfinite(value) || !isfinite(next))
            continue;
        long double midpoint = ((long double)value + (long double)next) / 2;
        snprintf(text, sizeof text, "%.1100Le", midpoint);
        check_number(text);
        strchr(text, 'e')[-1] = '1';
        check_number(text);
        snprintf(text, sizeof text, "%.30Le", midpoint);
        check_number(text);
        ++halves;
    }
    CHECK(halves > 1000);
}

// Reads back, and is not below, as strtod sees it where it rounds down.
static void check_upper(double value)
{
    char text[IMPI_MAX_DECIMAL_LENGTH + 1];
    text[impi_decimal_format_up(value, text)] = '\0';
    bool reads_back = CHECK_DOUBLE(strtod(text, NULL), value);
    fesetround(FE_DOWNWARD);
    bool is_upper = strtod(text, NULL) >= value;
    fesetround(FE_TONEAREST);
    if (!CHECK(is_upper) || !reads_back)
        printf("  for %s\n", text);
}

static void check_written_up(double value, const char *expected)
{
    char text[IMPI_MAX_DECIMAL_LENGTH + 1];
    text[impi_decimal_format_up(value, text)] = '\0';
    CHECK_TEXT(text, expected);
    check_upper(value);
}

TEST(bounds_are_written_upward)
{
    check_written_up(0.5, "0.5");
    check_written_up(3, "3");
    check_written_up(0.25, "0.25");
    check_written_up(0.1, "0.10000000000000001"); // the double is more than a tenth
    check_written_up(0.3, "0.3");                 // and this one less than three tenths
    check_written_up(1.7976931348623157e308, "1.7976931348623158e308");
    check_written_up(0x1p-1074, "4.94065645841247e-324");
    check_written_up(0, "0");
}

TEST(written_doubles_read_back)
{
    int short_ones = 0;
    uint64_t count = test_count(200000);
    for (uint64_t i = 0; i < count; ++i) {
        double value = i % 4 == 0 ? (double)(int64_t)(test_random() >> 40) / 1000.0 : random_bits();
        if (!isfinite(value))
            continue;
        char text[IMPI_MAX_DECIMAL_LENGTH + 1];
        double read_back;
        if (value > 0)
            check_upper(value);
        size_t length = impi_decimal_format(value, text);
        CHECK(length <= IMPI_MAX_DECIMAL_LENGTH);
        text[length] = '\0';
        CHECK(impi_decimal_parse(text, text + length, &read_back) == text + length);
        if (!CHECK_DOUBLE(read_back, value) || !CHECK_DOUBLE(strtod(text, NULL), value))
            printf("  for %s\n", text);
        short_ones += length < 12;
    }
    CHECK(short_ones > (int)(count / 8));
}

static void check_written(double value, const char *expected)
{
    char text[IMPI_MAX_DECIMAL_LENGTH + 1];
    text[impi_decimal_format(value, text)] = '\0';
    CHECK_TEXT(text, expected);
}

TEST(doubles_are_written_for_people)
{
    check_written(0.0, "0");
    check_written(-0.0, "-0");
    check_written(0.1, "0.1");
    check_written(-1.5, "-1.5");
    check_written(100.0, "100");
    check_written(1e17, "1e17");
    check_written(123456789.125, "123456789.125");
    check_written(1e-5, "0.00001");
    check_written(1e-6, "1e-6");
    check_written(1.0 / 3.0, "0.3333333333333333");
    check_written(1.7976931348623157e308, "1.7976931348623157e308");
}

TEST(a_locale_with_decimal_commas_changes_nothing)
{
    static const char *const names[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE", "fr_FR"};
    bool found = false;
    for (size_t i = 0; i < sizeof names / sizeof *names && !found; ++i)
        found = setlocale(LC_NUMERIC, names[i]) != NULL;
    if (!found) {
        test_skip("no locale with decimal commas is installed");
        return;
    }
    const char text[] = "1.5";
    double value = 0;
    impi_decimal_parse(text, text + strlen(text), &value);
    CHECK_DOUBLE(value, 1.5);
    check_written(1.5, "1.5");
    setlocale(LC_NUMERIC, "C");
}

static impi_NumberStatus take(const char *text, double *value)
{
    impi_TextScanner scanner = scan(text);
    return impi_scan_take_double(&scanner, value);
}

TEST(what_is_no_number_is_told_apart_from_what_is_not_finite)
{
    static const char *const missing[] = {"",   "abc", "1.5x", "1,5", "-",   ".",
                                          "e5", "1e",  "0x10", "--1", "\001"};
    static const char *const not_finite[] = {"nan",       "-NaN",  "nan(ind)", "inf",
                                             "+Infinity", "1e999", "1.#INF"};
    double value = 7.0;
    for (size_t i = 0; i < sizeof missing / sizeof *missing; ++i)
        CHECK_INT(take(missing[i], &value), IMPI_NUMBER_MISSING);
    for (size_t i = 0; i < sizeof not_finite / sizeof *not_finite; ++i)
        CHECK_INT(take(not_finite[i], &value), IMPI_NUMBER_NOT_FINITE);
    CHECK_DOUBLE(value, 7.0);
}

TEST(integers_end_at_a_boundary_or_the_stop)
{
    int64_t value = 0;
    impi_TextScanner scanner = scan(" -12/3 +7 99999999999999999999 5x");
    CHECK_INT(impi_scan_take_integer(&scanner, '/', &value), IMPI_NUMBER_OK);
    CHECK_INT(value, -12);
    CHECK_INT(*scanner.cursor, '/');
    scanner.cursor += 2;
    CHECK_INT(impi_scan_take_integer(&scanner, 0, &value), IMPI_NUMBER_OK);
    CHECK_INT(value, 7);
    CHECK_INT(impi_scan_take_integer(&scanner, 0, &value), IMPI_NUMBER_NOT_FINITE);
    impi_scan_take_word(&scanner);
    CHECK_INT(impi_scan_take_integer(&scanner, 0, &value), IMPI_NUMBER_MISSING);
    CHECK_INT(value, 7);
}

TEST(lines_are_counted_whatever_ends_them)
{
    impi_TextScanner scanner = scan("a\r\n\tb\n\n  # note\n c");
    scanner.comment = '#';
    CHECK(impi_scan_find_word(&scanner) && impi_word_is(impi_scan_take_word(&scanner), "a"));
    CHECK_INT((int64_t)scanner.line, 1);
    CHECK(impi_scan_find_word(&scanner) && impi_word_is(impi_scan_take_word(&scanner), "b"));
    CHECK_INT((int64_t)scanner.line, 2);
    CHECK(impi_scan_find_word(&scanner) && impi_word_is(impi_scan_take_word(&scanner), "c"));
    CHECK_INT((int64_t)scanner.line, 5);
    CHECK(!impi_scan_find_word(&scanner));
}

TEST(a_backslash_joins_lines_where_that_is_asked_for)
{
    impi_TextScanner scanner = scan("1 \\\r\n 2\\\n3\n4");
    double value = 0;
    scanner.joins_lines = true;
    for (int i = 1; i <= 3; ++i) {
        CHECK_INT(impi_scan_take_double(&scanner, &value), IMPI_NUMBER_OK);
        CHECK_DOUBLE(value, i);
    }
    CHECK_INT((int64_t)scanner.line, 3);
    CHECK_INT(impi_scan_take_double(&scanner, &value), IMPI_NUMBER_MISSING);
    scanner = scan("\\\n1");
    CHECK_INT(impi_scan_take_double(&scanner, &value), IMPI_NUMBER_MISSING);
}

TEST(descriptions_are_short)
{
    char text[IMPI_MAX_WORD_DESCRIPTION];
    impi_TextScanner scanner = scan("x\001\xff y");
    CHECK_TEXT(impi_scan_describe(&scanner, text), "'x\001\xff'");
    scanner = scan("  \nx");
    CHECK_TEXT(impi_scan_describe(&scanner, text), "the end of the line");
    scanner = scan("");
    CHECK_TEXT(impi_scan_describe(&scanner, text), "the end of the file");
    char word[200];
    memset(word, 'w', sizeof word);
    word[199] = '\0';
    scanner = scan(word);
    CHECK_CONTAINS(impi_scan_describe(&scanner, text), "www...'");
}
