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
/// rounding of the bound itself, and of rotations, whose factors may exceed 1 by some u.
#define IMPI_GAP_ERROR (26 * 0x1p-53)

/// Sizes between which neither overflow nor underflow is near: the longest coordinate of S is kept at 1, and
/// the steering of simplex.c multiplies eight coordinates.
#define IMPI_MIN_SEARCH_SIZE 0x1p-100
#define IMPI_MAX_SEARCH_SIZE 0x1p100

typedef struct impi_DirectionSearch {
    const impi_Polytope *a, *b;
    impi_SupportFn find_support; // on the grid; null where one of the bodies is on none
    double unit_error;           // IMPI_GAP_ERROR times the size of both together
    double rough_error;          // what looking on the grid adds to that
    imp_Vec3 direction;          // the longest coordinate is 1 or nearly so
    impi_Difference found;       // of the support vertices along it
    double gap;   // how far the direction parts them, negative when it does not, times its length
    double error; // by how much that may be wrong
    uint32_t step_count;
} impi_DirectionSearch;

/// False when the sizes are such that doubles can't be relied on.
bool impi_search_begin(impi_DirectionSearch *search, const impi_Polytope *a, const impi_Polytope *b);

/// The difference of two vertices by their numbers.
void impi_search_difference(const impi_DirectionSearch *search, imp_VertexPair pair,
                            impi_Difference *difference);

/// Make a rough difference a rounded one, with the numbers of its vertices.
void impi_search_resolve(const impi_DirectionSearch *search, impi_Difference *difference);

/// From the centre of a to that of b, or somewhere when they coincide.
void impi_search_aim_at_centres(impi_DirectionSearch *search);

/// The numbers of a difference's vertices.
static inline imp_VertexPair impi_search_vertices(const impi_DirectionSearch *search,
                                                  const impi_Difference *difference)
{
    imp_VertexPair pair = difference->pair;
    if (difference->is_rough) {
        pair.vertex_a = search->a->support->vertices[pair.vertex_a];
        pair.vertex_b = search->b->support->vertices[pair.vertex_b];
    }
    return pair;
}

/// A difference that lies far out against the direction, found without looking. False when none is known.
bool impi_search_far_side(const impi_DirectionSearch *search, impi_Difference *difference);

/// Choose where to look next. False, and nothing is chosen, when the direction is too short or not a number.
static inline bool impi_search_aim(impi_DirectionSearch *search, double x, double y, double z)
{
    double longest = impi_larger(impi_larger(fabs(x), fabs(y)), fabs(z)), factor = 1 / longest;
    if (!(factor <= DBL_MAX && (x * 0 + y * 0) + z * 0 == 0))
        return false;
    search->direction.x = x * factor;
    search->direction.y = y * factor;
    search->direction.z = z * factor;
    return true;
}

/// What a direction is in the body's frame: the rotation's columns times it.
static inline imp_Vec3 impi_turn_back(const imp_Transform *t, double x, double y, double z)
{
    return (imp_Vec3){(t->rows[0][0] * x + t->rows[1][0] * y) + t->rows[2][0] * z,
                      (t->rows[0][1] * x + t->rows[1][1] * y) + t->rows[2][1] * z,
                      (t->rows[0][2] * x + t->rows[1][2] * y) + t->rows[2][2] * z};
}

/// The position in the set of the vertex that lies farthest along the direction.
static inline uint32_t impi_search_support(impi_SupportFn find, const impi_Polytope *polytope, double x,
                                           double y, double z)
{
    imp_Vec3 direction = impi_turn_back(polytope->transform, x, y, z);
    return find(polytope->support, direction.x, direction.y, direction.z);
}

/// Note a difference of posed vertices along the direction.
static inline void impi_search_note(impi_DirectionSearch *search, const imp_Vec3 *a, const imp_Vec3 *b,
                                    imp_VertexPair pair, bool is_rough)
{
    imp_Vec3 posed_a = impi_pose_vertex(search->a->transform, a);
    imp_Vec3 posed_b = impi_pose_vertex(search->b->transform, b);
    double dx = posed_b.x - posed_a.x, dy = posed_b.y - posed_a.y, dz = posed_b.z - posed_a.z;
    search->found.d.x = dx;
    search->found.d.y = dy;
    search->found.d.z = dz;
    search->found.pair = pair;
    search->found.is_rough = is_rough;
    search->gap = (search->direction.x * dx + search->direction.y * dy) + search->direction.z * dz;
}

/// Find the support vertices along the direction, and the gap between them: above the error it is certain
/// that there is one, below minus the error that there is none.
static inline void impi_search_look_precisely(impi_DirectionSearch *search)
{
    const impi_Polytope *a = search->a, *b = search->b;
    double x = search->direction.x, y = search->direction.y, z = search->direction.z;
    uint32_t position_a = impi_search_support(impi_support_find_precisely, a, x, y, z);
    uint32_t position_b = impi_search_support(impi_support_find_precisely, b, -x, -y, -z);
    imp_VertexPair pair = {a->support->vertices[position_a], b->support->vertices[position_b]};
    impi_search_note(search, &a->support->points[position_a], &b->support->points[position_b], pair, false);
    search->error = search->unit_error * ((fabs(x) + fabs(y)) + fabs(z));
    ++search->step_count;
}

/// The same faster, for the sign of the gap alone: on the grid, unless the gap is too small for it.
static inline void impi_search_look(impi_DirectionSearch *search)
{
    const impi_Polytope *a = search->a, *b = search->b;
    double x = search->direction.x, y = search->direction.y, z = search->direction.z;
    if (search->find_support) {
        uint32_t position_a = impi_search_support(search->find_support, a, x, y, z);
        uint32_t position_b = impi_search_support(search->find_support, b, -x, -y, -z);
        imp_Vec3 rough_a = impi_support_rough(a->support, position_a);
        imp_Vec3 rough_b = impi_support_rough(b->support, position_b);
        impi_search_note(search, &rough_a, &rough_b, (imp_VertexPair){position_a, position_b}, true);
        search->error = (search->unit_error + search->rough_error) * ((fabs(x) + fabs(y)) + fabs(z));
        if (fabs(search->gap) > search->error) {
            ++search->step_count;
            return;
        }
    }
    impi_search_look_precisely(search);
}

#endif
