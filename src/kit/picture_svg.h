/// Painted polygons as SVG text.
#ifndef IMPINGE_KIT_PICTURE_SVG_H
#define IMPINGE_KIT_PICTURE_SVG_H

#include "kit/picture.h"
#include "kit/picture_raster.h"

#define IMPI_NO_STYLE UINT16_MAX

/// All that is to be seen. Styles are those of picture_style.h.
typedef struct impi_Painting {
    impi_Polygon *polygons;
    uint32_t *styles; ///< one per polygon
    uint32_t count;
    uint32_t *order; ///< the polygons to paint, those behind first
    uint32_t order_count;
    bool *breaks;       ///< per place of the order: does a path begin there?
    impi_Raster raster; ///< which polygon is to be seen in each pixel
    uint16_t
        *repairs; ///< per pixel: the style to paint on top, or IMPI_NO_STYLE where that order gets it right
    impi_Polygon *ghosts; ///< hidden faces that shine through
    uint32_t *ghost_styles;
    uint32_t ghost_count;
    const impi_PictureLine *lines; ///< seen by the camera
    size_t line_count;
    impi_Camera camera;
    uint32_t raster_pixels_per_pixel;
    double edge_strength; ///< 0: faces have no edges, 1: black ones
} impi_Painting;

/// Faces between two breaks become one path; corners are written relative to each other, in sub-pixels.
/// Pixels in need of repair are painted after them, in rows; lines come last.
void impi_painting_write(const impi_Painting *painting, const char *title, impi_Text *svg);

#endif
