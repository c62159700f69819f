// Builders of queries: contacts at a time, and what misses them by the least possible amount.
#include "sweep_builders.h"

#include "harness.h"
#include "moving_differences.h"

#include <float.h>
#include <math.h>

// -------------------------------------------------------------------------------------------------- doubles

void sweep_make_generic(SweepCase *query)
{
    for (int i = 0; i < 8; ++i)
        query->points[i] = random_vector(1);
}

// Where the features would meet at time t, if they did: a point of each.
static imp_Vec3 gap_at(const SweepCase *query, const double w[3], double t)
{
    imp_Vec3 p[4];
    for (int i = 0; i < 4; ++i)
        p[i] = along(multiple(1 - t, query->points[i]), t, query->points[i + 4]);
    imp_Vec3 gap = p[0];
    if (query->features == SWEEP_VERTEX_FACE) {
        for (int i = 0; i < 3; ++i)
            gap = along(gap, -w[i] / WEIGHT_SUM, p[i + 1]);
        return gap;
    }
    gap = along(gap, w[0] / WEIGHT_SUM, along(p[1], -1, p[0]));
    gap = along(gap, -1, p[2]);
    return along(gap, -w[1] / WEIGHT_SUM, along(p[3], -1, p[2]));
}

static void make_near(SweepCase *query, const double w[3], double time, double noise)
{
    sweep_make_generic(query);
    imp_Vec3 shift = sum(gap_at(query, w, time), random_vector(noise));
    for (int i = query->features == SWEEP_VERTEX_FACE ? 1 : 2; i < 4; ++i)
        for (int end = 0; end < 2; ++end)
            query->points[i + 4 * end] = sum(query->points[i + 4 * end], shift);
}

void sweep_make_generic_near(SweepCase *query)
{
    double w[3], time = test_random_unit();
    random_weights(4, w);
    make_near(query, w, time, 0.2);
}

void sweep_make_rounded_contact(SweepCase *query)
{
    double w[3], time = test_random_unit();
    random_weights(1, w);
    if (test_random_below(2)) { // on an edge of the face; the end of an edge
        w[1] += w[0];
        w[0] = 0;
    }
    if (test_random_below(2))
        time = test_random_below(2);
    make_near(query, w, time, 0);
}

void sweep_make_meeting_vertices(SweepCase *query)
{
    int end = (int)test_random_below(2);
    sweep_make_generic(query);
    query->points[4 * end] = query->points[4 * end + (query->features == SWEEP_VERTEX_FACE ? 1 : 2)];
    sweep_set_time(query, end, end == 0);
}

void sweep_make_shared_vertex(SweepCase *query)
{
    sweep_make_generic(query);
    for (int end = 0; end < 2; ++end)
        query->points[4 * end] = query->points[4 * end + (query->features == SWEEP_VERTEX_FACE ? 1 : 2)];
    sweep_set_time(query, 0, true);
}

// All on an axis, as far as a small distance lets them, at both ends.
void sweep_make_needle(SweepCase *query)
{
    double width = ldexp(1, -(int)test_random_below(53));
    for (int end = 0; end < 2; ++end) {
        imp_Vec3 origin = random_vector(1), axis = random_vector(1);
        for (int i = 0; i < 4; ++i) {
            imp_Vec3 aside = random_vector(width);
            query->points[4 * end + i] = along(sum(origin, aside), random_signed_unit(), axis);
        }
    }
}

// ---------------------------------------------------------------------------------------- contact at a time

static void make_contact(SweepCase *query, Clock clock)
{
    double range = lattice_range();
    imp_Vec3 c[3];
    Moving d[3];
    contact_differences(range, 1 + (int)test_random_below(3), c);
    for (int i = 0; i < 3; ++i)
        d[i] = moving_through(c[i], random_lattice_point(range), clock);
    place_differences(query, d);
    sweep_set_clock(query, clock);
}

void sweep_make_contact_at_start(SweepCase *query)
{
    make_contact(query, (Clock){0, 1});
}

void sweep_make_contact_at_end(SweepCase *query)
{
    make_contact(query, (Clock){1, 1});
}

void sweep_make_contact_at_dyadic(SweepCase *query)
{
    make_contact(query, dyadic_clock(8));
}

