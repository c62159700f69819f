/// Octree motion by the papers' methods: Weng & Ahuja's in each of its forms, and Smith & Kitamura's
/// translation, give what every moved cube holds, voxel by voxel, and so does imp_octree_move.
#include "harness.h"

#include "experiments/smith_translation.h"
#include "experiments/weng_ahuja.h"
#include "geom/cube_cube.h"
#include "scenes/shapes.h"
#include "shape/octree.h"

#include <impinge/impinge.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LEVEL       3
#define VOXEL_COUNT ((size_t)1 << 3 * LEVEL)

typedef struct Case {
    imp_Context *context;
    imp_Octree *octree;
    imp_OctreeCube cubes[VOXEL_COUNT];
    WengAhujaDef def;
} Case;

typedef struct Outcomes {
    uint64_t black, white; // voxels
    uint64_t at_boundary;  // centers on the boundary of a moved cube, or on it but for rounding
    uint64_t fewer_tests;  // cases in which the exact test made do with fewer
} Outcomes;

static bool one_in(uint32_t n)
{
    return test_random_below(n) == 0;
}

static imp_Vec3 random_vector(double low, double high)
{
    imp_Vec3 v = {test_random_between(low, high), 0, 0};
    v.y = test_random_between(low, high);
    v.z = test_random_between(low, high);
    return v;
}

// Of even cases all translations are by halves of voxels and all turns by quarters or halves, of others half
// of them.
static imp_Pose random_pose(bool turns, bool is_even)
{
    imp_Pose pose = {.translation = random_vector(-3, 3)};
    if (is_even || one_in(2))
        for (int axis = 0; axis < 3; ++axis)
            (&pose.translation.x)[axis] = floor(2 * (&pose.translation.x)[axis]) / 2;
    if (!turns)
        return pose;
    if (is_even || one_in(2)) {
        pose.rotation = one_in(2) ? (imp_Quat){sqrt(0.5), sqrt(0.5), 0, 0} : (imp_Quat){0, 0, 1, 0};
        return pose;
    }
    SceneTurn s = scene_turn((uint64_t)(4096 * test_random_unit()), 4096);
    SceneTurn t = scene_turn((uint64_t)(4096 * test_random_unit()), 4096);
    pose.rotation = (imp_Quat){s.cosine * t.cosine, s.sine * t.cosine, s.cosine * t.sine, s.sine * t.sine};
    return pose;
}

// Blocks of eight voxels, so that there are cubes of several sizes, and single ones.
static void fill_voxels(uint8_t voxels[VOXEL_COUNT])
{
    const size_t n = 1 << LEVEL;
    double share = test_random_between(0.02, 0.9), single = test_random_between(0, 0.1);
    for (size_t i = 0; i < VOXEL_COUNT; ++i) {
        size_t x = i / (n * n), y = i / n % n, z = i % n, block = i - (x % 2 * n + y % 2) * n - z % 2;
        voxels[i] = block == i ? test_random_unit() < share : voxels[block];
    }
    for (size_t i = 0; i < VOXEL_COUNT; ++i)
        voxels[i] |= test_random_unit() < single;
}

static imp_Pose make_case(bool turns, Case *c)
{
    uint8_t voxels[VOXEL_COUNT];
    bool is_even = one_in(4); // so that centers come to lie on walls of moved cubes
    double edge = is_even || one_in(2) ? 1 : test_random_between(0.1, 3);
    imp_OctreeGrid grid = {random_vector(-5, 0), edge, LEVEL};
    if (is_even || one_in(2))
        grid.origin = (imp_Vec3){-4, -4, -4};
    fill_voxels(voxels);
    CHECK_INT(imp_octree_create_from_voxels(c->context, &grid, voxels, VOXEL_COUNT, &c->octree),
              IMP_STATUS_OK);
    c->def = (WengAhujaDef){.source_grid = grid, .target_grid = grid, .cubes = c->cubes};
    if (!is_even && one_in(3))
        c->def.target_grid.voxel *= test_random_between(0.5, 2);
    CHECK_INT(imp_octree_get_cubes(c->context, c->octree, NULL, c->cubes, VOXEL_COUNT, &c->def.cube_count),
              IMP_STATUS_OK);
    imp_Pose pose = random_pose(turns, is_even);
    for (int axis = 0; axis < 3; ++axis)
        (&pose.translation.x)[axis] *= edge;
    CHECK_INT(imp_pose_transform(&pose, &c->def.transform), IMP_STATUS_OK);
    return pose;
}

static void free_case(Case *c)
{
    imp_octree_release(c->octree);
    c->octree = NULL;
}

