// Failures of worlds that are spread over ranks: all ranks have the same one, and nothing is lost.
#define _XOPEN_SOURCE 700 // mkdtemp

#include "cluster/rank_world.h"

#include "base/status.h"
#include "cluster/local_exchange.h"
#include "cluster/same_input.h"
#include "failing_allocator.h"
#include "mesh_files.h"
#include "scenes/shapes.h"

#define RANK_COUNT 3
#define BODY_COUNT 7
#define FILE_COUNT 5

typedef struct Scene {
    char folder[MAX_TEST_PATH], paths[FILE_COUNT][3 * MAX_TEST_PATH];
    impi_RankBody bodies[BODY_COUNT];
} Scene;

// Five meshes in a row, each of which touches the next; two of them twice.
static void make_scene(Scene *scene)
{
    imp_Context *context = new_context();
    make_folder(scene->folder);
    for (int i = 0; i < FILE_COUNT; ++i) {
        imp_Mesh *mesh = NULL;
        char name[16];
        snprintf(name, sizeof name, "%d.off", i);
        snprintf(scene->paths[i], sizeof scene->paths[i], "%s", path_in(scene->folder, name));
        CHECK_INT(i % 2 ? scene_sphere(context, 6, 4, 0.75, &mesh)
                        : scene_box(context, (imp_Vec3){-0.5, -0.5, -0.5}, (imp_Vec3){0.5, 0.5, 0.5}, &mesh),
                  IMP_STATUS_OK);
        CHECK_INT(imp_mesh_save(context, mesh, scene->paths[i]), IMP_STATUS_OK);
        imp_mesh_release(mesh);
    }
    for (int i = 0; i < BODY_COUNT; ++i)
        scene->bodies[i] =
            (impi_RankBody){.path = scene->paths[i % FILE_COUNT], .name = "body", .pose.translation.x = i};
    imp_context_destroy(context);
}

typedef struct Run {
    const Scene *scene;
    FailingAllocator memory[RANK_COUNT];
    uint32_t failing_rank;
    uint64_t fail_at; // counted from when the context is there
    imp_Status statuses[RANK_COUNT];
    imp_Error errors[RANK_COUNT];
    size_t pair_count, received_count;
} Run;

static void detect_as_rank(impi_Exchange *exchange, void *argument)
{
    Run *run = argument;
    uint32_t rank = exchange->rank;
    FailingAllocator *memory = &run->memory[rank];
    imp_Context *context = NULL;
    impi_RankReport report;
    failing_allocator_init(memory, 0);
    imp_ContextDef context_def = {.allocator = failing_allocator_hooks(memory)};
    if (!CHECK_INT(imp_context_create(&context_def, &context), IMP_STATUS_OK))
        abort(); // the others would wait for ever
    if (rank == run->failing_rank)
        failing_allocator_arm(memory, run->fail_at);
    impi_RankWorldDef def = {.bodies = run->scene->bodies, .body_count = BODY_COUNT};
    run->statuses[rank] = impi_rank_world_detect(exchange, context, &def, &report);
    run->errors[rank] = *imp_context_get_error(context);
    if (rank == 0)
        run->pair_count = report.report.body_pair_count;
    if (rank == RANK_COUNT - 1)
        run->received_count = report.received_mesh_count;
    impi_rank_report_free(&report);
    imp_context_destroy(context);
}

// All give up together, or the failed allocation was one that can be done without, and all is found.
static bool check_together(const Run *run)
{
    bool is_found = run->statuses[0] == IMP_STATUS_OK;
    for (int rank = 0; rank < RANK_COUNT; ++rank) {
        CHECK_INT(run->statuses[rank], is_found ? IMP_STATUS_OK : IMP_STATUS_OUT_OF_MEMORY);
        CHECK(failing_allocator_is_clean(&run->memory[rank]));
        if (!is_found)
            CHECK_TEXT(run->errors[rank].message, run->errors[0].message);
    }
    if (is_found)
        CHECK(run->pair_count == BODY_COUNT - 1 && run->received_count > 0);
    return is_found;
}

