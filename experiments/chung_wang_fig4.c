// Chung & Wang 1996, Figure 4: how many steps their search takes, and how long, beside libccd's GJK instead
// of the closest-feature method, and beside impinge. And section 5: support vertices through the
// hierarchy.
#include "chung_wang_report.h"

#include "chung_wang_separating_vector.h"

#include <math.h>
#include <stdlib.h>

#define SEED 4

static const ChungWangSizes full_sizes = {.body_count = 500,
                                          .frame_count = 300,
                                          .counts = {10, 20, 50, 100, 200, 500, 1000},
                                          .size_count = 7,
                                          .distribution = 5,
                                          .timed_bodies = 100,
                                          .timed_frames = 300,
                                          .repetitions = 5,
                                          .timed_counts = {50, 200, 500},
                                          .timed_count = 3,
                                          .support_counts = {10, 30, 100, 300, 1000, 3000, 10000},
                                          .support_count = 7,
                                          .direction_count = 2000};
static const ChungWangSizes quick_sizes = {.body_count = 60,
                                           .frame_count = 10,
                                           .counts = {10, 50},
                                           .size_count = 2,
                                           .distribution = 1,
                                           .timed_bodies = 30,
                                           .timed_frames = 10,
                                           .repetitions = 1,
                                           .timed_counts = {10, 50},
                                           .timed_count = 2,
                                           .support_counts = {10, 100},
                                           .support_count = 2,
                                           .direction_count = 100};

// ---- panels (i) to (iii)

static void measure_steps(ExperimentRun *run, ChungWangResults *results)
{
    const ChungWangSizes *sizes = results->sizes;
    for (int kind = 0; kind < SCENE_CONVEX_KIND_COUNT; ++kind)
        for (uint32_t i = 0; i < sizes->size_count && !run->has_failed; ++i) {
            experiment_note("  %s of %u vertices", scene_convex_name((SceneConvexKind)kind),
                            sizes->counts[i]);
            SceneConvexBoxDef def = {.kind = (SceneConvexKind)kind,
                                     .body_count = sizes->body_count,
                                     .vertex_count = sizes->counts[i],
                                     .edge = scene_convex_box_edge((SceneConvexKind)kind, sizes->body_count),
                                     .speed = 0.05,
                                     .turn = 1000,
                                     .seed = SEED};
            chung_wang_play(run, &def, sizes->frame_count, &results->steps[kind][i]);
        }
}

// ---- panels (iv) to (vi)

static const double sweep_values[CHUNG_WANG_SWEEP_COUNT][CHUNG_WANG_MAX_POINTS] = {
    [CHUNG_WANG_SPEED] = {2, 5, 8, 12, 16, 20},
    [CHUNG_WANG_TURN] = {5, 10, 16, 24, 32, 40},
    [CHUNG_WANG_DENSITY] = {0.01, 0.02, 0.04, 0.06, 0.08, 0.1},
};

static SceneConvexBoxDef sweep_def(const ChungWangSizes *sizes, ChungWangSweep sweep, double value,
                                   uint32_t vertex_count)
{
    SceneConvexBoxDef def = {.is_mixed = true,
                             .body_count = sizes->timed_bodies,
                             .vertex_count = vertex_count,
                             .edge = scene_convex_box_edge(SCENE_ELLIPSOID, sizes->timed_bodies),
                             .speed = 0.05,
                             .turn = 1000,
                             .seed = SEED};
    if (sweep == CHUNG_WANG_SPEED)
        def.speed = value / 100;
    else if (sweep == CHUNG_WANG_TURN)
        def.turn = (uint32_t)lround(100 * value);
    else
        def.edge = cbrt(sizes->timed_bodies / value);
    return def;
}

// All values in each round, so that what else the machine does hits them alike.
static void measure_sweep(ExperimentRun *run, ChungWangResults *results, ChungWangSweep sweep, uint32_t size)
{
    static double ns[CHUNG_WANG_MAX_POINTS][CHUNG_WANG_METHOD_COUNT][CHUNG_WANG_MAX_REPETITIONS];
    const ChungWangSizes *sizes = results->sizes;
    for (uint32_t r = 0; r < sizes->repetitions; ++r)
        for (int p = 0; p < CHUNG_WANG_MAX_POINTS && !run->has_failed; ++p) {
            ChungWangTally *tally = &results->timed[sweep][size][p];
            SceneConvexBoxDef def =
                sweep_def(sizes, sweep, sweep_values[sweep][p], sizes->timed_counts[size]);
            results->values[sweep][p] = sweep_values[sweep][p];
            chung_wang_play(run, &def, sizes->timed_frames, tally);
            for (int method = 0; method < CHUNG_WANG_METHOD_COUNT; ++method)
                ns[p][method][r] = tally->ns[method];
        }
    for (int p = 0; p < CHUNG_WANG_MAX_POINTS; ++p)
        for (int method = 0; method < CHUNG_WANG_METHOD_COUNT; ++method)
            results->timed[sweep][size][p].ns[method] = experiment_median(ns[p][method], sizes->repetitions);
}

