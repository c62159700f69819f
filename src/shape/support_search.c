#include "shape/support_search.h"

#include "base/cpu.h"

impi_SupportFn impi_support_search(void)
{
#if defined(__x86_64__)
    if (impi_cpu_has_avx512())
        return impi_support_find_avx512;
    if (impi_cpu_has_avx2())
        return impi_support_find_avx2;
#endif
    return impi_support_find_portable;
}
