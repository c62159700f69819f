/// Octrees of meshes against an oracle that looks at every voxel by itself, in whole numbers of any length:
/// each cell of each level, lists of faces, points, counts; by every rule, on 1, 2 and 5 threads.
#include "harness.h"
#include "octree_arrays.h"
#include "oracle/case_numbers.h"
#include "oracle/octree_cases.h"
#include "oracle/octree_oracle.h"
#include "sanitizers.h"

#include <impinge/impinge.h>

#include <inttypes.h>
#include <stdio.h>

#if defined(TEST_UNDER_SANITIZER)
#define DEFAULT_MESHES 15
#else
#define DEFAULT_MESHES 60
#endif
#define RULE_COUNT (IMP_OCTREE_FACES + 1)

static const char *const rule_names[RULE_COUNT] = {"outer", "inner", "centre", "touch", "sealed", "faces"};

typedef struct Tally {
    uint64_t kinds[OCTREE_KIND_COUNT], places[OCTREE_PLACE_COUNT], levels[5];
    uint64_t voxels[RULE_COUNT][2], cells[RULE_COUNT][3]; // by colour
    uint64_t facts[16], cut, around, points[2], listed;
} Tally;

// ---- what is looked at

static void check_lists(const imp_Octree *octree, const OracleVoxels *truth, bool has_faces, Tally *tally)
{
    imp_OctreeInfo info;
    uint64_t wrong = 0, total = 0;
    CHECK_INT(imp_octree_get_info(octree, &info), IMP_STATUS_OK);
    for (uint32_t v = 0; v < truth->count; ++v) {
        const uint32_t *faces = NULL;
        size_t count = 0, next = 0;
        uint32_t n = truth->edge;
        CHECK_INT(imp_octree_get_faces(octree, v / n / n, v / n % n, v % n, &faces, &count), IMP_STATUS_OK);
        for (uint32_t face = 0; face < truth->face_count && has_faces; ++face)
            if (truth->face_lists[v * truth->face_count + face]) {
                wrong += next >= count || faces[next] != face;
                ++next;
            }
        wrong += next != count;
        total += count;
    }
    CHECK_INT(wrong, 0);
    CHECK_INT(info.has_faces, has_faces);
    CHECK_INT(info.face_count, total);
    tally->listed += total;
}

// Corners and centers of voxels, ulps beside them, and anything.
static imp_Vec3 random_point_on_grid(const imp_OctreeGrid *grid)
{
    imp_Vec3 point;
    for (int axis = 0; axis < 3; ++axis) {
        uint32_t i = test_random_below(1u << grid->level), choice = test_random_below(8);
        double low = oracle_grid_corner(grid, axis, i), high = oracle_grid_corner(grid, axis, i + 1);
        double unit = test_random_unit();
        (&point.x)[axis] = choice < 3    ? low
                           : choice == 3 ? one_ulp_off(low)
                           : choice == 4 ? low + (high - low) * 0.5
                           : choice == 5 ? low - 3 * (high - low)
                                         : low + (high - low) * unit;
    }
    return point;
}

static bool is_point_black(const imp_OctreeGrid *grid, const uint8_t *black, const imp_Vec3 *point)
{
    uint32_t n = 1u << grid->level, low[3], high[3];
    for (int axis = 0; axis < 3; ++axis) { // voxels that hold it along the axis: none, one or two
        double at = (&point->x)[axis];
        low[axis] = n;
        high[axis] = 0;
        for (uint32_t i = 0; i < n; ++i)
            if (oracle_grid_corner(grid, axis, i) <= at && at <= oracle_grid_corner(grid, axis, i + 1)) {
                low[axis] = i < low[axis] ? i : low[axis];
                high[axis] = i + 1;
            }
    }
    for (uint32_t x = low[0]; x < high[0]; ++x)
        for (uint32_t y = low[1]; y < high[1]; ++y)
            for (uint32_t z = low[2]; z < high[2]; ++z)
                if (black[((size_t)x * n + y) * n + z])
                    return true;
    return false;
}

