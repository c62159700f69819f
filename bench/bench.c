#include "bench.h"

#include "base/clock.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_REPEATS 101

void bench_print_header(void)
{
    printf("scene,regime,system,threads,median,unit,pairs,agrees\n");
}

bool bench_wants(const BenchOptions *options, const char *scene)
{
    return !options->scene || strstr(scene, options->scene);
}

void bench_check(bool holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "impinge-bench: impinge is wrong: %s\n", what);
    exit(1);
}

static int compare_times(const void *a, const void *b)
{
    uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
    return (left > right) - (left < right);
}

uint64_t bench_median(uint64_t *times, size_t count)
{
    qsort(times, count, sizeof times[0], compare_times);
    return times[count / 2];
}

double bench_peak_mib(void)
{
    char line[256];
    double kib = 0;
    FILE *file = fopen("/proc/self/status", "r");
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "VmHWM: %lf", &kib) == 1)
            break;
    if (file)
        fclose(file);
    return kib / 1024;
}

void bench_measure(const BenchScene *scene, BenchSystem *systems, size_t count)
{
    static uint64_t times[BENCH_MAX_SYSTEMS][MAX_REPEATS];
    uint64_t pairs[BENCH_MAX_SYSTEMS];
    int repeats = scene->repeats < MAX_REPEATS ? scene->repeats : MAX_REPEATS;
    for (int round = -1; round < repeats; ++round) { // round -1 warms caches and scratch up
        for (size_t i = 0; i < count; ++i) {
            uint64_t start = impi_clock_ns();
            pairs[i] = systems[i].run(systems[i].state);
            if (round >= 0)
                times[i][round] = impi_clock_ns() - start;
        }
    }
    for (size_t i = 0; i < count; ++i) {
        double median = (double)bench_median(times[i], (size_t)repeats) / scene->unit_per_item;
        printf("%s,%s,%s,%d,%.4g,%s,%" PRIu64 ",%s\n", scene->name, scene->regime, systems[i].name,
               systems[i].threads, median, scene->unit, pairs[i],
               systems[i].agrees ? systems[i].agrees : "yes");
    }
    fflush(stdout);
}
