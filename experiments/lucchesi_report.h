/// What the measurements of Lucchesi's Figure 5 are, and how they are told.
#ifndef IMPINGE_EXPERIMENTS_LUCCHESI_REPORT_H
#define IMPINGE_EXPERIMENTS_LUCCHESI_REPORT_H

#include "experiment.h"
#include "lucchesi_octree.h"

#define LUCCHESI_MAX_SIZES       8
#define LUCCHESI_MAX_THREADS     8
#define LUCCHESI_PROCESSOR_COUNT 6

/// Those of Tables 1 and 2: 1, 2, 10, 20, 30, 40.
extern const uint32_t lucchesi_processors[LUCCHESI_PROCESSOR_COUNT];

typedef struct LucchesiSizes {
    size_t counts[LUCCHESI_MAX_SIZES];
    size_t size_count;
    size_t table_sizes[2]; // indices of the sizes that Tables 1 and 2 are about
    size_t repetitions;
} LucchesiSizes;

/// Medians for one number of objects.
typedef struct LucchesiMeasured {
    size_t object_count;
    LucchesiTimes paper[LUCCHESI_PROCESSOR_COUNT];
    double heap_merge_ns; // the master's merge with the most processors, by a heap
    double most_efficiency_low, most_efficiency_high; // modelled, with the most processors: all repetitions
    double ours_ns[LUCCHESI_MAX_THREADS]; // on 1, 2, ... threads: processor time for 1, else wall clock
    uint64_t code_count, candidate_count;
    size_t pair_count;
} LucchesiMeasured;

typedef struct LucchesiResults {
    const LucchesiSizes *sizes;
    uint32_t thread_count; // up to how many ours was measured on
    LucchesiMeasured measured[LUCCHESI_MAX_SIZES];
} LucchesiResults;

/// The objects of the figure, rows of min x, y, z, max x, y, z; to be freed. Fails the run and returns null
/// when out of memory.
double *lucchesi_make_cubes(ExperimentRun *run, size_t count);

/// Seconds in Tables 1 and 2.
extern const double lucchesi_paper_seconds[2][LUCCHESI_PROCESSOR_COUNT];

/// Write tables, plot and page.
void lucchesi_report(ExperimentRun *run, const LucchesiResults *results);

#endif
