/// The slow, independent judge of lengths between convex polytopes: distances and overlaps in rational
/// arithmetic, nothing is rounded. Not for use on several threads.
#ifndef IMPINGE_TESTS_DISTANCE_ORACLE_H
#define IMPINGE_TESTS_DISTANCE_ORACLE_H

#include <impinge/math.h>

#include <stdbool.h>
#include <stddef.h>

/// Find the distance of the convex hulls of two sets of points, each of at least one. Coordinates are finite.
/// False when they touch.
bool oracle_distance_find(const imp_Vec3 *a, size_t count_a, const imp_Vec3 *b, size_t count_b);

/// The sign of `value` minus the distance that was found last; the value is not negative, and may be
/// infinite.
int oracle_distance_compare(double value);

/// Keep the distance that was found last, to compare one that is found later with it: the sign of the later
/// one minus the one kept. Touching is 0.
void oracle_distance_keep(void);
int oracle_distance_compare_kept(void);

/// From now on the kept distance is the one that was found last.
void oracle_distance_recall(void);

/// The last one in extended precision, a little off; for what decides nothing.
long double oracle_distance_value(void);

/// Does b - a differ from the shortest way between the hulls, that was found last, by at most this along each
/// axis?
bool oracle_distance_leads(const imp_Vec3 *a, const imp_Vec3 *b, const imp_Vec3 *most);

/// The sign of `depth` minus what b has to be moved by along the normal, as multiples of it, until no point
/// of b lies less far along it than one of a. The normal is finite; the depth may be infinite.
int oracle_depth_compare(const imp_Vec3 *a, size_t count_a, const imp_Vec3 *b, size_t count_b,
                         const imp_Vec3 *normal, double depth);

#endif
