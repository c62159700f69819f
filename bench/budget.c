// Area budget: detects of scene crowd-1000 with random budgets from 1 us to 20 ms, all bodies moving in
// between. Where the budget was spent, the time of the call beyond it ("overshoot", by percentiles); the same
// of calls during which the system took the processor away from none of our threads ("undisturbed"), of all
// budgets and by their decades; and how many body pairs were decided by then (column pairs: of how many).
// System impinge-spheres: bodies have sphere trees, only bodies are asked for, and budgets are above the
// floor, which is what a detect takes that decides nothing: the largest of 20 such detects, each of them
// after one that decides everything and leaves caches cold ("least-budget"). Also by processor time of the
// calling thread. Every report is compared with that of a detect without a budget.
#include "budget_parts.h"

#include "base/clock.h"
#include "scenes/shapes.h"

#include <impinge/impinge.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DETECT_COUNT       10000
#define DETECT_COUNT_QUICK 1000
#define MOST_US            20000.0
#define DECADE_COUNT       7

static const char *const decades[DECADE_COUNT] = {"1us", "10us", "100us", "1ms", "10ms", "100ms", "1s"};

// What is true in a frame.
typedef struct Frame {
    imp_BodyPair *pairs;
    size_t pair_count;
    imp_TouchingFaces *faces;
    size_t face_count;
} Frame;

// What was measured of a decade of budgets, or of all of them.
typedef struct Samples {
    uint64_t *overshoot_ns, *decided;
    size_t count;
} Samples;

typedef struct Measurement {
    Frame frames[CROWD_FRAME_COUNT];
    CrowdWorld world;
    Samples all, undisturbed, by_decade[DECADE_COUNT]; // by decade: undisturbed ones
    Samples by_processor_time;
    uint64_t random, candidates;
    const char *system;
    imp_DetectDef def;
    double least_us, most_us; // budgets
} Measurement;

static void *copy_list(const void *list, size_t size)
{
    void *copy = malloc(size + 1);
    bench_check(copy != NULL, "out of memory");
    if (size > 0)
        memcpy(copy, list, size);
    return copy;
}

static void find_truth(const Crowd *crowd, Frame *frames)
{
    static CrowdWorld world;
    crowd_world_make(crowd, 1, &world);
    for (size_t i = 0; i < CROWD_FRAME_COUNT; ++i) {
        const imp_Report *report = NULL;
        crowd_world_show(&world, i);
        bench_require(imp_world_detect(world.world, &(imp_DetectDef){.ignore_containment = true}, &report));
        frames[i] =
            (Frame){copy_list(report->body_pairs, report->body_pair_count * sizeof *report->body_pairs),
                    report->body_pair_count,
                    copy_list(report->face_pairs, report->face_pair_count * sizeof *report->face_pairs),
                    report->face_pair_count};
    }
    crowd_world_free(&world);
}

static uint64_t pair_key(const imp_BodyPair *pair)
{
    return (uint64_t)pair->body_a.slot << 32 | pair->body_b.slot;
}

// Every related pair is listed or undecided, and nothing else is listed.
static void check_pairs(const Frame *frame, const imp_Report *report)
{
    size_t listed = 0, undecided = 0;
    for (size_t i = 0; i < frame->pair_count; ++i) {
        uint64_t key = pair_key(&frame->pairs[i]);
        while (undecided < report->undecided_count && pair_key(&report->undecided[undecided]) < key)
            ++undecided;
        bool is_listed = listed < report->body_pair_count && pair_key(&report->body_pairs[listed]) == key;
        bool is_open = undecided < report->undecided_count && pair_key(&report->undecided[undecided]) == key;
        bench_check(is_listed != is_open, "a touching pair is neither listed nor undecided");
        bench_check(!is_listed || report->body_pairs[listed].relations == frame->pairs[i].relations,
                    "a pair has a wrong relation");
        listed += is_listed;
    }
    bench_check(listed == report->body_pair_count, "a pair is listed that does not touch");
}

