// Object File Format: a keyword, the counts, one vertex per line, one face per line. Comments and empty
// lines may stand anywhere, and a vertex or face may go over several lines.
//
// The keyword's prefixes announce what follows the coordinates of each vertex, in this order: ST texture
// coordinates, C a colour, N a normal. Their number varies between programs, so the rest of a vertex's
// line is ignored; without a prefix nothing may follow. Behind the corners of a face its colour may stand.
// Files in other dimensions (4OFF, nOFF) and binary ones are refused.

#include "io/mesh_text.h"
#include "io/readers.h"

#include <inttypes.h>

typedef struct OffHeader {
    bool has_attributes; // behind the coordinates of a vertex
    uint64_t vertex_count, face_count;
} OffHeader;

static imp_Status refuse(const impi_MeshBuilder *builder, const impi_TextScanner *scanner, const char *what)
{
    return impi_fail_at(builder->context, IMP_STATUS_UNSUPPORTED,
                        impi_mesh_builder_at_line(builder, scanner->line), "%s", what);
}

static bool take_prefix(impi_Word *word, const char *prefix, size_t length)
{
    impi_Word start = {word->text, length};
    if (word->length < length || !impi_word_is(start, prefix))
        return false;
    word->text += length;
    word->length -= length;
    return true;
}

static imp_Status read_keyword(const impi_MeshBuilder *builder, impi_TextScanner *scanner, OffHeader *header)
{
    impi_scan_find_word(scanner);
    impi_TextScanner before = *scanner;
    impi_Word word = impi_scan_take_word(scanner);
    if (take_prefix(&word, "ST", 2))
        header->has_attributes = true;
    if (take_prefix(&word, "C", 1))
        header->has_attributes = true;
    if (take_prefix(&word, "N", 1))
        header->has_attributes = true;
    bool is_four = take_prefix(&word, "4", 1), is_n = take_prefix(&word, "n", 1);
    if (!impi_word_is(word, "OFF"))
        return impi_fail_expected(builder, &before, "OFF, COFF, NOFF, CNOFF, STOFF or the like");
    if (is_four || is_n)
        return refuse(builder, &before,
                      "4OFF and nOFF files, which are not of three dimensions, can't be read");
    before = *scanner;
    if (impi_word_is_caseless(impi_scan_take_word(&before), "BINARY"))
        return refuse(builder, scanner, "binary OFF files can't be read");
    return IMP_STATUS_OK;
}

// The shortest vertex is "0 0 0" and its line end, the shortest face "3 0 0 0"; the last line may lack its
// end. That is checked before anything is allocated.
static imp_Status check_counts(const impi_MeshBuilder *builder, const impi_TextScanner *scanner,
                               const OffHeader *header)
{
    const uint64_t vertex_size = 6, face_size = 8;
    uint64_t left = impi_mesh_text_left(builder, scanner) + 1;
    if (header->vertex_count <= left / vertex_size &&
        header->face_count <= (left - header->vertex_count * vertex_size) / face_size)
        return IMP_STATUS_OK;
    return impi_fail_at(
        builder->context, IMP_STATUS_BAD_FILE, impi_mesh_builder_at_line(builder, scanner->line),
        "%" PRIu64 " vertices and %" PRIu64 " faces are promised, but only %" PRIu64 " bytes follow",
        header->vertex_count, header->face_count, left - 1);
}

static imp_Status read_header(const impi_MeshBuilder *builder, impi_TextScanner *scanner, OffHeader *header)
{
    imp_Status status = read_keyword(builder, scanner, header);
    if (status != IMP_STATUS_OK)
        return status;
    impi_scan_find_word(scanner);
    status = impi_take_count(builder, scanner, "the number of vertices", &header->vertex_count);
    if (status == IMP_STATUS_OK)
        status = impi_take_count(builder, scanner, "the number of faces", &header->face_count);
    if (status != IMP_STATUS_OK)
        return status;
    uint64_t edge_count; // may be missing, and is often wrong
    if (!impi_scan_at_line_end(scanner))
        status = impi_take_count(builder, scanner, "the number of edges", &edge_count);
    if (status == IMP_STATUS_OK && !impi_scan_at_line_end(scanner))
        status = impi_fail_expected(builder, scanner, "the end of the line behind the counts");
    return status == IMP_STATUS_OK ? check_counts(builder, scanner, header) : status;
}

static imp_Status read_vertices(impi_MeshBuilder *builder, impi_TextScanner *scanner, const OffHeader *header)
{
    for (uint64_t i = 0; i < header->vertex_count; ++i) {
        imp_Vec3 vertex;
        imp_Status status = impi_take_point_across_lines(builder, scanner, &vertex);
        if (status != IMP_STATUS_OK)
            return status;
        if (!impi_scan_at_line_end(scanner) && !header->has_attributes)
            return impi_fail_expected(builder, scanner, "the end of the line behind three coordinates");
        impi_scan_skip_line(scanner);
        status = impi_mesh_builder_add_vertex(builder, vertex);
        if (status == IMP_STATUS_OK)
            status = impi_mesh_text_pass(builder, scanner);
        if (status != IMP_STATUS_OK)
            return status;
    }
    return IMP_STATUS_OK;
}

static imp_Status read_face(impi_MeshBuilder *builder, impi_TextScanner *scanner, const OffHeader *header)
{
    int64_t corner_count = 0;
    impi_NumberStatus number = impi_scan_find_integer(scanner, &corner_count);
    uint64_t line = scanner->line;
    if (number != IMPI_NUMBER_OK)
        return impi_fail_number(builder, scanner, number, "the number of corners of a face");
    if (corner_count < 3)
        return impi_fail_corner_count(builder, impi_mesh_builder_at_line(builder, line), corner_count);
    for (int64_t i = 0; i < corner_count; ++i) {
        int64_t index = 0;
        number = impi_scan_find_integer(scanner, &index);
        if (number != IMPI_NUMBER_OK)
            return impi_fail_number(builder, scanner, number, "a vertex index");
        if (index < 0 || (uint64_t)index >= header->vertex_count)
            return impi_fail_corner(builder, scanner->line, index, header->vertex_count);
        imp_Status status = impi_mesh_builder_add_corner(builder, (uint32_t)index);
        if (status != IMP_STATUS_OK)
            return status;
    }
    impi_scan_skip_line(scanner); // a colour
    return impi_mesh_builder_end_face(builder, line);
}

imp_Status impi_read_off(impi_MeshBuilder *builder)
{
    impi_TextScanner scanner;
    OffHeader header = {0};
    impi_mesh_text_begin(builder, &scanner);
    scanner.comment = '#';
    imp_Status status = read_header(builder, &scanner, &header);
    if (status == IMP_STATUS_OK)
        status = impi_mesh_text_pass(builder, &scanner);
    if (status == IMP_STATUS_OK)
        status = impi_mesh_builder_reserve(builder, (size_t)header.vertex_count, (size_t)header.face_count);
    if (status == IMP_STATUS_OK)
        status = read_vertices(builder, &scanner, &header);
    for (uint64_t i = 0; i < header.face_count && status == IMP_STATUS_OK; ++i) {
        status = read_face(builder, &scanner, &header);
        if (status == IMP_STATUS_OK)
            status = impi_mesh_text_pass(builder, &scanner);
    }
    if (status == IMP_STATUS_OK)
        status = impi_mesh_text_ignore_rest(builder, &scanner);
    return impi_mesh_text_end(builder, &scanner, status);
}
