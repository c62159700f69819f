// Octrees in another place: what is known of their voxels, that all ways of moving them give the same, what
// is refused, and cubes. That every voxel is right is tested in property/octree_motion.
#include "failing_allocator.h"
#include "harness.h"
#include "scenes/objects.h"
#include "scenes/shapes.h"

#include <impinge/impinge.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static imp_Context *make_context(uint32_t thread_count)
{
    imp_Context *context = NULL;
    CHECK_INT(imp_context_create(&(imp_ContextDef){.thread_count = thread_count}, &context), IMP_STATUS_OK);
    return context;
}

// Voxels where a function says so.
typedef bool VoxelFn(uint32_t x, uint32_t y, uint32_t z);

static imp_Octree *make_octree(imp_Context *context, const imp_OctreeGrid *grid, VoxelFn *is_black)
{
    uint32_t n = 1u << grid->level;
    uint8_t *voxels = calloc((size_t)n * n * n, 1);
    for (uint32_t x = 0; x < n; ++x)
        for (uint32_t y = 0; y < n; ++y)
            for (uint32_t z = 0; z < n; ++z)
                voxels[((size_t)x * n + y) * n + z] = is_black(x, y, z);
    imp_Octree *octree = NULL;
    CHECK_INT(imp_octree_create_from_voxels(context, grid, voxels, (size_t)n * n * n, &octree),
              IMP_STATUS_OK);
    free(voxels);
    return octree;
}

static bool random_voxel(uint32_t x, uint32_t y, uint32_t z)
{
    return ((x ^ y ^ z) & 3) == 0 && test_random_below(3) > 0;
}

static bool in_the_middle(uint32_t x, uint32_t y, uint32_t z)
{
    return x >= 6 && x < 10 && y >= 5 && y < 9 && z >= 6 && z < 8;
}

// Chiral, so that no two turns are alike, and away from the walls.
static bool in_a_hook(uint32_t x, uint32_t y, uint32_t z)
{
    bool bar = x >= 4 && x < 12 && y >= 7 && y < 9 && z >= 7 && z < 9;
    bool arm = x >= 10 && x < 12 && y >= 7 && y < 12 && z >= 7 && z < 9;
    bool tip = x >= 10 && x < 12 && y >= 11 && y < 12 && z >= 7 && z < 11;
    return bar || arm || tip;
}

// Two bars from wall to wall.
static bool in_a_cross(uint32_t x, uint32_t y, uint32_t z)
{
    return z >= 7 && z < 9 && ((x >= 7 && x < 9) || (y >= 7 && y < 9));
}

static imp_Octree *move(imp_Context *context, const imp_Octree *octree, const imp_OctreeMoveDef *def)
{
    imp_Octree *result = NULL;
    CHECK_INT(imp_octree_move(context, octree, def, &result), IMP_STATUS_OK);
    return result;
}

static uint64_t count_of(const imp_Octree *octree)
{
    imp_OctreeInfo info = {0};
    CHECK_INT(imp_octree_get_info(octree, &info), IMP_STATUS_OK);
    return info.black_voxel_count;
}

static bool is_cut(const imp_Octree *octree)
{
    imp_OctreeInfo info = {0};
    CHECK_INT(imp_octree_get_info(octree, &info), IMP_STATUS_OK);
    CHECK(info.is_condensed && !info.has_faces);
    return info.is_cut;
}

static char *text_of(imp_Context *context, const imp_Octree *octree)
{
    size_t length = 0;
    CHECK_INT(imp_octree_get_df(context, octree, NULL, 0, &length), IMP_STATUS_BUFFER_SHORT);
    char *text = calloc(length + 1, 1);
    CHECK_INT(imp_octree_get_df(context, octree, text, length, &length), IMP_STATUS_OK);
    return text;
}

static imp_Quat turned(double w, double x, double y, double z)
{
    double length = sqrt(w * w + x * x + y * y + z * z);
    return (imp_Quat){w / length, x / length, y / length, z / length};
}

static const imp_OctreeGrid sixteen = {{-8, -8, -8}, 1, 4};

// ---- known answers

