#include "distance_cases.h"

#include "harness.h"
#include "scenes/shapes.h"
#include "triangle_cases.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

const char *const distance_kind_names[DISTANCE_KIND_COUNT] = {
    "round",     "soups",      "nested", "solids", "mixed", "held",      "boxes",      "lattice",   "flat",
    "one_plane", "coincident", "hair",   "far",    "sizes", "triangles", "magnitudes", "subnormal", "largest",
};

// ------------------------------------------------------------------------------------------- bodies

static void add_triangle(CaseBody *body, const imp_Triangle *triangle)
{
    for (size_t k = 0; k < 3; ++k) {
        body->indices[3 * body->face_count + k] = (uint32_t)body->vertex_count;
        body->vertices[body->vertex_count++] = triangle->v[k];
    }
    ++body->face_count;
}

static void take_mesh(CaseBody *body, imp_Mesh *mesh)
{
    body->vertex_count = imp_mesh_get_vertex_count(mesh);
    body->face_count = imp_mesh_get_triangle_count(mesh);
    if (!CHECK(body->vertex_count <= CASE_MAX_VERTICES && body->face_count <= CASE_MAX_FACES))
        body->vertex_count = body->face_count = 0;
    for (size_t i = 0; i < body->vertex_count; ++i)
        body->vertices[i] = imp_mesh_get_vertices(mesh)[i];
    for (size_t i = 0; i < 3 * body->face_count; ++i)
        body->indices[i] = imp_mesh_get_indices(mesh)[i];
    imp_mesh_release(mesh);
}

static imp_Quat any_rotation(void)
{
    double q[4], norm;
    do {
        norm = 0;
        for (int i = 0; i < 4; ++i) {
            q[i] = random_signed_unit();
            norm += q[i] * q[i];
        }
    } while (norm > 1 || norm < 0.01);
    norm = sqrt(norm);
    return (imp_Quat){q[0] / norm, q[1] / norm, q[2] / norm, q[3] / norm};
}

// Right angles about one axis: matrices of -1, 0 and 1.
static imp_Quat exact_rotation(void)
{
    static const imp_Quat rotations[] = {{1, 0, 0, 0}, {0, 1, 0, 0},         {0, 0, 1, 0},
                                         {0, 0, 0, 1}, {0.5, 0.5, 0.5, 0.5}, {0.5, -0.5, -0.5, -0.5}};
    return rotations[test_random_below(sizeof rotations / sizeof *rotations)];
}

static imp_Vec3 unit_vector(void)
{
    imp_Vec3 v;
    double square;
    do {
        v = random_vector(1);
        square = v.x * v.x + v.y * v.y + v.z * v.z;
    } while (square > 1 || square < 0.01);
    double length = sqrt(square);
    return (imp_Vec3){v.x / length, v.y / length, v.z / length};
}

// Of radius 1, more or less.
static void make_round(imp_Context *context, CaseBody *body)
{
    imp_Mesh *mesh = NULL;
    uint32_t meridians = 4 + test_random_below(8), bands = 3 + test_random_below(5);
    if (test_random_below(3))
        CHECK_INT(scene_bumpy_sphere(context, meridians, bands, 1, 0.2, test_random(), &mesh), IMP_STATUS_OK);
    else
        CHECK_INT(scene_torus(context, meridians, bands, 0.8, 0.25, &mesh), IMP_STATUS_OK);
    take_mesh(body, mesh);
    body->pose.rotation = any_rotation();
}

static void make_soup(imp_Context *context, CaseBody *body)
{
    imp_Mesh *mesh = NULL;
    uint32_t count = 3 + test_random_below(40);
    double size = test_random_below(2) ? 0.2 : 0.8;
    CHECK_INT(scene_soup(context, count, size, test_random(), &mesh), IMP_STATUS_OK);
    take_mesh(body, mesh);
    body->pose.rotation = any_rotation();
}

static void make_hull(CaseBody *body, double size)
{
    size_t count = 4 + test_random_below(14);
    double second = test_random_between(0.1, 1), third = test_random_between(0.02, 1);
    imp_Vec3 widths = {size, size * second, size * third};
    body->is_solid = true;
    for (size_t i = 0; i < count; ++i) {
        imp_Vec3 p = random_vector(1);
        body->vertices[body->vertex_count++] = (imp_Vec3){widths.x * p.x, widths.y * p.y, widths.z * p.z};
    }
    body->pose.rotation = any_rotation();
}