#define POINT_COUNT 64

static void check_points(imp_Context *context, const imp_Octree *octree, const imp_OctreeGrid *grid,
                         const uint8_t *black, Tally *tally)
{
    imp_Vec3 points[POINT_COUNT];
    imp_CellColour colours[POINT_COUNT];
    int wrong = 0;
    for (int i = 0; i < POINT_COUNT; ++i)
        points[i] = random_point_on_grid(grid);
    CHECK_INT(imp_octree_locate_points(context, octree, points, POINT_COUNT, colours), IMP_STATUS_OK);
    for (int i = 0; i < POINT_COUNT; ++i) {
        bool is_black = is_point_black(grid, black, &points[i]);
        wrong += colours[i] != (is_black ? IMP_CELL_BLACK : IMP_CELL_WHITE);
        ++tally->points[is_black];
    }
    CHECK_INT(wrong, 0);
}

static void check_rule(imp_Context *context, const OctreeCase *made, const OracleVoxels *truth,
                       imp_OctreeRule rule, Tally *tally)
{
    bool is_condensed = rule != IMP_OCTREE_FACES;
    imp_OctreeDef def = {.mesh = made->mesh, .grid = made->grid, .rule = rule};
    if (made->is_grid_around)
        def.grid = (imp_OctreeGrid){.level = made->grid.level};
    imp_Octree *octree = NULL;
    imp_OctreeInfo info;
    if (rule < IMP_OCTREE_SEALED && !made->is_closed) {
        CHECK_INT(imp_octree_create(context, &def, &octree), IMP_STATUS_BAD_SHAPE);
        CHECK_CONTAINS(imp_context_get_error(context)->message, "edge");
        CHECK(imp_context_get_error(context)->index < truth->face_count);
        return;
    }
    if (!CHECK_INT(imp_octree_create(context, &def, &octree), IMP_STATUS_OK))
        return;
    uint8_t *black = malloc(truth->count);
    oracle_voxels_colour(truth, rule, black);
    check_octree(context, octree, &made->grid, black, is_condensed);
    CHECK_INT(imp_octree_get_info(octree, &info), IMP_STATUS_OK);
    CHECK_INT(info.is_cut, truth->is_cut);
    check_lists(octree, truth, !is_condensed, tally);
    check_points(context, octree, &made->grid, black, tally);
    for (size_t i = 0; i < truth->count; ++i)
        ++tally->voxels[rule][black[i]];
    for (uint32_t l = 0; l <= made->grid.level; ++l) {
        tally->cells[rule][IMP_CELL_WHITE] += info.white_count[l];
        tally->cells[rule][IMP_CELL_BLACK] += info.black_count[l];
        tally->cells[rule][IMP_CELL_GRAY] += info.gray_count[l];
    }
    free(black);
    imp_octree_release(octree);
}

// ---- cases

