/// Octrees as sets of voxels beside arrays of them: union, intersection, difference, complement, equality;
/// from voxels, text and the mesh of their surface and back; few cubes that cover what is black.
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
#define DEFAULT_CASES 100
#else
#define DEFAULT_CASES 400
#endif
#define MAX_LEVEL  4
#define MAX_VOXELS 4096

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

static imp_OctreeGrid random_grid(void)
{
    uint32_t level = 1 + test_random_below(MAX_LEVEL), place = test_random_below(8);
    return random_octree_grid(level, place < OCTREE_PLACE_COUNT ? (OctreePlace)place : PLACE_PLAIN);
}

// Cells of one colour that go on as gray cells for some levels, here and there, or none.
static void split_cells(CellArrays *cells, uint32_t l, size_t i, uint32_t one_in)
{
    if (l == cells->level)
        return;
    if (cells->colours[l][i] != IMP_CELL_GRAY) {
        if (one_in == 0 || test_random_below(one_in) != 0)
            return;
        cells->colours[l][i] = IMP_CELL_GRAY;
    }
    for (unsigned octant = 0; octant < 8; ++octant)
        split_cells(cells, l + 1, child_index(l, i, octant), one_in);
}

static imp_Octree *octree_of_cells(imp_Context *context, const imp_OctreeGrid *grid, const CellArrays *cells)
{
    imp_Octree *octree = NULL;
    char *text = malloc(2 * voxel_count_of(grid->level));
    size_t length = cell_arrays_write(cells, 0, 0, text);
    CHECK_INT(imp_octree_create_from_df(context, grid, text, length, &octree), IMP_STATUS_OK);
    free(text);
    return octree;
}

// Of voxels, or of a tree that is not condensed.
static imp_Octree *octree_of_voxels(imp_Context *context, const imp_OctreeGrid *grid, const uint8_t *black)
{
    imp_Octree *octree = NULL;
    CellArrays cells = cell_arrays_make(black, grid->level, true);
    split_cells(&cells, 0, 0, test_random_below(4));
    if (test_random_below(2))
        octree = octree_of_cells(context, grid, &cells);
    else
        CHECK_INT(imp_octree_create_from_voxels(context, grid, black, voxel_count_of(grid->level), &octree),
                  IMP_STATUS_OK);
    cell_arrays_free(&cells);
    return octree;
}

// ---- sets

static void check_sets(imp_Context *context, const imp_OctreeGrid *grid, const uint8_t *a, const uint8_t *b,
                       uint64_t equal_count[2])
{
    size_t count = voxel_count_of(grid->level);
    uint8_t want[MAX_VOXELS];
    imp_Octree *octrees[2] = {octree_of_voxels(context, grid, a), octree_of_voxels(context, grid, b)};
    bool are_equal = memcmp(a, b, count) != 0, want_equal = !are_equal;
    for (int operation = 0; operation <= IMP_OCTREE_DIFFERENCE; ++operation) {
        imp_Octree *result = NULL;
        for (size_t i = 0; i < count; ++i)
            want[i] = operation == IMP_OCTREE_UNION          ? a[i] | b[i]
                      : operation == IMP_OCTREE_INTERSECTION ? a[i] & b[i]
                                                             : a[i] & (b[i] ^ 1);
        if (CHECK_INT(
                imp_octree_combine(context, (imp_OctreeOperation)operation, octrees[0], octrees[1], &result),
                IMP_STATUS_OK))
            check_octree(context, result, grid, want, true);
        imp_octree_release(result);
    }
    for (int i = 0; i < 2; ++i) {
        imp_Octree *result = NULL;
        for (size_t v = 0; v < count; ++v)
            want[v] = (i ? b : a)[v] ^ 1;
        if (CHECK_INT(imp_octree_complement(context, octrees[i], &result), IMP_STATUS_OK))
            check_octree(context, result, grid, want, true);
        imp_octree_release(result);
    }
    CHECK_INT(imp_octree_equal(octrees[0], octrees[1], &are_equal), IMP_STATUS_OK);
    CHECK_INT(are_equal, want_equal);
    ++equal_count[want_equal];
    imp_octree_release(octrees[0]);
    imp_octree_release(octrees[1]);
}

