#include "object/body_contains.h"

#include "object/posed_surface.h"
#include "shape/bounds.h"
#include "shape/point_location.h"

#include <math.h>
#include <string.h>

typedef struct RayQuery {
    impi_Body *body;
    imp_Vec3 point;
    int64_t winding;
    bool on_surface;
} RayQuery;

static bool add_block_crossings(uint32_t number, const imp_Box *box, void *argument)
{
    RayQuery *query = argument;
    const impi_FaceBlock *block = &query->body->blocks->blocks.blocks[number];
    (void)box;
    if (!impi_block_is_posed(query->body, number))
        impi_block_pose(query->body, number);
    for (unsigned i = 0; i < block->face_count; ++i) {
        imp_Triangle triangle =
            impi_surface_triangle(impi_surface_of(query->body), impi_block_face(number, i));
        query->winding += impi_triangle_crossing(&triangle, &query->point, &query->on_surface);
    }
    return true;
}

bool impi_body_contains(impi_Body *body, imp_Vec3 point)
{
    RayQuery query = {.body = body, .point = point};
    imp_Box ray = {point, {point.x, point.y, INFINITY}};
    impi_block_tree_visit(&impi_surface_of(body)->tree, &ray, add_block_crossings, &query);
    return query.winding != 0 && !query.on_surface;
}

// Its vertices, which stand block by block, are put back into the mesh's order.
imp_Status impi_deformed_shape(imp_Context *context, const impi_Body *body, imp_Mesh *shape)
{
    const impi_FaceBlocks *blocks = &body->blocks->blocks;
    const imp_Mesh *mesh = impi_body_surface(body);
    size_t count = mesh->arrays.vertex_count;
    imp_Vec3 *vertices = impi_arena_allocate_array(&context->scratch, count, sizeof *vertices);
    if (!vertices)
        return impi_fail_out_of_memory(context);
    memcpy(vertices, mesh->arrays.vertices, count * sizeof *vertices);
    imp_Box bounds = {body->deformed.vertices[0], body->deformed.vertices[0]};
    for (size_t i = 0; i < blocks->vertex_count; ++i) {
        vertices[blocks->vertices[i]] = body->deformed.vertices[i];
        impi_box_add(&bounds, &body->deformed.vertices[i]);
    }
    *shape = (imp_Mesh){.arrays = mesh->arrays};
    shape->shape.bounds = bounds;
    shape->shape.allocator = mesh->shape.allocator;
    shape->arrays.vertices = vertices;
    return IMP_STATUS_OK;
}
