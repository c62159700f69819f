// How far balls stick out of bodies for which that is known, at every size and place.
#include "shape/sphere_protrusion.h"

#include "failing_allocator.h"
#include "harness.h"
#include "posed_faces.h"
#include "scenes/shapes.h"

#include "base/scratch_call.h"

#include <math.h>
#include <string.h>

static imp_Status measure(imp_Context *context, const imp_Mesh *mesh, imp_Sphere *spheres, size_t count)
{
    bool closed;
    imp_Status status = imp_mesh_is_closed(context, mesh, &closed);
    if (status != IMP_STATUS_OK)
        return status;
    impi_FloatGuard guard = impi_scratch_call_begin(context);
    status = impi_sphere_protrusions_measure(context, mesh, closed, spheres, NULL, count);
    return impi_scratch_call_end(context, guard, status);
}

static bool is_close(double bound, double truth, double radius)
{
    double more = fmax(truth * 1.01 * IMPI_PROTRUSION_SHARE, radius * IMPI_PROTRUSION_ACCURACY);
    return CHECK(bound >= truth) && CHECK(bound <= (truth + more) * (1 + 1e-9) + (truth > 0 ? 0 : 1e-9));
}

// The mesh is given up.
static imp_Sphere check_ball(imp_Mesh *mesh, imp_Vec3 center, double radius, double solid, double surface)
{
    imp_Context *context = context_with_threads(1);
    imp_Sphere sphere = {.center = center, .radius = radius};
    CHECK_INT(measure(context, mesh, &sphere, 1), IMP_STATUS_OK);
    is_close(sphere.protrusion, solid, radius);
    is_close(sphere.surface_protrusion, surface, radius);
    imp_mesh_release(mesh);
    imp_context_destroy(context);
    return sphere;
}

// A mesh lives on without the context that made it.
static imp_Mesh *mesh_of(const imp_MeshDef *def)
{
    imp_Context *context = context_with_threads(1);
    imp_Mesh *mesh = NULL;
    CHECK_INT(imp_mesh_create(context, def, &mesh), IMP_STATUS_OK);
    imp_context_destroy(context);
    return mesh;
}

// A cube around a place, `size` to each side.
static imp_Mesh *cube_at(double size, imp_Vec3 place)
{
    imp_Context *context = context_with_threads(1);
    imp_Mesh *mesh = NULL;
    imp_Vec3 min = {place.x - size, place.y - size, place.z - size};
    imp_Vec3 max = {place.x + size, place.y + size, place.z + size};
    CHECK_INT(scene_box(context, min, max, &mesh), IMP_STATUS_OK);
    imp_context_destroy(context);
    return mesh;
}

static const imp_Vec3 origin = {0, 0, 0};

TEST(a_cube_in_its_bounding_sphere)
{
    double radius = sqrt(3);
    check_ball(cube_at(1, origin), origin, radius, radius - 1, 1);
    for (double size = 1e-300; size < 1e301; size *= 1e100)
        check_ball(cube_at(size, origin), origin, size * radius, size * (radius - 1), size);
    imp_Vec3 away = {0x1p40, -0x1p40, 0};
    check_ball(cube_at(1, away), away, radius, radius - 1, 1);
}

// The smallest sphere in it touches the sides and does not stick out; a little less is inside.
TEST(balls_inside_of_a_cube)
{
    imp_Sphere sphere = check_ball(cube_at(1, origin), origin, 0.875, 0, 1);
    CHECK_DOUBLE(sphere.protrusion, 0);
    CHECK_INT(sphere.face, IMP_NO_FACE);
    CHECK_DOUBLE(sphere.point.x, 0);
    sphere = check_ball(cube_at(1, origin), origin, 1, 0, 1);
    CHECK(sphere.protrusion < 1e-9 && sphere.face != IMP_NO_FACE);
    imp_Vec3 beside = {0.5, 0, 0};
    sphere = check_ball(cube_at(1, origin), beside, 1, 0.5, 1);
    CHECK(sphere.face != IMP_NO_FACE && fabs(sphere.point.x - 1) < 1e-15);
    CHECK(fabs(sphere.point.y) < 1e-15 && fabs(sphere.point.z) < 1e-15);
}

