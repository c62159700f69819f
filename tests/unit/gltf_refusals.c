// glTF files that are wrong: each gets a status and one line that names the file and what is wrong.

#include "scene_fixture.h"

// Read a file that must be refused with this message, behind the file's name.
static void expect_refusal_of(const char *path, imp_Status status, const char *message)
{
    imp_Context *context = new_context();
    imp_Scene *scene = NULL;
    imp_Mesh *mesh = NULL;
    CHECK_INT(imp_scene_load(context, path, &scene), status);
    const imp_Error *error = imp_context_get_error(context);
    CHECK(scene == NULL);
    CHECK(strncmp(error->message, path, strlen(path)) == 0);
    if (!CHECK_CONTAINS(error->message, message))
        printf("  in %s\n", path);
    CHECK(!strchr(error->message, '\n'));
    // The reader of single meshes does not fall for it either.
    CHECK(imp_mesh_load(context, path, &mesh) != IMP_STATUS_OK);
    imp_context_destroy(context);
}

typedef struct Change {
    const char *old, *replacement, *message;
} Change;

static void try_changes(GltfFile *(*make)(void), const Change *changes, size_t count)
{
    char folder[MAX_TEST_PATH];
    make_folder(folder);
    for (size_t i = 0; i < count; ++i) {
        gltf_save_changed(make(), path_in(folder, "a.gltf"), changes[i].old, changes[i].replacement);
        expect_refusal_of(path_in(folder, "a.gltf"), IMP_STATUS_BAD_FILE, changes[i].message);
    }
    remove_folder(folder);
}

#define TRY_CHANGES(make, changes) try_changes(make, changes, sizeof(changes) / sizeof *(changes))

TEST(wrong_buffers_views_and_accessors)
{
    static const Change changes[] = {
        {"\"bufferView\":0,", "\"bufferView\":99,",
         "accessor 0: bufferView names no bufferView; there are 6"},
        {"\"bufferView\":0,", "\"bufferView\":-1,", "accessor 0: bufferView names no bufferView"},
        {"\"bufferView\":0,", "\"bufferView\":0.5,", "accessor 0: bufferView names no bufferView"},
        {"\"bufferView\":0,", "\"bufferView\":\"0\",", "accessor 0: bufferView names no bufferView"},
        {"\"count\":8", "\"count\":9", "accessor 0: it goes beyond bufferView 0, which has 96 bytes"},
        {"\"count\":8", "\"count\":4294967295", "accessor 0: it goes beyond bufferView 0"},
        {"\"count\":8", "\"count\":4294967296", "accessor 0: count is no whole number from 0 to 4294967295"},
        {"\"count\":8", "\"count\":1e300", "accessor 0: count is no whole number"},
        {"\"count\":8", "\"count\":0", "accessor 0: its count is missing or 0"},
        {"\"count\":8", "\"byteOffset\":4,\"count\":8", "accessor 0: it goes beyond bufferView 0"},
        {"\"componentType\":5126", "\"componentType\":5122",
         "mesh 0: accessor 0 for POSITION is no VEC3 of floats"},
        {"\"componentType\":5126", "\"componentType\":5124",
         "accessor 0: its componentType is none of glTF's"},
        {"\"componentType\":5123", "\"componentType\":5122",
         "mesh 0: accessor 1 for indices is no unsigned SCALAR"},
        {"\"VEC3\"", "\"VEC7\"", "accessor 0: its type is none of glTF's"},
        {"\"buffer\":0", "\"buffer\":1", "bufferView 0: buffer names no buffer; there are 1"},
        {"\"buffer\":0,", "", "bufferView 0: it has no buffer"},
        {"\"byteLength\":96", "\"byteLength\":96000", "bufferView 0: it goes beyond buffer 0, which has "},
        {"\"byteLength\":96", "\"byteLength\":96,\"byteStride\":4",
         "elements have 12 bytes, but bufferView 0 a stride"},
        {"\"byteLength\":96", "\"byteLength\":96,\"byteStride\":16",
         "accessor 0: it goes beyond bufferView 0"},
        {"\"buffers\":[{\"byteLength\":", "\"buffers\":[{\"byteLength\":9", "buffer 0: it has "},
        {"base64,", "base64,!", "buffer 0: the data URI is not in base64"},
        {"\"count\":8", "\"sparse\":{},\"count\":8",
         "accessor 0: its sparse part lacks a count, indices or values"},
        {"\"count\":8",
         "\"sparse\":{\"count\":2,\"indices\":{\"bufferView\":1,\"byteOffset\":2,\"componentType\":5123},"
         "\"values\":{\"bufferView\":0}},\"count\":8",
         "accessor 0: its sparse indices do not ascend below its count"},
        {"\"count\":8",
         "\"sparse\":{\"count\":8,\"indices\":{\"bufferView\":1,\"componentType\":5123},"
         "\"values\":{\"bufferView\":1}},\"count\":8",
         "accessor 0: it goes beyond bufferView 1"},
    };
    TRY_CHANGES(gltf_two_bodies, changes);
}