void sweep_make_contact_at_rational(SweepCase *query)
{
    make_contact(query, random_clock(8));
}

static bool is_coplanar(const imp_Vec3 c[3], imp_Vec3 step)
{
    imp_Vec3 p = along(c[1], -1, c[0]), q = along(c[2], -1, c[0]);
    return step.x * (p.y * q.z - p.z * q.y) + step.y * (p.z * q.x - p.x * q.z) +
               step.z * (p.x * q.y - p.y * q.x) ==
           0;
}

// Differences that move alike, through their plane: they are in it once only, and that is too early or late.
void sweep_make_contact_outside(SweepCase *query)
{
    Clock clock = random_clock(8);
    imp_Vec3 c[3], step;
    Moving d[3];
    do {
        contact_differences(9, 1 + (int)test_random_below(3), c);
        step = random_lattice_point(9);
    } while (is_coplanar(c, step));
    clock.now = test_random_below(2) ? -1 : clock.steps + 1;
    for (int i = 0; i < 3; ++i)
        d[i] = moving_through(c[i], step, clock);
    place_differences(query, d);
}

// A height that goes from -p to q, over a figure that holds zero. The time is p / (p + q).
static void place_height(SweepCase *query, double p, double q)
{
    imp_Vec3 c[3];
    Moving d[3];
    int axis = (int)test_random_below(3);
    double sign = test_random_below(2) ? 1 : -1;
    contact_differences(9, 1 + (int)test_random_below(3), c);
    for (int i = 0; i < 3; ++i) {
        d[i] = (Moving){{c[i], c[i]}};
        (&d[i].at[0].x)[axis] = -sign * p;
        (&d[i].at[1].x)[axis] = sign * q;
    }
    place_points(query, d, (Moving){0});
}

void sweep_make_last_bit(SweepCase *query)
{
    double p, q, one = 0x1p53;
    uint32_t left_out = 11 + test_random_below(52);
    switch (test_random_below(6)) {
    case 0: // before the first multiple of 2^-53, or after the last one
        p = test_random_below(2) ? one : 0x1p-10;
        q = p == one ? 0x1p-10 : one;
        sweep_set_time(query, p == one ? 1 - 0x1p-53 : 0, true);
        break;
    case 1: // near an end
        p = 1 + test_random_below(4);
        p = test_random_below(2) ? p : one - p;
        q = one - p + random_integer(1);
        sweep_set_time(query, time_of_change(p, q), true);
        break;
    default:
        p = 1 + (double)(test_random() >> left_out);
        q = fmax(one - p + random_integer(1), 0);
        sweep_set_time(query, time_of_change(p, q), true);
        break;
    }
    place_height(query, p, q);
}

// ----------------------------------------------------------------------------------------------- quadratics

// A plane that turns about the y axis, z = slope t x, or an edge in it, and over it, at x = speed t, y = 0
// and z = height - fall t, the vertex or an edge along y. They meet when height - fall t = slope speed t^2.
static void place_over_turning_plane(SweepCase *query, double slope, double speed, double height, double fall)
{
    double reach = 1 + speed + test_random_below(9), aside = 1 + test_random_below(9);
    double low = test_random_below(2) ? 0 : -aside; // with 0 an edge of the face or an end of the edge is met
    for (int end = 0; end < 2; ++end) {
        imp_Vec3 *points = query->points + 4 * end;
        imp_Vec3 over = {speed * end, 0, height - fall * end};
        double rise = slope * reach * end;
        if (query->features == SWEEP_VERTEX_FACE) {
            points[0] = over;
            points[1] = (imp_Vec3){reach, aside, rise};
            points[2] = (imp_Vec3){reach, low, rise};
            points[3] = (imp_Vec3){-reach, 0, -rise};
        } else {
            points[0] = (imp_Vec3){-reach, 0, -rise};
            points[1] = (imp_Vec3){reach, 0, rise};
            points[2] = (imp_Vec3){over.x, low, over.z};
            points[3] = (imp_Vec3){over.x, aside, over.z};
        }
    }
    Moving base = random_base(largest_size(&query->points[0].x, SWEEP_COORDINATES));
    for (int i = 0; i < 8; ++i)
        query->points[i] = sum(query->points[i], base.at[i / 4]);
    shear_lattice(&query->points[0].x, SWEEP_COORDINATES);
}

