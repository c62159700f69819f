/// imp_mesh_locate_points against an oracle that shares no idea with it: the winding number as a sum over
/// the tetrahedra that the faces make with some far point, in whole numbers. The far point is drawn anew
/// until the query lies on no side of a tetrahedron, so no perturbation is needed.
#include "harness.h"
#include "oracle/exact_oracle.h"
#include "scenes/shapes.h"

#include <impinge/impinge.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Snapped coordinates are multiples of 4 steps, so that halves and quarters of edges are whole steps.
#define STEP          (1.0 / 256)
#define MESH_LIMIT    65536  // in steps
#define FURTHEST_STEP 500000 // differences to the third power, six times, stay below 2^63

// Are all coordinates whole steps within the limits? Otherwise GMP decides, a hundred times slower.
static bool in_steps;

static int sign_of(int64_t value)
{
    return (value > 0) - (value < 0);
}

static int64_t steps(double coordinate)
{
    return (int64_t)(coordinate * (1 / STEP));
}

static int sign3(const imp_Vec3 *a, const imp_Vec3 *b, const imp_Vec3 *c, const imp_Vec3 *d)
{
    if (!in_steps)
        return oracle_orient3d(*a, *b, *c, *d);
    int64_t ux = steps(b->x - a->x), uy = steps(b->y - a->y), uz = steps(b->z - a->z);
    int64_t vx = steps(c->x - a->x), vy = steps(c->y - a->y), vz = steps(c->z - a->z);
    int64_t wx = steps(d->x - a->x), wy = steps(d->y - a->y), wz = steps(d->z - a->z);
    return sign_of(wx * (uy * vz - uz * vy) + wy * (uz * vx - ux * vz) + wz * (ux * vy - uy * vx));
}

// The signs of the three components of (b - a) x (c - a).
static void normal_signs(const imp_Vec3 *a, const imp_Vec3 *b, const imp_Vec3 *c, int signs[3])
{
    signs[0] = oracle_orient2d((imp_Vec2){a->y, a->z}, (imp_Vec2){b->y, b->z}, (imp_Vec2){c->y, c->z});
    signs[1] = oracle_orient2d((imp_Vec2){a->z, a->x}, (imp_Vec2){b->z, b->x}, (imp_Vec2){c->z, c->x});
    signs[2] = oracle_orient2d((imp_Vec2){a->x, a->y}, (imp_Vec2){b->x, b->y}, (imp_Vec2){c->x, c->y});
}

static bool collinear(const imp_Vec3 *a, const imp_Vec3 *b, const imp_Vec3 *c)
{
    int signs[3];
    normal_signs(a, b, c, signs);
    return !signs[0] && !signs[1] && !signs[2];
}

static bool equal(const imp_Vec3 *a, const imp_Vec3 *b)
{
    return a->x == b->x && a->y == b->y && a->z == b->z;
}

static bool oracle_is_on(const imp_Vec3 *p, const imp_Triangle *t)
{
    for (int axis = 0; axis < 3; ++axis) {
        double low = INFINITY, high = -INFINITY, at = (&p->x)[axis];
        for (int k = 0; k < 3; ++k) {
            low = fmin(low, (&t->v[k].x)[axis]);
            high = fmax(high, (&t->v[k].x)[axis]);
        }
        if (at < low || at > high)
            return false;
    }
    return oracle_segment_touches_triangle(&(imp_Segment){{*p, *p}}, t);
}

// How the tetrahedron of the triangle and the far point counts. False when that can't be said.
static bool tetrahedron_counts(const imp_Triangle *t, const imp_Vec3 *far_point, const imp_Vec3 *p,
                               int *count)
{
    int inside_sides = 0, whole = sign3(&t->v[0], &t->v[1], &t->v[2], far_point);
    for (int k = 0; k < 3; ++k) {
        const imp_Vec3 *a = &t->v[k], *b = &t->v[(k + 1) % 3];
        if (equal(a, b))
            continue;
        int side = sign3(a, b, p, far_point);
        if (side == 0 && !collinear(a, b, p))
            return false;
        inside_sides += side != 0 && side == whole;
    }
    bool inside = inside_sides == 3 && sign3(&t->v[0], &t->v[1], &t->v[2], p) == whole;
    *count = inside ? -whole : 0;
    return true;
}

