// Files of octrees: what is written reads back, and what is cut, damaged or hostile is refused with file and
// byte.
#include "io/octree_file.h"

#include "failing_allocator.h"
#include "harness.h"
#include "mesh_files.h"

#define MAX_LEVEL 4
#define MAX_BYTES 4096

static char folder[MAX_TEST_PATH];

static void clean_up(void)
{
    remove_folder(folder);
}

static const char *place(const char *name)
{
    if (!folder[0]) {
        make_folder(folder);
        atexit(clean_up);
    }
    return path_in(folder, name);
}

static imp_Octree *from_text(imp_Context *context, const imp_OctreeGrid *grid, const char *text)
{
    imp_Octree *octree = NULL;
    CHECK_INT(imp_octree_create_from_df(context, grid, text, strlen(text), &octree), IMP_STATUS_OK);
    return octree;
}

static imp_Octree *load(imp_Context *context, const char *path, const imp_OctreeLoadDef *def)
{
    imp_Octree *octree = NULL;
    if (!CHECK_INT(imp_octree_load(context, path, def, &octree), IMP_STATUS_OK))
        printf("  %s\n", imp_context_get_error(context)->message);
    return octree;
}

static bool are_equal(const imp_Octree *a, const imp_Octree *b)
{
    bool equal = false;
    CHECK_INT(imp_octree_equal(a, b, &equal), IMP_STATUS_OK);
    return equal;
}

// Depth-first text of a random octree that ends at `level`.
static void draw_cells(uint32_t level, double gray, char *text, size_t *length)
{
    bool is_gray = level > 0 && test_random_unit() < gray;
    text[(*length)++] = is_gray ? '(' : test_random_below(2) ? 'B' : 'W';
    for (int i = 0; i < 8 && is_gray; ++i)
        draw_cells(level - 1, gray, text, length);
}

static imp_Octree *draw_octree(imp_Context *context, const imp_OctreeGrid *grid)
{
    static char text[8192]; // 8^4 cells, and those above them
    size_t length = 0;
    imp_Octree *octree = NULL;
    draw_cells(grid->level, 0.2 + 0.6 * test_random_unit(), text, &length);
    CHECK_INT(imp_octree_create_from_df(context, grid, text, length, &octree), IMP_STATUS_OK);
    return octree;
}

static imp_OctreeGrid draw_grid(void)
{
    return (imp_OctreeGrid){{test_random_between(-9, 9), test_random_between(-9, 9), -0.0},
                            test_random_between(0.01, 3),
                            1 + test_random_below(MAX_LEVEL)};
}

static imp_OctreeInfo info_of(const imp_Octree *octree)
{
    imp_OctreeInfo info = {0};
    CHECK_INT(imp_octree_get_info(octree, &info), IMP_STATUS_OK);
    return info;
}

// The cells themselves, not only what they hold.
static void check_same(const imp_Octree *a, const imp_Octree *b)
{
    imp_OctreeInfo info_a = info_of(a), info_b = info_of(b);
    CHECK(are_equal(a, b));
    CHECK(memcmp(info_a.gray_count, info_b.gray_count, sizeof info_a.gray_count) == 0);
    CHECK(memcmp(&info_a.grid.origin, &info_b.grid.origin, sizeof info_a.grid.origin) == 0);
    CHECK(info_a.is_cut == info_b.is_cut);
}

// ---- .oct

TEST(packed_octrees_read_back)
{
    imp_Context *context = new_context();
    int count = (int)test_count(200);
    for (int i = 0; i < count; ++i) {
        imp_OctreeGrid grid = draw_grid();
        imp_Octree *octree = draw_octree(context, &grid);
        CHECK_INT(imp_octree_save(context, octree, place("a.oct")), IMP_STATUS_OK);
        imp_Octree *back = load(context, place("a.oct"), NULL);
        check_same(octree, back);
        imp_octree_release(back);
        imp_octree_release(octree);
    }
    CHECK_INT(count_files(folder), 1);
    imp_context_destroy(context);
}

