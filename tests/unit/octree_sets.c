// Octrees as sets of voxels, beside arrays of voxels, and the surfaces of what is black.
#include "failing_allocator.h"
#include "harness.h"

#include <impinge/impinge.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_LEVEL  4
#define MAX_VOXELS (1 << 3 * MAX_LEVEL)

static imp_Context *make_context(void)
{
    imp_Context *context = NULL;
    CHECK_INT(imp_context_create(NULL, &context), IMP_STATUS_OK);
    return context;
}

// Voxels in blocks of any size, so that octrees of them have cells of all levels.
static void draw_voxels(uint32_t level, uint8_t *voxels)
{
    uint32_t n = 1u << level, block = 1u << test_random_below(level + 1);
    double share = test_random_unit();
    memset(voxels, 0, MAX_VOXELS);
    for (uint32_t i = 0; i < n * n * n; ++i) {
        uint32_t x = i / (n * n), y = i / n % n, z = i % n;
        bool is_first = x % block == 0 && y % block == 0 && z % block == 0;
        uint32_t first = ((x - x % block) * n + (y - y % block)) * n + (z - z % block);
        voxels[i] = is_first ? test_random_unit() < share : voxels[first];
    }
    for (uint32_t i = 0; i < n; ++i)
        voxels[test_random_below(n * n * n)] ^= 1;
}

static imp_Octree *make_octree(imp_Context *context, const imp_OctreeGrid *grid, const uint8_t *voxels)
{
    imp_Octree *octree = NULL;
    CHECK_INT(imp_octree_create_from_voxels(context, grid, voxels, (size_t)1 << 3 * grid->level, &octree),
              IMP_STATUS_OK);
    return octree;
}

// The octree has exactly these voxels, and is condensed.
static void check_voxels(imp_Context *context, imp_Octree *octree, const uint8_t *voxels)
{
    static uint8_t got[MAX_VOXELS];
    imp_OctreeInfo info;
    CHECK_INT(imp_octree_get_info(octree, &info), IMP_STATUS_OK);
    size_t count = (size_t)1 << 3 * info.grid.level;
    CHECK(info.is_condensed);
    CHECK_INT(imp_octree_get_voxels(context, octree, got, count), IMP_STATUS_OK);
    CHECK(memcmp(got, voxels, count) == 0);
}

static uint8_t combine_voxel(imp_OctreeOperation operation, uint8_t a, uint8_t b)
{
    return operation == IMP_OCTREE_UNION ? a | b : operation == IMP_OCTREE_INTERSECTION ? a & b : a & (b ^ 1);
}

TEST(sets_are_those_of_voxels)
{
    static uint8_t a_voxels[MAX_VOXELS], b_voxels[MAX_VOXELS], expected[MAX_VOXELS];
    static const imp_OctreeOperation operations[] = {IMP_OCTREE_UNION, IMP_OCTREE_INTERSECTION,
                                                     IMP_OCTREE_DIFFERENCE};
    imp_Context *context = make_context();
    int uniform = 0, alike = 0, count = (int)test_count(300);
    for (int i = 0; i < count; ++i) {
        imp_OctreeGrid grid = {{-1, 2, 0.25}, 0.125, 1 + test_random_below(MAX_LEVEL)};
        size_t size = (size_t)1 << 3 * grid.level;
        draw_voxels(grid.level, a_voxels);
        draw_voxels(grid.level, b_voxels);
        imp_Octree *a = make_octree(context, &grid, a_voxels), *b = make_octree(context, &grid, b_voxels);
        imp_Octree *result = NULL, *back = NULL;
        bool equal = false;
        for (size_t k = 0; k < 3; ++k) {
            for (size_t j = 0; j < size; ++j)
                expected[j] = combine_voxel(operations[k], a_voxels[j], b_voxels[j]);
            CHECK_INT(imp_octree_combine(context, operations[k], a, b, &result), IMP_STATUS_OK);
            check_voxels(context, result, expected);
            imp_octree_release(result);
            uniform += !memchr(expected, 1, size) || !memchr(expected, 0, size);
        }
        for (size_t j = 0; j < size; ++j)
            expected[j] = a_voxels[j] ^ 1;
        CHECK_INT(imp_octree_complement(context, a, &result), IMP_STATUS_OK);
        check_voxels(context, result, expected);
        CHECK_INT(imp_octree_complement(context, result, &back), IMP_STATUS_OK);
        CHECK_INT(imp_octree_equal(a, back, &equal), IMP_STATUS_OK);
        CHECK(equal);
        CHECK_INT(imp_octree_equal(a, result, &equal), IMP_STATUS_OK);
        CHECK(!equal);
        CHECK_INT(imp_octree_equal(a, b, &equal), IMP_STATUS_OK);
        CHECK(equal == (memcmp(a_voxels, b_voxels, size) == 0));
        alike += equal;
        imp_octree_release(result);
        imp_octree_release(back);
        imp_octree_release(a);
        imp_octree_release(b);
    }
    CHECK(uniform > count / 50 && uniform < 2 * count);
    CHECK(alike < count / 2);
    imp_context_destroy(context);
}

