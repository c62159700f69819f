// Files loaded with a def: other units, formats that the name does not tell, other names, pipes.
#include "scene_fixture.h"

#include <float.h>
#include <sys/stat.h>
#include <sys/wait.h>

static const char square_obj[] = "v 100 0 0\nv 0 200 0\nv 0 0 300\nf 1 2 3\n";

static imp_Status load_with(const char *path, const imp_LoadDef *def, imp_Mesh **mesh, imp_Error *error)
{
    imp_Context *context = new_context();
    imp_Status status = imp_mesh_load_with(context, path, def, mesh);
    *error = *imp_context_get_error(context);
    imp_context_destroy(context);
    return status;
}

// The vertices of what is loaded with a factor, which must be fine.
static void check_vertices(const char *path, const imp_LoadDef *def, const double vertices[9])
{
    imp_Mesh *mesh = NULL;
    imp_Error error;
    if (CHECK_INT(load_with(path, def, &mesh, &error), IMP_STATUS_OK))
        CHECK(memcmp(imp_mesh_get_vertices(mesh), vertices, 9 * sizeof *vertices) == 0);
    else
        printf("  %s\n", error.message);
    imp_mesh_release(mesh);
}

TEST(factors_round_once)
{
    char folder[MAX_TEST_PATH], path[MAX_TEST_PATH + 8];
    make_folder(folder);
    strcpy(path, path_in(folder, "a.obj"));
    write_file(path, square_obj, strlen(square_obj));
    check_vertices(path, NULL, (double[]){100, 0, 0, 0, 200, 0, 0, 0, 300});
    check_vertices(path, &(imp_LoadDef){0}, (double[]){100, 0, 0, 0, 200, 0, 0, 0, 300});
    check_vertices(path, &(imp_LoadDef){.divide_by = 1000}, (double[]){0.1, 0, 0, 0, 0.2, 0, 0, 0, 0.3});
    check_vertices(path, &(imp_LoadDef){.multiply_by = 0.0254},
                   (double[]){100 * 0.0254, 0, 0, 0, 200 * 0.0254, 0, 0, 0, 300 * 0.0254});
    // A quotient is no product by the reciprocal.
    static const char nine[] = "v 9 0 0\nv 0 9 0\nv 0 0 9\nf 1 2 3\n";
    const double product = 9 * 0.001;
    CHECK(product != 0.009);
    write_file(path, nine, strlen(nine));
    check_vertices(path, &(imp_LoadDef){.divide_by = 1000},
                   (double[]){0.009, 0, 0, 0, 0.009, 0, 0, 0, 0.009});
    check_vertices(path, &(imp_LoadDef){.multiply_by = 0.001},
                   (double[]){product, 0, 0, 0, product, 0, 0, 0, product});
    remove_folder(folder);
}

TEST(defs_that_cannot_be_meant)
{
    static const struct {
        imp_LoadDef def;
        const char *message;
    } cases[] = {
        {{.multiply_by = -1}, "multiply_by is -1, which is no factor"},
        {{.divide_by = -0.5}, "divide_by is -0.5, which is no factor"},
        {{.multiply_by = INFINITY}, "multiply_by is inf"},
        {{.divide_by = NAN}, "divide_by is "},
        {{.multiply_by = 2, .divide_by = 2}, "multiply_by and divide_by are both set"},
        {{.format = (imp_FileFormat)77}, "there is no file format 77"},
        {{.reserved = {0, 0, 0, 1}}, "reserved field 3"},
    };
    char folder[MAX_TEST_PATH];
    make_folder(folder);
    imp_Context *context = new_context();
    write_file(path_in(folder, "a.obj"), square_obj, strlen(square_obj));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        imp_Mesh *mesh = NULL;
        imp_Scene *scene = NULL;
        CHECK_INT(imp_mesh_load_with(context, path_in(folder, "a.obj"), &cases[i].def, &mesh),
                  IMP_STATUS_BAD_ARGUMENT);
        CHECK_CONTAINS(imp_context_get_error(context)->message, cases[i].message);
        CHECK_INT(imp_scene_load_with(context, path_in(folder, "a.obj"), &cases[i].def, &scene),
                  IMP_STATUS_BAD_ARGUMENT);
        CHECK_CONTAINS(imp_context_get_error(context)->message, cases[i].message);
        CHECK(!mesh && !scene);
    }
    imp_Scene *scene = NULL;
    imp_Mesh *mesh = NULL;
    CHECK_INT(imp_mesh_load_with(NULL, "a.obj", NULL, &mesh), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_mesh_load_with(context, NULL, NULL, &mesh), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_mesh_load_with(context, "a.obj", NULL, NULL), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_scene_load_with(NULL, "a.obj", NULL, &scene), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_scene_load_with(context, NULL, NULL, &scene), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_scene_load_with(context, "a.obj", NULL, NULL), IMP_STATUS_BAD_ARGUMENT);
    imp_context_destroy(context);
    remove_folder(folder);
}

