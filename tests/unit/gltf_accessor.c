// Where numbers of glTF files stand: sparse, interleaved, as fractions.

#include "io/gltf_scene.h"
#include "scene_fixture.h"

// Bytes in a bufferView of their own; returns its number.
static int add_view(GltfFile *file, const void *bytes, size_t size, int stride)
{
    while (file->binary_size % 4 != 0)
        ++file->binary_size;
    memcpy(file->binary + file->binary_size, bytes, size);
    int view = gltf_next(&file->views);
    gltf_put(&file->views, "{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu", file->binary_size, size);
    if (stride > 0)
        gltf_put(&file->views, ",\"byteStride\":%d", stride);
    gltf_put(&file->views, "}");
    file->binary_size += size;
    return view;
}

// `members` goes in front of count and type, and is empty or ends with a comma.
static int add_accessor(GltfFile *file, const char *members, int component, int count, const char *type)
{
    int accessor = gltf_next(&file->accessors);
    gltf_put(&file->accessors, "{%s\"componentType\":%d,\"count\":%d,\"type\":\"%s\"}", members, component,
             count, type);
    return accessor;
}

// An accessor that is `base` (a view, or -1 for none) but for some elements of `value_size` bytes.
static int add_sparse(GltfFile *file, int base, int component, int count, const char *type, int sparse_count,
                      const uint16_t *indices, const void *values, size_t value_size)
{
    char members[256] = "";
    int index_view = add_view(file, indices, (size_t)sparse_count * sizeof *indices, 0);
    int value_view = add_view(file, values, (size_t)sparse_count * value_size, 0);
    size_t length = 0;
    if (base >= 0)
        length = (size_t)snprintf(members, sizeof members, "\"bufferView\":%d,", base);
    snprintf(members + length, sizeof members - length,
             "\"sparse\":{\"count\":%d,\"indices\":{\"bufferView\":%d,\"componentType\":5123},"
             "\"values\":{\"bufferView\":%d}},",
             sparse_count, index_view, value_view);
    return add_accessor(file, members, component, count, type);
}

static bool is_vertex(const imp_Mesh *mesh, size_t index, double x, double y, double z)
{
    return same_point(imp_mesh_get_vertices(mesh)[index], (imp_Vec3){x, y, z});
}

TEST(sparse_positions_replace_some)
{
    GltfFile *file = gltf_new();
    int base = add_view(file, gltf_tetrahedron_corners, sizeof gltf_tetrahedron_corners, 0);
    int position = add_sparse(file, base, 5126, 4, "VEC3", 2, (uint16_t[]){1, 3}, (float[]){2, 0, 0, 0, 0, 3},
                              3 * sizeof(float));
    int mesh = gltf_mesh(file, position, gltf_shorts(file, 12, gltf_tetrahedron_indices), "", "");
    gltf_node(file, true, "\"mesh\":%d", mesh);
    SceneFixture f = scene_load(file, "a.glb");
    const imp_Mesh *read = scene_body(f.scene, 0).mesh;
    CHECK_INT(imp_mesh_get_vertex_count(read), 4);
    CHECK(is_vertex(read, 0, 0, 0, 0) && is_vertex(read, 1, 2, 0, 0));
    CHECK(is_vertex(read, 2, 0, 1, 0) && is_vertex(read, 3, 0, 0, 3));
    scene_close(&f);
}

TEST(sparse_positions_without_a_view_are_zero_elsewhere)
{
    GltfFile *file = gltf_new();
    int position = add_sparse(file, -1, 5126, 4, "VEC3", 3, (uint16_t[]){1, 2, 3},
                              gltf_tetrahedron_corners + 3, 3 * sizeof(float));
    // So are sparse indices: the first and the fourth corner stay 0.
    int indices = add_sparse(file, -1, 5123, 6, "SCALAR", 4, (uint16_t[]){1, 2, 4, 5},
                             (uint16_t[]){2, 1, 1, 3}, sizeof(uint16_t));
    gltf_node(file, true, "\"mesh\":%d", gltf_mesh(file, position, indices, "", ""));
    SceneFixture f = scene_load(file, "a.gltf");
    const imp_Mesh *read = scene_body(f.scene, 0).mesh;
    static const uint32_t expected[] = {0, 2, 1, 0, 1, 3};
    CHECK(is_vertex(read, 0, 0, 0, 0) && is_vertex(read, 1, 1, 0, 0));
    CHECK(is_vertex(read, 2, 0, 1, 0) && is_vertex(read, 3, 0, 0, 1));
    CHECK_INT(imp_mesh_get_triangle_count(read), 2);
    CHECK(memcmp(imp_mesh_get_indices(read), expected, sizeof expected) == 0);
    scene_close(&f);
}