TEST(wrong_meshes_and_nodes)
{
    static const Change changes[] = {
        {"\"POSITION\":0", "\"POSITION\":6", "mesh 0: POSITION names no accessor; there are 6"},
        {"\"POSITION\":0", "\"NORMAL\":0", "mesh 0: a primitive has no POSITION"},
        {"\"POSITION\":0", "\"POSITION\":4", "mesh 0: accessor 4 for POSITION is no VEC3 of floats"},
        {"\"indices\":1", "\"indices\":77", "mesh 0: indices names no accessor"},
        {"\"indices\":1", "\"indices\":0", "mesh 0: accessor 0 for indices is no unsigned SCALAR"},
        {"\"indices\":1", "\"mode\":4", "mesh 0: 8 corners are no whole number of triangles"},
        {"\"indices\":1", "\"mode\":7", "mesh 0: mode is no whole number from 0 to 6"},
        {"\"primitives\":[", "\"x\":[", "mesh 0: it has no primitives"},
        {"\"mesh\":0", "\"mesh\":2", "node 0: mesh names no mesh; there are 2"},
        {"\"mesh\":0", "\"mesh\":0,\"skin\":0", "node 0: skin names no skin; there are 0"},
        {"\"mesh\":0", "\"mesh\":0,\"children\":[2]", "node 0: children names no node; there are 2"},
        {"\"mesh\":0", "\"mesh\":0,\"children\":[0]", "its nodes form a circle"},
        {"\"mesh\":0", "\"mesh\":0,\"children\":[1,1]", "node 1 is a child of node 0 and of node 0"},
        {"\"mesh\":0", "\"mesh\":0,\"children\":[1]", "node 1 is a root of the scene and a child of node 0"},
        {"\"mesh\":0", "\"mesh\":0,\"children\":5", "node 0: children is no array"},
        {"\"mesh\":0", "\"mesh\":0,\"translation\":[1,2]", "node 0: translation has 2 numbers instead of 3"},
        {"\"mesh\":0", "\"mesh\":0,\"scale\":[1,2,null]", "node 0: scale holds something that is no number"},
        {"\"mesh\":0", "\"mesh\":0,\"rotation\":[0,0,0,0]", "node 0: its rotation is no quaternion"},
        {"\"mesh\":0", "\"mesh\":0,\"matrix\":[1,0,0,1,0,1,0,0,0,0,1,0,0,0,0,1]",
         "node 0: the last row of its matrix"},
        {"\"mesh\":0", "\"mesh\":0,\"scale\":[1e308,1e308,1e308],\"children\":[1]", "is a root of the scene"},
        {"\"nodes\":[0,1]", "\"nodes\":[0,2]", "nodes names no node; there are 2"},
        {"\"nodes\":[0,1]", "\"nodes\":[0,0]", "node 0 stands twice among the roots of the scene"},
        {"\"scene\":0", "\"scene\":3", "scene names no scene; there are 1"},
        {"\"version\"", "\"vision\"", "it is no glTF: there is no asset with a version"},
    };
    TRY_CHANGES(gltf_two_bodies, changes);
}

