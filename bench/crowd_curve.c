#include "crowd_curve.h"

#include "bench.h"

#include <math.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

const double crowd_shares[CROWD_SHARE_COUNT] = {0, 0.02, 0.05, 0.1, 0.2, 0.35, 0.5, 0.7, 1};

uint64_t crowd_processor_ns(void)
{
    struct timespec now;
    bench_check(clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) == 0, "no clock for processor time");
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

long crowd_interruption_count(void)
{
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) == 0 ? usage.ru_nivcsw : 0;
}

// What one detect shows.
typedef struct Sample {
    uint64_t took_ns;
    double decided, error;
    bool was_disturbed;
} Sample;

static Sample detect(CrowdWorld *world, size_t frame, const imp_DetectDef *def)
{
    const imp_Report *report = NULL;
    crowd_world_show(world, frame);
    long interruptions = crowd_interruption_count();
    uint64_t start = crowd_processor_ns();
    bench_require(imp_world_detect(world->world, def, &report));
    Sample sample = {.took_ns = crowd_processor_ns() - start};
    sample.was_disturbed = crowd_interruption_count() != interruptions;
    double candidates = (double)report->candidate_body_pairs;
    sample.decided = 1 - (double)report->undecided_count / candidates;
    for (size_t i = 0; i < report->undecided_count; ++i)
        sample.error += report->estimates[i].error / candidates;
    return sample;
}

double crowd_median_us(CrowdWorld *world, const imp_DetectDef *def, size_t detect_count)
{
    uint64_t *times = malloc(detect_count * sizeof *times);
    bench_check(times != NULL, "out of memory");
    for (size_t i = 0; i < detect_count; ++i)
        times[i] = detect(world, i % CROWD_FRAME_COUNT, def).took_ns;
    double median = 1e-3 * bench_spread(times, detect_count).median;
    free(times);
    return median;
}

static imp_DetectDef that_decides_nothing(const imp_DetectDef *def)
{
    imp_DetectDef least = *def;
    least.budget_us = 1;
    return least;
}

static imp_DetectDef that_decides_all(const imp_DetectDef *def)
{
    imp_DetectDef most = *def;
    most.budget_us = 0;
    most.method = IMP_METHOD_SPHERES;
    return most;
}

double crowd_largest_floor_us(CrowdWorld *world, const imp_DetectDef *def, size_t detect_count)
{
    imp_DetectDef least = that_decides_nothing(def), most = that_decides_all(def);
    double largest = 0;
    for (size_t i = 0; i < detect_count; ++i) {
        detect(world, i % CROWD_FRAME_COUNT, &most);
        largest = fmax(largest, 1e-3 * (double)detect(world, (i + 1) % CROWD_FRAME_COUNT, &least).took_ns);
    }
    return largest;
}

CrowdTimes crowd_times(CrowdWorld *world, const imp_DetectDef *def, size_t detect_count)
{
    imp_DetectDef least = that_decides_nothing(def), most = that_decides_all(def);
    crowd_median_us(world, &most, 1); // warm
    return (CrowdTimes){crowd_median_us(world, &least, detect_count),
                        crowd_median_us(world, &most, detect_count)};
}

CrowdPoint crowd_point(CrowdWorld *world, const CrowdTimes *times, imp_RefineOrder order, double share,
                       size_t detect_count)
{
    CrowdPoint point = {.budget_us = fmax(1, times->floor_us + share * (times->full_us - times->floor_us))};
    imp_DetectDef def = {.mode = IMP_DETECT_BODIES,
                         .ignore_containment = true,
                         .order = order,
                         .budget_us = (uint64_t)point.budget_us};
    Sample *samples = malloc(detect_count * sizeof *samples);
    bench_check(samples != NULL, "out of memory");
    for (size_t i = 0; i < detect_count; ++i) {
        samples[i] = detect(world, i % CROWD_FRAME_COUNT, &def);
        point.detect_count += !samples[i].was_disturbed;
    }
    bool takes_all = point.detect_count == 0;
    point.detect_count = takes_all ? detect_count : point.detect_count;
    for (size_t i = 0; i < detect_count; ++i)
        if (takes_all || !samples[i].was_disturbed) {
            point.decided += samples[i].decided / (double)point.detect_count;
            point.error += samples[i].error / (double)point.detect_count;
        }
    free(samples);
    return point;
}
