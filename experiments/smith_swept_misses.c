// Three ways to lose a collision by the method of Smith & Kitamura 4.2, as printed:
// a hull inside another, whose edges go through no face of it; an arc that leaves the hull of its ends; faces
// that share no voxel at the one instant that steps 1 to 3 look at. For each, true collisions are counted by
// other means (exact times of impact; many instants along an arc), and how many of them are lost.
#include "smith_swept_misses.h"

#include "base/memory.h"
#include "geom/vector.h"
#include "scenes/shapes.h"
#include "smith_swept_hull.h"

#include <math.h>
#include <stdlib.h>

#define SEED 17

typedef struct Counts {
    size_t tried, meeting, printed, missed; // of those meeting, how many the printed form misses
    size_t ahead_missed;                    // by the printed form when it looks ahead
    size_t conservative;                    // hulls that meet
} Counts;

#define SIZE_RATIOS  5
#define ROD_ANGLES   5
#define JUMPS        5
#define MOST_SAMPLES 2048

static const double ratios[SIZE_RATIOS] = {1, 2, 4, 8, 16};
static const double degrees[ROD_ANGLES] = {1, 5, 20, 60, 150};
static const uint32_t jumps[JUMPS] = {1, 2, 4, 8, 16};

static struct {
    Counts sizes[SIZE_RATIOS], rods[ROD_ANGLES], spheres[JUMPS];
    uint32_t sphere_faces;
} outcome;

// ---- random numbers (splitmix64)

static uint64_t state;

static double random_between(double low, double high)
{
    uint64_t z = state += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return low + (high - low) * (double)((z ^ z >> 31) >> 11) * 0x1p-53;
}

static imp_Vec3 random_point(double reach)
{
    double x = random_between(-reach, reach), y = random_between(-reach, reach);
    return (imp_Vec3){x, y, random_between(-reach, reach)};
}

// ---- a hull inside another

// A face of this size that moves by its size and changes its shape.
static imp_MovingTriangle random_face(double size)
{
    imp_MovingTriangle face;
    imp_Vec3 at = random_point(0.5), to = impi_add_scaled(at, 1, random_point(size));
    for (int i = 0; i < 3; ++i) {
        imp_Vec3 corner = random_point(size);
        face.begin.v[i] = impi_add_scaled(at, 1, corner);
        face.end.v[i] = impi_add_scaled(impi_add_scaled(to, 1, corner), 1, random_point(size / 4));
    }
    return face;
}

static bool conservative_meet(ExperimentRun *run, impi_SweptHullScratch *scratch, const impi_SweptHull *a,
                              const impi_SweptHull *b)
{
    bool meet = false;
    if (impi_swept_hulls_meet(scratch, a, b, &meet) != IMP_STATUS_OK)
        experiment_fail(run, "out of memory");
    return meet;
}

static void count_sizes(ExperimentRun *run, impi_SweptHullScratch *scratch, double ratio, Counts *counts)
{
    size_t tries = run->quick ? 500 : 20000;
    for (size_t i = 0; i < tries && !run->has_failed; ++i) {
        imp_MovingTriangle a = random_face(1), b = random_face(1 / ratio);
        impi_SweptHull hull_a = impi_swept_hull(&a.begin, &a.end, 0);
        impi_SweptHull hull_b = impi_swept_hull(&b.begin, &b.end, 0);
        double time = NAN;
        if (imp_sweep_triangles(run->context, &a, &b, 1, &time) != IMP_STATUS_OK)
            experiment_fail(run, "%s", imp_context_get_error(run->context)->message);
        bool printed = smith_swept_faces_cross(&a, &b), meet = !isnan(time);
        bool conservative = conservative_meet(run, scratch, &hull_a, &hull_b);
        if ((meet || printed) && !conservative)
            experiment_fail(run, "faces meet whose swept hulls are apart");
        ++counts->tried;
        counts->meeting += meet;
        counts->printed += printed;
        counts->missed += meet && !printed;
        counts->conservative += conservative;
    }
}

// ---- a rod that spins

#define ROD_LENGTH    1.0
#define ROD_WIDTH     0.01
#define OBSTACLE_SIZE 0.004