TEST(a_cut_octree_stays_cut)
{
    imp_Context *context = new_context();
    static const double vertices[] = {-1, -1, -1, 5, -1, -1, -1, 5, -1, -1, -1, 5};
    static const uint32_t indices[] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    imp_MeshDef mesh_def = {.vertices = vertices, .vertex_count = 4, .indices = indices, .triangle_count = 4};
    imp_OctreeDef def = {.grid = {{0, 0, 0}, 1, 1}};
    imp_Octree *octree = NULL;
    CHECK_INT(imp_mesh_create(context, &mesh_def, &def.mesh), IMP_STATUS_OK);
    CHECK_INT(imp_octree_create(context, &def, &octree), IMP_STATUS_OK);
    CHECK(info_of(octree).is_cut);
    CHECK_INT(imp_octree_save(context, octree, place("cut.oct")), IMP_STATUS_OK);
    imp_Octree *back = load(context, place("cut.oct"), NULL);
    check_same(octree, back);
    imp_octree_release(back);
    imp_octree_release(octree);
    imp_mesh_release(def.mesh);
    imp_context_destroy(context);
}

// The header of 9 cells on a grid from 1, 2, 3 on, with voxels of 0.5, without its checksum.
static const unsigned char packed[] = {
    0x89, 'O', 'C',  'T',  '\r', '\n', 0x1A, '\n', 1, 0, 0, 0,    1, 0, 0, 0, 0, 0, 0,    0,
    0,    0,   0xF0, 0x3F, 0,    0,    0,    0,    0, 0, 0, 0x40, 0, 0, 0, 0, 0, 0, 0x08, 0x40,
    0,    0,   0,    0,    0,    0,    0xE0, 0x3F, 9, 0, 0, 0,    0, 0, 0, 0, 0, 0, 0,    0};

static size_t write_packed(imp_Context *context, unsigned char bytes[MAX_BYTES])
{
    const imp_OctreeGrid grid = {{1, 2, 3}, 0.5, 1};
    imp_Octree *octree = from_text(context, &grid, "(BWBWWWWB");
    size_t size = 0;
    CHECK_INT(imp_octree_save(context, octree, place("b.oct")), IMP_STATUS_OK);
    char *content = read_file(place("b.oct"), &size);
    CHECK(content && size <= MAX_BYTES);
    memcpy(bytes, content, size);
    free(content);
    imp_octree_release(octree);
    return size;
}

TEST(packed_octrees_are_laid_out_as_told)
{
    unsigned char bytes[MAX_BYTES];
    // gray black white black, four white, black
    static const unsigned char cells[] = {2 | 1 << 2 | 0 << 4 | 1 << 6, 0, 1};
    imp_Context *context = new_context();
    CHECK_INT(write_packed(context, bytes), 64 + 3 + 4);
    CHECK(memcmp(bytes, packed, sizeof packed) == 0);
    CHECK(memcmp(bytes + 64, cells, sizeof cells) == 0);
    imp_context_destroy(context);
}

static imp_Status read_bytes(imp_Context *context, impi_OctreeFormat format, const void *bytes, size_t size)
{
    static const imp_OctreeLoadDef def = {0};
    imp_Octree *octree = NULL;
    imp_Status status = impi_octree_read(context, format, bytes, size, "test", &def, &octree);
    CHECK((status == IMP_STATUS_OK) == (octree != NULL));
    if (status != IMP_STATUS_OK) {
        CHECK_INT(imp_context_get_error(context)->status, status);
        CHECK_TEXT(imp_context_get_error(context)->file, "test");
        CHECK(imp_context_get_error(context)->byte_offset <= size);
    }
    imp_octree_release(octree);
    return status;
}

TEST(cut_and_damaged_packed_octrees_are_refused)
{
    unsigned char bytes[MAX_BYTES];
    imp_Context *context = new_context();
    size_t size = write_packed(context, bytes);
    for (size_t i = 0; i < size; ++i)
        CHECK_INT(read_bytes(context, IMPI_OCTREE_PACKED, bytes, i), IMP_STATUS_BAD_FILE);
    CHECK_INT(read_bytes(context, IMPI_OCTREE_PACKED, bytes, size), IMP_STATUS_OK);
    bytes[size] = 0;
    CHECK_INT(read_bytes(context, IMPI_OCTREE_PACKED, bytes, size + 1), IMP_STATUS_BAD_FILE);
    for (size_t bit = 0; bit < 8 * size; ++bit) {
        bool is_version = bit / 8 >= 8 && bit / 8 < 12;
        bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
        CHECK_INT(read_bytes(context, IMPI_OCTREE_PACKED, bytes, size),
                  is_version ? IMP_STATUS_UNSUPPORTED : IMP_STATUS_BAD_FILE);
        bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
    }
    imp_context_destroy(context);
}