// What a mesh is surrounded by.
typedef struct Surroundings {
    imp_Vec3 centre;
    double extent;
} Surroundings;

static Surroundings surroundings_of(const imp_Mesh *mesh)
{
    imp_Box box = imp_mesh_get_bounds(mesh);
    Surroundings around = {{0}, 0};
    for (int axis = 0; axis < 3; ++axis) {
        double low = (&box.min.x)[axis], high = (&box.max.x)[axis];
        (&around.centre.x)[axis] = 0.5 * low + 0.5 * high;
        around.extent = fmax(around.extent, 0.5 * high - 0.5 * low);
    }
    return around;
}

static imp_Vec3 random_point(const Surroundings *around, double reach)
{
    imp_Vec3 point = around->centre;
    for (int axis = 0; axis < 3; ++axis) {
        double offset = test_random_between(-reach, reach) * around->extent;
        (&point.x)[axis] += in_steps ? round(offset / STEP) * STEP : offset;
    }
    return point;
}

static imp_PointLocation oracle_place(const imp_Mesh *mesh, const imp_Vec3 *p, const Surroundings *around)
{
    size_t face_count = imp_mesh_get_triangle_count(mesh);
    for (size_t face = 0; face < face_count; ++face) {
        imp_Triangle t;
        CHECK_INT(imp_mesh_get_triangle(mesh, face, &t), IMP_STATUS_OK);
        if (oracle_is_on(p, &t))
            return IMP_LOCATION_ON_SURFACE;
    }
    for (int attempt = 0; attempt < 1000; ++attempt) {
        imp_Vec3 far_point = random_point(around, 1.5);
        int64_t winding = 0;
        size_t face = 0;
        for (; face < face_count; ++face) {
            int count;
            imp_Triangle t;
            CHECK_INT(imp_mesh_get_triangle(mesh, face, &t), IMP_STATUS_OK);
            if (!tetrahedron_counts(&t, &far_point, p, &count))
                break;
            winding += count;
        }
        if (face == face_count)
            return winding != 0 ? IMP_LOCATION_INSIDE : IMP_LOCATION_OUTSIDE;
    }
    CHECK(!"the oracle found no far point");
    return IMP_LOCATION_OUTSIDE;
}

// Where a query is put.
typedef enum Kind {
    KIND_ANYWHERE,
    KIND_VERTEX,
    KIND_EDGE,
    KIND_FACE,
    KIND_ALONG_VERTEX, // on a line through a vertex, parallel to an axis
    KIND_ALONG_EDGE,   // the same through the middle of an edge
    KIND_ON_EDGE_LINE, // on the line of an edge, beyond its end
    KIND_IN_CENTRE,    // where cavities are
    KIND_FAR,
    KIND_COUNT,
} Kind;

static imp_Vec3 mix(imp_Vec3 a, double s, imp_Vec3 b, double t)
{
    return (imp_Vec3){a.x * s + b.x * t, a.y * s + b.y * t, a.z * s + b.z * t};
}

