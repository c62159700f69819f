#include "mesh_files.h"

static const double triangle[] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
static const uint32_t one_face[] = {0, 1, 2};

static void check_triangle(const char *text)
{
    imp_Context *context = new_context();
    imp_Mesh *mesh = load_text(context, IMP_FORMAT_OFF, text);
    if (!CHECK(mesh_is(mesh, 3, triangle, 1, one_face)))
        printf("  for %s\n", text);
    imp_mesh_release(mesh);
    imp_context_destroy(context);
}

TEST(the_same_triangle_in_many_ways)
{
    check_triangle("OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n");
    check_triangle("OFF 3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2");
    check_triangle("OFF\n3 1\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n");
    check_triangle(
        "# first\n\nOFF # keyword\n# counts\n3 1 3 # here\n\n0 0 0\n# between\n1 0 0 # behind\n\t0 1 0\r\n"
        "3 0 1 2 # last\n");
    check_triangle("OFF\r\n3 1 0\r\n0 0 0\r\n1 0 0\r\n0 1 0\r\n3 0 1 2\r\n");
    check_triangle("OFF\n3 1 0\n0\n0 0\n1 0 0\n0 1 0\n3\n0 1\n2");
    check_triangle("OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2 255 0 0\n");
    check_triangle("OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2 0.5 0.5 0.5 1\n");
    check_triangle("COFF\n3 1 0\n0 0 0 255 0 0 255\n1 0 0 1 1 1\n0 1 0 0.5 0.5 0.5 1\n3 0 1 2\n");
    check_triangle("NOFF\n3 1 0\n0 0 0 0 0 1\n1 0 0 0 0 1\n0 1 0 0 0 1\n3 0 1 2\n");
    check_triangle("STCNOFF\n3 1 0\n0 0 0 0 0 1 1 1 1 1 0 0\n1 0 0 0\n0 1 0\n3 0 1 2\n");
}

TEST(what_can_not_be_read_is_refused_clearly)
{
    static const char dimensions[] =
        "test:1: 4OFF and nOFF files, which are not of three dimensions, can't be read";
    expect_refusal(IMP_FORMAT_OFF, "4OFF\n", 5, IMP_STATUS_UNSUPPORTED, dimensions);
    expect_refusal(IMP_FORMAT_OFF, "nOFF\n", 5, IMP_STATUS_UNSUPPORTED, dimensions);
    expect_refusal(IMP_FORMAT_OFF, "OFF BINARY\n", 11, IMP_STATUS_UNSUPPORTED,
                   "test:1: binary OFF files can't be read");
}

#define THREE "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n"

TEST(errors_name_the_line_and_what_was_expected)
{
    expect_bad_text(IMP_FORMAT_OFF, "3 1 0\n",
                    "test:1: expected OFF, COFF, NOFF, CNOFF, STOFF or the like, found '3'");
    expect_bad_text(IMP_FORMAT_OFF, "OFF\nx 1 0\n", "test:2: expected the number of vertices, found 'x'");
    expect_bad_text(IMP_FORMAT_OFF, "OFF\n-3 1 0\n", "test:2: expected the number of vertices, found '-3'");
    expect_bad_text(IMP_FORMAT_OFF, "OFF\n3\n",
                    "test:2: expected the number of faces, found the end of the line");
    expect_bad_text(IMP_FORMAT_OFF, "OFF\n2147483648 1 0\n0 0 0\n",
                    "test:2: 2147483648 vertices and 1 faces are promised, but only 7 bytes follow");
    expect_bad_text(IMP_FORMAT_OFF, "OFF\n1 4294967296 0\n0 0 0\n",
                    "test:2: 1 vertices and 4294967296 faces are promised, but only 7 bytes follow");
    expect_bad_text(
        IMP_FORMAT_OFF, "OFF\n99999999999999999999 1 0\n",
        "test:2: expected the number of vertices, found '99999999999999999999', which is not finite "
        "or too large");
    expect_bad_text(IMP_FORMAT_OFF, THREE "3 0 1 3\n",
                    "test:6: vertex index 3 is out of range; the file has 3 vertices, counting from 0");
    expect_bad_text(IMP_FORMAT_OFF, THREE "3 0 1 -1\n",
                    "test:6: vertex index -1 is out of range; the file has 3 vertices, counting from 0");
    expect_bad_text(IMP_FORMAT_OFF, THREE "2 0 1    \n",
                    "test:6: a face has 2 vertices; it needs at least 3");
    expect_bad_text(IMP_FORMAT_OFF, THREE "3 0 1 two\n", "test:6: expected a vertex index, found 'two'");
    expect_bad_text(IMP_FORMAT_OFF, THREE "4 0 1 2\n",
                    "test:7: expected a vertex index, found the end of the file");
    expect_bad_text(IMP_FORMAT_OFF, "OFF\n3 1 0\n0 0 0 1\n1 0 0\n0 1 0\n3 0 1 2\n",
                    "test:3: expected the end of the line behind three coordinates, found '1'");
    expect_bad_text(IMP_FORMAT_OFF, "OFF\n3 1 0\n0 0 0\n1 nan 0\n0 1 0\n3 0 1 2\n",
                    "test:4: expected a coordinate, found 'nan', which is not finite or too large");
    expect_bad_text(IMP_FORMAT_OFF, "OFF\n0 0 0\n", "test: the file has no vertices");
    expect_bad_text(IMP_FORMAT_OFF, "", "test: the file is empty");
}

TEST(what_follows_the_last_face_gets_a_remark)
{
    imp_Context *context = new_context();
    imp_Mesh *mesh = load_text(context, IMP_FORMAT_OFF, THREE "3 0 1 2\n3 2 1 0\n");
    CHECK(mesh && imp_mesh_get_triangle_count(mesh) == 1);
    CHECK_TEXT(mesh && imp_mesh_get_remark(mesh) ? imp_mesh_get_remark(mesh) : "none",
               "8 bytes behind the last face are ignored");
    imp_mesh_release(mesh);
    imp_context_destroy(context);
}
