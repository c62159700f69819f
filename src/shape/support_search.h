/// The vertex of a polytope that lies farthest in a direction.
#ifndef IMPINGE_SHAPE_SUPPORT_SEARCH_H
#define IMPINGE_SHAPE_SUPPORT_SEARCH_H

#include "shape/support_set.h"

/// How much farther than the vertex that is found another may lie, in units of the longest coordinate of the
/// direction and of the sum of the bounding box's halves. With v = 2^-24: vertex and direction are rounded
/// once each, their products once, the sums twice; that counts for the vertex found and for the other one: 10
/// v, and a little for products of these.
#define IMPI_SINGLE_ERROR (11 * 0x1p-24)

/// Where in the set a vertex stands that lies farthest, as single precision sees it; of those equally far,
/// the one in the first lane, and there in the first block, so that the answer does not depend on the
/// instruction set. The set has numbers in single precision; the direction's longest coordinate is between
/// 2^-20 and 2^20.
typedef uint32_t (*impi_SupportFn)(const impi_SupportSet *set, double x, double y, double z);

/// The same with and without vector instructions of some kind. Only what the processor has may be called.
uint32_t impi_support_find_portable(const impi_SupportSet *set, double x, double y, double z);
uint32_t impi_support_find_avx2(const impi_SupportSet *set, double x, double y, double z);
uint32_t impi_support_find_avx512(const impi_SupportSet *set, double x, double y, double z);

/// The fastest that this processor has.
impi_SupportFn impi_support_search(void);

/// The same in double precision for any set: far is what (vertex.x * x + vertex.y * y) + vertex.z * z comes
/// to, rounded at each step; of those equally far, the first. Looks at all vertices.
uint32_t impi_support_find_precisely(const impi_SupportSet *set, double x, double y, double z);

#endif
