// The interval method of Moeller, "A Fast Triangle-Triangle Intersection Test" (1997), without tolerances:
// plane tests, then the intervals in which the triangles cross the line that their planes share.
#include "plain_triangles.h"

#include <math.h>

static imp_Vec3 difference(imp_Vec3 a, imp_Vec3 b)
{
    return (imp_Vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static imp_Vec3 cross(imp_Vec3 a, imp_Vec3 b)
{
    return (imp_Vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static double dot(imp_Vec3 a, imp_Vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static imp_Vec3 normal_of(const imp_Triangle *t)
{
    return cross(difference(t->v[1], t->v[0]), difference(t->v[2], t->v[0]));
}

static void distances(const imp_Triangle *t, imp_Vec3 normal, imp_Vec3 base, double d[3])
{
    for (int i = 0; i < 3; ++i)
        d[i] = dot(difference(t->v[i], base), normal);
}

static bool one_side(const double d[3])
{
    return (d[0] > 0 && d[1] > 0 && d[2] > 0) || (d[0] < 0 && d[1] < 0 && d[2] < 0);
}

// Where the two edges from the vertex that is alone on its side cross the line, as coordinates along it.
static void interval(const double along[3], const double d[3], double *low, double *high)
{
    int lone = d[0] * d[1] > 0                ? 2
               : d[0] * d[2] > 0              ? 1
               : d[1] * d[2] > 0 || d[0] != 0 ? 0
               : d[1] != 0                    ? 1
                                              : 2;
    int next = (lone + 1) % 3, last = (lone + 2) % 3;
    double s = along[lone] + (along[next] - along[lone]) * d[lone] / (d[lone] - d[next]);
    double t = along[lone] + (along[last] - along[lone]) * d[lone] / (d[lone] - d[last]);
    *low = s < t ? s : t;
    *high = s < t ? t : s;
}

static double component(imp_Vec3 v, int axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

static bool flat_edge_separates(const imp_Triangle *a, const imp_Triangle *b, int u, int v)
{
    for (int i = 0; i < 3; ++i) {
        imp_Vec3 p = a->v[i], e = difference(a->v[(i + 1) % 3], p);
        double eu = component(e, u), ev = component(e, v);
        imp_Vec3 w = difference(a->v[(i + 2) % 3], p);
        double inside = eu * component(w, v) - ev * component(w, u);
        int outside = 0;
        for (int k = 0; k < 3; ++k) {
            imp_Vec3 q = difference(b->v[k], p);
            outside += inside * (eu * component(q, v) - ev * component(q, u)) < 0;
        }
        if (outside == 3)
            return true;
    }
    return false;
}

static bool coplanar_touch(const imp_Triangle *a, const imp_Triangle *b, imp_Vec3 normal)
{
    double x = fabs(normal.x), y = fabs(normal.y), z = fabs(normal.z);
    int dropped = x > y ? (x > z ? 0 : 2) : (y > z ? 1 : 2);
    int u = (dropped + 1) % 3, v = (dropped + 2) % 3;
    return !flat_edge_separates(a, b, u, v) && !flat_edge_separates(b, a, u, v);
}

bool plain_triangles_touch(const imp_Triangle *a, const imp_Triangle *b)
{
    double db[3], da[3];
    imp_Vec3 na = normal_of(a);
    distances(b, na, a->v[0], db);
    if (one_side(db))
        return false;
    imp_Vec3 nb = normal_of(b);
    distances(a, nb, b->v[0], da);
    if (one_side(da))
        return false;
    if (db[0] == 0 && db[1] == 0 && db[2] == 0)
        return coplanar_touch(a, b, na);
    imp_Vec3 line = cross(na, nb);
    double x = fabs(line.x), y = fabs(line.y), z = fabs(line.z);
    int axis = x > y ? (x > z ? 0 : 2) : (y > z ? 1 : 2);
    double along_a[3], along_b[3], low_a, high_a, low_b, high_b;
    for (int i = 0; i < 3; ++i) {
        along_a[i] = component(a->v[i], axis);
        along_b[i] = component(b->v[i], axis);
    }
    interval(along_a, da, &low_a, &high_a);
    interval(along_b, db, &low_b, &high_b);
    return low_a <= high_b && low_b <= high_a;
}
