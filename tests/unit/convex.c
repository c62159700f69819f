#include "shape/convex.h"

#include "base/float_guard.h"
#include "failing_allocator.h"
#include "harness.h"
#include "scenes/convex_shapes.h"
#include "scenes/shapes.h"
#include "shape/mesh.h"

#include <fenv.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static imp_Context *make_context(void)
{
    imp_Context *context = NULL;
    CHECK_INT(imp_context_create(NULL, &context), IMP_STATUS_OK);
    return context;
}

static imp_Convex *make_convex(imp_Context *context, const imp_Vec3 *points, size_t count)
{
    imp_Convex *convex = NULL;
    imp_ConvexDef def = {.points = &points->x, .point_count = count};
    if (!CHECK_INT(imp_convex_create(context, &def, &convex), IMP_STATUS_OK))
        printf("  %s\n", imp_context_get_error(context)->message);
    return convex;
}

static const imp_Vec3 octahedron[6] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};

static double along(imp_Vec3 direction, imp_Vec3 p)
{
    return direction.x * p.x + direction.y * p.y + direction.z * p.z;
}

TEST(every_point_of_a_scene_is_a_vertex)
{
    imp_Context *context = make_context();
    const size_t counts[] = {4, 10, 100, 1000, 10000};
    static imp_Vec3 points[10000];
    for (int kind = 0; kind < SCENE_CONVEX_KIND_COUNT; ++kind)
        for (int c = 0; c < 5; ++c) {
            scene_convex_points((SceneConvexKind)kind, counts[c], (uint64_t)c, points);
            imp_Convex *convex = make_convex(context, points, counts[c]);
            CHECK_INT((int64_t)imp_mesh_get_vertex_count(imp_convex_get_mesh(convex)), (int64_t)counts[c]);
            CHECK(memcmp(imp_mesh_get_vertices(imp_convex_get_mesh(convex)), points,
                         counts[c] * sizeof *points) == 0);
            for (size_t i = 0; i < counts[c]; ++i)
                CHECK(along(points[i], points[i]) < 1 + 1e-14);
            imp_convex_release(convex);
        }
    CHECK_TEXT(scene_convex_name(SCENE_ROD), "rod");
    imp_context_destroy(context);
}

TEST(the_mesh_is_known_to_be_closed)
{
    imp_Context *context = make_context();
    imp_Convex *convex = make_convex(context, octahedron, 6);
    imp_MeshInfo info;
    CHECK_INT(atomic_load(&imp_convex_get_mesh(convex)->closedness), IMPI_CLOSEDNESS_CLOSED);
    CHECK_INT(imp_mesh_analyse(context, imp_convex_get_mesh(convex), &info), IMP_STATUS_OK);
    CHECK(info.closed);
    CHECK_INT(info.orientation, IMP_ORIENTATION_OUTWARD);
    CHECK(fabs(info.volume - 4.0 / 3) < 1e-15);
    imp_convex_release(convex);
    imp_context_destroy(context);
}

TEST(null_arguments_are_refused)
{
    imp_Context *context = make_context();
    imp_Mesh *mesh = NULL;
    imp_Convex *convex = NULL;
    imp_ConvexDef def = {.points = &octahedron->x, .point_count = 6};
    scene_box(context, (imp_Vec3){0, 0, 0}, (imp_Vec3){1, 1, 1}, &mesh);
    imp_Status bad = IMP_STATUS_BAD_ARGUMENT;
    CHECK_INT(imp_convex_create(NULL, &def, &convex), bad);
    CHECK_INT(imp_convex_create(context, NULL, &convex), bad);
    CHECK_INT(imp_convex_create(context, &def, NULL), bad);
    CHECK_INT(imp_convex_create_from_mesh(NULL, mesh, &convex), bad);
    CHECK_INT(imp_convex_create_from_mesh(context, NULL, &convex), bad);
    CHECK_INT(imp_convex_create_from_mesh(context, mesh, NULL), bad);
    CHECK(imp_convex_retain(NULL) == NULL);
    CHECK(imp_convex_get_mesh(NULL) == NULL);
    imp_convex_release(NULL);
    imp_mesh_release(mesh);
    imp_context_destroy(context);
}

