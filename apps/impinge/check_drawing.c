#include "check_drawing.h"

#include "io/mesh_writer.h"
#include "kit/drawing.h"
#include "kit/picture_style.h"
#include "kit/picture_view.h"

#include <stdlib.h>

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
    for (size_t i = 0; i < scene->face_pair_count; ++i) {
        const CheckFaces *pair = &scene->face_pairs[i];
        impi_drawing_mark(drawing, pair->body_a, pair->face_a);
        impi_drawing_mark(drawing, pair->body_b, pair->face_b);
    }
    return true;
}

static imp_Mesh *merge(const CheckScene *scene, const impi_Drawing *drawing)
{
    imp_Mesh *merged = NULL;
    uint32_t *indices = calloc(drawing->used.triangle_count + 1, 3 * sizeof *indices), *next = indices;
    if (!indices) {
        command_fail("out of memory");
        return NULL;
    }
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
    if (imp_mesh_create(scene->context, &def, &merged) != IMP_STATUS_OK)
        command_fail_in(scene->context);
    free(indices);
    return merged;
}

static CommandResult save_mesh(const CheckScene *scene, const impi_Drawing *drawing, const char *path)
{
    CommandResult result = COMMAND_DONE;
    imp_Mesh *merged = merge(scene, drawing);
    impi_Rgb *colours = calloc(drawing->used.triangle_count + 1, sizeof *colours), *next = colours;
    if (!merged || !colours) {
        result = merged ? command_fail("out of memory") : COMMAND_FAILED;
        goto cleanup;
    }
    for (size_t m = 0; m < drawing->used.body_count; ++m)
        for (size_t face = 0; face < drawing->meshes[m].triangle_count; ++face)
            *next++ = impi_colour_plain(impi_picture_face_colour(&drawing->picture, m, face));
    if (impi_mesh_save_colored(scene->context, merged, colours, path) != IMP_STATUS_OK)
        result = command_fail_in(scene->context);
cleanup:
    imp_mesh_release(merged);
    free(colours);
    return result;
}

CommandResult check_draw(const CheckScene *scene, const char *mesh_path, const char *picture_path)
{
    CommandResult result = COMMAND_DONE;
    impi_Drawing drawing;
    if (!mesh_path && !picture_path)
        return COMMAND_DONE;
    if (!fill_drawing(scene, &drawing)) {
        result = command_fail("out of memory");
        goto cleanup;
    }
    if (mesh_path)
        result = save_mesh(scene, &drawing, mesh_path);
    if (result == COMMAND_DONE && picture_path &&
        impi_picture_save(scene->context, &drawing.picture, picture_path) != IMP_STATUS_OK)
        result = command_fail_in(scene->context);
cleanup:
    impi_drawing_free(&drawing);
    return result;
}
