/// The program that measures inside of mpirun, on two ranks:
///
///   impinge-bench-ranks pairs [--quick] [--only SYSTEMS]   lines of the area `ranks`
///   impinge-bench-ranks messages                           two numbers: nanoseconds that a message takes,
///                                                          and that each byte of a long one adds
#ifndef IMPINGE_BENCH_RANKS_PROGRAM_H
#define IMPINGE_BENCH_RANKS_PROGRAM_H

#include <stdbool.h>

/// What has to be installed before it can be run, or null.
const char *ranks_program_missing(void);

/// Run it on two ranks with these arguments, after which comes null. What it prints goes to the file
/// `output`, or where this process prints (-1). False when it fails.
bool ranks_program_run(const char *const *arguments, int output);

#endif
