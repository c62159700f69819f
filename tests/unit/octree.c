// The interface of octree.h: grids, rules on shapes whose voxels are known, what octrees tell, what is
// refused, and who owns what. That every cell is right is tested in property/octree_cells.
#include "failing_allocator.h"
#include "harness.h"
#include "scenes/shapes.h"

#include <impinge/impinge.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static imp_Context *make_context(uint32_t thread_count)
{
    imp_Context *context = NULL;
    CHECK_INT(imp_context_create(&(imp_ContextDef){.thread_count = thread_count}, &context), IMP_STATUS_OK);
    return context;
}

static imp_Mesh *make_box(imp_Context *context, imp_Vec3 min, imp_Vec3 max)
{
    imp_Mesh *mesh = NULL;
    CHECK_INT(scene_box(context, min, max, &mesh), IMP_STATUS_OK);
    return mesh;
}

static imp_Octree *build(imp_Context *context, imp_Mesh *mesh, imp_OctreeGrid grid, imp_OctreeRule rule)
{
    imp_Octree *octree = NULL;
    CHECK_INT(imp_octree_create(context, &(imp_OctreeDef){.mesh = mesh, .grid = grid, .rule = rule}, &octree),
              IMP_STATUS_OK);
    return octree;
}

static imp_OctreeInfo info_of(const imp_Octree *octree)
{
    imp_OctreeInfo info = {0};
    CHECK_INT(imp_octree_get_info(octree, &info), IMP_STATUS_OK);
    return info;
}

static char *text_of(imp_Context *context, const imp_Octree *octree)
{
    size_t length = 0;
    CHECK_INT(imp_octree_get_df(context, octree, NULL, 0, &length), IMP_STATUS_BUFFER_SHORT);
    char *text = calloc(length + 1, 1);
    CHECK_INT(imp_octree_get_df(context, octree, text, length, &length), IMP_STATUS_OK);
    return text;
}

static bool are_same(imp_Context *context, const imp_Octree *a, const imp_Octree *b)
{
    char *text_a = text_of(context, a), *text_b = text_of(context, b);
    bool same = strcmp(text_a, text_b) == 0;
    free(text_a);
    free(text_b);
    return same;
}

static const imp_OctreeGrid eight = {{0, 0, 0}, 1, 3};

// ---- rules

TEST(a_box_on_grid_lines_gives_its_voxels)
{
    imp_Context *context = make_context(1);
    imp_Mesh *box = make_box(context, (imp_Vec3){1, 2, 3}, (imp_Vec3){5, 6, 7});
    const uint64_t volumes[] = {64, 64, 64, 216};
    for (int rule = IMP_OCTREE_OUTER; rule <= IMP_OCTREE_TOUCH; ++rule) {
        imp_Octree *octree = build(context, box, eight, (imp_OctreeRule)rule);
        imp_OctreeInfo info = info_of(octree);
        CHECK_INT(info.black_voxel_count, volumes[rule]);
        CHECK_DOUBLE(info.volume, (double)volumes[rule]);
        CHECK(info.is_condensed && !info.is_cut && !info.has_faces);
        CHECK_INT(info.bounds.min[0], rule == IMP_OCTREE_TOUCH ? 0 : 1);
        CHECK_INT(info.bounds.max[2], rule == IMP_OCTREE_TOUCH ? 8 : 7);
        imp_octree_release(octree);
    }
    imp_mesh_release(box);
    imp_context_destroy(context);
}

TEST(a_box_off_grid_lines_obeys_its_rule)
{
    imp_Context *context = make_context(1);
    imp_Mesh *box = make_box(context, (imp_Vec3){1.5, 1.5, 1.5}, (imp_Vec3){5.25, 5.25, 5.25});
    // Voxels 1 to 5 are entered, 2 to 4 inside; the centers of 1 lie on the surface, those of 5 outside.
    const uint64_t counts[] = {125, 27, 64, 125};
    for (int rule = IMP_OCTREE_OUTER; rule <= IMP_OCTREE_TOUCH; ++rule) {
        imp_Octree *octree = build(context, box, eight, (imp_OctreeRule)rule);
        CHECK_INT(info_of(octree).black_voxel_count, counts[rule]);
        imp_octree_release(octree);
    }
    imp_mesh_release(box);
    imp_context_destroy(context);
}

