// Equal vertices are found by hashing their coordinates, equal edges by sorting: two stable counting sorts
// whose digit is a whole corner number, first by the higher end, then by the lower one. All of it is linear
// in the number of triangles, whatever the valence of the vertices.
#include "shape/mesh_topology.h"

#include "base/disjoint_sets.h"
#include "base/item_table.h"

#include <string.h>

static impi_ItemKey coordinates_key(const void *source, uint32_t vertex)
{
    const imp_Vec3 *v = (const imp_Vec3 *)source + vertex;
    // Adding +0 turns -0 into +0 and leaves every other number alone.
    double xyz[3] = {v->x + 0.0, v->y + 0.0, v->z + 0.0};
    impi_ItemKey key;
    memcpy(&key, xyz, sizeof key);
    return key;
}

static void mark_used_vertices(const impi_MeshArrays *arrays, uint32_t *numbers)
{
    for (size_t v = 0; v < arrays->vertex_count; ++v)
        numbers[v] = IMPI_UNUSED_VERTEX;
    for (size_t i = 0; i < 3 * arrays->triangle_count; ++i)
        numbers[arrays->indices[i]] = 0;
}

// False when told to end, here and below.
static bool number_vertices(impi_Watch *watch, const impi_MeshArrays *arrays, const impi_ItemTable *table,
                            uint32_t *numbers, impi_Corners *corners)
{
    impi_watch_work(watch, "comparing vertices", arrays->vertex_count);
    for (size_t v = 0; v < arrays->vertex_count; ++v) {
        if (!impi_watch_item(watch, v))
            return false;
        if (numbers[v] == IMPI_UNUSED_VERTEX) {
            ++corners->unused_count;
            continue;
        }
        uint32_t first = impi_item_table_add(table, (uint32_t)v, coordinates_key, arrays->vertices);
        numbers[v] = first == v ? (uint32_t)corners->distinct_count++ : numbers[first];
    }
    return true;
}

imp_Status impi_corners_find(imp_Context *context, const imp_Mesh *mesh, impi_Corners *corners)
{
    const impi_MeshArrays *arrays = &mesh->arrays;
    impi_Arena *arena = &context->scratch;
    impi_Corners found = {.triangle_count = arrays->triangle_count};
    found.numbers = impi_arena_allocate_array(arena, 3 * arrays->triangle_count, sizeof *found.numbers);
    impi_ArenaMark mark = impi_arena_mark(arena);
    impi_ItemTable table;
    uint32_t *vertex_numbers = impi_arena_allocate_array(arena, arrays->vertex_count, sizeof *vertex_numbers);
    if (!found.numbers || !vertex_numbers || !impi_item_table_make(arena, arrays->vertex_count, &table))
        return impi_fail_out_of_memory(context);
    mark_used_vertices(arrays, vertex_numbers);
    if (!number_vertices(&context->watch, arrays, &table, vertex_numbers, &found))
        return impi_watch_status(context);
    for (size_t i = 0; i < 3 * arrays->triangle_count; ++i)
        found.numbers[i] = vertex_numbers[arrays->indices[i]];
    impi_arena_rewind(arena, mark);
    *corners = found;
    return IMP_STATUS_OK;
}

void impi_corners_list_vertices(const imp_Mesh *mesh, const impi_Corners *corners, uint32_t *vertices)
{
    for (size_t i = 0; i < corners->distinct_count; ++i)
        vertices[i] = UINT32_MAX;
    for (size_t i = 0; i < 3 * corners->triangle_count; ++i) {
        uint32_t vertex = mesh->arrays.indices[i];
        uint32_t *first = &vertices[corners->numbers[i]];
        *first = vertex < *first ? vertex : *first;
    }
}

static bool list_half_edges(impi_Watch *watch, const impi_Corners *corners, impi_HalfEdge *half_edges,
                            size_t *half_edge_count)
{
    size_t count = 0;
    for (size_t face = 0; face < corners->triangle_count; ++face) {
        if (!impi_watch_item(watch, face))
            return false;
        for (unsigned side = 0; side < 3; ++side) {
            uint32_t from = corners->numbers[3 * face + side];
            uint32_t to = corners->numbers[3 * face + (side + 1) % 3];
            bool ascending = from < to;
            if (from != to)
                half_edges[count++] = (impi_HalfEdge){.low = ascending ? from : to,
                                                      .high = ascending ? to : from,
                                                      .face = (uint32_t)face,
                                                      .side = (uint16_t)side,
                                                      .ascending = ascending};
        }
    }
    *half_edge_count = count;
    return true;
}

