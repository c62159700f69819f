// A triangle of 1 by 1e-170 had an area of 0, and a closed sheet that thin, if tilted, no volume and no
// orientation.
#include "harness.h"
#include "scenes/shapes.h"

#include <impinge/impinge.h>

#include <math.h>

static bool is_near(double got, double want, double relative)
{
    return fabs(got - want) <= relative * fabs(want);
}

static imp_MeshInfo analyse(imp_Context *context, const imp_MeshDef *def)
{
    imp_Mesh *mesh = NULL;
    imp_MeshInfo info = {0};
    CHECK_INT(imp_mesh_create(context, def, &mesh), IMP_STATUS_OK);
    CHECK_INT(imp_mesh_analyse(context, mesh, &info), IMP_STATUS_OK);
    imp_mesh_release(mesh);
    return info;
}

static double area_of(imp_Context *context, imp_Vec3 a, imp_Vec3 b, imp_Vec3 c)
{
    imp_Vec3 vertices[3] = {a, b, c};
    return analyse(context, &(imp_MeshDef){.vertices = &vertices->x,
                                           .vertex_count = 3,
                                           .indices = (uint32_t[]){0, 1, 2},
                                           .triangle_count = 1})
        .area;
}

TEST(needles_have_an_area)
{
    imp_Context *context = NULL;
    imp_Vec3 o = {0, 0, 0};
    CHECK_INT(imp_context_create(NULL, &context), IMP_STATUS_OK);
    static const double sizes[][2] = {{1, 1e-170},      {1e-170, 1},      {1e300, 1e-320},
                                      {1e200, 1e100},   {1e-200, 1e-100}, {1e300, 1e8},
                                      {1e-150, 1e-150}, {1e150, 1e150},   {1e308, 1e-308}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
        double x = sizes[i][0], y = sizes[i][1], want = (double)((long double)x * y / 2);
        CHECK(is_near(area_of(context, o, (imp_Vec3){x, 0, 0}, (imp_Vec3){0, y, 0}), want, 1e-15));
        CHECK(is_near(area_of(context, o, (imp_Vec3){0, 0, x}, (imp_Vec3){0, y, x}), want, 1e-15));
    }
    CHECK(isinf(area_of(context, o, (imp_Vec3){1e200, 0, 0}, (imp_Vec3){0, 1e200, 0})));
    CHECK(area_of(context, o, (imp_Vec3){1e-200, 0, 0}, (imp_Vec3){0, 1e-200, 0}) == 0);
    // From one end of the range to the other.
    CHECK(is_near(area_of(context, (imp_Vec3){-0x1p1023, 0, 0}, (imp_Vec3){0x1p1023, 0, 0},
                          (imp_Vec3){0, 0x1p-1000, 0}),
                  0x1p23, 1e-15));
    // Tilted, so that all digits of plain products cancel: (1, 1, 1) and (1, 1, 1 + u).
    CHECK(is_near(area_of(context, o, (imp_Vec3){1, 1, 1}, (imp_Vec3){1, 1, 1 + 0x1p-52}), 0x1p-53 * sqrt(2),
                  1e-15));
    imp_context_destroy(context);
}

TEST(sheets_have_a_volume_and_an_orientation)
{
    static const double thicknesses[] = {1, 0x1p-20, 0x1p-50, 0x1p-200, 0x1p-1000};
    imp_Context *context = NULL;
    CHECK_INT(imp_context_create(NULL, &context), IMP_STATUS_OK);
    for (size_t i = 0; i < sizeof thicknesses / sizeof *thicknesses; ++i) {
        double t = thicknesses[i];
        imp_Mesh *box = NULL;
        scene_box(context, (imp_Vec3){0, 0, 0}, (imp_Vec3){1, 2, 1}, &box);
        imp_Vec3 vertices[8];
        // Sheared, so that it is tilted and every coordinate a double: a volume of 4 t.
        for (int k = 0; k < 8; ++k) {
            imp_Vec3 v = imp_mesh_get_vertices(box)[k];
            vertices[k] = (imp_Vec3){v.x + v.y, v.y - v.x, t == 1 || t < 0x1p-50 ? v.z * t : v.x + v.z * t};
        }
        imp_MeshInfo info = analyse(context, &(imp_MeshDef){.vertices = &vertices->x,
                                                            .vertex_count = 8,
                                                            .indices = imp_mesh_get_indices(box),
                                                            .triangle_count = 12});
        CHECK(info.closed && is_near(info.volume, 4 * t, 1e-10));
        CHECK_INT(info.orientation, IMP_ORIENTATION_OUTWARD);
        imp_mesh_release(box);
    }
    imp_context_destroy(context);
}
