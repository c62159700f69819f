// Smith & Kitamura 1994, section 3.2.3: while space is divided among the faces of two bodies, is the exact
// test of a face and a cell worth more than that of the face's box? The paper gives no figures.
#include "experiment.h"

#include "base/memory.h"
#include "scenes/motion_papers.h"
#include "smith_swept_play.h"

#include <math.h>
#include <stdio.h>

static const char *const test_names[SMITH_CELL_TEST_COUNT] = {"exact", "octants", "boxes"};

#define PAPER_LEVEL 6

typedef struct Setting {
    uint32_t face_count; // of each of two spheres; 0: two shuttles
    uint32_t level;
} Setting;

static const Setting settings[] = {{168, 6},  {528, 6}, {960, 6}, {3968, 6}, {0, 6},    {960, 4},
                                   {960, 5},  {960, 7}, {960, 8}, {3968, 4}, {3968, 5}, {3968, 7},
                                   {3968, 8}, {0, 4},   {0, 5},   {0, 7},    {0, 8}};

#define SETTING_COUNT (sizeof settings / sizeof *settings)
#define QUICK_COUNT   2

typedef struct Outcome {
    SweptCycle cycles[SMITH_CELL_TEST_COUNT];
    uint64_t cell_tests[SMITH_CELL_TEST_COUNT]; // in step 3
} Outcome;

static struct {
    Outcome settings[SETTING_COUNT];
    size_t count;
} outcome;

static size_t repetitions(const ExperimentRun *run)
{
    return run->quick ? 1 : 15;
}

// ---- measuring

static void name_setting(const Setting *setting, char name[64])
{
    if (setting->face_count)
        snprintf(name, 64, "spheres of %u faces", setting->face_count);
    else
        snprintf(name, 64, "shuttles of 528 faces");
}

static imp_Status make_motion(ExperimentRun *run, const Setting *setting, SceneMotion **motion)
{
    return setting->face_count ? scene_motion_create_spheres(run->context, setting->face_count, motion)
                               : scene_motion_create_close_shuttles(run->context, true, motion);
}

// How far from the origin a body gets, from the first cycle to the last.
static double reach_of(const SceneMotion *motion)
{
    double reach = 0;
    for (uint32_t frame = 0; frame < scene_motion_frame_count(motion); ++frame)
        for (size_t body = 0; body < 2; ++body) {
            const imp_Mesh *mesh = scene_motion_body(motion, body).mesh;
            imp_Transform transform = scene_motion_transform(motion, body, frame);
            for (size_t i = 0; i < imp_mesh_get_vertex_count(mesh); ++i) {
                imp_Vec3 v = imp_transform_apply(&transform, imp_mesh_get_vertices(mesh)[i]);
                reach = fmax(reach, fmax(fabs(v.x), fmax(fabs(v.y), fabs(v.z))));
            }
        }
    return 1.01 * reach;
}

// Both bodies in the last cycle, in which they touch.
static SmithSweptScene make_scene(const SceneMotion *motion, uint32_t level, SmithCellTest test)
{
    double reach = reach_of(motion);
    SmithSweptScene scene = {.cube = {{-reach, -reach, -reach}, {reach, reach, reach}},
                             .level = level,
                             .method = SMITH_SWEPT_STATIC,
                             .cell_test = test};
    uint32_t last = scene_motion_frame_count(motion) - 1;
    for (size_t i = 0; i < 2; ++i) {
        const imp_Mesh *mesh = scene_motion_body(motion, i).mesh;
        imp_Transform transform = scene_motion_transform(motion, i, last);
        scene.bodies[i] = (SmithSweptBody){.vertices = imp_mesh_get_vertices(mesh),
                                           .vertex_count = imp_mesh_get_vertex_count(mesh),
                                           .indices = imp_mesh_get_indices(mesh),
                                           .face_count = imp_mesh_get_triangle_count(mesh),
                                           .begin = transform,
                                           .end = transform};
    }
    return scene;
}

static bool play(ExperimentRun *run, const SceneMotion *motion, uint32_t level, Outcome *result)
{
    SmithSweptSearch search;
    SmithFacePairs found[SMITH_CELL_TEST_COUNT] = {{0}};
    bool done = true;
    smith_swept_init(&search, &impi_default_allocator);
    for (int test = 0; test < SMITH_CELL_TEST_COUNT && done; ++test) {
        SmithSweptScene scene = make_scene(motion, level, (SmithCellTest)test);
        done = swept_play(run, &search, &scene, repetitions(run), &result->cycles[test], &found[test]);
        result->cell_tests[test] = search.cell_tests;
    }
    for (int test = 1; test < SMITH_CELL_TEST_COUNT && done; ++test)
        if (swept_count_missing(&found[0], &found[test]) || swept_count_missing(&found[test], &found[0]))
            experiment_fail(run, "other faces touch by %s", test_names[test]);
    if (done && found[0].count == 0)
        experiment_fail(run, "nothing touches");
    for (int test = 0; test < SMITH_CELL_TEST_COUNT; ++test)
        impi_array_free(&impi_default_allocator, &found[test], sizeof *found[test].data);
    smith_swept_free(&search);
    return !run->has_failed;
}

