#include "mesh_files.h"

static const double triangle[] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
static const uint32_t one_face[] = {0, 1, 2};

static void check_triangle(const char *text)
{
    imp_Context *context = new_context();
    imp_Mesh *mesh = load_text(context, IMP_FORMAT_OBJ, text);
    if (!CHECK(mesh_is(mesh, 3, triangle, 1, one_face)))
        printf("  for %s\n", text);
    CHECK(mesh && imp_mesh_get_remark(mesh) == NULL);
    imp_mesh_release(mesh);
    imp_context_destroy(context);
}

TEST(the_same_triangle_in_many_ways)
{
    check_triangle("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    check_triangle("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3");
    check_triangle("v 0 0 0\r\nv 1 0 0\r\nv 0 1 0\r\nf 1 2 3\r\n");
    check_triangle("\tv\t0\t0\t0\n  v 1 0 0  \nv 0 1 0\n\n\nf\t1 2\t3\n");
    check_triangle("v 0 0 0\nv 1 0 0\nv 0 1 0\nf -3 -2 -1\n");
    check_triangle("v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nf 1/1 2/1 3/1\n");
    check_triangle("v 0 0 0\nv 1 0 0\nv 0 1 0\nvn 0 0 1\nf 1//1 2//1 3//1\n");
    check_triangle("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1/1/1 2/-1/-1 3/1/1\n");
    check_triangle("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1/ 2/ 3//\n");
    check_triangle("v 0 0 0 1.0\nv 1 0 0 0.5 0.5 0.5\nv 0 1 0 1 0 0 1\nf 1 2 3\n");
    check_triangle("v 0 0 \\\n0\nv 1 0 0\nv 0 1 0\nf 1 \\\r\n2\\\n 3\n");
    check_triangle("# c\nmtllib x.mtl\no a\ng b c\ns off\nusemtl m \\\nf 9 9 9\n"
                   "v 0 0 0\nv 1 0 0\nv 0 1 0 # here too\nl 1 2\np 1\nf 1 2 3 # and here\n");
    check_triangle("f 1 2 3\nv 0 0 0\nv 1 0 0\nv 0 1 0\n");
    check_triangle("# a comment does not go on \\\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
}

TEST(polygons_are_fanned_in_place)
{
    static const double corners[] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0};
    static const uint32_t faces[] = {3, 2, 1, 0, 1, 2, 0, 2, 3, 1, 1, 1};
    imp_Context *context = new_context();
    imp_Mesh *mesh = load_text(context, IMP_FORMAT_OBJ,
                               "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 4 3 2\nf 1 2 3 4\nf 2 2 2\n");
    CHECK(mesh_is(mesh, 4, corners, 4, faces));
    CHECK(mesh && imp_mesh_get_remark(mesh) == NULL);
    imp_mesh_release(mesh);
    imp_context_destroy(context);
}

static void check_remark(const char *text, const char *remark)
{
    imp_Context *context = new_context();
    imp_Mesh *mesh = load_text(context, IMP_FORMAT_OBJ, text);
    const char *got = mesh ? imp_mesh_get_remark(mesh) : NULL;
    CHECK_TEXT(got ? got : "none", remark);
    imp_mesh_release(mesh);
    imp_context_destroy(context);
}

#define ARROW "v 0 0 0\nv 4 -2 0\nv 1 0 0\nv 4 2 0\n"

TEST(polygons_that_are_not_convex_get_one_remark)
{
    check_remark(ARROW "f 2 3 4 1\nf 1 2 3\nf 1 2 3 4\n",
                 "2 polygons are not convex (the first: line 5); fanned from the first vertex all the same");
    check_remark("f 2 3 4 1\n" ARROW,
                 "1 polygon is not convex (the first: line 1); fanned from the first vertex all the same");
    // A pentagram turns the same way at every corner and is not convex either.
    check_remark(
        "v 0 1 0\nv -0.588 -0.809 0\nv 0.951 0.309 0\nv -0.951 0.309 0\nv 0.588 -0.809 0\nf 1 2 3 4 5\n",
        "1 polygon is not convex (the first: line 6); fanned from the first vertex all the same");
    // Collinear and coinciding corners, and no area at all, are fine.
    check_remark("v 0 0 0\nv 1 0 0\nv 2 0 0\nv 2 2 0\nv 2 2 0\nf 1 2 3 4\nf 1 2 3 5 4\nf 1 1 2 3\n", "none");
    // As is rounding, far from the origin and at the ends of what doubles hold.
    check_remark("v 600000.1 0.1 7\nv 600000.2 0.1 7\nv 600000.3 0.1 7\nv 600000.3 0.3 7\nf 1 2 3 4\n",
                 "none");
    check_remark("v 1.5e308 0 0\nv 1.5e308 1.5e308 0\nv -1.5e308 1.5e308 0\nv -1.5e308 0 0\nf 1 2 3 4\n",
                 "none");
    check_remark("v 0 0 0\nv 4e-320 -2e-320 0\nv 1e-320 0 0\nv 4e-320 2e-320 0\nf 1 2 3 4\n",
                 "1 polygon is not convex (the first: line 5); fanned from the first vertex all the same");
}

TEST(coordinates_are_doubles)
{
    imp_Context *context = new_context();
    imp_Mesh *mesh = load_text(context, IMP_FORMAT_OBJ,
                               "v 600000.1 -0 4.9e-324\nv 1.7976931348623157e308 .5 5.\nv 1 1 1\nf 1 2 3\n");
    if (mesh) {
        const imp_Vec3 *vertices = imp_mesh_get_vertices(mesh);
        CHECK_DOUBLE(vertices[0].x, 600000.1);
        CHECK_DOUBLE(vertices[0].y, -0.0);
        CHECK_DOUBLE(vertices[0].z, 4.9406564584124654e-324);
        CHECK_DOUBLE(vertices[1].x, 1.7976931348623157e308);
        CHECK_DOUBLE(vertices[1].y, 0.5);
    }
    imp_mesh_release(mesh);
    imp_context_destroy(context);
}

TEST(a_very_long_line_is_fine)
{
    enum { COUNT = 200000 };
    char *text = malloc(64 + 12 * COUNT);
    size_t length = (size_t)sprintf(text, "v 0 0 0\nv 1 0 0\nv 1 1 0\nf 1 2 3\nf 1 2");
    for (int i = 0; i < COUNT; ++i)
        length += (size_t)sprintf(text + length, " 3");
    imp_Context *context = new_context();
    imp_Mesh *mesh = load_bytes(context, IMP_FORMAT_OBJ, text, length);
    CHECK(mesh && imp_mesh_get_triangle_count(mesh) == COUNT + 1);
    imp_mesh_release(mesh);
    imp_context_destroy(context);
    free(text);
}

TEST(the_sample_meshes_are_whole)
{
    static const struct {
        const char *name;
        size_t vertex_count, triangle_count;
    } samples[] = {
        {"stanford-bunny", 35947, 69451}, {"cow", 2903, 5804}, {"teapot", 3644, 6320}, {"suzanne", 507, 968}};
    const char *data = test_data_dir();
    if (!data) {
        test_skip("no sample data");
        return;
    }
    imp_Context *context = new_context();
    for (size_t i = 0; i < sizeof samples / sizeof *samples; ++i) {
        char path[MAX_TEST_PATH];
        snprintf(path, sizeof path, "%s/meshes/%s.obj", data, samples[i].name);
        imp_Mesh *mesh = NULL;
        if (!CHECK_INT(imp_mesh_load(context, path, &mesh), IMP_STATUS_OK))
            continue;
        CHECK_INT((int64_t)imp_mesh_get_vertex_count(mesh), (int64_t)samples[i].vertex_count);
        CHECK_INT((int64_t)imp_mesh_get_triangle_count(mesh), (int64_t)samples[i].triangle_count);
        imp_mesh_release(mesh);
    }
    imp_context_destroy(context);
}

#define THREE "v 0 0 0\nv 1 0 0\nv 0 1 0\n"

TEST(errors_name_the_line_and_what_was_expected)
{
    expect_bad_text(IMP_FORMAT_OBJ, THREE "f 1 2 17\n",
                    "test:4: vertex index 17 is out of range; the file has 3 vertices");
    expect_bad_text(IMP_FORMAT_OBJ, "f 1 2 5\nf 1 2 3\n" THREE "f 1 2 9\n",
                    "test:1: vertex index 5 is out of range; the file has 3 vertices");
    expect_bad_text(IMP_FORMAT_OBJ, THREE "f 1 2 -4\n",
                    "test:4: vertex index -4 is out of range; the file has 3 vertices so far");
    expect_bad_text(IMP_FORMAT_OBJ, THREE "f 0 1 2\n",
                    "test:4: vertex index 0 is out of range; indices count from 1");
    expect_bad_text(IMP_FORMAT_OBJ, THREE "f 1 2 4294967297\n",
                    "test:4: vertex index 4294967297 is out of range; the file has 3 vertices so far, and no "
                    "file has so many");
    expect_bad_text(IMP_FORMAT_OBJ, THREE "f 1 2\n", "test:4: a face has 2 vertices; it needs at least 3");
    expect_bad_text(IMP_FORMAT_OBJ, THREE "f\n", "test:4: a face has 0 vertices; it needs at least 3");
    expect_bad_text(IMP_FORMAT_OBJ, THREE "f 1 2 x\n", "test:4: expected a vertex index, found 'x'");
    expect_bad_text(IMP_FORMAT_OBJ, THREE "f 1 2 3.5\n", "test:4: expected a vertex index, found '3.5'");
    expect_bad_text(IMP_FORMAT_OBJ, THREE "f 1 2 3/1/1/1\n",
                    "test:4: expected a corner such as 1, 1/2, 1//3 or 1/2/3, found '/1'");
    expect_bad_text(IMP_FORMAT_OBJ, "v 0 0\n", "test:1: expected a coordinate, found the end of the line");
    expect_bad_text(IMP_FORMAT_OBJ, "v 0 0", "test:1: expected a coordinate, found the end of the file");
    expect_bad_text(IMP_FORMAT_OBJ, "\nv 0 nan 0\n",
                    "test:2: expected a coordinate, found 'nan', which is not finite or too large");
    expect_bad_text(IMP_FORMAT_OBJ, "v 0 1e999 0\n",
                    "test:1: expected a coordinate, found '1e999', which is not finite or too large");
    expect_bad_text(IMP_FORMAT_OBJ, "v 0 1,5 0\n", "test:1: expected a coordinate, found '1,5'");
    expect_bad_text(IMP_FORMAT_OBJ, "v 0 0 0 red\n", "test:1: expected a weight or a colour, found 'red'");
    expect_bad_text(IMP_FORMAT_OBJ, "\x89PNG\n",
                    "test:1: expected a statement such as v or f, found '\\x89PNG'");
    expect_bad_text(IMP_FORMAT_OBJ, "# nothing\n", "test: the file has no vertices");
    expect_bad_text(IMP_FORMAT_OBJ, "v 0 0 0\n", "test: the file has no faces");
    expect_bad_text(IMP_FORMAT_OBJ, "", "test: the file is empty");
}