static void check_other_grid(imp_Context *context, const imp_OctreeGrid *grid, const uint8_t *black)
{
    imp_OctreeGrid other = *grid;
    uint32_t choice = test_random_below(4);
    if (choice == 3)
        other.voxel = nextafter(other.voxel, INFINITY);
    else
        (&other.origin.x)[choice] += grid->voxel;
    imp_Octree *a = octree_of_voxels(context, grid, black), *b = octree_of_voxels(context, &other, black);
    imp_Octree *result = NULL;
    bool are_equal = true;
    CHECK_INT(imp_octree_combine(context, IMP_OCTREE_UNION, a, b, &result), IMP_STATUS_BAD_ARGUMENT);
    CHECK(result == NULL);
    CHECK_INT(imp_octree_equal(a, b, &are_equal), IMP_STATUS_OK);
    CHECK(!are_equal);
    imp_octree_release(a);
    imp_octree_release(b);
}

TEST(sets_are_as_bits)
{
    uint64_t count = test_count(DEFAULT_CASES), equal_count[2] = {0};
    begin_contexts();
    for (uint64_t i = 0; i < count && test_failed_checks() < 20; ++i) {
        uint8_t a[MAX_VOXELS], b[MAX_VOXELS];
        test_random_restart(i);
        imp_OctreeGrid grid = random_grid();
        uint32_t choice = test_random_below(4);
        random_voxels(grid.level, a);
        random_voxels(grid.level, b);
        if (choice < 2)
            memcpy(b, a, sizeof a);
        if (choice == 1)
            b[test_random_below((uint32_t)voxel_count_of(grid.level))] ^= 1;
        check_sets(contexts[i % 3], &grid, a, b, equal_count);
        check_other_grid(contexts[i % 3], &grid, a);
    }
    printf("  %" PRIu64 " pairs are equal, %" PRIu64 " are not\n", equal_count[1], equal_count[0]);
    CHECK(equal_count[1] > count / 10 && equal_count[0] > count / 10);
    end_contexts();
}

// ---- text

// White space anywhere, and G for some gray cells. Returns the length.
static size_t roughen(const char *text, size_t length, char *rough)
{
    static const char spaces[] = " \n\t\r";
    size_t at = 0;
    for (size_t i = 0; i <= length; ++i) {
        while (test_random_below(8) == 0)
            rough[at++] = spaces[test_random_below(4)];
        if (i < length)
            rough[at++] = text[i] == '(' && test_random_below(2) ? 'G' : text[i];
    }
    return at;
}

static void check_refused(imp_Context *context, const imp_OctreeGrid *grid, const char *text, size_t length,
                          imp_Status status, uint64_t index)
{
    imp_Octree *octree = NULL;
    CHECK_INT(imp_octree_create_from_df(context, grid, text, length, &octree), status);
    CHECK_INT((int64_t)imp_context_get_error(context)->index, (int64_t)index);
    CHECK(octree == NULL);
}

static void check_wrong_texts(imp_Context *context, const imp_OctreeGrid *grid, char *text, size_t length)
{
    size_t cut = test_random_below((uint32_t)length), at = test_random_below((uint32_t)length);
    char letter = text[at];
    check_refused(context, grid, text, cut, IMP_STATUS_BAD_FILE, cut);
    text[length] = 'W';
    check_refused(context, grid, text, length + 1, IMP_STATUS_BAD_FILE, length);
    text[at] = "bwX)\0\x80"[test_random_below(6)];
    check_refused(context, grid, text, length, IMP_STATUS_BAD_FILE, at);
    text[at] = letter;
}

static uint32_t deepest_level(const CellArrays *cells)
{
    for (uint32_t l = cells->level; l-- > 0;)
        for (size_t i = 0; i < voxel_count_of(l); ++i)
            if (cells->colours[l][i] == IMP_CELL_GRAY)
                return l + 1;
    return 0;
}