TEST(wrong_animations)
{
    static const Change changes[] = {
        {"\"sampler\":0", "\"sampler\":1", "animation 0: sampler names no sampler; there are 1"},
        {"\"target\":{\"node\":1", "\"target\":{\"node\":2", "animation 0: node names no node; there are 2"},
        {"\"path\":\"translation\"", "\"path\":\"rotation\"",
         "animation 0: accessor 5 for keys has a wrong type"},
        {"\"path\":\"translation\"", "\"path\":\"weights\"", "morph targets of node 1, which has none"},
        {"\"input\":4", "\"input\":9", "animation 0: input names no accessor; there are 6"},
        {"\"input\":4", "\"input\":1", "animation 0: accessor 1 for times holds no single floats"},
        {"\"input\":4,", "", "animation 0: it has no input"},
        {"\"output\":5", "\"output\":0", "animation 0: accessor 0 has 8 elements instead of 3"},
        {"\"LINEAR\"", "\"CUBICSPLINE\"", "animation 0: accessor 5 has 3 elements instead of 9"},
        {"\"LINEAR\"", "\"WAVY\"", "animation 0: its interpolation is none of glTF's"},
        {"\"name\":\"block\"", "\"matrix\":[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1]",
         "it moves node 1, which has a matrix"},
    };
    TRY_CHANGES(gltf_two_bodies, changes);
}

TEST(wrong_skins_and_targets)
{
    static const Change skins[] = {
        {"\"joints\":[1,2]", "\"joints\":[1,3]", "skin 0: joints names no node; there are 3"},
        {"\"joints\":[1,2]", "\"joints\":[]", "skin 0: it has no joints, or too many"},
        {"\"joints\":[1,2]", "\"joints\":[1]", "is the index of no joint"},
        {"\"joints\":[1,2]", "\"joints\":[1,2,1]",
         "skin 0: accessor 4 for inverseBindMatrices does not hold"},
        {"\"inverseBindMatrices\":4", "\"inverseBindMatrices\":0",
         "skin 0: accessor 0 for inverseBindMatrices"},
        {"\"nodes\":[0,1]", "\"nodes\":[0]", "node 0: its joint, node 1, is not in the scene"},
        {",\"JOINTS_0\":2", "", "mesh 0: JOINTS_0 and WEIGHTS_0 belong together"},
        {",\"JOINTS_0\":2,\"WEIGHTS_0\":3", "", "node 0: it has a skin, but its mesh 0 no joints"},
        {"\"JOINTS_0\":2", "\"JOINTS_0\":0", "mesh 0: JOINTS_0 or WEIGHTS_0 has a wrong type"},
    };
    static const Change targets[] = {
        {"\"targets\":[{\"POSITION\":2}", "\"targets\":[{\"POSITION\":1}",
         "accessor 1 for POSITION is no VEC3"},
        {"\"targets\":[{\"POSITION\":2},", "\"targets\":[", "accessor 5 has 6 elements instead of 3"},
        {"\"translation\":[3,0,0]", "\"weights\":[1]", "node 0: weights has 1 numbers instead of 2"},
    };
    TRY_CHANGES(gltf_skinned_bar, skins);
    TRY_CHANGES(gltf_morphing_box, targets);
}

static void expect_refusal_of_keys(const float *times, const float *values, const char *message)
{
    char folder[MAX_TEST_PATH];
    make_folder(folder);
    GltfFile *file = gltf_two_bodies();
    gltf_animate(file, 0, "translation", "LINEAR", 2, times, 3, values);
    gltf_save(file, path_in(folder, "keys.glb"));
    expect_refusal_of(path_in(folder, "keys.glb"), IMP_STATUS_BAD_FILE, message);
    remove_folder(folder);
}

