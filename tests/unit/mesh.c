#include "shape/mesh.h"

#include "base/float_guard.h"
#include "failing_allocator.h"
#include "harness.h"
#include "scenes/shapes.h"

#include <fenv.h>
#include <math.h>
#include <string.h>

static const double tetrahedron_xyz[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
static const uint32_t tetrahedron_indices[12] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2};

static imp_MeshDef tetrahedron_def(void)
{
    return (imp_MeshDef){
        .vertices = tetrahedron_xyz, .vertex_count = 4, .indices = tetrahedron_indices, .triangle_count = 4};
}

static imp_Context *make_context(void)
{
    imp_Context *context = NULL;
    CHECK_INT(imp_context_create(NULL, &context), IMP_STATUS_OK);
    return context;
}

TEST(a_mesh_keeps_what_it_was_given)
{
    imp_Context *context = make_context();
    imp_MeshDef def = tetrahedron_def();
    imp_Mesh *mesh = NULL;
    CHECK_INT(imp_mesh_create(context, &def, &mesh), IMP_STATUS_OK);
    CHECK_INT(imp_mesh_get_vertex_count(mesh), 4);
    CHECK_INT(imp_mesh_get_triangle_count(mesh), 4);
    for (int i = 0; i < 12; ++i)
        CHECK_DOUBLE((&imp_mesh_get_vertices(mesh)[i / 3].x)[i % 3], tetrahedron_xyz[i]);
    CHECK(memcmp(imp_mesh_get_indices(mesh), tetrahedron_indices, sizeof tetrahedron_indices) == 0);
    CHECK(imp_mesh_get_remark(mesh) == NULL);
    imp_Triangle triangle;
    CHECK_INT(imp_mesh_get_triangle(mesh, 2, &triangle), IMP_STATUS_OK);
    CHECK_DOUBLE(triangle.v[2].z, 1);
    CHECK_INT(imp_mesh_get_triangle(mesh, 4, &triangle), IMP_STATUS_BAD_INDEX);
    CHECK_INT(imp_mesh_get_triangle(mesh, 0, NULL), IMP_STATUS_BAD_ARGUMENT);
    imp_mesh_release(mesh);
    imp_context_destroy(context);
}

TEST(bounds_are_those_of_used_vertices)
{
    imp_Context *context = make_context();
    const double xyz[15] = {9, 9, 9, -1, 2, 3, 4, -5, 6, 0, 0, -7, -9, -9, -9};
    const uint32_t indices[3] = {1, 2, 3};
    imp_MeshDef def = {.vertices = xyz, .vertex_count = 5, .indices = indices, .triangle_count = 1};
    imp_Mesh *mesh = NULL;
    CHECK_INT(imp_mesh_create(context, &def, &mesh), IMP_STATUS_OK);
    imp_Box box = imp_mesh_get_bounds(mesh);
    CHECK_DOUBLE(box.min.x, -1);
    CHECK_DOUBLE(box.min.y, -5);
    CHECK_DOUBLE(box.min.z, -7);
    CHECK_DOUBLE(box.max.x, 4);
    CHECK_DOUBLE(box.max.y, 2);
    CHECK_DOUBLE(box.max.z, 6);
    imp_mesh_release(mesh);
    imp_context_destroy(context);
}

TEST(single_precision_and_strides_are_read)
{
    imp_Context *context = make_context();
    struct {
        char tag; // leaves the numbers unaligned below
        float xyz[3], normal[3];
    } vertices[3] = {{1, {0.1f, 2, 3}, {0}}, {2, {4, 0x1p-149f, 6}, {0}}, {3, {7, 8, -0.0f}, {0}}};
    char bytes[3 * 25];
    const uint32_t indices[3] = {2, 1, 0};
    for (int i = 0; i < 3; ++i)
        memcpy(bytes + 25 * i + 1, vertices[i].xyz, sizeof vertices[i].xyz);
    imp_MeshDef defs[2] = {{.float_vertices = vertices[0].xyz,
                            .vertex_count = 3,
                            .vertex_stride = sizeof vertices[0],
                            .indices = indices,
                            .triangle_count = 1},
                           {.float_vertices = (const float *)(const void *)(bytes + 1),
                            .vertex_count = 3,
                            .vertex_stride = 25,
                            .indices = indices,
                            .triangle_count = 1}};
    for (int d = 0; d < 2; ++d) {
        imp_Mesh *mesh = NULL;
        CHECK_INT(imp_mesh_create(context, &defs[d], &mesh), IMP_STATUS_OK);
        for (int i = 0; i < 9; ++i)
            CHECK_DOUBLE((&imp_mesh_get_vertices(mesh)[i / 3].x)[i % 3], vertices[i / 3].xyz[i % 3]);
        imp_mesh_release(mesh);
    }
    imp_context_destroy(context);
}

