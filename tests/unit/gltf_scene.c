// What scenes in glTF files are made of: trees of nodes, skins, primitives, tracks, all in double precision.

#include "io/gltf_scene.h"

#include "failing_allocator.h"
#include "scene_fixture.h"

// Equal to a few last places of doubles.
static bool is_next_to(imp_Vec3 a, double x, double y, double z)
{
    double tolerance = 4e-15;
    return fabs(a.x - x) <= tolerance && fabs(a.y - y) <= tolerance && fabs(a.z - z) <= tolerance;
}

// Decimals that single precision does not hold: translation, rotation by the 3-4-5 triangle, scale, matrix.
TEST(nested_nodes_keep_double_precision)
{
    GltfFile *file = gltf_new();
    int mesh = gltf_tetrahedron(file);
    gltf_node(file, true, "\"translation\":[0.1,0.2,0.3],\"children\":[1]");
    // About z by the angle whose half has sine 0.6 and cosine 0.8: cosine 0.28, sine 0.96.
    gltf_node(file, false, "\"rotation\":[0,0,0.6,0.8],\"children\":[2]");
    gltf_node(file, false, "\"matrix\":[0,1.1,0,0,-1.1,0,0,0,0,0,1.1,0,0.01,0.02,0.03,1],\"children\":[3]");
    gltf_node(file, false, "\"scale\":[0.7,0.7,0.7],\"translation\":[0.001,0,0],\"children\":[4]");
    gltf_node(file, false, "\"name\":\"leaf\",\"mesh\":%d", mesh);
    SceneFixture f = scene_load(file, "a.gltf");
    CHECK_TEXT(scene_body(f.scene, 0).name, "leaf");
    imp_Vec3 world[MAX_SCENE_VERTICES];
    scene_world_vertices(f.scene, 0, 0, world);
    for (int i = 0; i < 4; ++i) {
        double x = 0.7 * (double)gltf_tetrahedron_corners[3 * i] + 0.001,
               y = 0.7 * (double)gltf_tetrahedron_corners[3 * i + 1],
               z = 0.7 * (double)gltf_tetrahedron_corners[3 * i + 2];
        double mx = -1.1 * y + 0.01, my = 1.1 * x + 0.02, mz = 1.1 * z + 0.03;
        CHECK(is_next_to(world[i], 0.28 * mx - 0.96 * my + 0.1, 0.96 * mx + 0.28 * my + 0.2, mz + 0.3));
    }
    scene_close(&f);
}

// From the roots down, children in order, whatever their numbers are.
TEST(bodies_come_in_the_order_of_the_tree)
{
    GltfFile *file = gltf_new();
    int mesh = gltf_tetrahedron(file);
    gltf_node(file, false, "\"name\":\"d\",\"mesh\":%d", mesh);
    gltf_node(file, false, "\"name\":\"c\",\"mesh\":%d", mesh);
    gltf_node(file, true, "\"name\":\"a\",\"mesh\":%d,\"children\":[4,0]", mesh);
    gltf_node(file, true, "\"name\":\"e\",\"mesh\":%d", mesh);
    gltf_node(file, false, "\"name\":\"b\",\"mesh\":%d,\"children\":[1]", mesh);
    SceneFixture f = scene_load(file, "a.gltf");
    CHECK_INT(imp_scene_get_body_count(f.scene), 5);
    for (size_t i = 0; i < 5; ++i)
        CHECK_INT(scene_body(f.scene, i).name[0], "abcde"[i]);
    scene_close(&f);
}

TEST(without_a_named_scene_the_first_is_read)
{
    GltfFile *file = gltf_new();
    int mesh = gltf_tetrahedron(file);
    for (int i = 0; i < 4; ++i)
        gltf_node(file, false, "\"name\":\"%d\",\"mesh\":%d", i, mesh);
    gltf_put(&file->extra, ",\"scenes\":[{\"nodes\":[2,1]},{\"nodes\":[0]},{\"nodes\":[1,3]}]");
    // What moves a node of another scene does not play.
    gltf_animate(file, 3, "translation", "LINEAR", 2, (float[]){0, 9}, 3, (float[6]){0});
    SceneFixture f = scene_load(file, "a.glb");
    CHECK_INT(imp_scene_get_body_count(f.scene), 2);
    CHECK_TEXT(scene_body(f.scene, 0).name, "2");
    CHECK_TEXT(scene_body(f.scene, 1).name, "1");
    CHECK_DOUBLE(imp_scene_get_duration(f.scene), 0);
    CHECK_TEXT(imp_scene_get_remark(f.scene), "only one of the 3 scenes in the file is read");
    scene_close(&f);
}

