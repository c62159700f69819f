/// Closest points of bodies, to look at.
#ifndef IMPINGE_APPS_DISTANCE_DRAWING_H
#define IMPINGE_APPS_DISTANCE_DRAWING_H

#include "kit/drawing.h"

#include <impinge/distance.h>

/// Make room for so many distances.
void distance_drawing_room_add(impi_DrawingRoom *room, size_t count);

/// Join the closest points of two bodies, or mark the one that they share, and let their faces stand out.
void distance_draw(impi_Drawing *drawing, uint32_t body_a, uint32_t body_b, const imp_Distance *distance);

#endif