// Two bodies of radius 1 side by side or across.
static void part(DistanceCase *pair)
{
    double distance = test_random_below(5) ? test_random_between(1.2, 4) : test_random_between(0, 1.5);
    imp_Vec3 middle = random_vector(3), way = unit_vector();
    pair->a.pose.translation = middle;
    pair->b.pose.translation = along(middle, distance, way);
}

static void make_nested(imp_Context *context, DistanceCase *pair)
{
    imp_Mesh *outer = NULL;
    uint32_t meridians = 5 + test_random_below(5), bands = 4 + test_random_below(3);
    double radius = test_random_between(2, 4);
    if (test_random_below(2))
        CHECK_INT(scene_hollow_sphere(context, meridians, bands, 2 * radius, radius, &outer), IMP_STATUS_OK);
    else
        CHECK_INT(scene_bumpy_sphere(context, meridians, bands, radius, 0.1, test_random(), &outer),
                  IMP_STATUS_OK);
    take_mesh(&pair->a, outer);
    make_round(context, &pair->b);
    imp_Vec3 way = unit_vector();
    double off = test_random_between(0, test_random_below(2) ? 1 : 2 * radius);
    pair->b.pose.translation = along(pair->a.pose.translation, off, way);
}

static void make_held(imp_Context *context, DistanceCase *pair)
{
    make_round(context, &pair->b);
    if (test_random_below(2)) {
        double size = test_random_between(0.02, 0.1);
        for (size_t i = 0; i < pair->b.vertex_count; ++i)
            pair->b.vertices[i] = along((imp_Vec3){0}, size, pair->b.vertices[i]);
        make_hull(&pair->a, 1.5);
    } else {
        make_hull(&pair->a, 0.3);
    }
    imp_Vec3 off = random_vector(0.4);
    pair->b.pose.translation = off;
}

// --------------------------------------------------------------------------------------- degenerate

static void make_box(imp_Context *context, CaseBody *body)
{
    imp_Mesh *mesh = NULL;
    double x = 1 + test_random_below(3), y = 1 + test_random_below(3), z = 1 + test_random_below(3);
    CHECK_INT(scene_box(context, (imp_Vec3){0}, (imp_Vec3){x, y, z}, &mesh), IMP_STATUS_OK);
    take_mesh(body, mesh);
    body->is_solid = test_random_below(4) == 0;
    body->pose.rotation = exact_rotation();
    body->pose.translation = random_lattice_point(4);
}

static void make_lattice(CaseBody *body)
{
    size_t count = 1 + test_random_below(10);
    double range = 1 + test_random_below(4);
    imp_Vec3 off = random_lattice_point(5);
    for (size_t i = 0; i < count; ++i) {
        imp_Triangle triangle;
        for (int k = 0; k < 3; ++k)
            triangle.v[k] = sum(off, random_lattice_point(range));
        add_triangle(body, &triangle);
    }
    body->is_solid = test_random_below(5) == 0 && count > 3;
}

// Three points of a line, of which some may coincide; now and then a triangle.
static void make_flat(CaseBody *body)
{
    size_t count = 2 + test_random_below(8);
    body->pose.translation = random_vector(2);
    for (size_t i = 0; i < count; ++i) {
        imp_Vec3 p = random_lattice_point(3), step = random_lattice_step(2);
        double second = test_random_below(3), third = test_random_below(3);
        imp_Triangle triangle = {{p, along(p, second, step), along(p, third, step)}};
        if (test_random_below(4) == 0)
            triangle.v[2] = random_lattice_point(3);
        add_triangle(body, &triangle);
    }
}