// Octrees from text need not be condensed.
TEST(octrees_that_are_not_condensed_are_the_same_sets)
{
    imp_Context *context = make_context();
    const imp_OctreeGrid grid = {{0, 0, 0}, 1, 2};
    const char *loose = "((BBBBBBBBWWWWWWW", *tight = "(BWWWWWWW";
    imp_Octree *a = NULL, *b = NULL, *both = NULL;
    imp_OctreeInfo info;
    bool equal = false;
    CHECK_INT(imp_octree_create_from_df(context, &grid, loose, strlen(loose), &a), IMP_STATUS_OK);
    CHECK_INT(imp_octree_create_from_df(context, &grid, tight, strlen(tight), &b), IMP_STATUS_OK);
    CHECK_INT(imp_octree_equal(a, b, &equal), IMP_STATUS_OK);
    CHECK(equal);
    CHECK_INT(imp_octree_get_info(a, &info), IMP_STATUS_OK);
    CHECK(!info.is_condensed);
    CHECK_INT(imp_octree_combine(context, IMP_OCTREE_INTERSECTION, a, a, &both), IMP_STATUS_OK);
    CHECK_INT(imp_octree_get_info(both, &info), IMP_STATUS_OK);
    CHECK(info.is_condensed);
    CHECK_INT(info.black_voxel_count, 8);
    imp_octree_release(both);
    imp_octree_release(a);
    imp_octree_release(b);
    imp_context_destroy(context);
}

TEST(wrong_arguments_are_refused)
{
    imp_Context *context = make_context();
    imp_OctreeGrid grids[] = {{{0, 0, 0}, 1, 1}, {{0, 0, 1}, 1, 1}, {{0, 0, 0}, 2, 1}, {{0, 0, 0}, 1, 2}};
    imp_Octree *octrees[4], *result = NULL;
    imp_Mesh *mesh = NULL;
    bool equal = true;
    for (int i = 0; i < 4; ++i)
        CHECK_INT(imp_octree_create_from_df(context, &grids[i], "W", 1, &octrees[i]), IMP_STATUS_OK);
    for (int i = 1; i < 4; ++i) {
        CHECK_INT(imp_octree_combine(context, IMP_OCTREE_UNION, octrees[0], octrees[i], &result),
                  IMP_STATUS_BAD_ARGUMENT);
        CHECK_CONTAINS(imp_context_get_error(context)->message, "different grids");
        CHECK_INT(imp_octree_equal(octrees[0], octrees[i], &equal), IMP_STATUS_OK);
        CHECK(!equal);
    }
    CHECK_INT(imp_octree_combine(context, (imp_OctreeOperation)3, octrees[0], octrees[0], &result),
              IMP_STATUS_BAD_ARGUMENT);
    CHECK_CONTAINS(imp_context_get_error(context)->message, "operation 3");
    CHECK_INT(imp_octree_get_surface(context, octrees[0], &mesh), IMP_STATUS_BAD_SHAPE);
    CHECK_CONTAINS(imp_context_get_error(context)->message, "nothing in the octree is black");
    CHECK_INT(imp_octree_combine(context, IMP_OCTREE_UNION, NULL, octrees[0], &result),
              IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_octree_combine(context, IMP_OCTREE_UNION, octrees[0], NULL, &result),
              IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_octree_combine(context, IMP_OCTREE_UNION, octrees[0], octrees[0], NULL),
              IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_octree_combine(NULL, IMP_OCTREE_UNION, octrees[0], octrees[0], &result),
              IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_octree_complement(context, NULL, &result), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_octree_complement(context, octrees[0], NULL), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_octree_equal(NULL, octrees[0], &equal), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_octree_equal(octrees[0], NULL, &equal), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_octree_equal(octrees[0], octrees[0], NULL), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_octree_get_surface(context, NULL, &mesh), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_octree_get_surface(context, octrees[0], NULL), IMP_STATUS_BAD_ARGUMENT);
    CHECK(!result && !mesh);
    for (int i = 0; i < 4; ++i)
        imp_octree_release(octrees[i]);
    imp_context_destroy(context);
}

