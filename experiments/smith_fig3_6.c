// Smith & Kitamura 1994, Figure 3.6: time per cycle while two spheres approach each other and touch.
#include "smith_cycles.h"

#include "base/memory.h"
#include "scenes/motion_papers.h"

#include <stdio.h>

#define SIZE_COUNT 4

static const uint32_t face_counts[SIZE_COUNT] = {168, 528, 960, 3968};
static const double paper_last_ms[SIZE_COUNT] = {11, 16, 24, 70};

typedef struct Results {
    SmithCourse courses[SIZE_COUNT];
    size_t count; // 2 in a quick run
} Results;

static Results outcome;

static bool measure(ExperimentRun *run)
{
    outcome.count = run->quick ? 2 : SIZE_COUNT;
    for (size_t i = 0; i < outcome.count; ++i) {
        char name[32];
        SceneMotion *motion = NULL;
        snprintf(name, sizeof name, "%u faces", face_counts[i]);
        if (scene_motion_create_spheres(run->context, face_counts[i], &motion) != IMP_STATUS_OK) {
            experiment_fail(run, "%s", imp_context_get_error(run->context)->message);
            return false;
        }
        bool good =
            smith_play(run, name, motion, smith_repetitions(run), SMITH_ALL_CYCLES, &outcome.courses[i]);
        scene_motion_destroy(motion);
        if (!good)
            return false;
    }
    return true;
}

static void save_csv(ExperimentRun *run, const Results *results)
{
    impi_Text csv;
    impi_text_init(&csv, &impi_default_allocator);
    impi_text_put(&csv, "faces,cycle,method,microseconds,touching,tested,boxes\n");
    for (size_t i = 0; i < results->count; ++i) {
        char label[16];
        snprintf(label, sizeof label, "%u", face_counts[i]);
        smith_put_csv(&csv, label, &results->courses[i]);
    }
    experiment_save(run, "smith-fig3-6.csv", &csv);
    impi_text_free(&csv);
}

static void plot(ExperimentRun *run, const Results *results)
{
    impi_Text script;
    impi_text_init(&script, &impi_default_allocator);
    for (size_t i = 0; i < results->count; ++i)
        for (int method = 0; method < SMITH_METHOD_COUNT; ++method) {
            char name[32];
            snprintf(name, sizeof name, "%s%u", smith_method_names[method], face_counts[i]);
            smith_put_block(&script, name, method, &results->courses[i]);
        }
    impi_text_put(&script, "set xlabel 'cycle'\nset ylabel 'microseconds'\nset logscale y\nset xrange "
                           "[0:73]\n"
                           "set key below maxcols 4\n"
                           "plot ");
    for (size_t i = 0; i < results->count; ++i)
        impi_text_printf(&script,
                         "$paper%u with lines lw 2 lc %zu title \"paper's method, %u faces\", $impinge%u "
                         "with lines lw 2 dt 2 lc %zu title 'impinge, %u faces'%s",
                         face_counts[i], i + 1, face_counts[i], face_counts[i], i + 1, face_counts[i],
                         i + 1 < results->count ? ", " : "\n");
    experiment_plot(run, "smith-fig3-6", "Time per cycle for two spheres, by number of faces", &script);
    impi_text_free(&script);
}

static uint32_t first_boxes(const SmithCourse *course)
{
    uint32_t cycle = 0;
    while (course->cycles[cycle].box_pairs == 0)
        ++cycle;
    return cycle + 1;
}