TEST(coordinates_that_become_too_large_name_their_vertex)
{
    static const char text[] = "v 1 0 0\nv 0 1 0\nv 0 0 1e300\nf 1 2 3\n";
    char folder[MAX_TEST_PATH], path[MAX_TEST_PATH + 8];
    make_folder(folder);
    strcpy(path, path_in(folder, "a.obj"));
    write_file(path, text, strlen(text));
    imp_Mesh *mesh = NULL;
    imp_Error error;
    CHECK_INT(load_with(path, &(imp_LoadDef){.multiply_by = 1e10}, &mesh, &error), IMP_STATUS_BAD_NUMBER);
    CHECK_CONTAINS(error.message, "a.obj: a coordinate of vertex 2 is beyond the largest double");
    CHECK_INT(error.index, 2);
    CHECK_TEXT(error.file, path);
    CHECK_INT(load_with(path, &(imp_LoadDef){.divide_by = 1e-10, .name = "part"}, &mesh, &error),
              IMP_STATUS_BAD_NUMBER);
    CHECK_TEXT(error.file, "part");
    CHECK(mesh == NULL);
    remove_folder(folder);
}

// A scene in millimetres is the scene in metres: vertices and translations are quotients of the others.
static void check_scaled_scene(GltfFile *file)
{
    SceneFixture plain = scene_load(file, "a.glb");
    imp_Scene *scaled = NULL;
    const imp_LoadDef def = {.divide_by = 1000};
    CHECK_INT(imp_scene_load_with(plain.context, path_in(plain.folder, "a.glb"), &def, &scaled),
              IMP_STATUS_OK);
    CHECK_INT(imp_scene_get_body_count(scaled), imp_scene_get_body_count(plain.scene));
    CHECK(imp_scene_get_duration(scaled) == imp_scene_get_duration(plain.scene));
    for (size_t body = 0; body < imp_scene_get_body_count(scaled); ++body)
        for (double seconds = 0; seconds <= 2; seconds += 0.125) {
            imp_Vec3 a[MAX_SCENE_VERTICES], b[MAX_SCENE_VERTICES];
            imp_Pose pose_a, pose_b;
            size_t count = imp_mesh_get_vertex_count(scene_body(scaled, body).mesh);
            CHECK_INT(imp_scene_sample(plain.scene, body, seconds, &pose_a, a), IMP_STATUS_OK);
            CHECK_INT(imp_scene_sample(scaled, body, seconds, &pose_b, b), IMP_STATUS_OK);
            CHECK(memcmp(&pose_a.rotation, &pose_b.rotation, sizeof pose_a.rotation) == 0);
            CHECK(pose_b.translation.x == pose_a.translation.x / 1000);
            CHECK(pose_b.translation.y == pose_a.translation.y / 1000);
            for (size_t i = 0; i < count; ++i)
                CHECK(b[i].x == a[i].x / 1000 && b[i].y == a[i].y / 1000 && b[i].z == a[i].z / 1000);
            if (seconds == 0)
                CHECK(memcmp(b, imp_mesh_get_vertices(scene_body(scaled, body).mesh), count * sizeof *b) ==
                      0);
        }
    imp_scene_destroy(scaled);
    scene_close(&plain);
}

TEST(scenes_in_another_unit)
{
    GltfFile *stretched = gltf_new();
    int mesh = gltf_box(stretched, 0, 0, 0, 1, 1, 1);
    gltf_node(stretched, true, "\"mesh\":%d,\"scale\":[2,3,0.7],\"translation\":[7,8,9]", mesh);
    check_scaled_scene(gltf_two_bodies());
    check_scaled_scene(gltf_skinned_bar());
    check_scaled_scene(gltf_morphing_box());
    check_scaled_scene(stretched);
}

TEST(scenes_that_another_unit_makes_too_large)
{
    SceneFixture plain = scene_load(gltf_two_bodies(), "a.glb");
    imp_Scene *scene = NULL;
    imp_Pose pose;
    const char *path = path_in(plain.folder, "a.glb");
    CHECK_INT(imp_scene_load_with(plain.context, path, &(imp_LoadDef){.multiply_by = DBL_MAX}, &scene),
              IMP_STATUS_BAD_NUMBER);
    CHECK_CONTAINS(imp_context_get_error(plain.context)->message, "a.glb: a coordinate of vertex 0 is");
    CHECK(scene == NULL);
    scene_close(&plain);

    GltfFile *file = gltf_new();
    gltf_node(file, true, "\"mesh\":%d,\"translation\":[1e30,0,0]", gltf_box(file, 0, 0, 0, 1, 1, 1));
    plain = scene_load(file, "a.glb");
    CHECK_INT(imp_scene_load_with(plain.context, path_in(plain.folder, "a.glb"),
                                  &(imp_LoadDef){.multiply_by = 1e300}, &scene),
              IMP_STATUS_OK);
    CHECK_INT(imp_scene_sample(scene, 0, 0, &pose, NULL), IMP_STATUS_BAD_NUMBER);
    imp_scene_destroy(scene);
    scene_close(&plain);
}