// Refused, with this status and index, and with `mesh` left alone.
static void check_refused(const imp_MeshDef *def, imp_Status status, uint64_t index, const char *part)
{
    imp_Context *context = make_context();
    imp_Mesh *untouched = (imp_Mesh *)&status, *mesh = untouched;
    CHECK_INT(imp_mesh_create(context, def, &mesh), status);
    CHECK(mesh == untouched);
    CHECK_INT(imp_context_get_error(context)->status, status);
    CHECK(imp_context_get_error(context)->index == index);
    CHECK_CONTAINS(imp_context_get_error(context)->message, part);
    imp_context_destroy(context);
}

TEST(bad_definitions_are_refused)
{
    imp_MeshDef def = tetrahedron_def();
    def.vertex_count = 0;
    check_refused(&def, IMP_STATUS_BAD_SHAPE, IMP_NOWHERE, "no vertices");
    def = tetrahedron_def();
    def.triangle_count = 0;
    check_refused(&def, IMP_STATUS_BAD_SHAPE, IMP_NOWHERE, "no triangles");
    def = tetrahedron_def();
    def.vertex_count = (size_t)UINT32_MAX;
    check_refused(&def, IMP_STATUS_TOO_LARGE, IMP_NOWHERE, "4294967295 vertices");
    def = tetrahedron_def();
    def.triangle_count = SIZE_MAX;
    check_refused(&def, IMP_STATUS_TOO_LARGE, IMP_NOWHERE, "triangles are more than 4294967294");
    def = tetrahedron_def();
    def.indices = NULL;
    check_refused(&def, IMP_STATUS_BAD_ARGUMENT, IMP_NOWHERE, "indices");
    def = tetrahedron_def();
    def.vertices = NULL;
    check_refused(&def, IMP_STATUS_BAD_ARGUMENT, IMP_NOWHERE, "exactly one");
    def = tetrahedron_def();
    def.float_vertices = (const float[3]){0};
    check_refused(&def, IMP_STATUS_BAD_ARGUMENT, IMP_NOWHERE, "exactly one");
    def = tetrahedron_def();
    def.vertex_stride = 23;
    check_refused(&def, IMP_STATUS_BAD_ARGUMENT, IMP_NOWHERE, "stride of 23");
}

TEST(bad_numbers_and_indices_are_refused_with_their_index)
{
    const double bad[] = {NAN, INFINITY, -INFINITY};
    for (int b = 0; b < 3; ++b)
        for (size_t i = 0; i < 12; ++i) {
            double xyz[12];
            memcpy(xyz, tetrahedron_xyz, sizeof xyz);
            xyz[i] = bad[b];
            imp_MeshDef def = tetrahedron_def();
            def.vertices = xyz;
            check_refused(&def, IMP_STATUS_BAD_NUMBER, i / 3, "not finite");
        }
    for (size_t i = 0; i < 12; ++i) {
        uint32_t indices[12];
        memcpy(indices, tetrahedron_indices, sizeof indices);
        indices[i] = i % 2 ? 4 : UINT32_MAX;
        imp_MeshDef def = tetrahedron_def();
        def.indices = indices;
        check_refused(&def, IMP_STATUS_BAD_INDEX, i / 3, "there are only 4");
    }
}

