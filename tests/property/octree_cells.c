/// Octrees of meshes against an oracle that looks at every voxel by itself, in whole numbers of any length:
/// each cell of each level, lists of faces, points, counts; by every rule, on 1, 2 and 5 threads.
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
#define DEFAULT_MESHES 15
#else
#define DEFAULT_MESHES 120
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

static void print_tally(const Tally *tally)
{
    for (int i = 0; i < OCTREE_PLACE_COUNT; ++i)
        printf("  %-6s %6" PRIu64 " meshes\n", octree_place_names[i], tally->places[i]);
    for (int rule = 0; rule < RULE_COUNT; ++rule) {
        const uint64_t *voxels = tally->voxels[rule], *cells = tally->cells[rule];
        printf("  %-6s %9" PRIu64 " black voxels, %10" PRIu64 " white; cells: %8" PRIu64 " black, %8" PRIu64
               " white, %8" PRIu64 " gray\n",
               rule_names[rule], voxels[1], voxels[0], cells[IMP_CELL_BLACK], cells[IMP_CELL_WHITE],
               cells[IMP_CELL_GRAY]);
    }
    for (int i = 0; i < 16; ++i)
        if (tally->facts[i])
            printf("  %10" PRIu64 " voxels:%s%s%s%s\n", tally->facts[i], i & ORACLE_MEETS ? " met" : "",
                   i & ORACLE_TOUCHES ? " touched" : "", i & ORACLE_CENTRE_ON ? " center on the surface" : "",
                   i & ORACLE_CENTRE_WOUND ? " center inside" : "");
    printf("  %" PRIu64 " are cut, %" PRIu64 " grids around; %" PRIu64 " faces in lists; points: %" PRIu64
           " black, %" PRIu64 " white\n",
           tally->cut, tally->around, tally->listed, tally->points[1], tally->points[0]);
}

// Shares of what is rare need many meshes.
static void check_tally(const Tally *tally, uint64_t count)
{
    const uint64_t *facts = tally->facts;
    uint64_t total = 0;
    for (int i = 0; i < 16; ++i)
        total += facts[i];
    for (int i = 0; i < OCTREE_KIND_COUNT; ++i)
        CHECK(tally->kinds[i] >= count / OCTREE_KIND_COUNT);
    for (int i = 0; i < OCTREE_PLACE_COUNT; ++i)
        CHECK(tally->places[i] > count / 50);
    for (int rule = 0; rule < RULE_COUNT; ++rule) {
        const uint64_t *voxels = tally->voxels[rule], *cells = tally->cells[rule];
        CHECK(voxels[1] * 100 > voxels[0] && voxels[0] * 5 > voxels[1]);
        CHECK(cells[IMP_CELL_BLACK] * 20 > cells[IMP_CELL_GRAY] && cells[IMP_CELL_GRAY] > count);
    }
    CHECK(facts[0] > total / 10 && facts[ORACLE_CENTRE_WOUND] > total / 1000);
    CHECK(facts[ORACLE_TOUCHES] > total / 1000); // outside, and only on its boundary
    CHECK(facts[ORACLE_TOUCHES | ORACLE_CENTRE_WOUND] > total / 10000);
    CHECK(facts[ORACLE_TOUCHES | ORACLE_MEETS] > total / 50);
    CHECK(facts[ORACLE_TOUCHES | ORACLE_MEETS | ORACLE_CENTRE_WOUND] > total / 1000);
    CHECK(facts[ORACLE_TOUCHES | ORACLE_MEETS | ORACLE_CENTRE_ON] > total / 20000);
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
    print_tally(tally);
    if (count >= 100)
        check_tally(tally, count);
    for (int i = 0; i < 3; ++i)
        imp_context_destroy(contexts[i]);
    free(tally);
}

// ---- deep octrees, of which a few voxels here and there are looked at

#define PART_LEVEL 2

