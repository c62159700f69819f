#include "convex_cases.h"

#include "harness.h"

#include <math.h>
#include <stdio.h>

#define PI         3.14159265358979323846
#define SLOW_TURNS 16

const ConvexKindInfo convex_kinds[CONVEX_KIND_COUNT] = {
    [CONVEX_GENERIC] = {"generic", 0.2, 0.8, false},
    [CONVEX_PLANE_CONTACT] = {"plane_contact", 0.3, 0.9, true},
    [CONVEX_ONE_ULP_OFF] = {"one_ulp_off", 0.3, 0.9, true},
    [CONVEX_EDGE_CROSSING] = {"edge_crossing", 0.3, 1, true},
    [CONVEX_SHARED_VERTEX] = {"shared_vertex", 0.2, 0.9, true},
    [CONVEX_IDENTICAL] = {"identical", 0.5, 1, false},
    [CONVEX_INSIDE] = {"inside", 0.9, 1, false},
    [CONVEX_CUBES] = {"cubes", 0.3, 0.9, true},
    [CONVEX_PARALLEL_FACES] = {"parallel_faces", 0.2, 0.9, true},
    [CONVEX_SMALL_LATTICE] = {"small_lattice", 0.2, 0.9, false},
    [CONVEX_FLAT] = {"flat", 0.1, 0.9, false},
    [CONVEX_COLLAPSED] = {"collapsed", 0.2, 0.9, true},
    [CONVEX_ANY_MAGNITUDE] = {"any_magnitude", 0.1, 1, false},
    [CONVEX_TINY_BESIDE_HUGE] = {"tiny_beside_huge", 0.1, 0.9, false},
    [CONVEX_MANY_VERTICES] = {"many_vertices", 0.2, 0.8, false},
};

// ------------------------------------------------------------------------------------------- points

static size_t random_count(size_t least, size_t most)
{
    return least + test_random_below((uint32_t)(most - least + 1));
}