static bool measure(ExperimentRun *run)
{
    outcome.count = run->quick ? QUICK_COUNT : SETTING_COUNT;
    for (size_t i = 0; i < outcome.count; ++i) {
        SceneMotion *motion = NULL;
        char name[64];
        name_setting(&settings[i], name);
        experiment_note("  %s, level %u", name, settings[i].level);
        if (make_motion(run, &settings[i], &motion) != IMP_STATUS_OK) {
            experiment_fail(run, "%s", imp_context_get_error(run->context)->message);
            return false;
        }
        bool done = play(run, motion, settings[i].level, &outcome.settings[i]);
        scene_motion_destroy(motion);
        if (!done)
            return false;
    }
    return true;
}

// ---- the page

// How many times as long boxes take as an exact test.
static double ratio(size_t i, SmithCellTest exact)
{
    const SweptCycle *cycles = outcome.settings[i].cycles;
    return cycles[SMITH_CELL_BOXES].ns / cycles[exact].ns;
}

static void save_csv(ExperimentRun *run)
{
    impi_Text csv;
    impi_text_init(&csv, &impi_default_allocator);
    impi_text_put(&csv, "bodies,level,test,microseconds,boxes_us,faces_us,subdivision_us,pairs_us,"
                        "cell_tests,face_pairs_tested,touching\n");
    for (size_t i = 0; i < outcome.count; ++i)
        for (int test = 0; test < SMITH_CELL_TEST_COUNT; ++test) {
            char name[64];
            const SweptCycle *c = &outcome.settings[i].cycles[test];
            name_setting(&settings[i], name);
            impi_text_printf(&csv, "%s,%u,%s,%.3f", name, settings[i].level, test_names[test], c->ns / 1e3);
            for (int step = 0; step < SWEPT_STEPS; ++step)
                impi_text_printf(&csv, ",%.3f", c->step_ns[step] / 1e3);
            impi_text_printf(&csv, ",%llu,%zu,%zu\n",
                             (unsigned long long)outcome.settings[i].cell_tests[test], c->tested,
                             c->colliding);
        }
    experiment_save(run, "smith-exact-boxes.csv", &csv);
    impi_text_free(&csv);
}

static void plot(ExperimentRun *run)
{
    impi_Text script;
    impi_text_init(&script, &impi_default_allocator);
    impi_text_put(&script, "$data << END\n");
    for (size_t i = 0; i < outcome.count; ++i) {
        char name[64];
        const SweptCycle *cycles = outcome.settings[i].cycles;
        name_setting(&settings[i], name);
        impi_text_printf(&script, "\"%s, level %u\" %.5f %.5f %.5f\n", name, settings[i].level,
                         cycles[SMITH_CELL_FACES].ns / 1e3, cycles[SMITH_CELL_OCTANTS].ns / 1e3,
                         cycles[SMITH_CELL_BOXES].ns / 1e3);
    }
    impi_text_put(&script, "END\nset style data histograms\nset style fill solid 0.8\nset logscale y\n"
                           "set ylabel 'microseconds'\nset xtics rotate by -50\nset key below\n"
                           "plot $data using 2:xtic(1) title 'exact', '' using 3 title 'exact, eight cells "
                           "at once', '' using 4 title 'boxes of faces'\n");
    experiment_plot(run, "smith-exact-boxes", "Time of the last cycle by both tests of faces and cells",
                    &script);
    impi_text_free(&script);
}

