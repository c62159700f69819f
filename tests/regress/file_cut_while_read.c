// Files were mapped while they were read: when another program cut one short, the next look at it ended the
// process with SIGBUS. Whatever becomes of a file meanwhile, reading it ends with a status.
#include "gltf_files.h"
#include "kit/npy_reader.h"
#include "mesh_files.h"

#include <signal.h>
#include <sys/types.h>
#include <sys/wait.h>

#define SIDE 120 // vertices along each side of the mesh: its files are larger than any window

// An allocator that changes a file's length when its n-th block is asked for: after the file was opened.
typedef struct Meddler {
    const char *path;
    off_t size;
    int countdown;
    bool has_meddled;
} Meddler;

static void *allocate(size_t size, void *user)
{
    Meddler *meddler = user;
    void *storage = NULL;
    if (--meddler->countdown == 0)
        meddler->has_meddled = truncate(meddler->path, meddler->size) == 0;
    return posix_memalign(&storage, 64, size) == 0 ? storage : NULL;
}

static void release(void *storage, size_t size, void *user)
{
    (void)size;
    (void)user;
    free(storage);
}

static void save_grid(const char *path)
{
    imp_Context *context = new_context();
    imp_Mesh *mesh = new_grid(context, SIDE);
    CHECK_INT(imp_mesh_save(context, mesh, path), IMP_STATUS_OK);
    imp_mesh_release(mesh);
    imp_context_destroy(context);
}

static void save_boxes(const char *path)
{
    static const char header[] =
        "\x93NUMPY\x01\x00\x76\x00{'descr': '<f4', 'fortran_order': False, 'shape': (4000, 6), }";
    static unsigned char bytes[128 + 96000];
    memset(bytes, ' ', 128);
    memcpy(bytes, header, sizeof header - 1);
    write_file(path, bytes, sizeof bytes);
}

static void save(const char *path)
{
    if (strstr(path, ".glb"))
        gltf_save(gltf_two_bodies(), path);
    else if (strstr(path, ".npy"))
        save_boxes(path);
    else
        save_grid(path);
}

static imp_Status load(imp_Context *context, const char *path)
{
    imp_Status status;
    if (strstr(path, ".glb")) {
        imp_Scene *scene = NULL;
        status = imp_scene_load(context, path, &scene);
        imp_scene_destroy(scene);
    } else if (strstr(path, ".npy")) {
        impi_NpyBoxes boxes = {0};
        status = impi_npy_load_boxes(context, path, &boxes);
        for (size_t i = 0; status == IMP_STATUS_OK && i < 6 * boxes.box_count; ++i)
            CHECK(((const float *)boxes.rows)[i] != 1);
        impi_npy_free_boxes(context, &boxes);
    } else {
        imp_Mesh *mesh = NULL;
        status = imp_mesh_load(context, path, &mesh);
        imp_mesh_release(mesh);
    }
    return status;
}

static const char *const names[] = {"a.obj", "a.stl", "a.ply", "a.off", "a.glb", "a.npy"};
enum { NAME_COUNT = sizeof names / sizeof *names };

// Meddle at each allocation in turn. Returns how often the file could not be read.
static int meddle(const char *path, double new_size)
{
    size_t size = 0;
    int failures = 0, n = 0;
    bool has_meddled = true;
    for (; has_meddled; ++n) {
        save(path);
        free(read_file(path, &size));
        Meddler meddler = {path, (off_t)((double)size * new_size), n + 2, false};
        imp_ContextDef def = {.allocator = {allocate, release, &meddler}};
        imp_Context *context = NULL;
        CHECK_INT(imp_context_create(&def, &context), IMP_STATUS_OK);
        imp_Status status = load(context, path);
        const char *message = imp_context_get_error(context)->message;
        CHECK(status == IMP_STATUS_OK || status == IMP_STATUS_IO);
        if (status == IMP_STATUS_IO)
            CHECK_CONTAINS(message, "it was cut short while it was read: it had ");
        failures += status != IMP_STATUS_OK;
        has_meddled = meddler.has_meddled;
        imp_context_destroy(context);
    }
    CHECK(n >= 2);
    return failures;
}

TEST(files_that_are_cut_short)
{
    char folder[MAX_TEST_PATH], path[MAX_TEST_PATH + 32];
    make_folder(folder);
    for (int i = 0; i < NAME_COUNT; ++i) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        CHECK(meddle(path, 0) >= 1);
        CHECK(meddle(path, 0.5) >= 1);
        CHECK(meddle(path, 0.999) >= 1);
    }
    remove_folder(folder);
}

// What was there when it was opened is read.
TEST(files_that_grow)
{
    char folder[MAX_TEST_PATH], path[MAX_TEST_PATH + 32];
    make_folder(folder);
    for (int i = 0; i < NAME_COUNT; ++i) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        CHECK_INT(meddle(path, 1.5), 0);
    }
    remove_folder(folder);
}

// Another process cuts the file and lets it grow again, at any time.
TEST(files_that_another_process_changes)
{
    char folder[MAX_TEST_PATH], path[MAX_TEST_PATH + 32];
    make_folder(folder);
    imp_Context *context = new_context();
    for (int i = 0; i < NAME_COUNT; ++i) {
        size_t size = 0;
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        save(path);
        free(read_file(path, &size));
        pid_t parent = getpid(), child = fork();
        while (child == 0)
            if (getppid() != parent || truncate(path, (off_t)(size / 3)) != 0 ||
                truncate(path, (off_t)(2 * size)) != 0)
                _exit(1);
        for (uint64_t n = test_count(30); n > 0; --n) {
            imp_Status status = load(context, path);
            CHECK(status == IMP_STATUS_OK || status == IMP_STATUS_IO || status == IMP_STATUS_BAD_FILE);
        }
        CHECK(child > 0 && kill(child, SIGKILL) == 0 && waitpid(child, NULL, 0) == child);
    }
    imp_context_destroy(context);
    remove_folder(folder);
}
