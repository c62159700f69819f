#include "shape/sphere_tree.h"

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
    // Rounding may take a mean beyond the largest where all are alike.
    info.mean_protrusion = fmin(info.mean_protrusion, info.largest_protrusion);
    info.mean_surface_protrusion = fmin(info.mean_surface_protrusion, info.largest_surface_protrusion);
    return info;
}

imp_Status impi_sphere_tree_get_level(const imp_SphereTree *tree, size_t level, imp_SphereLevel *info)
{
    if (level >= tree->level_count)
        return IMP_STATUS_BAD_INDEX;
    *info = sum_up(tree, level);
    return IMP_STATUS_OK;
}
