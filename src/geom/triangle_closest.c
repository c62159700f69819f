#include "geom/triangle_closest.h"

#include "geom/common_parts.h"
#include "geom/exact_closest.h"
#include "geom/exact_point.h"
#include "geom/touch.h"

#include <float.h>

#define DEFAULT_ACCURACY 1e-6

static imp_SurfacePoint surface_point(imp_Vec3 position, impi_Part part)
{
    return (imp_SurfacePoint){position, 0, part.feature, (uint32_t)part.corner};
}

static void tell_common_point(const impi_GridPair *grid, imp_Distance *result)
{
    impi_PartPair parts = impi_common_parts(grid->triangles[0], grid->triangles[1]);
    imp_Vec3 position = impi_exact_common_point(grid, &parts);
    result->touch = true;
    result->reached_accuracy = true;
    result->a = surface_point(position, parts.of[0]);
    result->b = surface_point(position, parts.of[1]);
}

static void tell_distance(const impi_GridPair *grid, imp_Distance *result)
{
    impi_ClosestGuess guess;
    impi_ExactLength length;
    impi_guess_closest(grid->triangles[0], grid->triangles[1], &guess);
    impi_PartPair parts = impi_exact_closest(grid, &guess.parts, &length);
    impi_exact_length_round(&length, &result->lower_bound, &result->distance);
    result->reached_accuracy = result->distance <= DBL_MAX &&
                               result->distance - result->lower_bound <= DEFAULT_ACCURACY * result->distance;
    result->a = surface_point(impi_exact_point(grid, &length, parts.of[0], 0), parts.of[0]);
    result->b = surface_point(impi_exact_point(grid, &length, parts.of[1], 1), parts.of[1]);
}

void impi_triangles_closest(const imp_Triangle *a, const imp_Triangle *b, imp_Distance *result)
{
    impi_GridPair grid;
    memset(result, 0, sizeof *result); // padding too: results are compared as bytes
    impi_grid_pair_load(a, b, &grid);
    if (impi_triangles_touch(a, b))
        tell_common_point(&grid, result);
    else
        tell_distance(&grid, result);
}
