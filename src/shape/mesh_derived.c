#include "shape/mesh_derived.h"

#include "shape/bounds.h"
#include "shape/face_links.h"
#include "shape/face_parts.h"
#include "shape/mesh_topology.h"

#include <string.h>

// Derived parts are caches: a mesh that is constant to its users may still get them.
static imp_Mesh *mutable_mesh(const imp_Mesh *mesh)
{
    return (imp_Mesh *)mesh;
}

static void free_blocks(const imp_Allocator *allocator, impi_MeshBlocks *tree)
{
    if (!tree)
        return;
    impi_release(allocator, tree->vertices, tree->blocks.vertex_count * sizeof *tree->vertices);
    impi_release(allocator, tree->boxes, impi_group_count(tree->blocks.block_count) * sizeof *tree->boxes);
    impi_face_blocks_free(allocator, &tree->blocks);
    impi_release(allocator, tree, sizeof *tree);
}

static imp_Status make_blocks(imp_Context *context, const imp_Mesh *mesh, impi_MeshBlocks **tree)
{
    impi_MeshBlocks *made = impi_allocate(&mesh->shape.allocator, sizeof *made);
    if (!made)
        return impi_fail_out_of_memory(context);
    *made = (impi_MeshBlocks){0};
    imp_Status status = impi_face_blocks_build(context, mesh, &made->blocks);
    size_t groups = impi_group_count(made->blocks.block_count);
    if (status == IMP_STATUS_OK) {
        made->vertices =
            impi_allocate_array(&mesh->shape.allocator, made->blocks.vertex_count, sizeof *made->vertices);
        made->boxes = impi_allocate_array(&mesh->shape.allocator, groups, sizeof *made->boxes);
        status = made->vertices && made->boxes ? IMP_STATUS_OK : impi_fail_out_of_memory(context);
    }
    if (status != IMP_STATUS_OK) {
        free_blocks(&mesh->shape.allocator, made);
        return status;
    }
    impi_gather_blocks(&made->blocks, mesh->arrays.vertices, made->vertices, made->boxes);
    *tree = made;
    return IMP_STATUS_OK;
}

imp_Status impi_mesh_blocks(imp_Context *context, const imp_Mesh *mesh, const impi_MeshBlocks **tree)
{
    imp_Mesh *owner = mutable_mesh(mesh);
    impi_MeshBlocks *known = atomic_load_explicit(&owner->blocks, memory_order_acquire);
    if (!known) {
        impi_MeshBlocks *made = NULL;
        imp_Status status = make_blocks(context, mesh, &made);
        if (status != IMP_STATUS_OK)
            return status;
        if (atomic_compare_exchange_strong(&owner->blocks, &known, made))
            known = made;
        else
            free_blocks(&mesh->shape.allocator, made);
    }
    *tree = known;
    return IMP_STATUS_OK;
}

static void free_oriented_boxes(const imp_Allocator *allocator, impi_OrientedLanes *boxes,
                                const impi_MeshBlocks *tree)
{
    if (boxes && tree)
        impi_release(allocator, boxes, impi_group_count(tree->blocks.block_count) * sizeof *boxes);
}

imp_Status impi_mesh_oriented_boxes(imp_Context *context, const imp_Mesh *mesh,
                                    const impi_OrientedLanes **boxes)
{
    imp_Mesh *owner = mutable_mesh(mesh);
    impi_OrientedLanes *known = atomic_load_explicit(&owner->oriented_boxes, memory_order_acquire);
    if (!known) {
        const impi_MeshBlocks *tree = NULL;
        imp_Status status = impi_mesh_blocks(context, mesh, &tree);
        if (!tree)
            return status;
        impi_OrientedLanes *made = impi_allocate_array(
            &mesh->shape.allocator, impi_group_count(tree->blocks.block_count), sizeof *made);
        if (!made)
            return impi_fail_out_of_memory(context);
        double largest = impi_largest_coordinate(&tree->vertices->x, 3 * tree->blocks.vertex_count);
        impi_oriented_boxes_fit(&tree->blocks, tree->vertices, largest, made);
        if (atomic_compare_exchange_strong(&owner->oriented_boxes, &known, made))
            known = made;
        else
            free_oriented_boxes(&mesh->shape.allocator, made, tree);
    }
    *boxes = known;
    return IMP_STATUS_OK;
}

static size_t component_vertices_size(size_t count)
{
    return sizeof(impi_ComponentVertices) + count * sizeof(uint32_t);
}

static void free_component_vertices(const imp_Allocator *allocator, impi_ComponentVertices *components)
{
    if (components)
        impi_release(allocator, components, component_vertices_size(components->count));
}

imp_Status impi_component_vertices_find(imp_Context *context, const imp_Mesh *mesh,
                                        const impi_ComponentVertices **components)
{
    impi_Corners corners;
    uint32_t *component_of_face;
    size_t count;
    imp_Status status = impi_corners_find(context, mesh, &corners);
    if (status == IMP_STATUS_OK)
        status = impi_components_find(context, &corners, &component_of_face, &count);
    if (status != IMP_STATUS_OK)
        return status;
    impi_ComponentVertices *found = impi_arena_allocate(&context->scratch, component_vertices_size(count));
    if (!found)
        return impi_fail_out_of_memory(context);
    found->count = 0;
    // Components count in the order of their first faces.
    for (size_t face = 0; face < mesh->arrays.triangle_count; ++face) {
        if (component_of_face[face] == found->count)
            found->vertices[found->count++] = mesh->arrays.indices[3 * face];
    }
    *components = found;
    return IMP_STATUS_OK;
}

static imp_Status copy_component_vertices(imp_Context *context, const imp_Mesh *mesh,
                                          impi_ComponentVertices **components)
{
    const impi_ComponentVertices *found = NULL;
    imp_Status status = impi_component_vertices_find(context, mesh, &found);
    if (!found)
        return status;
    *components = impi_allocate(&mesh->shape.allocator, component_vertices_size(found->count));
    if (!*components)
        return impi_fail_out_of_memory(context);
    memcpy(*components, found, component_vertices_size(found->count));
    return IMP_STATUS_OK;
}

imp_Status impi_mesh_component_vertices(imp_Context *context, const imp_Mesh *mesh,
                                        const impi_ComponentVertices **components)
{
    imp_Mesh *owner = mutable_mesh(mesh);
    impi_ComponentVertices *known = atomic_load_explicit(&owner->component_vertices, memory_order_acquire);
    if (!known) {
        impi_ComponentVertices *made = NULL;
        impi_ArenaMark mark = impi_arena_mark(&context->scratch);
        imp_Status status = copy_component_vertices(context, mesh, &made);
        impi_arena_rewind(&context->scratch, mark);
        if (status != IMP_STATUS_OK)
            return status;
        if (atomic_compare_exchange_strong(&owner->component_vertices, &known, made))
            known = made;
        else
            free_component_vertices(&mesh->shape.allocator, made);
    }
    *components = known;
    return IMP_STATUS_OK;
}

void impi_mesh_free_derived(imp_Mesh *mesh)
{
    impi_MeshBlocks *blocks = atomic_load(&mesh->blocks);
    free_oriented_boxes(&mesh->shape.allocator, atomic_load(&mesh->oriented_boxes), blocks);
    if (blocks)
        impi_face_parts_free(&mesh->shape.allocator, &blocks->blocks, atomic_load(&mesh->face_parts));
    free_blocks(&mesh->shape.allocator, blocks);
    free_component_vertices(&mesh->shape.allocator, atomic_load(&mesh->component_vertices));
    impi_face_links_free(&mesh->shape.allocator, atomic_load(&mesh->face_links));
}
