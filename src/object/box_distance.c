#include "object/box_distance.h"

#include "base/cpu.h"

const impi_BoxDistance *impi_box_distance(void)
{
#if IMPI_CPU_VARIANTS
    if (impi_cpu_has_avx512())
        return &impi_box_distance_avx512;
    if (impi_cpu_has_avx2())
        return &impi_box_distance_avx2;
#endif
    return &impi_box_distance_portable;
}
