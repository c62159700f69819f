// Where the motion between two trees puts spheres and points, against the posed bodies themselves in higher
// precision.
#include "object/sphere_motion.h"

#include "harness.h"
#include "object/body.h"
#include "posed_faces.h"
#include "scenes/shapes.h"
#include "shape/sphere_tree.h"

#include <math.h>
#include <stdio.h>

#define SHAPE_COUNT 7

static struct {
    uint64_t near, far, tiny, huge, unlike, deformed, endless, tight;
} tally;

typedef struct Shapes {
    imp_Context *context;
    imp_Mesh *meshes[SHAPE_COUNT];
    imp_SphereTree *trees[SHAPE_COUNT];
} Shapes;

static imp_Mesh *place_and_release(imp_Context *context, imp_Mesh *mesh, double scale, imp_Vec3 offset)
{
    imp_Mesh *placed = NULL;
    CHECK_INT(scene_place(context, mesh, scale, offset, &placed), IMP_STATUS_OK);
    imp_mesh_release(mesh);
    return placed;
}

static Shapes shapes_make(void)
{
    static const double scales[SHAPE_COUNT] = {1, 1, 1, 1e-150, 1e150, 1e-300, 1e-9};
    static const imp_Vec3 offsets[SHAPE_COUNT] = {{0, 0, 0}, {3, -2, 1}, {1e9, 0, -1e9}, {0, 0, 0},
                                                  {0, 0, 0}, {0, 0, 0},  {0, 0, 0}};
    Shapes shapes = {.context = context_with_threads(1)};
    for (int i = 0; i < SHAPE_COUNT; ++i) {
        imp_Mesh *mesh = NULL;
        CHECK_INT(i % 2 ? scene_bumpy_sphere(shapes.context, 8, 5, 1, 0.3, 7, &mesh)
                        : scene_torus(shapes.context, 8, 5, 1, 0.3, &mesh),
                  IMP_STATUS_OK);
        shapes.meshes[i] = place_and_release(shapes.context, mesh, scales[i], offsets[i]);
        imp_SphereTreeDef def = {
            .mesh = shapes.meshes[i], .method = IMP_SPHERES_OCTREE, .branch = 8, .depth = 2};
        CHECK_INT(imp_sphere_tree_create(shapes.context, &def, &shapes.trees[i]), IMP_STATUS_OK);
    }
    return shapes;
}

static void shapes_release(Shapes *shapes)
{
    for (int i = 0; i < SHAPE_COUNT; ++i) {
        imp_sphere_tree_release(shapes->trees[i]);
        imp_mesh_release(shapes->meshes[i]);
    }
    imp_context_destroy(shapes->context);
}

// ---- bodies

static imp_Vec3 random_vector(double size)
{
    return (imp_Vec3){test_random_between(-size, size), test_random_between(-size, size),
                      test_random_between(-size, size)};
}

static imp_Vec3 add(imp_Vec3 a, imp_Vec3 b)
{
    return (imp_Vec3){a.x + b.x, a.y + b.y, a.z + b.z};
}

static double size_of(const imp_Mesh *mesh)
{
    imp_Box bounds = imp_mesh_get_bounds(mesh);
    return impi_longest(impi_subtract(bounds.max, bounds.min));
}

// Some vertices are moved by up to a tenth of the size.
static void deform(imp_Context *context, impi_Body *body)
{
    const imp_Mesh *mesh = impi_body_surface(body);
    size_t count = imp_mesh_get_vertex_count(mesh);
    imp_Vec3 *vertices = malloc(count * sizeof *vertices);
    for (size_t i = 0; i < count; ++i)
        vertices[i] = add(imp_mesh_get_vertices(mesh)[i], random_vector(0.1 * size_of(mesh)));
    CHECK_INT(impi_body_deform(context, body, &vertices->x, count), IMP_STATUS_OK);
    free(vertices);
}

static impi_Body random_body(const Shapes *shapes, int shape, imp_Vec3 translation)
{
    impi_Body body;
    imp_Pose pose = {.translation = translation, .rotation = random_rotation()};
    CHECK_INT(impi_body_make(shapes->context, &shapes->meshes[shape]->shape, &pose, &body), IMP_STATUS_OK);
    body.spheres = imp_sphere_tree_retain(shapes->trees[shape]);
    if (test_random_below(4) == 0) {
        deform(shapes->context, &body);
        ++tally.deformed;
    }
    return body;
}

// ---- where things are

static void pose_float(const impi_SphereMotion *motion, const float from[3], float to[3])
{
    for (int axis = 0; axis < 3; ++axis)
        to[axis] = ((motion->rows[axis][0] * from[0] + motion->rows[axis][1] * from[1]) +
                    motion->rows[axis][2] * from[2]) +
                   motion->translation[axis];
}

static long double float_distance(const impi_SphereMotion *motion, const float a[3], const float b[3])
{
    float posed[3];
    pose_float(motion, a, posed);
    long double x = (long double)posed[0] - b[0], y = (long double)posed[1] - b[1],
                z = (long double)posed[2] - b[2];
    return hypotl(hypotl(x, y), z);
}

