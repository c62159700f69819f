// Smith & Kitamura 1994, Figure 3.7: time of the last cycle, in which two spheres touch, against their faces.
#include "smith_cycles.h"

#include "base/memory.h"
#include "scenes/motion_papers.h"

#include <stdio.h>

#define REAL_TIME_MS 100.0

// The paper's fourteen, and the one up to which it extrapolates.
#define PAPER_SIZES 14
static const uint32_t face_counts[] = {8, 10, 24, 48, 54, 80, 120, 168, 224, 360, 528, 728, 960, 3968, 5936};
#define SIZE_COUNT  (sizeof face_counts / sizeof *face_counts)
#define QUICK_SIZES 8

typedef struct Results {
    SmithCycle last[SIZE_COUNT];
    size_t count;
} Results;

static Results outcome;

// What the paper says in its text; the other values are drawn only.
static double paper_ms(uint32_t face_count)
{
    static const struct {
        uint32_t faces;
        double ms;
    } printed[] = {{168, 11}, {528, 16}, {960, 24}, {3968, 70}};
    for (size_t i = 0; i < sizeof printed / sizeof *printed; ++i)
        if (printed[i].faces == face_count)
            return printed[i].ms;
    return 0;
}

static bool measure(ExperimentRun *run)
{
    static SmithCourse course;
    outcome.count = run->quick ? QUICK_SIZES : SIZE_COUNT;
    for (size_t i = 0; i < outcome.count; ++i) {
        char name[32];
        SceneMotion *motion = NULL;
        snprintf(name, sizeof name, "%u faces", face_counts[i]);
        if (scene_motion_create_spheres(run->context, face_counts[i], &motion) != IMP_STATUS_OK) {
            experiment_fail(run, "%s", imp_context_get_error(run->context)->message);
            return false;
        }
        bool good = smith_play(run, name, motion, smith_repetitions(run), SMITH_LAST_CYCLE, &course);
        scene_motion_destroy(motion);
        if (!good)
            return false;
        outcome.last[i] = *smith_last(&course);
    }
    return true;
}

static void save_csv(ExperimentRun *run, const Results *results)
{
    impi_Text csv;
    impi_text_init(&csv, &impi_default_allocator);
    impi_text_put(&csv, "faces,method,microseconds,touching,tested\n");
    for (size_t i = 0; i < results->count; ++i)
        for (int method = 0; method < SMITH_METHOD_COUNT; ++method)
            impi_text_printf(&csv, "%u,%s,%.3f,%zu,%llu\n", face_counts[i], smith_method_names[method],
                             results->last[i].ns[method] / 1e3, results->last[i].face_pairs,
                             (unsigned long long)results->last[i].tested[method]);
    experiment_save(run, "smith-fig3-7.csv", &csv);
    impi_text_free(&csv);
}

static void plot(ExperimentRun *run, const Results *results)
{
    impi_Text script;
    impi_text_init(&script, &impi_default_allocator);
    for (int method = 0; method < SMITH_METHOD_COUNT; ++method) {
        impi_text_printf(&script, "$%s << END\n", smith_method_names[method]);
        for (size_t i = 0; i < results->count; ++i)
            impi_text_printf(&script, "%u %.4f\n", face_counts[i], results->last[i].ns[method] / 1e3);
        impi_text_put(&script, "END\n");
    }
    impi_text_put(&script, "set xlabel 'faces of each sphere'\nset ylabel 'microseconds'\n"
                           "set logscale xy\n"
                           "set key below\n"
                           "plot $paper with linespoints lw 2 pt 7 title \"paper's method\", $impinge "
                           "with linespoints lw 2 pt 7 title 'impinge'\n");
    experiment_plot(run, "smith-fig3-7", "Time of the last cycle against the number of faces", &script);
    impi_text_free(&script);
}

