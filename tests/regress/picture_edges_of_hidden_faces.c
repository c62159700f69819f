// Faces of one colour were painted as one path, whose edges come after all of its faces: where one hid
// another, the edges of the hidden one were drawn over it. Pictures of octrees, which have three colours,
// were full of them.
#include "harness.h"
#include "kit/picture.h"

#include <stdlib.h>
#include <string.h>

static const uint32_t two_faces[] = {0, 1, 2, 3, 4, 5};

static size_t path_count_of(double x)
{
    const imp_Vec3 vertices[] = {{-2, -2, 0},  {2, -2, 0},       {2, 2, 0},
                                 {x, -1.5, 1}, {x + 1, -1.5, 1}, {x + 1, -0.5, 1}};
    impi_PictureMesh mesh = {.vertices = vertices, .indices = two_faces, .triangle_count = 2};
    impi_PictureDef def = {.meshes = &mesh, .mesh_count = 1, .view = {0, 0, 1}, .size = 200};
    imp_Context *context = NULL;
    impi_Text svg;
    size_t count = 0;
    CHECK_INT(imp_context_create(NULL, &context), IMP_STATUS_OK);
    impi_text_begin(&svg);
    CHECK_INT(impi_picture_draw(context, &def, &svg), IMP_STATUS_OK);
    impi_text_append(&svg, "", 1);
    for (const char *path = svg.bytes.data; (path = strstr(path, "<path ")); ++path)
        ++count;
    impi_text_free(&svg);
    imp_context_destroy(context);
    return count;
}

TEST(edges_of_what_is_hidden_are_hidden)
{
    CHECK_INT((int64_t)path_count_of(0), 2);
    CHECK_INT((int64_t)path_count_of(5), 1); // beside it
}
