// The body of a PLY file in text. Values are taken word by word, wherever lines end.

#include "io/mesh_text.h"
#include "io/ply_header.h"

#include <inttypes.h>

typedef struct TextBody {
    impi_MeshBuilder *builder;
    impi_TextScanner *scanner;
    const impi_PlyHeader *header;
} TextBody;

static imp_Status take_coordinate(const TextBody *body, double *value)
{
    impi_NumberStatus number = impi_scan_find_double(body->scanner, value);
    if (number != IMPI_NUMBER_OK)
        return impi_fail_number(body->builder, body->scanner, number, "a coordinate");
    return IMP_STATUS_OK;
}

static imp_Status take_corner(const TextBody *body)
{
    int64_t index = 0;
    impi_NumberStatus number = impi_scan_find_integer(body->scanner, &index);
    if (number != IMPI_NUMBER_OK)
        return impi_fail_number(body->builder, body->scanner, number, "a vertex index");
    if (index < 0 || (uint64_t)index >= body->header->vertex_count)
        return impi_fail_corner(body->builder, body->scanner->line, index, body->header->vertex_count);
    return impi_mesh_builder_add_corner(body->builder, (uint32_t)index);
}

static imp_Status skip_value(const TextBody *body)
{
    if (!impi_scan_find_word(body->scanner))
        return impi_fail_expected(body->builder, body->scanner, "a value");
    impi_scan_take_word(body->scanner);
    return IMP_STATUS_OK;
}

static imp_Status take_list(const TextBody *body, bool is_face)
{
    int64_t length = 0;
    impi_NumberStatus number = impi_scan_find_integer(body->scanner, &length);
    uint64_t line = body->scanner->line;
    if (number != IMPI_NUMBER_OK)
        return impi_fail_number(body->builder, body->scanner, number, "the length of a list");
    if (length < 0)
        return impi_fail_at(body->builder->context, IMP_STATUS_BAD_FILE,
                            impi_mesh_builder_at_line(body->builder, line),
                            "a list has the negative length %" PRId64, length);
    if (is_face && length < 3)
        return impi_fail_corner_count(body->builder, impi_mesh_builder_at_line(body->builder, line), length);
    for (int64_t i = 0; i < length; ++i) {
        imp_Status status = is_face ? take_corner(body) : skip_value(body);
        if (status != IMP_STATUS_OK)
            return status;
    }
    return is_face ? impi_mesh_builder_end_face(body->builder, line) : IMP_STATUS_OK;
}

static imp_Status take_element(const TextBody *body, const impi_PlyElement *element)
{
    double point[3] = {0, 0, 0};
    const impi_PlyProperty *properties = body->header->properties.data + element->first_property;
    for (size_t i = 0; i < element->property_count; ++i) {
        imp_Status status;
        if (properties[i].is_list)
            status = take_list(body, properties[i].role == IMPI_PLY_CORNERS);
        else if (properties[i].role <= IMPI_PLY_Z)
            status = take_coordinate(body, &point[properties[i].role]);
        else
            status = skip_value(body);
        if (status != IMP_STATUS_OK)
            return status;
    }
    if (element->kind == IMPI_PLY_VERTEX)
        return impi_mesh_builder_add_vertex(body->builder, (imp_Vec3){point[0], point[1], point[2]});
    return IMP_STATUS_OK;
}

imp_Status impi_ply_read_text(impi_MeshBuilder *builder, impi_TextScanner *scanner,
                              const impi_PlyHeader *header)
{
    TextBody body = {builder, scanner, header};
    for (size_t e = 0; e < header->elements.count; ++e) {
        const impi_PlyElement *element = &header->elements.data[e];
        for (uint64_t i = 0; element->property_count && i < element->count; ++i) {
            imp_Status status = take_element(&body, element);
            if (status == IMP_STATUS_OK)
                status = impi_mesh_text_pass(builder, scanner);
            if (status != IMP_STATUS_OK)
                return status;
        }
    }
    return impi_mesh_text_ignore_rest(builder, scanner);
}
