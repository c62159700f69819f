// Random meshes with the nastiest doubles through all formats: bit-identical where the format holds doubles,
// rounded to single precision through STL.

#include "mesh_files.h"

#include <float.h>
#include <math.h>

static double nasty_double(void)
{
    static const double special[] = {
        0.0,         -0.0, 1e308,     -1e308, DBL_MAX, -DBL_MAX,          DBL_MIN, 4.9406564584124654e-324,
        DBL_EPSILON, 0.1,  1.0 / 3.0, 1e22,   1e23,    9007199254740993.0};
    switch (test_random_below(4)) {
    case 0:
        return special[test_random_below(sizeof special / sizeof *special)];
    case 1:
        return (double)(int)test_random_below(2000) / 100.0 - 10.0;
    case 2:
        return test_random_between(-1e-310, 1e-310);
    default: {
        uint64_t bits = test_random();
        double value;
        memcpy(&value, &bits, sizeof value);
        return isfinite(value) ? value : 0.0;
    }
    }
}

static imp_Mesh *random_mesh(imp_Context *context, bool single)
{
    enum { MAX_VERTICES = 40, MAX_TRIANGLES = 60 };
    double vertices[3 * MAX_VERTICES];
    uint32_t indices[3 * MAX_TRIANGLES];
    uint32_t vertex_count = 1 + test_random_below(MAX_VERTICES);
    uint32_t triangle_count = 1 + test_random_below(MAX_TRIANGLES);
    for (uint32_t i = 0; i < 3 * vertex_count; ++i) {
        vertices[i] = nasty_double();
        if (single)
            vertices[i] = fabs(vertices[i]) < 1e38 ? (double)(float)vertices[i] : 1.0;
    }
    for (uint32_t i = 0; i < 3 * triangle_count; ++i)
        indices[i] = test_random_below(vertex_count);
    imp_MeshDef def = {.vertices = vertices,
                       .vertex_count = vertex_count,
                       .indices = indices,
                       .triangle_count = triangle_count};
    imp_Mesh *mesh = NULL;
    CHECK_INT(imp_mesh_create(context, &def, &mesh), IMP_STATUS_OK);
    return mesh;
}

static imp_Mesh *save_and_load(imp_Context *context, const imp_Mesh *mesh, const char *path)
{
    imp_Mesh *again = NULL;
    CHECK_INT(imp_mesh_save(context, mesh, path), IMP_STATUS_OK);
    if (!CHECK_INT(imp_mesh_load(context, path, &again), IMP_STATUS_OK))
        printf("  %s\n", imp_context_get_error(context)->message);
    return again;
}

TEST(formats_of_doubles_are_bit_identical)
{
    static const char *const names[] = {"a.obj", "a.ply", "a.off"};
    char folder[MAX_TEST_PATH];
    make_folder(folder);
    imp_Context *context = new_context();
    for (uint64_t i = 0; i < test_count(300); ++i) {
        imp_Mesh *mesh = random_mesh(context, false);
        for (int k = 0; mesh && k < 3; ++k) {
            imp_Mesh *again = save_and_load(context, mesh, path_in(folder, names[k]));
            CHECK(again && same_mesh(again, mesh) && imp_mesh_get_remark(again) == NULL);
            imp_mesh_release(again);
        }
        imp_mesh_release(mesh);
    }
    CHECK_INT(count_files(folder), 3);
    imp_context_destroy(context);
    remove_folder(folder);
}

TEST(stl_keeps_single_precision_and_the_order_of_faces)
{
    char folder[MAX_TEST_PATH];
    make_folder(folder);
    imp_Context *context = new_context();
    for (uint64_t i = 0; i < test_count(300); ++i) {
        imp_Mesh *mesh = random_mesh(context, true);
        imp_Mesh *again = save_and_load(context, mesh, path_in(folder, "a.stl"));
        if (CHECK(again && imp_mesh_get_triangle_count(again) == imp_mesh_get_triangle_count(mesh)))
            for (size_t face = 0; face < imp_mesh_get_triangle_count(mesh); ++face) {
                imp_Triangle before, after;
                CHECK_INT(imp_mesh_get_triangle(mesh, face, &before), IMP_STATUS_OK);
                CHECK_INT(imp_mesh_get_triangle(again, face, &after), IMP_STATUS_OK);
                CHECK(memcmp(&before, &after, sizeof before) == 0);
            }
        imp_mesh_release(again);
        imp_mesh_release(mesh);
    }
    imp_context_destroy(context);
    remove_folder(folder);
}

TEST(the_sample_meshes_survive_all_formats)
{
    static const char *const names[] = {"a.obj", "a.ply", "a.off"};
    const char *data = test_data_dir();
    if (!data) {
        test_skip("no sample data");
        return;
    }
    char folder[MAX_TEST_PATH], path[MAX_TEST_PATH];
    make_folder(folder);
    imp_Context *context = new_context();
    imp_Mesh *mesh = NULL;
    snprintf(path, sizeof path, "%s/meshes/stanford-bunny.obj", data);
    CHECK_INT(imp_mesh_load(context, path, &mesh), IMP_STATUS_OK);
    for (int k = 0; mesh && k < 3; ++k) {
        imp_Mesh *again = save_and_load(context, mesh, path_in(folder, names[k]));
        CHECK(again && same_mesh(again, mesh));
        imp_mesh_release(again);
    }
    imp_mesh_release(mesh);
    imp_context_destroy(context);
    remove_folder(folder);
}
