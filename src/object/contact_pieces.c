#include "object/contact_pieces.h"

#include "base/disjoint_sets.h"
#include "object/body_contains.h"
#include "object/contact_cells.h"

#include <stdlib.h>
#include <string.h>

#define VERTICES_PER_LOOK 16 // at the budget

static void unite(impi_InsidePieces *pieces, uint32_t a, uint32_t b)
{
    impi_sets_unite(pieces->sets.data, a, b);
}

// ---- touched faces

static impi_ItemKey touched_key(const void *source, uint32_t item)
{
    return (impi_ItemKey){{((const impi_InsidePieces *)source)->touched.data[item].face, 0, 0}};
}

static uint32_t find_touched(const impi_InsidePieces *pieces, uint32_t face)
{
    return impi_item_table_find(&pieces->touched_table, (impi_ItemKey){{face, 0, 0}}, touched_key, pieces);
}

static int compare_touched(const void *left, const void *right)
{
    uint32_t a = ((const impi_TouchedFace *)left)->face, b = ((const impi_TouchedFace *)right)->face;
    return (a > b) - (a < b);
}

// Each face once, ascending: so nothing hangs on which body is a.
static bool number_touched(impi_InsidePieces *pieces)
{
    const impi_ContactGraph *graph = pieces->graph;
    impi_TouchedFace *touched;
    size_t count = 0;
    if (!impi_array_reserve(&pieces->allocator, &pieces->touched, sizeof *touched, graph->pair_count) ||
        !impi_item_table_make(graph->arena, graph->pair_count, &pieces->touched_table))
        return false;
    touched = pieces->touched.data;
    for (size_t i = 0; i < graph->pair_count; ++i)
        touched[i] = (impi_TouchedFace){graph->pairs[i].faces[pieces->one], 0, 0};
    qsort(touched, graph->pair_count, sizeof *touched, compare_touched);
    for (size_t i = 0; i < graph->pair_count; ++i)
        if (i == 0 || touched[i].face != touched[count - 1].face)
            touched[count++] = touched[i];
    pieces->touched.count = count;
    for (uint32_t i = 0; i < count; ++i)
        impi_item_table_add(&pieces->touched_table, i, touched_key, pieces);
    return true;
}

// With the pairs that each is in, by the other's faces.
static bool list_touched(impi_InsidePieces *pieces)
{
    const impi_ContactGraph *graph = pieces->graph;
    pieces->face_pairs =
        impi_arena_allocate_array(graph->arena, graph->pair_count, sizeof *pieces->face_pairs);
    if (!pieces->face_pairs || !number_touched(pieces))
        return false;
    for (size_t i = 0; i < graph->pair_count; ++i)
        ++pieces->touched.data[find_touched(pieces, graph->pairs[i].faces[pieces->one])].pair_count;
    size_t sum = 0;
    for (size_t i = 0; i < pieces->touched.count; ++i) {
        pieces->touched.data[i].first_pair = sum;
        sum += pieces->touched.data[i].pair_count;
        pieces->touched.data[i].pair_count = 0;
    }
    for (size_t i = 0; i < graph->pair_count; ++i) {
        impi_TouchedFace *touched =
            &pieces->touched.data[find_touched(pieces, graph->pairs[i].faces[pieces->one])];
        pieces->face_pairs[touched->first_pair + touched->pair_count++] = (uint32_t)i;
    }
    return true;
}

// ---- nodes and segments

// Nodes that are more special than an edge through a face, or where more than two faces of the other meet,
// have no two sides.
static bool unite_nodes(impi_InsidePieces *pieces)
{
    const impi_ContactGraph *graph = pieces->graph;
    size_t count = graph->nodes.count;
    uint32_t *uses = impi_arena_allocate_array(graph->arena, count, sizeof *uses);
    if (!uses || !impi_array_reserve(&pieces->allocator, &pieces->sets, sizeof *pieces->sets.data, 2 * count))
        return false;
    pieces->sets.count = 2 * count;
    impi_sets_begin(pieces->sets.data, 0, 2 * count);
    memset(uses, 0, count * sizeof *uses);
    for (size_t i = 0; i < graph->pair_nodes.count; ++i)
        ++uses[graph->pair_nodes.data[i]];
    for (uint32_t i = 0; i < count; ++i) {
        const impi_ContactNode *node = &graph->nodes.data[i];
        bool has_sides =
            impi_node_is_piercing(node) && (node->kinds[pieces->one] == IMPI_PART_EDGE || uses[i] == 2);
        if (!has_sides)
            unite(pieces, 2 * i, 2 * i + 1);
    }
    return true;
}

