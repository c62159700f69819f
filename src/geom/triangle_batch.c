#include "geom/triangle_batch.h"

impi_BatchDecideFn impi_batch_decide(void)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq"))
        return impi_batch_decide_avx512;
    if (__builtin_cpu_supports("avx2"))
        return impi_batch_decide_avx2;
#endif
    return impi_batch_decide_portable;
}
