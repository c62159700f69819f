/// Pictures of meshes, as SVG: shaded faces, seen along parallel lines, those in front over those behind;
/// and lines on top.
#ifndef IMPINGE_KIT_PICTURE_H
#define IMPINGE_KIT_PICTURE_H

#include "kit/text.h"

#include <impinge/math.h>

/// What a face is painted with. Light and shade come on top.
typedef enum impi_Colour {
    IMPI_COLOUR_BY_PLACE, ///< the next of the colours of bodies, by the mesh's place in the list
    IMPI_COLOUR_BLUE,
    IMPI_COLOUR_SAND,
    IMPI_COLOUR_GREEN,
    IMPI_COLOUR_MAUVE,
    IMPI_COLOUR_TEAL,
    IMPI_COLOUR_GREY,
    IMPI_COLOUR_TOUCH, ///< this and those below stand out, and shine through what hides them
    IMPI_COLOUR_TOUCH_OTHER,
    IMPI_COLOUR_COUNT,
} impi_Colour;

/// A mesh in its place in the scene. Coordinates are finite and indices in range.
typedef struct impi_PictureMesh {
    const imp_Vec3 *vertices;
    const uint32_t *indices; ///< three per triangle
    size_t triangle_count;
    impi_Colour colour;
    const uint8_t *face_colours; ///< an impi_Colour for each triangle, IMPI_COLOUR_BY_PLACE meaning `colour`;
                                 ///< null: all alike
} impi_PictureMesh;

/// Lines from point to point, drawn over the faces, so that nothing hides them. Points are finite and lie
/// where the meshes are.
typedef struct impi_PictureLine {
    const imp_Vec3 *points;
    size_t point_count; ///< of a single point, with dots, there is a dot
    bool is_closed;     ///< goes on from the last point to the first
    bool has_dots;      ///< at both ends
} impi_PictureLine;

#define IMPI_MAX_PICTURE_SIZE 4096

/// Zero fields mean defaults.
typedef struct impi_PictureDef {
    const impi_PictureMesh *meshes;
    size_t mesh_count;
    const impi_PictureLine *lines;
    size_t line_count;
    imp_Vec3 view;     ///< from the scene to the eye, any length; default: chosen, see picture_view.h
    imp_Vec3 up;       ///< what points upwards in the picture; default: y
    uint32_t size;     ///< the longer side in pixels; default 800; the shorter one fits the scene
    const char *title; ///< for programs that read pictures aloud; null: none
} impi_PictureDef;

/// The side of the scene that a name stands for: front, back, left, right, top, bottom. False when there is
/// no such name. For `up` being y, front is where z points to and right is where x points to; for z, front
/// is against y.
bool impi_picture_view_named(const char *name, imp_Vec3 up, imp_Vec3 *view);

/// Append the picture to `svg`. The same input gives the same bytes. A scene of any size is drawn, but one
/// less than 2^-1000 wide is a point. Refused: no triangles at all (IMP_STATUS_BAD_SHAPE), more than 2^32 - 2
/// of them (IMP_STATUS_TOO_LARGE), a view or up that is not finite (IMP_STATUS_BAD_NUMBER), a size above
/// IMPI_MAX_PICTURE_SIZE (IMP_STATUS_BAD_ARGUMENT).
imp_Status impi_picture_draw(imp_Context *context, const impi_PictureDef *def, impi_Text *svg);

/// The same into a file, which appears whole or not at all.
imp_Status impi_picture_save(imp_Context *context, const impi_PictureDef *def, const char *path);

#endif