TEST(null_arguments_are_refused)
{
    imp_Context *context = make_context();
    imp_MeshDef def = tetrahedron_def();
    imp_Mesh *mesh = NULL;
    imp_MeshInfo info;
    imp_Vec3 point = {0, 0, 0};
    imp_PointLocation place;
    imp_FacePair pair;
    uint32_t neighbours[12];
    size_t count;
    bool closed;
    CHECK_INT(imp_mesh_create(context, &def, &mesh), IMP_STATUS_OK);
    imp_Status bad = IMP_STATUS_BAD_ARGUMENT;
    CHECK_INT(imp_mesh_create(NULL, &def, &mesh), bad);
    CHECK_INT(imp_mesh_create(context, NULL, &mesh), bad);
    CHECK_INT(imp_mesh_create(context, &def, NULL), bad);
    CHECK_INT(imp_mesh_analyse(NULL, mesh, &info), bad);
    CHECK_INT(imp_mesh_analyse(context, NULL, &info), bad);
    CHECK_INT(imp_mesh_analyse(context, mesh, NULL), bad);
    CHECK_INT(imp_mesh_is_closed(NULL, mesh, &closed), bad);
    CHECK_INT(imp_mesh_is_closed(context, NULL, &closed), bad);
    CHECK_INT(imp_mesh_is_closed(context, mesh, NULL), bad);
    CHECK_INT(imp_mesh_adjacency(NULL, mesh, neighbours), bad);
    CHECK_INT(imp_mesh_adjacency(context, NULL, neighbours), bad);
    CHECK_INT(imp_mesh_adjacency(context, mesh, NULL), bad);
    CHECK_INT(imp_mesh_locate_points(NULL, mesh, &point, 1, &place), bad);
    CHECK_INT(imp_mesh_locate_points(context, NULL, &point, 1, &place), bad);
    CHECK_INT(imp_mesh_locate_points(context, mesh, NULL, 1, &place), bad);
    CHECK_INT(imp_mesh_locate_points(context, mesh, &point, 1, NULL), bad);
    CHECK_INT(imp_mesh_locate_points(context, mesh, NULL, 0, NULL), IMP_STATUS_OK);
    CHECK_INT(imp_mesh_self_pairs(NULL, mesh, &pair, 1, &count), bad);
    CHECK_INT(imp_mesh_self_pairs(context, NULL, &pair, 1, &count), bad);
    CHECK_INT(imp_mesh_self_pairs(context, mesh, NULL, 1, &count), bad);
    CHECK_INT(imp_mesh_self_pairs(context, mesh, &pair, 1, NULL), bad);
    CHECK_INT(imp_mesh_get_vertex_count(NULL), 0);
    CHECK_INT(imp_mesh_get_triangle_count(NULL), 0);
    CHECK(!imp_mesh_get_vertices(NULL) && !imp_mesh_get_indices(NULL) && !imp_mesh_get_remark(NULL));
    CHECK(imp_mesh_retain(NULL) == NULL);
    imp_mesh_release(NULL);
    imp_mesh_release(mesh);
    imp_context_destroy(context);
}

TEST(points_are_located_only_where_there_is_an_inside)
{
    imp_Context *context = make_context();
    imp_Mesh *closed = NULL, *open = NULL;
    imp_MeshDef def = tetrahedron_def();
    const imp_Vec3 points[2] = {{0.1, 0.1, 0.1}, {0, NAN, 0}};
    imp_PointLocation locations[2] = {IMP_LOCATION_ON_SURFACE, IMP_LOCATION_ON_SURFACE};
    CHECK_INT(imp_mesh_create(context, &def, &closed), IMP_STATUS_OK);
    def.triangle_count = 3;
    CHECK_INT(imp_mesh_create(context, &def, &open), IMP_STATUS_OK);
    CHECK_INT(imp_mesh_locate_points(context, closed, points, 2, locations), IMP_STATUS_BAD_NUMBER);
    CHECK_INT(imp_context_get_error(context)->index, 1);
    CHECK_INT(imp_mesh_locate_points(context, open, points, 1, locations), IMP_STATUS_BAD_SHAPE);
    CHECK_INT(locations[0], IMP_LOCATION_ON_SURFACE);
    CHECK_INT(imp_mesh_locate_points(context, closed, points, 1, locations), IMP_STATUS_OK);
    CHECK_INT(locations[0], IMP_LOCATION_INSIDE);
    imp_mesh_release(closed);
    imp_mesh_release(open);
    imp_context_destroy(context);
}

TEST(a_mesh_outlives_its_context)
{
    FailingAllocator memory;
    failing_allocator_init(&memory, 0);
    imp_ContextDef context_def = {.allocator = failing_allocator_hooks(&memory)};
    imp_Context *context = NULL;
    imp_MeshDef def = tetrahedron_def();
    imp_Mesh *mesh = NULL;
    CHECK_INT(imp_context_create(&context_def, &context), IMP_STATUS_OK);
    CHECK_INT(imp_mesh_create(context, &def, &mesh), IMP_STATUS_OK);
    imp_context_destroy(context);
    CHECK(imp_mesh_retain(mesh) == mesh);
    imp_mesh_release(mesh);
    CHECK_INT(imp_mesh_get_vertex_count(mesh), 4);
    imp_mesh_release(mesh);
    CHECK(failing_allocator_is_clean(&memory));
}

static void retain_and_release(uint32_t task, void *argument)
{
    imp_Mesh *mesh = argument;
    for (uint32_t i = 0; i < 1000 + task; ++i)
        imp_mesh_release(imp_mesh_retain(mesh));
}

