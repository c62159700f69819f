// The header is the text of a Python dictionary with exactly the keys 'descr', 'fortran_order' and 'shape':
//
//     magic  version  length    text, padded with blanks, then a newline       numbers
//     6      2        2 or 4    {'descr': '<f8', 'fortran_order': False, 'shape': (3, 6), }
//
// Only what NumPy itself writes is understood, with blanks between any two tokens: strings without escapes,
// True and False, whole numbers, one tuple. Nothing is allocated.
#include "kit/npy_header.h"

#include "io/byte_order.h"

#include <string.h>

#define VERSION_SIZE 2
#define NEWEST_MAJOR 3

typedef struct Scanner {
    imp_Context *context;
    const char *name;
    const unsigned char *bytes;
    size_t offset, end;
} Scanner;

static imp_Status fail_at(const Scanner *scanner, imp_Status status, size_t offset, const char *what)
{
    impi_Place place = IMPI_NO_PLACE;
    place.file = scanner->name;
    place.byte_offset = offset;
    return impi_fail_at(scanner->context, status, place, "%s", what);
}

static imp_Status fail_expected(const Scanner *scanner, const char *what)
{
    impi_Place place = IMPI_NO_PLACE;
    place.file = scanner->name;
    place.byte_offset = scanner->offset;
    return impi_fail_at(scanner->context, IMP_STATUS_BAD_FILE, place, "expected %s in the header", what);
}

static void skip_blanks(Scanner *scanner)
{
    while (scanner->offset < scanner->end && strchr(" \t\r\n\f", scanner->bytes[scanner->offset]) &&
           scanner->bytes[scanner->offset])
        ++scanner->offset;
}

// Take the next token if it is `token`.
static bool take(Scanner *scanner, const char *token)
{
    skip_blanks(scanner);
    size_t length = strlen(token);
    if (scanner->end - scanner->offset < length ||
        memcmp(scanner->bytes + scanner->offset, token, length) != 0)
        return false;
    scanner->offset += length;
    return true;
}

// A quoted string that fits into `capacity` with its final zero.
static bool take_string(Scanner *scanner, char *string, size_t capacity)
{
    skip_blanks(scanner);
    size_t start = scanner->offset, length = 0;
    if (start == scanner->end || (scanner->bytes[start] != '\'' && scanner->bytes[start] != '"'))
        return false;
    const unsigned char *text = scanner->bytes + start + 1;
    size_t room = scanner->end - start - 1;
    while (length < room && text[length] != scanner->bytes[start] && text[length] >= ' ' &&
           text[length] != '\\')
        ++length;
    if (length >= room || length >= capacity || text[length] != scanner->bytes[start])
        return false;
    memcpy(string, text, length);
    string[length] = 0;
    scanner->offset = start + length + 2;
    return true;
}

static bool take_number(Scanner *scanner, uint64_t *number)
{
    skip_blanks(scanner);
    size_t start = scanner->offset;
    uint64_t value = 0;
    for (; scanner->offset < scanner->end; ++scanner->offset) {
        unsigned digit = scanner->bytes[scanner->offset] - (unsigned)'0';
        if (digit > 9)
            break;
        if (__builtin_mul_overflow(value, 10, &value) || __builtin_add_overflow(value, digit, &value)) {
            scanner->offset = start;
            return false;
        }
    }
    *number = value;
    return scanner->offset > start;
}

static imp_Status parse_type(Scanner *scanner, impi_NpyHeader *header)
{
    skip_blanks(scanner);
    header->type_offset = scanner->offset;
    if (take(scanner, "["))
        return fail_at(scanner, IMP_STATUS_UNSUPPORTED, header->type_offset,
                       "the array is of a structured type, expected plain numbers");
    if (!take_string(scanner, header->type, sizeof header->type))
        return fail_expected(scanner, "a type in quotes, like '<f8',");
    return IMP_STATUS_OK;
}

static imp_Status parse_order(Scanner *scanner, impi_NpyHeader *header)
{
    skip_blanks(scanner);
    header->order_offset = scanner->offset;
    header->fortran_order = take(scanner, "True");
    if (!header->fortran_order && !take(scanner, "False"))
        return fail_expected(scanner, "True or False");
    return IMP_STATUS_OK;
}

// (), (3,), (3, 6), (3, 6,)
static imp_Status parse_shape(Scanner *scanner, impi_NpyHeader *header)
{
    skip_blanks(scanner);
    header->shape_offset = scanner->offset;
    if (!take(scanner, "("))
        return fail_expected(scanner, "a shape in parentheses");
    while (!take(scanner, ")")) {
        if (header->dimension_count == IMPI_NPY_MAX_DIMENSIONS)
            return fail_at(scanner, IMP_STATUS_UNSUPPORTED, header->shape_offset,
                           "the array has more than 4 dimensions");
        if (!take_number(scanner, &header->shape[header->dimension_count]))
            return fail_expected(scanner, "a whole number below 2^64 or ')'");
        ++header->dimension_count;
        if (!take(scanner, ",") &&
            (scanner->offset == scanner->end || scanner->bytes[scanner->offset] != ')'))
            return fail_expected(scanner, "',' or ')'");
    }
    return IMP_STATUS_OK;
}

