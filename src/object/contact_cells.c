#include "object/contact_cells.h"

#include "base/disjoint_sets.h"
#include "geom/predicates.h"
#include "geom/vector.h"
#include "object/contact_split.h"

#include <math.h>
#include <stdlib.h>

// In faces with more curves than this no pair of curves is looked at, which would take its square.
#define MAX_SEGMENTS_IN_FACE 4096

// ---- sorted words

static int compare_words(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

void impi_words_sort(uint64_t *words, size_t count)
{
    if (count > 1)
        qsort(words, count, sizeof *words, compare_words);
}

size_t impi_words_find(const uint64_t *words, size_t count, uint32_t high)
{
    size_t begin = 0, end = count;
    while (begin < end) {
        size_t middle = begin + (end - begin) / 2;
        if (words[middle] >> 32 < high)
            begin = middle + 1;
        else
            end = middle;
    }
    return begin;
}

// ---- along edges

static int compare_edge_nodes(const void *left, const void *right)
{
    const impi_EdgeNode *a = left, *b = right;
    if (a->edge != b->edge)
        return a->edge < b->edge ? -1 : 1;
    if (a->along != b->along)
        return a->along < b->along ? -1 : 1;
    return (a->node > b->node) - (a->node < b->node);
}

static double place_along(const impi_ContactSide *side, uint64_t edge, imp_Vec3 point)
{
    imp_Vec3 from = side->points[edge >> 32], to = side->points[(uint32_t)edge];
    imp_Vec3 along = impi_subtract(to, from);
    double length = impi_length(along);
    return length > 0 ? impi_dot(impi_subtract(point, from), impi_unit(along)) / length : 0;
}

bool impi_edge_nodes_list(const impi_InsidePieces *pieces, impi_EdgeNodes *edges)
{
    const impi_ContactGraph *graph = pieces->graph;
    size_t most = graph->nodes.count + 3 * pieces->touched.count;
    *edges = (impi_EdgeNodes){0};
    edges->items = impi_arena_allocate_array(graph->arena, most, sizeof *edges->items);
    edges->vertices = impi_arena_allocate_array(graph->arena, graph->nodes.count, sizeof *edges->vertices);
    if (!edges->items || !edges->vertices)
        return false;
    for (uint32_t i = 0; i < graph->nodes.count; ++i) {
        const impi_ContactNode *node = &graph->nodes.data[i];
        uint64_t part = node->parts[pieces->one];
        if (node->kinds[pieces->one] == IMPI_PART_EDGE)
            edges->items[edges->count++] =
                (impi_EdgeNode){part, place_along(impi_pieces_side(pieces), part, node->position), i};
        else if (node->kinds[pieces->one] == IMPI_PART_VERTEX)
            edges->vertices[edges->vertex_count++] = part << 32 | i;
    }
    for (size_t i = 0; i < pieces->touched.count; ++i) {
        const uint32_t *corners =
            impi_face_corners(impi_pieces_side(pieces)->links, pieces->touched.data[i].face);
        for (int k = 0; k < 3; ++k) {
            uint64_t from = corners[k], to = corners[(k + 1) % 3];
            edges->items[edges->count++] =
                (impi_EdgeNode){from < to ? from << 32 | to : to << 32 | from, -INFINITY, IMPI_NO_ITEM};
        }
    }
    qsort(edges->items, edges->count, sizeof *edges->items, compare_edge_nodes);
    impi_words_sort(edges->vertices, edges->vertex_count);
    return true;
}

uint32_t impi_edge_nodes_vertex(const impi_EdgeNodes *edges, uint32_t corner)
{
    size_t low = impi_words_find(edges->vertices, edges->vertex_count, corner);
    bool is_found = low < edges->vertex_count && edges->vertices[low] >> 32 == corner;
    return is_found ? (uint32_t)edges->vertices[low] : IMPI_NO_ITEM;
}

static imp_Triangle other_face(const impi_InsidePieces *pieces, uint32_t face)
{
    return impi_side_triangle(impi_pieces_other(pieces), face);
}

// The element of a node towards an end of the edge that it is on.
static uint32_t element_towards(const impi_InsidePieces *pieces, uint32_t number, uint32_t end)
{
    const impi_ContactNode *node = &pieces->graph->nodes.data[number];
    if (!impi_node_is_piercing(node))
        return impi_node_element(number, 0);
    imp_Triangle face = other_face(pieces, (uint32_t)node->parts[!pieces->one]);
    const imp_Vec3 *point = &impi_pieces_side(pieces)->points[end];
    return impi_node_element(number, impi_orient3d(&face.v[0], &face.v[1], &face.v[2], point));
}

// The element of an end of an edge; vertices outside have none, since pieces outside are nobody's business.
static uint32_t element_of_end(const impi_InsidePieces *pieces, const impi_EdgeNodes *edges, uint32_t corner)
{
    uint32_t node = impi_edge_nodes_vertex(edges, corner);
    if (node != IMPI_NO_ITEM)
        return impi_node_element(node, 0);
    uint32_t vertex = impi_pieces_vertex(pieces, corner);
    bool is_inside = vertex != IMPI_NO_ITEM && pieces->vertices.data[vertex].is_inside;
    return is_inside ? impi_vertex_element(pieces, vertex) : IMPI_NO_SET;
}

static void unite_elements(impi_InsidePieces *pieces, uint32_t a, uint32_t b)
{
    if (a != IMPI_NO_SET && b != IMPI_NO_SET)
        impi_sets_unite(pieces->sets.data, a, b);
}

void impi_cells_unite_along_edges(impi_InsidePieces *pieces, const impi_EdgeNodes *edges)
{
    for (size_t i = 0; i < edges->count;) {
        uint64_t edge = edges->items[i].edge;
        uint32_t low = (uint32_t)(edge >> 32), high = (uint32_t)edge;
        uint32_t last = element_of_end(pieces, edges, low);
        for (; i < edges->count && edges->items[i].edge == edge; ++i) {
            uint32_t node = edges->items[i].node;
            if (node == IMPI_NO_ITEM)
                continue;
            unite_elements(pieces, last, element_towards(pieces, node, low));
            last = element_towards(pieces, node, high);
        }
        unite_elements(pieces, last, element_of_end(pieces, edges, high));
    }
}

// ---- edges between two nodes

// Does the part of a surface that a node lies on belong to the face?
static bool part_is_of_face(const impi_FaceLinks *links, impi_PartKind kind, uint64_t part, uint32_t face)
{
    const uint32_t *corners = impi_face_corners(links, face);
    uint32_t low = kind == IMPI_PART_EDGE ? (uint32_t)(part >> 32) : (uint32_t)part, high = (uint32_t)part;
    bool has_low = corners[0] == low || corners[1] == low || corners[2] == low;
    bool has_high = corners[0] == high || corners[1] == high || corners[2] == high;
    return kind == IMPI_PART_FACE ? part == face : has_low && has_high;
}

// Do two nodes lie on one face of the other body? Then so does what is between them.
static bool share_face(const impi_InsidePieces *pieces, const impi_ContactNode *a, const impi_ContactNode *b)
{
    const impi_FaceLinks *links = impi_pieces_other(pieces)->links;
    int other = !pieces->one;
    impi_PartKind kind_a = (impi_PartKind)a->kinds[other], kind_b = (impi_PartKind)b->kinds[other];
    if (kind_a == IMPI_PART_FACE)
        return part_is_of_face(links, kind_b, b->parts[other], (uint32_t)a->parts[other]);
    uint32_t corner = (uint32_t)a->parts[other];
    for (size_t i = links->first_faces[corner]; i < links->first_faces[corner + 1]; ++i)
        if (part_is_of_face(links, kind_a, a->parts[other], links->faces[i]) &&
            part_is_of_face(links, kind_b, b->parts[other], links->faces[i]))
            return true;
    return false;
}

static void look_between(const impi_InsidePieces *pieces, uint32_t from, uint32_t to, bool *is_deep)
{
    if (from == IMPI_NO_ITEM || to == IMPI_NO_ITEM)
        return;
    const impi_ContactNode *a = &pieces->graph->nodes.data[from], *b = &pieces->graph->nodes.data[to];
    if ((is_deep[a->region] && is_deep[b->region]) || share_face(pieces, a, b))
        return;
    imp_Vec3 middle = impi_add_scaled(impi_scale(a->position, 0.5), 0.5, b->position);
    if (impi_pieces_contain(pieces, middle))
        is_deep[a->region] = is_deep[b->region] = true;
}

void impi_cells_mark_deep_edges(const impi_InsidePieces *pieces, const impi_EdgeNodes *edges, bool *is_deep)
{
    for (size_t i = 0; i < edges->count;) {
        uint64_t edge = edges->items[i].edge;
        uint32_t last = impi_edge_nodes_vertex(edges, (uint32_t)(edge >> 32));
        for (; i < edges->count && edges->items[i].edge == edge; ++i) {
            uint32_t node = edges->items[i].node;
            if (node == IMPI_NO_ITEM)
                continue;
            look_between(pieces, last, node, is_deep);
            last = node;
        }
        look_between(pieces, last, impi_edge_nodes_vertex(edges, (uint32_t)edge), is_deep);
    }
}

// ---- in faces

// A touched face seen along the axis in which it is widest.
typedef struct FaceView {
    const impi_InsidePieces *pieces;
    const impi_TouchedFace *touched;
    imp_Vec3 normal;
    impi_Axis dropped;
    double scale; // that brings it near to 1
} FaceView;

static FaceView view_face(const impi_InsidePieces *pieces, const impi_TouchedFace *touched)
{
    imp_Triangle triangle = impi_side_triangle(impi_pieces_side(pieces), touched->face);
    imp_Vec3 normal = impi_face_normal(&triangle);
    double size = impi_longest(impi_subtract(triangle.v[1], triangle.v[0])) +
                  impi_longest(impi_subtract(triangle.v[2], triangle.v[0]));
    return (FaceView){pieces, touched, normal, impi_widest_view(normal), impi_unit_power(size)};
}

static const impi_ContactFaces *pair_in_face(const impi_InsidePieces *pieces, const impi_TouchedFace *touched,
                                             uint32_t i)
{
    return &pieces->graph->pairs[pieces->face_pairs[touched->first_pair + i]];
}

static const impi_ContactFaces *pair_of(const FaceView *view, uint32_t i)
{
    return pair_in_face(view->pieces, view->touched, i);
}

bool impi_segment_in_face(const impi_InsidePieces *pieces, const impi_TouchedFace *touched, uint32_t i,
                          imp_Vec3 ends[2])
{
    const impi_ContactGraph *graph = pieces->graph;
    const impi_ContactFaces *pair = pair_in_face(pieces, touched, i);
    if (!impi_pair_is_segment(graph, pair))
        return false;
    for (uint32_t k = 0; k < 2; ++k)
        ends[k] = graph->nodes.data[graph->pair_nodes.data[pair->first_node + k]].position;
    if (impi_is_before(&ends[1], &ends[0])) {
        imp_Vec3 first = ends[1];
        ends[1] = ends[0];
        ends[0] = first;
    }
    return true;
}

bool impi_flat_over_face(const impi_InsidePieces *pieces, const impi_TouchedFace *touched, uint32_t i,
                         imp_Triangle *flat)
{
    const impi_ContactFaces *pair = pair_in_face(pieces, touched, i);
    if (pair->is_flat)
        *flat = impi_side_triangle(impi_pieces_other(pieces), pair->faces[!pieces->one]);
    return pair->is_flat;
}

static bool segment_of(const FaceView *view, uint32_t i, imp_Vec3 ends[2])
{
    return impi_segment_in_face(view->pieces, view->touched, i, ends);
}

static imp_Vec2 see(const FaceView *view, imp_Vec3 point, imp_Vec3 from)
{
    imp_Vec3 step = impi_scale(impi_subtract(point, from), view->scale);
    return impi_project(&step, view->dropped);
}

static double area(imp_Vec2 a, imp_Vec2 b)
{
    return a.x * b.y - a.y * b.x;
}

// How far along the ray from `point` to `target` a segment is crossed, as a share; infinite when it is not.
static double crossing_at(const FaceView *view, imp_Vec3 point, imp_Vec2 ray, const imp_Vec3 ends[2])
{
    imp_Vec2 a = see(view, ends[0], point), b = see(view, ends[1], point);
    double side_a = area(ray, a), side_b = area(ray, b);
    imp_Vec2 step = {b.x - a.x, b.y - a.y};
    double across = area(ray, step);
    if ((side_a > 0) == (side_b > 0) || across == 0)
        return INFINITY;
    double share = area(a, step) / across;
    return share > 0 ? share : INFINITY;
}

// The first of the face's pairs whose segment is met along a ray, other than `skipped`, and where on the ray;
// IMPI_NO_ITEM: none.
static uint32_t first_crossed(const FaceView *view, imp_Vec3 point, imp_Vec3 ray_in_space, uint32_t skipped,
                              double *where)
{
    uint32_t first = IMPI_NO_ITEM;
    double least = INFINITY;
    imp_Vec3 scaled = impi_scale(ray_in_space, view->scale);
    imp_Vec2 ray = impi_project(&scaled, view->dropped);
    imp_Vec3 ends[2];
    for (uint32_t i = 0; i < view->touched->pair_count; ++i) {
        if (i == skipped || !segment_of(view, i, ends))
            continue;
        double share = crossing_at(view, point, ray, ends);
        if (share < least) {
            least = share;
            first = i;
        }
    }
    *where = least;
    return first;
}

// The element of the pair's curve on the side that a point is on.
static uint32_t element_facing(const FaceView *view, uint32_t i, const imp_Vec3 *point)
{
    const impi_ContactFaces *pair = pair_of(view, i);
    imp_Triangle face = other_face(view->pieces, pair->faces[!view->pieces->one]);
    return impi_node_element(view->pieces->graph->pair_nodes.data[pair->first_node],
                             impi_orient3d(&face.v[0], &face.v[1], &face.v[2], point));
}

static imp_Vec3 middle_of(const imp_Vec3 ends[2])
{
    return impi_add_scaled(impi_scale(ends[0], 0.5), 0.5, ends[1]);
}

// Without curves, the nearest node.
static uint32_t nearest_node(const FaceView *view, imp_Vec3 point)
{
    const impi_ContactGraph *graph = view->pieces->graph;
    uint32_t nearest = graph->pair_nodes.data[pair_of(view, 0)->first_node];
    double least = INFINITY;
    for (uint32_t i = 0; i < view->touched->pair_count; ++i) {
        const impi_ContactFaces *pair = pair_of(view, i);
        for (uint32_t k = 0; k < pair->node_count; ++k) {
            uint32_t node = graph->pair_nodes.data[pair->first_node + k];
            double length = impi_length(impi_subtract(graph->nodes.data[node].position, point));
            if (length < least) {
                least = length;
                nearest = node;
            }
        }
    }
    return nearest;
}

// What a point sees first on the way to the middle of the nearest segment.
static uint32_t element_seen(const FaceView *view, imp_Vec3 point)
{
    uint32_t nearest = IMPI_NO_ITEM;
    double least = INFINITY;
    imp_Vec3 ends[2], target = point;
    for (uint32_t i = 0; i < view->touched->pair_count; ++i) {
        if (!segment_of(view, i, ends))
            continue;
        double length = impi_length(impi_subtract(middle_of(ends), point));
        if (length < least) {
            least = length;
            nearest = i;
            target = middle_of(ends);
        }
    }
    if (nearest == IMPI_NO_ITEM)
        return impi_node_element(nearest_node(view, point), 0);
    double where;
    uint32_t first = first_crossed(view, point, impi_subtract(target, point), IMPI_NO_ITEM, &where);
    return element_facing(view, first == IMPI_NO_ITEM ? nearest : first, &point);
}

uint32_t impi_piece_of_point(const impi_InsidePieces *pieces, const impi_TouchedFace *touched, imp_Vec3 point)
{
    FaceView view = view_face(pieces, touched);
    return impi_set_of(pieces->sets.data, element_seen(&view, point));
}

// From the middle of each segment to either side, square to it: what is met first is of the same piece.
static void unite_curves(impi_InsidePieces *pieces, const FaceView *view)
{
    imp_Vec3 ends[2];
    for (uint32_t i = 0; i < view->touched->pair_count; ++i) {
        if (!segment_of(view, i, ends))
            continue;
        imp_Vec3 middle = middle_of(ends);
        imp_Vec3 across = impi_cross(view->normal, impi_subtract(ends[1], ends[0]));
        for (int turn = -1; turn <= 1; turn += 2) {
            imp_Vec3 ray = impi_scale(across, turn);
            double where;
            uint32_t met = first_crossed(view, middle, ray, i, &where);
            if (met == IMPI_NO_ITEM)
                continue;
            imp_Vec3 seen = impi_add_scaled(middle, where, ray);
            unite_elements(pieces, element_facing(view, i, &seen), element_facing(view, met, &middle));
        }
    }
}

static void unite_vertices(impi_InsidePieces *pieces, const FaceView *view)
{
    const uint32_t *corners = impi_face_corners(impi_pieces_side(pieces)->links, view->touched->face);
    for (int k = 0; k < 3; ++k) {
        uint32_t vertex = impi_pieces_vertex(pieces, corners[k]);
        if (vertex != IMPI_NO_ITEM && pieces->vertices.data[vertex].is_inside)
            unite_elements(pieces, impi_vertex_element(pieces, vertex),
                           element_seen(view, impi_pieces_side(pieces)->points[corners[k]]));
    }
}

imp_Status impi_cells_unite_in_faces(impi_InsidePieces *pieces, impi_Budget *budget)
{
    for (size_t i = 0; i < pieces->touched.count; ++i) {
        if (impi_budget_is_over(budget))
            return IMP_STATUS_OUT_OF_TIME;
        FaceView view = view_face(pieces, &pieces->touched.data[i]);
        unite_vertices(pieces, &view);
        if (view.touched->pair_count <= MAX_SEGMENTS_IN_FACE)
            unite_curves(pieces, &view);
    }
    return IMP_STATUS_OK;
}
