/// Bodies with sphere trees, as the tests know them beside the worlds that hold them.
#ifndef IMPINGE_TESTS_SPHERE_BODIES_H
#define IMPINGE_TESTS_SPHERE_BODIES_H

#include "sphere_shapes.h"

#include <math.h>
#include <stdlib.h>

typedef struct Body {
    const SphereShape *shape;
    imp_SphereTree *tree; // or null
    imp_Pose pose;
    double importance;
    imp_Vec3 *vertices; // once it is deformed
    double moved;       // how far its vertices are from the mesh's, at most
} Body;

static inline imp_Vec3 random_vector(double size)
{
    return (imp_Vec3){test_random_between(-size, size), test_random_between(-size, size),
                      test_random_between(-size, size)};
}

static inline imp_Vec3 sum(imp_Vec3 a, imp_Vec3 b)
{
    return (imp_Vec3){a.x + b.x, a.y + b.y, a.z + b.z};
}

/// Shifted as a whole, which moves a body away from its spheres, or widened, or with corners that shake.
static inline void deform_body(Body *body, double scale)
{
    size_t count = imp_mesh_get_vertex_count(body->shape->mesh);
    double size = scale * exp2(test_random_between(-9, 0));
    imp_Vec3 shift = random_vector(size);
    uint32_t how = test_random_below(3);
    body->vertices = realloc(body->vertices, count * sizeof *body->vertices);
    body->moved = 0;
    for (size_t i = 0; i < count; ++i) {
        imp_Vec3 from = imp_mesh_get_vertices(body->shape->mesh)[i];
        imp_Vec3 by = how == 0   ? shift
                      : how == 1 ? (imp_Vec3){from.x * shift.x / scale, 0, 0}
                                 : random_vector(size);
        body->vertices[i] = sum(from, by);
        body->moved = fmax(body->moved, hypot(hypot(by.x, by.y), by.z));
    }
}

static inline double size_of_root(const imp_SphereTree *tree)
{
    return imp_sphere_tree_get_spheres(tree, NULL)[0].radius;
}

/// Spheres that are named exist, and meet where the bodies are. A point has no size: beside it bodies that
/// are tiny or huge are beyond single precision, where all spheres count as meeting.
static inline void check_spheres(double scale, const Body *a, const Body *b, imp_SpherePair pair)
{
    size_t count_a = 0, count_b = 0;
    const imp_Sphere *spheres_a = imp_sphere_tree_get_spheres(a->tree, &count_a);
    const imp_Sphere *spheres_b = imp_sphere_tree_get_spheres(b->tree, &count_b);
    imp_Transform pose_a, pose_b;
    bool has_point = size_of_root(a->tree) == 0 || size_of_root(b->tree) == 0;
    if (!CHECK(pair.sphere_a < count_a && pair.sphere_b < count_b) || (has_point && scale != 1))
        return;
    CHECK_INT(imp_pose_transform(&a->pose, &pose_a), IMP_STATUS_OK);
    CHECK_INT(imp_pose_transform(&b->pose, &pose_b), IMP_STATUS_OK);
    const imp_Sphere *sphere_a = &spheres_a[pair.sphere_a], *sphere_b = &spheres_b[pair.sphere_b];
    imp_Vec3 from = imp_transform_apply(&pose_a, sphere_a->center);
    imp_Vec3 to = imp_transform_apply(&pose_b, sphere_b->center);
    double apart = hypot(hypot(from.x - to.x, from.y - to.y), from.z - to.z);
    double far = fabs(from.x) + fabs(from.y) + fabs(from.z);
    double slack = 1e-3 * (size_of_root(a->tree) + size_of_root(b->tree)) + 1e-12 * far;
    if (!CHECK(apart <= sphere_a->radius + sphere_b->radius + a->moved + b->moved + slack))
        printf("spheres %u of %s and %u of %s are %g apart, not %g\n", pair.sphere_a, a->shape->name,
               pair.sphere_b, b->shape->name, apart, sphere_a->radius + sphere_b->radius);
}

#endif