static void put_page(ExperimentRun *run)
{
    impi_text_printf(
        &run->page,
        "The method of chapter 3 divides space while a cell holds faces of both bodies. Which faces a cell "
        "holds is found by an exact test of triangle and cell, or by whether the triangle's box meets the "
        "cell, as the methods did that it builds on. More faces then stay in more cells, and more pairs of "
        "faces are compared in the end. Both give the same touching faces.\n\n"
        "## Parameters\n\n"
        "| | paper | here |\n|---|---|---|\n"
        "| bodies | not given | the spheres of [Figure 3.6](smith-fig3-6.md) in the last cycle; the two "
        "shuttles of [Figure 3.8](smith-fig3-8.md) in theirs |\n"
        "| level | %d | %d, and around it |\n"
        "| exact test | clipping after tests of boxes and corners (3.3.7) | separating directions, exact "
        "(`geom/touch.h`), boxes first; or eight cells at once, as `smith-1994` does "
        "(`geom/triangle_octants.h`) |\n"
        "| boxes | – | of each face, made once in a cycle (in step 2) |\n"
        "| times | – | all four steps: processor time, medians of %zu |\n\n"
        "## Times and counts\n\n",
        PAPER_LEVEL, PAPER_LEVEL, repetitions(run));
    plot(run);
    impi_text_put(&run->page,
                  "[The numbers, step by step](smith-exact-boxes.csv).\n\n"
                  "| bodies | level | exact, µs | eight at once, µs | boxes, µs | tests with cells, exact | "
                  "eight at once | boxes | face pairs, exact | boxes | touching |\n"
                  "|---|---|---|---|---|---|---|---|---|---|---|\n");
    for (size_t i = 0; i < outcome.count; ++i) {
        char name[64];
        const Outcome *o = &outcome.settings[i];
        const SweptCycle *exact = &o->cycles[SMITH_CELL_FACES], *boxes = &o->cycles[SMITH_CELL_BOXES];
        name_setting(&settings[i], name);
        impi_text_printf(&run->page,
                         "| %s | %u | %.1f | %.1f | %.1f | %llu | %llu | %llu | %zu | %zu | %zu |\n", name,
                         settings[i].level, exact->ns / 1e3, o->cycles[SMITH_CELL_OCTANTS].ns / 1e3,
                         boxes->ns / 1e3, (unsigned long long)o->cell_tests[SMITH_CELL_FACES],
                         (unsigned long long)o->cell_tests[SMITH_CELL_OCTANTS],
                         (unsigned long long)o->cell_tests[SMITH_CELL_BOXES], exact->tested, boxes->tested,
                         exact->colliding);
    }
    impi_text_put(&run->page, "\n");
}

typedef struct Range {
    double least, most;
} Range;

static Range ratios(SmithCellTest exact, bool only_paper_level)
{
    Range range = {INFINITY, 0};
    for (size_t i = 0; i < outcome.count; ++i) {
        if (only_paper_level && settings[i].level != PAPER_LEVEL)
            continue;
        range.least = fmin(range.least, ratio(i, exact));
        range.most = fmax(range.most, ratio(i, exact));
    }
    return range;
}

static void claim_exactness(ExperimentRun *run)
{
    Range single = ratios(SMITH_CELL_FACES, true), at_once = ratios(SMITH_CELL_OCTANTS, true);
    Range at_once_anywhere = ratios(SMITH_CELL_OCTANTS, false);
    double fewer = 0;
    for (size_t i = 0; i < outcome.count; ++i) {
        const SweptCycle *cycles = outcome.settings[i].cycles;
        fewer = fmax(fewer,
                     1 - (double)cycles[SMITH_CELL_FACES].tested / (double)cycles[SMITH_CELL_BOXES].tested);
    }
    experiment_claim(
        run, "S15", "the exact test of triangle and box beats that of bounding boxes while space is divided",
        "no figures",
        fmax(single.least, at_once.least) > 1 ? VERDICT_HOLDS
        : fmax(single.most, at_once.most) > 1 ? VERDICT_PARTLY
                                              : VERDICT_FAILS,
        "At level %d, boxes take %.2f to %.2f times as long as the exact test, and %.2f to %.2f times as "
        "long "
        "as the one of eight cells at once (%.2f to %.2f at other levels, too). The exact test leaves up to "
        "%.0f %% fewer face pairs; but a pair costs little here, for its boxes are compared first, and "
        "comparing the box of a face with a cell costs next to nothing. (Holds where boxes take longer for "
        "all bodies at the paper's level, in part where for some.)",
        PAPER_LEVEL, single.least, single.most, at_once.least, at_once.most, at_once_anywhere.least,
        at_once_anywhere.most, 100 * fewer);
}

static void report(ExperimentRun *run)
{
    save_csv(run);
    put_page(run);
    claim_exactness(run);
}

const Experiment experiment_smith_exact_boxes = {
    .name = "smith-exact-boxes",
    .title = "Smith & Kitamura, section 3.2.3: exact tests inside subdivision",
    .summary = "Which faces a cell holds, by an exact test or by their boxes: what one costs and the other "
               "lets through.",
    .measure = measure,
    .report = report,
};
