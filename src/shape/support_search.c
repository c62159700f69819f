#include "shape/support_search.h"

#include "base/cpu.h"

#include <math.h>

impi_SupportFn impi_support_search(void)
{
#if IMPI_CPU_VARIANTS
    if (impi_cpu_has_avx512())
        return impi_support_find_avx512;
    if (impi_cpu_has_avx2())
        return impi_support_find_avx2;
#endif
    return impi_support_find_portable;
}

uint32_t impi_support_find_precisely(const impi_SupportSet *set, double x, double y, double z)
{
    uint32_t best = 0;
    double farthest = -INFINITY;
    for (uint32_t position = 0; position < set->vertex_count; ++position) {
        const imp_Vec3 *v = &set->points[position];
        double distance = (v->x * x + v->y * y) + v->z * z;
        if (distance > farthest) {
            farthest = distance;
            best = position;
        }
    }
    return best;
}
