#include "io/gltf_triangles.h"

#include "io/gltf_accessor.h"

#define CORNER_STEP ((size_t)1 << 16) // corners that are read before the watch is asked

static size_t corner_count(const impi_Gltf *gltf, const impi_GltfPrimitive *primitive)
{
    bool has_indices = primitive->indices != IMPI_GLTF_NONE;
    return gltf->accessors[has_indices ? primitive->indices : primitive->position].count;
}

static size_t triangle_count(const impi_Gltf *gltf, const impi_GltfPrimitive *primitive)
{
    size_t corners = corner_count(gltf, primitive);
    return primitive->mode == IMPI_GLTF_TRIANGLES ? corners / 3 : corners - 2;
}

static imp_Status read_corners(const impi_Gltf *gltf, const impi_GltfPrimitive *primitive,
                               uint32_t first_vertex, uint32_t *corners)
{
    size_t total = corner_count(gltf, primitive);
    if (primitive->indices == IMPI_GLTF_NONE) {
        for (size_t i = 0; i < total; ++i)
            corners[i] = first_vertex + (uint32_t)i;
        return IMP_STATUS_OK;
    }
    for (size_t first = 0, count; first < total; first += count) {
        count = total - first < CORNER_STEP ? total - first : CORNER_STEP;
        impi_gltf_accessor_read_integers(&gltf->accessors[primitive->indices], first, count, corners + first);
        for (size_t i = 0; i < count; ++i)
            corners[first + i] += first_vertex;
        if (!impi_watch_step(&gltf->context->watch, count))
            return impi_watch_status(gltf->context);
    }
    return IMP_STATUS_OK;
}

// Every second triangle of a strip is turned, so that all face the same way.
static void take_apart(uint32_t mode, const uint32_t *corners, size_t count, uint32_t *triangles)
{
    uint32_t first = corners[0];
    for (size_t i = 0; i < count; ++i, triangles += 3) {
        uint32_t a = corners[i], b = corners[i + 1], c = corners[i + 2];
        bool turns = mode == IMPI_GLTF_STRIP && i % 2 == 1;
        triangles[0] = mode == IMPI_GLTF_FAN ? first : turns ? b : a;
        triangles[1] = turns ? a : b;
        triangles[2] = c;
    }
}

static imp_Status add_primitive(const impi_Gltf *gltf, const impi_GltfPrimitive *primitive,
                                impi_MeshBuilder *builder)
{
    const impi_GltfAccessor *position = &gltf->accessors[primitive->position];
    imp_Vec3 *vertices = builder->vertices.data + builder->vertices.count;
    uint32_t *triangles = builder->indices.data + builder->indices.count;
    uint32_t first_vertex = (uint32_t)builder->vertices.count;
    size_t count = triangle_count(gltf, primitive);
    // The corners of strips and fans stand at the end of the room for their triangles, where each is read
    // before it is written over.
    uint32_t *corners = triangles + 3 * count - corner_count(gltf, primitive);
    imp_Status status = impi_gltf_accessor_read_all(gltf->context, position, &vertices->x);
    if (status == IMP_STATUS_OK)
        status = read_corners(gltf, primitive, first_vertex, corners);
    if (status != IMP_STATUS_OK)
        return status;
    if (primitive->mode != IMPI_GLTF_TRIANGLES)
        take_apart(primitive->mode, corners, count, triangles);
    builder->vertices.count += position->count;
    builder->indices.count += 3 * count;
    return IMP_STATUS_OK;
}

imp_Status impi_gltf_add_triangles(const impi_Gltf *gltf, const impi_GltfMesh *mesh,
                                   impi_MeshBuilder *builder)
{
    size_t vertex_total = builder->vertices.count, triangle_total = builder->indices.count / 3;
    for (uint32_t p = 0; p < mesh->primitive_count; ++p) {
        const impi_GltfPrimitive *primitive = &mesh->primitives[p];
        if (primitive->mode < IMPI_GLTF_TRIANGLES)
            continue;
        vertex_total += gltf->accessors[primitive->position].count;
        triangle_total += triangle_count(gltf, primitive);
    }
    imp_Status status = impi_mesh_builder_reserve(builder, vertex_total, triangle_total);
    for (uint32_t p = 0; p < mesh->primitive_count && status == IMP_STATUS_OK; ++p)
        if (mesh->primitives[p].mode >= IMPI_GLTF_TRIANGLES)
            status = add_primitive(gltf, &mesh->primitives[p], builder);
    return status;
}
