#include "options.h"

#include "arguments.h"
#include "harness.h"

#include <string.h>

static const OptionSpec specs[] = {
    {.name = "json", .help = "flag"},
    {.name = "output", .letter = 'o', .value_count = 1, .values = "FILE", .help = "value"},
    {.name = "pose", .value_count = 2, .repeatable = true, .values = "K POSE", .help = "two values"},
};
static const OptionTable table = {specs, 3, 1, 2, "A [B]"};

#define PARSE(options, ...)                                                                                  \
    options_parse(&table, (int)(sizeof(char *[]){__VA_ARGS__} / sizeof(char *)), (char *[]){__VA_ARGS__},    \
                  (options))

TEST(flags_values_and_arguments_may_stand_in_any_order)
{
    Options options;
    CHECK_INT(PARSE(&options, "a", "--output", "x", "b", "--json"), OPTIONS_OK);
    CHECK(options_has(&options, "json"));
    CHECK_TEXT(options_value(&options, "output"), "x");
    CHECK_INT((int64_t)options.argument_count, 2);
    CHECK_TEXT(options.arguments[0], "a");
    CHECK_TEXT(options.arguments[1], "b");
    CHECK(!options_has(&options, "pose"));
    CHECK(options_value(&options, "pose") == NULL);
    options_free(&options);
}

TEST(all_spellings_of_a_value_mean_the_same)
{
    Options options;
    CHECK_INT(PARSE(&options, "a", "--output=x"), OPTIONS_OK);
    CHECK_TEXT(options_value(&options, "output"), "x");
    options_free(&options);
    CHECK_INT(PARSE(&options, "a", "-o", "x"), OPTIONS_OK);
    CHECK_TEXT(options_value(&options, "output"), "x");
    options_free(&options);
    CHECK_INT(PARSE(&options, "a", "-ox"), OPTIONS_OK);
    CHECK_TEXT(options_value(&options, "output"), "x");
    options_free(&options);
    CHECK_INT(PARSE(&options, "a", "--output="), OPTIONS_OK);
    CHECK_TEXT(options_value(&options, "output"), "");
    options_free(&options);
}

TEST(options_that_may_repeat_keep_their_order)
{
    Options options;
    CHECK_INT(PARSE(&options, "a", "--pose", "1", "-1 0 0", "--pose", "0", "2 0 0"), OPTIONS_OK);
    CHECK_INT((int64_t)options.use_count, 2);
    CHECK_TEXT(options.uses[0].values[0], "1");
    CHECK_TEXT(options.uses[0].values[1], "-1 0 0");
    CHECK_TEXT(options.uses[1].values[0], "0");
    options_free(&options);
}

TEST(two_dashes_end_the_options)
{
    Options options;
    CHECK_INT(PARSE(&options, "--", "--json", "-"), OPTIONS_OK);
    CHECK(!options_has(&options, "json"));
    CHECK_TEXT(options.arguments[0], "--json");
    CHECK_TEXT(options.arguments[1], "-");
    options_free(&options);
}

TEST(help_wins_over_everything_else)
{
    Options options;
    CHECK_INT(PARSE(&options, "--nonsense", "--help"), OPTIONS_HELP);
    options_free(&options);
    CHECK_INT(PARSE(&options, "a", "--", "--help"), OPTIONS_OK);
    options_free(&options);
}

#define CHECK_REFUSED(part, ...)                                                                             \
    do {                                                                                                     \
        Options refused;                                                                                     \
        CHECK_INT(PARSE(&refused, __VA_ARGS__), OPTIONS_BAD);                                                \
        CHECK_CONTAINS(refused.error, part);                                                                 \
        options_free(&refused);                                                                              \
    } while (0)

TEST(what_is_wrong_is_named)
{
    CHECK_REFUSED("unknown option '--jsn' (did you mean '--json'?)", "a", "--jsn");
    CHECK_REFUSED("unknown option '--outptu=3' (did you mean '--output'?)", "a", "--outptu=3");
    CHECK_REFUSED("unknown option '--zzzzzzzz'", "a", "--zzzzzzzz");
    CHECK_REFUSED("unknown option '-x'", "a", "-x");
    CHECK_REFUSED("'--output' lacks a value", "a", "--output");
    CHECK_REFUSED("'--output' lacks a value", "a", "--output", "--json");
    CHECK_REFUSED("'--pose' lacks a value: --pose K POSE", "a", "--pose", "1");
    CHECK_REFUSED("'--pose' takes 2 values", "a", "--pose=1");
    CHECK_REFUSED("'--json' takes no value", "a", "--json=1");
    CHECK_REFUSED("'--output' is given twice", "a", "-o", "x", "--output=y");
    CHECK_REFUSED("arguments expected: A [B]", "--json");
    CHECK_REFUSED("unexpected argument 'c'", "a", "b", "c");
}

TEST(numbers_are_read_strictly)
{
    double n[3] = {0};
    uint32_t count = 7;
    CHECK(argument_numbers("view", " 1,-2.5e1  3 ", 3, n));
    CHECK_DOUBLE(n[0], 1);
    CHECK_DOUBLE(n[1], -25);
    CHECK_DOUBLE(n[2], 3);
    CHECK(!argument_numbers("view", "1 2", 3, n));
    CHECK(!argument_numbers("view", "1 2 3 4", 3, n));
    CHECK(!argument_numbers("view", "1 2 x", 3, n));
    CHECK(!argument_numbers("view", "1 2 3x", 3, n));
    CHECK(!argument_numbers("view", "1 2 nan", 3, n));
    CHECK(!argument_numbers("view", "1 2 1e999", 3, n));
    CHECK(!argument_numbers("view", "", 3, n));
    CHECK(argument_integer("size", "42", 1, 100, &count));
    CHECK_INT(count, 42);
    CHECK(!argument_integer("size", "0", 1, 100, &count));
    CHECK(!argument_integer("size", "101", 1, 100, &count));
    CHECK(!argument_integer("size", "99999999999999999999999", 1, UINT32_MAX, &count));
    CHECK(!argument_integer("size", "-1", 0, 100, &count));
    CHECK(!argument_integer("size", "4.5", 0, 100, &count));
    CHECK(!argument_integer("size", "", 0, 100, &count));
    CHECK_INT(count, 42);
}
