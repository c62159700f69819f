// Affinity is asked for as Linux tells it; elsewhere, all processors that are online count.
#if defined(__linux__)
#define _GNU_SOURCE // sched_getaffinity
#endif
#include "base/cores.h"

#include "base/cpu_quota.h"

#include <errno.h>
#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <unistd.h>

#if defined(__linux__)

#define FIRST_CPUS 1024 // a set must have room for all that the system could have
#define MOST_CPUS  (1 << 20)

// Processors in the affinity of the calling thread; 0 when it can't be told.
static uint32_t affinity_count(void)
{
    for (int cpu_count = FIRST_CPUS; cpu_count <= MOST_CPUS; cpu_count *= 2) {
        cpu_set_t *set = CPU_ALLOC(cpu_count);
        size_t size = CPU_ALLOC_SIZE(cpu_count);
        if (!set)
            return 0;
        bool is_known = sched_getaffinity(0, size, set) == 0;
        bool is_short = !is_known && errno == EINVAL;
        int count = is_known ? CPU_COUNT_S(size, set) : 0;
        CPU_FREE(set);
        if (!is_short)
            return (uint32_t)count;
    }
    return 0;
}

#else

static uint32_t affinity_count(void)
{
    return 0;
}

#endif

static uint32_t online_count(void)
{
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count < 1 ? 1 : count > INT32_MAX ? INT32_MAX : (uint32_t)count;
}

uint32_t impi_core_count(void)
{
    uint32_t count = affinity_count(), quota = impi_cpu_quota("");
    if (count == 0)
        count = online_count();
    return quota < count ? quota : count;
}
