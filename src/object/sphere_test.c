#include "object/sphere_test.h"

#include "base/cpu.h"

const impi_SphereTest *impi_sphere_test(void)
{
#if IMPI_CPU_VARIANTS
    if (impi_cpu_has_avx512())
        return &impi_sphere_test_avx512;
    if (impi_cpu_has_avx2())
        return &impi_sphere_test_avx2;
#endif
    return &impi_sphere_test_portable;
}
