#include "moving_differences.h"

#include "harness.h"

#include <math.h>

Clock dyadic_clock(int most_bits)
{
    double steps = ldexp(1, (int)test_random_below((uint32_t)most_bits + 1));
    return (Clock){test_random_below((uint32_t)steps + 1), steps};
}

Clock random_clock(int most_bits)
{
    if (test_random_below(2))
        return dyadic_clock(most_bits);
    uint32_t steps = 1 + test_random_below(UINT32_C(1) << most_bits);
    return (Clock){test_random_below(steps + 1), steps};
}

double time_of_change(double before, double after)
{
    __extension__ typedef unsigned __int128 Wide;
    Wide whole = (Wide)before + (Wide)after;
    return ldexp((double)(uint64_t)(((Wide)before << 53) / whole), -53);
}

double lattice_range(void)
{
    static const double ranges[] = {2, 9, 1000, 0x1p20, 0x1p36};
    return ranges[test_random_below(sizeof ranges / sizeof *ranges)];
}

imp_Vec3 multiple(double factor, imp_Vec3 v)
{
    return along((imp_Vec3){0, 0, 0}, factor, v);
}

Moving moving_through(imp_Vec3 place, imp_Vec3 step, Clock clock)
{
    return (Moving){{along(place, -clock.now, step), along(place, clock.steps - clock.now, step)}};
}

Moving random_lattice_motion(double range)
{
    imp_Vec3 start = random_lattice_point(range), end = random_lattice_point(range);
    return (Moving){{start, end}};
}

void sweep_set_time(SweepCase *query, double most_time, bool is_first)
{
    query->most_time = most_time;
    query->is_first = is_first;
}

void sweep_set_clock(SweepCase *query, Clock clock)
{
    sweep_set_time(query, time_of_change(clock.now, clock.steps - clock.now), clock.now == 0);
}

double largest_size(const double *values, int count)
{
    double most = 0;
    for (int i = 0; i < count; ++i)
        most = fmax(most, fabs(values[i]));
    return most;
}

Moving random_base(double range)
{
    uint32_t choice = test_random_below(3);
    Moving base = random_lattice_motion(fmin(range, 0x1p50));
    if (choice == 0)
        base.at[0] = (imp_Vec3){0, 0, 0};
    if (choice < 2)
        base.at[1] = base.at[0];
    return base;
}

void place_points(SweepCase *query, const Moving d[3], Moving base)
{
    for (int end = 0; end < 2; ++end) {
        imp_Vec3 *points = query->points + 4 * end;
        points[0] = base.at[end];
        if (query->features == SWEEP_VERTEX_FACE) {
            for (int i = 0; i < 3; ++i)
                points[i + 1] = sum(points[0], d[i].at[end]);
        } else {
            points[2] = along(points[0], -1, d[0].at[end]);
            points[3] = along(points[0], -1, d[1].at[end]);
            points[1] = sum(points[2], d[2].at[end]);
        }
    }
}

void shear_lattice(double *coordinates, int count)
{
    for (int k = 0; k < 3; ++k) {
        int to = (int)test_random_below(3), from = (to + 1 + (int)test_random_below(2)) % 3;
        double factor = random_integer(1);
        for (int i = 0; i < count; i += 3)
            coordinates[i + to] += factor * coordinates[i + from];
    }
}

void place_differences(SweepCase *query, Moving d[3])
{
    for (uint32_t i = 2; i > 0; --i) { // any of them may be the one that is shared by both triangles
        uint32_t j = test_random_below(i + 1);
        Moving other = d[j];
        d[j] = d[i];
        d[i] = other;
    }
    place_points(query, d, random_base(largest_size(&d[0].at[0].x, 18)));
}

void place_sheared(SweepCase *query, Moving d[3])
{
    shear_lattice(&d[0].at[0].x, 18);
    place_differences(query, d);
}

void contact_differences(double range, int corners, imp_Vec3 c[3])
{
    imp_Vec3 p = random_lattice_point(range), q = random_lattice_point(range);
    double w[3];
    random_weights(1, w);
    if (corners == 3) {
        c[0] = multiple(w[2], p);
        c[1] = multiple(w[2], q);
        c[2] = along(multiple(-w[0], p), -w[1], q);
    } else {
        c[0] = p;
        c[1] = multiple(corners == 2 ? w[2] : w[2] + w[1], q);
        c[2] = multiple(corners == 2 ? -w[1] : 0, q);
    }
}
