#include "completion.h"

#include <string.h>

// Where a part of a name ends: names of values are separated by spaces, alternatives by bars. Quotes hold
// together what is one value: K "tx ty tz".
static size_t part_length(const char *text, size_t length, char separator)
{
    bool quoted = false;
    size_t i = 0;
    for (; i < length && (quoted || text[i] != separator); ++i)
        quoted = quoted != (text[i] == '"');
    return i;
}

static bool contains(const CompletionPlace *place, const char *part)
{
    size_t length = strlen(part);
    for (size_t i = 0; i + length <= place->name_length; ++i)
        if (strncmp(place->name + i, part, length) == 0)
            return true;
    return false;
}

static bool is_lower(char letter)
{
    return letter >= 'a' && letter <= 'z';
}

// PAIRS.npy
static bool has_extension(const CompletionPlace *place)
{
    for (size_t i = 1; i + 1 < place->name_length; ++i)
        if (place->name[i] == '.' && is_lower(place->name[i + 1]))
            return true;
    return false;
}

// Alternative number `index` that is a word to be written as it is, which excludes SIDE and "x y z".
static bool find_alternative(const CompletionPlace *place, size_t index, const char **word, size_t *length)
{
    const char *rest = place->name, *end = place->name + place->name_length;
    size_t first = part_length(rest, place->name_length, '|');
    if (first == place->name_length)
        return false;
    for (; rest < end; rest += *length + 1) {
        *word = rest;
        *length = part_length(rest, (size_t)(end - rest), '|');
        if (*length > 0 && is_lower(rest[0]) && index-- == 0)
            return true;
    }
    return false;
}

CompletionPlace completion_of_value(const OptionSpec *spec, int index)
{
    const char *name = spec->values;
    size_t length = part_length(name, strlen(name), ' ');
    for (; index > 0 && name[length]; --index) {
        name += length + 1;
        length = part_length(name, strlen(name), ' ');
    }
    CompletionPlace place = {.name = name, .name_length = length};
    place.takes_folders = contains(&place, "DIR");
    place.takes_files = contains(&place, "FILE") || has_extension(&place);
    place.choice = name[length] ? NULL : spec->choice; // of the last value
    return place;
}

CompletionPlace completion_of_argument(const Command *command)
{
    const char *word;
    size_t length;
    const char *name = command->options.argument_names;
    CompletionPlace place = {.name = name, .name_length = strlen(name)};
    bool is_word = find_alternative(&place, 0, &word, &length);
    place.choice = command->argument_choice;
    place.takes_folders = contains(&place, "DIR");
    place.takes_files = contains(&place, "FILE") || !(is_word || place.takes_folders);
    return place;
}

bool completion_has_words(const CompletionPlace *place)
{
    const char *word;
    size_t length;
    return place->choice || find_alternative(place, 0, &word, &length);
}

void completion_put_words(const CompletionPlace *place, const char *separator, impi_Text *output)
{
    const char *word, *between = "";
    size_t length;
    for (size_t i = 0; find_alternative(place, i, &word, &length); ++i, between = separator)
        impi_text_printf(output, "%s%.*s", between, (int)length, word);
    for (size_t i = 0; place->choice && place->choice(i); ++i, between = separator)
        impi_text_printf(output, "%s%s", between, place->choice(i));
}

bool completion_option(const Command *command, size_t index, OptionSpec *spec)
{
    const OptionTable *table = &command->options;
    if (index > table->spec_count)
        return false;
    *spec = index < table->spec_count ? table->specs[index] : command_help_option;
    return true;
}

void completion_put_quoted(const char *text, size_t length, const char *special, const char *quote,
                           impi_Text *output)
{
    for (size_t i = 0; i < length; ++i) {
        if (text[i] == '\'')
            impi_text_put(output, quote);
        else if (strchr(special, text[i]))
            impi_text_printf(output, "\\%c", text[i]);
        else
            impi_text_append(output, text[i] == '\n' ? " " : &text[i], 1);
    }
}