TEST(one_voxel_turned_by_45_degrees)
{
    imp_Context *context = make_context(1);
    imp_Octree *octree = make_octree(context, &sixteen, in_the_middle); // 4 x 4 x 2 around (0, -1, -1)
    imp_OctreeMoveDef def = {
        .pose = {{0.25, 0.25, 0}, turned(cos(0.39269908169872414), 0, 0, sin(0.39269908169872414))}};
    // A square of 4 on its tip, with its middle at (0.707 + 0.25, -0.707 + 0.25): half of its diagonal is
    // 2.83.
    uint64_t wanted[3] = {0, 0, 0};
    double mx = sqrt(0.5) + 0.25, my = -sqrt(0.5) + 0.25, r = 2 * sqrt(2);
    for (int x = -8; x < 8; ++x)
        for (int y = -8; y < 8; ++y) {
            double dx = fmax(fmax(x - mx, mx - (x + 1)), 0), dy = fmax(fmax(y - my, my - (y + 1)), 0);
            wanted[IMP_MOVE_OVERLAP] += dx + dy < r ? 2 : 0;
            wanted[IMP_MOVE_TOUCH] += dx + dy < r ? 4 : 0;
            wanted[IMP_MOVE_CENTRE] += fabs(x + 0.5 - mx) + fabs(y + 0.5 - my) < r ? 2 : 0;
        }
    for (int rule = 0; rule < 3; ++rule) {
        def.rule = (imp_OctreeMoveRule)rule;
        imp_Octree *result = move(context, octree, &def);
        CHECK_INT(count_of(result), wanted[rule]);
        CHECK(!is_cut(result));
        imp_octree_release(result);
    }
    imp_octree_release(octree);
    imp_context_destroy(context);
}

TEST(whole_voxels_are_exact_copies)
{
    imp_Context *context = make_context(1);
    const imp_OctreeGrid grids[] = {sixteen, {{0.375, -3, 1e3}, 0.125, 4}, {{0, 0, 0}, 0x1p-1040, 4}};
    for (int g = 0; g < 3; ++g) {
        imp_Octree *octree = make_octree(context, &grids[g], in_a_hook);
        const double v = grids[g].voxel;
        imp_Octree *same = move(context, octree, &(imp_OctreeMoveDef){.rule = IMP_MOVE_OVERLAP});
        bool equal = false;
        CHECK_INT(imp_octree_equal(octree, same, &equal), IMP_STATUS_OK);
        CHECK(equal);
        for (int method = 0; method < 4; ++method)
            for (int rule = IMP_MOVE_OVERLAP; rule <= IMP_MOVE_CENTRE; ++rule) {
                imp_OctreeMoveDef def = {.pose.translation = {3 * v, -2 * v, 5 * v},
                                         .rule = (imp_OctreeMoveRule)rule,
                                         .method = (imp_OctreeMoveMethod)method};
                imp_Octree *there = move(context, octree, &def);
                CHECK_INT(count_of(there), count_of(octree));
                CHECK(!is_cut(there));
                def.pose.translation = (imp_Vec3){-3 * v, 2 * v, -5 * v};
                imp_Octree *back = move(context, there, &def);
                CHECK_INT(imp_octree_equal(octree, back, &equal), IMP_STATUS_OK);
                CHECK(equal);
                imp_octree_release(there);
                imp_octree_release(back);
            }
        imp_octree_release(same);
        imp_octree_release(octree);
    }
    imp_context_destroy(context);
}

TEST(touching_adds_a_layer_and_slack_takes_it_away)
{
    imp_Context *context = make_context(1);
    imp_Octree *octree = make_octree(context, &sixteen, in_the_middle);
    for (int method = 0; method < 4; ++method) {
        imp_OctreeMoveDef def = {.rule = IMP_MOVE_TOUCH, .method = (imp_OctreeMoveMethod)method};
        imp_Octree *result = move(context, octree, &def);
        CHECK_INT(count_of(result), 6 * 6 * 4);
        imp_octree_release(result);
        def.slack = 0.125;
        result = move(context, octree, &def);
        CHECK_INT(count_of(result), 4 * 4 * 2);
        imp_octree_release(result);
    }
    imp_octree_release(octree);
    imp_context_destroy(context);
}

