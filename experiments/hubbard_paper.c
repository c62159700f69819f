// The boundary lemma: balls meet a triangle's plane in disks. Where a region that hangs together, as a
// triangle in a clipping disk does, is met but not covered by disks, part of some disk's circle lies in the
// region and in no other disk. So it is enough to look at the circles: each is an interval of angles, from
// which others cut pieces.
#include "hubbard_paper.h"

#include "geom/vector.h"

#include <stdlib.h>

#define PI     3.14159265358979323846
#define LEEWAY 1e-9 // of angles

typedef struct Disk {
    double x, y, radius;
} Disk;

// Angles from -pi to pi.
typedef struct Interval {
    double begin, end;
} Interval;

// Those parts of a circle that need no covering, or are covered.
typedef struct Cuts {
    Interval *intervals; // room for CUTS_PER_CONE for each side, the clipping disk and each other disk
    size_t count;
} Cuts;

#define CUTS_PER_CONE         3
#define MOST_CUTS(disk_count) (CUTS_PER_CONE * (4 + (disk_count)))

// A triangle in its plane.
typedef struct Plane {
    imp_Vec3 origin, x_axis, y_axis, normal;
    double corners[3][2];
    Disk clip;
    bool has_clip;
} Plane;

// ---- in the plane

static bool make_plane(const imp_Triangle *t, Plane *plane)
{
    imp_Vec3 u = impi_subtract(t->v[1], t->v[0]), v = impi_subtract(t->v[2], t->v[0]);
    imp_Vec3 normal = impi_cross(u, v);
    if (impi_length(normal) <= 1e-14 * impi_length(u) * impi_length(v))
        return false;
    plane->origin = t->v[0];
    plane->normal = impi_unit(normal);
    plane->x_axis = impi_unit(u);
    plane->y_axis = impi_cross(plane->normal, plane->x_axis);
    for (int i = 0; i < 3; ++i) {
        imp_Vec3 from_origin = impi_subtract(t->v[i], t->v[0]);
        plane->corners[i][0] = impi_dot(from_origin, plane->x_axis);
        plane->corners[i][1] = impi_dot(from_origin, plane->y_axis);
    }
    return true;
}

// False where the ball does not meet the plane.
static bool cut_ball(const Plane *plane, const HubbardBall *ball, Disk *disk)
{
    imp_Vec3 from_origin = impi_subtract(ball->center, plane->origin);
    double height = impi_dot(from_origin, plane->normal);
    double square = ball->radius * ball->radius - height * height;
    *disk = (Disk){impi_dot(from_origin, plane->x_axis), impi_dot(from_origin, plane->y_axis),
                   sqrt(fmax(square, 0))};
    return square > 0;
}

static imp_Vec3 lift(const Plane *plane, double x, double y)
{
    return impi_add_scaled(impi_add_scaled(plane->origin, x, plane->x_axis), y, plane->y_axis);
}

// ---- angles

static void add_interval(Cuts *cuts, double begin, double end)
{
    cuts->intervals[cuts->count++] = (Interval){begin, end};
}

// Directions whose cosine with (x, y), of any length, exceeds `cosine`.
static void add_cone(Cuts *cuts, double x, double y, double cosine)
{
    if (cosine >= 1)
        return;
    double half = cosine <= -1 ? PI : acos(cosine), middle = atan2(y, x);
    double begin = middle - half, end = middle + half;
    add_interval(cuts, begin, end);
    add_interval(cuts, begin + 2 * PI, end + 2 * PI);
    add_interval(cuts, begin - 2 * PI, end - 2 * PI);
}

static void cut_outside_triangle(Cuts *cuts, const Plane *plane, const Disk *disk)
{
    for (int i = 0; i < 3; ++i) {
        const double *from = plane->corners[i], *to = plane->corners[(i + 1) % 3];
        double out_x = to[1] - from[1], out_y = from[0] - to[0], length = hypot(out_x, out_y);
        double room = ((from[0] - disk->x) * out_x + (from[1] - disk->y) * out_y) / length;
        add_cone(cuts, out_x, out_y, room / disk->radius);
    }
}

