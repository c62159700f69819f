#include "io/mesh_writer.h"

#include "mesh_files.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

static const char *const names[] = {"mesh.obj", "mesh.stl", "mesh.ply", "mesh.off"};
enum { FORMAT_COUNT = 4 };

static imp_Mesh *new_mesh(imp_Context *context, double scale, size_t vertex_count)
{
    double *vertices = calloc(3 * vertex_count, sizeof *vertices);
    for (size_t i = 0; i < vertex_count; ++i) {
        vertices[3 * i] = scale * (double)i;
        vertices[3 * i + 1] = scale * 0.1;
        vertices[3 * i + 2] = i == 0 ? -0.0 : scale;
    }
    static const uint32_t indices[] = {0, 1, 2, 2, 1, 0, 1, 1, 1};
    imp_Mesh *mesh = NULL;
    imp_MeshDef def = {
        .vertices = vertices, .vertex_count = vertex_count, .indices = indices, .triangle_count = 3};
    CHECK_INT(imp_mesh_create(context, &def, &mesh), IMP_STATUS_OK);
    free(vertices);
    return mesh;
}

TEST(what_is_written)
{
    char folder[MAX_TEST_PATH];
    make_folder(folder);
    imp_Context *context = new_context();
    imp_Mesh *mesh = new_mesh(context, 1.0, 3);
    size_t size = 0;
    CHECK_INT(imp_mesh_save(context, mesh, path_in(folder, "a.OBJ")), IMP_STATUS_OK);
    char *text = read_file(path_in(folder, "a.OBJ"), &size);
    CHECK_TEXT(text ? text : "", "v 0 0.1 -0\nv 1 0.1 1\nv 2 0.1 1\nf 1 2 3\nf 3 2 1\nf 2 2 2\n");
    free(text);
    CHECK_INT(imp_mesh_save(context, mesh, path_in(folder, "a.off")), IMP_STATUS_OK);
    text = read_file(path_in(folder, "a.off"), &size);
    CHECK_TEXT(text ? text : "", "OFF\n3 3 0\n0 0.1 -0\n1 0.1 1\n2 0.1 1\n3 0 1 2\n3 2 1 0\n3 1 1 1\n");
    free(text);
    CHECK_INT(imp_mesh_save(context, mesh, path_in(folder, "a.stl")), IMP_STATUS_OK);
    text = read_file(path_in(folder, "a.stl"), &size);
    CHECK_INT((int64_t)size, 84 + 3 * 50);
    free(text);
    CHECK_INT(count_files(folder), 3);
    imp_mesh_release(mesh);
    imp_context_destroy(context);
    remove_folder(folder);
}

TEST(colours_go_to_ply_and_off)
{
    static const impi_Rgb colors[] = {{255, 0, 1}, {2, 3, 4}, {5, 6, 7}};
    char folder[MAX_TEST_PATH];
    make_folder(folder);
    imp_Context *context = new_context();
    imp_Mesh *mesh = new_mesh(context, 1.0, 3);
    for (int i = 2; i < FORMAT_COUNT; ++i) {
        imp_Mesh *again = NULL;
        CHECK_INT(impi_mesh_save_colored(context, mesh, colors, path_in(folder, names[i])), IMP_STATUS_OK);
        CHECK_INT(imp_mesh_load(context, path_in(folder, names[i]), &again), IMP_STATUS_OK);
        CHECK(again && same_mesh(again, mesh) && imp_mesh_get_remark(again) == NULL);
        imp_mesh_release(again);
    }
    size_t size;
    char *text = read_file(path_in(folder, "mesh.off"), &size);
    CHECK_CONTAINS(text ? text : "", "3 0 1 2 255 0 1\n3 2 1 0 2 3 4\n");
    free(text);
    text = read_file(path_in(folder, "mesh.ply"), &size);
    CHECK_CONTAINS(text ? text : "", "property uchar red\nproperty uchar green\nproperty uchar blue\n");
    free(text);
    CHECK_INT(impi_mesh_save_colored(context, mesh, colors, path_in(folder, "mesh.obj")),
              IMP_STATUS_UNSUPPORTED);
    CHECK_CONTAINS(imp_context_get_error(context)->message,
                   "colours can be written to PLY and OFF files only");
    imp_mesh_release(mesh);
    imp_context_destroy(context);
    remove_folder(folder);
}

TEST(an_older_file_is_replaced)
{
    char folder[MAX_TEST_PATH];
    make_folder(folder);
    imp_Context *context = new_context();
    imp_Mesh *mesh = new_mesh(context, 1.0, 3), *again = NULL;
    write_file(path_in(folder, "mesh.ply"), "older and not a mesh", 20);
    CHECK_INT(imp_mesh_save(context, mesh, path_in(folder, "mesh.ply")), IMP_STATUS_OK);
    CHECK_INT(imp_mesh_load(context, path_in(folder, "mesh.ply"), &again), IMP_STATUS_OK);
    CHECK(again && same_mesh(again, mesh));
    CHECK_INT(count_files(folder), 1);
    imp_mesh_release(again);
    imp_mesh_release(mesh);
    imp_context_destroy(context);
    remove_folder(folder);
}

static void expect_failure(imp_Context *context, const imp_Mesh *mesh, const char *path, imp_Status status,
                           const char *part)
{
    CHECK_INT(imp_mesh_save(context, mesh, path), status);
    CHECK_CONTAINS(imp_context_get_error(context)->message, part);
}