static void measure_sweeps(ExperimentRun *run, ChungWangResults *results)
{
    static const char *const names[CHUNG_WANG_SWEEP_COUNT] = {"speed", "rotation", "density"};
    const ChungWangSizes *sizes = results->sizes;
    for (int sweep = 0; sweep < CHUNG_WANG_SWEEP_COUNT; ++sweep)
        for (uint32_t i = 0; i < sizes->timed_count && !run->has_failed; ++i) {
            experiment_note("  %s, %u vertices", names[sweep], sizes->timed_counts[i]);
            measure_sweep(run, results, (ChungWangSweep)sweep, i);
        }
}

// ---- section 5

static void search_supports(const ChungWangBody *body, const ChungWangHierarchy *hierarchy,
                            uint32_t direction_count, ChungWangSupport *support)
{
    uint64_t from_table = 0, from_anywhere = 0, through_hierarchy = 0;
    for (uint32_t i = 0; i < direction_count; ++i) {
        imp_Vec3 direction;
        uint32_t visit_count = 0;
        scene_convex_points(SCENE_ELLIPSOID, 1, SEED + i, &direction);
        chung_wang_hierarchy_support(hierarchy, direction, &visit_count);
        through_hierarchy += visit_count;
        chung_wang_climb(body, chung_wang_start(body, direction), direction, &from_table);
        chung_wang_climb(body, i % support->vertex_count, direction, &from_anywhere);
    }
    support->level_count = hierarchy->level_count;
    support->hierarchy = (double)through_hierarchy / direction_count;
    support->from_table = (double)from_table / direction_count;
    support->from_anywhere = (double)from_anywhere / direction_count;
}

static void measure_support(ExperimentRun *run, uint32_t direction_count, ChungWangSupport *support)
{
    imp_Convex *convex = NULL;
    ChungWangBody *body = NULL;
    ChungWangHierarchy *hierarchy = NULL;
    size_t count = support->vertex_count;
    imp_Vec3 *points = malloc(count * sizeof *points);
    imp_Status status = points ? IMP_STATUS_OK : IMP_STATUS_OUT_OF_MEMORY;
    if (status == IMP_STATUS_OK) {
        scene_convex_points(SCENE_ELLIPSOID, count, SEED, points);
        status = imp_convex_create(run->context, &(imp_ConvexDef){.points = &points->x, .point_count = count},
                                   &convex);
    }
    if (status == IMP_STATUS_OK)
        status = chung_wang_body_create(run->context, convex, &body);
    if (status == IMP_STATUS_OK)
        status = chung_wang_hierarchy_create(run->context, body, &hierarchy);
    if (status == IMP_STATUS_OK)
        search_supports(body, hierarchy, direction_count, support);
    else
        experiment_fail(run, "%s", imp_status_name(status));
    chung_wang_hierarchy_destroy(hierarchy);
    chung_wang_body_destroy(body);
    imp_convex_release(convex);
    free(points);
}

static void measure_supports(ExperimentRun *run, ChungWangResults *results)
{
    const ChungWangSizes *sizes = results->sizes;
    experiment_note("  support vertices");
    for (uint32_t i = 0; i < sizes->support_count && !run->has_failed; ++i) {
        results->support[i].vertex_count = sizes->support_counts[i];
        measure_support(run, sizes->direction_count, &results->support[i]);
    }
}

static ChungWangResults outcome;

static bool measure(ExperimentRun *run)
{
    outcome.sizes = run->quick ? &quick_sizes : &full_sizes;
    if (!chung_wang_has_gjk)
        experiment_note("GJK is left out: install libccd-dev");
    measure_steps(run, &outcome);
    measure_sweeps(run, &outcome);
    measure_supports(run, &outcome);
    return !run->has_failed;
}

static void report(ExperimentRun *run)
{
    chung_wang_report(run, &outcome);
    chung_wang_claims(run, &outcome);
}

const Experiment experiment_chung_wang_fig4 = {
    .name = "chung-wang-fig4",
    .title = "Chung & Wang, Figure 4: steps and times of the separating-vector search",
    .summary =
        "How many steps the search for a separating vector takes among 500 moving polytopes of three "
        "shapes, and how its time depends on speed, rotation and density: the paper's method, libccd's "
        "GJK and impinge.",
    .measure = measure,
    .report = report,
};