static imp_Status make_box(ExperimentRun *run, imp_Vec3 half, imp_Mesh **mesh)
{
    return scene_box(run->context, (imp_Vec3){0, 0, 0}, half, mesh);
}

static imp_Transform turned(double angle, imp_Vec3 at)
{
    double c = cos(angle), s = sin(angle);
    return (imp_Transform){.rows = {{c, -s, 0}, {s, c, 0}, {0, 0, 1}}, .translation = at};
}

static imp_Triangle posed_face(const imp_Mesh *mesh, size_t face, const imp_Transform *transform)
{
    const uint32_t *corners = imp_mesh_get_indices(mesh) + 3 * face;
    imp_Triangle triangle;
    for (int i = 0; i < 3; ++i)
        triangle.v[i] = imp_transform_apply(transform, imp_mesh_get_vertices(mesh)[corners[i]]);
    return triangle;
}

// One rod, one obstacle, which is at rest.
typedef struct RodTrial {
    const imp_Mesh *rod, *obstacle;
    imp_Transform at; // of the obstacle
    double angle;
    double widening;
} RodTrial;

static bool touch_at(const RodTrial *trial, double angle)
{
    imp_Transform transform = turned(angle, (imp_Vec3){0, 0, 0});
    for (size_t i = 0; i < imp_mesh_get_triangle_count(trial->rod); ++i)
        for (size_t k = 0; k < imp_mesh_get_triangle_count(trial->obstacle); ++k) {
            imp_Triangle a = posed_face(trial->rod, i, &transform);
            imp_Triangle b = posed_face(trial->obstacle, k, &trial->at);
            bool touch = false;
            if (imp_triangles_touch(&a, &b, &touch) != IMP_STATUS_OK || touch)
                return touch;
        }
    return false;
}

// So closely that the rod's tip moves by less than half of the obstacle from one to the next.
static bool touch_on_the_way(const RodTrial *trial)
{
    size_t samples = (size_t)(2 * trial->angle * ROD_LENGTH / OBSTACLE_SIZE) + 2;
    samples = samples < MOST_SAMPLES ? samples : MOST_SAMPLES;
    for (size_t i = 0; i <= samples; ++i)
        if (touch_at(trial, trial->angle * (double)i / (double)samples))
            return true;
    return false;
}

// Do hulls of any two faces meet? All pairs are compared, so that nothing is lost before.
static void test_rod(ExperimentRun *run, impi_SweptHullScratch *scratch, const RodTrial *trial, bool *printed,
                     bool *conservative)
{
    imp_Transform begin = turned(0, (imp_Vec3){0, 0, 0}), end = turned(trial->angle, (imp_Vec3){0, 0, 0});
    *printed = *conservative = false;
    for (size_t i = 0; i < imp_mesh_get_triangle_count(trial->rod); ++i)
        for (size_t k = 0; k < imp_mesh_get_triangle_count(trial->obstacle); ++k) {
            imp_MovingTriangle a = {posed_face(trial->rod, i, &begin), posed_face(trial->rod, i, &end)};
            imp_Triangle still = posed_face(trial->obstacle, k, &trial->at);
            imp_MovingTriangle b = {still, still};
            impi_SweptHull hull_a = impi_swept_hull(&a.begin, &a.end, trial->widening);
            impi_SweptHull hull_b = impi_swept_hull(&still, &still, 0);
            *printed = *printed || smith_swept_faces_cross(&a, &b);
            *conservative = *conservative || conservative_meet(run, scratch, &hull_a, &hull_b);
        }
}

