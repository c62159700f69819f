// Loading obeys the watch of its context: cancel, budget and progress, in every format.
#include "failing_allocator.h"
#include "gltf_files.h"
#include "mesh_files.h"

#include <pthread.h>
#include <sys/stat.h>
#include <time.h>

#define SIDE 250 // vertices along each side of the mesh

typedef struct Watched {
    imp_Cancel *cancel;
    int call_count, cancel_at; // which call of the progress function cancels; 0: none
    double last;
    bool is_reading;
} Watched;

static void look(const imp_Progress *progress, void *user)
{
    Watched *watched = user;
    bool is_reading = strcmp(progress->work, "reading") == 0;
    CHECK(progress->done >= 0 && progress->done <= 1);
    watched->is_reading = watched->is_reading || is_reading;
    watched->last = progress->done;
    if (++watched->call_count == watched->cancel_at)
        imp_cancel_request(watched->cancel);
}

static void save_grid(const char *folder, const char *const *names, size_t name_count)
{
    imp_Context *context = new_context();
    imp_Mesh *mesh = new_grid(context, SIDE);
    for (size_t i = 0; i < name_count; ++i)
        CHECK_INT(imp_mesh_save(context, mesh, path_in(folder, names[i])), IMP_STATUS_OK);
    imp_mesh_release(mesh);
    imp_context_destroy(context);
}

// A scene whose positions alone are a megabyte and a half.
static void save_scene(const char *folder)
{
    enum { VERTICES = 120000 };
    GltfText *json = calloc(1, sizeof *json);
    float *positions = calloc(VERTICES, 3 * sizeof *positions);
    for (int i = 0; i < 3 * VERTICES; ++i)
        positions[i] = (float)(i % 1000) * 0.25f;
    gltf_put(json,
             "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"mesh\":0}],\"meshes\":[{\"primitives\":["
             "{\"attributes\":{\"POSITION\":0}}]}],\"accessors\":[{\"bufferView\":0,\"componentType\":5126,"
             "\"count\":%d,\"type\":\"VEC3\"}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":%d}],"
             "\"buffers\":[{\"byteLength\":%d,\"uri\":\"positions.bin\"}]}",
             VERTICES, 12 * VERTICES, 12 * VERTICES);
    write_file(path_in(folder, "a.gltf"), json->text, json->length);
    write_file(path_in(folder, "positions.bin"), positions, (size_t)12 * VERTICES);
    free(positions);
    free(json);
}

static const char *const names[] = {"a.obj", "a.stl", "a.ply", "a.off", "a.gltf"};
enum { NAME_COUNT = sizeof names / sizeof *names };

static void save_all(char folder[MAX_TEST_PATH])
{
    make_folder(folder);
    save_grid(folder, names, 4);
    save_scene(folder);
}

// Load as a mesh and, where it is a scene, as that. Whatever is loaded is freed; on failure nothing may be.
static imp_Status load(imp_Context *context, const char *path, bool as_scene)
{
    imp_Mesh *mesh = NULL;
    imp_Scene *scene = NULL;
    imp_Status status =
        as_scene ? imp_scene_load(context, path, &scene) : imp_mesh_load(context, path, &mesh);
    CHECK((mesh || scene) == (status == IMP_STATUS_OK));
    imp_mesh_release(mesh);
    imp_scene_destroy(scene);
    return status;
}

static void expect_end(const char *folder, const imp_Watch *watch, imp_Status expected)
{
    for (int i = 0; i <= NAME_COUNT; ++i) {
        bool as_scene = i == NAME_COUNT;
        FailingAllocator memory;
        failing_allocator_init(&memory, 0);
        imp_ContextDef def = {.allocator = failing_allocator_hooks(&memory)};
        imp_Context *context = NULL;
        CHECK_INT(imp_context_create(&def, &context), IMP_STATUS_OK);
        CHECK_INT(imp_context_watch(context, watch), IMP_STATUS_OK);
        CHECK_INT(load(context, path_in(folder, names[as_scene ? i - 1 : i]), as_scene), expected);
        CHECK_INT(imp_context_get_error(context)->status, expected);
        imp_context_destroy(context);
        CHECK(failing_allocator_is_clean(&memory));
    }
}

TEST(a_request_from_before_ends_every_reader)
{
    char folder[MAX_TEST_PATH];
    imp_Context *context = new_context();
    imp_Cancel *cancel = NULL;
    save_all(folder);
    CHECK_INT(imp_cancel_create(context, &cancel), IMP_STATUS_OK);
    imp_cancel_request(cancel);
    expect_end(folder, &(imp_Watch){.cancel = cancel}, IMP_STATUS_CANCELLED);
    imp_cancel_reset(cancel);
    expect_end(folder, &(imp_Watch){.cancel = cancel}, IMP_STATUS_OK);
    imp_cancel_destroy(cancel);
    imp_context_destroy(context);
    remove_folder(folder);
}

