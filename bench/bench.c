#include "bench.h"

#include "base/clock.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define MAX_REPEATS 101

// A system that has spent this much on a scene is not run again.
#define SECONDS_OF_SYSTEM       8
#define SECONDS_OF_SYSTEM_QUICK 2

// ---- what is wanted

bool bench_wants(const BenchOptions *options, const char *scene)
{
    return !options->scene || strstr(scene, options->scene);
}

// The name at the front of a list with commas; `*list` goes to the next one, or becomes null after the last.
static size_t next_name(const char **list, const char **name)
{
    size_t length = strcspn(*list, ",");
    *name = *list;
    *list = (*list)[length] ? *list + length + 1 : NULL;
    return length;
}

static bool fits(const char *name, size_t length, const char *system, size_t system_length)
{
    return length > 0 && length <= system_length && memcmp(name, system, length) == 0 &&
           (length == system_length || system[length] == '-');
}

bool bench_wants_system(const BenchOptions *options, const char *system)
{
    const char *name;
    size_t system_length = strlen(system);
    bool is_known = false, is_wanted = !options->only;
    for (const char *list = options->systems; list;) {
        size_t length = next_name(&list, &name);
        is_known |= length == system_length && memcmp(name, system, length) == 0;
    }
    if (!is_known) {
        fprintf(stderr, "impinge-bench: '%s' is missing in its area's row in areas.h\n", system);
        exit(1);
    }
    for (const char *list = options->only; list;) {
        size_t length = next_name(&list, &name);
        is_wanted |= fits(name, length, system, system_length);
    }
    return is_wanted;
}

const char *bench_find_unknown(const BenchOptions *options, size_t *length)
{
    for (const char *list = options->only; list;) {
        const char *name, *system;
        bool is_known = false;
        *length = next_name(&list, &name);
        for (const char *systems = options->systems; systems;) {
            size_t system_length = next_name(&systems, &system);
            is_known |= fits(name, *length, system, system_length);
        }
        if (!is_known)
            return name;
    }
    return NULL;
}

// ---- what is printed

void bench_print_header(void)
{
    printf("scene,regime,system,threads,median,unit,pairs,agrees,low,high,runs\n");
}

void bench_print(const BenchLine *line)
{
    printf("%s,%s,%s,%d,%.4g,%s,%" PRIu64 ",%s,%.4g,%.4g,%d\n", line->scene, line->regime, line->system,
           line->threads, line->value.median, line->unit, line->pairs, line->agrees ? line->agrees : "yes",
           line->value.low, line->value.high, line->runs);
    fflush(stdout);
}

void bench_check(bool holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "impinge-bench: impinge is wrong: %s\n", what);
    exit(1);
}

void bench_fail(imp_Status status)
{
    fprintf(stderr, "impinge-bench: a call of impinge failed: %s\n", imp_status_name(status));
    exit(1);
}

// ---- time

static int compare_times(const void *a, const void *b)
{
    uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
    return (left > right) - (left < right);
}

BenchSpread bench_spread(uint64_t *times, size_t count)
{
    qsort(times, count, sizeof times[0], compare_times);
    size_t quarter = (count - 1) / 4;
    return (BenchSpread){(double)times[count / 2], (double)times[quarter],
                         (double)times[count - 1 - quarter]};
}

// The times of one system on one scene.
typedef struct Stopwatch {
    bool is_wanted;
    uint64_t times[MAX_REPEATS], spent_ns, pairs;
    int runs;
} Stopwatch;

static void run_once(BenchSystem *system, Stopwatch *watch, bool is_first, uint64_t limit_ns)
{
    uint64_t start = impi_clock_ns();
    watch->pairs = system->run(system->state);
    uint64_t time = impi_clock_ns() - start;
    watch->spent_ns += time;
    if (!is_first || watch->spent_ns > limit_ns)
        watch->times[watch->runs++] = time;
    if (is_first && system->check)
        system->agrees = system->check(system->state);
}

static void print_system(const BenchScene *scene, const BenchSystem *system, Stopwatch *watch)
{
    BenchSpread spread = bench_spread(watch->times, (size_t)watch->runs);
    double unit = system->unit_per_item > 0 ? system->unit_per_item : scene->unit_per_item;
    bench_print(&(BenchLine){scene->name,
                             scene->regime,
                             system->name,
                             system->threads,
                             {spread.median / unit, spread.low / unit, spread.high / unit},
                             scene->unit,
                             watch->pairs,
                             system->agrees,
                             watch->runs});
}

void bench_measure(const BenchOptions *options, const BenchScene *scene, BenchSystem *systems, size_t count)
{
    static Stopwatch watches[BENCH_MAX_SYSTEMS];
    uint64_t limit_ns = (options->quick ? SECONDS_OF_SYSTEM_QUICK : SECONDS_OF_SYSTEM) * UINT64_C(1000000000);
    int repeats = scene->repeats < MAX_REPEATS ? scene->repeats : MAX_REPEATS;
    memset(watches, 0, sizeof watches);
    for (size_t i = 0; i < count; ++i) { // warms caches and scratch up
        watches[i].is_wanted = bench_wants_system(options, systems[i].name);
        bool is_ours = strncmp(systems[i].name, "impinge", strlen("impinge")) == 0;
        if (watches[i].is_wanted || is_ours)
            run_once(&systems[i], &watches[i], true, limit_ns);
    }
    for (int round = 0; round < repeats; ++round)
        for (size_t i = 0; i < count; ++i)
            if (watches[i].is_wanted && watches[i].spent_ns <= limit_ns)
                run_once(&systems[i], &watches[i], false, limit_ns);
    for (size_t i = 0; i < count; ++i)
        if (watches[i].is_wanted)
            print_system(scene, &systems[i], &watches[i]);
}

// ---- memory

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

void bench_run_apart(void (*work)(void *argument), void *argument)
{
    int status = 1;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        work(argument);
        fflush(stdout);
        _exit(0);
    }
    if (child < 0 || waitpid(child, &status, 0) != child || status != 0) {
        fprintf(stderr, "impinge-bench: a process that measures memory failed\n");
        exit(1);
    }
}
