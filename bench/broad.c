// All pairs of boxes, ms: impinge on one and two threads beside Embree, FCL, CGAL, Bullet and ODE on one.
// Regime `scratch`: everything anew. Regime `coherent`: the mean frame of a motion, with whatever a system
// keeps from frame to frame.
#include "bench.h"
#include "broad_peers.h"
#include "broad_scene.h"

#include <impinge/broad.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct SceneSpec {
    const char *name;
    size_t count;
    bool has_coherent; // frames of the largest scenes would not fit
} SceneSpec;

static const SceneSpec specs[] = {
    {"uniform-10k", 10000, true},     {"uniform-100k", 100000, true}, {"uniform-1m", 1000000, true},
    {"uniform-10m", 10000000, false}, {"mixed-100k", 100000, true},   {"clusters-100k", 100000, true},
};

#define SPEC_COUNT (sizeof specs / sizeof specs[0])

// Where peers go one frame forth and back in a coherent run, because some take seconds for each.
#define MANY_BOXES 1000000

typedef struct PeerChoice {
    const BroadPeer *peer;
    const char *package;                       // when it is not built in
    size_t max_box_count, max_box_count_quick; // of scenes that do not take it minutes
} PeerChoice;

static const PeerChoice peers[] = {
#if IMPINGE_BENCH_EMBREE
    {&embree_broad, NULL, SIZE_MAX, SIZE_MAX}, {&embree_refit_broad, NULL, SIZE_MAX, SIZE_MAX},
#else
    {NULL, "embree is left out: install libembree-dev", 0, 0},
#endif
#if IMPINGE_BENCH_FCL
    {&fcl_broad, NULL, SIZE_MAX, 1000000},
#else
    {NULL, "fcl-aabb is left out: install libfcl-dev", 0, 0},
#endif
#if IMPINGE_BENCH_CGAL
    {&cgal_broad, NULL, SIZE_MAX, 1000000},
#else
    {NULL, "cgal-box-d is left out: install libcgal-dev", 0, 0},
#endif
#if IMPINGE_BENCH_BULLET
    {&bullet_broad, NULL, SIZE_MAX, 1000000},
#else
    {NULL, "bullet-dbvt is left out: install libbullet-dev", 0, 0},
#endif
#if IMPINGE_BENCH_ODE
    {&ode_broad, NULL, 100000, 100000},
#else
    {NULL, "ode-sap is left out: install libode-dev", 0, 0},
#endif
};

#define PEER_COUNT (sizeof peers / sizeof peers[0])

// ---- systems

// One system on one scene. `peer` is null for impinge.
typedef struct Contestant {
    const BroadScene *scene;
    bool is_coherent;
    size_t last_frame; // how far a coherent run goes
    PeerPairs *out;
    const PeerPairs *truth;
    char difference[48];

    const BroadPeer *peer;
    void *peer_state;

    imp_Context *context;
    imp_Broad *broad;
    imp_BroadId *ids;
} Contestant;

static void die(const char *what)
{
    fprintf(stderr, "impinge-bench: %s\n", what);
    exit(1);
}

// Memory that is there, not only promised: compilers make a calloc of zeros written to what malloc gave, and
// that comes without pages. So no run pays for fresh pages, in time or in memory.
static void *allocate_pages(size_t size)
{
    void *pages = malloc(size);
    if (!pages)
        die("out of memory");
    return memset(pages, 0xFF, size);
}

// Part of what a caller keeps, like boxes and pairs.
static imp_BroadId *make_ids(const BroadScene *scene)
{
    return allocate_pages(scene->count * sizeof(imp_BroadId));
}

static void impinge_open(Contestant *c, uint32_t threads)
{
    if (imp_context_create(&(imp_ContextDef){.thread_count = threads}, &c->context) != IMP_STATUS_OK)
        die("no context");
    if (!c->is_coherent)
        return;
    imp_BroadDef def = {.precision = IMP_BROAD_FLOAT, .expected_count = c->scene->count};
    imp_BoxArray boxes = {c->scene->frames[0], NULL, c->scene->count};
    if (!c->ids)
        c->ids = make_ids(c->scene);
    if (imp_broad_create(c->context, &def, &c->broad) != IMP_STATUS_OK ||
        imp_broad_add_many(c->broad, &boxes, c->ids) != IMP_STATUS_OK)
        die(imp_context_get_error(c->context)->message);
}

static void contestant_open(Contestant *c, uint32_t threads)
{
    if (c->peer)
        c->peer_state = c->peer->open(c->scene->frames[0], c->scene->count);
    else
        impinge_open(c, threads);
}

static void contestant_close(Contestant *c)
{
    if (c->peer)
        c->peer->close(c->peer_state);
    imp_broad_destroy(c->broad);
    imp_context_destroy(c->context);
    free(c->ids);
}

