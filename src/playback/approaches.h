/// Approaches of a history: who comes near whom, from which frame to which, and how near.
#ifndef IMPINGE_PLAYBACK_APPROACHES_H
#define IMPINGE_PLAYBACK_APPROACHES_H

#include "playback/history.h"

/// Two bodies that are near each other through consecutive frames.
typedef struct impi_Approach {
    uint32_t body_a, body_b;
    uint32_t first_frame, last_frame;
    uint32_t nearest_frame; // the first in which they are nearest
    imp_Distance nearest;   // how far apart they are then
} impi_Approach;

typedef struct impi_Approaches {
    impi_Approach *approaches; // sorted by bodies, then frames
    size_t count;
    size_t capacity;
} impi_Approaches;

/// Of all frames played so far, with the clearance that the playback was asked for; a frame that was not
/// played ends an approach. Free them.
imp_Status impi_approaches_find(imp_Context *context, const impi_History *history,
                                impi_Approaches *approaches);

/// All zero is fine.
void impi_approaches_free(imp_Context *context, impi_Approaches *approaches);

#endif
