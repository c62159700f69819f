#include "io/ply_header.h"

#include "io/mesh_text.h"

#include <inttypes.h>
#include <string.h>

size_t impi_ply_type_size(impi_PlyType type)
{
    static const size_t sizes[] = {1, 1, 2, 2, 4, 4, 4, 8};
    return sizes[type];
}

void impi_ply_free_header(const impi_MeshBuilder *builder, impi_PlyHeader *header)
{
    const imp_Allocator *allocator = &builder->context->allocator;
    impi_array_free(allocator, &header->elements, sizeof *header->elements.data);
    impi_array_free(allocator, &header->properties, sizeof *header->properties.data);
}

static imp_Status read_format(const impi_MeshBuilder *builder, impi_TextScanner *scanner,
                              impi_PlyEncoding *encoding)
{
    impi_TextScanner before = *scanner;
    impi_Word name = impi_scan_take_word(scanner);
    if (impi_word_is(name, "ascii"))
        *encoding = IMPI_PLY_TEXT;
    else if (impi_word_is(name, "binary_little_endian"))
        *encoding = IMPI_PLY_LITTLE_ENDIAN;
    else if (impi_word_is(name, "binary_big_endian"))
        *encoding = IMPI_PLY_BIG_ENDIAN;
    else
        return impi_fail_expected(builder, &before, "ascii, binary_little_endian or binary_big_endian");
    before = *scanner;
    if (!impi_word_is(impi_scan_take_word(scanner), "1.0"))
        return impi_fail_expected(builder, &before, "the version of the format, 1.0");
    return IMP_STATUS_OK;
}

static imp_Status read_type(const impi_MeshBuilder *builder, impi_TextScanner *scanner, impi_PlyType *type)
{
    static const char *const names[][2] = {
        {"char", "int8"}, {"uchar", "uint8"}, {"short", "int16"},   {"ushort", "uint16"},
        {"int", "int32"}, {"uint", "uint32"}, {"float", "float32"}, {"double", "float64"},
    };
    impi_TextScanner before = *scanner;
    impi_Word word = impi_scan_take_word(scanner);
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
        if (impi_word_is(word, names[i][0]) || impi_word_is(word, names[i][1])) {
            *type = (impi_PlyType)i;
            return IMP_STATUS_OK;
        }
    return impi_fail_expected(builder, &before, "a type such as float, double, uchar or int");
}

static imp_Status read_element(const impi_MeshBuilder *builder, impi_TextScanner *scanner,
                               impi_PlyHeader *header)
{
    impi_TextScanner before = *scanner;
    impi_Word name = impi_scan_take_word(scanner);
    if (name.length == 0)
        return impi_fail_expected(builder, &before, "the name of an element");
    impi_PlyElement element = {.kind = IMPI_PLY_OTHER, .first_property = header->properties.count};
    size_t name_length = name.length < IMPI_MAX_PLY_NAME ? name.length : IMPI_MAX_PLY_NAME - 1;
    memcpy(element.name, name.text, name_length);
    imp_Status status = impi_take_count(builder, scanner, "the number of elements", &element.count);
    if (status != IMP_STATUS_OK)
        return status;
    if (impi_word_is(name, "vertex"))
        element.kind = IMPI_PLY_VERTEX;
    else if (impi_word_is(name, "face"))
        element.kind = IMPI_PLY_FACE;
    else if (impi_word_is(name, "tristrips") && element.count)
        return impi_fail_at(builder->context, IMP_STATUS_UNSUPPORTED,
                            impi_mesh_builder_at_line(builder, scanner->line),
                            "triangle strips can't be read; write the mesh as faces");
    for (size_t i = 0; i < header->elements.count; ++i)
        if (element.kind != IMPI_PLY_OTHER && header->elements.data[i].kind == element.kind)
            return impi_fail_at(builder->context, IMP_STATUS_BAD_FILE,
                                impi_mesh_builder_at_line(builder, scanner->line),
                                "element %s is declared twice", element.name);
    if (!impi_array_reserve(&builder->context->allocator, &header->elements, sizeof element,
                            header->elements.count + 1))
        return impi_fail_out_of_memory(builder->context);
    header->elements.data[header->elements.count++] = element;
    return IMP_STATUS_OK;
}

