// In doubles, with a bound on what rounding may do, several triangles at once (triangle_octants_kernel.h);
// octants that are neither clearly met nor clearly missed are asked for by themselves.
#include "geom/triangle_octants.h"

#include "base/cpu.h"
#include "geom/scalar.h"
#include "geom/touch.h"

void impi_octants_make(impi_Octants *octants)
{
    octants->extent = 0;
    for (int axis = 0; axis < 3; ++axis) {
        const double *planes = octants->planes[axis];
        double low = planes[0] - planes[1], high = planes[2] - planes[1];
        octants->center[axis][0] = 0.5 * low;
        octants->center[axis][1] = 0.5 * high;
        octants->extent = impi_larger(octants->extent, impi_larger(-low, high));
    }
}

static bool meets(const imp_Triangle *t, const impi_Octants *octants, unsigned octant)
{
    unsigned x = octant & 1, y = octant >> 1 & 1, z = octant >> 2 & 1;
    const double *planes[3] = {octants->planes[0], octants->planes[1], octants->planes[2]};
    imp_Box box = {{planes[0][x], planes[1][y], planes[2][z]},
                   {planes[0][x + 1], planes[1][y + 1], planes[2][z + 1]}};
    return octants->is_open ? impi_triangle_enters_box(t, &box) : impi_triangle_touches_box(t, &box);
}

static impi_OctantsDecide *find_filter(void)
{
#if IMPI_CPU_VARIANTS
    if (impi_cpu_has_avx2())
        return impi_octants_decide_avx2;
#endif
    return impi_octants_decide_portable;
}

static uint8_t decide_unknown(const imp_Triangle *triangle, const impi_Octants *octants, impi_OctantLane lane)
{
    uint8_t met = (uint8_t)~lane.missed;
    for (unsigned left = met & lane.unknown; left; left &= left - 1) {
        unsigned octant = (unsigned)__builtin_ctz(left);
        if (!meets(triangle, octants, octant))
            met &= (uint8_t) ~(1u << octant);
    }
    return met;
}

void impi_triangles_octants(const imp_Triangle *triangles, size_t count, const impi_Octants *octants,
                            uint8_t *masks)
{
    const imp_Triangle *list[IMPI_OCTANT_LANES];
    impi_OctantLane lanes[IMPI_OCTANT_LANES];
    for (size_t i = 0; i < IMPI_OCTANT_LANES; ++i)
        list[i] = &triangles[i < count ? i : 0];
    find_filter()(list, octants, lanes);
    for (size_t i = 0; i < count; ++i)
        masks[i] = decide_unknown(&triangles[i], octants, lanes[i]);
}