TEST(faces_are_listed_in_closed_voxels)
{
    imp_Context *context = make_context(1);
    const double corners[] = {1, 1, 1, 3, 1, 1, 1, 3, 1};
    const uint32_t face[] = {0, 1, 2};
    imp_Mesh *mesh = NULL;
    imp_MeshDef def = {.vertices = corners, .vertex_count = 3, .indices = face, .triangle_count = 1};
    CHECK_INT(imp_mesh_create(context, &def, &mesh), IMP_STATUS_OK);
    imp_Octree *octree = build(context, mesh, eight, IMP_OCTREE_FACES);
    imp_OctreeInfo info = info_of(octree);
    // It lies in the wall between z = 0 and z = 1, and touches the voxels around it: 4 x 4 less the corner at
    // 4, 4.
    CHECK_INT(info.black_voxel_count, 2 * 13);
    CHECK_INT(info.face_count, 2 * 13);
    CHECK(info.has_faces);
    const uint32_t *faces = NULL;
    size_t count = 7;
    CHECK_INT(imp_octree_get_faces(octree, 0, 0, 0, &faces, &count), IMP_STATUS_OK);
    CHECK(count == 1 && faces[0] == 0);
    CHECK_INT(imp_octree_get_faces(octree, 5, 5, 5, &faces, &count), IMP_STATUS_OK);
    CHECK(count == 0 && !faces);
    CHECK_INT(imp_octree_get_faces(octree, 8, 0, 0, &faces, &count), IMP_STATUS_BAD_INDEX);
    imp_octree_release(octree);
    imp_mesh_release(mesh);
    imp_context_destroy(context);
}

// A box without its lid is open; sealed at a resolution at which its walls touch, its inside stays outside,
// unless the lid is nearly closed.
TEST(open_boxes_are_sealed_where_voxels_close_them)
{
    imp_Context *context = make_context(1);
    for (int is_narrow = 0; is_narrow < 2; ++is_narrow) {
        double hole = is_narrow ? 3.75 : 6.5; // x at which the lid ends
        const double v[] = {1.5,  1.5, 1.5, 6.5,  1.5, 1.5, 1.5,  6.5, 1.5, 6.5,  6.5, 1.5,
                            1.5,  1.5, 6.5, 6.5,  1.5, 6.5, 1.5,  6.5, 6.5, 6.5,  6.5, 6.5,
                            hole, 1.5, 6.5, hole, 6.5, 6.5, 4.25, 1.5, 6.5, 4.25, 6.5, 6.5};
        const uint32_t f[] = {0, 2, 1, 1, 2, 3, 0, 1, 4, 1, 5, 4, 2, 6, 3, 3,  6, 7,  0, 4, 2,
                              2, 4, 6, 1, 3, 5, 3, 7, 5, 4, 8, 6, 8, 9, 6, 10, 5, 11, 5, 7, 11};
        imp_Mesh *mesh = NULL;
        imp_MeshDef def = {
            .vertices = v, .vertex_count = 12, .indices = f, .triangle_count = is_narrow ? 14 : 10};
        CHECK_INT(imp_mesh_create(context, &def, &mesh), IMP_STATUS_OK);
        imp_Octree *walls = build(context, mesh, eight, IMP_OCTREE_FACES);
        imp_Octree *sealed = build(context, mesh, eight, IMP_OCTREE_SEALED);
        CHECK_INT(info_of(sealed).black_voxel_count,
                  is_narrow ? 6 * 6 * 6 : info_of(walls).black_voxel_count);
        CHECK(info_of(sealed).is_condensed);
        imp_octree_release(walls);
        imp_octree_release(sealed);
        imp_mesh_release(mesh);
    }
    imp_context_destroy(context);
}