static uint32_t low_corner(const impi_HalfEdge *half_edge)
{
    return half_edge->low;
}

static uint32_t high_corner(const impi_HalfEdge *half_edge)
{
    return half_edge->high;
}

// `starts` has room for one number per corner and one more.
static inline bool counting_sort(impi_Watch *watch, const impi_HalfEdge *from, impi_HalfEdge *to,
                                 size_t count, size_t *starts, size_t corner_count,
                                 uint32_t (*digit)(const impi_HalfEdge *))
{
    memset(starts, 0, (corner_count + 1) * sizeof *starts);
    for (size_t i = 0; i < count; ++i) {
        if (!impi_watch_item(watch, i))
            return false;
        ++starts[digit(&from[i]) + 1];
    }
    for (size_t c = 1; c < corner_count; ++c)
        starts[c] += starts[c - 1];
    for (size_t i = 0; i < count; ++i) {
        if (!impi_watch_item(watch, i))
            return false;
        to[starts[digit(&from[i])]++] = from[i];
    }
    return true;
}

imp_Status impi_half_edges_sort(imp_Context *context, const impi_Corners *corners, impi_HalfEdges *half_edges)
{
    impi_Arena *arena = &context->scratch;
    size_t most = 3 * corners->triangle_count;
    impi_HalfEdge *sorted = impi_arena_allocate_array(arena, most, sizeof *sorted);
    impi_ArenaMark mark = impi_arena_mark(arena);
    impi_HalfEdge *spare = impi_arena_allocate_array(arena, most, sizeof *spare);
    size_t *starts = impi_arena_allocate_array(arena, corners->distinct_count + 1, sizeof *starts);
    if (!sorted || !spare || !starts)
        return impi_fail_out_of_memory(context);
    impi_Watch *watch = &context->watch;
    size_t count, corner_count = corners->distinct_count;
    impi_watch_work(watch, "sorting edges", corners->triangle_count + 4 * most);
    if (!list_half_edges(watch, corners, sorted, &count) ||
        !counting_sort(watch, sorted, spare, count, starts, corner_count, high_corner) ||
        !counting_sort(watch, spare, sorted, count, starts, corner_count, low_corner))
        return impi_watch_status(context);
    impi_arena_rewind(arena, mark);
    *half_edges = (impi_HalfEdges){sorted, count};
    return IMP_STATUS_OK;
}

size_t impi_half_edges_run_end(const impi_HalfEdges *half_edges, size_t begin)
{
    const impi_HalfEdge *data = half_edges->data;
    size_t end = begin + 1;
    while (end < half_edges->count && data[end].low == data[begin].low && data[end].high == data[begin].high)
        ++end;
    return end;
}

bool impi_half_edges_are_closed(const impi_HalfEdges *half_edges)
{
    for (size_t begin = 0, end; begin < half_edges->count; begin = end) {
        end = impi_half_edges_run_end(half_edges, begin);
        size_t ascending = 0;
        for (size_t i = begin; i < end; ++i)
            ascending += half_edges->data[i].ascending;
        if (2 * ascending != end - begin)
            return false;
    }
    return true;
}

imp_Status impi_components_find(imp_Context *context, const impi_Corners *corners,
                                uint32_t **component_of_face, size_t *component_count)
{
    impi_Arena *arena = &context->scratch;
    uint32_t *components = impi_arena_allocate_array(arena, corners->triangle_count, sizeof *components);
    impi_ArenaMark mark = impi_arena_mark(arena);
    uint32_t *parents = impi_arena_allocate_array(arena, corners->distinct_count, sizeof *parents);
    uint32_t *component_of_root =
        impi_arena_allocate_array(arena, corners->distinct_count, sizeof *component_of_root);
    if (!components || !parents || !component_of_root)
        return impi_fail_out_of_memory(context);
    impi_sets_begin(parents, 0, corners->distinct_count);
    for (size_t c = 0; c < corners->distinct_count; ++c)
        component_of_root[c] = IMPI_NO_ITEM;
    impi_watch_work(&context->watch, "finding components", 2 * corners->triangle_count);
    for (size_t face = 0; face < corners->triangle_count; ++face) {
        if (!impi_watch_item(&context->watch, face))
            return impi_watch_status(context);
        const uint32_t *corner = corners->numbers + 3 * face;
        impi_sets_unite(parents, corner[0], corner[1]);
        impi_sets_unite(parents, corner[0], corner[2]);
    }
    uint32_t count = 0;
    for (size_t face = 0; face < corners->triangle_count; ++face) {
        if (!impi_watch_item(&context->watch, face))
            return impi_watch_status(context);
        uint32_t root = impi_set_of(parents, corners->numbers[3 * face]);
        if (component_of_root[root] == IMPI_NO_ITEM)
            component_of_root[root] = count++;
        components[face] = component_of_root[root];
    }
    impi_arena_rewind(arena, mark);
    *component_of_face = components;
    *component_count = count;
    return IMP_STATUS_OK;
}

