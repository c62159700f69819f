// Random trees of nodes in motion: vertices as an independent computation with 4 x 4 matrices gives them, and
// contacts as those of separate meshes that stand where the scene says.

#include "scene_fixture.h"

enum { NODE_COUNT = 7, KEY_COUNT = 3, BOX_VERTICES = 8 };

// What was written, in the precision of the file.
typedef struct RandomNode {
    int parent; // -1 at the top
    double t[3], q[4], s[3];
    const char *kinds[3]; // of interpolation of each; null: does not move
    double times[3][KEY_COUNT], keys[3][KEY_COUNT][4];
} RandomNode;

typedef struct RandomScene {
    RandomNode nodes[NODE_COUNT];
    float corners[NODE_COUNT][3 * BOX_VERTICES];
} RandomScene;

static double random_float(double low, double high)
{
    return (double)(float)test_random_between(low, high);
}

static void random_quaternion(double q[4])
{
    double norm = 0;
    for (int i = 0; i < 4; ++i) {
        q[i] = test_random_between(-1, 1);
        norm += q[i] * q[i];
    }
    for (int i = 0; i < 4; ++i)
        q[i] = (double)(float)(q[i] / sqrt(norm));
}

static void random_value(int path, bool is_even, double v[4])
{
    double factor = random_float(0.5, 1.5) * (test_random_below(4) == 0 ? -1 : 1);
    for (int i = 0; i < 3; ++i)
        v[i] = path == 0 ? random_float(-3, 3) : is_even ? factor : random_float(0.5, 1.5);
    if (path == 1)
        random_quaternion(v);
}

static void make_node(RandomNode *node, int index, bool is_even)
{
    static const char *const kinds[] = {"LINEAR", "STEP"};
    double t[4], s[4];
    node->parent = index == 0 ? -1 : (int)test_random_below((uint32_t)index + 1) - 1;
    random_value(0, is_even, t);
    random_value(1, is_even, node->q);
    random_value(2, is_even, s);
    memcpy(node->t, t, sizeof node->t);
    memcpy(node->s, s, sizeof node->s);
    for (int path = 0; path < 3; ++path) {
        node->kinds[path] = NULL;
        // A scale moves rarely: everything below it deforms.
        if (test_random_below(path == 2 ? 12 : 3) != 0)
            continue;
        node->kinds[path] = kinds[test_random_below(2)];
        for (int k = 0; k < KEY_COUNT; ++k) {
            node->times[path][k] = k + random_float(0.1, 0.9);
            random_value(path, is_even, node->keys[path][k]);
        }
    }
}

static void write_tracks(GltfFile *file, int index, const RandomNode *node)
{
    static const char *const paths[] = {"translation", "rotation", "scale"};
    for (int path = 0; path < 3; ++path) {
        int width = path == 1 ? 4 : 3;
        float times[KEY_COUNT], values[4 * KEY_COUNT];
        if (!node->kinds[path])
            continue;
        for (int k = 0; k < KEY_COUNT; ++k) {
            times[k] = (float)node->times[path][k];
            for (int i = 0; i < width; ++i)
                values[width * k + i] = (float)node->keys[path][k][i];
        }
        gltf_animate(file, index, paths[path], node->kinds[path], KEY_COUNT, times, width, values);
    }
}

static GltfFile *make_scene(RandomScene *scene)
{
    GltfFile *file = gltf_new();
    bool is_even = test_random_below(2) == 0;
    for (int i = 0; i < NODE_COUNT; ++i)
        make_node(&scene->nodes[i], i, is_even);
    for (int i = 0; i < NODE_COUNT; ++i) {
        const RandomNode *n = &scene->nodes[i];
        float half[3];
        for (int k = 0; k < 3; ++k)
            half[k] = (float)random_float(0.2, 1);
        gltf_box_corners(-half[0], -half[1], -half[2], half[0], half[1], half[2], scene->corners[i]);
        int mesh = gltf_box(file, -half[0], -half[1], -half[2], half[0], half[1], half[2]);
        char children[64] = "";
        size_t length = 0;
        for (int c = i + 1; c < NODE_COUNT; ++c)
            if (scene->nodes[c].parent == i)
                length += (size_t)snprintf(children + length, sizeof children - length, "%s%d",
                                           length ? "," : ",\"children\":[", c);
        gltf_node(file, n->parent < 0,
                  "\"mesh\":%d,\"translation\":[%.9g,%.9g,%.9g],\"rotation\":[%.9g,%.9g,%.9g,%.9g],"
                  "\"scale\":[%.9g,%.9g,%.9g]%s%s",
                  mesh, n->t[0], n->t[1], n->t[2], n->q[0], n->q[1], n->q[2], n->q[3], n->s[0], n->s[1],
                  n->s[2], children, length ? "]" : "");
        write_tracks(file, i, n);
    }
    return file;
}

