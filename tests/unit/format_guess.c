// Files whose content is another format than their name says, or whose name says nothing.
#include "gltf_files.h"
#include "mesh_files.h"

#include "io/assimp_library.h"

#include <impinge/scene.h>

#define CONTENT_COUNT 7

typedef struct Content {
    const char *file, *name;
    imp_FileFormat format;
    char *bytes;
    size_t size;
} Content;

static const char text_stl[] =
    "solid x\nfacet normal 0 0 1 outer loop vertex 0 0 0 vertex 1 0 0 vertex 0 1 0 "
    "endloop endfacet\nendsolid\n";

static void make_contents(imp_Context *context, const char *folder, Content contents[CONTENT_COUNT])
{
    static const Content made[CONTENT_COUNT] = {
        {.file = "a.obj", .name = "OBJ", .format = IMP_FORMAT_OBJ},
        {.file = "a.stl", .name = "STL", .format = IMP_FORMAT_STL},
        {.file = "text.stl", .name = "STL", .format = IMP_FORMAT_STL},
        {.file = "a.ply", .name = "PLY", .format = IMP_FORMAT_PLY},
        {.file = "a.off", .name = "OFF", .format = IMP_FORMAT_OFF},
        {.file = "a.gltf", .name = "glTF", .format = IMP_FORMAT_GLTF},
        {.file = "a.glb", .name = "glTF", .format = IMP_FORMAT_GLTF},
    };
    imp_Mesh *grid = new_grid(context, 30);
    memcpy(contents, made, sizeof made);
    for (size_t i = 0; i < CONTENT_COUNT; ++i) {
        const char *path = path_in(folder, contents[i].file);
        if (contents[i].format == IMP_FORMAT_GLTF)
            gltf_save(gltf_two_bodies(), path);
        else if (strcmp(contents[i].file, "text.stl") == 0)
            write_file(path, text_stl, strlen(text_stl));
        else
            CHECK_INT(imp_mesh_save(context, grid, path), IMP_STATUS_OK);
        contents[i].bytes = read_file(path, &contents[i].size);
    }
    imp_mesh_release(grid);
}

// Each content under the name of each format, as a mesh, as a scene and from memory.
TEST(the_message_tells_what_is_inside)
{
    static const Content names[] = {{.file = "part.obj", .name = "OBJ", .format = IMP_FORMAT_OBJ},
                                    {.file = "part.stl", .name = "STL", .format = IMP_FORMAT_STL},
                                    {.file = "part.ply", .name = "PLY", .format = IMP_FORMAT_PLY},
                                    {.file = "part.off", .name = "OFF", .format = IMP_FORMAT_OFF},
                                    {.file = "part.gltf", .name = "glTF", .format = IMP_FORMAT_GLTF},
                                    {.file = "part.glb", .name = "glTF", .format = IMP_FORMAT_GLTF}};
    char folder[MAX_TEST_PATH];
    Content contents[CONTENT_COUNT];
    imp_Context *context = new_context();
    make_folder(folder);
    make_contents(context, folder, contents);
    for (size_t i = 0; i < CONTENT_COUNT; ++i)
        for (size_t j = 0; j < sizeof names / sizeof *names; ++j) {
            const Content *content = &contents[i], *name = &names[j];
            char expected[128];
            imp_Mesh *mesh = NULL;
            imp_Scene *scene = NULL;
            bool is_same = content->format == name->format;
            imp_Status status = is_same ? IMP_STATUS_OK : IMP_STATUS_BAD_FILE;
            snprintf(expected, sizeof expected,
                     "%s: it looks like %s inside, not %s; is its name, or the format that was given, right?",
                     name->file, content->name, name->name);
            write_file(path_in(folder, name->file), content->bytes, content->size);
            CHECK_INT(imp_mesh_load(context, path_in(folder, name->file), &mesh), status);
            if (!is_same && !CHECK_CONTAINS(imp_context_get_error(context)->message, expected))
                printf("  %s as %s\n", content->file, name->file);
            imp_mesh_release(mesh);
            CHECK_INT(imp_scene_load(context, path_in(folder, name->file), &scene), status);
            if (!is_same)
                CHECK_CONTAINS(imp_context_get_error(context)->message, expected);
            imp_scene_destroy(scene);
            if (name->format == IMP_FORMAT_GLTF)
                continue;
            mesh = NULL;
            CHECK_INT(
                imp_mesh_load_memory(context, name->format, content->bytes, content->size, name->file, &mesh),
                status);
            if (!is_same)
                CHECK_TEXT(imp_context_get_error(context)->message, expected);
            imp_mesh_release(mesh);
        }
    for (size_t i = 0; i < CONTENT_COUNT; ++i)
        free(contents[i].bytes);
    imp_context_destroy(context);
    remove_folder(folder);
}