TEST(numbers_that_are_not_finite)
{
    const float zeros[6] = {0};
    expect_refusal_of_keys((float[]){0, NAN}, zeros, "animation 0: time 1 of accessor 6 is not finite");
    expect_refusal_of_keys((float[]){0, INFINITY}, zeros, "animation 0: time 1 of accessor 6 is not finite");
    expect_refusal_of_keys((float[]){-1, 0}, zeros, "animation 0: time 0 of accessor 6 is negative");
    expect_refusal_of_keys((float[]){2, 1}, zeros, "time 1 of accessor 6 is not later than the one before");
    expect_refusal_of_keys((float[]){1, 1}, zeros, "time 1 of accessor 6 is not later than the one before");
    expect_refusal_of_keys((float[]){0, 1}, (float[]){0, 0, 0, 0, NAN, 0},
                           "accessor 7: element 1 is not finite");
    expect_refusal_of_keys((float[]){0, 1}, (float[]){-INFINITY, 0, 0, 0, 0, 0},
                           "accessor 7: element 0 is not finite");

    char folder[MAX_TEST_PATH];
    make_folder(folder);
    const char *path = path_in(folder, "a.gltf");
    GltfFile *file = gltf_new();
    gltf_node(file, true, "\"mesh\":%d", gltf_box(file, 0, 0, 0, 1, NAN, 1));
    gltf_save(file, path);
    expect_refusal_of(path, IMP_STATUS_BAD_FILE, "accessor 0: element 2 is not finite");

    file = gltf_two_bodies();
    gltf_animate(file, 0, "rotation", "LINEAR", 2, (float[]){0, 1}, 4, (float[8]){0});
    gltf_save(file, path);
    expect_refusal_of(path, IMP_STATUS_BAD_FILE,
                      "animation 0: rotation 0 of accessor 7 is no quaternion of unit length");

    file = gltf_two_bodies();
    gltf_animate(file, 0, "translation", "CUBICSPLINE", 1, (float[]){0}, 3, (float[9]){NAN});
    gltf_save(file, path);
    imp_Context *context = new_context();
    imp_Scene *scene = NULL;
    CHECK_INT(imp_scene_load(context, path, &scene), IMP_STATUS_BAD_FILE);
    CHECK_CONTAINS(imp_context_get_error(context)->message, "accessor 7: element 0 is not finite");

    // Finite numbers whose product is not.
    file = gltf_new();
    gltf_node(file, true, "\"scale\":[1e300,1e300,1e300],\"children\":[1]");
    gltf_node(file, false, "\"scale\":[1e300,1e300,1e300],\"mesh\":%d", gltf_box(file, 0, 0, 0, 1, 1, 1));
    gltf_save(file, path);
    CHECK_INT(imp_scene_load(context, path, &scene), IMP_STATUS_BAD_FILE);
    CHECK_CONTAINS(imp_context_get_error(context)->message,
                   "its transforms and weights make a coordinate that is not finite");
    imp_context_destroy(context);
    remove_folder(folder);
}

TEST(indices_of_no_vertex)
{
    char folder[MAX_TEST_PATH];
    make_folder(folder);
    GltfFile *file = gltf_new();
    int position = gltf_floats(file, 3, 3, (float[]){0, 0, 0, 1, 0, 0, 0, 1, 0});
    gltf_node(file, true, "\"mesh\":%d",
              gltf_mesh(file, position, gltf_shorts(file, 3, (uint16_t[]){0, 1, 3}), "", ""));
    gltf_save(file, path_in(folder, "a.gltf"));
    expect_refusal_of(path_in(folder, "a.gltf"), IMP_STATUS_BAD_FILE,
                      "accessor 1: element 2 is the index of no vertex");
    remove_folder(folder);
}

TEST(nothing_to_see)
{
    char folder[MAX_TEST_PATH];
    make_folder(folder);
    const char *path = path_in(folder, "a.gltf");
    GltfFile *file = gltf_new();
    gltf_node(file, true, "\"name\":\"empty\"");
    gltf_save(file, path);
    expect_refusal_of(path, IMP_STATUS_BAD_SHAPE, "the scene has no triangles");
    gltf_save_changed(gltf_two_bodies(), path, "\"nodes\":[0,1]", "\"nodes\":[]");
    expect_refusal_of(path, IMP_STATUS_BAD_SHAPE, "the scene has no triangles");
    file = gltf_new();
    gltf_node(file, true, "\"mesh\":%d",
              gltf_mesh(file, gltf_floats(file, 2, 3, (float[6]){0}),
                        gltf_shorts(file, 2, (uint16_t[]){0, 1}), "", ",\"mode\":1"));
    gltf_save(file, path);
    expect_refusal_of(path, IMP_STATUS_BAD_SHAPE, "the scene has no triangles");
    gltf_write_bytes(path, "{\"asset\":{\"version\":\"2.0\"}}", 27);
    expect_refusal_of(path, IMP_STATUS_BAD_SHAPE, "the scene has no triangles");
    gltf_write_bytes(path, "", 0);
    expect_refusal_of(path, IMP_STATUS_BAD_FILE, "the file is empty");
    gltf_write_bytes(path, "hello", 5);
    expect_refusal_of(path, IMP_STATUS_BAD_FILE,
                      "it is no glTF: expected an object of JSON, or glTF as its first letters (at byte 0)");
    gltf_write_bytes(path, "[]", 2);
    expect_refusal_of(path, IMP_STATUS_BAD_FILE, "it is no glTF");
    remove_folder(folder);
}