static void check_faces(const Frame *frame, const imp_Report *report)
{
    size_t next = 0;
    for (size_t i = 0; i < report->face_pair_count; ++i, ++next) {
        while (next < frame->face_count &&
               memcmp(&frame->faces[next], &report->face_pairs[i], sizeof *frame->faces) != 0)
            ++next;
        bench_check(next < frame->face_count, "faces are listed that do not touch");
    }
    bench_check(report->budget_spent || report->face_pair_count == frame->face_count,
                "a detect within its budget misses faces");
}

static void add_sample(Samples *samples, uint64_t overshoot_ns, uint64_t decided)
{
    samples->overshoot_ns[samples->count] = overshoot_ns;
    samples->decided[samples->count++] = decided;
}

static uint64_t beyond(uint64_t took_ns, uint64_t budget_ns)
{
    return took_ns > budget_ns ? took_ns - budget_ns : 0;
}

static void detect_once(Measurement *measurement, size_t frame)
{
    const imp_Report *report = NULL;
    imp_DetectDef def = measurement->def;
    def.budget_us = (uint64_t)exp(
        scene_random_between(&measurement->random, log(measurement->least_us), log(measurement->most_us)));
    crowd_world_show(&measurement->world, frame);
    long interruptions = crowd_interruption_count();
    uint64_t processor_start = crowd_processor_ns();
    uint64_t start = impi_clock_ns();
    bench_require(imp_world_detect(measurement->world.world, &def, &report));
    uint64_t took_ns = impi_clock_ns() - start, budget_ns = 1000 * def.budget_us;
    uint64_t processor_took_ns = crowd_processor_ns() - processor_start;
    bool was_disturbed = crowd_interruption_count() != interruptions;
    check_pairs(&measurement->frames[frame], report);
    if (def.mode == IMP_DETECT_FACES)
        check_faces(&measurement->frames[frame], report);
    measurement->candidates = report->candidate_body_pairs;
    if (!report->budget_spent)
        return;
    uint64_t overshoot_ns = beyond(took_ns, budget_ns);
    uint64_t decided = report->candidate_body_pairs - report->undecided_count;
    add_sample(&measurement->all, overshoot_ns, decided);
    add_sample(&measurement->by_processor_time, beyond(processor_took_ns, budget_ns), decided);
    if (was_disturbed)
        return;
    add_sample(&measurement->undisturbed, overshoot_ns, decided);
    add_sample(&measurement->by_decade[(int)log10((double)def.budget_us)], overshoot_ns, decided);
}

static void print_percentile(const Measurement *measurement, const Samples *samples, const char *name,
                             double percent)
{
    char regime[64];
    uint32_t threads = imp_context_get_thread_count(measurement->world.context);
    size_t at = (size_t)(percent / 100 * (double)(samples->count - 1) + 0.5);
    snprintf(regime, sizeof regime, "%s-p%g", name, percent);
    bench_print(&(BenchLine){"crowd-1000", regime, measurement->system, (int)threads,
                             bench_single(1e-3 * (double)samples->overshoot_ns[at]), "us",
                             measurement->candidates, NULL, (int)samples->count});
}

static void print_overshoot(const Measurement *measurement, Samples *samples, const char *name)
{
    if (samples->count == 0)
        return;
    bench_spread(samples->overshoot_ns, samples->count); // sorts
    print_percentile(measurement, samples, name, 50);
    print_percentile(measurement, samples, name, 99);
    print_percentile(measurement, samples, name, 99.9);
}

static void print_decade(const Measurement *measurement, Samples *samples, const char *decade)
{
    char name[32];
    if (samples->count == 0)
        return;
    snprintf(name, sizeof name, "undisturbed-%s", decade);
    print_overshoot(measurement, samples, name);
    snprintf(name, sizeof name, "decided-%s", decade);
    bench_print(&(BenchLine){"crowd-1000", name, measurement->system,
                             (int)imp_context_get_thread_count(measurement->world.context),
                             bench_spread(samples->decided, samples->count), "pairs", measurement->candidates,
                             NULL, (int)samples->count});
}

