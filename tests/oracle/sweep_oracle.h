/// The slow, independent judge of when moving features first touch, in integers of any length.
///
/// A point moves straight: at time t it is at start + t (end - start), in real arithmetic on the doubles. All
/// questions become one, whether and when zero first lies in a triangle of moving differences; times are
/// roots of polynomials, isolated by Sturm sequences, and signs at them come from greatest common divisors
/// and from halving. No floating-point arithmetic takes place, so the answers hold for all finite doubles.
/// Not for use on several threads.
///
/// Each function returns whether there is contact at some t in [0, 1]. If so, `*time` is the first such t,
/// rounded down to a multiple of 2^-53; otherwise it is left alone.
#ifndef IMPINGE_TESTS_SWEEP_ORACLE_H
#define IMPINGE_TESTS_SWEEP_ORACLE_H

#include <impinge/math.h>

/// A vertex and a closed triangle: vertex, f0, f1, f2 at t = 0, then the same at t = 1. The triangle may be a
/// segment or a point, always or at times.
bool oracle_sweep_vertex_face(const imp_Vec3 points[8], double *time);

/// Two closed segments, which may be points: a0, a1, b0, b1 at t = 0, then the same at t = 1.
bool oracle_sweep_edge_edge(const imp_Vec3 points[8], double *time);

/// Two closed triangles at t = 0 and t = 1.
bool oracle_sweep_triangles(const imp_Triangle ends_a[2], const imp_Triangle ends_b[2], double *time);

#endif
