/// What the ranks of a job have done, and how long it took them.
#ifndef IMPINGE_APPS_RANK_FIGURES_H
#define IMPINGE_APPS_RANK_FIGURES_H

#include "kit/json_writer.h"
#include "rank_job.h"

/// Of all ranks; free it in any case.
typedef struct RankFigures {
    imp_RankStats *ranks;
    uint32_t rank_count, thread_count;
} RankFigures;

/// The job's figures until now, known to all ranks. All fail when one does.
CommandResult rank_figures_gather(RankJob *job, RankFigures *figures);
void rank_figures_free(RankFigures *figures);

/// A line for each part of the work, and how evenly it lies, for people; or for programs.
void rank_figures_put(const RankFigures *figures, impi_Text *output);
void rank_figures_put_json(const RankFigures *figures, impi_JsonWriter *json);

#endif
