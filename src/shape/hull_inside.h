/// Boxes inside of a hull: a quick way to see that a point is of no interest.
#ifndef IMPINGE_SHAPE_HULL_INSIDE_H
#define IMPINGE_SHAPE_HULL_INSIDE_H

#include "shape/hull_surface.h"

#define IMPI_INSIDE_BOXES 7

/// Every point of a box is strictly inside of the surface, exactly. Boxes can be empty.
typedef struct impi_InsideBoxes {
    imp_Box boxes[IMPI_INSIDE_BOXES];
} impi_InsideBoxes;

/// A cube, three plates and three rods, as large as they fit in, measured in extents of `bounds`, which is
/// the bounding box of the points. For few points, which are cheaper to look at one by one, all are empty.
void impi_inside_boxes_find(const impi_HullSurface *surface, const imp_Box *bounds, impi_InsideBoxes *inside);

static inline bool impi_inside_boxes_hold(const impi_InsideBoxes *inside, const imp_Vec3 *p)
{
    bool held = false;
    for (int i = 0; i < IMPI_INSIDE_BOXES; ++i) {
        const imp_Box *box = &inside->boxes[i];
        held |= (p->x >= box->min.x) & (p->x <= box->max.x) & (p->y >= box->min.y) & (p->y <= box->max.y) &
                (p->z >= box->min.z) & (p->z <= box->max.z);
    }
    return held;
}

#endif
