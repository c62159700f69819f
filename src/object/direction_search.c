#include "object/direction_search.h"

static double larger3(double a, double b, double c)
{
    return impi_larger(impi_larger(a, b), c);
}

static double longest_coordinate(const double row[3])
{
    return larger3(fabs(row[0]), fabs(row[1]), fabs(row[2]));
}

static double largest_factor(const imp_Transform *t)
{
    return larger3(longest_coordinate(t->rows[0]), longest_coordinate(t->rows[1]),
                   longest_coordinate(t->rows[2]));
}

// A bound on every posed coordinate, and on every term in its sum.
static double size_of(const impi_Polytope *polytope, double largest)
{
    const imp_Transform *t = polytope->transform;
    double shift = larger3(fabs(t->translation.x), fabs(t->translation.y), fabs(t->translation.z));
    return largest * polytope->support->size + shift;
}

// Per unit of the sum of the direction's coordinates, which is at least 1. In the body's frame, coordinates
// are at most that sum times the largest factor.
static double rough_error_of(const impi_Polytope *polytope, double largest)
{
    return polytope->support->blocks ? impi_support_error(polytope->support, largest) : 0;
}

static bool is_between(double value, double least, double most)
{
    return value >= least && value <= most;
}

bool impi_search_begin(impi_DirectionSearch *search, const impi_Polytope *a, const impi_Polytope *b)
{
    double largest_a = largest_factor(a->transform), largest_b = largest_factor(b->transform);
    double size = size_of(a, largest_a) + size_of(b, largest_b);
    search->a = a;
    search->b = b;
    search->find_support = a->support->blocks && b->support->blocks ? impi_support_search() : NULL;
    search->unit_error = IMPI_GAP_ERROR * size;
    search->rough_error = rough_error_of(a, largest_a) + rough_error_of(b, largest_b);
    search->direction = (imp_Vec3){0, 0, 0};
    search->step_count = 0;
    return is_between(size, IMPI_MIN_SEARCH_SIZE, IMPI_MAX_SEARCH_SIZE) &&
           is_between(largest_a, IMPI_MIN_SEARCH_FACTOR, IMPI_MAX_SEARCH_FACTOR) &&
           is_between(largest_b, IMPI_MIN_SEARCH_FACTOR, IMPI_MAX_SEARCH_FACTOR);
}

void impi_search_difference(const impi_DirectionSearch *search, imp_VertexPair pair,
                            impi_Difference *difference)
{
    imp_Vec3 a = impi_pose_vertex(search->a->transform, &search->a->vertices[pair.vertex_a]);
    imp_Vec3 b = impi_pose_vertex(search->b->transform, &search->b->vertices[pair.vertex_b]);
    difference->d.x = b.x - a.x;
    difference->d.y = b.y - a.y;
    difference->d.z = b.z - a.z;
    difference->pair = pair;
    difference->is_rough = false;
}

void impi_search_resolve(const impi_DirectionSearch *search, impi_Difference *difference)
{
    if (!difference->is_rough)
        return;
    const impi_Polytope *a = search->a, *b = search->b;
    uint32_t place_a = difference->pair.vertex_a, place_b = difference->pair.vertex_b;
    imp_Vec3 posed_a = impi_pose_vertex(a->transform, &a->support->points[place_a]);
    imp_Vec3 posed_b = impi_pose_vertex(b->transform, &b->support->points[place_b]);
    difference->d = impi_subtract(posed_b, posed_a);
    difference->pair = impi_search_vertices(search, difference);
    difference->is_rough = false;
}

static uint32_t corner_towards(const impi_Polytope *polytope, double x, double y, double z)
{
    imp_Vec3 direction = impi_turn_back(polytope->transform, x, y, z);
    unsigned octant = (direction.x < 0) | (direction.y < 0) << 1 | (direction.z < 0) << 2;
    return polytope->support->corners[octant];
}

bool impi_search_far_side(const impi_DirectionSearch *search, impi_Difference *difference)
{
    const impi_Polytope *a = search->a, *b = search->b;
    if (!a->support->has_corners || !b->support->has_corners)
        return false;
    imp_Vec3 s = search->direction;
    difference->pair =
        (imp_VertexPair){corner_towards(a, -s.x, -s.y, -s.z), corner_towards(b, s.x, s.y, s.z)};
    difference->is_rough = true;
    impi_search_resolve(search, difference);
    return true;
}

void impi_search_aim_at_centres(impi_DirectionSearch *search)
{
    imp_Vec3 a = impi_pose_vertex(search->a->transform, &search->a->support->centre);
    imp_Vec3 b = impi_pose_vertex(search->b->transform, &search->b->support->centre);
    if (!impi_search_aim(search, b.x - a.x, b.y - a.y, b.z - a.z))
        search->direction = (imp_Vec3){1, 0, 0};
}
