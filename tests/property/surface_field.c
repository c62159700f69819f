// Distances from a mesh's surface: single faces of every kind against rational arithmetic, meshes against a
// look at every face, and the same bits from every instruction set.
#include "shape/surface_field.h"

#include "far_points.h"
#include "harness.h"
#include "oracle/distance_oracle.h"
#include "oracle/triangle_cases.h"
#include "posed_faces.h"
#include "scenes/shapes.h"

#include "base/cpu.h"
#include "base/scratch_call.h"
#include "geom/power_scale.h"

#include <math.h>

typedef struct Case {
    imp_Context *context;
    imp_Mesh *mesh;
    impi_SurfaceField field;
    impi_FloatGuard guard;
} Case;

static bool case_begin(Case *made, imp_Context *context, imp_Mesh *mesh)
{
    *made = (Case){.context = context, .mesh = mesh};
    bool closed;
    CHECK_INT(imp_mesh_is_closed(context, mesh, &closed), IMP_STATUS_OK);
    made->guard = impi_scratch_call_begin(context);
    return CHECK_INT(impi_surface_field_build(context, mesh, closed, &made->field), IMP_STATUS_OK);
}

static void case_end(Case *made)
{
    (void)impi_scratch_call_end(made->context, made->guard, IMP_STATUS_OK);
    imp_mesh_release(made->mesh);
}

static double error_at(imp_Vec3 local)
{
    return IMPI_SURFACE_FIELD_ERROR * (1 + fabs(local.x) + fabs(local.y) + fabs(local.z));
}

static imp_Mesh *mesh_of(imp_Context *context, const imp_Triangle *triangle)
{
    static const uint32_t corners[3] = {0, 1, 2};
    imp_Mesh *mesh = NULL;
    imp_MeshDef def = {
        .vertices = &triangle->v[0].x, .vertex_count = 3, .indices = corners, .triangle_count = 1};
    CHECK_INT(imp_mesh_create(context, &def, &mesh), IMP_STATUS_OK);
    return mesh;
}

// The true distance is within the stated error, and so is the surface point's own.
static void check_face(const Case *made, const imp_Triangle *face, imp_Vec3 point)
{
    const impi_LocalFrame *frame = &made->field.frame;
    imp_Vec3 local = impi_to_local(frame, point);
    impi_NearestPoint found = impi_surface_field_nearest(&made->field, local, IMPI_NO_SLOT, -1);
    double error = error_at(local);
    double lower = impi_power_scale_down(fmax(found.distance - error, 0), -frame->exponent);
    double upper = impi_length_from_local_up(frame, found.distance + error);
    if (!oracle_distance_find(&point, 1, face->v, 3))
        CHECK(lower == 0);
    else
        CHECK(oracle_distance_compare(lower) <= 0 && oracle_distance_compare(upper) >= 0);
    imp_Vec3 on_face = impi_surface_field_point(&made->field, &found);
    double size = fmax(fmax(impi_longest(face->v[0]), impi_longest(face->v[1])), impi_longest(face->v[2]));
    if (oracle_distance_find(&on_face, 1, face->v, 3))
        CHECK(oracle_distance_compare(fmax(size * 0x1p-50, 0x1p-1072)) >= 0);
}

TEST(faces_of_every_kind)
{
    uint64_t count = test_count(10000), tested = 0, apart = 0;
    imp_Context *context = context_with_threads(1);
    for (uint64_t n = 0; n < count; ++n) {
        TriangleCase pair = triangle_case_make((TriangleKind)(n % TRIANGLE_KIND_COUNT));
        Case made;
        if (!case_begin(&made, context, mesh_of(context, &pair.a)))
            return;
        imp_Vec3 point = pair.b.v[n % 3], local = impi_to_local(&made.field.frame, point);
        if (impi_longest(local) < 0x1p20 && !made.field.frame.is_point) {
            int failed = test_failed_checks();
            check_face(&made, &pair.a, point);
            if (test_failed_checks() > failed)
                triangle_case_print(&pair);
            ++tested;
            apart += oracle_distance_find(&point, 1, pair.a.v, 3);
        }
        case_end(&made);
    }
    CHECK(tested > count / 2 && apart > tested / 4 && apart < tested);
    imp_context_destroy(context);
}

