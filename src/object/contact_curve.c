// A walk that begins where an odd number of segments meet ends at another such node. Once there are none
// left, a walk can only end where it began, and is closed. Segments are followed along their direction where
// one goes on.
#include "object/contact_curve.h"

#include <string.h>

#define NO_SEGMENT UINT32_MAX

typedef struct Chains {
    const imp_Allocator *allocator;
    const impi_ContactGraph *graph;
    impi_ContactLists *lists;
    size_t *firsts;     // of segments at each node
    uint32_t *segments; // by node
    uint32_t *left;     // by node: how many are not used yet
    bool *is_used;
} Chains;

static bool begin_chains(Chains *chains)
{
    const impi_ContactGraph *graph = chains->graph;
    size_t nodes = graph->nodes.count, segments = graph->segments.count;
    chains->firsts = impi_arena_allocate_array(graph->arena, nodes + 1, sizeof *chains->firsts);
    chains->segments = impi_arena_allocate_array(graph->arena, 2 * segments, sizeof *chains->segments);
    chains->left = impi_arena_allocate_array(graph->arena, nodes, sizeof *chains->left);
    chains->is_used = impi_arena_allocate_array(graph->arena, segments, sizeof *chains->is_used);
    if (!chains->firsts || !chains->segments || !chains->left || !chains->is_used)
        return false;
    memset(chains->left, 0, nodes * sizeof *chains->left);
    memset(chains->is_used, 0, segments * sizeof *chains->is_used);
    for (size_t i = 0; i < segments; ++i) {
        ++chains->left[graph->segments.data[i].from];
        ++chains->left[graph->segments.data[i].to];
    }
    size_t sum = 0;
    for (size_t i = 0; i < nodes; ++i) {
        chains->firsts[i] = sum;
        sum += chains->left[i];
        chains->left[i] = 0;
    }
    chains->firsts[nodes] = sum;
    for (size_t i = 0; i < segments; ++i) {
        const uint32_t ends[2] = {graph->segments.data[i].from, graph->segments.data[i].to};
        for (int k = 0; k < 2; ++k)
            chains->segments[chains->firsts[ends[k]] + chains->left[ends[k]]++] = (uint32_t)i;
    }
    return true;
}

// The next segment from a node, one that begins there if there is any.
static uint32_t next_segment(const Chains *chains, uint32_t node)
{
    uint32_t any = NO_SEGMENT;
    for (size_t i = chains->firsts[node]; i < chains->firsts[node + 1]; ++i) {
        uint32_t segment = chains->segments[i];
        if (chains->is_used[segment])
            continue;
        if (chains->graph->segments.data[segment].from == node)
            return segment;
        any = any == NO_SEGMENT ? segment : any;
    }
    return any;
}

static bool add_point(Chains *chains, uint32_t node)
{
    impi_ContactLists *lists = chains->lists;
    if (!impi_array_reserve(chains->allocator, &lists->points, sizeof *lists->points.data,
                            lists->points.count + 1))
        return false;
    lists->points.data[lists->points.count++] = chains->graph->nodes.data[node].position;
    return true;
}

static uint32_t follow(Chains *chains, uint32_t node, uint32_t number)
{
    const impi_ContactSegment *segment = &chains->graph->segments.data[number];
    uint32_t end = segment->from == node ? segment->to : segment->from;
    chains->is_used[number] = true;
    --chains->left[node];
    --chains->left[end];
    return end;
}

// From a node as far as it goes; or, for `closed`, until it is back.
static bool walk(Chains *chains, uint32_t start, uint32_t segment, bool closed)
{
    impi_ContactLists *lists = chains->lists;
    size_t first = lists->points.count;
    if (!impi_array_reserve(chains->allocator, &lists->polylines, sizeof *lists->polylines.data,
                            lists->polylines.count + 1) ||
        !add_point(chains, start))
        return false;
    for (uint32_t node = start; segment != NO_SEGMENT;) {
        node = follow(chains, node, segment);
        if (closed && node == start)
            break;
        if (!add_point(chains, node))
            return false;
        segment = next_segment(chains, node);
    }
    imp_Polyline *polyline = &lists->polylines.data[lists->polylines.count++];
    memset(polyline, 0, sizeof *polyline); // padding too: reports are compared byte by byte
    polyline->first_point = first;
    polyline->point_count = lists->points.count - first;
    polyline->is_closed = closed;
    return true;
}

typedef enum Turn { FROM_BEGINS, FROM_ENDS, CLOSED, TURN_COUNT } Turn;

static bool chain_region(Chains *chains, uint32_t region)
{
    const impi_RegionLists *regions = &chains->graph->region_segments;
    for (Turn turn = FROM_BEGINS; turn < TURN_COUNT; ++turn)
        for (size_t i = regions->firsts[region]; i < regions->firsts[region + 1]; ++i) {
            uint32_t number = regions->items[i];
            const impi_ContactSegment *segment = &chains->graph->segments.data[number];
            uint32_t start = turn == FROM_ENDS ? segment->to : segment->from;
            if (chains->is_used[number] || (turn != CLOSED && chains->left[start] % 2 == 0))
                continue;
            if (!walk(chains, start, number, turn == CLOSED))
                return false;
        }
    return true;
}

bool impi_contact_curves_list(const imp_Allocator *allocator, const impi_ContactGraph *graph,
                              impi_ContactLists *lists)
{
    Chains chains = {.allocator = allocator, .graph = graph, .lists = lists};
    lists->polylines.count = lists->points.count = 0;
    if (!begin_chains(&chains))
        return false;
    for (uint32_t region = 0; region < graph->region_count; ++region) {
        imp_Contact *contact = &lists->contacts.data[region];
        contact->first_polyline = lists->polylines.count;
        if (!chain_region(&chains, region))
            return false;
        contact->polyline_count = lists->polylines.count - contact->first_polyline;
    }
    return true;
}