// By the rotation from one to the other, as an angle about an axis.
static void turn_between(const double a[4], const double b[4], double fraction, double q[4])
{
    double r[4] = {a[3] * b[0] - a[0] * b[3] - a[1] * b[2] + a[2] * b[1],
                   a[3] * b[1] - a[1] * b[3] - a[2] * b[0] + a[0] * b[2],
                   a[3] * b[2] - a[2] * b[3] - a[0] * b[1] + a[1] * b[0],
                   a[3] * b[3] + a[0] * b[0] + a[1] * b[1] + a[2] * b[2]};
    double sign = r[3] < 0 ? -1 : 1, sine = sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
    double angle = fraction * atan2(sine, sign * r[3]), k = sine > 0 ? sign * sin(angle) / sine : 0;
    double x = k * r[0], y = k * r[1], z = k * r[2], w = cos(angle);
    q[0] = a[3] * x + a[0] * w + a[1] * z - a[2] * y;
    q[1] = a[3] * y + a[1] * w + a[2] * x - a[0] * z;
    q[2] = a[3] * z + a[2] * w + a[0] * y - a[1] * x;
    q[3] = a[3] * w - a[0] * x - a[1] * y - a[2] * z;
}

static void value_at(const RandomNode *node, int path, double seconds, const double *rest, double v[4])
{
    int width = path == 1 ? 4 : 3, key = 0;
    const double(*keys)[4] = node->keys[path];
    const double *times = node->times[path];
    if (!node->kinds[path]) {
        memcpy(v, rest, (size_t)width * sizeof *v);
        return;
    }
    while (key + 1 < KEY_COUNT && times[key + 1] <= seconds)
        ++key;
    memcpy(v, keys[key], 4 * sizeof *v);
    if (seconds <= times[key] || key + 1 == KEY_COUNT || strcmp(node->kinds[path], "STEP") == 0)
        return;
    double fraction = (seconds - times[key]) / (times[key + 1] - times[key]);
    if (path == 1)
        turn_between(keys[key], keys[key + 1], fraction, v);
    for (int i = 0; path != 1 && i < 3; ++i)
        v[i] = (1 - fraction) * keys[key][i] + fraction * keys[key + 1][i];
}

// One point through one node.
static imp_Vec3 map_point(const RandomNode *node, double seconds, imp_Vec3 p)
{
    double t[4], q[4], s[4];
    value_at(node, 0, seconds, node->t, t);
    value_at(node, 1, seconds, node->q, q);
    value_at(node, 2, seconds, node->s, s);
    double norm = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    imp_Vec3 v = {s[0] * p.x, s[1] * p.y, s[2] * p.z};
    // v + 2 u x (u x v + w v), u being the vector part.
    imp_Vec3 a = {q[1] * v.z - q[2] * v.y + q[3] * v.x, q[2] * v.x - q[0] * v.z + q[3] * v.y,
                  q[0] * v.y - q[1] * v.x + q[3] * v.z};
    return (imp_Vec3){t[0] + v.x + 2 * (q[1] * a.z - q[2] * a.y) / norm,
                      t[1] + v.y + 2 * (q[2] * a.x - q[0] * a.z) / norm,
                      t[2] + v.z + 2 * (q[0] * a.y - q[1] * a.x) / norm};
}

// Bodies come from the root down; their names tell which node they are.
static int node_of(const imp_Scene *scene, size_t body)
{
    int node = -1;
    CHECK_INT(sscanf(scene_body(scene, body).name, "node %d", &node), 1);
    return node;
}

TEST(vertices_are_where_matrices_put_them)
{
    int rigid = 0, deforming = 0;
    for (uint64_t round = 0; round < test_count(60); ++round) {
        RandomScene written;
        SceneFixture f = scene_load(make_scene(&written), round % 2 ? "a.glb" : "a.gltf");
        CHECK_INT(imp_scene_get_body_count(f.scene), NODE_COUNT);
        for (size_t body = 0; body < imp_scene_get_body_count(f.scene); ++body) {
            int node = node_of(f.scene, body);
            *(scene_body(f.scene, body).deforms ? &deforming : &rigid) += 1;
            for (int frame = 0; frame < 6; ++frame) {
                double seconds = frame == 0 ? 0 : test_random_between(0, 3.5);
                imp_Vec3 world[MAX_SCENE_VERTICES];
                scene_world_vertices(f.scene, body, seconds, world);
                for (int i = 0; i < BOX_VERTICES; ++i) {
                    const float *c = written.corners[node] + 3 * i;
                    imp_Vec3 p = {(double)c[0], (double)c[1], (double)c[2]};
                    double size = 1;
                    for (int n = node; n >= 0; n = written.nodes[n].parent) {
                        p = map_point(&written.nodes[n], seconds, p);
                        size += fabs(p.x) + fabs(p.y) + fabs(p.z);
                    }
                    CHECK(scene_near(world[i], p, size));
                }
            }
        }
        scene_close(&f);
    }
    printf("  %d rigid bodies, %d that deform\n", rigid, deforming);
    CHECK(test_count(60) < 20 || (rigid > 20 && deforming > 20));
}