// ---- surfaces

static bool is_black(const uint8_t *voxels, uint32_t n, int64_t x, int64_t y, int64_t z)
{
    bool is_inside = x >= 0 && y >= 0 && z >= 0 && x < n && y < n && z < n;
    return is_inside && voxels[((size_t)x * n + (size_t)y) * n + (size_t)z];
}

static size_t count_walls(const uint8_t *voxels, uint32_t n)
{
    size_t count = 0;
    for (int64_t x = 0; x < n; ++x)
        for (int64_t y = 0; y < n; ++y)
            for (int64_t z = 0; z < n; ++z)
                for (int side = 0; side < 6; ++side) {
                    int64_t to[3] = {x, y, z};
                    to[side / 2] += side % 2 ? 1 : -1;
                    count += is_black(voxels, n, x, y, z) && !is_black(voxels, n, to[0], to[1], to[2]);
                }
    return count;
}

// In voxels of 1 from 0, 0, 0 on: each triangle is half of a wall whose voxel on the inner side alone is
// black.
static void check_triangle(const imp_Vec3 p[3], const uint8_t *voxels, uint32_t n)
{
    double a[3] = {p[1].x - p[0].x, p[1].y - p[0].y, p[1].z - p[0].z};
    double b[3] = {p[2].x - p[0].x, p[2].y - p[0].y, p[2].z - p[0].z};
    double least[3] = {fmin(p[0].x, fmin(p[1].x, p[2].x)), fmin(p[0].y, fmin(p[1].y, p[2].y)),
                       fmin(p[0].z, fmin(p[1].z, p[2].z))};
    int64_t at[3] = {(int64_t)least[0], (int64_t)least[1], (int64_t)least[2]}, to[3] = {at[0], at[1], at[2]};
    double length = 0;
    for (int i = 0; i < 3; ++i) {
        double normal = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
        length += fabs(normal);
        at[i] -= normal > 0;
        to[i] -= normal < 0;
    }
    CHECK_DOUBLE(length, 1);
    CHECK(is_black(voxels, n, at[0], at[1], at[2]));
    CHECK(!is_black(voxels, n, to[0], to[1], to[2]));
}

static void check_vertices_differ(const imp_Mesh *mesh, uint32_t n)
{
    static uint8_t is_taken[(1 << MAX_LEVEL) + 1][(1 << MAX_LEVEL) + 1][(1 << MAX_LEVEL) + 1];
    const imp_Vec3 *vertices = imp_mesh_get_vertices(mesh);
    memset(is_taken, 0, sizeof is_taken);
    for (size_t i = 0; i < imp_mesh_get_vertex_count(mesh); ++i) {
        imp_Vec3 p = vertices[i];
        if (!CHECK(p.x >= 0 && p.y >= 0 && p.z >= 0 && p.x <= n && p.y <= n && p.z <= n))
            return;
        uint8_t *taken = &is_taken[(int)p.x][(int)p.y][(int)p.z];
        CHECK(!*taken);
        *taken = 1;
    }
}

