#include "chung_wang_report.h"

#include "base/memory.h"

#include <stdio.h>

#define PLOTTED_STEPS 12

static const char *const method_names[CHUNG_WANG_METHOD_COUNT] = {"paper", "libccd-gjk", "impinge"};
static const char *const method_titles[CHUNG_WANG_METHOD_COUNT] = {"paper's method", "GJK (libccd)",
                                                                   "impinge"};

typedef struct SweepText {
    const char *name, *panel, *label, *caption;
} SweepText;

static const SweepText sweep_texts[CHUNG_WANG_SWEEP_COUNT] = {
    {"speed", "iv", "per cent of the radius per frame", "Time of a test against translational speed"},
    {"rotation", "v", "degrees per frame", "Time of a test against rotational speed"},
    {"density", "vi", "bodies in a cube of the edge of a radius",
     "Time of all tests of a frame against density"},
};

static bool is_shown(int method)
{
    return method != CHUNG_WANG_GJK || chung_wang_has_gjk;
}

// ---- files

static void save_steps(ExperimentRun *run, const ChungWangResults *results)
{
    impi_Text csv;
    impi_text_init(&csv, &impi_default_allocator);
    impi_text_put(&csv, "shape,vertices,steps,separate_tests,colliding_tests\n");
    for (int kind = 0; kind < SCENE_CONVEX_KIND_COUNT; ++kind)
        for (uint32_t i = 0; i < results->sizes->size_count; ++i) {
            const ChungWangTally *tally = &results->steps[kind][i];
            for (uint32_t k = 1; k <= CHUNG_WANG_MAX_STEPS; ++k)
                if (tally->separate_steps[k] + tally->colliding_steps[k])
                    impi_text_printf(&csv, "%s,%u,%u,%llu,%llu\n", scene_convex_name((SceneConvexKind)kind),
                                     results->sizes->counts[i], k,
                                     (unsigned long long)tally->separate_steps[k],
                                     (unsigned long long)tally->colliding_steps[k]);
        }
    experiment_save(run, "chung-wang-fig4.csv", &csv);
    impi_text_free(&csv);
}

static void save_times(ExperimentRun *run, const ChungWangResults *results)
{
    impi_Text csv;
    impi_text_init(&csv, &impi_default_allocator);
    impi_text_put(&csv, "varied,value,vertices,method,ns_per_test,ms_in_all,tests,colliding\n");
    for (int sweep = 0; sweep < CHUNG_WANG_SWEEP_COUNT; ++sweep)
        for (uint32_t i = 0; i < results->sizes->timed_count; ++i)
            for (int p = 0; p < CHUNG_WANG_MAX_POINTS; ++p)
                for (int method = 0; method < CHUNG_WANG_METHOD_COUNT; ++method) {
                    const ChungWangTally *tally = &results->timed[sweep][i][p];
                    if (is_shown(method))
                        impi_text_printf(&csv, "%s,%g,%u,%s,%.1f,%.3f,%llu,%llu\n", sweep_texts[sweep].name,
                                         results->values[sweep][p], results->sizes->timed_counts[i],
                                         method_names[method],
                                         chung_wang_test_ns(tally, (ChungWangMethod)method),
                                         tally->ns[method] / 1e6, (unsigned long long)chung_wang_tests(tally),
                                         (unsigned long long)tally->colliding);
                }
    experiment_save(run, "chung-wang-fig4-times.csv", &csv);
    impi_text_free(&csv);
}

// ---- plots