TEST(what_leaves_the_cube_is_cut)
{
    imp_Context *context = make_context(1);
    imp_Octree *octree = make_octree(context, &sixteen, in_the_middle); // x from -2 to 2
    for (int method = 0; method < 4; ++method) {
        imp_OctreeMoveDef def = {.pose.translation = {6, 0, 0}, .method = (imp_OctreeMoveMethod)method};
        imp_Octree *result = move(context, octree, &def);
        CHECK(!is_cut(result));
        CHECK_INT(count_of(result), 32);
        imp_octree_release(result);
        def.pose.translation.x = 6 + 0x1p-50;
        result = move(context, octree, &def);
        CHECK(is_cut(result));
        CHECK_INT(count_of(result), 32);
        imp_octree_release(result);
        def.pose.translation.x = -9;
        result = move(context, octree, &def);
        CHECK(is_cut(result));
        CHECK_INT(count_of(result), 8);
        imp_octree_release(result);
        def.pose.translation.x = 1e300;
        result = move(context, octree, &def);
        CHECK(is_cut(result));
        CHECK_INT(count_of(result), 0);
        imp_octree_release(result);
    }
    // A quarter turn that is off by 1e-16 reaches beyond by as much.
    imp_OctreeMoveDef def = {.pose = {{5, 0, 0}, turned(1, 0, 0, 1)}, .rule = IMP_MOVE_CENTRE};
    imp_Octree *result = move(context, octree, &def);
    CHECK_INT(count_of(result), 32);
    CHECK(is_cut(result));
    imp_octree_release(result);
    imp_octree_release(octree);
    imp_context_destroy(context);
}

TEST(cubes_stay_inside_where_the_box_around_them_does_not)
{
    imp_Context *context = make_context(1);
    imp_Octree *octree = make_octree(context, &sixteen, in_a_cross);
    for (int method = 0; method < IMP_MOVE_TRANSLATE; ++method)
        for (int compact = 0; compact < 2; ++compact) {
            // By 45 degrees: ends of bars go to (8 + 1) / sqrt(2), which is 6.36.
            imp_OctreeMoveDef def = {.pose.rotation =
                                         turned(cos(0.39269908169872414), 0, 0, sin(0.39269908169872414)),
                                     .method = (imp_OctreeMoveMethod)method,
                                     .compact = compact};
            const double steps[] = {0, 1.63, 1.64, -1.64};
            for (int i = 0; i < 4; ++i) {
                def.pose.translation.x = steps[i];
                imp_Octree *result = move(context, octree, &def);
                CHECK(is_cut(result) == (i >= 2));
                imp_octree_release(result);
            }
        }
    imp_octree_release(octree);
    imp_context_destroy(context);
}

TEST(what_was_cut_stays_so)
{
    imp_Context *context = make_context(1);
    imp_Octree *octree = make_octree(context, &sixteen, in_the_middle);
    imp_OctreeMoveDef out = {.pose.translation = {-7, 0, 0}}, back = {.pose.translation = {7, 0, 0}};
    imp_Octree *there = move(context, octree, &out);
    CHECK(is_cut(there));
    for (int method = 0; method < 4; ++method) {
        back.method = (imp_OctreeMoveMethod)method;
        imp_Octree *here = move(context, there, &back);
        CHECK_INT(count_of(here), 24);
        CHECK(is_cut(here)); // what was lost is still missing
        imp_octree_release(here);
    }
    imp_octree_release(there);
    imp_octree_release(octree);
    imp_context_destroy(context);
}

TEST(another_grid_has_other_voxels)
{
    imp_Context *context = make_context(1);
    imp_Octree *octree = make_octree(context, &sixteen, in_the_middle);
    const imp_OctreeGrid grids[] = {{{-8, -8, -8}, 0.5, 5}, {{-8, -8, -8}, 2, 3}, {{-4, -4, -4}, 8, 1}};
    const uint64_t wanted[] = {256, 6, 1};
    for (int g = 0; g < 3; ++g)
        for (int method = 0; method < 4; ++method) {
            imp_OctreeMoveDef def = {.grid = grids[g], .method = (imp_OctreeMoveMethod)method};
            imp_Octree *result = move(context, octree, &def);
            CHECK_INT(count_of(result), wanted[g]);
            CHECK(!is_cut(result));
            imp_octree_release(result);
        }
    imp_octree_release(octree);
    imp_context_destroy(context);
}

