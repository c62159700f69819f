/// Pieces of Hubbard's paper of 1996 that the library does otherwise, for comparison: coverage of faces by
/// the boundary lemma (section 7.1), protrusion at the vertices of a dodecahedron and the bound on the
/// distance of two bodies (section 7.2). In doubles, without proof.
#ifndef IMPINGE_EXPERIMENTS_HUBBARD_PAPER_H
#define IMPINGE_EXPERIMENTS_HUBBARD_PAPER_H

#include "shape/surface_field.h"

typedef struct HubbardBall {
    imp_Vec3 center;
    double radius;
} HubbardBall;

/// Do balls together hold what `clip` holds of a triangle, or all of it where `clip` is null? Otherwise
/// `*missing` is a point that none holds. Triangles without area count as covered: their neighbours' edges
/// are the same.
bool hubbard_is_covered(const imp_Triangle *triangle, const HubbardBall *clip, const HubbardBall *balls,
                        size_t count, imp_Vec3 *missing);

/// Enlarge balls, each time the one that needs least for a missing point, until they hold what `clip` holds
/// of the triangle. `step` is added each time, so that it ends soon.
void hubbard_cover(const imp_Triangle *triangle, const HubbardBall *clip, HubbardBall *balls, size_t count,
                   double step);

/// How far the vertices of a dodecahedron in the ball's sphere are from the body: 0 inside of a solid. Plus
/// HUBBARD_CORRECTION times the radius it is an upper bound for all points of the sphere. The ball is in the
/// mesh's units.
double hubbard_protrusion(const impi_SurfaceField *field, bool is_solid, const HubbardBall *ball);

/// The farthest that a point of the unit sphere is from the nearest vertex of its dodecahedron.
#define HUBBARD_CORRECTION 0.6408517

/// "The sum of Hausdorff distances minus overlap", of two balls that meet. It is no bound.
double hubbard_error_bound(const HubbardBall *a, double protrusion_a, const HubbardBall *b,
                           double protrusion_b);

#endif
