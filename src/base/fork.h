/// How often the process was forked on its way here: who was made before the last time has no threads any
/// more, and may be half-written.
#ifndef IMPINGE_BASE_FORK_H
#define IMPINGE_BASE_FORK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/// Count forks from now on; any number of times, any thread. False when the system has no memory for that.
bool impi_fork_count_begin(void);

/// Use impi_fork_count.
extern atomic_uint_fast32_t impi_fork_counter;

/// Forks that happened while they are counted. Cheap, because every public call asks.
static inline uint32_t impi_fork_count(void)
{
    return (uint32_t)atomic_load_explicit(&impi_fork_counter, memory_order_relaxed);
}

#endif
