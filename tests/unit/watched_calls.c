// Every call that a watch reaches: cancelled before and while it works, out of time, and told of on the way,
// with one thread and with several. What is ended changes nothing and keeps nothing.
#include "base/clock.h"
#include "base/context.h"
#include "failing_allocator.h"
#include "harness.h"
#include "posed_faces.h"
#include "sanitizers.h"
#include "scenes/shapes.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#ifdef TEST_UNDER_SANITIZER // where everything takes ten times as long
#define SIZE 1
#else
#define SIZE 3
#endif
#define POINT_COUNT (7500 * SIZE)
#define BOX_COUNT   (18000 * SIZE)
#define BOX_SIDE    (SIZE == 1 ? 0.05f : 0.025f)
#define PAIR_ROOM   ((size_t)500000 * SIZE)
#define PILE_COUNT  (120 + 20 * SIZE)
#define MERIDIANS   (120 + 45 * SIZE)
#define ASKED_COUNT (12000 * SIZE)
#define TURN_COUNT  (100 + 100 * SIZE)

// What the calls work on: large enough that each takes some hundredths of a second or more.
typedef struct Input {
    imp_Mesh *sphere, *pile, *solid; // pile: a sphere and many triangles on each other
    imp_Vec3 *points;                // on a sphere
    float *boxes;
    imp_Vec3 *asked;
    imp_Mesh *rings[2];
    imp_Pose *turns;
} Input;

// Runs a call. Sets `untouched` when a failure left the answer as it was.
typedef imp_Status (*CallFn)(imp_Context *context, const Input *input, bool *untouched);

static imp_Status run_self_pairs(imp_Context *context, const Input *input, bool *untouched)
{
    size_t capacity = (size_t)PILE_COUNT * PILE_COUNT, count = 77;
    imp_FacePair *pairs = malloc(capacity * sizeof *pairs);
    pairs[0] = (imp_FacePair){78, 79};
    imp_Status status = imp_mesh_self_pairs(context, input->pile, pairs, capacity, &count);
    *untouched = count == 77 && pairs[0].face_a == 78 && pairs[0].face_b == 79;
    CHECK(status != IMP_STATUS_OK || count == (size_t)PILE_COUNT * (PILE_COUNT - 1) / 2);
    free(pairs);
    return status;
}

static imp_Status run_self_pairs_count(imp_Context *context, const Input *input, bool *untouched)
{
    size_t count = 77;
    imp_Status status = imp_mesh_self_pairs(context, input->pile, NULL, 0, &count);
    *untouched = count == 77;
    return status;
}

static imp_Status run_analyse(imp_Context *context, const Input *input, bool *untouched)
{
    imp_MeshInfo info, before;
    memset(&info, 77, sizeof info);
    memcpy(&before, &info, sizeof info);
    imp_Status status = imp_mesh_analyse(context, input->sphere, &info);
    *untouched = memcmp(&info, &before, sizeof info) == 0;
    CHECK(status != IMP_STATUS_OK || info.closed);
    return status;
}

// Whether a mesh is closed is known once it was asked for: so a new one each time.
static imp_Status run_is_closed(imp_Context *context, const Input *input, bool *untouched)
{
    imp_Mesh *mesh = NULL;
    imp_MeshDef def = {.vertices = &imp_mesh_get_vertices(input->sphere)->x,
                       .vertex_count = imp_mesh_get_vertex_count(input->sphere),
                       .indices = imp_mesh_get_indices(input->sphere),
                       .triangle_count = imp_mesh_get_triangle_count(input->sphere)};
    bool closed = false;
    CHECK_INT(imp_mesh_create(context, &def, &mesh), IMP_STATUS_OK);
    imp_Status status = imp_mesh_is_closed(context, mesh, &closed);
    *untouched = !closed;
    CHECK(status != IMP_STATUS_OK || closed);
    imp_mesh_release(mesh);
    return status;
}

static imp_Status run_adjacency(imp_Context *context, const Input *input, bool *untouched)
{
    size_t count = 3 * imp_mesh_get_triangle_count(input->sphere);
    uint32_t *neighbours = malloc(count * sizeof *neighbours);
    memset(neighbours, 0, count * sizeof *neighbours);
    imp_Status status = imp_mesh_adjacency(context, input->sphere, neighbours);
    *untouched = true;
    for (size_t i = 0; i < count; ++i)
        *untouched &= neighbours[i] == 0;
    free(neighbours);
    return status;
}

