#include "io/mesh_text.h"

#include <inttypes.h>
#include <string.h>

void impi_mesh_text_begin(const impi_MeshBuilder *builder, impi_TextScanner *scanner)
{
    static const unsigned char mark[3] = {0xEF, 0xBB, 0xBF};
    const impi_ByteWindow *window = &builder->window;
    impi_scan_init(scanner, window->begin, (size_t)(window->end - window->begin));
    if (window->end - window->begin >= 3 && memcmp(window->begin, mark, sizeof mark) == 0)
        scanner->cursor += sizeof mark;
}

imp_Status impi_mesh_text_fail_short(impi_MeshBuilder *builder, const impi_TextScanner *scanner)
{
    const char *line = scanner->end, *begin = (const char *)builder->window.begin;
    while (line > begin && line[-1] != '\n')
        --line;
    size_t length = (size_t)(scanner->end - line);
    const char *zero = length >= builder->window.lookahead ? memchr(line, 0, length) : NULL;
    if (zero)
        return impi_fail_at(builder->context, IMP_STATUS_BAD_FILE, impi_mesh_builder_at_byte(builder, zero),
                            "it is no text: there is a zero byte in a very long line");
    return impi_byte_window_fail_short(&builder->window);
}

static imp_Status move_window(impi_MeshBuilder *builder, impi_TextScanner *scanner)
{
    const unsigned char *cursor = (const unsigned char *)scanner->cursor;
    imp_Status status = impi_byte_window_move(&builder->window, &cursor);
    scanner->cursor = (const char *)cursor;
    scanner->end = (const char *)builder->window.end;
    return status;
}

imp_Status impi_mesh_text_move(impi_MeshBuilder *builder, impi_TextScanner *scanner)
{
    if (scanner->cursor == scanner->end && !impi_byte_window_is_last(&builder->window))
        return impi_mesh_text_fail_short(builder, scanner);
    return move_window(builder, scanner);
}

imp_Status impi_mesh_text_ignore_rest(impi_MeshBuilder *builder, impi_TextScanner *scanner)
{
    const char *start = scanner->cursor;
    while (!impi_scan_find_word(scanner)) {
        if (impi_byte_window_is_last(&builder->window))
            return IMP_STATUS_OK;
        // From the beginning of the last line on, which may be a comment that is cut here.
        while (scanner->cursor > start && scanner->cursor[-1] != '\n')
            --scanner->cursor;
        if (scanner->cursor == (const char *)builder->window.begin)
            return impi_mesh_text_fail_short(builder, scanner);
        imp_Status status = move_window(builder, scanner);
        if (status != IMP_STATUS_OK)
            return status;
        start = scanner->cursor;
    }
    builder->ignored_bytes = impi_mesh_text_left(builder, scanner);
    return IMP_STATUS_OK;
}

// What is wrong in a line is wrong whatever follows that line.
imp_Status impi_mesh_text_end(impi_MeshBuilder *builder, const impi_TextScanner *scanner, imp_Status status)
{
    bool may_be_cut = (status == IMP_STATUS_BAD_FILE || status == IMP_STATUS_UNSUPPORTED) &&
                      !builder->window.is_short && !impi_byte_window_is_last(&builder->window) &&
                      !memchr(scanner->cursor, '\n', (size_t)(scanner->end - scanner->cursor));
    return may_be_cut ? impi_mesh_text_fail_short(builder, scanner) : status;
}

imp_Status impi_fail_expected(const impi_MeshBuilder *builder, const impi_TextScanner *scanner,
                              const char *what)
{
    char found[IMPI_MAX_WORD_DESCRIPTION];
    return impi_fail_at(builder->context, IMP_STATUS_BAD_FILE,
                        impi_mesh_builder_at_line(builder, scanner->line), "expected %s, found %s", what,
                        impi_scan_describe(scanner, found));
}

imp_Status impi_fail_number(const impi_MeshBuilder *builder, const impi_TextScanner *scanner,
                            impi_NumberStatus status, const char *what)
{
    if (status == IMPI_NUMBER_MISSING)
        return impi_fail_expected(builder, scanner, what);
    char found[IMPI_MAX_WORD_DESCRIPTION];
    return impi_fail_at(
        builder->context, IMP_STATUS_BAD_FILE, impi_mesh_builder_at_line(builder, scanner->line),
        "expected %s, found %s, which is not finite or too large", what, impi_scan_describe(scanner, found));
}

imp_Status impi_take_point(const impi_MeshBuilder *builder, impi_TextScanner *scanner, imp_Vec3 *point)
{
    impi_NumberStatus number = impi_scan_take_double(scanner, &point->x);
    if (number == IMPI_NUMBER_OK)
        number = impi_scan_take_double(scanner, &point->y);
    if (number == IMPI_NUMBER_OK)
        number = impi_scan_take_double(scanner, &point->z);
    if (number != IMPI_NUMBER_OK)
        return impi_fail_number(builder, scanner, number, "a coordinate");
    return IMP_STATUS_OK;
}

imp_Status impi_take_point_across_lines(const impi_MeshBuilder *builder, impi_TextScanner *scanner,
                                        imp_Vec3 *point)
{
    double *const coordinates[3] = {&point->x, &point->y, &point->z};
    for (int i = 0; i < 3; ++i) {
        impi_NumberStatus number = impi_scan_find_double(scanner, coordinates[i]);
        if (number != IMPI_NUMBER_OK)
            return impi_fail_number(builder, scanner, number, "a coordinate");
    }
    return IMP_STATUS_OK;
}

imp_Status impi_take_count(const impi_MeshBuilder *builder, impi_TextScanner *scanner, const char *what,
                           uint64_t *count)
{
    int64_t value = 0;
    impi_TextScanner before = *scanner;
    impi_NumberStatus number = impi_scan_take_integer(scanner, 0, &value);
    if (number != IMPI_NUMBER_OK)
        return impi_fail_number(builder, scanner, number, what);
    if (value < 0)
        return impi_fail_expected(builder, &before, what);
    *count = (uint64_t)value;
    return IMP_STATUS_OK;
}

imp_Status impi_fail_corner(const impi_MeshBuilder *builder, uint64_t line, int64_t index,
                            uint64_t vertex_count)
{
    return impi_fail_at(builder->context, IMP_STATUS_BAD_FILE, impi_mesh_builder_at_line(builder, line),
                        "vertex index %" PRId64 " is out of range; the file has %" PRIu64
                        " vertices, counting from 0",
                        index, vertex_count);
}

imp_Status impi_fail_corner_count(const impi_MeshBuilder *builder, impi_Place place, int64_t corner_count)
{
    return impi_fail_at(builder->context, IMP_STATUS_BAD_FILE, place,
                        "a face has %" PRId64 " vertices; it needs at least 3", corner_count);
}
