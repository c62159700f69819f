// Builders of queries: multiple roots, cubics that are zero at all times, features that are flat.
#include "sweep_builders.h"

#include "harness.h"
#include "moving_differences.h"

#include <math.h>

// ------------------------------------------------------------------------------------------- multiple roots

// Rows of a matrix M, of which in half of the cases columns `first` and `last` have zero in their hull.
static bool random_rows(double m[3][3], int first, int last)
{
    imp_Vec3 c[3];
    bool is_contact = test_random_below(2);
    contact_differences(3, 1 + (int)test_random_below(3), c);
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j)
            m[i][j] = random_integer(9);
        if (is_contact) {
            m[i][first] = c[i].x;
            m[i][last] = c[i].y;
        }
    }
    return is_contact;
}

// M times | T 1 0     |, whose determinant is T^2 (T - c) times that of M.
//         | 0 T 0     |
//         | 0 0 T - c |
void sweep_make_double_root(SweepCase *query)
{
    Clock clock = random_clock(8);
    double m[3][3], c = random_integer(8);
    Moving d[3];
    bool is_contact = random_rows(m, 0, 2);
    for (int end = 0; end < 2; ++end)
        for (int i = 0; i < 3; ++i) {
            double t = end * clock.steps - clock.now;
            d[i].at[end] = (imp_Vec3){m[i][0] * t, m[i][0] + m[i][1] * t, m[i][2] * (t - c)};
        }
    place_sheared(query, d);
    if (is_contact)
        sweep_set_clock(query, clock);
}

// M times | T 1 0 |
//         | 0 T 1 |
//         | 0 0 T |
void sweep_make_triple_root(SweepCase *query)
{
    Clock clock = random_clock(8);
    double m[3][3];
    Moving d[3];
    bool is_contact = random_rows(m, 0, 1);
    for (int end = 0; end < 2; ++end)
        for (int i = 0; i < 3; ++i) {
            double t = end * clock.steps - clock.now;
            d[i].at[end] = (imp_Vec3){m[i][0] * t, m[i][0] + m[i][1] * t, m[i][1] + m[i][2] * t};
        }
    place_sheared(query, d);
    if (is_contact)
        sweep_set_clock(query, clock);
}

// ------------------------------------------------------------------------------------- cubics that are zero

void sweep_make_one_plane(SweepCase *query)
{
    Clock clock = random_clock(8);
    double range = lattice_range();
    bool is_contact = test_random_below(2);
    imp_Vec3 c[3], far = {3 * range, range, 0};
    Moving d[3];
    contact_differences(range, 1 + (int)test_random_below(3), c);
    for (int i = 0; i < 3; ++i) {
        imp_Vec3 step = random_lattice_point(range);
        if (!is_contact)
            c[i] = sum(random_lattice_point(range), far);
        c[i].z = step.z = 0;
        d[i] = moving_through(c[i], step, clock);
    }
    place_sheared(query, d);
    if (is_contact)
        sweep_set_clock(query, clock);
}

// D_i = a_i P(t) + b_i(t) Q
void sweep_make_moving_plane(SweepCase *query)
{
    double range = lattice_range();
    Moving p = random_lattice_motion(range), d[3];
    imp_Vec3 q = random_lattice_point(range);
    for (int i = 0; i < 3; ++i) {
        double a = random_integer(3);
        for (int end = 0; end < 2; ++end)
            d[i].at[end] = along(multiple(a, p.at[end]), random_integer(3), q);
    }
    place_differences(query, d);
}

// w_0 D_0 + w_1 D_1 + w_2 D_2 = 0 at all times. Some weights may be negative, and D_0 and D_1 parallel for
// once.
void sweep_make_fixed_weights(SweepCase *query)
{
    Clock clock = random_clock(8);
    double range = lattice_range(), w0 = random_integer(3) + 2, w1 = random_integer(3) + 2,
           w2 = 1 + test_random_below(4);
    imp_Vec3 p = random_lattice_point(range), q = random_lattice_point(range);
    if (test_random_below(2))
        q = multiple(random_integer(2), p);
    imp_Vec3 step_p = random_lattice_point(range), step_q = random_lattice_point(range);
    Moving d[3] = {
        moving_through(multiple(w2, p), multiple(w2, step_p), clock),
        moving_through(multiple(w2, q), multiple(w2, step_q), clock),
        moving_through(along(multiple(-w0, p), -w1, q), along(multiple(-w0, step_p), -w1, step_q), clock)};
    place_differences(query, d);
    if (w0 >= 0 && w1 >= 0)
        sweep_set_time(query, 0, true);
}

