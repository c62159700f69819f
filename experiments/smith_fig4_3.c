// Smith & Kitamura 1994, Figure 4.3: the last cycle of the swept-space method on up to 24 processors, by SPMD
// (static as in the paper, and dynamic) and by a producer with consumers.
//
// Few machines have 24 processors to spare. So besides the wall clock, on as many threads as the paper had
// processors and as many cores as there are, the time on P processors is put together from what was measured
// on one: how long each pair takes, and when step 3 finds it. That is what P processors would need if nothing
// was shared, neither a bus nor a lock; the longest share of work decides.
#include "smith_swept_parallel.h"
#include "smith_swept_play.h"

#include "base/clock.h"
#include "base/context.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define SIZE_COUNT     2
#define MOST           24 // processors
#define PAIR_RUNS      5
#define GAIN_THRESHOLD 0.05

// So many cores are needed to see gains end at 8 to 10 processors.
#define CORES_FOR_LIMIT 12

static const uint32_t face_counts[SIZE_COUNT] = {960, 3968};
static const char *const form_names[SMITH_FORM_COUNT] = {"serial", "spmd", "spmd-dynamic",
                                                         "producer-consumer"};

typedef struct Measured {
    uint32_t face_count;
    size_t tested, colliding;
    double serial_ns;                           // wall clock
    double measured_ns[SMITH_FORM_COUNT][MOST]; // wall clock; [..][P - 1]
    double derived_ns[SMITH_FORM_COUNT][MOST];
    uint64_t largest_share[SMITH_FORM_COUNT][MOST]; // pairs that one thread tested
    bool was_pinned;
    double first_ns;     // steps 1 and 2
    double subdivide_ns; // step 3
    double *found_ns;    // when step 3 finds each pair, from its beginning
    double *test_ns;     // of each pair
} Measured;

static struct {
    Measured sizes[SIZE_COUNT];
    size_t count, runs;
    uint32_t cores;
} outcome;

// ---- what one processor takes

typedef struct Log {
    Measured *measured;
    SmithFacePairs pairs;
    uint64_t start;
} Log;

static bool note_pair(SmithFacePair pair, void *argument)
{
    Log *log = argument;
    SmithFacePairs *pairs = &log->pairs;
    if (!impi_array_reserve(&impi_default_allocator, pairs, sizeof *pairs->data, pairs->count + 1))
        return false;
    pairs->data[pairs->count++] = pair;
    return true;
}

static bool note_time(SmithFacePair pair, void *argument)
{
    Log *log = argument;
    double *at = &log->measured->found_ns[log->pairs.count++];
    double now = (double)(impi_clock_ns() - log->start);
    (void)pair;
    *at = *at == 0 || now < *at ? now : *at; // the least of several runs
    return true;
}

static double least(double a, double b)
{
    return a == 0 || b < a ? b : a;
}

// Steps 1 to 3, the least of several runs: what else the machine does only adds to them.
static bool time_search(SmithSweptSearch *search, const SmithSweptScene *scene, Log *log)
{
    Measured *measured = log->measured;
    for (size_t r = 0; r < outcome.runs; ++r) {
        uint64_t start = impi_clock_ns();
        if (!smith_swept_boxes(search, scene) || !smith_swept_faces(search))
            return false;
        log->start = impi_clock_ns();
        log->pairs.count = 0;
        if (!smith_swept_subdivide(search, note_time, log))
            return false;
        uint64_t end = impi_clock_ns();
        measured->first_ns = least(measured->first_ns, (double)(log->start - start));
        measured->subdivide_ns = least(measured->subdivide_ns, (double)(end - log->start));
    }
    return true;
}

static bool time_pairs(const SmithSweptSearch *search, Log *log)
{
    impi_SweptHullScratch scratch;
    bool done = true;
    impi_swept_hull_scratch_init(&scratch, &impi_default_allocator);
    for (int r = 0; r < PAIR_RUNS && done; ++r)
        for (size_t i = 0; i < log->pairs.count && done; ++i) {
            bool collide;
            uint64_t start = impi_clock_ns();
            done = smith_swept_test(search, &scratch, log->pairs.data[i], &collide) == IMP_STATUS_OK;
            double *ns = &log->measured->test_ns[i];
            *ns = least(*ns, (double)(impi_clock_ns() - start));
        }
    impi_swept_hull_scratch_destroy(&scratch);
    return done;
}