TEST(references_are_counted_from_several_threads)
{
    imp_Context *context = NULL;
    imp_MeshDef def = tetrahedron_def();
    imp_Mesh *mesh = NULL;
    CHECK_INT(imp_context_create(&(imp_ContextDef){.thread_count = 4}, &context), IMP_STATUS_OK);
    CHECK_INT(imp_mesh_create(context, &def, &mesh), IMP_STATUS_OK);
    context->executor.run(retain_and_release, mesh, 16, context->executor.user);
    CHECK_INT(atomic_load(&mesh->shape.reference_count), 1);
    imp_mesh_release(mesh);
    imp_context_destroy(context);
}

static imp_Status adopt(imp_Context *context, uint32_t bad_index, imp_Mesh **mesh)
{
    const imp_Allocator *allocator = &context->allocator;
    impi_MeshArrays arrays = {
        .vertex_count = 4, .vertex_capacity = 10, .triangle_count = 4, .index_capacity = 20};
    arrays.vertices = impi_allocate_array(allocator, 10, sizeof *arrays.vertices);
    arrays.indices = impi_allocate_array(allocator, 20, sizeof *arrays.indices);
    imp_Status status = IMP_STATUS_OUT_OF_MEMORY;
    if (arrays.vertices && arrays.indices) {
        memcpy(arrays.vertices, tetrahedron_xyz, sizeof tetrahedron_xyz);
        memcpy(arrays.indices, tetrahedron_indices, sizeof tetrahedron_indices);
        arrays.indices[7] = bad_index;
        status = impi_mesh_adopt(context, &arrays, "one remark", mesh);
    }
    if (status != IMP_STATUS_OK)
        impi_mesh_arrays_release(allocator, &arrays);
    return status;
}

TEST(adopted_arrays_belong_to_the_mesh_on_success_only)
{
    FailingAllocator memory;
    uint64_t n = 0;
    do {
        failing_allocator_init(&memory, ++n);
        imp_ContextDef def = {.allocator = failing_allocator_hooks(&memory)};
        imp_Context *context = NULL;
        if (imp_context_create(&def, &context) == IMP_STATUS_OK) {
            imp_Mesh *mesh = NULL, *bad = NULL;
            if (adopt(context, 2, &mesh) == IMP_STATUS_OK) {
                CHECK_TEXT(imp_mesh_get_remark(mesh), "one remark");
                imp_Status status = adopt(context, 4, &bad);
                CHECK(status == IMP_STATUS_BAD_INDEX || status == IMP_STATUS_OUT_OF_MEMORY);
            }
            CHECK(bad == NULL);
            imp_mesh_release(mesh);
            imp_context_destroy(context);
        }
        CHECK(failing_allocator_is_clean(&memory));
    } while (failing_allocator_has_failed(&memory));
    CHECK(n > 5);
}

static void check_status(imp_Status status, imp_Status otherwise)
{
    CHECK(status == otherwise || status == IMP_STATUS_OUT_OF_MEMORY);
}

// A hollow sphere, pierced by a bar: analysis has to place its components, and faces intersect.
static imp_Status make_difficult_mesh(imp_Context *context, imp_Mesh **mesh)
{
    imp_Mesh *hollow = NULL, *bar = NULL;
    imp_Status status = scene_hollow_sphere(context, 6, 4, 1, 0.5, &hollow);
    if (status == IMP_STATUS_OK)
        status = scene_box(context, (imp_Vec3){-2, -0.1, -0.1}, (imp_Vec3){2, 0.1, 0.1}, &bar);
    if (status == IMP_STATUS_OK)
        status = scene_join(context, hollow, bar, mesh);
    imp_mesh_release(hollow);
    imp_mesh_release(bar);
    return status;
}

TEST(every_allocation_may_fail)
{
    FailingAllocator memory;
    uint64_t n = 0;
    do {
        failing_allocator_init(&memory, ++n);
        imp_ContextDef def = {.allocator = failing_allocator_hooks(&memory), .thread_count = 2};
        imp_Context *context = NULL;
        imp_Mesh *mesh = NULL;
        if (imp_context_create(&def, &context) == IMP_STATUS_OK &&
            make_difficult_mesh(context, &mesh) == IMP_STATUS_OK) {
            const imp_Vec3 points[2] = {{0.6, 0.3, 0.3}, {0, 0, 0}};
            imp_PointLocation places[2];
            imp_MeshInfo info;
            imp_FacePair pairs[200];
            uint32_t neighbours[3 * 200];
            size_t count = 0;
            bool closed = true;
            CHECK(imp_mesh_get_triangle_count(mesh) <= 200);
            check_status(imp_mesh_is_closed(context, mesh, &closed), IMP_STATUS_OK);
            check_status(imp_mesh_adjacency(context, mesh, neighbours), IMP_STATUS_OK);
            check_status(imp_mesh_locate_points(context, mesh, points, 2, places), IMP_STATUS_OK);
            check_status(imp_mesh_analyse(context, mesh, &info), IMP_STATUS_OK);
            check_status(imp_mesh_self_pairs(context, mesh, NULL, 0, &count), IMP_STATUS_OK);
            check_status(imp_mesh_self_pairs(context, mesh, pairs, 200, &count), IMP_STATUS_OK);
            CHECK(closed);
        }
        imp_mesh_release(mesh);
        imp_context_destroy(context);
        CHECK(failing_allocator_is_clean(&memory));
    } while (failing_allocator_has_failed(&memory));
    CHECK(n > 12);
}

