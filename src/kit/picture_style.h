/// Colours, light and shade of pictures. A style is a colour at one of a few levels of brightness.
#ifndef IMPINGE_KIT_PICTURE_STYLE_H
#define IMPINGE_KIT_PICTURE_STYLE_H

#include "io/rgb.h"
#include "kit/picture.h"
#include "kit/picture_raster.h"

#define IMPI_BRIGHTNESS_LEVELS 48
#define IMPI_STYLE_COUNT       (IMPI_COLOUR_COUNT * IMPI_BRIGHTNESS_LEVELS)

/// The style of a triangle under the camera's light; both sides of it are lit alike.
uint32_t impi_style_of_face(const impi_Camera *camera, const imp_Vec3 corners[3], impi_Colour colour);

impi_Rgb impi_style_fill(uint32_t style);

/// For the edges of a face: the fill, darker. `strength` from 0 (none) to 1.
impi_Rgb impi_style_edge(uint32_t style, double strength);

/// Without light, for what shines through.
impi_Rgb impi_colour_plain(impi_Colour colour);

#endif
