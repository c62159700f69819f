// Scenes in motion: nodes, keys, scales. Shapes that change are in scene_shapes.c.

#include "scene_fixture.h"
#include "scene_memory.h"

static imp_Pose pose_at(const imp_Scene *scene, size_t body, double seconds)
{
    imp_Pose pose = {0};
    CHECK_INT(imp_scene_sample(scene, body, seconds, &pose, NULL), IMP_STATUS_OK);
    return pose;
}

static bool is_pose(imp_Pose pose, double x, double y, double z, double qw, double qx, double qy, double qz)
{
    return same_point(pose.translation, (imp_Vec3){x, y, z}) && pose.rotation.w == qw &&
           pose.rotation.x == qx && pose.rotation.y == qy && pose.rotation.z == qz;
}

static bool near_quat(imp_Quat a, imp_Quat b)
{
    double dot = a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z;
    return fabs(fabs(dot) - 1) <= 1e-12;
}

TEST(two_bodies_move_exactly)
{
    static const char *const names[] = {"a.gltf", "a.glb", "A.GLB"};
    for (int i = 0; i < 3; ++i) {
        SceneFixture f = scene_load(gltf_two_bodies(), names[i]);
        CHECK_INT(imp_scene_get_body_count(f.scene), 2);
        CHECK_DOUBLE(imp_scene_get_duration(f.scene), 2);
        CHECK(imp_scene_get_remark(f.scene) == NULL);
        imp_SceneBody floor = scene_body(f.scene, 0), block = scene_body(f.scene, 1);
        CHECK_TEXT(floor.name, "floor");
        CHECK_TEXT(block.name, "block");
        CHECK(!floor.deforms && !block.deforms);
        CHECK_INT(imp_mesh_get_triangle_count(block.mesh), 12);
        CHECK(is_pose(pose_at(f.scene, 0, 1), 0, 0, 0, 1, 0, 0, 0));
        CHECK(is_pose(pose_at(f.scene, 1, 0), 0, 2, 0, 1, 0, 0, 0));
        CHECK(is_pose(pose_at(f.scene, 1, 0.5), 0, 1.125, 0, 1, 0, 0, 0));
        CHECK(is_pose(pose_at(f.scene, 1, 1), 0, 0.25, 0, 1, 0, 0, 0));
        CHECK(is_pose(pose_at(f.scene, 1, -5), 0, 2, 0, 1, 0, 0, 0));
        CHECK(is_pose(pose_at(f.scene, 1, 50), 0, 2, 0, 1, 0, 0, 0));
        scene_close(&f);
    }
}

TEST(triangles_and_vertices_are_those_of_the_file)
{
    SceneFixture f = scene_load(gltf_two_bodies(), "a.gltf");
    imp_Mesh *mesh = scene_body(f.scene, 1).mesh;
    float corners[24];
    imp_Vec3 vertices[8];
    imp_Pose pose;
    gltf_box_corners(-0.5f, -0.5f, -0.5f, 0.5f, 0.5f, 0.5f, corners);
    CHECK_INT(imp_scene_sample(f.scene, 1, 0.7, &pose, vertices), IMP_STATUS_OK);
    CHECK_INT(imp_mesh_get_vertex_count(mesh), 8);
    for (int i = 0; i < 8; ++i) {
        imp_Vec3 corner = {(double)corners[3 * i], (double)corners[3 * i + 1], (double)corners[3 * i + 2]};
        CHECK(same_point(imp_mesh_get_vertices(mesh)[i], corner) && same_point(vertices[i], corner));
    }
    for (int i = 0; i < 36; ++i)
        CHECK_INT(imp_mesh_get_indices(mesh)[i], gltf_box_indices[i]);
    scene_close(&f);
}

