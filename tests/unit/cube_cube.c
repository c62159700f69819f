// Moved cubes: known answers, directions that are left out, octants of a block on every instruction set, and
// the steps of Smith & Kitamura. property/cube_cube compares with rational arithmetic.
#include "geom/cube_cube.h"

#include "base/cpu.h"
#include "geom/cube_lanes.h"
#include "geom/cube_steps.h"
#include "geom/half_sum.h"
#include "harness.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static imp_Transform transform_of(imp_Vec3 translation, double w, double x, double y, double z)
{
    imp_Transform transform = {{{0}}, {0, 0, 0}};
    double length = sqrt(w * w + x * x + y * y + z * z);
    imp_Pose pose = {translation, {w / length, x / length, y / length, z / length}};
    CHECK_INT(imp_pose_transform(&pose, &transform), IMP_STATUS_OK);
    return transform;
}

static impi_TargetBox box_of(const double min[3], const double max[3])
{
    impi_TargetBox box;
    for (int axis = 0; axis < 3; ++axis)
        for (int part = 0; part < 2; ++part) {
            box.min[axis][part] = min[axis];
            box.max[axis][part] = max[axis];
        }
    return box;
}

static const impi_SourceBox unit_source = {{0, 0, 0}, {1, 1, 1}};

static void check(const imp_Transform *transform, const double min[3], const double max[3],
                  impi_CubeRelation open, impi_CubeRelation closed)
{
    impi_TargetBox target = box_of(min, max);
    CHECK_INT(impi_cube_cube(transform, &unit_source, &target, IMPI_CUBES_OPEN), open);
    CHECK_INT(impi_cube_cube(transform, &unit_source, &target, IMPI_CUBES_CLOSED), closed);
}

#define POINT(...) ((const double[3]){__VA_ARGS__})

TEST(upright_cubes)
{
    imp_Transform none = transform_of((imp_Vec3){2, 0, 0}, 1, 0, 0, 0);
    check(&none, POINT(2.25, 0.25, 0.25), POINT(2.5, 0.5, 0.5), IMPI_CUBES_COMPLETE, IMPI_CUBES_COMPLETE);
    check(&none, POINT(2, 0, 0), POINT(3, 1, 1), IMPI_CUBES_COMPLETE, IMPI_CUBES_COMPLETE);
    check(&none, POINT(2, 0, 0), POINT(3, 1, 1 + 0x1p-52), IMPI_CUBES_PARTIAL, IMPI_CUBES_PARTIAL);
    check(&none, POINT(3, 0, 0), POINT(4, 1, 1), IMPI_CUBES_APART, IMPI_CUBES_PARTIAL);
    check(&none, POINT(1, 1, 1), POINT(2, 2, 2), IMPI_CUBES_APART, IMPI_CUBES_PARTIAL);
    check(&none, POINT(1, 1, 1), POINT(2 - 0x1p-52, 2, 2), IMPI_CUBES_APART, IMPI_CUBES_APART);
    check(&none, POINT(1, 0, 0), POINT(5, 1, 1), IMPI_CUBES_PARTIAL, IMPI_CUBES_PARTIAL);
}

TEST(a_cube_on_its_edge)
{
    // Turned by 45 degrees about z: a square with corners at 0, (h, h), (0, 2 h), (-h, h), where h is near
    // sqrt(1/2).
    imp_Transform turn =
        transform_of((imp_Vec3){0, 0, 0}, cos(0.39269908169872414), 0, 0, sin(0.39269908169872414));
    check(&turn, POINT(-2, -1, 0), POINT(2, -0x1p-50, 1), IMPI_CUBES_APART, IMPI_CUBES_APART);
    check(&turn, POINT(-2, -1, 0), POINT(2, 0, 1), IMPI_CUBES_APART, IMPI_CUBES_PARTIAL);
    check(&turn, POINT(-2, -1, 0), POINT(2, 0x1p-50, 1), IMPI_CUBES_PARTIAL, IMPI_CUBES_PARTIAL);
    check(&turn, POINT(0.5, 0, 0), POINT(1, 0.25, 1), IMPI_CUBES_APART, IMPI_CUBES_APART); // beside an edge
    check(&turn, POINT(-0.25, 0.5, 0), POINT(0.25, 0.75, 1), IMPI_CUBES_COMPLETE, IMPI_CUBES_COMPLETE);
    check(&turn, POINT(-0.25, 0.5, 1), POINT(0.25, 0.75, 2), IMPI_CUBES_APART, IMPI_CUBES_PARTIAL);
}

