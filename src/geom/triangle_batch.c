#include "geom/triangle_batch.h"

#include "base/cpu.h"

impi_BatchDecideFn impi_batch_decide(void)
{
#if IMPI_CPU_VARIANTS
    if (impi_cpu_has_avx512())
        return impi_batch_decide_avx512;
    if (impi_cpu_has_avx2())
        return impi_batch_decide_avx2;
#endif
    return impi_batch_decide_portable;
}
