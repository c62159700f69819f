/// A run as a plot: contacts, time and distances, frame by frame.
#ifndef IMPINGE_APPS_RUN_PLOT_H
#define IMPINGE_APPS_RUN_PLOT_H

#include "playback/history.h"
#include "run_scene.h"

/// Write it as SVG. Unless `clearance` is null, which was asked for then, it has the least distance in each
/// frame up to this one. The file appears whole or not at all. Says what went wrong.
CommandResult run_plot_save(const RunScene *scene, const impi_History *history, imp_Context *context,
                            const double *clearance, const char *path);

#endif