// The pairs first, so that there is room for their times.
static bool time_parts(SmithSweptSearch *search, const SmithSweptScene *scene, Measured *measured)
{
    const imp_Allocator *allocator = &impi_default_allocator;
    Log log = {.measured = measured};
    bool done = smith_swept_boxes(search, scene) && smith_swept_faces(search) &&
                smith_swept_subdivide(search, note_pair, &log);
    size_t count = measured->tested = log.pairs.count;
    measured->found_ns = impi_allocate_array(allocator, count + 1, sizeof *measured->found_ns);
    measured->test_ns = impi_allocate_array(allocator, count + 1, sizeof *measured->test_ns);
    done = done && measured->found_ns && measured->test_ns;
    if (done) {
        memset(measured->found_ns, 0, count * sizeof *measured->found_ns);
        memset(measured->test_ns, 0, count * sizeof *measured->test_ns);
        done = time_search(search, scene, &log) && time_pairs(search, &log);
    }
    impi_array_free(allocator, &log.pairs, sizeof *log.pairs.data);
    return done;
}

// ---- shares of work

static size_t earliest(const double *free_at, uint32_t count)
{
    size_t best = 0;
    for (uint32_t i = 1; i < count; ++i)
        best = free_at[i] < free_at[best] ? i : best;
    return best;
}

static double latest(const double *times, uint32_t count)
{
    double most = 0;
    for (uint32_t i = 0; i < count; ++i)
        most = fmax(most, times[i]);
    return most;
}

// Processor N takes pairs N, N + P, ...; or whoever is free takes the next.
static double derive_spmd(const Measured *measured, uint32_t processors, bool is_dynamic)
{
    double busy[MOST] = {0};
    for (size_t i = 0; i < measured->tested; ++i)
        busy[is_dynamic ? earliest(busy, processors) : i % processors] += measured->test_ns[i];
    return measured->first_ns + measured->subdivide_ns + latest(busy, processors);
}

// Processor 0 is the producer, and free when step 3 is over. The others take pairs in the order in which they
// are found, not before they are.
static double derive_producer(const Measured *measured, uint32_t processors)
{
    double free_at[MOST] = {measured->subdivide_ns};
    for (size_t i = 0; i < measured->tested; ++i) {
        size_t taker = earliest(free_at, processors);
        free_at[taker] = fmax(free_at[taker], measured->found_ns[i]) + measured->test_ns[i];
    }
    return measured->first_ns + latest(free_at, processors);
}

static void derive(Measured *measured)
{
    for (uint32_t p = 1; p <= MOST; ++p) {
        measured->derived_ns[SMITH_FORM_SPMD][p - 1] = derive_spmd(measured, p, false);
        measured->derived_ns[SMITH_FORM_DYNAMIC][p - 1] = derive_spmd(measured, p, true);
        measured->derived_ns[SMITH_FORM_PRODUCER_CONSUMER][p - 1] = derive_producer(measured, p);
    }
}

// ---- the wall clock

typedef struct Stage {
    SmithSweptSearch *search;
    const SmithSweptScene *scene;
    const SmithSweptResult *expected; // null for the first
} Stage;

// One run, which must give the serial bytes; the least of all goes to `least_ns`.
static bool time_form(ExperimentRun *run, const Stage *stage, const SmithSweptDef *def,
                      SmithSweptResult *result, double *least_ns)
{
    uint64_t start = impi_clock_ns();
    imp_Status status = smith_swept_run(stage->search, stage->scene, def, result);
    *least_ns = least(*least_ns, (double)(impi_clock_ns() - start));
    const SmithFacePairs *found = &result->colliding;
    const SmithFacePairs *expected = stage->expected ? &stage->expected->colliding : found;
    if (status != IMP_STATUS_OK)
        experiment_fail(run, "out of memory");
    else if (found->count != expected->count ||
             (found->count > 0 &&
              memcmp(found->data, expected->data, found->count * sizeof *found->data) != 0))
        experiment_fail(run, "%s on %u threads finds other pairs than one processor", form_names[def->form],
                        def->processor_count);
    return !run->has_failed;
}

