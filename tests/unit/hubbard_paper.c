// Pieces of Hubbard's paper, for the experiments.
#include "experiments/hubbard_paper.h"

#include "base/scratch_call.h"
#include "harness.h"
#include "scenes/shapes.h"

#include <impinge/impinge.h>

static imp_Vec3 random_point(double low, double high)
{
    double x = test_random_between(low, high), y = test_random_between(low, high);
    return (imp_Vec3){x, y, test_random_between(low, high)};
}

static bool is_held(imp_Vec3 point, const HubbardBall *ball, double leeway)
{
    return impi_length(impi_subtract(point, ball->center)) <= ball->radius + leeway;
}

static bool is_held_by_any(imp_Vec3 point, const HubbardBall *balls, size_t count, double leeway)
{
    for (size_t i = 0; i < count; ++i)
        if (is_held(point, &balls[i], leeway))
            return true;
    return false;
}

static imp_Vec3 point_of(const imp_Triangle *t)
{
    double a = test_random_unit(), b = test_random_unit();
    if (a + b > 1) {
        a = 1 - a;
        b = 1 - b;
    }
    return impi_add_scaled(impi_add_scaled(t->v[0], a, impi_subtract(t->v[1], t->v[0])), b,
                           impi_subtract(t->v[2], t->v[0]));
}

// What is said to be covered has no sample outside, and what is not has a point that shows it.
TEST(the_boundary_lemma_agrees_with_samples)
{
    enum { BALLS = 6 };
    uint64_t covered_count = 0, count = test_count(3000);
    for (uint64_t n = 0; n < count; ++n) {
        imp_Triangle t = {{random_point(-1, 1), random_point(-1, 1), random_point(-1, 1)}};
        HubbardBall balls[BALLS], clip = {random_point(-1, 1), test_random_between(0.2, 1.5)};
        const HubbardBall *used_clip = n % 2 ? &clip : NULL;
        imp_Vec3 missing;
        for (int i = 0; i < BALLS; ++i)
            balls[i] = (HubbardBall){random_point(-1, 1), test_random_between(0.3, 1.3)};
        bool covered = hubbard_is_covered(&t, used_clip, balls, BALLS, &missing);
        covered_count += covered;
        for (int i = 0; i < 200 && covered; ++i) {
            imp_Vec3 point = point_of(&t);
            if (!used_clip || is_held(point, used_clip, 0))
                CHECK(is_held_by_any(point, balls, BALLS, 1e-6));
        }
        if (!covered) {
            CHECK(!is_held_by_any(missing, balls, BALLS, -1e-6));
            hubbard_cover(&t, used_clip, balls, BALLS, 0.01);
            CHECK(hubbard_is_covered(&t, used_clip, balls, BALLS, &missing));
        }
    }
    CHECK(covered_count > count / 5 && covered_count < count * 4 / 5);
}

TEST(a_ball_that_misses_covers_nothing)
{
    imp_Triangle t = {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}};
    HubbardBall away = {{5, 5, 0}, 1}, above = {{0, 0, 2}, 1}, around = {{0.3, 0.3, 0}, 2};
    imp_Vec3 missing;
    CHECK(!hubbard_is_covered(&t, NULL, &away, 1, &missing));
    CHECK(!hubbard_is_covered(&t, NULL, &above, 1, &missing));
    CHECK(!hubbard_is_covered(&t, NULL, NULL, 0, &missing));
    CHECK(hubbard_is_covered(&t, NULL, &around, 1, &missing));
    CHECK(hubbard_is_covered(&t, &away, NULL, 0, &missing));
    HubbardBall twice[2] = {around, around}, twice_small[2] = {{{0, 0, 0}, 0.5}, {{0, 0, 0}, 0.5}};
    CHECK(hubbard_is_covered(&t, NULL, twice, 2, &missing));
    CHECK(!hubbard_is_covered(&t, NULL, twice_small, 2, &missing));
}

// The vertices are on the sphere, and no point of it is farther from them than the correction says.
TEST(the_dodecahedron_is_a_bound_with_its_correction)
{
    imp_Context *context = NULL;
    imp_Mesh *mesh = NULL;
    impi_SurfaceField field;
    CHECK_INT(imp_context_create(NULL, &context), IMP_STATUS_OK);
    CHECK_INT(scene_l_prism(context, 0.5, &mesh), IMP_STATUS_OK);
    impi_FloatGuard guard = impi_scratch_call_begin(context);
    CHECK_INT(impi_surface_field_build(context, mesh, true, &field), IMP_STATUS_OK);
    for (int n = 0; n < 300; ++n) {
        HubbardBall ball = {random_point(-1, 3), test_random_between(0.1, 2)};
        double low = hubbard_protrusion(&field, true, &ball);
        for (int i = 0; i < 50; ++i) {
            imp_Vec3 direction = impi_unit(random_point(-1, 1));
            imp_Vec3 point = impi_add_scaled(ball.center, ball.radius, direction);
            imp_Vec3 local = impi_to_local(&field.frame, point);
            double distance = impi_surface_field_nearest(&field, local, IMPI_NO_SLOT, -1).distance;
            bool is_inside = impi_surface_field_is_inside(&field, point);
            CHECK(is_inside ||
                  scalbn(distance, -field.frame.exponent) <= low + HUBBARD_CORRECTION * ball.radius + 1e-9);
        }
    }
    CHECK_INT(impi_scratch_call_end(context, guard, IMP_STATUS_OK), IMP_STATUS_OK);
    imp_mesh_release(mesh);
    imp_context_destroy(context);
}

// A rod through the middle of a ring: both have the unit sphere, and are 1 apart.
TEST(the_papers_error_bound_is_none)
{
    HubbardBall unit = {{0, 0, 0}, 1};
    double bound = hubbard_error_bound(&unit, sqrt(2), &unit, 1);
    CHECK(fabs(bound - (sqrt(2) - 1)) < 1e-12);
    CHECK(bound < 1);
}
