#include "check_drawing.h"

#include "kit/drawing.h"

#include <impinge/mesh.h>

#include <stdlib.h>

// Everything that is drawn. All zero at first, so that it can be freed at any time.
typedef struct CheckDrawing {
    impi_Drawing drawing;
    impi_PictureLine *lines;
    imp_Vec3 *points; // of the lines
} CheckDrawing;

static bool fill_drawing(const CheckScene *scene, impi_Drawing *drawing)
{
    impi_DrawingRoom room = {0};
    for (size_t i = 0; i < scene->body_count; ++i)
        impi_drawing_room_add(&room, scene->bodies[i].mesh);
    if (!impi_drawing_create(drawing, &room))
        return false;
    drawing->picture.title = "touching faces";
    for (size_t i = 0; i < scene->body_count; ++i)
        impi_drawing_add(drawing, scene->bodies[i].mesh, NULL, &scene->bodies[i].pose);
    for (size_t i = 0; i < scene->found.face_pair_count; ++i) {
        const impi_FaceLine *pair = &scene->face_pairs[i];
        impi_drawing_mark(drawing, pair->body_a, pair->face_a);
        impi_drawing_mark(drawing, pair->body_b, pair->face_b);
    }
    return true;
}

static void mark_point(impi_Drawing *drawing, uint32_t body, const imp_SurfacePoint *point)
{
    if (point->face != IMP_NO_FACE)
        impi_drawing_mark(drawing, body, point->face);
}

// Join the closest points of each pair; those that touch have one.
static bool join_points(const CheckDistances *distances, CheckDrawing *drawing)
{
    impi_PictureDef *picture = &drawing->drawing.picture;
    drawing->lines = calloc(distances->count + 1, sizeof *drawing->lines);
    drawing->points = calloc(2 * distances->count + 1, sizeof *drawing->points);
    if (!drawing->lines || !drawing->points)
        return false;
    picture->title = "closest points";
    picture->lines = drawing->lines;
    for (size_t i = 0; i < distances->count; ++i) {
        const DistanceLine *line = &distances->lines[i];
        imp_Vec3 *points = &drawing->points[2 * i];
        mark_point(&drawing->drawing, line->body_a, &line->distance.a);
        mark_point(&drawing->drawing, line->body_b, &line->distance.b);
        if (!distance_has_point(&line->distance, &line->distance.a))
            continue;
        points[0] = line->distance.a.position;
        points[1] = line->distance.b.position;
        drawing->lines[picture->line_count++] = (impi_PictureLine){
            .points = points, .point_count = line->distance.touch ? 1 : 2, .has_dots = true};
    }
    return true;
}

CommandResult check_draw(const CheckScene *scene, const CheckDistances *distances, const char *mesh_path,
                         const char *picture_path)
{
    CommandResult result = COMMAND_DONE;
    CheckDrawing drawing = {.lines = NULL};
    if (!mesh_path && !picture_path)
        return COMMAND_DONE;
    if (!fill_drawing(scene, &drawing.drawing) || (distances && !join_points(distances, &drawing))) {
        result = command_fail("out of memory");
        goto cleanup;
    }
    imp_Status status = IMP_STATUS_OK;
    if (mesh_path)
        status = impi_drawing_save_mesh(scene->context, &drawing.drawing, mesh_path);
    if (status == IMP_STATUS_OK && picture_path)
        status = impi_picture_save(scene->context, &drawing.drawing.picture, picture_path);
    if (status != IMP_STATUS_OK)
        result = command_fail_in(scene->context);
cleanup:
    impi_drawing_free(&drawing.drawing);
    free(drawing.lines);
    free(drawing.points);
    return result;
}
