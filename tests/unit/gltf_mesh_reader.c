// glTF files as single meshes: what imp_mesh_load makes of them.

#include "failing_allocator.h"
#include "scene_fixture.h"

static imp_Mesh *load_and_free(imp_Context *context, GltfFile *file, const char *name)
{
    char folder[MAX_TEST_PATH];
    imp_Mesh *mesh = NULL;
    make_folder(folder);
    gltf_save(file, path_in(folder, name));
    if (!CHECK_INT(imp_mesh_load(context, path_in(folder, name), &mesh), IMP_STATUS_OK))
        printf("  %s\n", imp_context_get_error(context)->message);
    remove_folder(folder);
    return mesh;
}

// Two triangles in all, each placed twice, in the order of the nodes.
static GltfFile *make_instances(void)
{
    GltfFile *file = gltf_new();
    int position = gltf_floats(file, 3, 3, (float[]){0, 0, 0, 1, 0, 0, 0, 1, 0});
    int first = gltf_mesh(file, position, gltf_shorts(file, 3, (uint16_t[]){0, 1, 2}), "", "");
    int second = gltf_mesh(file, position, gltf_shorts(file, 3, (uint16_t[]){2, 0, 1}), "", "");
    gltf_node(file, true, "\"mesh\":%d,\"translation\":[0.1,0,0],\"children\":[2,1]", first);
    gltf_node(file, false, "\"mesh\":%d,\"scale\":[1,1,-2]", second);
    // A quarter turn, which a matrix says exactly.
    gltf_node(file, false, "\"mesh\":%d,\"matrix\":[0,1,0,0,-1,0,0,0,0,0,1,0,0,0,0.2,1]", second);
    gltf_node(file, true, "\"mesh\":%d", first);
    return file;
}

TEST(meshes_are_placed_by_their_nodes)
{
    static const double vertices[] = {0.1, 0, 0, 1.1, 0, 0, 0.1, 1, 0, 0.1, 0, 0.2, 0.1, 1, 0.2, -0.9, 0, 0.2,
                                      0.1, 0, 0, 1.1, 0, 0, 0.1, 1, 0, 0,   0, 0,   1,   0, 0,   0,    1, 0};
    // The triangle that is mirrored keeps its corners.
    static const uint32_t indices[] = {0, 1, 2, 5, 3, 4, 8, 6, 7, 9, 10, 11};
    static const char *const names[] = {"a.gltf", "a.glb", "A.GLTF"};
    imp_Context *context = new_context();
    for (int i = 0; i < 3; ++i) {
        imp_Mesh *mesh = load_and_free(context, make_instances(), names[i]);
        CHECK_INT(imp_mesh_get_vertex_count(mesh), 12);
        CHECK_INT(imp_mesh_get_triangle_count(mesh), 4);
        for (size_t v = 0; v < 12; ++v)
            CHECK(same_point(imp_mesh_get_vertices(mesh)[v],
                             (imp_Vec3){vertices[3 * v], vertices[3 * v + 1], vertices[3 * v + 2]}));
        CHECK(memcmp(imp_mesh_get_indices(mesh), indices, sizeof indices) == 0);
        imp_mesh_release(mesh);
    }
    imp_context_destroy(context);
}

TEST(motion_does_not_count)
{
    imp_Context *context = new_context();
    // The block moves in the file; here it is where its node is without that: at the origin.
    imp_Mesh *mesh = load_and_free(context, gltf_two_bodies(), "a.glb");
    CHECK_INT(imp_mesh_get_triangle_count(mesh), 24);
    CHECK(same_point(imp_mesh_get_vertices(mesh)[8], (imp_Vec3){-0.5, -0.5, -0.5}));
    imp_mesh_release(mesh);
    mesh = load_and_free(context, gltf_skinned_bar(), "a.glb");
    CHECK(same_point(imp_mesh_get_vertices(mesh)[0], (imp_Vec3){7, 6.5, 6.5}));
    imp_mesh_release(mesh);
    mesh = load_and_free(context, gltf_morphing_box(), "a.glb");
    CHECK(same_point(imp_mesh_get_vertices(mesh)[6], (imp_Vec3){4, 1, 1}));
    imp_mesh_release(mesh);
    imp_context_destroy(context);
}

TEST(placements_that_overflow_are_refused)
{
    char folder[MAX_TEST_PATH];
    make_folder(folder);
    imp_Context *context = new_context();
    imp_Mesh *mesh = NULL;
    GltfFile *file = gltf_new();
    gltf_node(file, true, "\"scale\":[1e300,1,1],\"children\":[1]");
    gltf_node(file, false, "\"scale\":[1e300,1,1],\"mesh\":%d", gltf_box(file, 0, 0, 0, 1, 1, 1));
    gltf_save(file, path_in(folder, "a.gltf"));
    CHECK_INT(imp_mesh_load(context, path_in(folder, "a.gltf"), &mesh), IMP_STATUS_BAD_FILE);
    CHECK_CONTAINS(imp_context_get_error(context)->message,
                   "a.gltf: its transforms and weights make a coordinate that is not finite");
    CHECK_INT(imp_mesh_load(context, path_in(folder, "none.glb"), &mesh), IMP_STATUS_IO);
    CHECK(mesh == NULL);
    imp_context_destroy(context);
    remove_folder(folder);
}

TEST(every_allocation_may_fail)
{
    char folder[MAX_TEST_PATH];
    FailingAllocator memory;
    uint64_t n = 0;
    make_folder(folder);
    gltf_save(make_instances(), path_in(folder, "a.gltf"));
    do {
        failing_allocator_init(&memory, ++n);
        imp_ContextDef def = {.allocator = failing_allocator_hooks(&memory)};
        imp_Context *context = NULL;
        imp_Mesh *mesh = NULL;
        imp_Status status = imp_context_create(&def, &context);
        if (status == IMP_STATUS_OK)
            status = imp_mesh_load(context, path_in(folder, "a.gltf"), &mesh);
        CHECK_INT(status, failing_allocator_has_failed(&memory) ? IMP_STATUS_OUT_OF_MEMORY : IMP_STATUS_OK);
        CHECK((mesh != NULL) == (status == IMP_STATUS_OK));
        imp_mesh_release(mesh);
        imp_context_destroy(context);
        CHECK(failing_allocator_is_clean(&memory));
    } while (failing_allocator_has_failed(&memory));
    CHECK(n > 5);
    remove_folder(folder);
}