TEST(surfaces_are_all_walls_once)
{
    static uint8_t voxels[MAX_VOXELS];
    imp_Context *context = make_context();
    int empty = 0, count = (int)test_count(200);
    for (int i = 0; i < count; ++i) {
        imp_OctreeGrid grid = {{0, 0, 0}, 1, 1 + test_random_below(MAX_LEVEL)};
        uint32_t n = 1u << grid.level;
        draw_voxels(grid.level, voxels);
        imp_Octree *octree = make_octree(context, &grid, voxels);
        imp_Mesh *mesh = NULL;
        size_t walls = count_walls(voxels, n);
        empty += walls == 0;
        CHECK_INT(imp_octree_get_surface(context, octree, &mesh),
                  walls > 0 ? IMP_STATUS_OK : IMP_STATUS_BAD_SHAPE);
        imp_octree_release(octree);
        if (!mesh)
            continue;
        const uint32_t *corners = imp_mesh_get_indices(mesh);
        const imp_Vec3 *vertices = imp_mesh_get_vertices(mesh);
        bool is_closed = false;
        CHECK_INT(imp_mesh_is_closed(context, mesh, &is_closed), IMP_STATUS_OK);
        CHECK(is_closed);
        // As many triangles as walls have, each half of one of them, no two of which are the same by
        // closedness: so these are the walls.
        CHECK_INT(imp_mesh_get_triangle_count(mesh), 2 * walls);
        for (size_t k = 0; k < 2 * walls; ++k)
            check_triangle((imp_Vec3[]){vertices[corners[3 * k]], vertices[corners[3 * k + 1]],
                                        vertices[corners[3 * k + 2]]},
                           voxels, n);
        check_vertices_differ(mesh, n);
        imp_mesh_release(mesh);
    }
    CHECK(empty < count / 2);
    imp_context_destroy(context);
}

TEST(surfaces_do_not_depend_on_how_cells_are_joined)
{
    imp_Context *context = make_context();
    const imp_OctreeGrid grid = {{-3, 1e3, 0.1}, 0.7, 2};
    const char *texts[] = {"((BBBBBBBBWWWWWWB", "(BWWWWWWB"};
    imp_Mesh *meshes[2] = {NULL, NULL};
    for (int i = 0; i < 2; ++i) {
        imp_Octree *octree = NULL;
        CHECK_INT(imp_octree_create_from_df(context, &grid, texts[i], strlen(texts[i]), &octree),
                  IMP_STATUS_OK);
        CHECK_INT(imp_octree_get_surface(context, octree, &meshes[i]), IMP_STATUS_OK);
        imp_octree_release(octree);
    }
    size_t vertex_count = imp_mesh_get_vertex_count(meshes[0]);
    CHECK_INT(imp_mesh_get_triangle_count(meshes[0]), 96);
    // Two cubes of 26 corners, of which they share one.
    CHECK_INT(vertex_count, 51);
    CHECK_INT(imp_mesh_get_vertex_count(meshes[1]), vertex_count);
    CHECK(memcmp(imp_mesh_get_vertices(meshes[0]), imp_mesh_get_vertices(meshes[1]),
                 vertex_count * sizeof(imp_Vec3)) == 0);
    CHECK(memcmp(imp_mesh_get_indices(meshes[0]), imp_mesh_get_indices(meshes[1]),
                 (size_t)96 * 3 * sizeof(uint32_t)) == 0);
    // Corners are those of the grid, to the last bit.
    imp_Box bounds = imp_mesh_get_bounds(meshes[0]);
    CHECK_DOUBLE(bounds.max.x, -3 + 4 * 0.7);
    CHECK_DOUBLE(bounds.min.y, 1e3);
    CHECK_DOUBLE(bounds.max.z, 0.1 + 4 * 0.7);
    imp_mesh_release(meshes[0]);
    imp_mesh_release(meshes[1]);
    imp_context_destroy(context);
}