// The oracle knows a small part of a grid as a grid of its own, whose corners are the same.
static uint64_t check_part(const imp_Octree *const octrees[RULE_COUNT], const imp_Mesh *mesh,
                           const imp_OctreeGrid *grid, const imp_Vec3 *near, uint64_t facts[16])
{
    uint32_t n = 1u << PART_LEVEL, first[3];
    uint64_t wrong = 0;
    imp_OctreeGrid part = {.voxel = grid->voxel, .level = PART_LEVEL};
    for (int axis = 0; axis < 3; ++axis) {
        double at = ((&near->x)[axis] - (&grid->origin.x)[axis]) / grid->voxel - test_random_unit() * n;
        at = fmin(fmax(floor(at), 0), (1u << grid->level) - n);
        first[axis] = (uint32_t)at;
        (&part.origin.x)[axis] = oracle_grid_corner(grid, axis, first[axis]);
        for (uint32_t i = 0; i <= n; ++i)
            CHECK_DOUBLE(oracle_grid_corner(&part, axis, i), oracle_grid_corner(grid, axis, first[axis] + i));
    }
    OracleVoxels truth = oracle_voxels_make(mesh, &part, true);
    uint8_t black[1 << 3 * PART_LEVEL];
    for (int rule = 0; rule < RULE_COUNT; ++rule) {
        if (rule == IMP_OCTREE_SEALED)
            continue; // what is sealed depends on what is around
        oracle_voxels_colour(&truth, (imp_OctreeRule)rule, black);
        for (uint32_t v = 0; v < truth.count; ++v) {
            imp_CellColour colour = IMP_CELL_GRAY;
            CHECK_INT(imp_octree_get_colour(octrees[rule], grid->level, first[0] + v / n / n,
                                            first[1] + v / n % n, first[2] + v % n, &colour),
                      IMP_STATUS_OK);
            wrong += colour != (black[v] ? IMP_CELL_BLACK : IMP_CELL_WHITE);
        }
    }
    for (uint32_t v = 0; v < truth.count; ++v)
        ++facts[truth.facts[v]];
    oracle_voxels_free(&truth);
    return wrong;
}

static imp_Mesh *make_large_mesh(imp_Context *context, uint32_t kind)
{
    imp_Mesh *mesh = NULL, *other = NULL, *both = NULL;
    imp_Status status = kind == 0   ? scene_bumpy_sphere(context, 24, 20, 1, 0.3, test_random(), &mesh)
                        : kind == 1 ? scene_torus(context, 20, 12, 1, 0.25, &mesh)
                                    : scene_box(context, (imp_Vec3){-1, -0.5, -0.25},
                                                (imp_Vec3){0.75, 0.375, 0.03125}, &mesh);
    CHECK_INT(status, IMP_STATUS_OK);
    if (kind == 1) // pierced
        CHECK_INT(scene_sphere(context, 16, 9, 0.9, &other), IMP_STATUS_OK);
    else // a cavity, or not
        CHECK_INT(scene_hollow_sphere(context, 10, 6, 0.4, 0.3, &other), IMP_STATUS_OK);
    CHECK_INT(scene_join(context, mesh, other, &both), IMP_STATUS_OK);
    imp_mesh_release(mesh);
    imp_mesh_release(other);
    return both;
}

static void check_deep_mesh(imp_Context *contexts[3], uint32_t kind, uint64_t facts[16])
{
    imp_Mesh *mesh = make_large_mesh(contexts[0], kind);
    imp_OctreeDef def = {.mesh = mesh, .grid = {.level = 6 + test_random_below(3)}};
    imp_Octree *octrees[RULE_COUNT] = {NULL};
    imp_OctreeInfo info;
    for (int rule = 0; rule < RULE_COUNT; ++rule) {
        def.rule = (imp_OctreeRule)rule;
        if (!CHECK_INT(imp_octree_create(contexts[rule % 3], &def, &octrees[rule]), IMP_STATUS_OK))
            return;
        imp_Octree *again = NULL;
        CHECK_INT(imp_octree_create(contexts[(rule + 1) % 3], &def, &again), IMP_STATUS_OK);
        size_t length, again_length;
        char *text = df_text_of(contexts[0], octrees[rule], &length),
             *again_text = df_text_of(contexts[0], again, &again_length);
        CHECK(length == again_length && memcmp(text, again_text, length) == 0);
        free(text);
        free(again_text);
        imp_octree_release(again);
    }
    CHECK_INT(imp_octree_get_info(octrees[0], &info), IMP_STATUS_OK);
    for (int part = 0; part < 6; ++part) {
        uint32_t vertex = test_random_below((uint32_t)imp_mesh_get_vertex_count(mesh));
        const imp_Vec3 *near = &imp_mesh_get_vertices(mesh)[vertex];
        CHECK_INT(check_part((const imp_Octree *const *)octrees, mesh, &info.grid, near, facts), 0);
    }
    for (int rule = 0; rule < RULE_COUNT; ++rule)
        imp_octree_release(octrees[rule]);
    imp_mesh_release(mesh);
}

