// Formats that are not ours, and ours as assimp writes them.

#include "io/assimp_library.h"
#include "mesh_files.h"

static const char scene[] =
    "<?xml version=\"1.0\"?><COLLADA xmlns=\"http://www.collada.org/2005/11/COLLADASchema\" "
    "version=\"1.4.1\">"
    "<asset><up_axis>Y_UP</up_axis></asset><library_geometries><geometry id=\"g\"><mesh>"
    "<source id=\"p\"><float_array id=\"a\" count=\"12\">0 0 0 1 0 0 1 1 0 0 1 0</float_array>"
    "<technique_common><accessor source=\"#a\" count=\"4\" stride=\"3\"><param name=\"X\" type=\"float\"/>"
    "<param name=\"Y\" type=\"float\"/><param name=\"Z\" "
    "type=\"float\"/></accessor></technique_common></source>"
    "<vertices id=\"v\"><input semantic=\"POSITION\" source=\"#p\"/></vertices>"
    "<polylist count=\"1\"><input semantic=\"VERTEX\" source=\"#v\" offset=\"0\"/><vcount>4</vcount><p>0 1 2 "
    "3</p>"
    "</polylist></mesh></geometry></library_geometries><library_visual_scenes><visual_scene id=\"s\">"
    "<node id=\"n\"><translate>10 0 0</translate><node id=\"m\"><translate>0 20 0</translate>"
    "<instance_geometry url=\"#g\"/></node></node></visual_scene></library_visual_scenes>"
    "<scene><instance_visual_scene url=\"#s\"/></scene></COLLADA>";

TEST(polygons_are_fanned_and_nodes_place_them)
{
    static const double vertices[] = {10, 20, 0, 11, 20, 0, 11, 21, 0, 10, 21, 0};
    static const uint32_t indices[] = {0, 1, 2, 0, 2, 3};
    char folder[MAX_TEST_PATH];
    make_folder(folder);
    imp_Context *context = new_context();
    imp_Mesh *mesh = NULL;
    impi_AssimpLibrary library;
    write_file(path_in(folder, "a.dae"), scene, strlen(scene));
    imp_Status status = imp_mesh_load(context, path_in(folder, "a.dae"), &mesh);
    if (impi_assimp_library_open(&library)) {
        if (CHECK_INT(status, IMP_STATUS_OK))
            CHECK(mesh_is(mesh, 4, vertices, 2, indices));
        else
            printf("  %s\n", imp_context_get_error(context)->message);
    } else {
        CHECK_INT(status, IMP_STATUS_UNSUPPORTED);
        CHECK_CONTAINS(imp_context_get_error(context)->message, "install the package libassimp");
        test_skip("assimp is not installed");
    }
    imp_mesh_release(mesh);
    imp_context_destroy(context);
    remove_folder(folder);
}

TEST(errors_name_the_file)
{
    char folder[MAX_TEST_PATH];
    make_folder(folder);
    imp_Context *context = new_context();
    imp_Mesh *mesh = NULL;
    impi_AssimpLibrary library;
    CHECK_INT(imp_mesh_load(context, path_in(folder, "none.dae"), &mesh), IMP_STATUS_IO);
    CHECK_CONTAINS(imp_context_get_error(context)->message,
                   "none.dae: can't open it: No such file or directory");
    write_file(path_in(folder, "a.unknown"), "x", 1);
    CHECK_INT(imp_mesh_load(context, path_in(folder, "a.unknown"), &mesh), IMP_STATUS_UNSUPPORTED);
    write_file(path_in(folder, "unknown"), "x", 1);
    CHECK_INT(imp_mesh_load(context, path_in(folder, "unknown"), &mesh), IMP_STATUS_UNSUPPORTED);
    CHECK_INT(imp_mesh_load_memory(context, IMP_FORMAT_BY_NAME, scene, sizeof scene, "a.dae", &mesh),
              IMP_STATUS_UNSUPPORTED);
    if (impi_assimp_library_open(&library)) {
        write_file(path_in(folder, "bad.dae"), "<COLLADA", 8);
        CHECK_INT(imp_mesh_load(context, path_in(folder, "bad.dae"), &mesh), IMP_STATUS_BAD_FILE);
        CHECK_CONTAINS(imp_context_get_error(context)->message, "bad.dae: ");
    }
    CHECK(mesh == NULL);
    imp_context_destroy(context);
    remove_folder(folder);
}

// The corners of the triangles of two meshes, which may number their vertices differently.
static bool same_triangles(const imp_Mesh *a, const imp_Mesh *b)
{
    if (imp_mesh_get_triangle_count(a) != imp_mesh_get_triangle_count(b))
        return false;
    for (size_t i = 0; i < imp_mesh_get_triangle_count(a); ++i) {
        imp_Triangle in_a, in_b;
        CHECK_INT(imp_mesh_get_triangle(a, i, &in_a), IMP_STATUS_OK);
        CHECK_INT(imp_mesh_get_triangle(b, i, &in_b), IMP_STATUS_OK);
        if (memcmp(&in_a, &in_b, sizeof in_a) != 0)
            return false;
    }
    return true;
}

// The coordinates are small multiples of 1/8, which any number of digits and single precision hold.
TEST(files_that_assimp_writes_are_read_as_meant)
{
    static const struct {
        const char *format, *name;
    } exports[] = {
        {"obj", "b.obj"}, {"stl", "b.stl"}, {"stlb", "c.stl"}, {"ply", "b.ply"}, {"plyb", "c.ply"}};
    if (system("assimp version >/dev/null 2>&1") != 0) {
        test_skip("the command assimp (package assimp-utils) is not installed");
        return;
    }
    char folder[MAX_TEST_PATH];
    make_folder(folder);
    imp_Context *context = new_context();
    double vertices[60];
    uint32_t indices[90];
    for (int i = 0; i < 60; ++i)
        vertices[i] = (double)test_random_below(1000) / 8.0;
    for (int i = 0; i < 90; ++i)
        indices[i] = (uint32_t)((i / 3 + (i % 3) * 7) % 20);
    imp_MeshDef def = {.vertices = vertices, .vertex_count = 20, .indices = indices, .triangle_count = 30};
    imp_Mesh *mesh = NULL;
    CHECK_INT(imp_mesh_create(context, &def, &mesh), IMP_STATUS_OK);
    CHECK_INT(imp_mesh_save(context, mesh, path_in(folder, "a.obj")), IMP_STATUS_OK);
    for (size_t i = 0; i < sizeof exports / sizeof *exports; ++i) {
        char command[4 * MAX_TEST_PATH];
        snprintf(command, sizeof command, "assimp export %s/a.obj %s/%s -f%s >/dev/null", folder, folder,
                 exports[i].name, exports[i].format);
        CHECK_INT(system(command), 0);
        imp_Mesh *again = NULL;
        if (!CHECK_INT(imp_mesh_load(context, path_in(folder, exports[i].name), &again), IMP_STATUS_OK))
            printf("  %s\n", imp_context_get_error(context)->message);
        if (again && !CHECK(same_triangles(again, mesh)))
            printf("  in %s\n", exports[i].name);
        imp_mesh_release(again);
    }
    imp_mesh_release(mesh);
    imp_context_destroy(context);
    remove_folder(folder);
}
