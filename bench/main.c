// impinge-bench AREA [--scene S] [--memory] [--quick]
#include "bench.h"

#include <stdio.h>
#include <string.h>

typedef struct Area {
    const char *name, *summary;
    int (*run)(const BenchOptions *options);
} Area;

static const Area areas[] = {
    {"triangles", "exact triangle-triangle tests beside CGAL and a plain double test", bench_triangles},
    {"sort", "radix sort of packed 64-bit keys beside qsort", bench_sort},
    {"io", "readers of mesh files beside assimp", bench_io},
    {"mesh", "touching faces of two meshes beside FCL", bench_mesh},
    {"broad", "all pairs of boxes beside Embree, FCL, CGAL, Bullet and ODE", bench_broad},
    {"convex", "do convex polytopes touch, beside libccd, FCL and Bullet", bench_convex},
};

#define AREA_COUNT (sizeof areas / sizeof areas[0])

static void print_help(FILE *out)
{
    fprintf(out, "usage: impinge-bench AREA [--scene S] [--memory] [--quick]\n\n"
                 "Measures impinge beside its peers, interleaved in one run; prints medians as CSV.\n\n"
                 "areas:\n");
    for (size_t i = 0; i < AREA_COUNT; ++i)
        fprintf(out, "  %-10s %s\n", areas[i].name, areas[i].summary);
    fprintf(out, "\noptions:\n"
                 "  --scene S   only scenes whose name contains S\n"
                 "  --memory    memory instead of time, where an area measures it\n"
                 "  --quick     fewer repetitions\n");
}

int main(int argc, char **argv)
{
    BenchOptions options = {0};
    const Area *area = NULL;
    for (int i = 1; i < argc; ++i) {
        if (strcmp(argv[i], "--help") == 0) {
            print_help(stdout);
            return 0;
        } else if (strcmp(argv[i], "--quick") == 0) {
            options.quick = true;
        } else if (strcmp(argv[i], "--memory") == 0) {
            options.memory = true;
        } else if (strcmp(argv[i], "--scene") == 0 && i + 1 < argc) {
            options.scene = argv[++i];
        } else {
            for (size_t k = 0; k < AREA_COUNT; ++k)
                area = strcmp(argv[i], areas[k].name) == 0 ? &areas[k] : area;
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
    bench_print_header();
    return area->run(&options);
}
