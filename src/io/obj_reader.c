// Wavefront OBJ: `v` and `f` statements. Normals, texture coordinates, groups, materials, lines and points
// don't concern us. Faces may name vertices that come later in the file.

#include "io/mesh_text.h"
#include "io/readers.h"

#include <inttypes.h>
#include <string.h>

// A face that names a vertex the file does not have yet. Only indices beyond all earlier ones are kept: if
// any index turns out to be wrong, the first such face is among these.
typedef struct ForwardReference {
    int64_t index;
    uint64_t line;
} ForwardReference;

typedef struct ObjReader {
    impi_MeshBuilder *builder;
    impi_TextScanner scanner;
    IMPI_ARRAY(ForwardReference) forward;
} ObjReader;

#define MAX_SAMPLE_FACES 100

static bool starts_statement(const char *c, const char *line_end, char keyword)
{
    return line_end - c >= 2 && c[0] == keyword && impi_is_blank(c[1]);
}

static size_t count_words(const char *c, const char *line_end)
{
    size_t count = 0;
    bool in_word = false;
    for (; c < line_end; ++c) {
        bool blank = impi_is_blank(*c);
        count += in_word && blank;
        in_word = !blank;
    }
    return count + in_word;
}

typedef struct StatementCounts {
    size_t vertices, faces, sample_faces, sample_triangles;
} StatementCounts;

// How often a line begins with this letter and a blank: "\nv ". Bytes are compared a row at a time, which the
// compiler turns into vectors; the counts of a column fit into a byte for 255 rows.
static size_t count_beginnings(const unsigned char *c, const unsigned char *end, unsigned char letter)
{
    enum { ROW = 64, MAX_ROWS = 255 };
    size_t count = 0;
    while (end - c >= ROW + 2) {
        size_t rows = (size_t)(end - c - 2) / ROW;
        unsigned char columns[ROW] = {0};
        rows = rows < MAX_ROWS ? rows : MAX_ROWS;
        for (size_t row = 0; row < rows; ++row, c += ROW)
            for (size_t i = 0; i < ROW; ++i)
                columns[i] = (unsigned char)(columns[i] + ((c[i] == '\n') & (c[i + 1] == letter) &
                                                           ((c[i + 2] == ' ') | (c[i + 2] == '\t'))));
        for (size_t i = 0; i < ROW; ++i)
            count += columns[i];
    }
    for (; end - c >= 3; ++c)
        count += c[0] == '\n' && c[1] == letter && impi_is_blank((char)c[2]);
    return count;
}

// The first faces among these lines, until there are enough of them.
static void sample_faces(const char *c, const char *end, StatementCounts *counts)
{
    while (c < end && counts->sample_faces < MAX_SAMPLE_FACES) {
        const char *line_end = memchr(c, '\n', (size_t)(end - c));
        if (!line_end)
            return;
        if (starts_statement(c, line_end, 'f')) {
            size_t word_count = count_words(c, line_end);
            counts->sample_triangles += word_count > 3 ? word_count - 3 : 0;
            ++counts->sample_faces;
        }
        c = line_end + 1;
    }
}

// How much room the mesh will take, so that it can be allocated at once. Statements that stand behind blanks
// are left out and the first faces stand for all of them; where that misleads, the arrays grow.
static imp_Status reserve_for_statements(impi_MeshBuilder *builder)
{
    impi_ByteWindow *window = &builder->window;
    const unsigned char *cursor = window->begin;
    StatementCounts counts = {.vertices = 1};
    imp_Status status = IMP_STATUS_OK;
    do {
        bool is_last = impi_byte_window_is_last(window);
        const unsigned char *end = is_last ? window->stop : window->end;
        size_t face_count = count_beginnings(cursor, end, 'f');
        counts.vertices += count_beginnings(cursor, end, 'v');
        counts.faces += face_count;
        if (face_count > 0)
            sample_faces((const char *)cursor, (const char *)end, &counts);
        // What has no lines is no text, and need not be gone through to its end.
        bool has_lines = memchr(cursor, '\n', (size_t)(end - cursor));
        if ((end == window->end && is_last) || !has_lines)
            break;
        cursor = end - 2; // where a beginning may be cut
        status = impi_byte_window_move(window, &cursor);
    } while (status == IMP_STATUS_OK);
    if (status == IMP_STATUS_OK)
        status = impi_byte_window_rewind(window);
    if (status != IMP_STATUS_OK)
        return status;
    size_t triangle_count =
        counts.sample_faces ? counts.faces * counts.sample_triangles / counts.sample_faces : 0;
    return impi_mesh_builder_reserve(builder, counts.vertices, triangle_count);
}

static imp_Status read_vertex(ObjReader *reader)
{
    imp_Vec3 vertex;
    imp_Status status = impi_take_point(reader->builder, &reader->scanner, &vertex);
    if (status != IMP_STATUS_OK)
        return status;
    // A weight or a colour may follow.
    while (!impi_scan_at_line_end(&reader->scanner)) {
        double ignored;
        impi_NumberStatus number = impi_scan_take_double(&reader->scanner, &ignored);
        if (number != IMPI_NUMBER_OK)
            return impi_fail_number(reader->builder, &reader->scanner, number, "a weight or a colour");
    }
    return impi_mesh_builder_add_vertex(reader->builder, vertex);
}

static imp_Status note_forward_reference(ObjReader *reader, int64_t index)
{
    if (reader->forward.count && index <= reader->forward.data[reader->forward.count - 1].index)
        return IMP_STATUS_OK;
    if (!impi_array_reserve(&reader->builder->context->allocator, &reader->forward,
                            sizeof *reader->forward.data, reader->forward.count + 1))
        return impi_fail_out_of_memory(reader->builder->context);
    reader->forward.data[reader->forward.count++] = (ForwardReference){index, reader->scanner.line};
    return IMP_STATUS_OK;
}

