#include "object/direction_search.h"

#define CACHE_LINE       ((size_t)64)
#define PREFETCHED_LINES 8

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

// A direction's coordinates in the body's frame are at most the sum of those in the world's times the largest
// factor.
static double rough_error_of(const impi_Polytope *polytope, double largest)
{
    const imp_Vec3 *half = &polytope->support->half;
    return polytope->support->blocks ? IMPI_ROUGH_ERROR * largest * ((half->x + half->y) + half->z) : 0;
}

// What a search looks at first. It comes from memory for both bodies at once, while sizes are computed.
static void prefetch(const impi_SupportSet *set)
{
    for (size_t line = 0; line < PREFETCHED_LINES * CACHE_LINE && line < set->storage_size;
         line += CACHE_LINE)
        __builtin_prefetch((const char *)set->storage + line);
}

static bool is_between(double value, double least, double most)
{
    return value >= least && value <= most;
}

bool impi_search_begin(impi_DirectionSearch *search, const impi_Polytope *a, const impi_Polytope *b)
{
    prefetch(a->support);
    prefetch(b->support);
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
    difference->pair = (imp_VertexPair){a->support->vertices[place_a], b->support->vertices[place_b]};
    difference->is_rough = false;
}

static uint32_t corner_towards(const impi_Polytope *polytope, double x, double y, double z)
{
    const imp_Transform *t = polytope->transform;
    unsigned octant = ((t->rows[0][0] * x + t->rows[1][0] * y) + t->rows[2][0] * z < 0) |
                      ((t->rows[0][1] * x + t->rows[1][1] * y) + t->rows[2][1] * z < 0) << 1 |
                      ((t->rows[0][2] * x + t->rows[1][2] * y) + t->rows[2][2] * z < 0) << 2;
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