// Write to a pipe in a child while the parent reads it with `def`, as a mesh or as a scene.
static void check_pipe(const char *folder, const imp_LoadDef *def, const void *bytes, size_t size)
{
    char path[MAX_TEST_PATH + 16];
    strcpy(path, path_in(folder, "pipe"));
    for (int as_scene = 0; as_scene < 2; ++as_scene) {
        CHECK(mkfifo(path, 0600) == 0);
        pid_t child = fork();
        if (child == 0) {
            FILE *pipe = fopen(path, "wb");
            if (pipe) {
                fwrite(bytes, 1, size, pipe);
                fclose(pipe);
            }
            _exit(0);
        }
        imp_Context *context = new_context();
        imp_Mesh *mesh = NULL;
        imp_Scene *scene = NULL;
        imp_Status status = as_scene ? imp_scene_load_with(context, path, def, &scene)
                                     : imp_mesh_load_with(context, path, def, &mesh);
        if (!CHECK_INT(status, IMP_STATUS_OK))
            printf("  format %d: %s\n", (int)def->format, imp_context_get_error(context)->message);
        CHECK((mesh != NULL) != (scene != NULL));
        imp_mesh_release(mesh);
        imp_scene_destroy(scene);
        imp_context_destroy(context);
        waitpid(child, NULL, 0);
        remove(path);
    }
}

TEST(each_format_can_come_from_a_pipe)
{
    static const struct {
        imp_FileFormat format;
        const char *name;
    } written[] = {{IMP_FORMAT_OBJ, "a.obj"},
                   {IMP_FORMAT_STL, "a.stl"},
                   {IMP_FORMAT_PLY, "a.ply"},
                   {IMP_FORMAT_OFF, "a.off"}};
    char folder[MAX_TEST_PATH];
    make_folder(folder);
    imp_Context *context = new_context();
    // Larger than a pipe holds, and than a window.
    imp_Mesh *grid = new_grid(context, 100);
    for (size_t i = 0; i < sizeof written / sizeof *written; ++i) {
        size_t size = 0;
        CHECK_INT(imp_mesh_save(context, grid, path_in(folder, written[i].name)), IMP_STATUS_OK);
        char *bytes = read_file(path_in(folder, written[i].name), &size);
        check_pipe(folder, &(imp_LoadDef){.format = written[i].format, .name = "pipe"}, bytes, size);
        free(bytes);
    }
    static const char *const scenes[] = {"a.gltf", "a.glb"};
    for (size_t i = 0; i < 2; ++i) {
        size_t size = 0;
        gltf_save(gltf_two_bodies(), path_in(folder, scenes[i]));
        char *bytes = read_file(path_in(folder, scenes[i]), &size);
        check_pipe(folder, &(imp_LoadDef){.format = IMP_FORMAT_GLTF, .name = "pipe"}, bytes, size);
        free(bytes);
    }
    imp_mesh_release(grid);
    imp_context_destroy(context);
    remove_folder(folder);
}

TEST(formats_and_names_are_the_callers)
{
    char folder[MAX_TEST_PATH], path[MAX_TEST_PATH + 16];
    make_folder(folder);
    strcpy(path, path_in(folder, "part.data"));
    write_file(path, square_obj, strlen(square_obj));
    imp_Mesh *mesh = NULL;
    imp_Error error;
    CHECK_INT(load_with(path, &(imp_LoadDef){.format = IMP_FORMAT_OBJ}, &mesh, &error), IMP_STATUS_OK);
    imp_mesh_release(mesh);
    mesh = NULL;
    static const imp_FileFormat others[] = {IMP_FORMAT_STL, IMP_FORMAT_PLY, IMP_FORMAT_OFF, IMP_FORMAT_GLTF,
                                            IMP_FORMAT_BY_NAME};
    for (size_t i = 0; i < sizeof others / sizeof *others; ++i) {
        CHECK(load_with(path, &(imp_LoadDef){.format = others[i], .name = "my part"}, &mesh, &error) !=
              IMP_STATUS_OK);
        CHECK_TEXT(error.file, "my part");
        CHECK_CONTAINS(error.message, "my part: ");
        remove(path);
        CHECK_INT(load_with(path, &(imp_LoadDef){.format = others[i], .name = "my part"}, &mesh, &error),
                  IMP_STATUS_IO);
        CHECK_CONTAINS(error.message, "my part: can't open it");
        write_file(path, square_obj, strlen(square_obj));
    }
    CHECK(mesh == NULL);
    // glTF is read and not written.
    imp_Context *context = new_context();
    CHECK_INT(imp_mesh_load_memory(context, IMP_FORMAT_GLTF, "glTF", 4, "a", &mesh), IMP_STATUS_UNSUPPORTED);
    mesh = new_grid(context, 2);
    CHECK_INT(imp_mesh_save(context, mesh, path_in(folder, "a.gltf")), IMP_STATUS_UNSUPPORTED);
    imp_mesh_release(mesh);
    imp_context_destroy(context);
    remove_folder(folder);
}
