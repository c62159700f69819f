// Convex polytopes that move in a closed box, nanoseconds a test: impinge beside libccd, FCL and Bullet.
// `separate` and `colliding`: pairs with overlapping boxes, in coherent motion, by their verdict. `jumpy`:
// all of them, where bodies are somewhere else in every frame and nothing is remembered. `steps`: what share
// of the separate tests impinge ends within three steps.
#include "bench.h"
#include "convex_record.h"

#include "base/clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BODY_COUNT 100
#define MAX_FRAMES 240
#define MAX_ROUNDS 7

typedef struct ConvexSystem {
    const ConvexPeer *peer;
    void *state;
    // By regime (separate, colliding) and frame, because a disturbed batch then spoils only itself.
    uint64_t times[2][MAX_FRAMES][MAX_ROUNDS];
    size_t missed[2], invented[2];
} ConvexSystem;

// ---- impinge itself

typedef struct Impinge {
    imp_Context *context;
    imp_Convex *convexes[BODY_COUNT];
    imp_Pose poses[BODY_COUNT];
    imp_ConvexState states[BODY_COUNT * BODY_COUNT];
} Impinge;

static void *impinge_open(const ConvexBody *bodies, size_t body_count)
{
    Impinge *impinge = calloc(1, sizeof *impinge);
    bench_check(impinge && imp_context_create(NULL, &impinge->context) == IMP_STATUS_OK, "no context");
    for (size_t i = 0; i < body_count; ++i) {
        imp_ConvexDef def = {.points = &bodies[i].vertices->x, .point_count = bodies[i].vertex_count};
        imp_Status status = imp_convex_create(impinge->context, &def, &impinge->convexes[i]);
        bench_check(status == IMP_STATUS_OK, imp_status_name(status));
    }
    return impinge;
}

static void impinge_close(void *state)
{
    Impinge *impinge = state;
    for (size_t i = 0; i < BODY_COUNT; ++i)
        imp_convex_release(impinge->convexes[i]);
    imp_context_destroy(impinge->context);
    free(impinge);
}

// Like the peers, with the poses of a frame at hand as if they were just computed.
static void impinge_pose(void *state, const imp_Pose *poses, const imp_Transform *transforms)
{
    (void)transforms;
    memcpy(((Impinge *)state)->poses, poses, sizeof((Impinge *)state)->poses);
}

static void impinge_forget(void *state, imp_IndexPair pair)
{
    ((Impinge *)state)->states[convex_pair_slot(pair, BODY_COUNT)] = (imp_ConvexState){0};
}

static void impinge_test(void *state, const imp_IndexPair *pairs, size_t count, bool *touch)
{
    Impinge *impinge = state;
    for (size_t i = 0; i < count; ++i) {
        imp_ConvexPair pair = {impinge->convexes[pairs[i].a], impinge->convexes[pairs[i].b],
                               impinge->poses[pairs[i].a], impinge->poses[pairs[i].b]};
        imp_ConvexState *kept = &impinge->states[convex_pair_slot(pairs[i], BODY_COUNT)];
        imp_ConvexResult result;
        bench_require(imp_convex_test(impinge->context, kept, &pair, &result));
        touch[i] = result.touch;
    }
}

static const ConvexPeer impinge_convex = {"impinge",    impinge_open,   impinge_close,
                                          impinge_pose, impinge_forget, impinge_test};

static const ConvexPeer *const contestants[] = {
    &impinge_convex,
#if IMPINGE_BENCH_CCD
    &ccd_gjk_convex,   &ccd_mpr_convex,
#endif
#if IMPINGE_BENCH_FCL
    &fcl_indep_convex, &fcl_libccd_convex,
#endif
#if IMPINGE_BENCH_BULLET
    &bullet_convex,    &bullet_mpr_convex,
#endif
};

#define CONTESTANT_COUNT (sizeof contestants / sizeof contestants[0])

// ---- measuring

static void count_differences(ConvexSystem *system, const ConvexFrame *frame, const bool *touch)
{
    for (size_t i = 0; i < frame->separate_count; ++i)
        system->invented[0] += touch[i];
    for (size_t i = 0; i < frame->colliding_count; ++i)
        system->missed[1] += !touch[frame->separate_count + i];
}

