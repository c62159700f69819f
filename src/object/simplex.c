// Regions of segments and triangles as in any textbook; what is special is the certain yes for tetrahedra.
// Everything else here only steers a search, so it needs no bounds on errors.
#include "object/simplex.h"

#include "geom/filter.h"
#include "geom/scalar.h"
#include "geom/vector.h"

#include <assert.h>
#include <math.h>

// A part of the simplex and what is nearest on it.
typedef struct Nearest {
    unsigned count;
    uint8_t points[3]; // which of the simplex, ascending
    imp_Vec3 direction;
} Nearest;

static Nearest nearest_on_vertex(const impi_Simplex *s, uint8_t a)
{
    return (Nearest){1, {a}, s->points[a].d};
}

static Nearest nearest_inside_segment(const impi_Simplex *s, uint8_t a, uint8_t b)
{
    imp_Vec3 u = s->points[a].d, e = impi_subtract(s->points[b].d, u);
    // (e x u) x e: with cancellation in the cross product only, so that it stays at right angles to e.
    return (Nearest){2, {a, b}, impi_cross(impi_cross(e, u), e)};
}

static Nearest nearest_on_segment(const impi_Simplex *s, uint8_t a, uint8_t b)
{
    imp_Vec3 u = s->points[a].d, v = s->points[b].d, e = impi_subtract(v, u);
    if (impi_dot(u, e) >= 0)
        return nearest_on_vertex(s, a);
    if (impi_dot(v, e) <= 0)
        return nearest_on_vertex(s, b);
    return nearest_inside_segment(s, a, b);
}

static Nearest nearest_on_triangle(const impi_Simplex *s, uint8_t a, uint8_t b, uint8_t c)
{
    imp_Vec3 u = s->points[a].d, v = s->points[b].d, w = s->points[c].d;
    imp_Vec3 ab = impi_subtract(v, u), ac = impi_subtract(w, u);
    double ab_u = -impi_dot(ab, u), ac_u = -impi_dot(ac, u);
    double ab_v = -impi_dot(ab, v), ac_v = -impi_dot(ac, v);
    double ab_w = -impi_dot(ab, w), ac_w = -impi_dot(ac, w);
    if (ab_u <= 0 && ac_u <= 0)
        return nearest_on_vertex(s, a);
    if (ab_v >= 0 && ac_v <= ab_v)
        return nearest_on_vertex(s, b);
    if (ac_w >= 0 && ab_w <= ac_w)
        return nearest_on_vertex(s, c);
    if (ab_u * ac_v - ab_v * ac_u <= 0 && ab_u >= 0 && ab_v <= 0)
        return nearest_inside_segment(s, a, b);
    if (ab_w * ac_u - ab_u * ac_w <= 0 && ac_u >= 0 && ac_w <= 0)
        return nearest_inside_segment(s, a, c);
    if (ab_v * ac_w - ab_w * ac_v <= 0 && ac_v - ab_v >= 0 && ab_w - ac_w >= 0)
        return nearest_inside_segment(s, b, c);
    imp_Vec3 normal = impi_cross(ab, ac);
    return (Nearest){3, {a, b, c}, impi_scale(normal, impi_dot(normal, u) < 0 ? -1 : 1)};
}

// The square of the distance to the nearest point, which lies in the plane through points[0] at right angles
// to the direction.
static double squared_distance(const impi_Simplex *s, const Nearest *nearest)
{
    double along = impi_dot(nearest->direction, s->points[nearest->points[0]].d);
    return along * along / impi_dot(nearest->direction, nearest->direction);
}

// Volumes of the tetrahedra that the origin makes with the four faces, six times, with the sign of the whole
// for those on whose inner side the origin lies.
static void face_volumes(const impi_Simplex *s, double volumes[4])
{
    imp_Vec3 a = s->points[0].d, b = s->points[1].d, c = s->points[2].d, d = s->points[3].d;
    imp_Vec3 cd = impi_cross(c, d), ab = impi_cross(a, b);
    volumes[0] = impi_dot(b, cd);
    volumes[1] = -impi_dot(a, cd);
    volumes[2] = impi_dot(d, ab);
    volumes[3] = -impi_dot(c, ab);
}

// Differences are rounded once per coordinate, like those that orient3d is computed from, and so are the
// products: its bound holds here.
static double volume_error(const impi_Simplex *s)
{
    double x = 0, y = 0, z = 0;
    for (unsigned i = 0; i < 4; ++i) {
        x = impi_larger(fabs(s->points[i].d.x), x);
        y = impi_larger(fabs(s->points[i].d.y), y);
        z = impi_larger(fabs(s->points[i].d.z), z);
    }
    double box = x * y * z, largest = impi_larger(impi_larger(x, y), z);
    bool is_in_range = largest <= IMPI_FILTER_MAX_EXTENT && box >= IMPI_FILTER_MIN_VOLUME;
    return is_in_range ? IMPI_ORIENT3D_ERROR * box : INFINITY;
}

