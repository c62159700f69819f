/// Touching faces of two bodies joined into regions that hang together, and the curves in which they meet.
///
/// What two faces have in common has corners, each named by the parts of both surfaces that it lies on
/// (geom/triangle_meeting.h). Corners of equal names are one node. Where what is common to one pair of faces
/// hangs together with that of another, both lie on a part that the faces share, on either side, and such
/// parts are met in a corner of both: so regions are what nodes join. Nothing hangs on where nodes are.
#ifndef IMPINGE_OBJECT_CONTACT_GRAPH_H
#define IMPINGE_OBJECT_CONTACT_GRAPH_H

#include "base/arena.h"
#include "base/array.h"
#include "base/budget.h"
#include "geom/triangle_meeting.h"
#include "object/body.h"
#include "shape/face_links.h"

#include <impinge/world.h>

/// One body of a pair, all blocks of which are posed.
typedef struct impi_ContactSide {
    impi_Body *body;
    const impi_FaceLinks *links;
    const imp_Vec3 *points; // distinct vertices, where they are
} impi_ContactSide;

static inline imp_Triangle impi_side_triangle(const impi_ContactSide *side, uint32_t face)
{
    const uint32_t *corners = impi_face_corners(side->links, face);
    return (imp_Triangle){{side->points[corners[0]], side->points[corners[1]], side->points[corners[2]]}};
}

/// The unit normal of a face; zeros where it is degenerate.
imp_Vec3 impi_face_normal(const imp_Triangle *face);

typedef struct impi_ContactNode {
    uint64_t parts[2]; // of a and of b: a vertex, an edge as its lower vertex << 32 | the higher one, a face
    uint8_t kinds[2];
    uint32_t region;
    imp_Vec3 position;
} impi_ContactNode;

/// An edge of one body through the inside of a face of the other, and not more special than that.
static inline bool impi_node_is_piercing(const impi_ContactNode *node)
{
    return node->kinds[0] + node->kinds[1] == IMPI_PART_EDGE + IMPI_PART_FACE;
}

/// A pair of touching faces.
typedef struct impi_ContactFaces {
    uint32_t faces[2];
    uint32_t region;
    uint32_t first_node, node_count; // in impi_ContactGraph.pair_nodes
    bool is_flat;                    // in one plane
} impi_ContactFaces;

/// From node to node along (normal of a's face) x (normal of b's face). Faces that have more than two corners
/// in common, which lie in one plane or are degenerate, have none.
typedef struct impi_ContactSegment {
    uint32_t from, to;
    uint32_t pair; // the first of the faces that have it in common
} impi_ContactSegment;

/// Pairs, nodes or segments by region, each in its order.
typedef struct impi_RegionLists {
    uint32_t *items;
    size_t *firsts; // those of region r: items[firsts[r]] up to, not at, items[firsts[r + 1]]
} impi_RegionLists;

typedef struct impi_ContactGraph {
    const impi_ContactSide *sides[2];
    impi_Arena *arena; // where all of it lies
    IMPI_ARRAY(impi_ContactNode) nodes;
    IMPI_ARRAY(uint32_t) pair_nodes;
    IMPI_ARRAY(impi_ContactSegment) segments; // each once, whatever the number of faces that have it
    impi_ContactFaces *pairs;                 // sorted by faces
    size_t pair_count;
    uint32_t region_count; // in the order of their first pairs
    impi_RegionLists region_pairs, region_nodes, region_segments;
} impi_ContactGraph;

/// Do the faces have a segment in common, between the first two nodes of the pair?
static inline bool impi_pair_is_segment(const impi_ContactGraph *graph, const impi_ContactFaces *pair)
{
    const uint32_t *nodes = graph->pair_nodes.data + pair->first_node;
    return !pair->is_flat && pair->node_count == 2 && nodes[0] != nodes[1];
}

/// Make the graph of `count` touching face pairs, sorted. IMP_STATUS_OUT_OF_MEMORY, IMP_STATUS_OUT_OF_TIME
/// when the budget is over, or OK. No error is recorded.
imp_Status impi_contact_graph_make(impi_Arena *arena, impi_Budget *budget, const impi_ContactSide *a,
                                   const impi_ContactSide *b, const imp_TouchingFaces *faces, size_t count,
                                   impi_ContactGraph *graph);

#endif
