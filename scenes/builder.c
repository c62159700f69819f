#include "scenes/builder.h"

#include <assert.h>
#include <stdlib.h>

static void release(SceneBuilder *builder)
{
    free(builder->vertices);
    free(builder->indices);
}

imp_Status scene_builder_begin(SceneBuilder *builder, imp_Context *context, size_t vertex_count,
                               size_t triangle_count)
{
    if (!context)
        return IMP_STATUS_BAD_ARGUMENT;
    if (vertex_count == 0 || triangle_count == 0)
        return IMP_STATUS_BAD_SHAPE;
    *builder = (SceneBuilder){
        .context = context, .vertex_capacity = vertex_count, .triangle_capacity = triangle_count};
    builder->vertices = calloc(vertex_count, sizeof *builder->vertices);
    builder->indices = calloc(triangle_count, 3 * sizeof *builder->indices);
    if (builder->vertices && builder->indices)
        return IMP_STATUS_OK;
    release(builder);
    return IMP_STATUS_OUT_OF_MEMORY;
}

imp_Status scene_builder_finish(SceneBuilder *builder, imp_Mesh **mesh)
{
    assert(builder->vertex_count == builder->vertex_capacity);
    assert(builder->triangle_count == builder->triangle_capacity);
    imp_MeshDef def = {.vertices = (const double *)builder->vertices,
                       .vertex_count = builder->vertex_count,
                       .vertex_stride = sizeof *builder->vertices,
                       .indices = builder->indices,
                       .triangle_count = builder->triangle_count};
    imp_Status status = imp_mesh_create(builder->context, &def, mesh);
    release(builder);
    return status;
}

uint32_t scene_add_vertex(SceneBuilder *builder, double x, double y, double z)
{
    assert(builder->vertex_count < builder->vertex_capacity);
    builder->vertices[builder->vertex_count] = (imp_Vec3){x, y, z};
    return (uint32_t)builder->vertex_count++;
}

void scene_add_triangle(SceneBuilder *builder, uint32_t a, uint32_t b, uint32_t c)
{
    assert(builder->triangle_count < builder->triangle_capacity);
    uint32_t *corners = builder->indices + 3 * builder->triangle_count++;
    corners[0] = a;
    corners[1] = b;
    corners[2] = c;
}

void scene_add_quad(SceneBuilder *builder, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    scene_add_triangle(builder, a, b, c);
    scene_add_triangle(builder, a, c, d);
}

void scene_add_band(SceneBuilder *builder, const uint32_t *from, const uint32_t *to, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t j = (i + 1) % count;
        scene_add_quad(builder, from[i], from[j], to[j], to[i]);
    }
}

void scene_add_fan(SceneBuilder *builder, const uint32_t *loop, uint32_t count, uint32_t apex)
{
    for (uint32_t i = 0; i < count; ++i)
        scene_add_triangle(builder, loop[i], loop[(i + 1) % count], apex);
}

void scene_add_ladder(SceneBuilder *builder, const uint32_t *loop, uint32_t count)
{
    for (uint32_t i = 0; i + 1 < count / 2; ++i)
        scene_add_quad(builder, loop[i], loop[i + 1], loop[count - 2 - i], loop[count - 1 - i]);
}
