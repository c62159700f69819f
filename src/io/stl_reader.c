// STL, text and binary. Each triangle brings its own three vertices, and they are kept as they come.
//
// The content tells the two apart. A file is binary when its length is exactly what the count behind the
// header says, whatever the header begins with: many programs write "solid" there too. Otherwise it is text
// when it begins with that word and the first 84 bytes hold no zero byte; a binary file that was cut short
// has one in its count (unless it had 2^24 triangles or more) and is reported as such.

#include "io/byte_order.h"
#include "io/mesh_text.h"
#include "io/readers.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define HEADER_SIZE   80
#define PREAMBLE_SIZE 84 // header and count
#define RECORD_SIZE   50 // normal, three vertices, attributes
#define VERTEX_OFFSET 12 // in a record
#define SAMPLE_FACETS 1000

static bool begins_with_solid(const impi_MeshBuilder *builder)
{
    impi_TextScanner scanner;
    impi_mesh_text_begin(builder, &scanner);
    return impi_scan_find_word(&scanner) && impi_word_is_caseless(impi_scan_take_word(&scanner), "solid");
}

static uint64_t promised_size(const impi_MeshBuilder *builder)
{
    uint64_t count = impi_load_u32(builder->window.begin + HEADER_SIZE, IMPI_HOST_IS_BIG_ENDIAN);
    return PREAMBLE_SIZE + count * RECORD_SIZE;
}

static bool is_text(const impi_MeshBuilder *builder)
{
    uint64_t size = builder->window.total;
    if (size >= PREAMBLE_SIZE && promised_size(builder) == size)
        return false;
    size_t start_size = size < PREAMBLE_SIZE ? (size_t)size : PREAMBLE_SIZE;
    return begins_with_solid(builder) && !memchr(builder->window.begin, 0, start_size);
}

static imp_Status check_binary_size(impi_MeshBuilder *builder)
{
    uint64_t size = builder->window.total;
    if (size < PREAMBLE_SIZE)
        return impi_fail_at(
            builder->context, IMP_STATUS_BAD_FILE, impi_mesh_builder_at_byte(builder, builder->window.end),
            "expected 'solid' or the header of a binary STL file (84 bytes), found %" PRIu64 " bytes", size);
    uint64_t expected = promised_size(builder);
    if (expected > size)
        return impi_fail_at(builder->context, IMP_STATUS_BAD_FILE,
                            impi_mesh_builder_at_byte(builder, builder->window.begin + HEADER_SIZE),
                            "the header promises %" PRIu64 " triangles, which take %" PRIu64
                            " bytes; the file has %" PRIu64,
                            (expected - PREAMBLE_SIZE) / RECORD_SIZE, expected, size);
    builder->ignored_bytes = size - expected;
    return IMP_STATUS_OK;
}

static imp_Status fail_coordinate(const impi_MeshBuilder *builder, const unsigned char *record, size_t face)
{
    impi_Place place = impi_mesh_builder_at_byte(builder, record);
    for (const unsigned char *c = record + VERTEX_OFFSET; c < record + VERTEX_OFFSET + 36; c += 4)
        if (!isfinite(impi_load_float(c, IMPI_HOST_IS_BIG_ENDIAN))) {
            place = impi_mesh_builder_at_byte(builder, c);
            break;
        }
    place.index = face;
    return impi_fail_at(builder->context, IMP_STATUS_BAD_FILE, place,
                        "a coordinate of triangle %zu is not finite", face);
}

static imp_Status read_binary(impi_MeshBuilder *builder)
{
    imp_Status status = check_binary_size(builder);
    if (status != IMP_STATUS_OK)
        return status;
    size_t count = (size_t)(promised_size(builder) - PREAMBLE_SIZE) / RECORD_SIZE;
    if (3 * (uint64_t)count > (uint64_t)IMPI_MAX_VERTEX_INDEX + 1)
        return impi_fail_at(builder->context, IMP_STATUS_TOO_LARGE,
                            impi_mesh_builder_at_byte(builder, builder->window.begin + HEADER_SIZE),
                            "%zu triangles have more vertices than 32 bits can count", count);
    status = impi_mesh_builder_reserve(builder, 3 * count, count);
    if (status != IMP_STATUS_OK)
        return status;
    const unsigned char *record = builder->window.begin + PREAMBLE_SIZE;
    for (size_t face = 0; face < count && status == IMP_STATUS_OK; ++face) {
        imp_Vec3 *vertices = builder->vertices.data + 3 * face;
        uint32_t *corners = builder->indices.data + 3 * face;
        double sum = 0.0; // not finite when one of its terms is not: floats can't overflow a double
        for (uint32_t i = 0; i < 3; ++i) {
            const unsigned char *point = record + VERTEX_OFFSET + 12 * i;
            vertices[i].x = (double)impi_load_float(point, IMPI_HOST_IS_BIG_ENDIAN);
            vertices[i].y = (double)impi_load_float(point + 4, IMPI_HOST_IS_BIG_ENDIAN);
            vertices[i].z = (double)impi_load_float(point + 8, IMPI_HOST_IS_BIG_ENDIAN);
            sum += fabs(vertices[i].x) + fabs(vertices[i].y) + fabs(vertices[i].z);
            corners[i] = (uint32_t)(3 * face) + i;
        }
        if (!isfinite(sum))
            return fail_coordinate(builder, record, face);
        record += RECORD_SIZE;
        status = impi_byte_window_pass(&builder->window, &record);
    }
    builder->vertices.count = builder->indices.count = 3 * count;
    return status;
}

