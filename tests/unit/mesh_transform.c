#include "failing_allocator.h"
#include "mesh_files.h"

#include <float.h>
#include <math.h>

TEST(vertices_are_converted_and_then_posed)
{
    imp_Context *context = new_context();
    imp_Mesh *mesh = new_grid(context, 20);
    const imp_Pose pose = {{1.5, -2, 1e-3}, {0.5, 0.5, -0.5, 0.5000001}};
    const imp_MeshTransformDef defs[] = {{.pose = pose},
                                         {.divide_by = 1000},
                                         {.multiply_by = 0.0254, .pose = pose},
                                         {.divide_by = 3, .pose = pose}};
    for (size_t d = 0; d < sizeof defs / sizeof *defs; ++d) {
        imp_Mesh *made = NULL;
        CHECK_INT(imp_mesh_transform(context, mesh, &defs[d], &made), IMP_STATUS_OK);
        CHECK_INT(imp_mesh_get_vertex_count(made), imp_mesh_get_vertex_count(mesh));
        CHECK(memcmp(imp_mesh_get_indices(made), imp_mesh_get_indices(mesh),
                     3 * imp_mesh_get_triangle_count(mesh) * sizeof(uint32_t)) == 0);
        for (size_t i = 0; i < imp_mesh_get_vertex_count(mesh); ++i) {
            imp_Vec3 v = imp_mesh_get_vertices(mesh)[i], posed;
            double by = defs[d].multiply_by, over = defs[d].divide_by;
            if (by != 0)
                v = (imp_Vec3){v.x * by, v.y * by, v.z * by};
            if (over != 0)
                v = (imp_Vec3){v.x / over, v.y / over, v.z / over};
            CHECK_INT(imp_pose_apply(&defs[d].pose, v, &posed), IMP_STATUS_OK);
            CHECK(memcmp(&posed, &imp_mesh_get_vertices(made)[i], sizeof posed) == 0);
        }
        imp_mesh_release(made);
    }
    imp_mesh_release(mesh);
    imp_context_destroy(context);
}

TEST(refusals)
{
    static const struct {
        imp_MeshTransformDef def;
        imp_Status status;
        uint64_t index;
        const char *message;
    } cases[] = {
        {{.multiply_by = -1}, IMP_STATUS_BAD_ARGUMENT, IMP_NOWHERE, "multiply_by is -1"},
        {{.divide_by = NAN}, IMP_STATUS_BAD_ARGUMENT, IMP_NOWHERE, "divide_by is "},
        {{.multiply_by = 1, .divide_by = 1}, IMP_STATUS_BAD_ARGUMENT, IMP_NOWHERE, "both set"},
        {{.reserved = {1}}, IMP_STATUS_BAD_ARGUMENT, 0, "reserved field 0"},
        {{.pose.translation.x = INFINITY}, IMP_STATUS_BAD_NUMBER, IMP_NOWHERE, "the pose is not finite"},
        {{.pose.rotation.w = 2}, IMP_STATUS_BAD_NUMBER, IMP_NOWHERE, "the pose is not finite"},
        {{.multiply_by = DBL_MAX}, IMP_STATUS_BAD_NUMBER, 2, "a coordinate of vertex 2 is beyond"},
        {{.pose.translation.x = DBL_MAX, .multiply_by = 0x1p1022},
         IMP_STATUS_BAD_NUMBER,
         2,
         "the pose moves vertex 2 beyond"},
    };
    static const double vertices[] = {0, 0, 0, 0, 1, 0, 2, 0, 0};
    imp_Context *context = new_context();
    imp_Mesh *mesh = NULL, *made = NULL;
    imp_MeshDef mesh_def = {
        .vertices = vertices, .vertex_count = 3, .indices = (uint32_t[]){0, 1, 2}, .triangle_count = 1};
    CHECK_INT(imp_mesh_create(context, &mesh_def, &mesh), IMP_STATUS_OK);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        CHECK_INT(imp_mesh_transform(context, mesh, &cases[i].def, &made), cases[i].status);
        CHECK_CONTAINS(imp_context_get_error(context)->message, cases[i].message);
        CHECK(imp_context_get_error(context)->index == cases[i].index);
    }
    const imp_MeshTransformDef def = {0};
    CHECK_INT(imp_mesh_transform(NULL, mesh, &def, &made), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_mesh_transform(context, NULL, &def, &made), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_mesh_transform(context, mesh, NULL, &made), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_mesh_transform(context, mesh, &def, NULL), IMP_STATUS_BAD_ARGUMENT);
    CHECK(made == NULL);
    imp_mesh_release(mesh);
    imp_context_destroy(context);
}

TEST(every_allocation_may_fail)
{
    imp_Context *outside = new_context();
    imp_Mesh *mesh = new_grid(outside, 5);
    FailingAllocator memory;
    uint64_t n = 0;
    do {
        imp_Context *context = NULL;
        imp_Mesh *made = NULL;
        failing_allocator_init(&memory, 0);
        imp_ContextDef def = {.allocator = failing_allocator_hooks(&memory)};
        CHECK_INT(imp_context_create(&def, &context), IMP_STATUS_OK);
        failing_allocator_arm(&memory, ++n);
        imp_Status status = imp_mesh_transform(context, mesh, &(imp_MeshTransformDef){.divide_by = 2}, &made);
        CHECK_INT(status, failing_allocator_has_failed(&memory) ? IMP_STATUS_OUT_OF_MEMORY : IMP_STATUS_OK);
        imp_mesh_release(made);
        imp_context_destroy(context);
        CHECK(failing_allocator_is_clean(&memory));
    } while (failing_allocator_has_failed(&memory));
    CHECK(n > 3);
    imp_mesh_release(mesh);
    imp_context_destroy(outside);
}
