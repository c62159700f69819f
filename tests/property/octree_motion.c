/// Moved octrees against an oracle that cuts every moved row of voxels to every target voxel, in whole
/// numbers of any length: by each rule, with slack and without, on other grids, by every method, with cells
/// as they are or compacted, on 1, 2 and 5 threads. And motions that give the same octree again.
#include "harness.h"
#include "octree_arrays.h"
#include "oracle/case_numbers.h"
#include "oracle/octree_cases.h"
#include "oracle/octree_oracle.h"
#include "sanitizers.h"
#include "scenes/shapes.h"

#include <impinge/impinge.h>

#include <inttypes.h>
#include <stdio.h>

#if defined(TEST_UNDER_SANITIZER)
#define DEFAULT_CASES 14
#else
#define DEFAULT_CASES 56
#endif
#define RULE_COUNT   (IMP_MOVE_TOUCH + 1)
#define METHOD_COUNT (IMP_MOVE_TRANSLATE + 1)
#define MAX_VOXELS   4096

static const char *const rule_names[RULE_COUNT] = {"overlap", "centre", "touch"};

typedef enum Motion {
    SHIFT_BY_VOXELS,
    SHIFT_BY_HALVES,
    SHIFT_ANY,
    TURN_OF_CUBE, ///< one of 24
    TURN_BY_EIGHTH,
    TURN_FINE, ///< by less than 1e-8
    TURN_ANY,
    MOTION_COUNT
} Motion;

static const char *const motion_names[MOTION_COUNT] = {"whole voxels",   "half voxels",      "any shift",
                                                       "turn of a cube", "eighth of a turn", "fine turn",
                                                       "any turn"};

typedef struct MoveCase {
    Motion motion;
    bool has_rotation;
    imp_OctreeGrid from, to;
    imp_Pose pose;
    double slack;
    uint8_t black[MAX_VOXELS];
} MoveCase;

typedef struct Tally {
    uint64_t voxels[MOTION_COUNT][RULE_COUNT][2], cut, uncut, slack, other_grids, moves, exact_tests;
} Tally;

static imp_Context *contexts[3];

static void begin_contexts(void)
{
    static const uint32_t thread_counts[3] = {1, 2, 5};
    for (int i = 0; i < 3; ++i)
        CHECK_INT(imp_context_create(&(imp_ContextDef){.thread_count = thread_counts[i]}, &contexts[i]),
                  IMP_STATUS_OK);
}

static void end_contexts(void)
{
    for (int i = 0; i < 3; ++i)
        imp_context_destroy(contexts[i]);
}

// ---- cases

static imp_Quat unit_quat(double w, double x, double y, double z)
{
    double length = sqrt(w * w + x * x + y * y + z * z);
    return (imp_Quat){w / length, x / length, y / length, z / length};
}

// The first 12 have matrices without rounding.
static imp_Quat cube_turn(int turn)
{
    static const double parts[24][4] = {
        {1, 0, 0, 0},  {0, 1, 0, 0},   {0, 0, 1, 0},  {0, 0, 0, 1},   {1, 1, 1, 1},   {1, 1, 1, -1},
        {1, 1, -1, 1}, {1, 1, -1, -1}, {1, -1, 1, 1}, {1, -1, 1, -1}, {1, -1, -1, 1}, {1, -1, -1, -1},
        {1, 1, 0, 0},  {1, -1, 0, 0},  {1, 0, 1, 0},  {1, 0, -1, 0},  {1, 0, 0, 1},   {1, 0, 0, -1},
        {0, 1, 1, 0},  {0, 1, -1, 0},  {0, 1, 0, 1},  {0, 1, 0, -1},  {0, 0, 1, 1},   {0, 0, 1, -1}};
    const double *p = parts[turn];
    return unit_quat(p[0], p[1], p[2], p[3]);
}

static imp_Quat random_turn(double most)
{
    imp_Vec3 axis = random_vector(1);
    double half = 0.5 * most * random_signed_unit(),
           length = sqrt(axis.x * axis.x + axis.y * axis.y + axis.z * axis.z);
    double sine = length > 0 ? sin(half) / length : 0;
    return unit_quat(length > 0 ? cos(half) : 1, sine * axis.x, sine * axis.y, sine * axis.z);
}

