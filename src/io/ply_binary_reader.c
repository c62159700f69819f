// The body of a PLY file in binary, in either byte order.

#include "io/byte_order.h"
#include "io/mesh_text.h"
#include "io/ply_header.h"

#include <inttypes.h>
#include <math.h>

typedef struct BinaryBody {
    impi_MeshBuilder *builder;
    const impi_PlyHeader *header;
    const unsigned char *cursor, *end;
    bool swap; // the file's byte order is not ours
} BinaryBody;

// All types of PLY fit into a double.
static inline double load(const unsigned char *bytes, impi_PlyType type, bool swap)
{
    switch (type) {
    case IMPI_PLY_INT8:
        return (int8_t)*bytes;
    case IMPI_PLY_UINT8:
        return *bytes;
    case IMPI_PLY_INT16:
        return (int16_t)impi_load_u16(bytes, swap);
    case IMPI_PLY_UINT16:
        return impi_load_u16(bytes, swap);
    case IMPI_PLY_INT32:
        return (int32_t)impi_load_u32(bytes, swap);
    case IMPI_PLY_UINT32:
        return impi_load_u32(bytes, swap);
    case IMPI_PLY_FLOAT32:
        return (double)impi_load_float(bytes, swap);
    case IMPI_PLY_FLOAT64:
        return impi_load_double(bytes, swap);
    }
    return 0.0;
}

static imp_Status fail_short(const BinaryBody *body, const impi_PlyElement *element, uint64_t number)
{
    if (!impi_byte_window_is_last(&body->builder->window))
        return impi_byte_window_fail_short(&body->builder->window);
    impi_Place place = impi_mesh_builder_at_byte(body->builder, body->cursor);
    place.index = number;
    return impi_fail_at(body->builder->context, IMP_STATUS_BAD_FILE, place,
                        "the file ends in element %s, number %" PRIu64 " of %" PRIu64, element->name, number,
                        element->count);
}

// Any type may hold an index, as long as it is a whole number.
static imp_Status take_corners(BinaryBody *body, const impi_PlyProperty *property, size_t length)
{
    size_t size = impi_ply_type_size(property->type);
    for (size_t i = 0; i < length; ++i, body->cursor += size) {
        double value = load(body->cursor, property->type, body->swap);
        if (!(value >= 0.0 && value < (double)body->header->vertex_count && value == floor(value)))
            return impi_fail_at(body->builder->context, IMP_STATUS_BAD_FILE,
                                impi_mesh_builder_at_byte(body->builder, body->cursor),
                                "vertex index %.15g is out of range; the file has %" PRIu64
                                " vertices, counting from 0",
                                value, body->header->vertex_count);
        imp_Status status = impi_mesh_builder_add_corner(body->builder, (uint32_t)value);
        if (status != IMP_STATUS_OK)
            return status;
    }
    return IMP_STATUS_OK;
}

static imp_Status take_list(BinaryBody *body, const impi_PlyProperty *property,
                            const impi_PlyElement *element, uint64_t number)
{
    impi_Place place = impi_mesh_builder_at_byte(body->builder, body->cursor);
    size_t count_size = impi_ply_type_size(property->count_type);
    if ((size_t)(body->end - body->cursor) < count_size)
        return fail_short(body, element, number);
    int64_t length = (int64_t)load(body->cursor, property->count_type, body->swap);
    if (length < 0)
        return impi_fail_at(body->builder->context, IMP_STATUS_BAD_FILE, place,
                            "a list has the negative length %" PRId64, length);
    body->cursor += count_size;
    size_t item_size = impi_ply_type_size(property->type);
    if ((uint64_t)length > (uint64_t)(body->end - body->cursor) / item_size)
        return fail_short(body, element, number);
    if (property->role != IMPI_PLY_CORNERS) {
        body->cursor += (size_t)length * item_size;
        return IMP_STATUS_OK;
    }
    if (length < 3)
        return impi_fail_corner_count(body->builder, place, length);
    imp_Status status = take_corners(body, property, (size_t)length);
    if (status == IMP_STATUS_OK)
        status = impi_mesh_builder_end_face(body->builder, number);
    return status;
}

static imp_Status take_element(BinaryBody *body, const impi_PlyElement *element, uint64_t number)
{
    double point[3] = {0, 0, 0};
    const unsigned char *start = body->cursor;
    const impi_PlyProperty *properties = body->header->properties.data + element->first_property;
    for (size_t i = 0; i < element->property_count; ++i) {
        if (properties[i].is_list) {
            imp_Status status = take_list(body, &properties[i], element, number);
            if (status != IMP_STATUS_OK)
                return status;
            continue;
        }
        size_t size = impi_ply_type_size(properties[i].type);
        if ((size_t)(body->end - body->cursor) < size)
            return fail_short(body, element, number);
        if (properties[i].role <= IMPI_PLY_Z)
            point[properties[i].role] = load(body->cursor, properties[i].type, body->swap);
        body->cursor += size;
    }
    if (element->kind != IMPI_PLY_VERTEX)
        return IMP_STATUS_OK;
    if (!isfinite(point[0]) || !isfinite(point[1]) || !isfinite(point[2])) {
        impi_Place place = impi_mesh_builder_at_byte(body->builder, start);
        place.index = number;
        return impi_fail_at(body->builder->context, IMP_STATUS_BAD_FILE, place,
                            "a coordinate of vertex %" PRIu64 " is not finite", number);
    }
    return impi_mesh_builder_add_vertex(body->builder, (imp_Vec3){point[0], point[1], point[2]});
}

imp_Status impi_ply_read_binary(impi_MeshBuilder *builder, const unsigned char *start,
                                const impi_PlyHeader *header)
{
    BinaryBody body = {builder, header, start, builder->window.end,
                       (header->encoding == IMPI_PLY_BIG_ENDIAN) != IMPI_HOST_IS_BIG_ENDIAN};
    for (size_t e = 0; e < header->elements.count; ++e) {
        const impi_PlyElement *element = &header->elements.data[e];
        for (uint64_t i = 0; element->property_count && i < element->count; ++i) {
            imp_Status status = take_element(&body, element, i);
            if (status == IMP_STATUS_OK)
                status = impi_byte_window_pass(&builder->window, &body.cursor);
            if (status != IMP_STATUS_OK)
                return status;
            body.end = builder->window.end;
        }
    }
    builder->ignored_bytes = builder->window.total - impi_byte_window_offset(&builder->window, body.cursor);
    return IMP_STATUS_OK;
}
