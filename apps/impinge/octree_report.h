/// What octrees hold, for people and for programs.
#ifndef IMPINGE_APPS_OCTREE_REPORT_H
#define IMPINGE_APPS_OCTREE_REPORT_H

#include "kit/json_writer.h"
#include "octree_files.h"

typedef struct OctreeReport {
    const OctreeFile *file;
    const char *origin;               ///< how it was made: "bunny.obj, outer"; null: it was read
    double seconds;                   ///< that took
    const imp_OctreeMoveStats *moved; ///< null: it was not
} OctreeReport;

void octree_report_put(const OctreeReport *reports, size_t count, impi_Text *output);
void octree_report_put_json(const OctreeReport *reports, size_t count, impi_Text *output);

#endif
