/// The vertex of a polytope that lies farthest in a direction.
#ifndef IMPINGE_SHAPE_SUPPORT_SEARCH_H
#define IMPINGE_SHAPE_SUPPORT_SEARCH_H

#include "shape/support_set.h"

/// Where in the set the farthest vertex stands: block * IMPI_SUPPORT_LANES + lane. Far is what
/// (vertex.x * x + vertex.y * y) + vertex.z * z comes to, rounded at each step; of vertices that are
/// equally far, the one in the first lane, and there in the first block, so that the answer does not depend
/// on the instruction set. The direction is finite, its longest coordinate between 2^-20 and 2^20.
typedef uint32_t (*impi_SupportFn)(const impi_SupportSet *set, double x, double y, double z);

/// The same with and without vector instructions of some kind. Only what the processor has may be called.
uint32_t impi_support_find_portable(const impi_SupportSet *set, double x, double y, double z);
uint32_t impi_support_find_avx2(const impi_SupportSet *set, double x, double y, double z);
uint32_t impi_support_find_avx512(const impi_SupportSet *set, double x, double y, double z);

/// The fastest that this processor has.
impi_SupportFn impi_support_search(void);

/// A vertex by its place.
static inline imp_Vec3 impi_support_vertex(const impi_SupportSet *set, uint32_t place)
{
    const impi_SupportBlock *block = &set->blocks[place / IMPI_SUPPORT_LANES];
    uint32_t lane = place % IMPI_SUPPORT_LANES;
    return (imp_Vec3){block->x[lane], block->y[lane], block->z[lane]};
}

#endif