static void check_text(imp_Context *context, const imp_OctreeGrid *grid, const CellArrays *cells)
{
    size_t count = voxel_count_of(grid->level), length;
    char *text = malloc(2 * count), *rough = malloc(8 * count + 200);
    imp_Octree *octree = NULL, *again = NULL;
    length = cell_arrays_write(cells, 0, 0, text);
    CellArrays read = {.level = grid->level};
    for (uint32_t l = 0; l <= grid->level; ++l)
        read.colours[l] = malloc(voxel_count_of(l));
    CHECK(cell_arrays_read(&read, 0, 0, text) == text + length);
    size_t rough_length = roughen(text, length, rough);
    if (CHECK_INT(imp_octree_create_from_df(context, grid, rough, rough_length, &octree), IMP_STATUS_OK))
        check_cells(context, octree, grid, &read);
    uint32_t deepest = deepest_level(&read);
    imp_OctreeGrid open = {grid->origin, grid->voxel, 0};
    if (deepest > 0 &&
        CHECK_INT(imp_octree_create_from_df(context, &open, text, length, &again), IMP_STATUS_OK)) {
        imp_OctreeInfo info;
        CHECK_INT(imp_octree_get_info(again, &info), IMP_STATUS_OK);
        CHECK_INT(info.grid.level, deepest);
    }
    check_wrong_texts(context, grid, text, length);
    if (deepest > 1) {
        imp_OctreeGrid high = {grid->origin, grid->voxel, deepest - 1};
        imp_Octree *none = NULL;
        CHECK_INT(imp_octree_create_from_df(context, &high, text, length, &none), IMP_STATUS_BAD_SHAPE);
    }
    imp_octree_release(octree);
    imp_octree_release(again);
    cell_arrays_free(&read);
    free(text);
    free(rough);
}

TEST(texts_and_voxels_come_back)
{
    uint64_t count = test_count(DEFAULT_CASES), condensed = 0;
    begin_contexts();
    for (uint64_t i = 0; i < count && test_failed_checks() < 20; ++i) {
        uint8_t black[MAX_VOXELS];
        test_random_restart(i);
        imp_OctreeGrid grid = random_grid();
        imp_Octree *octree = NULL;
        random_voxels(grid.level, black);
        CHECK_INT(
            imp_octree_create_from_voxels(contexts[i % 3], &grid, black, voxel_count_of(grid.level), &octree),
            IMP_STATUS_OK);
        check_octree(contexts[i % 3], octree, &grid, black, true);
        imp_octree_release(octree);
        CellArrays cells = cell_arrays_make(black, grid.level, true);
        split_cells(&cells, 0, 0, test_random_below(4));
        condensed += are_condensed(&cells);
        check_text(contexts[i % 3], &grid, &cells);
        cell_arrays_free(&cells);
    }
    CHECK(condensed > count / 10 && condensed < count * 9 / 10);
    end_contexts();
}

// ---- surfaces

static bool is_black_at(const uint8_t *black, int n, int x, int y, int z)
{
    return x >= 0 && y >= 0 && z >= 0 && x < n && y < n && z < n && black[(x * n + y) * n + z];
}

static uint64_t count_walls(const uint8_t *black, int n)
{
    static const int steps[6][3] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    uint64_t walls = 0;
    for (int i = 0; i < n * n * n; ++i)
        for (int s = 0; s < 6 && black[i]; ++s)
            walls +=
                !is_black_at(black, n, i / n / n + steps[s][0], i / n % n + steps[s][1], i % n + steps[s][2]);
    return walls;
}

static void check_surface(imp_Context *context, const imp_OctreeGrid *grid, const uint8_t *black)
{
    imp_Octree *octree = octree_of_voxels(context, grid, black);
    imp_Mesh *mesh = NULL;
    imp_MeshInfo mesh_info;
    imp_OctreeInfo info;
    uint64_t walls = count_walls(black, 1 << grid->level);
    imp_Status status = imp_octree_get_surface(context, octree, &mesh);
    CHECK_INT(imp_octree_get_info(octree, &info), IMP_STATUS_OK);
    if (CHECK_INT(status, walls > 0 ? IMP_STATUS_OK : IMP_STATUS_BAD_SHAPE) && walls > 0) {
        CHECK_INT(imp_mesh_get_triangle_count(mesh), 2 * walls);
        CHECK_INT(imp_mesh_analyse(context, mesh, &mesh_info), IMP_STATUS_OK);
        CHECK(mesh_info.closed);
        CHECK_INT(mesh_info.degenerate_triangle_count, 0);
        CHECK_INT(mesh_info.orientation, IMP_ORIENTATION_OUTWARD);
        for (int rule = 0; rule <= IMP_OCTREE_CENTRE; ++rule) {
            imp_OctreeDef def = {.mesh = mesh, .grid = *grid, .rule = (imp_OctreeRule)rule};
            imp_Octree *again = NULL;
            if (CHECK_INT(imp_octree_create(context, &def, &again), IMP_STATUS_OK)) {
                check_octree(context, again, grid, black, true);
                CHECK_INT(imp_octree_get_info(again, &info), IMP_STATUS_OK);
                CHECK(!info.is_cut);
            }
            imp_octree_release(again);
        }
    }
    imp_mesh_release(mesh);
    imp_octree_release(octree);
}