// Forms take turns, so that what else the machine does hits all alike.
static bool time_threads(ExperimentRun *run, const Stage *stage, Measured *measured, uint32_t threads)
{
    imp_Context *context = NULL;
    if (imp_context_create(&(imp_ContextDef){.thread_count = threads}, &context) != IMP_STATUS_OK) {
        experiment_fail(run, "%u threads can't be had", threads);
        return false;
    }
    SmithSweptResult result = {.tested = 0};
    for (size_t r = 0; r < outcome.runs; ++r)
        for (int form = SMITH_FORM_SPMD; form < SMITH_FORM_COUNT && !run->has_failed; ++form) {
            SmithSweptDef def = {.executor = &context->executor,
                                 .form = (SmithForm)form,
                                 .processor_count = threads,
                                 .is_pinned = true};
            time_form(run, stage, &def, &result, &measured->measured_ns[form][threads - 1]);
            measured->largest_share[form][threads - 1] = result.largest_share;
            measured->was_pinned &= result.was_pinned;
        }
    smith_swept_result_free(&impi_default_allocator, &result);
    imp_context_destroy(context);
    return !run->has_failed;
}

static bool measure_size(ExperimentRun *run, const SweptSpheres *spheres, Measured *measured)
{
    uint32_t last = spheres->cycle_count;
    SmithSweptScene scene = swept_spheres_scene(spheres, last - 1, last, SMITH_SWEPT_PRINTED);
    SmithSweptSearch search;
    SmithSweptResult serial = {.tested = 0};
    SmithSweptDef one = {.form = SMITH_FORM_SERIAL, .processor_count = 1};
    smith_swept_init(&search, &impi_default_allocator);
    measured->was_pinned = true;
    Stage stage = {&search, &scene, NULL};
    if (time_parts(&search, &scene, measured)) {
        time_form(run, &stage, &one, &serial, &measured->serial_ns);
        measured->colliding = serial.colliding.count;
        stage.expected = &serial;
        for (uint32_t p = 1; p <= MOST && !run->has_failed; ++p)
            time_threads(run, &stage, measured, p);
        derive(measured);
    } else {
        experiment_fail(run, "out of memory");
    }
    smith_swept_result_free(&impi_default_allocator, &serial);
    smith_swept_free(&search);
    return !run->has_failed;
}

static bool measure(ExperimentRun *run)
{
    memset(&outcome, 0, sizeof outcome);
    outcome.count = run->quick ? 1 : SIZE_COUNT;
    outcome.runs = run->quick ? 1 : 15;
    outcome.cores = run->cores;
    for (size_t i = 0; i < outcome.count; ++i) {
        Measured *measured = &outcome.sizes[i];
        SweptSpheres spheres;
        measured->face_count = run->quick ? 168 : face_counts[i];
        experiment_note("  %u faces", measured->face_count);
        if (!swept_spheres_make(run, measured->face_count, &spheres))
            return false;
        bool done = measure_size(run, &spheres, measured);
        swept_spheres_free(&spheres);
        if (!done)
            return false;
    }
    return true;
}

// ---- the page

// As many as there are cores for, but more than one.
static uint32_t threads_at_once(void)
{
    return outcome.cores < 2 ? 2 : outcome.cores < MOST ? outcome.cores : MOST;
}

// On one thread, and on as many as there are cores, the wall clock and what is derived agree unless other
// programs were running.
static bool was_busy(void)
{
    uint32_t threads = threads_at_once();
    for (size_t i = 0; i < outcome.count; ++i) {
        const double *clock = outcome.sizes[i].measured_ns[SMITH_FORM_SPMD];
        const double *shares = outcome.sizes[i].derived_ns[SMITH_FORM_SPMD];
        if (clock[0] > 1.3 * shares[0] || clock[threads - 1] > 1.3 * shares[threads - 1])
            return true;
    }
    return false;
}

