/// The drawing board of pictures: a parallel projection, convex polygons on a grid of pixels, and a depth
/// buffer that tells which polygon is in front.
///
/// Corners are snapped to a fraction of a pixel and coverage is decided in integers, so polygons that share
/// an edge share no pixel and leave none out, and pictures come out the same on every machine.
#ifndef IMPINGE_KIT_PICTURE_RASTER_H
#define IMPINGE_KIT_PICTURE_RASTER_H

#include "base/arena.h"

#include <impinge/math.h>

/// Corners lie on a grid this many times finer than the pixels.
#define IMPI_SUBPIXELS 8

/// Triangles that were cut five times.
#define IMPI_MAX_CORNERS 8

#define IMPI_NOBODY UINT32_MAX

/// A view of the scene along parallel lines. Depth grows towards the eye.
typedef struct impi_Camera {
    imp_Vec3 right, up, toward; ///< orthonormal; `toward` points from the scene to the eye
    imp_Vec3 centre;            ///< of the scene; lands at `middle`
    double extent;              ///< scene units that count as one unit of depth
    double scale;               ///< pixels per `extent`
    imp_Vec2 middle;            ///< in pixels; x to the right, y down
} impi_Camera;

/// Where a point of the scene lies as the camera sees it: to the right of the centre, above it, and towards
/// the eye, in units of the extent.
imp_Vec3 impi_camera_point(const impi_Camera *camera, imp_Vec3 point);

/// Where a point lands in the picture, in sub-pixels, y down.
void impi_camera_project(const impi_Camera *camera, imp_Vec3 point, int32_t *x, int32_t *y);

/// Convex, corners in screen coordinates (sub-pixels, y down), turning so that the inside lies on the
/// non-negative side of every edge. Depth at pixel coordinates (x, y) is plane[0] + x * plane[1] + y *
/// plane[2].
typedef struct impi_Polygon {
    double plane[3];
    double depth_min, depth_max; ///< depth is clamped to these: planes seen edge-on are steep
    double depth_middle;         ///< of the triangle that it is, or was cut from
    int32_t x[IMPI_MAX_CORNERS], y[IMPI_MAX_CORNERS];
    int corner_count;
    unsigned cut_edges; ///< bit i: the edge from corner i to the next was made by a cut
} impi_Polygon;

/// A triangle as the camera sees it. False when it covers no area there.
bool impi_polygon_project(const impi_Camera *camera, const imp_Vec3 corners[3], impi_Polygon *polygon);

/// Twice the area in pixels.
double impi_polygon_double_area(const impi_Polygon *polygon);

/// Cut along the line where the planes of `polygon` and `cutter` meet. False, with nothing written, when the
/// line misses the polygon, a part would be tiny, have too many corners, or not be convex once snapped.
bool impi_polygon_cut(const impi_Polygon *polygon, const impi_Polygon *cutter, impi_Polygon parts[2]);

/// Every pixel holds the polygon that is nearest to the eye there.
typedef struct impi_Raster {
    int32_t width, height;
    double *depth;
    float *middle;   // the owner's, and
    float *doubt;    // how far its depth may be off because its corners are snapped
    uint32_t *owner; ///< IMPI_NOBODY where there is none
} impi_Raster;

/// Memory comes from the arena; false when there is none.
bool impi_raster_create(impi_Arena *arena, int32_t width, int32_t height, impi_Raster *raster);
void impi_raster_clear(impi_Raster *raster);

/// Of polygons at the same depth the one drawn first stays. Where the depths are too close for the precision
/// of the grid, as along an edge behind which a surface turns away, the polygon wins whose middle is nearer
/// to the eye: the one that turns away is behind.
void impi_raster_draw(impi_Raster *raster, const impi_Polygon *polygon, uint32_t id);

/// The pixels of a polygon, row by row: call impi_spans_next until it is false.
typedef struct impi_Spans {
    const impi_Polygon *polygon;
    int64_t slope[IMPI_MAX_CORNERS];  // change of an edge's value from one pixel to the next in a row
    int64_t value[IMPI_MAX_CORNERS];  // of the edge at the first pixel of the next row
    int64_t step[IMPI_MAX_CORNERS];   // change from row to row
    int32_t left, right, row, bottom; // what is left of the polygon's box; right and bottom are excluded
    int32_t y, begin, end;            // the span: pixels begin .. end-1 of row y
} impi_Spans;

impi_Spans impi_spans_begin(const impi_Polygon *polygon, const impi_Raster *raster);
bool impi_spans_next(impi_Spans *spans);

#endif