TEST(deep_octrees_are_as_the_oracle_says)
{
    static const uint32_t thread_counts[3] = {1, 2, 5};
    uint64_t count = test_count(DEFAULT_MESHES) / 40 + 1, facts[16] = {0}, voxels = 0;
    imp_Context *contexts[3];
    for (int i = 0; i < 3; ++i)
        CHECK_INT(imp_context_create(&(imp_ContextDef){.thread_count = thread_counts[i]}, &contexts[i]),
                  IMP_STATUS_OK);
    for (uint64_t i = 0; i < count && test_failed_checks() < 20; ++i) {
        test_random_restart(i);
        check_deep_mesh(contexts, (uint32_t)(i % 3), facts);
    }
    for (int i = 0; i < 16; ++i)
        voxels += facts[i];
    printf("  %" PRIu64 " voxels: %" PRIu64 " empty outside, %" PRIu64 " empty inside\n", voxels, facts[0],
           facts[ORACLE_CENTRE_WOUND]);
    CHECK(count < 3 || (facts[0] > voxels / 10 && facts[ORACLE_CENTRE_WOUND] > voxels / 50 &&
                        facts[0] + facts[ORACLE_CENTRE_WOUND] < voxels * 9 / 10));
    for (int i = 0; i < 3; ++i)
        imp_context_destroy(contexts[i]);
}

// ---- grids

// Along an axis: does a cube of voxels of this size, a power of two, hold the mesh anywhere?
static bool could_hold(const imp_Box *bounds, double voxel, uint32_t level)
{
    for (int axis = 0; axis < 3; ++axis) {
        double low = floor((&bounds->min.x)[axis] / voxel), high = ceil((&bounds->max.x)[axis] / voxel);
        if (high - low > 1u << level)
            return false;
    }
    return true;
}

static void check_grid_around(const imp_Mesh *mesh, uint32_t level, uint64_t *smallest)
{
    imp_OctreeGrid grid;
    imp_Box bounds = imp_mesh_get_bounds(mesh);
    int exponent;
    if (!CHECK_INT(imp_octree_grid_around(mesh, level, &grid), IMP_STATUS_OK))
        return;
    CHECK_INT(grid.level, level);
    CHECK(frexp(grid.voxel, &exponent) == 0.5);
    double furthest = 0;
    for (int axis = 0; axis < 3; ++axis) {
        double origin = (&grid.origin.x)[axis], low = (&bounds.min.x)[axis], high = (&bounds.max.x)[axis];
        double end = oracle_grid_corner(&grid, axis, 1u << level);
        CHECK(fmod(origin, grid.voxel) == 0);
        CHECK(origin <= low && high <= end && isfinite(end));
        CHECK(fabs((low - origin) - (end - high)) <= 2 * grid.voxel);
        for (uint32_t i = 0; i < 1u << level; ++i)
            CHECK(oracle_grid_corner(&grid, axis, i) < oracle_grid_corner(&grid, axis, i + 1));
        furthest = fmax(furthest, fmax(fabs(origin), fabs(end)));
    }
    // Smaller ones would not hold the mesh, or their corners be no doubles.
    double half = 0.5 * grid.voxel;
    bool is_bound_by_mesh = half > 0 && !could_hold(&bounds, half, level);
    *smallest += is_bound_by_mesh;
    CHECK(is_bound_by_mesh || half == 0 || furthest / half >= 0x1p52);
}

TEST(grids_around_meshes_are_the_smallest)
{
    uint64_t count = 20 * test_count(DEFAULT_MESHES), smallest = 0;
    imp_Context *context = NULL;
    CHECK_INT(imp_context_create(NULL, &context), IMP_STATUS_OK);
    for (uint64_t i = 0; i < count && test_failed_checks() < 20; ++i) {
        static const uint32_t indices[3] = {0, 1, 2};
        imp_Vec3 vertices[3];
        imp_Mesh *mesh = NULL;
        uint32_t choice = test_random_below(5);
        double size = choice == 0 ? random_of_any_size() : pow(2, (int)test_random_below(60) - 30);
        imp_Vec3 offset = random_vector(1e3);
        for (int k = 0; k < 3; ++k) {
            vertices[k] = choice < 2 ? random_vector(fmin(fabs(size), 1e300)) : random_lattice_point(64);
            if (choice == 3)
                vertices[k] = along(offset, 1e-6, vertices[k]);
            if (choice == 4)
                vertices[k] = vertices[0]; // a point
        }
        imp_MeshDef def = {
            .vertices = &vertices->x, .vertex_count = 3, .indices = indices, .triangle_count = 1};
        CHECK_INT(imp_mesh_create(context, &def, &mesh), IMP_STATUS_OK);
        check_grid_around(mesh, 1 + test_random_below(7), &smallest);
        imp_mesh_release(mesh);
    }
    printf("  %" PRIu64 " of %" PRIu64 " as small as the mesh lets them\n", smallest, count);
    CHECK(smallest > count / 2 && smallest < count);
    imp_context_destroy(context);
}