static imp_Vec3 middle_of(const imp_OctreeGrid *grid)
{
    imp_Vec3 middle;
    for (int axis = 0; axis < 3; ++axis)
        (&middle.x)[axis] = oracle_grid_corner(grid, axis, 1u << (grid->level - 1));
    return middle;
}

// So that the middle of the source comes to the middle of the target, and then by some voxels.
static void aim_at_target(MoveCase *made, imp_Vec3 voxels)
{
    imp_Transform transform;
    imp_Vec3 from = middle_of(&made->from), to = middle_of(&made->to);
    CHECK_INT(imp_pose_transform(&made->pose, &transform), IMP_STATUS_OK);
    imp_Vec3 turned = imp_transform_apply(&transform, from);
    for (int axis = 0; axis < 3; ++axis) {
        double way = (&to.x)[axis] - (&turned.x)[axis];
        (&made->pose.translation.x)[axis] = way + made->to.voxel * (&voxels.x)[axis];
    }
}

static void choose_grids(MoveCase *made)
{
    uint32_t place = test_random_below(8), level = 1 + test_random_below(3), other = 1 + test_random_below(4);
    bool is_even = made->motion < SHIFT_ANY || (made->motion <= TURN_BY_EIGHTH && test_random_below(2));
    made->from = random_octree_grid(level, place < OCTREE_PLACE_COUNT ? (OctreePlace)place : PLACE_PLAIN);
    if (is_even) { // numbers of few digits
        imp_Vec3 origin = random_lattice_point(8);
        made->from.voxel = ldexp(1, (int)test_random_below(8) - 4);
        made->from.origin =
            (imp_Vec3){origin.x * made->from.voxel, origin.y * made->from.voxel, origin.z * made->from.voxel};
    }
    made->to = made->from;
    if (test_random_below(2)) {
        static const double factors[] = {1, 0.5, 2, 0.75, 1.3, 0.3};
        imp_Vec3 offset = test_random_below(2) ? random_lattice_point(4) : random_vector(4);
        made->to.level = other;
        made->to.voxel *= factors[test_random_below(made->motion < SHIFT_ANY ? 3 : 6)];
        for (int axis = 0; axis < 3 && made->motion >= SHIFT_ANY; ++axis)
            (&made->to.origin.x)[axis] += (&offset.x)[axis] * made->from.voxel;
    }
}

static MoveCase make_case(Motion motion)
{
    static const double slacks[] = {1e-12, 1e-6, 0.01, 0.25, 0.49};
    MoveCase made = {.motion = motion, .has_rotation = motion >= TURN_OF_CUBE};
    choose_grids(&made);
    random_voxels(made.from.level, made.black);
    made.slack = test_random_below(2) ? 0 : slacks[test_random_below(5)];
    if (motion == TURN_OF_CUBE) {
        int turn = (int)test_random_below(24);
        made.pose.rotation = cube_turn(turn);
        made.has_rotation = turn != 0;
    } else if (motion == TURN_BY_EIGHTH) {
        double part = 0.5 * acos(sqrt(0.5));
        uint32_t axis = test_random_below(3);
        made.pose.rotation.w = cos(part);
        (&made.pose.rotation.w)[axis + 1] = sin(part);
    } else if (motion == TURN_FINE || motion == TURN_ANY) {
        double most = motion == TURN_ANY ? 6 : pow(10, -8 - (int)test_random_below(8));
        made.pose.rotation = random_turn(most);
    } else if (test_random_below(2)) {
        made.pose.rotation = (imp_Quat){test_random_below(2) ? 1 : -1, 0, 0, 0};
    }
    uint32_t reach = 1u << (made.to.level - 1);
    imp_Vec3 way = test_random_below(2) ? (imp_Vec3){0} : random_vector(reach);
    if (motion == SHIFT_BY_VOXELS || motion == SHIFT_BY_HALVES || test_random_below(2))
        way = random_lattice_point(test_random_below(2) ? 0 : reach);
    if (motion == SHIFT_BY_HALVES)
        way = (imp_Vec3){0.5 * way.x, 0.5 * way.y, 0.5 * way.z};
    aim_at_target(&made, way);
    return made;
}

// ---- all ways to move