// Of the circle: the cosine at which it enters the other disk, seen towards that. Concentric ones are inside
// as a whole or not at all.
static double entry_cosine(const Disk *disk, const Disk *other)
{
    double x = other->x - disk->x, y = other->y - disk->y, distance = hypot(x, y);
    double square = disk->radius * disk->radius + distance * distance - other->radius * other->radius;
    if (distance < 1e-12 * disk->radius)
        return square < 0 ? -1 : 1;
    return square / (2 * disk->radius * distance);
}

static int compare_intervals(const void *a, const void *b)
{
    const Interval *x = a, *y = b;
    return (x->begin > y->begin) - (x->begin < y->begin);
}

// Is there an angle that no cut holds?
static bool find_gap(Cuts *cuts, double *angle)
{
    double reach = -PI;
    qsort(cuts->intervals, cuts->count, sizeof *cuts->intervals, compare_intervals);
    for (size_t i = 0; i < cuts->count && reach < PI; ++i) {
        if (cuts->intervals[i].begin > reach + LEEWAY) {
            *angle = (reach + fmin(cuts->intervals[i].begin, PI)) / 2;
            return true;
        }
        reach = fmax(reach, cuts->intervals[i].end);
    }
    *angle = (reach + PI) / 2;
    return reach < PI - LEEWAY;
}

// Does part of the i-th circle lie in the region and in no other disk?
static bool is_circle_bare(const Plane *plane, const Disk *disks, size_t count, size_t i, Cuts cuts,
                           imp_Vec3 *missing)
{
    const Disk *disk = &disks[i];
    double angle;
    cut_outside_triangle(&cuts, plane, disk);
    if (plane->has_clip)
        add_cone(&cuts, disk->x - plane->clip.x, disk->y - plane->clip.y, -entry_cosine(disk, &plane->clip));
    for (size_t k = 0; k < count; ++k) {
        bool is_same = disks[k].x == disk->x && disks[k].y == disk->y && disks[k].radius == disk->radius;
        if (k != i && is_same && k < i)
            return false; // an earlier one speaks for both
        if (k != i && !is_same)
            add_cone(&cuts, disks[k].x - disk->x, disks[k].y - disk->y, entry_cosine(disk, &disks[k]));
    }
    if (!find_gap(&cuts, &angle))
        return false;
    *missing = lift(plane, disk->x + disk->radius * cos(angle), disk->y + disk->radius * sin(angle));
    return true;
}

// ---- the whole region

static double distance_to_segment(const double p[2], const double a[2], const double b[2], double nearest[2])
{
    double x = b[0] - a[0], y = b[1] - a[1];
    double t = ((p[0] - a[0]) * x + (p[1] - a[1]) * y) / (x * x + y * y);
    t = fmin(fmax(t, 0), 1);
    nearest[0] = a[0] + t * x;
    nearest[1] = a[1] + t * y;
    return hypot(p[0] - nearest[0], p[1] - nearest[1]);
}

// The point of the triangle that is nearest to the middle of the clipping disk, or any.
static void find_point(const Plane *plane, double point[2])
{
    double center[2] = {plane->clip.x, plane->clip.y}, least = INFINITY;
    bool is_inside = true;
    if (!plane->has_clip) {
        point[0] = plane->corners[0][0];
        point[1] = plane->corners[0][1];
        return;
    }
    for (int i = 0; i < 3; ++i) {
        const double *a = plane->corners[i], *b = plane->corners[(i + 1) % 3];
        double nearest[2], distance = distance_to_segment(center, a, b, nearest);
        is_inside &= (b[0] - a[0]) * (center[1] - a[1]) - (b[1] - a[1]) * (center[0] - a[0]) >= 0;
        if (distance < least) {
            least = distance;
            point[0] = nearest[0];
            point[1] = nearest[1];
        }
    }
    if (is_inside) {
        point[0] = center[0];
        point[1] = center[1];
    }
}

static bool is_in_disk(const double point[2], const Disk *disk)
{
    return hypot(point[0] - disk->x, point[1] - disk->y) <= disk->radius * (1 + LEEWAY);
}