static void put_page(ExperimentRun *run, const Results *results)
{
    impi_text_put(
        &run->page,
        "The motion of [Figure 3.6](smith-fig3-6.md) for all of the paper's spheres: the time of the "
        "last cycle, in which they touch. Both methods give the same answer in every cycle.\n\n"
        "## Parameters\n\n");
    smith_put_method(run);
    impi_text_put(&run->page, "\n## Figure 3.7\n\n");
    plot(run, results);
    impi_text_put(
        &run->page,
        "[The numbers](smith-fig3-7.csv).\n\n"
        "| faces | paper, ms | paper's method here, ms | impinge, ms | times faster | faces touching | "
        "tested, paper's method | tested, impinge |\n"
        "|---|---|---|---|---|---|---|---|\n");
    for (size_t i = 0; i < results->count; ++i) {
        const SmithCycle *last = &results->last[i];
        double printed = paper_ms(face_counts[i]);
        impi_text_printf(&run->page, "| %u | ", face_counts[i]);
        if (printed > 0)
            impi_text_printf(&run->page, "%.0f", printed);
        else
            impi_text_put(&run->page, i < PAPER_SIZES ? "drawn only" : "100, extrapolated");
        impi_text_printf(
            &run->page, " | %.3f | %.4f | %.0f | %zu | %llu | %llu |\n", last->ns[SMITH_PAPER] / 1e6,
            last->ns[SMITH_OURS] / 1e6, last->ns[SMITH_PAPER] / last->ns[SMITH_OURS], last->face_pairs,
            (unsigned long long)last->tested[SMITH_PAPER], (unsigned long long)last->tested[SMITH_OURS]);
    }
    impi_text_put(&run->page, "\n");
}

// A straight line through the two largest of the paper's sizes is how 5936 faces come out of its figures:
// 70 ms + (70 - 24) / (3968 - 960) * (5936 - 3968) = 100 ms.
static void claim_real_time(ExperimentRun *run, const Results *results)
{
    const char *text = "100 ms are kept up to 5936 faces (extrapolated)", *figure = "70 ms at 3968 faces";
    if (results->count < SIZE_COUNT) {
        experiment_claim(run, "S9", text, figure, VERDICT_UNTESTED, "Not in a quick run.");
        return;
    }
    double low = results->last[PAPER_SIZES - 2].ns[SMITH_PAPER] / 1e6;
    double high = results->last[PAPER_SIZES - 1].ns[SMITH_PAPER] / 1e6;
    double slope = (high - low) / (face_counts[PAPER_SIZES - 1] - face_counts[PAPER_SIZES - 2]);
    double foretold = high + slope * (face_counts[PAPER_SIZES] - face_counts[PAPER_SIZES - 1]);
    double measured = results->last[PAPER_SIZES].ns[SMITH_PAPER] / 1e6;
    experiment_claim(
        run, "S9", text, figure,
        measured > REAL_TIME_MS                                    ? VERDICT_FAILS
        : measured < 1.25 * foretold && measured > 0.75 * foretold ? VERDICT_HOLDS
                                                                   : VERDICT_PARTLY,
        "5936 faces take %.2f ms by the paper's method and %.3f ms by impinge on a machine of today, so "
        "the limit itself says nothing here. The paper extrapolates along a straight line; done here "
        "from 960 and 3968 faces, that foretells %.2f ms.",
        measured, results->last[PAPER_SIZES].ns[SMITH_OURS] / 1e6, foretold);
}

static void report(ExperimentRun *run)
{
    save_csv(run, &outcome);
    put_page(run, &outcome);
    claim_real_time(run, &outcome);
}

const Experiment experiment_smith_fig3_7 = {
    .name = "smith-fig3-7",
    .title = "Smith & Kitamura, Figure 3.7: the last cycle against the number of faces",
    .summary = "Two spheres that touch, of all fourteen face counts of the paper, by its face octree and by "
               "impinge.",
    .measure = measure,
    .report = report,
};