static void make_one_plane(DistanceCase *pair)
{
    imp_Vec3 origin = random_lattice_point(3), u = random_lattice_step(3), v = random_lattice_step(3);
    for (int which = 0; which < 2; ++which) {
        CaseBody *body = which ? &pair->b : &pair->a;
        size_t count = 1 + test_random_below(5);
        double from = which ? 4 : 0;
        for (size_t i = 0; i < count; ++i) {
            imp_Triangle triangle;
            for (int k = 0; k < 3; ++k) {
                double s = from + random_integer(3), t = random_integer(3);
                triangle.v[k] = along(along(origin, s, u), t, v);
            }
            add_triangle(body, &triangle);
        }
    }
}

// Half of the time, one coordinate.
static imp_Vec3 maybe_one_ulp_off(imp_Vec3 v)
{
    switch (test_random_below(6)) {
    case 0:
        v.x = one_ulp_off(v.x);
        break;
    case 1:
        v.y = one_ulp_off(v.y);
        break;
    case 2:
        v.z = one_ulp_off(v.z);
        break;
    default:
        break;
    }
    return v;
}

// Corners of b are those of a, those mirrored to the other side, or others on that side. Half of the cases
// leave a gap between the sides.
static void make_coincident(DistanceCase *pair)
{
    size_t count = 1 + test_random_below(6);
    double gap = test_random_below(2) ? ldexp(1, -(int)test_random_below(40)) : 0;
    for (size_t i = 0; i < count; ++i) {
        imp_Triangle triangle, other;
        bool is_whole = gap == 0 && test_random_below(6) == 0;
        for (int k = 0; k < 3; ++k) {
            imp_Vec3 v = random_vector(1);
            double x = test_random_below(2) ? gap : gap + fabs(v.x);
            triangle.v[k] = (imp_Vec3){x, v.y, v.z};
            bool is_same = is_whole || (gap == 0 && test_random_below(2));
            imp_Vec3 mirrored = {-x, test_random_below(2) ? v.y : v.y + 0.5, v.z};
            other.v[k] = maybe_one_ulp_off(is_same ? triangle.v[k] : mirrored);
        }
        add_triangle(&pair->a, &triangle);
        if (test_random_below(3) || i == 0)
            add_triangle(&pair->b, &other);
    }
}

static imp_Vec3 unit_normal(const imp_Triangle *t)
{
    imp_Vec3 u = along(t->v[1], -1, t->v[0]), v = along(t->v[2], -1, t->v[0]);
    imp_Vec3 n = {u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x};
    double length = sqrt(n.x * n.x + n.y * n.y + n.z * n.z);
    return length > 0 ? along((imp_Vec3){0}, 1 / length, n) : (imp_Vec3){1, 0, 0};
}

static imp_Vec3 weighted(const imp_Triangle *t, double s, double u)
{
    return sum(along(along((imp_Vec3){0}, s, t->v[0]), u, t->v[1]), along((imp_Vec3){0}, 1 - s - u, t->v[2]));
}

// A large triangle; over it, a hair away, a copy of it that is smaller, or corners.
static void make_hair(DistanceCase *pair)
{
    imp_Triangle large;
    for (int k = 0; k < 3; ++k)
        large.v[k] = random_vector(1);
    imp_Vec3 normal = unit_normal(&large);
    size_t count = 1 + test_random_below(4);
    add_triangle(&pair->a, &large);
    for (size_t i = 0; i < count; ++i) {
        double gap = 1e-12 * ldexp(1, -(int)test_random_below(8)), s = test_random_between(0, 0.5);
        double u = test_random_between(0, 0.5);
        bool is_parallel = test_random_below(2);
        imp_Vec3 near = along(weighted(&large, s, u), gap, normal);
        imp_Triangle triangle = {{near, near, near}};
        for (int k = 1; k < 3; ++k) {
            imp_Vec3 way = random_vector(0.5);
            triangle.v[k] = is_parallel ? along(weighted(&large, test_random_unit(), 0.3), gap, normal)
                                        : sum(along(near, 1, normal), way);
        }
        add_triangle(&pair->b, &triangle);
    }
}