TEST(only_edges_separate)
{
    // Edges pass each other: no axis and no normal tells.
    imp_Transform turn = transform_of((imp_Vec3){0, 0, 0}, 0.9, 0.2, -0.35, 0.1);
    impi_CubeFrame frame = {.exponent = 3, .reach = 1, .step = IMPI_NO_STEP};
    impi_CubeMotion motion;
    impi_cube_motion_init(&motion, &turn, &frame);
    CHECK_INT(motion.count, 15);
    int alone = 0;
    for (int i = 0; i < 20000; ++i) {
        double at[3], center[3], half[3] = {0.0625, 0.0625, 0.0625};
        for (int axis = 0; axis < 3; ++axis) {
            at[axis] = test_random_between(-0.3, 0.3);
            center[axis] = at[axis];
        }
        impi_CubeShadow source, target;
        impi_cube_source_shadow(&motion, POINT(0, 0, 0), half, &source);
        impi_cube_target_shadow(&motion, center, half, &target);
        bool face = false, edge = false;
        for (int k = 0; k < motion.count; ++k) {
            bool apart = fabs(source.middle[k] - target.middle[k]) > source.half[k] + target.half[k] + 1e-9;
            face |= apart && k < IMPI_FACE_DIRECTIONS;
            edge |= apart && k >= IMPI_FACE_DIRECTIONS;
        }
        alone += edge && !face;
    }
    CHECK(alone > 20);
}

TEST(null_and_parallel_directions_are_left_out)
{
    impi_CubeFrame frame = {.exponent = 3, .reach = 1, .step = -20};
    impi_CubeMotion motion;
    imp_Transform shift = transform_of((imp_Vec3){0.5, 0, 0}, 1, 0, 0, 0);
    impi_cube_motion_init(&motion, &shift, &frame);
    CHECK_INT(motion.count, 6);
    for (int k = 0; k < 6; ++k) {
        CHECK_INT(motion.names[k], k % 3); // normals are axes
        CHECK_DOUBLE(motion.error[k], 0);
    }
    imp_Transform about_z = transform_of((imp_Vec3){0.5, 0, 0}, 1, 0, 0, 0.25);
    impi_cube_motion_init(&motion, &about_z, &frame);
    CHECK_INT(motion.count, 6 + 2); // z with two edges: those of x and y are along z
    CHECK_DOUBLE(motion.error[2], 0);
    CHECK_DOUBLE(motion.error[5], 0);
    CHECK(motion.error[0] > 0);
}

TEST(half_sums_are_compared_exactly)
{
    CHECK_INT(impi_compare_half_sum(1, 0x1p-60, 2, 0), 1);
    CHECK_INT(impi_compare_half_sum(1, 0x1p-60, 2, 0x1p-59), 0);
    CHECK_INT(impi_compare_half_sum(1, 0x1p-60, 2, 0x1p-58), -1);
    CHECK_INT(impi_compare_half_sum(-1, -0x1p-60, -2, 0), -1);
    CHECK_INT(impi_compare_half_sum(0x1p1023, 0x1.8p1022, 0x1.cp1023, 0x1.cp1023), 0);
    CHECK_INT(impi_compare_half_sum(0x1p1023, 0x1.8p1022, 0x1.cp1023, 0x1.bp1023), 1);
    CHECK_INT(impi_compare_half_sum(0x1p1023, 0x1p-1074, 0x1p1023, 0x1p1023), 1);
    CHECK_INT(impi_compare_half_sum(0x1p1023, 0x1p-1074, 0x1.fp1023, 0x1p-1074), 1);
    CHECK_INT(impi_compare_half_sum(0x1p-1074, 0x1p-1074, 0x1p-1074, 0x1.8p-1073), 0);
    CHECK_INT(impi_compare_half_sum(0x1p-1074, 0, 0x1p-1074, 0x1p-1074), 0);
    CHECK_INT(impi_compare_half_sum(0x1p-1074, 0, 0x1p-1074, 0), 1);
}

// ---- octants of a block

typedef struct Block {
    double parts[3][IMPI_CUBE_DIRECTIONS], middle[IMPI_CUBE_DIRECTIONS], half[IMPI_CUBE_DIRECTIONS],
        reach[IMPI_CUBE_DIRECTIONS];
    double center[3], cube[3], edge;
} Block;