// Each function on its own, in a context that has allocated nothing before.
TEST(each_function_fails_cleanly_alone)
{
    FailingAllocator memory;
    for (int which = 0; which < 5; ++which) {
        uint64_t n = 0;
        imp_Status status;
        do {
            failing_allocator_init(&memory, 0);
            imp_ContextDef def = {.allocator = failing_allocator_hooks(&memory)};
            imp_Context *context = NULL;
            imp_Mesh *mesh = NULL;
            CHECK_INT(imp_context_create(&def, &context), IMP_STATUS_OK);
            make_difficult_mesh(context, &mesh);
            const imp_Vec3 point = {0.6, 0.3, 0.3};
            imp_PointLocation place = (imp_PointLocation)77;
            imp_MeshInfo info = {.edge_count = 77};
            uint32_t neighbours[3 * 200] = {77};
            size_t count = 77;
            bool closed = false;
            imp_FacePair pairs[200] = {{77, 77}};
            failing_allocator_arm(&memory, ++n);
            status = which == 0   ? imp_mesh_is_closed(context, mesh, &closed)
                     : which == 1 ? imp_mesh_adjacency(context, mesh, neighbours)
                     : which == 2 ? imp_mesh_locate_points(context, mesh, &point, 1, &place)
                     : which == 3 ? imp_mesh_analyse(context, mesh, &info)
                                  : imp_mesh_self_pairs(context, mesh, pairs, 200, &count);
            check_status(status, IMP_STATUS_OK);
            if (status != IMP_STATUS_OK) {
                CHECK_INT(imp_context_get_error(context)->status, IMP_STATUS_OUT_OF_MEMORY);
                CHECK(!closed && neighbours[0] == 77 && (int)place == 77 && info.edge_count == 77);
                CHECK(count == 77 && pairs[0].face_a == 77);
            }
            imp_mesh_release(mesh);
            imp_context_destroy(context);
            CHECK(failing_allocator_is_clean(&memory));
        } while (status != IMP_STATUS_OK);
        CHECK(n > 1);
    }
}

TEST(the_mode_of_the_host_changes_nothing)
{
    imp_Context *context = make_context();
    imp_Mesh *mesh = NULL, *tiny = NULL;
    imp_MeshInfo want, got;
    make_difficult_mesh(context, &mesh);
    scene_place(context, mesh, 0x1p-1070, (imp_Vec3){0, 0, 0}, &tiny);
    const imp_Mesh *meshes[2] = {mesh, tiny};
    for (int i = 0; i < 2; ++i) {
        CHECK_INT(imp_mesh_analyse(context, meshes[i], &want), IMP_STATUS_OK);
        fesetround(FE_UPWARD);
        imp_Status status = imp_mesh_analyse(context, meshes[i], &got);
        int mode = fegetround();
        fesetround(FE_TONEAREST);
        CHECK_INT(status, IMP_STATUS_OK);
        CHECK_INT(mode, FE_UPWARD);
        CHECK_DOUBLE(got.area, want.area);
        CHECK_DOUBLE(got.volume, want.volume);
        CHECK_INT(got.orientation, want.orientation);
#if defined(__x86_64__)
        impi_float_mode_set(IMPI_MXCSR_DEFAULT | 0x8040); // flush to zero, denormals are zero
        status = imp_mesh_analyse(context, meshes[i], &got);
        impi_float_mode_set(IMPI_MXCSR_DEFAULT);
        CHECK_INT(status, IMP_STATUS_OK);
        CHECK_INT(got.distinct_vertex_count, want.distinct_vertex_count);
        CHECK_INT(got.degenerate_triangle_count, want.degenerate_triangle_count);
        CHECK_DOUBLE(got.bounds.max.y, want.bounds.max.y);
#endif
    }
    imp_mesh_release(mesh);
    imp_mesh_release(tiny);
    imp_context_destroy(context);
}
