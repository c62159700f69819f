#include "scenes/shapes.h"

#include "harness.h"
#include "mesh_hash.h"

#include <math.h>

static imp_Context *context;

static void begin(void)
{
    CHECK_INT(imp_context_create(NULL, &context), IMP_STATUS_OK);
}

static void check_solid(imp_Mesh *mesh, size_t triangle_count, double volume, double relative)
{
    imp_MeshInfo info;
    size_t pairs = 1;
    CHECK_INT(imp_mesh_analyse(context, mesh, &info), IMP_STATUS_OK);
    CHECK_INT(info.triangle_count, triangle_count);
    CHECK(info.closed);
    CHECK_INT(info.orientation, IMP_ORIENTATION_OUTWARD);
    CHECK_INT(info.non_manifold_edge_count, 0);
    CHECK_INT(info.degenerate_triangle_count, 0);
    CHECK_INT(info.unused_vertex_count, 0);
    CHECK_INT(info.distinct_vertex_count, info.vertex_count);
    CHECK(fabs(info.volume - volume) <= relative * volume);
    CHECK_INT(imp_mesh_self_pairs(context, mesh, NULL, 0, &pairs), IMP_STATUS_OK);
    CHECK_INT(pairs, 0);
    imp_mesh_release(mesh);
}

TEST(turns_are_accurate_and_symmetric)
{
    for (uint32_t count = 1; count < 200; ++count)
        for (uint32_t step = 0; step <= count; ++step) {
            SceneTurn turn = scene_turn(step, count), back = scene_turn(count - step, count);
            long double angle = 6.28318530717958647692528676655900577L * step / count;
            CHECK(fabsl(turn.cosine - cosl(angle)) < 0x1p-52L && fabsl(turn.sine - sinl(angle)) < 0x1p-52L);
            CHECK(turn.cosine == back.cosine && turn.sine == -back.sine);
            SceneTurn quarter = scene_turn(4 * (uint64_t)step + count, 4 * count);
            CHECK(quarter.sine == turn.cosine && quarter.cosine == -turn.sine);
        }
    CHECK_DOUBLE(scene_turn(1, 4).cosine, 0);
    CHECK_DOUBLE(scene_turn(1, 4).sine, 1);
}

