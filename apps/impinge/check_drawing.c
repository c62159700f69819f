#include "check_drawing.h"

#include "distance_drawing.h"

static bool fill_drawing(const CheckScene *scene, const CheckDistances *distances, impi_Drawing *drawing)
{
    impi_DrawingRoom room = {0};
    for (size_t i = 0; i < scene->body_count; ++i)
        impi_drawing_room_add(&room, scene->bodies[i].mesh);
    if (distances)
        distance_drawing_room_add(&room, distances->count);
    if (!impi_drawing_create(drawing, &room))
        return false;
    drawing->picture.title = distances ? "closest points" : "touching faces";
    for (size_t i = 0; i < scene->body_count; ++i)
        impi_drawing_add(drawing, scene->bodies[i].mesh, NULL, &scene->bodies[i].pose);
    for (size_t i = 0; i < scene->found.face_pair_count; ++i) {
        const impi_FaceLine *pair = &scene->face_pairs[i];
        impi_drawing_mark(drawing, pair->body_a, pair->face_a);
        impi_drawing_mark(drawing, pair->body_b, pair->face_b);
    }
    for (size_t i = 0; distances && i < distances->count; ++i)
        distance_draw(drawing, distances->lines[i].body_a, distances->lines[i].body_b,
                      &distances->lines[i].distance);
    return true;
}

CommandResult check_draw(const CheckScene *scene, const CheckDistances *distances, const char *mesh_path,
                         const char *picture_path)
{
    CommandResult result = COMMAND_DONE;
    impi_Drawing drawing;
    if (!mesh_path && !picture_path)
        return COMMAND_DONE;
    if (!fill_drawing(scene, distances, &drawing)) {
        result = command_fail("out of memory");
        goto cleanup;
    }
    imp_Status status = IMP_STATUS_OK;
    if (mesh_path)
        status = impi_drawing_save_mesh(scene->context, &drawing, mesh_path);
    if (status == IMP_STATUS_OK && picture_path)
        status = impi_picture_save(scene->context, &drawing.picture, picture_path);
    if (status != IMP_STATUS_OK)
        result = command_fail_in(scene->context);
cleanup:
    impi_drawing_free(&drawing);
    return result;
}