void sweep_make_irrational(SweepCase *query)
{
    double slope = 1 + test_random_below(30), speed = 2 + test_random_below(30);
    double fall = random_integer(slope * speed - 2);
    double height = 1 + test_random_below((uint32_t)(fall + slope * speed) - 1);
    place_over_turning_plane(query, slope, speed, height, fall);
    sweep_set_time(query, 1, false);
}

// The height over the plane is (S t - now)^2 + change.
void sweep_make_grazing(SweepCase *query)
{
    Clock clock = random_clock(20);
    double change = (double)test_random_below(3) - 1;
    place_over_turning_plane(query, -clock.steps, clock.steps, clock.now * clock.now + change,
                             2 * clock.now * clock.steps);
    if (change < 0) // T = -1 or, if that is too early, T = 1
        clock.now += clock.now > 0 ? -1 : 1;
    if (change <= 0)
        sweep_set_time(query, time_of_change(clock.now, clock.steps - clock.now), true);
}

// -------------------------------------------------------------------------------------------------- at rest

static void make_at_rest(SweepCase *query, bool has_motion)
{
    double range = lattice_range();
    bool is_contact = test_random_below(2);
    imp_Vec3 c[3];
    Moving d[3];
    contact_differences(range, 1 + (int)test_random_below(3), c);
    for (int i = 0; i < 3; ++i) {
        if (!is_contact)
            c[i] = random_lattice_point(range);
        d[i] = (Moving){{c[i], c[i]}};
    }
    Moving base = random_lattice_motion(range);
    if (!has_motion)
        base.at[1] = base.at[0];
    place_points(query, d, base);
    if (is_contact)
        sweep_set_time(query, 0, true);
}

void sweep_make_static(SweepCase *query)
{
    make_at_rest(query, false);
}

void sweep_make_equal_motion(SweepCase *query)
{
    make_at_rest(query, true);
}

// --------------------------------------------------------------------------------------------------- nearly

void sweep_make_one_ulp_off(SweepCase *query)
{
    static void (*const builders[])(SweepCase *) = {
        sweep_make_contact_at_start, sweep_make_contact_at_end, sweep_make_contact_at_dyadic,
        sweep_make_meeting_vertices, sweep_make_last_bit,       sweep_make_grazing,
        sweep_make_triple_root,      sweep_make_one_plane,      sweep_make_flat,
        sweep_make_flat_now,         sweep_make_face_as_point,  sweep_make_static,
    };
    builders[test_random_below(sizeof builders / sizeof *builders)](query);
    double *moved = &query->points[0].x + test_random_below(SWEEP_COORDINATES);
    *moved = one_ulp_off(*moved);
    sweep_set_time(query, SWEEP_UNKNOWN, false);
}

void sweep_make_small_lattice(SweepCase *query)
{
    uint32_t size = 2 + test_random_below(4);
    for (int i = 0; i < SWEEP_COORDINATES; ++i)
        (&query->points[0].x)[i] = test_random_below(size);
}

// ----------------------------------------------------------------------------------------------- magnitudes

void sweep_make_mixed_magnitudes(SweepCase *query)
{
    double *coordinates = &query->points[0].x;
    for (int i = 0; i < SWEEP_COORDINATES; ++i) {
        uint32_t choice = test_random_below(8);
        coordinates[i] = choice == 0             ? 0
                         : choice < 4 && i >= 3  ? coordinates[i - 3]
                         : choice < 6 && i >= 12 ? coordinates[i - 12]
                                                 : random_of_any_size();
    }
}

void sweep_make_subnormals(SweepCase *query)
{
    int bits = 2 + (int)test_random_below(53);
    for (int i = 0; i < SWEEP_COORDINATES; ++i)
        (&query->points[0].x)[i] = ldexp(random_integer(ldexp(1, bits - 1) - 1), -1074);
}

void sweep_make_huge(SweepCase *query)
{
    for (int i = 0; i < SWEEP_COORDINATES; ++i) {
        uint32_t choice = test_random_below(8);
        (&query->points[0].x)[i] = choice == 0   ? DBL_MAX
                                   : choice == 1 ? -DBL_MAX
                                                 : DBL_MAX * random_signed_unit();
    }
}
