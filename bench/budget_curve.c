// The part of area budget about bodies with sphere trees: how error falls with time, for both orders of
// refining, at shares of the refining time.
#include "budget_parts.h"

#include <stdio.h>

static void print(const char *name, const char *system, double share, double value, const char *unit,
                  int threads, size_t runs)
{
    char regime[64];
    snprintf(regime, sizeof regime, "%s-at-%.2f", name, share);
    bench_print(
        &(BenchLine){"crowd-1000", regime, system, threads, bench_single(value), unit, 0, NULL, (int)runs});
}

static void measure_share(CrowdWorld *world, const CrowdTimes *times, imp_RefineOrder order, double share,
                          size_t detect_count)
{
    const char *system = order == IMP_REFINE_ROUND_ROBIN ? "impinge-round-robin" : "impinge-spheres";
    int threads = (int)imp_context_get_thread_count(world->context);
    CrowdPoint point = crowd_point(world, times, order, share, detect_count);
    print("decided", system, share, point.decided, "share", threads, point.detect_count);
    print("error", system, share, point.error, "radius", threads, point.detect_count);
}

void budget_curve(const BenchOptions *options, const Crowd *crowd)
{
    static CrowdWorld world;
    imp_DetectDef def = {.mode = IMP_DETECT_BODIES, .ignore_containment = true};
    size_t count = (options->quick ? 2 : 10) * CROWD_FRAME_COUNT;
    crowd_world_make(crowd, 1, &world);
    CrowdTimes times = crowd_times(&world, &def, count);
    bench_print(&(BenchLine){"crowd-1000", "floor", "impinge-spheres", 1, bench_single(times.floor_us), "us",
                             0, NULL, (int)count});
    bench_print(&(BenchLine){"crowd-1000", "all-decided", "impinge-spheres", 1, bench_single(times.full_us),
                             "us", 0, NULL, (int)count});
    bench_print(&(BenchLine){"crowd-1000", "all-decided", "impinge", 1,
                             bench_single(crowd_median_us(&world, &def, count)), "us", 0, NULL, (int)count});
    for (int i = 0; i < CROWD_SHARE_COUNT; ++i) {
        measure_share(&world, &times, IMP_REFINE_LARGEST_ERROR, crowd_shares[i], count);
        measure_share(&world, &times, IMP_REFINE_ROUND_ROBIN, crowd_shares[i], count);
    }
    crowd_world_free(&world);
}