static void count_rods(ExperimentRun *run, impi_SweptHullScratch *scratch, const imp_Mesh *meshes[2],
                       double angle, Counts *counts)
{
    double radius = impi_length((imp_Vec3){ROD_LENGTH, ROD_WIDTH, ROD_WIDTH}) * (1 + 1e-12);
    imp_Quat none = {1, 0, 0, 0}, whole = {cos(angle / 2), 0, 0, sin(angle / 2)};
    double widening = impi_turn_widening(impi_turn_height(none, whole, 0), radius, 4);
    size_t tries = run->quick ? 40 : 400;
    for (size_t i = 0; i < tries && !run->has_failed; ++i) {
        double at = random_between(0, angle), reach = random_between(0.8, 1.05) * ROD_LENGTH;
        RodTrial trial = {meshes[0], meshes[1], turned(0, (imp_Vec3){reach * cos(at), reach * sin(at), 0}),
                          angle, widening};
        bool meet = touch_on_the_way(&trial), printed, conservative;
        test_rod(run, scratch, &trial, &printed, &conservative);
        if (meet && !conservative)
            experiment_fail(run, "a rod meets an obstacle outside of its widened hull");
        ++counts->tried;
        counts->meeting += meet;
        counts->printed += printed;
        counts->missed += meet && !printed;
        counts->conservative += conservative;
    }
}

static void measure_rods(ExperimentRun *run, impi_SweptHullScratch *scratch)
{
    imp_Mesh *rod = NULL, *obstacle = NULL;
    imp_Vec3 half = {OBSTACLE_SIZE, OBSTACLE_SIZE, OBSTACLE_SIZE};
    if (make_box(run, (imp_Vec3){ROD_LENGTH, ROD_WIDTH, ROD_WIDTH}, &rod) == IMP_STATUS_OK &&
        make_box(run, half, &obstacle) == IMP_STATUS_OK) {
        const imp_Mesh *meshes[2] = {rod, obstacle};
        for (int i = 0; i < ROD_ANGLES; ++i)
            count_rods(run, scratch, meshes, degrees[i] * 3.14159265358979 / 180, &outcome.rods[i]);
    } else {
        experiment_fail(run, "%s", imp_context_get_error(run->context)->message);
    }
    imp_mesh_release(rod);
    imp_mesh_release(obstacle);
}

// ---- spheres that jump

static void count_jump(ExperimentRun *run, const SweptSpheres *spheres, uint32_t jump, Counts *counts)
{
    const imp_Allocator *allocator = &impi_default_allocator;
    SmithSweptSearch search;
    SmithFacePairs truth = {0}, found = {0};
    SweptCycle cycle;
    uint32_t from = spheres->cycle_count - 1, to = from + jump;
    smith_swept_init(&search, allocator);
    static const SmithSweptMethod order[] = {SMITH_SWEPT_CONSERVATIVE, SMITH_SWEPT_PRINTED,
                                             SMITH_SWEPT_AHEAD};
    for (size_t i = 0; i < sizeof order / sizeof *order && !run->has_failed; ++i) {
        SmithSweptScene scene = swept_spheres_scene(spheres, from, to, order[i]);
        if (!swept_play(run, &search, &scene, 1, &cycle, &found) ||
            (i == 0 && !swept_truth(run, &search, &truth)))
            break;
        size_t missed = swept_count_missing(&truth, &found);
        if (order[i] == SMITH_SWEPT_CONSERVATIVE) {
            counts->meeting = truth.count;
            counts->conservative = found.count;
            if (missed > 0)
                experiment_fail(run, "faces of spheres meet whose swept hulls are apart");
        } else if (order[i] == SMITH_SWEPT_PRINTED) {
            counts->printed = found.count;
            counts->missed = missed;
        } else {
            counts->ahead_missed = missed;
        }
    }
    impi_array_free(allocator, &truth, sizeof *truth.data);
    impi_array_free(allocator, &found, sizeof *found.data);
    smith_swept_free(&search);
}

static void measure_jumps(ExperimentRun *run)
{
    SweptSpheres spheres;
    outcome.sphere_faces = run->quick ? 168 : 960;
    if (!swept_spheres_make(run, outcome.sphere_faces, &spheres))
        return;
    for (int i = 0; i < JUMPS && !run->has_failed; ++i)
        count_jump(run, &spheres, jumps[i], &outcome.spheres[i]);
    swept_spheres_free(&spheres);
}