static impi_PlyRole find_role(impi_PlyKind kind, bool is_list, impi_Word name)
{
    if (kind == IMPI_PLY_VERTEX && !is_list && name.length == 1 && *name.text >= 'x' && *name.text <= 'z')
        return (impi_PlyRole)(IMPI_PLY_X + (*name.text - 'x'));
    if (kind == IMPI_PLY_FACE && is_list &&
        (impi_word_is(name, "vertex_indices") || impi_word_is(name, "vertex_index")))
        return IMPI_PLY_CORNERS;
    return IMPI_PLY_IGNORED;
}

// `element` is null when none was declared yet.
static imp_Status read_property(const impi_MeshBuilder *builder, impi_TextScanner *scanner,
                                impi_PlyHeader *header, impi_PlyElement *element)
{
    if (!element)
        return impi_fail_expected(builder, scanner, "an element before its properties");
    impi_PlyProperty property = {0};
    impi_TextScanner before = *scanner;
    imp_Status status = IMP_STATUS_OK;
    property.is_list = impi_word_is(impi_scan_take_word(scanner), "list");
    if (property.is_list) {
        before = *scanner;
        status = read_type(builder, scanner, &property.count_type);
        if (status == IMP_STATUS_OK && property.count_type >= IMPI_PLY_FLOAT32)
            return impi_fail_expected(builder, &before, "a whole-number type for the length of a list");
    } else {
        *scanner = before;
    }
    if (status == IMP_STATUS_OK)
        status = read_type(builder, scanner, &property.type);
    if (status != IMP_STATUS_OK)
        return status;
    before = *scanner;
    impi_Word name = impi_scan_take_word(scanner);
    if (name.length == 0)
        return impi_fail_expected(builder, &before, "the name of a property");
    property.role = find_role(element->kind, property.is_list, name);
    for (size_t i = element->first_property; i < header->properties.count; ++i)
        if (property.role != IMPI_PLY_IGNORED && header->properties.data[i].role == property.role)
            return impi_fail_at(builder->context, IMP_STATUS_BAD_FILE,
                                impi_mesh_builder_at_line(builder, scanner->line),
                                "property %.*s is declared twice", (int)name.length, name.text);
    if (!impi_array_reserve(&builder->context->allocator, &header->properties, sizeof property,
                            header->properties.count + 1))
        return impi_fail_out_of_memory(builder->context);
    header->properties.data[header->properties.count++] = property;
    ++element->property_count;
    return IMP_STATUS_OK;
}

static bool has_role(const impi_PlyHeader *header, const impi_PlyElement *element, impi_PlyRole role)
{
    for (size_t i = 0; i < element->property_count; ++i)
        if (header->properties.data[element->first_property + i].role == role)
            return true;
    return false;
}

static imp_Status check_roles(const impi_MeshBuilder *builder, const impi_TextScanner *scanner,
                              impi_PlyHeader *header)
{
    impi_Place place = impi_mesh_builder_at_line(builder, scanner->line);
    bool has_vertices = false, has_faces = false;
    for (size_t i = 0; i < header->elements.count; ++i) {
        const impi_PlyElement *element = &header->elements.data[i];
        if (element->kind == IMPI_PLY_VERTEX) {
            has_vertices = true;
            header->vertex_count = element->count;
            for (int role = IMPI_PLY_X; role <= IMPI_PLY_Z; ++role)
                if (!has_role(header, element, (impi_PlyRole)role))
                    return impi_fail_at(builder->context, IMP_STATUS_BAD_FILE, place,
                                        "the vertices have no property %c", 'x' + role - IMPI_PLY_X);
        } else if (element->kind == IMPI_PLY_FACE) {
            has_faces = true;
            header->face_count = element->count;
            if (!has_role(header, element, IMPI_PLY_CORNERS))
                return impi_fail_at(builder->context, IMP_STATUS_BAD_FILE, place,
                                    "the faces have no list vertex_indices or vertex_index");
        }
    }
    if (!has_vertices || !has_faces)
        return impi_fail_at(builder->context, IMP_STATUS_BAD_FILE, place, "the header declares no %s",
                            has_vertices ? "faces" : "vertices");
    return IMP_STATUS_OK;
}

