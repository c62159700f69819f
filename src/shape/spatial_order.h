/// Things in space put in an order in which neighbours in the list are neighbours in space.
#ifndef IMPINGE_SHAPE_SPATIAL_ORDER_H
#define IMPINGE_SHAPE_SPATIAL_ORDER_H

#include "base/watch.h"

/// Centres steer the grouping only, so single precision in a frame of the shape is enough.
typedef struct impi_SpatialItem {
    float centre[3];
    uint32_t id; // distinct: it decides between equal centres
} impi_SpatialItem;

/// Split the items along the longest axis of their centres' box, at the multiple of `block_size` nearest to
/// the middle, until that many or fewer are left. Blocks of that size, cut from the front, are then compact,
/// and all but the last are full. That is `count` steps of the work that is watched; `watch` may be null.
/// False when told to end.
bool impi_spatial_order(impi_Watch *watch, impi_SpatialItem *items, size_t count, size_t block_size);

#endif