TEST(wrong_arguments)
{
    SceneFixture f = scene_load(gltf_two_bodies(), "a.gltf");
    imp_Scene *none = NULL;
    imp_SceneBody body;
    imp_Pose pose = {.translation.x = 7};
    CHECK_INT(imp_scene_load(NULL, "a.gltf", &none), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_scene_load(f.context, NULL, &none), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_scene_load(f.context, "a.gltf", NULL), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_scene_get_body(f.scene, 2, &body), IMP_STATUS_BAD_INDEX);
    CHECK_INT(imp_scene_get_body(f.scene, 0, NULL), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_scene_get_body(NULL, 0, &body), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_scene_sample(f.scene, 2, 0, &pose, NULL), IMP_STATUS_BAD_INDEX);
    CHECK_INT(imp_scene_sample(f.scene, 0, NAN, &pose, NULL), IMP_STATUS_BAD_NUMBER);
    CHECK_INT(imp_scene_sample(f.scene, 0, INFINITY, &pose, NULL), IMP_STATUS_BAD_NUMBER);
    CHECK_INT(imp_scene_sample(f.scene, 0, 0, NULL, NULL), IMP_STATUS_BAD_ARGUMENT);
    CHECK_DOUBLE(pose.translation.x, 7);
    CHECK_INT(imp_scene_get_body_count(NULL), 0);
    CHECK_DOUBLE(imp_scene_get_duration(NULL), 0);
    CHECK(imp_scene_get_remark(NULL) == NULL);
    imp_scene_destroy(NULL);
    scene_close(&f);
}

TEST(nested_nodes)
{
    // A quarter turn about z at (10, 0, 0), in it a node at (2, 0, 0) that turns about its x as time goes by.
    GltfFile *file = gltf_new();
    int mesh = gltf_box(file, 0, 0, 0, 1, 1, 1);
    gltf_node(file, true,
              "\"translation\":[10,0,0],\"rotation\":[0,0,0.70710678,0.70710678],\"children\":[1]");
    gltf_node(file, false, "\"translation\":[2,0,0],\"mesh\":%d", mesh);
    gltf_animate(file, 1, "rotation", "LINEAR", 2, (float[]){0, 2}, 4, (float[]){0, 0, 0, 1, 1, 0, 0, 0});
    SceneFixture f = scene_load(file, "a.gltf");
    CHECK_TEXT(scene_body(f.scene, 0).name, "node 1");
    imp_Vec3 world[MAX_SCENE_VERTICES];
    scene_world_vertices(f.scene, 0, 1, world);
    // Corner 4 is (0, 0, 1): a quarter turn about x takes it to (0, -1, 0), the one about z to (1, 0, 0).
    CHECK(scene_near(world[4], (imp_Vec3){11, 2, 0}, 1));
    CHECK(scene_near(world[1], (imp_Vec3){10, 3, 0}, 1));
    CHECK(!scene_body(f.scene, 0).deforms);
    double half = sqrt(0.5);
    CHECK(near_quat(pose_at(f.scene, 0, 0).rotation, (imp_Quat){half, 0, 0, half}));
    CHECK(near_quat(pose_at(f.scene, 0, 1).rotation, (imp_Quat){0.5, 0.5, 0.5, 0.5}));
    scene_close(&f);
}

TEST(scale_is_baked)
{
    GltfFile *file = gltf_new();
    int mesh = gltf_box(file, 0, 0, 0, 1, 1, 1);
    gltf_node(file, true, "\"scale\":[2,2,2],\"translation\":[1,0,0],\"children\":[1]");
    gltf_node(file, false, "\"scale\":[1,3,0.5],\"translation\":[0,1,0],\"mesh\":%d", mesh);
    gltf_animate(file, 1, "rotation", "LINEAR", 2, (float[]){0, 1}, 4, (float[]){0, 0, 0, 1, 0, 0, 1, 0});
    SceneFixture f = scene_load(file, "a.gltf");
    imp_SceneBody body = scene_body(f.scene, 0);
    CHECK(!body.deforms);
    CHECK(same_point(imp_mesh_get_vertices(body.mesh)[6], (imp_Vec3){2, 6, 1}));
    CHECK(is_pose(pose_at(f.scene, 0, 0), 1, 2, 0, 1, 0, 0, 0));
    CHECK_INT(imp_mesh_get_indices(body.mesh)[1], 2);
    scene_close(&f);
}

