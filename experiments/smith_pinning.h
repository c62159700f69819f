/// Threads that stay on a processor, as in Smith & Kitamura 4.5 (there by `sysmp`), where the system lets us.
#ifndef IMPINGE_EXPERIMENTS_SMITH_PINNING_H
#define IMPINGE_EXPERIMENTS_SMITH_PINNING_H

#include <stdbool.h>
#include <stdint.h>

#define SMITH_MAX_PROCESSORS 1024 // more than that and nothing is pinned

/// Where a thread was allowed to run.
typedef struct SmithPin {
    bool is_pinned;
    uint64_t allowed[SMITH_MAX_PROCESSORS / 64];
} SmithPin;

/// Keep the calling thread on one of the processors it may run on: the one of this number, counted around.
/// Where the system refuses or knows nothing of it, the thread runs as before, and is_pinned is false.
void smith_pin_begin(uint32_t number, SmithPin *pin);

/// Let it run where it was allowed to before.
void smith_pin_end(const SmithPin *pin);

#endif
