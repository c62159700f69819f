// impinge-experiments [NAME...] [--out FOLDER] [--quick]
#include "experiment.h"

#include "base/memory.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define MAX_LINE 256

static const Experiment *const experiments[] = {
    &experiment_smith_fig2_3,     &experiment_smith_fig2_4,   &experiment_smith_exact_boxes,
    &experiment_smith_fig3_6,     &experiment_smith_fig3_7,   &experiment_smith_fig3_8,
    &experiment_smith_fig3_9,     &experiment_smith_fig4_2,   &experiment_smith_fig4_3,
    &experiment_chung_wang_fig4,  &experiment_lucchesi_fig5,  &experiment_lucchesi_ranks,
    &experiment_hubbard_accuracy, &experiment_hubbard_budget, &experiment_rank_scaling};

#define EXPERIMENT_COUNT (sizeof experiments / sizeof *experiments)

typedef struct Request {
    bool wanted[EXPERIMENT_COUNT];
    const char *folder;
    bool quick;
} Request;

static void print_help(FILE *out)
{
    fprintf(out, "usage: impinge-experiments [NAME...] [--out FOLDER] [--quick]\n\n"
                 "Measures figures and tables of the papers again, all or those named. Writes CSV tables,\n"
                 "SVG plots and a Markdown page for each, and README.md, which leads to them.\n\n"
                 "experiments:\n");
    for (size_t i = 0; i < EXPERIMENT_COUNT; ++i)
        fprintf(out, "  %-18s %s\n", experiments[i]->name, experiments[i]->title);
    fprintf(out, "\noptions:\n"
                 "  --out FOLDER  where files go (default: experiments-out)\n"
                 "  --quick       small sizes, to see that everything works; figures mean nothing\n");
}

// What a command prints, without its line end; empty when it fails.
static void first_line_of(const char *command, char line[MAX_LINE])
{
    line[0] = 0;
    FILE *pipe = popen(command, "r");
    if (!pipe)
        return;
    if (!fgets(line, MAX_LINE, pipe))
        line[0] = 0;
    pclose(pipe);
    line[strcspn(line, "\n")] = 0;
}

// Every figure carries what it was measured with.
static void put_machine(ExperimentRun *run)
{
    char commit[MAX_LINE], cpu[MAX_LINE], date[MAX_LINE];
    time_t now = time(NULL);
    first_line_of("git -C '" EXPERIMENTS_SOURCE_DIR "' describe --always --dirty 2>/dev/null", commit);
    first_line_of("sed -n 's/^model name[^:]*: //p' /proc/cpuinfo 2>/dev/null", cpu);
    strftime(date, sizeof date, "%Y-%m-%d", gmtime(&now));
    impi_text_printf(&run->page, "## Measured with\n\nimpinge %s (%s), %s %s, %s, %u cores, %s.\n",
                     imp_version(), commit[0] ? commit : "no git",
#if defined(__clang__)
                     "clang",
#else
                     "gcc",
#endif
                     __VERSION__, cpu[0] ? cpu : "unknown processor", run->cores, date);
}

static bool run_experiment(const Experiment *experiment, const Request *request)
{
    char file_name[MAX_LINE];
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    ExperimentRun run = {.folder = request->folder, .quick = request->quick};
    run.cores = cores < 1 ? 1 : (uint32_t)cores;
    impi_text_init(&run.page, &impi_default_allocator);
    if (imp_context_create(NULL, &run.context) != IMP_STATUS_OK) {
        experiment_fail(&run, "out of memory");
        return false;
    }
    experiment_note("%s", experiment->name);
    impi_text_printf(&run.page, "# %s\n\n", experiment->title);
    if (run.quick)
        impi_text_put(&run.page, "**A quick run on small sizes: figures and verdicts mean nothing.**\n\n");
    if (experiment->measure(&run)) {
        experiment->report(&run);
        experiment_put_claims(&run);
    }
    put_machine(&run);
    snprintf(file_name, sizeof file_name, "%s.md", experiment->name);
    experiment_save(&run, file_name, &run.page);
    imp_context_destroy(run.context);
    impi_text_free(&run.page);
    return !run.has_failed;
}

static bool page_exists(const char *folder, const Experiment *experiment)
{
    char path[4 * MAX_LINE];
    snprintf(path, sizeof path, "%s/%s.md", folder, experiment->name);
    return access(path, R_OK) == 0;
}

static bool write_gallery(const char *folder)
{
    ExperimentRun run = {.folder = folder};
    impi_text_init(&run.page, &impi_default_allocator);
    impi_text_put(&run.page,
                  "# Experiments of the papers, measured again\n\n"
                  "Each page gives parameters and choices, the figure or table beside the paper's, "
                  "and a verdict on each claim.\n\n");
    for (size_t i = 0; i < EXPERIMENT_COUNT; ++i) {
        const Experiment *experiment = experiments[i];
        if (page_exists(folder, experiment))
            impi_text_printf(&run.page, "## [%s](%s.md)\n\n%s\n\n![%s](%s.svg)\n\n", experiment->title,
                             experiment->name, experiment->summary, experiment->title, experiment->name);
        else
            impi_text_printf(&run.page, "## %s\n\n%s (Not run yet: `impinge-experiments %s`.)\n\n",
                             experiment->title, experiment->summary, experiment->name);
    }
    experiment_save(&run, "README.md", &run.page);
    impi_text_free(&run.page);
    return !run.has_failed;
}

static bool choose_experiment(const char *name, Request *request)
{
    for (size_t i = 0; i < EXPERIMENT_COUNT; ++i)
        if (strcmp(name, experiments[i]->name) == 0)
            return request->wanted[i] = true;
    return false;
}

int main(int argc, char **argv)
{
    Request request = {.folder = "experiments-out"};
    bool some = false, good = true;
    for (int i = 1; i < argc; ++i) {
        if (strcmp(argv[i], "--help") == 0) {
            print_help(stdout);
            return 0;
        } else if (strcmp(argv[i], "--quick") == 0) {
            request.quick = true;
        } else if (strcmp(argv[i], "--out") == 0 && i + 1 < argc) {
            request.folder = argv[++i];
        } else if (choose_experiment(argv[i], &request)) {
            some = true;
        } else {
            fprintf(stderr, "impinge-experiments: '%s' is not understood; see impinge-experiments --help\n",
                    argv[i]);
            return 2;
        }
    }
    if (mkdir(request.folder, 0777) != 0 && errno != EEXIST) {
        fprintf(stderr, "impinge-experiments: %s: %s\n", request.folder, strerror(errno));
        return 2;
    }
    for (size_t i = 0; i < EXPERIMENT_COUNT; ++i)
        if (request.wanted[i] || !some)
            good = run_experiment(experiments[i], &request) && good;
    good = write_gallery(request.folder) && good;
    if (good)
        printf("%s/README.md\n", request.folder);
    return good ? 0 : 1;
}
