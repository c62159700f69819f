/// Bodies in their places, touching faces coloured, and lines over them, in one set of arrays: for pictures
/// and coloured meshes.
#ifndef IMPINGE_KIT_DRAWING_H
#define IMPINGE_KIT_DRAWING_H

#include "kit/picture.h"

#include <impinge/mesh.h>

/// What a drawing has room for.
typedef struct impi_DrawingRoom {
    size_t body_count, vertex_count, triangle_count;
    size_t line_count, line_point_count;
} impi_DrawingRoom;

typedef struct impi_Drawing {
    impi_PictureDef picture;  // of the bodies so far; its title and view are the user's to set
    impi_PictureMesh *meshes; // what the picture is of
    imp_Vec3 *vertices;
    uint8_t *face_colours; // impi_Colour
    impi_PictureLine *lines;
    imp_Vec3 *line_points;
    impi_DrawingRoom room, used;
} impi_Drawing;

void impi_drawing_room_add(impi_DrawingRoom *room, const imp_Mesh *mesh);

/// An empty drawing. False when out of memory; free it in any case.
bool impi_drawing_create(impi_Drawing *drawing, const impi_DrawingRoom *room);
void impi_drawing_free(impi_Drawing *drawing);

/// Take out all bodies and lines.
void impi_drawing_clear(impi_Drawing *drawing);

/// Add the next body: a mesh, with these vertices instead of its own unless null. The pose must be one that
/// a world has accepted; the mesh must outlive the drawing.
void impi_drawing_add(impi_Drawing *drawing, const imp_Mesh *mesh, const imp_Vec3 *vertices,
                      const imp_Pose *pose);

/// Let a face stand out. Two colours, so that one sees whose faces they are when there are two bodies.
void impi_drawing_mark(impi_Drawing *drawing, uint32_t body, uint32_t face);

/// Draw a line over the bodies. Its points are copied.
void impi_drawing_add_line(impi_Drawing *drawing, const impi_PictureLine *line);

/// Write all bodies in their places as one mesh, each face in its colour without light and shade. The file is
/// PLY or OFF (IMP_STATUS_UNSUPPORTED otherwise) and appears whole or not at all.
imp_Status impi_drawing_save_mesh(imp_Context *context, const impi_Drawing *drawing, const char *path);

#endif
