#include "object/direction_search.h"

#include <assert.h>

static double larger3(double a, double b, double c)
{
    return impi_larger(impi_larger(a, b), c);
}

// A bound on every posed coordinate, and on every term in its sum: no factor of a rotation exceeds 1 by more
// than IMPI_GAP_ERROR has room for.
static double size_of(const impi_Polytope *polytope)
{
    imp_Vec3 shift = polytope->transform->translation;
    return polytope->support->size + larger3(fabs(shift.x), fabs(shift.y), fabs(shift.z));
}

bool impi_search_begin(impi_DirectionSearch *search, const impi_Polytope *a, const impi_Polytope *b)
{
    double size = size_of(a) + size_of(b);
    search->a = a;
    search->b = b;
    search->find_support = b->support->find ? a->support->find : NULL;
    search->unit_error = IMPI_GAP_ERROR * size;
    search->rough_error = a->support->grid_error + b->support->grid_error;
    search->direction = (imp_Vec3){0, 0, 0};
    search->step_count = 0;
    return size >= IMPI_MIN_SEARCH_SIZE && size <= IMPI_MAX_SEARCH_SIZE;
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
    uint32_t position_a = difference->pair.vertex_a, position_b = difference->pair.vertex_b;
    assert(position_a / IMPI_SUPPORT_LANES < a->support->block_count);
    assert(position_b / IMPI_SUPPORT_LANES < b->support->block_count);
    imp_Vec3 posed_a = impi_pose_vertex(a->transform, &a->support->points[position_a]);
    imp_Vec3 posed_b = impi_pose_vertex(b->transform, &b->support->points[position_b]);
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
