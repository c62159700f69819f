/// Points spread evenly over a mesh's surface.
#ifndef IMPINGE_SHAPE_SURFACE_POINTS_H
#define IMPINGE_SHAPE_SURFACE_POINTS_H

#include "base/array.h"
#include "shape/surface_field.h"

/// In the local frame.
typedef struct impi_SurfacePoint {
    imp_Vec3 position;
    imp_Vec3 normal; // of its face, of length 1; zero where the face has no area
} impi_SurfacePoint;

typedef IMPI_ARRAY(impi_SurfacePoint) impi_SurfacePoints;

/// Random by area, then relaxed. The same mesh gives the same points. `spacing` is the side of the square
/// that each point would have for itself. Memory of the points comes from the context's allocator.
/// IMP_STATUS_OUT_OF_MEMORY, what a watch says, or OK.
imp_Status impi_surface_points_spread(imp_Context *context, const impi_SurfaceField *field, size_t count,
                                      impi_SurfacePoints *points, double *spacing);

/// The point of the surface that is nearest to a place, and how far away.
impi_SurfacePoint impi_surface_point_near(const impi_SurfaceField *field, imp_Vec3 place, double *distance);

#endif
