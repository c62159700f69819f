#include "kit/drawing.h"

#include "base/context.h"
#include "io/mesh_writer.h"
#include "kit/picture_style.h"
#include "kit/picture_view.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void impi_drawing_room_add(impi_DrawingRoom *room, const imp_Mesh *mesh)
{
    ++room->body_count;
    room->vertex_count += imp_mesh_get_vertex_count(mesh);
    room->triangle_count += imp_mesh_get_triangle_count(mesh);
}

bool impi_drawing_create(impi_Drawing *drawing, const impi_DrawingRoom *room)
{
    *drawing = (impi_Drawing){.room = *room};
    drawing->meshes = calloc(room->body_count + 1, sizeof *drawing->meshes);
    drawing->vertices = calloc(room->vertex_count + 1, sizeof *drawing->vertices);
    drawing->face_colours = calloc(room->triangle_count + 1, sizeof *drawing->face_colours);
    drawing->lines = calloc(room->line_count + 1, sizeof *drawing->lines);
    drawing->line_points = calloc(room->line_point_count + 1, sizeof *drawing->line_points);
    drawing->picture.meshes = drawing->meshes;
    drawing->picture.lines = drawing->lines;
    return drawing->meshes && drawing->vertices && drawing->face_colours && drawing->lines &&
           drawing->line_points;
}

void impi_drawing_free(impi_Drawing *drawing)
{
    free(drawing->meshes);
    free(drawing->vertices);
    free(drawing->face_colours);
    free(drawing->lines);
    free(drawing->line_points);
    *drawing = (impi_Drawing){0};
}

void impi_drawing_clear(impi_Drawing *drawing)
{
    drawing->used = (impi_DrawingRoom){0};
    drawing->picture.mesh_count = drawing->picture.line_count = 0;
    memset(drawing->face_colours, IMPI_COLOUR_BY_PLACE, drawing->room.triangle_count);
}

void impi_drawing_add(impi_Drawing *drawing, const imp_Mesh *mesh, const imp_Vec3 *vertices,
                      const imp_Pose *pose)
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
    impi_drawing_room_add(&drawing->used, mesh);
    assert(drawing->used.body_count <= drawing->room.body_count);
    assert(drawing->used.vertex_count <= drawing->room.vertex_count);
    assert(drawing->used.triangle_count <= drawing->room.triangle_count);
    drawing->picture.mesh_count = drawing->used.body_count;
    if (!vertices)
        vertices = imp_mesh_get_vertices(mesh);
    for (size_t i = 0; i < imp_mesh_get_vertex_count(mesh); ++i)
        placed[i] = imp_transform_apply(&transform, vertices[i]);
}

void impi_drawing_mark(impi_Drawing *drawing, uint32_t body, uint32_t face)
{
    ptrdiff_t first = drawing->meshes[body].face_colours - drawing->face_colours;
    drawing->face_colours[first + face] = body % 2 ? IMPI_COLOUR_TOUCH_OTHER : IMPI_COLOUR_TOUCH;
}

void impi_drawing_add_line(impi_Drawing *drawing, const impi_PictureLine *line)
{
    imp_Vec3 *points = drawing->line_points + drawing->used.line_point_count;
    impi_PictureLine *added = &drawing->lines[drawing->used.line_count++];
    drawing->used.line_point_count += line->point_count;
    assert(drawing->used.line_count <= drawing->room.line_count);
    assert(drawing->used.line_point_count <= drawing->room.line_point_count);
    for (size_t i = 0; i < line->point_count; ++i)
        points[i] = line->points[i];
    *added = *line;
    added->points = points;
    drawing->picture.line_count = drawing->used.line_count;
}

// ---- one mesh

static imp_Status merge(imp_Context *context, const impi_Drawing *drawing, imp_Mesh **merged)
{
    uint32_t *indices = calloc(drawing->used.triangle_count + 1, 3 * sizeof *indices), *next = indices;
    if (!indices)
        return impi_fail_out_of_memory(context);
    for (size_t m = 0; m < drawing->used.body_count; ++m) {
        const impi_PictureMesh *mesh = &drawing->meshes[m];
        uint32_t first = (uint32_t)(mesh->vertices - drawing->vertices);
        for (size_t i = 0; i < 3 * mesh->triangle_count; ++i)
            *next++ = first + mesh->indices[i];
    }
    imp_MeshDef def = {.vertices = &drawing->vertices[0].x,
                       .vertex_count = drawing->used.vertex_count,
                       .indices = indices,
                       .triangle_count = drawing->used.triangle_count};
    imp_Status status = imp_mesh_create(context, &def, merged);
    free(indices);
    return status;
}

imp_Status impi_drawing_save_mesh(imp_Context *context, const impi_Drawing *drawing, const char *path)
{
    imp_Mesh *merged = NULL;
    impi_Rgb *colours = calloc(drawing->used.triangle_count + 1, sizeof *colours), *next = colours;
    if (!colours)
        return impi_fail_out_of_memory(context);
    imp_Status status = merge(context, drawing, &merged);
    if (status != IMP_STATUS_OK)
        goto cleanup;
    for (size_t m = 0; m < drawing->used.body_count; ++m)
        for (size_t face = 0; face < drawing->meshes[m].triangle_count; ++face)
            *next++ = impi_colour_plain(impi_picture_face_colour(&drawing->picture, m, face));
    status = impi_mesh_save_colored(context, merged, colours, path);
cleanup:
    imp_mesh_release(merged);
    free(colours);
    return status;
}
