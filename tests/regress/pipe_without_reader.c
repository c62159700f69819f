// Saving to a pipe whose reader had gone ended the process with SIGPIPE.
#include "mesh_files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>

// Larger than what a pipe holds, so that the writer notices.
#define VERTEX_COUNT 30000

static imp_Mesh *make_mesh(imp_Context *context)
{
    static double vertices[VERTEX_COUNT][3];
    static const uint32_t indices[] = {0, 1, 2};
    imp_Mesh *mesh = NULL;
    for (int i = 0; i < VERTEX_COUNT; ++i)
        vertices[i][i % 3] = i + 0.1;
    imp_MeshDef def = {
        .vertices = *vertices, .vertex_count = VERTEX_COUNT, .indices = indices, .triangle_count = 1};
    CHECK_INT(imp_mesh_create(context, &def, &mesh), IMP_STATUS_OK);
    return mesh;
}

TEST(a_reader_that_goes_away)
{
    char folder[MAX_TEST_PATH], path[MAX_TEST_PATH + 32];
    imp_Context *context = new_context();
    imp_Mesh *mesh = make_mesh(context);
    make_folder(folder);
    snprintf(path, sizeof path, "%s/pipe.obj", folder);
    CHECK(mkfifo(path, 0600) == 0);
    pid_t child = fork();
    if (child == 0) {
        char byte;
        int pipe = open(path, O_RDONLY);
        _exit(read(pipe, &byte, 1) == 1 ? 0 : 1);
    }
    CHECK_INT(imp_mesh_save(context, mesh, path), IMP_STATUS_IO);
    CHECK_CONTAINS(imp_context_get_error(context)->message, "pipe.obj: writing failed: Broken pipe");
    CHECK(waitpid(child, NULL, 0) == child);
    imp_mesh_release(mesh);
    imp_context_destroy(context);
    remove_folder(folder);
}

TEST(folders_and_devices)
{
    char folder[MAX_TEST_PATH];
    imp_Context *context = new_context();
    imp_Mesh *mesh = make_mesh(context);
    make_folder(folder);
    CHECK(mkdir(path_in(folder, "a.obj"), 0777) == 0 && symlink("/dev/full", path_in(folder, "b.obj")) == 0 &&
          symlink("/dev/null", path_in(folder, "c.obj")) == 0);
    CHECK_INT(imp_mesh_save(context, mesh, path_in(folder, "a.obj")), IMP_STATUS_IO);
    CHECK_CONTAINS(imp_context_get_error(context)->message, "a.obj: can't be written: Is a directory");
    CHECK_INT(imp_mesh_save(context, mesh, path_in(folder, "b.obj")), IMP_STATUS_IO);
    CHECK_CONTAINS(imp_context_get_error(context)->message, "b.obj: writing failed: No space left on device");
    CHECK_INT(imp_mesh_save(context, mesh, path_in(folder, "c.obj")), IMP_STATUS_OK);
    CHECK_INT(count_files(folder), 3);
    imp_mesh_release(mesh);
    imp_context_destroy(context);
    remove_folder(folder);
}
