/// Looking along directions for a gap between two polytopes, in double precision with proven bounds.
#ifndef IMPINGE_OBJECT_DIRECTION_SEARCH_H
#define IMPINGE_OBJECT_DIRECTION_SEARCH_H

#include "geom/pose.h"
#include "geom/scalar.h"
#include "geom/vector.h"
#include "object/separating_vector.h"
#include "shape/support_search.h"

#include <float.h>
#include <math.h>

/// How much farther a vertex of a may lie along S than the support vertex that was found, and the same of b,
/// plus the error of their computed distance, in units of |S|_1 * (size of a + size of b), where a size
/// bounds the terms of any posed coordinate's sum. With u = 2^-53: S in the body's frame and the product with
/// a vertex take six roundings, posing a vertex four, and each counts twice, for the vertex that wins and for
/// any other: 20 u. The difference and its product with S take four more. What is left over to 26 covers the
/// rounding of the bound itself.
#define IMPI_GAP_ERROR (26 * 0x1p-53)

/// Sizes between which neither overflow nor underflow is near: the longest coordinate of S is kept at 1, and
/// rotations hardly lengthen it.
#define IMPI_MIN_SEARCH_SIZE 0x1p-200
#define IMPI_MAX_SEARCH_SIZE 0x1p200
#define IMPI_MAX_ROTATION    0x1p10

typedef struct impi_DirectionSearch {
    const impi_Polytope *a, *b;
    impi_SupportFn find_support_a, find_support_b;
    double unit_error;     // IMPI_GAP_ERROR times the size of both together
    double single_error;   // what looking in single precision adds to that
    imp_Vec3 direction;    // the longest coordinate is 1 or nearly so
    impi_Difference found; // of the support vertices along it
    double gap;            // how far the direction parts them, negative when it does not, times its length
    double error;          // by how much that may be wrong
    uint32_t step_count;
} impi_DirectionSearch;

/// False when the sizes are such that doubles can't be relied on.
bool impi_search_begin(impi_DirectionSearch *search, const impi_Polytope *a, const impi_Polytope *b);

/// The difference of two vertices by their numbers.
void impi_search_difference(const impi_DirectionSearch *search, imp_VertexPair pair,
                            impi_Difference *difference);

/// From the centre of a to that of b, or somewhere when they coincide.
void impi_search_aim_at_centres(impi_DirectionSearch *search);

/// Choose where to look next. False, and nothing is chosen, when the direction is too short or not a number.
static inline bool impi_search_aim(impi_DirectionSearch *search, double x, double y, double z)
{
    double longest = impi_larger(impi_larger(fabs(x), fabs(y)), fabs(z)), factor = 1 / longest;
    if (!(longest <= DBL_MAX && factor <= DBL_MAX))
        return false;
    search->direction.x = x * factor;
    search->direction.y = y * factor;
    search->direction.z = z * factor;
    return true;
}

/// The place of the vertex that lies farthest along the direction, which is turned into the body's frame by
/// the rotation's columns.
static inline uint32_t impi_search_support(impi_SupportFn find, const impi_Polytope *polytope, double x,
                                           double y, double z)
{
    const imp_Transform *t = polytope->transform;
    return find(polytope->support, (t->rows[0][0] * x + t->rows[1][0] * y) + t->rows[2][0] * z,
                (t->rows[0][1] * x + t->rows[1][1] * y) + t->rows[2][1] * z,
                (t->rows[0][2] * x + t->rows[1][2] * y) + t->rows[2][2] * z);
}

static inline void impi_search_look_with(impi_DirectionSearch *search, impi_SupportFn find_a,
                                         impi_SupportFn find_b)
{
    const impi_Polytope *a = search->a, *b = search->b;
    double x = search->direction.x, y = search->direction.y, z = search->direction.z;
    uint32_t place_a = impi_search_support(find_a, a, x, y, z);
    uint32_t place_b = impi_search_support(find_b, b, -x, -y, -z);
    const impi_SupportPoint *point_a = &a->support->points[place_a], *point_b = &b->support->points[place_b];
    imp_Vec3 posed_a = impi_pose_vertex(a->transform, &point_a->position);
    imp_Vec3 posed_b = impi_pose_vertex(b->transform, &point_b->position);
    double dx = posed_b.x - posed_a.x, dy = posed_b.y - posed_a.y, dz = posed_b.z - posed_a.z;
    search->found.d.x = dx;
    search->found.d.y = dy;
    search->found.d.z = dz;
    search->found.pair.vertex_a = point_a->vertex;
    search->found.pair.vertex_b = point_b->vertex;
    search->gap = (x * dx + y * dy) + z * dz;
    ++search->step_count;
}

/// Find the support vertices along the direction, and the gap between them: above the error it is certain
/// that there is one, below minus the error that there is none.
static inline void impi_search_look_precisely(impi_DirectionSearch *search)
{
    const imp_Vec3 *s = &search->direction;
    search->error = search->unit_error * ((fabs(s->x) + fabs(s->y)) + fabs(s->z));
    impi_search_look_with(search, impi_support_find_precisely, impi_support_find_precisely);
}

/// The same faster, where the sign of the gap is all that is asked for: vertices found in single precision
/// may miss the farthest by a little, so that the gap is too large, which matters only when it is a small
/// one.
static inline void impi_search_look(impi_DirectionSearch *search)
{
    const imp_Vec3 *s = &search->direction;
    double length = (fabs(s->x) + fabs(s->y)) + fabs(s->z);
    search->error = search->unit_error * length;
    impi_search_look_with(search, search->find_support_a, search->find_support_b);
    if (search->gap > search->error + search->single_error * length || search->gap < -search->error)
        return;
    --search->step_count;
    impi_search_look_precisely(search);
}

#endif