static void make_far(imp_Context *context, DistanceCase *pair)
{
    double reach = 1e7 * test_random_between(1, 2);
    imp_Vec3 off = along((imp_Vec3){0}, reach, unit_vector());
    uint32_t choice = test_random_below(3);
    if (choice == 0) {
        make_round(context, &pair->a);
        make_round(context, &pair->b);
        part(pair);
    } else if (choice == 1) {
        make_hull(&pair->a, 1);
        if (test_random_below(2))
            make_hull(&pair->b, 1);
        else
            make_round(context, &pair->b);
        part(pair);
    } else {
        make_box(context, &pair->a);
        make_box(context, &pair->b);
        off = (imp_Vec3){rint(off.x), rint(off.y), rint(off.z)};
    }
    pair->a.pose.translation = sum(pair->a.pose.translation, off);
    pair->b.pose.translation = sum(pair->b.pose.translation, off);
}

static void scale_body(CaseBody *body, double factor)
{
    for (size_t i = 0; i < body->vertex_count; ++i)
        body->vertices[i] = along((imp_Vec3){0}, factor, body->vertices[i]);
}

static void make_sizes(imp_Context *context, DistanceCase *pair)
{
    make_round(context, &pair->a);
    make_round(context, &pair->b);
    if (test_random_below(4) == 0) {
        pair->b.face_count = pair->b.vertex_count = 0;
        make_hull(&pair->b, 1);
    }
    scale_body(&pair->a, 1e6);
    scale_body(&pair->b, 1e-6);
    imp_Triangle near;
    uint32_t face = test_random_below((uint32_t)pair->a.face_count);
    for (int k = 0; k < 3; ++k)
        CHECK_INT(imp_pose_apply(&pair->a.pose, pair->a.vertices[pair->a.indices[3 * face + (uint32_t)k]],
                                 &near.v[k]),
                  IMP_STATUS_OK);
    double s = test_random_between(0, 0.5), u = test_random_between(0, 0.5);
    double gap = 1e-6 * test_random_between(0, 3);
    pair->b.pose.translation = along(weighted(&near, s, u), gap, unit_normal(&near));
}

static void make_triangles(DistanceCase *pair)
{
    static const TriangleKind last = KIND_MIXED_MAGNITUDES; // and later ones come as kinds of their own
    size_t count = 1 + test_random_below(3);
    TriangleKind kind = (TriangleKind)test_random_below(last);
    for (size_t i = 0; i < count; ++i) {
        TriangleCase triangles = triangle_case_make(kind);
        while (triangles.scaling != SCALING_NONE)
            triangles = triangle_case_make(kind);
        add_triangle(&pair->a, &triangles.a);
        add_triangle(&pair->b, &triangles.b);
    }
}

// ------------------------------------------------------------------------------------------ extreme

static void make_extreme_body(CaseBody *body, double (*coordinate)(void))
{
    size_t count = 1 + test_random_below(2);
    body->is_solid = test_random_below(4) == 0;
    for (size_t i = 0; i < count + body->is_solid; ++i) {
        double c[9];
        for (int k = 0; k < 9; ++k)
            c[k] = coordinate();
        imp_Triangle triangle = {{{c[0], c[1], c[2]}, {c[3], c[4], c[5]}, {c[6], c[7], c[8]}}};
        add_triangle(body, &triangle);
    }
}

static double any_magnitude(void)
{
    return test_random_below(6) ? random_of_any_size() : 0;
}

static double subnormal(void)
{
    int bits = 2 + (int)test_random_below(20);
    return ldexp(random_integer(ldexp(1, bits)), -1074);
}

// Now and then, so that there are pairs farther apart than the largest double.
static double large_side(void)
{
    return test_random_below(6) ? DBL_MAX * (1 - 0.2 * test_random_unit()) : DBL_MAX * random_signed_unit();
}

static double large_other_side(void)
{
    return -large_side();
}

// From corner to corner of all there is, which is farther than the largest double; and something at an end.
static void make_diagonal(DistanceCase *pair)
{
    size_t count = 1 + test_random_below(3);
    for (size_t i = 0; i < count; ++i) {
        imp_Triangle triangle;
        for (int k = 0; k < 3; ++k) {
            double along = k == 0 ? 0.95 : k == 1 ? -0.95 : 0.95 * random_signed_unit();
            imp_Vec3 aside = random_vector(0.04);
            triangle.v[k] = (imp_Vec3){DBL_MAX * (along + aside.x), DBL_MAX * (along + aside.y),
                                       DBL_MAX * (along + aside.z)};
        }
        add_triangle(&pair->a, &triangle);
    }
    for (size_t i = 0; i < count; ++i) {
        imp_Triangle triangle;
        for (int k = 0; k < 3; ++k) {
            imp_Vec3 aside = random_vector(i == 0 ? 0.04 : 0.4);
            double end = i == 0 ? 0.95 : 0.5;
            triangle.v[k] = (imp_Vec3){DBL_MAX * (end + aside.x), DBL_MAX * (end + aside.y),
                                       DBL_MAX * (end - 0.4 + aside.z)};
        }
        add_triangle(&pair->b, &triangle);
    }
}

