/// Which instruction sets this processor runs, as the build compiles for them (src/CMakeLists.txt).
#ifndef IMPINGE_BASE_CPU_H
#define IMPINGE_BASE_CPU_H

#include <stdbool.h>

static inline bool impi_cpu_has_avx2(void)
{
#if defined(__x86_64__)
    return __builtin_cpu_supports("avx2");
#else
    return false;
#endif
}

/// All that files named *_avx512.c are compiled for; a hypervisor may hide some of them.
static inline bool impi_cpu_has_avx512(void)
{
#if defined(__x86_64__)
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw");
#else
    return false;
#endif
}

#endif
