/// A run as a plot: contacts and time, frame by frame.
#ifndef IMPINGE_APPS_RUN_PLOT_H
#define IMPINGE_APPS_RUN_PLOT_H

#include "playback/history.h"
#include "run_scene.h"

/// Write it as SVG. The file appears whole or not at all. Says what went wrong.
CommandResult run_plot_save(const RunScene *scene, const impi_History *history, imp_Context *context,
                            const char *path);

#endif
