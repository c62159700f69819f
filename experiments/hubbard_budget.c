// Hubbard 1996, section 4: how much is known after how much time. Body pairs are refined round robin as in
// the paper, or those of largest error first, in scene crowd-1000, which the benchmarks measure too. (The
// paper's scenes are not to be had.)
#include "experiment.h"

#include "base/memory.h"
#include "bench/crowd_curve.h"

#include <math.h>

#define DETECT_COUNT       (10 * CROWD_FRAME_COUNT)
#define DETECT_COUNT_QUICK 2

typedef struct Order {
    imp_RefineOrder order;
    const char *name;
    CrowdPoint points[CROWD_SHARE_COUNT];
} Order;

static Order orders[] = {{.order = IMP_REFINE_LARGEST_ERROR, .name = "largest error first"},
                         {.order = IMP_REFINE_ROUND_ROBIN, .name = "round robin"}};
#define ORDER_COUNT (sizeof orders / sizeof *orders)

static CrowdTimes times;

// ---- measuring

// Whatever the clock did.
static void check(ExperimentRun *run, const Order *order, const CrowdPoint *point)
{
    bool holds = point->decided >= 0 && point->decided <= 1 && point->error >= 0 && isfinite(point->error);
    if (!holds)
        experiment_fail(run, "%s: decided %g, error %g after %g us", order->name, point->decided,
                        point->error, point->budget_us);
}

static bool measure(ExperimentRun *run)
{
    static Crowd crowd;
    static CrowdWorld world;
    size_t count = run->quick ? DETECT_COUNT_QUICK : DETECT_COUNT;
    imp_DetectDef def = {.mode = IMP_DETECT_BODIES, .ignore_containment = true};
    crowd_make(run->context, &crowd);
    crowd_make_spheres(run->context, run->quick ? IMP_SPHERES_OCTREE : IMP_SPHERES_FIT, &crowd);
    crowd_world_make(&crowd, 1, &world);
    times = crowd_times(&world, &def, count);
    for (size_t i = 0; i < ORDER_COUNT; ++i) {
        for (size_t k = 0; k < CROWD_SHARE_COUNT; ++k) {
            orders[i].points[k] = crowd_point(&world, &times, orders[i].order, crowd_shares[k], count);
            check(run, &orders[i], &orders[i].points[k]);
        }
    }
    crowd_world_free(&world);
    crowd_free(&crowd);
    return !run->has_failed;
}

// ---- reporting

static void save_csv(ExperimentRun *run)
{
    impi_Text csv;
    impi_text_init(&csv, &impi_default_allocator);
    impi_text_put(&csv, "order,share,budget_us,decided,error\n");
    for (size_t i = 0; i < ORDER_COUNT; ++i)
        for (size_t k = 0; k < CROWD_SHARE_COUNT; ++k)
            impi_text_printf(&csv, "%s,%g,%.0f,%.4f,%.5g\n", orders[i].name, crowd_shares[k],
                             orders[i].points[k].budget_us, orders[i].points[k].decided,
                             orders[i].points[k].error);
    experiment_save(run, "hubbard-budget.csv", &csv);
    impi_text_free(&csv);
}

static void put_panel(impi_Text *script, const char *label, int column)
{
    impi_text_printf(script, "set ylabel '%s'\nplot ", label);
    for (size_t i = 0; i < ORDER_COUNT; ++i)
        impi_text_printf(script,
                         "%s$points index %zu using 1:%d with linespoints lw 2 pt 7 ps 0.5 title \"%s\"",
                         i ? ", " : "", i, column, orders[i].name);
    impi_text_put(script, "\n");
}

static void plot(ExperimentRun *run)
{
    impi_Text script;
    impi_text_init(&script, &impi_default_allocator);
    impi_text_put(&script, "$points << END\n");
    for (size_t i = 0; i < ORDER_COUNT; ++i) {
        for (size_t k = 0; k < CROWD_SHARE_COUNT; ++k) {
            const CrowdPoint *point = &orders[i].points[k];
            impi_text_printf(&script, "%.4f %.6f %.4f\n", point->budget_us / 1000, point->error,
                             100 * point->decided);
        }
        impi_text_put(&script, "\n\n");
    }
    impi_text_put(&script,
                  "END\nset multiplot layout 1,2\nset key inside top right\nset xlabel 'budget, ms'\n"
                  "set xrange [0:*]\nset logscale y\nset yrange [0.001:10]\n");
    put_panel(&script, "mean error, radii of bodies", 2);
    impi_text_put(&script, "set key inside bottom right\nunset logscale y\nset yrange [0:100]\n");
    put_panel(&script, "pairs decided, %", 3);
    impi_text_put(&script, "unset multiplot\n");
    experiment_plot(run, "hubbard-budget", "Mean error and decided pairs against the budget", &script);
    impi_text_free(&script);
}

static void put_table(ExperimentRun *run)
{
    impi_text_put(&run->page, "| budget, µs | of the refining time |");
    for (size_t i = 0; i < ORDER_COUNT; ++i)
        impi_text_printf(&run->page, " %s: decided | error |", orders[i].name);
    impi_text_put(&run->page, "\n|---|---|---|---|---|---|\n");
    for (size_t k = 0; k < CROWD_SHARE_COUNT; ++k) {
        impi_text_printf(&run->page, "| %.0f | %.0f %% |", orders[0].points[k].budget_us,
                         100 * crowd_shares[k]);
        for (size_t i = 0; i < ORDER_COUNT; ++i)
            impi_text_printf(&run->page, " %.1f %% | %.4f |", 100 * orders[i].points[k].decided,
                             orders[i].points[k].error);
        impi_text_put(&run->page, "\n");
    }
    impi_text_put(&run->page, "\n");
}

static void report(ExperimentRun *run)
{
    impi_text_printf(&run->page,
                     "A thousand moving bodies of about a thousand faces, a third of them deforming, on one "
                     "thread. A detect that decides nothing takes %.0f µs, the floor; one that decides all "
                     "pairs through spheres %.0f µs. Between these, budgets are shares of the time beyond "
                     "the floor. The error is that of all pairs whose boxes meet, over the radius of bodies; "
                     "what is decided has none.\n\n",
                     times.floor_us, times.full_us);
    save_csv(run);
    plot(run);
    put_table(run);
    impi_text_put(&run->page, "[All figures](hubbard-budget.csv).\n\n");
}

const Experiment experiment_hubbard_budget = {
    .name = "hubbard-budget",
    .title = "Hubbard: error against time, round robin and largest error first",
    .summary = "How many pairs of a crowd are decided within a budget, and how far off the others can be, in "
               "the paper's order of refining and in impinge's own.",
    .measure = measure,
    .report = report,
};