TEST(mirrored_bodies_stay_outward)
{
    static const char *const placements[] = {"\"scale\":[1,1,-2]", "\"scale\":[-1,-1,-1]",
                                             "\"matrix\":[0,1,0,0,1,0,0,0,0,0,1,0,5,6,7,1]"};
    for (int i = 0; i < 3; ++i) {
        GltfFile *file = gltf_new();
        int mesh = gltf_box(file, 0, 0, 0, 1, 1, 1);
        gltf_node(file, true, "%s,\"children\":[1]", placements[i]);
        gltf_node(file, false, "\"mesh\":%d", mesh);
        SceneFixture f = scene_load(file, "a.gltf");
        imp_SceneBody body = scene_body(f.scene, 0);
        imp_MeshInfo info;
        CHECK_INT(imp_mesh_analyse(f.context, body.mesh, &info), IMP_STATUS_OK);
        CHECK(info.closed && info.orientation == IMP_ORIENTATION_OUTWARD);
        CHECK(!body.deforms);
        CHECK_INT(imp_mesh_get_indices(body.mesh)[0], gltf_box_indices[0]);
        CHECK_INT(imp_mesh_get_indices(body.mesh)[1], gltf_box_indices[2]);
        scene_close(&f);
    }
}

// A mirror above a node that turns: what turns left in the file turns right in the world.
TEST(rotation_below_a_mirror_is_rigid)
{
    GltfFile *file = gltf_new();
    int mesh = gltf_box(file, 0, 0, 0, 1, 1, 1);
    gltf_node(file, true, "\"scale\":[-2,2,2],\"children\":[1]");
    gltf_node(file, false, "\"mesh\":%d", mesh);
    gltf_animate(file, 1, "rotation", "LINEAR", 2, (float[]){0, 2}, 4, (float[]){0, 0, 0, 1, 0, 0, 1, 0});
    SceneFixture f = scene_load(file, "a.gltf");
    CHECK(!scene_body(f.scene, 0).deforms);
    imp_Vec3 world[MAX_SCENE_VERTICES];
    scene_world_vertices(f.scene, 0, 1, world);
    // (1, 0, 0) turns to (0, 1, 0) and (0, 1, 0) to (-1, 0, 0), before the mirror.
    CHECK(scene_near(world[1], (imp_Vec3){0, 2, 0}, 1));
    CHECK(scene_near(world[3], (imp_Vec3){2, 0, 0}, 1));
    scene_close(&f);
}

TEST(a_scale_that_moves_deforms)
{
    GltfFile *file = gltf_new();
    int mesh = gltf_box(file, 0, 0, 0, 1, 1, 1);
    int node = gltf_node(file, true, "\"mesh\":%d,\"translation\":[1,2,3]", mesh);
    gltf_animate(file, node, "scale", "LINEAR", 2, (float[]){0, 1}, 3, (float[]){1, 1, 1, 1, 3, 1});
    SceneFixture f = scene_load(file, "a.gltf");
    CHECK(scene_body(f.scene, 0).deforms);
    imp_Vec3 vertices[8];
    imp_Pose pose;
    CHECK_INT(imp_scene_sample(f.scene, 0, 0.5, &pose, vertices), IMP_STATUS_OK);
    CHECK(same_point(vertices[6], (imp_Vec3){1, 2, 1}) && is_pose(pose, 1, 2, 3, 1, 0, 0, 0));
    CHECK(same_point(imp_mesh_get_vertices(scene_body(f.scene, 0).mesh)[6], (imp_Vec3){1, 1, 1}));
    scene_close(&f);
}

// Exporters write what does not change once per frame.
TEST(a_scale_that_is_written_but_stays_is_rigid)
{
    GltfFile *file = gltf_new();
    int mesh = gltf_box(file, 0, 0, 0, 1, 1, 1);
    int node = gltf_node(file, true, "\"mesh\":%d", mesh);
    gltf_animate(file, node, "scale", "LINEAR", 3, (float[]){0, 1, 2}, 3,
                 (float[]){2, 2, 2, 2, 2.0000002f, 2, 2, 2, 2});
    SceneFixture f = scene_load(file, "a.gltf");
    CHECK(!scene_body(f.scene, 0).deforms);
    CHECK_DOUBLE(imp_scene_get_duration(f.scene), 2);
    CHECK(same_point(imp_mesh_get_vertices(scene_body(f.scene, 0).mesh)[6], (imp_Vec3){2, 2, 2}));
    scene_close(&f);
}

