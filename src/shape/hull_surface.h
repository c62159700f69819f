/// The surface of a hull while it grows, and when it is whole: triangles, several of them in one plane where
/// more than three points are.
#ifndef IMPINGE_SHAPE_HULL_SURFACE_H
#define IMPINGE_SHAPE_HULL_SURFACE_H

#include "base/array.h"
#include "geom/predicates.h"
#include "shape/hull_points.h"
#include "shape/mesh.h"

typedef enum impi_HullMark {
    IMPI_HULL_UNSEEN, // by the point that is being added
    IMPI_HULL_HIDDEN,
    IMPI_HULL_VISIBLE,
    IMPI_HULL_FREE // no face, but room for one
} impi_HullMark;

typedef struct impi_HullFace {
    imp_Vec3 base, normal;  // its first corner; not of unit length, rounded, or even overflown
    double farthest_height; // of `farthest` above the plane, times the length of the normal, rounded
    uint32_t corners[3];    // points, counter-clockwise seen from outside
    uint32_t neighbours[3]; // faces over the sides 0-1, 1-2, 2-0
    uint32_t first_outside, last_outside; // a list of points strictly above its plane
    uint32_t farthest;                    // one of them
    uint32_t first_on;                    // a list of points of the surface that lie in its plane
    impi_HullMark mark;
} impi_HullFace;

typedef struct impi_HullSurface {
    const imp_Allocator *allocator;
    impi_HullPoints points;
    IMPI_ARRAY(impi_HullFace) faces; // the free ones among them
    // One number per point. Of points in a list: the next one, or IMPI_NO_POINT. Of vertices of the surface,
    // which are in no list: what a stage of the work wants to know of them.
    uint32_t *links;
    bool keeps_coplanar; // whether lists `first_on` are kept
    double filter_error; // bounds the rounding of heights; infinite where there is no bound
} impi_HullSurface;

/// Build the surface around points that are finite and not in one plane: `simplex` is what impi_hull_simplex
/// found. Vertices are all extreme points, and some others of the surface; of equal points the first.
/// IMP_STATUS_OUT_OF_MEMORY, OK, or what a watch says; free it in each case. `links` come from the context's
/// scratch arena.
imp_Status impi_hull_surface_build(imp_Context *context, const impi_HullPoints *points,
                                   const uint32_t simplex[4], bool keep_coplanar, impi_HullSurface *surface);
void impi_hull_surface_free(impi_HullSurface *surface);

/// The side of a face's plane on which a point lies, exactly: 1 is outside. `height` is about its height, as
/// in farthest_height.
static inline int impi_hull_side(const impi_HullSurface *surface, const impi_HullFace *face,
                                 const imp_Vec3 *point, double *height)
{
    double wx = point->x - face->base.x, wy = point->y - face->base.y, wz = point->z - face->base.z;
    double volume = (wx * face->normal.x + wy * face->normal.y) + wz * face->normal.z;
    *height = volume;
    if (fabs(volume) > surface->filter_error)
        return volume > 0 ? 1 : -1;
    imp_Vec3 b = impi_hull_point(&surface->points, face->corners[1]);
    imp_Vec3 c = impi_hull_point(&surface->points, face->corners[2]);
    return impi_orient3d(&face->base, &b, &c, point);
}

#endif
