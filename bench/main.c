// impinge-bench AREA [--scene S] [--only SYSTEMS] [--memory] [--quick]
#include "bench.h"

#include <stdio.h>
#include <string.h>

typedef struct Area {
    const char *name, *summary, *systems;
    int (*run)(const BenchOptions *options);
} Area;

#define AREA_ROW(name, summary, systems) {#name, summary, systems, bench_##name},
static const Area areas[] = {BENCH_AREAS(AREA_ROW)};

#define AREA_COUNT (sizeof areas / sizeof areas[0])

static void print_help(FILE *out)
{
    fprintf(out, "usage: impinge-bench AREA [--scene S] [--only SYSTEMS] [--memory] [--quick]\n\n"
                 "Measures impinge beside its peers, interleaved in one run; prints medians as CSV.\n\n"
                 "areas:\n");
    for (size_t i = 0; i < AREA_COUNT; ++i)
        fprintf(out, "  %-14s %s\n%17s(%s)\n", areas[i].name, areas[i].summary, "", areas[i].systems);
    fprintf(out, "\noptions:\n"
                 "  --scene S        only scenes whose name contains S\n"
                 "  --only SYSTEMS   only these, by name or by what stands before a hyphen: impinge,fcl\n"
                 "  --memory         memory instead of time, where an area measures it\n"
                 "  --quick          fewer repetitions: 3 minutes at most, otherwise 10\n"
                 "  --list           the names of the areas, one per line\n");
}

static void print_list(void)
{
    for (size_t i = 0; i < AREA_COUNT; ++i)
        printf("%s\n", areas[i].name);
}

static const Area *find_area(const char *name)
{
    for (size_t i = 0; i < AREA_COUNT; ++i)
        if (strcmp(name, areas[i].name) == 0)
            return &areas[i];
    return NULL;
}

static int run_area(const Area *area, BenchOptions *options)
{
    size_t length = 0;
    options->systems = area->systems;
    const char *unknown = bench_find_unknown(options, &length);
    if (unknown) {
        fprintf(stderr, "impinge-bench: no system of area %s fits '%.*s'; it has %s\n", area->name,
                (int)length, unknown, area->systems);
        return 2;
    }
    bench_print_header();
    return area->run(options);
}

int main(int argc, char **argv)
{
    BenchOptions options = {0};
    const Area *area = NULL;
    for (int i = 1; i < argc; ++i) {
        if (strcmp(argv[i], "--help") == 0) {
            print_help(stdout);
            return 0;
        } else if (strcmp(argv[i], "--list") == 0) {
            print_list();
            return 0;
        } else if (strcmp(argv[i], "--quick") == 0) {
            options.quick = true;
        } else if (strcmp(argv[i], "--memory") == 0) {
            options.memory = true;
        } else if (strcmp(argv[i], "--scene") == 0 && i + 1 < argc) {
            options.scene = argv[++i];
        } else if (strcmp(argv[i], "--only") == 0 && i + 1 < argc) {
            options.only = argv[++i];
        } else {
            area = find_area(argv[i]);
            if (!area) {
                fprintf(stderr, "impinge-bench: unknown area or option '%s'; see impinge-bench --help\n",
                        argv[i]);
                return 2;
            }
        }
    }
    if (!area) {
        print_help(stderr);
        return 2;
    }
    return run_area(area, &options);
}
