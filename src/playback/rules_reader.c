// Rules as text, line by line.

#include "playback/rules.h"

#include "base/context.h"
#include "io/decimal.h"
#include "io/file_bytes.h"
#include "kit/nearest_name.h"

#include <math.h>
#include <string.h>

#define SHOWN     60 // bytes of a word, in errors
#define MAX_WORDS 4  // a keyword, a length, two names; more are counted

typedef struct Reader {
    impi_Rules *rules;
    const char *origin; // kept with the rules
    const char *cursor, *end;
    uint64_t line;
    bool takes_pairs; // two names a line, and a comma may stand between them
    bool has_comma;   // this line: blanks are parts of names
} Reader;

typedef struct Line {
    const char *words[MAX_WORDS]; // kept with the rules
    size_t count;
} Line;

static impi_Place place_of(const Reader *reader)
{
    impi_Place place = IMPI_NO_PLACE;
    place.file = reader->origin;
    place.line = reader->line;
    return place;
}

static imp_Status status_of(const Reader *reader)
{
    return reader->line == IMP_NOWHERE ? IMP_STATUS_BAD_ARGUMENT : IMP_STATUS_BAD_FILE;
}

// Fail at the line where the reader is.
#define REFUSE(reader, ...)                                                                                  \
    impi_fail_at((reader)->rules->context, status_of(reader), place_of(reader), __VA_ARGS__)

// ---- words

static bool is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r' && c != '\n');
}

// Files have comments, options have none.
static bool has_comments(const Reader *reader)
{
    return reader->line != IMP_NOWHERE;
}

// Does a word that is not quoted end here? Before a comment in any case.
static bool ends_word(const Reader *reader, const char *c)
{
    if (c == reader->end || *c == '\n' || (*c == ',' && reader->has_comma))
        return true;
    return is_blank(*c) &&
           (!reader->has_comma || (has_comments(reader) && c + 1 < reader->end && c[1] == '#'));
}

static bool is_between_words(const Reader *reader, char c)
{
    return is_blank(c) || (c == ',' && reader->has_comma);
}

// Does \" or \\ stand here?
static bool is_escape(const char *c, const char *end)
{
    return *c == '\\' && c + 1 < end && (c[1] == '"' || c[1] == '\\');
}

// Take a word in quotes, from its opening quote, and write it to `word`, which has room for all of it.
static imp_Status take_quoted(Reader *reader, char *word)
{
    const char *begin = reader->cursor++;
    for (; reader->cursor < reader->end && *reader->cursor != '\n'; ++reader->cursor) {
        if (*reader->cursor == '"') {
            ++reader->cursor;
            *word = 0;
            return ends_word(reader, reader->cursor) || is_blank(*reader->cursor)
                       ? IMP_STATUS_OK
                       : REFUSE(reader, "expected a blank behind the quoted word %.*s",
                                (int)(reader->cursor - begin < SHOWN ? reader->cursor - begin : SHOWN),
                                begin);
        }
        reader->cursor += is_escape(reader->cursor, reader->end);
        *word++ = *reader->cursor;
    }
    return REFUSE(reader, "a quote is opened and not closed on the same line");
}

static imp_Status take_plain(Reader *reader, char *word)
{
    const char *begin = word;
    for (; !ends_word(reader, reader->cursor); ++reader->cursor) {
        if (*reader->cursor == '"')
            return REFUSE(reader, "there is a quote inside a word: put all of the word in quotes");
        *word++ = *reader->cursor;
    }
    while (word > begin && is_blank(word[-1]))
        --word;
    *word = 0;
    return IMP_STATUS_OK;
}

// How long the word at the cursor can be at most.
static size_t measure_word(const Reader *reader)
{
    const char *c = reader->cursor;
    bool is_quoted = *c == '"';
    for (c += is_quoted; c < reader->end && *c != '\n'; ++c) {
        if (is_quoted ? *c == '"' : ends_word(reader, c))
            break;
        c += is_quoted && is_escape(c, reader->end);
    }
    return (size_t)(c - reader->cursor);
}

// Is there a comma before the end of the line or a comment, and outside of quotes?
static bool find_comma(const Reader *reader)
{
    bool is_quoted = false;
    for (const char *c = reader->cursor; c < reader->end && *c != '\n'; ++c) {
        bool is_comment = *c == '#' && has_comments(reader) && (c == reader->cursor || is_blank(c[-1]));
        if (!is_quoted && (*c == ',' || is_comment))
            return *c == ',';
        is_quoted = is_quoted != (*c == '"');
        c += is_quoted && is_escape(c, reader->end);
    }
    return false;
}