// assimp knows these names; of its formats none is guessed.
TEST(the_message_tells_what_is_inside_of_files_for_assimp)
{
    static const char off[] = "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";
    static const char other[] = "<?xml version=\"1.0\"?><COLLADA>";
    impi_AssimpLibrary library;
    char folder[MAX_TEST_PATH];
    if (!impi_assimp_library_open(&library)) {
        test_skip("there is no assimp");
        return;
    }
    make_folder(folder);
    imp_Context *context = new_context();
    imp_Mesh *mesh = NULL;
    imp_Scene *scene = NULL;
    write_file(path_in(folder, "x.dae"), off, strlen(off));
    CHECK_INT(imp_mesh_load(context, path_in(folder, "x.dae"), &mesh), IMP_STATUS_BAD_FILE);
    CHECK_CONTAINS(imp_context_get_error(context)->message,
                   "x.dae: it looks like OFF inside; is its name right?");
    CHECK_INT(imp_scene_load(context, path_in(folder, "x.dae"), &scene), IMP_STATUS_BAD_FILE);
    CHECK_CONTAINS(imp_context_get_error(context)->message,
                   "x.dae: it looks like OFF inside; is its name right?");
    write_file(path_in(folder, "x.dae"), other, strlen(other));
    CHECK_INT(imp_mesh_load(context, path_in(folder, "x.dae"), &mesh), IMP_STATUS_BAD_FILE);
    CHECK_CONTAINS(imp_context_get_error(context)->message, "x.dae: assimp can't read it: ");
    CHECK(!mesh && !scene);
    imp_context_destroy(context);
    remove_folder(folder);
}

TEST(what_is_not_clear_is_not_guessed)
{
    static const struct {
        imp_FileFormat format;
        const char *text, *message;
    } cases[] = {
        {IMP_FORMAT_OBJ, "hello world\n", "test: the file has no vertices"},
        {IMP_FORMAT_OBJ, "solid as a rock\n", "test: the file has no vertices"},
        {IMP_FORMAT_PLY, "value 3\n", "test:1: expected ply on the first line, found 'value'"},
        {IMP_FORMAT_PLY, "v of\n", "test:1: expected ply on the first line, found 'v'"},
        {IMP_FORMAT_PLY, "OFFICE\n", "test:1: expected ply on the first line, found 'OFFICE'"},
        {IMP_FORMAT_PLY, "{\"a\":1}\n", "test:1: expected ply on the first line, found '{\"a\":1}'"},
        {IMP_FORMAT_PLY, "o x\n", "test:1: expected ply on the first line, found 'o'"},
        {IMP_FORMAT_OBJ, "v 0 0\n", "test:1: expected a coordinate, found the end of the line"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
        expect_bad_text(cases[i].format, cases[i].text, cases[i].message);
    expect_bad_text(
        IMP_FORMAT_PLY, "# by hand\nmtllib a.mtl\nvn 0 0 1\n\nv 1 2 3\n",
        "test: it looks like OBJ inside, not PLY; is its name, or the format that was given, right?");
    expect_bad_text(
        IMP_FORMAT_PLY, "\xEF\xBB\xBF  f 1/2 2/3 3/4\n",
        "test: it looks like OBJ inside, not PLY; is its name, or the format that was given, right?");
    expect_bad_text(
        IMP_FORMAT_STL, "# by hand\nSTCNOFF\n",
        "test: it looks like OFF inside, not STL; is its name, or the format that was given, right?");
}

TEST(unknown_extensions_list_the_known_ones)
{
    char folder[MAX_TEST_PATH];
    make_folder(folder);
    imp_Context *context = new_context();
    imp_Mesh *mesh = NULL;
    imp_Scene *scene = NULL;
    impi_AssimpLibrary library;
    const char *others =
        impi_assimp_library_open(&library) ? ", or one of assimp's, as .dae" : "(for others, as .dae";
    write_file(path_in(folder, "x.foo"), "x", 1);
    CHECK_INT(imp_mesh_load(context, path_in(folder, "x.foo"), &mesh), IMP_STATUS_UNSUPPORTED);
    CHECK_CONTAINS(imp_context_get_error(context)->message,
                   "x.foo: unknown extension \".foo\"; expected .obj, .stl, .ply, .off, .gltf or .glb");
    CHECK_CONTAINS(imp_context_get_error(context)->message, others);
    CHECK_INT(imp_scene_load(context, path_in(folder, "x.foo"), &scene), IMP_STATUS_UNSUPPORTED);
    CHECK_CONTAINS(imp_context_get_error(context)->message,
                   "x.foo: unknown extension \".foo\"; expected .obj");
    write_file(path_in(folder, "x"), "x", 1);
    CHECK_INT(imp_mesh_load(context, path_in(folder, "x"), &mesh), IMP_STATUS_UNSUPPORTED);
    CHECK_CONTAINS(imp_context_get_error(context)->message, "x: its name has no extension; expected .obj");
    CHECK(!mesh && !scene);
    imp_context_destroy(context);
    remove_folder(folder);
}