static void unite_pairs(impi_InsidePieces *pieces)
{
    const impi_ContactGraph *graph = pieces->graph;
    for (size_t i = 0; i < graph->pair_count; ++i) {
        const impi_ContactFaces *pair = &graph->pairs[i];
        const uint32_t *nodes = graph->pair_nodes.data + pair->first_node;
        bool is_segment = impi_pair_is_segment(graph, pair);
        for (uint32_t k = 0; k < pair->node_count; ++k) {
            unite(pieces, 2 * nodes[0], 2 * nodes[k]);
            unite(pieces, 2 * nodes[0] + 1, 2 * nodes[k] + 1);
            if (!is_segment)
                unite(pieces, 2 * nodes[k], 2 * nodes[k] + 1);
        }
    }
}

// ---- vertices

static impi_ItemKey vertex_key(const void *source, uint32_t item)
{
    return (impi_ItemKey){{((const impi_InsidePieces *)source)->vertices.data[item].corner, 0, 0}};
}

uint32_t impi_pieces_vertex(const impi_InsidePieces *pieces, uint32_t corner)
{
    if (!pieces->vertex_table.slots)
        return IMPI_NO_ITEM;
    return impi_item_table_find(&pieces->vertex_table, (impi_ItemKey){{corner, 0, 0}}, vertex_key, pieces);
}

static bool add_vertex(impi_InsidePieces *pieces, uint32_t corner, bool is_inside)
{
    size_t count = pieces->vertices.count, sets = pieces->sets.count;
    if (!impi_array_reserve(&pieces->allocator, &pieces->vertices, sizeof *pieces->vertices.data,
                            count + 1) ||
        !impi_array_reserve(&pieces->allocator, &pieces->sets, sizeof *pieces->sets.data, sets + 1) ||
        !impi_item_table_grow(pieces->graph->arena, &pieces->vertex_table, count, count + 1, vertex_key,
                              pieces))
        return false;
    pieces->vertices.data[count] = (impi_FloodVertex){corner, is_inside};
    impi_item_table_add(&pieces->vertex_table, (uint32_t)count, vertex_key, pieces);
    impi_sets_begin(pieces->sets.data, sets, sets + 1);
    ++pieces->vertices.count;
    ++pieces->sets.count;
    return true;
}

static impi_ItemKey inside_key(const void *source, uint32_t item)
{
    return (impi_ItemKey){{((const impi_InsidePieces *)source)->inside.data[item].face, 0, 0}};
}

// An untouched face at a vertex inside: all of it is inside, and hangs together.
static bool add_inside_face(impi_InsidePieces *pieces, uint32_t face, uint32_t vertex)
{
    const uint32_t *corners = impi_face_corners(impi_pieces_side(pieces)->links, face);
    size_t count = pieces->inside.count;
    if (!impi_array_reserve(&pieces->allocator, &pieces->inside, sizeof *pieces->inside.data, count + 1) ||
        !impi_item_table_grow(pieces->graph->arena, &pieces->inside_table, count, count + 1, inside_key,
                              pieces))
        return false;
    pieces->inside.data[count] = (impi_InsideFace){face, vertex};
    if (impi_item_table_add(&pieces->inside_table, (uint32_t)count, inside_key, pieces) != count)
        return true;
    ++pieces->inside.count;
    for (int k = 0; k < 3; ++k) {
        uint32_t found = impi_pieces_vertex(pieces, corners[k]);
        if (found == IMPI_NO_ITEM) {
            found = (uint32_t)pieces->vertices.count;
            if (!add_vertex(pieces, corners[k], true))
                return false;
        }
        unite(pieces, impi_vertex_element(pieces, vertex), impi_vertex_element(pieces, found));
    }
    return true;
}

// From the vertices [first, end of the list), which grows meanwhile.
static imp_Status flood(impi_InsidePieces *pieces, size_t first, impi_Budget *budget)
{
    const impi_FaceLinks *links = impi_pieces_side(pieces)->links;
    for (size_t i = first; i < pieces->vertices.count; ++i) {
        uint32_t corner = pieces->vertices.data[i].corner;
        if (i % VERTICES_PER_LOOK == 0 && impi_budget_is_over(budget))
            return IMP_STATUS_OUT_OF_TIME;
        for (size_t k = links->first_faces[corner]; k < links->first_faces[corner + 1]; ++k)
            if (find_touched(pieces, links->faces[k]) == IMPI_NO_ITEM &&
                !add_inside_face(pieces, links->faces[k], (uint32_t)i))
                return IMP_STATUS_OUT_OF_MEMORY;
    }
    return IMP_STATUS_OK;
}

static bool box_holds(const imp_Box *box, const imp_Vec3 *point)
{
    return box->min.x <= point->x && point->x <= box->max.x && box->min.y <= point->y &&
           point->y <= box->max.y && box->min.z <= point->z && point->z <= box->max.z;
}