TEST(bad_arguments_and_bad_places_are_refused)
{
    char folder[MAX_TEST_PATH];
    make_folder(folder);
    imp_Context *context = new_context();
    imp_Mesh *mesh = new_mesh(context, 1.0, 3);
    expect_failure(context, NULL, path_in(folder, "a.obj"), IMP_STATUS_BAD_ARGUMENT, "needs");
    expect_failure(context, mesh, NULL, IMP_STATUS_BAD_ARGUMENT, "needs");
    CHECK_INT(imp_mesh_save(NULL, mesh, path_in(folder, "a.obj")), IMP_STATUS_BAD_ARGUMENT);
    expect_failure(context, mesh, path_in(folder, "a.dae"), IMP_STATUS_UNSUPPORTED,
                   "the extension 'dae' stands for no format that can be written");
    expect_failure(context, mesh, path_in(folder, "none/a.obj"), IMP_STATUS_IO, "No such file or directory");
    CHECK_CONTAINS(imp_context_get_error(context)->message, "none/a.obj: ");
    CHECK(mkdir(path_in(folder, "b.obj"), 0777) == 0);
    expect_failure(context, mesh, path_in(folder, "b.obj"), IMP_STATUS_IO, "Is a directory");
    CHECK_INT(count_files(folder), 1);
    imp_mesh_release(mesh);
    imp_context_destroy(context);
    remove_folder(folder);
}

// The superuser may write everywhere, so the check runs as nobody, in a process of its own.
TEST(an_unwritable_folder_is_named)
{
    char folder[MAX_TEST_PATH];
    make_folder(folder);
    chmod(folder, 0555);
    imp_Context *context = new_context();
    imp_Mesh *mesh = new_mesh(context, 1.0, 3);
    pid_t child = fork();
    if (child == 0) {
        if (geteuid() == 0 && setuid(65534) != 0)
            _exit(2);
        imp_Context *own = new_context(); // the parent's is of no use here
        bool right =
            imp_mesh_save(own, mesh, path_in(folder, "a.obj")) == IMP_STATUS_IO &&
            strstr(imp_context_get_error(own)->message, "a.obj: can't be written: Permission denied");
        imp_context_destroy(own);
        _exit(right ? 0 : 1);
    }
    int result = 0;
    CHECK(child > 0 && waitpid(child, &result, 0) == child);
    if (WIFEXITED(result) && WEXITSTATUS(result) == 2)
        test_skip("there is no user without rights here");
    else
        CHECK(WIFEXITED(result) && WEXITSTATUS(result) == 0);
    chmod(folder, 0755);
    CHECK_INT(count_files(folder), 0);
    imp_mesh_release(mesh);
    imp_context_destroy(context);
    remove_folder(folder);
}

TEST(single_precision_limits_stl_only)
{
    char folder[MAX_TEST_PATH];
    make_folder(folder);
    imp_Context *context = new_context();
    imp_Mesh *mesh = new_mesh(context, 1e300, 3);
    expect_failure(context, mesh, path_in(folder, "a.stl"), IMP_STATUS_BAD_NUMBER,
                   "triangle 0 is beyond single precision, which is all that STL holds");
    CHECK_INT(count_files(folder), 0);
    imp_mesh_release(mesh);
    imp_context_destroy(context);
    remove_folder(folder);
}

// A limit on the size of files stands for a full disk: the older file stays and nothing else is left.
TEST(a_full_disk_leaves_the_older_file)
{
    char folder[MAX_TEST_PATH];
    make_folder(folder);
    imp_Context *context = new_context();
    imp_Mesh *mesh = new_mesh(context, 1.0, 20000);
    struct rlimit before, small = {20000, RLIM_INFINITY};
    getrlimit(RLIMIT_FSIZE, &before);
    small.rlim_max = before.rlim_max;
    signal(SIGXFSZ, SIG_IGN);
    for (int i = 0; i < FORMAT_COUNT; ++i) {
        if (i == 1)
            continue; // three triangles make a small STL file, however many vertices there are
        write_file(path_in(folder, names[i]), "older", 5);
        setrlimit(RLIMIT_FSIZE, &small);
        expect_failure(context, mesh, path_in(folder, names[i]), IMP_STATUS_IO, "File too large");
        setrlimit(RLIMIT_FSIZE, &before);
        size_t size = 0;
        char *text = read_file(path_in(folder, names[i]), &size);
        CHECK_TEXT(text ? text : "", "older");
        free(text);
    }
    CHECK_INT(count_files(folder), FORMAT_COUNT - 1);
    imp_mesh_release(mesh);
    imp_context_destroy(context);
    remove_folder(folder);
}

TEST(a_full_device_is_an_error)
{
    char folder[MAX_TEST_PATH];
    make_folder(folder);
    imp_Context *context = new_context();
    imp_Mesh *mesh = new_mesh(context, 1.0, 20000);
    if (access("/dev/full", W_OK) == 0 && symlink("/dev/full", path_in(folder, "full.obj")) == 0)
        expect_failure(context, mesh, path_in(folder, "full.obj"), IMP_STATUS_IO, "No space left on device");
    else
        test_skip("there is no /dev/full");
    imp_mesh_release(mesh);
    imp_context_destroy(context);
    remove_folder(folder);
}