static imp_Status run_locate(imp_Context *context, const Input *input, bool *untouched)
{
    imp_PointLocation *locations = malloc(ASKED_COUNT * sizeof *locations);
    for (size_t i = 0; i < ASKED_COUNT; ++i)
        locations[i] = (imp_PointLocation)-1;
    imp_Status status = imp_mesh_locate_points(context, input->sphere, input->asked, ASKED_COUNT, locations);
    *untouched = true;
    for (size_t i = 0; i < ASKED_COUNT; ++i)
        *untouched &= locations[i] == (imp_PointLocation)-1;
    CHECK(status != IMP_STATUS_OK || locations[ASKED_COUNT - 1] == IMP_LOCATION_INSIDE);
    free(locations);
    return status;
}

static imp_Status run_hull(imp_Context *context, const Input *input, bool *untouched)
{
    imp_Convex *convex = NULL;
    imp_ConvexDef def = {.points = &input->points->x, .point_count = POINT_COUNT};
    imp_Status status = imp_convex_create(context, &def, &convex);
    *untouched = !convex;
    imp_convex_release(convex);
    return status;
}

static imp_Status run_coplanar_hull(imp_Context *context, const Input *input, bool *untouched)
{
    imp_Convex *convex = NULL;
    imp_ConvexDef def = {.points = &input->points->x, .point_count = POINT_COUNT, .keep_coplanar = true};
    imp_Status status = imp_convex_create(context, &def, &convex);
    *untouched = !convex;
    imp_convex_release(convex);
    return status;
}

static imp_Status run_solid(imp_Context *context, const Input *input, bool *untouched)
{
    imp_Convex *convex = NULL;
    imp_Status status = imp_convex_create_from_mesh(context, input->solid, &convex);
    *untouched = !convex;
    imp_convex_release(convex);
    return status;
}

static imp_Status run_pairs(imp_Context *context, const Input *input, bool *untouched)
{
    imp_BoxArray boxes = {.float_boxes = input->boxes, .count = BOX_COUNT};
    const imp_IndexPair first = {78, 79};
    uint64_t count = 77;
    size_t capacity = PAIR_ROOM;
    imp_IndexPair *pairs = malloc(capacity * sizeof *pairs);
    for (size_t i = 0; i < capacity; ++i)
        pairs[i] = first;
    imp_Status status = imp_pairs_find(context, &boxes, pairs, capacity, &count);
    *untouched = count == 77;
    for (size_t i = 0; i < capacity; ++i)
        *untouched &= memcmp(&pairs[i], &first, sizeof first) == 0;
    CHECK(status != IMP_STATUS_OK || count > BOX_COUNT);
    free(pairs);
    return status;
}

static imp_Status run_pair_count(imp_Context *context, const Input *input, bool *untouched)
{
    imp_BoxArray boxes = {.float_boxes = input->boxes, .count = BOX_COUNT};
    uint64_t count = 77;
    imp_Status status = imp_pairs_find(context, &boxes, NULL, 0, &count);
    *untouched = count == 77;
    return status;
}

static imp_Status run_pair_list(imp_Context *context, const Input *input, bool *untouched)
{
    imp_BoxArray boxes = {.float_boxes = input->boxes, .count = BOX_COUNT};
    const imp_IndexPair first = {78, 79}, *pairs = &first;
    size_t count = 77;
    imp_Status status = imp_pairs_list(context, &boxes, &pairs, &count);
    *untouched = count == 77 && pairs == &first;
    return status;
}

// A torus turns around in a large one, whose faces it never touches.
static imp_Status run_configurations(imp_Context *context, const Input *input, bool *untouched)
{
    const imp_ConfigurationsReport *report = NULL;
    imp_World *world = NULL;
    imp_BodyId still, moved;
    CHECK_INT(imp_world_create(context, NULL, &world), IMP_STATUS_OK);
    CHECK_INT(imp_world_add_body(world, &(imp_BodyDef){.mesh = input->rings[0]}, &still), IMP_STATUS_OK);
    CHECK_INT(imp_world_add_body(world, &(imp_BodyDef){.mesh = input->rings[1]}, &moved), IMP_STATUS_OK);
    imp_ConfigurationsDef def = {.bodies = &moved,
                                 .body_count = 1,
                                 .poses = input->turns,
                                 .configuration_count = TURN_COUNT,
                                 .ignore_containment = true};
    imp_Status status = imp_world_detect_configurations(world, &def, &report);
    *untouched = !report;
    CHECK(status != IMP_STATUS_OK || report->configuration_count == TURN_COUNT);
    imp_world_destroy(world);
    return status;
}

