// Nodes that share a mesh: one mesh in memory where their bodies have the same shape.
#include "scene_fixture.h"

static imp_Mesh *mesh_of(const SceneFixture *fixture, size_t body)
{
    return scene_body(fixture->scene, body).mesh;
}

TEST(instances_share_their_mesh)
{
    const int count = 1000;
    GltfFile *file = gltf_new();
    int mesh = gltf_box(file, 0, 0, 0, 1, 1, 1);
    for (int i = 0; i < count; ++i)
        gltf_node(file, true, "\"mesh\":%d,\"translation\":[%d,0,0]", mesh, 2 * i);
    SceneFixture fixture = scene_load(file, "a.glb");
    CHECK_INT(imp_scene_get_body_count(fixture.scene), count);
    for (int i = 0; i < count; ++i) {
        imp_Pose pose;
        CHECK(mesh_of(&fixture, (size_t)i) == mesh_of(&fixture, 0));
        CHECK_INT(imp_scene_sample(fixture.scene, (size_t)i, 0, &pose, NULL), IMP_STATUS_OK);
        CHECK(pose.translation.x == 2.0 * i);
    }
    // One that is kept outlives the scene.
    imp_Mesh *kept = imp_mesh_retain(mesh_of(&fixture, 7));
    imp_scene_destroy(fixture.scene);
    fixture.scene = NULL;
    CHECK_INT(imp_mesh_get_triangle_count(kept), 12);
    imp_mesh_release(kept);
    scene_close(&fixture);
}

TEST(what_differs_in_shape_is_not_shared)
{
    GltfFile *file = gltf_new();
    int first = gltf_box(file, 0, 0, 0, 1, 1, 1), second = gltf_box(file, 0, 0, 0, 1, 1, 1);
    gltf_node(file, true, "\"mesh\":%d", first);
    gltf_node(file, true, "\"mesh\":%d,\"scale\":[2,2,2]", first);
    gltf_node(file, true, "\"mesh\":%d,\"scale\":[-1,1,1]", first);
    gltf_node(file, true, "\"mesh\":%d", second);
    int growing = gltf_node(file, true, "\"mesh\":%d", first);
    int moving = gltf_node(file, true, "\"mesh\":%d,\"rotation\":[0,0,1,0]", first);
    gltf_node(file, true, "\"mesh\":%d,\"scale\":[2,2,2],\"translation\":[1,2,3]", first);
    gltf_node(file, true, "\"mesh\":%d,\"scale\":[-1,1,1]", first);
    gltf_animate(file, growing, "scale", "LINEAR", 2, (float[]){0, 1}, 3, (float[]){1, 1, 1, 2, 2, 2});
    gltf_animate(file, moving, "translation", "LINEAR", 2, (float[]){0, 1}, 3, (float[]){0, 0, 0, 2, 2, 2});
    static const int same_as[] = {0, 1, 2, 3, 4, 0, 1, 2}; // the first body that has the same mesh
    SceneFixture fixture = scene_load(file, "a.gltf");
    for (size_t i = 0; i < 8; ++i)
        for (size_t j = 0; j < i; ++j)
            CHECK_INT(mesh_of(&fixture, i) == mesh_of(&fixture, j), same_as[i] == same_as[j]);
    CHECK(imp_mesh_get_vertices(mesh_of(&fixture, 6))[6].x == 2);
    scene_close(&fixture);
}

TEST(morph_targets_and_skins_keep_their_own)
{
    GltfFile *file = gltf_morphing_box();
    gltf_node(file, true, "\"mesh\":0");
    gltf_node(file, true, "\"mesh\":0");
    SceneFixture fixture = scene_load(file, "a.gltf");
    CHECK(mesh_of(&fixture, 0) != mesh_of(&fixture, 1) && mesh_of(&fixture, 1) != mesh_of(&fixture, 2));
    CHECK(scene_body(fixture.scene, 0).deforms && !scene_body(fixture.scene, 1).deforms);
    scene_close(&fixture);
    file = gltf_skinned_bar();
    gltf_node(file, true, "\"mesh\":0");
    fixture = scene_load(file, "a.gltf");
    CHECK(mesh_of(&fixture, 0) != mesh_of(&fixture, 1));
    scene_close(&fixture);
}
