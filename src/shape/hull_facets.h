/// The facets of a hull: its faces as polygons, each in a plane of its own.
///
/// What is made here lies in the context's scratch arena. All functions return IMP_STATUS_OUT_OF_MEMORY, OK,
/// or what a watch says.
#ifndef IMPINGE_SHAPE_HULL_FACETS_H
#define IMPINGE_SHAPE_HULL_FACETS_H

#include "shape/hull_surface.h"

/// A corner of a polygon, and the facet beyond the edge to the next corner.
typedef struct impi_HullCorner {
    uint32_t point;
    uint32_t facet_beyond;
} impi_HullCorner;

/// Corners are extreme points: polygons are strictly convex. They stand counter-clockwise seen from outside
/// and begin with the lowest point; facet i has corners[first_corners[i] .. first_corners[i + 1] - 1].
typedef struct impi_HullFacets {
    size_t count;
    uint32_t *facet_of_face; // by index in the surface's faces; free ones have none
    size_t *first_corners;   // count + 1
    impi_HullCorner *corners;
} impi_HullFacets;

/// Overwrites the links of the surface's vertices.
imp_Status impi_hull_facets_find(imp_Context *context, impi_HullSurface *surface, impi_HullFacets *facets);

/// Triangles of a hull, three points each.
typedef struct impi_HullTriangles {
    uint32_t *corners;
    size_t count;
} impi_HullTriangles;

/// Each polygon as a fan from its lowest point.
imp_Status impi_hull_fans(imp_Context *context, const impi_HullFacets *facets, impi_HullTriangles *triangles);

/// Each polygon with all points that lie on it, for a surface built with keep_coplanar (hull_coplanar.c). Of
/// equal points, the first.
imp_Status impi_hull_cover(imp_Context *context, const impi_HullSurface *surface,
                           const impi_HullFacets *facets, impi_HullTriangles *triangles);

#endif
