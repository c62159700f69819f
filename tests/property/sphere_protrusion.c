// How far balls stick out of random meshes, against many points of the balls and all faces: bounds are
// never less, and little more.
#include "shape/sphere_protrusion.h"

#include "far_points.h"
#include "harness.h"
#include "posed_faces.h"
#include "scenes/shapes.h"

#include "base/scratch_call.h"
#include "geom/vector.h"

#include <math.h>

#define SAMPLES 8000

static imp_Mesh *random_mesh(imp_Context *context, uint64_t n)
{
    imp_Mesh *mesh = NULL, *other = NULL, *both = NULL;
    uint64_t seed = test_random();
    imp_Status status = n % 6 == 0   ? scene_soup(context, 1 + test_random_below(60), 0.5, seed, &mesh)
                        : n % 6 == 1 ? scene_bumpy_sphere(context, 8, 5, 0.8, 0.5, seed, &mesh)
                        : n % 6 == 2 ? scene_hollow_sphere(context, 7, 5, 0.9, 0.6, &mesh)
                        : n % 6 == 3 ? scene_star_prism(context, 5, 0.4, 0.5, &mesh)
                        : n % 6 == 4 ? scene_torus(context, 8, 5, 0.6, 0.25, &mesh)
                                     : scene_needle(context, 4, 0.01, &mesh);
    CHECK_INT(status, IMP_STATUS_OK);
    if (n % 12 != 4)
        return mesh;
    // Two that cross: the winding number is 2 where they overlap.
    CHECK_INT(scene_bumpy_sphere(context, 6, 4, 0.5, 0.3, seed, &other), IMP_STATUS_OK);
    CHECK_INT(scene_join(context, mesh, other, &both), IMP_STATUS_OK);
    imp_mesh_release(mesh);
    imp_mesh_release(other);
    return both;
}

static imp_Vec3 random_direction(void)
{
    for (;;) {
        double x = test_random_between(-1, 1), y = test_random_between(-1, 1), z = test_random_between(-1, 1);
        imp_Vec3 v = {x, y, z};
        if (impi_dot(v, v) <= 1 && impi_dot(v, v) > 0.01)
            return impi_unit(v);
    }
}

typedef struct Best {
    imp_Vec3 point;
    double distance;
} Best;

static void try_point(const imp_Mesh *mesh, bool is_solid, imp_Vec3 point, double distance, Best *best)
{
    if (distance > best->distance && !(is_solid && mesh_winds_around(point, mesh)))
        *best = (Best){point, distance};
}

static void polish(const imp_Mesh *mesh, bool is_solid, const imp_Sphere *sphere, Best *best)
{
    for (double step = sphere->radius / 16; step > sphere->radius / 4096;) {
        Best before = *best;
        for (int i = 0; i < 12; ++i) {
            imp_Vec3 point = impi_add_scaled(before.point, step, random_direction());
            imp_Vec3 way = impi_subtract(point, sphere->center);
            double length = impi_length(way);
            if (length > sphere->radius)
                point = impi_add_scaled(sphere->center, sphere->radius / length * (1 - 1e-15), way);
            try_point(mesh, is_solid, point, far_from_mesh(point, mesh), best);
        }
        if (best->distance == before.distance)
            step /= 2;
    }
}

// Half of the samples are on the skin.
static void sample(const imp_Mesh *mesh, bool is_solid, const imp_Sphere *sphere, Best *surface, Best *solid)
{
    *surface = *solid = (Best){sphere->center, -1};
    for (int i = 0; i < SAMPLES; ++i) {
        double part = i % 2 ? 1 - 1e-15 : cbrt(test_random_unit());
        imp_Vec3 point = impi_add_scaled(sphere->center, sphere->radius * part, random_direction());
        double distance = far_from_mesh(point, mesh);
        try_point(mesh, false, point, distance, surface);
        if (is_solid)
            try_point(mesh, true, point, distance, solid);
    }
    polish(mesh, false, sphere, surface);
    if (is_solid && solid->distance >= 0)
        polish(mesh, true, sphere, solid);
}