static void swap_if_greater(uint64_t *a, uint64_t *b)
{
    uint64_t low = *a < *b ? *a : *b, high = *a < *b ? *b : *a;
    *a = low;
    *b = high;
}

static impi_ItemKey corner_set_key(const void *source, uint32_t face)
{
    const uint32_t *corner = (const uint32_t *)source + 3 * (size_t)face;
    impi_ItemKey key = {{corner[0], corner[1], corner[2]}};
    swap_if_greater(&key.words[0], &key.words[1]);
    swap_if_greater(&key.words[1], &key.words[2]);
    swap_if_greater(&key.words[0], &key.words[1]);
    return key;
}

imp_Status impi_duplicates_count(imp_Context *context, const impi_Corners *corners, size_t *count)
{
    impi_ArenaMark mark = impi_arena_mark(&context->scratch);
    impi_ItemTable table;
    if (!impi_item_table_make(&context->scratch, corners->triangle_count, &table))
        return impi_fail_out_of_memory(context);
    size_t duplicates = 0;
    impi_watch_work(&context->watch, "comparing triangles", corners->triangle_count);
    for (size_t face = 0; face < corners->triangle_count; ++face) {
        if (!impi_watch_item(&context->watch, face))
            return impi_watch_status(context);
        duplicates += impi_item_table_add(&table, (uint32_t)face, corner_set_key, corners->numbers) != face;
    }
    impi_arena_rewind(&context->scratch, mark);
    *count = duplicates;
    return IMP_STATUS_OK;
}

static imp_Status find_edges(imp_Context *context, const imp_Mesh *mesh, impi_HalfEdges *half_edges)
{
    impi_Corners corners = {0};
    imp_Status status = impi_corners_find(context, mesh, &corners);
    return status == IMP_STATUS_OK ? impi_half_edges_sort(context, &corners, half_edges) : status;
}

imp_Status impi_mesh_is_closed(imp_Context *context, const imp_Mesh *mesh, bool *closed)
{
    int known = atomic_load_explicit(&mesh->closedness, memory_order_relaxed);
    if (known == IMPI_CLOSEDNESS_UNKNOWN) {
        impi_HalfEdges half_edges = {0};
        imp_Status status = find_edges(context, mesh, &half_edges);
        if (status != IMP_STATUS_OK)
            return status;
        impi_mesh_keep_closedness(mesh, impi_half_edges_are_closed(&half_edges));
        known = atomic_load_explicit(&mesh->closedness, memory_order_relaxed);
    }
    *closed = known == IMPI_CLOSEDNESS_CLOSED;
    return IMP_STATUS_OK;
}

// Meshes are const to their users, but never const objects; this is the one field that is filled in late.
void impi_mesh_keep_closedness(const imp_Mesh *mesh, bool closed)
{
    atomic_store_explicit(&((imp_Mesh *)mesh)->closedness,
                          closed ? IMPI_CLOSEDNESS_CLOSED : IMPI_CLOSEDNESS_OPEN, memory_order_relaxed);
}

imp_Status impi_mesh_adjacency(imp_Context *context, const imp_Mesh *mesh, uint32_t *neighbours)
{
    impi_HalfEdges half_edges = {0};
    imp_Status status = find_edges(context, mesh, &half_edges);
    if (status != IMP_STATUS_OK)
        return status;
    for (size_t i = 0; i < 3 * mesh->arrays.triangle_count; ++i)
        neighbours[i] = IMP_NO_FACE;
    for (size_t begin = 0, end; begin < half_edges.count; begin = end) {
        end = impi_half_edges_run_end(&half_edges, begin);
        const impi_HalfEdge *a = &half_edges.data[begin];
        if (end - begin != 2 || a[0].face == a[1].face)
            continue;
        neighbours[3 * (size_t)a[0].face + a[0].side] = a[1].face;
        neighbours[3 * (size_t)a[1].face + a[1].side] = a[0].face;
    }
    return IMP_STATUS_OK;
}