// The fewest bytes that one element takes. In text each value is a digit and a blank.
static uint64_t smallest_size(const impi_PlyHeader *header, const impi_PlyElement *element)
{
    uint64_t size = 0;
    for (size_t i = 0; i < element->property_count; ++i) {
        const impi_PlyProperty *property = &header->properties.data[element->first_property + i];
        if (header->encoding == IMPI_PLY_TEXT)
            size += property->role == IMPI_PLY_CORNERS ? 8 : 2;
        else if (property->is_list)
            size += impi_ply_type_size(property->count_type) +
                    (property->role == IMPI_PLY_CORNERS ? 3 * impi_ply_type_size(property->type) : 0);
        else
            size += impi_ply_type_size(property->type);
    }
    return size;
}

static imp_Status check_counts(const impi_MeshBuilder *builder, const impi_TextScanner *scanner,
                               const impi_PlyHeader *header)
{
    // The last value of a text need not be followed by a blank.
    uint64_t left = impi_mesh_text_left(builder, scanner) + (header->encoding == IMPI_PLY_TEXT);
    for (size_t i = 0; i < header->elements.count; ++i) {
        const impi_PlyElement *element = &header->elements.data[i];
        uint64_t size = smallest_size(header, element);
        if (size != 0 && element->count > left / size)
            return impi_fail_at(builder->context, IMP_STATUS_BAD_FILE,
                                impi_mesh_builder_at_byte(builder, scanner->cursor),
                                "the header promises %" PRIu64 " of element %s, which take at least %" PRIu64
                                " bytes each; the file has %" PRIu64 " bytes left for them",
                                element->count, element->name, size, left);
        left -= element->count * size;
    }
    return IMP_STATUS_OK;
}

static imp_Status read_statement(const impi_MeshBuilder *builder, impi_TextScanner *scanner,
                                 impi_PlyHeader *header, bool *has_format)
{
    impi_TextScanner before = *scanner;
    impi_Word word = impi_scan_take_word(scanner);
    size_t element_count = header->elements.count;
    if (word.length == 0 || impi_word_is(word, "comment") || impi_word_is(word, "obj_info"))
        return IMP_STATUS_OK;
    imp_Status status;
    if (impi_word_is(word, "format")) {
        *has_format = true;
        status = read_format(builder, scanner, &header->encoding);
    } else if (impi_word_is(word, "element")) {
        status = read_element(builder, scanner, header);
    } else if (impi_word_is(word, "property")) {
        status = read_property(builder, scanner, header,
                               element_count ? &header->elements.data[element_count - 1] : NULL);
    } else {
        status = impi_fail_expected(builder, &before, "element, property, comment or end_header");
    }
    if (status == IMP_STATUS_OK && !impi_scan_at_line_end(scanner))
        status = impi_fail_expected(builder, scanner, "the end of the line");
    return status;
}

imp_Status impi_ply_read_header(const impi_MeshBuilder *builder, impi_TextScanner *scanner,
                                impi_PlyHeader *header)
{
    impi_TextScanner before = *scanner;
    bool has_format = false;
    if (!impi_word_is(impi_scan_take_word(scanner), "ply") || !impi_scan_at_line_end(scanner))
        return impi_fail_expected(builder, &before, "ply on the first line");
    for (;;) {
        if (!impi_scan_next_line(scanner))
            return impi_fail_expected(builder, scanner, "end_header");
        before = *scanner;
        if (impi_word_is(impi_scan_take_word(scanner), "end_header"))
            break;
        *scanner = before;
        imp_Status status = read_statement(builder, scanner, header, &has_format);
        if (status != IMP_STATUS_OK)
            return status;
    }
    if (!has_format)
        return impi_fail_expected(builder, &before, "a format before the end of the header");
    imp_Status status = check_roles(builder, scanner, header);
    if (status != IMP_STATUS_OK)
        return status;
    if (!impi_scan_next_line(scanner))
        scanner->cursor = scanner->end;
    return check_counts(builder, scanner, header);
}
