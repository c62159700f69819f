// What is opened for reading, and how much of it is read: limits, devices, pipes.
#include "gltf_files.h"
#include "kit/npy_reader.h"
#include "mesh_files.h"

#include <sys/stat.h>
#include <sys/wait.h>

static imp_Context *context_with_limit(uint64_t max_file_bytes)
{
    imp_Context *context = NULL;
    CHECK_INT(imp_context_create(&(imp_ContextDef){.max_file_bytes = max_file_bytes}, &context),
              IMP_STATUS_OK);
    return context;
}

// By its name: a mesh, a scene (.gltf), or boxes (.npy). Nothing may come of it but this.
static void expect(imp_Context *context, const char *path, imp_Status expected, const char *message)
{
    imp_Mesh *mesh = NULL;
    imp_Scene *scene = NULL;
    impi_NpyBoxes boxes = {0};
    imp_Status status = strstr(path, ".npy")    ? impi_npy_load_boxes(context, path, &boxes)
                        : strstr(path, ".gltf") ? imp_scene_load(context, path, &scene)
                                                : imp_mesh_load(context, path, &mesh);
    if (!CHECK_INT(status, expected) || expected != IMP_STATUS_OK)
        CHECK_CONTAINS(imp_context_get_error(context)->message, message);
    imp_mesh_release(mesh);
    imp_scene_destroy(scene);
    impi_npy_free_boxes(context, &boxes);
}

static const char triangle[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";

TEST(files_beyond_the_limit)
{
    char folder[MAX_TEST_PATH];
    make_folder(folder);
    write_file(path_in(folder, "a.obj"), triangle, sizeof triangle - 1);
    gltf_save(gltf_two_bodies(), path_in(folder, "a.gltf"));
    write_file(path_in(folder, "a.npy"), "\x93NUMPY", 6);
    write_file(path_in(folder, "a.dae"), "<COLLADA>", 9);
    imp_Context *context = context_with_limit(32);
    expect(context, path_in(folder, "a.obj"), IMP_STATUS_OK, "");
    expect(context, path_in(folder, "a.gltf"), IMP_STATUS_TOO_LARGE, "a.gltf: it has ");
    CHECK_CONTAINS(imp_context_get_error(context)->message, " bytes, and no more than 32 may be read");
    imp_context_destroy(context);
    context = context_with_limit(31);
    expect(context, path_in(folder, "a.obj"), IMP_STATUS_TOO_LARGE,
           "a.obj: it has 32 bytes, and no more than 31 may be read");
    imp_context_destroy(context);
    context = context_with_limit(5);
    expect(context, path_in(folder, "a.npy"), IMP_STATUS_TOO_LARGE,
           "a.npy: it has 6 bytes, and no more than 5 may be read");
    expect(context, path_in(folder, "a.dae"), IMP_STATUS_TOO_LARGE,
           "a.dae: it has 9 bytes, and no more than 5 may be read");
    imp_context_destroy(context);
    remove_folder(folder);
}

// A file with a hole, which takes no room on the disk.
TEST(files_beyond_the_limit_that_nobody_set)
{
    char folder[MAX_TEST_PATH];
    imp_Context *context = new_context();
    make_folder(folder);
    write_file(path_in(folder, "a.obj"), triangle, sizeof triangle - 1);
    if (truncate(path_in(folder, "a.obj"), (off_t)IMP_DEFAULT_MAX_FILE_BYTES + 1) == 0)
        expect(context, path_in(folder, "a.obj"), IMP_STATUS_TOO_LARGE,
               "it has 68719476737 bytes, and no more than 68719476736 may be read");
    else
        test_skip("the file system has no files with holes");
    imp_context_destroy(context);
    remove_folder(folder);
}

// Nothing but zeros, as far as one reads: refused by their beginning, without reading the rest.
TEST(zeros_that_go_on)
{
    static const struct {
        const char *name, *message;
    } cases[] = {{"a.obj", "a.obj: it is no text: there is a zero byte in a very long line (at byte 0)"},
                 {"a.off", "a.off: it is no text: there is a zero byte in a very long line (at byte 0)"},
                 {"a.ply", "a.ply: it is no text: there is a zero byte in a very long line (at byte 0)"},
                 {"a.stl", "a.stl: the file has no vertices"},
                 {"a.gltf", "a.gltf: it is no glTF: expected an object of JSON"},
                 {"a.npy", "a.npy: this is no NumPy array file"}};
    char folder[MAX_TEST_PATH];
    imp_Context *context = new_context();
    make_folder(folder);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        write_file(path_in(folder, cases[i].name), "", 0);
        if (truncate(path_in(folder, cases[i].name), (off_t)1 << 35) == 0)
            expect(context, path_in(folder, cases[i].name), IMP_STATUS_BAD_FILE, cases[i].message);
        else
            test_skip("the file system has no files with holes");
    }
    imp_context_destroy(context);
    remove_folder(folder);
}