// In a frame of sixteenths: coordinates are multiples of a sixty-fourth, so that there are contacts.
static void make_block(const impi_CubeMotion *motion, const impi_CubeBlocks *blocks, Block *block)
{
    memset(block, 0, sizeof *block);
    block->edge = 0.0625 * (1 + test_random_below(3));
    for (int axis = 0; axis < 3; ++axis)
        block->cube[axis] = 0.25 + test_random_below(16) / 64.0;
    for (int axis = 0; axis < 3; ++axis) {
        const double *row = motion->transform.rows[axis], *p = block->cube;
        double image = row[0] * p[0] + row[1] * p[1] + row[2] * p[2] + motion->base[axis];
        block->center[axis] = (rint(image * 64) + test_random_below(9) - 4) / 64;
    }
    const double half[3] = {block->edge / 2, block->edge / 2, block->edge / 2};
    impi_CubeShadow shadow = {{0}, {0}};
    impi_cube_source_shadow(motion, block->cube, half, &shadow);
    for (int k = 0; k < IMPI_CUBE_DIRECTIONS; ++k) {
        for (int axis = 0; axis < 3; ++axis)
            block->parts[axis][k] = motion->target[k][axis] * block->center[axis];
        block->middle[k] = shadow.middle[k];
        block->half[k] = shadow.half[k];
        block->reach[k] = block->half[k] + blocks->half[k];
    }
}

// Of frame coordinates, which are those of the boxes where base and exponent are 0.
static impi_CubeRelation relation_of(const impi_CubeMotion *motion, const Block *block, int lane,
                                     double offset, double half, impi_CubeSense sense)
{
    impi_SourceBox source;
    impi_TargetBox target;
    for (int axis = 0; axis < 3; ++axis) {
        double middle = block->center[axis] + (lane >> axis & 1 ? offset : -offset);
        source.min[axis] = block->cube[axis] - block->edge / 2;
        source.max[axis] = block->cube[axis] + block->edge / 2;
        for (int part = 0; part < 2; ++part) {
            target.min[axis][part] = middle - half;
            target.max[axis][part] = middle + half;
        }
    }
    return impi_cube_cube(&motion->transform, &source, &target, sense);
}

typedef struct LaneCounts {
    uint64_t possible, sure, doubtful, inside;
} LaneCounts;

static void check_block(const impi_CubeMotion *motion, impi_CubeSense sense, bool is_point,
                        LaneCounts *counts)
{
    const double offset = 1.0 / 32, half = is_point ? 0 : 1.0 / 32;
    impi_CubeBlocks blocks;
    Block block;
    impi_cube_blocks_init(motion, offset, half, sense, &blocks);
    make_block(motion, &blocks, &block);
    impi_CubeQuestion question = {block.parts[0], block.parts[1], block.parts[2],
                                  block.middle,   block.half,     block.reach};
    impi_CubeLanes lanes = {impi_cube_meet_portable, impi_cube_hold_portable, impi_cube_fill_portable};
    impi_CubeOctants met = (is_point ? lanes.hold : lanes.meet)(&blocks, &question);
    impi_CubeOctants filled = lanes.fill(&blocks, &question);
    impi_CubeLanes best = impi_cube_lanes();
    impi_CubeOctants best_met = (is_point ? best.hold : best.meet)(&blocks, &question);
    impi_CubeOctants best_filled = best.fill(&blocks, &question);
    CHECK(memcmp(&met, &best_met, sizeof met) == 0 && memcmp(&filled, &best_filled, sizeof filled) == 0);
#if IMPI_CPU_VARIANTS
    if (impi_cpu_has_avx2()) {
        best_met = (is_point ? impi_cube_hold_avx2 : impi_cube_meet_avx2)(&blocks, &question);
        best_filled = impi_cube_fill_avx2(&blocks, &question);
        CHECK(memcmp(&met, &best_met, sizeof met) == 0);
        CHECK(memcmp(&filled, &best_filled, sizeof filled) == 0);
    }
#endif
    for (int lane = 0; lane < IMPI_CUBE_LANES; ++lane) {
        impi_CubeRelation relation = relation_of(motion, &block, lane, offset, half, sense);
        bool possible = met.possible >> lane & 1, sure = met.sure >> lane & 1;
        CHECK(possible || relation == IMPI_CUBES_APART);
        CHECK(!sure || relation != IMPI_CUBES_APART);
        CHECK((filled.possible >> lane & 1) || relation == IMPI_CUBES_APART);
        CHECK(!(filled.sure >> lane & 1) || relation == IMPI_CUBES_COMPLETE);
        counts->possible += possible;
        counts->sure += sure;
        counts->doubtful += possible && !sure;
        counts->inside += filled.sure >> lane & 1;
    }
}

