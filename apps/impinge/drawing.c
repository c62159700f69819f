#include "drawing.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void drawing_room_add(DrawingRoom *room, const imp_Mesh *mesh)
{
    ++room->body_count;
    room->vertex_count += imp_mesh_get_vertex_count(mesh);
    room->triangle_count += imp_mesh_get_triangle_count(mesh);
}

bool drawing_create(Drawing *drawing, const DrawingRoom *room)
{
    *drawing = (Drawing){.room = *room};
    drawing->meshes = calloc(room->body_count + 1, sizeof *drawing->meshes);
    drawing->vertices = calloc(room->vertex_count + 1, sizeof *drawing->vertices);
    drawing->face_colours = calloc(room->triangle_count + 1, sizeof *drawing->face_colours);
    drawing->picture.meshes = drawing->meshes;
    return drawing->meshes && drawing->vertices && drawing->face_colours;
}

void drawing_free(Drawing *drawing)
{
    free(drawing->meshes);
    free(drawing->vertices);
    free(drawing->face_colours);
    *drawing = (Drawing){0};
}

void drawing_clear(Drawing *drawing)
{
    drawing->used = (DrawingRoom){0};
    drawing->picture.mesh_count = 0;
    memset(drawing->face_colours, IMPI_COLOUR_BY_PLACE, drawing->room.triangle_count);
}

void drawing_add(Drawing *drawing, const imp_Mesh *mesh, const imp_Vec3 *vertices, const imp_Pose *pose)
{
    imp_Vec3 *placed = drawing->vertices + drawing->used.vertex_count;
    imp_Transform transform = {0};
    imp_Status status = imp_pose_transform(pose, &transform);
    assert(status == IMP_STATUS_OK); // a world has taken it
    (void)status;
    drawing->meshes[drawing->used.body_count] =
        (impi_PictureMesh){.vertices = placed,
                           .indices = imp_mesh_get_indices(mesh),
                           .triangle_count = imp_mesh_get_triangle_count(mesh),
                           .face_colours = drawing->face_colours + drawing->used.triangle_count};
    drawing_room_add(&drawing->used, mesh);
    assert(drawing->used.body_count <= drawing->room.body_count);
    assert(drawing->used.vertex_count <= drawing->room.vertex_count);
    assert(drawing->used.triangle_count <= drawing->room.triangle_count);
    drawing->picture.mesh_count = drawing->used.body_count;
    if (!vertices)
        vertices = imp_mesh_get_vertices(mesh);
    for (size_t i = 0; i < imp_mesh_get_vertex_count(mesh); ++i)
        placed[i] = imp_transform_apply(&transform, vertices[i]);
}

void drawing_mark(Drawing *drawing, uint32_t body, uint32_t face)
{
    ptrdiff_t first = drawing->meshes[body].face_colours - drawing->face_colours;
    drawing->face_colours[first + face] = body % 2 ? IMPI_COLOUR_TOUCH_OTHER : IMPI_COLOUR_TOUCH;
}