TEST(devices)
{
    static const char *const names[] = {"a.obj", "a.stl", "a.ply", "a.off", "a.gltf", "a.npy"};
    char folder[MAX_TEST_PATH];
    imp_Context *context = new_context();
    make_folder(folder);
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        CHECK(symlink("/dev/zero", path_in(folder, names[i])) == 0);
        expect(context, path_in(folder, names[i]), IMP_STATUS_IO, ": it is a device, not a file");
        CHECK(remove(path_in(folder, names[i])) == 0 && symlink("/dev/null", path_in(folder, names[i])) == 0);
        expect(context, path_in(folder, names[i]), IMP_STATUS_BAD_FILE, "the file is empty");
    }
    imp_context_destroy(context);
    remove_folder(folder);
}

// Run in a process of its own: say `text` over and over, so many times or (0) until nobody listens.
static pid_t say(const char *path, const char *text, size_t size, uint64_t times)
{
    pid_t child = fork();
    if (child != 0)
        return child;
    FILE *pipe = fopen(path, "w");
    for (uint64_t i = 0; pipe && (times == 0 || i < times); ++i)
        if (fwrite(text, 1, size, pipe) != size)
            break;
    if (pipe)
        fclose(pipe);
    _exit(0);
}

TEST(pipes_that_never_end)
{
    static char zeros[4096];
    static const struct {
        const char *name, *text;
        size_t size;
        imp_Status status;
        const char *message;
    } cases[] = {
        {"a.obj", "v 0 0 0\n", 8, IMP_STATUS_TOO_LARGE,
         "it goes on behind 1000000 bytes, and no more than that may be read"},
        {"a.obj", zeros, sizeof zeros, IMP_STATUS_BAD_FILE,
         "it is no text: there is a zero byte (at byte 0)"},
        {"a.off", zeros, sizeof zeros, IMP_STATUS_BAD_FILE,
         "it is no text: there is a zero byte (at byte 0)"},
        {"a.npy", zeros, sizeof zeros, IMP_STATUS_BAD_FILE, "this is no NumPy array file"},
        {"a.gltf", zeros, sizeof zeros, IMP_STATUS_BAD_FILE, "it is no glTF"},
        {"a.stl", zeros, sizeof zeros, IMP_STATUS_TOO_LARGE, "it goes on behind 1000000 bytes"},
    };
    char folder[MAX_TEST_PATH], path[MAX_TEST_PATH + 32];
    imp_Context *context = context_with_limit(1000000);
    make_folder(folder);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        snprintf(path, sizeof path, "%s/%s", folder, cases[i].name);
        CHECK(mkfifo(path, 0600) == 0);
        pid_t child = say(path, cases[i].text, cases[i].size, 0);
        expect(context, path, cases[i].status, cases[i].message);
        CHECK(waitpid(child, NULL, 0) == child && remove(path) == 0);
    }
    imp_context_destroy(context);
    remove_folder(folder);
}

// More than one block, and more than a window.
TEST(pipes_that_end)
{
    char folder[MAX_TEST_PATH], path[MAX_TEST_PATH + 32];
    imp_Context *context = new_context();
    imp_Mesh *mesh = NULL;
    make_folder(folder);
    snprintf(path, sizeof path, "%s/a.obj", folder);
    CHECK(mkfifo(path, 0600) == 0);
    pid_t child = say(path, triangle, sizeof triangle - 1, 20000);
    CHECK_INT(imp_mesh_load(context, path, &mesh), IMP_STATUS_OK);
    CHECK(mesh && imp_mesh_get_triangle_count(mesh) == 20000);
    CHECK(waitpid(child, NULL, 0) == child);
    imp_mesh_release(mesh);
    imp_context_destroy(context);
    remove_folder(folder);
}

TEST(texts_that_begin_with_a_byte_order_mark)
{
    static const struct {
        imp_FileFormat format;
        const char *text;
    } texts[] = {{IMP_FORMAT_OBJ, "\xEF\xBB\xBFv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"},
                 {IMP_FORMAT_OFF, "\xEF\xBB\xBFOFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n"},
                 {IMP_FORMAT_STL,
                  "\xEF\xBB\xBFsolid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\n"
                  "vertex 0 1 0\nendloop\nendfacet\nendsolid a\n"},
                 {IMP_FORMAT_PLY,
                  "\xEF\xBB\xBFply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n"
                  "property float z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n"
                  "0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n"}};
    static const double vertices[] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    static const uint32_t indices[] = {0, 1, 2};
    imp_Context *context = new_context();
    for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) {
        imp_Mesh *mesh = load_text(context, texts[i].format, texts[i].text);
        CHECK(mesh_is(mesh, 3, vertices, 1, indices));
        imp_mesh_release(mesh);
    }
    imp_context_destroy(context);
}
