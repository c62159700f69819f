/// Where points lie relative to a closed mesh, exactly.
/// All functions expect finite points and the default floating-point mode (base/float_guard.h).
#ifndef IMPINGE_SHAPE_POINT_LOCATION_H
#define IMPINGE_SHAPE_POINT_LOCATION_H

#include "shape/box_tree.h"

#define IMPI_NO_COMPONENT UINT32_MAX

typedef struct impi_PointLocator {
    const imp_Mesh *mesh;
    const uint32_t *component_of_face; // may be null: then no component can be ignored
    impi_BoxTree tree;
} impi_PointLocator;

/// In the scratch arena of the context. IMP_STATUS_OUT_OF_MEMORY, OK, or what a watch says.
imp_Status impi_point_locator_build(imp_Context *context, const imp_Mesh *mesh,
                                    const uint32_t *component_of_face, impi_PointLocator *locator);

typedef struct impi_Winding {
    bool on_surface;
    int64_t number; // how often the surface winds around the point; meaningless on the surface
} impi_Winding;

/// With the faces of one component left out, or IMPI_NO_COMPONENT for all faces.
impi_Winding impi_point_locator_wind(const impi_PointLocator *locator, imp_Vec3 point,
                                     uint32_t ignored_component);

/// What one triangle adds to the winding number: 1 when a ray from the point along +z leaves through it, -1
/// when it enters, 0 when it misses. Sets `*on_surface` when the point lies on the triangle, and only then
/// touches it. Summed over all triangles that a closed surface has above the point.
int impi_triangle_crossing(const imp_Triangle *triangle, const imp_Vec3 *point, bool *on_surface);

/// See imp_mesh_locate_points.
imp_Status impi_mesh_locate_points(imp_Context *context, const imp_Mesh *mesh, const imp_Vec3 *points,
                                   size_t count, imp_PointLocation *locations);

#endif