TEST(sparse_targets_and_keys)
{
    GltfFile *file = gltf_new();
    int position = gltf_floats(file, 4, 3, gltf_tetrahedron_corners);
    int target =
        add_sparse(file, -1, 5126, 4, "VEC3", 1, (uint16_t[]){3}, (float[]){0, 0, 2}, 3 * sizeof(float));
    char targets[64];
    snprintf(targets, sizeof targets, ",\"targets\":[{\"POSITION\":%d}]", target);
    int mesh = gltf_mesh(file, position, gltf_shorts(file, 12, gltf_tetrahedron_indices), "", targets);
    gltf_node(file, true, "\"mesh\":%d", mesh);
    // Weights 0, 1, 0 at 0, 1 and 2 s.
    int times = gltf_floats(file, 3, 1, (float[]){0, 1, 2});
    int keys = add_sparse(file, -1, 5126, 3, "SCALAR", 1, (uint16_t[]){1}, (float[]){1}, sizeof(float));
    gltf_next(&file->samplers);
    gltf_put(&file->samplers, "{\"input\":%d,\"output\":%d}", times, keys);
    gltf_next(&file->channels);
    gltf_put(&file->channels, "{\"sampler\":0,\"target\":{\"node\":0,\"path\":\"weights\"}}");
    SceneFixture f = scene_load(file, "a.glb");
    CHECK(scene_body(f.scene, 0).deforms);
    for (int i = 0; i <= 8; ++i) {
        imp_Vec3 world[MAX_SCENE_VERTICES];
        double seconds = i / 4.0, weight = 1 - fabs(seconds - 1);
        scene_world_vertices(f.scene, 0, seconds, world);
        CHECK(same_point(world[2], (imp_Vec3){0, 1, 0}) &&
              same_point(world[3], (imp_Vec3){0, 0, 1 + 2 * weight}));
    }
    scene_close(&f);
}

// Longer than a block that is read at once, with sparse elements on its borders.
TEST(long_sparse_accessors)
{
    enum { COUNT = 1500, EVERY = 31 };
    GltfFile *file = gltf_new();
    float positions[3 * COUNT], values[3 * COUNT];
    uint16_t indices[COUNT];
    int sparse_count = 0;
    for (int i = 0; i < COUNT; ++i) {
        for (int k = 0; k < 3; ++k)
            positions[3 * i + k] = (float)(10 * i + k);
        if (i % EVERY == 0 || i == 340 || i == 341 || i == COUNT - 1) {
            for (int k = 0; k < 3; ++k)
                values[3 * sparse_count + k] = (float)-(10 * i + k);
            indices[sparse_count++] = (uint16_t)i;
        }
    }
    int base = add_view(file, positions, sizeof positions, 0);
    int position =
        add_sparse(file, base, 5126, COUNT, "VEC3", sparse_count, indices, values, 3 * sizeof(float));
    gltf_next(&file->meshes);
    gltf_put(&file->meshes, "{\"primitives\":[{\"attributes\":{\"POSITION\":%d}}]}", position);
    gltf_node(file, true, "\"mesh\":0");
    SceneFixture f = scene_load(file, "a.glb");
    const imp_Mesh *read = scene_body(f.scene, 0).mesh;
    CHECK_INT(imp_mesh_get_triangle_count(read), COUNT / 3);
    for (int i = 0, at = 0; i < COUNT; ++i) {
        double sign = at < sparse_count && indices[at] == i ? -1 : 1;
        at += sign < 0;
        CHECK(is_vertex(read, (size_t)i, sign * (10 * i), sign * (10 * i + 1), sign * (10 * i + 2)));
    }
    scene_close(&f);
}

// Positions, joints and weights of a vertex side by side, and something else between them.
TEST(interleaved_attributes)
{
    typedef struct Vertex {
        float position[3], normal[3];
        uint16_t joints[4];
        float weights[4];
    } Vertex;
    GltfFile *file = gltf_new();
    Vertex vertices[4] = {0};
    for (int i = 0; i < 4; ++i) {
        memcpy(vertices[i].position, gltf_tetrahedron_corners + 3 * i, sizeof vertices[i].position);
        vertices[i].normal[2] = 7;
        vertices[i].joints[1] = 1;
        vertices[i].weights[i == 3] = 1;
    }
    int view = add_view(file, vertices, sizeof vertices, (int)sizeof(Vertex));
    char members[3][64], attributes[96];
    static const size_t offsets[] = {0, offsetof(Vertex, joints), offsetof(Vertex, weights)};
    for (int i = 0; i < 3; ++i)
        snprintf(members[i], sizeof members[i], "\"bufferView\":%d,\"byteOffset\":%zu,", view, offsets[i]);
    int position = add_accessor(file, members[0], 5126, 4, "VEC3");
    snprintf(attributes, sizeof attributes, ",\"JOINTS_0\":%d,\"WEIGHTS_0\":%d",
             add_accessor(file, members[1], 5123, 4, "VEC4"),
             add_accessor(file, members[2], 5126, 4, "VEC4"));
    int mesh = gltf_mesh(file, position, gltf_shorts(file, 12, gltf_tetrahedron_indices), attributes, "");
    gltf_next(&file->skins);
    gltf_put(&file->skins, "{\"joints\":[1,2]}");
    gltf_node(file, true, "\"mesh\":%d,\"skin\":0", mesh);
    gltf_node(file, true, "\"translation\":[10,0,0]");
    gltf_node(file, true, "\"translation\":[0,20,0]");
    SceneFixture f = scene_load(file, "a.glb");
    const imp_Mesh *read = scene_body(f.scene, 0).mesh;
    CHECK(is_vertex(read, 0, 10, 0, 0) && is_vertex(read, 1, 11, 0, 0));
    CHECK(is_vertex(read, 2, 10, 1, 0) && is_vertex(read, 3, 0, 20, 1));
    scene_close(&f);
}

