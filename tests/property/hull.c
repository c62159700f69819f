// Hulls against their definition, in the exact oracle's arithmetic: a closed surface that turns outward, all
// points on or below every face, no vertex too many, none missing. Points are random, on lattices, on
// spheres, all but flat, repeated, on a few lines, huge, tiny.
#include "harness.h"
#include "oracle/case_numbers.h"
#include "oracle/exact_oracle.h"
#include "scenes/convex_shapes.h"

#include <impinge/convex.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_SMALL_COUNT 60

typedef enum Family {
    BALL,
    SPHERE,
    TINY_LATTICE, ///< coordinates 0, 1, 2: many in one plane, on one line or equal
    LATTICE,
    TURNED_LATTICE, ///< rounded: planes are nearly planes
    FLAT_BY_AN_ULP,
    REPEATED,
    ON_LINES,
    ANY_SIZE,
    PLANE, ///< in one, unless it is scaled with roundings
    LINE,
    FAMILY_COUNT
} Family;

static const char *const family_names[FAMILY_COUNT] = {
    "ball",     "sphere",   "tiny lattice", "lattice", "turned lattice", "flat by an ulp", "repeated",
    "on lines", "any size", "plane",        "line"};

static imp_Vec3 lattice_point(uint32_t size)
{
    double x = test_random_below(size), y = test_random_below(size), z = test_random_below(size);
    return (imp_Vec3){x, y, z};
}

static imp_Vec3 ball_point(void)
{
    for (;;) {
        imp_Vec3 p = random_vector(1);
        if (p.x * p.x + p.y * p.y + p.z * p.z < 1)
            return p;
    }
}

// Points on four edges that meet in a corner: most of them are not extreme.
static imp_Vec3 point_on_lines(void)
{
    static const imp_Vec3 steps[4] = {{1, 0, 0}, {1, 2, 0}, {0, 1, 3}, {2, 0, 1}};
    uint32_t line = test_random_below(4);
    return along((imp_Vec3){5, 5, 5}, test_random_below(8), steps[line]);
}

static imp_Vec3 any_size_point(void)
{
    double x = random_of_any_size(), y = random_of_any_size(), z = random_of_any_size();
    return (imp_Vec3){x, y, z};
}

static imp_Vec3 turned(imp_Vec3 p)
{
    imp_Transform transform;
    CHECK_INT(imp_pose_transform(&(imp_Pose){{0.1, 0.2, 0.3}, {0.5, 0.1, 0.7, 0.5}}, &transform),
              IMP_STATUS_OK);
    return imp_transform_apply(&transform, p);
}

static imp_Vec3 flat_point(void)
{
    imp_Vec3 p = random_vector(1);
    p.z = test_random_below(8) ? 1 : 1 + 0x1p-52;
    return p;
}

static imp_Vec3 make_point(Family family, const imp_Vec3 *earlier, size_t count)
{
    imp_Vec3 p;
    switch (family) {
    case SPHERE:
        scene_convex_points(SCENE_ELLIPSOID, 1, test_random(), &p);
        return p;
    case TINY_LATTICE:
        return lattice_point(3);
    case LATTICE:
        return lattice_point(9);
    case TURNED_LATTICE:
        return turned(lattice_point(4));
    case FLAT_BY_AN_ULP:
        return flat_point();
    case REPEATED:
        return count > 0 && test_random_below(3) ? earlier[test_random_below((uint32_t)count)] : ball_point();
    case ON_LINES:
        return point_on_lines();
    case ANY_SIZE:
        return any_size_point();
    case PLANE:
        p = lattice_point(5);
        return (imp_Vec3){p.x, p.y, 2 * p.x - 3 * p.y + 7};
    case LINE:
        p = lattice_point(9);
        return (imp_Vec3){p.x, 7 - 2 * p.x, 3 * p.x};
    default:
        return ball_point();
    }
}

static void make_points(Family family, size_t count, imp_Vec3 *points)
{
    for (size_t i = 0; i < count; ++i)
        points[i] = make_point(family, points, i);
}

static void make_scaled_points(Family family, size_t count, imp_Vec3 *points)
{
    make_points(family, count, points);
    if (family != ANY_SIZE)
        scale_coordinates(&points->x, (int)(3 * count), random_scaling());
    flip_zeros(&points->x, (int)(3 * count));
}

