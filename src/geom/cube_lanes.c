#include "geom/cube_lanes.h"

#include "base/cpu.h"

#include <math.h>

// Steps of exact directions are far above what the others are off by. Gaps along them are taken half a step
// wider, or narrower where touching counts, so that they are never within that error either, and one limit
// serves all directions.
static double margin_of(const impi_CubeMotion *motion, int k, impi_CubeSense sense)
{
    if (motion->error[k] > 0)
        return motion->error[k];
    return sense == IMPI_CUBES_OPEN ? -scalbn(0.5, motion->frame.step) : scalbn(0.5, motion->frame.step);
}

void impi_cube_blocks_init(const impi_CubeMotion *motion, double center_offset, double half,
                           impi_CubeSense sense, impi_CubeBlocks *blocks)
{
    *blocks = (impi_CubeBlocks){.bias = sense == IMPI_CUBES_OPEN ? nextafter(0, -1) : 0,
                                .sure = -2 * motion->largest_error};
    for (int k = motion->count; k < IMPI_CUBE_DIRECTIONS; ++k)
        blocks->half[k] = INFINITY; // no gap
    for (int k = 0; k < motion->count; ++k) {
        const double *d = motion->target[k];
        for (int lane = 0; lane < IMPI_CUBE_LANES; ++lane) {
            double x = lane & 1 ? d[0] : -d[0], y = lane & 2 ? d[1] : -d[1], z = lane & 4 ? d[2] : -d[2];
            blocks->octants[k][lane] = ((x + y) + z) * center_offset;
        }
        double width = motion->target_size[k] * half;
        blocks->half[k] = width + margin_of(motion, k, sense);
        blocks->inside[k] = width + motion->error[k];
    }
}

impi_CubeLanes impi_cube_lanes(void)
{
#if IMPI_CPU_VARIANTS
    if (impi_cpu_has_avx512())
        return (impi_CubeLanes){impi_cube_meet_avx512, impi_cube_hold_avx512, impi_cube_fill_avx512};
    if (impi_cpu_has_avx2())
        return (impi_CubeLanes){impi_cube_meet_avx2, impi_cube_hold_avx2, impi_cube_fill_avx2};
#endif
    return (impi_CubeLanes){impi_cube_meet_portable, impi_cube_hold_portable, impi_cube_fill_portable};
}