// ---- the truth

static impi_SourceBox source_box(const WengAhujaDef *def, const imp_OctreeCube *cube)
{
    const uint32_t at[3] = {cube->x, cube->y, cube->z};
    impi_SourceBox box;
    for (int axis = 0; axis < 3; ++axis) {
        box.min[axis] = impi_grid_corner(&def->source_grid, axis, at[axis]);
        box.max[axis] = impi_grid_corner(&def->source_grid, axis, at[axis] + cube->edge);
    }
    return box;
}

// A voxel, or its center.
static impi_TargetBox target_box(const WengAhujaDef *def, const size_t at[3], bool is_center)
{
    impi_TargetBox box;
    for (int axis = 0; axis < 3; ++axis) {
        double low = impi_grid_corner(&def->target_grid, axis, (uint32_t)at[axis]);
        double high = impi_grid_corner(&def->target_grid, axis, (uint32_t)at[axis] + 1);
        box.min[axis][0] = low;
        box.min[axis][1] = is_center ? high : low;
        box.max[axis][0] = is_center ? low : high;
        box.max[axis][1] = high;
    }
    return box;
}

// Only saves time.
static bool is_far(const WengAhujaDef *def, const impi_SourceBox *source, const impi_TargetBox *target)
{
    imp_Vec3 center = {(source->min[0] + source->max[0]) / 2, (source->min[1] + source->max[1]) / 2,
                       (source->min[2] + source->max[2]) / 2};
    imp_Vec3 moved = imp_transform_apply(&def->transform, center);
    double square = 0;
    for (int axis = 0; axis < 3; ++axis) {
        double way = (target->min[axis][0] + target->max[axis][1]) / 2 - (&moved.x)[axis];
        square += way * way;
    }
    double reach = 0.87 * (source->max[0] - source->min[0] + def->target_grid.voxel);
    return square > 1.01 * reach * reach;
}

static bool is_black(const WengAhujaDef *def, const size_t at[3], bool by_center)
{
    impi_TargetBox target = target_box(def, at, by_center);
    for (size_t i = 0; i < def->cube_count; ++i) {
        impi_SourceBox source = source_box(def, &def->cubes[i]);
        if (is_far(def, &source, &target))
            continue;
        if (impi_cube_cube(&def->transform, &source, &target,
                           by_center ? IMPI_CUBES_CLOSED : IMPI_CUBES_OPEN) != IMPI_CUBES_APART)
            return true;
    }
    return false;
}

// Would it lie in none if it were a little elsewhere, or the other way round?
static bool is_at_boundary(const WengAhujaDef *def, const size_t at[3], bool is_in_one)
{
    static const double offsets[2] = {-1e-9, 1e-9};
    for (int axis = 0; axis < 3; ++axis)
        for (int i = 0; i < 2; ++i) {
            WengAhujaDef moved = *def;
            (&moved.transform.translation.x)[axis] += offsets[i];
            if (is_black(&moved, at, true) != is_in_one)
                return true;
        }
    return false;
}

static void find_truth(const WengAhujaDef *def, bool by_center, uint8_t voxels[VOXEL_COUNT],
                       Outcomes *outcomes)
{
    const size_t n = 1 << LEVEL;
    for (size_t i = 0; i < VOXEL_COUNT; ++i) {
        size_t at[3] = {i / (n * n), i / n % n, i % n};
        voxels[i] = is_black(def, at, by_center);
        outcomes->black += voxels[i];
        outcomes->white += !voxels[i];
        if (by_center && i % 7 == 0)
            outcomes->at_boundary += is_at_boundary(def, at, voxels[i]);
    }
}

static void check_same(const uint8_t *voxels, const uint8_t *expected)
{
    size_t differing = 0;
    for (size_t i = 0; i < VOXEL_COUNT; ++i)
        differing += voxels[i] != expected[i];
    CHECK_INT(differing, 0);
}

// ---- tests

static void check_moved(const Case *c, const imp_Pose *pose, imp_OctreeMoveRule rule, const uint8_t *expected)
{
    imp_Octree *moved;
    uint8_t voxels[VOXEL_COUNT];
    imp_OctreeMoveDef def = {.pose = *pose, .grid = c->def.target_grid, .rule = rule};
    CHECK_INT(imp_octree_move(c->context, c->octree, &def, &moved), IMP_STATUS_OK);
    CHECK_INT(imp_octree_get_voxels(c->context, moved, voxels, VOXEL_COUNT), IMP_STATUS_OK);
    check_same(voxels, expected);
    imp_octree_release(moved);
}