static void put_page(ExperimentRun *run, const Results *results)
{
    impi_text_put(
        &run->page,
        "Two identical spheres start apart and approach each other, turning, until their faces touch in "
        "cycle 72. Both methods give the same answer in every cycle; up to 960 faces brute force gives "
        "the same in the last one.\n\n"
        "## Parameters\n\n");
    smith_put_method(run);
    impi_text_printf(
        &run->page,
        "| edge of the world cube | – | %.2f |\n"
        "| spheres | radius, start, speeds not given | radius 1; each moves 0.03 and turns 1.1 to 1.3 "
        "degrees per cycle; the start is such that in cycle 72 they are half a cycle's "
        "way deep in each other |\n\n"
        "## Figure 3.6\n\n",
        results->courses[0].world_edge);
    plot(run, results);
    impi_text_put(&run->page,
                  "[All cycles](smith-fig3-6.csv).\n\n"
                  "## The last cycle\n\n"
                  "Ratios are to 168 faces.\n\n"
                  "| faces | paper, ms | ratio | paper's method here, ms | ratio | impinge, ms | ratio | "
                  "faces touching | tested, paper's method | tested, impinge | boxes "
                  "overlap from cycle |\n"
                  "|---|---|---|---|---|---|---|---|---|---|---|\n");
    const SmithCycle *first = smith_last(&results->courses[0]);
    for (size_t i = 0; i < results->count; ++i) {
        const SmithCycle *last = smith_last(&results->courses[i]);
        impi_text_printf(&run->page,
                         "| %u | %.0f | %.2f | %.3f | %.2f | %.4f | %.2f | %zu | %llu | %llu | %u |\n",
                         face_counts[i], paper_last_ms[i], paper_last_ms[i] / paper_last_ms[0],
                         last->ns[SMITH_PAPER] / 1e6, last->ns[SMITH_PAPER] / first->ns[SMITH_PAPER],
                         last->ns[SMITH_OURS] / 1e6, last->ns[SMITH_OURS] / first->ns[SMITH_OURS],
                         last->face_pairs, (unsigned long long)last->tested[SMITH_PAPER],
                         (unsigned long long)last->tested[SMITH_OURS], first_boxes(&results->courses[i]));
    }
    impi_text_put(&run->page, "\n");
}

static void claim_growth(ExperimentRun *run, const Results *results)
{
    size_t most = results->count - 1;
    const SmithCycle *small = smith_last(&results->courses[0]), *large = smith_last(&results->courses[most]);
    double faces = (double)face_counts[most] / face_counts[0];
    double theirs = paper_last_ms[most] / paper_last_ms[0];
    double here = large->ns[SMITH_PAPER] / small->ns[SMITH_PAPER];
    double ours = large->ns[SMITH_OURS] / small->ns[SMITH_OURS];
    experiment_claim(
        run, "S8", "the last cycle's cost grows mildly with faces",
        "11, 16, 24, 70 ms at 168, 528, 960, 3968",
        here < faces / 2 ? VERDICT_HOLDS
        : here < faces   ? VERDICT_PARTLY
                         : VERDICT_FAILS,
        "%.1f times the faces cost %.1f times as much in the paper, %.1f times by the same method here, "
        "%.1f times by impinge. (Mildly: less than half as much as the faces.)",
        faces, theirs, here, ours);
}

static void claim_free_cycles(ExperimentRun *run, const Results *results)
{
    size_t most = results->count - 1;
    const SmithCourse *course = &results->courses[most];
    double share = 10 / paper_last_ms[most], percent[SMITH_METHOD_COUNT];
    SmithBefore before[SMITH_METHOD_COUNT];
    for (int method = 0; method < SMITH_METHOD_COUNT; ++method) {
        before[method] = smith_before(course, method, share);
        percent[method] = 100 / smith_last(course)->ns[method];
    }
    const SmithBefore *paper = &before[SMITH_PAPER], *ours = &before[SMITH_OURS];
    experiment_claim(
        run, "S10", "cycles in which nothing touches cost next to nothing",
        "rarely above 10 ms, where the last takes 70", smith_rarity(paper),
        "With %u faces, by the paper's method, %u of %u such cycles take more than 10/%.0f of the last "
        "one's time; their median is %.1f %% of it, the longest %.0f %%. By impinge: %u, %.1f %% and "
        "%.0f %%. Where no boxes overlap there is nothing to do; it is their overlap that costs, so the "
        "cycles shortly before the first contact come near the last one.",
        face_counts[most], paper->above, paper->count, paper_last_ms[most],
        percent[SMITH_PAPER] * paper->median_ns, percent[SMITH_PAPER] * paper->longest_ns, ours->above,
        percent[SMITH_OURS] * ours->median_ns, percent[SMITH_OURS] * ours->longest_ns);
}

static void report(ExperimentRun *run)
{
    save_csv(run, &outcome);
    put_page(run, &outcome);
    claim_growth(run, &outcome);
    claim_free_cycles(run, &outcome);
}

const Experiment experiment_smith_fig3_6 = {
    .name = "smith-fig3-6",
    .title = "Smith & Kitamura, Figure 3.6: two spheres, cycle by cycle",
    .summary = "Two spheres of 168 to 3968 faces approach each other until they touch, by the paper's face "
               "octree and by impinge.",
    .measure = measure,
    .report = report,
};