// All frames once. Round -1 warms up and compares verdicts with the truth.
static void run_frames(ConvexSystem *system, const ConvexRecord *record, int round)
{
    static bool touch[BODY_COUNT * BODY_COUNT];
    for (size_t i = 0; i < record->frame_count; ++i) {
        const ConvexFrame *frame = &record->frames[i];
        system->peer->pose(system->state, frame->poses, frame->transforms);
        for (size_t k = 0; k < frame->begun_count; ++k)
            system->peer->forget(system->state, frame->begun[k]);
        uint64_t start = impi_clock_ns();
        system->peer->test(system->state, frame->pairs, frame->separate_count, touch);
        uint64_t middle = impi_clock_ns();
        system->peer->test(system->state, frame->pairs + frame->separate_count, frame->colliding_count,
                           touch + frame->separate_count);
        uint64_t end = impi_clock_ns();
        if (round < 0) {
            count_differences(system, frame, touch);
        } else {
            system->times[0][i][round] = middle - start;
            system->times[1][i][round] = end - middle;
        }
    }
}

static BenchSpread sum_of_spreads(ConvexSystem *system, int regime, size_t frame_count, int rounds)
{
    BenchSpread sum = {0};
    for (size_t i = 0; i < frame_count; ++i) {
        BenchSpread spread = bench_spread(system->times[regime][i], (size_t)rounds);
        sum.median += spread.median;
        sum.low += spread.low;
        sum.high += spread.high;
    }
    return sum;
}

static void print_line(const ConvexSystem *system, const char *scene, const char *regime, BenchSpread time,
                       size_t tests, size_t missed, size_t invented, int rounds)
{
    char agrees[48] = "yes";
    if (missed || invented)
        snprintf(agrees, sizeof agrees, "-%zu/+%zu", missed, invented);
    double n = (double)tests;
    if (tests)
        bench_print(&(BenchLine){scene,
                                 regime,
                                 system->peer->name,
                                 1,
                                 {time.median / n, time.low / n, time.high / n},
                                 "ns",
                                 tests,
                                 agrees,
                                 rounds});
}

static void print_jumpy(const ConvexRecord *record, const char *scene, ConvexSystem *systems, size_t count,
                        int rounds)
{
    for (size_t i = 0; i < count; ++i) {
        BenchSpread a = sum_of_spreads(&systems[i], 0, record->frame_count, rounds);
        BenchSpread b = sum_of_spreads(&systems[i], 1, record->frame_count, rounds);
        BenchSpread both = {a.median + b.median, a.low + b.low, a.high + b.high};
        print_line(&systems[i], scene, "jumpy", both, record->separate_count + record->colliding_count,
                   systems[i].missed[1], systems[i].invented[0], rounds);
    }
}

static void print_coherent(const ConvexRecord *record, const char *scene, ConvexSystem *systems, size_t count,
                           int rounds)
{
    for (int regime = 0; regime < 2; ++regime)
        for (size_t i = 0; i < count; ++i)
            print_line(&systems[i], scene, regime == 0 ? "separate" : "colliding",
                       sum_of_spreads(&systems[i], regime, record->frame_count, rounds),
                       regime == 0 ? record->separate_count : record->colliding_count,
                       systems[i].missed[regime], systems[i].invented[regime], rounds);
    if (record->separate_count && systems[0].peer == &impinge_convex)
        bench_print(
            &(BenchLine){scene, "steps", "impinge", 1,
                         bench_single(100 * (double)record->quick_count / (double)record->separate_count),
                         "percent", record->separate_count, "yes", 1});
}