static double largest(void)
{
    uint32_t choice = test_random_below(8);
    return choice == 0 ? DBL_MAX : choice == 1 ? -DBL_MAX : DBL_MAX * random_signed_unit();
}

// -------------------------------------------------------------------------------------------- cases

static void build(imp_Context *context, DistanceCase *pair)
{
    switch (pair->kind) {
    case DISTANCE_ROUND:
        make_round(context, &pair->a);
        make_round(context, &pair->b);
        part(pair);
        break;
    case DISTANCE_SOUPS:
        make_soup(context, &pair->a);
        make_soup(context, &pair->b);
        part(pair);
        break;
    case DISTANCE_NESTED:
        make_nested(context, pair);
        break;
    case DISTANCE_SOLIDS:
        make_hull(&pair->a, 1);
        make_hull(&pair->b, 1);
        part(pair);
        break;
    case DISTANCE_MIXED:
        make_hull(&pair->a, 1);
        make_round(context, &pair->b);
        part(pair);
        break;
    case DISTANCE_HELD:
        make_held(context, pair);
        break;
    case DISTANCE_BOXES:
        make_box(context, &pair->a);
        make_box(context, &pair->b);
        break;
    case DISTANCE_LATTICE:
        make_lattice(&pair->a);
        make_lattice(&pair->b);
        break;
    case DISTANCE_FLAT:
        make_flat(&pair->a);
        make_flat(&pair->b);
        break;
    case DISTANCE_ONE_PLANE:
        make_one_plane(pair);
        break;
    case DISTANCE_COINCIDENT:
        make_coincident(pair);
        break;
    case DISTANCE_HAIR:
        make_hair(pair);
        break;
    case DISTANCE_FAR:
        make_far(context, pair);
        break;
    case DISTANCE_SIZES:
        make_sizes(context, pair);
        break;
    case DISTANCE_TRIANGLES:
        make_triangles(pair);
        break;
    case DISTANCE_MAGNITUDES:
        make_extreme_body(&pair->a, any_magnitude);
        make_extreme_body(&pair->b, any_magnitude);
        break;
    case DISTANCE_SUBNORMAL:
        make_extreme_body(&pair->a, subnormal);
        make_extreme_body(&pair->b, subnormal);
        break;
    case DISTANCE_LARGEST:
        if (test_random_below(3) == 0) {
            make_diagonal(pair);
        } else if (test_random_below(2)) {
            make_extreme_body(&pair->a, large_side);
            make_extreme_body(&pair->b, large_other_side);
        } else {
            make_extreme_body(&pair->a, largest);
            make_extreme_body(&pair->b, largest);
        }
        break;
    default:
        CHECK(!"a kind");
    }
}

DistanceKind distance_case_kind(uint64_t n)
{
    uint64_t third = n / 3;
    if (n % 3 == 0)
        return (DistanceKind)(DISTANCE_REGULAR + third % (DISTANCE_KIND_COUNT - DISTANCE_REGULAR));
    return (DistanceKind)((2 * third + n % 3) % DISTANCE_REGULAR);
}

static void clear(CaseBody *body)
{
    body->is_solid = body->is_deformed = false;
    body->pose = (imp_Pose){.rotation = {.w = 0}};
    body->vertex_count = body->face_count = 0;
}

// Vertices that no face uses are nowhere.
static void maybe_add_unused(CaseBody *body)
{
    if (!body->is_solid && test_random_below(8) == 0)
        body->vertices[body->vertex_count++] = random_vector(1e9);
}