void swept_misses_measure(ExperimentRun *run)
{
    impi_SweptHullScratch scratch;
    state = SEED;
    experiment_note("  what is missed");
    impi_swept_hull_scratch_init(&scratch, &impi_default_allocator);
    for (int i = 0; i < SIZE_RATIOS && !run->has_failed; ++i)
        count_sizes(run, &scratch, ratios[i], &outcome.sizes[i]);
    measure_rods(run, &scratch);
    impi_swept_hull_scratch_destroy(&scratch);
    measure_jumps(run);
}

// ---- tables

static double percent(size_t part, size_t whole)
{
    return whole ? 100.0 * (double)part / (double)whole : 0;
}

static void put_row(ExperimentRun *run, const Counts *counts)
{
    impi_text_printf(&run->page, "%zu | %zu | %zu | **%zu** (%.1f %%) | %zu | 0 |\n", counts->tried,
                     counts->meeting, counts->printed, counts->missed,
                     percent(counts->missed, counts->meeting), counts->conservative);
}

static void put_sizes(ExperimentRun *run)
{
    impi_text_put(
        &run->page,
        "### A hull inside another\n\n"
        "Random faces near each other, on straight paths, which both turn and deform them; one is so "
        "many times as large as the other. Which ones meet is decided by exact times of impact.\n\n"
        "| sizes | pairs | meet | printed: found | missed | impinge: found | missed |\n"
        "|---|---|---|---|---|---|---|\n");
    for (int i = 0; i < SIZE_RATIOS; ++i) {
        impi_text_printf(&run->page, "| %.0f : 1 | ", ratios[i]);
        put_row(run, &outcome.sizes[i]);
    }
    impi_text_put(&run->page, "\n");
}

static void put_rods(ExperimentRun *run)
{
    impi_text_printf(
        &run->page,
        "### A rod that spins\n\n"
        "A rod of length %.0f and width %.2f turns about its middle in one cycle; a cube of %.3f is in "
        "the way of its end, or nearly so. Which ones meet is seen at many instants on the way. All "
        "faces are compared with all, so that only hulls can lose anything: as printed, the chord is "
        "taken for the arc.\n\n"
        "| turn | rods | meet | printed: found | missed | impinge: found | missed |\n"
        "|---|---|---|---|---|---|---|\n",
        2 * ROD_LENGTH, 2 * ROD_WIDTH, 2 * OBSTACLE_SIZE);
    for (int i = 0; i < ROD_ANGLES; ++i) {
        impi_text_printf(&run->page, "| %.0f° | ", degrees[i]);
        put_row(run, &outcome.rods[i]);
    }
    impi_text_put(&run->page, "\n");
}

static void put_jumps(ExperimentRun *run)
{
    impi_text_printf(
        &run->page,
        "### Nothing swept before\n\n"
        "The two spheres of %u faces go from cycle 44, where they are apart, so many cycles on in one step, "
        "into each other. As printed, steps 1 to 3 look at one instant: here where faces end (chapter 1 "
        "sweeps "
        "from the timestep before to the current one) or where they begin (chapter 4 looks ahead). Which "
        "faces "
        "meet is decided by exact times of impact, each face with each.\n\n"
        "| cycles at once | face pairs that meet | printed: found | missed | looking ahead: missed | "
        "impinge: "
        "found | missed |\n"
        "|---|---|---|---|---|---|---|\n",
        outcome.sphere_faces);
    for (int i = 0; i < JUMPS; ++i) {
        const Counts *counts = &outcome.spheres[i];
        impi_text_printf(&run->page, "| %u | %zu | %zu | **%zu** (%.1f %%) | **%zu** (%.1f %%) | %zu | 0 |\n",
                         jumps[i], counts->meeting, counts->printed, counts->missed,
                         percent(counts->missed, counts->meeting), counts->ahead_missed,
                         percent(counts->ahead_missed, counts->meeting), counts->conservative);
    }
    impi_text_put(&run->page, "\n");
}

void swept_misses_report(ExperimentRun *run)
{
    impi_text_put(
        &run->page,
        "## What the printed form misses\n\n"
        "impinge: `feature/swept_hull`, which never misses one (the experiment ends otherwise). What it "
        "finds beyond those that meet are false alarms, which exact times of impact take away.\n\n");
    put_sizes(run);
    put_rods(run);
    put_jumps(run);
}