static GltfFile *make_shared_joints(void)
{
    GltfFile *file = gltf_new();
    // Vertices 0 to 2 follow the first joint of a skin, vertex 3 the second and, by a quarter, the first.
    const unsigned char joints[16] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0};
    const float weights[16] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0.75f, 0.25f, 0, 0};
    float inverse_binds[32] = {0};
    for (int i = 0; i < 8; ++i)
        inverse_binds[16 * (i / 4) + 5 * (i % 4)] = 1;
    inverse_binds[16 + 13] = -5; // the second joint was bound at (0, 5, 0)
    int position = gltf_floats(file, 4, 3, gltf_tetrahedron_corners),
        indices = gltf_shorts(file, 12, gltf_tetrahedron_indices);
    char attributes[64];
    int joint_accessor = gltf_array(file, joints, sizeof joints, 5121, 4, "VEC4");
    snprintf(attributes, sizeof attributes, ",\"JOINTS_0\":%d,\"WEIGHTS_0\":%d", joint_accessor,
             gltf_floats(file, 4, 4, weights));
    int mesh = gltf_mesh(file, position, indices, attributes, "");
    gltf_next(&file->skins);
    gltf_put(&file->skins, "{\"joints\":[2,3]}");
    gltf_next(&file->skins);
    gltf_put(&file->skins, "{\"joints\":[3,2],\"inverseBindMatrices\":%d}",
             gltf_floats(file, 2, 16, inverse_binds));
    gltf_node(file, true, "\"mesh\":%d,\"skin\":0", mesh);
    gltf_node(file, true, "\"mesh\":%d,\"skin\":1", mesh);
    gltf_node(file, true, "\"translation\":[8,0,0],\"children\":[3]");
    gltf_node(file, false, "\"translation\":[0,4,0]");
    gltf_animate(file, 2, "translation", "LINEAR", 2, (float[]){0, 1}, 3, (float[]){8, 0, 0, 8, 0, 16});
    return file;
}

// Two skins, the same joints in another order and bound elsewhere.
TEST(skins_that_share_joints)
{
    SceneFixture f = scene_load(make_shared_joints(), "a.gltf");
    CHECK_INT(imp_scene_get_body_count(f.scene), 2);
    for (int i = 0; i <= 4; ++i) {
        imp_Vec3 first[MAX_SCENE_VERTICES], second[MAX_SCENE_VERTICES];
        double seconds = i / 4.0, z = 16 * seconds;
        scene_world_vertices(f.scene, 0, seconds, first);
        scene_world_vertices(f.scene, 1, seconds, second);
        CHECK(same_point(first[1], (imp_Vec3){9, 0, z}) && same_point(first[3], (imp_Vec3){8, 3, z + 1}));
        CHECK(same_point(second[1], (imp_Vec3){9, 4, z}) &&
              same_point(second[3], (imp_Vec3){8, 0.75 * -5 + 0.25 * 4, z + 1}));
    }
    scene_close(&f);
}

// A strip, a fan and triangles, with and without indices, with a target that only one of them has, all in a
// skin with two sets of joints.
static GltfFile *make_primitives(void)
{
    GltfFile *file = gltf_new();
    const float quad[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0};
    const unsigned char joints[16] = {0}, others[16] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0};
    float weights[16] = {0};
    for (int i = 0; i < 4; ++i)
        weights[4 * i] = 0.5f;
    int position = gltf_floats(file, 4, 3, quad);
    int lift = gltf_floats(file, 4, 3, (float[]){0, 0, 2, 0, 0, 2, 0, 0, 2, 0, 0, 2});
    int indices = gltf_shorts(file, 6, (uint16_t[]){3, 2, 0, 0, 1, 3});
    int joint_accessor = gltf_array(file, joints, sizeof joints, 5121, 4, "VEC4");
    int other_accessor = gltf_array(file, others, sizeof others, 5121, 4, "VEC4");
    int weight_accessor = gltf_floats(file, 4, 4, weights);
    char attributes[128];
    snprintf(attributes, sizeof attributes,
             "\"POSITION\":%d,\"JOINTS_0\":%d,\"WEIGHTS_0\":%d,\"JOINTS_1\":%d,\"WEIGHTS_1\":%d", position,
             joint_accessor, weight_accessor, other_accessor, weight_accessor);
    gltf_next(&file->meshes);
    gltf_put(&file->meshes,
             "{\"primitives\":[{\"attributes\":{%s},\"mode\":5,\"targets\":[{}]},"
             "{\"attributes\":{%s},\"mode\":0,\"targets\":[{}]},"
             "{\"attributes\":{%s},\"mode\":6,\"targets\":[{\"POSITION\":%d}]},"
             "{\"attributes\":{%s},\"indices\":%d,\"targets\":[{}]}],\"weights\":[0.5]}",
             attributes, attributes, attributes, lift, attributes, indices);
    gltf_next(&file->skins);
    gltf_put(&file->skins, "{\"joints\":[1,2]}");
    gltf_node(file, true, "\"mesh\":0,\"skin\":0");
    gltf_node(file, true, "\"translation\":[10,0,0]");
    gltf_node(file, true, "\"translation\":[0,20,0]");
    return file;
}

