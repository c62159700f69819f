// Mesh files as scenes, and solids of text STL files as bodies.
#include "scene_fixture.h"
#include "scene_memory.h"

#define FACET(x) "facet normal 0 0 1 outer loop vertex " x " 0 0 vertex 1 0 0 vertex 0 1 0 endloop endfacet\n"

static const char three_solids[] = "solid base plate \r\n" FACET("0")
    FACET("5") "endsolid\n"
               "solid\n" FACET("7") "endsolid\n"
                                    "solid lid\n" FACET("9") "endsolid lid\n";

static imp_Scene *load_text_as(imp_Context *context, const char *folder, const char *name, const char *text,
                               const imp_LoadDef *def)
{
    imp_Scene *scene = NULL;
    write_file(path_in(folder, name), text, strlen(text));
    if (!CHECK_INT(imp_scene_load_with(context, path_in(folder, name), def, &scene), IMP_STATUS_OK))
        printf("  %s\n", imp_context_get_error(context)->message);
    return scene;
}

TEST(a_mesh_file_is_a_scene_of_one_body)
{
    static const char obj[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    static const struct {
        const char *file, *given, *name;
    } cases[] = {{"part 1.obj", NULL, "part 1"},    {"a.b.OBJ", NULL, "a.b"},
                 {"a.obj", "left arm", "left arm"}, {"a.obj", "arm 2.5", "arm 2.5"},
                 {"a.obj", "links/arm.stl", "arm"}, {".obj", NULL, ".obj"}};
    char folder[MAX_TEST_PATH];
    make_folder(folder);
    imp_Context *context = new_context();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        imp_Pose pose;
        imp_Vec3 vertices[3];
        imp_LoadDef def = {.name = cases[i].given, .format = IMP_FORMAT_OBJ, .solids = true, .divide_by = 8};
        imp_Scene *scene = load_text_as(context, folder, cases[i].file, obj, &def);
        CHECK_INT(imp_scene_get_body_count(scene), 1);
        imp_SceneBody body = scene_body(scene, 0);
        CHECK_TEXT(body.name, cases[i].name);
        CHECK(!body.deforms && imp_scene_get_duration(scene) == 0 && !imp_scene_get_remark(scene));
        CHECK_INT(imp_scene_sample(scene, 0, 3, &pose, vertices), IMP_STATUS_OK);
        CHECK(pose.translation.x == 0 && pose.rotation.w == 1);
        CHECK(vertices[1].x == 0.125 && imp_mesh_get_vertices(body.mesh)[1].x == 0.125);
        imp_scene_destroy(scene);
    }
    imp_context_destroy(context);
    remove_folder(folder);
}

TEST(remarks_and_refusals_are_passed_on)
{
    char folder[MAX_TEST_PATH];
    make_folder(folder);
    imp_Context *context = new_context();
    imp_Scene *scene = load_text_as(context, folder, "a.obj",
                                    "v 0 0 0\nv 4 0 0\nv 1 1 0\nv 0 4 0\nf 2 3 4 1\nf 1 2 3\n", NULL);
    CHECK_CONTAINS(imp_scene_get_remark(scene), "1 polygon is not convex (the first: line 5)");
    CHECK_TEXT(imp_mesh_get_remark(scene_body(scene, 0).mesh), imp_scene_get_remark(scene));
    imp_scene_destroy(scene);
    scene = NULL;
    write_file(path_in(folder, "b.ply"), "ply\nx\n", 6);
    CHECK_INT(imp_scene_load(context, path_in(folder, "b.ply"), &scene), IMP_STATUS_BAD_FILE);
    CHECK_CONTAINS(imp_context_get_error(context)->message, "b.ply:2: ");
    CHECK(scene == NULL);
    imp_context_destroy(context);
    remove_folder(folder);
}

TEST(solids_are_bodies_where_that_is_asked)
{
    static const char *const names[] = {"base plate", "solid 1", "lid"};
    static const size_t faces[] = {2, 1, 1};
    static const double xs[] = {0, 7, 9};
    char folder[MAX_TEST_PATH];
    make_folder(folder);
    imp_Context *context = new_context();
    imp_Scene *scene = load_text_as(context, folder, "a.stl", three_solids,
                                    &(imp_LoadDef){.solids = true, .divide_by = 1000});
    CHECK_INT(imp_scene_get_body_count(scene), 3);
    CHECK(!imp_scene_get_remark(scene));
    for (size_t i = 0; i < imp_scene_get_body_count(scene); ++i) {
        imp_SceneBody body = scene_body(scene, i);
        CHECK_TEXT(body.name, names[i]);
        CHECK_INT(imp_mesh_get_triangle_count(body.mesh), faces[i]);
        CHECK_INT(imp_mesh_get_vertex_count(body.mesh), 3 * faces[i]);
        CHECK(imp_mesh_get_vertices(body.mesh)[0].x == xs[i] / 1000);
        CHECK_INT(imp_mesh_get_indices(body.mesh)[0], 0);
    }
    imp_scene_destroy(scene);
    // Joined otherwise.
    scene = load_text_as(context, folder, "a.stl", three_solids, NULL);
    CHECK_INT(imp_scene_get_body_count(scene), 1);
    CHECK_TEXT(scene_body(scene, 0).name, "a");
    CHECK_INT(imp_mesh_get_triangle_count(scene_body(scene, 0).mesh), 4);
    imp_scene_destroy(scene);
    imp_Mesh *mesh = NULL;
    CHECK_INT(imp_mesh_load_with(context, path_in(folder, "a.stl"), &(imp_LoadDef){.solids = true}, &mesh),
              IMP_STATUS_OK);
    CHECK_INT(imp_mesh_get_triangle_count(mesh), 4);
    imp_mesh_release(mesh);
    imp_context_destroy(context);
    remove_folder(folder);
}