static void check_way(const MoveCase *made, const imp_Octree *source, imp_OctreeMoveDef *def,
                      const uint8_t *want, bool leaves, imp_Context *context, Tally *tally)
{
    imp_Octree *moved = NULL;
    imp_OctreeMoveStats stats = {0};
    imp_OctreeInfo info;
    def->stats = &stats;
    if (def->method == IMP_MOVE_TRANSLATE && made->has_rotation) {
        imp_Transform transform;
        CHECK_INT(imp_pose_transform(&made->pose, &transform), IMP_STATUS_OK);
        if (transform.rows[0][1] != 0 || transform.rows[0][2] != 0 || transform.rows[1][2] != 0)
            CHECK_INT(imp_octree_move(context, source, def, &moved), IMP_STATUS_BAD_ARGUMENT);
        CHECK(moved == NULL);
        return;
    }
    if (!CHECK_INT(imp_octree_move(context, source, def, &moved), IMP_STATUS_OK))
        return;
    check_octree(context, moved, &made->to, want, true);
    CHECK_INT(imp_octree_get_info(moved, &info), IMP_STATUS_OK);
    CHECK_INT(info.is_cut, leaves);
    CHECK(info.is_condensed && !info.has_faces);
    CHECK(stats.exact_tests <= stats.cube_tests);
    tally->exact_tests += stats.exact_tests;
    ++tally->moves;
    imp_octree_release(moved);
}

static void check_move(const MoveCase *made, const imp_Octree *source, imp_OctreeMoveRule rule, Tally *tally)
{
    size_t count = voxel_count_of(made->to.level);
    uint8_t *want = malloc(count);
    OracleMove move = {
        .black = made->black, .from = made->from, .to = made->to, .rule = rule, .slack = made->slack};
    CHECK_INT(imp_pose_transform(&made->pose, &move.transform), IMP_STATUS_OK);
    bool leaves = oracle_voxels_move(&move, want);
    imp_OctreeMoveDef def = {.pose = made->pose, .grid = made->to, .rule = rule, .slack = made->slack};
    if (memcmp(&made->to, &made->from, sizeof made->to) == 0 && test_random_below(2))
        def.grid = (imp_OctreeGrid){0};
    for (int method = 0; method < METHOD_COUNT; ++method)
        for (int way = 0; way < 6; ++way) {
            int failed = test_failed_checks();
            def.method = (imp_OctreeMoveMethod)method;
            def.compact = way / 3;
            check_way(made, source, &def, want, leaves, contexts[way % 3], tally);
            if (test_failed_checks() > failed)
                printf("  %s, %s, slack %g, method %d, %s, context %d\n", motion_names[made->motion],
                       rule_names[rule], made->slack, method, def.compact ? "compact" : "as it is", way % 3);
        }
    for (size_t i = 0; i < count; ++i)
        ++tally->voxels[made->motion][rule][want[i]];
    tally->cut += leaves;
    tally->uncut += !leaves;
    free(want);
}

static void check_tally(const Tally *tally, uint64_t count)
{
    uint64_t sums[RULE_COUNT] = {0};
    for (int motion = 0; motion < MOTION_COUNT; ++motion)
        for (int rule = 0; rule < RULE_COUNT; ++rule) {
            const uint64_t *voxels = tally->voxels[motion][rule];
            printf("  %-16s %-7s %8" PRIu64 " black voxels, %8" PRIu64 " white\n", motion_names[motion],
                   rule_names[rule], voxels[1], voxels[0]);
            uint64_t rare = count < 400 ? 10000 : 100; // few cases have any share
            CHECK(count < 5 * MOTION_COUNT || (voxels[1] * rare > voxels[0] && voxels[0] * rare > voxels[1]));
            sums[rule] += voxels[1];
        }
    printf("  %" PRIu64 " moves, %" PRIu64 " with slack, %" PRIu64 " into other grids; %" PRIu64
           " cut, %" PRIu64 " not; %" PRIu64 " tests in integers\n",
           tally->moves, tally->slack, tally->other_grids, tally->cut, tally->uncut, tally->exact_tests);
    if (count < 5 * MOTION_COUNT)
        return;
    CHECK(sums[IMP_MOVE_TOUCH] > sums[IMP_MOVE_OVERLAP] && sums[IMP_MOVE_OVERLAP] > sums[IMP_MOVE_CENTRE]);
    CHECK(tally->slack > count / 8 && tally->slack < count * 7 / 8);
    CHECK(tally->other_grids > count / 8 && tally->cut > count / 4 && tally->uncut > count / 4);
    CHECK(tally->exact_tests > count);
}

