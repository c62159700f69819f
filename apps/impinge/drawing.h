/// Bodies in their places, touching faces coloured, in one set of arrays: for pictures and coloured meshes.
#ifndef IMPINGE_APPS_DRAWING_H
#define IMPINGE_APPS_DRAWING_H

#include "io/picture.h"

#include <impinge/mesh.h>

/// What a drawing has room for.
typedef struct DrawingRoom {
    size_t body_count, vertex_count, triangle_count;
} DrawingRoom;

typedef struct Drawing {
    impi_PictureDef picture;  // of the bodies so far; its title and view are the user's to set
    impi_PictureMesh *meshes; // what the picture is of
    imp_Vec3 *vertices;
    uint8_t *face_colours; // impi_Colour
    DrawingRoom room, used;
} Drawing;

void drawing_room_add(DrawingRoom *room, const imp_Mesh *mesh);

/// An empty drawing. False when out of memory; free it in any case.
bool drawing_create(Drawing *drawing, const DrawingRoom *room);
void drawing_free(Drawing *drawing);

/// Take out all bodies.
void drawing_clear(Drawing *drawing);

/// Add the next body: a mesh, with these vertices instead of its own unless null. The pose must be one that
/// a world has accepted; the mesh must outlive the drawing.
void drawing_add(Drawing *drawing, const imp_Mesh *mesh, const imp_Vec3 *vertices, const imp_Pose *pose);

/// Let a face stand out. Two colours, so that one sees whose faces they are when there are two bodies.
void drawing_mark(Drawing *drawing, uint32_t body, uint32_t face);

#endif
