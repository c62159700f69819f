#include "io/mesh_builder.h"

#include "io/polygon.h"
#include "shape/mesh.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define POLYGONS_PER_LOOK 4096 // at the watch

void impi_mesh_builder_init(impi_MeshBuilder *builder, imp_Context *context, const char *file_name)
{
    *builder = (impi_MeshBuilder){.context = context, .file_name = file_name, .place_name = "line"};
}

void impi_mesh_builder_free(impi_MeshBuilder *builder)
{
    const imp_Allocator *allocator = &builder->context->allocator;
    impi_array_free(allocator, &builder->vertices, sizeof *builder->vertices.data);
    impi_array_free(allocator, &builder->indices, sizeof *builder->indices.data);
    impi_array_free(allocator, &builder->corners, sizeof *builder->corners.data);
    impi_array_free(allocator, &builder->waiting, sizeof *builder->waiting.data);
    impi_array_free(allocator, &builder->solids, sizeof *builder->solids.data);
    impi_array_free(allocator, &builder->solid_names, sizeof *builder->solid_names.data);
}

void impi_mesh_builder_restart(impi_MeshBuilder *builder)
{
    builder->vertices.count = builder->indices.count = builder->corners.count = builder->waiting.count = 0;
    builder->solids.count = builder->solid_names.count = 0;
    builder->place_name = "line";
    builder->concave_count = builder->first_concave_place = 0;
    builder->ignored_bytes = 0;
}

static imp_Status grow(impi_MeshBuilder *builder, void *array, size_t element_size, size_t needed)
{
    if (!impi_array_reserve(&builder->context->allocator, array, element_size, needed))
        return impi_fail_out_of_memory(builder->context);
    return IMP_STATUS_OK;
}

imp_Status impi_mesh_builder_reserve(impi_MeshBuilder *builder, size_t vertex_count, size_t triangle_count)
{
    imp_Status status = grow(builder, &builder->vertices, sizeof *builder->vertices.data, vertex_count);
    if (status != IMP_STATUS_OK)
        return status;
    return grow(builder, &builder->indices, sizeof *builder->indices.data, 3 * triangle_count);
}

imp_Status impi_mesh_builder_grow_vertices(impi_MeshBuilder *builder)
{
    return grow(builder, &builder->vertices, sizeof *builder->vertices.data, builder->vertices.count + 1);
}

imp_Status impi_mesh_builder_grow_corners(impi_MeshBuilder *builder)
{
    return grow(builder, &builder->corners, sizeof *builder->corners.data, builder->corners.count + 1);
}

static void note_convexity(impi_MeshBuilder *builder, const uint32_t *corners, size_t count, uint64_t place)
{
    if (impi_polygon_is_convex(builder->vertices.data, corners, count))
        return;
    if (builder->concave_count++ == 0 || place < builder->first_concave_place)
        builder->first_concave_place = place;
}

static imp_Status check_polygon(impi_MeshBuilder *builder, uint64_t place)
{
    bool all_known = true;
    for (size_t i = 0; i < builder->corners.count; ++i)
        all_known = all_known && builder->corners.data[i] < builder->vertices.count;
    if (all_known) {
        note_convexity(builder, builder->corners.data, builder->corners.count, place);
        return IMP_STATUS_OK;
    }
    imp_Status status =
        grow(builder, &builder->waiting, sizeof *builder->waiting.data, builder->waiting.count + 1);
    if (status == IMP_STATUS_OK)
        builder->waiting.data[builder->waiting.count++] =
            (impi_WaitingPolygon){builder->indices.count, builder->corners.count - 2, place};
    return status;
}

imp_Status impi_mesh_builder_end_face(impi_MeshBuilder *builder, uint64_t place)
{
    const uint32_t *corners = builder->corners.data;
    size_t count = builder->corners.count, index_count = builder->indices.count;
    if (builder->indices.capacity - index_count < 3 * (count - 2)) {
        imp_Status status =
            grow(builder, &builder->indices, sizeof *builder->indices.data, index_count + 3 * (count - 2));
        if (status != IMP_STATUS_OK)
            return status;
    }
    if (count > 3) {
        imp_Status status = check_polygon(builder, place);
        if (status != IMP_STATUS_OK)
            return status;
    }
    uint32_t *out = builder->indices.data + index_count;
    for (size_t i = 1; i + 1 < count; ++i, out += 3) {
        out[0] = corners[0];
        out[1] = corners[i];
        out[2] = corners[i + 1];
    }
    builder->indices.count += 3 * (count - 2);
    builder->corners.count = 0;
    return IMP_STATUS_OK;
}

imp_Status impi_mesh_builder_begin_solid(impi_MeshBuilder *builder, const char *name, size_t length)
{
    imp_Status status =
        grow(builder, &builder->solids, sizeof *builder->solids.data, builder->solids.count + 1);
    if (status == IMP_STATUS_OK)
        status = grow(builder, &builder->solid_names, 1, builder->solid_names.count + length);
    if (status != IMP_STATUS_OK)
        return status;
    builder->solids.data[builder->solids.count++] =
        (impi_Solid){builder->vertices.count, builder->indices.count, builder->solid_names.count, length};
    if (length > 0)
        memcpy(builder->solid_names.data + builder->solid_names.count, name, length);
    builder->solid_names.count += length;
    return IMP_STATUS_OK;
}

