// Node matrices of very large or very small numbers were taken apart by their squares: what overflowed left a
// rotation that nobody had computed, so that one file was refused in one run and read in the next.
#include "scene_fixture.h"

static SceneFixture load_scaled(const char *placement)
{
    GltfFile *file = gltf_new();
    int box = gltf_box(file, -1, -1, -1, 1, 1, 1);
    gltf_node(file, true, "\"mesh\":%d,%s", box, placement);
    return scene_load(file, "a.gltf");
}

TEST(matrices_of_any_size)
{
    static const double factors[] = {1e-310, 1e-200, 1e-100, 1, 1e100, 1e200, 1e300, 1.7e308};
    for (size_t i = 0; i < sizeof factors / sizeof *factors; ++i) {
        char placement[256];
        double f = factors[i];
        snprintf(placement, sizeof placement, "\"matrix\":[0,%.17g,0,0,%.17g,0,0,0,0,0,%.17g,0,0,0,0,1]", f,
                 -f, f);
        SceneFixture fixture = load_scaled(placement);
        imp_Vec3 world[MAX_SCENE_VERTICES];
        if (fixture.scene) {
            // A quarter turn about z, and a factor.
            scene_world_vertices(fixture.scene, 0, 0, world);
            CHECK(scene_near(world[0], (imp_Vec3){f, -f, -f}, f));
            CHECK(!scene_body(fixture.scene, 0).deforms);
        }
        scene_close(&fixture);
    }
}

// Squares and cubes of these are beyond doubles too, but they are mirrors all the same.
TEST(small_and_large_mirrors)
{
    static const double factors[] = {1e-200, 1e-120, 1, 1e120, 1e300};
    SceneFixture plain = load_scaled("\"scale\":[1,1,1]");
    for (size_t i = 0; i < sizeof factors / sizeof *factors && plain.scene; ++i)
        for (int sign = -1; sign <= 1; sign += 2) {
            char placement[256];
            double f = sign * factors[i];
            snprintf(placement, sizeof placement, "\"scale\":[%.17g,%.17g,%.17g]", f, f, f);
            SceneFixture fixture = load_scaled(placement);
            if (fixture.scene) {
                const uint32_t *a = imp_mesh_get_indices(scene_body(plain.scene, 0).mesh);
                const uint32_t *b = imp_mesh_get_indices(scene_body(fixture.scene, 0).mesh);
                CHECK(a[0] == b[0] && a[1] == b[sign < 0 ? 2 : 1] && a[2] == b[sign < 0 ? 1 : 2]);
            }
            scene_close(&fixture);
        }
    scene_close(&plain);
}

// What is too large is said to be so.
TEST(what_becomes_infinite)
{
    imp_Context *context = new_context();
    char folder[MAX_TEST_PATH];
    GltfFile *file = gltf_new();
    imp_Scene *scene = NULL;
    int box = gltf_box(file, -1e30f, -1, -1, 1e30f, 1, 1);
    make_folder(folder);
    gltf_node(file, true, "\"mesh\":%d,\"scale\":[1e300,1e300,1e300]", box);
    gltf_save(file, path_in(folder, "a.gltf"));
    CHECK_INT(imp_scene_load(context, path_in(folder, "a.gltf"), &scene), IMP_STATUS_BAD_FILE);
    CHECK_CONTAINS(imp_context_get_error(context)->message,
                   "a.gltf: its transforms and weights make a coordinate that is not finite");
    imp_context_destroy(context);
    remove_folder(folder);
}

// Times up to the largest float are times.
TEST(times_of_any_size)
{
    GltfFile *file = gltf_new();
    int box = gltf_box(file, -1, -1, -1, 1, 1, 1);
    int node = gltf_node(file, true, "\"mesh\":%d", box);
    const float times[] = {0, 3e38f}, places[] = {0, 0, 0, 8, 0, 0};
    gltf_animate(file, node, "translation", "LINEAR", 2, times, 3, places);
    SceneFixture fixture = scene_load(file, "a.gltf");
    imp_Vec3 world[MAX_SCENE_VERTICES];
    if (fixture.scene) {
        CHECK_DOUBLE(imp_scene_get_duration(fixture.scene), (double)3e38f);
        scene_world_vertices(fixture.scene, 0, 0.25 * (double)3e38f, world);
        CHECK(scene_near(world[0], (imp_Vec3){1, -1, -1}, 1));
    }
    scene_close(&fixture);
}
