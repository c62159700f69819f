// Grids: which ones octrees can have, and the one around a mesh.
//
// With a voxel of 2^e and an origin of k 2^e, corner i is (k + i) 2^e, and nothing of the formula of corners
// is rounded while k + i needs no more than 53 bits.
#include "geom/predicates.h"
#include "shape/mesh.h"
#include "shape/octree.h"

#include <float.h>

#define LARGEST_INDEX 0x1p53

static imp_Status check_axis(imp_Context *context, const imp_OctreeGrid *grid, int axis)
{
    uint32_t end = 1u << grid->level;
    double corner = impi_grid_corner(grid, axis, 0);
    for (uint32_t i = 1; i <= end; ++i) {
        double next = impi_grid_corner(grid, axis, i);
        if (!isfinite(next))
            return impi_fail(context, IMP_STATUS_BAD_NUMBER, IMP_NOWHERE,
                             "corner %u of the octree's grid along %c is beyond the largest double",
                             (unsigned)i, "xyz"[axis]);
        if (!(next > corner))
            return impi_fail(
                context, IMP_STATUS_BAD_NUMBER, IMP_NOWHERE,
                "corners %u and %u of the octree's grid along %c coincide: its voxels are too small "
                "for where they are",
                (unsigned)i - 1, (unsigned)i, "xyz"[axis]);
        corner = next;
    }
    return IMP_STATUS_OK;
}

imp_Status impi_grid_check(imp_Context *context, const imp_OctreeGrid *grid)
{
    if (grid->level < 1 || grid->level > IMP_MAX_OCTREE_LEVEL)
        return impi_fail(context, IMP_STATUS_BAD_ARGUMENT, IMP_NOWHERE,
                         "an octree of level %u: levels go from 1 to %d", (unsigned)grid->level,
                         IMP_MAX_OCTREE_LEVEL);
    if (!impi_vec3_is_finite(&grid->origin))
        return impi_fail(context, IMP_STATUS_BAD_NUMBER, IMP_NOWHERE,
                         "the origin of the octree's grid is not finite");
    if (!(grid->voxel > 0) || !isfinite(grid->voxel))
        return impi_fail(context, IMP_STATUS_BAD_NUMBER, IMP_NOWHERE,
                         "the voxels of the octree's grid have an edge of %g: expected one above 0",
                         grid->voxel);
    imp_Status status = IMP_STATUS_OK;
    for (int axis = 0; axis < 3 && status == IMP_STATUS_OK; ++axis)
        status = check_axis(context, grid, axis);
    return status;
}

bool impi_grid_equal(const imp_OctreeGrid *a, const imp_OctreeGrid *b)
{
    return a->origin.x == b->origin.x && a->origin.y == b->origin.y && a->origin.z == b->origin.z &&
           a->voxel == b->voxel && a->level == b->level;
}

// The last multiple of 2^exponent at or below x, in multiples. What is too small for a quotient is seen by
// the product, which is exact.
static double multiple_below(double x, int exponent)
{
    double multiple = floor(scalbn(x, -exponent));
    return scalbn(multiple, exponent) > x ? multiple - 1 : multiple;
}

static double multiple_above(double x, int exponent)
{
    return -multiple_below(-x, exponent);
}

// Where along an axis does the cube begin, in voxels of 2^exponent? False when they are too small.
static bool place_axis(double low, double high, int exponent, uint32_t level, double *begin)
{
    double count = scalbn(1, (int)level);
    double first = multiple_below(low, exponent), end = multiple_above(high, exponent);
    if (end - first > count || !(fabs(first) <= LARGEST_INDEX / 2) || !(fabs(end) <= LARGEST_INDEX / 2))
        return false;
    *begin = first - floor((count - (end - first)) / 2);
    return true;
}

imp_Status impi_grid_around(const imp_Mesh *mesh, uint32_t level, imp_OctreeGrid *grid)
{
    if (level < 1 || level > IMP_MAX_OCTREE_LEVEL)
        return IMP_STATUS_BAD_ARGUMENT;
    const imp_Box *box = &mesh->shape.bounds;
    const double low[3] = {box->min.x, box->min.y, box->min.z};
    const double high[3] = {box->max.x, box->max.y, box->max.z};
    double longest = 0; // half of the longest side: the whole may overflow
    for (int axis = 0; axis < 3; ++axis)
        longest = fmax(longest, 0.5 * high[axis] - 0.5 * low[axis]);
    // Begin with voxels that are too small by a factor of two or more.
    int exponent = DBL_MIN_EXP - DBL_MANT_DIG;
    if (longest > 0 && ilogb(longest) - (int)level > exponent)
        exponent = ilogb(longest) - (int)level;
    double begin[3];
    while (!place_axis(low[0], high[0], exponent, level, &begin[0]) ||
           !place_axis(low[1], high[1], exponent, level, &begin[1]) ||
           !place_axis(low[2], high[2], exponent, level, &begin[2]))
        ++exponent;
    double count = scalbn(1, (int)level);
    for (int axis = 0; axis < 3; ++axis)
        if (!isfinite(scalbn(begin[axis], exponent)) || !isfinite(scalbn(begin[axis] + count, exponent)))
            return IMP_STATUS_TOO_LARGE;
    *grid =
        (imp_OctreeGrid){{scalbn(begin[0], exponent), scalbn(begin[1], exponent), scalbn(begin[2], exponent)},
                         scalbn(1, exponent),
                         level};
    return IMP_STATUS_OK;
}
