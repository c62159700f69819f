// What can stand in which place of a command line, read from tables of options.
#define _XOPEN_SOURCE 700 // for program.h

#include "completion.h"

#include "program.h"

static const char *fruit(size_t index)
{
    static const char *const names[] = {"apple", "pear"};
    return index < 2 ? names[index] : NULL;
}

static const OptionSpec specs[] = {
    {.name = "output", .letter = 'o', .value_count = 1, .values = "FILE", .help = "x"},
    {.name = "pairs", .value_count = 1, .values = "PAIRS.npy", .help = "x"},
    {.name = "folder", .value_count = 1, .values = "DIR", .help = "x"},
    {.name = "unit", .value_count = 1, .values = "mm|cm|m", .help = "x"},
    {.name = "up", .value_count = 1, .values = "y|SIDE|\"x|y z\"|z", .help = "x"},
    {.name = "pose", .value_count = 2, .values = "K \"tx ty tz\"", .help = "x"},
    {.name = "scale", .value_count = 2, .values = "K in|ft", .help = "x"},
    {.name = "fruit", .value_count = 1, .values = "NAME", .help = "x", .choice = fruit},
    {.name = "at", .value_count = 1, .values = "K,K,...", .help = "x"},
};

// Files, folders and words of a place as one text: "files folders apple,pear".
static const char *describe(CompletionPlace place)
{
    static char text[256];
    impi_Text words;
    impi_text_begin(&words);
    completion_put_words(&place, ",", &words);
    CHECK(completion_has_words(&place) == (words.bytes.count > 0));
    snprintf(text, sizeof text, "%s%s%.*s", place.takes_files ? "files " : "",
             place.takes_folders ? "folders " : "", (int)words.bytes.count,
             words.bytes.count ? words.bytes.data : "");
    impi_text_free(&words);
    return text;
}

static CompletionPlace argument(const char *names, const char *(*choice)(size_t index))
{
    return completion_of_argument(&(Command){.options.argument_names = names, .argument_choice = choice});
}

TEST(values_are_what_help_calls_them)
{
    CHECK_TEXT(describe(completion_of_value(&specs[0], 0)), "files ");
    CHECK_TEXT(describe(completion_of_value(&specs[1], 0)), "files ");
    CHECK_TEXT(describe(completion_of_value(&specs[2], 0)), "folders ");
    CHECK_TEXT(describe(completion_of_value(&specs[3], 0)), "mm,cm,m");
    CHECK_TEXT(describe(completion_of_value(&specs[4], 0)), "y,z");
    CHECK_TEXT(describe(completion_of_value(&specs[5], 0)), "");
    CHECK_TEXT(describe(completion_of_value(&specs[5], 1)), "");
    CHECK_TEXT(describe(completion_of_value(&specs[6], 0)), "");
    CHECK_TEXT(describe(completion_of_value(&specs[6], 1)), "in,ft");
    CHECK_TEXT(describe(completion_of_value(&specs[7], 0)), "apple,pear");
    CHECK_TEXT(describe(completion_of_value(&specs[8], 0)), "");
}

TEST(arguments_are_files_unless_they_are_called_something_else)
{
    CHECK_TEXT(describe(argument("FILE FILE...", NULL)), "files ");
    CHECK_TEXT(describe(argument("IN OUT", NULL)), "files ");
    CHECK_TEXT(describe(argument("SCENE", fruit)), "files apple,pear");
    CHECK_TEXT(describe(argument("[DIR]", NULL)), "folders ");
    CHECK_TEXT(describe(argument("FILE|DIR...", NULL)), "files folders ");
    CHECK_TEXT(describe(argument("bash|zsh", NULL)), "bash,zsh");
}

TEST(every_command_has_help_as_its_last_option)
{
    OptionSpec spec;
    CHECK(completion_option(&command_demo, 0, &spec));
    CHECK_TEXT(spec.name, "help");
    CHECK(!completion_option(&command_demo, 1, &spec));
}

TEST(quotes_get_through_shells)
{
    impi_Text text;
    impi_text_begin(&text);
    completion_put_quoted("it's [a]\nline", 13, "[]", "'\\''", &text);
    impi_text_append(&text, "", 1);
    CHECK_TEXT(text.bytes.data, "it'\\''s \\[a\\] line");
    impi_text_free(&text);
}

TEST(the_command_prints_a_script_for_each_shell)
{
    if (!prepare())
        return;
    CHECK_INT(run("completion bash"), 0);
    CHECK_CONTAINS(run_state.out, "complete -F _impinge impinge\n");
    CHECK_CONTAINS(run_state.out, "--touch-depth");
    CHECK_INT(run("completion zsh"), 0);
    CHECK_CONTAINS(run_state.out, "#compdef impinge\n");
    CHECK_INT(run("completion fish"), 0);
    CHECK_CONTAINS(run_state.out, "complete -c impinge");
    CHECK_TEXT(run_state.err, "");
    check_fails("completion", "bash|zsh|fish");
    check_fails("completion csh", "got \"csh\"");
}