TEST(a_polytope_outlives_its_context_and_mesh)
{
    FailingAllocator memory;
    failing_allocator_init(&memory, 0);
    imp_ContextDef context_def = {.allocator = failing_allocator_hooks(&memory)};
    imp_Context *context = NULL;
    imp_Mesh *mesh = NULL;
    imp_Convex *convex = NULL;
    CHECK_INT(imp_context_create(&context_def, &context), IMP_STATUS_OK);
    scene_box(context, (imp_Vec3){0, 0, 0}, (imp_Vec3){1, 1, 1}, &mesh);
    CHECK_INT(imp_convex_create_from_mesh(context, mesh, &convex), IMP_STATUS_OK);
    imp_mesh_release(mesh);
    imp_context_destroy(context);
    CHECK(imp_convex_retain(convex) == convex);
    imp_convex_release(convex);
    CHECK_INT((int64_t)imp_mesh_get_vertex_count(imp_convex_get_mesh(convex)), 8);
    imp_convex_release(convex);
    CHECK(failing_allocator_is_clean(&memory));
}

static void retain_and_release(uint32_t task, void *argument)
{
    imp_Convex *convex = argument;
    for (uint32_t i = 0; i < 1000 + task; ++i)
        imp_convex_release(imp_convex_retain(convex));
}

TEST(references_are_counted_from_several_threads)
{
    imp_Context *context = NULL;
    CHECK_INT(imp_context_create(&(imp_ContextDef){.thread_count = 4}, &context), IMP_STATUS_OK);
    imp_Convex *convex = make_convex(context, octahedron, 6);
    context->executor.run(retain_and_release, convex, 16, context->executor.user);
    CHECK_INT(atomic_load(&convex->shape.reference_count), 1);
    imp_convex_release(convex);
    imp_context_destroy(context);
}

TEST(every_failed_allocation_is_reported)
{
    FailingAllocator memory;
    imp_Vec3 points[40];
    uint64_t n = 0;
    scene_convex_points(SCENE_ROD, 40, 1, points);
    do {
        failing_allocator_init(&memory, ++n);
        imp_ContextDef context_def = {.allocator = failing_allocator_hooks(&memory)};
        imp_Context *context = NULL;
        imp_ConvexDef def = {.points = &points->x, .point_count = 40, .keep_coplanar = n % 2 != 0};
        imp_Convex *convex = NULL, *again = NULL;
        if (imp_context_create(&context_def, &context) == IMP_STATUS_OK) {
            imp_Status status = imp_convex_create(context, &def, &convex);
            if (status == IMP_STATUS_OK)
                status = imp_convex_create_from_mesh(context, imp_convex_get_mesh(convex), &again);
            bool has_both = convex && again;
            CHECK_INT(status, has_both ? IMP_STATUS_OK : IMP_STATUS_OUT_OF_MEMORY);
            imp_convex_release(convex);
            imp_convex_release(again);
            imp_context_destroy(context);
        }
        CHECK(failing_allocator_is_clean(&memory));
    } while (failing_allocator_has_failed(&memory));
    CHECK(n > 20);
}

// Hulls that would differ if roundings did.
TEST(the_mode_of_the_host_is_set_aside)
{
    imp_Context *context = make_context();
    imp_Vec3 points[200];
    for (int i = 0; i < 200; ++i) {
        uint32_t cell = test_random_below(125);
        points[i] = (imp_Vec3){0.1 * (cell % 5), 0.1 * (cell / 5 % 5), 0.3 * (cell / 25) + 1e-17 * i};
    }
    imp_Convex *plain = make_convex(context, points, 200);
    fesetround(FE_UPWARD);
    imp_Convex *upward = make_convex(context, points, 200);
    CHECK_INT(fegetround(), FE_UPWARD);
    fesetround(FE_TONEAREST);
    const impi_MeshArrays *a = &plain->mesh->arrays, *b = &upward->mesh->arrays;
    if (CHECK(a->triangle_count == b->triangle_count))
        CHECK(memcmp(a->indices, b->indices, 3 * a->triangle_count * sizeof *a->indices) == 0);
    imp_convex_release(plain);
    imp_convex_release(upward);
    imp_context_destroy(context);
}
