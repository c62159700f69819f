#include "io/format_guess.h"

#include "io/byte_order.h"
#include "io/file_format.h"
#include "io/text_scanner.h"

#include <string.h>

#define START_SIZE ((size_t)4096) // so much of a file is looked at

static bool begins_with(const unsigned char *bytes, size_t size, const char *text)
{
    size_t length = strlen(text);
    return size >= length && memcmp(bytes, text, length) == 0;
}

// By the rule that the reader has, see stl_reader.c. A file of no triangles is no clear one.
static bool is_binary_stl(const unsigned char *bytes, size_t size, uint64_t total)
{
    if (size < 84)
        return false;
    uint64_t count = impi_load_u32(bytes + 80, IMPI_HOST_IS_BIG_ENDIAN);
    return count > 0 && 84 + 50 * count == total;
}

static bool is_text_stl(impi_TextScanner scanner)
{
    if (!impi_scan_take_keyword(&scanner, "solid"))
        return false;
    impi_scan_skip_line(&scanner);
    return impi_scan_take_keyword(&scanner, "facet") || impi_scan_take_keyword(&scanner, "endsolid");
}

// The keyword with its prefixes, see off_reader.c.
static bool is_off(impi_TextScanner scanner)
{
    scanner.comment = '#';
    impi_scan_find_word(&scanner);
    impi_Word word = impi_scan_take_word(&scanner);
    bool has_end = word.length >= 3 && memcmp(word.text + word.length - 3, "OFF", 3) == 0;
    for (size_t i = 0; has_end && i + 3 < word.length; ++i)
        has_end = strchr("STCN4n", word.text[i]) != NULL;
    return has_end;
}

static bool is_json_with_asset(impi_TextScanner scanner)
{
    static const char key[] = "\"asset\"";
    if (!impi_scan_find_word(&scanner) || *scanner.cursor != '{')
        return false;
    for (const char *at = scanner.cursor; scanner.end - at >= (ptrdiff_t)sizeof key - 1; ++at)
        if (memcmp(at, key, sizeof key - 1) == 0)
            return true;
    return false;
}

// Statements that may come before the first vertex or face.
static bool is_obj_introduction(impi_Word word)
{
    static const char *const statements[] = {"o", "g", "s", "vn", "vt", "mtllib", "usemtl"};
    for (size_t i = 0; i < sizeof statements / sizeof *statements; ++i)
        if (impi_word_is(word, statements[i]))
            return true;
    return false;
}

static bool is_obj(impi_TextScanner scanner)
{
    scanner.comment = '#';
    while (impi_scan_find_word(&scanner)) {
        double number;
        impi_Word word = impi_scan_take_word(&scanner);
        if (impi_word_is(word, "v"))
            return impi_scan_take_double(&scanner, &number) == IMPI_NUMBER_OK;
        if (impi_word_is(word, "f")) {
            impi_scan_skip_blanks(&scanner);
            return scanner.cursor < scanner.end && *scanner.cursor >= '0' && *scanner.cursor <= '9';
        }
        if (!is_obj_introduction(word))
            return false;
        impi_scan_skip_line(&scanner);
    }
    return false;
}

imp_FileFormat impi_guess_format(const unsigned char *bytes, size_t size, uint64_t total)
{
    if (size > START_SIZE)
        size = START_SIZE;
    if (begins_with(bytes, size, "glTF"))
        return IMP_FORMAT_GLTF;
    if (begins_with(bytes, size, "ply\n") || begins_with(bytes, size, "ply\r"))
        return IMP_FORMAT_PLY;
    if (is_binary_stl(bytes, size, total))
        return IMP_FORMAT_STL;
    if (size == 0 || memchr(bytes, 0, size))
        return IMP_FORMAT_BY_NAME;
    impi_TextScanner scanner;
    size_t mark = begins_with(bytes, size, "\xEF\xBB\xBF") ? 3 : 0;
    impi_scan_init(&scanner, bytes + mark, size - mark);
    if (is_text_stl(scanner))
        return IMP_FORMAT_STL;
    if (is_off(scanner))
        return IMP_FORMAT_OFF;
    if (is_json_with_asset(scanner))
        return IMP_FORMAT_GLTF;
    return is_obj(scanner) ? IMP_FORMAT_OBJ : IMP_FORMAT_BY_NAME;
}

imp_Status impi_explain_refusal(imp_Context *context, const char *name, imp_FileFormat format,
                                imp_Status status, const unsigned char *bytes, size_t size, uint64_t total)
{
    if (status != IMP_STATUS_BAD_FILE && status != IMP_STATUS_UNSUPPORTED)
        return status;
    imp_FileFormat guess = impi_guess_format(bytes, size, total);
    if (guess == IMP_FORMAT_BY_NAME || guess == format)
        return status;
    impi_Place place = IMPI_NO_PLACE;
    place.file = name;
    if (format == IMP_FORMAT_BY_NAME)
        return impi_fail_at(context, status, place, "it looks like %s inside; is its name right?",
                            impi_format_name(guess));
    return impi_fail_at(context, status, place,
                        "it looks like %s inside, not %s; is its name, or the format that was given, right?",
                        impi_format_name(guess), impi_format_name(format));
}

imp_Status impi_explain_source_refusal(impi_FileSource *source, imp_FileFormat format, imp_Status status)
{
    unsigned char start[START_SIZE];
    size_t size = 0;
    if (!source->has_size || (status != IMP_STATUS_BAD_FILE && status != IMP_STATUS_UNSUPPORTED))
        return status;
    const imp_Error earlier = source->context->error;
    impi_file_source_seek(source, 0);
    if (impi_file_source_read(source, start, sizeof start, &size) != IMP_STATUS_OK) {
        source->context->error = earlier;
        return status;
    }
    return impi_explain_refusal(source->context, source->name, format, status, start, size, source->size);
}
