/// Which instruction sets this processor runs, as the build compiles for them (src/CMakeLists.txt).
#ifndef IMPINGE_BASE_CPU_H
#define IMPINGE_BASE_CPU_H

#include <stdbool.h>

/// Are files named *_avx2.c and *_avx512.c part of this build?
#if defined(__x86_64__) && !defined(IMPINGE_PORTABLE)
#define IMPI_CPU_VARIANTS 1
#else
#define IMPI_CPU_VARIANTS 0
#endif

static inline bool impi_cpu_has_avx2(void)
{
#if IMPI_CPU_VARIANTS
    return __builtin_cpu_supports("avx2");
#else
    return false;
#endif
}

/// All that files named *_avx512.c are compiled for; a hypervisor may hide some of them.
static inline bool impi_cpu_has_avx512(void)
{
#if IMPI_CPU_VARIANTS
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw");
#else
    return false;
#endif
}

#endif