static const struct Call {
    const char *name;
    CallFn run;
} calls[] = {
    {"self pairs", run_self_pairs},
    {"self pairs, counted", run_self_pairs_count},
    {"analyse", run_analyse},
    {"is closed", run_is_closed},
    {"adjacency", run_adjacency},
    {"locate points", run_locate},
    {"hull", run_hull},
    {"hull, coplanar", run_coplanar_hull},
    {"solid of a mesh", run_solid},
    {"pairs", run_pairs},
    {"pairs, counted", run_pair_count},
    {"pairs, listed", run_pair_list},
    {"configurations", run_configurations},
};
#define CALL_COUNT (sizeof calls / sizeof *calls)

// ---- input

static imp_Vec3 point_on_sphere(void)
{
    imp_Vec3 p;
    double length;
    do {
        p = (imp_Vec3){test_random_between(-1, 1), test_random_between(-1, 1), test_random_between(-1, 1)};
        length = p.x * p.x + p.y * p.y + p.z * p.z;
    } while (length > 1 || length < 0.01);
    length = 1 / sqrt(length);
    return (imp_Vec3){p.x * length, p.y * length, p.z * length};
}

static imp_Mesh *make_pile(imp_Context *context, const imp_Mesh *sphere)
{
    size_t sphere_count = imp_mesh_get_triangle_count(sphere);
    size_t count = sphere_count + PILE_COUNT - 1;
    uint32_t *indices = malloc(3 * count * sizeof *indices);
    memcpy(indices, imp_mesh_get_indices(sphere), 3 * sphere_count * sizeof *indices);
    for (size_t i = sphere_count; i < count; ++i)
        memcpy(indices + 3 * i, indices, 3 * sizeof *indices);
    imp_MeshDef def = {.vertices = &imp_mesh_get_vertices(sphere)->x,
                       .vertex_count = imp_mesh_get_vertex_count(sphere),
                       .indices = indices,
                       .triangle_count = count};
    imp_Mesh *mesh = NULL;
    CHECK_INT(imp_mesh_create(context, &def, &mesh), IMP_STATUS_OK);
    free(indices);
    return mesh;
}

static void make_input(imp_Context *context, Input *input)
{
    imp_Convex *hull = NULL;
    CHECK_INT(scene_sphere(context, MERIDIANS, MERIDIANS / 2, 1, &input->sphere), IMP_STATUS_OK);
    input->pile = make_pile(context, input->sphere);
    input->points = malloc(POINT_COUNT * sizeof *input->points);
    for (size_t i = 0; i < POINT_COUNT; ++i)
        input->points[i] = point_on_sphere();
    imp_ConvexDef def = {.points = &input->points->x, .point_count = POINT_COUNT};
    CHECK_INT(imp_convex_create(context, &def, &hull), IMP_STATUS_OK);
    input->solid = imp_mesh_retain(imp_convex_get_mesh(hull));
    imp_convex_release(hull);
    input->boxes = malloc(6 * BOX_COUNT * sizeof *input->boxes);
    for (size_t i = 0; i < 6 * BOX_COUNT; ++i)
        input->boxes[i] = i % 6 < 3 ? (float)test_random_unit() : input->boxes[i - 3] + BOX_SIDE;
    input->asked = malloc(ASKED_COUNT * sizeof *input->asked);
    for (size_t i = 0; i < ASKED_COUNT; ++i) {
        imp_Vec3 p = point_on_sphere();
        input->asked[i] = (imp_Vec3){0.9 * p.x, 0.9 * p.y, 0.9 * p.z};
    }
    CHECK_INT(scene_torus(context, 60, 24, 1, 0.3, &input->rings[0]), IMP_STATUS_OK);
    CHECK_INT(scene_torus(context, 60, 24, 1, 0.25, &input->rings[1]), IMP_STATUS_OK);
    input->turns = malloc(TURN_COUNT * sizeof *input->turns);
    for (size_t i = 0; i < TURN_COUNT; ++i) {
        SceneTurn turn = scene_turn(i, TURN_COUNT);
        input->turns[i] = (imp_Pose){.rotation = {turn.cosine, 0, 0, turn.sine}};
    }
}

