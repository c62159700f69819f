/// The vertex of a polytope that lies farthest in a direction.
#ifndef IMPINGE_SHAPE_SUPPORT_SEARCH_H
#define IMPINGE_SHAPE_SUPPORT_SEARCH_H

#include "geom/scalar.h"
#include "shape/support_set.h"

/// Directions of searches have coordinates up to this size: rotated ones of which the longest was 1, and a
/// little more for what rounding does to rotations.
#define IMPI_MAX_COORDINATE 3.01

/// Steps of the grid that directions are put on. Sums of three products with IMPI_GRID_STEPS stay below 2^31.
#define IMPI_DIRECTION_STEPS 21844

/// The last bits of a distance, which make way for the number of its vertex among those
/// looked at.
#define IMPI_NUMBER_BITS 10

/// impi_SupportFn with and without vector instructions of some kind: all give the same. Only what the
/// processor has may be called.
uint32_t impi_support_find_portable(const impi_SupportSet *set, double x, double y, double z);
uint32_t impi_support_find_avx2(const impi_SupportSet *set, double x, double y, double z);
uint32_t impi_support_find_avx512(const impi_SupportSet *set, double x, double y, double z);

/// The fastest that this processor has.
impi_SupportFn impi_support_search(void);

/// Where a vertex is, about: as the grid has it. It was just looked at, while its true coordinates may have
/// to be fetched from memory.
static inline imp_Vec3 impi_support_rough(const impi_SupportSet *set, uint32_t position)
{
    const impi_GridLanes *block = &set->blocks[position / IMPI_SUPPORT_LANES];
    const double step = 1.0 / IMPI_GRID_STEPS;
    uint32_t lane = position % IMPI_SUPPORT_LANES;
    return (imp_Vec3){set->centre.x + set->half.x * (block->xy[2 * lane] * step),
                      set->centre.y + set->half.y * (block->xy[2 * lane + 1] * step),
                      set->centre.z + set->half.z * (block->z[lane] * step)};
}

/// The same in double precision for any set: far is what (vertex.x * x + vertex.y * y) + vertex.z * z comes
/// to, rounded at each step; of those equally far, the first. Looks at all vertices.
uint32_t impi_support_find_precisely(const impi_SupportSet *set, double x, double y, double z);

#endif
