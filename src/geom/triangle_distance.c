#include "geom/triangle_distance.h"

#include "base/cpu.h"

const impi_TriangleDistance *impi_triangle_distance(void)
{
#if IMPI_CPU_VARIANTS
    if (impi_cpu_has_avx512())
        return &impi_triangle_distance_avx512;
    if (impi_cpu_has_avx2())
        return &impi_triangle_distance_avx2;
#endif
    return &impi_triangle_distance_portable;
}
