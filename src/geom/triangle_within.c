// Doubles guess the closest points and the direction between them. Whatever they are, the points are not
// nearer than the triangles, and the triangles are not nearer than the gap between their extents along the
// direction. That answers unless the distance asked about lies between the two, which is a matter of
// rounding. The rest is decided in integers.
#include "geom/triangle_within.h"

#include "geom/exact_closest.h"
#include "geom/filter.h"
#include "geom/scalar.h"
#include "geom/touch.h"
#include "geom/vector.h"

static double least_along(imp_Vec3 direction, const imp_Vec3 *points)
{
    double least = impi_smaller(impi_dot(direction, points[0]), impi_dot(direction, points[1]));
    return impi_smaller(least, impi_dot(direction, points[2]));
}

static double gap_along(const impi_ClosestGuess *guess, imp_Vec3 direction)
{
    double size = impi_longest(direction);
    if (!(size >= IMPI_GAP_MIN_DIRECTION && size <= IMPI_GAP_MAX_DIRECTION))
        return 0;
    double gap =
        least_along(direction, guess->vertices + 3) + least_along(impi_scale(direction, -1), guess->vertices);
    return gap / sqrt(impi_dot(direction, direction));
}

static impi_Decision decide(const impi_ClosestGuess *guess, double distance)
{
    if (guess->scale != 1)
        return IMPI_DECISION_OPEN;
    double error = IMPI_DISTANCE_ERROR * guess->extent;
    if (sqrt(impi_dot(guess->from_a_to_b, guess->from_a_to_b)) + error <= distance)
        return IMPI_DECISION_WITHIN;
    return gap_along(guess, guess->direction) - error > distance ? IMPI_DECISION_BEYOND : IMPI_DECISION_OPEN;
}

impi_Decision impi_triangles_within_filter(const imp_Triangle *a, const imp_Triangle *b, double distance)
{
    impi_ClosestGuess guess;
    impi_guess_closest(a, b, &guess);
    return decide(&guess, distance);
}

bool impi_triangles_within(const imp_Triangle *a, const imp_Triangle *b, double distance)
{
    if (distance == 0)
        return impi_triangles_touch(a, b);
    impi_ClosestGuess guess;
    impi_guess_closest(a, b, &guess);
    impi_Decision decision = decide(&guess, distance);
    if (decision != IMPI_DECISION_OPEN)
        return decision == IMPI_DECISION_WITHIN;
    if (impi_triangles_touch(a, b))
        return true;
    impi_GridPair grid;
    impi_ExactLength length;
    bool is_alone;
    impi_grid_pair_load(a, b, &grid);
    impi_exact_shortest(&grid, &guess.parts, &is_alone, &length);
    return impi_exact_length_compare(&length, distance) >= 0;
}