static imp_Vec3 draw_point(const imp_Mesh *mesh, Kind kind, const Surroundings *around)
{
    imp_Triangle t;
    CHECK_INT(imp_mesh_get_triangle(mesh, test_random_below((uint32_t)imp_mesh_get_triangle_count(mesh)), &t),
              IMP_STATUS_OK);
    uint32_t k = test_random_below(3);
    imp_Vec3 a = t.v[k], b = t.v[(k + 1) % 3], c = t.v[(k + 2) % 3];
    imp_Vec3 middle = mix(a, 0.5, b, 0.5);
    imp_Vec3 anywhere = random_point(around, 1.1);
    switch (kind) {
    case KIND_VERTEX:
        return a;
    case KIND_EDGE:
        return middle;
    case KIND_FACE:
        return mix(middle, 0.5, mix(a, 0.5, c, 0.5), 0.5);
    case KIND_ALONG_VERTEX:
        (&a.x)[k] = (&anywhere.x)[k];
        return a;
    case KIND_ALONG_EDGE:
        (&middle.x)[k] = (&anywhere.x)[k];
        return middle;
    case KIND_ON_EDGE_LINE:
        return mix(b, 2, a, -1);
    case KIND_IN_CENTRE:
        return random_point(around, 0.125);
    case KIND_FAR:
        (&anywhere.x)[k] = (test_random() & 1 ? -1 : 1) * FURTHEST_STEP * STEP;
        return anywhere;
    default:
        return anywhere;
    }
}

static struct {
    uint64_t drawn[KIND_COUNT], places[3];
} tally;

static void compare(const imp_Mesh *mesh, size_t count)
{
    static const uint32_t thread_counts[] = {1, 2, 5};
    imp_Context *context;
    imp_Vec3 *points = calloc(count, sizeof *points);
    imp_PointLocation *places = calloc(count, sizeof *places);
    Surroundings around = surroundings_of(mesh);
    for (size_t i = 0; i < count; ++i) {
        Kind kind = (Kind)test_random_below(KIND_COUNT);
        ++tally.drawn[kind];
        points[i] = draw_point(mesh, kind, &around);
    }
    uint32_t threads = thread_counts[test_random_below(3)];
    CHECK_INT(imp_context_create(&(imp_ContextDef){.thread_count = threads}, &context), IMP_STATUS_OK);
    CHECK_INT(imp_mesh_locate_points(context, mesh, points, count, places), IMP_STATUS_OK);
    for (size_t i = 0; i < count; ++i) {
        ++tally.places[places[i]];
        if (!CHECK_INT(places[i], oracle_place(mesh, &points[i], &around)))
            printf("point %a %a %a\n", points[i].x, points[i].y, points[i].z);
    }
    imp_context_destroy(context);
    free(points);
    free(places);
}

static imp_Mesh *snapped(imp_Context *context, imp_Mesh *mesh, double size_in_steps)
{
    size_t count = imp_mesh_get_vertex_count(mesh);
    imp_Vec3 *vertices = malloc(count * sizeof *vertices);
    double scale = size_in_steps / (2 * surroundings_of(mesh).extent);
    for (size_t i = 0; i < 3 * count; ++i)
        (&vertices[i / 3].x)[i % 3] =
            4 * STEP * round((&imp_mesh_get_vertices(mesh)[i / 3].x)[i % 3] * scale / 4);
    imp_MeshDef def = {.vertices = &vertices->x,
                       .vertex_count = count,
                       .indices = imp_mesh_get_indices(mesh),
                       .triangle_count = imp_mesh_get_triangle_count(mesh)};
    imp_Mesh *made = NULL;
    CHECK_INT(imp_mesh_create(context, &def, &made), IMP_STATUS_OK);
    free(vertices);
    imp_mesh_release(mesh);
    return made;
}

static imp_Mesh *joined(imp_Context *context, imp_Mesh *a, imp_Mesh *b)
{
    imp_Mesh *mesh = NULL;
    CHECK_INT(scene_join(context, a, b, &mesh), IMP_STATUS_OK);
    imp_mesh_release(a);
    imp_mesh_release(b);
    return mesh;
}

static imp_Mesh *flipped(imp_Context *context, imp_Mesh *mesh)
{
    imp_Mesh *made = NULL;
    CHECK_INT(scene_flip(context, mesh, &made), IMP_STATUS_OK);
    imp_mesh_release(mesh);
    return made;
}

