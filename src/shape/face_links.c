#include "shape/face_links.h"

#include "shape/mesh_topology.h"

#include <string.h>

// Faces at each vertex, by counting. A face that has a vertex twice is listed twice.
static void link_vertices(impi_FaceLinks *links)
{
    size_t corner_count = 3 * links->face_count;
    memset(links->first_faces, 0, (links->vertex_count + 1) * sizeof *links->first_faces);
    for (size_t i = 0; i < corner_count; ++i)
        ++links->first_faces[links->corners[i]];
    size_t sum = 0;
    for (size_t v = 0; v <= links->vertex_count; ++v) {
        size_t count = links->first_faces[v];
        links->first_faces[v] = sum;
        sum += count;
    }
    for (size_t i = 0; i < corner_count; ++i)
        links->faces[links->first_faces[links->corners[i]]++] = (uint32_t)(i / 3);
    // Each begin has moved to its end, which is the begin of the next one.
    memmove(links->first_faces + 1, links->first_faces, links->vertex_count * sizeof *links->first_faces);
    links->first_faces[0] = 0;
}

// Is every edge used equally often in both directions?
static imp_Status find_closed(imp_Context *context, const impi_Corners *corners, bool *is_closed)
{
    impi_HalfEdges half_edges = {0};
    impi_ArenaMark mark = impi_arena_mark(&context->scratch);
    imp_Status status = impi_half_edges_sort(context, corners, &half_edges);
    if (status == IMP_STATUS_OK)
        *is_closed = impi_half_edges_are_closed(&half_edges);
    impi_arena_rewind(&context->scratch, mark);
    return status;
}

imp_Status impi_face_links_find(imp_Context *context, const imp_Mesh *mesh, impi_FaceLinks *links)
{
    impi_Arena *arena = &context->scratch;
    impi_Corners corners = {0};
    imp_Status status = impi_corners_find(context, mesh, &corners);
    if (status != IMP_STATUS_OK)
        return status;
    impi_FaceLinks found = {.face_count = corners.triangle_count,
                            .vertex_count = corners.distinct_count,
                            .corners = corners.numbers};
    found.vertices = impi_arena_allocate_array(arena, found.vertex_count, sizeof *found.vertices);
    found.first_faces = impi_arena_allocate_array(arena, found.vertex_count + 1, sizeof *found.first_faces);
    found.faces = impi_arena_allocate_array(arena, 3 * found.face_count, sizeof *found.faces);
    if (!found.vertices || !found.first_faces || !found.faces)
        return impi_fail_out_of_memory(context);
    impi_corners_list_vertices(mesh, &corners, found.vertices);
    link_vertices(&found);
    status = find_closed(context, &corners, &found.is_closed);
    if (status == IMP_STATUS_OK)
        *links = found;
    return status;
}

void impi_face_links_free(const imp_Allocator *allocator, impi_FaceLinks *links)
{
    if (!links)
        return;
    impi_release(allocator, links->corners, 3 * links->face_count * sizeof *links->corners);
    impi_release(allocator, links->vertices, links->vertex_count * sizeof *links->vertices);
    impi_release(allocator, links->first_faces, (links->vertex_count + 1) * sizeof *links->first_faces);
    impi_release(allocator, links->faces, 3 * links->face_count * sizeof *links->faces);
    impi_release(allocator, links, sizeof *links);
}

static void *copy_array(const imp_Allocator *allocator, const void *from, size_t count, size_t size)
{
    void *copy = impi_allocate_array(allocator, count, size);
    if (copy && from)
        memcpy(copy, from, count * size);
    return copy;
}

static imp_Status copy_links(imp_Context *context, const imp_Mesh *mesh, impi_FaceLinks **links)
{
    const imp_Allocator *allocator = &mesh->shape.allocator;
    impi_FaceLinks found = {0};
    imp_Status status = impi_face_links_find(context, mesh, &found);
    if (status != IMP_STATUS_OK)
        return status;
    impi_FaceLinks *copy = impi_allocate(allocator, sizeof *copy);
    if (!copy)
        return impi_fail_out_of_memory(context);
    *copy = found;
    copy->corners = copy_array(allocator, found.corners, 3 * found.face_count, sizeof *found.corners);
    copy->vertices = copy_array(allocator, found.vertices, found.vertex_count, sizeof *found.vertices);
    copy->first_faces =
        copy_array(allocator, found.first_faces, found.vertex_count + 1, sizeof *found.first_faces);
    copy->faces = copy_array(allocator, found.faces, 3 * found.face_count, sizeof *found.faces);
    if (!copy->corners || !copy->vertices || !copy->first_faces || !copy->faces) {
        impi_face_links_free(allocator, copy);
        return impi_fail_out_of_memory(context);
    }
    *links = copy;
    return IMP_STATUS_OK;
}

imp_Status impi_mesh_face_links(imp_Context *context, const imp_Mesh *mesh, const impi_FaceLinks **links)
{
    // A cache: a mesh that is constant to its users may still get it.
    imp_Mesh *owner = (imp_Mesh *)mesh;
    impi_FaceLinks *known = atomic_load_explicit(&owner->face_links, memory_order_acquire);
    if (!known) {
        impi_FaceLinks *made = NULL;
        impi_ArenaMark mark = impi_arena_mark(&context->scratch);
        imp_Status status = copy_links(context, mesh, &made);
        impi_arena_rewind(&context->scratch, mark);
        if (status != IMP_STATUS_OK)
            return status;
        if (atomic_compare_exchange_strong(&owner->face_links, &known, made))
            known = made;
        else
            impi_face_links_free(&mesh->shape.allocator, made);
    }
    *links = known;
    return IMP_STATUS_OK;
}
