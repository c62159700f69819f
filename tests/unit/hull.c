#include "shape/hull.h"

#include "failing_allocator.h"
#include "harness.h"

#include <math.h>
#include <string.h>

static imp_Context *make_context(void)
{
    imp_Context *context = NULL;
    CHECK_INT(imp_context_create(NULL, &context), IMP_STATUS_OK);
    return context;
}

static bool find_hull(const imp_Vec3 *points, size_t count, bool keep_coplanar, impi_MeshArrays *hull)
{
    imp_Context *context = make_context();
    imp_ConvexDef def = {.points = &points->x, .point_count = count, .keep_coplanar = keep_coplanar};
    bool found = CHECK_INT(impi_hull_find(context, &def, hull), IMP_STATUS_OK);
    imp_context_destroy(context);
    return found;
}

static void free_hull(const impi_MeshArrays *hull)
{
    impi_mesh_arrays_release(&impi_default_allocator, hull);
}

TEST(four_points_are_a_tetrahedron_that_turns_outward)
{
    const imp_Vec3 points[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const uint32_t want[12] = {0, 1, 3, 0, 2, 1, 0, 3, 2, 1, 2, 3};
    impi_MeshArrays hull;
    if (!find_hull(points, 4, false, &hull))
        return;
    CHECK_INT((int64_t)hull.vertex_count, 4);
    CHECK_INT((int64_t)hull.triangle_count, 4);
    CHECK(memcmp(hull.vertices, points, sizeof points) == 0);
    CHECK(memcmp(hull.indices, want, sizeof want) == 0);
    free_hull(&hull);
}

// Corners of a box in any order, with a point inside, repeated corners, and points inside of faces and edges.
static const imp_Vec3 box_points[] = {{1, 1, 1},   {0, 0, 0}, {2, 0, 0},    {2, 2, 0}, {0, 2, 0},
                                      {0, 0, 2},   {2, 0, 2}, {2, 2, 2},    {0, 2, 2}, {0, 0, 0},
                                      {1, 1, 0},   {2, 1, 0}, {-0.0, 0, 2}, {1, 0, 0}, {0.5, 0.5, 2},
                                      {1.5, 1, 2}, {1, 1, 0}};

#define BOX_POINT_COUNT (sizeof box_points / sizeof *box_points)

TEST(facets_are_fans_from_their_lowest_vertex)
{
    impi_MeshArrays hull;
    if (!find_hull(box_points, BOX_POINT_COUNT, false, &hull))
        return;
    const uint32_t want[36] = {0, 1, 5, 0, 2, 1, 0, 3, 2, 0, 4, 7, 0, 5, 4, 0, 7, 3,
                               1, 2, 6, 1, 6, 5, 2, 3, 7, 2, 7, 6, 4, 5, 6, 4, 6, 7};
    CHECK_INT((int64_t)hull.vertex_count, 8);
    CHECK_INT((int64_t)hull.triangle_count, 12);
    CHECK(memcmp(hull.vertices, box_points + 1, 8 * sizeof *box_points) == 0);
    CHECK(memcmp(hull.indices, want, sizeof want) == 0);
    free_hull(&hull);
}

TEST(points_inside_of_faces_and_edges_are_kept_on_request)
{
    // The point inside and those that repeat others are left out.
    const size_t kept[] = {1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 13, 14, 15};
    impi_MeshArrays hull;
    if (!find_hull(box_points, BOX_POINT_COUNT, true, &hull))
        return;
    if (CHECK_INT((int64_t)hull.vertex_count, 13))
        for (size_t i = 0; i < 13; ++i)
            CHECK(memcmp(&hull.vertices[i], &box_points[kept[i]], sizeof(imp_Vec3)) == 0);
    CHECK_INT((int64_t)hull.triangle_count, 2 * 13 - 4);
    free_hull(&hull);
}

TEST(points_may_have_any_stride)
{
    imp_Context *context = make_context();
    char bytes[4 * 29 + 1];
    const imp_Vec3 points[4] = {{0, 0, 0}, {3, 0, 0}, {0, 3, 0}, {0, 0, 3}};
    for (int i = 0; i < 4; ++i)
        memcpy(bytes + 1 + 29 * i, &points[i], sizeof points[i]);
    imp_ConvexDef def = {
        .points = (const double *)(const void *)(bytes + 1), .point_count = 4, .point_stride = 29};
    impi_MeshArrays hull;
    if (CHECK_INT(impi_hull_find(context, &def, &hull), IMP_STATUS_OK)) {
        CHECK(memcmp(hull.vertices, points, sizeof points) == 0);
        free_hull(&hull);
    }
    imp_context_destroy(context);
}

static void check_refused(const imp_ConvexDef *def, imp_Status status, uint64_t index, const char *message)
{
    imp_Context *context = make_context();
    impi_MeshArrays hull = {.vertex_count = 77};
    CHECK_INT(impi_hull_find(context, def, &hull), status);
    CHECK_INT((int64_t)hull.vertex_count, 77);
    CHECK(imp_context_get_error(context)->index == index);
    CHECK_TEXT(imp_context_get_error(context)->message, message);
    imp_context_destroy(context);
}

TEST(sets_that_span_no_space_are_refused)
{
    imp_Vec3 points[12];
    imp_ConvexDef def = {.points = &points->x, .point_count = 3};
    for (int i = 0; i < 12; ++i)
        points[i] = (imp_Vec3){0.1, 0.2, i % 2 ? 0.0 : -0.0};
    check_refused(&def, IMP_STATUS_BAD_SHAPE, IMP_NOWHERE, "a polytope needs 4 points, and there are 3");
    def.point_count = 1;
    check_refused(&def, IMP_STATUS_BAD_SHAPE, IMP_NOWHERE, "a polytope needs 4 points, and there is 1");
    check_refused(&(imp_ConvexDef){0}, IMP_STATUS_BAD_SHAPE, IMP_NOWHERE,
                  "a polytope needs 4 points, and there are 0");
    def.point_count = 12;
    check_refused(&def, IMP_STATUS_BAD_SHAPE, IMP_NOWHERE, "the 12 points are all equal");
    for (int i = 0; i < 12; ++i)
        points[i] = (imp_Vec3){(i * 5) % 12, 3, -2 * ((i * 5) % 12)};
    check_refused(&def, IMP_STATUS_BAD_SHAPE, IMP_NOWHERE, "the 12 points lie on one line");
    points[7].y = 4;
    check_refused(&def, IMP_STATUS_BAD_SHAPE, IMP_NOWHERE, "the 12 points lie in one plane");
    points[2].y = 3 + 0x1p-51; // off the line, but in the plane of x and z through the line
    check_refused(&def, IMP_STATUS_BAD_SHAPE, IMP_NOWHERE, "the 12 points lie in one plane");
}

TEST(one_ulp_is_enough)
{
    // Rounding hides that the last point is off the plane of the others.
    const imp_Vec3 points[4] = {{0, 0, 1}, {1e8, 0, 1}, {0, 1e8, 1}, {3, 7, 1 + 0x1p-52}};
    impi_MeshArrays hull;
    if (!find_hull(points, 4, false, &hull))
        return;
    CHECK_INT((int64_t)hull.triangle_count, 4);
    free_hull(&hull);
}

TEST(bad_definitions_are_refused)
{
    imp_Vec3 points[5] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}};
    imp_ConvexDef def = {.points = &points->x, .point_count = 5, .point_stride = 23};
    check_refused(&def, IMP_STATUS_BAD_ARGUMENT, IMP_NOWHERE,
                  "a point stride of 23 bytes is less than the 24 of a point");
    check_refused(&(imp_ConvexDef){.point_count = 5}, IMP_STATUS_BAD_ARGUMENT, IMP_NOWHERE,
                  "the points are null");
    def = (imp_ConvexDef){.points = &points->x, .point_count = (size_t)UINT32_MAX};
    check_refused(&def, IMP_STATUS_TOO_LARGE, IMP_NOWHERE, "4294967295 points are more than 4294967294");
    def.point_count = 5;
    points[3].y = NAN;
    check_refused(&def, IMP_STATUS_BAD_NUMBER, 3, "point 3 is not finite");
    points[1].z = -INFINITY;
    check_refused(&def, IMP_STATUS_BAD_NUMBER, 1, "point 1 is not finite");
}

TEST(every_failed_allocation_is_reported)
{
    for (int keep = 0; keep < 2; ++keep) {
        FailingAllocator memory;
        uint64_t n = 0;
        do {
            failing_allocator_init(&memory, ++n);
            imp_ContextDef context_def = {.allocator = failing_allocator_hooks(&memory)};
            imp_Context *context = NULL;
            imp_ConvexDef def = {
                .points = &box_points->x, .point_count = BOX_POINT_COUNT, .keep_coplanar = keep};
            impi_MeshArrays hull;
            if (imp_context_create(&context_def, &context) == IMP_STATUS_OK) {
                imp_Status status = impi_hull_find(context, &def, &hull);
                CHECK_INT(status,
                          failing_allocator_has_failed(&memory) ? IMP_STATUS_OUT_OF_MEMORY : IMP_STATUS_OK);
                if (status == IMP_STATUS_OK)
                    impi_mesh_arrays_release(&context->allocator, &hull);
                imp_context_destroy(context);
            }
            CHECK(failing_allocator_is_clean(&memory));
        } while (failing_allocator_has_failed(&memory));
        CHECK(n > 8);
    }
}
