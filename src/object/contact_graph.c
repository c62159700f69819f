#include "object/contact_graph.h"

#include "base/disjoint_sets.h"
#include "base/item_table.h"
#include "geom/vector.h"

#include <assert.h>
#include <string.h>

#define PAIRS_PER_LOOK 64                // at the budget
#define MAX_PAIRS      ((size_t)1 << 26) // with up to 42 nodes each, which are numbered by 32 bits

typedef struct Maker {
    impi_ContactGraph *graph;
    imp_Allocator allocator; // in the arena
    impi_ItemTable node_table, segment_table;
} Maker;

imp_Vec3 impi_face_normal(const imp_Triangle *face)
{
    // Halved, so that no difference overflows.
    imp_Vec3 a = impi_scale(face->v[0], 0.5), b = impi_scale(face->v[1], 0.5),
             c = impi_scale(face->v[2], 0.5);
    return impi_unit(impi_cross(impi_unit(impi_subtract(b, a)), impi_unit(impi_subtract(c, a))));
}

// ---- nodes

static impi_ItemKey node_key(const void *source, uint32_t item)
{
    const impi_ContactNode *node = &((const impi_ContactGraph *)source)->nodes.data[item];
    return (impi_ItemKey){{node->parts[0], node->parts[1], (uint64_t)node->kinds[0] << 8 | node->kinds[1]}};
}

static uint64_t name_part(const impi_ContactSide *side, uint32_t face, impi_Part part)
{
    const uint32_t *corners = impi_face_corners(side->links, face);
    uint32_t from = corners[part.corner], to = corners[(part.corner + 1) % 3];
    switch ((impi_PartKind)part.kind) {
    case IMPI_PART_VERTEX:
        return from;
    case IMPI_PART_EDGE:
        return from < to ? (uint64_t)from << 32 | to : (uint64_t)to << 32 | from;
    default:
        return face;
    }
}

// The node of a corner: a new one, or one that has its name already. False when out of memory.
static bool add_node(Maker *maker, const impi_ContactFaces *pair, const imp_Triangle *triangles,
                     const impi_MeetingCorner *corner, uint32_t *node)
{
    impi_ContactGraph *graph = maker->graph;
    size_t count = graph->nodes.count;
    if (!impi_array_reserve(&maker->allocator, &graph->nodes, sizeof *graph->nodes.data, count + 1) ||
        !impi_item_table_grow(graph->arena, &maker->node_table, count, count + 1, node_key, graph))
        return false;
    graph->nodes.data[count] =
        (impi_ContactNode){.parts = {name_part(graph->sides[0], pair->faces[0], corner->a),
                                     name_part(graph->sides[1], pair->faces[1], corner->b)},
                           .kinds = {corner->a.kind, corner->b.kind}};
    *node = impi_item_table_add(&maker->node_table, (uint32_t)count, node_key, graph);
    if (*node == count) {
        graph->nodes.data[count].position = impi_meeting_point(&triangles[0], &triangles[1], corner);
        ++graph->nodes.count;
    }
    return true;
}

// ---- segments

static impi_ItemKey segment_key(const void *source, uint32_t item)
{
    const impi_ContactSegment *segment = &((const impi_ContactGraph *)source)->segments.data[item];
    bool ascending = segment->from < segment->to;
    return (impi_ItemKey){
        {ascending ? segment->from : segment->to, ascending ? segment->to : segment->from, 0}};
}

// Does the segment go from its first corner to the second? Where the names do not tell, where they are does.
static bool goes_forward(const imp_Triangle *triangles, const impi_Meeting *meeting, imp_Vec3 from,
                         imp_Vec3 to)
{
    int direction =
        meeting->corners[0].direction ? meeting->corners[0].direction : -meeting->corners[1].direction;
    if (direction != 0)
        return direction > 0;
    imp_Vec3 along = impi_cross(impi_face_normal(&triangles[0]), impi_face_normal(&triangles[1]));
    return impi_dot(impi_subtract(impi_scale(to, 0.5), impi_scale(from, 0.5)), along) >= 0;
}

static bool add_segment(Maker *maker, uint32_t pair, const imp_Triangle *triangles,
                        const impi_Meeting *meeting)
{
    impi_ContactGraph *graph = maker->graph;
    const uint32_t *nodes = graph->pair_nodes.data + graph->pairs[pair].first_node;
    size_t count = graph->segments.count;
    if (!impi_pair_is_segment(graph, &graph->pairs[pair]))
        return true;
    if (!impi_array_reserve(&maker->allocator, &graph->segments, sizeof *graph->segments.data, count + 1) ||
        !impi_item_table_grow(graph->arena, &maker->segment_table, count, count + 1, segment_key, graph))
        return false;
    bool forward = goes_forward(triangles, meeting, graph->nodes.data[nodes[0]].position,
                                graph->nodes.data[nodes[1]].position);
    graph->segments.data[count] = (impi_ContactSegment){nodes[!forward], nodes[forward], pair};
    if (impi_item_table_add(&maker->segment_table, (uint32_t)count, segment_key, graph) == count)
        ++graph->segments.count;
    return true;
}