static void save_csv(ExperimentRun *run)
{
    impi_Text csv;
    impi_text_init(&csv, &impi_default_allocator);
    impi_text_put(&csv, "faces,form,processors,measured_ms,derived_ms,largest_share,tested\n");
    for (size_t i = 0; i < outcome.count; ++i)
        for (int form = SMITH_FORM_SPMD; form < SMITH_FORM_COUNT; ++form)
            for (uint32_t p = 0; p < MOST; ++p) {
                const Measured *m = &outcome.sizes[i];
                impi_text_printf(&csv, "%u,%s,%u,%.4f,%.4f,%llu,%zu\n", m->face_count, form_names[form],
                                 p + 1, m->measured_ns[form][p] / 1e6, m->derived_ns[form][p] / 1e6,
                                 (unsigned long long)m->largest_share[form][p], m->tested);
            }
    experiment_save(run, "smith-fig4-3.csv", &csv);
    impi_text_free(&csv);
}

static void plot(ExperimentRun *run, const Measured *m, const char *name)
{
    static const char *const titles[SMITH_FORM_COUNT] = {"", "SPMD", "SPMD, dynamic", "producer–consumer"};
    char caption[128];
    impi_Text script;
    impi_text_init(&script, &impi_default_allocator);
    for (int form = SMITH_FORM_SPMD; form < SMITH_FORM_COUNT; ++form) {
        impi_text_printf(&script, "$form%d << END\n", form);
        for (uint32_t p = 0; p < MOST; ++p)
            impi_text_printf(&script, "%u %.5f %.5f\n", p + 1, m->measured_ns[form][p] / 1e6,
                             m->derived_ns[form][p] / 1e6);
        impi_text_put(&script, "END\n");
    }
    impi_text_printf(
        &script,
        "set title '%u faces'\nset xlabel 'threads (measured, on %u cores), processors (derived)'\n"
        "set ylabel 'milliseconds'\nset logscale y\nset xrange [0:25]\nset key below maxrows 3\nset bmargin "
        "7\nplot ",
        m->face_count, outcome.cores);
    for (int form = SMITH_FORM_SPMD; form < SMITH_FORM_COUNT; ++form)
        impi_text_printf(&script, "$form%d using 1:3 with lines lw 2 dt %d lc %d title \"%s: derived\", ",
                         form, form == SMITH_FORM_DYNAMIC ? 2 : 1, form, titles[form]);
    for (int form = SMITH_FORM_SPMD; form < SMITH_FORM_COUNT; ++form)
        impi_text_printf(&script, "$form%d using 1:2 with points pt %d lc %d title 'measured'%s", form,
                         form + 4, form, form + 1 < SMITH_FORM_COUNT ? ", " : "\n");
    snprintf(caption, sizeof caption, "Time of the last cycle against processors, %u faces", m->face_count);
    experiment_plot(run, name, caption, &script);
    impi_text_free(&script);
}

static void put_parameters(ExperimentRun *run)
{
    bool pinned = true;
    for (size_t i = 0; i < outcome.count; ++i)
        pinned &= outcome.sizes[i].was_pinned;
    impi_text_printf(
        &run->page,
        "The last cycle of Figure 4.2, as printed, on 1 to %d processors. Every form finds the same pairs as "
        "one "
        "processor, to the byte, in every run.\n\n"
        "**This machine has %u cores.** *Measured* is the wall clock, on so many threads; beyond %u of them "
        "they take turns, and nothing can be gained. *Derived* is put together from the times of single "
        "pairs and "
        "from when step 3 finds them: the longest share of work decides, and nobody waits for a bus or a "
        "lock.\n\n"
        "## Parameters\n\n"
        "| | paper | here |\n|---|---|---|\n"
        "| machine | SGI Onyx, 24 R4400 at 150 MHz, shared memory on one bus | %u cores |\n"
        "| processors | processes, kept on their processor by `sysmp` | threads of a pool; %s |\n"
        "| SPMD | steps 1 to 3 on one, pairs N, N + P, ... to processor N | the same; *dynamic* (4.5, not "
        "measured in the paper): the next pair to whoever is free |\n"
        "| producer–consumer | one finds pairs, the others test them, from an array | the same, from a queue "
        "of "
        "%d; the producer tests pairs itself while it is full; consumers sleep while it is empty |\n"
        "| times | values are in the plot only | the least of %zu, of the parts for what is derived too "
        "|\n\n",
        MOST, outcome.cores, outcome.cores, outcome.cores,
        pinned ? "each kept on a core while it works (`pthread_setaffinity_np`)"
               : "the system did not let them be kept on cores",
        SMITH_QUEUE_CAPACITY, outcome.runs);
}

