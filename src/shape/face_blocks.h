/// The faces of a mesh in blocks of at most 64 that lie close together, each with its distinct vertices.
///
/// Made once per mesh. What moves or deforms computes boxes of blocks from these lists, a visit or two per
/// vertex, and looks at single faces only in blocks that meet something.
#ifndef IMPINGE_SHAPE_FACE_BLOCKS_H
#define IMPINGE_SHAPE_FACE_BLOCKS_H

#include "shape/mesh.h"

#define IMPI_BLOCK_FACES        64
#define IMPI_MAX_BLOCK_VERTICES (3 * IMPI_BLOCK_FACES)

/// A face's corners as positions in its block's list of vertices.
typedef struct impi_FaceBlock {
    uint32_t first_vertex; // in impi_FaceBlocks.vertices
    uint16_t vertex_count; // at most IMPI_MAX_BLOCK_VERTICES
    uint16_t face_count;
    uint8_t corners[3][IMPI_BLOCK_FACES];
    uint32_t faces[IMPI_BLOCK_FACES]; // numbers in the mesh
} impi_FaceBlock;

typedef struct impi_FaceBlocks {
    impi_FaceBlock *blocks;
    size_t block_count;
    uint32_t *vertices; // each block's distinct vertices, as numbers in the mesh
    size_t vertex_count, vertex_capacity;
} impi_FaceBlocks;

/// Group the faces of a mesh. Memory comes from the mesh's allocator, scratch from the context's arena.
imp_Status impi_face_blocks_build(imp_Context *context, const imp_Mesh *mesh, impi_FaceBlocks *blocks);
void impi_face_blocks_free(const imp_Allocator *allocator, impi_FaceBlocks *blocks);

#endif
