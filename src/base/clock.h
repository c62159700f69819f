/// Monotonic time.
#ifndef IMPINGE_BASE_CLOCK_H
#define IMPINGE_BASE_CLOCK_H

#include <stdint.h>

/// Nanoseconds since an arbitrary moment; never goes backwards.
uint64_t impi_clock_ns(void);

#endif