TEST(spheres_have_the_faces_of_the_papers)
{
    static const uint32_t counts[] = {8, 10, 24, 48, 54, 80, 120, 168, 224, 360, 528, 728, 960, 3968};
    begin();
    for (size_t i = 0; i < sizeof counts / sizeof *counts; ++i) {
        imp_Mesh *mesh = NULL;
        CHECK_INT(scene_sphere_of_faces(context, counts[i], 1, &mesh), IMP_STATUS_OK);
        CHECK_INT(imp_mesh_get_vertex_count(mesh), counts[i] / 2 + 2);
        check_solid(mesh, counts[i], 4.18879, 0.7);
    }
    imp_Mesh *mesh = NULL;
    CHECK_INT(scene_sphere_of_faces(context, 9, 1, &mesh), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(scene_sphere_of_faces(context, 4, 1, &mesh), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(scene_sphere_of_faces(context, 0, 1, &mesh), IMP_STATUS_BAD_ARGUMENT);
    CHECK(mesh == NULL);
    imp_context_destroy(context);
}

TEST(solids_are_closed_and_sound)
{
    imp_Mesh *mesh = NULL;
    begin();
    CHECK_INT(scene_sphere(context, 3, 2, 1, &mesh), IMP_STATUS_OK);
    check_solid(mesh, 6, 0.866, 0.01);
    CHECK_INT(scene_torus(context, 30, 20, 2, 0.5, &mesh), IMP_STATUS_OK);
    check_solid(mesh, 1200, 9.87, 0.05);
    CHECK_INT(scene_box(context, (imp_Vec3){0, 0, 0}, (imp_Vec3){1, 2, 3}, &mesh), IMP_STATUS_OK);
    check_solid(mesh, 12, 6, 0);
    CHECK_INT(scene_l_prism(context, 2, &mesh), IMP_STATUS_OK);
    check_solid(mesh, 24, 6, 1e-14);
    CHECK_INT(scene_star_prism(context, 7, 0.4, 1, &mesh), IMP_STATUS_OK);
    check_solid(mesh, 56, 1.215, 0.01);
    CHECK_INT(scene_needle(context, 9, 1e-6, &mesh), IMP_STATUS_OK);
    check_solid(mesh, 36, 2.893e-12, 0.01);
    CHECK_INT(scene_hollow_sphere(context, 12, 8, 1, 0.5, &mesh), IMP_STATUS_OK);
    check_solid(mesh, 336, 3.665, 0.15);
    for (uint64_t seed = 0; seed < 10; ++seed) {
        CHECK_INT(scene_bumpy_sphere(context, 20, 12, 1, 0.7, seed, &mesh), IMP_STATUS_OK);
        check_solid(mesh, 440, 4, 0.9);
    }
    imp_context_destroy(context);
}

static uint64_t hash_and_release(imp_Mesh *mesh)
{
    uint64_t hash = hash_mesh(mesh);
    imp_mesh_release(mesh);
    return hash;
}

// Recorded once; a compiler or machine that gives other bits is found out here.
TEST(the_same_arguments_give_the_same_bits)
{
    imp_Mesh *mesh = NULL;
    begin();
    scene_bumpy_sphere(context, 50, 30, 1.5, 0.25, 42, &mesh);
    CHECK_INT((int64_t)hash_and_release(mesh), -6347671430908932572);
    scene_torus(context, 37, 21, 2, 0.3, &mesh);
    CHECK_INT((int64_t)hash_and_release(mesh), 4500554686501006095);
    scene_soup(context, 100, 0.2, 7, &mesh);
    CHECK_INT((int64_t)hash_and_release(mesh), -8419986448261988254);
    scene_grid_soup(context, 100, 5, 7, &mesh);
    CHECK_INT((int64_t)hash_and_release(mesh), -4312443654150656856);
    imp_context_destroy(context);
}

TEST(arguments_out_of_range_are_refused)
{
    imp_Mesh *mesh = NULL;
    begin();
    imp_Status bad = IMP_STATUS_BAD_ARGUMENT;
    CHECK_INT(scene_sphere(context, 2, 5, 1, &mesh), bad);
    CHECK_INT(scene_sphere(context, 5, 1, 1, &mesh), bad);
    CHECK_INT(scene_bumpy_sphere(context, 5, 5, 1, 1, 0, &mesh), bad);
    CHECK_INT(scene_bumpy_sphere(context, 5, 5, 1, NAN, 0, &mesh), bad);
    CHECK_INT(scene_hollow_sphere(context, 2, 5, 1, 0.5, &mesh), bad);
    CHECK_INT(scene_torus(context, 2, 5, 1, 0.5, &mesh), bad);
    CHECK_INT(scene_torus(context, 5, 2, 1, 0.5, &mesh), bad);
    CHECK_INT(scene_l_prism(context, 0, &mesh), bad);
    CHECK_INT(scene_star_prism(context, 1, 0.5, 1, &mesh), bad);
    CHECK_INT(scene_needle(context, 2, 0.5, &mesh), bad);
    CHECK_INT(scene_sphere(context, 5, 5, INFINITY, &mesh), IMP_STATUS_BAD_NUMBER);
    CHECK(mesh == NULL);
    imp_context_destroy(context);
}

TEST(flipping_twice_and_joining_keep_faces)
{
    imp_Mesh *a = NULL, *b = NULL, *joined = NULL, *once = NULL, *twice = NULL;
    begin();
    scene_sphere(context, 5, 4, 1, &a);
    scene_box(context, (imp_Vec3){0, 0, 0}, (imp_Vec3){1, 1, 1}, &b);
    CHECK_INT(scene_join(context, a, b, &joined), IMP_STATUS_OK);
    CHECK_INT(imp_mesh_get_triangle_count(joined), 42);
    CHECK_INT(imp_mesh_get_vertex_count(joined), 25);
    CHECK_INT(imp_mesh_get_indices(joined)[3 * 30], 17 + imp_mesh_get_indices(b)[0]);
    scene_flip(context, joined, &once);
    scene_flip(context, once, &twice);
    uint64_t hashes[3] = {hash_and_release(joined), hash_and_release(once), hash_and_release(twice)};
    CHECK(hashes[0] == hashes[2] && hashes[0] != hashes[1]);
    imp_mesh_release(a);
    imp_mesh_release(b);
    imp_context_destroy(context);
}
