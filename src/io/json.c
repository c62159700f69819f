// A recursive descent by the grammar of RFC 8259. Depth is limited, each byte is looked at a fixed number of
// times, and a value takes at least one byte of text, so that time and memory are linear in the size.

#include "io/json.h"

#include "io/decimal.h"

#include <math.h>
#include <string.h>

// How much is read between two looks at the watch.
#define VALUES_PER_LOOK 4096
#define BYTES_PER_LOOK  ((size_t)1 << 16)

typedef struct Parser {
    imp_Context *context;
    const char *file_name;
    impi_Json *json;
    size_t offset, size;
    imp_Status status;
} Parser;

static bool fail(Parser *parser, imp_Status status, const char *what)
{
    impi_Place place = IMPI_NO_PLACE;
    place.file = parser->file_name;
    place.byte_offset = parser->json->text_offset + parser->offset;
    parser->status = impi_fail_at(parser->context, status, place, "%s", what);
    return false;
}

static bool fail_expected(Parser *parser, const char *what)
{
    return fail(parser, IMP_STATUS_BAD_FILE, what);
}

// A zero stands for the end: it is no token.
static char peek(const Parser *parser)
{
    return parser->offset < parser->size ? parser->json->text[parser->offset] : '\0';
}

static void skip_blanks(Parser *parser)
{
    for (char c; (c = peek(parser)) == ' ' || c == '\t' || c == '\n' || c == '\r';)
        ++parser->offset;
}

static bool take(Parser *parser, char token)
{
    skip_blanks(parser);
    if (peek(parser) != token)
        return false;
    ++parser->offset;
    return true;
}

// False when the context's watch ends the work.
static bool goes_on(Parser *parser)
{
    if (impi_watch_goes_on(&parser->context->watch))
        return true;
    parser->status = impi_watch_status(parser->context);
    return parser->status == IMP_STATUS_OK;
}

static bool add_value(Parser *parser, impi_JsonType type, size_t *index)
{
    impi_Json *json = parser->json;
    if (json->values.count % VALUES_PER_LOOK == 0 && !goes_on(parser))
        return false;
    if (!impi_array_reserve(&parser->context->allocator, &json->values, sizeof *json->values.data,
                            json->values.count + 1)) {
        parser->status = impi_fail_out_of_memory(parser->context);
        return false;
    }
    *index = json->values.count++;
    json->values.data[*index] =
        (impi_JsonValue){.type = type, .next = (uint32_t)*index + 1, .begin = (uint32_t)parser->offset};
    return true;
}