TEST(surfaces_give_the_same_voxels)
{
    uint64_t count = test_count(DEFAULT_CASES) / 4;
    begin_contexts();
    for (uint64_t i = 0; i < count && test_failed_checks() < 20; ++i) {
        uint8_t black[MAX_VOXELS];
        test_random_restart(i);
        imp_OctreeGrid grid = random_grid();
        random_voxels(grid.level, black);
        check_surface(contexts[i % 3], &grid, black);
    }
    end_contexts();
}

// ---- cubes

static imp_OctreeCube *get_cubes(imp_Context *context, const imp_Octree *octree,
                                 const imp_OctreeCubesDef *def, size_t *count)
{
    imp_Status status = imp_octree_get_cubes(context, octree, def, NULL, 0, count);
    CHECK_INT(status, *count > 0 ? IMP_STATUS_BUFFER_SHORT : IMP_STATUS_OK);
    imp_OctreeCube *cubes = malloc((*count + 1) * sizeof *cubes);
    if (*count > 0) {
        size_t same = 0;
        memset(cubes, 0xAA, (*count + 1) * sizeof *cubes);
        imp_OctreeCube untouched = cubes[0];
        CHECK_INT(imp_octree_get_cubes(context, octree, def, cubes, *count - 1, &same),
                  IMP_STATUS_BUFFER_SHORT);
        CHECK(same == *count && memcmp(&cubes[0], &untouched, sizeof untouched) == 0);
    }
    CHECK_INT(imp_octree_get_cubes(context, octree, def, cubes, *count, count), IMP_STATUS_OK);
    return cubes;
}

// Is each black voxel in one of the cubes, and nothing else in any?
static bool cubes_cover(const imp_OctreeCube *cubes, size_t count, const uint8_t *black, uint32_t n)
{
    uint8_t *covered = calloc((size_t)n * n * n, 1);
    bool is_right = true;
    for (size_t i = 0; i < count && is_right; ++i) {
        const imp_OctreeCube *c = &cubes[i];
        is_right =
            c->edge > 0 && c->edge <= n && c->x <= n - c->edge && c->y <= n - c->edge && c->z <= n - c->edge;
        for (uint32_t v = 0; is_right && v < c->edge * c->edge * c->edge; ++v) {
            uint32_t x = c->x + v / c->edge / c->edge, y = c->y + v / c->edge % c->edge,
                     z = c->z + v % c->edge;
            is_right = !covered[(x * n + y) * n + z];
            covered[(x * n + y) * n + z] = 1;
        }
    }
    is_right = is_right && memcmp(covered, black, (size_t)n * n * n) == 0;
    free(covered);
    return is_right;
}

static size_t add_black_cells(const CellArrays *cells, uint32_t l, size_t i, imp_OctreeCube *cubes)
{
    uint32_t n = 1u << l, edge = 1u << (cells->level - l);
    size_t count = 0;
    if (cells->colours[l][i] == IMP_CELL_BLACK) {
        *cubes = (imp_OctreeCube){(uint32_t)(i / n / n) * edge, (uint32_t)(i / n % n) * edge,
                                  (uint32_t)(i % n) * edge, edge};
        return 1;
    }
    for (unsigned octant = 0; octant < 8 && cells->colours[l][i] == IMP_CELL_GRAY; ++octant)
        count += add_black_cells(cells, l + 1, child_index(l, i, octant), cubes + count);
    return count;
}

typedef struct CubeTally {
    uint64_t cells, cubes, fewest, fewer, odd;
} CubeTally;

static void check_compact(imp_Context *context, const imp_Octree *octree, const CellArrays *cells,
                          size_t cell_count, CubeTally *tally)
{
    static const uint32_t starts[] = {0, 1, 5, IMP_ALL_STARTS};
    const uint8_t *black = cells->colours[cells->level];
    size_t counts[4];
    for (int i = 0; i < 4; ++i) {
        imp_OctreeCubesDef def = {.compact = true, .starts = starts[i]};
        imp_OctreeCube *cubes = get_cubes(context, octree, &def, &counts[i]);
        CHECK(cubes_cover(cubes, counts[i], black, 1u << cells->level));
        CHECK(counts[i] <= cell_count);
        for (size_t c = 1; c < counts[i]; ++c)
            CHECK(cubes[c].edge <= cubes[c - 1].edge);
        for (size_t c = 0; c < counts[i]; ++c)
            tally->odd += (cubes[c].edge & (cubes[c].edge - 1)) != 0;
        free(cubes);
    }
    CHECK(counts[3] <= counts[1] && counts[3] <= counts[2]); // the paper tries all of theirs, too
    tally->cells += cell_count;
    tally->cubes += counts[0];
    tally->fewest += counts[3];
    tally->fewer += counts[0] < cell_count;
}