// Tetrahedra on few grid points: flat ones, coinciding faces that cancel or add up, any winding number.
static imp_Mesh *tetrahedra(imp_Context *context, uint32_t count)
{
    static const uint32_t sides[12] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2};
    double *xyz = malloc(12 * count * sizeof *xyz);
    uint32_t *indices = malloc(12 * count * sizeof *indices);
    for (uint32_t i = 0; i < 12 * count; ++i) {
        xyz[i] = (double)test_random_below(5) - 2;
        indices[i] = i / 12 * 4 + sides[i % 12];
    }
    imp_MeshDef def = {.vertices = xyz,
                       .vertex_count = 4 * (size_t)count,
                       .indices = indices,
                       .triangle_count = 4 * (size_t)count};
    imp_Mesh *mesh = NULL;
    CHECK_INT(imp_mesh_create(context, &def, &mesh), IMP_STATUS_OK);
    free(xyz);
    free(indices);
    return mesh;
}

// Closed, and encloses nothing.
static imp_Mesh *two_sided_triangle(imp_Context *context)
{
    static const uint32_t indices[] = {0, 1, 2, 2, 1, 0};
    double xyz[9];
    for (int i = 0; i < 9; ++i)
        xyz[i] = 0.25 * test_random_below(5);
    imp_MeshDef def = {.vertices = xyz, .vertex_count = 3, .indices = indices, .triangle_count = 2};
    imp_Mesh *mesh = NULL;
    CHECK_INT(imp_mesh_create(context, &def, &mesh), IMP_STATUS_OK);
    return mesh;
}

#define SHAPE_COUNT 11

static imp_Mesh *make_shape(imp_Context *context, uint32_t which, uint64_t seed)
{
    imp_Mesh *a = NULL, *b = NULL;
    switch (which) {
    case 0:
        scene_sphere_of_faces(context, 80, 1, &a);
        return a;
    case 1:
        scene_bumpy_sphere(context, 10, 7, 1, 0.6, seed, &a);
        return a;
    case 2:
        scene_torus(context, 8, 6, 1, 0.4, &a);
        return a;
    case 3:
        scene_hollow_sphere(context, 6, 5, 1, 0.4, &a);
        return a;
    case 4:
        scene_box(context, (imp_Vec3){-1, -1, -1}, (imp_Vec3){1, 1, 1}, &a);
        return a;
    case 5:
        scene_l_prism(context, 1, &a);
        return a;
    case 6:
        scene_star_prism(context, 5, 0.3, 0.5, &a);
        return a;
    case 7: // overlapping spheres: a winding number of 2
        scene_sphere(context, 6, 4, 1, &a);
        scene_place(context, a, 0.75, (imp_Vec3){0.5, 0.25, 0}, &b);
        return joined(context, a, b);
    case 8: // inside out: a winding number of -1
        scene_bumpy_sphere(context, 8, 4, 1, 0.3, seed, &a);
        return flipped(context, a);
    case 9:
        scene_sphere(context, 5, 4, 0.5, &a);
        return joined(context, a, two_sided_triangle(context));
    default:
        return tetrahedra(context, 1 + test_random_below(12));
    }
}

static void print_tally(void)
{
    printf("kinds:");
    for (int kind = 0; kind < KIND_COUNT; ++kind)
        printf(" %llu", (unsigned long long)tally.drawn[kind]);
    printf("; outside %llu, inside %llu, on the surface %llu\n", (unsigned long long)tally.places[0],
           (unsigned long long)tally.places[1], (unsigned long long)tally.places[2]);
}