TEST(moved_octrees_are_as_the_oracle_says)
{
    uint64_t count = test_count(DEFAULT_CASES);
    Tally *tally = calloc(1, sizeof *tally);
    begin_contexts();
    for (uint64_t i = 0; i < count && test_failed_checks() < 20; ++i) {
        test_random_restart(i);
        MoveCase made = make_case((Motion)(i % MOTION_COUNT));
        imp_Octree *source = NULL;
        CHECK_INT(imp_octree_create_from_voxels(contexts[0], &made.from, made.black,
                                                voxel_count_of(made.from.level), &source),
                  IMP_STATUS_OK);
        int failed = test_failed_checks();
        for (int rule = 0; rule < RULE_COUNT; ++rule)
            check_move(&made, source, (imp_OctreeMoveRule)rule, tally);
        if (test_failed_checks() > failed)
            printf("  case %" PRIu64 "\n", i);
        tally->slack += made.slack > 0;
        tally->other_grids += memcmp(&made.to, &made.from, sizeof made.to) != 0;
        imp_octree_release(source);
    }
    check_tally(tally, count);
    end_contexts();
    free(tally);
}

// ---- motions that give the same again

// Where a voxel goes when the cube turns about its middle: -1, 0 and 1 in the matrix.
static void turn_voxels(const uint8_t *black, uint32_t level, const imp_Transform *transform, uint8_t *turned)
{
    int n = 1 << level;
    for (int i = 0; i < n * n * n; ++i) {
        int at[3] = {2 * (i / n / n) + 1 - n, 2 * (i / n % n) + 1 - n, 2 * (i % n) + 1 - n}, to[3];
        for (int r = 0; r < 3; ++r) {
            to[r] = n - 1;
            for (int c = 0; c < 3; ++c)
                to[r] += (int)round(transform->rows[r][c]) * at[c];
            to[r] /= 2;
        }
        turned[(to[0] * n + to[1]) * n + to[2]] = black[i];
    }
}

static void check_turn(int turn, uint32_t level, const uint8_t *black, const imp_Octree *source,
                       const imp_OctreeGrid *grid, uint64_t *exact)
{
    uint8_t *want = malloc(voxel_count_of(level));
    imp_Transform transform;
    imp_OctreeMoveDef def = {.pose.rotation = cube_turn(turn)};
    CHECK_INT(imp_pose_transform(&def.pose, &transform), IMP_STATUS_OK);
    turn_voxels(black, level, &transform, want);
    for (int method = 0; method <= IMP_MOVE_PARTIAL; ++method)
        for (int way = 0; way < 8; ++way) { // without slack, and with a little
            def.method = (imp_OctreeMoveMethod)method;
            def.compact = way % 2;
            def.rule = way / 2 == 0 || way / 2 == 3 ? IMP_MOVE_OVERLAP
                       : way / 2 == 1               ? IMP_MOVE_CENTRE
                                                    : IMP_MOVE_TOUCH;
            def.slack = way / 2 < 2 ? 0 : 1e-9;
            if (way / 2 == 0 && turn >= 12)
                continue; // off by 1e-16, which adds a layer
            imp_Octree *moved = NULL;
            imp_Context *context = contexts[way % 3];
            if (CHECK_INT(imp_octree_move(context, source, &def, &moved), IMP_STATUS_OK))
                check_octree(context, moved, grid, want, true);
            imp_octree_release(moved);
            *exact += way / 2 == 0;
        }
    free(want);
}

TEST(turns_of_a_cube_give_the_same_voxels)
{
    uint64_t count = test_count(DEFAULT_CASES) / 14, exact = 0;
    begin_contexts();
    for (uint64_t i = 0; i < count && test_failed_checks() < 20; ++i) {
        uint8_t black[MAX_VOXELS];
        imp_Octree *source = NULL;
        imp_OctreeGrid grid = {.voxel = 0.25, .level = 1 + test_random_below(4)};
        double least = -0.25 * (1 << (grid.level - 1));
        grid.origin = (imp_Vec3){least, least, least};
        random_voxels(grid.level, black);
        CHECK_INT(
            imp_octree_create_from_voxels(contexts[0], &grid, black, voxel_count_of(grid.level), &source),
            IMP_STATUS_OK);
        for (int turn = 0; turn < 24; ++turn)
            check_turn(turn, grid.level, black, source, &grid, &exact);
        imp_octree_release(source);
    }
    CHECK_INT(exact, count * 12 * 2 * 3);
    end_contexts();
}

