/// Which vertices and edges of a mesh each face owns: where faces share them, one of them does, so that who
/// goes through all faces and looks at what they own looks at each vertex and each edge once.
#ifndef IMPINGE_SHAPE_FACE_PARTS_H
#define IMPINGE_SHAPE_FACE_PARTS_H

#include "shape/face_blocks.h"

/// By impi_BlockFace: bit i is corner i, bit 3 + i the edge from there to the next corner. Vertices are the
/// same where they have the same number, edges where both their vertices are. Kept with the mesh (see
/// shape/mesh_derived.h). IMP_STATUS_OUT_OF_MEMORY or OK.
imp_Status impi_mesh_face_parts(imp_Context *context, const imp_Mesh *mesh, const uint8_t **parts);

/// Null is fine. `blocks` are the mesh's.
void impi_face_parts_free(const imp_Allocator *allocator, const impi_FaceBlocks *blocks, uint8_t *parts);

#endif