// Panels (i) and (ii): what share of the tests takes how many steps.
static void plot_distribution(ExperimentRun *run, const ChungWangResults *results, bool with_colliding)
{
    impi_Text script;
    impi_text_init(&script, &impi_default_allocator);
    for (int kind = 0; kind < SCENE_CONVEX_KIND_COUNT; ++kind) {
        const ChungWangTally *tally = &results->steps[kind][results->sizes->distribution];
        impi_text_printf(&script, "$%s << END\n", scene_convex_name((SceneConvexKind)kind));
        for (uint32_t k = 1; k <= PLOTTED_STEPS; ++k) {
            double share =
                with_colliding
                    ? chung_wang_all_within(tally, k) - chung_wang_all_within(tally, k - 1)
                    : chung_wang_separate_within(tally, k) - chung_wang_separate_within(tally, k - 1);
            impi_text_printf(&script, "%u %.4f\n", k, share);
        }
        impi_text_put(&script, "END\n");
    }
    impi_text_put(&script, "set xlabel 'steps'\nset ylabel 'per cent of the tests'\nset xtics 1\n"
                           "plot $ellipsoid with linespoints lw 2 title 'ellipsoids', $rod with linespoints "
                           "lw 2 title 'rods', $plate with linespoints lw 2 title 'plates'\n");
    experiment_plot(run, with_colliding ? "chung-wang-fig4-ii" : "chung-wang-fig4",
                    with_colliding ? "Steps of all tests" : "Steps of tests of separate bodies", &script);
    impi_text_free(&script);
}

static void plot_worst(ExperimentRun *run, const ChungWangResults *results)
{
    impi_Text script;
    impi_text_init(&script, &impi_default_allocator);
    for (int kind = 0; kind < SCENE_CONVEX_KIND_COUNT; ++kind) {
        impi_text_printf(&script, "$%s << END\n", scene_convex_name((SceneConvexKind)kind));
        for (uint32_t i = 0; i < results->sizes->size_count; ++i) {
            uint64_t count;
            impi_text_printf(&script, "%u %u\n", results->sizes->counts[i],
                             chung_wang_worst(&results->steps[kind][i], &count));
        }
        impi_text_put(&script, "END\n");
    }
    impi_text_put(&script, "set xlabel 'vertices'\nset ylabel 'most steps'\nset logscale x\nset yrange [0:]\n"
                           "plot $ellipsoid with linespoints lw 2 title 'ellipsoids', $rod with linespoints "
                           "lw 2 title 'rods', $plate with linespoints lw 2 title 'plates'\n");
    experiment_plot(run, "chung-wang-fig4-iii", "Most steps of any test, by number of vertices", &script);
    impi_text_free(&script);
}

static void put_curve(impi_Text *script, const ChungWangResults *results, int sweep, uint32_t size,
                      int method)
{
    impi_text_printf(script, "$m%d_%u << END\n", method, results->sizes->timed_counts[size]);
    for (int p = 0; p < CHUNG_WANG_MAX_POINTS; ++p) {
        const ChungWangTally *tally = &results->timed[sweep][size][p];
        double value = sweep == CHUNG_WANG_DENSITY ? tally->ns[method] / 1e3 / results->sizes->timed_frames
                                                   : chung_wang_test_ns(tally, (ChungWangMethod)method) / 1e3;
        impi_text_printf(script, "%g %.4f\n", results->values[sweep][p], value);
    }
    impi_text_put(script, "END\n");
}

static void plot_sweep(ExperimentRun *run, const ChungWangResults *results, int sweep)
{
    char name[64];
    impi_Text script, curves;
    impi_text_init(&script, &impi_default_allocator);
    impi_text_init(&curves, &impi_default_allocator);
    for (int method = 0; method < CHUNG_WANG_METHOD_COUNT; ++method)
        for (uint32_t i = 0; i < results->sizes->timed_count && is_shown(method); ++i) {
            put_curve(&script, results, sweep, i, method);
            impi_text_printf(&curves, "%s$m%d_%u with linespoints lw 2 lc %d dt %u title \"%s, %u\"",
                             method + (int)i > 0 ? ", " : "plot ", method, results->sizes->timed_counts[i],
                             method + 1, i + 1, method_titles[method], results->sizes->timed_counts[i]);
        }
    impi_text_printf(&script, "set xlabel '%s'\nset ylabel 'microseconds %s'\nset logscale y\n",
                     sweep_texts[sweep].label, sweep == CHUNG_WANG_DENSITY ? "a frame" : "a test");
    impi_text_append(&script, curves.bytes.data, curves.bytes.count);
    impi_text_put(&script, "\n");
    snprintf(name, sizeof name, "chung-wang-fig4-%s", sweep_texts[sweep].panel);
    experiment_plot(run, name, sweep_texts[sweep].caption, &script);
    impi_text_free(&script);
    impi_text_free(&curves);
}