static void check_tally(const Tally *tally, uint64_t count)
{
    for (int i = 0; i < OCTREE_KIND_COUNT; ++i)
        CHECK(count < 2 * OCTREE_KIND_COUNT || tally->kinds[i] >= count / OCTREE_KIND_COUNT);
    for (int i = 0; i < OCTREE_PLACE_COUNT; ++i) {
        printf("  %-6s %6" PRIu64 " meshes\n", octree_place_names[i], tally->places[i]);
        CHECK(count < 60 || tally->places[i] > count / 40);
    }
    for (int rule = 0; rule < RULE_COUNT; ++rule) {
        const uint64_t *voxels = tally->voxels[rule], *cells = tally->cells[rule];
        printf("  %-6s %9" PRIu64 " black voxels, %10" PRIu64 " white; cells: %8" PRIu64 " black, %8" PRIu64
               " white, %8" PRIu64 " gray\n",
               rule_names[rule], voxels[1], voxels[0], cells[IMP_CELL_BLACK], cells[IMP_CELL_WHITE],
               cells[IMP_CELL_GRAY]);
        CHECK(voxels[1] * 50 > voxels[0] && voxels[0] * 10 > voxels[1]);
        CHECK(cells[IMP_CELL_BLACK] * 20 > cells[IMP_CELL_GRAY] && cells[IMP_CELL_GRAY] > count);
    }
    for (int i = 0; i < 16; ++i)
        if (tally->facts[i])
            printf("  %10" PRIu64 " voxels:%s%s%s%s\n", tally->facts[i], i & ORACLE_MEETS ? " met" : "",
                   i & ORACLE_TOUCHES ? " touched" : "", i & ORACLE_CENTRE_ON ? " center on the surface" : "",
                   i & ORACLE_CENTRE_WOUND ? " center inside" : "");
    uint64_t total = 0;
    for (int i = 0; i < 16; ++i)
        total += tally->facts[i];
    CHECK(tally->facts[0] > total / 10 && tally->facts[ORACLE_CENTRE_WOUND] > total / 1000);
    CHECK(tally->facts[ORACLE_TOUCHES] > total / 100); // only its boundary, outside
    CHECK(tally->facts[ORACLE_TOUCHES | ORACLE_CENTRE_WOUND] > total / 1000);
    CHECK(tally->facts[ORACLE_TOUCHES | ORACLE_MEETS] > total / 20);
    CHECK(tally->facts[ORACLE_TOUCHES | ORACLE_MEETS | ORACLE_CENTRE_WOUND] > total / 1000);
    CHECK(tally->facts[ORACLE_TOUCHES | ORACLE_MEETS | ORACLE_CENTRE_ON] > total / 10000);
    printf("  %" PRIu64 " are cut, %" PRIu64 " grids around; %" PRIu64 " faces in lists; points: %" PRIu64
           " black, %" PRIu64 " white\n",
           tally->cut, tally->around, tally->listed, tally->points[1], tally->points[0]);
    CHECK(tally->cut > count / 20 && tally->around > count / 10 && tally->listed > count);
    CHECK(tally->points[1] > 10 * count && tally->points[0] > 10 * count);
}

TEST(every_cell_is_as_the_oracle_says)
{
    static const uint32_t thread_counts[3] = {1, 2, 5};
    uint64_t count = test_count(DEFAULT_MESHES);
    Tally *tally = calloc(1, sizeof *tally);
    imp_Context *contexts[3];
    for (int i = 0; i < 3; ++i)
        CHECK_INT(imp_context_create(&(imp_ContextDef){.thread_count = thread_counts[i]}, &contexts[i]),
                  IMP_STATUS_OK);
    for (uint64_t i = 0; i < count && test_failed_checks() < 20; ++i) {
        test_random_restart(i);
        imp_Context *context = contexts[test_random_below(3)];
        OctreeCase made = octree_case_make(context, (OctreeKind)(i % OCTREE_KIND_COUNT), 4);
        int failed = test_failed_checks();
        // Soups may be closed by chance.
        CHECK_INT(imp_mesh_is_closed(context, made.mesh, &made.is_closed), IMP_STATUS_OK);
        OracleVoxels truth = oracle_voxels_make(made.mesh, &made.grid, made.is_closed);
        for (int rule = 0; rule < RULE_COUNT; ++rule)
            check_rule(context, &made, &truth, (imp_OctreeRule)rule, tally);
        if (test_failed_checks() > failed)
            printf("  case %" PRIu64 ": %s, %s, level %u\n", i, octree_kind_names[made.kind],
                   octree_place_names[made.place], made.grid.level);
        for (size_t v = 0; v < truth.count && made.is_closed; ++v)
            ++tally->facts[truth.facts[v]];
        ++tally->kinds[made.kind];
        ++tally->places[made.place];
        tally->cut += truth.is_cut;
        tally->around += made.is_grid_around;
        oracle_voxels_free(&truth);
        octree_case_free(&made);
    }
    check_tally(tally, count);
    for (int i = 0; i < 3; ++i)
        imp_context_destroy(contexts[i]);
    free(tally);
}
