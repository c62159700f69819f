// Sparse indices of a type with negative numbers or fractions were taken for indices: -2 has none to become.

#include "scene_fixture.h"

TEST(sparse_indices_are_unsigned)
{
    static const int components[] = {5120, 5122, 5126};
    char folder[MAX_TEST_PATH];
    make_folder(folder);
    imp_Context *context = new_context();
    for (size_t i = 0; i < sizeof components / sizeof *components; ++i) {
        char sparse[160];
        snprintf(sparse, sizeof sparse,
                 "\"sparse\":{\"count\":1,\"indices\":{\"bufferView\":4,\"componentType\":%d},"
                 "\"values\":{\"bufferView\":0}},\"count\":8",
                 components[i]);
        gltf_save_changed(gltf_two_bodies(), path_in(folder, "a.gltf"), "\"count\":8", sparse);
        imp_Scene *scene = NULL;
        CHECK_INT(imp_scene_load(context, path_in(folder, "a.gltf"), &scene), IMP_STATUS_BAD_FILE);
        CHECK_CONTAINS(imp_context_get_error(context)->message,
                       "accessor 0: its sparse indices are no unsigned integers");
        CHECK(scene == NULL);
    }
    imp_context_destroy(context);
    remove_folder(folder);
}
