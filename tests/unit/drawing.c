#include "kit/drawing.h"

#include "mesh_files.h"
#include "scenes/shapes.h"

typedef struct Drawn {
    char folder[MAX_TEST_PATH];
    imp_Context *context;
    imp_Mesh *box;
    impi_Drawing drawing;
} Drawn;

// Two boxes, the second one shifted and with other vertices; a face of it is marked.
static Drawn draw(void)
{
    Drawn drawn = {.context = new_context()};
    impi_DrawingRoom room = {0};
    imp_Pose pose = {.translation = {10, 0, 0}};
    imp_Vec3 larger[8];
    make_folder(drawn.folder);
    CHECK_INT(scene_box(drawn.context, (imp_Vec3){0, 0, 0}, (imp_Vec3){1, 1, 1}, &drawn.box), IMP_STATUS_OK);
    for (size_t i = 0; i < 8; ++i) {
        imp_Vec3 v = imp_mesh_get_vertices(drawn.box)[i];
        larger[i] = (imp_Vec3){2 * v.x, 2 * v.y, 2 * v.z};
    }
    for (int i = 0; i < 2; ++i)
        impi_drawing_room_add(&room, drawn.box);
    CHECK(impi_drawing_create(&drawn.drawing, &room));
    impi_drawing_add(&drawn.drawing, drawn.box, NULL, &(imp_Pose){0});
    impi_drawing_add(&drawn.drawing, drawn.box, larger, &pose);
    impi_drawing_mark(&drawn.drawing, 1, 3);
    return drawn;
}

static void free_drawn(Drawn *drawn)
{
    impi_drawing_free(&drawn->drawing);
    imp_mesh_release(drawn->box);
    imp_context_destroy(drawn->context);
    remove_folder(drawn->folder);
}

TEST(bodies_become_one_mesh)
{
    Drawn drawn = draw();
    static const char *const names[] = {"a.ply", "a.off"};
    for (int i = 0; i < 2; ++i) {
        imp_Mesh *read = NULL;
        const char *path = path_in(drawn.folder, names[i]);
        CHECK_INT(impi_drawing_save_mesh(drawn.context, &drawn.drawing, path), IMP_STATUS_OK);
        if (!CHECK_INT(imp_mesh_load(drawn.context, path, &read), IMP_STATUS_OK))
            continue;
        imp_Box bounds = imp_mesh_get_bounds(read);
        CHECK_INT((int64_t)imp_mesh_get_triangle_count(read), 24);
        CHECK_DOUBLE(bounds.min.x, 0);
        CHECK_DOUBLE(bounds.max.x, 12);
        CHECK_DOUBLE(bounds.max.y, 2);
        imp_mesh_release(read);
    }
    free_drawn(&drawn);
}

TEST(a_file_that_cannot_be_written_is_an_error)
{
    Drawn drawn = draw();
    CHECK_INT(impi_drawing_save_mesh(drawn.context, &drawn.drawing, path_in(drawn.folder, "a.stl")),
              IMP_STATUS_UNSUPPORTED);
    CHECK_INT(impi_drawing_save_mesh(drawn.context, &drawn.drawing, path_in(drawn.folder, "no/a.ply")),
              IMP_STATUS_IO);
    free_drawn(&drawn);
}