static void put_table(ExperimentRun *run, const Measured *m)
{
    static const uint32_t shown[] = {1, 2, 3, 4, 6, 8, 10, 12, 16, 20, 24};
    impi_text_printf(
        &run->page,
        "## %u faces: %zu of %zu pairs collide\n\n"
        "Milliseconds. Steps 1 and 2: %.3f, step 3: %.3f, step 4 on one: %.3f.\n\n"
        "| processors | SPMD, derived | dynamic | producer–consumer | SPMD, measured | dynamic | "
        "producer–consumer | most pairs on one: SPMD | producer–consumer |\n"
        "|---|---|---|---|---|---|---|---|---|\n",
        m->face_count, m->colliding, m->tested, m->first_ns / 1e6, m->subdivide_ns / 1e6,
        (m->derived_ns[SMITH_FORM_SPMD][0] - m->first_ns - m->subdivide_ns) / 1e6);
    for (size_t i = 0; i < sizeof shown / sizeof *shown; ++i) {
        uint32_t p = shown[i] - 1;
        impi_text_printf(&run->page, "| %u |", shown[i]);
        for (int form = SMITH_FORM_SPMD; form < SMITH_FORM_COUNT; ++form)
            impi_text_printf(&run->page, " %.3f |", m->derived_ns[form][p] / 1e6);
        for (int form = SMITH_FORM_SPMD; form < SMITH_FORM_COUNT; ++form)
            impi_text_printf(&run->page, " %.3f |", m->measured_ns[form][p] / 1e6);
        impi_text_printf(&run->page, " %llu | %llu |\n",
                         (unsigned long long)m->largest_share[SMITH_FORM_SPMD][p],
                         (unsigned long long)m->largest_share[SMITH_FORM_PRODUCER_CONSUMER][p]);
    }
    impi_text_put(&run->page, "\n");
}

// ---- claims

static double derived_ratio(const Measured *m, uint32_t processors)
{
    return m->derived_ns[SMITH_FORM_SPMD][processors - 1] /
           m->derived_ns[SMITH_FORM_PRODUCER_CONSUMER][processors - 1];
}

static double measured_ratio(const Measured *m, uint32_t threads)
{
    return m->measured_ns[SMITH_FORM_SPMD][threads - 1] /
           m->measured_ns[SMITH_FORM_PRODUCER_CONSUMER][threads - 1];
}

// Shares of work know of no lock and no wakening, by which a producer might lose what it gains: they alone
// are half a proof.
static void claim_order(ExperimentRun *run)
{
    const Measured *small = &outcome.sizes[0], *large = &outcome.sizes[outcome.count - 1];
    uint32_t threads = threads_at_once();
    double at_eight = fmin(derived_ratio(small, 8), derived_ratio(large, 8));
    double by_clock = fmin(measured_ratio(small, threads), measured_ratio(large, threads));
    bool is_busy = was_busy(), has_shares = at_eight > 1.02, has_clock = by_clock > 1;
    experiment_claim(
        run, "S18", "producer–consumer beats SPMD", "Figure 4.3, a plot",
        has_shares && has_clock && !is_busy ? VERDICT_HOLDS
        : has_shares || has_clock           ? VERDICT_PARTLY
                                            : VERDICT_FAILS,
        "By shares of work SPMD takes %.2f and %.2f times as long with %u and %u faces on 2 processors, "
        "%.2f and %.2f on 8, %.2f and %.2f on 24: what the producer gains is step 3, which SPMD does "
        "alone. By the wall clock, on %u threads and %u cores, %.2f and %.2f times%s.",
        derived_ratio(small, 2), derived_ratio(large, 2), small->face_count, large->face_count,
        derived_ratio(small, 8), derived_ratio(large, 8), derived_ratio(small, 24), derived_ratio(large, 24),
        threads, outcome.cores, measured_ratio(small, threads), measured_ratio(large, threads),
        is_busy ? "; other programs were running, so that counts for nothing" : "");
}