static void store(unsigned char *bytes, uint64_t value, int size)
{
    for (int i = 0; i < size; ++i)
        bytes[i] = (unsigned char)(value >> 8 * i);
}

// Bit by bit, as the definition has it.
static uint32_t checksum(const unsigned char *bytes, size_t size)
{
    uint32_t sum = UINT32_MAX;
    for (size_t i = 0; i < 8 * size; ++i) {
        uint32_t bit = (bytes[i / 8] >> i % 8 ^ sum) & 1;
        sum = sum >> 1 ^ (bit ? 0xEDB88320u : 0);
    }
    return ~sum;
}

// Correct checksums, whatever else is wrong.
static void expect_packed(imp_Context *context, const char *cells, size_t cell_bytes, uint64_t count,
                          size_t changed, uint64_t value, int size, imp_Status status, const char *part)
{
    unsigned char bytes[MAX_BYTES] = {0};
    memcpy(bytes, packed, sizeof packed);
    store(bytes + 48, count, 8);
    if (size > 0)
        store(bytes + changed, value, size);
    store(bytes + 60, checksum(bytes, 60), 4);
    memcpy(bytes + 64, cells, cell_bytes);
    store(bytes + 64 + cell_bytes, checksum(bytes + 64, cell_bytes), 4);
    CHECK_INT(read_bytes(context, IMPI_OCTREE_PACKED, bytes, 68 + cell_bytes), status);
    if (status != IMP_STATUS_OK)
        CHECK_CONTAINS(imp_context_get_error(context)->message, part);
}

TEST(hostile_packed_octrees_are_refused)
{
    imp_Context *context = new_context();
    const imp_Status bad = IMP_STATUS_BAD_FILE;
    const uint64_t nan = 0x7FF8000000000000, infinity = 0x7FF0000000000000;
    expect_packed(context, "\x46\x00\x01", 3, 9, 0, 0, 0, IMP_STATUS_OK, "");
    expect_packed(context, "\x01", 1, 1, 0, 0, 0, IMP_STATUS_OK, "");
    expect_packed(context, "\x05", 1, 2, 0, 0, 0, bad, "complete before the last cell (at byte 64)");
    expect_packed(context, "\x05", 1, 1, 0, 0, 0, bad, "bits behind the last cell are not 0 (at byte 64)");
    expect_packed(context, "\x46\x00", 2, 8, 0, 0, 0, bad, "end before the octree is complete (at byte 66)");
    expect_packed(context, "\x46\x00\x03", 3, 9, 0, 0, 0, bad, "neither white, black nor gray (at byte 66)");
    expect_packed(context, "\x46\x02\x01", 3, 9, 0, 0, 0, bad, "a voxel of level 1 is gray (at byte 65)");
    expect_packed(context, "", 0, 0, 0, 0, 0, bad, "promises 0 cells");
    expect_packed(context, "\x01", 1, UINT64_MAX, 0, 0, 0, bad, "promises 18446744073709551615 cells");
    expect_packed(context, "\x01", 1, (uint64_t)1 << 62, 0, 0, 0, bad, "the file has 69 bytes");
    expect_packed(context, "\x01", 1, 1, 12, 0, 4, bad, "level 0");
    expect_packed(context, "\x01", 1, 1, 12, 17, 4, bad, "level 17");
    expect_packed(context, "\x01", 1, 1, 24, nan, 8, bad, "origin");
    expect_packed(context, "\x01", 1, 1, 40, 0, 8, bad, "an edge of 0");
    expect_packed(context, "\x01", 1, 1, 40, infinity, 8, bad, "an edge of inf");
    expect_packed(context, "\x01", 1, 1, 40, 1, 8, bad, "coincide");
    expect_packed(context, "\x01", 1, 1, 56, 2, 4, bad, "flags");
    expect_packed(context, "\x01", 1, 1, 8, 2, 4, IMP_STATUS_UNSUPPORTED, "version 2");
    imp_context_destroy(context);
}

