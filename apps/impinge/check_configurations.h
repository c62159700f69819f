/// `impinge check --poses`: many configurations of the same bodies, each a question of its own.
#ifndef IMPINGE_APPS_CHECK_CONFIGURATIONS_H
#define IMPINGE_APPS_CHECK_CONFIGURATIONS_H

#include "check_output.h"
#include "playback/pose_table.h"

typedef struct CheckConfigurations {
    const impi_PoseTable *table;
    const imp_ConfigurationsReport *report;
    size_t free_count; // of configurations in which no two bodies meet
} CheckConfigurations;

/// Read the poses of a file, find out about all configurations and print it. COMMAND_FOUND where bodies meet
/// in any. Says what went wrong.
CommandResult check_configurations(const CheckScene *scene, const char *poses_path,
                                   const CheckListing *listing, impi_Text *output);

/// What is printed.
void check_put_configurations(const CheckScene *scene, const CheckConfigurations *found,
                              const CheckListing *listing, impi_Text *output);

#endif
