/// The vertex of a polytope that lies farthest in a direction.
#ifndef IMPINGE_SHAPE_SUPPORT_SEARCH_H
#define IMPINGE_SHAPE_SUPPORT_SEARCH_H

#include "shape/support_set.h"

/// How much farther than the vertex that is found another may lie, in units of the longest coordinate of the
/// direction and of the sum of the bounding box's halves. Each of the two is off its place on the grid by
/// half a step; with v = 2^-24 the direction is rounded once, products once, sums twice, for each of the two:
/// 8 v; the rest covers what small numbers lose. If the vertex found is taken at its place on the grid
/// (impi_support_rough) half a step less would do. What doubles round there is counted with what they round
/// elsewhere.
#define IMPI_ROUGH_ERROR (1.0 / IMPI_GRID_STEPS + 12 * 0x1p-24)

/// Where in the set a vertex stands that lies farthest, as it is seen on the grid in single precision; of
/// those equally far, the one in the first lane, and there in the first block, so that the answer does not
/// depend on the instruction set. The set has numbers in single precision; the direction's longest coordinate
/// is between 2^-20 and 2^20.
typedef uint32_t (*impi_SupportFn)(const impi_SupportSet *set, double x, double y, double z);

/// The same with and without vector instructions of some kind. Only what the processor has may be called.
uint32_t impi_support_find_portable(const impi_SupportSet *set, double x, double y, double z);
uint32_t impi_support_find_avx2(const impi_SupportSet *set, double x, double y, double z);
uint32_t impi_support_find_avx512(const impi_SupportSet *set, double x, double y, double z);

/// The fastest that this processor has.
impi_SupportFn impi_support_search(void);

/// Where a vertex is, about: as the grid has it. It was just looked at, while its true place may have to be
/// fetched from memory.
static inline imp_Vec3 impi_support_rough(const impi_SupportSet *set, uint32_t place)
{
    const impi_GridLanes *block = &set->blocks[place / IMPI_SUPPORT_LANES];
    const double step = 1.0 / IMPI_GRID_STEPS;
    uint32_t lane = place % IMPI_SUPPORT_LANES;
    return (imp_Vec3){set->centre.x + set->half.x * (block->x[lane] * step),
                      set->centre.y + set->half.y * (block->y[lane] * step),
                      set->centre.z + set->half.z * (block->z[lane] * step)};
}

/// The same in double precision for any set: far is what (vertex.x * x + vertex.y * y) + vertex.z * z comes
/// to, rounded at each step; of those equally far, the first. Looks at all vertices.
uint32_t impi_support_find_precisely(const impi_SupportSet *set, double x, double y, double z);

#endif