TEST(rotation_below_an_uneven_scale_deforms)
{
    GltfFile *file = gltf_new();
    int mesh = gltf_box(file, 0, 0, 0, 1, 1, 1);
    gltf_node(file, true, "\"scale\":[1,4,1],\"translation\":[5,0,0],\"children\":[1]");
    gltf_node(file, false, "\"mesh\":%d", mesh);
    gltf_animate(file, 1, "rotation", "LINEAR", 2, (float[]){0, 2}, 4, (float[]){0, 0, 0, 1, 0, 0, 1, 0});
    SceneFixture f = scene_load(file, "a.gltf");
    CHECK(scene_body(f.scene, 0).deforms);
    imp_Vec3 world[MAX_SCENE_VERTICES];
    scene_world_vertices(f.scene, 0, 1, world);
    CHECK(scene_near(world[1], (imp_Vec3){5, 4, 0}, 1));
    scene_close(&f);
}

// The other way round, and where nothing turns, shear is baked.
TEST(a_constant_shear_is_rigid)
{
    GltfFile *file = gltf_new();
    int mesh = gltf_box(file, 0, 0, 0, 1, 1, 1);
    int node = gltf_node(file, true, "\"children\":[1]");
    gltf_node(file, false, "\"mesh\":%d,\"matrix\":[1,0,0,0,1,1,0,0,0,0,1,0,0,0,9,1]", mesh);
    gltf_animate(file, node, "rotation", "LINEAR", 2, (float[]){0, 2}, 4, (float[]){0, 0, 0, 1, 0, 0, 1, 0});
    SceneFixture f = scene_load(file, "a.gltf");
    CHECK(!scene_body(f.scene, 0).deforms);
    CHECK(same_point(imp_mesh_get_vertices(scene_body(f.scene, 0).mesh)[3], (imp_Vec3){1, 1, 0}));
    imp_Vec3 world[MAX_SCENE_VERTICES];
    scene_world_vertices(f.scene, 0, 1, world);
    CHECK(scene_near(world[3], (imp_Vec3){-1, 1, 9}, 1));
    scene_close(&f);
}

TEST(steps_hold_until_the_next_key)
{
    GltfFile *file = gltf_new();
    int node = gltf_node(file, true, "\"mesh\":%d", gltf_box(file, 0, 0, 0, 1, 1, 1));
    gltf_animate(file, node, "translation", "STEP", 3, (float[]){0.1f, 0.7f, 1}, 3,
                 (float[]){1, 0, 0, 2, 0, 0, 3, 0, 0});
    SceneFixture f = scene_load(file, "a.gltf");
    double second = (double)0.7f;
    CHECK_DOUBLE(pose_at(f.scene, 0, 0).translation.x, 1);
    CHECK_DOUBLE(pose_at(f.scene, 0, second * (1 - 1e-5)).translation.x, 1);
    CHECK_DOUBLE(pose_at(f.scene, 0, second).translation.x, 2);
    CHECK_DOUBLE(pose_at(f.scene, 0, 0.99).translation.x, 2);
    CHECK_DOUBLE(pose_at(f.scene, 0, 1).translation.x, 3);
    CHECK(imp_scene_get_remark(f.scene) == NULL);
    scene_close(&f);
}

TEST(cubic_splines_use_their_tangents)
{
    GltfFile *file = gltf_new();
    int node = gltf_node(file, true, "\"mesh\":%d", gltf_box(file, 0, 0, 0, 1, 1, 1));
    // Before, value, behind; the slopes are per second.
    gltf_animate(file, node, "translation", "CUBICSPLINE", 2, (float[]){0, 2}, 3,
                 (float[]){9, 9, 9, 0, 0, 0, 1, 0, -2, 3, 0, 0, 4, 1, 0, 9, 9, 9});
    SceneFixture f = scene_load(file, "a.gltf");
    for (int i = 0; i <= 10; ++i) {
        double t = 0.2 * i, u = t / 2;
        double a = 2 * (u * u * u - 2 * u * u + u), b = 3 * u * u - 2 * u * u * u,
               c = 2 * (u * u * u - u * u);
        CHECK(scene_near(pose_at(f.scene, 0, t).translation, (imp_Vec3){a + 4 * b + 3 * c, b, -2 * a}, 1e-6));
    }
    scene_close(&f);
}