// ---- .df

TEST(text_reads_back)
{
    imp_Context *context = new_context();
    int count = (int)test_count(100);
    for (int i = 0; i < count; ++i) {
        imp_OctreeGrid grid = draw_grid();
        imp_OctreeLoadDef def = {.grid = grid};
        imp_Octree *octree = draw_octree(context, &grid);
        CHECK_INT(imp_octree_save(context, octree, place("a.df")), IMP_STATUS_OK);
        imp_Octree *back = load(context, place("a.df"), &def);
        check_same(octree, back);
        imp_octree_release(back);
        imp_octree_release(octree);
    }
    imp_context_destroy(context);
}

TEST(text_gets_a_grid)
{
    imp_Context *context = new_context();
    static const struct {
        const char *text;
        imp_OctreeGrid grid, expected;
    } cases[] = {
        {"B", {{0, 0, 0}, 0, 0}, {{0, 0, 0}, 1, 1}},
        {" G W\tW\nW\r\nW WWW ( BBBB\vBBBB\n\n", {{0, 0, 0}, 0, 0}, {{0, 0, 0}, 1, 2}},
        {"(WWWWWWWB", {{0, 0, 0}, 0, 3}, {{0, 0, 0}, 1, 3}},
        {"(WWWWWWWB", {{1, 2, 3}, 0.5, 0}, {{1, 2, 3}, 0.5, 1}},
        {"(WWWWWWWB", {{1, 2, 3}, 0.5, 16}, {{1, 2, 3}, 0.5, 16}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        imp_OctreeLoadDef def = {.grid = cases[i].grid};
        write_file(place("grid.df"), cases[i].text, strlen(cases[i].text));
        imp_Octree *octree = load(context, place("grid.df"), &def);
        imp_OctreeGrid got = info_of(octree).grid;
        CHECK_DOUBLE(got.origin.z, cases[i].expected.origin.z);
        CHECK_DOUBLE(got.voxel, cases[i].expected.voxel);
        CHECK_INT(got.level, cases[i].expected.level);
        imp_octree_release(octree);
    }
    imp_context_destroy(context);
}

TEST(wrong_text_is_refused)
{
    imp_Context *context = new_context();
    static const char zero[] = "(BB\0BBBBB", escape[] = "(BB\x1b[31mB";
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"", "test: the file is empty (at byte 0)"},
        {" \n", "test: the text ends before the octree is complete (at byte 2)"},
        {"(BBBBBBB", "test: the text ends before the octree is complete (at byte 8)"},
        {"(BBBBBBBB W", "test: the octree is complete, and the text goes on (at byte 10)"},
        {"(BBxBBBBB",
         "test: expected '(' or 'G' for a gray cell, 'B' for a black or 'W' for a white one, found "
         "'x' (at byte 3)"},
        {"((((((((((((((((((BBBBBBBB", "test: a cell of level 16 is gray (at byte 16)"},
        {zero, "test: expected '(' or 'G' for a gray cell, 'B' for a black or 'W' for a white one, found "
               "'\\x00' (at byte 3)"},
        {escape, "test: expected '(' or 'G' for a gray cell, 'B' for a black or 'W' for a white one, found "
                 "'\\x1b' (at byte 3)"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        size_t size = cases[i].text == zero ? sizeof zero - 1 : strlen(cases[i].text);
        imp_Status status = read_bytes(context, IMPI_OCTREE_TEXT, cases[i].text, size);
        CHECK_INT(status, i == 5 ? IMP_STATUS_BAD_SHAPE : IMP_STATUS_BAD_FILE);
        CHECK_TEXT(imp_context_get_error(context)->message, cases[i].message);
    }
    imp_context_destroy(context);
}

// ---- .bt