// ---- grids

TEST(grids_around_meshes_are_powers_of_two)
{
    imp_Context *context = make_context(1);
    imp_Mesh *box = make_box(context, (imp_Vec3){0.3, -2, 5}, (imp_Vec3){1.3, -1.5, 5.25});
    imp_OctreeGrid grid;
    CHECK_INT(imp_octree_grid_around(box, 4, &grid), IMP_STATUS_OK);
    CHECK_DOUBLE(grid.voxel, 0.125); // 16 voxels of a sixteenth do not hold what begins between two of them
    CHECK_INT(grid.level, 4);
    CHECK(fmod(grid.origin.x, grid.voxel) == 0 && fmod(grid.origin.y, grid.voxel) == 0);
    CHECK(grid.origin.x <= 0.3 && grid.origin.x + 2 >= 1.3 && grid.origin.y <= -2 && grid.origin.z <= 5);
    CHECK_INT(imp_octree_grid_around(box, 0, &grid), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_octree_grid_around(box, IMP_MAX_OCTREE_LEVEL + 1, &grid), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_octree_grid_around(NULL, 4, &grid), IMP_STATUS_BAD_ARGUMENT);
    imp_mesh_release(box);
    imp_context_destroy(context);
}

TEST(grids_around_hold_meshes_of_all_sizes)
{
    imp_Context *context = make_context(1);
    const double scales[] = {0x1p-1074, 1e-320, 1e-300, 1e-9, 1, 1e9, 1e300, 8e307};
    for (size_t i = 0; i < sizeof scales / sizeof *scales; ++i) {
        for (int is_far = 0; is_far < 2; ++is_far) {
            double s = scales[i], at = is_far ? 0x1p40 * s : 0;
            if (!isfinite(at + 4 * s))
                continue;
            imp_Mesh *box = make_box(context, (imp_Vec3){at - s, at, at}, (imp_Vec3){at + s, at + s, at});
            imp_Octree *octree = build(context, box, (imp_OctreeGrid){.level = 2}, IMP_OCTREE_FACES);
            CHECK(!info_of(octree).is_cut && info_of(octree).black_voxel_count > 0);
            imp_octree_release(octree);
            imp_mesh_release(box);
        }
    }
    imp_Mesh *box = make_box(context, (imp_Vec3){-1.7e308, 0, 0}, (imp_Vec3){1.7e308, 1, 1});
    imp_OctreeGrid grid;
    CHECK_INT(imp_octree_grid_around(box, 3, &grid), IMP_STATUS_TOO_LARGE);
    imp_mesh_release(box);
    imp_context_destroy(context);
}

TEST(what_reaches_beyond_the_cube_is_cut)
{
    imp_Context *context = make_context(1);
    imp_Mesh *box = make_box(context, (imp_Vec3){4, 4, 4}, (imp_Vec3){12, 12, 12});
    imp_Octree *octree = build(context, box, eight, IMP_OCTREE_OUTER);
    CHECK_INT(info_of(octree).black_voxel_count, 64);
    CHECK(info_of(octree).is_cut);
    imp_octree_release(octree);
    imp_mesh_release(box);
    // All around it.
    box = make_box(context, (imp_Vec3){-4, -4, -4}, (imp_Vec3){12, 12, 12});
    octree = build(context, box, eight, IMP_OCTREE_INNER);
    CHECK_INT(info_of(octree).black_count[0], 1);
    imp_octree_release(octree);
    imp_mesh_release(box);
    imp_context_destroy(context);
}

// ---- text, voxels, points