static void free_input(Input *input)
{
    imp_mesh_release(input->sphere);
    imp_mesh_release(input->pile);
    imp_mesh_release(input->solid);
    free(input->points);
    free(input->boxes);
    free(input->asked);
    free(input->turns);
    imp_mesh_release(input->rings[0]);
    imp_mesh_release(input->rings[1]);
}

// ---- watching

typedef struct Watcher {
    imp_Cancel *cancel; // requested when told for the first time, unless null
    size_t count;
    const char *work;
    double last;
    bool is_monotone, is_by_caller;
    pthread_t caller;
} Watcher;

static Watcher make_watcher(imp_Cancel *cancel)
{
    return (Watcher){.cancel = cancel, .is_monotone = true, .is_by_caller = true, .caller = pthread_self()};
}

static void note(const imp_Progress *progress, void *user)
{
    Watcher *watcher = user;
    if (watcher->work != progress->work)
        watcher->last = 0;
    watcher->is_monotone &= progress->done >= watcher->last && progress->done <= 1;
    watcher->is_by_caller &= pthread_equal(pthread_self(), watcher->caller) != 0;
    watcher->work = progress->work;
    watcher->last = progress->done;
    ++watcher->count;
    if (watcher->cancel)
        imp_cancel_request(watcher->cancel);
}

// A context whose memory is counted, and what is to be cancelled in it.
typedef struct Bench {
    FailingAllocator memory;
    imp_Context *context;
    imp_Cancel *cancel;
    uint32_t thread_count;
    Input input;
} Bench;

static void bench_make(Bench *bench, uint32_t thread_count)
{
    failing_allocator_init(&bench->memory, 0);
    bench->thread_count = thread_count;
    imp_ContextDef def = {.allocator = failing_allocator_hooks(&bench->memory), .thread_count = thread_count};
    CHECK_INT(imp_context_create(&def, &bench->context), IMP_STATUS_OK);
    CHECK_INT(imp_cancel_create(bench->context, &bench->cancel), IMP_STATUS_OK);
    make_input(bench->context, &bench->input);
}

static void bench_destroy(Bench *bench)
{
    free_input(&bench->input);
    imp_cancel_destroy(bench->cancel);
    imp_context_destroy(bench->context);
    CHECK(failing_allocator_is_clean(&bench->memory));
}

static void check_ended(const Bench *bench, const struct Call *call, imp_Status got, imp_Status want,
                        bool untouched)
{
    const imp_Error *error = imp_context_get_error(bench->context);
    test_check(got == want && untouched && error->status == want, call->name, __FILE__, __LINE__);
    if (got != want)
        CHECK_TEXT(imp_status_name(got), imp_status_name(want));
}

// Told of at every look, so that nothing here depends on how fast the machine is.
static imp_Status run_watched(Bench *bench, const struct Call *call, const imp_Watch *watch, bool *untouched)
{
    CHECK_INT(imp_context_watch(bench->context, watch), IMP_STATUS_OK);
    bench->context->watch.tell_every_ns = 0;
    imp_Status status = call->run(bench->context, &bench->input, untouched);
    CHECK_INT(imp_context_watch(bench->context, NULL), IMP_STATUS_OK);
    return status;
}

// With several threads, the others may have left nothing to the caller's.
static bool is_told_of(const Bench *bench, const Watcher *watcher)
{
    return watcher->count > 0 || bench->thread_count == 1;
}