// In voxels, from -8 to 8 along each axis, of any edge.
static imp_OctreeGrid draw_map_grid(bool is_aligned)
{
    imp_OctreeGrid grid = {.voxel = test_random_below(2) ? 0.1 : test_random_between(0.01, 2),
                           .level = 1 + test_random_below(MAX_LEVEL)};
    int half = 1 << (grid.level - 1);
    double *origin = &grid.origin.x;
    for (int axis = 0; axis < 3; ++axis) {
        int at = (int)test_random_below(41) - 20;
        origin[axis] = (double)(is_aligned ? at * half : at) * grid.voxel;
    }
    return grid;
}

TEST(octomaps_on_their_cells_read_back)
{
    imp_Context *context = new_context();
    int count = (int)test_count(200);
    for (int i = 0; i < count; ++i) {
        uint64_t unknown = 7;
        imp_OctreeLoadDef def = {.unknown_count = &unknown, .unknown_is_black = true};
        imp_OctreeGrid grid = draw_map_grid(true);
        imp_Octree *octree = draw_octree(context, &grid);
        CHECK_INT(imp_octree_save(context, octree, place("a.bt")), IMP_STATUS_OK);
        imp_Octree *back = load(context, place("a.bt"), &def);
        CHECK(are_equal(octree, back));
        CHECK_INT(unknown, 0);
        imp_octree_release(back);
        imp_octree_release(octree);
    }
    imp_context_destroy(context);
}

// What is read lies on a larger cube, so that points tell whether it is the same.
TEST(octomaps_elsewhere_hold_the_same_points)
{
    imp_Context *context = new_context();
    int count = (int)test_count(200), black = 0, larger = 0;
    for (int i = 0; i < count; ++i) {
        uint64_t unknown = 0;
        imp_OctreeLoadDef def = {.unknown_count = &unknown};
        imp_OctreeGrid grid = draw_map_grid(false);
        imp_Octree *octree = draw_octree(context, &grid);
        CHECK_INT(imp_octree_save(context, octree, place("a.bt")), IMP_STATUS_OK);
        imp_Octree *back = load(context, place("a.bt"), &def);
        imp_OctreeInfo info = info_of(octree), back_info = info_of(back);
        double edge = grid.voxel * (double)(1 << grid.level);
        CHECK_INT(back_info.black_voxel_count, info.black_voxel_count);
        CHECK_INT(unknown, (1u << 3 * back_info.grid.level) - (1u << 3 * grid.level));
        larger += back_info.grid.level > grid.level;
        for (int k = 0; k < 50; ++k) {
            imp_Vec3 point = {grid.origin.x + edge * test_random_between(-0.2, 1.2),
                              grid.origin.y + edge * test_random_between(-0.2, 1.2),
                              grid.origin.z + edge * test_random_between(-0.2, 1.2)};
            imp_CellColour a = IMP_CELL_GRAY, b = IMP_CELL_GRAY;
            CHECK_INT(imp_octree_locate_points(context, octree, &point, 1, &a), IMP_STATUS_OK);
            CHECK_INT(imp_octree_locate_points(context, back, &point, 1, &b), IMP_STATUS_OK);
            CHECK_INT(a, b);
            black += a == IMP_CELL_BLACK;
        }
        imp_octree_release(back);
        imp_octree_release(octree);
    }
    CHECK(larger > count / 4);
    CHECK(black > 5 * count && black < 40 * count);
    imp_context_destroy(context);
}

#define BT_HEADER "# Octomap OcTree binary file\n# hello\n\nid OcTree\nsize %d\nres 0.5\ndata\n"

static size_t put_map(char bytes[MAX_BYTES], int size, const char *nodes, size_t node_bytes)
{
    size_t length = (size_t)snprintf(bytes, MAX_BYTES, BT_HEADER, size);
    memcpy(bytes + length, nodes, node_bytes);
    return length + node_bytes;
}

// Around the middle: octant 0 free, octant 7 a chain of nodes down to one black voxel, all else unknown.
static size_t put_chain(char bytes[MAX_BYTES])
{
    char nodes[32] = {0};
    // At the root octant 7 is the one whose first corner is 0, 0, 0; below it octant 0 is.
    nodes[0] = 1; // free
    nodes[1] = (char)0xC0;
    for (int i = 1; i < 15; ++i)
        nodes[2 * i] = 3;
    nodes[30] = 2; // occupied
    return put_map(bytes, 18, nodes, sizeof nodes);
}