static bool are_equal(imp_Vec3 a, imp_Vec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static bool are_collinear(imp_Vec3 a, imp_Vec3 b, imp_Vec3 c)
{
    imp_Vec2 xy[3] = {{a.x, a.y}, {b.x, b.y}, {c.x, c.y}};
    imp_Vec2 yz[3] = {{a.y, a.z}, {b.y, b.z}, {c.y, c.z}};
    imp_Vec2 zx[3] = {{a.z, a.x}, {b.z, b.x}, {c.z, c.x}};
    return oracle_orient2d(xy[0], xy[1], xy[2]) == 0 && oracle_orient2d(yz[0], yz[1], yz[2]) == 0 &&
           oracle_orient2d(zx[0], zx[1], zx[2]) == 0;
}

static bool is_between(double a, double b, double c)
{
    return (a <= b && b <= c) || (c <= b && b <= a);
}

static bool is_inside_segment(imp_Vec3 a, imp_Vec3 p, imp_Vec3 b)
{
    return is_between(a.x, p.x, b.x) && is_between(a.y, p.y, b.y) && is_between(a.z, p.z, b.z) &&
           are_collinear(a, p, b);
}

// How much points span, by trying all of them.
static int dimension_of(const imp_Vec3 *p, size_t count)
{
    size_t b = 1, c = 1, d = 1;
    while (b < count && are_equal(p[0], p[b]))
        ++b;
    while (b < count && c < count && are_collinear(p[0], p[b], p[c]))
        ++c;
    while (c < count && d < count && oracle_orient3d(p[0], p[b], p[c], p[d]) == 0)
        ++d;
    return b >= count ? 0 : c >= count ? 1 : d >= count ? 2 : 3;
}

// Every directed edge of the surface: which one leads the other way?
typedef struct Surface {
    const imp_Vec3 *vertices;
    const uint32_t *indices;
    size_t vertex_count, triangle_count;
} Surface;

static imp_Vec3 corner(const Surface *surface, size_t face, size_t i)
{
    return surface->vertices[surface->indices[3 * face + i % 3]];
}

static int compare_words(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

// Each directed edge comes once, and so does its opposite; with V - E + F = 2 and all vertices used by one
// fan of triangles, the surface is a sphere.
static bool is_closed_sphere(const Surface *surface)
{
    size_t count = 3 * surface->triangle_count;
    uint64_t *edges = malloc(2 * count * sizeof *edges), *opposites = edges + count;
    for (size_t i = 0; i < count; ++i) {
        uint64_t from = surface->indices[i], to = surface->indices[i % 3 == 2 ? i - 2 : i + 1];
        edges[i] = from << 32 | to;
        opposites[i] = to << 32 | from;
    }
    qsort(edges, count, sizeof *edges, compare_words);
    qsort(opposites, count, sizeof *opposites, compare_words);
    bool fine = memcmp(edges, opposites, count * sizeof *edges) == 0;
    for (size_t i = 1; i < count; ++i)
        fine = fine && edges[i - 1] < edges[i];
    free(edges);
    return fine && surface->vertex_count + surface->triangle_count == count / 2 + 2;
}

static bool is_in_canonical_order(const Surface *surface)
{
    for (size_t f = 0; f < surface->triangle_count; ++f) {
        const uint32_t *c = surface->indices + 3 * f;
        if (c[0] >= c[1] || c[0] >= c[2])
            return false;
        if (f > 0 && (c[-3] > c[0] || (c[-3] == c[0] && c[-2] >= c[1])))
            return false;
    }
    return true;
}

// Vertices are points, in their order: to the bit the first of those that are equal.
static bool are_points_in_order(const Surface *surface, const imp_Vec3 *points, size_t count)
{
    size_t next = 0;
    for (size_t v = 0; v < surface->vertex_count; ++v) {
        size_t first = 0;
        while (first < count && !are_equal(points[first], surface->vertices[v]))
            ++first;
        if (first < next || first == count ||
            memcmp(&points[first], &surface->vertices[v], sizeof *points) != 0)
            return false;
        next = first + 1;
    }
    return true;
}

static bool is_extreme(const Surface *surface, uint32_t vertex)
{
    imp_Vec3 neighbours[256], p = surface->vertices[vertex];
    size_t count = 0;
    for (size_t i = 0; i < 3 * surface->triangle_count; ++i)
        if (surface->indices[i] == vertex && count < 256)
            neighbours[count++] = corner(surface, i / 3, i % 3 + 1);
    // Inside of an edge of the hull: the surface has an edge along it on both sides.
    for (size_t i = 0; i < count; ++i)
        for (size_t j = 0; j < i; ++j)
            if (is_inside_segment(neighbours[i], p, neighbours[j]))
                return false;
    // Inside of a facet: all neighbours are in its plane, and no two of them in line with the vertex.
    for (size_t i = 2; i < count; ++i)
        if (oracle_orient3d(p, neighbours[0], neighbours[1], neighbours[i]) != 0)
            return true;
    return false;
}

static bool is_vertex(const Surface *surface, imp_Vec3 point)
{
    for (size_t v = 0; v < surface->vertex_count; ++v)
        if (are_equal(surface->vertices[v], point))
            return true;
    return false;
}

typedef int (*OrientFn)(imp_Vec3 a, imp_Vec3 b, imp_Vec3 c, imp_Vec3 d);

static int own_orient3d(imp_Vec3 a, imp_Vec3 b, imp_Vec3 c, imp_Vec3 d)
{
    int sign = 2;
    CHECK_INT(imp_orient3d(a, b, c, d, &sign), IMP_STATUS_OK);
    return sign;
}

// No point is outside of a face. `on_surface` may be null; else it tells which points lie in a face's plane.
static bool faces_support(const Surface *surface, const imp_Vec3 *points, size_t count, OrientFn orient,
                          bool *on_surface)
{
    for (size_t f = 0; f < surface->triangle_count; ++f)
        for (size_t i = 0; i < count; ++i) {
            int side = orient(corner(surface, f, 0), corner(surface, f, 1), corner(surface, f, 2), points[i]);
            if (side > 0)
                return false;
            if (on_surface && side == 0)
                on_surface[i] = true;
        }
    return true;
}

static Surface surface_of(const imp_Convex *convex)
{
    const imp_Mesh *mesh = imp_convex_get_mesh(convex);
    return (Surface){imp_mesh_get_vertices(mesh), imp_mesh_get_indices(mesh), imp_mesh_get_vertex_count(mesh),
                     imp_mesh_get_triangle_count(mesh)};
}

static bool check_surface(const Surface *surface, const imp_Vec3 *points, size_t count)
{
    bool fine = CHECK(is_closed_sphere(surface)) && CHECK(is_in_canonical_order(surface)) &&
                CHECK(are_points_in_order(surface, points, count));
    for (size_t f = 0; f < surface->triangle_count && fine; ++f)
        fine = CHECK(!are_collinear(corner(surface, f, 0), corner(surface, f, 1), corner(surface, f, 2)));
    return fine;
}

static bool check_hull(const imp_Convex *convex, bool keep_coplanar, const imp_Vec3 *points, size_t count)
{
    bool on_surface[MAX_SMALL_COUNT] = {0};
    Surface surface = surface_of(convex);
    bool fine = check_surface(&surface, points, count) &&
                CHECK(faces_support(&surface, points, count, oracle_orient3d, on_surface));
    for (uint32_t v = 0; v < surface.vertex_count && fine && !keep_coplanar; ++v)
        fine = CHECK(is_extreme(&surface, v));
    for (size_t i = 0; i < count && fine && keep_coplanar; ++i)
        fine = CHECK(is_vertex(&surface, points[i]) == on_surface[i]);
    return fine;
}

// What became of the cases of a family.
typedef struct Tally {
    uint64_t dimensions[4];            // how many points, lines, planes and hulls there were
    uint64_t with_points_inside_faces; // so that keeping them makes a difference
} Tally;

static void check_flat(imp_Context *context, imp_Status status, int dimension)
{
    static const char *const messages[3] = {"are all equal", "lie on one line", "lie in one plane"};
    CHECK_INT(status, IMP_STATUS_BAD_SHAPE);
    CHECK_CONTAINS(imp_context_get_error(context)->message, messages[dimension]);
}

static bool try_points(imp_Context *context, const imp_Vec3 *points, size_t count, Tally *tally)
{
    size_t vertex_counts[2] = {0, 0};
    int dimension = dimension_of(points, count);
    bool fine = true;
    for (int keep = 0; keep < 2; ++keep) {
        imp_ConvexDef def = {.points = &points->x, .point_count = count, .keep_coplanar = keep};
        imp_Convex *convex = NULL, *again = NULL;
        imp_Status status = imp_convex_create(context, &def, &convex);
        if (dimension < 3) {
            check_flat(context, status, dimension);
            continue;
        }
        if (!CHECK_INT(status, IMP_STATUS_OK))
            return false;
        fine = check_hull(convex, keep, points, count) && fine;
        vertex_counts[keep] = imp_mesh_get_vertex_count(imp_convex_get_mesh(convex));
        fine = CHECK_INT(imp_convex_create_from_mesh(context, imp_convex_get_mesh(convex), &again),
                         IMP_STATUS_OK) &&
               fine;
        imp_convex_release(convex);
        imp_convex_release(again);
    }
    ++tally->dimensions[dimension];
    tally->with_points_inside_faces += vertex_counts[1] > vertex_counts[0];
    return fine;
}

static void check_tally(const Tally *tally, uint64_t count_each)
{
    printf("%-15s %8s %8s %8s %8s %14s\n", "points", "equal", "line", "plane", "hulls", "inside faces");
    for (int f = 0; f < FAMILY_COUNT; ++f) {
        const Tally *t = &tally[f];
        printf("%-15s %8" PRIu64 " %8" PRIu64 " %8" PRIu64 " %8" PRIu64 " %14" PRIu64 "\n", family_names[f],
               t->dimensions[0], t->dimensions[1], t->dimensions[2], t->dimensions[3],
               t->with_points_inside_faces);
        CHECK(t->dimensions[f == PLANE ? 2 : f == LINE ? 1 : 3] * 2 > count_each);
    }
    CHECK(tally[TINY_LATTICE].dimensions[2] > 0 && tally[REPEATED].dimensions[0] > 0);
    CHECK(tally[TINY_LATTICE].with_points_inside_faces * 3 > count_each);
    CHECK(tally[ON_LINES].with_points_inside_faces * 3 > count_each);
    CHECK(tally[FLAT_BY_AN_ULP].with_points_inside_faces * 3 > count_each);
    CHECK(tally[SPHERE].with_points_inside_faces * 50 < count_each);
}

TEST(hulls_of_few_points_are_what_they_are_defined_to_be)
{
    imp_Context *context = NULL;
    Tally tally[FAMILY_COUNT] = {{{0}, 0}};
    CHECK_INT(imp_context_create(NULL, &context), IMP_STATUS_OK);
    uint64_t count_each = test_count(1100) / FAMILY_COUNT;
    for (uint64_t i = 0; i < count_each * FAMILY_COUNT; ++i) {
        imp_Vec3 points[MAX_SMALL_COUNT];
        Family family = (Family)(i % FAMILY_COUNT);
        uint32_t most = test_random_below(2) ? MAX_SMALL_COUNT : 9;
        size_t count = 4 + test_random_below(most - 3);
        make_scaled_points(family, count, points);
        if (!try_points(context, points, count, &tally[family]))
            printf("  %s, case %" PRIu64 "\n", family_names[family], i);
    }
    check_tally(tally, count_each);
    imp_context_destroy(context);
}

// Larger sets, judged by the library's own orientation, which other tests hold against the oracle.
static void try_many(imp_Context *context, Family family, size_t count, bool keep_coplanar)
{
    imp_Vec3 *points = malloc(count * sizeof *points);
    imp_Convex *convex = NULL;
    make_points(family, count, points);
    imp_ConvexDef def = {.points = &points->x, .point_count = count, .keep_coplanar = keep_coplanar};
    if (CHECK_INT(imp_convex_create(context, &def, &convex), IMP_STATUS_OK)) {
        Surface surface = surface_of(convex);
        CHECK(check_surface(&surface, points, count));
        CHECK(faces_support(&surface, points, count, own_orient3d, NULL));
    }
    imp_convex_release(convex);
    free(points);
}

TEST(hulls_of_many_points_hold_them_all)
{
    imp_Context *context = NULL;
    CHECK_INT(imp_context_create(NULL, &context), IMP_STATUS_OK);
    try_many(context, BALL, 10000, false);
    try_many(context, SPHERE, 1500, false);
    try_many(context, LATTICE, 10000, false);
    try_many(context, LATTICE, 3000, true);
    try_many(context, TURNED_LATTICE, 3000, true);
    try_many(context, FLAT_BY_AN_ULP, 2000, false);
    try_many(context, FLAT_BY_AN_ULP, 300, true);
    try_many(context, REPEATED, 3000, true);
    try_many(context, ANY_SIZE, 1000, false);
    imp_context_destroy(context);
}

// Points in another order: the same vertices.
TEST(the_order_of_points_does_not_matter)
{
    imp_Context *context = NULL;
    CHECK_INT(imp_context_create(NULL, &context), IMP_STATUS_OK);
    for (uint64_t i = 0; i < test_count(1100) / 10; ++i) {
        imp_Vec3 points[MAX_SMALL_COUNT];
        Family family = (Family)(i % PLANE);
        make_scaled_points(family, MAX_SMALL_COUNT, points);
        imp_ConvexDef def = {
            .points = &points->x, .point_count = MAX_SMALL_COUNT, .keep_coplanar = i % 2 != 0};
        imp_Convex *convex = NULL, *shuffled = NULL;
        CHECK_INT(imp_convex_create(context, &def, &convex), IMP_STATUS_OK);
        for (uint32_t k = MAX_SMALL_COUNT - 1; k > 0; --k) {
            uint32_t other = test_random_below(k + 1);
            imp_Vec3 p = points[k];
            points[k] = points[other];
            points[other] = p;
        }
        CHECK_INT(imp_convex_create(context, &def, &shuffled), IMP_STATUS_OK);
        if (CHECK(!convex == !shuffled) && convex) {
            Surface a = surface_of(convex), b = surface_of(shuffled);
            CHECK_INT((int64_t)a.vertex_count, (int64_t)b.vertex_count);
            for (size_t v = 0; v < a.vertex_count; ++v)
                CHECK(is_vertex(&b, a.vertices[v]));
        }
        imp_convex_release(convex);
        imp_convex_release(shuffled);
    }
    imp_context_destroy(context);
}