TEST(what_is_not_supported)
{
    static const Change changes[] = {
        {"\"2.0\"", "\"1.0\"", "only version 2 of glTF can be read"},
        {"\"asset\"", "\"extensionsRequired\":[\"KHR_draco_mesh_compression\"],\"asset\"",
         "it needs the extension 'KHR_draco_mesh_compression'"},
        {"\"bufferView\":0,", "", "mesh 0: accessor 0 for POSITION has no bufferView"},
        {"data:application/octet-stream;base64,", "http://somewhere/",
         "its uri has the scheme 'http'; only paths and data URIs can be read"},
        {"data:application/octet-stream;base64,", "/dev/zero?",
         "only files in the folder of this one or below are allowed, not '/dev/zero?"},
        {"octet-stream;base64,", "octet-stream,", "the data URI is not in base64"},
    };
    char folder[MAX_TEST_PATH];
    make_folder(folder);
    for (size_t i = 0; i < sizeof changes / sizeof *changes; ++i) {
        gltf_save_changed(gltf_two_bodies(), path_in(folder, "a.gltf"), changes[i].old,
                          changes[i].replacement);
        expect_refusal_of(path_in(folder, "a.gltf"), IMP_STATUS_UNSUPPORTED, changes[i].message);
    }
    gltf_save_changed(gltf_two_bodies(), path_in(folder, "a.gltf"), "\"asset\"",
                      "\"extensionsRequired\":[\"KHR_materials_unlit\"],\"asset\"");
    imp_Context *context = new_context();
    imp_Scene *scene = NULL;
    CHECK_INT(imp_scene_load(context, path_in(folder, "a.gltf"), &scene), IMP_STATUS_OK);
    imp_scene_destroy(scene);
    scene = NULL;
    write_file(path_in(folder, "a.obj"), "v 0 0 0\n", 8);
    CHECK_INT(imp_scene_load(context, path_in(folder, "a.unknown"), &scene), IMP_STATUS_IO);
    CHECK_INT(imp_scene_load(context, path_in(folder, "none.gltf"), &scene), IMP_STATUS_IO);
    write_file(path_in(folder, "a.unknown"), "x", 1);
    CHECK_INT(imp_scene_load(context, path_in(folder, "a.unknown"), &scene), IMP_STATUS_UNSUPPORTED);
    CHECK(scene == NULL);
    imp_context_destroy(context);
    remove_folder(folder);
}

TEST(files_by_name)
{
    char folder[MAX_TEST_PATH];
    make_folder(folder);
    const char *path = path_in(folder, "broken.gltf");
    gltf_write_without_buffer(path);
    expect_refusal_of(path, IMP_STATUS_BAD_FILE, "buffer 0: can't read 'not-there.bin'");
    gltf_write_circle(path);
    expect_refusal_of(path, IMP_STATUS_BAD_FILE, "its nodes form a circle");
    gltf_write_not_finite(path);
    expect_refusal_of(path, IMP_STATUS_BAD_FILE, "accessor 7: element 1 is not finite");
    remove_folder(folder);
}

TEST(deep_nesting)
{
    enum { DEEP = 5000 };
    static char text[32 * DEEP];
    char folder[MAX_TEST_PATH];
    make_folder(folder);
    const char *path = path_in(folder, "deep.gltf");
    size_t length =
        (size_t)sprintf(text, "{\"asset\":{\"version\":\"2.0\"},\"scenes\":[{\"nodes\":[0]}],\"nodes\":[");
    for (int i = 0; i < DEEP; ++i)
        length += (size_t)sprintf(text + length, "{\"children\":[%d]},", i + 1);
    length += (size_t)sprintf(text + length, "{}]}");
    gltf_write_bytes(path, text, length);
    expect_refusal_of(path, IMP_STATUS_UNSUPPORTED, "its nodes are nested too deeply");
    memset(text, '[', sizeof text);
    gltf_write_bytes(path, text, sizeof text);
    expect_refusal_of(path, IMP_STATUS_UNSUPPORTED, "its JSON is nested too deeply (at byte 128)");
    remove_folder(folder);
}

