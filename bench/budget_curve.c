// The part of area budget about bodies with sphere trees: how error falls with time.
//
// crowd-1000: the floor is what a detect takes that decides nothing, refining time what it takes beyond that
// to decide everything through spheres. At shares of the refining time: how many pairs are decided, and the
// mean error of all candidate pairs, over the radius of bodies; for both orders of refining.
#include "budget_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define SHARE_COUNT 9

static const double shares[SHARE_COUNT] = {0, 0.02, 0.05, 0.1, 0.2, 0.35, 0.5, 0.7, 1};

// What one detect shows.
typedef struct Sample {
    double took_us, decided, error;
} Sample;

static Sample detect(CrowdWorld *world, size_t frame, const imp_DetectDef *def)
{
    const imp_Report *report = NULL;
    crowd_world_show(world, frame);
    uint64_t start = budget_processor_ns();
    bench_require(imp_world_detect(world->world, def, &report));
    Sample sample = {.took_us = 1e-3 * (double)(budget_processor_ns() - start)};
    double candidates = (double)report->candidate_body_pairs;
    sample.decided = 1 - (double)report->undecided_count / candidates;
    for (size_t i = 0; i < report->undecided_count; ++i)
        sample.error += report->estimates[i].error / candidates;
    return sample;
}

static int compare_times(const void *a, const void *b)
{
    double x = ((const Sample *)a)->took_us, y = ((const Sample *)b)->took_us;
    return (x > y) - (x < y);
}

// The median by time of detects in all frames.
static double median_us(CrowdWorld *world, const imp_DetectDef *def, int rounds)
{
    size_t count = (size_t)rounds * CROWD_FRAME_COUNT;
    Sample *samples = malloc(count * sizeof *samples);
    bench_check(samples != NULL, "out of memory");
    for (size_t i = 0; i < count; ++i)
        samples[i] = detect(world, i % CROWD_FRAME_COUNT, def);
    qsort(samples, count, sizeof *samples, compare_times);
    double median = samples[count / 2].took_us;
    free(samples);
    return median;
}

BudgetTimes budget_times(CrowdWorld *world, const imp_DetectDef *def, int rounds)
{
    imp_DetectDef least = *def, most = *def;
    least.budget_us = 1;
    most.budget_us = 0;
    most.method = IMP_METHOD_SPHERES;
    median_us(world, &most, 1); // warm
    return (BudgetTimes){median_us(world, &least, rounds), median_us(world, &most, rounds)};
}

static void print(const char *name, const char *system, double share, double value, const char *unit,
                  int threads)
{
    char regime[64];
    snprintf(regime, sizeof regime, "%s-at-%.2f", name, share);
    bench_print(&(BenchLine){"crowd-1000", regime, system, threads, bench_single(value), unit, 0, NULL, 1});
}

static void measure_share(CrowdWorld *world, const BudgetTimes *times, imp_RefineOrder order, int rounds,
                          double share)
{
    const char *system = order == IMP_REFINE_ROUND_ROBIN ? "impinge-round-robin" : "impinge-spheres";
    double budget_us = fmax(1, times->floor_us + share * (times->full_us - times->floor_us));
    imp_DetectDef def = {.mode = IMP_DETECT_BODIES,
                         .ignore_containment = true,
                         .order = order,
                         .budget_us = (uint64_t)budget_us};
    size_t count = (size_t)rounds * CROWD_FRAME_COUNT;
    Sample mean = {0};
    for (size_t i = 0; i < count; ++i) {
        Sample sample = detect(world, i % CROWD_FRAME_COUNT, &def);
        mean.decided += sample.decided / (double)count;
        mean.error += sample.error / (double)count;
    }
    int threads = (int)imp_context_get_thread_count(world->context);
    print("decided", system, share, mean.decided, "share", threads);
    print("error", system, share, mean.error, "radius", threads);
}

void budget_curve(const BenchOptions *options, const Crowd *crowd)
{
    static CrowdWorld world;
    imp_DetectDef def = {.mode = IMP_DETECT_BODIES, .ignore_containment = true};
    int rounds = options->quick ? 2 : 10;
    crowd_world_make(crowd, 1, &world);
    BudgetTimes times = budget_times(&world, &def, rounds);
    bench_print(&(BenchLine){"crowd-1000", "floor", "impinge-spheres", 1, bench_single(times.floor_us), "us",
                             0, NULL, rounds * CROWD_FRAME_COUNT});
    bench_print(&(BenchLine){"crowd-1000", "all-decided", "impinge-spheres", 1, bench_single(times.full_us),
                             "us", 0, NULL, rounds * CROWD_FRAME_COUNT});
    bench_print(&(BenchLine){"crowd-1000", "all-decided", "impinge", 1,
                             bench_single(median_us(&world, &def, rounds)), "us", 0, NULL,
                             rounds * CROWD_FRAME_COUNT});
    for (int i = 0; i < SHARE_COUNT; ++i) {
        measure_share(&world, &times, IMP_REFINE_LARGEST_ERROR, rounds, shares[i]);
        measure_share(&world, &times, IMP_REFINE_ROUND_ROBIN, rounds, shares[i]);
    }
    crowd_world_free(&world);
}