// Take the words up to the end of the line, which is left.
static imp_Status take_line(Reader *reader, Line *line)
{
    *line = (Line){0};
    reader->has_comma = reader->takes_pairs && find_comma(reader);
    for (;;) {
        while (reader->cursor < reader->end && is_between_words(reader, *reader->cursor))
            ++reader->cursor;
        if (reader->cursor < reader->end && *reader->cursor == '#' && has_comments(reader))
            while (reader->cursor < reader->end && *reader->cursor != '\n')
                ++reader->cursor;
        if (reader->cursor == reader->end || *reader->cursor == '\n')
            return IMP_STATUS_OK;
        impi_ArenaMark mark = impi_arena_mark(&reader->rules->text);
        char *word = impi_arena_allocate(&reader->rules->text, measure_word(reader) + 1);
        if (!word)
            return impi_fail_out_of_memory(reader->rules->context);
        imp_Status status = *reader->cursor == '"' ? take_quoted(reader, word) : take_plain(reader, word);
        if (status != IMP_STATUS_OK)
            return status;
        if (line->count < MAX_WORDS)
            line->words[line->count] = word;
        else
            impi_arena_rewind(&reader->rules->text, mark);
        ++line->count;
    }
}

// ---- rules

static imp_Status keep_rule(Reader *reader, impi_Rule rule)
{
    impi_Rules *rules = reader->rules;
    if (!impi_array_reserve(&rules->context->allocator, &rules->list, sizeof rule, rules->list.count + 1))
        return impi_fail_out_of_memory(rules->context);
    rule.origin = reader->origin;
    rule.line = reader->line;
    rules->list.data[rules->list.count++] = rule;
    return IMP_STATUS_OK;
}

static imp_Status find_kind(const Reader *reader, const char *word, impi_RuleKind *kind)
{
    const char *known[IMPI_RULE_KINDS];
    for (int i = 0; i < IMPI_RULE_KINDS; ++i) {
        known[i] = impi_rule_forms[i].word;
        if (strcmp(word, known[i]) == 0) {
            *kind = (impi_RuleKind)i;
            return IMP_STATUS_OK;
        }
    }
    const char *nearest = impi_nearest_name(word, known, IMPI_RULE_KINDS);
    if (nearest)
        return REFUSE(reader, "there is no rule '%.*s', did you mean '%s'?", SHOWN, word, nearest);
    return REFUSE(reader,
                  "there is no rule '%.*s', expected 'between', 'ignore', 'group', 'clearance' or "
                  "'touch-depth'",
                  SHOWN, word);
}

static imp_Status read_length(const Reader *reader, const Line *line, double *length)
{
    if (line->count < 2)
        return REFUSE(reader, "expected a length after '%s', got the end of the line", line->words[0]);
    const char *word = line->words[1], *end = word + strlen(word);
    double value = 0;
    if (impi_decimal_parse(word, end, &value) != end || end == word)
        return REFUSE(reader, "expected a length after '%s', got '%.*s'", line->words[0], SHOWN, word);
    if (!isfinite(value) || value < 0)
        return REFUSE(reader, "expected a finite length of 0 or more after '%s', got '%.*s'", line->words[0],
                      SHOWN, word);
    *length = value == 0 ? 0 : value; // no sign
    return IMP_STATUS_OK;
}

static imp_Status refuse_name_count(const Reader *reader, const impi_RuleForm *form, size_t count)
{
    const char *expected = form->names_are_optional ? "two names or none"
                           : form->name_count == 1  ? "one name"
                                                    : "two names";
    const char *hint = count > form->name_count ? "; a name with blanks in it stands in double quotes" : "";
    return REFUSE(reader, "expected %s after '%s%s', got %zu%s", expected, form->word,
                  form->has_length ? " LENGTH" : "", count, hint);
}

static imp_Status read_rule(Reader *reader, const Line *line)
{
    impi_Rule rule = {0};
    imp_Status status = find_kind(reader, line->words[0], &rule.kind);
    if (status != IMP_STATUS_OK)
        return status;
    const impi_RuleForm *form = &impi_rule_forms[rule.kind];
    if (form->has_length)
        status = read_length(reader, line, &rule.length);
    if (status != IMP_STATUS_OK)
        return status;
    size_t first = form->has_length ? 2 : 1, count = line->count - first;
    if (count != form->name_count && !(form->names_are_optional && count == 0))
        return refuse_name_count(reader, form, count);
    if (count > 0) {
        rule.names[0] = line->words[first];
        rule.names[1] = line->words[first + count - 1];
    }
    return keep_rule(reader, rule);
}

