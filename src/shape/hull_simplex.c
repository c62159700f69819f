// Each point is chosen for its distance from the flat of the earlier ones, in plain doubles, because a large
// simplex leaves few points outside. Whether it lies outside the flat at all is decided exactly, and when
// it does not, every point is tried.
#include "shape/hull_simplex.h"

#include "geom/predicates.h"
#include "geom/vector.h"

#include <assert.h>

// False when told to end.
static bool find_ends(impi_Watch *watch, const impi_HullPoints *points, uint32_t ends[2])
{
    imp_Vec3 low = impi_hull_point(points, 0), high = low;
    ends[0] = ends[1] = 0;
    for (size_t i = 1; i < points->count; ++i) {
        if (!impi_watch_item(watch, i))
            return false;
        imp_Vec3 p = impi_hull_point(points, i);
        if (impi_is_before(&p, &low)) {
            low = p;
            ends[0] = (uint32_t)i;
        }
        if (impi_is_before(&high, &p)) {
            high = p;
            ends[1] = (uint32_t)i;
        }
    }
    return true;
}

// The flat of the first points of the simplex, and how far others are from it.
typedef struct Flat {
    imp_Vec3 base, u, normal; // normal: of a plane only
    imp_Vec3 corners[3];
    int dimension;
} Flat;

static Flat make_flat(const impi_HullPoints *points, const uint32_t *simplex, int dimension)
{
    Flat flat = {.dimension = dimension};
    for (int i = 0; i <= dimension; ++i)
        flat.corners[i] = impi_hull_point(points, simplex[i]);
    flat.base = flat.corners[0];
    flat.u = impi_subtract(flat.corners[1], flat.base);
    if (dimension == 2)
        flat.normal = impi_cross(flat.u, impi_subtract(flat.corners[2], flat.base));
    return flat;
}

static double distance_from(const Flat *flat, const imp_Vec3 *point)
{
    imp_Vec3 w = impi_subtract(*point, flat->base);
    if (flat->dimension == 2)
        return fabs(impi_dot(flat->normal, w));
    imp_Vec3 area = impi_cross(flat->u, w);
    return impi_dot(area, area);
}

static bool lies_in(const Flat *flat, const imp_Vec3 *point)
{
    const imp_Vec3 *c = flat->corners;
    if (flat->dimension == 2)
        return impi_orient3d(&c[0], &c[1], &c[2], point) == 0;
    return impi_orient2d(&c[0], &c[1], point, IMPI_AXIS_X) == 0 &&
           impi_orient2d(&c[0], &c[1], point, IMPI_AXIS_Y) == 0 &&
           impi_orient2d(&c[0], &c[1], point, IMPI_AXIS_Z) == 0;
}

// A point outside the flat: `points->count` when there is none, IMPI_NO_POINT when told to end.
static size_t find_outside(impi_Watch *watch, const impi_HullPoints *points, const Flat *flat)
{
    size_t farthest = 0;
    double largest = 0;
    for (size_t i = 0; i < points->count; ++i) {
        if (!impi_watch_item(watch, i))
            return IMPI_NO_POINT;
        imp_Vec3 p = impi_hull_point(points, i);
        double distance = distance_from(flat, &p);
        if (distance > largest) {
            largest = distance;
            farthest = i;
        }
    }
    imp_Vec3 best = impi_hull_point(points, farthest);
    if (!lies_in(flat, &best))
        return farthest;
    for (size_t i = 0; i < points->count; ++i) {
        if (!impi_watch_item(watch, i))
            return IMPI_NO_POINT;
        imp_Vec3 p = impi_hull_point(points, i);
        if (!lies_in(flat, &p))
            return i;
    }
    return points->count;
}

int impi_hull_simplex(impi_Watch *watch, const impi_HullPoints *points, uint32_t simplex[4])
{
    assert(points->count > 0 && points->count < IMPI_NO_POINT);
    impi_watch_work(watch, "finding a simplex", 3 * points->count);
    if (!find_ends(watch, points, simplex))
        return IMPI_HULL_ENDED;
    imp_Vec3 low = impi_hull_point(points, simplex[0]), high = impi_hull_point(points, simplex[1]);
    if (!impi_is_before(&low, &high))
        return 0;
    for (int dimension = 1; dimension < 3; ++dimension) {
        Flat flat = make_flat(points, simplex, dimension);
        size_t outside = find_outside(watch, points, &flat);
        if (outside == IMPI_NO_POINT)
            return IMPI_HULL_ENDED;
        if (outside == points->count)
            return dimension;
        simplex[dimension + 1] = (uint32_t)outside;
    }
    imp_Vec3 p[4];
    for (int i = 0; i < 4; ++i)
        p[i] = impi_hull_point(points, simplex[i]);
    if (impi_orient3d(&p[0], &p[1], &p[2], &p[3]) > 0) {
        uint32_t second = simplex[1];
        simplex[1] = simplex[2];
        simplex[2] = second;
    }
    return 3;
}

// A direction and its opposite, and the points that are farthest in both.
typedef struct Slab {
    imp_Vec3 direction;
    double low, high;
    uint32_t low_point, high_point;
} Slab;

#define SLAB_COUNT (IMPI_HULL_MAX_SEEDS / 2)

// Of the 27 steps to -1, 0 and 1 along each axis, the last 13 are all but the middle one and the opposites.
// They are measured in extents of the box, so that a plate is treated as a ball is.
static void make_slabs(const imp_Box *box, Slab slabs[SLAB_COUNT])
{
    imp_Vec3 extent = impi_subtract(box->max, box->min);
    for (int i = 0; i < SLAB_COUNT; ++i) {
        int step = i + SLAB_COUNT + 1;
        int x = step % 3 - 1, y = step / 3 % 3 - 1, z = step / 9 - 1;
        slabs[i] = (Slab){
            .direction = {x / extent.x, y / extent.y, z / extent.z}, .low = INFINITY, .high = -INFINITY};
    }
}

static size_t sort_distinct(uint32_t *numbers, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; ++i) {
        uint32_t number = numbers[i];
        size_t at = kept;
        while (at > 0 && numbers[at - 1] > number)
            --at;
        if (at > 0 && numbers[at - 1] == number)
            continue;
        memmove(numbers + at + 1, numbers + at, (kept - at) * sizeof *numbers);
        numbers[at] = number;
        ++kept;
    }
    return kept;
}

size_t impi_hull_seeds(impi_Watch *watch, const impi_HullPoints *points, const imp_Box *box,
                       uint32_t seeds[IMPI_HULL_MAX_SEEDS])
{
    Slab slabs[SLAB_COUNT];
    make_slabs(box, slabs);
    impi_watch_work(watch, "finding points far out", points->count);
    for (size_t i = 0; i < points->count && impi_watch_item(watch, i); ++i) {
        imp_Vec3 p = impi_subtract(impi_hull_point(points, i), box->min);
        for (int s = 0; s < SLAB_COUNT; ++s) {
            double along = impi_dot(slabs[s].direction, p);
            if (along < slabs[s].low) {
                slabs[s].low = along;
                slabs[s].low_point = (uint32_t)i;
            }
            if (along > slabs[s].high) {
                slabs[s].high = along;
                slabs[s].high_point = (uint32_t)i;
            }
        }
    }
    for (int s = 0; s < SLAB_COUNT; ++s) {
        seeds[2 * s] = slabs[s].low_point;
        seeds[2 * s + 1] = slabs[s].high_point;
    }
    return sort_distinct(seeds, IMPI_HULL_MAX_SEEDS);
}
