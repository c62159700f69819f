/// What `impinge run` prints.
#ifndef IMPINGE_APPS_RUN_OUTPUT_H
#define IMPINGE_APPS_RUN_OUTPUT_H

#include "playback/approaches.h"
#include "playback/contacts.h"
#include "playback/meetings.h"
#include "run_scene.h"

/// A run that is over.
typedef struct RunResult {
    const RunScene *scene;
    const impi_History *history;
    const impi_Contacts *contacts;
    bool asks_clearance; // distances were asked for
    bool has_clearance;  // up to this one, where no rule tells another; otherwise rules tell all
    double clearance;
    const impi_Approaches *approaches; // none unless they were
    const impi_Meetings *meetings;     // null: contacts between frames were not asked for
    bool with_times;                   // wall-clock times, which differ from run to run
} RunResult;

/// A table with a line for each contact and each approach, for people. False when out of memory.
bool run_put_timeline(const RunResult *run, impi_Text *output);

/// Lines of all frames, sorted by columns: touching faces, pairs of bodies, or those that are near. False
/// when out of memory.
bool run_put_faces_csv(const RunResult *run, impi_Text *output);
void run_put_pairs_csv(const RunResult *run, impi_Text *output);
void run_put_distances_csv(const RunResult *run, impi_Text *output);

void run_put_json(const RunResult *run, impi_Text *output);

/// CSV has no room for it: remark on bodies in open ones.
void run_remark_on_containers(const RunResult *run);

#endif