static bool add_pair(Maker *maker, uint32_t number)
{
    impi_ContactGraph *graph = maker->graph;
    impi_ContactFaces *pair = &graph->pairs[number];
    imp_Triangle triangles[2] = {impi_side_triangle(graph->sides[0], pair->faces[0]),
                                 impi_side_triangle(graph->sides[1], pair->faces[1])};
    impi_Meeting meeting;
    impi_triangles_meet(&triangles[0], &triangles[1], &meeting);
    assert(meeting.count > 0);
    pair->first_node = (uint32_t)graph->pair_nodes.count;
    pair->node_count = meeting.count;
    pair->is_flat = meeting.is_flat;
    if (!impi_array_reserve(&maker->allocator, &graph->pair_nodes, sizeof *graph->pair_nodes.data,
                            graph->pair_nodes.count + meeting.count))
        return false;
    for (uint32_t i = 0; i < meeting.count; ++i) {
        uint32_t node;
        if (!add_node(maker, pair, triangles, &meeting.corners[i], &node))
            return false;
        graph->pair_nodes.data[graph->pair_nodes.count++] = node;
    }
    return add_segment(maker, number, triangles, &meeting);
}

// ---- regions

static bool number_regions(impi_ContactGraph *graph)
{
    size_t count = graph->nodes.count;
    uint32_t *parents = impi_arena_allocate_array(graph->arena, count, sizeof *parents);
    uint32_t *regions = impi_arena_allocate_array(graph->arena, count, sizeof *regions);
    if (!parents || !regions)
        return false;
    impi_sets_begin(parents, 0, count);
    for (size_t i = 0; i < graph->pair_count; ++i) {
        const uint32_t *nodes = graph->pair_nodes.data + graph->pairs[i].first_node;
        for (uint32_t k = 1; k < graph->pairs[i].node_count; ++k)
            impi_sets_unite(parents, nodes[0], nodes[k]);
    }
    for (size_t i = 0; i < count; ++i)
        regions[i] = IMPI_NO_ITEM;
    for (size_t i = 0; i < graph->pair_count; ++i) {
        uint32_t *region = &regions[impi_set_of(parents, graph->pair_nodes.data[graph->pairs[i].first_node])];
        if (*region == IMPI_NO_ITEM)
            *region = graph->region_count++;
        graph->pairs[i].region = *region;
    }
    for (size_t i = 0; i < count; ++i)
        graph->nodes.data[i].region = regions[impi_set_of(parents, (uint32_t)i)];
    return true;
}

typedef uint32_t (*RegionFn)(const impi_ContactGraph *graph, size_t item);

static uint32_t region_of_pair(const impi_ContactGraph *graph, size_t item)
{
    return graph->pairs[item].region;
}

static uint32_t region_of_node(const impi_ContactGraph *graph, size_t item)
{
    return graph->nodes.data[item].region;
}

static uint32_t region_of_segment(const impi_ContactGraph *graph, size_t item)
{
    return graph->nodes.data[graph->segments.data[item].from].region;
}

static bool list_by_region(const impi_ContactGraph *graph, size_t count, RegionFn region_of,
                           impi_RegionLists *lists)
{
    size_t regions = graph->region_count;
    lists->items = impi_arena_allocate_array(graph->arena, count, sizeof *lists->items);
    lists->firsts = impi_arena_allocate_array(graph->arena, regions + 2, sizeof *lists->firsts);
    if (!lists->items || !lists->firsts)
        return false;
    memset(lists->firsts, 0, (regions + 2) * sizeof *lists->firsts);
    for (size_t i = 0; i < count; ++i)
        ++lists->firsts[region_of(graph, i) + 2];
    for (size_t r = 2; r < regions + 2; ++r)
        lists->firsts[r] += lists->firsts[r - 1];
    for (size_t i = 0; i < count; ++i) // each begin moves to its end, which is where the next one's stands
        lists->items[lists->firsts[region_of(graph, i) + 1]++] = (uint32_t)i;
    return true;
}

static bool list_regions(impi_ContactGraph *graph)
{
    return number_regions(graph) &&
           list_by_region(graph, graph->pair_count, region_of_pair, &graph->region_pairs) &&
           list_by_region(graph, graph->nodes.count, region_of_node, &graph->region_nodes) &&
           list_by_region(graph, graph->segments.count, region_of_segment, &graph->region_segments);
}

imp_Status impi_contact_graph_make(impi_Arena *arena, impi_Budget *budget, const impi_ContactSide *a,
                                   const impi_ContactSide *b, const imp_TouchingFaces *faces, size_t count,
                                   impi_ContactGraph *graph)
{
    *graph = (impi_ContactGraph){.sides = {a, b}, .arena = arena, .pair_count = count};
    Maker maker = {.graph = graph, .allocator = impi_arena_allocator(arena)};
    graph->pairs = count <= MAX_PAIRS ? impi_arena_allocate_array(arena, count, sizeof *graph->pairs) : NULL;
    if (!graph->pairs)
        return IMP_STATUS_OUT_OF_MEMORY;
    for (size_t i = 0; i < count; ++i) {
        if (i % PAIRS_PER_LOOK == 0 && impi_budget_is_over(budget))
            return IMP_STATUS_OUT_OF_TIME;
        graph->pairs[i] = (impi_ContactFaces){.faces = {faces[i].face_a, faces[i].face_b}};
        if (!add_pair(&maker, (uint32_t)i))
            return IMP_STATUS_OUT_OF_MEMORY;
    }
    return list_regions(graph) ? IMP_STATUS_OK : IMP_STATUS_OUT_OF_MEMORY;
}