static imp_Status parse_entries(Scanner *scanner, impi_NpyHeader *header)
{
    static const struct {
        const char *key;
        imp_Status (*parse)(Scanner *scanner, impi_NpyHeader *header);
    } entries[] = {{"descr", parse_type}, {"fortran_order", parse_order}, {"shape", parse_shape}};
    enum { ENTRY_COUNT = sizeof entries / sizeof *entries };
    unsigned seen = 0;
    while (!take(scanner, "}")) {
        char key[IMPI_NPY_MAX_TYPE];
        size_t key_offset = scanner->offset;
        int entry = -1;
        if (take_string(scanner, key, sizeof key))
            for (int i = 0; i < ENTRY_COUNT; ++i)
                entry = strcmp(key, entries[i].key) == 0 && !(seen >> i & 1) ? i : entry;
        if (entry < 0) {
            scanner->offset = key_offset;
            return fail_expected(scanner, "'descr', 'fortran_order' and 'shape', once each,");
        }
        seen |= 1u << entry;
        if (!take(scanner, ":"))
            return fail_expected(scanner, "':'");
        imp_Status status = entries[entry].parse(scanner, header);
        if (status != IMP_STATUS_OK)
            return status;
        if (!take(scanner, ",") &&
            (scanner->offset == scanner->end || scanner->bytes[scanner->offset] != '}'))
            return fail_expected(scanner, "',' or '}'");
    }
    if (seen != (1u << ENTRY_COUNT) - 1)
        return fail_expected(scanner, "'descr', 'fortran_order' and 'shape', once each,");
    return IMP_STATUS_OK;
}

// Magic, version and length; the scanner then holds the text.
static imp_Status parse_prefix(Scanner *scanner, size_t size)
{
    size_t magic_seen = size < IMPI_NPY_MAGIC_SIZE ? size : IMPI_NPY_MAGIC_SIZE;
    if (size == 0)
        return fail_at(scanner, IMP_STATUS_BAD_FILE, 0, "the file is empty, expected a NumPy array");
    if (memcmp(scanner->bytes, IMPI_NPY_MAGIC, magic_seen) != 0)
        return fail_at(scanner, IMP_STATUS_BAD_FILE, 0,
                       "this is no NumPy array file: expected it to begin with \\x93NUMPY");
    if (size < IMPI_NPY_MAGIC_SIZE + VERSION_SIZE)
        return fail_at(scanner, IMP_STATUS_BAD_FILE, size, "the file ends here, expected the format version");
    unsigned major = scanner->bytes[IMPI_NPY_MAGIC_SIZE];
    if (major < 1 || major > NEWEST_MAJOR || scanner->bytes[IMPI_NPY_MAGIC_SIZE + 1] != 0)
        return fail_at(scanner, IMP_STATUS_UNSUPPORTED, IMPI_NPY_MAGIC_SIZE,
                       "expected version 1.0, 2.0 or 3.0 of the NumPy format");
    size_t length_offset = IMPI_NPY_MAGIC_SIZE + VERSION_SIZE, length_size = major == 1 ? 2 : 4;
    if (size - length_offset < length_size)
        return fail_at(scanner, IMP_STATUS_BAD_FILE, size,
                       "the file ends here, expected the length of the header");
    const unsigned char *length_bytes = scanner->bytes + length_offset;
    size_t length = major == 1 ? impi_load_u16(length_bytes, IMPI_HOST_IS_BIG_ENDIAN)
                               : impi_load_u32(length_bytes, IMPI_HOST_IS_BIG_ENDIAN);
    scanner->offset = length_offset + length_size;
    if (size - scanner->offset < length)
        return fail_at(scanner, IMP_STATUS_BAD_FILE, length_offset,
                       "the header is longer than the rest of the file");
    scanner->end = scanner->offset + length;
    return IMP_STATUS_OK;
}

imp_Status impi_npy_parse_header(imp_Context *context, const unsigned char *bytes, size_t size,
                                 const char *name, impi_NpyHeader *header)
{
    Scanner scanner = {context, name, bytes, 0, 0};
    impi_NpyHeader found = {0};
    imp_Status status = parse_prefix(&scanner, size);
    if (status != IMP_STATUS_OK)
        return status;
    if (!take(&scanner, "{"))
        return fail_expected(&scanner, "'{'");
    status = parse_entries(&scanner, &found);
    if (status != IMP_STATUS_OK)
        return status;
    skip_blanks(&scanner);
    if (scanner.offset != scanner.end)
        return fail_expected(&scanner, "nothing but blanks behind '}'");
    found.data_offset = scanner.end;
    *header = found;
    return IMP_STATUS_OK;
}
