/// Triangles of a surface cut into smaller ones.
#ifndef IMPINGE_OBJECT_CONTACT_SPLIT_H
#define IMPINGE_OBJECT_CONTACT_SPLIT_H

#include "geom/predicates.h"

#define IMPI_MAX_PARTS 3

/// How far the corner that is opposite of the longest edge is from it, rounded.
double impi_triangle_width(const imp_Triangle *triangle);

/// Into two halves, across the longest edge.
void impi_triangle_halve(const imp_Triangle *triangle, imp_Triangle parts[2]);

/// Into parts half as long, across the middle of the longest edge. Returns the number of parts, 3. A needle
/// that is halved instead may have a part that is as long as before.
int impi_triangle_cut_across(const imp_Triangle *triangle, imp_Triangle parts[IMPI_MAX_PARTS]);

/// Into what lies over a face, seen along the face's normal, and what does not: by a plane through that edge
/// of the face beyond which the triangle reaches farthest. Returns the number of parts, 3, or 0 where no edge
/// cuts off more than `least`.
int impi_triangle_cut(const imp_Triangle *triangle, const imp_Triangle *face, double least,
                      imp_Triangle parts[IMPI_MAX_PARTS]);

/// By a plane along the normal through a segment of the triangle's plane. The same.
int impi_triangle_cut_along(const imp_Triangle *triangle, const imp_Vec3 ends[2], imp_Vec3 normal,
                            double least, imp_Triangle parts[IMPI_MAX_PARTS]);

/// Seen along an axis, does a segment reach farther than `margin` into a triangle? True where it is not sure.
bool impi_may_be_cut(const imp_Triangle *triangle, const imp_Vec3 ends[2], impi_Axis dropped, double margin);

/// Seen along an axis, do two triangles of one plane overlap by more than `margin`? True where it is not
/// sure.
bool impi_may_overlap(const imp_Triangle *triangle, const imp_Triangle *other, impi_Axis dropped,
                      double margin);

/// The axis along which a face with this normal is seen widest.
impi_Axis impi_widest_view(imp_Vec3 normal);

#endif
