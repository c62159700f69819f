/// A mesh where it is: world coordinates of its blocks of faces.
#ifndef IMPINGE_SHAPE_SURFACE_H
#define IMPINGE_SHAPE_SURFACE_H

#include "shape/block_tree.h"

/// Boxes stand for all blocks; vertices and tight boxes only for those that were posed. A surface in motion
/// has vertices at the begin and at the end of the interval, which go straight from one to the other; its
/// boxes are around both.
typedef struct impi_Surface {
    const impi_FaceBlocks *blocks;
    impi_BlockTree tree;          // boxes of blocks, which may be larger than need be
    imp_Box bounds;               // around the boxes of the tree
    const imp_Vec3 *vertices;     // block by block, as listed in impi_FaceBlocks.vertices
    const imp_Vec3 *end_vertices; // likewise; null at rest
    const imp_Box *boxes;         // of blocks, exactly around their vertices
} impi_Surface;

/// Faces are named by where they stand in the blocks: block * 64 + lane in the block.
typedef uint32_t impi_BlockFace;

typedef struct impi_BlockFacePair {
    impi_BlockFace a, b;
} impi_BlockFacePair;

static inline impi_BlockFace impi_block_face(uint32_t block, unsigned lane)
{
    return block * IMPI_BLOCK_FACES + lane;
}

static inline const impi_FaceBlock *impi_block_of(const impi_Surface *surface, impi_BlockFace face)
{
    return &surface->blocks->blocks[face / IMPI_BLOCK_FACES];
}

/// Faces of two surfaces that were closest, and how far apart.
typedef struct impi_FaceHint {
    impi_BlockFace a, b;
    double distance;
} impi_FaceHint;

/// The number of a face in its mesh.
static inline uint32_t impi_face_number(const impi_Surface *surface, impi_BlockFace face)
{
    return impi_block_of(surface, face)->faces[face % IMPI_BLOCK_FACES];
}

/// Two faces by their numbers in their meshes, as one number: sorted by the face of a, then by that of b.
typedef uint64_t impi_FaceKey;

static inline impi_FaceKey impi_face_key(uint32_t face_a, uint32_t face_b)
{
    return (impi_FaceKey)face_a << 32 | face_b;
}

/// The block of the face must be posed.
static inline imp_Triangle impi_surface_triangle(const impi_Surface *surface, impi_BlockFace face)
{
    const impi_FaceBlock *block = impi_block_of(surface, face);
    const imp_Vec3 *vertices = surface->vertices + block->first_vertex;
    unsigned i = face % IMPI_BLOCK_FACES;
    return (imp_Triangle){
        {vertices[block->corners[0][i]], vertices[block->corners[1][i]], vertices[block->corners[2][i]]}};
}

#endif