void distance_case_make(imp_Context *context, DistanceKind kind, DistanceCase *pair)
{
    pair->kind = kind;
    pair->is_extreme = kind >= DISTANCE_MAGNITUDES;
    clear(&pair->a);
    clear(&pair->b);
    build(context, pair);
    maybe_add_unused(&pair->a);
    maybe_add_unused(&pair->b);
    pair->a.is_deformed = !pair->a.is_solid && test_random_below(5) == 0;
    pair->b.is_deformed = !pair->b.is_solid && test_random_below(5) == 0;
    if (test_random_below(2)) {
        static CaseBody other;
        other = pair->a;
        pair->a = pair->b;
        pair->b = other;
    }
}

static void print_body(const char *name, const CaseBody *body)
{
    const imp_Pose *p = &body->pose;
    printf("  %s: %s%s, pose {%a, %a, %a} {%a, %a, %a, %a}\n", name, body->is_solid ? "solid" : "surface",
           body->is_deformed ? ", deformed" : "", p->translation.x, p->translation.y, p->translation.z,
           p->rotation.w, p->rotation.x, p->rotation.y, p->rotation.z);
    for (size_t i = 0; i < body->vertex_count && body->vertex_count <= 40; ++i)
        printf("  %s[%zu] {%a, %a, %a}\n", name, i, body->vertices[i].x, body->vertices[i].y,
               body->vertices[i].z);
}

void distance_case_print(const DistanceCase *pair)
{
    static int printed;
    if (++printed > 6)
        return;
    printf("  %s\n", distance_kind_names[pair->kind]);
    print_body("a", &pair->a);
    print_body("b", &pair->b);
}

// ------------------------------------------------------------------------------------------- shapes

static bool make_solid(imp_Context *context, const CaseBody *body, CaseShape *shape)
{
    imp_ConvexDef def = {.points = &body->vertices->x, .point_count = body->vertex_count};
    imp_Status status = imp_convex_create(context, &def, &shape->convex);
    if (status == IMP_STATUS_BAD_SHAPE)
        return false;
    CHECK_INT(status, IMP_STATUS_OK);
    shape->mesh = imp_convex_get_mesh(shape->convex);
    return true;
}

static void make_surface(imp_Context *context, const CaseBody *body, CaseShape *shape)
{
    static imp_Vec3 others[CASE_MAX_VERTICES];
    for (size_t i = 0; i < body->vertex_count; ++i)
        others[i] = (imp_Vec3){0.5 * body->vertices[i].y, body->vertices[i].x, 0.25 * body->vertices[i].z};
    imp_MeshDef def = {.vertices = body->is_deformed ? &others->x : &body->vertices->x,
                       .vertex_count = body->vertex_count,
                       .indices = body->indices,
                       .triangle_count = body->face_count};
    CHECK_INT(imp_mesh_create(context, &def, &shape->mesh), IMP_STATUS_OK);
}

bool case_shape_make(imp_Context *context, const CaseBody *body, CaseShape *shape)
{
    shape->convex = NULL;
    shape->body = body;
    if (!body->is_solid)
        make_surface(context, body, shape);
    else if (!make_solid(context, body, shape))
        return false;
    const imp_Vec3 *from = body->is_solid ? imp_mesh_get_vertices(shape->mesh) : body->vertices;
    const uint32_t *indices = imp_mesh_get_indices(shape->mesh);
    shape->vertex_count = imp_mesh_get_vertex_count(shape->mesh);
    shape->face_count = imp_mesh_get_triangle_count(shape->mesh);
    for (size_t i = 0; i < shape->vertex_count; ++i)
        CHECK_INT(imp_pose_apply(&body->pose, from[i], &shape->corners[i]), IMP_STATUS_OK);
    for (size_t i = 0; i < 3 * shape->face_count; ++i)
        shape->triangles[i / 3].v[i % 3] = shape->corners[indices[i]];
    return true;
}

void case_shape_release(CaseShape *shape)
{
    if (shape->convex)
        imp_convex_release(shape->convex);
    else
        imp_mesh_release(shape->mesh);
}

OracleBody case_shape_judged(const CaseShape *shape)
{
    return (OracleBody){shape->triangles, shape->convex ? shape->corners : NULL, shape->face_count,
                        shape->vertex_count};
}