TEST(a_ball_that_meets_nothing)
{
    imp_Vec3 center = {5, 0.25, 0};
    imp_Sphere sphere = check_ball(cube_at(1, origin), center, 0.5, 4.5, 4.5);
    CHECK(sphere.face != IMP_NO_FACE && fabs(sphere.point.x - 1) < 1e-15);
    CHECK(fabs(sphere.point.y - 0.25) < 1e-15 && fabs(sphere.point.z) < 1e-15);
    check_ball(cube_at(1, origin), (imp_Vec3){1.5, 0, 0}, 0, 0.5, 0.5);
    check_ball(cube_at(1, origin), (imp_Vec3){1, 0, 0}, 0, 0, 0);
    imp_Vec3 far = {1e200, 1e200, 1e200};
    sphere = check_ball(cube_at(1, origin), far, 0.5, sqrt(3) * 1e200, sqrt(3) * 1e200);
    CHECK(sphere.face != IMP_NO_FACE && fabs(sphere.point.x) == 1);
    check_ball(cube_at(1, origin), (imp_Vec3){1, 2, 3}, 1e9, 1e9, 1e9);
}

// Nothing of the ball's skin is as far from the shell as its center is.
TEST(a_ball_in_a_hollow_shell)
{
    imp_Context *context = context_with_threads(1);
    imp_Mesh *mesh = NULL;
    CHECK_INT(scene_hollow_sphere(context, 64, 48, 1, 0.9, &mesh), IMP_STATUS_OK);
    imp_Sphere spheres[2] = {{.radius = 0.5}, {.radius = 1}};
    CHECK_INT(measure(context, mesh, spheres, 2), IMP_STATUS_OK);
    for (int i = 0; i < 2; ++i) {
        CHECK(spheres[i].protrusion > 0.89 && spheres[i].protrusion < 0.905);
        CHECK(spheres[i].surface_protrusion > 0.89 && spheres[i].surface_protrusion < 0.905);
        CHECK(spheres[i].face != IMP_NO_FACE);
    }
    imp_mesh_release(mesh);
    imp_context_destroy(context);
}

TEST(a_flat_sheet)
{
    static const imp_Vec3 corners[] = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}};
    static const uint32_t faces[] = {0, 1, 2, 0, 2, 3};
    imp_MeshDef sheet = {.vertices = &corners->x, .vertex_count = 4, .indices = faces, .triangle_count = 2};
    check_ball(mesh_of(&sheet), origin, 0.5, 0.5, 0.5);
    check_ball(mesh_of(&sheet), (imp_Vec3){1, 0, 0}, 0.5, 0.5, 0.5);
}

// Faces without width: the thin ring and the rod through it for which the sum of protrusions less the
// overlap, 0.414, is no bound of the distance, which is 1.
TEST(rod_and_ring)
{
    enum { STEPS = 256 };
    static const imp_Vec3 ends[] = {{0, 0, -1}, {0, 0, 1}};
    static const uint32_t edge[] = {0, 1, 1};
    imp_MeshDef rod = {.vertices = &ends->x, .vertex_count = 2, .indices = edge, .triangle_count = 1};
    imp_Vec3 corners[STEPS];
    uint32_t faces[3 * STEPS];
    for (uint32_t i = 0; i < STEPS; ++i) {
        SceneTurn turn = scene_turn(i, STEPS);
        corners[i] = (imp_Vec3){turn.cosine, turn.sine, 0};
        faces[3 * i] = i;
        faces[3 * i + 1] = faces[3 * i + 2] = (i + 1) % STEPS;
    }
    check_ball(mesh_of(&rod), origin, 1, 1, 1);
    imp_MeshDef ring = {
        .vertices = &corners->x, .vertex_count = STEPS, .indices = faces, .triangle_count = STEPS};
    double least = sqrt(1 + pow(scene_turn(1, 2 * STEPS).cosine, 2));
    check_ball(mesh_of(&ring), origin, 1, least, least);
}

TEST(a_mesh_that_is_a_point)
{
    static const uint32_t face[] = {0, 0, 0};
    for (double place = 1e-300; place < 1e301; place *= 1e100) {
        imp_Vec3 corner = {place, 0, 0}, center = {4 * place, 4 * place, 0};
        imp_MeshDef def = {.vertices = &corner.x, .vertex_count = 1, .indices = face, .triangle_count = 1};
        imp_Sphere sphere = check_ball(mesh_of(&def), center, 5 * place, 10 * place, 10 * place);
        CHECK_INT(sphere.face, 0);
        CHECK_DOUBLE(sphere.point.x, place);
        check_ball(mesh_of(&def), corner, 0, 0, 0);
    }
}