static void plot_support(ExperimentRun *run, const ChungWangResults *results)
{
    impi_Text script;
    impi_text_init(&script, &impi_default_allocator);
    impi_text_put(&script, "$support << END\n");
    for (uint32_t i = 0; i < results->sizes->support_count; ++i) {
        const ChungWangSupport *s = &results->support[i];
        impi_text_printf(&script, "%u %.2f %.2f %.2f\n", s->vertex_count, s->hierarchy, s->from_table,
                         s->from_anywhere);
    }
    impi_text_put(&script,
                  "END\nset xlabel 'vertices'\nset ylabel 'vertices looked at'\nset logscale xy\n"
                  "plot $support using 1:2 with linespoints lw 2 title 'hierarchy', $support using "
                  "1:3 with linespoints lw 2 title 'local, from the table', $support using 1:4 with "
                  "linespoints lw 2 title 'local, from anywhere', $support using 1:1 with lines dt 2 "
                  "lc rgb 'gray' title 'all'\n");
    experiment_plot(run, "chung-wang-fig4-support", "Vertices looked at for one support vertex", &script);
    impi_text_free(&script);
}

// ---- the page

static void put_parameters(ExperimentRun *run, const ChungWangResults *results)
{
    const ChungWangSizes *sizes = results->sizes;
    uint64_t tests = 0, colliding = 0, undecided = 0;
    for (int kind = 0; kind < SCENE_CONVEX_KIND_COUNT; ++kind)
        for (uint32_t i = 0; i < sizes->size_count; ++i) {
            tests += chung_wang_tests(&results->steps[kind][i]);
            colliding += results->steps[kind][i].colliding;
            undecided += results->steps[kind][i].undecided;
        }
    impi_text_printf(
        &run->page,
        "Convex bodies fly about in a closed box. Those whose bounding boxes overlap are tested by Chung & "
        "Wang's search as they print it and by impinge, which decides exactly and moves the bodies. The two "
        "agree on every pair that is not within rounding of contact (%llu tests of panels (i) to (iii), %llu "
        "of them of bodies that collide; the search gave up on %llu).\n\n"
        "**The paper compares with closest-feature tracking (the lowest layer of I-COLLIDE), which is not "
        "free software. In its place stands libccd's GJK, with support vertices by local search from the "
        "last "
        "ones and its first direction from the last test.** It is a method of another kind, so what the "
        "paper "
        "says about closest features is not put to the test by it.%s\n\n"
        "## Parameters\n\n"
        "| parameter | paper | here |\n|---|---|---|\n",
        (unsigned long long)tests, (unsigned long long)colliding, (unsigned long long)undecided,
        chung_wang_has_gjk ? "" : " (It was not installed for this run: its curves are missing.)");
    impi_text_printf(
        &run->page,
        "| shapes | random points on an ellipsoid, a thin rod, a flat plate; proportions not given | random "
        "points on ellipsoids with semi-axes 1, 0.8, 0.6 (ellipsoid), 1, 0.1, 0.1 (rod), 1, 1, 0.1 (plate); "
        "each body its own |\n"
        "| bodies | 500; 100 of all shapes in (iv) to (vi) | %u; %u |\n"
        "| box, walls | not given | so small that bodies just do not overlap at the start: 100 bodies in a "
        "cube of edge 10 radii (7 for rods), on a grid; walls throw their centres back |\n"
        "| motion per frame | 5 %% of the radius, 10 degrees | the same, any direction and axis |\n"
        "| on collision | velocities reversed | the same |\n"
        "| frames | not given | %u; %u in (iv) to (vi) |\n"
        "| vertices in (iv) to (vi) | several, 500 among them | see the plots |\n"
        "| rotation in (iv), speed in (v) | not given | 10 degrees; 5 %% of the radius |\n"
        "| time | of the whole simulation, SGI Indy | processor time of the tests, median of %u runs |\n\n",
        sizes->body_count, sizes->timed_bodies, sizes->frame_count, sizes->timed_frames, sizes->repetitions);
}