TEST(surfaces_with_too_many_walls_are_refused)
{
    imp_Context *context = make_context();
    const imp_OctreeGrid grid = {{0, 0, 0}, 1, IMP_MAX_OCTREE_LEVEL};
    imp_Octree *octree = NULL;
    imp_Mesh *mesh = NULL;
    CHECK_INT(imp_octree_create_from_df(context, &grid, "B", 1, &octree), IMP_STATUS_OK);
    CHECK_INT(imp_octree_get_surface(context, octree, &mesh), IMP_STATUS_TOO_LARGE);
    CHECK_CONTAINS(imp_context_get_error(context)->message, "25769803776 walls");
    CHECK(!mesh);
    imp_octree_release(octree);
    imp_context_destroy(context);
}

// ---- ended, and out of memory

TEST(cancelled_calls_change_nothing)
{
    static uint8_t voxels[MAX_VOXELS];
    imp_Context *context = make_context();
    const imp_OctreeGrid grid = {{0, 0, 0}, 1, MAX_LEVEL};
    imp_Cancel *cancel = NULL;
    imp_Octree *result = NULL;
    imp_Mesh *mesh = NULL;
    draw_voxels(MAX_LEVEL, voxels);
    voxels[0] ^= 1; // not all alike
    imp_Octree *octree = make_octree(context, &grid, voxels);
    CHECK_INT(imp_cancel_create(context, &cancel), IMP_STATUS_OK);
    imp_cancel_request(cancel);
    CHECK_INT(imp_context_watch(context, &(imp_Watch){.cancel = cancel}), IMP_STATUS_OK);
    CHECK_INT(imp_octree_combine(context, IMP_OCTREE_UNION, octree, octree, &result), IMP_STATUS_CANCELLED);
    CHECK_INT(imp_octree_complement(context, octree, &result), IMP_STATUS_CANCELLED);
    CHECK_INT(imp_octree_get_surface(context, octree, &mesh), IMP_STATUS_CANCELLED);
    CHECK(!result && !mesh);
    CHECK_INT(imp_context_watch(context, NULL), IMP_STATUS_OK);
    imp_cancel_destroy(cancel);
    imp_octree_release(octree);
    imp_context_destroy(context);
}

// Returns whether all calls went well. Failures are those of memory.
static bool use_memory(imp_Context *context, const char *text)
{
    const imp_OctreeGrid grid = {{0, 0, 0}, 1, 3};
    imp_Octree *a = NULL, *b = NULL, *both = NULL;
    imp_Mesh *mesh = NULL;
    imp_Status status = imp_octree_create_from_df(context, &grid, text, strlen(text), &a);
    if (status == IMP_STATUS_OK)
        status = imp_octree_complement(context, a, &b);
    if (status == IMP_STATUS_OK)
        status = imp_octree_combine(context, IMP_OCTREE_DIFFERENCE, a, b, &both);
    if (status == IMP_STATUS_OK)
        status = imp_octree_get_surface(context, both, &mesh);
    CHECK(status == IMP_STATUS_OK || status == IMP_STATUS_OUT_OF_MEMORY);
    CHECK((status == IMP_STATUS_OK) == (mesh != NULL));
    imp_octree_release(a);
    imp_octree_release(b);
    imp_octree_release(both);
    imp_mesh_release(mesh);
    return status == IMP_STATUS_OK;
}

TEST(out_of_memory_at_every_allocation)
{
    FailingAllocator memory;
    uint64_t n = 0;
    int failures = 0;
    do {
        imp_Context *context = NULL;
        failing_allocator_init(&memory, ++n);
        imp_ContextDef def = {.allocator = failing_allocator_hooks(&memory)};
        if (imp_context_create(&def, &context) == IMP_STATUS_OK) {
            failures += !use_memory(context, "(((BWWBWWBBWWBBBBBWWWWWWB");
            imp_context_destroy(context);
        }
        CHECK(failing_allocator_is_clean(&memory));
    } while (failing_allocator_has_failed(&memory));
    CHECK(failures > 8);
}
