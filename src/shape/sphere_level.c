#include "shape/sphere_tree.h"

#include <float.h>

// A mean that was summed up of quotients, made no less than the exact one: each of the quotients and sums is
// rounded by 2^-53 of what it is at most, or below the least normal double by less than the least one. But
// never beyond the largest of what it is the mean of.
static double bound_of_mean(double mean, double largest, uint32_t count)
{
    return fmin(mean * (1 + 2 * DBL_EPSILON * (double)count) + DBL_TRUE_MIN * (double)count, largest);
}

// Spheres of one level, in the order of their numbers, so that sums are the same each time.
static imp_SphereLevel sum_up(const imp_SphereTree *tree, size_t level)
{
    size_t first = tree->level_first[level], end = tree->level_first[level + 1];
    imp_SphereLevel info = {.first = (uint32_t)first, .count = (uint32_t)(end - first)};
    for (size_t i = first; i < end; ++i) {
        const imp_Sphere *sphere = &tree->spheres[i];
        info.largest_protrusion = fmax(info.largest_protrusion, sphere->protrusion);
        info.largest_surface_protrusion = fmax(info.largest_surface_protrusion, sphere->surface_protrusion);
        info.mean_protrusion += sphere->protrusion / (double)info.count;
        info.mean_surface_protrusion += sphere->surface_protrusion / (double)info.count;
    }
    info.mean_protrusion = bound_of_mean(info.mean_protrusion, info.largest_protrusion, info.count);
    info.mean_surface_protrusion =
        bound_of_mean(info.mean_surface_protrusion, info.largest_surface_protrusion, info.count);
    return info;
}

imp_Status impi_sphere_tree_get_level(const imp_SphereTree *tree, size_t level, imp_SphereLevel *info)
{
    if (level >= tree->level_count)
        return IMP_STATUS_BAD_INDEX;
    *info = sum_up(tree, level);
    return IMP_STATUS_OK;
}
