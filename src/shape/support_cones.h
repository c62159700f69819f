/// Cones of normals around the blocks of a support set.
#ifndef IMPINGE_SHAPE_SUPPORT_CONES_H
#define IMPINGE_SHAPE_SUPPORT_CONES_H

#include "shape/support_set.h"

/// A vertex relative to the centre, stretched to fill a cube of side 2.
static inline imp_Vec3 impi_support_stretch(const impi_SupportSet *set, const imp_Vec3 *v)
{
    return (imp_Vec3){(v->x - set->centre.x) / set->half.x, (v->y - set->centre.y) / set->half.y,
                      (v->z - set->centre.z) / set->half.z};
}

/// Fill set->cones from the faces. The set's points are laid out. False when out of memory or
/// told to end.
bool impi_support_cones_fill(const imp_Allocator *allocator, const impi_SupportDef *def,
                             impi_SupportSet *set);

#endif
