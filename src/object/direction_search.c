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
    const imp_Vec3 *v = &polytope->support->largest;
    double shift = larger3(fabs(t->translation.x), fabs(t->translation.y), fabs(t->translation.z));
    return largest * ((v->x + v->y) + v->z) + shift;
}

// A direction's coordinates in the body's frame are at most the sum of those in the world's times the largest
// factor.
static double single_error_of(const impi_Polytope *polytope, double largest)
{
    const imp_Vec3 *half = &polytope->support->half;
    return polytope->support->blocks ? IMPI_SINGLE_ERROR * largest * ((half->x + half->y) + half->z) : 0;
}

bool impi_search_begin(impi_DirectionSearch *search, const impi_Polytope *a, const impi_Polytope *b)
{
    double largest_a = largest_factor(a->transform), largest_b = largest_factor(b->transform);
    double size = size_of(a, largest_a) + size_of(b, largest_b);
    search->a = a;
    search->b = b;
    impi_SupportFn find = impi_support_search();
    search->find_support_a = a->support->blocks ? find : impi_support_find_precisely;
    search->find_support_b = b->support->blocks ? find : impi_support_find_precisely;
    search->unit_error = IMPI_GAP_ERROR * size;
    search->single_error = single_error_of(a, largest_a) + single_error_of(b, largest_b);
    search->direction = (imp_Vec3){0, 0, 0};
    search->step_count = 0;
    return size >= IMPI_MIN_SEARCH_SIZE && size <= IMPI_MAX_SEARCH_SIZE && largest_a <= IMPI_MAX_ROTATION &&
           largest_b <= IMPI_MAX_ROTATION;
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
}

void impi_search_aim_at_centres(impi_DirectionSearch *search)
{
    imp_Vec3 a = impi_pose_vertex(search->a->transform, &search->a->support->centre);
    imp_Vec3 b = impi_pose_vertex(search->b->transform, &search->b->support->centre);
    if (!impi_search_aim(search, b.x - a.x, b.y - a.y, b.z - a.z))
        search->direction = (imp_Vec3){1, 0, 0};
}
