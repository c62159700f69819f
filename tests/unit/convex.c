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

static bool has_neighbours(const imp_Convex *convex, uint32_t vertex, uint32_t count, const uint32_t *want)
{
    const uint32_t *firsts = convex->first_neighbours;
    return firsts[vertex + 1] - firsts[vertex] == count &&
           memcmp(convex->neighbours + firsts[vertex], want, count * sizeof *want) == 0;
}

TEST(neighbours_are_listed_ascending)
{
    imp_Context *context = make_context();
    imp_Convex *convex = make_convex(context, octahedron, 6);
    CHECK(has_neighbours(convex, 0, 4, (uint32_t[]){2, 3, 4, 5}));
    CHECK(has_neighbours(convex, 3, 4, (uint32_t[]){0, 1, 4, 5}));
    CHECK(has_neighbours(convex, 5, 4, (uint32_t[]){0, 1, 2, 3}));
    CHECK_INT(convex->first_neighbours[6], 24);
    imp_convex_release(convex);
    imp_context_destroy(context);
}

TEST(only_the_first_of_equal_vertices_has_neighbours)
{
    imp_Context *context = make_context();
    // A tetrahedron whose faces bring their own vertices, and a vertex that no face uses.
    const imp_Vec3 corners[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const uint32_t faces[12] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2};
    imp_Vec3 vertices[13] = {{5, 5, 5}};
    uint32_t indices[12];
    for (uint32_t i = 0; i < 12; ++i) {
        vertices[i + 1] = corners[faces[i]];
        indices[i] = i + 1;
    }
    imp_MeshDef def = {.vertices = &vertices->x, .vertex_count = 13, .indices = indices, .triangle_count = 4};
    imp_Mesh *mesh = NULL;
    imp_Convex *convex = NULL;
    CHECK_INT(imp_mesh_create(context, &def, &mesh), IMP_STATUS_OK);
    if (CHECK_INT(imp_convex_create_from_mesh(context, mesh, &convex), IMP_STATUS_OK)) {
        // Corners 0, 2, 1 first come as 1, 2, 3, and corner 3 as the last of the second face, 6.
        CHECK(has_neighbours(convex, 0, 0, indices));
        CHECK(has_neighbours(convex, 1, 3, (uint32_t[]){2, 3, 6}));
        CHECK(has_neighbours(convex, 2, 3, (uint32_t[]){1, 3, 6}));
        CHECK(has_neighbours(convex, 6, 3, (uint32_t[]){1, 2, 3}));
        CHECK(has_neighbours(convex, 4, 0, indices));
        for (int i = 0; i < IMPI_TABLE_BANDS * IMPI_TABLE_MERIDIANS; ++i) {
            uint32_t vertex = convex->table[i / IMPI_TABLE_MERIDIANS][i % IMPI_TABLE_MERIDIANS];
            CHECK(vertex == 1 || vertex == 2 || vertex == 3 || vertex == 6);
        }
    }
    imp_convex_release(convex);
    imp_mesh_release(mesh);
    imp_context_destroy(context);
}

static double along(imp_Vec3 direction, imp_Vec3 p)
{
    return direction.x * p.x + direction.y * p.y + direction.z * p.z;
}

TEST(cells_of_the_table_hold_support_vertices)
{
    imp_Context *context = make_context();
    imp_Vec3 points[500];
    scene_convex_points(SCENE_PLATE, 500, 3, points);
    imp_Convex *convex = make_convex(context, points, 500);
    for (int band = 0; band < IMPI_TABLE_BANDS; ++band)
        for (int meridian = 0; meridian < IMPI_TABLE_MERIDIANS; ++meridian) {
            imp_Vec3 direction = impi_table_direction(band, meridian);
            double polar = (band + 0.5) * acos(-1) / IMPI_TABLE_BANDS;
            double azimuth = (meridian + 0.5) * 2 * acos(-1) / IMPI_TABLE_MERIDIANS;
            CHECK(fabs(direction.x - sin(polar) * cos(azimuth)) < 1e-15);
            CHECK(fabs(direction.y - sin(polar) * sin(azimuth)) < 1e-15);
            CHECK(fabs(direction.z - cos(polar)) < 1e-15);
            imp_Vec3 found = imp_mesh_get_vertices(convex->mesh)[convex->table[band][meridian]];
            for (size_t i = 0; i < 500; ++i)
                CHECK(along(direction, points[i]) <= along(direction, found) + 1e-15);
        }
    imp_convex_release(convex);
    imp_context_destroy(context);
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
    CHECK_INT(atomic_load(&convex->reference_count), 1);
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
        uint32_t place = test_random_below(125);
        points[i] = (imp_Vec3){0.1 * (place % 5), 0.1 * (place / 5 % 5), 0.3 * (place / 25) + 1e-17 * i};
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