TEST(shifts_by_whole_voxels_give_the_same_voxels)
{
    uint64_t count = test_count(DEFAULT_CASES), kept = 0, lost = 0;
    begin_contexts();
    for (uint64_t i = 0; i < count && test_failed_checks() < 20; ++i) {
        uint8_t black[MAX_VOXELS], want[MAX_VOXELS];
        uint32_t level = 1 + test_random_below(4);
        int n = 1 << level, steps[3];
        imp_OctreeGrid grid = {.origin = random_lattice_point(100), .voxel = 1, .level = level};
        random_voxels(level, black);
        memset(want, 0, sizeof want);
        imp_OctreeMoveDef def = {.rule = test_random_below(2) ? IMP_MOVE_OVERLAP : IMP_MOVE_CENTRE,
                                 .method = (imp_OctreeMoveMethod)(i % METHOD_COUNT),
                                 .compact = test_random_below(2)};
        for (int axis = 0; axis < 3; ++axis) {
            steps[axis] = (int)random_integer(test_random_below(2) ? 1 : n);
            (&def.pose.translation.x)[axis] = steps[axis];
        }
        bool is_cut = false;
        for (int v = 0; v < n * n * n; ++v) {
            int x = v / n / n + steps[0], y = v / n % n + steps[1], z = v % n + steps[2];
            bool is_inside = x >= 0 && y >= 0 && z >= 0 && x < n && y < n && z < n;
            is_cut |= !is_inside && black[v];
            if (is_inside)
                want[(x * n + y) * n + z] = black[v];
            ++*(is_inside ? &kept : &lost);
        }
        imp_Octree *source = NULL, *moved = NULL;
        imp_OctreeInfo info;
        imp_Context *context = contexts[i % 3];
        CHECK_INT(imp_octree_create_from_voxels(context, &grid, black, voxel_count_of(level), &source),
                  IMP_STATUS_OK);
        if (CHECK_INT(imp_octree_move(context, source, &def, &moved), IMP_STATUS_OK)) {
            check_octree(context, moved, &grid, want, true);
            CHECK_INT(imp_octree_get_info(moved, &info), IMP_STATUS_OK);
            CHECK_INT(info.is_cut, is_cut);
        }
        imp_octree_release(source);
        imp_octree_release(moved);
    }
    CHECK(kept > 10 * count && lost > 10 * count);
    end_contexts();
}

// ---- deep octrees, of which a few voxels here and there are looked at

#define DEEP_LEVEL 6
#define PART_LEVEL 2

// Solids on a grid whose corners have few digits, so that parts of it are grids with the same corners.
static imp_Octree *make_deep_octree(uint32_t kind, uint8_t *black)
{
    imp_Mesh *mesh = NULL;
    imp_Octree *octree = NULL;
    imp_Status status = kind == 0   ? scene_bumpy_sphere(contexts[0], 16, 12, 1, 0.4, test_random(), &mesh)
                        : kind == 1 ? scene_torus(contexts[0], 16, 8, 0.8, 0.15, &mesh)
                                    : scene_hollow_sphere(contexts[0], 12, 8, 1, 0.8, &mesh);
    CHECK_INT(status, IMP_STATUS_OK);
    imp_OctreeDef def = {.mesh = mesh, .grid = {.level = DEEP_LEVEL}};
    CHECK_INT(imp_octree_create(contexts[1], &def, &octree), IMP_STATUS_OK);
    CHECK_INT(imp_octree_get_voxels(contexts[1], octree, black, voxel_count_of(DEEP_LEVEL)), IMP_STATUS_OK);
    imp_mesh_release(mesh);
    return octree;
}