TEST(a_budget_that_is_too_short_ends_every_reader)
{
    char folder[MAX_TEST_PATH];
    save_all(folder);
    expect_end(folder, &(imp_Watch){.budget_us = 1}, IMP_STATUS_OUT_OF_TIME);
    expect_end(folder, &(imp_Watch){.budget_us = UINT64_MAX}, IMP_STATUS_OK);
    remove_folder(folder);
}

TEST(memory_is_read_under_the_same_watch)
{
    char folder[MAX_TEST_PATH];
    size_t size = 0;
    save_all(folder);
    for (int i = 0; i < 4; ++i) {
        char *bytes = read_file(path_in(folder, names[i]), &size);
        imp_Context *context = new_context();
        imp_Mesh *mesh = NULL;
        CHECK_INT(imp_context_watch(context, &(imp_Watch){.budget_us = 1}), IMP_STATUS_OK);
        CHECK_INT(imp_mesh_load_memory(context, IMP_FORMAT_BY_NAME, bytes, size, names[i], &mesh),
                  IMP_STATUS_OUT_OF_TIME);
        CHECK(!mesh);
        CHECK_INT(imp_context_watch(context, NULL), IMP_STATUS_OK);
        CHECK_INT(imp_mesh_load_memory(context, IMP_FORMAT_BY_NAME, bytes, size, names[i], &mesh),
                  IMP_STATUS_OK);
        imp_mesh_release(mesh);
        imp_context_destroy(context);
        free(bytes);
    }
    remove_folder(folder);
}

// An allocator that takes its time, so that loading lasts long enough to be told of.
static void *allocate_slowly(size_t size, void *user)
{
    void *storage = NULL;
    (void)user;
    nanosleep(&(struct timespec){.tv_nsec = 25000000}, NULL);
    return posix_memalign(&storage, 64, size) == 0 ? storage : NULL;
}

static void release(void *storage, size_t size, void *user)
{
    (void)size;
    (void)user;
    free(storage);
}

// Once it has cancelled, the progress function is not called again.
TEST(progress_tells_and_cancels)
{
    char folder[MAX_TEST_PATH];
    imp_ContextDef def = {.allocator = {allocate_slowly, release, NULL}};
    imp_Context *context = NULL;
    Watched watched = {0};
    save_all(folder);
    CHECK_INT(imp_context_create(&def, &context), IMP_STATUS_OK);
    CHECK_INT(imp_cancel_create(context, &watched.cancel), IMP_STATUS_OK);
    imp_Watch watch = {.cancel = watched.cancel, .progress = look, .user = &watched};
    CHECK_INT(imp_context_watch(context, &watch), IMP_STATUS_OK);
    for (int i = 0; i <= NAME_COUNT; ++i) {
        bool as_scene = i == NAME_COUNT;
        const char *path = path_in(folder, names[as_scene ? i - 1 : i]);
        watched.call_count = watched.cancel_at = 0;
        watched.is_reading = false;
        CHECK_INT(load(context, path, as_scene), IMP_STATUS_OK);
        CHECK(watched.call_count > 0 && watched.is_reading && watched.last >= 0);
        watched.call_count = 0;
        watched.cancel_at = 1;
        CHECK_INT(load(context, path, as_scene), IMP_STATUS_CANCELLED);
        CHECK_INT(watched.call_count, 1);
        imp_cancel_reset(watched.cancel);
    }
    imp_cancel_destroy(watched.cancel);
    imp_context_destroy(context);
    remove_folder(folder);
}

static void *request(void *cancel)
{
    imp_cancel_request(cancel);
    return NULL;
}

// A pipe that somebody holds open and says nothing.
TEST(a_silent_pipe_can_be_left)
{
    char folder[MAX_TEST_PATH], path[MAX_TEST_PATH + 32];
    imp_Context *context = new_context();
    imp_Cancel *cancel = NULL;
    imp_Mesh *mesh = NULL;
    pthread_t thread;
    make_folder(folder);
    snprintf(path, sizeof path, "%s/pipe.obj", folder);
    CHECK(mkfifo(path, 0600) == 0);
    CHECK_INT(imp_cancel_create(context, &cancel), IMP_STATUS_OK);
    FILE *writer = fopen(path, "r+"); // so that nobody waits for a writer
    CHECK_INT(imp_context_watch(context, &(imp_Watch){.cancel = cancel}), IMP_STATUS_OK);
    CHECK(writer && fputs("v 0 0 0\n", writer) >= 0 && fflush(writer) == 0);
    CHECK(pthread_create(&thread, NULL, request, cancel) == 0);
    CHECK_INT(imp_mesh_load(context, path, &mesh), IMP_STATUS_CANCELLED);
    CHECK(pthread_join(thread, NULL) == 0);
    imp_cancel_reset(cancel);
    CHECK_INT(imp_context_watch(context, &(imp_Watch){.budget_us = 1000}), IMP_STATUS_OK);
    CHECK_INT(imp_mesh_load(context, path, &mesh), IMP_STATUS_OUT_OF_TIME);
    CHECK(!mesh);
    fclose(writer);
    imp_cancel_destroy(cancel);
    imp_context_destroy(context);
    remove_folder(folder);
}