TEST(unknown_cells_are_white_and_counted_or_black)
{
    char bytes[MAX_BYTES];
    imp_Context *context = new_context();
    size_t size = put_chain(bytes);
    write_file(place("chain.bt"), bytes, size);
    uint64_t unknown = 0;
    imp_OctreeLoadDef def = {.unknown_count = &unknown};
    imp_Octree *octree = load(context, place("chain.bt"), &def);
    imp_OctreeInfo info = info_of(octree);
    const uint64_t eighth = (uint64_t)1 << 45;
    // Octant 0 and one voxel of octant 7 are known: the cube is all of the map.
    CHECK_INT(info.grid.level, 16);
    CHECK_DOUBLE(info.grid.origin.x, -16384);
    CHECK_INT(info.black_voxel_count, 1);
    CHECK_INT(info.bounds.min[0], 32768);
    CHECK_INT(info.bounds.max[2], 32769);
    CHECK_INT(unknown, 7 * eighth - 1);
    imp_octree_release(octree);
    def.unknown_is_black = true;
    octree = load(context, place("chain.bt"), &def);
    CHECK_INT(info_of(octree).black_voxel_count, 7 * eighth);
    CHECK_INT(unknown, 7 * eighth - 1);
    imp_octree_release(octree);
    size = put_map(bytes, 0, "", 0);
    write_file(place("empty.bt"), bytes, size);
    def.unknown_is_black = false;
    octree = load(context, place("empty.bt"), &def);
    CHECK_INT(info_of(octree).black_voxel_count, 0);
    CHECK_INT(info_of(octree).grid.level, 1);
    CHECK_INT(unknown, 8);
    imp_octree_release(octree);
    imp_context_destroy(context);
}

TEST(cut_octomaps_are_refused)
{
    char bytes[MAX_BYTES];
    imp_Context *context = new_context();
    size_t size = put_chain(bytes);
    for (size_t i = 0; i < size; ++i)
        CHECK_INT(read_bytes(context, IMPI_OCTREE_OCTOMAP, bytes, i), IMP_STATUS_BAD_FILE);
    CHECK_INT(read_bytes(context, IMPI_OCTREE_OCTOMAP, bytes, size), IMP_STATUS_OK);
    bytes[size] = 0;
    CHECK_INT(read_bytes(context, IMPI_OCTREE_OCTOMAP, bytes, size + 1), IMP_STATUS_BAD_FILE);
    CHECK_CONTAINS(imp_context_get_error(context)->message, "the map is complete, and the file goes on");
    imp_context_destroy(context);
}

