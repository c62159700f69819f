// The first face in the order of blocks owns a vertex; edges are sorted to find those that are the same.
#include "shape/face_parts.h"

#include "base/radix_sort.h"
#include "shape/mesh_derived.h"

#include <string.h>

static size_t face_places(const impi_FaceBlocks *blocks)
{
    return blocks->block_count * IMPI_BLOCK_FACES;
}

void impi_face_parts_free(const imp_Allocator *allocator, const impi_FaceBlocks *blocks, uint8_t *parts)
{
    impi_release(allocator, parts, parts ? face_places(blocks) : 0);
}

// Numbers of the three vertices of a face.
static void find_vertices(const impi_FaceBlocks *blocks, size_t face, uint32_t vertices[3])
{
    const impi_FaceBlock *block = &blocks->blocks[face / IMPI_BLOCK_FACES];
    for (int i = 0; i < 3; ++i)
        vertices[i] = blocks->vertices[block->first_vertex + block->corners[i][face % IMPI_BLOCK_FACES]];
}

static bool has_face(const impi_FaceBlocks *blocks, size_t face)
{
    return face % IMPI_BLOCK_FACES < blocks->blocks[face / IMPI_BLOCK_FACES].face_count;
}

static void own_vertices(const impi_FaceBlocks *blocks, bool *is_owned, uint8_t *parts)
{
    for (size_t face = 0; face < face_places(blocks); ++face) {
        uint32_t vertices[3];
        if (!has_face(blocks, face))
            continue;
        find_vertices(blocks, face, vertices);
        for (int i = 0; i < 3; ++i) {
            parts[face] |= (uint8_t)(!is_owned[vertices[i]] << i);
            is_owned[vertices[i]] = true;
        }
    }
}

// The i-th edge of all is that from corner i % 3 of face i / 3 on, faces counting in the order of blocks with
// all places that blocks have. Sorted stably, the first of several that are the same is that of the owner.
static void own_edges(impi_KeyedArrays edges, size_t count, uint8_t *parts)
{
    for (size_t i = 0; i < count; ++i)
        if (i == 0 || edges.keys[i] != edges.keys[i - 1])
            parts[edges.payloads[i] / 3] |= (uint8_t)(8u << edges.payloads[i] % 3);
}

static size_t list_edges(const impi_FaceBlocks *blocks, impi_KeyedArrays edges)
{
    size_t count = 0;
    for (size_t face = 0; face < face_places(blocks); ++face) {
        uint32_t vertices[3];
        if (!has_face(blocks, face))
            continue;
        find_vertices(blocks, face, vertices);
        for (uint32_t i = 0; i < 3; ++i) {
            uint64_t from = vertices[i], to = vertices[(i + 1) % 3];
            edges.keys[count] = from < to ? from << 32 | to : to << 32 | from;
            edges.payloads[count++] = (uint32_t)(3 * face + i);
        }
    }
    return count;
}

static impi_KeyedArrays allocate_edges(impi_Arena *arena, size_t count)
{
    return (impi_KeyedArrays){impi_arena_allocate_array(arena, count, sizeof(uint64_t)),
                              impi_arena_allocate_array(arena, count, sizeof(uint32_t))};
}

static bool find_parts(impi_Arena *arena, const imp_Mesh *mesh, const impi_FaceBlocks *blocks, uint8_t *parts)
{
    size_t count = 3 * mesh->arrays.triangle_count;
    bool *is_owned = impi_arena_allocate_array(arena, mesh->arrays.vertex_count, sizeof *is_owned);
    impi_KeyedArrays edges = allocate_edges(arena, count), spare = allocate_edges(arena, count);
    if (!is_owned || !edges.keys || !edges.payloads || !spare.keys || !spare.payloads)
        return false;
    memset(is_owned, 0, mesh->arrays.vertex_count * sizeof *is_owned);
    memset(parts, 0, face_places(blocks));
    own_vertices(blocks, is_owned, parts);
    count = list_edges(blocks, edges);
    own_edges(impi_radix_sort_keyed(edges, spare, count, 0, 64), count, parts);
    return true;
}

static imp_Status make_parts(imp_Context *context, const imp_Mesh *mesh, const impi_FaceBlocks *blocks,
                             uint8_t **parts)
{
    impi_ArenaMark mark = impi_arena_mark(&context->scratch);
    uint8_t *made = impi_allocate(&mesh->shape.allocator, face_places(blocks));
    bool can_number = face_places(blocks) <= UINT32_MAX / 3;
    if (made && !can_number) // to look at everything is right too
        memset(made, 0x3F, face_places(blocks));
    bool done = made && (!can_number || find_parts(&context->scratch, mesh, blocks, made));
    impi_arena_rewind(&context->scratch, mark);
    if (!done) {
        impi_face_parts_free(&mesh->shape.allocator, blocks, made);
        return impi_fail_out_of_memory(context);
    }
    *parts = made;
    return IMP_STATUS_OK;
}

imp_Status impi_mesh_face_parts(imp_Context *context, const imp_Mesh *mesh, const uint8_t **parts)
{
    imp_Mesh *owner = (imp_Mesh *)mesh; // a cache: see mesh_derived.c
    uint8_t *known = atomic_load_explicit(&owner->face_parts, memory_order_acquire);
    if (!known) {
        const impi_MeshBlocks *tree = NULL;
        uint8_t *made = NULL;
        imp_Status status = impi_mesh_blocks(context, mesh, &tree);
        if (status == IMP_STATUS_OK)
            status = make_parts(context, mesh, &tree->blocks, &made);
        if (status != IMP_STATUS_OK)
            return status;
        if (atomic_compare_exchange_strong(&owner->face_parts, &known, made))
            known = made;
        else
            impi_face_parts_free(&mesh->shape.allocator, &tree->blocks, made);
    }
    *parts = known;
    return IMP_STATUS_OK;
}
