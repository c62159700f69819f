#include "experiments/chung_wang_body.h"

#include "failing_allocator.h"
#include "harness.h"
#include "scenes/convex_shapes.h"

#include <math.h>
#include <string.h>

static ChungWangBody *make_body(imp_Context *context, imp_Convex *convex)
{
    ChungWangBody *body = NULL;
    CHECK_INT(chung_wang_body_create(context, convex, &body), IMP_STATUS_OK);
    return body;
}

static ChungWangBody *make_hull(imp_Context *context, const imp_Vec3 *points, size_t count)
{
    imp_Convex *convex = NULL;
    imp_ConvexDef def = {.points = &points->x, .point_count = count};
    CHECK_INT(imp_convex_create(context, &def, &convex), IMP_STATUS_OK);
    ChungWangBody *body = make_body(context, convex);
    imp_convex_release(convex);
    return body;
}

static imp_Context *make_context(void)
{
    imp_Context *context = NULL;
    CHECK_INT(imp_context_create(NULL, &context), IMP_STATUS_OK);
    return context;
}

static bool has_neighbours(const ChungWangBody *body, uint32_t vertex, uint32_t count, const uint32_t *want)
{
    const uint32_t *firsts = body->first_neighbours;
    return firsts[vertex + 1] - firsts[vertex] == count &&
           memcmp(body->neighbours + firsts[vertex], want, count * sizeof *want) == 0;
}

TEST(neighbours_are_listed_ascending)
{
    imp_Context *context = make_context();
    const imp_Vec3 octahedron[6] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    ChungWangBody *body = make_hull(context, octahedron, 6);
    CHECK(has_neighbours(body, 0, 4, (uint32_t[]){2, 3, 4, 5}));
    CHECK(has_neighbours(body, 3, 4, (uint32_t[]){0, 1, 4, 5}));
    CHECK(has_neighbours(body, 5, 4, (uint32_t[]){0, 1, 2, 3}));
    CHECK_INT(body->first_neighbours[6], 24);
    chung_wang_body_destroy(body);
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
        ChungWangBody *body = make_body(context, convex);
        // Corners 0, 2, 1 first come as 1, 2, 3, and corner 3 as the last of the second face, 6.
        CHECK(has_neighbours(body, 0, 0, indices));
        CHECK(has_neighbours(body, 1, 3, (uint32_t[]){2, 3, 6}));
        CHECK(has_neighbours(body, 2, 3, (uint32_t[]){1, 3, 6}));
        CHECK(has_neighbours(body, 6, 3, (uint32_t[]){1, 2, 3}));
        CHECK(has_neighbours(body, 4, 0, indices));
        for (int i = 0; i < CHUNG_WANG_BANDS * CHUNG_WANG_MERIDIANS; ++i) {
            uint32_t vertex = body->table[i / CHUNG_WANG_MERIDIANS][i % CHUNG_WANG_MERIDIANS];
            CHECK(vertex == 1 || vertex == 2 || vertex == 3 || vertex == 6);
        }
        chung_wang_body_destroy(body);
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
    ChungWangBody *body = make_hull(context, points, 500);
    const imp_Vec3 *vertices = imp_mesh_get_vertices(imp_convex_get_mesh(body->convex));
    for (int band = 0; band < CHUNG_WANG_BANDS; ++band)
        for (int meridian = 0; meridian < CHUNG_WANG_MERIDIANS; ++meridian) {
            imp_Vec3 direction = chung_wang_table_direction(band, meridian);
            double polar = (band + 0.5) * acos(-1) / CHUNG_WANG_BANDS;
            double azimuth = (meridian + 0.5) * 2 * acos(-1) / CHUNG_WANG_MERIDIANS;
            CHECK(fabs(direction.x - sin(polar) * cos(azimuth)) < 1e-15);
            CHECK(fabs(direction.y - sin(polar) * sin(azimuth)) < 1e-15);
            CHECK(fabs(direction.z - cos(polar)) < 1e-15);
            imp_Vec3 found = vertices[body->table[band][meridian]];
            for (size_t i = 0; i < 500; ++i)
                CHECK(along(direction, points[i]) <= along(direction, found) + 1e-15);
        }
    chung_wang_body_destroy(body);
    imp_context_destroy(context);
}

TEST(climbing_ends_at_a_support_vertex_from_wherever_it_starts)
{
    imp_Context *context = make_context();
    imp_Vec3 points[300];
    scene_convex_points(SCENE_ELLIPSOID, 300, 7, points);
    ChungWangBody *body = make_hull(context, points, 300);
    uint64_t from_table = 0, from_anywhere = 0;
    for (uint32_t i = 0; i < 300; ++i) {
        imp_Vec3 direction;
        scene_convex_points(SCENE_ELLIPSOID, 1, test_random(), &direction);
        uint32_t start = chung_wang_start(body, direction);
        uint32_t found = chung_wang_climb(body, start, direction, &from_table);
        CHECK_INT(chung_wang_climb(body, i, direction, &from_anywhere), found);
        for (size_t k = 0; k < 300; ++k)
            CHECK(along(direction, points[k]) <= along(direction, points[found]) + 1e-15);
    }
    CHECK(from_table > 0 && 2 * from_table < from_anywhere);
    chung_wang_body_destroy(body);
    imp_context_destroy(context);
}

TEST(every_failed_allocation_is_reported)
{
    FailingAllocator memory;
    imp_Vec3 points[40];
    uint64_t n = 0;
    scene_convex_points(SCENE_ROD, 40, 1, points);
    failing_allocator_init(&memory, 0);
    imp_ContextDef context_def = {.allocator = failing_allocator_hooks(&memory)};
    imp_Context *context = NULL;
    imp_Convex *convex = NULL;
    CHECK_INT(imp_context_create(&context_def, &context), IMP_STATUS_OK);
    imp_ConvexDef def = {.points = &points->x, .point_count = 40};
    CHECK_INT(imp_convex_create(context, &def, &convex), IMP_STATUS_OK);
    do {
        ChungWangBody *body = NULL;
        failing_allocator_arm(&memory, ++n);
        imp_Status status = chung_wang_body_create(context, convex, &body);
        CHECK_INT(status, body ? IMP_STATUS_OK : IMP_STATUS_OUT_OF_MEMORY);
        chung_wang_body_destroy(body);
    } while (failing_allocator_has_failed(&memory));
    CHECK(n > 3);
    imp_convex_release(convex);
    imp_context_destroy(context);
    CHECK(failing_allocator_is_clean(&memory));
}