static uint64_t move_by(WengAhuja *target, Case *c, WengAhujaTest test, const uint8_t *expected)
{
    uint8_t voxels[VOXEL_COUNT];
    c->def.test = test;
    CHECK(weng_ahuja_move(target, &c->def));
    weng_ahuja_voxels(target, voxels);
    check_same(voxels, expected);
    WengAhujaStats stats = weng_ahuja_stats(target);
    return stats.cube_tests + stats.voxel_tests;
}

// Its text is that of the octree that it makes.
static void translate_by(SmithTranslation *translation, const Case *c, SmithTranslationTest test,
                         const uint8_t *expected)
{
    SmithTranslationDef def = {.source_grid = c->def.source_grid,
                               .target_grid = c->def.target_grid,
                               .cubes = c->cubes,
                               .cube_count = c->def.cube_count,
                               .move = c->def.transform.translation,
                               .test = test};
    imp_Octree *made;
    uint8_t voxels[VOXEL_COUNT];
    if (!CHECK(smith_translation_move(translation, &def)))
        return;
    CHECK_INT(imp_octree_create_from_df(c->context, &def.target_grid, translation->text.data,
                                        translation->text.count, &made),
              IMP_STATUS_OK);
    imp_OctreeInfo info;
    CHECK_INT(imp_octree_get_info(made, &info), IMP_STATUS_OK);
    CHECK(info.is_condensed);
    CHECK_INT(imp_octree_get_voxels(c->context, made, voxels, VOXEL_COUNT), IMP_STATUS_OK);
    check_same(voxels, expected);
    imp_octree_release(made);
}

TEST(voxels_are_those_whose_centers_moved_cubes_hold)
{
    static Case c;
    Outcomes outcomes = {0};
    uint64_t count = test_count(40);
    WengAhuja *target = weng_ahuja_create();
    if (!CHECK(target != NULL))
        return;
    CHECK_INT(imp_context_create(NULL, &c.context), IMP_STATUS_OK);
    for (uint64_t i = 0; i < count; ++i) {
        uint8_t expected[VOXEL_COUNT];
        imp_Pose pose = make_case(true, &c);
        find_truth(&c.def, true, expected, &outcomes);
        uint64_t spheres = move_by(target, &c, WENG_AHUJA_SPHERES, expected);
        uint64_t exact = move_by(target, &c, WENG_AHUJA_EXACT, expected);
        CHECK(move_by(target, &c, WENG_AHUJA_STEPS, expected) == exact);
        CHECK(exact <= spheres);
        outcomes.fewer_tests += exact < spheres;
        check_moved(&c, &pose, IMP_MOVE_CENTRE, expected);
        free_case(&c);
    }
    printf("black %" PRIu64 ", white %" PRIu64 ", at a boundary %" PRIu64
           " of a seventh, fewer tests %" PRIu64 "\n",
           outcomes.black, outcomes.white, outcomes.at_boundary, outcomes.fewer_tests);
    CHECK(outcomes.black > count * VOXEL_COUNT / 20);
    CHECK(outcomes.white > count * VOXEL_COUNT / 20);
    CHECK(outcomes.at_boundary > count);
    CHECK(outcomes.fewer_tests > count / 2);
    imp_context_destroy(c.context);
    weng_ahuja_destroy(target);
}

TEST(translations_find_what_has_volume_in_common)
{
    static Case c;
    Outcomes outcomes = {0};
    SmithTranslation translation = {0};
    uint64_t count = test_count(40);
    WengAhuja *target = weng_ahuja_create();
    if (!CHECK(target != NULL))
        return;
    CHECK_INT(imp_context_create(NULL, &c.context), IMP_STATUS_OK);
    for (uint64_t i = 0; i < count; ++i) {
        uint8_t expected[VOXEL_COUNT];
        imp_Pose pose = make_case(false, &c);
        find_truth(&c.def, false, expected, &outcomes);
        move_by(target, &c, WENG_AHUJA_PLANES, expected);
        translate_by(&translation, &c, SMITH_TRANSLATION_PLANES, expected);
        translate_by(&translation, &c, SMITH_TRANSLATION_AXES, expected);
        check_moved(&c, &pose, IMP_MOVE_OVERLAP, expected);
        free_case(&c);
    }
    CHECK(outcomes.black > count * VOXEL_COUNT / 20);
    CHECK(outcomes.white > count * VOXEL_COUNT / 20);
    smith_translation_free(&translation);
    imp_context_destroy(c.context);
    weng_ahuja_destroy(target);
}
