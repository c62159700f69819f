/// A run as one HTML page that needs nothing else: a 3-D view to turn and scrub through time.
#ifndef IMPINGE_APPS_RUN_PAGE_H
#define IMPINGE_APPS_RUN_PAGE_H

#include "playback/history.h"
#include "run_scene.h"

/// Write the page. The file appears whole or not at all. When this build has no 3-D viewer (it was made
/// without npm) that is an error which says so. Says what went wrong.
CommandResult run_page_save(const RunScene *scene, const impi_History *history, const char *path);

#endif
