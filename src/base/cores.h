/// How many threads of this process can run at the same time.
#ifndef IMPINGE_BASE_CORES_H
#define IMPINGE_BASE_CORES_H

#include <stdint.h>

/// Processors that the calling thread may run on (its affinity), or fewer where a container's quota of
/// processor time is for fewer, rounded up. At least 1.
uint32_t impi_core_count(void);

#endif
