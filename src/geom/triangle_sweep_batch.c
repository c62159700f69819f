#include "geom/triangle_sweep_batch.h"

#include "base/cpu.h"

impi_TrianglesApartFn impi_triangles_apart(void)
{
#if IMPI_CPU_VARIANTS
    if (impi_cpu_has_avx512())
        return impi_triangles_apart_avx512;
    if (impi_cpu_has_avx2())
        return impi_triangles_apart_avx2;
#endif
    return impi_triangles_apart_portable;
}