// M times | T 1 0 |
//         | 0 0 T |
//         | 0 0 1 |
void sweep_make_singular_pencil(SweepCase *query)
{
    Clock clock = random_clock(8);
    double m[3][3];
    Moving d[3];
    bool is_contact = random_rows(m, 0, 2);
    for (int end = 0; end < 2; ++end)
        for (int i = 0; i < 3; ++i) {
            double t = end * clock.steps - clock.now;
            d[i].at[end] = (imp_Vec3){m[i][0] * t, m[i][0], m[i][1] * t + m[i][2]};
        }
    place_sheared(query, d);
    if (is_contact)
        sweep_set_clock(query, clock);
}

void sweep_make_one_line(SweepCase *query)
{
    imp_Vec3 p = random_lattice_step(lattice_range());
    Moving d[3];
    for (int i = 0; i < 3; ++i) {
        double start = 1 + test_random_below(9), end = (double)test_random_below(12) - 2;
        d[i] = (Moving){{multiple(start, p), multiple(end, p)}};
    }
    place_differences(query, d);
}

// D_i = a_i P(t)
void sweep_make_moving_line(SweepCase *query)
{
    Clock clock = random_clock(8);
    double range = lattice_range();
    bool meet = test_random_below(3) == 0;
    Moving p = random_lattice_motion(range), d[3];
    imp_Vec3 step = random_lattice_point(range);
    if (meet)
        p = moving_through((imp_Vec3){0, 0, 0}, step, clock);
    for (int i = 0; i < 3; ++i) {
        double a = (double)test_random_below(9) - 1;
        d[i] = (Moving){{multiple(a, p.at[0]), multiple(a, p.at[1])}};
    }
    place_differences(query, d);
    if (meet)
        sweep_set_clock(query, clock);
}

// -------------------------------------------------------------------------------------------- flat features

// D_i = X(t) + a_i S(t), with X = -b S when T is zero.
void sweep_make_flat(SweepCase *query)
{
    Clock clock = random_clock(8);
    double range = lattice_range(), b = random_integer(3), least = INFINITY, most = -INFINITY;
    imp_Vec3 s = random_lattice_point(range), step_s = random_lattice_point(range),
             step_x = random_lattice_point(range);
    Moving d[3];
    for (int i = 0; i < 3; ++i) {
        double a = random_integer(3);
        d[i] = moving_through(multiple(a - b, s), along(step_x, a, step_s), clock);
        least = fmin(least, a);
        most = fmax(most, a);
    }
    place_differences(query, d);
    if (least <= b && b <= most)
        sweep_set_clock(query, clock);
}

void sweep_make_flat_now(SweepCase *query)
{
    Clock clock = random_clock(8);
    double range = lattice_range(), least = INFINITY, most = -INFINITY;
    imp_Vec3 s = random_lattice_point(range);
    Moving d[3];
    for (int i = 0; i < 3; ++i) {
        double a = random_integer(3) + 1;
        d[i] = moving_through(multiple(a, s), random_lattice_point(range), clock);
        least = fmin(least, a);
        most = fmax(most, a);
    }
    place_differences(query, d);
    if (least <= 0 && 0 <= most)
        sweep_set_clock(query, clock);
}

void sweep_make_face_as_edge(SweepCase *query)
{
    Clock clock = random_clock(8);
    double range = lattice_range();
    bool is_contact = test_random_below(2);
    imp_Vec3 c[3];
    Moving d[3];
    contact_differences(range, 2, c);
    for (int i = 1; i < 3; ++i) {
        if (!is_contact)
            c[i] = random_lattice_point(range);
        d[i] = moving_through(c[i], random_lattice_point(range), clock);
    }
    d[0] = d[1];
    place_differences(query, d);
    if (is_contact)
        sweep_set_clock(query, clock);
}

void sweep_make_face_as_point(SweepCase *query)
{
    Clock clock = random_clock(8);
    double range = lattice_range();
    bool is_contact = test_random_below(2);
    imp_Vec3 step = random_lattice_step(range), off = {!is_contact, 0, 0};
    Moving d[3] = {moving_through(off, step, clock)};
    d[2] = d[1] = d[0];
    place_differences(query, d);
    if (is_contact)
        sweep_set_time(query, time_of_change(clock.now, clock.steps - clock.now), true);
}

void sweep_make_point_now(SweepCase *query)
{
    Clock clock = random_clock(8);
    double range = lattice_range();
    bool is_contact = test_random_below(2);
    imp_Vec3 place = random_lattice_step(range);
    Moving d[3];
    for (int i = 0; i < 3; ++i)
        d[i] = moving_through(multiple(!is_contact, place), random_lattice_point(range), clock);
    place_differences(query, d);
    if (is_contact)
        sweep_set_clock(query, clock);
}