// Not needed to decide, but most balls are far away.
static bool is_near(const imp_Triangle *triangle, const HubbardBall *ball)
{
    double size = fmax(impi_length(impi_subtract(triangle->v[1], triangle->v[0])),
                       impi_length(impi_subtract(triangle->v[2], triangle->v[0])));
    return impi_length(impi_subtract(ball->center, triangle->v[0])) <= ball->radius + size;
}

bool hubbard_is_covered(const imp_Triangle *triangle, const HubbardBall *clip, const HubbardBall *balls,
                        size_t count, imp_Vec3 *missing)
{
    Plane plane = {.has_clip = clip != NULL};
    double point[2] = {0, 0};
    bool is_met = false, is_bare = false;
    size_t disk_count = 0;
    if (!make_plane(triangle, &plane) || (clip && !cut_ball(&plane, clip, &plane.clip)))
        return true;
    find_point(&plane, point);
    if (clip && !is_in_disk(point, &plane.clip))
        return true;
    Disk *disks = malloc((count + 1) * sizeof *disks);
    Cuts cuts = {.intervals = malloc(MOST_CUTS(count) * sizeof *cuts.intervals)};
    if (!disks || !cuts.intervals)
        abort();
    for (size_t i = 0; i < count; ++i)
        if (is_near(triangle, &balls[i]) && cut_ball(&plane, &balls[i], &disks[disk_count]))
            is_met |= is_in_disk(point, &disks[disk_count++]);
    for (size_t i = 0; i < disk_count && is_met && !is_bare; ++i)
        is_bare = is_circle_bare(&plane, disks, disk_count, i, cuts, missing);
    if (!is_met)
        *missing = lift(&plane, point[0], point[1]);
    free(disks);
    free(cuts.intervals);
    return is_met && !is_bare;
}

void hubbard_cover(const imp_Triangle *triangle, const HubbardBall *clip, HubbardBall *balls, size_t count,
                   double step)
{
    imp_Vec3 missing;
    while (!hubbard_is_covered(triangle, clip, balls, count, &missing)) {
        size_t best = 0;
        double least = INFINITY;
        for (size_t i = 0; i < count; ++i) {
            double need = impi_length(impi_subtract(missing, balls[i].center)) - balls[i].radius;
            if (need < least) {
                least = need;
                best = i;
            }
        }
        balls[best].radius += fmax(least, 0) + step;
    }
}

// ---- protrusion, and the distance of bodies

// A cube's corners, and the corners of three rectangles around it, in the golden ratio.
static imp_Vec3 dodecahedron_vertex(int i)
{
    const double small = 0.35682208977308993, large = 0.93417235896271570, cube = 0.57735026918962576;
    if (i < 8)
        return (imp_Vec3){i & 1 ? cube : -cube, i & 2 ? cube : -cube, i & 4 ? cube : -cube};
    double a = i & 1 ? small : -small, b = i & 2 ? large : -large;
    int axis = (i - 8) / 4;
    return axis == 0 ? (imp_Vec3){0, a, b} : axis == 1 ? (imp_Vec3){a, b, 0} : (imp_Vec3){b, 0, a};
}

double hubbard_protrusion(const impi_SurfaceField *field, bool is_solid, const HubbardBall *ball)
{
    double farthest = 0;
    for (int i = 0; i < 20; ++i) {
        imp_Vec3 vertex = impi_add_scaled(ball->center, ball->radius, dodecahedron_vertex(i));
        if (is_solid && impi_surface_field_is_inside(field, vertex))
            continue;
        impi_NearestPoint nearest =
            impi_surface_field_nearest(field, impi_to_local(&field->frame, vertex), IMPI_NO_SLOT, -1);
        farthest = fmax(farthest, scalbn(nearest.distance, -field->frame.exponent));
    }
    return farthest;
}

double hubbard_error_bound(const HubbardBall *a, double protrusion_a, const HubbardBall *b,
                           double protrusion_b)
{
    double overlap = a->radius + b->radius - impi_length(impi_subtract(a->center, b->center));
    return protrusion_a + protrusion_b - overlap;
}
