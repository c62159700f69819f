/// Figures and tables of the papers, measured again: what the experiments share.
///
/// An experiment writes files into a folder: tables as CSV, plots as SVG (through gnuplot, from a script that
/// stays beside them), and a Markdown page that shows both and says which of the paper's claims hold. The
/// program then writes README.md, the gallery of all pages in the folder.
#ifndef IMPINGE_EXPERIMENTS_EXPERIMENT_H
#define IMPINGE_EXPERIMENTS_EXPERIMENT_H

#include "kit/text.h"

#include <impinge/impinge.h>

typedef enum Verdict { VERDICT_HOLDS, VERDICT_PARTLY, VERDICT_FAILS, VERDICT_UNTESTED } Verdict;

#define MAX_CLAIMS 32

typedef struct Claim {
    const char *id, *text, *paper_figure;
    Verdict verdict;
    char reason[768];
} Claim;

/// One run of one experiment.
typedef struct ExperimentRun {
    imp_Context *context; // on one thread
    const char *folder;
    bool quick;      // small sizes, one repetition
    uint32_t cores;  // of this machine
    bool has_failed; // an answer is wrong, or a file could not be written; said on standard error
    impi_Text page;  // Markdown
    Claim claims[MAX_CLAIMS];
    size_t claim_count;
} ExperimentRun;

typedef struct Experiment {
    const char *name;    ///< of its files and on the command line: "lucchesi-fig5"
    const char *title;   ///< of its page
    const char *summary; ///< a line of Markdown for the gallery
    /// Fails the run, and returns false, when there is nothing to report.
    bool (*measure)(ExperimentRun *run);
    /// Write files and the page, and say which claims hold; their table is put on the page afterwards.
    void (*report)(ExperimentRun *run);
} Experiment;

extern const Experiment experiment_hubbard_accuracy;
extern const Experiment experiment_hubbard_budget;
extern const Experiment experiment_lucchesi_fig5;
extern const Experiment experiment_lucchesi_ranks;
extern const Experiment experiment_rank_scaling;
extern const Experiment experiment_smith_exact_boxes;
extern const Experiment experiment_smith_fig2_3;
extern const Experiment experiment_smith_fig2_4;
extern const Experiment experiment_smith_fig3_6;
extern const Experiment experiment_smith_fig3_7;
extern const Experiment experiment_smith_fig3_8;
extern const Experiment experiment_smith_fig3_9;
extern const Experiment experiment_smith_fig4_2;
extern const Experiment experiment_smith_fig4_3;
extern const Experiment experiment_chung_wang_fig4;

/// Say on standard error what went wrong; the program will exit with 1.
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void experiment_fail(ExperimentRun *run, const char *format, ...);

/// What is being done, on standard error.
#if defined(__GNUC__)
__attribute__((format(printf, 1, 2)))
#endif
void experiment_note(const char *format, ...);

/// Processor time of the calling thread: it hardly depends on what else the machine does.
double experiment_processor_ns(void);

/// The middle one, or the mean of the middle two. Reorders the values; there is at least one.
double experiment_median(double *values, size_t count);

/// Write `text` to a file in the folder.
void experiment_save(ExperimentRun *run, const char *file_name, const impi_Text *text);

/// Run gnuplot on `script` (without terminal and output, which are set here) to make NAME.svg, and show it on
/// the page. Without gnuplot the page says so.
void experiment_plot(ExperimentRun *run, const char *name, const char *caption, const impi_Text *script);

/// Note whether a claim holds, and why. `reason` is a sentence or two of Markdown.
#if defined(__GNUC__)
__attribute__((format(printf, 6, 7)))
#endif
void experiment_claim(ExperimentRun *run, const char *id, const char *text, const char *paper_figure,
                      Verdict verdict, const char *reason, ...);

/// Put all claims on the page, as a table, if there are any.
void experiment_put_claims(ExperimentRun *run);

#endif