// The corners of a polygon are recovered from its fan.
static imp_Status check_waiting_polygons(impi_MeshBuilder *builder)
{
    for (size_t i = 0; i < builder->waiting.count; ++i) {
        if (i % POLYGONS_PER_LOOK == 0 && !impi_watch_goes_on(&builder->context->watch))
            return impi_watch_status(builder->context);
        impi_WaitingPolygon polygon = builder->waiting.data[i];
        const uint32_t *fan = builder->indices.data + polygon.first_index;
        builder->corners.count = 0;
        imp_Status status = impi_mesh_builder_add_corner(builder, fan[0]);
        if (status == IMP_STATUS_OK)
            status = impi_mesh_builder_add_corner(builder, fan[1]);
        for (size_t t = 0; t < polygon.triangle_count && status == IMP_STATUS_OK; ++t)
            status = impi_mesh_builder_add_corner(builder, fan[3 * t + 2]);
        if (status != IMP_STATUS_OK)
            return status;
        note_convexity(builder, builder->corners.data, builder->corners.count, polygon.place);
    }
    return IMP_STATUS_OK;
}

const char *impi_mesh_builder_remark(const impi_MeshBuilder *builder, char remark[IMPI_MAX_MESH_REMARK])
{
    int length = 0;
    remark[0] = '\0';
    if (builder->concave_count)
        length = snprintf(remark, IMPI_MAX_MESH_REMARK,
                          "%" PRIu64 " %s not convex (the first: %s %" PRIu64
                          "); fanned from the first vertex all the same",
                          builder->concave_count, builder->concave_count == 1 ? "polygon is" : "polygons are",
                          builder->place_name, builder->first_concave_place);
    if (builder->ignored_bytes)
        snprintf(remark + length, IMPI_MAX_MESH_REMARK - (size_t)length,
                 "%s%" PRIu64 " bytes behind the last face are ignored", length ? "; " : "",
                 builder->ignored_bytes);
    return remark[0] ? remark : NULL;
}

imp_Status impi_mesh_builder_check(const impi_MeshBuilder *builder)
{
    impi_Place place = IMPI_NO_PLACE;
    place.file = builder->file_name;
    if (builder->vertices.count == 0)
        return impi_fail_at(builder->context, IMP_STATUS_BAD_FILE, place, "the file has no vertices");
    if (builder->indices.count == 0)
        return impi_fail_at(builder->context, IMP_STATUS_BAD_FILE, place, "the file has no faces");
    return IMP_STATUS_OK;
}

imp_Status impi_mesh_builder_settle(impi_MeshBuilder *builder)
{
    imp_Status status = impi_mesh_builder_check(builder);
    if (status == IMP_STATUS_OK)
        status = check_waiting_polygons(builder);
    if (status == IMP_STATUS_OK && !impi_watch_goes_on(&builder->context->watch))
        status = impi_watch_status(builder->context);
    if (status == IMP_STATUS_OK)
        status = impi_convert_vertices(builder->context, &builder->conversion, builder->file_name,
                                       builder->vertices.data, builder->vertices.count);
    return status;
}

imp_Status impi_mesh_builder_finish(impi_MeshBuilder *builder, imp_Mesh **mesh)
{
    imp_Status status = impi_mesh_builder_settle(builder);
    if (status != IMP_STATUS_OK)
        return status;
    char remark[IMPI_MAX_MESH_REMARK];
    impi_MeshArrays arrays = {
        .vertices = builder->vertices.data,
        .vertex_count = builder->vertices.count,
        .vertex_capacity = builder->vertices.capacity,
        .indices = builder->indices.data,
        .triangle_count = builder->indices.count / 3,
        .index_capacity = builder->indices.capacity,
    };
    status = impi_mesh_adopt(builder->context, &arrays, impi_mesh_builder_remark(builder, remark), mesh);
    if (status == IMP_STATUS_OK) {
        builder->vertices.data = NULL;
        builder->vertices.count = builder->vertices.capacity = 0;
        builder->indices.data = NULL;
        builder->indices.count = builder->indices.capacity = 0;
    }
    return status;
}

impi_Place impi_mesh_builder_at_line(const impi_MeshBuilder *builder, uint64_t line)
{
    impi_Place place = IMPI_NO_PLACE;
    place.file = builder->file_name;
    place.line = line;
    return place;
}

impi_Place impi_mesh_builder_at_byte(const impi_MeshBuilder *builder, const void *position)
{
    impi_Place place = IMPI_NO_PLACE;
    place.file = builder->file_name;
    place.byte_offset = impi_byte_window_offset(&builder->window, position);
    return place;
}