TEST(solids_without_triangles_are_left_out)
{
    char folder[MAX_TEST_PATH];
    make_folder(folder);
    imp_Context *context = new_context();
    const imp_LoadDef def = {.solids = true};
    imp_Scene *scene = load_text_as(
        context, folder, "a.stl",
        "solid a\nendsolid\nsolid \t\n" FACET("0") "endsolid\nsolid c\nendsolid\nsolid b\nendsolid", &def);
    CHECK_INT(imp_scene_get_body_count(scene), 1);
    CHECK_TEXT(scene_body(scene, 0).name, "solid 1");
    CHECK_TEXT(imp_scene_get_remark(scene), "3 solids have no triangles and are left out");
    imp_scene_destroy(scene);
    // One solid is the file, with or without a name of its own.
    scene = load_text_as(context, folder, "a.stl", "solid x\n" FACET("0") "endsolid\n", &def);
    CHECK_TEXT(scene_body(scene, 0).name, "a");
    imp_scene_destroy(scene);
    scene =
        load_text_as(context, folder, "a.stl",
                     "solid a\nendsolid\nsolid b\nfacet normal 0 0 1 outer loop vertex 4 0 0 vertex 1 1 0 "
                     "vertex 0 4 0 vertex 0 0 0 endloop endfacet\nendsolid\n",
                     &def);
    CHECK_TEXT(imp_scene_get_remark(scene),
               "1 polygon is not convex (the first: line 4); fanned from the first "
               "vertex all the same; 1 solid has no triangles and is left out");
    imp_scene_destroy(scene);
    scene = NULL;
    write_file(path_in(folder, "a.stl"), "solid\nendsolid\nsolid\nendsolid\n", 30);
    CHECK_INT(imp_scene_load_with(context, path_in(folder, "a.stl"), &def, &scene), IMP_STATUS_BAD_FILE);
    CHECK_CONTAINS(imp_context_get_error(context)->message, "the file has no vertices");
    imp_context_destroy(context);
    remove_folder(folder);
}

// Names may be long enough for the file to be read again through a wider window, which must forget solids.
TEST(names_of_any_length_and_bytes)
{
    size_t length = 400000, size = 0;
    char *text = malloc(length + 1000), folder[MAX_TEST_PATH];
    make_folder(folder);
    imp_Context *context = new_context();
    size += (size_t)sprintf(text, "solid first\n" FACET("0") "endsolid\nsolid ");
    memset(text + size, 'x', length);
    size += length;
    size += (size_t)sprintf(text + size, "\n" FACET("1") "endsolid\nsolid \x1b[31m\xff%c hidden\n", 0);
    size += (size_t)sprintf(text + size, FACET("2") "endsolid\n");
    write_file(path_in(folder, "a.stl"), text, size);
    imp_Scene *scene = NULL;
    CHECK_INT(imp_scene_load_with(context, path_in(folder, "a.stl"), &(imp_LoadDef){.solids = true}, &scene),
              IMP_STATUS_OK);
    CHECK_INT(imp_scene_get_body_count(scene), 3);
    CHECK_TEXT(scene_body(scene, 0).name, "first");
    CHECK_INT(strlen(scene_body(scene, 1).name), length);
    CHECK_TEXT(scene_body(scene, 2).name, "\x1b[31m\xff");
    imp_scene_destroy(scene);
    imp_context_destroy(context);
    remove_folder(folder);
    free(text);
}

static void fail_each_allocation(const char *text)
{
    char folder[MAX_TEST_PATH];
    make_folder(folder);
    write_file(path_in(folder, "a.stl"), text, strlen(text));
    CHECK(scene_fail_each_allocation(path_in(folder, "a.stl"), &(imp_LoadDef){.solids = true}) > 7);
    remove_folder(folder);
}

TEST(every_allocation_may_fail)
{
    fail_each_allocation(three_solids);
    fail_each_allocation("solid a\n" FACET("0") "endsolid\nsolid b\nendsolid\n");
    fail_each_allocation("solid a\n" FACET("0") "endsolid\n");
}
