// All pairs of boxes that are spread over two ranks, ms, beside one process with two threads: what messages
// between processes cost. Ranks are processes of MPI, so a program of its own measures both
// (ranks_program.c), inside of mpirun; the start of mpirun is no part of the times.
#include "bench.h"
#include "ranks_program.h"

#include <stdio.h>

#define SCENE "uniform-1m"

int bench_ranks(const BenchOptions *options)
{
    const char *arguments[8] = {"pairs"};
    size_t count = 1;
    if (!bench_wants(options, SCENE))
        return 0;
    if (options->quick)
        arguments[count++] = "--quick";
    if (options->only) {
        arguments[count++] = "--only";
        arguments[count++] = options->only;
    }
    const char *missing = ranks_program_missing();
    if (missing) {
        fprintf(stderr, "impinge-bench: %s is left out: %s\n", SCENE, missing);
        return 0;
    }
    fflush(stdout);
    return ranks_program_run(arguments, -1) ? 0 : 1;
}