static imp_Status fail_index(const ObjReader *reader, int64_t number, uint64_t line, const char *so_far)
{
    return impi_fail_at(reader->builder->context, IMP_STATUS_BAD_FILE,
                        impi_mesh_builder_at_line(reader->builder, line),
                        "vertex index %" PRId64 " is out of range; the file has %zu vertices%s", number,
                        reader->builder->vertices.count, so_far);
}

// Step over /texture, //normal or /texture/normal behind the vertex of a corner; each may be empty.
static imp_Status skip_attributes(ObjReader *reader)
{
    impi_TextScanner *scanner = &reader->scanner;
    for (int i = 0; i < 2 && scanner->cursor < scanner->end && *scanner->cursor == '/'; ++i) {
        ++scanner->cursor;
        if (scanner->cursor < scanner->end && *scanner->cursor == '-')
            ++scanner->cursor;
        while (scanner->cursor < scanner->end && *scanner->cursor >= '0' && *scanner->cursor <= '9')
            ++scanner->cursor;
    }
    if (scanner->cursor < scanner->end && *scanner->cursor != '\n' && *scanner->cursor != '\\' &&
        !impi_is_blank(*scanner->cursor))
        return impi_fail_expected(reader->builder, scanner, "a corner such as 1, 1/2, 1//3 or 1/2/3");
    return IMP_STATUS_OK;
}

static imp_Status read_corner(ObjReader *reader)
{
    int64_t number, vertex_count = (int64_t)reader->builder->vertices.count;
    uint64_t line = reader->scanner.line;
    impi_NumberStatus taken = impi_scan_take_integer(&reader->scanner, '/', &number);
    if (taken != IMPI_NUMBER_OK)
        return impi_fail_number(reader->builder, &reader->scanner, taken, "a vertex index");
    if (number == 0)
        return impi_fail_at(reader->builder->context, IMP_STATUS_BAD_FILE,
                            impi_mesh_builder_at_line(reader->builder, line),
                            "vertex index 0 is out of range; indices count from 1");
    int64_t index = number > 0 ? number - 1 : vertex_count + number;
    if (index < 0)
        return fail_index(reader, number, line, " so far");
    if (index > IMPI_MAX_VERTEX_INDEX)
        return fail_index(reader, number, line, " so far, and no file has so many");
    if (index >= vertex_count) {
        imp_Status status = note_forward_reference(reader, index);
        if (status != IMP_STATUS_OK)
            return status;
    }
    imp_Status status = skip_attributes(reader);
    if (status != IMP_STATUS_OK)
        return status;
    return impi_mesh_builder_add_corner(reader->builder, (uint32_t)index);
}

static imp_Status read_face(ObjReader *reader)
{
    uint64_t line = reader->scanner.line;
    while (!impi_scan_at_line_end(&reader->scanner)) {
        imp_Status status = read_corner(reader);
        if (status != IMP_STATUS_OK)
            return status;
    }
    if (reader->builder->corners.count < 3)
        return impi_fail_corner_count(reader->builder, impi_mesh_builder_at_line(reader->builder, line),
                                      (int64_t)reader->builder->corners.count);
    return impi_mesh_builder_end_face(reader->builder, line);
}

static imp_Status read_statement(ObjReader *reader)
{
    impi_TextScanner *scanner = &reader->scanner;
    if (impi_scan_at_line_end(scanner))
        return IMP_STATUS_OK;
    impi_TextScanner before = *scanner;
    impi_Word keyword = impi_scan_take_word(scanner);
    if (keyword.length == 1 && *keyword.text == 'v')
        return read_vertex(reader);
    if (keyword.length == 1 && *keyword.text == 'f')
        return read_face(reader);
    char first = *keyword.text;
    if (!((first >= 'a' && first <= 'z') || (first >= 'A' && first <= 'Z')))
        return impi_fail_expected(reader->builder, &before, "a statement such as v or f");
    impi_scan_skip_line(scanner); // it may go over several lines too
    return IMP_STATUS_OK;
}

static imp_Status check_forward_references(const ObjReader *reader)
{
    for (size_t i = 0; i < reader->forward.count; ++i) {
        ForwardReference reference = reader->forward.data[i];
        if (reference.index >= (int64_t)reader->builder->vertices.count)
            return fail_index(reader, reference.index + 1, reference.line, "");
    }
    return IMP_STATUS_OK;
}

static imp_Status read_statements(ObjReader *reader)
{
    imp_Status status = read_statement(reader);
    while (status == IMP_STATUS_OK && impi_scan_next_line(&reader->scanner)) {
        status = impi_mesh_text_pass(reader->builder, &reader->scanner);
        if (status == IMP_STATUS_OK)
            status = read_statement(reader);
    }
    if (status == IMP_STATUS_OK && !impi_byte_window_is_last(&reader->builder->window))
        status = impi_mesh_text_fail_short(reader->builder, &reader->scanner);
    return impi_mesh_text_end(reader->builder, &reader->scanner, status);
}

imp_Status impi_read_obj(impi_MeshBuilder *builder)
{
    ObjReader reader = {.builder = builder};
    imp_Status status = reserve_for_statements(builder);
    impi_mesh_text_begin(builder, &reader.scanner);
    reader.scanner.joins_lines = true;
    reader.scanner.comment = '#';
    if (status == IMP_STATUS_OK)
        status = read_statements(&reader);
    if (status == IMP_STATUS_OK)
        status = check_forward_references(&reader);
    impi_array_free(&builder->context->allocator, &reader.forward, sizeof *reader.forward.data);
    return status;
}
