// Bodies whose shape changes: skins and morph targets.

#include "scene_fixture.h"

TEST(a_skinned_bar_bends)
{
    SceneFixture f = scene_load(gltf_skinned_bar(), "bar.glb");
    imp_SceneBody body = scene_body(f.scene, 0);
    CHECK_TEXT(body.name, "bar");
    CHECK(body.deforms);
    CHECK_INT(imp_mesh_get_triangle_count(body.mesh), 20);
    CHECK_DOUBLE(imp_scene_get_duration(f.scene), 1);
    imp_MeshInfo info;
    CHECK_INT(imp_mesh_analyse(f.context, body.mesh, &info), IMP_STATUS_OK);
    CHECK(info.closed);
    for (int frame = 0; frame <= 4; ++frame) {
        double seconds = frame / 4.0, angle = acos(-1.0) / 2 * seconds;
        imp_Vec3 vertices[12];
        imp_Pose pose;
        CHECK_INT(imp_scene_sample(f.scene, 0, seconds, &pose, vertices), IMP_STATUS_OK);
        // A skin ignores the place of its own node.
        CHECK(same_point(pose.translation, (imp_Vec3){0, 0, 0}) && pose.rotation.w == 1);
        for (int i = 0; i < 12; ++i) {
            imp_Vec3 rest = {i / 4, i % 4 == 1 || i % 4 == 2 ? 0.5 : -0.5, i % 4 >= 2 ? 0.5 : -0.5};
            if (i >= 8)
                rest = (imp_Vec3){1 + cos(angle) * 1 - sin(angle) * rest.y,
                                  sin(angle) * 1 + cos(angle) * rest.y, rest.z};
            CHECK(scene_near(vertices[i], rest, 1));
            if (frame == 0)
                CHECK(same_point(vertices[i], imp_mesh_get_vertices(body.mesh)[i]));
        }
    }
    scene_close(&f);
}

// What the file may do with weights: bytes, shares that do not add up to 1, no inverse binds, a joint above.
TEST(weights_are_shares)
{
    GltfFile *file = gltf_new();
    float corners[24];
    unsigned char joints[32] = {0}, weights[32] = {0};
    gltf_box_corners(0, 0, 0, 1, 1, 1, corners);
    for (int i = 0; i < 8; ++i) {
        joints[4 * i + 1] = 1;
        weights[4 * i] = 60;
        weights[4 * i + 1] = 180;
        joints[4 * i + 2] = 99; // names no joint, and weighs nothing
    }
    weights[28] = weights[29] = 0;
    int position = gltf_floats(file, 8, 3, corners), indices = gltf_shorts(file, 36, gltf_box_indices);
    int joint_accessor = gltf_array(file, joints, 32, 5121, 8, "VEC4");
    int weight_accessor = gltf_array(file, weights, 32, 5121, 8, "VEC4\",\"normalized\":true,\"x\":\"");
    char attributes[64];
    snprintf(attributes, sizeof attributes, ",\"JOINTS_0\":%d,\"WEIGHTS_0\":%d", joint_accessor,
             weight_accessor);
    int mesh = gltf_mesh(file, position, indices, attributes, "");
    gltf_next(&file->skins);
    gltf_put(&file->skins, "{\"joints\":[1,2]}");
    gltf_next(&file->skins);
    gltf_put(&file->skins, "{\"joints\":[2,2]}");
    gltf_node(file, true, "\"mesh\":%d,\"skin\":0,\"translation\":[100,0,0]", mesh);
    gltf_node(file, true, "\"translation\":[8,0,0]");
    gltf_node(file, true, "\"translation\":[0,4,0]");
    gltf_node(file, true, "\"mesh\":%d,\"skin\":1", mesh);
    SceneFixture f = scene_load(file, "a.gltf");
    CHECK_INT(imp_scene_get_body_count(f.scene), 2);
    CHECK(!scene_body(f.scene, 0).deforms);
    CHECK(scene_near(imp_mesh_get_vertices(scene_body(f.scene, 0).mesh)[6], (imp_Vec3){3, 4, 1}, 1));
    CHECK(scene_near(imp_mesh_get_vertices(scene_body(f.scene, 0).mesh)[7], (imp_Vec3){100, 1, 1}, 1));
    CHECK(scene_near(imp_mesh_get_vertices(scene_body(f.scene, 1).mesh)[6], (imp_Vec3){1, 5, 1}, 1));
    CHECK_TEXT(imp_scene_get_remark(f.scene), "2 vertices of skins have no joint and follow their node");
    scene_close(&f);
}