static void impinge_frame(Contestant *c, const float *frame)
{
    imp_BoxArray boxes = {frame, NULL, c->scene->count};
    const imp_BroadResult *result;
    uint64_t count = 0;
    imp_Status status = IMP_STATUS_OK;
    if (!c->is_coherent) {
        status = imp_pairs_find(c->context, &boxes, (imp_IndexPair *)c->out->pairs, c->out->capacity, &count);
        c->out->count = count;
    } else {
        status = imp_broad_move_many(c->broad, c->ids, &boxes);
        if (status == IMP_STATUS_OK)
            status = imp_broad_update(c->broad, &result);
        if (status == IMP_STATUS_OK)
            c->out->count = result->pair_count;
    }
    if (status != IMP_STATUS_OK)
        die(imp_context_get_error(c->context)->message);
}

static void run_frame(Contestant *c, const float *frame)
{
    c->out->count = 0;
    if (!c->peer)
        impinge_frame(c, frame);
    else if (c->is_coherent && c->peer->coherent)
        c->peer->coherent(c->peer_state, frame, c->out);
    else
        c->peer->scratch(c->peer_state, frame, c->out);
}

// A coherent run goes through the frames to its last and back, so that the next one begins where it ends.
static uint64_t run_contestant(void *state)
{
    Contestant *c = state;
    size_t last = c->last_frame;
    if (!c->is_coherent)
        run_frame(c, c->scene->frames[0]);
    for (size_t f = 1; c->is_coherent && f <= last; ++f)
        run_frame(c, c->scene->frames[f]);
    for (size_t f = last; c->is_coherent && f-- > 0;)
        run_frame(c, c->scene->frames[f]);
    return c->out->count;
}

// ---- agreement

static int compare_pairs(const void *a, const void *b)
{
    const uint32_t *p = a, *q = b;
    if (p[0] != q[0])
        return p[0] < q[0] ? -1 : 1;
    return (p[1] > q[1]) - (p[1] < q[1]);
}

// Both lists are about frame 0, which coherent runs end with.
static const char *describe_difference(PeerPairs *found, const PeerPairs *truth, char text[48])
{
    size_t i = 0, k = 0, missing = 0, invented = 0;
    if (found->count > found->capacity)
        return "too many";
    qsort(found->pairs, found->count, sizeof *found->pairs, compare_pairs);
    while (i < found->count || k < truth->count) {
        int order = i == found->count   ? 1
                    : k == truth->count ? -1
                                        : compare_pairs(found->pairs[i], truth->pairs[k]);
        invented += order < 0;
        missing += order > 0;
        i += order <= 0;
        k += order >= 0;
    }
    snprintf(text, 48, "-%zu/+%zu", missing, invented);
    return missing || invented ? text : "yes";
}

static void copy_broad_pairs(Contestant *c)
{
    const imp_BroadResult *result;
    if (imp_broad_update(c->broad, &result) != IMP_STATUS_OK)
        die("no update");
    c->out->count = result->pair_count;
    for (size_t i = 0; i < result->pair_count; ++i) { // slots count from 1, in the order of the boxes
        c->out->pairs[i][0] = result->pairs[i].a - 1;
        c->out->pairs[i][1] = result->pairs[i].b - 1;
    }
}

static const char *check_contestant(void *state)
{
    Contestant *c = state;
    if (!c->peer && c->is_coherent)
        copy_broad_pairs(c);
    const char *agrees = describe_difference(c->out, c->truth, c->difference);
    if (!c->peer)
        bench_check(strcmp(agrees, "yes") == 0, "another run finds other pairs");
    return agrees;
}

// The pairs of frame 0 as the first peer finds them that is built in, or as we do.
static void find_truth(const BroadScene *scene, PeerPairs *truth)
{
    Contestant c = {.scene = scene, .out = truth, .peer = NULL};
    for (size_t i = 0; i < PEER_COUNT && !c.peer; ++i)
        c.peer = peers[i].peer;
    contestant_open(&c, 1);
    run_frame(&c, scene->frames[0]);
    contestant_close(&c);
    if (truth->count > truth->capacity)
        die("more pairs than expected");
    qsort(truth->pairs, truth->count, sizeof *truth->pairs, compare_pairs);
}

// ---- measuring

static bool takes_part(const PeerChoice *choice, const SceneSpec *spec, bool is_coherent,
                       const BenchOptions *options)
{
    size_t max_count = options->quick ? choice->max_box_count_quick : choice->max_box_count;
    return choice->peer && (is_coherent || choice->peer->scratch) && spec->count <= max_count &&
           bench_wants_system(options, choice->peer->name);
}