// All kinds of normalized integers, read as the doubles next to what they stand for.
TEST(normalized_integers_are_fractions)
{
    static const int8_t bytes[] = {-128, -127, 1, 127};
    static const uint8_t unsigned_bytes[] = {0, 1, 254, 255};
    static const int16_t shorts[] = {-32768, -32767, 1, 32767};
    static const uint16_t unsigned_shorts[] = {0, 1, 65534, 65535};
    static const struct {
        int component;
        const void *bytes;
        size_t size;
        double expected[4];
    } kinds[] = {
        {5120, bytes, sizeof bytes, {-1, -1, 1 / 127.0, 1}},
        {5121, unsigned_bytes, sizeof unsigned_bytes, {0, 1 / 255.0, 254 / 255.0, 1}},
        {5122, shorts, sizeof shorts, {-1, -1, 1 / 32767.0, 1}},
        {5123, unsigned_shorts, sizeof unsigned_shorts, {0, 1 / 65535.0, 65534 / 65535.0, 1}},
    };
    for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; ++kind) {
        // As weights of a target that lifts everything by 1.
        GltfFile *file = gltf_new();
        char more[64];
        int position = gltf_floats(file, 4, 3, gltf_tetrahedron_corners);
        snprintf(more, sizeof more, ",\"targets\":[{\"POSITION\":%d}]",
                 gltf_floats(file, 4, 3, (float[]){0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1}));
        gltf_node(file, true, "\"mesh\":%d",
                  gltf_mesh(file, position, gltf_shorts(file, 12, gltf_tetrahedron_indices), "", more));
        int view = add_view(file, kinds[kind].bytes, kinds[kind].size, 0);
        snprintf(more, sizeof more, "\"bufferView\":%d,\"normalized\":true,", view);
        int keys = add_accessor(file, more, kinds[kind].component, 4, "SCALAR");
        gltf_next(&file->samplers);
        gltf_put(&file->samplers, "{\"input\":%d,\"output\":%d}",
                 gltf_floats(file, 4, 1, (float[]){0, 1, 2, 3}), keys);
        gltf_next(&file->channels);
        gltf_put(&file->channels, "{\"sampler\":0,\"target\":{\"node\":0,\"path\":\"weights\"}}");
        SceneFixture f = scene_load(file, "a.glb");
        for (int i = 0; i < 4; ++i) {
            imp_Vec3 vertices[4];
            imp_Pose pose;
            CHECK_INT(imp_scene_sample(f.scene, 0, i, &pose, vertices), IMP_STATUS_OK);
            CHECK_DOUBLE(vertices[0].z, kinds[kind].expected[i]);
        }
        scene_close(&f);
    }
}

// A short file may not ask for any number of vertices.
TEST(next_to_nothing_stored_is_refused)
{
    static const struct {
        int count;
        imp_Status status;
    } cases[] = {{300, IMP_STATUS_OK}, {513, IMP_STATUS_UNSUPPORTED}, {2000000001, IMP_STATUS_UNSUPPORTED}};
    char folder[MAX_TEST_PATH];
    make_folder(folder);
    imp_Context *context = new_context();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        GltfFile *file = gltf_new();
        int position = add_sparse(file, -1, 5126, cases[i].count, "VEC3", 1, (uint16_t[]){1},
                                  (float[]){1, 0, 0}, 3 * sizeof(float));
        gltf_next(&file->meshes);
        gltf_put(&file->meshes, "{\"primitives\":[{\"attributes\":{\"POSITION\":%d}}]}", position);
        gltf_node(file, true, "\"mesh\":0");
        gltf_save(file, path_in(folder, "a.gltf"));
        imp_Scene *scene = NULL;
        CHECK_INT(imp_scene_load(context, path_in(folder, "a.gltf"), &scene), cases[i].status);
        if (cases[i].status != IMP_STATUS_OK)
            CHECK_CONTAINS(imp_context_get_error(context)->message,
                           "mesh 0: accessor 0 for POSITION has no bufferView and only 1 of ");
        imp_scene_destroy(scene);
    }
    imp_context_destroy(context);
    remove_folder(folder);
}
