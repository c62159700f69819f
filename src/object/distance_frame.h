/// A frame that looks along the way from one body to the other, for searches of what is closest.
///
/// Patches of two surfaces that face each other are flat along the way between them, so boxes along the axes
/// of such a frame are tight where it matters, and tell apart what boxes along the world's axes do not.
#ifndef IMPINGE_OBJECT_DISTANCE_FRAME_H
#define IMPINGE_OBJECT_DISTANCE_FRAME_H

#include "object/body.h"
#include "object/face_boxes.h"
#include "shape/oriented_boxes.h"

/// Coordinates of a point are rows . (point - origin) * scale. The scale is a power of two for which all
/// coordinates of two bodies, in the world and in the frame, are below 4 in size.
typedef struct impi_DistanceFrame {
    double rows[3][3]; // of unit length and upright on each other, but for rounding
    imp_Vec3 origin;
    double scale;
} impi_DistanceFrame;

/// The scale for two bodies, as an exponent.
int impi_distance_frame_exponent(const impi_Body *a, const impi_Body *b);

/// Of any direction; zeros will do.
impi_DistanceFrame impi_distance_frame(imp_Vec3 way, imp_Vec3 origin, int exponent);

imp_Vec3 impi_distance_frame_map(const impi_DistanceFrame *frame, imp_Vec3 point);

/// What boxes in a frame are widened by: more than all roundings on the way to them together.
#define IMPI_FRAME_ERROR 0x1p-44

/// From a body's own frame, which `transform` leads to the world from, to this one. What it makes of a point
/// is off the frame's coordinates of the posed point by less than IMPI_FRAME_ERROR.
imp_Transform impi_distance_frame_transform(const impi_DistanceFrame *frame, const imp_Transform *transform);

/// Boxes in the frame around the blocks of a body, level 0 of a tree, and the levels above. Whatever vertex
/// is in a block, the frame's coordinates of it, posed, lie in its box.
void impi_distance_frame_boxes(const imp_Transform *to_frame, const impi_OrientedLanes *oriented,
                               impi_BlockTree *tree);

/// Vertices of a block in a frame, rounded to nearest, and the box around them: min x, y, z, max x, y, z.
typedef struct impi_FramePoints {
    _Alignas(64) float points[3][IMPI_MAX_BLOCK_VERTICES];
    float whole[6];
} impi_FramePoints;

/// Of vertices in the body's own frame.
void impi_distance_frame_points(const imp_Transform *to_frame, const imp_Vec3 *vertices, unsigned count,
                                impi_FramePoints *points);

#endif