TEST(hostile_octomaps_are_refused)
{
    imp_Context *context = new_context();
    static const struct {
        const char *text, *part;
    } cases[] = {
        {"# Octomap OcTree binary fil\n", "expected a first line"},
        {"# Octomap OcTree binary file\nid OcTree\nres 1\ndata\n", "no 'size'"},
        {"# Octomap OcTree binary file\nid OcTree\nsize 0\ndata\n", "no 'res'"},
        {"# Octomap OcTree binary file\nsize 0\nres 1\ndata\n", "no 'id'"},
        {"# Octomap OcTree binary file\nid OcTree\nsize 0\nres 1\n", "expected a line 'data'"},
        {"# Octomap OcTree binary file\nid OcTree\nsize -1\nres 1\ndata\n", "number of nodes behind 'size'"},
        {"# Octomap OcTree binary file\nid OcTree\nsize many\nres 1\ndata\n", "(at byte 44)"},
        {"# Octomap OcTree binary file\nid OcTree\nsize 0\nres 0\ndata\n", "edge of a voxel behind 'res'"},
        {"# Octomap OcTree binary file\nid OcTree\nsize 0\nres -1\ndata\n", "edge of a voxel behind 'res'"},
        {"# Octomap OcTree binary file\nid OcTree\nsize 0\nres nan\ndata\n", "edge of a voxel behind 'res'"},
        {"# Octomap OcTree binary file\nid OcTree\nsize 0\nres 1e999\ndata\n",
         "edge of a voxel behind 'res'"},
        {"# Octomap OcTree binary file\nid OcTree\nsize 0\nres 1.5e308\ndata\n", "beyond the largest double"},
        {"# Octomap OcTree binary file\nid OcTree\nsize 4\nres 1\ndata\n\x01\x02",
         "promises 4 nodes, the map has 3 (at byte 44)"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        CHECK_INT(read_bytes(context, IMPI_OCTREE_OCTOMAP, cases[i].text, strlen(cases[i].text)),
                  IMP_STATUS_BAD_FILE);
        CHECK_CONTAINS(imp_context_get_error(context)->message, cases[i].part);
    }
    static const char with_probabilities[] = "# Octomap OcTree file\nid OcTree\nsize 0\nres 1\ndata\n";
    CHECK_INT(read_bytes(context, IMPI_OCTREE_OCTOMAP, with_probabilities, sizeof with_probabilities - 1),
              IMP_STATUS_UNSUPPORTED);
    char bytes[MAX_BYTES], nodes[64];
    for (size_t i = 0; i < sizeof nodes; ++i)
        nodes[i] = i % 2 ? 0 : 3;
    size_t size = put_map(bytes, 32, nodes, sizeof nodes); // 32 nodes below each other
    CHECK_INT(read_bytes(context, IMPI_OCTREE_OCTOMAP, bytes, size), IMP_STATUS_BAD_FILE);
    CHECK_CONTAINS(imp_context_get_error(context)->message,
                   "a voxel, 16 levels below the root, has children");
    imp_context_destroy(context);
}

TEST(grids_that_octomaps_lack_are_refused)
{
    imp_Context *context = new_context();
    static const struct {
        imp_OctreeGrid grid;
        const char *part;
    } cases[] = {
        {{{0, 0.25, 0}, 0.5, 2}, "along y the octree begins at 0.25, which is none of 0.5"},
        {{{-0.3, 0, 0}, 0.1, 2}, "(the nearest is -0.30000000000000004)"},
        {{{0, 0, 32767}, 1, 1}, "goes beyond along z"},
        {{{0, 0, -32769}, 1, 1}, "goes beyond along z"},
        {{{0, 0, 1e300}, 1e290, 1}, "goes beyond along z"},
        {{{0, 0, 0}, 1, 16}, "goes beyond along x"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        imp_Octree *octree = from_text(context, &cases[i].grid, "B");
        CHECK_INT(imp_octree_save(context, octree, place("grid.bt")), IMP_STATUS_BAD_SHAPE);
        CHECK_CONTAINS(imp_context_get_error(context)->message, cases[i].part);
        CHECK_CONTAINS(imp_context_get_error(context)->message, "grid.bt");
        imp_octree_release(octree);
    }
    CHECK(access(place("grid.bt"), F_OK) != 0);
    const imp_OctreeGrid whole = {{-32768, -32768, -32768}, 1, 16};
    imp_Octree *octree = from_text(context, &whole, "(BWBWWWWB");
    CHECK_INT(imp_octree_save(context, octree, place("whole.bt")), IMP_STATUS_OK);
    imp_Octree *back = load(context, place("whole.bt"), NULL);
    check_same(octree, back);
    imp_octree_release(back);
    imp_octree_release(octree);
    imp_context_destroy(context);
}

// ---- paths, arguments, memory

TEST(wrong_paths_and_arguments_are_refused)
{
    imp_Context *context = new_context();
    const imp_OctreeGrid grid = {{0, 0, 0}, 1, 1};
    imp_Octree *octree = from_text(context, &grid, "B"), *back = NULL;
    imp_OctreeLoadDef reserved = {.reserved = {0, 0, 0, 1}}, wrong = {.grid = {{0, 0, 0}, -1, 1}};
    CHECK_INT(imp_octree_save(context, octree, place("a.obj")), IMP_STATUS_UNSUPPORTED);
    CHECK_CONTAINS(imp_context_get_error(context)->message, "the extension 'obj'");
    CHECK_INT(imp_octree_load(context, place("none"), NULL, &back), IMP_STATUS_UNSUPPORTED);
    CHECK_INT(imp_octree_load(context, place("none.oct"), NULL, &back), IMP_STATUS_IO);
    CHECK_CONTAINS(imp_context_get_error(context)->message, "No such file");
    CHECK_INT(imp_octree_save(context, octree, place("no/folder.oct")), IMP_STATUS_IO);
    CHECK_INT(imp_octree_save(context, octree, place("B.OCT")), IMP_STATUS_OK);
    CHECK_INT(imp_octree_load(context, place("B.OCT"), &reserved, &back), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_octree_load(context, place("B.OCT"), &wrong, &back), IMP_STATUS_BAD_NUMBER);
    CHECK_INT(imp_octree_save(NULL, octree, place("a.oct")), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_octree_save(context, NULL, place("a.oct")), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_octree_save(context, octree, NULL), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_octree_load(NULL, place("B.OCT"), NULL, &back), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_octree_load(context, NULL, NULL, &back), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_octree_load(context, place("B.OCT"), NULL, NULL), IMP_STATUS_BAD_ARGUMENT);
    CHECK(!back);
    imp_octree_release(octree);
    imp_context_destroy(context);
}

static bool use_memory(imp_Context *context, const char *name)
{
    const imp_OctreeGrid grid = {{-4, -4, -4}, 1, 3};
    const char *text = "(((BWWBWWBBWWBBBBBWWWWWWB";
    imp_Octree *octree = NULL, *back = NULL;
    imp_Status status = imp_octree_create_from_df(context, &grid, text, strlen(text), &octree);
    if (status == IMP_STATUS_OK)
        status = imp_octree_save(context, octree, place(name));
    if (status == IMP_STATUS_OK)
        status = imp_octree_load(context, place(name), NULL, &back);
    CHECK(status == IMP_STATUS_OK || status == IMP_STATUS_OUT_OF_MEMORY);
    CHECK((status == IMP_STATUS_OK) == (back != NULL));
    imp_octree_release(octree);
    imp_octree_release(back);
    return status == IMP_STATUS_OK;
}

TEST(out_of_memory_at_every_allocation)
{
    static const char *const names[] = {"memory.oct", "memory.df", "memory.bt"};
    for (int i = 0; i < 3; ++i) {
        FailingAllocator memory;
        uint64_t n = 0;
        int failures = 0;
        do {
            imp_Context *context = NULL;
            failing_allocator_init(&memory, ++n);
            imp_ContextDef def = {.allocator = failing_allocator_hooks(&memory)};
            if (imp_context_create(&def, &context) == IMP_STATUS_OK) {
                failures += !use_memory(context, names[i]);
                imp_context_destroy(context);
            }
            CHECK(failing_allocator_is_clean(&memory));
        } while (failing_allocator_has_failed(&memory));
        CHECK(failures > 8);
    }
}

TEST(cancelled_calls_change_nothing)
{
    static const char *const names[] = {"cancel.oct", "cancel.df", "cancel.bt"};
    imp_Context *context = new_context();
    imp_Cancel *cancel = NULL;
    const imp_OctreeGrid grid = {{-4, -4, -4}, 1, 3};
    imp_Octree *octree = from_text(context, &grid, "(((BWWBWWBBWWBBBBBWWWWWWB"), *back = NULL;
    CHECK_INT(imp_cancel_create(context, &cancel), IMP_STATUS_OK);
    imp_cancel_request(cancel);
    for (int i = 0; i < 3; ++i) {
        CHECK_INT(imp_context_watch(context, &(imp_Watch){.cancel = cancel}), IMP_STATUS_OK);
        CHECK_INT(imp_octree_save(context, octree, place(names[i])), IMP_STATUS_CANCELLED);
        CHECK(access(place(names[i]), F_OK) != 0);
        CHECK_INT(imp_context_watch(context, NULL), IMP_STATUS_OK);
        CHECK_INT(imp_octree_save(context, octree, place(names[i])), IMP_STATUS_OK);
        CHECK_INT(imp_context_watch(context, &(imp_Watch){.cancel = cancel}), IMP_STATUS_OK);
        CHECK_INT(imp_octree_load(context, place(names[i]), NULL, &back), IMP_STATUS_CANCELLED);
        CHECK(!back);
    }
    CHECK_INT(imp_context_watch(context, NULL), IMP_STATUS_OK);
    imp_cancel_destroy(cancel);
    imp_octree_release(octree);
    imp_context_destroy(context);
}
