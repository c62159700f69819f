#include "mesh_files.h"

#include <math.h>

static const double triangle[] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
static const uint32_t one_face[] = {0, 1, 2};

// A file that is put together byte by byte.
typedef struct Bytes {
    unsigned char data[4096];
    size_t size;
    bool big_endian;
} Bytes;

static void put_text(Bytes *bytes, const char *text)
{
    memcpy(bytes->data + bytes->size, text, strlen(text));
    bytes->size += strlen(text);
}

static void put_value(Bytes *bytes, const char *type, double value)
{
    static const struct {
        const char *name;
        size_t size;
    } types[] = {{"char", 1}, {"uchar", 1}, {"short", 2}, {"ushort", 2}, {"int", 4}, {"uint", 4}};
    uint64_t bits = 0;
    size_t size = 0;
    for (size_t i = 0; i < sizeof types / sizeof *types; ++i)
        if (strcmp(type, types[i].name) == 0) {
            size = types[i].size;
            bits = (uint64_t)(int64_t)value;
        }
    if (strcmp(type, "float") == 0) {
        float single = (float)value;
        uint32_t single_bits;
        memcpy(&single_bits, &single, sizeof single);
        bits = single_bits;
        size = 4;
    } else if (strcmp(type, "double") == 0) {
        memcpy(&bits, &value, sizeof value);
        size = 8;
    }
    for (size_t i = 0; i < size; ++i)
        bytes->data[bytes->size++] = (unsigned char)(bits >> 8 * (bytes->big_endian ? size - 1 - i : i));
}

static void check_triangle(const void *bytes, size_t size)
{
    imp_Context *context = new_context();
    imp_Mesh *mesh = load_bytes(context, IMP_FORMAT_PLY, bytes, size);
    CHECK(mesh_is(mesh, 3, triangle, 1, one_face));
    CHECK(mesh && imp_mesh_get_remark(mesh) == NULL);
    imp_mesh_release(mesh);
    imp_context_destroy(context);
}

static void check_text(const char *text)
{
    check_triangle(text, strlen(text));
}

#define INTRO(vertices, faces)                                                                               \
    "ply\nformat ascii 1.0\nelement vertex " vertices                                                        \
    "\nproperty float x\nproperty float y\nproperty float z\n"                                               \
    "element face " faces "\nproperty list uchar int vertex_indices\nend_header\n"
#define THREE "0 0 0\n1 0 0\n0 1 0\n"

TEST(text_in_many_layouts)
{
    check_text(INTRO("3", "1") THREE "3 0 1 2\n");
    check_text(INTRO("3", "1") "0 0 0 1 0 0 0 1 0 3 0 1 2");
    check_text(
        "ply\r\nformat ascii 1.0\r\ncomment made by hand\r\nobj_info x\r\n\r\nelement vertex 3\r\n"
        "property float x\r\nproperty float y\r\nproperty float z\r\nelement face 1\r\n"
        "property list uint8 int32 vertex_index\r\nend_header\r\n0 0 0\r\n1 0 0\r\n0 1 0\r\n3 0 1 2\r\n");
    check_text(
        "ply\nformat ascii 1.0\nelement vertex 3\nproperty double x\nproperty int y\nproperty short z\n"
        "element face 1\nproperty list uchar int vertex_index\nend_header\n" THREE "3 0 1 2\n");
}

TEST(other_elements_and_properties_are_stepped_over)
{
    check_text(
        "ply\nformat ascii 1.0\nelement camera 2\nproperty float f\nproperty list uchar float g\n"
        "element nothing 7\nelement vertex 3\nproperty float nx\nproperty list uchar uchar tags\n"
        "property float z\nproperty float y\nproperty float x\nproperty uchar red\nelement face 1\n"
        "property uchar flags\nproperty list uchar float texcoord\nproperty list int uint vertex_indices\n"
        "property int group\nelement edge 1\nproperty int a\nproperty int b\nend_header\n"
        "1.5 0\n2.5 2 nan 1\n"
        "nan 0 0 0 0 255\n0 2 7 8 0 0 1 255\n0 1 9 0 1 0 255\n"
        "1 6 0 0 1 0 0 1 3 0 1 2 -4\n0 1\n");
}

TEST(faces_may_come_before_vertices)
{
    check_text(
        "ply\nformat ascii 1.0\nelement face 1\nproperty list uchar int vertex_indices\nelement vertex 3\n"
        "property float x\nproperty float y\nproperty float z\nend_header\n3 0 1 2\n" THREE);
}

TEST(faces_before_vertices_may_be_concave)
{
    imp_Context *context = new_context();
    imp_Mesh *mesh =
        load_text(context, IMP_FORMAT_PLY,
                  "ply\nformat ascii 1.0\nelement face 1\nproperty list uchar int vertex_indices\n"
                  "element vertex 4\nproperty float x\nproperty float y\nproperty float z\n"
                  "end_header\n4 0 1 2 3\n0 0 0\n4 -2 0\n1 0 0\n4 2 0\n");
    CHECK_TEXT(mesh && imp_mesh_get_remark(mesh) ? imp_mesh_get_remark(mesh) : "none",
               "1 polygon is not convex (the first: line 10); fanned from the first vertex all the same");
    imp_mesh_release(mesh);
    imp_context_destroy(context);
}