static double dot(imp_Vec3 a, imp_Vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static imp_Vec3 cross(imp_Vec3 a, imp_Vec3 b)
{
    return (imp_Vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static imp_Vec3 times(double factor, imp_Vec3 v)
{
    return (imp_Vec3){factor * v.x, factor * v.y, factor * v.z};
}

static imp_Vec3 random_on_sphere(void)
{
    imp_Vec3 v;
    double square;
    do {
        v = random_vector(1);
        square = dot(v, v);
    } while (square > 1 || square < 0.01);
    return times(1 / sqrt(square), v);
}

// Points of a come first: a builder adds all of them before any of b.
static void add_a(ConvexCase *pair, imp_Vec3 point)
{
    pair->points[pair->count_a++] = point;
}

static void add_b(ConvexCase *pair, imp_Vec3 point)
{
    pair->points[pair->count_a + pair->count_b++] = point;
}

typedef void (*AddFn)(ConvexCase *pair, imp_Vec3 point);

static void add_cloud(ConvexCase *pair, AddFn add, size_t count)
{
    for (size_t i = 0; i < count; ++i)
        add(pair, random_vector(1));
}

// -------------------------------------------------------------------------------------------- poses

// One of the 12 ways to turn a regular tetrahedron onto itself, which are those of a cube that quaternions
// give exactly: none, half turns around the axes, thirds of a turn around the diagonals.
static imp_Quat random_orientation(void)
{
    static const imp_Quat halves[4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};
    uint32_t choice = test_random_below(12), signs = choice - 4;
    if (choice < 4)
        return halves[choice];
    return (imp_Quat){0.5, signs & 1 ? 0.5 : -0.5, signs & 2 ? 0.5 : -0.5, signs & 4 ? 0.5 : -0.5};
}

static imp_Quat random_rotation(void)
{
    double angle = PI * random_signed_unit();
    imp_Vec3 axis = times(sin(angle), random_on_sphere());
    return (imp_Quat){cos(angle), axis.x, axis.y, axis.z};
}

static imp_Transform transform_of(const imp_Pose *pose)
{
    imp_Transform transform = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {0, 0, 0}};
    CHECK_INT(imp_pose_transform(pose, &transform), IMP_STATUS_OK);
    return transform;
}

static bool is_posed_finite(const imp_Pose *pose, const imp_Vec3 *points, size_t count)
{
    imp_Transform transform = transform_of(pose);
    for (size_t i = 0; i < count; ++i) {
        imp_Vec3 posed = imp_transform_apply(&transform, points[i]);
        if (!isfinite(posed.x) || !isfinite(posed.y) || !isfinite(posed.z))
            return false;
    }
    return true;
}

// One pose for both, so that what they have in common stays common: kept as they are, turned exactly,
// rotated, or far away. What would overflow is left out.
static void pose_together(ConvexCase *pair)
{
    static const double distances[] = {1, 1e3, 1e6, 1e9};
    imp_Pose pose = {0};
    uint32_t choice = test_random_below(4);
    if (choice == 1 || choice == 2)
        pose.rotation = choice == 1 ? random_orientation() : random_rotation();
    if (choice == 3)
        pose.translation = random_lattice_point(distances[test_random_below(4)]);
    if (!is_posed_finite(&pose, pair->points, pair->count_a + pair->count_b))
        pose = (imp_Pose){0};
    pair->pose_a = pose;
    pair->pose_b = pose;
}

// b is moved by a whole number of its orientation's steps.
static void pose_in_grid(ConvexCase *pair, double step, double most)
{
    pair->pose_a.rotation = random_orientation();
    pair->pose_b.rotation = random_orientation();
    pair->pose_b.translation = times(step, random_lattice_point(most));
}

static void pose_apart(ConvexCase *pair, double least, double most)
{
    pair->pose_a.rotation = random_rotation();
    pair->pose_b.rotation = random_rotation();
    imp_Vec3 direction = random_on_sphere(), centre = random_vector(test_random_below(2) ? 1 : 1000);
    double distance = test_random_between(least, most);
    pair->pose_a.translation = centre;
    pair->pose_b.translation = along(centre, distance, direction);
}

// The posed point farthest along a direction.
static imp_Vec3 farthest(const imp_Pose *pose, const imp_Vec3 *points, size_t count, imp_Vec3 direction)
{
    imp_Transform transform = transform_of(pose);
    imp_Vec3 best = imp_transform_apply(&transform, points[0]);
    for (size_t i = 1; i < count; ++i) {
        imp_Vec3 posed = imp_transform_apply(&transform, points[i]);
        if (dot(direction, posed) > dot(direction, best))
            best = posed;
    }
    return best;
}

// Axes that are scaled apart make integers of a hundred words: seldom, because that is slow.
static void scale_points(ConvexCase *pair)
{
    int count = (int)(3 * (pair->count_a + pair->count_b));
    Scaling scaling = random_scaling();
    if (scaling == SCALING_AXES && test_random_below(SLOW_TURNS) > 0)
        scaling = SCALING_NONE;
    scale_coordinates((double *)pair->points, count, scaling);
}

// -------------------------------------------------------------------------------------------- kinds

static void build_generic(ConvexCase *pair)
{
    add_cloud(pair, add_a, random_count(4, 24));
    add_cloud(pair, add_b, random_count(4, 24));
    pose_apart(pair, 0, 3.5);
}

// Lattice vectors that span a plane through the origin, and one on its far side.
typedef struct LatticePlane {
    imp_Vec3 normal, u, v;
} LatticePlane;

static LatticePlane random_plane(void)
{
    LatticePlane plane;
    do {
        imp_Vec3 other = random_lattice_step(2);
        plane.normal = random_lattice_step(3);
        plane.u = cross(plane.normal, other);
    } while (dot(plane.u, plane.u) == 0);
    plane.v = cross(plane.normal, plane.u);
    return plane;
}

static imp_Vec3 random_in_plane(const LatticePlane *plane, double most)
{
    double u = random_integer(most), v = random_integer(most);
    return along(times(u, plane->u), v, plane->v);
}

static void add_on_side(ConvexCase *pair, AddFn add, const LatticePlane *plane, double side, size_t count)
{
    while (count > 0) {
        imp_Vec3 point = random_lattice_point(60);
        double height = dot(plane->normal, point);
        if (height == 0)
            continue;
        add(pair, times(height * side > 0 ? 1 : -1, point));
        --count;
    }
}

static void add_plane_contact(ConvexCase *pair)
{
    LatticePlane plane = random_plane();
    size_t in_plane_a = random_count(1, 5), in_plane_b = random_count(1, 5);
    for (size_t i = 0; i < in_plane_a; ++i)
        add_a(pair, random_in_plane(&plane, 2));
    add_on_side(pair, add_a, &plane, -1, random_count(in_plane_a < 3 ? 4 - in_plane_a : 1, 8));
    for (size_t i = 0; i < in_plane_b; ++i)
        add_b(pair, random_in_plane(&plane, 2));
    add_on_side(pair, add_b, &plane, 1, random_count(in_plane_b < 3 ? 4 - in_plane_b : 1, 8));
    if (test_random_below(4) == 0)
        add_b(pair, pair->points[0]);
}

static void build_plane_contact(ConvexCase *pair)
{
    add_plane_contact(pair);
    scale_points(pair);
    pose_together(pair);
}

static void build_one_ulp_off(ConvexCase *pair)
{
    add_plane_contact(pair);
    scale_points(pair);
    double *coordinate =
        (double *)pair->points + test_random_below((uint32_t)(3 * (pair->count_a + pair->count_b)));
    *coordinate = one_ulp_off(*coordinate);
    pose_together(pair);
}

static void build_edge_crossing(ConvexCase *pair)
{
    LatticePlane plane = random_plane();
    imp_Vec3 crossing = random_in_plane(&plane, 9);
    double lengths[4];
    for (int i = 0; i < 4; ++i)
        lengths[i] = 1 + test_random_below(50);
    add_a(pair, along(crossing, lengths[0], plane.u));
    add_a(pair, along(crossing, -lengths[1], plane.u));
    add_on_side(pair, add_a, &plane, -1, random_count(2, 6));
    add_b(pair, along(crossing, lengths[2], plane.v));
    add_b(pair, along(crossing, -lengths[3], plane.v));
    add_on_side(pair, add_b, &plane, 1, random_count(2, 6));
    scale_points(pair);
    pose_together(pair);
}

static void build_shared_vertex(ConvexCase *pair)
{
    static const double gaps[] = {0, 0, 0x1p-52, 1e-14, 1e-12};
    add_cloud(pair, add_a, random_count(4, 24));
    add_cloud(pair, add_b, random_count(4, 24));
    pose_apart(pair, 0, 1);
    imp_Vec3 direction = random_on_sphere();
    imp_Vec3 of_a = farthest(&pair->pose_a, pair->points, pair->count_a, direction);
    imp_Vec3 of_b =
        farthest(&pair->pose_b, pair->points + pair->count_a, pair->count_b, times(-1, direction));
    double gap = gaps[test_random_below(5)] * random_signed_unit();
    pair->pose_b.translation = sum(pair->pose_b.translation, along(of_a, -1, of_b));
    pair->pose_b.translation = along(pair->pose_b.translation, gap, direction);
}

static void build_identical(ConvexCase *pair)
{
    bool mirrored = test_random_below(4) == 0, lattice = test_random_below(2);
    size_t count = random_count(4, 24);
    for (size_t i = 0; i < count; ++i)
        add_a(pair, lattice ? random_lattice_point(9) : random_vector(1));
    for (size_t i = 0; i < count; ++i)
        add_b(pair, times(mirrored ? -1 : 1, pair->points[i]));
    if (!mirrored)
        scale_points(pair);
    pose_together(pair);
    double *moved = &pair->pose_b.translation.x + test_random_below(3);
    if (test_random_below(3) == 0)
        *moved = one_ulp_off(*moved);
}

static void build_inside(ConvexCase *pair)
{
    static const double factors[] = {0.5, 0.5, 0.0625, 0.9, 0x1.fffffffffffffp-1};
    double factor = factors[test_random_below(5)];
    size_t count = random_count(8, 24), centre = test_random_below((uint32_t)count);
    for (size_t i = 0; i < count; ++i)
        add_a(pair, random_lattice_point(64));
    for (size_t i = 0; i < count; ++i) // drawn towards one point, which is a vertex of both or inside of both
        add_b(pair, along(times(factor, pair->points[i]), 1 - factor, pair->points[centre]));
    scale_points(pair);
    pose_together(pair);
}

static void build_cubes(ConvexCase *pair)
{
    static const double steps[] = {0.5, 1, 0x1p-40};
    for (int i = 0; i < 8; ++i)
        add_a(pair, (imp_Vec3){i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1});
    for (int i = 0; i < 8; ++i)
        add_b(pair, pair->points[i]);
    pose_in_grid(pair, 1, 2);
    imp_Vec3 shift = times(steps[test_random_below(3)], random_lattice_point(1));
    if (test_random_below(2))
        pair->pose_b.translation = sum(pair->pose_b.translation, shift);
}

// A prism between two heights over a polygon with lattice corners.
static void add_prism(ConvexCase *pair, AddFn add, double low, double high)
{
    size_t corners = random_count(3, 8);
    imp_Vec3 centre = random_vector(1);
    for (size_t i = 0; i < corners; ++i) {
        imp_Vec3 corner = sum(centre, random_vector(1));
        add(pair, (imp_Vec3){corner.x, corner.y, low});
        add(pair, (imp_Vec3){corner.x, corner.y, high});
    }
}

static void build_parallel_faces(ConvexCase *pair)
{
    double gap = 0x1p-53 * random_integer(4), tilt = 0x1p-52 * random_integer(1);
    add_prism(pair, add_a, -1, 0);
    add_prism(pair, add_b, gap, 1);
    for (size_t i = 0; i < pair->count_b; ++i) {
        imp_Vec3 *point = &pair->points[pair->count_a + i];
        point->z += tilt * point->x;
    }
    pose_together(pair);
}

static void build_small_lattice(ConvexCase *pair)
{
    for (size_t i = random_count(4, 9); i > 0; --i)
        add_a(pair, random_lattice_point(2));
    for (size_t i = random_count(4, 9); i > 0; --i)
        add_b(pair, random_lattice_point(2));
    pose_in_grid(pair, 1, 3);
}

static void build_flat(ConvexCase *pair)
{
    double thickness = ldexp(1, -(int)test_random_below(60)), width = test_random_below(2) ? 1 : thickness;
    add_cloud(pair, add_a, random_count(4, 24));
    add_cloud(pair, add_b, random_count(4, 24));
    for (size_t i = 0; i < pair->count_a + pair->count_b; ++i) {
        pair->points[i].z *= thickness;
        pair->points[i].y *= width;
    }
    pose_apart(pair, 0, 1);
    if (test_random_below(2))
        pair->pose_b = pair->pose_a;
}

// Bodies that measure some ulps of their coordinates, up to single points that measure 1.
static void build_collapsed(ConvexCase *pair)
{
    static const double distances[] = {1e15, 1e16, 1e17};
    double distance = distances[test_random_below(3)];
    add_cloud(pair, add_a, random_count(4, 24));
    add_cloud(pair, add_b, random_count(4, 24));
    pose_apart(pair, 0, 3);
    imp_Vec3 far = times(distance, random_on_sphere()), shift = random_vector(2);
    double size = distance * 0x1p-52;
    for (size_t i = 0; i < pair->count_a + pair->count_b; ++i)
        pair->points[i] = times(test_random_below(8) ? size : 1, pair->points[i]);
    pair->pose_a.translation = far;
    pair->pose_b.translation = along(far, size, shift);
}

static imp_Vec3 random_of_any_size_point(void)
{
    double x = random_of_any_size(), y = random_of_any_size(), z = random_of_any_size();
    return (imp_Vec3){x, y, z};
}

static void build_any_magnitude(ConvexCase *pair)
{
    for (size_t i = random_count(4, 9); i > 0; --i)
        add_a(pair, random_of_any_size_point());
    for (size_t i = random_count(4, 9); i > 0; --i)
        add_b(pair, random_of_any_size_point());
    pose_together(pair);
}

static void build_tiny_beside_huge(ConvexCase *pair)
{
    bool touching = test_random_below(2);
    add_cloud(pair, add_a, random_count(4, 12));
    imp_Vec3 at = touching ? pair->points[0] : random_vector(2);
    double huge = ldexp(1, (int)test_random_below(990)), tiny = ldexp(1, -(int)test_random_below(990));
    for (size_t i = 0; i < pair->count_a; ++i)
        pair->points[i] = times(huge, pair->points[i]);
    add_cloud(pair, add_b, random_count(4, 12));
    for (size_t i = 0; i < pair->count_b; ++i) {
        imp_Vec3 *point = &pair->points[pair->count_a + i];
        *point = times(tiny, *point);
    }
    if (touching) // one vertex is common
        add_b(pair, times(huge, at));
    pose_together(pair);
    if (!touching && test_random_below(2))
        pair->pose_b.translation = times(huge, at);
}

static size_t random_large_count(void)
{
    uint32_t choice = test_random_below(1000);
    return choice < 3    ? CONVEX_CASE_MAX_POINTS
           : choice < 30 ? random_count(500, 3000)
                         : random_count(30, 300);
}

static void build_many_vertices(ConvexCase *pair)
{
    for (size_t i = random_large_count(); i > 0; --i)
        add_a(pair, random_on_sphere());
    for (size_t i = random_large_count(); i > 0; --i)
        add_b(pair, random_on_sphere());
    if (test_random_below(2))
        pose_apart(pair, 1, 3);
    else
        pose_apart(pair, 1.9, 2.02);
}

ConvexKind convex_case_kind(uint64_t n)
{
    ConvexKind kind = (ConvexKind)(n % CONVEX_KIND_COUNT);
    bool is_slow = kind == CONVEX_ANY_MAGNITUDE || kind == CONVEX_TINY_BESIDE_HUGE;
    return is_slow && n / CONVEX_KIND_COUNT % SLOW_TURNS > 0 ? CONVEX_GENERIC : kind;
}

void convex_case_make(ConvexKind kind, ConvexCase *pair)
{
    static void (*const builders[CONVEX_KIND_COUNT])(ConvexCase *) = {
        [CONVEX_GENERIC] = build_generic,
        [CONVEX_PLANE_CONTACT] = build_plane_contact,
        [CONVEX_ONE_ULP_OFF] = build_one_ulp_off,
        [CONVEX_EDGE_CROSSING] = build_edge_crossing,
        [CONVEX_SHARED_VERTEX] = build_shared_vertex,
        [CONVEX_IDENTICAL] = build_identical,
        [CONVEX_INSIDE] = build_inside,
        [CONVEX_CUBES] = build_cubes,
        [CONVEX_PARALLEL_FACES] = build_parallel_faces,
        [CONVEX_SMALL_LATTICE] = build_small_lattice,
        [CONVEX_FLAT] = build_flat,
        [CONVEX_COLLAPSED] = build_collapsed,
        [CONVEX_ANY_MAGNITUDE] = build_any_magnitude,
        [CONVEX_TINY_BESIDE_HUGE] = build_tiny_beside_huge,
        [CONVEX_MANY_VERTICES] = build_many_vertices,
    };
    pair->kind = kind;
    do {
        pair->count_a = 0;
        pair->count_b = 0;
        pair->pose_a = (imp_Pose){0};
        pair->pose_b = (imp_Pose){0};
        builders[kind](pair);
    } while (!is_posed_finite(&pair->pose_a, pair->points, pair->count_a) ||
             !is_posed_finite(&pair->pose_b, pair->points + pair->count_a, pair->count_b));
}

// ---------------------------------------------------------------------------------------- printing

#define MAX_PRINTS         10
#define MAX_PRINTED_POINTS 60

static void print_pose(const char *name, const imp_Pose *pose)
{
    printf("  %s {%a, %a, %a}", name, pose->translation.x, pose->translation.y, pose->translation.z);
    printf(" {%a, %a, %a, %a}\n", pose->rotation.w, pose->rotation.x, pose->rotation.y, pose->rotation.z);
}

void convex_case_print(const ConvexCase *pair)
{
    static int prints;
    if (++prints > MAX_PRINTS)
        return;
    printf("  %s, %zu and %zu points\n", convex_kinds[pair->kind].name, pair->count_a, pair->count_b);
    print_pose("a", &pair->pose_a);
    print_pose("b", &pair->pose_b);
    size_t count = pair->count_a + pair->count_b;
    for (size_t i = 0; i < count && count <= MAX_PRINTED_POINTS; ++i)
        printf("  %s {%a, %a, %a}\n", i < pair->count_a ? "a" : "b", pair->points[i].x, pair->points[i].y,
               pair->points[i].z);
}
