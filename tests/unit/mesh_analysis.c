#include "harness.h"
#include "scenes/shapes.h"

#include <impinge/impinge.h>

#include <math.h>
#include <stdio.h>

static imp_Context *make_context(void)
{
    imp_Context *context = NULL;
    CHECK_INT(imp_context_create(NULL, &context), IMP_STATUS_OK);
    return context;
}

static imp_MeshInfo analyse(imp_Context *context, const imp_Mesh *mesh)
{
    imp_MeshInfo info = {0};
    CHECK_INT(imp_mesh_analyse(context, mesh, &info), IMP_STATUS_OK);
    return info;
}

static bool is_near(double got, double want, double relative)
{
    return fabs(got - want) <= relative * fabs(want);
}

TEST(a_box_is_what_it_is)
{
    imp_Context *context = make_context();
    imp_Mesh *box = NULL;
    scene_box(context, (imp_Vec3){-1, 0, 2}, (imp_Vec3){1, 3, 6}, &box);
    imp_MeshInfo info = analyse(context, box);
    CHECK_INT(info.vertex_count, 8);
    CHECK_INT(info.triangle_count, 12);
    CHECK_INT(info.distinct_vertex_count, 8);
    CHECK_INT(info.unused_vertex_count, 0);
    CHECK_INT(info.edge_count, 18);
    CHECK_INT(info.boundary_edge_count, 0);
    CHECK_INT(info.non_manifold_edge_count, 0);
    CHECK_INT(info.component_count, 1);
    CHECK_INT(info.degenerate_triangle_count, 0);
    CHECK_INT(info.duplicate_triangle_count, 0);
    CHECK(info.closed);
    CHECK_INT(info.orientation, IMP_ORIENTATION_OUTWARD);
    CHECK_DOUBLE(info.area, 52);
    CHECK_DOUBLE(info.volume, 24);
    CHECK_DOUBLE(info.bounds.min.x, -1);
    CHECK_DOUBLE(info.bounds.max.z, 6);
    imp_mesh_release(box);
    imp_context_destroy(context);
}

TEST(size_and_place_cost_no_digits)
{
    static const struct {
        double scale;
        imp_Vec3 offset;
    } places[] = {{1, {0, 0, 0}},       {0x1p-20, {6e5, 5e6, 300}}, {1, {0x1p40, -0x1p40, 0x1p30}},
                  {0x1p100, {0, 0, 0}}, {0x1p-100, {0, 0, 0}},      {0x1p-340, {0, 0, 0}},
                  {0x1p300, {0, 0, 0}}};
    imp_Context *context = make_context();
    imp_Mesh *prism = NULL;
    scene_l_prism(context, 2, &prism);
    for (size_t i = 0; i < sizeof places / sizeof *places; ++i) {
        imp_Mesh *placed = NULL;
        double s = places[i].scale;
        scene_place(context, prism, s, places[i].offset, &placed);
        imp_MeshInfo info = analyse(context, placed);
        CHECK(info.closed);
        CHECK_INT(info.orientation, IMP_ORIENTATION_OUTWARD);
        CHECK(is_near(info.area, 22 * s * s, 1e-12));
        CHECK(is_near(info.volume, 6 * s * s * s, 1e-12));
        imp_mesh_release(placed);
    }
    imp_mesh_release(prism);
    imp_context_destroy(context);
}

TEST(a_volume_beyond_the_range_is_infinite_and_still_oriented)
{
    imp_Context *context = make_context();
    imp_Mesh *box = NULL;
    scene_box(context, (imp_Vec3){-1.5e308, -1.5e308, -1.5e308}, (imp_Vec3){1.5e308, 1.5e308, 1.5e308}, &box);
    imp_MeshInfo info = analyse(context, box);
    CHECK_INT(info.orientation, IMP_ORIENTATION_OUTWARD);
    CHECK_DOUBLE(info.volume, INFINITY);
    imp_mesh_release(box);
    imp_context_destroy(context);
}

TEST(open_meshes_have_no_volume_and_no_orientation)
{
    imp_Context *context = make_context();
    const double xyz[] = {0, 0, 0, 3, 0, 0, 0, 4, 0, 3, 4, 0, 7, 7, 7, 0, -1, 0};
    const uint32_t indices[] = {0, 1, 2, 1, 3, 2, 1, 0, 5, 0, 1, 3, 2, 2, 1, 0, 0, 0};
    imp_MeshDef def = {.vertices = xyz, .vertex_count = 6, .indices = indices, .triangle_count = 6};
    imp_Mesh *mesh = NULL;
    CHECK_INT(imp_mesh_create(context, &def, &mesh), IMP_STATUS_OK);
    imp_MeshInfo info = analyse(context, mesh);
    CHECK(!info.closed);
    CHECK_INT(info.orientation, IMP_ORIENTATION_NONE);
    CHECK_DOUBLE(info.volume, 0);
    CHECK_DOUBLE(info.area, 6 + 6 + 1.5 + 6);
    CHECK_INT(info.distinct_vertex_count, 5);
    CHECK_INT(info.unused_vertex_count, 1);
    // 0-1 is used by three faces; 1-2 by faces 0 and 1 and twice by the flat one; 1-3 by two.
    CHECK_INT(info.edge_count, 8);
    CHECK_INT(info.non_manifold_edge_count, 2);
    CHECK_INT(info.boundary_edge_count, 5);
    CHECK_INT(info.degenerate_triangle_count, 2);
    CHECK_INT(info.component_count, 1);
    imp_mesh_release(mesh);
    imp_context_destroy(context);
}