static inline imp_Status expect(const impi_MeshBuilder *builder, impi_TextScanner *scanner,
                                const char *keyword)
{
    if (impi_scan_take_keyword(scanner, keyword))
        return IMP_STATUS_OK;
    return impi_fail_expected(builder, scanner, keyword);
}

// Step over "normal" and three words. They are not looked at: often they are not numbers.
static imp_Status skip_normal(const impi_MeshBuilder *builder, impi_TextScanner *scanner)
{
    imp_Status status = expect(builder, scanner, "normal");
    for (int i = 0; i < 3 && status == IMP_STATUS_OK; ++i) {
        impi_scan_find_word(scanner);
        if (impi_scan_take_word(scanner).length == 0)
            status = impi_fail_expected(builder, scanner, "a normal");
    }
    return status;
}

// From "outer" to "endloop".
static imp_Status read_loop(impi_MeshBuilder *builder, impi_TextScanner *scanner)
{
    imp_Status status = expect(builder, scanner, "outer");
    if (status == IMP_STATUS_OK)
        status = expect(builder, scanner, "loop");
    while (status == IMP_STATUS_OK) {
        if (!impi_scan_take_keyword(scanner, "vertex")) {
            if (impi_scan_take_keyword(scanner, "endloop"))
                break;
            return impi_fail_expected(builder, scanner, "vertex or endloop");
        }
        imp_Vec3 vertex;
        status = impi_take_point_across_lines(builder, scanner, &vertex);
        if (status == IMP_STATUS_OK)
            status = impi_mesh_builder_add_corner(builder, (uint32_t)builder->vertices.count);
        if (status == IMP_STATUS_OK)
            status = impi_mesh_builder_add_vertex(builder, vertex);
    }
    return status;
}

// From "facet" (already taken) to "endfacet".
static imp_Status read_facet(impi_MeshBuilder *builder, impi_TextScanner *scanner)
{
    uint64_t line = scanner->line;
    imp_Status status = skip_normal(builder, scanner);
    if (status == IMP_STATUS_OK)
        status = read_loop(builder, scanner);
    if (status == IMP_STATUS_OK)
        status = expect(builder, scanner, "endfacet");
    if (status == IMP_STATUS_OK && builder->corners.count < 3)
        status =
            impi_fail_corner_count(builder, impi_mesh_builder_at_line(builder, line), builder->corners.count);
    if (status == IMP_STATUS_OK)
        status = impi_mesh_builder_end_face(builder, line);
    return status;
}

// The facets read so far stand for the rest of the file. Where that misleads, the arrays grow.
static imp_Status reserve_by_sample(impi_MeshBuilder *builder, const impi_TextScanner *scanner)
{
    uint64_t passed = impi_byte_window_offset(&builder->window, scanner->cursor);
    double ratio = 1.01 * (double)builder->window.total / (double)passed;
    return impi_mesh_builder_reserve(builder, (size_t)((double)builder->vertices.count * ratio),
                                     (size_t)((double)builder->indices.count * ratio) / 3);
}

// The rest of the line, without blanks around it, and without what follows a zero byte.
static imp_Status take_name(impi_MeshBuilder *builder, impi_TextScanner *scanner)
{
    impi_scan_skip_blanks(scanner);
    const char *begin = scanner->cursor;
    impi_scan_skip_line(scanner);
    if (!builder->keeps_solids)
        return IMP_STATUS_OK;
    const char *zero = memchr(begin, 0, (size_t)(scanner->cursor - begin));
    const char *end = zero ? zero : scanner->cursor;
    while (end > begin && impi_is_blank(end[-1]))
        --end;
    return impi_mesh_builder_begin_solid(builder, begin, (size_t)(end - begin));
}

// From "solid" (already taken) to "endsolid".
static imp_Status read_solid(impi_MeshBuilder *builder, impi_TextScanner *scanner)
{
    imp_Status passed = take_name(builder, scanner);
    if (passed == IMP_STATUS_OK)
        passed = impi_mesh_text_pass(builder, scanner);
    if (passed != IMP_STATUS_OK)
        return passed;
    while (impi_scan_take_keyword(scanner, "facet")) {
        imp_Status status = read_facet(builder, scanner);
        if (status == IMP_STATUS_OK && builder->indices.count == 3 * SAMPLE_FACETS)
            status = reserve_by_sample(builder, scanner);
        if (status == IMP_STATUS_OK)
            status = impi_mesh_text_pass(builder, scanner);
        if (status != IMP_STATUS_OK)
            return status;
    }
    if (!impi_scan_take_keyword(scanner, "endsolid"))
        return impi_fail_expected(builder, scanner, "facet or endsolid");
    impi_scan_skip_line(scanner);
    return impi_mesh_text_pass(builder, scanner);
}

static imp_Status read_text(impi_MeshBuilder *builder)
{
    impi_TextScanner scanner;
    imp_Status status = IMP_STATUS_OK;
    impi_mesh_text_begin(builder, &scanner);
    while (status == IMP_STATUS_OK && impi_scan_find_word(&scanner)) {
        status = expect(builder, &scanner, "solid");
        if (status == IMP_STATUS_OK)
            status = read_solid(builder, &scanner);
    }
    if (status == IMP_STATUS_OK && !impi_byte_window_is_last(&builder->window))
        status = impi_mesh_text_fail_short(builder, &scanner);
    return impi_mesh_text_end(builder, &scanner, status);
}

imp_Status impi_read_stl(impi_MeshBuilder *builder)
{
    if (is_text(builder))
        return read_text(builder);
    builder->place_name = "face";
    return read_binary(builder);
}
