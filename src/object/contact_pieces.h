/// Pieces of one body's surface that lie inside of the other body, and the regions of contact whose curves
/// bound them.
///
/// The curves cut the surface into pieces. Which parts hang together is told by sets: each node of the graph
/// has two elements, for the two sides of the other's face there, and each vertex inside of the other body
/// has one; segments, edges between nodes and faces that nothing touches unite them. All of that follows
/// from names and exact signs, but for the order of nodes along an edge and for curves that lie apart in one
/// face, which are told by where the nodes are, rounded.
#ifndef IMPINGE_OBJECT_CONTACT_PIECES_H
#define IMPINGE_OBJECT_CONTACT_PIECES_H

#include "base/item_table.h"
#include "object/contact_graph.h"

#define IMPI_NO_SET UINT32_MAX

/// A face of one that touches the other.
typedef struct impi_TouchedFace {
    uint32_t face;
    uint32_t pair_count;
    size_t first_pair; // in impi_InsidePieces.face_pairs
} impi_TouchedFace;

/// A face of one that lies inside of the other, untouched.
typedef struct impi_InsideFace {
    uint32_t face;
    uint32_t vertex; // one of its own, in impi_InsidePieces.vertices
} impi_InsideFace;

/// A vertex that was looked at; it does not lie on the other's surface.
typedef struct impi_FloodVertex {
    uint32_t corner; // the distinct vertex
    bool is_inside;
} impi_FloodVertex;

typedef struct impi_InsidePieces {
    const impi_ContactGraph *graph;
    int one; // which side's surface: 0 is a
    imp_Allocator allocator;
    IMPI_ARRAY(impi_TouchedFace) touched;
    impi_ItemTable touched_table;
    uint32_t *face_pairs; // of touched faces, pairs of the graph
    IMPI_ARRAY(impi_InsideFace) inside;
    impi_ItemTable inside_table;
    IMPI_ARRAY(impi_FloodVertex) vertices;
    impi_ItemTable vertex_table;
    IMPI_ARRAY(uint32_t) sets;   // two for each node, then one for each vertex
    IMPI_ARRAY(uint64_t) bounds; // set << 32 | region, sorted, once all is united
    bool *is_deep;               // by region: something is inside that it bounds
} impi_InsidePieces;

/// The side whose surface it is, and the other one.
static inline const impi_ContactSide *impi_pieces_side(const impi_InsidePieces *pieces)
{
    return pieces->graph->sides[pieces->one];
}

static inline const impi_ContactSide *impi_pieces_other(const impi_InsidePieces *pieces)
{
    return pieces->graph->sides[!pieces->one];
}

/// A vertex that was looked at, by its number in the list, or IMPI_NO_ITEM.
uint32_t impi_pieces_vertex(const impi_InsidePieces *pieces, uint32_t corner);

/// Its element.
static inline uint32_t impi_vertex_element(const impi_InsidePieces *pieces, uint32_t vertex)
{
    return (uint32_t)(2 * pieces->graph->nodes.count) + vertex;
}

/// The element of a node on this side (positive or not) of the other's face there.
static inline uint32_t impi_node_element(uint32_t node, int side)
{
    return 2 * node + (side > 0);
}

/// Is a point inside of the other body? Exactly.
bool impi_pieces_contain(const impi_InsidePieces *pieces, imp_Vec3 point);

/// Find the pieces of side `one`. Both bodies are closed. `is_deep`, by region, is added to.
/// IMP_STATUS_OUT_OF_MEMORY, IMP_STATUS_OUT_OF_TIME or OK, no error is recorded.
imp_Status impi_inside_pieces_find(const impi_ContactGraph *graph, int one, impi_Budget *budget,
                                   bool *is_deep, impi_InsidePieces *pieces);

/// The set of the piece that an untouched face inside belongs to.
uint32_t impi_piece_of_face(const impi_InsidePieces *pieces, const impi_InsideFace *face);

/// The entries of impi_InsidePieces.bounds with this set begin here; there is at least one.
size_t impi_piece_bounds(const impi_InsidePieces *pieces, uint32_t set);

#endif
