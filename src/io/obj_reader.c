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
#define MANY_WINDOWS     64 // of a file: then some of them are counted
#define COUNTED_WINDOW   4  // one in so many

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
    size_t vertices, faces;
    size_t most_vertices, most_faces; // in one window
    size_t sample_faces, sample_triangles;
} StatementCounts;

// Count the lines that begin with "v " and "f ". Bytes are compared a row at a time, which the compiler turns
// into vectors; the counts of a column fit into a byte for 255 rows.
static void count_beginnings(const unsigned char *c, const unsigned char *end, StatementCounts *counts)
{
    enum { ROW = 64, MAX_ROWS = 255 };
    while (end - c >= ROW + 2) {
        size_t rows = (size_t)(end - c - 2) / ROW;
        unsigned char vertices[ROW] = {0}, faces[ROW] = {0};
        rows = rows < MAX_ROWS ? rows : MAX_ROWS;
        for (size_t row = 0; row < rows; ++row, c += ROW)
            for (size_t i = 0; i < ROW; ++i) {
                unsigned char begins = (c[i] == '\n') & (c[i + 2] == ' ');
                vertices[i] = (unsigned char)(vertices[i] + (begins & (c[i + 1] == 'v')));
                faces[i] = (unsigned char)(faces[i] + (begins & (c[i + 1] == 'f')));
            }
        for (size_t i = 0; i < ROW; ++i) {
            counts->vertices += vertices[i];
            counts->faces += faces[i];
        }
    }
    for (; end - c >= 3; ++c) {
        counts->vertices += c[0] == '\n' && c[1] == 'v' && c[2] == ' ';
        counts->faces += c[0] == '\n' && c[1] == 'f' && c[2] == ' ';
    }
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

// The same for the part of the file that the window shows. False when it has no lines: then it is no text,
// and need not be gone through to its end.
static bool count_window(const impi_ByteWindow *window, const unsigned char *cursor, const unsigned char *end,
                         StatementCounts *counts)
{
    StatementCounts here = {0};
    count_beginnings(cursor, end, &here);
    counts->vertices += here.vertices;
    counts->faces += here.faces;
    counts->most_vertices = here.vertices > counts->most_vertices ? here.vertices : counts->most_vertices;
    counts->most_faces = here.faces > counts->most_faces ? here.faces : counts->most_faces;
    const unsigned char *line_end = memchr(cursor, '\n', (size_t)(end - cursor));
    if (here.faces > 0)
        sample_faces((const char *)line_end + 1, (const char *)window->end, counts);
    return line_end;
}

// One window in so many stands for those around it. Where vertices end and faces begin, two of them may be
// taken for what they are not.
static imp_Status count_some(impi_ByteWindow *window, StatementCounts *counts)
{
    size_t size = (size_t)(window->end - window->begin);
    imp_Status status = IMP_STATUS_OK;
    uint64_t offset = 0, seen = 0;
    for (;;) {
        bool has_lines = count_window(window, window->begin, window->end, counts);
        seen += (uint64_t)(window->end - window->begin);
        offset += (uint64_t)size * COUNTED_WINDOW;
        if (offset >= window->total || !has_lines)
            break;
        status = impi_byte_window_jump(window, offset);
        if (status != IMP_STATUS_OK)
            return status;
    }
    double factor = (double)window->total / (double)seen;
    counts->vertices = (size_t)((double)counts->vertices * factor) + 2 * counts->most_vertices;
    counts->faces = (size_t)((double)counts->faces * factor) + 2 * counts->most_faces;
    return IMP_STATUS_OK;
}

static imp_Status count_all(impi_ByteWindow *window, StatementCounts *counts)
{
    const unsigned char *cursor = window->begin;
    imp_Status status = IMP_STATUS_OK;
    while (status == IMP_STATUS_OK) {
        bool is_last = impi_byte_window_is_last(window);
        const unsigned char *end = is_last ? window->stop : window->end;
        if (!count_window(window, cursor, end, counts) || (end == window->end && is_last))
            break;
        cursor = end - 2; // where a beginning may be cut
        status = impi_byte_window_move(window, &cursor);
    }
    return status;
}

// How much room the mesh will take, so that it can be allocated at once. Statements between other blanks are
// left out, the first faces stand for all of them, and in large files some windows for all; where that
// misleads, the arrays grow.
static imp_Status reserve_for_statements(impi_MeshBuilder *builder)
{
    impi_ByteWindow *window = &builder->window;
    size_t size = (size_t)(window->end - window->begin);
    StatementCounts counts = {0};
    bool is_large = window->source && window->total / size >= MANY_WINDOWS;
    imp_Status status = is_large ? count_some(window, &counts) : count_all(window, &counts);
    if (status == IMP_STATUS_OK)
        status = impi_byte_window_rewind(window);
    if (status != IMP_STATUS_OK)
        return status;
    size_t triangle_count =
        counts.sample_faces ? counts.faces * counts.sample_triangles / counts.sample_faces : 0;
    return impi_mesh_builder_reserve(builder, counts.vertices + 1, triangle_count);
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
