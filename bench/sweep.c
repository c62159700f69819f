// Area sweep: when do things that move first touch?
#include "sweep_parts.h"

int bench_sweep(const BenchOptions *options)
{
    sweep_queries(options);
    sweep_crowd(options);
    sweep_rigid(options);
    return 0;
}