static void place_bodies(imp_World *world, const imp_Scene *scene, const imp_BodyId *ids, double seconds)
{
    for (size_t i = 0; i < imp_scene_get_body_count(scene); ++i) {
        imp_SceneBody body = scene_body(scene, i);
        imp_Vec3 vertices[MAX_SCENE_VERTICES];
        imp_Pose pose;
        CHECK_INT(imp_scene_sample(scene, i, seconds, &pose, vertices), IMP_STATUS_OK);
        CHECK_INT(imp_body_set_pose(world, ids[i], pose), IMP_STATUS_OK);
        if (body.deforms)
            CHECK_INT(
                imp_body_set_vertices(world, ids[i], &vertices->x, imp_mesh_get_vertex_count(body.mesh)),
                IMP_STATUS_OK);
    }
}

// Each body as a file of its own that is saved and loaded, at rest in the world's frame.
static imp_World *world_of_files(imp_Context *context, const imp_Scene *scene, const char *folder,
                                 double seconds)
{
    imp_World *world = NULL;
    CHECK_INT(imp_world_create(context, NULL, &world), IMP_STATUS_OK);
    for (size_t i = 0; i < imp_scene_get_body_count(scene); ++i) {
        imp_Mesh *mesh = scene_body(scene, i).mesh, *posed = NULL, *loaded = NULL;
        imp_Vec3 vertices[MAX_SCENE_VERTICES];
        scene_world_vertices(scene, i, seconds, vertices);
        imp_MeshDef def = {.vertices = &vertices->x,
                           .vertex_count = imp_mesh_get_vertex_count(mesh),
                           .indices = imp_mesh_get_indices(mesh),
                           .triangle_count = imp_mesh_get_triangle_count(mesh)};
        imp_BodyId id;
        CHECK_INT(imp_mesh_create(context, &def, &posed), IMP_STATUS_OK);
        CHECK_INT(imp_mesh_save(context, posed, path_in(folder, "posed.obj")), IMP_STATUS_OK);
        CHECK_INT(imp_mesh_load(context, path_in(folder, "posed.obj"), &loaded), IMP_STATUS_OK);
        CHECK_INT(imp_world_add_body(world, &(imp_BodyDef){.mesh = loaded}, &id), IMP_STATUS_OK);
        imp_mesh_release(posed);
        imp_mesh_release(loaded);
    }
    return world;
}

static bool same_report(const imp_Report *a, const imp_Report *b)
{
    return a->body_pair_count == b->body_pair_count && a->face_pair_count == b->face_pair_count &&
           (a->body_pair_count == 0 ||
            memcmp(a->body_pairs, b->body_pairs, a->body_pair_count * sizeof *a->body_pairs) == 0) &&
           (a->face_pair_count == 0 ||
            memcmp(a->face_pairs, b->face_pairs, a->face_pair_count * sizeof *a->face_pairs) == 0);
}

// Play a scene, and compare each frame. Returns in how many frames something touched.
static int play_and_compare(SceneFixture *f, int frame_count)
{
    imp_World *world = NULL;
    imp_BodyId ids[NODE_COUNT];
    int touching = 0;
    CHECK_INT(imp_world_create(f->context, NULL, &world), IMP_STATUS_OK);
    for (size_t i = 0; i < imp_scene_get_body_count(f->scene); ++i)
        CHECK_INT(imp_world_add_body(world, &(imp_BodyDef){.mesh = scene_body(f->scene, i).mesh}, &ids[i]),
                  IMP_STATUS_OK);
    for (int frame = 0; frame <= frame_count; ++frame) {
        double seconds = imp_scene_get_duration(f->scene) * frame / frame_count;
        const imp_Report *report = NULL, *expected = NULL;
        place_bodies(world, f->scene, ids, seconds);
        CHECK_INT(imp_world_detect(world, NULL, &report), IMP_STATUS_OK);
        imp_World *still = world_of_files(f->context, f->scene, f->folder, seconds);
        CHECK_INT(imp_world_detect(still, NULL, &expected), IMP_STATUS_OK);
        CHECK(same_report(report, expected));
        touching += report->face_pair_count > 0;
        imp_world_destroy(still);
    }
    imp_world_destroy(world);
    return touching;
}

TEST(contacts_are_those_of_separate_meshes)
{
    SceneFixture f = scene_load(gltf_two_bodies(), "a.gltf");
    int touching = play_and_compare(&f, 28);
    // The block reaches the floor (y = 0.5) at 6/7 s and leaves it at 8/7 s: frames 12 to 16 of 28.
    CHECK_INT(touching, 5);
    scene_close(&f);
    f = scene_load(gltf_skinned_bar(), "a.glb");
    play_and_compare(&f, 4);
    scene_close(&f);
    int frames = 0;
    touching = 0;
    for (uint64_t round = 0; round < test_count(60) / 4; ++round) {
        RandomScene written;
        f = scene_load(make_scene(&written), "a.glb");
        touching += play_and_compare(&f, 4);
        frames += 5;
        scene_close(&f);
    }
    printf("  something touches in %d of %d frames\n", touching, frames);
    CHECK(frames < 50 || (touching > frames / 4 && touching < frames));
}
