/// A body 2^70 times as large as another that touches it: distances of points overflowed in single precision
/// while the reach of faces did not, and the pair was taken for separate.
#include "harness.h"
#include "scenes/shapes.h"

#include <impinge/impinge.h>

#include <math.h>

static imp_BodyId add_box(imp_Context *context, imp_World *world, imp_Vec3 min, imp_Vec3 max)
{
    imp_Mesh *mesh = NULL;
    imp_SphereTree *tree = NULL;
    imp_BodyId body = {0, 0};
    CHECK_INT(scene_box(context, min, max, &mesh), IMP_STATUS_OK);
    imp_SphereTreeDef def = {.mesh = mesh, .method = IMP_SPHERES_OCTREE, .depth = 2};
    CHECK_INT(imp_sphere_tree_create(context, &def, &tree), IMP_STATUS_OK);
    CHECK_INT(imp_world_add_body(world, &(imp_BodyDef){.mesh = mesh, .spheres = tree}, &body), IMP_STATUS_OK);
    imp_sphere_tree_release(tree);
    imp_mesh_release(mesh);
    return body;
}

// With the large box first, and second.
static void check_touch(double size, bool is_large_first)
{
    imp_Context *context = NULL;
    imp_World *world = NULL;
    const imp_Report *report = NULL;
    CHECK_INT(imp_context_create(NULL, &context), IMP_STATUS_OK);
    CHECK_INT(imp_world_create(context, NULL, &world), IMP_STATUS_OK);
    for (int i = 0; i < 2; ++i) {
        if ((i == 0) == is_large_first)
            add_box(context, world, (imp_Vec3){0, 0, 0}, (imp_Vec3){size, size, size});
        else
            add_box(context, world, (imp_Vec3){-0.5, 0.25, 0.25}, (imp_Vec3){0.5, 1.25, 1.25});
    }
    CHECK_INT(imp_world_detect(world, &(imp_DetectDef){.method = IMP_METHOD_SPHERES}, &report),
              IMP_STATUS_OK);
    if (CHECK_INT(report->body_pair_count, 1))
        CHECK_INT(report->body_pairs[0].relations, IMP_RELATION_TOUCH);
    imp_world_destroy(world);
    imp_context_destroy(context);
}

TEST(unlike_sizes_touch)
{
    for (int exponent = 0; exponent <= 1000; exponent += 10) {
        check_touch(ldexp(2, exponent), true);
        check_touch(ldexp(2, exponent), false);
    }
}
