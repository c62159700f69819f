#include "plain_sweep.h"

#include <math.h>

#define TOLERANCE 1e-9

static imp_Vec3 difference(imp_Vec3 a, imp_Vec3 b)
{
    return (imp_Vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static imp_Vec3 cross(imp_Vec3 u, imp_Vec3 v)
{
    return (imp_Vec3){u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x};
}

static double dot(imp_Vec3 u, imp_Vec3 v)
{
    return u.x * v.x + u.y * v.y + u.z * v.z;
}

static imp_Vec3 at(const imp_SweepQuery *query, int point, double t)
{
    imp_Vec3 from = query->begin[point], way = difference(query->end[point], from);
    return (imp_Vec3){from.x + t * way.x, from.y + t * way.y, from.z + t * way.z};
}

// The volume of the four points as a polynomial of the time, c[0] + c[1] t + ...
static void make_cubic(const imp_SweepQuery *query, double c[4])
{
    imp_Vec3 u = difference(query->begin[1], query->begin[0]),
             v = difference(query->begin[2], query->begin[0]),
             w = difference(query->begin[3], query->begin[0]);
    imp_Vec3 du = difference(difference(query->end[1], query->end[0]), u),
             dv = difference(difference(query->end[2], query->end[0]), v),
             dw = difference(difference(query->end[3], query->end[0]), w);
    imp_Vec3 uv = cross(u, v), dudv = cross(du, dv), a = cross(u, dv), b = cross(du, v);
    imp_Vec3 mixed = {a.x + b.x, a.y + b.y, a.z + b.z};
    c[0] = dot(uv, w);
    c[1] = dot(uv, dw) + dot(mixed, w);
    c[2] = dot(mixed, dw) + dot(dudv, w);
    c[3] = dot(dudv, dw);
}

static double value(const double c[4], double t)
{
    return ((c[3] * t + c[2]) * t + c[1]) * t + c[0];
}

// A root of a cubic between two times at which it has different signs: Newton's method between them.
static double root_between(const double c[4], double low, double high)
{
    double sign = value(c, low) < 0 ? -1 : 1, t = 0.5 * (low + high);
    for (int i = 0; i < 12; ++i) {
        double f = value(c, t), slope = (3 * c[3] * t + 2 * c[2]) * t + c[1];
        *(sign * f > 0 ? &low : &high) = t;
        double next = t - f / slope;
        next = next > low && next < high ? next : 0.5 * (low + high);
        if (fabs(next - t) < 1e-14)
            return next;
        t = next;
    }
    return t;
}

// Times that part [0, 1] where the cubic turns; returns how many intervals that makes.
static int turns_of(const double c[4], double times[4])
{
    int count = 0;
    times[count++] = 0;
    double a = 3 * c[3], b = c[2], discriminant = b * b - a * c[1];
    if (discriminant > 0) {
        double q = -(b + copysign(sqrt(discriminant), b));
        double first = q / a, second = c[1] / q, low = fmin(first, second), high = fmax(first, second);
        if (low > 0 && low < 1)
            times[count++] = low;
        if (high > 0 && high < 1)
            times[count++] = high;
    }
    times[count] = 1;
    return count;
}

static bool is_vertex_in_face(const imp_SweepQuery *query, double t)
{
    imp_Vec3 p = at(query, 0, t), a = at(query, 1, t), b = at(query, 2, t), c = at(query, 3, t);
    imp_Vec3 u = difference(b, a), v = difference(c, a), w = difference(p, a), n = cross(u, v);
    double size = dot(n, n), beta = dot(cross(w, v), n), gamma = dot(cross(u, w), n);
    return beta >= -TOLERANCE * size && gamma >= -TOLERANCE * size && beta + gamma <= (1 + TOLERANCE) * size;
}

static bool do_edges_cross(const imp_SweepQuery *query, double t)
{
    imp_Vec3 a = at(query, 0, t), c = at(query, 2, t);
    imp_Vec3 u = difference(at(query, 1, t), a), v = difference(at(query, 3, t), c), w = difference(c, a);
    imp_Vec3 n = cross(u, v);
    double size = dot(n, n), s = dot(cross(w, v), n), r = dot(cross(w, u), n);
    return s >= -TOLERANCE * size && s <= (1 + TOLERANCE) * size && r >= -TOLERANCE * size &&
           r <= (1 + TOLERANCE) * size;
}

static double first_time(const imp_SweepQuery *query, bool (*touch)(const imp_SweepQuery *query, double t))
{
    double c[4], times[4];
    make_cubic(query, c);
    int count = turns_of(c, times);
    for (int i = 0; i < count; ++i) {
        if (value(c, times[i]) * value(c, times[i + 1]) > 0)
            continue;
        double root = root_between(c, times[i], times[i + 1]);
        if (touch(query, root))
            return root;
    }
    return NAN;
}

double plain_sweep_vertex_face(const imp_SweepQuery *query)
{
    return first_time(query, is_vertex_in_face);
}

double plain_sweep_edges(const imp_SweepQuery *query)
{
    return first_time(query, do_edges_cross);
}
