#include "experiments/chung_wang_hierarchy.h"

#include "failing_allocator.h"
#include "harness.h"
#include "scenes/convex_shapes.h"
#include "scenes/shapes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static imp_Convex *make_convex(imp_Context *context, const imp_Vec3 *points, size_t count, bool keep_coplanar)
{
    imp_Convex *convex = NULL;
    imp_ConvexDef def = {.points = &points->x, .point_count = count, .keep_coplanar = keep_coplanar};
    CHECK_INT(imp_convex_create(context, &def, &convex), IMP_STATUS_OK);
    return convex;
}

// A hierarchy needs its body no more once it is made.
static imp_Status create_hierarchy(imp_Context *context, imp_Convex *convex, ChungWangHierarchy **hierarchy)
{
    ChungWangBody *body = NULL;
    imp_Status status = chung_wang_body_create(context, convex, &body);
    if (status == IMP_STATUS_OK)
        status = chung_wang_hierarchy_create(context, body, hierarchy);
    chung_wang_body_destroy(body);
    return status;
}

static double along(imp_Vec3 direction, imp_Vec3 p)
{
    return (direction.x * p.x + direction.y * p.y) + direction.z * p.z;
}

// As far as any vertex, up to rounding.
static bool is_support(const imp_Mesh *mesh, uint32_t vertex, imp_Vec3 direction)
{
    double found = along(direction, imp_mesh_get_vertices(mesh)[vertex]);
    for (size_t v = 0; v < imp_mesh_get_vertex_count(mesh); ++v)
        if (along(direction, imp_mesh_get_vertices(mesh)[v]) > found + 1e-14)
            return false;
    return true;
}

// Vertices that a level lacks of the one before it are no neighbours there, and there are some.
static void check_levels(const ChungWangHierarchy *hierarchy)
{
    for (size_t l = 0; l + 1 < hierarchy->level_count; ++l) {
        const ChungWangLevel *level = &hierarchy->levels[l];
        uint32_t left = hierarchy->levels[l + 1].vertex_count;
        CHECK(left < level->vertex_count);
        CHECK_INT((int64_t)level->triangle_count, 2 * (int64_t)level->vertex_count - 4);
        for (uint32_t v = left; v < level->vertex_count; ++v) {
            CHECK(level->firsts[v + 1] - level->firsts[v] <= 12);
            for (uint32_t i = level->firsts[v]; i < level->firsts[v + 1]; ++i)
                CHECK(level->neighbours[i] < left);
        }
    }
}

static void try_directions(const imp_Convex *convex, const ChungWangHierarchy *hierarchy, int count)
{
    uint64_t visits = 0;
    for (int i = 0; i < count; ++i) {
        imp_Vec3 direction;
        uint32_t visit_count = 0;
        scene_convex_points(SCENE_ELLIPSOID, 1, test_random(), &direction);
        uint32_t vertex = chung_wang_hierarchy_support(hierarchy, direction, &visit_count);
        CHECK(is_support(imp_convex_get_mesh(convex), vertex, direction));
        visits += visit_count;
    }
    printf("%zu vertices, %zu levels, %u in the last, %.1f visits\n", hierarchy->vertex_count,
           hierarchy->level_count, hierarchy->levels[hierarchy->level_count - 1].vertex_count,
           (double)visits / count);
}

TEST(support_vertices_are_found_on_the_bodies_of_the_paper)
{
    imp_Context *context = NULL;
    CHECK_INT(imp_context_create(NULL, &context), IMP_STATUS_OK);
    const size_t counts[] = {4, 5, 10, 100, 3000};
    for (int kind = 0; kind < SCENE_CONVEX_KIND_COUNT; ++kind)
        for (int c = 0; c < 5; ++c) {
            imp_Vec3 *points = malloc(counts[c] * sizeof *points);
            ChungWangHierarchy *hierarchy = NULL;
            scene_convex_points((SceneConvexKind)kind, counts[c], 5, points);
            imp_Convex *convex = make_convex(context, points, counts[c], false);
            if (CHECK_INT(create_hierarchy(context, convex, &hierarchy), IMP_STATUS_OK)) {
                CHECK_INT((int64_t)hierarchy->vertex_count, (int64_t)counts[c]);
                CHECK_INT(hierarchy->levels[hierarchy->level_count - 1].vertex_count, 4);
                check_levels(hierarchy);
                try_directions(convex, hierarchy, 200);
            }
            chung_wang_hierarchy_destroy(hierarchy);
            imp_convex_release(convex);
            free(points);
        }
    imp_context_destroy(context);
}

TEST(only_extreme_vertices_take_part)
{
    imp_Context *context = NULL;
    imp_Vec3 points[64];
    ChungWangHierarchy *hierarchy = NULL;
    CHECK_INT(imp_context_create(NULL, &context), IMP_STATUS_OK);
    for (int i = 0; i < 64; ++i)
        points[i] = (imp_Vec3){i % 4, i / 4 % 4, i / 16};
    imp_Convex *convex = make_convex(context, points, 64, true);
    if (CHECK_INT(create_hierarchy(context, convex, &hierarchy), IMP_STATUS_OK)) {
        CHECK_INT((int64_t)hierarchy->vertex_count, 8);
        check_levels(hierarchy);
        try_directions(convex, hierarchy, 100);
    }
    chung_wang_hierarchy_destroy(hierarchy);
    imp_convex_release(convex);
    imp_context_destroy(context);
}

TEST(a_level_of_which_the_rest_would_be_flat_is_the_last)
{
    imp_Context *context = NULL;
    const imp_Vec3 points[6] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    ChungWangHierarchy *hierarchy = NULL;
    CHECK_INT(imp_context_create(NULL, &context), IMP_STATUS_OK);
    imp_Convex *convex = make_convex(context, points, 6, false);
    if (CHECK_INT(create_hierarchy(context, convex, &hierarchy), IMP_STATUS_OK)) {
        CHECK_INT((int64_t)hierarchy->level_count, 1);
        try_directions(convex, hierarchy, 100);
        CHECK_INT(chung_wang_hierarchy_support(hierarchy, (imp_Vec3){0, -1, 0.5}, NULL), 3);
    }
    chung_wang_hierarchy_destroy(hierarchy);
    imp_convex_release(convex);
    imp_context_destroy(context);
}

TEST(every_failed_allocation_is_reported)
{
    FailingAllocator memory;
    imp_Vec3 points[60];
    uint64_t n = 0;
    scene_convex_points(SCENE_ELLIPSOID, 60, 1, points);
    failing_allocator_init(&memory, 0);
    imp_ContextDef context_def = {.allocator = failing_allocator_hooks(&memory)};
    imp_Context *context = NULL;
    CHECK_INT(imp_context_create(&context_def, &context), IMP_STATUS_OK);
    imp_Convex *convex = make_convex(context, points, 60, false);
    bool failed;
    do {
        ChungWangHierarchy *hierarchy = NULL;
        failing_allocator_arm(&memory, ++n);
        imp_Status status = create_hierarchy(context, convex, &hierarchy);
        failed = failing_allocator_has_failed(&memory);
        CHECK_INT(status, hierarchy ? IMP_STATUS_OK : IMP_STATUS_OUT_OF_MEMORY);
        chung_wang_hierarchy_destroy(hierarchy);
        impi_arena_reset(&context->scratch);
    } while (failed);
    CHECK(n > 20);
    imp_convex_release(convex);
    imp_context_destroy(context);
    CHECK(failing_allocator_is_clean(&memory));
}