// False when the origin is certainly inside.
static bool nearest_on_tetrahedron(const impi_Simplex *s, Nearest *nearest)
{
    static const uint8_t faces[4][3] = {{1, 2, 3}, {0, 2, 3}, {0, 1, 3}, {0, 1, 2}};
    double volumes[4], error = volume_error(s), best = INFINITY;
    face_volumes(s, volumes);
    double whole = (volumes[0] + volumes[1]) + (volumes[2] + volumes[3]);
    double sign = whole < 0 ? -1 : 1;
    bool is_inside = true;
    for (unsigned i = 0; i < 4; ++i) {
        if (volumes[i] * sign > error)
            continue;
        bool is_first = is_inside;
        is_inside = false;
        Nearest found = nearest_on_triangle(s, faces[i][0], faces[i][1], faces[i][2]);
        double distance = squared_distance(s, &found);
        if (is_first || !(distance >= best)) { // NaN or infinite: the origin itself, or out of range
            best = distance;
            *nearest = found;
        }
    }
    return !is_inside;
}

bool impi_simplex_reduce(impi_Simplex *simplex, imp_Vec3 *direction)
{
    Nearest nearest;
    assert(simplex->count > 0 && simplex->count <= IMPI_MAX_SIMPLEX);
    switch (simplex->count) {
    case 1:
        nearest = nearest_on_vertex(simplex, 0);
        break;
    case 2:
        nearest = nearest_on_segment(simplex, 0, 1);
        break;
    case 3:
        nearest = nearest_on_triangle(simplex, 0, 1, 2);
        break;
    default:
        if (!nearest_on_tetrahedron(simplex, &nearest))
            return true;
    }
    // Ascending, so that nothing is overwritten before it is moved.
    for (unsigned i = 0; i < nearest.count; ++i)
        if (nearest.points[i] != i)
            impi_difference_copy(&simplex->points[nearest.points[i]], &simplex->points[i]);
    simplex->count = nearest.count;
    *direction = nearest.direction;
    return false;
}

static void segment_weights(const impi_Simplex *s, double *weights)
{
    imp_Vec3 e = impi_subtract(s->points[1].d, s->points[0].d);
    double t = -impi_dot(s->points[0].d, e) / impi_dot(e, e);
    weights[1] = t > 0 ? (t < 1 ? t : 1) : 0;
    weights[0] = 1 - weights[1];
}

static void triangle_weights(const impi_Simplex *s, double *weights)
{
    imp_Vec3 a = s->points[0].d, b = s->points[1].d, c = s->points[2].d;
    imp_Vec3 normal = impi_cross(impi_subtract(b, a), impi_subtract(c, a));
    double areas[3] = {impi_dot(normal, impi_cross(b, c)), impi_dot(normal, impi_cross(c, a)),
                       impi_dot(normal, impi_cross(a, b))};
    double sum = 0;
    for (unsigned i = 0; i < 3; ++i) {
        areas[i] = areas[i] > 0 ? areas[i] : 0;
        sum += areas[i];
    }
    for (unsigned i = 0; i < 3; ++i)
        weights[i] = sum > 0 ? areas[i] / sum : 1.0 / 3;
}

static void tetrahedron_weights(const impi_Simplex *s, double *weights)
{
    double volumes[4];
    face_volumes(s, volumes);
    double whole = (volumes[0] + volumes[1]) + (volumes[2] + volumes[3]);
    double sign = whole < 0 ? -1 : 1, sum = 0;
    for (unsigned i = 0; i < 4; ++i) {
        weights[i] = impi_larger(volumes[i] * sign, 0);
        sum += weights[i];
    }
    for (unsigned i = 0; i < 4; ++i)
        weights[i] = sum > 0 ? weights[i] / sum : 0.25;
}

void impi_simplex_weights(const impi_Simplex *simplex, double weights[IMPI_MAX_SIMPLEX])
{
    assert(simplex->count > 0 && simplex->count <= IMPI_MAX_SIMPLEX);
    switch (simplex->count) {
    case 1:
        weights[0] = 1;
        break;
    case 2:
        segment_weights(simplex, weights);
        break;
    case 3:
        triangle_weights(simplex, weights);
        break;
    default:
        tetrahedron_weights(simplex, weights);
    }
}