// A small sphere in the large one, and what the whole counts as.
static void check_nested(bool flip_large, bool flip_small, imp_Vec3 offset, imp_Orientation want)
{
    imp_Context *context = make_context();
    imp_Mesh *sphere = NULL, *moved = NULL, *flipped = NULL, *small = NULL, *mesh = NULL;
    scene_sphere(context, 9, 6, 1, &sphere);
    scene_place(context, sphere, 0.25, offset, &moved);
    scene_flip(context, moved, &small);
    scene_flip(context, sphere, &flipped);
    scene_join(context, flip_large ? flipped : sphere, flip_small ? small : moved, &mesh);
    imp_MeshInfo info = analyse(context, mesh);
    CHECK(info.closed);
    CHECK_INT(info.component_count, 2);
    CHECK_INT(info.orientation, want);
    imp_Mesh *meshes[] = {sphere, moved, flipped, small, mesh};
    for (int i = 0; i < 5; ++i)
        imp_mesh_release(meshes[i]);
    imp_context_destroy(context);
}

TEST(components_orient_the_whole)
{
    const imp_Vec3 inside = {0.25, 0, 0}, outside = {3, 0, 0};
    check_nested(false, false, outside, IMP_ORIENTATION_OUTWARD);
    check_nested(true, true, outside, IMP_ORIENTATION_INWARD);
    check_nested(false, true, outside, IMP_ORIENTATION_MIXED);
    check_nested(true, false, outside, IMP_ORIENTATION_MIXED);
    check_nested(false, true, inside, IMP_ORIENTATION_OUTWARD); // a cavity
    check_nested(true, false, inside, IMP_ORIENTATION_INWARD);  // the same inside out
    check_nested(false, false, inside, IMP_ORIENTATION_OUTWARD);
    check_nested(true, true, inside, IMP_ORIENTATION_INWARD);
}

TEST(a_closed_mesh_around_nothing_has_no_orientation)
{
    imp_Context *context = make_context();
    const uint32_t indices[] = {0, 1, 2, 2, 1, 0};
    for (int round = 0; round < 100; ++round) {
        double xyz[9];
        for (int i = 0; i < 9; ++i)
            xyz[i] = test_random_between(-1, 1);
        imp_MeshDef def = {.vertices = xyz, .vertex_count = 3, .indices = indices, .triangle_count = 2};
        imp_Mesh *mesh = NULL;
        CHECK_INT(imp_mesh_create(context, &def, &mesh), IMP_STATUS_OK);
        imp_MeshInfo info = analyse(context, mesh);
        CHECK(info.closed);
        CHECK_INT(info.orientation, IMP_ORIENTATION_NONE);
        CHECK_INT(info.duplicate_triangle_count, 1);
        CHECK(fabs(info.volume) < 1e-15);
        imp_mesh_release(mesh);
    }
    imp_context_destroy(context);
}

TEST(a_sphere_nears_the_volume_of_the_ball)
{
    imp_Context *context = make_context();
    imp_Mesh *sphere = NULL, *torus = NULL;
    scene_sphere(context, 200, 100, 2, &sphere);
    imp_MeshInfo info = analyse(context, sphere);
    CHECK(is_near(info.volume, 33.510321638291124, 2e-3));
    CHECK(is_near(info.area, 50.26548245743669, 2e-3));
    scene_torus(context, 200, 100, 2, 0.5, &torus);
    info = analyse(context, torus);
    CHECK(is_near(info.volume, 9.869604401089358, 2e-3));
    imp_mesh_release(sphere);
    imp_mesh_release(torus);
    imp_context_destroy(context);
}

TEST(sample_meshes_are_as_known)
{
    static const struct {
        const char *name;
        size_t triangles, distinct, edges, boundary, components;
        bool closed;
    } known[] = {
        {"cow", 5804, 2903, 8706, 0, 1, true},
        {"fandisk", 12946, 6475, 19419, 0, 1, true},
        {"homer", 12000, 6002, 18000, 0, 1, true},
        {"spot", 5856, 2930, 8784, 0, 1, true},
        {"stanford-bunny", 69451, 34834, 104288, 223, 1, false},
        {"teapot", 6320, 3241, 9560, 160, 3, false},
    };
    const char *dir = test_data_dir();
    if (!dir) {
        test_skip("there is no folder of sample data");
        return;
    }
    imp_Context *context = make_context();
    for (size_t i = 0; i < sizeof known / sizeof *known; ++i) {
        char path[1024];
        imp_Mesh *mesh = NULL;
        snprintf(path, sizeof path, "%s/meshes/%s.obj", dir, known[i].name);
        if (!CHECK_INT(imp_mesh_load(context, path, &mesh), IMP_STATUS_OK))
            continue;
        imp_MeshInfo info = analyse(context, mesh);
        CHECK_INT(info.triangle_count, known[i].triangles);
        CHECK_INT(info.distinct_vertex_count, known[i].distinct);
        CHECK_INT(info.edge_count, known[i].edges);
        CHECK_INT(info.boundary_edge_count, known[i].boundary);
        CHECK_INT(info.component_count, known[i].components);
        CHECK_INT(info.closed, known[i].closed);
        CHECK_INT(info.orientation, known[i].closed ? IMP_ORIENTATION_OUTWARD : IMP_ORIENTATION_NONE);
        imp_mesh_release(mesh);
    }
    imp_context_destroy(context);
}
