#include "options.h"

#include "kit/nearest_name.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_WORD  64 // longer words are like no name
#define MAX_SPECS 64

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
static OptionsResult
refuse(Options *options, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(options->error, sizeof options->error, format, arguments);
    va_end(arguments);
    return OPTIONS_BAD;
}

static OptionsResult refuse_unknown(const OptionTable *table, Options *options, const char *argument,
                                    size_t name_length)
{
    const char *names[MAX_SPECS];
    char word[MAX_WORD + 1];
    size_t count = table->spec_count < MAX_SPECS ? table->spec_count : MAX_SPECS;
    for (size_t i = 0; i < count; ++i)
        names[i] = table->specs[i].name;
    snprintf(word, sizeof word, "%.*s", (int)(name_length > MAX_WORD ? MAX_WORD : name_length), argument + 2);
    const char *nearest = argument[1] == '-' ? impi_nearest_name(word, names, count) : NULL;
    if (nearest)
        return refuse(options, "unknown option '%s' (did you mean '--%s'?)", argument, nearest);
    return refuse(options, "unknown option '%s'", argument);
}

static const OptionSpec *find_spec(const OptionTable *table, const char *argument, size_t name_length)
{
    for (size_t i = 0; i < table->spec_count; ++i) {
        const OptionSpec *spec = &table->specs[i];
        bool is_long = argument[1] == '-' && strlen(spec->name) == name_length &&
                       strncmp(spec->name, argument + 2, name_length) == 0;
        if (is_long || (argument[1] != '-' && spec->letter && spec->letter == argument[1]))
            return spec;
    }
    return NULL;
}

typedef struct Cursor {
    char **arguments;
    int count, next;
} Cursor;

static OptionsResult take_option(const OptionTable *table, Cursor *cursor, Options *options)
{
    const char *argument = cursor->arguments[cursor->next++];
    bool is_long = argument[1] == '-';
    size_t name_length = is_long ? strcspn(argument + 2, "=") : 1;
    const char *attached = argument + (is_long ? 2 : 1) + name_length;
    const OptionSpec *spec = find_spec(table, argument, name_length);
    if (!spec)
        return refuse_unknown(table, options, argument, name_length);
    if (!is_long && *attached == '=')
        return refuse(options, "option '-%c' takes its value without '='", argument[1]);
    if (*attached && spec->value_count == 0)
        return refuse(options, "option '--%s' takes no value", spec->name);
    if (*attached && spec->value_count > 1)
        return refuse(options, "option '--%s' takes %d values: --%s %s", spec->name, spec->value_count,
                      spec->name, spec->values);
    if (!spec->repeatable && options_has(options, spec->name))
        return refuse(options, "option '--%s' is given twice", spec->name);
    OptionUse *use = &options->uses[options->use_count++];
    *use = (OptionUse){.spec = spec};
    if (*attached) {
        use->values[0] = attached + is_long; // behind the equals sign
        return OPTIONS_OK;
    }
    for (int i = 0; i < spec->value_count; ++i) {
        const char *value = cursor->next < cursor->count ? cursor->arguments[cursor->next] : "--";
        if (strncmp(value, "--", 2) == 0)
            return refuse(options, "option '--%s' lacks a value: --%s %s", spec->name, spec->name,
                          spec->values);
        use->values[i] = value;
        ++cursor->next;
    }
    return OPTIONS_OK;
}

static OptionsResult check_argument_count(const OptionTable *table, Options *options)
{
    if (options->argument_count < table->min_arguments)
        return refuse(options, "%s expected: %s", options->argument_count ? "more arguments" : "arguments",
                      table->argument_names);
    if (table->max_arguments && options->argument_count > table->max_arguments)
        return refuse(options, "unexpected argument '%s', expected: %s",
                      options->arguments[table->max_arguments], table->argument_names);
    return OPTIONS_OK;
}

static bool asks_for_help(int count, char **arguments)
{
    for (int i = 0; i < count && strcmp(arguments[i], "--") != 0; ++i)
        if (strcmp(arguments[i], "--help") == 0 || strcmp(arguments[i], "-h") == 0)
            return true;
    return false;
}

OptionsResult options_parse(const OptionTable *table, int count, char **arguments, Options *options)
{
    *options = (Options){0};
    if (asks_for_help(count, arguments))
        return OPTIONS_HELP;
    options->uses = calloc((size_t)count + 1, sizeof *options->uses);
    options->arguments = calloc((size_t)count + 1, sizeof *options->arguments);
    if (!options->uses || !options->arguments)
        return refuse(options, "out of memory");
    Cursor cursor = {arguments, count, 0};
    bool options_ended = false;
    while (cursor.next < count) {
        const char *argument = arguments[cursor.next];
        if (options_ended || argument[0] != '-' || argument[1] == 0) {
            options->arguments[options->argument_count++] = argument;
            ++cursor.next;
        } else if (strcmp(argument, "--") == 0) {
            options_ended = true;
            ++cursor.next;
        } else if (take_option(table, &cursor, options) != OPTIONS_OK) {
            return OPTIONS_BAD;
        }
    }
    return check_argument_count(table, options);
}

void options_free(Options *options)
{
    free(options->uses);
    free(options->arguments);
    *options = (Options){0};
}

static const OptionUse *find_use(const Options *options, const char *name)
{
    for (size_t i = 0; i < options->use_count; ++i)
        if (strcmp(options->uses[i].spec->name, name) == 0)
            return &options->uses[i];
    return NULL;
}

bool options_has(const Options *options, const char *name)
{
    return find_use(options, name) != NULL;
}

const char *options_value(const Options *options, const char *name)
{
    const OptionUse *use = find_use(options, name);
    return use ? use->values[0] : NULL;
}
