/// Measuring several systems side by side: interleaved, medians, one line per measurement.
#ifndef IMPINGE_BENCH_H
#define IMPINGE_BENCH_H

#include "areas.h"

#include <impinge/base.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define BENCH_MAX_SYSTEMS 16

typedef struct BenchOptions {
    const char *scene;   ///< only scenes whose name contains this, or null
    const char *only;    ///< only these systems, "impinge,fcl", or null
    const char *systems; ///< all that the area's row names
    bool quick, memory;
} BenchOptions;

/// Every area has one, named in its row of areas.h. Returns the exit status.
#define BENCH_DECLARE_AREA(name, summary, systems) int bench_##name(const BenchOptions *options);
BENCH_AREAS(BENCH_DECLARE_AREA)
#undef BENCH_DECLARE_AREA

bool bench_wants(const BenchOptions *options, const char *scene);

/// Is this one to be measured? `only` names it, or what stands before one of its hyphens: "fcl" wants
/// "fcl-aabb". Stops the program when the area's row does not name the system.
bool bench_wants_system(const BenchOptions *options, const char *system);

/// The first name in `only` that fits no system, or null.
const char *bench_find_unknown(const BenchOptions *options, size_t *length);

/// One contestant of a scene. `run` does the work once and returns how many pairs it found.
typedef struct BenchSystem {
    const char *name;
    int threads;
    uint64_t (*run)(void *state);
    void *state;
    const char *agrees; ///< set by the area after checking results: "yes" or "-10/+17"; null is "yes"
    /// Compares the result of the first run, right after it, and returns what `agrees` is to say. May be
    /// null.
    const char *(*check)(void *state);
    double unit_per_item; ///< instead of the scene's where a run of this system does less; 0 is the scene's
} BenchSystem;

typedef struct BenchScene {
    const char *name, *regime;
    const char *unit;     ///< "ns", "us", "ms"
    double unit_per_item; ///< a run's nanoseconds are divided by this before printing
    int repeats;          ///< rounds; every round runs each system once
} BenchScene;

/// Warm up, measure round robin, print one line per system. A system that has spent its seconds (2 with
/// --quick, 8 without) takes no part in further rounds; if already its first run takes longer, that run is
/// what is printed. Systems that are not wanted are left out, but ours are run once and checked even then.
void bench_measure(const BenchOptions *options, const BenchScene *scene, BenchSystem *systems, size_t count);

/// The middle of several times, and the quartiles around it.
typedef struct BenchSpread {
    double median, low, high;
} BenchSpread;

/// Sorts the times.
BenchSpread bench_spread(uint64_t *times, size_t count);

/// What is printed of one measurement.
typedef struct BenchLine {
    const char *scene, *regime, *system;
    int threads;
    BenchSpread value;
    const char *unit;
    uint64_t pairs;
    const char *agrees;
    int runs; ///< how many measurements the spread is of
} BenchLine;

void bench_print_header(void);
void bench_print(const BenchLine *line);

/// A figure that is no spread of times: memory, a share.
static inline BenchSpread bench_single(double value)
{
    return (BenchSpread){value, value, value};
}

/// Call work(argument) in a process of its own, whose peak of memory is then that of the work. Stops the
/// program when that process fails.
void bench_run_apart(void (*work)(void *argument), void *argument);

/// Most memory that this process ever held, in MiB.
double bench_peak_mib(void);

/// Stop the program: our own result differs from the oracle's.
void bench_check(bool holds, const char *what);

/// Stop the program: a call of ours failed.
void bench_fail(imp_Status status);

static inline void bench_require(imp_Status status)
{
    if (status != IMP_STATUS_OK)
        bench_fail(status);
}

#ifdef __cplusplus
}
#endif

#endif
