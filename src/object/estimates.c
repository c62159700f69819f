#include "object/estimates.h"

#include "geom/pose.h"
#include "geom/predicates.h"
#include "shape/sphere_tree.h"

#include <float.h>

void impi_estimates_free(const imp_Allocator *allocator, impi_Estimates *estimates)
{
    impi_array_free(allocator, &estimates->estimates, sizeof *estimates->estimates.data);
    impi_array_free(allocator, &estimates->sphere_pairs, sizeof *estimates->sphere_pairs.data);
}

// Each body has a point in its own box: they are no farther apart than the ends of the box around both.
double impi_farthest_apart(const imp_Box *a, const imp_Box *b)
{
    imp_Vec3 extent = {fmax(a->max.x, b->max.x) - fmin(a->min.x, b->min.x),
                       fmax(a->max.y, b->max.y) - fmin(a->min.y, b->min.y),
                       fmax(a->max.z, b->max.z) - fmin(a->min.z, b->min.z)};
    return impi_length(extent) * (1 + 0x1p-48) + 4 * DBL_TRUE_MIN;
}

// Halves of large numbers are added, so that the sum is finite.
static imp_Vec3 between(imp_Vec3 from, imp_Vec3 to, double part)
{
    return (imp_Vec3){from.x * (1 - part) + to.x * part, from.y * (1 - part) + to.y * part,
                      from.z * (1 - part) + to.z * part};
}

// In the middle of what two balls have in common, on the line through their centers.
static void find_contact(const impi_Body *a, const impi_Body *b, imp_SpherePair spheres,
                         imp_Estimate *estimate)
{
    const imp_Sphere *sphere_a = &a->spheres->spheres[spheres.sphere_a];
    const imp_Sphere *sphere_b = &b->spheres->spheres[spheres.sphere_b];
    imp_Vec3 center_a = impi_transform_apply(&a->transform, sphere_a->center);
    imp_Vec3 center_b = impi_transform_apply(&b->transform, sphere_b->center);
    imp_Vec3 along = impi_subtract(center_b, center_a);
    if (!impi_vec3_is_finite(&along)) // vertices are finite, centers need not be
        return;
    double distance = impi_length(along);
    double part = distance > 0 ? 0.5 + (sphere_a->radius - sphere_b->radius) / (2 * distance) : 0.5;
    part = part < 0 ? 0 : part > 1 ? 1 : part;
    estimate->normal = impi_unit(along);
    estimate->point = between(center_a, center_b, part);
}

bool impi_estimates_add(const imp_Allocator *allocator, impi_Estimates *estimates,
                        const impi_SphereDescent *descent, uint32_t *number)
{
    size_t first = estimates->sphere_pairs.count, count = descent->is_begun ? descent->count : 0;
    if (!impi_array_reserve(allocator, &estimates->estimates, sizeof *estimates->estimates.data,
                            estimates->estimates.count + 1) ||
        !impi_array_reserve(allocator, &estimates->sphere_pairs, sizeof *estimates->sphere_pairs.data,
                            first + count))
        return false;
    imp_Estimate estimate = {.error = descent->error, .first_sphere_pair = first, .sphere_pair_count = count};
    for (size_t i = 0; i < count; ++i) // the most promising first
        estimates->sphere_pairs.data[first + i] =
            (imp_SpherePair){descent->stack[count - 1 - i].a, descent->stack[count - 1 - i].b};
    if (count > 0)
        find_contact(descent->a, descent->b, estimates->sphere_pairs.data[first], &estimate);
    estimates->sphere_pairs.count = first + count;
    *number = (uint32_t)estimates->estimates.count;
    estimates->estimates.data[estimates->estimates.count++] = estimate;
    return true;
}