TEST(rotations_go_the_shorter_way_at_constant_speed)
{
    GltfFile *file = gltf_new();
    int node = gltf_node(file, true, "\"mesh\":%d", gltf_box(file, 0, 0, 0, 1, 1, 1));
    // 0 to 120 degrees about x, written with the sign that goes the long way.
    gltf_animate(file, node, "rotation", "LINEAR", 2, (float[]){0, 1}, 4,
                 (float[]){0, 0, 0, 1, -0.8660254f, 0, 0, -0.5f});
    SceneFixture f = scene_load(file, "a.gltf");
    for (int i = 0; i <= 6; ++i) {
        double angle = acos(-1.0) / 3 * i / 6;
        imp_Quat q = pose_at(f.scene, 0, i / 6.0).rotation;
        CHECK(fabs(fabs(q.w) - cos(angle)) < 1e-7 && fabs(fabs(q.x) - sin(angle)) < 1e-7);
        CHECK(fabs(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z - 1) < 1e-15);
    }
    scene_close(&f);
}

TEST(a_single_key_moves_its_node)
{
    static const char *const kinds[] = {"LINEAR", "STEP", "CUBICSPLINE"};
    for (int i = 0; i < 3; ++i) {
        GltfFile *file = gltf_new();
        int node = gltf_node(file, true, "\"mesh\":%d,\"translation\":[1,1,1],\"scale\":[2,2,2]",
                             gltf_box(file, 0, 0, 0, 1, 1, 1));
        const float keys[] = {5, 6, 7, 5, 6, 7, 5, 6, 7};
        gltf_animate(file, node, "translation", kinds[i], 1, (float[]){0.5f}, 3, keys);
        SceneFixture f = scene_load(file, "a.gltf");
        CHECK(is_pose(pose_at(f.scene, 0, 0), 5, 6, 7, 1, 0, 0, 0));
        CHECK(same_point(imp_mesh_get_vertices(scene_body(f.scene, 0).mesh)[6], (imp_Vec3){2, 2, 2}));
        CHECK_DOUBLE(imp_scene_get_duration(f.scene), 0.5);
        scene_close(&f);
    }
}

TEST(all_animations_play_at_once)
{
    GltfFile *file = gltf_two_bodies();
    int input = gltf_floats(file, 2, 1, (float[]){0, 4});
    int output = gltf_floats(file, 2, 3, (float[]){0, 0, 0, 8, 0, 0});
    GltfText *json = gltf_json(file, NULL);
    char *end = strstr(json->text, "}],\"accessors\"");
    char text[16384];
    CHECK(end != NULL);
    snprintf(text, sizeof text,
             "%.*s},{\"channels\":[{\"sampler\":0,\"target\":{\"node\":0,\"path\":\"translation\"}},"
             "{\"sampler\":0,\"target\":{\"node\":1,\"path\":\"translation\"}}],"
             "\"samplers\":[{\"input\":%d,\"output\":%d}]%s",
             (int)(end - json->text), json->text, input, output, end);
    char folder[MAX_TEST_PATH];
    make_folder(folder);
    write_file(path_in(folder, "a.gltf"), text, strlen(text));
    imp_Context *context = new_context();
    imp_Scene *scene = NULL;
    CHECK_INT(imp_scene_load(context, path_in(folder, "a.gltf"), &scene), IMP_STATUS_OK);
    CHECK_DOUBLE(imp_scene_get_duration(scene), 4);
    CHECK_DOUBLE(pose_at(scene, 0, 1).translation.x, 2);
    CHECK_DOUBLE(pose_at(scene, 1, 1).translation.x, 2);
    CHECK_DOUBLE(pose_at(scene, 1, 1).translation.y, 0);
    CHECK_TEXT(imp_scene_get_remark(scene),
               "1 animation channel does not play, because a later one moves the same");
    imp_scene_destroy(scene);
    imp_context_destroy(context);
    remove_folder(folder);
    free(json);
    free(file);
}