// Ours is first, and checked even if others only are to be measured.
static void measure(const ConvexRecord *record, const char *scene, bool is_jumpy, const BenchOptions *options)
{
    int rounds = options->quick ? 3 : MAX_ROUNDS;
    size_t count = 0, first = bench_wants_system(options, "impinge") ? 0 : 1;
    ConvexSystem *systems = calloc(CONTESTANT_COUNT, sizeof *systems);
    bench_check(systems != NULL, "out of memory");
    for (size_t i = 0; i < CONTESTANT_COUNT; ++i) {
        if (i > 0 && !bench_wants_system(options, contestants[i]->name))
            continue;
        systems[count].peer = contestants[i];
        systems[count++].state = contestants[i]->open(record->bodies, record->body_count);
    }
    for (int round = -1; round < rounds; ++round)
        for (size_t i = round < 0 ? 0 : first; i < count; ++i)
            run_frames(&systems[i], record, round);
    bench_check(systems[0].missed[1] == 0 && systems[0].invented[0] == 0,
                "verdicts differ from their proofs");
    (is_jumpy ? print_jumpy : print_coherent)(record, scene, systems + first, count - first, rounds);
    for (size_t i = 0; i < count; ++i)
        systems[i].peer->close(systems[i].state);
    free(systems);
}

typedef struct MemoryCase {
    const ConvexRecord *record;
    const char *scene;
    const ConvexPeer *peer;
} MemoryCase;

// Bodies and what is kept of their pairs, each system in a process of its own.
static void measure_memory(void *argument)
{
    const MemoryCase *one = argument;
    ConvexSystem *system = calloc(1, sizeof *system);
    bench_check(system != NULL, "out of memory");
    double before = bench_peak_mib();
    system->peer = one->peer;
    system->state = one->peer->open(one->record->bodies, one->record->body_count);
    run_frames(system, one->record, -1);
    bench_print(&(BenchLine){one->scene, "coherent", one->peer->name, 1,
                             bench_single(bench_peak_mib() - before), "mib",
                             one->record->separate_count + one->record->colliding_count, "yes", 1});
}

static void run_scene(imp_Context *context, SceneConvexKind kind, uint32_t vertex_count, const char *name,
                      const BenchOptions *options)
{
    SceneConvexBoxDef def = {.kind = kind,
                             .body_count = BODY_COUNT,
                             .vertex_count = vertex_count,
                             .edge = scene_convex_box_edge(kind, BODY_COUNT),
                             .speed = 0.05,
                             .turn = 1000,
                             .seed = 1};
    size_t frame_count = options->quick || options->memory ? MAX_FRAMES / 4 : MAX_FRAMES;
    for (int is_jumpy = 0; is_jumpy <= !options->memory; ++is_jumpy) {
        ConvexRecord *record =
            convex_record_make(context, &def, is_jumpy ? frame_count / 4 : frame_count, is_jumpy);
        for (size_t i = 0; i < CONTESTANT_COUNT && options->memory; ++i)
            if (bench_wants_system(options, contestants[i]->name))
                bench_run_apart(measure_memory, &(MemoryCase){record, name, contestants[i]});
        if (!options->memory)
            measure(record, name, is_jumpy, options);
        convex_record_free(record);
    }
}

int bench_convex(const BenchOptions *options)
{
    static const uint32_t vertex_counts[] = {10, 100, 500, 1000};
    imp_Context *context;
    if (imp_context_create(NULL, &context) != IMP_STATUS_OK)
        return 1;
#if !IMPINGE_BENCH_CCD
    fprintf(stderr, "impinge-bench: libccd is left out: install libccd-dev\n");
#endif
#if !IMPINGE_BENCH_FCL
    fprintf(stderr, "impinge-bench: FCL is left out: install libfcl-dev\n");
#endif
#if !IMPINGE_BENCH_BULLET
    fprintf(stderr, "impinge-bench: Bullet is left out: install libbullet-dev\n");
#endif
    for (int kind = 0; kind < SCENE_CONVEX_KIND_COUNT; ++kind) {
        for (size_t i = 0; i < sizeof vertex_counts / sizeof vertex_counts[0]; ++i) {
            char name[32];
            snprintf(name, sizeof name, "%s-%u", scene_convex_name((SceneConvexKind)kind), vertex_counts[i]);
            if (bench_wants(options, name))
                run_scene(context, (SceneConvexKind)kind, vertex_counts[i], name, options);
        }
    }
    imp_context_destroy(context);
    return 0;
}
