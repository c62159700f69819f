// Files that CGAL 5.5 wrote (tests/data/cgal, with write_OFF, write_OBJ, write_STL and write_PLY, at 17
// digits): one box, whose coordinates tell single from double precision.

#include "mesh_files.h"

static const double vertices[8][3] = {{0.125, 0, 0}, {1, 0, -0.5}, {1, 1.25, 0}, {0, 1, 0},
                                      {0, 0, 1},     {1, 0, 1},    {1, 1, 1},    {0, 1, 600000.1}};
static const uint32_t faces[12][3] = {{0, 2, 1}, {0, 3, 2}, {4, 5, 6}, {4, 6, 7}, {0, 1, 5}, {0, 5, 4},
                                      {1, 2, 6}, {1, 6, 5}, {2, 3, 7}, {2, 7, 6}, {3, 0, 4}, {3, 4, 7}};

// CGAL starts a face at another of its corners, so the three are compared in their cyclic order.
static bool same_face(const imp_Triangle *triangle, const uint32_t *face, bool single)
{
    for (int turn = 0; turn < 3; ++turn) {
        bool same = true;
        for (int i = 0; i < 3; ++i) {
            const double *corner = vertices[face[(i + turn) % 3]];
            imp_Vec3 expected = {corner[0], corner[1], corner[2]};
            if (single)
                expected =
                    (imp_Vec3){(double)(float)corner[0], (double)(float)corner[1], (double)(float)corner[2]};
            same = same && memcmp(&triangle->v[i], &expected, sizeof expected) == 0;
        }
        if (same)
            return true;
    }
    return false;
}

static void check_file(const char *name, bool single)
{
    char path[MAX_TEST_PATH];
    snprintf(path, sizeof path, "%s/tests/data/cgal/%s", test_source_dir(), name);
    imp_Context *context = new_context();
    imp_Mesh *mesh = NULL;
    if (!CHECK_INT(imp_mesh_load(context, path, &mesh), IMP_STATUS_OK))
        printf("  %s\n", imp_context_get_error(context)->message);
    else if (CHECK_INT((int64_t)imp_mesh_get_triangle_count(mesh), 12))
        for (size_t i = 0; i < 12; ++i) {
            imp_Triangle triangle;
            CHECK_INT(imp_mesh_get_triangle(mesh, i, &triangle), IMP_STATUS_OK);
            if (!CHECK(same_face(&triangle, faces[i], single)))
                printf("  face %zu of %s\n", i, name);
        }
    imp_mesh_release(mesh);
    imp_context_destroy(context);
}

TEST(files_of_doubles)
{
    check_file("box.off", false);
    check_file("box.obj", false);
    check_file("text.stl", false);
    check_file("text.ply", false);
    check_file("binary.ply", false);
}

TEST(files_of_floats)
{
    check_file("binary.stl", true);
}
