#include "failing_allocator.h"
#include "harness.h"
#include "scenes/shapes.h"

#include <impinge/distance.h>

#include <math.h>

#define MAX_POINTS 16

static imp_Context *make_context(void)
{
    imp_Context *context = NULL;
    CHECK_INT(imp_context_create(NULL, &context), IMP_STATUS_OK);
    return context;
}

// Inside by the winding number, and not nearer to any face than the depth.
static size_t check_points(imp_Context *context, const imp_Mesh *mesh, imp_InteriorPoint points[MAX_POINTS])
{
    size_t count = 0;
    CHECK_INT(imp_mesh_interior_points(context, mesh, points, MAX_POINTS, &count), IMP_STATUS_OK);
    for (size_t i = 0; i < count; ++i) {
        imp_PointLocation location;
        double least = INFINITY;
        imp_Vec3 p = points[i].position;
        CHECK_INT(imp_mesh_locate_points(context, mesh, &p, 1, &location), IMP_STATUS_OK);
        CHECK_INT(location, IMP_LOCATION_INSIDE);
        for (size_t k = 0; k < imp_mesh_get_triangle_count(mesh); ++k) {
            imp_Triangle face, point = {{p, p, p}};
            imp_Distance distance;
            CHECK_INT(imp_mesh_get_triangle(mesh, k, &face), IMP_STATUS_OK);
            CHECK_INT(imp_triangles_distance(&point, &face, &distance), IMP_STATUS_OK);
            least = fmin(least, distance.distance);
        }
        CHECK(points[i].depth > 0 && points[i].depth <= least);
    }
    return count;
}

TEST(the_middle_of_a_box)
{
    imp_Context *context = make_context();
    imp_Mesh *mesh = NULL;
    imp_InteriorPoint points[MAX_POINTS];
    CHECK_INT(scene_box(context, (imp_Vec3){0, 0, 0}, (imp_Vec3){4, 4, 1}, &mesh), IMP_STATUS_OK);
    CHECK_INT(check_points(context, mesh, points), 1);
    CHECK(points[0].depth > 0.49 && points[0].depth <= 0.5);
    imp_mesh_release(mesh);
    imp_context_destroy(context);
}

TEST(concave_and_hollow_shapes)
{
    imp_Context *context = make_context();
    imp_InteriorPoint points[MAX_POINTS];
    imp_Mesh *mesh = NULL;
    CHECK_INT(scene_torus(context, 24, 12, 3, 1, &mesh), IMP_STATUS_OK);
    CHECK_INT(check_points(context, mesh, points), 1);
    imp_mesh_release(mesh);
    CHECK_INT(scene_bumpy_sphere(context, 24, 12, 1, 0.4, 7, &mesh), IMP_STATUS_OK);
    CHECK_INT(check_points(context, mesh, points), 1);
    imp_mesh_release(mesh);
    // Rays end at the cavity: between it and the outside is where points are.
    CHECK_INT(scene_hollow_sphere(context, 24, 12, 2, 1.5, &mesh), IMP_STATUS_OK);
    CHECK_INT(check_points(context, mesh, points), 1);
    CHECK(points[0].depth > 0.1 && points[0].depth < 0.26);
    imp_mesh_release(mesh);
    imp_context_destroy(context);
}

// Two boxes and a flat sheet of two faces, back to back, turned inside out as a whole.
static imp_Mesh *make_parts(imp_Context *context)
{
    static const double xyz[] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 0, 1, 5, 0, 0, 8, 0,
                                 0, 5, 3, 0, 5, 0, 3, 9, 9, 9, 9, 8, 9, 8, 8, 9};
    static const uint32_t indices[] = {0, 1, 2, 0, 3, 1, 1, 3, 2, 0, 2, 3,  4, 5,  6,
                                       4, 7, 5, 5, 7, 6, 4, 6, 7, 8, 9, 10, 8, 10, 9};
    imp_MeshDef def = {.vertices = xyz, .vertex_count = 11, .indices = indices, .triangle_count = 10};
    imp_Mesh *mesh = NULL;
    CHECK_INT(imp_mesh_create(context, &def, &mesh), IMP_STATUS_OK);
    return mesh;
}

TEST(one_for_each_component_that_has_an_inside)
{
    imp_Context *context = make_context();
    imp_InteriorPoint points[MAX_POINTS];
    size_t count = 77;
    imp_Mesh *mesh = make_parts(context);
    CHECK_INT(check_points(context, mesh, points), 2);
    CHECK(points[0].position.x < 1 && points[1].position.x > 5);
    points[0].depth = 77;
    CHECK_INT(imp_mesh_interior_points(context, mesh, points, 1, &count), IMP_STATUS_BUFFER_SHORT);
    CHECK(count == 2 && points[0].depth == 77);
    imp_mesh_release(mesh);
    imp_context_destroy(context);
}

TEST(what_is_refused)
{
    static const double xyz[] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    static const uint32_t indices[] = {0, 1, 2};
    imp_MeshDef def = {.vertices = xyz, .vertex_count = 3, .indices = indices, .triangle_count = 1};
    imp_Context *context = make_context();
    imp_Mesh *mesh = NULL;
    imp_InteriorPoint point;
    size_t count;
    CHECK_INT(imp_mesh_create(context, &def, &mesh), IMP_STATUS_OK);
    CHECK_INT(imp_mesh_interior_points(context, mesh, &point, 1, &count), IMP_STATUS_BAD_SHAPE);
    CHECK_INT(imp_mesh_interior_points(NULL, mesh, &point, 1, &count), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_mesh_interior_points(context, NULL, &point, 1, &count), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_mesh_interior_points(context, mesh, NULL, 1, &count), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_mesh_interior_points(context, mesh, &point, 1, NULL), IMP_STATUS_BAD_ARGUMENT);
    imp_mesh_release(mesh);
    imp_context_destroy(context);
}

TEST(it_fails_cleanly_when_memory_ends)
{
    FailingAllocator memory;
    uint64_t n = 0;
    imp_Status status;
    do {
        failing_allocator_init(&memory, 0);
        imp_ContextDef def = {.allocator = failing_allocator_hooks(&memory)};
        imp_Context *context = NULL;
        imp_InteriorPoint points[MAX_POINTS];
        size_t count = 77;
        CHECK_INT(imp_context_create(&def, &context), IMP_STATUS_OK);
        imp_Mesh *mesh = make_parts(context);
        failing_allocator_arm(&memory, ++n);
        status = imp_mesh_interior_points(context, mesh, points, MAX_POINTS, &count);
        CHECK_INT(status, count == 77 ? IMP_STATUS_OUT_OF_MEMORY : IMP_STATUS_OK);
        imp_mesh_release(mesh);
        imp_context_destroy(context);
        CHECK(failing_allocator_is_clean(&memory));
    } while (status != IMP_STATUS_OK);
    CHECK(n > 1);
}