// From how many processors on one more gains less than a twentieth.
static uint32_t gains_end(const double times[MOST])
{
    uint32_t p = 1;
    while (p < MOST && times[p] < (1 - GAIN_THRESHOLD) * times[p - 1])
        ++p;
    return p;
}

static void claim_limit(ExperimentRun *run)
{
    const Measured *m = &outcome.sizes[outcome.count - 1];
    const double *shares = m->derived_ns[SMITH_FORM_PRODUCER_CONSUMER];
    const double *clock = m->measured_ns[SMITH_FORM_PRODUCER_CONSUMER];
    uint32_t spmd = gains_end(m->derived_ns[SMITH_FORM_SPMD]), producer = gains_end(shares);
    uint32_t by_clock = gains_end(clock);
    bool has_cores = outcome.cores >= CORES_FOR_LIMIT;
    Verdict verdict = by_clock >= 6 && by_clock <= 12 ? VERDICT_HOLDS : VERDICT_FAILS;
    experiment_claim(
        run, "S19", "gains end at about 8 to 10 processors; then producer–consumer gets slower", "8–10",
        has_cores ? verdict : VERDICT_UNTESTED,
        "%u cores %s. By shares of work alone, with %u faces, one more processor gains less than 5 %% from "
        "%u on "
        "for SPMD and from %u on for producer–consumer (%.1f times as fast as one on 8, %.1f on 10, %.1f on "
        "24), "
        "and none gets slower: step 3 on one, %.0f %% of the work, ends the gains. The paper puts what it "
        "saw down "
        "to the bus, of which shares of work know nothing. By the wall clock producer–consumer takes %.0f ms "
        "on 8 "
        "threads, %.0f on 24: it wakes a sleeper for a pair.",
        outcome.cores, has_cores ? "are enough for a wall clock" : "are too few for a wall clock",
        m->face_count, spmd, producer, shares[0] / shares[7], shares[0] / shares[9], shares[0] / shares[23],
        100 * m->subdivide_ns / shares[0], clock[7] / 1e6, clock[23] / 1e6);
}

static void report(ExperimentRun *run)
{
    save_csv(run);
    put_parameters(run);
    impi_text_put(&run->page, "## Figure 4.3\n\n");
    plot(run, &outcome.sizes[outcome.count - 1], "smith-fig4-3");
    if (outcome.count > 1)
        plot(run, &outcome.sizes[0], "smith-fig4-3-small");
    impi_text_put(&run->page, "[All times](smith-fig4-3.csv).\n\n");
    for (size_t i = 0; i < outcome.count; ++i)
        put_table(run, &outcome.sizes[i]);
    if (was_busy())
        impi_text_put(&run->page, "**Other programs were running meanwhile: what the wall clock says is too "
                                  "long. What is derived suffers less.**\n\n");
    claim_order(run);
    claim_limit(run);
    for (size_t i = 0; i < outcome.count; ++i) {
        Measured *m = &outcome.sizes[i];
        impi_release(&impi_default_allocator, m->found_ns, (m->tested + 1) * sizeof *m->found_ns);
        impi_release(&impi_default_allocator, m->test_ns, (m->tested + 1) * sizeof *m->test_ns);
    }
}

const Experiment experiment_smith_fig4_3 = {
    .name = "smith-fig4-3",
    .title = "Smith & Kitamura, Figure 4.3: swept faces on several processors",
    .summary =
        "The last cycle of the swept-space method by SPMD and by a producer with consumers, on up to 24 "
        "threads, and what shares of work say beyond the cores there are.",
    .measure = measure,
    .report = report,
};
