/// Vertices of a polytope laid out for finding the farthest one in a direction.
#ifndef IMPINGE_SHAPE_SUPPORT_SET_H
#define IMPINGE_SHAPE_SUPPORT_SET_H

#include "base/memory.h"

#include <impinge/math.h>

/// Vertices of one block, neighbours in space.
#define IMPI_SUPPORT_LANES 16

/// A vertex and its number in the mesh. Two in a cache line.
typedef struct impi_SupportPoint {
    imp_Vec3 position;
    uint32_t vertex;
} impi_SupportPoint;

typedef struct impi_FloatLanes {
    float x[IMPI_SUPPORT_LANES], y[IMPI_SUPPORT_LANES], z[IMPI_SUPPORT_LANES];
} impi_FloatLanes;

/// Which blocks can hold the farthest vertex, sixteen blocks at a time: a vertex is the farthest in a
/// direction only if the direction lies between the normals of its faces, and those of a block's vertices lie
/// in a cone.
typedef struct impi_SupportCones {
    impi_FloatLanes axes;             // of length 1
    float limits[IMPI_SUPPORT_LANES]; // the square of the cosine between axis and side
} impi_SupportCones;

/// Up to this many blocks, looking at all of them is faster than asking which.
#define IMPI_MAX_BLOCKS_WITHOUT_CONES 4

typedef struct impi_SupportSet {
    impi_SupportCones *cones; // null for few blocks, and where nothing is known of faces
    // Vertices in single precision, relative to the centre and stretched to fill a cube of side 2; null where
    // single precision has no numbers for the shape's size.
    impi_FloatLanes *blocks;
    impi_SupportPoint *points; // block by block; the last block is filled up with copies of its last vertex
    size_t block_count, vertex_count;
    imp_Vec3 half;    // of the bounding box
    imp_Vec3 centre;  // of the bounding box
    imp_Vec3 largest; // the largest magnitude of each coordinate
    void *storage;    // one piece of memory for all arrays
    size_t storage_size;
} impi_SupportSet;

/// The vertices of a polytope, and its faces where they are known.
typedef struct impi_SupportDef {
    const imp_Vec3 *vertices;
    size_t vertex_count;
    const uint32_t *ids; ///< the vertices to lay out: distinct points, at least one
    size_t id_count;
    const uint32_t *triangles; ///< three of the ids each, turned outward, all around the polytope; or null
    size_t triangle_count;
} impi_SupportDef;

/// False when out of memory; then nothing is left behind.
bool impi_support_set_create(const imp_Allocator *allocator, const impi_SupportDef *def,
                             impi_SupportSet *set);

void impi_support_set_destroy(const imp_Allocator *allocator, impi_SupportSet *set);

#endif
