/// What `impinge pairs` prints.
#ifndef IMPINGE_APPS_PAIRS_OUTPUT_H
#define IMPINGE_APPS_PAIRS_OUTPUT_H

#include "kit/json_writer.h"
#include "pairs_run.h"

/// A line for people, or with frames a table of them; what was written where, if anything was.
void pairs_put_summary(const PairsRun *run, const char *out_path, impi_Text *output);

/// Numbers of pairs alone, one line per frame.
void pairs_put_counts(const PairsRun *run, impi_Text *output);

/// The pairs (which the run must have wanted), or with frames a line for each.
void pairs_put_csv(const PairsRun *run, impi_Text *output);

void pairs_put_json(const PairsRun *run, const char *out_path, impi_Text *output);

/// The same without figures and without its end, for whoever adds figures of his own.
impi_JsonWriter pairs_begin_json(const PairsRun *run, const char *out_path, impi_Text *output);

/// Levels, occupancy, times and memory, for people.
void pairs_put_stats(const PairsRun *run, impi_Text *output);

#endif
