/// The part of a few points' convex hull that is nearest to the origin, in double precision.
#ifndef IMPINGE_OBJECT_SIMPLEX_H
#define IMPINGE_OBJECT_SIMPLEX_H

#include "object/separating_vector.h"

#include <assert.h>

#define IMPI_MAX_SIMPLEX 4

/// Up to four differences, of which the hull is looked at.
typedef struct impi_Simplex {
    impi_Difference points[IMPI_MAX_SIMPLEX];
    unsigned count;
} impi_Simplex;

/// One by one, as the coordinates were written: wider loads would have to wait for the stores.
static inline void impi_difference_copy(const impi_Difference *from, impi_Difference *to)
{
    to->d.x = from->d.x;
    to->d.y = from->d.y;
    to->d.z = from->d.z;
    to->pair = from->pair;
    to->is_rough = from->is_rough;
}

/// There is room for one more.
static inline void impi_simplex_add(impi_Simplex *simplex, const impi_Difference *point)
{
    assert(simplex->count < IMPI_MAX_SIMPLEX);
    impi_difference_copy(point, &simplex->points[simplex->count++]);
}

/// True when the four points have the origin between them: certain for the exact differences, if `d` is those
/// rounded. Otherwise all but the points that span the nearest part are taken out, and
/// `direction` is that of its nearest point as seen from the origin, of any length.
bool impi_simplex_reduce(impi_Simplex *simplex, imp_Vec3 *direction);

/// Weights, adding up to 1, of the point of the hull that is nearest to the origin. For a simplex that was
/// just reduced.
void impi_simplex_weights(const impi_Simplex *simplex, double weights[IMPI_MAX_SIMPLEX]);

#endif
