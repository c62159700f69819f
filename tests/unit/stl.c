#include "mesh_files.h"

#include <math.h>

#define FACET(a, b, c)                                                                                       \
    "facet normal 0 0 1\n outer loop\n  vertex " a "\n  vertex " b "\n  vertex " c "\n endloop\nendfacet\n"
#define UNIT_FACET FACET("0 0 0", "1 0 0", "0 1 0")

static const double triangle[] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
static const uint32_t one_face[] = {0, 1, 2};

static void check_triangle(const void *bytes, size_t size)
{
    imp_Context *context = new_context();
    imp_Mesh *mesh = load_bytes(context, IMP_FORMAT_STL, bytes, size);
    CHECK(mesh_is(mesh, 3, triangle, 1, one_face));
    imp_mesh_release(mesh);
    imp_context_destroy(context);
}

static void check_text(const char *text)
{
    check_triangle(text, strlen(text));
}

// A binary file; returns its size.
static size_t make_binary(unsigned char *bytes, const char *header, uint32_t promised, int held)
{
    static const float record[12] = {0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0};
    memset(bytes, 0, 84);
    memcpy(bytes, header, strlen(header));
    memcpy(bytes + 80, &promised, 4);
    for (int i = 0; i < held; ++i) {
        memcpy(bytes + 84 + 50 * i, record, 48);
        memset(bytes + 84 + 50 * i + 48, 0, 2);
    }
    return (size_t)(84 + 50 * held);
}

TEST(text_in_many_layouts)
{
    check_text("solid\n" UNIT_FACET "endsolid\n");
    check_text("solid my part 1\n" UNIT_FACET "endsolid my part 1");
    check_text("SOLID X\r\nFACET NORMAL nan -nan(ind) 0\r\nOUTER LOOP\r\nVERTEX 0 0 0\r\nVERTEX 1 0 0\r\n"
               "VERTEX 0 1 0\r\nENDLOOP\r\nENDFACET\r\nENDSOLID\r\n");
    check_text(
        "\n\tsolid x\nfacet normal 0 0 1 outer loop vertex 0 0 0 vertex 1 0 0 vertex 0 1 0 endloop endfacet "
        "endsolid\n");
}

TEST(several_solids_and_polygons_in_one_text)
{
    imp_Context *context = new_context();
    imp_Mesh *mesh =
        load_text(context, IMP_FORMAT_STL,
                  "solid a\n" UNIT_FACET "endsolid a\nsolid b\n" UNIT_FACET
                  "facet normal 0 0 1 outer loop vertex 0 0 0 vertex 1 0 0 vertex 1 1 0 vertex 0 1 0 "
                  "endloop endfacet\nendsolid b\n");
    CHECK(mesh && imp_mesh_get_triangle_count(mesh) == 4 && imp_mesh_get_vertex_count(mesh) == 10);
    CHECK(mesh && imp_mesh_get_indices(mesh)[9] == 6 && imp_mesh_get_indices(mesh)[11] == 9);
    imp_mesh_release(mesh);
    imp_context_destroy(context);
}

TEST(text_keeps_double_precision)
{
    imp_Context *context = new_context();
    imp_Mesh *mesh =
        load_text(context, IMP_FORMAT_STL, "solid\n" FACET("600000.1 0 0", "1 0 0", "0 1 0") "endsolid\n");
    CHECK(mesh && imp_mesh_get_vertices(mesh)[0].x == 600000.1);
    imp_mesh_release(mesh);
    imp_context_destroy(context);
}

TEST(binary_whatever_its_header_says)
{
    unsigned char bytes[256];
    check_triangle(bytes, make_binary(bytes, "", 1, 1));
    check_triangle(bytes, make_binary(bytes, "solid", 1, 1));
    check_triangle(bytes, make_binary(bytes, "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\n", 1, 1));
}

TEST(bytes_behind_the_last_triangle_get_a_remark)
{
    unsigned char bytes[256] = {0};
    size_t size = make_binary(bytes, "x", 1, 1);
    imp_Context *context = new_context();
    imp_Mesh *mesh = load_bytes(context, IMP_FORMAT_STL, bytes, size + 7);
    CHECK(mesh && imp_mesh_get_remark(mesh) != NULL);
    if (mesh && imp_mesh_get_remark(mesh))
        CHECK_TEXT(imp_mesh_get_remark(mesh), "7 bytes behind the last face are ignored");
    imp_mesh_release(mesh);
    imp_context_destroy(context);
}

static void expect_bad_binary(uint32_t promised, int held, const char *message)
{
    unsigned char bytes[256];
    size_t size = make_binary(bytes, "solid", promised, held);
    expect_refusal(IMP_FORMAT_STL, bytes, size, IMP_STATUS_BAD_FILE, message);
}

TEST(a_header_that_promises_too_much)
{
    expect_bad_binary(
        2, 1, "test: the header promises 2 triangles, which take 184 bytes; the file has 134 (at byte 80)");
    expect_bad_binary(
        0x7FFFFF00u, 1,
        "test: the header promises 2147483392 triangles, which take 107374169684 bytes; the file "
        "has 134 (at byte 80)");
    expect_bad_binary(
        0xFFFFFF00u, 1,
        "test: the header promises 4294967040 triangles, which take 214748352084 bytes; the file "
        "has 134 (at byte 80)");
    expect_bad_binary(0, 0, "test: the file has no vertices");
}

TEST(binary_coordinates_must_be_finite)
{
    static const float bad[] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 3; ++i) {
        unsigned char bytes[256];
        size_t size = make_binary(bytes, "", 2, 2);
        memcpy(bytes + 84 + 50 + 12 + 16, &bad[i], 4);
        expect_refusal(IMP_FORMAT_STL, bytes, size, IMP_STATUS_BAD_FILE,
                       "test: a coordinate of triangle 1 is not finite (at byte 162)");
        // Normals need not be.
        size = make_binary(bytes, "", 1, 1);
        memcpy(bytes + 84, &bad[i], 4);
        check_triangle(bytes, size);
    }
}

TEST(errors_in_text_name_the_line)
{
    expect_bad_text(IMP_FORMAT_STL, "solid\n" FACET("0 0 0", "1 0 inf", "0 1 0") "endsolid\n",
                    "test:5: expected a coordinate, found 'inf', which is not finite or too large");
    expect_bad_text(IMP_FORMAT_STL, "solid\n" FACET("0 0 0", "1 0 x", "0 1 0") "endsolid\n",
                    "test:5: expected a coordinate, found 'x'");
    expect_bad_text(IMP_FORMAT_STL, "solid\n" UNIT_FACET,
                    "test:9: expected facet or endsolid, found the end of the file");
    expect_bad_text(IMP_FORMAT_STL,
                    "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nendloop\n"
                    "endfacet\nendsolid\n",
                    "test:2: a face has 2 vertices; it needs at least 3");
    expect_bad_text(IMP_FORMAT_STL, "solid\nendsolid\n", "test: the file has no vertices");
    expect_bad_text(IMP_FORMAT_STL, "solid\nendsolid\nmore\n", "test:3: expected solid, found 'more'");
    expect_bad_text(IMP_FORMAT_STL, "hello",
                    "test: expected 'solid' or the header of a binary STL file (84 bytes), found 5 bytes (at "
                    "byte 5)");
    expect_bad_text(IMP_FORMAT_STL, "", "test: the file is empty");
}