// Ours on one and two threads, then the peers that are wanted; all like `first`.
static size_t line_up(Contestant *contestants, BenchSystem *systems, const SceneSpec *spec,
                      const Contestant *first, const BenchOptions *options)
{
    size_t count = 0;
    for (int threads = 1; threads <= 2; ++threads) {
        contestants[count] = *first;
        systems[count++] = (BenchSystem){.name = "impinge", .threads = threads};
    }
    for (size_t i = 0; i < PEER_COUNT; ++i) {
        if (!takes_part(&peers[i], spec, first->is_coherent, options))
            continue;
        contestants[count] = *first;
        contestants[count].peer = peers[i].peer;
        if (spec->count >= MANY_BOXES && first->is_coherent)
            contestants[count].last_frame = 1;
        systems[count++] = (BenchSystem){.name = peers[i].peer->name, .threads = 1};
    }
    for (size_t i = 0; i < count; ++i) {
        systems[i].run = run_contestant;
        systems[i].check = check_contestant;
        systems[i].state = &contestants[i];
        systems[i].unit_per_item = 1e6 * (first->is_coherent ? 2 * (double)contestants[i].last_frame : 1);
        contestant_open(&contestants[i], (uint32_t)systems[i].threads);
    }
    return count;
}

static PeerPairs make_room(const BroadScene *scene)
{
    PeerPairs room = {NULL, 2 * scene->count + 1000, 0};
    room.pairs = allocate_pages(room.capacity * sizeof *room.pairs);
    return room;
}

static void measure(const SceneSpec *spec, const BroadScene *scene, bool is_coherent,
                    const BenchOptions *options)
{
    Contestant contestants[BENCH_MAX_SYSTEMS];
    BenchSystem systems[BENCH_MAX_SYSTEMS];
    PeerPairs truth = make_room(scene), out = make_room(scene);
    find_truth(scene, &truth);
    Contestant first = {.scene = scene,
                        .is_coherent = is_coherent,
                        .last_frame = scene->frame_count - 1,
                        .out = &out,
                        .truth = &truth};
    size_t count = line_up(contestants, systems, spec, &first, options);
    BenchScene description = {spec->name, is_coherent ? "coherent" : "scratch", "ms", 1e6,
                              is_coherent ? (options->quick ? 3 : 5) : (options->quick ? 3 : 11)};
    bench_measure(options, &description, systems, count);
    for (size_t i = 0; i < count; ++i)
        contestant_close(&contestants[i]);
    free(out.pairs);
    free(truth.pairs);
}

// ---- memory

typedef struct MemoryCase {
    const SceneSpec *spec;
    const BroadPeer *peer;
    bool is_coherent;
} MemoryCase;

// In a process of its own: the peak with the system less that with boxes and room for the pairs alone.
static void measure_memory(void *argument)
{
    const MemoryCase *one = argument;
    BroadScene scene;
    if (!broad_scene_make(&scene, one->spec->name, one->spec->count, one->is_coherent ? 6 : 1))
        die("out of memory");
    PeerPairs out = make_room(&scene);
    Contestant c = {.scene = &scene,
                    .is_coherent = one->is_coherent,
                    .last_frame = scene.frame_count - 1,
                    .out = &out,
                    .peer = one->peer};
    c.ids = make_ids(&scene);
    double before = bench_peak_mib();
    contestant_open(&c, 1);
    uint64_t pairs = run_contestant(&c);
    bench_print(&(BenchLine){one->spec->name, one->is_coherent ? "coherent" : "scratch",
                             one->peer ? one->peer->name : "impinge", 1,
                             bench_single(bench_peak_mib() - before), "mib", pairs, "yes", 1});
}

static void measure_all_memory(const SceneSpec *spec, const BenchOptions *options)
{
    for (int is_coherent = 0; is_coherent <= spec->has_coherent; ++is_coherent) {
        if (bench_wants_system(options, "impinge"))
            bench_run_apart(measure_memory, &(MemoryCase){spec, NULL, is_coherent});
        for (size_t i = 0; i < PEER_COUNT; ++i)
            if (takes_part(&peers[i], spec, is_coherent, options))
                bench_run_apart(measure_memory, &(MemoryCase){spec, peers[i].peer, is_coherent});
    }
}

int bench_broad(const BenchOptions *options)
{
    for (size_t i = 0; i < PEER_COUNT; ++i)
        if (!peers[i].peer)
            fprintf(stderr, "impinge-bench: %s\n", peers[i].package);
    for (size_t i = 0; i < SPEC_COUNT; ++i) {
        BroadScene scene;
        if (!bench_wants(options, specs[i].name))
            continue;
        if (options->memory) {
            measure_all_memory(&specs[i], options);
            continue;
        }
        size_t frames = !specs[i].has_coherent ? 1 : options->quick ? 6 : 21;
        if (!broad_scene_make(&scene, specs[i].name, specs[i].count, frames))
            die("out of memory");
        measure(&specs[i], &scene, false, options);
        if (specs[i].has_coherent)
            measure(&specs[i], &scene, true, options);
        broad_scene_free(&scene);
    }
    return 0;
}
