/// Time that goes by, and time that a thread works.
#ifndef IMPINGE_BASE_CLOCK_H
#define IMPINGE_BASE_CLOCK_H

#include <stdint.h>

/// Nanoseconds since an arbitrary moment; never goes backwards.
uint64_t impi_clock_ns(void);

/// Nanoseconds that the calling thread has had the processor. Takes ten times as long to ask.
uint64_t impi_thread_clock_ns(void);

#endif
