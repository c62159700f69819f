/// What `impinge sweep` prints of meshes.
#ifndef IMPINGE_APPS_SWEEP_OUTPUT_H
#define IMPINGE_APPS_SWEEP_OUTPUT_H

#include "sweep_scene.h"

typedef enum SweepFormat { SWEEP_TABLE, SWEEP_FACES_CSV, SWEEP_PAIRS_CSV, SWEEP_JSON } SweepFormat;

typedef struct SweepListing {
    SweepFormat format;
    bool without_faces;       // in JSON
    const char *picture_path; // was drawn there; null: none
} SweepListing;

void sweep_put(const SweepScene *scene, const SweepListing *listing, impi_Text *output);

#endif
