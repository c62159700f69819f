/// What a region of contact looks like: points that span it, and which way it faces.
#ifndef IMPINGE_OBJECT_CONTACT_SHAPE_H
#define IMPINGE_OBJECT_CONTACT_SHAPE_H

#include "object/pair_contacts.h"

/// Up to four of `count` points, sorted lexicographically, that span them; returns how many. The first two
/// are each the farthest from the other, the third adds the largest triangle to them, the fourth the largest
/// to that. What is flatter than 2^-40 of its length adds nothing. Of equals the first wins.
uint32_t impi_spanning_points(const imp_Vec3 *points, size_t count, imp_Vec3 *spanning);

/// Sums whose result hangs neither on the order of the terms nor, but for the sign, on theirs: the positive
/// and the negative ones are summed apart, the smallest first. Sorts the terms.
double impi_mirrored_sum(double *terms, size_t count);

/// Points and normals of all contacts, the curves of which stand. docs/contacts.md has the rules. False when
/// out of memory.
bool impi_contact_shapes_find(const impi_ContactGraph *graph, impi_ContactLists *lists);

/// The normal of one contact. False when out of memory.
bool impi_contact_normal_find(const impi_ContactGraph *graph, const impi_ContactLists *lists, uint32_t region,
                              imp_Contact *contact);

#endif