TEST(binary_of_all_types_in_both_byte_orders)
{
    static const char *const types[] = {"char", "uchar", "short", "ushort", "int", "uint", "float", "double"};
    for (int big = 0; big < 2; ++big)
        for (size_t t = 0; t < 8; ++t)
            for (size_t list = 0; list < 6; ++list) {
                Bytes bytes = {.big_endian = big != 0};
                char header[512];
                snprintf(header, sizeof header,
                         "ply\nformat binary_%s_endian 1.0\nelement extra 2\nproperty list %s %s l\n"
                         "element vertex 3\nproperty uchar tag\nproperty %s x\nproperty %s y\nproperty %s z\n"
                         "property list uchar short l\nelement face 1\nproperty double weight\n"
                         "property list %s %s vertex_index\nend_header\n",
                         big ? "big" : "little", types[list], types[t], types[t], types[t], types[t],
                         types[list], types[t]);
                put_text(&bytes, header);
                for (int i = 0; i < 2; ++i) {
                    put_value(&bytes, types[list], i);
                    for (int k = 0; k < i; ++k)
                        put_value(&bytes, types[t], 1);
                }
                for (int i = 0; i < 3; ++i) {
                    put_value(&bytes, "uchar", 200);
                    for (int k = 0; k < 3; ++k)
                        put_value(&bytes, types[t], triangle[3 * i + k]);
                    put_value(&bytes, "uchar", 1);
                    put_value(&bytes, "short", -1);
                }
                put_value(&bytes, "double", NAN);
                put_value(&bytes, types[list], 3);
                for (int i = 0; i < 3; ++i)
                    put_value(&bytes, types[t], i);
                check_triangle(bytes.data, bytes.size);
            }
}

static void start_binary(Bytes *bytes, const char *list_types)
{
    bytes->size = 0;
    put_text(bytes, "ply\nformat binary_little_endian 1.0\nelement vertex 3\nproperty float x\n"
                    "property float y\nproperty float z\nelement face 1\nproperty list ");
    put_text(bytes, list_types);
    put_text(bytes, " vertex_indices\nend_header\n");
    for (int i = 0; i < 9; ++i)
        put_value(bytes, "float", triangle[i]);
}

static void expect_bad_binary(const Bytes *bytes, const char *message)
{
    expect_refusal(IMP_FORMAT_PLY, bytes->data, bytes->size, IMP_STATUS_BAD_FILE, message);
}

static void put_face(Bytes *bytes, double length, double a, double b, double c)
{
    put_value(bytes, "char", length);
    put_value(bytes, "float", a);
    put_value(bytes, "float", b);
    put_value(bytes, "float", c);
}

TEST(errors_in_binary_name_the_byte)
{
    Bytes bytes = {0};
    start_binary(&bytes, "char float");
    put_face(&bytes, 3, 0, 1, 3);
    expect_bad_binary(&bytes,
                      "test: vertex index 3 is out of range; the file has 3 vertices, counting from 0 (at "
                      "byte 215)");
    start_binary(&bytes, "char float");
    put_face(&bytes, 3, 0, 1, 1.5);
    expect_bad_binary(&bytes,
                      "test: vertex index 1.5 is out of range; the file has 3 vertices, counting from 0 "
                      "(at byte 215)");
    start_binary(&bytes, "char float");
    put_face(&bytes, 3, 0, NAN, 2);
    expect_bad_binary(&bytes,
                      "test: vertex index nan is out of range; the file has 3 vertices, counting from 0 "
                      "(at byte 211)");
    start_binary(&bytes, "char float");
    put_face(&bytes, -1, 0, 1, 2);
    expect_bad_binary(&bytes, "test: a list has the negative length -1 (at byte 206)");
    start_binary(&bytes, "char float");
    put_face(&bytes, 2, 0, 1, 2);
    expect_bad_binary(&bytes, "test: a face has 2 vertices; it needs at least 3 (at byte 206)");
    start_binary(&bytes, "char float");
    put_face(&bytes, 100, 0, 1, 2);
    expect_bad_binary(&bytes, "test: the file ends in element face, number 0 of 1 (at byte 207)");
    start_binary(&bytes, "char float");
    put_face(&bytes, 3, 0, 1, 2);
    --bytes.size;
    expect_bad_binary(&bytes,
                      "test: the header promises 1 of element face, which take at least 13 bytes each; "
                      "the file has 12 bytes left for them (at byte 170)");
    start_binary(&bytes, "char float");
    put_face(&bytes, 3, 0, 1, 2);
    float infinite = INFINITY;
    memcpy(bytes.data + 170 + 16, &infinite, 4);
    expect_bad_binary(&bytes, "test: a coordinate of vertex 1 is not finite (at byte 182)");
}

