#include "object/contact_shape.h"

#include "geom/vector.h"

#include <stdlib.h>

#define FLAT 0x1p-40

// ---- points

static int compare_points(const void *left, const void *right)
{
    const imp_Vec3 *a = left, *b = right;
    return impi_is_before(b, a) - impi_is_before(a, b);
}

static double distance_between(imp_Vec3 a, imp_Vec3 b)
{
    return impi_length(impi_subtract(a, b));
}

static size_t farthest_from(const imp_Vec3 *points, size_t count, size_t from)
{
    size_t best = from;
    double most = 0;
    for (size_t i = 0; i < count; ++i) {
        double length = distance_between(points[i], points[from]);
        if (length > most) {
            most = length;
            best = i;
        }
    }
    return best;
}

// Each is the farthest from the other. Their distance grows with each turn, so it ends.
static void find_far_pair(const imp_Vec3 *points, size_t count, size_t *one, size_t *other)
{
    *one = 0;
    *other = farthest_from(points, count, 0);
    for (;;) {
        size_t next = farthest_from(points, count, *other);
        if (!(distance_between(points[next], points[*other]) >
              distance_between(points[*one], points[*other])))
            break;
        *one = *other;
        *other = next;
    }
    if (*one > *other) {
        size_t swapped = *one;
        *one = *other;
        *other = swapped;
    }
}

// Units in which the longest vector has length 1: areas then are of any size.
static imp_Vec3 in_units(imp_Vec3 to, imp_Vec3 from, double unit)
{
    imp_Vec3 step = impi_subtract(to, from);
    return (imp_Vec3){step.x / unit, step.y / unit, step.z / unit};
}

static bool find_third(const imp_Vec3 *points, size_t count, const imp_Vec3 *base, double unit,
                       imp_Vec3 *third)
{
    imp_Vec3 along = in_units(base[1], base[0], unit);
    double most = FLAT;
    bool found = false;
    for (size_t i = 0; i < count; ++i) {
        double area = impi_length(impi_cross(along, in_units(points[i], base[0], unit)));
        if (area > most) {
            most = area;
            *third = points[i];
            found = true;
        }
    }
    return found;
}

// Outside of the triangle's edges, in its plane.
static bool find_fourth(const imp_Vec3 *points, size_t count, const imp_Vec3 *base, double unit,
                        imp_Vec3 *fourth)
{
    imp_Vec3 normal =
        impi_unit(impi_cross(in_units(base[1], base[0], unit), in_units(base[2], base[0], unit)));
    double most = FLAT;
    bool found = false;
    for (size_t i = 0; i < count; ++i)
        for (int k = 0; k < 3; ++k) {
            imp_Vec3 edge = in_units(base[(k + 1) % 3], base[k], unit);
            double area = -impi_dot(normal, impi_cross(edge, in_units(points[i], base[k], unit)));
            if (area > most) {
                most = area;
                *fourth = points[i];
                found = true;
            }
        }
    return found;
}

uint32_t impi_spanning_points(const imp_Vec3 *points, size_t count, imp_Vec3 *spanning)
{
    size_t one, other;
    find_far_pair(points, count, &one, &other);
    spanning[0] = points[one];
    if (one == other)
        return 1;
    spanning[1] = points[other];
    double unit = distance_between(spanning[0], spanning[1]);
    if (!find_third(points, count, spanning, unit, &spanning[2]))
        return 2;
    return find_fourth(points, count, spanning, unit, &spanning[3]) ? 4 : 3;
}

bool impi_contact_shapes_find(const impi_ContactGraph *graph, impi_ContactLists *lists)
{
    imp_Vec3 *points = impi_arena_allocate_array(graph->arena, graph->nodes.count, sizeof *points);
    if (!points)
        return false;
    for (uint32_t region = 0; region < graph->region_count; ++region) {
        const size_t *firsts = graph->region_nodes.firsts + region;
        imp_Contact *contact = &lists->contacts.data[region];
        size_t count = 0;
        for (size_t i = firsts[0]; i < firsts[1]; ++i)
            points[count++] = graph->nodes.data[graph->region_nodes.items[i]].position;
        qsort(points, count, sizeof *points, compare_points);
        contact->point_count = impi_spanning_points(points, count, contact->points);
        if (!impi_contact_normal_find(graph, lists, region, contact))
            return false;
    }
    return true;
}
