/// Options of a command line, declared in a table.
#ifndef IMPINGE_APPS_OPTIONS_H
#define IMPINGE_APPS_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#define MAX_OPTION_VALUES 2
#define MAX_OPTION_ERROR  512

/// One option. `--name VALUE` and `--name=VALUE` are the same (the latter for options of one value), and so
/// are `-l VALUE` and `-lVALUE` when it has a letter.
typedef struct OptionSpec {
    const char *name;   ///< without the dashes
    char letter;        ///< 0: none
    int value_count;    ///< how many arguments follow it; 0 for a flag
    bool repeatable;    ///< others are refused when they come twice
    const char *values; ///< how help names the values, "N"; null for a flag
    const char *help;   ///< a line or more
    /// What its value can be, by number, null past the last; null where that is no list.
    const char *(*choice)(size_t index);
} OptionSpec;

/// What a command line may hold.
typedef struct OptionTable {
    const OptionSpec *specs;
    size_t spec_count;
    size_t min_arguments, max_arguments; ///< besides options; a maximum of 0 means any number
    const char *argument_names;          ///< how usage names them, "FILE..."
} OptionTable;

typedef struct OptionUse {
    const OptionSpec *spec;
    const char *values[MAX_OPTION_VALUES];
} OptionUse;

/// A command line that was understood. Strings are those of the command line itself.
typedef struct Options {
    OptionUse *uses; ///< in the order of the command line
    size_t use_count;
    const char **arguments;
    size_t argument_count;
    char error[MAX_OPTION_ERROR]; ///< one line: what is wrong, and with which argument
} Options;

typedef enum OptionsResult {
    OPTIONS_OK,
    OPTIONS_HELP, ///< `--help` or `-h` is there; nothing else was looked at
    OPTIONS_BAD   ///< see Options.error
} OptionsResult;

/// `arguments` are those behind the name of the command. Options may stand before, between and after the
/// others; `--` ends them. A value is taken as it is, so it may begin with a minus sign, but not with two:
/// that would be the next option (write `--name=--value` for it). Call options_free in any case.
OptionsResult options_parse(const OptionTable *table, int count, char **arguments, Options *options);
void options_free(Options *options);

/// Is the option there?
bool options_has(const Options *options, const char *name);

/// The first value of an option that comes once; null when it is not there.
const char *options_value(const Options *options, const char *name);

#endif
