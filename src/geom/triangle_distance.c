#include "geom/triangle_distance.h"

#include "base/cpu.h"

impi_BatchMeasureFn impi_batch_measure(void)
{
#if IMPI_CPU_VARIANTS
    if (impi_cpu_has_avx512())
        return impi_batch_measure_avx512;
    if (impi_cpu_has_avx2())
        return impi_batch_measure_avx2;
#endif
    return impi_batch_measure_portable;
}
