#include "check_drawing.h"

#include "io/mesh_writer.h"
#include "io/picture.h"
#include "io/picture_style.h"
#include "io/picture_view.h"

#include <stdlib.h>

// All bodies in one set of arrays, which the meshes of the picture point into.
typedef struct Drawing {
    impi_PictureMesh *meshes;
    size_t mesh_count;
    imp_Vec3 *vertices;
    uint8_t *face_colours; // impi_Colour
    size_t vertex_count, triangle_count;
    impi_PictureDef picture;
} Drawing;

static bool drawing_create(const CheckScene *scene, Drawing *drawing)
{
    *drawing = (Drawing){.mesh_count = scene->body_count};
    for (size_t i = 0; i < scene->body_count; ++i) {
        drawing->vertex_count += imp_mesh_vertex_count(scene->bodies[i].mesh);
        drawing->triangle_count += imp_mesh_triangle_count(scene->bodies[i].mesh);
    }
    drawing->meshes = calloc(drawing->mesh_count + 1, sizeof *drawing->meshes);
    drawing->vertices = calloc(drawing->vertex_count + 1, sizeof *drawing->vertices);
    drawing->face_colours = calloc(drawing->triangle_count + 1, sizeof *drawing->face_colours);
    drawing->picture = (impi_PictureDef){
        .meshes = drawing->meshes, .mesh_count = drawing->mesh_count, .title = "touching faces"};
    return drawing->meshes && drawing->vertices && drawing->face_colours;
}

static void drawing_free(Drawing *drawing)
{
    free(drawing->meshes);
    free(drawing->vertices);
    free(drawing->face_colours);
}

// Poses were accepted by the world before.
static void place_bodies(const CheckScene *scene, Drawing *drawing)
{
    imp_Vec3 *vertex = drawing->vertices;
    uint8_t *colours = drawing->face_colours;
    for (size_t m = 0; m < drawing->mesh_count; ++m) {
        const imp_Mesh *mesh = scene->bodies[m].mesh;
        imp_Transform transform = {0};
        imp_pose_transform(&scene->bodies[m].pose, &transform);
        drawing->meshes[m] = (impi_PictureMesh){.vertices = vertex,
                                                .indices = imp_mesh_indices(mesh),
                                                .triangle_count = imp_mesh_triangle_count(mesh),
                                                .face_colours = colours};
        for (size_t i = 0; i < imp_mesh_vertex_count(mesh); ++i)
            *vertex++ = imp_transform_apply(&transform, imp_mesh_vertices(mesh)[i]);
        colours += imp_mesh_triangle_count(mesh);
    }
}

// Two colours, so that one sees whose faces they are when there are two bodies.
static void colour_face(Drawing *drawing, uint32_t body, uint32_t face)
{
    ptrdiff_t first = drawing->meshes[body].face_colours - drawing->face_colours;
    drawing->face_colours[first + face] = body % 2 ? IMPI_COLOUR_TOUCH_OTHER : IMPI_COLOUR_TOUCH;
}

static void colour_touching(const CheckScene *scene, Drawing *drawing)
{
    for (size_t i = 0; i < scene->face_pair_count; ++i) {
        const CheckFaces *pair = &scene->face_pairs[i];
        colour_face(drawing, pair->body_a, pair->face_a);
        colour_face(drawing, pair->body_b, pair->face_b);
    }
}

static imp_Mesh *merge(const CheckScene *scene, const Drawing *drawing)
{
    imp_Mesh *merged = NULL;
    uint32_t *indices = calloc(drawing->triangle_count + 1, 3 * sizeof *indices), *next = indices;
    if (!indices) {
        command_fail("out of memory");
        return NULL;
    }
    for (size_t m = 0; m < drawing->mesh_count; ++m) {
        const impi_PictureMesh *mesh = &drawing->meshes[m];
        uint32_t first = (uint32_t)(mesh->vertices - drawing->vertices);
        for (size_t i = 0; i < 3 * mesh->triangle_count; ++i)
            *next++ = first + mesh->indices[i];
    }
    imp_MeshDef def = {.vertices = &drawing->vertices[0].x,
                       .vertex_count = drawing->vertex_count,
                       .indices = indices,
                       .triangle_count = drawing->triangle_count};
    if (imp_mesh_create(scene->context, &def, &merged) != IMP_STATUS_OK)
        command_fail_in(scene->context);
    free(indices);
    return merged;
}

static CommandResult save_mesh(const CheckScene *scene, const Drawing *drawing, const char *path)
{
    CommandResult result = COMMAND_DONE;
    imp_Mesh *merged = merge(scene, drawing);
    impi_Rgb *colours = calloc(drawing->triangle_count + 1, sizeof *colours), *next = colours;
    if (!merged || !colours) {
        result = merged ? command_fail("out of memory") : COMMAND_FAILED;
        goto cleanup;
    }
    for (size_t m = 0; m < drawing->mesh_count; ++m)
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
    Drawing drawing;
    if (!mesh_path && !picture_path)
        return COMMAND_DONE;
    if (!drawing_create(scene, &drawing)) {
        result = command_fail("out of memory");
        goto cleanup;
    }
    place_bodies(scene, &drawing);
    colour_touching(scene, &drawing);
    if (mesh_path)
        result = save_mesh(scene, &drawing, mesh_path);
    if (result == COMMAND_DONE && picture_path &&
        impi_picture_save(scene->context, &drawing.picture, picture_path) != IMP_STATUS_OK)
        result = command_fail_in(scene->context);
cleanup:
    drawing_free(&drawing);
    return result;
}
