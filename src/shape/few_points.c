#include "shape/few_points.h"

#include "shape/bounds.h"

#include <assert.h>

static_assert(IMPI_MAX_FEW_POINTS % IMPI_SUPPORT_LANES == 0, "the last block may be full");

static imp_Box fill_points(impi_FewPoints *few, const imp_Vec3 *points, size_t count, size_t filled_count)
{
    imp_Box box = {points[0], points[0]};
    for (size_t i = 0; i < filled_count; ++i) {
        size_t from = i < count ? i : count - 1;
        few->points[i] = points[from];
        few->vertices[i] = (uint32_t)from;
        impi_box_add(&box, &points[from]);
    }
    return box;
}

void impi_few_points_lay_out(impi_FewPoints *few, const imp_Vec3 *points, size_t count)
{
    assert(count > 0 && count <= IMPI_MAX_FEW_POINTS);
    size_t block_count = (count + IMPI_SUPPORT_LANES - 1) / IMPI_SUPPORT_LANES;
    imp_Box box = fill_points(few, points, count, block_count * IMPI_SUPPORT_LANES);
    few->set = (impi_SupportSet){.points = few->points,
                                 .vertices = few->vertices,
                                 .block_count = (uint32_t)block_count,
                                 .vertex_count = (uint32_t)count};
    if (impi_support_set_frame(&few->set, &box)) {
        few->set.blocks = few->blocks;
        impi_support_set_fill_blocks(&few->set);
    }
}
