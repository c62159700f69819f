/// Vertices of a polytope laid out for finding the farthest one in a direction.
#ifndef IMPINGE_SHAPE_SUPPORT_SET_H
#define IMPINGE_SHAPE_SUPPORT_SET_H

#include "base/memory.h"
#include "base/watch.h"

#include <impinge/math.h>

/// Vertices of one block, neighbours in space.
#define IMPI_SUPPORT_LANES 16

/// Sixteen vertices on a grid of 2 * IMPI_GRID_STEPS + 1 points along each axis of their bounding box: small,
/// because a search is as fast as its data comes from memory. Products of a pair with a direction are summed
/// by one instruction.
typedef struct impi_GridLanes {
    int16_t xy[2 * IMPI_SUPPORT_LANES]; // x and y of the first, x and y of the second, ...
    int16_t z[IMPI_SUPPORT_LANES];
} impi_GridLanes;

#define IMPI_GRID_STEPS 32767

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
#define IMPI_MAX_BLOCKS_WITHOUT_CONES 8

typedef struct impi_SupportSet impi_SupportSet;

/// The position in the set of a vertex that lies farthest, as it is seen on the grid; of those equally far,
/// the one that is looked at last. The set is on a grid.
typedef uint32_t (*impi_SupportFn)(const impi_SupportSet *set, double x, double y, double z);

/// What a search needs at once stands in the first 64 bytes.
struct impi_SupportSet {
    impi_SupportCones *cones; // null for few blocks, and where nothing is known of faces
    impi_GridLanes *blocks;   // null where single precision has no numbers for the shape's size
    impi_SupportFn find;      // the fastest that this processor has; null where blocks is
    uint32_t block_count, vertex_count;
    imp_Vec3 steps;     // what a direction is multiplied with to be on a grid too
    double size;        // the sum of the largest magnitudes of coordinates
    double grid_error;  // see impi_support_set_frame
    imp_Vec3 half;      // of the bounding box, a little more where it is flat
    imp_Vec3 centre;    // of the bounding box
    imp_Vec3 *points;   // the vertices themselves; the last block is filled up with copies of its last
    uint32_t *vertices; // the numbers of the points
    // A vertex that lies far out in each octant, by the signs of its directions: bit 0 for negative x, and so
    // on. Positions in the set; for a start when any will do. Unknown for sets that are asked once.
    bool has_corners;
    uint32_t corners[8];
    void *storage; // one piece of memory for all arrays
    size_t storage_size;
};

/// The vertices of a polytope, and its faces where they are known.
typedef struct impi_SupportDef {
    const imp_Vec3 *vertices;
    size_t vertex_count;
    const uint32_t *ids; ///< the vertices to lay out: distinct points, at least one
    size_t id_count;
    const uint32_t *triangles; ///< three of the ids each, turned outward, all around the polytope; or null
    size_t triangle_count;
    impi_Watch *watch; ///< may be null
} impi_SupportDef;

/// The box, and what follows from it: whether the set can be on a grid is told. If it can, `find` finds
/// vertices on it, and grid_error is how much farther than the one found another may lie, for directions
/// whose coordinates have a sum of magnitudes of 1; if not, they are null and 0.
bool impi_support_set_frame(impi_SupportSet *set, const imp_Box *box);

/// Fill set->blocks from set->points.
void impi_support_set_fill_blocks(impi_SupportSet *set);

/// False when out of memory or told to end; then nothing is left behind.
bool impi_support_set_create(const imp_Allocator *allocator, const impi_SupportDef *def,
                             impi_SupportSet *set);

void impi_support_set_destroy(const imp_Allocator *allocator, impi_SupportSet *set);

#endif