static void end_value(Parser *parser, size_t index)
{
    impi_JsonValue *value = &parser->json->values.data[index];
    value->next = (uint32_t)parser->json->values.count;
    value->length = (uint32_t)(parser->offset - value->begin);
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static int hex_value(char c)
{
    if (is_digit(c))
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static bool skip_escape(Parser *parser)
{
    ++parser->offset;
    char c = peek(parser);
    if (!c || !strchr("\"\\/bfnrtu", c))
        return fail_expected(parser, "expected an escape sequence of JSON behind the backslash");
    ++parser->offset;
    for (int i = 0; c == 'u' && i < 4; ++i, ++parser->offset)
        if (hex_value(peek(parser)) < 0)
            return fail_expected(parser, "expected four hexadecimal digits");
    return true;
}

static bool parse_string(Parser *parser)
{
    size_t index;
    if (!take(parser, '"'))
        return fail_expected(parser, "expected a string");
    if (!add_value(parser, IMPI_JSON_STRING, &index))
        return false;
    while (peek(parser) != '"') {
        if (parser->offset == parser->size)
            return fail_expected(parser, "the string does not end");
        if ((unsigned char)peek(parser) < ' ')
            return fail_expected(parser, "there is a control character in a string");
        if (parser->offset % BYTES_PER_LOOK == 0 && !goes_on(parser))
            return false;
        if (peek(parser) != '\\')
            ++parser->offset;
        else if (!skip_escape(parser))
            return false;
    }
    end_value(parser, index);
    ++parser->offset;
    return true;
}

static bool skip_digits(Parser *parser)
{
    if (!is_digit(peek(parser)))
        return fail_expected(parser, "expected a digit");
    while (is_digit(peek(parser)))
        ++parser->offset;
    return true;
}

static bool parse_number(Parser *parser)
{
    size_t index;
    if (!add_value(parser, IMPI_JSON_NUMBER, &index))
        return false;
    const char *begin = parser->json->text + parser->offset;
    if (peek(parser) == '-')
        ++parser->offset;
    if (peek(parser) == '0')
        ++parser->offset;
    else if (!skip_digits(parser))
        return false;
    if (peek(parser) == '.') {
        ++parser->offset;
        if (!skip_digits(parser))
            return false;
    }
    if (peek(parser) == 'e' || peek(parser) == 'E') {
        ++parser->offset;
        if (peek(parser) == '+' || peek(parser) == '-')
            ++parser->offset;
        if (!skip_digits(parser))
            return false;
    }
    const char *end = parser->json->text + parser->offset;
    impi_JsonValue *value = &parser->json->values.data[index];
    if (impi_decimal_parse(begin, end, &value->number) != end || !isfinite(value->number))
        return fail_expected(parser, "the number is too large");
    end_value(parser, index);
    return true;
}

static bool parse_word(Parser *parser)
{
    static const struct {
        const char *text;
        impi_JsonType type;
    } words[] = {{"null", IMPI_JSON_NULL}, {"false", IMPI_JSON_FALSE}, {"true", IMPI_JSON_TRUE}};
    for (size_t i = 0; i < sizeof words / sizeof *words; ++i) {
        size_t length = strlen(words[i].text), index;
        if (parser->size - parser->offset < length ||
            memcmp(parser->json->text + parser->offset, words[i].text, length) != 0)
            continue;
        if (!add_value(parser, words[i].type, &index))
            return false;
        parser->offset += length;
        end_value(parser, index);
        return true;
    }
    return fail_expected(parser, parser->offset == parser->size ? "the text ends too early"
                                                                : "expected a value of JSON");
}

static bool parse_value(Parser *parser, int depth);

static bool parse_items(Parser *parser, int depth, bool is_object)
{
    char closing = is_object ? '}' : ']';
    size_t index;
    if (depth >= IMPI_MAX_JSON_DEPTH)
        return fail(parser, IMP_STATUS_UNSUPPORTED, "its JSON is nested too deeply");
    if (!add_value(parser, is_object ? IMPI_JSON_OBJECT : IMPI_JSON_ARRAY, &index))
        return false;
    ++parser->offset;
    if (!take(parser, closing)) {
        do {
            if (is_object && !parse_string(parser))
                return false;
            if (is_object && !take(parser, ':'))
                return fail_expected(parser, "expected a colon behind the key");
            if (!parse_value(parser, depth + 1))
                return false;
            ++parser->json->values.data[index].count;
        } while (take(parser, ','));
        if (!take(parser, closing))
            return fail_expected(parser, is_object ? "expected a comma or the end of the object"
                                                   : "expected a comma or the end of the array");
    }
    end_value(parser, index);
    return true;
}

static bool parse_value(Parser *parser, int depth)
{
    skip_blanks(parser);
    char c = peek(parser);
    if (c == '{' || c == '[')
        return parse_items(parser, depth, c == '{');
    if (c == '"')
        return parse_string(parser);
    if (c == '-' || is_digit(c))
        return parse_number(parser);
    return parse_word(parser);
}

imp_Status impi_json_parse(imp_Context *context, const char *file_name, const char *text, size_t size,
                           uint64_t text_offset, impi_Json *json)
{
    impi_Json result = {.text = text, .text_offset = text_offset};
    Parser parser = {.context = context, .file_name = file_name, .json = &result, .size = size};
    if (size >= UINT32_MAX) {
        fail(&parser, IMP_STATUS_TOO_LARGE, "the JSON text is larger than 4 GiB");
    } else if (parse_value(&parser, 0)) {
        skip_blanks(&parser);
        if (parser.offset < size)
            fail_expected(&parser, "there is more behind the end of the JSON text");
    }
    if (parser.status == IMP_STATUS_OK)
        *json = result;
    else
        impi_json_free(context, &result);
    return parser.status;
}

void impi_json_free(imp_Context *context, impi_Json *json)
{
    impi_array_free(&context->allocator, &json->values, sizeof *json->values.data);
}

const impi_JsonValue *impi_json_member(const impi_Json *json, const impi_JsonValue *object, const char *key)
{
    if (!object || object->type != IMPI_JSON_OBJECT)
        return NULL;
    const impi_JsonValue *at = object + 1;
    for (uint32_t i = 0; i < object->count; ++i, at = impi_json_next(json, at + 1))
        if (impi_json_is_text(json, at, key))
            return at + 1;
    return NULL;
}

static uint32_t read_hex(const char *digits)
{
    uint32_t code = 0;
    for (int i = 0; i < 4; ++i)
        code = code << 4 | (uint32_t)hex_value(digits[i]);
    return code;
}

static bool is_surrogate(uint32_t code, uint32_t first)
{
    return code >= first && code < first + 0x400;
}

static size_t write_utf8(uint32_t code, char *out)
{
    if (code == 0 || (code >= 0xD800 && code < 0xE000))
        code = 0xFFFD;
    if (code < 0x80) {
        out[0] = (char)code;
        return 1;
    }
    int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    static const unsigned char leads[] = {0, 0xC0, 0xE0, 0xF0};
    out[0] = (char)(leads[more] | code >> 6 * more);
    for (int i = 1; i <= more; ++i)
        out[i] = (char)(0x80 | (code >> 6 * (more - i) & 0x3F));
    return (size_t)more + 1;
}

// The character at *at of a string that was checked by the parser, as UTF-8; moves on behind it.
static size_t read_character(const char **at, const char *end, char out[4])
{
    static const char letters[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
    const char *p = *at;
    if (*p != '\\') {
        *at = p + 1;
        out[0] = *p;
        return 1;
    }
    if (p[1] != 'u') {
        *at = p + 2;
        return write_utf8((unsigned char)meanings[strchr(letters, p[1]) - letters], out);
    }
    uint32_t code = read_hex(p + 2);
    p += 6;
    if (is_surrogate(code, 0xD800) && end - p >= 6 && p[0] == '\\' && p[1] == 'u') {
        uint32_t low = read_hex(p + 2);
        if (is_surrogate(low, 0xDC00)) {
            code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
            p += 6;
        }
    }
    *at = p;
    return write_utf8(code, out);
}

bool impi_json_is_text(const impi_Json *json, const impi_JsonValue *string, const char *text)
{
    if (!string || string->type != IMPI_JSON_STRING)
        return false;
    const char *at = json->text + string->begin, *end = at + string->length;
    char character[4];
    while (at < end) {
        size_t length = read_character(&at, end, character);
        if (strncmp(text, character, length) != 0)
            return false;
        text += length;
    }
    return *text == '\0';
}

size_t impi_json_copy_text(const impi_Json *json, const impi_JsonValue *string, char *copy)
{
    const char *at = json->text + string->begin, *end = at + string->length;
    char *out = copy;
    while (at < end)
        out += read_character(&at, end, out);
    *out = '\0';
    return (size_t)(out - copy);
}