TEST(scale_does_not_matter)
{
    imp_Context *context = make_context(1);
    char *wanted[2][3] = {{NULL}};
    const int exponents[] = {0, -1000, -500, -52, 52, 500, 1000};
    for (size_t e = 0; e < sizeof exponents / sizeof *exponents; ++e) {
        const double unit = scalbn(1, exponents[e]);
        const imp_OctreeGrid grid = {{-8 * unit, -8 * unit, -8 * unit}, unit, 4};
        imp_Octree *octree = make_octree(context, &grid, in_a_hook);
        for (int turn = 0; turn < 2; ++turn)
            for (int rule = 0; rule < 3; ++rule)
                for (int method = IMP_MOVE_BEST; method <= IMP_MOVE_PAPER; ++method) {
                    imp_OctreeMoveDef def = {.pose.translation = {0.3 * unit, -unit, 0.5 * unit},
                                             .rule = (imp_OctreeMoveRule)rule,
                                             .method = (imp_OctreeMoveMethod)method,
                                             .slack = rule ? 0 : 0.125};
                    if (turn)
                        def.pose.rotation = turned(1, 0.3, -0.2, 0.6);
                    imp_Octree *result = move(context, octree, &def);
                    char *text = text_of(context, result);
                    if (wanted[turn][rule]) {
                        CHECK_TEXT(text, wanted[turn][rule]);
                        free(text);
                    } else {
                        CHECK(count_of(result) > 20);
                        wanted[turn][rule] = text;
                    }
                    imp_octree_release(result);
                }
        imp_octree_release(octree);
    }
    for (int i = 0; i < 6; ++i)
        free(wanted[i / 3][i % 3]);
    imp_context_destroy(context);
}

// ---- turns of a cube

typedef struct Turn {
    imp_Quat rotation;
    int rows[3][3];
    bool is_exact;
} Turn;

static void check_turn(imp_Context *context, const imp_Octree *octree, const Turn *turn)
{
    uint8_t voxels[16 * 16 * 16], wanted[16 * 16 * 16] = {0};
    CHECK_INT(imp_octree_get_voxels(context, octree, voxels, sizeof voxels), IMP_STATUS_OK);
    for (int i = 0; i < 16 * 16 * 16; ++i) {
        const int from[3] = {2 * (i >> 8) - 15, 2 * (i >> 4 & 15) - 15,
                             2 * (i & 15) - 15}; // centers, doubled
        int to[3];
        for (int row = 0; row < 3; ++row)
            to[row] = (turn->rows[row][0] * from[0] + turn->rows[row][1] * from[1] +
                       turn->rows[row][2] * from[2] + 15) /
                      2;
        wanted[to[0] << 8 | to[1] << 4 | to[2]] = voxels[i];
    }
    for (int rule = 0; rule < 3; ++rule)
        for (int slack = 0; slack < 2; ++slack) {
            // Touching adds a layer; so does overlap where the matrix is off by 1e-16.
            bool is_same = rule == IMP_MOVE_CENTRE || slack || (turn->is_exact && rule == IMP_MOVE_OVERLAP);
            imp_OctreeMoveDef def = {.pose.rotation = turn->rotation,
                                     .rule = (imp_OctreeMoveRule)rule,
                                     .slack = slack ? 0.0625 : 0};
            imp_Octree *result = move(context, octree, &def);
            CHECK_INT(imp_octree_get_voxels(context, result, voxels, sizeof voxels), IMP_STATUS_OK);
            bool same = memcmp(voxels, wanted, sizeof voxels) == 0;
            CHECK(is_same ? same : !same);
            imp_octree_release(result);
        }
}

