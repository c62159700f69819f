/// Queries to try `impinge sweep --queries` on.
#ifndef IMPINGE_APPS_SWEEP_SAMPLE_H
#define IMPINGE_APPS_SWEEP_SAMPLE_H

#include "command.h"

/// Write a NumPy file of `count` queries, whose points go from one random place in the unit cube to another;
/// the same every time. Says what is wrong.
CommandResult sweep_sample_save(const char *path, uint32_t count);

#endif
