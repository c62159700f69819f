/// In which order to paint polygons over each other so that what is in front ends up on top.
#ifndef IMPINGE_KIT_PICTURE_ORDER_H
#define IMPINGE_KIT_PICTURE_ORDER_H

#include "kit/picture_raster.h"

/// Which polygon hides which, found pixel by pixel: polygon p lies behind `front[first[p]] ..
/// front[first[p + 1] - 1]`, each once.
typedef struct impi_Hidings {
    size_t *first;
    uint32_t *front;
} impi_Hidings;

/// `raster` has the polygons drawn, each under its index. Memory comes from the arena; false when there is
/// none.
bool impi_find_hidings(impi_Arena *arena, const impi_Raster *raster, const impi_Polygon *polygons,
                       uint32_t count, impi_Hidings *hidings);

/// Does `a` lie behind `b` somewhere?
bool impi_is_behind(const impi_Hidings *hidings, uint32_t a, uint32_t b);

typedef struct impi_OrderDef {
    const impi_Polygon *polygons;
    const uint32_t *styles; ///< one per polygon, below style_count
    uint32_t count, style_count;
    const impi_Hidings *hidings;
} impi_OrderDef;

/// `order` gets the polygons so that each comes after those that it hides. Where polygons hide each other in
/// a circle, the farthest of those left goes first. Among all such orders one is chosen that keeps equal
/// styles together, so that they can be painted at one go. False when out of memory.
bool impi_paint_order(impi_Arena *arena, const impi_OrderDef *def, uint32_t *order);

/// Which polygons of an order can't be painted at one go with the one before: those of another style, and
/// those that hide a part of what would be painted with them, since edges come after all faces of a path.
/// False when out of memory.
bool impi_paint_breaks(impi_Arena *arena, const impi_OrderDef *def, const uint32_t *order,
                       uint32_t order_count, bool *breaks);

#endif