static void samples_make(Samples *samples, size_t most)
{
    samples->count = 0;
    samples->overshoot_ns = malloc(most * sizeof *samples->overshoot_ns);
    samples->decided = malloc(most * sizeof *samples->decided);
    bench_check(samples->overshoot_ns && samples->decided, "out of memory");
}

static void samples_free(Samples *samples)
{
    free(samples->overshoot_ns);
    free(samples->decided);
}

// Budgets above the floor, up to where all is decided.
static void choose_budgets(Measurement *measurement)
{
    size_t count = (size_t)2 * CROWD_FRAME_COUNT;
    CrowdTimes times = crowd_times(&measurement->world, &measurement->def, count);
    measurement->least_us = crowd_largest_floor_us(&measurement->world, &measurement->def, count);
    measurement->most_us = times.full_us;
    bench_print(&(BenchLine){"crowd-1000", "least-budget", measurement->system,
                             (int)imp_context_get_thread_count(measurement->world.context),
                             bench_single(measurement->least_us), "us", 0, NULL, (int)count});
}

static void measure(const Crowd *crowd, uint32_t threads, size_t count, Measurement *measurement)
{
    bool has_spheres = crowd->spheres[0];
    measurement->random = 7;
    measurement->system = has_spheres ? "impinge-spheres" : "impinge";
    measurement->def = (imp_DetectDef){.mode = has_spheres ? IMP_DETECT_BODIES : IMP_DETECT_FACES,
                                       .ignore_containment = true};
    measurement->least_us = 1;
    measurement->most_us = MOST_US;
    samples_make(&measurement->all, count);
    samples_make(&measurement->undisturbed, count);
    samples_make(&measurement->by_processor_time, count);
    for (int i = 0; i < DECADE_COUNT; ++i)
        samples_make(&measurement->by_decade[i], count);
    crowd_world_make(crowd, threads, &measurement->world);
    if (has_spheres)
        choose_budgets(measurement);
    for (size_t i = 0; i < count; ++i)
        detect_once(measurement, i % CROWD_FRAME_COUNT);
    print_overshoot(measurement, &measurement->all, "overshoot");
    print_overshoot(measurement, &measurement->undisturbed, "undisturbed");
    print_overshoot(measurement, &measurement->by_processor_time, "processor-time");
    for (int i = 0; i < DECADE_COUNT; ++i)
        print_decade(measurement, &measurement->by_decade[i], decades[i]);
    crowd_world_free(&measurement->world);
    samples_free(&measurement->all);
    samples_free(&measurement->undisturbed);
    samples_free(&measurement->by_processor_time);
    for (int i = 0; i < DECADE_COUNT; ++i)
        samples_free(&measurement->by_decade[i]);
}

static void measure_crowd(const BenchOptions *options, imp_Context *context)
{
    static Crowd crowd;
    static Measurement measurement;
    size_t count = options->quick ? DETECT_COUNT_QUICK : DETECT_COUNT;
    crowd_make(context, &crowd);
    find_truth(&crowd, measurement.frames);
    for (uint32_t threads = 1; threads <= 2 && bench_wants_system(options, "impinge"); ++threads)
        measure(&crowd, threads, count, &measurement);
    if (bench_wants_system(options, "impinge-spheres")) {
        crowd_make_spheres(context, IMP_SPHERES_FIT, &crowd);
        measure(&crowd, 1, count, &measurement);
        measure(&crowd, 2, count, &measurement);
        budget_curve(options, &crowd);
    }
    for (size_t i = 0; i < CROWD_FRAME_COUNT; ++i) {
        free(measurement.frames[i].pairs);
        free(measurement.frames[i].faces);
    }
    crowd_free(&crowd);
}

int bench_budget(const BenchOptions *options)
{
    imp_Context *context;
    bench_require(imp_context_create(NULL, &context));
    if (bench_wants(options, "bunny-pairs") && bench_wants_system(options, "impinge-spheres"))
        budget_bunnies(options, context);
    if (bench_wants(options, "crowd-1000"))
        measure_crowd(options, context);
    imp_context_destroy(context);
    return 0;
}