// A mesh that stands in the scene many times: refused before any of it is made.
TEST(too_many_vertices)
{
    enum { VERTEX_COUNT = 4095, NODE_COUNT = (1 << 27) / VERTEX_COUNT + 1, DIGIT_COUNT = 16 * VERTEX_COUNT };
    static char text[12 * NODE_COUNT + DIGIT_COUNT + 1024];
    char folder[MAX_TEST_PATH];
    make_folder(folder);
    size_t length = (size_t)sprintf(
        text,
        "{\"asset\":{\"version\":\"2.0\"},\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}],"
        "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":%d,\"type\":\"VEC3\"}],"
        "\"bufferViews\":[{\"buffer\":0,\"byteLength\":%d}],\"buffers\":[{\"byteLength\":%d,"
        "\"uri\":\"data:;base64,",
        VERTEX_COUNT, 12 * VERTEX_COUNT, 12 * VERTEX_COUNT);
    memset(text + length, 'A', DIGIT_COUNT);
    length += DIGIT_COUNT;
    length += (size_t)sprintf(text + length, "\"}],\"nodes\":[");
    for (int i = 0; i < NODE_COUNT; ++i)
        length += (size_t)sprintf(text + length, "%s{\"mesh\":0}", i > 0 ? "," : "");
    length += (size_t)sprintf(text + length, "]}");
    gltf_write_bytes(path_in(folder, "a.gltf"), text, length);
    expect_refusal_of(path_in(folder, "a.gltf"), IMP_STATUS_TOO_LARGE,
                      "its bodies have more than 134217728 vertices and corners together");
    remove_folder(folder);
}

TEST(truncated_binary_files)
{
    char folder[MAX_TEST_PATH];
    make_folder(folder);
    const char *path = path_in(folder, "cut.glb");
    GltfFile *file = gltf_two_bodies();
    size_t size;
    unsigned char *bytes = gltf_binary(file, &size);
    for (size_t cut = 0; cut < size; cut += cut < 64 ? 1 : 37) {
        gltf_write_bytes(path, bytes, cut);
        expect_refusal_of(path, IMP_STATUS_BAD_FILE, ": ");
        // With a header that tells the truth, what is missing is noticed further inside.
        uint32_t length = (uint32_t)cut;
        unsigned char header[4];
        memcpy(header, bytes + 8, 4);
        memcpy(bytes + 8, &length, 4);
        gltf_write_bytes(path, bytes, cut);
        memcpy(bytes + 8, header, 4);
        expect_refusal_of(path, IMP_STATUS_BAD_FILE, ": ");
    }
    static const uint32_t lengths[] = {0, 1, 5, 0x7FFFFFFF, 0xFFFFFFF0, 0xFFFFFFFF};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; ++i)
        for (size_t at = 8; at <= 12; at += 4) {
            unsigned char old[4];
            memcpy(old, bytes + at, 4);
            memcpy(bytes + at, &lengths[i], 4);
            gltf_write_bytes(path, bytes, size);
            memcpy(bytes + at, old, 4);
            expect_refusal_of(path, IMP_STATUS_BAD_FILE, ": ");
        }
    free(bytes);
    free(file);
    remove_folder(folder);
}

// Whatever a byte becomes, there is a scene whose numbers are finite or a status with a message.
TEST(every_byte_changed)
{
    char folder[MAX_TEST_PATH];
    make_folder(folder);
    const char *path = path_in(folder, "changed.glb");
    GltfFile *file = gltf_skinned_bar();
    size_t size;
    unsigned char *bytes = gltf_binary(file, &size);
    int read = 0, refused = 0;
    imp_Context *context = new_context();
    for (uint64_t i = 0; i < test_count(600); ++i) {
        size_t at = test_random_below((uint32_t)size);
        unsigned char old = bytes[at];
        bytes[at] = (unsigned char)test_random_below(256);
        gltf_write_bytes(path, bytes, size);
        bytes[at] = old;
        imp_Scene *scene = NULL;
        imp_Status status = imp_scene_load(context, path, &scene);
        if (status == IMP_STATUS_OK) {
            imp_Vec3 vertices[12];
            imp_Pose pose;
            ++read;
            CHECK_INT(imp_mesh_get_vertex_count(scene_body(scene, 0).mesh), 12);
            status = imp_scene_sample(scene, 0, 0.5, &pose, vertices);
            CHECK(status == IMP_STATUS_OK || status == IMP_STATUS_BAD_NUMBER);
        } else {
            ++refused;
            CHECK(strncmp(imp_context_get_error(context)->message, path, strlen(path)) == 0);
        }
        imp_scene_destroy(scene);
    }
    CHECK(read > 0 && refused > 0);
    imp_context_destroy(context);
    free(bytes);
    free(file);
    remove_folder(folder);
}
