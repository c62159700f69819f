/// What is derived from a mesh on first use and kept with it: its faces in blocks, boxes of these, a vertex
/// of each component.
///
/// Memory comes from the mesh's own allocator, scratch from the context's arena (rewound before return). Any
/// number of threads may ask at once, each with a context of its own.
#ifndef IMPINGE_SHAPE_MESH_DERIVED_H
#define IMPINGE_SHAPE_MESH_DERIVED_H

#include "shape/block_tree.h"
#include "shape/mesh.h"
#include "shape/oriented_boxes.h"

/// One vertex of each set of triangles that hang together through vertices.
typedef struct impi_ComponentVertices {
    size_t count;
    uint32_t vertices[];
} impi_ComponentVertices;

/// The faces of a mesh in blocks, with the blocks' vertices and boxes in the mesh's own frame.
typedef struct impi_MeshBlocks {
    impi_FaceBlocks blocks;
    imp_Vec3 *vertices;   // block by block, as listed in blocks.vertices
    impi_BoxLanes *boxes; // impi_group_count(block_count) groups
} impi_MeshBlocks;

/// Owned by the mesh. IMP_STATUS_OUT_OF_MEMORY or OK.
imp_Status impi_mesh_blocks(imp_Context *context, const imp_Mesh *mesh, const impi_MeshBlocks **tree);
/// Of the blocks, in the mesh's own frame.
imp_Status impi_mesh_oriented_boxes(imp_Context *context, const imp_Mesh *mesh,
                                    const impi_OrientedLanes **boxes);

imp_Status impi_mesh_component_vertices(imp_Context *context, const imp_Mesh *mesh,
                                        const impi_ComponentVertices **components);

/// The same, looked for anew and left in the context's scratch arena.
imp_Status impi_component_vertices_find(imp_Context *context, const imp_Mesh *mesh,
                                        const impi_ComponentVertices **components);

/// When the mesh goes.
void impi_mesh_free_derived(imp_Mesh *mesh);

#endif