TEST(cubes_cover_what_is_black)
{
    uint64_t count = test_count(DEFAULT_CASES) / 2;
    CubeTally tally = {0};
    begin_contexts();
    for (uint64_t i = 0; i < count && test_failed_checks() < 20; ++i) {
        uint8_t black[MAX_VOXELS];
        test_random_restart(i);
        imp_OctreeGrid grid = random_grid();
        random_voxels(grid.level, black);
        CellArrays cells = cell_arrays_make(black, grid.level, true);
        if (test_random_below(2))
            split_cells(&cells, 0, 0, test_random_below(4));
        imp_Octree *octree = octree_of_cells(contexts[i % 3], &grid, &cells);
        imp_OctreeCube *want = malloc(MAX_VOXELS * sizeof *want);
        size_t want_count = add_black_cells(&cells, 0, 0, want), cube_count;
        imp_OctreeCubesDef plain = {0};
        imp_OctreeCube *cubes = get_cubes(contexts[i % 3], octree, i % 2 ? &plain : NULL, &cube_count);
        CHECK(cube_count == want_count && memcmp(cubes, want, want_count * sizeof *want) == 0);
        check_compact(contexts[i % 3], octree, &cells, want_count, &tally);
        free(cubes);
        free(want);
        cell_arrays_free(&cells);
        imp_octree_release(octree);
    }
    printf("  %" PRIu64 " black cells, %" PRIu64 " cubes, %" PRIu64 " by all starts; fewer in %" PRIu64
           " of %" PRIu64 " octrees; edges of no power of two: %" PRIu64 "\n",
           tally.cells, tally.cubes, tally.fewest, tally.fewer, count, tally.odd);
    CHECK(tally.cubes < tally.cells && tally.fewer > count / 8 && tally.odd > count / 10);
    end_contexts();
}

TEST(cubes_cover_solids)
{
    uint64_t count = test_count(DEFAULT_CASES) / 100, cells = 0, cubes = 0;
    begin_contexts();
    for (uint64_t i = 0; i < count && test_failed_checks() < 20; ++i) {
        imp_Mesh *mesh = NULL;
        imp_Octree *octree = NULL;
        imp_OctreeDef def = {.grid.level = 5 + test_random_below(2)};
        size_t voxel_count = voxel_count_of(def.grid.level), all, few, fewer;
        uint8_t *black = malloc(voxel_count);
        CHECK_INT(scene_bumpy_sphere(contexts[0], 16, 12, 1, 0.4, test_random(), &mesh), IMP_STATUS_OK);
        def.mesh = mesh;
        CHECK_INT(imp_octree_create(contexts[i % 3], &def, &octree), IMP_STATUS_OK);
        CHECK_INT(imp_octree_get_voxels(contexts[0], octree, black, voxel_count), IMP_STATUS_OK);
        free(get_cubes(contexts[i % 3], octree, NULL, &all));
        imp_OctreeCubesDef compact = {.compact = true}, once = {.compact = true, .starts = 1};
        imp_OctreeCube *list = get_cubes(contexts[i % 3], octree, &compact, &few);
        imp_OctreeCube *other = get_cubes(contexts[(i + 1) % 3], octree, &compact, &fewer);
        CHECK(few == fewer && memcmp(list, other, few * sizeof *list) == 0);
        CHECK(cubes_cover(list, few, black, 1u << def.grid.level));
        free(other);
        other = get_cubes(contexts[i % 3], octree, &once, &fewer);
        CHECK(cubes_cover(other, fewer, black, 1u << def.grid.level));
        CHECK(few <= all && fewer <= all);
        cells += all;
        cubes += few;
        free(list);
        free(other);
        free(black);
        imp_octree_release(octree);
        imp_mesh_release(mesh);
    }
    printf("  %" PRIu64 " black cells, %" PRIu64 " cubes\n", cells, cubes);
    CHECK(cubes < cells);
    end_contexts();
}