static imp_Status read_ignored(Reader *reader, const Line *line)
{
    if (line->count != 2)
        return REFUSE(reader, "expected the names of two bodies, \"A B\" or \"A,B\", got %zu%s", line->count,
                      line->count > 2 ? "; put a comma between them, or names in double quotes" : "");
    return keep_rule(reader,
                     (impi_Rule){.kind = IMPI_RULE_IGNORE, .names = {line->words[0], line->words[1]}});
}

// ---- texts and files

// A text in which no line is looked at twice.
static imp_Status read_lines(Reader *reader)
{
    for (;; ++reader->line, ++reader->cursor) {
        Line line;
        imp_Status status = take_line(reader, &line);
        if (status == IMP_STATUS_OK && line.count > 0)
            status = reader->takes_pairs ? read_ignored(reader, &line) : read_rule(reader, &line);
        if (status != IMP_STATUS_OK || reader->cursor == reader->end)
            return status;
    }
}

static imp_Status check_bytes(Reader *reader)
{
    const char *zero = memchr(reader->cursor, 0, (size_t)(reader->end - reader->cursor));
    if (!zero)
        return IMP_STATUS_OK;
    for (const char *c = reader->cursor; c < zero; ++c)
        reader->line += *c == '\n';
    return REFUSE(reader, "there is a zero byte: this is no text");
}

static imp_Status read_text(impi_Rules *rules, const void *text, size_t size, const char *path,
                            bool takes_pairs)
{
    Reader reader = {.rules = rules, .line = 1, .takes_pairs = takes_pairs};
    size_t count = rules->list.count, path_size = strlen(path) + 1;
    impi_ArenaMark mark = impi_arena_mark(&rules->text);
    char *origin = impi_arena_allocate(&rules->text, path_size);
    if (!origin)
        return impi_fail_out_of_memory(rules->context);
    if (size == 0)
        return IMP_STATUS_OK;
    reader.origin = memcpy(origin, path, path_size);
    reader.cursor = text;
    reader.end = reader.cursor + size;
    if (size >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0)
        reader.cursor += 3; // the byte order mark that some editors write
    imp_Status status = check_bytes(&reader);
    if (status == IMP_STATUS_OK)
        status = read_lines(&reader);
    if (status != IMP_STATUS_OK) {
        rules->list.count = count;
        impi_arena_rewind(&rules->text, mark);
    }
    return status;
}

imp_Status impi_rules_add_text(impi_Rules *rules, const void *text, size_t size, const char *path)
{
    return read_text(rules, text, size, path, false);
}

imp_Status impi_rules_add_ignore_text(impi_Rules *rules, const void *text, size_t size, const char *path)
{
    return read_text(rules, text, size, path, true);
}

static imp_Status read_file(impi_Rules *rules, const char *path, bool takes_pairs)
{
    imp_Context *context = rules->context;
    impi_FileSource source;
    impi_FileBytes file = {0};
    imp_Status status = impi_file_source_open(context, path, path, &source);
    if (status != IMP_STATUS_OK)
        return status;
    status = impi_file_bytes_read(&source, IMPI_MAX_RULE_FILE + 1, NULL, &file);
    impi_file_source_close(&source);
    if (status != IMP_STATUS_OK)
        return status;
    if (file.size > IMPI_MAX_RULE_FILE) {
        impi_Place place = IMPI_NO_PLACE;
        place.file = path;
        status =
            impi_fail_at(context, IMP_STATUS_TOO_LARGE, place,
                         "a file of rules has at most %zu bytes, this one is longer", IMPI_MAX_RULE_FILE);
    } else {
        status = read_text(rules, file.data, file.size, path, takes_pairs);
    }
    impi_file_bytes_free(context, &file);
    return status;
}

imp_Status impi_rules_add_file(impi_Rules *rules, const char *path)
{
    return read_file(rules, path, false);
}

imp_Status impi_rules_add_ignore_file(impi_Rules *rules, const char *path)
{
    return read_file(rules, path, true);
}

imp_Status impi_rules_add_ignored(impi_Rules *rules, const char *text, const char *origin)
{
    Reader reader = {.rules = rules,
                     .origin = origin,
                     .cursor = text,
                     .end = text + strlen(text),
                     .line = IMP_NOWHERE,
                     .takes_pairs = true};
    impi_ArenaMark mark = impi_arena_mark(&rules->text);
    Line line;
    imp_Status status = take_line(&reader, &line);
    if (status == IMP_STATUS_OK && line.count != 2)
        status = read_ignored(&reader, &line); // which says what is expected
    else if (status == IMP_STATUS_OK)
        status = impi_rules_add(rules, IMPI_RULE_IGNORE, line.words[0], line.words[1], 0, origin);
    if (status != IMP_STATUS_OK)
        impi_arena_rewind(&rules->text, mark);
    return status;
}
