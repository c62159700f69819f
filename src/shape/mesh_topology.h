/// How the triangles of a mesh hang together: equal vertices, edges, components, repeated triangles.
///
/// Scratch comes from the arena of the context and stays there until the caller rewinds or resets it. All
/// functions expect the default floating-point mode (base/float_guard.h).
#ifndef IMPINGE_SHAPE_MESH_TOPOLOGY_H
#define IMPINGE_SHAPE_MESH_TOPOLOGY_H

#include "shape/mesh.h"

/// The number of a vertex that no triangle uses.
#define IMPI_UNUSED_VERTEX UINT32_MAX

/// The corners of each triangle, numbered so that vertices with equal coordinates (-0 equals +0) have one
/// number.
typedef struct impi_Corners {
    uint32_t *numbers; // three per triangle, each below distinct_count
    size_t triangle_count;
    size_t distinct_count, unused_count; // unused: vertices of the mesh that no triangle uses
} impi_Corners;

/// IMP_STATUS_OUT_OF_MEMORY, OK, or what a watch says, here and below.
imp_Status impi_corners_find(imp_Context *context, const imp_Mesh *mesh, impi_Corners *corners);

/// For each number the first of the mesh's vertices that has it; `vertices` has room for distinct_count.
void impi_corners_list_vertices(const imp_Mesh *mesh, const impi_Corners *corners, uint32_t *vertices);

/// One side of a triangle: from corner `side` to the next one.
typedef struct impi_HalfEdge {
    uint32_t low, high; // its corners; low < high
    uint32_t face;
    uint16_t side;  // 0, 1, 2
    bool ascending; // runs from low to high
} impi_HalfEdge;

/// All sides whose corners differ, sorted by low, high, face, side: equal edges stand side by side.
typedef struct impi_HalfEdges {
    const impi_HalfEdge *data;
    size_t count;
} impi_HalfEdges;

imp_Status impi_half_edges_sort(imp_Context *context, const impi_Corners *corners,
                                impi_HalfEdges *half_edges);

/// The end of the run of sides that lie on the same edge as `begin`.
size_t impi_half_edges_run_end(const impi_HalfEdges *half_edges, size_t begin);

/// Is every edge used equally often in both directions?
bool impi_half_edges_are_closed(const impi_HalfEdges *half_edges);

/// Number the sets of triangles that hang together through corners: component_of_face[i] counts from 0 in
/// the order of each component's first triangle.
imp_Status impi_components_find(imp_Context *context, const impi_Corners *corners,
                                uint32_t **component_of_face, size_t *component_count);

/// How many triangles have the same three corners, in any order, as an earlier one?
imp_Status impi_duplicates_count(imp_Context *context, const impi_Corners *corners, size_t *count);

/// Look closedness up in the mesh, or find out and keep it there.
imp_Status impi_mesh_is_closed(imp_Context *context, const imp_Mesh *mesh, bool *closed);
void impi_mesh_keep_closedness(const imp_Mesh *mesh, bool closed);

/// See imp_mesh_adjacency.
imp_Status impi_mesh_adjacency(imp_Context *context, const imp_Mesh *mesh, uint32_t *neighbours);

#endif