TEST(primitives_of_all_kinds_in_one_body)
{
    SceneFixture f = scene_load(make_primitives(), "a.glb");
    const imp_Mesh *mesh = scene_body(f.scene, 0).mesh;
    static const uint32_t expected[] = {0, 1, 2, 2, 1, 3, 4, 5, 6, 4, 6, 7, 11, 10, 8, 8, 9, 11};
    CHECK_INT(imp_mesh_get_vertex_count(mesh), 12);
    CHECK_INT(imp_mesh_get_triangle_count(mesh), 6);
    CHECK(memcmp(imp_mesh_get_indices(mesh), expected, sizeof expected) == 0);
    for (int i = 0; i < 12; ++i)
        CHECK(same_point(imp_mesh_get_vertices(mesh)[i],
                         (imp_Vec3){5 + i % 2, 10 + i / 2 % 2, i / 4 == 1 ? 1 : 0}));
    scene_close(&f);
}

TEST(long_strips_and_fans)
{
    enum { COUNT = 700 };
    for (int mode = 5; mode <= 6; ++mode) {
        GltfFile *file = gltf_new();
        float positions[3 * COUNT];
        for (int i = 0; i < 3 * COUNT; ++i)
            positions[i] = (float)test_random_between(-1, 1);
        int position = gltf_floats(file, COUNT, 3, positions);
        gltf_next(&file->meshes);
        gltf_put(&file->meshes, "{\"primitives\":[{\"attributes\":{\"POSITION\":%d},\"mode\":%d}]}", position,
                 mode);
        gltf_node(file, true, "\"mesh\":0");
        SceneFixture f = scene_load(file, "a.glb");
        const uint32_t *indices = imp_mesh_get_indices(scene_body(f.scene, 0).mesh);
        CHECK_INT(imp_mesh_get_triangle_count(scene_body(f.scene, 0).mesh), COUNT - 2);
        for (uint32_t i = 0; i < COUNT - 2; ++i) {
            uint32_t a = i % 2 ? i + 1 : i, b = i % 2 ? i : i + 1;
            CHECK_INT(indices[3 * i], mode == 5 ? a : 0);
            CHECK_INT(indices[3 * i + 1], mode == 5 ? b : i + 1);
            CHECK_INT(indices[3 * i + 2], i + 2);
        }
        scene_close(&f);
    }
}

// Every kind of interpolation on nodes above each other, with times of their own.
static GltfFile *make_machine(void)
{
    GltfFile *file = gltf_new();
    int mesh = gltf_tetrahedron(file);
    gltf_node(file, true, "\"name\":\"slide\",\"mesh\":%d,\"children\":[1]", mesh);
    gltf_node(file, false, "\"name\":\"arm\",\"mesh\":%d,\"children\":[2]", mesh);
    gltf_node(file, false, "\"name\":\"hand\",\"mesh\":%d", mesh);
    gltf_animate(file, 0, "translation", "CUBICSPLINE", 2, (float[]){0, 4}, 3,
                 (float[]){0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 0, 0});
    gltf_animate(file, 1, "translation", "STEP", 3, (float[]){0, 1, 2}, 3,
                 (float[]){0, 1, 0, 0, 2, 0, 0, 3, 0});
    gltf_animate(file, 2, "translation", "LINEAR", 2, (float[]){1, 3}, 3, (float[]){0, 0, 0, 0, 0, 4});
    gltf_animate(file, 2, "scale", "LINEAR", 2, (float[]){0, 2}, 3, (float[]){1, 1, 1, 3, 3, 3});
    return file;
}

