/// Measuring several systems side by side: interleaved, medians, one line per measurement.
#ifndef IMPINGE_BENCH_H
#define IMPINGE_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define BENCH_MAX_SYSTEMS 16

/// One contestant of a scene. `run` does the work once and returns how many pairs it found.
typedef struct BenchSystem {
    const char *name;
    int threads;
    uint64_t (*run)(void *state);
    void *state;
    const char *agrees; ///< set by the area after checking results: "yes" or "-10/+17"
} BenchSystem;

typedef struct BenchScene {
    const char *name, *regime;
    const char *unit;     ///< "ns", "us", "ms"
    double unit_per_item; ///< a run's nanoseconds are divided by this before printing
    int repeats;          ///< rounds; every round runs each system once
} BenchScene;

typedef struct BenchOptions {
    const char *scene; ///< only scenes whose name contains this, or null
    bool quick, memory;
} BenchOptions;

void bench_print_header(void);
bool bench_wants(const BenchOptions *options, const char *scene);

/// Warm up, measure round robin, print one line per system.
void bench_measure(const BenchScene *scene, BenchSystem *systems, size_t count);

/// The middle one; sorts the times.
uint64_t bench_median(uint64_t *times, size_t count);

/// Most memory that this process ever held, in MiB.
double bench_peak_mib(void);

/// Stop the program: our own result differs from the oracle's.
void bench_check(bool holds, const char *what);

/// Areas, one file each.
int bench_triangles(const BenchOptions *options);
int bench_sort(const BenchOptions *options);
int bench_io(const BenchOptions *options);
int bench_mesh(const BenchOptions *options);
int bench_broad(const BenchOptions *options);
int bench_convex(const BenchOptions *options);

#ifdef __cplusplus
}
#endif

#endif