TEST(octants_of_a_block_are_told_rightly)
{
    LaneCounts counts[3] = {{0, 0, 0, 0}};
    const uint64_t count = test_count(2000);
    for (uint64_t i = 0; i < count; ++i) {
        int kind = (int)(i % 3); // any turn, about an axis, none
        double a = test_random_between(-1, 1), b = test_random_between(-1, 1), c = test_random_between(-1, 1);
        imp_Vec3 translation = {(double)test_random_below(5) / 64, 0, -(double)test_random_below(5) / 64};
        imp_Transform transform = {{{0}}, {0, 0, 0}};
        if (kind == 0)
            translation.x += 1e-3;
        transform = transform_of(translation, 1, kind == 0 ? a : 0, kind == 0 ? b : 0, kind < 2 ? c : 0);
        impi_CubeFrame frame = {.reach = 1, .step = kind ? -8 : IMPI_NO_STEP};
        impi_CubeMotion motion;
        impi_cube_motion_init(&motion, &transform, &frame);
        check_block(&motion, i % 2 ? IMPI_CUBES_OPEN : IMPI_CUBES_CLOSED, false, &counts[kind]);
        check_block(&motion, IMPI_CUBES_CLOSED, true, &counts[kind]);
    }
    for (int kind = 0; kind < 3; ++kind) {
        const uint64_t all = count / 3 * 16;
        printf("  kind %d: %" PRIu64 " possible, %" PRIu64 " sure, %" PRIu64 " inside of %" PRIu64 "\n", kind,
               counts[kind].possible, counts[kind].sure, counts[kind].inside, all);
        CHECK(counts[kind].possible * 10 > all && counts[kind].possible * 10 < all * 9);
        CHECK(counts[kind].inside * 200 > all);
        // Where positions are exact, and nothing else decides, nothing is left open.
        CHECK(kind == 2 ? counts[kind].doubtful == 0 : counts[kind].doubtful * 50 < all);
    }
}

// ---- Smith & Kitamura

TEST(steps_give_the_same_as_directions)
{
    uint64_t verdicts[4] = {0, 0, 0, 0};
    const uint64_t count = test_count(200000);
    impi_CubeMotion motion = {.count = 0};
    for (uint64_t i = 0; i < count; ++i) {
        if (i % 100 == 0) {
            double a = test_random_between(-1, 1), b = test_random_between(-1, 1),
                   c = test_random_between(-1, 1);
            imp_Vec3 translation = {test_random_between(-1, 1), test_random_between(-1, 1), 0};
            imp_Transform transform = transform_of(translation, 1, i % 300 ? a : 0, i % 300 ? b : 0, c);
            impi_CubeFrame frame = {.reach = 8, .step = IMPI_NO_STEP};
            impi_cube_motion_init(&motion, &transform, &frame);
        }
        // Cubes of 1 to 4, near each other.
        double half = 0.5 * (1 + test_random_below(4)), other = 0.5 * (1 + test_random_below(4));
        double source_half[3] = {half, half, half}, target_half[3] = {other, other, other};
        double source_center[3], target_center[3];
        for (int axis = 0; axis < 3; ++axis)
            source_center[axis] = test_random_between(-2, 2);
        double far = 0.5 + 1.8 * (half + other);
        for (int axis = 0; axis < 3; ++axis) {
            const double *row = motion.transform.rows[axis];
            target_center[axis] = row[0] * source_center[0] + row[1] * source_center[1] +
                                  row[2] * source_center[2] + motion.base[axis] +
                                  test_random_between(-far, far) * 0.7;
        }
        impi_StepsCube source, target;
        impi_steps_source(&motion, source_center, half, &source);
        impi_steps_target(&motion, target_center, other, &target);
        impi_StepsVerdict verdict = impi_cube_steps(&motion, &source, &target);
        ++verdicts[verdict];
        impi_CubeShadow shadows[2];
        impi_cube_source_shadow(&motion, source_center, source_half, &shadows[0]);
        impi_cube_target_shadow(&motion, target_center, target_half, &shadows[1]);
        const impi_CubePair pair = {NULL, NULL, &shadows[0], &shadows[1]}; // random: no integers are asked
        bool is_exact = false;
        impi_CubeRelation relation = impi_cube_relation(&motion, &pair, IMPI_CUBES_CLOSED, &is_exact);
        if (verdict != IMPI_STEPS_UNCERTAIN && !CHECK_INT(verdict, relation))
            return;
    }
    printf("  %" PRIu64 " apart, %" PRIu64 " partial, %" PRIu64 " complete, %" PRIu64 " uncertain\n",
           verdicts[0], verdicts[1], verdicts[2], verdicts[3]);
    CHECK(verdicts[0] * 5 > count && verdicts[1] * 5 > count && verdicts[2] * 500 > count);
    CHECK(verdicts[3] * 100 < count);
}
