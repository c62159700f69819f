/// From where to look at a scene.
#ifndef IMPINGE_KIT_PICTURE_VIEW_H
#define IMPINGE_KIT_PICTURE_VIEW_H

#include "kit/picture.h"
#include "kit/picture_raster.h"

/// Face `face` of mesh `mesh`, ready for the camera.
void impi_picture_triangle(const impi_PictureMesh *mesh, size_t face, imp_Vec3 corners[3]);

/// The colour of a face, IMPI_COLOUR_BY_PLACE replaced.
impi_Colour impi_picture_face_colour(const impi_PictureDef *def, size_t mesh, size_t face);

static inline bool impi_colour_stands_out(impi_Colour colour)
{
    return colour >= IMPI_COLOUR_TOUCH;
}

/// Draw all faces, each under its number, counting through all meshes. Those that stand out come first, so
/// that they win where faces coincide.
void impi_picture_draw_faces(const impi_PictureDef *def, const impi_Camera *camera, impi_Raster *raster);

/// A camera for the definition's view. When none is given it is the best of eight three-quarter views from
/// slightly above: the one in which the scene covers most of the picture, shows the largest share of its
/// faces, and most of the faces that stand out. False when out of memory.
bool impi_picture_camera(impi_Arena *arena, const impi_PictureDef *def, impi_Camera *camera);

/// Scale and shift so that the scene fills a picture whose longer side is `size` pixels, margins included,
/// and find the sides.
void impi_picture_fit(const impi_PictureDef *def, int32_t size, int32_t margin, impi_Camera *camera,
                      int32_t *width, int32_t *height);

#endif