static double most_for(double truth, double radius)
{
    double sampling = 0.02 * radius;
    return truth + sampling + fmax(truth * 1.01 * IMPI_PROTRUSION_SHARE, radius * IMPI_PROTRUSION_ACCURACY);
}

typedef struct Counts {
    uint64_t differ, equal, inside, inner_point, no_outside;
} Counts;

static void check_sphere(const imp_Mesh *mesh, bool is_solid, const imp_Sphere *sphere, Counts *counts)
{
    Best surface, solid;
    sample(mesh, is_solid, sphere, &surface, &solid);
    CHECK(sphere->surface_protrusion >= surface.distance);
    CHECK(sphere->surface_protrusion <= most_for(surface.distance, sphere->radius));
    if (!is_solid) {
        CHECK_DOUBLE(sphere->protrusion, sphere->surface_protrusion);
        return;
    }
    CHECK(sphere->protrusion >= solid.distance);
    CHECK(sphere->protrusion <= most_for(fmax(solid.distance, 0), sphere->radius));
    CHECK(sphere->protrusion <= sphere->surface_protrusion * 1.01 + sphere->radius * 0x1p-9);
    counts->differ += sphere->protrusion < 0.9 * sphere->surface_protrusion;
    counts->equal += sphere->protrusion == sphere->surface_protrusion;
    counts->inside += sphere->protrusion == 0;
    counts->no_outside += solid.distance < 0;
}

static void check_point(const imp_Mesh *mesh, const imp_Sphere *sphere, Counts *counts)
{
    if (sphere->face == IMP_NO_FACE) {
        CHECK(impi_is_equal(&sphere->point, &sphere->center));
        CHECK(mesh_winds_around(sphere->center, mesh));
        CHECK(far_from_mesh(sphere->center, mesh) > sphere->radius);
        ++counts->inner_point;
        return;
    }
    imp_Triangle face = face_of(mesh, sphere->face);
    CHECK(far_from_face(sphere->point, &face) <= 0x1p-48);
    double distance = impi_length(impi_subtract(sphere->point, sphere->center));
    CHECK(fabs(distance - far_from_mesh(sphere->center, mesh)) <= 0x1p-40);
}

TEST(bounds_hold_and_are_close)
{
    uint64_t count = test_count(12);
    imp_Context *context = context_with_threads(1);
    Counts counts = {0};
    for (uint64_t n = 0; n < count; ++n) {
        imp_Mesh *mesh = random_mesh(context, n);
        bool closed;
        CHECK_INT(imp_mesh_is_closed(context, mesh, &closed), IMP_STATUS_OK);
        imp_Sphere spheres[3];
        for (int i = 0; i < 3; ++i) {
            double far = i == 2 ? 0.2 : 1, x = test_random_between(-far, far);
            double y = test_random_between(-far, far);
            spheres[i] = (imp_Sphere){.center = {x, y, test_random_between(-far, far)}};
            spheres[i].radius = pow(2, test_random_between(-6, i == 0 ? 1 : -1));
        }
        impi_FloatGuard guard = impi_scratch_call_begin(context);
        imp_Status status = impi_sphere_protrusions_measure(context, mesh, closed, spheres, NULL, 3);
        CHECK_INT(impi_scratch_call_end(context, guard, status), IMP_STATUS_OK);
        for (int i = 0; i < 3; ++i) {
            check_sphere(mesh, closed, &spheres[i], &counts);
            check_point(mesh, &spheres[i], &counts);
        }
        imp_mesh_release(mesh);
    }
    CHECK(counts.differ >= count / 4);
    CHECK(counts.equal >= count / 4);
    CHECK(counts.inner_point >= count / 6);
    CHECK(counts.inside >= count / 6 && counts.inside <= counts.no_outside);
    imp_context_destroy(context);
}