static void put_steps(ExperimentRun *run, const ChungWangResults *results)
{
    const ChungWangSizes *sizes = results->sizes;
    impi_text_printf(&run->page, "## Panels (i), (ii): steps, %u vertices\n\n",
                     sizes->counts[sizes->distribution]);
    plot_distribution(run, results, false);
    plot_distribution(run, results, true);
    impi_text_put(&run->page, "## Panel (iii): most steps\n\n");
    plot_worst(run, results);
    impi_text_put(
        &run->page,
        "| shape | vertices | tests | separate within 3 | within 4 | all within 3 | most steps | in so "
        "many tests | recurrences |\n|---|---|---|---|---|---|---|---|---|\n");
    for (int kind = 0; kind < SCENE_CONVEX_KIND_COUNT; ++kind)
        for (uint32_t i = 0; i < sizes->size_count; ++i) {
            const ChungWangTally *t = &results->steps[kind][i];
            uint64_t worst_count = 0;
            uint32_t worst = chung_wang_worst(t, &worst_count);
            impi_text_printf(
                &run->page, "| %s | %u | %llu | %.2f %% | %.2f %% | %.2f %% | %u | %llu | %.3f %% |\n",
                scene_convex_name((SceneConvexKind)kind), sizes->counts[i],
                (unsigned long long)chung_wang_tests(t), chung_wang_separate_within(t, 3),
                chung_wang_separate_within(t, 4), chung_wang_all_within(t, 3), worst,
                (unsigned long long)worst_count, 100 * (double)t->recurrences / ((double)t->separate + 1e-9));
        }
    impi_text_put(&run->page, "\n[All numbers of steps](chung-wang-fig4.csv).\n\n");
}

static uint64_t wrong_by_gjk(const ChungWangResults *results)
{
    uint64_t count = 0;
    for (int sweep = 0; sweep < CHUNG_WANG_SWEEP_COUNT; ++sweep)
        for (uint32_t i = 0; i < results->sizes->timed_count; ++i)
            for (int p = 0; p < CHUNG_WANG_MAX_POINTS; ++p)
                count += results->timed[sweep][i][p].gjk_differs;
    return count;
}

static void put_sweeps(ExperimentRun *run, const ChungWangResults *results)
{
    for (int sweep = 0; sweep < CHUNG_WANG_SWEEP_COUNT; ++sweep) {
        impi_text_printf(&run->page, "## Panel (%s): %s\n\n", sweep_texts[sweep].panel,
                         sweep_texts[sweep].name);
        plot_sweep(run, results, sweep);
    }
    impi_text_put(&run->page, "The paper prints (v) over the panel of densities, too. [All "
                              "times](chung-wang-fig4-times.csv).");
    if (chung_wang_has_gjk)
        impi_text_printf(&run->page, " GJK gives another verdict than impinge in %llu of these tests.",
                         (unsigned long long)wrong_by_gjk(results));
    impi_text_put(&run->page, "\n\n");
}

static void put_support(ExperimentRun *run, const ChungWangResults *results)
{
    impi_text_put(
        &run->page,
        "## Section 5: support vertices without coherence\n\nEllipsoids, random directions, nothing "
        "known from the last time. Vertices looked at, on average.\n\n");
    plot_support(run, results);
    impi_text_put(&run->page, "| vertices | levels | hierarchy | local, from the 8 x 16 table | local, from "
                              "anywhere |\n|---|---|---|---|---|\n");
    for (uint32_t i = 0; i < results->sizes->support_count; ++i) {
        const ChungWangSupport *s = &results->support[i];
        impi_text_printf(&run->page, "| %u | %zu | %.1f | %.1f | %.1f |\n", s->vertex_count, s->level_count,
                         s->hierarchy, s->from_table, s->from_anywhere);
    }
    impi_text_put(&run->page, "\n");
}

void chung_wang_report(ExperimentRun *run, const ChungWangResults *results)
{
    save_steps(run, results);
    save_times(run, results);
    put_parameters(run, results);
    put_steps(run, results);
    put_sweeps(run, results);
    put_support(run, results);
}