// Between two points where the bodies' poses put them, in b's local frame.
static long double true_distance(const impi_Body *a, const impi_Body *b, imp_Vec3 point_a, imp_Vec3 point_b)
{
    imp_Vec3 p = imp_transform_apply(&a->transform, point_a);
    imp_Vec3 q = imp_transform_apply(&b->transform, point_b);
    long double distance =
        hypotl(hypotl((long double)p.x - q.x, (long double)p.y - q.y), (long double)p.z - q.z);
    return scalbnl(distance, b->spheres->lanes.frame.exponent);
}

// What radii have been given for the rounding of a center.
static long double room_of(const impi_SphereNode *node, const imp_Sphere *sphere, const impi_Body *body)
{
    return (long double)node->radius - scalbnl(sphere->radius, body->spheres->lanes.frame.exponent);
}

// Its point in the frame of the body's mesh.
static imp_Vec3 point_of(const impi_Body *body, const impi_SphereNode *node)
{
    imp_Vec3 local = {(double)node->point[0], (double)node->point[1], (double)node->point[2]};
    return impi_from_local(&body->spheres->lanes.frame, local);
}

static void check_pair(const impi_Body *a, const impi_Body *b, const impi_SphereMotion *motion)
{
    size_t i = test_random_below((uint32_t)a->spheres->count);
    size_t k = test_random_below((uint32_t)b->spheres->count);
    const imp_Sphere *sphere_a = &a->spheres->spheres[i], *sphere_b = &b->spheres->spheres[k];
    const impi_SphereNode *node_a = &a->spheres->lanes.nodes[i], *node_b = &b->spheres->lanes.nodes[k];
    if (!(motion->widening < INFINITY)) {
        ++tally.endless;
        return;
    }
    // Points are where they are said to be: what they are apart bounds the distance of the bodies.
    long double points = float_distance(motion, node_a->point, node_b->point);
    CHECK(true_distance(a, b, point_of(a, node_a), point_of(b, node_b)) <=
          points * 1.00001L + motion->widening);
    // Balls that share a point do so as floats.
    long double room =
        room_of(node_a, sphere_a, a) * motion->ratio + room_of(node_b, sphere_b, b) + motion->widening;
    long double centers = float_distance(motion, node_a->center, node_b->center);
    CHECK(centers <= (true_distance(a, b, sphere_a->center, sphere_b->center) + room) * 1.000001L);
    tally.tight += motion->widening < 1e-3F;
}

// Vertices of the posed bodies, deformed or not, lie in the spheres that hold them, which are widened.
static void check_vertices(const impi_Body *a, const impi_Body *b, const impi_SphereMotion *motion)
{
    size_t i = test_random_below((uint32_t)a->blocks->blocks.vertex_count);
    size_t k = test_random_below((uint32_t)b->blocks->blocks.vertex_count);
    const impi_SphereNode *root_a = &a->spheres->lanes.nodes[0], *root_b = &b->spheres->lanes.nodes[0];
    if (!(motion->widening < INFINITY))
        return;
    long double distance = true_distance(a, b, impi_body_vertices(a)[i], impi_body_vertices(b)[k]);
    long double reach = (long double)root_a->radius * motion->ratio + root_b->radius + motion->widening;
    CHECK(float_distance(motion, root_a->center, root_b->center) <= (distance + reach) * 1.00001L);
}

static void check_bodies(const Shapes *shapes, int shape_a, int shape_b, double reach)
{
    double size = size_of(shapes->meshes[shape_b]) + size_of(shapes->meshes[shape_a]);
    imp_Vec3 place = random_vector(reach * size);
    impi_Body a = random_body(shapes, shape_a, place);
    impi_Body b = random_body(shapes, shape_b, add(place, random_vector(size)));
    impi_SphereMotion motion;
    impi_sphere_motion_find(&a, &b, &motion);
    for (int i = 0; i < 20; ++i) {
        check_pair(&a, &b, &motion);
        check_vertices(&a, &b, &motion);
    }
    impi_body_release(&shapes->context->allocator, &a);
    impi_body_release(&shapes->context->allocator, &b);
}

TEST(posed_points_are_where_the_motion_puts_them)
{
    Shapes shapes = shapes_make();
    uint64_t count = test_count(3000);
    for (uint64_t i = 0; i < count; ++i) {
        int a = (int)test_random_below(SHAPE_COUNT);
        int b = test_random_below(3) == 0 ? (int)test_random_below(SHAPE_COUNT) : a;
        bool is_far = test_random_below(4) == 0;
        check_bodies(&shapes, a, b, is_far ? 1e12 : 1);
        tally.far += is_far;
        tally.near += !is_far;
        tally.tiny += a == 3 || a == 5;
        tally.huge += a == 4;
        tally.unlike += a != b;
    }
    shapes_release(&shapes);
    printf("%llu pairs of bodies near the origin, %llu far away, %llu tiny, %llu huge, %llu unlike, %llu "
           "bodies deformed; %llu widened by less than a thousandth, %llu beyond single precision\n",
           (unsigned long long)tally.near, (unsigned long long)tally.far, (unsigned long long)tally.tiny,
           (unsigned long long)tally.huge, (unsigned long long)tally.unlike,
           (unsigned long long)tally.deformed, (unsigned long long)tally.tight,
           (unsigned long long)tally.endless);
    CHECK(tally.tight > count && tally.endless > 0 && tally.deformed > 0 && tally.far > 0 && tally.tiny > 0 &&
          tally.huge > 0 && tally.unlike > 0);
}