bool impi_pieces_contain(const impi_InsidePieces *pieces, imp_Vec3 point)
{
    impi_Body *other = impi_pieces_other(pieces)->body;
    return box_holds(&other->bounds, &point) && impi_body_contains(other, point);
}

static imp_Status flood_from_touched(impi_InsidePieces *pieces, const impi_EdgeNodes *edges,
                                     impi_Budget *budget)
{
    imp_Status status = IMP_STATUS_OK;
    for (size_t i = 0; i < pieces->touched.count && status == IMP_STATUS_OK; ++i) {
        const uint32_t *corners =
            impi_face_corners(impi_pieces_side(pieces)->links, pieces->touched.data[i].face);
        for (int k = 0; k < 3 && status == IMP_STATUS_OK; ++k) {
            size_t count = pieces->vertices.count;
            if (impi_edge_nodes_vertex(edges, corners[k]) != IMPI_NO_ITEM ||
                impi_pieces_vertex(pieces, corners[k]) != IMPI_NO_ITEM)
                continue;
            bool inside = impi_pieces_contain(pieces, impi_pieces_side(pieces)->points[corners[k]]);
            if (!add_vertex(pieces, corners[k], inside))
                return IMP_STATUS_OUT_OF_MEMORY;
            if (inside)
                status = flood(pieces, count, budget);
            else if (impi_budget_is_over(budget))
                status = IMP_STATUS_OUT_OF_TIME;
        }
    }
    return status;
}

// ---- what bounds them

static bool list_bounds(impi_InsidePieces *pieces)
{
    const impi_ContactGraph *graph = pieces->graph;
    size_t count = 2 * graph->nodes.count, kept = 0;
    if (!impi_array_reserve(&pieces->allocator, &pieces->bounds, sizeof *pieces->bounds.data, count))
        return false;
    uint64_t *bounds = pieces->bounds.data;
    for (uint32_t i = 0; i < count; ++i)
        bounds[i] = (uint64_t)impi_set_of(pieces->sets.data, i) << 32 | graph->nodes.data[i / 2].region;
    impi_words_sort(bounds, count);
    for (size_t i = 0; i < count; ++i)
        if (i == 0 || bounds[i] != bounds[i - 1])
            bounds[kept++] = bounds[i];
    pieces->bounds.count = kept;
    return true;
}

uint32_t impi_piece_of_face(const impi_InsidePieces *pieces, const impi_InsideFace *face)
{
    return impi_set_of(pieces->sets.data, impi_vertex_element(pieces, face->vertex));
}

size_t impi_piece_bounds(const impi_InsidePieces *pieces, uint32_t set)
{
    return impi_words_find(pieces->bounds.data, pieces->bounds.count, set);
}

// Something is inside where an edge goes through a face, and where a vertex inside hangs together with a
// curve.
static void mark_deep(const impi_InsidePieces *pieces, bool *is_deep)
{
    for (size_t i = 0; i < pieces->graph->nodes.count; ++i)
        if (impi_node_is_piercing(&pieces->graph->nodes.data[i]))
            is_deep[pieces->graph->nodes.data[i].region] = true;
    for (uint32_t i = 0; i < pieces->vertices.count; ++i) {
        if (!pieces->vertices.data[i].is_inside)
            continue;
        uint32_t set = impi_set_of(pieces->sets.data, impi_vertex_element(pieces, i));
        for (size_t k = impi_piece_bounds(pieces, set);
             k < pieces->bounds.count && pieces->bounds.data[k] >> 32 == set; ++k)
            is_deep[(uint32_t)pieces->bounds.data[k]] = true;
    }
}

imp_Status impi_inside_pieces_find(const impi_ContactGraph *graph, int one, impi_Budget *budget,
                                   bool *is_deep, impi_InsidePieces *pieces)
{
    impi_EdgeNodes edges;
    *pieces =
        (impi_InsidePieces){.graph = graph, .one = one, .allocator = impi_arena_allocator(graph->arena)};
    if (!list_touched(pieces) || !unite_nodes(pieces) || !impi_edge_nodes_list(pieces, &edges))
        return IMP_STATUS_OUT_OF_MEMORY;
    unite_pairs(pieces);
    imp_Status status = flood_from_touched(pieces, &edges, budget);
    if (status != IMP_STATUS_OK)
        return status;
    impi_cells_unite_along_edges(pieces, &edges);
    if (graph->region_count > 1)
        status = impi_cells_unite_in_faces(pieces, budget);
    if (status != IMP_STATUS_OK)
        return status;
    if (!list_bounds(pieces))
        return IMP_STATUS_OUT_OF_MEMORY;
    mark_deep(pieces, is_deep);
    impi_cells_mark_deep_edges(pieces, &edges, is_deep);
    return IMP_STATUS_OK;
}