TEST(snapped_meshes_agree_with_tetrahedra)
{
    uint64_t count = test_count(60000), done = 0;
    const size_t points_per_mesh = 250;
    imp_Context *context;
    memset(&tally, 0, sizeof tally);
    in_steps = true;
    CHECK_INT(imp_context_create(NULL, &context), IMP_STATUS_OK);
    for (uint32_t round = 0; done < count; ++round, done += points_per_mesh) {
        static const double sizes[] = {32, 1024, MESH_LIMIT};
        imp_Mesh *mesh = make_shape(context, round % SHAPE_COUNT, test_random());
        mesh = snapped(context, mesh, sizes[test_random_below(3)]);
        compare(mesh, points_per_mesh);
        imp_mesh_release(mesh);
    }
    imp_context_destroy(context);
    print_tally();
    for (int kind = 0; kind < KIND_COUNT; ++kind)
        CHECK(tally.drawn[kind] > done / (2 * KIND_COUNT));
    for (int place = 0; place < 3; ++place)
        CHECK(tally.places[place] > done / 8);
}

TEST(unsnapped_meshes_agree_with_tetrahedra)
{
    uint64_t count = test_count(60000) / 50, done = 0;
    const size_t points_per_mesh = 20;
    imp_Context *context;
    memset(&tally, 0, sizeof tally);
    in_steps = false;
    CHECK_INT(imp_context_create(NULL, &context), IMP_STATUS_OK);
    for (uint32_t round = 0; done < count; ++round, done += points_per_mesh) {
        static const double scales[] = {1, 1e-300, 1e-320, 1e290, 3};
        imp_Mesh *mesh = make_shape(context, round % SHAPE_COUNT, test_random()), *placed = NULL;
        double scale = scales[test_random_below(5)];
        imp_Vec3 offset = {0, 0, 0};
        if (scale == 3)
            offset = (imp_Vec3){6e5, -1e6, 4e3};
        scene_place(context, mesh, scale, offset, &placed);
        compare(placed, points_per_mesh);
        imp_mesh_release(mesh);
        imp_mesh_release(placed);
    }
    imp_context_destroy(context);
    print_tally();
    for (int place = 0; place < 3; ++place)
        CHECK(tally.places[place] > done / 50);
}

TEST(points_at_the_end_of_the_range_are_outside)
{
    imp_Context *context;
    imp_Mesh *mesh = NULL;
    CHECK_INT(imp_context_create(NULL, &context), IMP_STATUS_OK);
    scene_sphere(context, 8, 4, 1e-3, &mesh);
    imp_Vec3 points[27];
    imp_PointLocation places[27];
    const double ends[3] = {-1.7e308, 0, 1.7e308};
    for (int i = 0; i < 27; ++i)
        points[i] = (imp_Vec3){ends[i % 3], ends[i / 3 % 3], ends[i / 9]};
    CHECK_INT(imp_mesh_locate_points(context, mesh, points, 27, places), IMP_STATUS_OK);
    for (int i = 0; i < 27; ++i)
        CHECK_INT(places[i], i == 13 ? IMP_LOCATION_INSIDE : IMP_LOCATION_OUTSIDE);
    imp_mesh_release(mesh);
    imp_context_destroy(context);
}

TEST(sample_meshes_agree_with_tetrahedra)
{
    static const char *const names[] = {"spot-1500", "stanford-bunny-1500", "homer-1500", "fandisk-1500"};
    const char *dir = test_data_dir();
    if (!dir) {
        test_skip("there is no folder of sample data");
        return;
    }
    imp_Context *context;
    memset(&tally, 0, sizeof tally);
    in_steps = false;
    CHECK_INT(imp_context_create(NULL, &context), IMP_STATUS_OK);
    for (int i = 0; i < 4; ++i) {
        char path[1024];
        imp_Mesh *mesh = NULL;
        snprintf(path, sizeof path, "%s/meshes/%s.obj", dir, names[i]);
        if (!CHECK_INT(imp_mesh_load(context, path, &mesh), IMP_STATUS_OK))
            continue;
        compare(mesh, (size_t)(test_count(60000) / 1000));
        imp_mesh_release(mesh);
    }
    imp_context_destroy(context);
    print_tally();
}