TEST(the_example_of_the_paper_reads_and_writes_back)
{
    static const char paper[] = "(B(BWBBBWWWBWBWB(B(BWBBBWBWBBBWBW";
    imp_Context *context = make_context(1);
    imp_Octree *octree = NULL;
    imp_OctreeGrid grid = {{0, 0, 0}, 1, 0};
    CHECK_INT(imp_octree_create_from_df(context, &grid, paper, strlen(paper), &octree), IMP_STATUS_OK);
    imp_OctreeInfo info = info_of(octree);
    CHECK_INT(info.grid.level, 3);
    CHECK_INT(info.gray_count[0] + info.gray_count[1] + info.gray_count[2], 4);
    char *text = text_of(context, octree);
    CHECK_TEXT(text, paper);
    free(text);
    imp_octree_release(octree);
    CHECK_INT(imp_octree_create_from_df(context, &grid, " GWBWB WBWB\n", 12, &octree), IMP_STATUS_OK);
    text = text_of(context, octree);
    CHECK_TEXT(text, "(WBWBWBWB");
    free(text);
    imp_octree_release(octree);
    imp_context_destroy(context);
}

TEST(wrong_text_is_refused)
{
    imp_Context *context = make_context(1);
    const struct {
        const char *text;
        uint32_t level;
        imp_Status expected;
        uint64_t index;
    } cases[] = {
        {"", 0, IMP_STATUS_BAD_FILE, 0},
        {"(WWW", 0, IMP_STATUS_BAD_FILE, 4},
        {"(WWWWWWWWB", 0, IMP_STATUS_BAD_FILE, 9},
        {"BB", 0, IMP_STATUS_BAD_FILE, 1},
        {"(WWxWWWWW", 0, IMP_STATUS_BAD_FILE, 3},
        {"((((((((((((((((((", 0, IMP_STATUS_BAD_SHAPE, 16},
        {"((WWWWWWWWBBBBBBB", 1, IMP_STATUS_BAD_SHAPE, IMP_NOWHERE},
        {"B", 17, IMP_STATUS_BAD_ARGUMENT, IMP_NOWHERE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        imp_OctreeGrid grid = {{0, 0, 0}, 1, cases[i].level};
        imp_Octree *octree = NULL;
        CHECK_INT(imp_octree_create_from_df(context, &grid, cases[i].text, strlen(cases[i].text), &octree),
                  cases[i].expected);
        CHECK_INT(imp_context_get_error(context)->index, cases[i].index);
        CHECK(!octree);
    }
    imp_context_destroy(context);
}

TEST(voxels_are_condensed_and_written_back)
{
    imp_Context *context = make_context(1);
    uint8_t voxels[512], back[512];
    for (size_t i = 0; i < sizeof voxels; ++i)
        voxels[i] = i < 256 ? 1 : test_random_below(2);
    imp_Octree *octree = NULL;
    CHECK_INT(imp_octree_create_from_voxels(context, &eight, voxels, 512, &octree), IMP_STATUS_OK);
    CHECK_INT(info_of(octree).black_count[1], 4);
    CHECK_INT(imp_octree_get_voxels(context, octree, back, 512), IMP_STATUS_OK);
    CHECK(memcmp(voxels, back, sizeof voxels) == 0);
    imp_CellColour colour;
    CHECK_INT(imp_octree_get_colour(octree, 3, 7, 6, 5, &colour), IMP_STATUS_OK);
    CHECK_INT(colour, voxels[(7 * 8 + 6) * 8 + 5] ? IMP_CELL_BLACK : IMP_CELL_WHITE);
    CHECK_INT(imp_octree_get_colour(octree, 0, 0, 0, 0, &colour), IMP_STATUS_OK);
    CHECK_INT(colour, IMP_CELL_GRAY);
    CHECK_INT(imp_octree_get_colour(octree, 2, 1, 3, 0, &colour), IMP_STATUS_OK);
    CHECK_INT(colour, IMP_CELL_BLACK);
    CHECK_INT(imp_octree_get_colour(octree, 2, 4, 0, 0, &colour), IMP_STATUS_BAD_INDEX);
    CHECK_INT(imp_octree_get_colour(octree, 4, 0, 0, 0, &colour), IMP_STATUS_BAD_INDEX);
    CHECK_INT(imp_octree_get_voxels(context, octree, back, 511), IMP_STATUS_BAD_SHAPE);
    imp_octree_release(octree);
    CHECK_INT(imp_octree_create_from_voxels(context, &eight, voxels, 500, &octree), IMP_STATUS_BAD_SHAPE);
    imp_context_destroy(context);
}

TEST(points_are_black_in_closed_cells)
{
    imp_Context *context = make_context(1);
    imp_Mesh *box = make_box(context, (imp_Vec3){2, 2, 2}, (imp_Vec3){4, 4, 4});
    imp_Octree *octree = build(context, box, eight, IMP_OCTREE_OUTER);
    const imp_Vec3 points[] = {{3, 3, 3}, {2, 2, 2},  {4, 4, 4}, {4, 3, 2},  {nextafter(4, 5), 3, 3},
                               {1, 3, 3}, {-1, 3, 3}, {9, 9, 9}, {4.5, 4, 4}};
    const imp_CellColour expected[] = {IMP_CELL_BLACK, IMP_CELL_BLACK, IMP_CELL_BLACK,
                                       IMP_CELL_BLACK, IMP_CELL_WHITE, IMP_CELL_WHITE,
                                       IMP_CELL_WHITE, IMP_CELL_WHITE, IMP_CELL_WHITE};
    imp_CellColour colours[9];
    CHECK_INT(imp_octree_locate_points(context, octree, points, 9, colours), IMP_STATUS_OK);
    for (int i = 0; i < 9; ++i)
        CHECK_INT(colours[i], expected[i]);
    imp_Vec3 wrong[] = {{0, 0, 0}, {0, NAN, 0}};
    CHECK_INT(imp_octree_locate_points(context, octree, wrong, 2, colours), IMP_STATUS_BAD_NUMBER);
    CHECK_INT(imp_context_get_error(context)->index, 1);
    imp_octree_release(octree);
    imp_mesh_release(box);
    imp_context_destroy(context);
}

// ---- what is refused

TEST(wrong_defs_are_refused)
{
    imp_Context *context = make_context(1);
    imp_Mesh *box = make_box(context, (imp_Vec3){0, 0, 0}, (imp_Vec3){1, 1, 1}), *open = NULL;
    CHECK_INT(scene_soup(context, 3, 0.5, 1, &open), IMP_STATUS_OK);
    const struct {
        imp_OctreeDef def;
        imp_Status expected;
        const char *part;
    } cases[] = {
        {{.mesh = open}, IMP_STATUS_BAD_SHAPE, "the edge of face 0"},
        {{.mesh = box, .rule = (imp_OctreeRule)6}, IMP_STATUS_BAD_ARGUMENT, "rule 6"},
        {{.mesh = box, .rule = (imp_OctreeRule)-1}, IMP_STATUS_BAD_ARGUMENT, "rule -1"},
        {{.mesh = box, .grid = {.level = 17}}, IMP_STATUS_BAD_ARGUMENT, "level 17"},
        {{.mesh = box, .grid = {.voxel = 1}}, IMP_STATUS_BAD_ARGUMENT, "level 0"},
        {{.mesh = box, .grid = {.voxel = -1, .level = 2}}, IMP_STATUS_BAD_NUMBER, "edge of -1"},
        {{.mesh = box, .grid = {.voxel = NAN, .level = 2}}, IMP_STATUS_BAD_NUMBER, "edge of nan"},
        {{.mesh = box, .grid = {{0, INFINITY, 0}, 1, 2}}, IMP_STATUS_BAD_NUMBER, "not finite"},
        {{.mesh = box, .grid = {{0, 0, 0}, 1e308, 2}}, IMP_STATUS_BAD_NUMBER, "largest double"},
        {{.mesh = box, .grid = {{0, 1e17, 0}, 1, 2}}, IMP_STATUS_BAD_NUMBER, "along y coincide"},
        {{.mesh = box, .reserved = {1}}, IMP_STATUS_BAD_ARGUMENT, "reserved"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        imp_Octree *octree = NULL;
        CHECK_INT(imp_octree_create(context, &cases[i].def, &octree), cases[i].expected);
        CHECK(!octree);
        CHECK_CONTAINS(imp_context_get_error(context)->message, cases[i].part);
    }
    imp_mesh_release(box);
    imp_mesh_release(open);
    imp_context_destroy(context);
}

// Where a face is turned the wrong way, or an edge has a third one, there is no hole to look for.
TEST(open_edges_are_named_with_their_uses)
{
    imp_Context *context = make_context(1);
    const double corners[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, -1, 0, 0};
    const struct {
        uint32_t faces[15];
        size_t face_count;
        uint64_t face;
        const char *part;
    } cases[] = {
        {{0, 2, 1, 0, 1, 3, 0, 3, 2},
         3,
         0,
         "the edge of face 0 from (0, 1, 0) to (1, 0, 0) has no face on its other side"},
        {{0, 1, 2, 0, 1, 3, 0, 3, 2, 1, 2, 3},
         4,
         0,
         "face 0 from (0, 0, 0) to (1, 0, 0) is one of 2 faces in this direction and of 0 in the other"},
        {{0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3, 0, 2, 4},
         5,
         0,
         "face 0 from (0, 0, 0) to (0, 1, 0) is one of 2 faces in this direction and of 1 in the other"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        imp_Mesh *mesh = NULL;
        imp_Octree *octree = NULL;
        imp_MeshDef def = {.vertices = corners,
                           .vertex_count = 5,
                           .indices = cases[i].faces,
                           .triangle_count = cases[i].face_count};
        CHECK_INT(imp_mesh_create(context, &def, &mesh), IMP_STATUS_OK);
        CHECK_INT(imp_octree_create(context, &(imp_OctreeDef){.mesh = mesh}, &octree), IMP_STATUS_BAD_SHAPE);
        CHECK_CONTAINS(imp_context_get_error(context)->message, cases[i].part);
        CHECK_INT(imp_context_get_error(context)->index, cases[i].face);
        CHECK(!octree);
        imp_mesh_release(mesh);
    }
    imp_context_destroy(context);
}

TEST(null_is_refused)
{
    imp_Context *context = make_context(1);
    imp_Octree *octree = NULL;
    imp_OctreeDef no_mesh = {0};
    CHECK_INT(imp_octree_create(context, NULL, &octree), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_octree_create(context, &no_mesh, &octree), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_octree_create(NULL, &no_mesh, &octree), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_octree_create_from_df(context, &eight, NULL, 1, &octree), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_octree_create_from_voxels(context, &eight, NULL, 512, &octree), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_octree_get_info(NULL, NULL), IMP_STATUS_BAD_ARGUMENT);
    CHECK(!imp_octree_retain(NULL));
    imp_octree_release(NULL);
    imp_context_destroy(context);
}

// ---- threads, memory, ends

TEST(threads_change_nothing)
{
    const uint32_t thread_counts[] = {1, 2, 5};
    for (int rule = IMP_OCTREE_OUTER; rule <= IMP_OCTREE_FACES; ++rule) {
        char *texts[3];
        for (int i = 0; i < 3; ++i) {
            imp_Context *context = make_context(thread_counts[i]);
            imp_Mesh *ball = NULL;
            CHECK_INT(scene_sphere(context, 60, 30, 1, &ball), IMP_STATUS_OK);
            imp_Octree *octree = build(context, ball, (imp_OctreeGrid){.level = 5}, (imp_OctreeRule)rule);
            texts[i] = text_of(context, octree);
            imp_octree_release(octree);
            imp_mesh_release(ball);
            imp_context_destroy(context);
        }
        CHECK_TEXT(texts[1], texts[0]);
        CHECK_TEXT(texts[2], texts[0]);
        for (int i = 0; i < 3; ++i)
            free(texts[i]);
    }
}

// Returns the status, and whether an allocation failed.
static imp_Status build_without_memory(uint64_t n, imp_OctreeRule rule, bool is_open, bool *has_failed)
{
    FailingAllocator memory;
    failing_allocator_init(&memory, 0);
    imp_ContextDef def = {.allocator = failing_allocator_hooks(&memory), .thread_count = 2};
    imp_Context *context = NULL;
    imp_Mesh *mesh = NULL;
    imp_Octree *octree = NULL;
    CHECK_INT(imp_context_create(&def, &context), IMP_STATUS_OK);
    CHECK_INT(is_open ? scene_soup(context, 3, 0.5, 1, &mesh) : scene_sphere(context, 12, 6, 1, &mesh),
              IMP_STATUS_OK);
    failing_allocator_arm(&memory, n);
    imp_OctreeDef octree_def = {.mesh = mesh, .grid = {.level = 4}, .rule = rule};
    imp_Status status = imp_octree_create(context, &octree_def, &octree);
    *has_failed = failing_allocator_has_failed(&memory);
    CHECK((status == IMP_STATUS_OK) == (octree != NULL));
    imp_octree_release(octree);
    imp_mesh_release(mesh);
    imp_context_destroy(context);
    CHECK(failing_allocator_is_clean(&memory));
    return status;
}

TEST(each_allocation_may_fail)
{
    for (int rule = IMP_OCTREE_OUTER; rule <= IMP_OCTREE_FACES; ++rule)
        for (int is_open = 0; is_open < 2; ++is_open) {
            const imp_Status otherwise =
                is_open && rule < IMP_OCTREE_SEALED ? IMP_STATUS_BAD_SHAPE : IMP_STATUS_OK;
            uint64_t n = 0, refusals = 0;
            bool has_failed;
            do {
                imp_Status status = build_without_memory(++n, (imp_OctreeRule)rule, is_open, &has_failed);
                // Scratch that can't be made one piece at the end of a call stays as it is.
                CHECK(status == otherwise || (has_failed && status == IMP_STATUS_OUT_OF_MEMORY));
                refusals += status == IMP_STATUS_OUT_OF_MEMORY;
            } while (has_failed && test_failed_checks() == 0);
            CHECK(refusals > (otherwise == IMP_STATUS_OK ? 10 : 0));
        }
}

TEST(builds_can_be_cancelled)
{
    imp_Context *context = make_context(2);
    imp_Mesh *ball = NULL;
    imp_Cancel *cancel = NULL;
    imp_Octree *octree = NULL;
    CHECK_INT(scene_sphere(context, 60, 30, 1, &ball), IMP_STATUS_OK);
    CHECK_INT(imp_cancel_create(context, &cancel), IMP_STATUS_OK);
    imp_cancel_request(cancel);
    CHECK_INT(imp_context_watch(context, &(imp_Watch){.cancel = cancel}), IMP_STATUS_OK);
    for (int rule = IMP_OCTREE_OUTER; rule <= IMP_OCTREE_FACES; ++rule) {
        imp_OctreeDef def = {.mesh = ball, .rule = (imp_OctreeRule)rule};
        CHECK_INT(imp_octree_create(context, &def, &octree), IMP_STATUS_CANCELLED);
        CHECK(!octree);
    }
    CHECK_INT(imp_context_watch(context, NULL), IMP_STATUS_OK);
    imp_cancel_destroy(cancel);
    imp_mesh_release(ball);
    imp_context_destroy(context);
}

TEST(octrees_outlive_their_context_and_mesh)
{
    imp_Context *context = make_context(1), *other = make_context(1);
    imp_Mesh *box = make_box(context, (imp_Vec3){0, 0, 0}, (imp_Vec3){1, 1, 1});
    imp_Octree *octree = build(context, box, (imp_OctreeGrid){0}, IMP_OCTREE_OUTER);
    CHECK(imp_octree_retain(octree) == octree);
    imp_octree_release(octree);
    imp_mesh_release(box);
    imp_context_destroy(context);
    CHECK_INT(info_of(octree).grid.level, IMP_DEFAULT_OCTREE_LEVEL);
    CHECK(are_same(other, octree, octree));
    imp_octree_release(octree);
    imp_context_destroy(other);
}