static void check_ends(Bench *bench, const struct Call *call)
{
    bool untouched = false;
    imp_Status status;
    imp_cancel_request(bench->cancel);
    status = run_watched(bench, call, &(imp_Watch){.cancel = bench->cancel}, &untouched);
    check_ended(bench, call, status, IMP_STATUS_CANCELLED, untouched);
    imp_cancel_reset(bench->cancel);
    status = run_watched(bench, call, &(imp_Watch){.cancel = bench->cancel, .budget_us = 1}, &untouched);
    check_ended(bench, call, status, IMP_STATUS_OUT_OF_TIME, untouched);
    status = run_watched(bench, call, &(imp_Watch){.budget_us = 5000}, &untouched);
    CHECK(status == IMP_STATUS_OK || (status == IMP_STATUS_OUT_OF_TIME && untouched));
    Watcher watcher = make_watcher(bench->cancel);
    imp_Watch watch = {.cancel = bench->cancel, .progress = note, .user = &watcher};
    status = run_watched(bench, call, &watch, &untouched);
    if (is_told_of(bench, &watcher))
        check_ended(bench, call, status, IMP_STATUS_CANCELLED, untouched);
    imp_cancel_reset(bench->cancel);
}

static const uint32_t thread_counts[] = {1, 4};

TEST(calls_end_when_told)
{
    for (int i = 0; i < 2; ++i) {
        Bench bench;
        bench_make(&bench, thread_counts[i]);
        for (size_t k = 0; k < CALL_COUNT; ++k)
            check_ends(&bench, &calls[k]);
        bench_destroy(&bench);
    }
}

TEST(calls_tell_how_far_they_are)
{
    for (int i = 0; i < 2; ++i) {
        Bench bench;
        bench_make(&bench, thread_counts[i]);
        for (size_t k = 0; k < CALL_COUNT; ++k) {
            bool untouched = true;
            Watcher watcher = make_watcher(NULL);
            imp_Watch watch = {
                .cancel = bench.cancel, .budget_us = 3600000000u, .progress = note, .user = &watcher};
            test_check(run_watched(&bench, &calls[k], &watch, &untouched) == IMP_STATUS_OK && !untouched,
                       calls[k].name, __FILE__, __LINE__);
            CHECK(watcher.is_monotone && watcher.is_by_caller);
            test_check(watcher.count > 0 || thread_counts[i] > 1, calls[k].name, __FILE__, __LINE__);
        }
        bench_destroy(&bench);
    }
}

// ---- from another thread

typedef struct Canceller {
    imp_Cancel *cancel;
    uint64_t delay_ns;
    atomic_bool is_over;
} Canceller;

static void *cancel_later(void *argument)
{
    Canceller *canceller = argument;
    uint64_t begin = impi_clock_ns();
    while (impi_clock_ns() - begin < canceller->delay_ns && !atomic_load(&canceller->is_over))
        ;
    imp_cancel_request(canceller->cancel);
    return NULL;
}

// At any time while it works: how long that is, a first run tells.
static uint64_t time_of_call(Bench *bench, const struct Call *call)
{
    bool untouched;
    uint64_t begin = impi_clock_ns();
    CHECK_INT(run_watched(bench, call, &(imp_Watch){.cancel = bench->cancel}, &untouched), IMP_STATUS_OK);
    return impi_clock_ns() - begin;
}

TEST(calls_can_be_cancelled_at_any_time)
{
    Bench bench;
    uint64_t times[CALL_COUNT];
    bench_make(&bench, 3);
    for (size_t k = 0; k < CALL_COUNT; ++k)
        times[k] = time_of_call(&bench, &calls[k]);
    size_t cancelled = 0, rounds = test_count(2);
    for (size_t k = 0; k < CALL_COUNT * rounds; ++k) {
        const struct Call *call = &calls[k % CALL_COUNT];
        Canceller canceller = {.cancel = bench.cancel,
                               .delay_ns = (uint64_t)(test_random_unit() * (double)times[k % CALL_COUNT])};
        pthread_t thread;
        bool untouched = false;
        CHECK_INT(pthread_create(&thread, NULL, cancel_later, &canceller), 0);
        imp_Status status = run_watched(&bench, call, &(imp_Watch){.cancel = bench.cancel}, &untouched);
        atomic_store(&canceller.is_over, true);
        CHECK_INT(pthread_join(thread, NULL), 0);
        imp_cancel_reset(bench.cancel);
        if (status != IMP_STATUS_OK)
            check_ended(&bench, call, status, IMP_STATUS_CANCELLED, untouched);
        cancelled += status != IMP_STATUS_OK;
    }
    CHECK(cancelled >= CALL_COUNT * rounds / 4);
    bench_destroy(&bench);
}