TEST(bounds_beyond_the_largest_double_are_refused)
{
    imp_Context *context = context_with_threads(1);
    imp_Mesh *mesh = cube_at(1e308, origin);
    imp_Sphere spheres[2] = {{.radius = 1e308}, {.center = {1.7e308, 0, 0}, .radius = 1.7e308}};
    CHECK_INT(measure(context, mesh, spheres, 1), IMP_STATUS_OK);
    CHECK_INT(measure(context, mesh, spheres, 2), IMP_STATUS_BAD_NUMBER);
    CHECK_INT(imp_context_get_error(context)->index, 1);
    CHECK_CONTAINS(imp_context_get_error(context)->message, "sphere 1");
    imp_mesh_release(mesh);
    imp_context_destroy(context);
}

#define BALLS 40

static void place_balls(imp_Sphere balls[BALLS])
{
    memset(balls, 0, BALLS * sizeof *balls);
    for (int i = 0; i < BALLS; ++i) {
        double x = test_random_between(-1, 1), y = test_random_between(-1, 1);
        balls[i].center = (imp_Vec3){x, y, test_random_between(-1, 1)};
        balls[i].radius = test_random_between(0, 0.8);
    }
}

TEST(every_number_of_threads_gives_the_same_bytes)
{
    static const uint32_t thread_counts[] = {1, 2, 5};
    imp_Sphere balls[BALLS], measured[3][BALLS];
    place_balls(balls);
    for (int i = 0; i < 3; ++i) {
        imp_Context *context = context_with_threads(thread_counts[i]);
        imp_Mesh *mesh = NULL;
        CHECK_INT(scene_bumpy_sphere(context, 40, 30, 0.8, 0.3, 7, &mesh), IMP_STATUS_OK);
        memcpy(measured[i], balls, sizeof balls);
        CHECK_INT(measure(context, mesh, measured[i], BALLS), IMP_STATUS_OK);
        CHECK(memcmp(measured[i], measured[0], sizeof balls) == 0);
        imp_mesh_release(mesh);
        imp_context_destroy(context);
    }
}

TEST(every_allocation_may_fail)
{
    FailingAllocator memory;
    uint64_t n = 0, refused = 0;
    do {
        failing_allocator_init(&memory, ++n);
        imp_ContextDef def = {.allocator = failing_allocator_hooks(&memory), .thread_count = 1};
        imp_Context *context = NULL;
        imp_Mesh *mesh = NULL;
        imp_Sphere sphere = {.radius = 1};
        imp_Status status = imp_context_create(&def, &context);
        if (status == IMP_STATUS_OK)
            status = scene_sphere(context, 40, 30, 1, &mesh);
        if (status == IMP_STATUS_OK)
            status = measure(context, mesh, &sphere, 1);
        // Scratch memory that can't be joined into one block stays as it is.
        CHECK(status == IMP_STATUS_OK || status == IMP_STATUS_OUT_OF_MEMORY);
        refused += status == IMP_STATUS_OUT_OF_MEMORY;
        imp_mesh_release(mesh);
        imp_context_destroy(context);
        CHECK(failing_allocator_is_clean(&memory));
    } while (failing_allocator_has_failed(&memory));
    CHECK(refused > 5);
}

TEST(it_ends_when_told_to)
{
    imp_Context *context = context_with_threads(2);
    imp_Cancel *cancel = NULL;
    imp_Mesh *mesh = NULL;
    imp_Sphere balls[BALLS];
    place_balls(balls);
    CHECK_INT(scene_bumpy_sphere(context, 40, 30, 0.8, 0.3, 7, &mesh), IMP_STATUS_OK);
    CHECK_INT(imp_cancel_create(context, &cancel), IMP_STATUS_OK);
    CHECK_INT(imp_context_watch(context, &(imp_Watch){.cancel = cancel}), IMP_STATUS_OK);
    CHECK_INT(measure(context, mesh, balls, BALLS), IMP_STATUS_OK);
    imp_cancel_request(cancel);
    CHECK_INT(measure(context, mesh, balls, BALLS), IMP_STATUS_CANCELLED);
    CHECK_INT(imp_context_watch(context, &(imp_Watch){.budget_us = 1}), IMP_STATUS_OK);
    CHECK_INT(measure(context, mesh, balls, BALLS), IMP_STATUS_OUT_OF_TIME);
    CHECK_INT(imp_context_watch(context, NULL), IMP_STATUS_OK);
    imp_cancel_destroy(cancel);
    imp_mesh_release(mesh);
    imp_context_destroy(context);
}
