/// A program: lanes of random steps on threads of their own, from a seed, or one lane of steps from bytes.
#ifndef IMPINGE_TESTS_CHAOS_PROGRAM_H
#define IMPINGE_TESTS_CHAOS_PROGRAM_H

#include "tally.h"

/// Both add what happened to `tally` and return whether every check held. If not, the last calls of each lane
/// are printed. One program at a time; patterns_make comes first.
bool program_run_seed(uint64_t seed, Tally *tally);
bool program_run_bytes(const uint8_t *bytes, size_t size, Tally *tally);

/// The last calls of the program that is running: for whoever ends it from outside. Not exact, since lanes
/// may be writing meanwhile.
void program_print_traces(void);

#endif