static void check_part(const imp_Octree *moved, const OracleMove *move, const imp_OctreeGrid *grid,
                       uint64_t colours[2])
{
    uint8_t want[1 << 3 * PART_LEVEL];
    uint32_t n = 1u << PART_LEVEL, first[3], parts = 1u << (grid->level - PART_LEVEL);
    OracleMove part = *move;
    part.to = (imp_OctreeGrid){.voxel = grid->voxel, .level = PART_LEVEL};
    for (int axis = 0; axis < 3; ++axis) { // in the middle half, where most is
        first[axis] = n * (parts / 4 + test_random_below(parts / 2));
        (&part.to.origin.x)[axis] = oracle_grid_corner(grid, axis, first[axis]);
        for (uint32_t i = 0; i <= n; ++i)
            CHECK_DOUBLE(oracle_grid_corner(&part.to, axis, i),
                         oracle_grid_corner(grid, axis, first[axis] + i));
    }
    oracle_voxels_move(&part, want);
    int wrong = 0;
    for (uint32_t v = 0; v < 1u << 3 * PART_LEVEL; ++v) {
        imp_CellColour colour = IMP_CELL_GRAY;
        CHECK_INT(imp_octree_get_colour(moved, grid->level, first[0] + v / n / n, first[1] + v / n % n,
                                        first[2] + v % n, &colour),
                  IMP_STATUS_OK);
        wrong += colour != (want[v] ? IMP_CELL_BLACK : IMP_CELL_WHITE);
        ++colours[want[v]];
    }
    CHECK_INT(wrong, 0);
}

// All ways give the same text, of which one is returned as an octree.
static imp_Octree *move_all_ways(const imp_Octree *source, imp_OctreeMoveDef *def, bool has_rotation)
{
    imp_Octree *first = NULL;
    size_t length = 0, other_length;
    char *text = NULL;
    for (int way = 0; way < 6 * METHOD_COUNT; ++way) {
        imp_Octree *moved = NULL;
        def->method = (imp_OctreeMoveMethod)(way / 6);
        def->compact = way % 2;
        if ((def->method == IMP_MOVE_TRANSLATE && has_rotation) ||
            !CHECK_INT(imp_octree_move(contexts[way % 3], source, def, &moved), IMP_STATUS_OK))
            continue;
        char *other = df_text_of(contexts[0], moved, &other_length);
        if (!text) {
            text = other;
            length = other_length;
            first = moved;
            continue;
        }
        CHECK(length == other_length && memcmp(text, other, length) == 0);
        free(other);
        imp_octree_release(moved);
    }
    free(text);
    return first;
}

static void check_deep_motion(uint64_t number, uint64_t colours[2])
{
    uint8_t *black = malloc(voxel_count_of(DEEP_LEVEL));
    imp_Octree *source = make_deep_octree((uint32_t)(number % 3), black);
    Motion motion = (Motion)(SHIFT_ANY + number % (MOTION_COUNT - SHIFT_ANY));
    imp_OctreeInfo info;
    CHECK_INT(imp_octree_get_info(source, &info), IMP_STATUS_OK);
    MoveCase made = {.motion = motion, .from = info.grid, .to = info.grid};
    made.to.level = DEEP_LEVEL - test_random_below(2);
    made.to.voxel *= test_random_below(2) ? 1 : 2;
    made.slack = test_random_below(2) ? 0 : 1e-9;
    if (motion != SHIFT_ANY)
        made.pose.rotation = motion == TURN_OF_CUBE ? cube_turn(1 + (int)test_random_below(23))
                             : motion == TURN_FINE  ? random_turn(1e-9)
                                                    : random_turn(6);
    aim_at_target(&made, test_random_below(2) ? (imp_Vec3){0} : random_vector(8));
    OracleMove move = {.black = black, .from = made.from, .slack = made.slack};
    CHECK_INT(imp_pose_transform(&made.pose, &move.transform), IMP_STATUS_OK);
    for (int rule = 0; rule < RULE_COUNT; ++rule) {
        imp_OctreeMoveDef def = {
            .pose = made.pose, .grid = made.to, .rule = (imp_OctreeMoveRule)rule, .slack = made.slack};
        imp_Octree *moved = move_all_ways(source, &def, motion != SHIFT_ANY);
        move.rule = (imp_OctreeMoveRule)rule;
        for (int part = 0; moved && part < 4; ++part)
            check_part(moved, &move, &made.to, colours);
        imp_octree_release(moved);
    }
    imp_octree_release(source);
    free(black);
}

TEST(deep_octrees_move_as_the_oracle_says)
{
    uint64_t count = test_count(DEFAULT_CASES) / 56 + 1, colours[2] = {0};
    begin_contexts();
    for (uint64_t i = 0; i < count && test_failed_checks() < 20; ++i) {
        test_random_restart(i);
        check_deep_motion(i, colours);
    }
    printf("  %" PRIu64 " black voxels, %" PRIu64 " white\n", colours[1], colours[0]);
    CHECK(count < 2 || (colours[1] > count && colours[0] > count));
    end_contexts();
}