TEST(any_allocation_may_fail_on_the_first_rank_and_on_the_last)
{
    Scene scene;
    Run run = {.scene = &scene};
    make_scene(&scene);
    for (run.failing_rank = 0; run.failing_rank < RANK_COUNT; run.failing_rank += RANK_COUNT - 1) {
        uint64_t given_up = 0, done_without = 0;
        bool has_failed = true;
        for (run.fail_at = 1; has_failed && test_failed_checks() == 0; ++run.fail_at) {
            CHECK(impi_local_ranks_run(RANK_COUNT, IMPI_LOCAL_TOGETHER, detect_as_rank, &run));
            has_failed = failing_allocator_has_failed(&run.memory[run.failing_rank]);
            bool is_found = check_together(&run);
            given_up += !is_found;
            done_without += has_failed && is_found;
        }
        CHECK(given_up > 20 && done_without < given_up / 4);
    }
    remove_folder(scene.folder);
}

// The first file in the order of bodies, whatever rank reads it.
TEST(the_first_bad_file_is_told_by_all)
{
    Scene scene;
    Run run = {.scene = &scene, .failing_rank = RANK_COUNT};
    make_scene(&scene);
    for (int first = FILE_COUNT - 1; first >= 0; --first) {
        write_file(scene.paths[first], "OFF\n", 4);
        CHECK(impi_local_ranks_run(RANK_COUNT, IMPI_LOCAL_TOGETHER, detect_as_rank, &run));
        for (int rank = 0; rank < RANK_COUNT; ++rank) {
            CHECK_INT(run.statuses[rank], IMP_STATUS_BAD_FILE);
            CHECK_TEXT(run.errors[rank].file, scene.paths[first]);
        }
    }
    remove_folder(scene.folder);
}

TEST(the_first_bad_place_is_told_by_all)
{
    Scene scene;
    Run run = {.scene = &scene, .failing_rank = RANK_COUNT};
    make_scene(&scene);
    for (int first = BODY_COUNT - 1; first >= 0; --first) {
        scene.bodies[first].pose.rotation.w = 2;
        CHECK(impi_local_ranks_run(RANK_COUNT, IMPI_LOCAL_TOGETHER, detect_as_rank, &run));
        for (int rank = 0; rank < RANK_COUNT; ++rank) {
            CHECK_INT(run.statuses[rank], IMP_STATUS_BAD_NUMBER);
            CHECK_INT((int64_t)run.errors[rank].index, first);
            CHECK_CONTAINS(run.errors[rank].message, "body: pose");
        }
    }
    remove_folder(scene.folder);
}

// ---- the same input

typedef struct Inputs {
    imp_Status statuses[RANK_COUNT], results[RANK_COUNT];
    uint64_t checks[RANK_COUNT];
    char messages[RANK_COUNT][IMP_MAX_ERROR_MESSAGE];
} Inputs;

static void compare_as_rank(impi_Exchange *exchange, void *argument)
{
    Inputs *inputs = argument;
    uint32_t rank = exchange->rank;
    imp_Context *context = new_context();
    imp_Status status = inputs->statuses[rank];
    if (status != IMP_STATUS_OK)
        status = impi_fail(context, status, IMP_NOWHERE, "rank %u says so", rank);
    inputs->results[rank] = impi_same_input(exchange, context, "bodies.txt", status, inputs->checks[rank]);
    strcpy(inputs->messages[rank], imp_context_get_error(context)->message);
    imp_context_destroy(context);
}

static void check_inputs(Inputs inputs, imp_Status status, const char *message)
{
    CHECK(impi_local_ranks_run(RANK_COUNT, IMPI_LOCAL_TOGETHER, compare_as_rank, &inputs));
    for (int rank = 0; rank < RANK_COUNT; ++rank) {
        CHECK_INT(inputs.results[rank], status);
        if (status != IMP_STATUS_OK)
            CHECK_TEXT(inputs.messages[rank], message);
    }
}

TEST(ranks_that_read_something_else_are_named)
{
    check_inputs((Inputs){.checks = {5, 5, 5}}, IMP_STATUS_OK, NULL);
    check_inputs((Inputs){.checks = {5, 5, 6}}, IMP_STATUS_BAD_FILE,
                 "bodies.txt: rank 2 has read another file than rank 0, or has other options");
    check_inputs((Inputs){.checks = {5, 6, 6}}, IMP_STATUS_BAD_FILE,
                 "bodies.txt: rank 1 has read another file than rank 0, or has other options");
    check_inputs((Inputs){.checks = {5, 0, 0}, .statuses = {0, IMP_STATUS_IO, IMP_STATUS_TOO_LARGE}},
                 IMP_STATUS_IO, "rank 1 says so");
}
