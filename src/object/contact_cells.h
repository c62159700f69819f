/// How the parts into which curves cut edges and faces hang together: a step of contact_pieces.
#ifndef IMPINGE_OBJECT_CONTACT_CELLS_H
#define IMPINGE_OBJECT_CONTACT_CELLS_H

#include "object/contact_pieces.h"

/// Words that are sorted, and the first one whose higher half is not less than this.
void impi_words_sort(uint64_t *words, size_t count);
size_t impi_words_find(const uint64_t *words, size_t count, uint32_t high);

/// A node on an edge. Each edge of a touched face begins with one that is no node.
typedef struct impi_EdgeNode {
    uint64_t edge; // as in impi_ContactNode
    double along;  // where on it: 0 at the lower vertex, 1 at the higher one; rounded
    uint32_t node; // IMPI_NO_ITEM at the begin
} impi_EdgeNode;

typedef struct impi_EdgeNodes {
    impi_EdgeNode *items; // sorted by edges, then along them
    size_t count;
    uint64_t *vertices; // nodes that are vertices: vertex << 32 | node, sorted
    size_t vertex_count;
} impi_EdgeNodes;

/// False when out of memory.
bool impi_edge_nodes_list(const impi_InsidePieces *pieces, impi_EdgeNodes *edges);

/// The first node that is this vertex, or IMPI_NO_ITEM.
uint32_t impi_edge_nodes_vertex(const impi_EdgeNodes *edges, uint32_t corner);

/// What lies on one edge without a node between it hangs together.
void impi_cells_unite_along_edges(impi_InsidePieces *pieces, const impi_EdgeNodes *edges);

/// Curves and vertices inside that see each other in a face hang together. IMP_STATUS_OUT_OF_TIME or OK.
imp_Status impi_cells_unite_in_faces(impi_InsidePieces *pieces, impi_Budget *budget);

/// Regions that are not known to be deep are, where a part of an edge between two nodes is inside of the
/// other body.
void impi_cells_mark_deep_edges(const impi_InsidePieces *pieces, const impi_EdgeNodes *edges, bool *is_deep);

/// The segment that the i-th pair of a touched face has in common, its ends in lexicographic order; false
/// when it has none.
bool impi_segment_in_face(const impi_InsidePieces *pieces, const impi_TouchedFace *touched, uint32_t i,
                          imp_Vec3 ends[2]);

/// The other's face of the i-th pair of a touched face, where both lie in one plane; false when they do not.
bool impi_flat_over_face(const impi_InsidePieces *pieces, const impi_TouchedFace *touched, uint32_t i,
                         imp_Triangle *flat);

/// The set of the piece that a point of a touched face is in: the nearest curve tells, as far as it is seen.
uint32_t impi_piece_of_point(const impi_InsidePieces *pieces, const impi_TouchedFace *touched,
                             imp_Vec3 point);

#endif