TEST(all_24_turns_of_a_cube)
{
    imp_Context *context = make_context(1);
    imp_Octree *octree = make_octree(context, &sixteen, in_a_hook);
    int count = 0, exact_count = 0;
    for (int i = 0; i < 81; ++i) {
        const double q[4] = {i % 3 - 1, i / 3 % 3 - 1, i / 9 % 3 - 1, i / 27 - 1};
        int size = (int)(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
        bool is_first =
            q[0] > 0 || (q[0] == 0 && (q[1] > 0 || (q[1] == 0 && (q[2] > 0 || (q[2] == 0 && q[3] > 0)))));
        if (!is_first || size == 3)
            continue; // the negative is the same turn, and turns by 60 degrees are none of a cube
        imp_Transform transform;
        Turn turn = {.rotation = turned(q[0], q[1], q[2], q[3]), .is_exact = true};
        CHECK_INT(imp_pose_transform(&(imp_Pose){.rotation = turn.rotation}, &transform), IMP_STATUS_OK);
        for (int row = 0; row < 3; ++row)
            for (int column = 0; column < 3; ++column) {
                turn.rows[row][column] = (int)rint(transform.rows[row][column]);
                turn.is_exact &= turn.rows[row][column] == transform.rows[row][column];
            }
        check_turn(context, octree, &turn);
        ++count;
        exact_count += turn.is_exact;
    }
    CHECK_INT(count, 24);
    CHECK_INT(exact_count, 12);
    imp_octree_release(octree);
    imp_context_destroy(context);
}

// ---- all ways

static void check_all_ways(imp_Context *const contexts[3], const imp_Octree *octree, imp_OctreeMoveDef def)
{
    char *wanted = NULL;
    imp_OctreeMoveStats first[4][2];
    bool wanted_cut = false;
    for (int c = 0; c < 3; ++c)
        for (int method = 0; method < 4; ++method)
            for (int compact = 0; compact < 2; ++compact) {
                imp_OctreeMoveStats stats = {0};
                def.method = (imp_OctreeMoveMethod)method;
                def.compact = compact;
                def.stats = &stats;
                imp_Quat r = def.pose.rotation;
                if (method == IMP_MOVE_TRANSLATE && (r.x != 0 || r.y != 0 || r.z != 0))
                    continue;
                imp_Octree *result = move(contexts[c], octree, &def);
                char *text = text_of(contexts[c], result);
                if (!wanted) {
                    wanted = text;
                    wanted_cut = is_cut(result);
                } else {
                    CHECK_TEXT(text, wanted);
                    free(text);
                }
                CHECK(is_cut(result) == wanted_cut);
                imp_octree_release(result);
                if (c == 0)
                    first[method][compact] = stats;
                else if (method != IMP_MOVE_PARTIAL)
                    CHECK(memcmp(&first[method][compact], &stats, sizeof stats) == 0);
            }
    free(wanted);
}

TEST(methods_compaction_and_threads_give_the_same)
{
    imp_Context *const contexts[3] = {make_context(1), make_context(2), make_context(5)};
    for (uint64_t i = 0; i < test_count(24); ++i) {
        uint32_t level = 1 + (uint32_t)(i % 5);
        imp_OctreeGrid grid = {{0, 0, 0}, 1, level};
        grid.origin = (imp_Vec3){-(double)(1u << level) / 2, -(double)(1u << level) / 2, 0};
        imp_Octree *octree = make_octree(contexts[0], &grid, i % 2 ? random_voxel : in_a_hook);
        imp_OctreeMoveDef def = {.rule = (imp_OctreeMoveRule)(i % 3), .slack = i % 4 ? 0 : 0.25};
        imp_Vec3 *t = &def.pose.translation;
        *t = (imp_Vec3){test_random_between(-2, 2), test_random_between(-2, 2), test_random_between(-2, 2)};
        uint32_t kind = test_random_below(4);
        if (kind == 1) // aligned along one axis
            def.pose = (imp_Pose){{1, 0.5, 1}, turned(1, 0, 0, test_random_unit())};
        else if (kind >= 2)
            def.pose.rotation = turned(test_random_between(-1, 1), test_random_between(-1, 1),
                                       test_random_between(-1, 1), test_random_between(-1, 1));
        if (test_random_below(2))
            def.grid = (imp_OctreeGrid){{-3, -3.5, -1}, 0.75, 3 + test_random_below(4)};
        check_all_ways(contexts, octree, def);
        imp_octree_release(octree);
    }
    for (int c = 0; c < 3; ++c)
        imp_context_destroy(contexts[c]);
}

static imp_Octree *make_shuttle(imp_Context *context, uint32_t level)
{
    imp_Mesh *mesh = NULL;
    imp_Octree *octree = NULL;
    CHECK_INT(scene_shuttle(context, &mesh), IMP_STATUS_OK);
    imp_OctreeGrid grid = {{-1.25, -1.25, -1.25}, scalbn(2.5, -(int)level), level};
    CHECK_INT(imp_octree_create(context, &(imp_OctreeDef){.mesh = mesh, .grid = grid}, &octree),
              IMP_STATUS_OK);
    imp_mesh_release(mesh);
    return octree;
}

TEST(a_shuttle_is_the_same_by_all_ways)
{
    imp_Context *const contexts[3] = {make_context(1), make_context(2), make_context(5)};
    imp_Octree *octree = make_shuttle(contexts[0], 5);
    for (int rule = 0; rule < 3; ++rule) {
        imp_OctreeMoveDef def = {.pose = {{0.1, -0.02, 0.2}, turned(0.8, 0.3, -0.4, 0.33)},
                                 .rule = (imp_OctreeMoveRule)rule};
        check_all_ways(contexts, octree, def);
        def.pose.rotation = (imp_Quat){0, 0, 0, 0};
        check_all_ways(contexts, octree, def);
    }
    imp_octree_release(octree);
    for (int c = 0; c < 3; ++c)
        imp_context_destroy(contexts[c]);
}

TEST(nothing_and_all_move_too)
{
    imp_Context *context = make_context(1);
    const char *texts[] = {"W", "B"};
    for (int t = 0; t < 2; ++t) {
        imp_Octree *octree = NULL;
        CHECK_INT(imp_octree_create_from_df(context, &sixteen, texts[t], 1, &octree), IMP_STATUS_OK);
        for (int method = 0; method < 4; ++method)
            for (int turn = 0; turn < 2; ++turn) {
                if (turn && method == IMP_MOVE_TRANSLATE)
                    continue;
                imp_OctreeMoveDef def = {.method = (imp_OctreeMoveMethod)method, .compact = t};
                if (turn)
                    def.pose.rotation = turned(1, 0.5, 0.25, 0);
                imp_Octree *result = move(context, octree, &def);
                CHECK(t ? count_of(result) > 2000 : count_of(result) == 0);
                CHECK(turn || count_of(result) == 4096 * (uint64_t)t);
                CHECK(is_cut(result) == (t && turn));
                imp_octree_release(result);
            }
        imp_octree_release(octree);
    }
    imp_context_destroy(context);
}

// ---- cubes

static void check_cubes(imp_Context *context, const imp_Octree *octree, const imp_OctreeCube *cubes,
                        size_t count)
{
    imp_OctreeInfo info = {0};
    CHECK_INT(imp_octree_get_info(octree, &info), IMP_STATUS_OK);
    uint32_t n = 1u << info.grid.level;
    size_t voxel_count = (size_t)n * n * n, covered = 0;
    uint8_t *voxels = malloc(voxel_count);
    CHECK_INT(imp_octree_get_voxels(context, octree, voxels, voxel_count), IMP_STATUS_OK);
    bool are_black = true;
    for (size_t i = 0; i < count; ++i)
        for (uint32_t x = cubes[i].x; x < cubes[i].x + cubes[i].edge; ++x)
            for (uint32_t y = cubes[i].y; y < cubes[i].y + cubes[i].edge; ++y)
                for (uint32_t z = cubes[i].z; z < cubes[i].z + cubes[i].edge; ++z) {
                    uint8_t *voxel = &voxels[((size_t)x * n + y) * n + z];
                    are_black &= *voxel == 1; // so no voxel twice
                    *voxel = 2;
                    ++covered;
                }
    CHECK(are_black);
    CHECK_INT(covered, info.black_voxel_count);
    free(voxels);
}

static size_t check_compaction(imp_Context *context, const imp_Octree *octree, uint32_t starts)
{
    imp_OctreeInfo info = {0};
    size_t count = 0, again = 0, black_cells = 0;
    CHECK_INT(imp_octree_get_info(octree, &info), IMP_STATUS_OK);
    for (int level = 0; level <= IMP_MAX_OCTREE_LEVEL; ++level)
        black_cells += info.black_count[level];
    imp_OctreeCubesDef def = {.compact = true, .starts = starts};
    CHECK_INT(imp_octree_get_cubes(context, octree, &def, NULL, 0, &count),
              black_cells ? IMP_STATUS_BUFFER_SHORT : IMP_STATUS_OK);
    CHECK(count <= black_cells);
    imp_OctreeCube *cubes = malloc((count + 1) * sizeof *cubes);
    CHECK_INT(imp_octree_get_cubes(context, octree, &def, cubes, count, &again), IMP_STATUS_OK);
    CHECK_INT(again, count);
    for (size_t i = 1; i < count; ++i)
        CHECK(cubes[i].edge <= cubes[i - 1].edge);
    check_cubes(context, octree, cubes, count);
    free(cubes);
    return count;
}

TEST(cubes_are_black_cells_in_depth_first_order)
{
    imp_Context *context = make_context(1);
    imp_Octree *octree = NULL;
    const char text[] = "(WB(WWWWWWBW)WWWWB";
    const imp_OctreeGrid four = {{0, 0, 0}, 1, 2};
    size_t count = 0, length = 0;
    char plain[32];
    for (const char *c = text; *c; ++c)
        if (*c != ')')
            plain[length++] = *c;
    CHECK_INT(imp_octree_create_from_df(context, &four, plain, length, &octree), IMP_STATUS_OK);
    imp_OctreeCube cubes[3];
    CHECK_INT(imp_octree_get_cubes(context, octree, NULL, cubes, 3, &count), IMP_STATUS_OK);
    const imp_OctreeCube wanted[3] = {{2, 0, 0, 2}, {0, 3, 1, 1}, {2, 2, 2, 2}};
    CHECK_INT(count, 3);
    CHECK(memcmp(cubes, wanted, sizeof wanted) == 0);
    CHECK_INT(imp_octree_get_cubes(context, octree, NULL, cubes, 2, &count), IMP_STATUS_BUFFER_SHORT);
    CHECK_INT(count, 3);
    imp_octree_release(octree);
    imp_context_destroy(context);
}

TEST(compaction_covers_without_overlap)
{
    imp_Context *context = make_context(1);
    imp_Octree *shuttle = make_shuttle(context, 5);
    size_t cells = 0, once, some, all;
    CHECK_INT(imp_octree_get_cubes(context, shuttle, NULL, NULL, 0, &cells), IMP_STATUS_BUFFER_SHORT);
    once = check_compaction(context, shuttle, 1);
    some = check_compaction(context, shuttle, 0);
    all = check_compaction(context, shuttle, IMP_ALL_STARTS);
    printf("  shuttle: %zu cells, %zu cubes from one start, %zu by default, %zu from all\n", cells, once,
           some, all);
    CHECK(all <= some && some <= once && once < cells);
    CHECK(10 * all < 7 * cells);
    imp_octree_release(shuttle);
    size_t fewer = 0, cases = 0;
    for (uint64_t i = 0; i < test_count(20); ++i) {
        imp_OctreeGrid grid = {{0, 0, 0}, 1, 1 + (uint32_t)(i % 5)};
        imp_Octree *octree = make_octree(context, &grid, i % 2 ? random_voxel : in_a_hook);
        CHECK_INT(imp_octree_get_cubes(context, octree, NULL, NULL, 0, &cells),
                  count_of(octree) ? IMP_STATUS_BUFFER_SHORT : IMP_STATUS_OK);
        fewer += check_compaction(context, octree, 3) < cells;
        ++cases;
        imp_octree_release(octree);
    }
    CHECK(fewer > 0 && fewer < cases);
    imp_context_destroy(context);
}

static bool beyond_a_tile(uint32_t x, uint32_t y, uint32_t z)
{
    return (x >= 100 && x < 150 && y >= 40 && y < 90 && z >= 120 && z < 131) || (x > 250 && y > 250 && z < 3);
}

TEST(large_octrees_are_compacted_tile_by_tile)
{
    imp_Context *context = make_context(1);
    const imp_OctreeGrid grid = {{0, 0, 0}, 1, 8};
    imp_Octree *octree = make_octree(context, &grid, beyond_a_tile);
    size_t cells = 0;
    CHECK_INT(imp_octree_get_cubes(context, octree, NULL, NULL, 0, &cells), IMP_STATUS_BUFFER_SHORT);
    CHECK(check_compaction(context, octree, 0) < cells);
    imp_octree_release(octree);
    imp_context_destroy(context);
}

// ---- refusals

TEST(what_can_not_be_moved_is_refused)
{
    imp_Context *context = make_context(1);
    imp_Octree *octree = make_octree(context, &sixteen, in_a_hook), *result = NULL;
    const imp_OctreeMoveDef bad_numbers[] = {
        {.pose.translation = {NAN, 0, 0}},
        {.pose.translation = {0, INFINITY, 0}},
        {.pose.rotation = {1, 1, 0, 0}},
        {.pose.rotation = {NAN, 0, 0, 0}},
        {.slack = -0.01},
        {.slack = 0.5},
        {.slack = NAN},
        {.grid = {{0, 0, 0}, -1, 4}},
        {.grid = {{0, NAN, 0}, 1, 4}},
        {.grid = {{0x1p60, 0, 0}, 1, 4}},
        {.grid = {{0x1p51, 0, 0}, 1, 4}, .slack = 0.45}, // both corners are rounded to the middle
    };
    for (size_t i = 0; i < sizeof bad_numbers / sizeof *bad_numbers; ++i)
        CHECK_INT(imp_octree_move(context, octree, &bad_numbers[i], &result), IMP_STATUS_BAD_NUMBER);
    const imp_OctreeMoveDef bad_arguments[] = {
        {.grid = {{0, 0, 0}, 1, 0}},
        {.grid = {{0, 0, 0}, 1, 17}},
        {.rule = (imp_OctreeMoveRule)3},
        {.method = (imp_OctreeMoveMethod)4},
        {.method = IMP_MOVE_TRANSLATE, .pose.rotation = {0.6, 0.8, 0, 0}},
        {.method = IMP_MOVE_TRANSLATE, .pose.rotation = {0, 1, 0, 0}},
        {.reserved = {0, 0, 0, 1}},
    };
    for (size_t i = 0; i < sizeof bad_arguments / sizeof *bad_arguments; ++i)
        CHECK_INT(imp_octree_move(context, octree, &bad_arguments[i], &result), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_octree_move(context, NULL, &(imp_OctreeMoveDef){0}, &result), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_octree_move(context, octree, NULL, &result), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_octree_move(context, octree, &(imp_OctreeMoveDef){0}, NULL), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_octree_move(NULL, octree, &(imp_OctreeMoveDef){0}, &result), IMP_STATUS_BAD_ARGUMENT);
    size_t count;
    CHECK_INT(imp_octree_get_cubes(context, NULL, NULL, NULL, 0, &count), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_octree_get_cubes(context, octree, NULL, NULL, 1, &count), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_octree_get_cubes(context, octree, NULL, NULL, 0, NULL), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_octree_get_cubes(context, octree, &(imp_OctreeCubesDef){.reserved = {1}}, NULL, 0, &count),
              IMP_STATUS_BAD_ARGUMENT);
    CHECK(!result);
    // Centers are where they are, whatever the slack.
    CHECK_INT(imp_octree_move(
                  context, octree,
                  &(imp_OctreeMoveDef){.grid = {{0x1p52, 0, 0}, 1, 4}, .rule = IMP_MOVE_CENTRE, .slack = 0.4},
                  &result),
              IMP_STATUS_OK);
    imp_octree_release(result);
    imp_octree_release(octree);
    imp_context_destroy(context);
}

TEST(moves_can_be_cancelled)
{
    for (int method = 0; method < 4; ++method)
        for (int compact = 0; compact < 2; ++compact) {
            imp_Context *context = make_context(1);
            imp_Octree *octree = make_octree(context, &sixteen, in_a_hook), *result = NULL;
            imp_Cancel *cancel = NULL;
            CHECK_INT(imp_cancel_create(context, &cancel), IMP_STATUS_OK);
            imp_cancel_request(cancel);
            CHECK_INT(imp_context_watch(context, &(imp_Watch){.cancel = cancel}), IMP_STATUS_OK);
            imp_OctreeMoveDef def = {.method = (imp_OctreeMoveMethod)method, .compact = compact};
            CHECK_INT(imp_octree_move(context, octree, &def, &result), IMP_STATUS_CANCELLED);
            CHECK(!result);
            CHECK_INT(imp_context_watch(context, NULL), IMP_STATUS_OK);
            result = move(context, octree, &def);
            imp_octree_release(result);
            imp_octree_release(octree);
            imp_cancel_destroy(cancel);
            imp_context_destroy(context);
        }
}

// ---- memory

static bool move_with(FailingAllocator *memory, const imp_OctreeMoveDef *def)
{
    imp_Context *context = NULL;
    imp_Octree *octree = NULL, *result = NULL;
    const char text[] = "(B(BWBBBWWWBWBWB(B(BWBBBWBWBBBWBW";
    imp_ContextDef context_def = {.allocator = failing_allocator_hooks(memory), .thread_count = 2};
    imp_Status status = imp_context_create(&context_def, &context);
    if (status == IMP_STATUS_OK)
        status = imp_octree_create_from_df(context, &sixteen, text, sizeof text - 1, &octree);
    if (status == IMP_STATUS_OK)
        status = imp_octree_move(context, octree, def, &result);
    CHECK(status == IMP_STATUS_OK || status == IMP_STATUS_OUT_OF_MEMORY);
    CHECK((status == IMP_STATUS_OK) == (result != NULL));
    imp_octree_release(result);
    imp_octree_release(octree);
    imp_context_destroy(context);
    CHECK(failing_allocator_is_clean(memory));
    return status == IMP_STATUS_OK;
}

TEST(out_of_memory_at_every_allocation)
{
    for (int method = 0; method < 4; ++method)
        for (int compact = 0; compact < 2; ++compact) {
            imp_OctreeMoveDef def = {.pose.translation = {0.5, 0.25, 1},
                                     .method = (imp_OctreeMoveMethod)method,
                                     .compact = compact};
            if (method != IMP_MOVE_TRANSLATE)
                def.pose.rotation = turned(1, 0.2, 0.3, 0.4);
            FailingAllocator memory;
            uint64_t n = 0;
            bool is_done;
            do {
                failing_allocator_init(&memory, ++n);
                is_done = move_with(&memory, &def);
            } while (failing_allocator_has_failed(&memory) && n < 1000);
            CHECK(is_done && n > 5 && n < 1000);
        }
}