TEST(nodes_of_one_name_are_told_apart)
{
    GltfFile *file = gltf_new();
    int mesh = gltf_box(file, 0, 0, 0, 1, 1, 1);
    gltf_node(file, true, "\"name\":\"same\",\"mesh\":%d", mesh);
    gltf_node(file, true, "\"name\":\"same\",\"mesh\":%d", mesh);
    gltf_node(file, true, "\"name\":\"\",\"mesh\":%d", mesh);
    gltf_node(file, true, "\"name\":\"t\\u00e9a\\n\\ud83c\\udf75\",\"mesh\":%d", mesh);
    gltf_animate(file, 1, "translation", "LINEAR", 2, (float[]){0, 1}, 3, (float[]){0, 0, 0, 4, 0, 0});
    SceneFixture f = scene_load(file, "a.gltf");
    CHECK_INT(imp_scene_get_body_count(f.scene), 4);
    CHECK_TEXT(scene_body(f.scene, 1).name, "same");
    CHECK_TEXT(scene_body(f.scene, 2).name, "node 2");
    CHECK_TEXT(scene_body(f.scene, 3).name, "t\xC3\xA9"
                                            "a\n\xF0\x9F\x8D\xB5");
    CHECK_DOUBLE(pose_at(f.scene, 0, 1).translation.x, 0);
    CHECK_DOUBLE(pose_at(f.scene, 1, 1).translation.x, 4);
    scene_close(&f);
}

TEST(only_the_scene_that_is_named_counts)
{
    GltfFile *file = gltf_new();
    int mesh = gltf_box(file, 0, 0, 0, 1, 1, 1);
    gltf_node(file, false, "\"name\":\"other\",\"mesh\":%d", mesh);
    gltf_node(file, false, "\"name\":\"shown\",\"mesh\":%d", mesh);
    gltf_put(&file->extra, ",\"scene\":1,\"scenes\":[{\"nodes\":[0]},{\"nodes\":[1]}]");
    SceneFixture f = scene_load(file, "a.gltf");
    CHECK_INT(imp_scene_get_body_count(f.scene), 1);
    CHECK_TEXT(scene_body(f.scene, 0).name, "shown");
    CHECK_TEXT(imp_scene_get_remark(f.scene), "only one of the 2 scenes in the file is read");
    scene_close(&f);

    file = gltf_new();
    gltf_node(file, false, "\"mesh\":%d", gltf_box(file, 0, 0, 0, 1, 1, 1));
    f = scene_load(file, "a.glb");
    CHECK_INT(imp_scene_get_body_count(f.scene), 1);
    CHECK_DOUBLE(imp_scene_get_duration(f.scene), 0);
    scene_close(&f);
}

TEST(buffers_in_files_of_their_own)
{
    char folder[MAX_TEST_PATH];
    make_folder(folder);
    GltfFile *file = gltf_two_bodies();
    GltfText *json = gltf_json(file, "my%20buffer.bin");
    write_file(path_in(folder, "a.gltf"), json->text, json->length);
    write_file(path_in(folder, "my buffer.bin"), file->binary, file->binary_size);
    imp_Context *context = new_context();
    imp_Scene *scene = NULL;
    imp_Mesh *mesh = NULL;
    CHECK_INT(imp_scene_load(context, path_in(folder, "a.gltf"), &scene), IMP_STATUS_OK);
    CHECK_INT(imp_scene_get_body_count(scene), 2);
    // The reader of single meshes takes the same way.
    CHECK_INT(imp_mesh_load(context, path_in(folder, "a.gltf"), &mesh), IMP_STATUS_OK);
    CHECK_INT(imp_mesh_get_triangle_count(mesh), 24);
    imp_mesh_release(mesh);
    imp_scene_destroy(scene);
    imp_context_destroy(context);
    remove_folder(folder);
    free(json);
    free(file);
}

TEST(a_scene_outlives_its_context_and_meshes_their_scene)
{
    SceneFixture f = scene_load(gltf_two_bodies(), "a.gltf");
    imp_context_destroy(f.context);
    f.context = NULL;
    CHECK_DOUBLE(pose_at(f.scene, 1, 1).translation.y, 0.25);
    imp_Mesh *mesh = imp_mesh_retain(scene_body(f.scene, 1).mesh);
    imp_scene_destroy(f.scene);
    f.scene = NULL;
    CHECK_INT(imp_mesh_get_triangle_count(mesh), 12);
    imp_mesh_release(mesh);
    scene_close(&f);
}

static void fail_each_allocation(GltfFile *file)
{
    char folder[MAX_TEST_PATH];
    make_folder(folder);
    gltf_save(file, path_in(folder, "a.gltf"));
    CHECK(scene_fail_each_allocation(path_in(folder, "a.gltf"), NULL) > 9);
    remove_folder(folder);
}

TEST(every_allocation_may_fail)
{
    fail_each_allocation(gltf_two_bodies());
    fail_each_allocation(gltf_skinned_bar());
    fail_each_allocation(gltf_morphing_box());
}