TEST(errors_in_text_name_the_line)
{
    expect_bad_text(IMP_FORMAT_PLY, INTRO("3", "1") THREE "3 0 1 3\n",
                    "test:13: vertex index 3 is out of range; the file has 3 vertices, counting from 0");
    expect_bad_text(IMP_FORMAT_PLY, INTRO("3", "1") THREE "3 0 1 -1\n",
                    "test:13: vertex index -1 is out of range; the file has 3 vertices, counting from 0");
    expect_bad_text(IMP_FORMAT_PLY, INTRO("3", "1") THREE "2 0 1     \n",
                    "test:13: a face has 2 vertices; it needs at least 3");
    expect_bad_text(IMP_FORMAT_PLY, INTRO("3", "1") THREE "4 0 1 2\n",
                    "test:14: expected a vertex index, found the end of the file");
    expect_bad_text(IMP_FORMAT_PLY, INTRO("3", "1") "0 0 0\n1 inf 0\n0 1 0\n3 0 1 2\n",
                    "test:11: expected a coordinate, found 'inf', which is not finite or too large");
    expect_bad_text(IMP_FORMAT_PLY, INTRO("3", "1") "0 0 0\n1 zero 0\n0 1 0\n3 0 1 2\n",
                    "test:11: expected a coordinate, found 'zero'");
    expect_bad_text(
        IMP_FORMAT_PLY, INTRO("3", "2147483648") THREE "3 0 1 2\n",
        "test: the header promises 2147483648 of element face, which take at least 8 bytes each; the "
        "file has 9 bytes left for them (at byte 163)");
    expect_bad_text(
        IMP_FORMAT_PLY, INTRO("4294967295", "1") THREE "3 0 1 2\n",
        "test: the header promises 4294967295 of element vertex, which take at least 6 bytes each; "
        "the file has 27 bytes left for them (at byte 163)");
    expect_bad_text(IMP_FORMAT_PLY, INTRO("0", "0"), "test: the file has no vertices");
}

TEST(errors_in_the_header)
{
    expect_bad_text(IMP_FORMAT_PLY, "PLY\n", "test:1: expected ply on the first line, found 'PLY'");
    expect_bad_text(IMP_FORMAT_PLY, "ply\nformat ascii 2.0\n",
                    "test:2: expected the version of the format, 1.0, found '2.0'");
    expect_bad_text(IMP_FORMAT_PLY, "ply\nformat text 1.0\n",
                    "test:2: expected ascii, binary_little_endian or binary_big_endian, found 'text'");
    expect_bad_text(IMP_FORMAT_PLY, "ply\nformat ascii 1.0\nelement vertex three\n",
                    "test:3: expected the number of elements, found 'three'");
    expect_bad_text(IMP_FORMAT_PLY, "ply\nformat ascii 1.0\nelement vertex 3\nproperty quad x\n",
                    "test:4: expected a type such as float, double, uchar or int, found 'quad'");
    expect_bad_text(IMP_FORMAT_PLY, "ply\nformat ascii 1.0\nproperty float x\n",
                    "test:3: expected an element before its properties, found 'float'");
    expect_bad_text(IMP_FORMAT_PLY, "ply\nformat ascii 1.0\nelement face 1\nproperty list float int l\n",
                    "test:4: expected a whole-number type for the length of a list, found 'float'");
    expect_bad_text(IMP_FORMAT_PLY, "ply\nformat ascii 1.0\nelement vertex 3\nelement vertex 3\n",
                    "test:4: element vertex is declared twice");
    expect_bad_text(IMP_FORMAT_PLY,
                    "ply\nformat ascii 1.0\nelement vertex 3\nproperty int x\nproperty int x\n",
                    "test:5: property x is declared twice");
    expect_bad_text(IMP_FORMAT_PLY, "ply\nformat ascii 1.0\nelement vertex 3\nproperty int x\nend_header\n",
                    "test:5: the vertices have no property y");
    expect_bad_text(IMP_FORMAT_PLY, "ply\nformat ascii 1.0\nelement face 3\nproperty int x\nend_header\n",
                    "test:5: the faces have no list vertex_indices or vertex_index");
    expect_bad_text(IMP_FORMAT_PLY, "ply\nformat ascii 1.0\nend_header\n",
                    "test:3: the header declares no vertices");
    expect_bad_text(IMP_FORMAT_PLY, "ply\nend_header\n",
                    "test:2: expected a format before the end of the header, found 'end_header'");
    expect_bad_text(IMP_FORMAT_PLY, "ply\nformat ascii 1.0\n",
                    "test:3: expected end_header, found the end of the file");
    expect_bad_text(IMP_FORMAT_PLY, "ply\nformat ascii 1.0\nvertices 3\n",
                    "test:3: expected element, property, comment or end_header, found 'vertices'");
    expect_refusal(IMP_FORMAT_PLY, "ply\nformat ascii 1.0\nelement tristrips 1\n", 41, IMP_STATUS_UNSUPPORTED,
                   "test:3: triangle strips can't be read; write the mesh as faces");
}