static imp_Mesh *random_mesh(imp_Context *context, uint64_t n)
{
    imp_Mesh *mesh = NULL;
    uint64_t seed = test_random();
    imp_Status status = n % 4 == 0   ? scene_soup(context, 1 + test_random_below(200), 0.3, seed, &mesh)
                        : n % 4 == 1 ? scene_grid_soup(context, 1 + test_random_below(60), 4, seed, &mesh)
                        : n % 4 == 2 ? scene_bumpy_sphere(context, 12, 9, 0.8, 0.4, seed, &mesh)
                                     : scene_needle(context, 3 + test_random_below(40),
                                                    ldexp(1, -(int)test_random_below(50)), &mesh);
    CHECK_INT(status, IMP_STATUS_OK);
    return mesh;
}

static bool is_same(const impi_NearestPoint *a, const impi_NearestPoint *b)
{
    return a->distance == b->distance && a->slot == b->slot && a->x == b->x && a->y == b->y &&
           impi_is_equal(&a->point, &b->point);
}

static void check_variants(const impi_SurfaceField *field, imp_Vec3 local, uint32_t hint, double enough)
{
    impi_NearestPoint found = impi_surface_field_nearest_portable(field, local, hint, enough);
#if IMPI_CPU_VARIANTS
    if (impi_cpu_has_avx2()) {
        impi_NearestPoint other = impi_surface_field_nearest_avx2(field, local, hint, enough);
        CHECK(is_same(&found, &other));
    }
    if (impi_cpu_has_avx512()) {
        impi_NearestPoint other = impi_surface_field_nearest_avx512(field, local, hint, enough);
        CHECK(is_same(&found, &other));
    }
#endif
    impi_NearestPoint chosen = impi_surface_field_nearest(field, local, hint, enough);
    CHECK(is_same(&found, &chosen));
}

TEST(meshes_against_every_face)
{
    uint64_t count = test_count(100), early = 0, inside = 0, queries = 0;
    imp_Context *context = context_with_threads(1);
    for (uint64_t n = 0; n < count; ++n) {
        Case made;
        if (!case_begin(&made, context, random_mesh(context, n)))
            return;
        uint32_t hint = IMPI_NO_SLOT;
        for (int i = 0; i < 50; ++i) {
            double x = test_random_between(-1.5, 1.5), y = test_random_between(-1.5, 1.5);
            imp_Vec3 point = {x, y, test_random_between(-1.5, 1.5)};
            imp_Vec3 local = impi_to_local(&made.field.frame, point);
            impi_NearestPoint found = impi_surface_field_nearest(&made.field, local, hint, -1);
            double truth = scalbn(far_from_mesh(point, made.mesh), made.field.frame.exponent);
            CHECK(fabs(found.distance - truth) <= error_at(local));
            double enough = truth * test_random_between(0.9, 1.5);
            impi_NearestPoint near = impi_surface_field_nearest(&made.field, local, hint, enough);
            CHECK(near.distance <= enough || near.distance == found.distance);
            early += near.distance > found.distance;
            check_variants(&made.field, local, hint, i % 2 ? enough : -1);
            if (n % 4 == 2) {
                bool winds = mesh_winds_around(point, made.mesh);
                CHECK(impi_surface_field_is_inside(&made.field, point) == winds);
                inside += winds;
            }
            hint = i % 3 == 0 ? IMPI_NO_SLOT : found.slot;
            ++queries;
        }
        case_end(&made);
    }
    CHECK(early > queries / 20 && inside > queries / 200);
    imp_context_destroy(context);
}