TEST(a_box_morphs)
{
    SceneFixture f = scene_load(gltf_morphing_box(), "dough.gltf");
    CHECK(scene_body(f.scene, 0).deforms);
    for (int frame = 0; frame <= 8; ++frame) {
        double seconds = frame / 4.0;
        double lift = fmin(seconds, 1), push = fmax(seconds - 1, 0);
        imp_Vec3 vertices[8];
        imp_Pose pose;
        float corners[24];
        gltf_box_corners(0, 0, 0, 1, 1, 1, corners);
        CHECK_INT(imp_scene_sample(f.scene, 0, seconds, &pose, vertices), IMP_STATUS_OK);
        CHECK(same_point(pose.translation, (imp_Vec3){3, 0, 0}));
        for (int i = 0; i < 8; ++i)
            CHECK(same_point(vertices[i],
                             (imp_Vec3){(double)corners[3 * i] + 0.5 * push, (double)corners[3 * i + 1],
                                        (double)corners[3 * i + 2] + (i >= 4 ? lift : 0)}));
    }
    scene_close(&f);
}

// Without an animation the weights are the node's, or else the mesh's.
TEST(default_weights)
{
    GltfFile *file = gltf_new();
    float corners[24], lift[24] = {0};
    gltf_box_corners(0, 0, 0, 1, 1, 1, corners);
    for (int i = 0; i < 8; ++i)
        lift[3 * i + 2] = 1;
    int position = gltf_floats(file, 8, 3, corners), indices = gltf_shorts(file, 36, gltf_box_indices);
    char more[160];
    // The second target displaces nothing; a closing bracket early puts the weights where they belong.
    snprintf(more, sizeof more, ",\"targets\":[{\"POSITION\":%d},{}]}],\"weights\":[0.5,1],\"x\":[{",
             gltf_floats(file, 8, 3, lift));
    int mesh = gltf_mesh(file, position, indices, "", more);
    gltf_node(file, true, "\"mesh\":%d", mesh);
    gltf_node(file, true, "\"mesh\":%d,\"weights\":[0.25,0]", mesh);
    gltf_node(file, true, "\"mesh\":%d,\"weights\":[0.25,0]", mesh);
    gltf_animate(file, 2, "weights", "STEP", 2, (float[]){0, 1}, 2, (float[]){2, 0, 3, 0});
    SceneFixture f = scene_load(file, "a.gltf");
    static const double heights[] = {0.5, 0.25, 2};
    for (size_t i = 0; i < 3; ++i) {
        imp_SceneBody body = scene_body(f.scene, i);
        CHECK_DOUBLE(imp_mesh_get_vertices(body.mesh)[0].z, heights[i]);
        CHECK(body.deforms == (i == 2));
    }
    imp_Vec3 world[MAX_SCENE_VERTICES];
    scene_world_vertices(f.scene, 2, 1, world);
    CHECK_DOUBLE(world[0].z, 3);
    scene_close(&f);
}

TEST(weights_on_cubic_splines)
{
    GltfFile *file = gltf_morphing_box();
    file->channels.count = file->samplers.count = 0;
    file->channels.length = file->samplers.length = 0;
    gltf_animate(file, 0, "weights", "CUBICSPLINE", 2, (float[]){0, 1}, 2,
                 (float[]){9, 9, 0, 0, 2, 0, 0, 0, 1, 1, 9, 9});
    SceneFixture f = scene_load(file, "a.gltf");
    imp_Vec3 world[MAX_SCENE_VERTICES];
    scene_world_vertices(f.scene, 0, 0.5, world);
    // Weights (0.5 + 2/8, 0.5).
    CHECK(scene_near(world[4], (imp_Vec3){3.25, 0, 1.75}, 1));
    scene_close(&f);
}

// Strips and fans, primitives that share vertices, lines between them.
TEST(primitives_are_joined_in_order)
{
    GltfFile *file = gltf_new();
    float corners[24];
    gltf_box_corners(0, 0, 0, 1, 1, 1, corners);
    int position = gltf_floats(file, 8, 3, corners);
    int quad = gltf_shorts(file, 4, (uint16_t[]){0, 1, 3, 2}),
        fan = gltf_shorts(file, 4, (uint16_t[]){4, 5, 6, 7});
    gltf_next(&file->meshes);
    gltf_put(&file->meshes,
             "{\"primitives\":[{\"attributes\":{\"POSITION\":%d},\"indices\":%d,\"mode\":5},"
             "{\"attributes\":{\"POSITION\":%d},\"indices\":%d,\"mode\":1},"
             "{\"attributes\":{\"POSITION\":%d},\"indices\":%d,\"mode\":6}]}",
             position, quad, position, quad, position, fan);
    gltf_node(file, true, "\"mesh\":0");
    SceneFixture f = scene_load(file, "a.gltf");
    imp_Mesh *mesh = scene_body(f.scene, 0).mesh;
    CHECK_INT(imp_mesh_get_triangle_count(mesh), 4);
    CHECK_INT(imp_mesh_get_vertex_count(mesh), 16);
    static const int triangles[4][3] = {{0, 1, 3}, {3, 1, 2}, {12, 13, 14}, {12, 14, 15}};
    for (int i = 0; i < 12; ++i)
        CHECK_INT(imp_mesh_get_indices(mesh)[i], triangles[i / 3][i % 3]);
    scene_close(&f);
}
