/// A mesh on its way: world coordinates of its blocks of faces where the way begins and where it ends.
/// Vertices go straight from one to the other.
#ifndef IMPINGE_SHAPE_MOVING_SURFACE_H
#define IMPINGE_SHAPE_MOVING_SURFACE_H

#include "shape/surface.h"

#include <impinge/sweep.h>

/// [0] is where the way begins, [1] where it ends; of a surface at rest both are the same memory. Boxes of
/// `ends` stand for all blocks; vertices and exact boxes only for those that were posed.
typedef struct impi_MovingSurface {
    const impi_FaceBlocks *blocks;
    const uint8_t *parts;         // which vertices and edges each face owns, see shape/face_parts.h
    const impi_BoxLanes *ends[2]; // boxes of blocks, which may be larger than need be
    imp_Box end_bounds[2];        // around those
    imp_Vec3 drift;               // about what the surface moves as a whole
    impi_BlockTree tree;          // boxes around the ways of blocks, less the drift (see impi_box_around_way)
    const imp_Vec3 *vertices[2];  // block by block, as listed in impi_FaceBlocks.vertices
    const imp_Box *boxes[2];      // of blocks, exactly around their vertices
    bool is_at_rest;
} impi_MovingSurface;

/// Two faces by their numbers, when they first touch, and with what: parts as in geom/triangle_sweep.h. Of a
/// surface and itself the lesser number comes first.
typedef struct impi_FaceTime {
    impi_FaceKey faces;
    double time;
    uint8_t part_a, part_b;
} impi_FaceTime;

/// The number of a face in its mesh.
static inline uint32_t impi_moving_face_number(const impi_MovingSurface *surface, impi_BlockFace face)
{
    return surface->blocks->blocks[face / IMPI_BLOCK_FACES].faces[face % IMPI_BLOCK_FACES];
}

/// Where the three corners of a face stand in the lists of vertices.
static inline void impi_moving_corners(const impi_MovingSurface *surface, impi_BlockFace face,
                                       size_t corners[3])
{
    const impi_FaceBlock *block = &surface->blocks->blocks[face / IMPI_BLOCK_FACES];
    for (int i = 0; i < 3; ++i)
        corners[i] = block->first_vertex + (size_t)block->corners[i][face % IMPI_BLOCK_FACES];
}

/// The block of the face must be posed.
static inline imp_MovingTriangle impi_moving_triangle(const impi_MovingSurface *surface, impi_BlockFace face)
{
    size_t corners[3];
    imp_MovingTriangle triangle;
    impi_moving_corners(surface, face, corners);
    for (int i = 0; i < 3; ++i) {
        triangle.begin.v[i] = surface->vertices[0][corners[i]];
        triangle.end.v[i] = surface->vertices[1][corners[i]];
    }
    return triangle;
}

#endif
