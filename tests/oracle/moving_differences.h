/// Queries from three moving differences D of which zero is in the hull when the features touch: the face
/// less the vertex, or a0 - b0, a0 - b1 and a1 - b0 of two edges, three corners of the parallelogram of all
/// differences. All in integers below 2^53, so that contacts are exact. T stands for a count of steps in time
/// that is zero at the time of contact.
#ifndef IMPINGE_TESTS_MOVING_DIFFERENCES_H
#define IMPINGE_TESTS_MOVING_DIFFERENCES_H

#include "sweep_cases.h"

typedef struct Moving {
    imp_Vec3 at[2]; ///< t = 0 and t = 1
} Moving;

/// Time runs in `steps` steps, and T is zero after `now` of them.
typedef struct Clock {
    double now, steps;
} Clock;

Clock dyadic_clock(int most_bits); ///< up to 2^most_bits steps, a power of two, `now` from 0 to all of them
Clock random_clock(int most_bits); ///< half of them have any number of steps
double lattice_range(void);        ///< from 2 to 2^36

imp_Vec3 multiple(double factor, imp_Vec3 v);
double largest_size(const double *values, int count); ///< of any of them, without its sign

/// At `place` when T is zero, `step` further with each step.
Moving moving_through(imp_Vec3 place, imp_Vec3 step, Clock clock);
Moving random_lattice_motion(double range);

/// What differences are added to: nothing, a place, or a motion.
Moving random_base(double range);

/// Three lattice points with zero in their hull: inside it for `corners` 3, on an edge for 2, a vertex for 1.
void contact_differences(double range, int corners, imp_Vec3 c[3]);

/// A few shears, which keep lattices, planes and all contacts.
void shear_lattice(double *coordinates, int count);

/// The query of these differences: over this base; in any order and over any base; sheared before that.
void place_points(SweepCase *query, const Moving d[3], Moving base);
void place_differences(SweepCase *query, Moving d[3]);
void place_sheared(SweepCase *query, Moving d[3]);

/// When what goes from -before to after is zero, rounded down to a multiple of 2^-53. Integers below 2^54.
double time_of_change(double before, double after);

/// There is contact at this time or, if it is not the first, at this time or before.
void sweep_set_time(SweepCase *query, double most_time, bool is_first);
/// There is contact when T is zero.
void sweep_set_clock(SweepCase *query, Clock clock);

#endif