TEST(animations_over_several_nodes)
{
    SceneFixture f = scene_load(make_machine(), "a.gltf");
    CHECK_DOUBLE(imp_scene_get_duration(f.scene), 4);
    CHECK(!scene_body(f.scene, 0).deforms && !scene_body(f.scene, 1).deforms &&
          scene_body(f.scene, 2).deforms);
    for (int i = 0; i <= 16; ++i) {
        double t = i / 4.0, u = t / 4, x = 8 * (3 * u * u - 2 * u * u * u);
        double y = t < 1 ? 1 : t < 2 ? 2 : 3, z = 2 * fmin(fmax(t - 1, 0), 2), s = fmin(1 + t, 3);
        imp_Vec3 slide[MAX_SCENE_VERTICES], arm[MAX_SCENE_VERTICES], hand[MAX_SCENE_VERTICES];
        scene_world_vertices(f.scene, 0, t, slide);
        scene_world_vertices(f.scene, 1, t, arm);
        scene_world_vertices(f.scene, 2, t, hand);
        CHECK(is_next_to(slide[1], x + 1, 0, 0) && is_next_to(arm[2], x, y + 1, 0));
        CHECK(is_next_to(hand[0], x, y, z) && is_next_to(hand[1], x + s, y, z));
    }
    scene_close(&f);
}

// A displacement that would be lost next to its vertex in single precision.
TEST(morph_targets_are_added_in_double_precision)
{
    GltfFile *file = gltf_new();
    const float far[12] = {16777216, 0, 0, 16777218, 0, 0, 16777216, 1, 0, 16777216, 0, 1};
    float push[12] = {0};
    for (int i = 0; i < 4; ++i)
        push[3 * i] = 0.25f;
    char targets[64];
    int position = gltf_floats(file, 4, 3, far);
    snprintf(targets, sizeof targets, ",\"targets\":[{\"POSITION\":%d}]", gltf_floats(file, 4, 3, push));
    int mesh = gltf_mesh(file, position, gltf_shorts(file, 12, gltf_tetrahedron_indices), "", targets);
    gltf_node(file, true, "\"mesh\":%d,\"weights\":[0.1]", mesh);
    SceneFixture f = scene_load(file, "a.glb");
    CHECK(!scene_body(f.scene, 0).deforms);
    CHECK_DOUBLE(imp_mesh_get_vertices(scene_body(f.scene, 0).mesh)[0].x, 16777216 + 0.1 * 0.25);
    scene_close(&f);
}

static void fail_each_allocation(GltfFile *file)
{
    size_t size;
    unsigned char *bytes = gltf_binary(file, &size);
    FailingAllocator memory;
    uint64_t n = 0;
    do {
        failing_allocator_init(&memory, ++n);
        imp_ContextDef def = {.allocator = failing_allocator_hooks(&memory)};
        imp_Context *context = NULL;
        imp_Scene *scene = NULL;
        impi_Gltf gltf;
        imp_Status status = imp_context_create(&def, &context);
        if (status == IMP_STATUS_OK)
            status = impi_gltf_open_memory(context, "a.glb", bytes, size, &gltf);
        if (status == IMP_STATUS_OK) {
            status = impi_gltf_make_scene(&gltf, &(impi_UnitConversion){0}, &scene);
            impi_gltf_close(&gltf);
        }
        CHECK_INT(status, failing_allocator_has_failed(&memory) ? IMP_STATUS_OUT_OF_MEMORY : IMP_STATUS_OK);
        CHECK((scene != NULL) == (status == IMP_STATUS_OK));
        imp_scene_destroy(scene);
        imp_context_destroy(context);
        CHECK(failing_allocator_is_clean(&memory));
    } while (failing_allocator_has_failed(&memory));
    CHECK(n > 10);
    free(bytes);
    free(file);
}

TEST(every_allocation_may_fail)
{
    fail_each_allocation(make_shared_joints());
    fail_each_allocation(make_primitives());
    fail_each_allocation(make_machine());
    // With a remark, and so large that arrays are no longer parts of the first chunk of memory.
    GltfFile *file = gltf_new();
    static float positions[3 * 4000];
    for (int i = 0; i < 3 * 4000; ++i)
        positions[i] = (float)i;
    char targets[96];
    int position = gltf_floats(file, 3999, 3, positions);
    snprintf(targets, sizeof targets, ",\"targets\":[{\"POSITION\":%d},{\"POSITION\":%d}]", position,
             position);
    gltf_next(&file->meshes);
    gltf_put(&file->meshes, "{\"primitives\":[{\"attributes\":{\"POSITION\":%d}%s}]}", position, targets);
    gltf_node(file, false, "\"mesh\":0");
    gltf_node(file, false, "\"mesh\":0,\"weights\":[1,2]");
    gltf_put(&file->extra, ",\"scenes\":[{\"nodes\":[0,1]},{\"nodes\":[1]}]");
    gltf_animate(file, 0, "weights", "LINEAR", 2, (float[]){0, 1}, 2, (float[]){0, 0, 1, 0.5f});
    fail_each_allocation(file);
}
