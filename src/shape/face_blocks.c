// Blocks of faces that are near each other, by the order of shape/spatial_order.h.
#include "shape/face_blocks.h"

#include "base/array.h"
#include "geom/scalar.h"
#include "shape/bounds.h"
#include "shape/spatial_order.h"

#include <math.h>
#include <string.h>

static double coordinate(const imp_Vec3 *v, int axis)
{
    return axis == 0 ? v->x : axis == 1 ? v->y : v->z;
}

static void fill_items(const imp_Mesh *mesh, impi_SpatialItem *items)
{
    impi_UnitFrame frame = impi_unit_frame(&mesh->shape.bounds);
    double scale = impi_unit_scale(&frame);
    for (size_t face = 0; face < mesh->arrays.triangle_count; ++face) {
        imp_Triangle t = impi_mesh_triangle(mesh, face);
        for (int axis = 0; axis < 3; ++axis) {
            double u = coordinate(&t.v[0], axis), v = coordinate(&t.v[1], axis),
                   w = coordinate(&t.v[2], axis);
            double low = impi_smaller(impi_smaller(u, v), w), high = impi_larger(impi_larger(u, v), w);
            items[face].centre[axis] =
                (float)((0.5 * low + 0.5 * high - coordinate(&frame.centre, axis)) * scale);
        }
        items[face].id = (uint32_t)face;
    }
}

// Where a vertex stands in the list of the block that used it last.
typedef struct VertexPosition {
    uint32_t block; // plus one; zero is none
    uint8_t position;
} VertexPosition;

static bool fill_block(const imp_Allocator *allocator, const uint32_t *indices, VertexPosition *positions,
                       impi_FaceBlocks *blocks, uint32_t number)
{
    impi_FaceBlock *block = &blocks->blocks[number];
    IMPI_ARRAY(uint32_t) list = {blocks->vertices, blocks->vertex_count, blocks->vertex_capacity};
    if (!impi_array_reserve(allocator, &list, sizeof *list.data, list.count + (size_t)3 * IMPI_BLOCK_FACES))
        return false;
    block->first_vertex = (uint32_t)list.count;
    for (unsigned i = 0; i < block->face_count; ++i) {
        for (unsigned k = 0; k < 3; ++k) {
            uint32_t vertex = indices[3 * (size_t)block->faces[i] + k];
            if (positions[vertex].block != number + 1) {
                positions[vertex].block = number + 1;
                positions[vertex].position = (uint8_t)(list.count - block->first_vertex);
                list.data[list.count++] = vertex;
            }
            block->corners[k][i] = positions[vertex].position;
        }
    }
    block->vertex_count = (uint16_t)(list.count - block->first_vertex);
    blocks->vertices = list.data;
    blocks->vertex_count = list.count;
    blocks->vertex_capacity = list.capacity;
    return true;
}

static bool fill_blocks(const imp_Allocator *allocator, const impi_SpatialItem *items,
                        const uint32_t *indices, size_t count, VertexPosition *positions,
                        impi_FaceBlocks *blocks)
{
    for (size_t number = 0; number < blocks->block_count; ++number) {
        impi_FaceBlock *block = &blocks->blocks[number];
        size_t begin = number * IMPI_BLOCK_FACES;
        size_t length = count - begin < IMPI_BLOCK_FACES ? count - begin : IMPI_BLOCK_FACES;
        memset(block, 0, sizeof *block);
        block->face_count = (uint16_t)length;
        for (size_t i = 0; i < length; ++i)
            block->faces[i] = items[begin + i].id;
        if (!fill_block(allocator, indices, positions, blocks, (uint32_t)number))
            return false;
    }
    return true;
}

imp_Status impi_face_blocks_build(imp_Context *context, const imp_Mesh *mesh, impi_FaceBlocks *blocks)
{
    const imp_Allocator *allocator = &mesh->shape.allocator;
    size_t vertex_count = mesh->arrays.vertex_count, triangle_count = mesh->arrays.triangle_count;
    if (triangle_count > UINT32_MAX / 3)
        return impi_fail(context, IMP_STATUS_TOO_LARGE, IMP_NOWHERE,
                         "%zu triangles are more than a body can have (%u)", triangle_count, UINT32_MAX / 3);
    impi_ArenaMark mark = impi_arena_mark(&context->scratch);
    impi_FaceBlocks made = {0};
    made.block_count = (triangle_count + IMPI_BLOCK_FACES - 1) / IMPI_BLOCK_FACES;
    impi_SpatialItem *items = impi_arena_allocate_array(&context->scratch, triangle_count, sizeof *items);
    VertexPosition *positions = impi_arena_allocate_array(&context->scratch, vertex_count, sizeof *positions);
    made.blocks = impi_allocate_array(allocator, made.block_count, sizeof *made.blocks);
    bool done = items && positions && made.blocks;
    if (done) {
        fill_items(mesh, items);
        memset(positions, 0, vertex_count * sizeof *positions);
        done = impi_spatial_order(NULL, items, triangle_count, IMPI_BLOCK_FACES) &&
               fill_blocks(allocator, items, mesh->arrays.indices, triangle_count, positions, &made);
    }
    impi_arena_rewind(&context->scratch, mark);
    if (!done) {
        impi_face_blocks_free(allocator, &made);
        return impi_fail_out_of_memory(context);
    }
    *blocks = made;
    return IMP_STATUS_OK;
}

void impi_face_blocks_free(const imp_Allocator *allocator, impi_FaceBlocks *blocks)
{
    impi_release(allocator, blocks->blocks, blocks->block_count * sizeof *blocks->blocks);
    impi_release(allocator, blocks->vertices, blocks->vertex_capacity * sizeof *blocks->vertices);
    *blocks = (impi_FaceBlocks){0};
}
