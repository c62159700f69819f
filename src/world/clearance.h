/// What is kept of clearances from one to the next.
#ifndef IMPINGE_WORLD_CLEARANCE_H
#define IMPINGE_WORLD_CLEARANCE_H

#include "base/array.h"
#include "world/answer.h"

#include <impinge/clearance.h>

/// Faces that were closest, of a pair that was listed.
typedef struct impi_NearHint {
    uint64_t slots; // see impi_slot_pair
    impi_FaceHint hint;
} impi_NearHint;

/// One clearance's lists.
typedef struct impi_NearList {
    IMPI_ARRAY(imp_NearBodies) pairs; // sorted by slots
    IMPI_ARRAY(impi_NearHint) hints;  // of these, one each
} impi_NearList;

/// Where a body was when it was looked at: which one, and how often it had changed.
typedef struct impi_SeenBody {
    uint32_t generation;
    uint64_t motion;
} impi_SeenBody;

typedef struct impi_Clearance {
    impi_NearList lists[2]; // the last one, and the one in the making
    unsigned current;
    imp_ClearanceDef answered;      // how the last list was asked for
    impi_IndexPairs asked;          // the pairs that it was about: those it does not list are not near
    IMPI_ARRAY(impi_SeenBody) seen; // by slot - 1: its bodies
    IMPI_ARRAY(bool) is_kept;       // by pair of the list in the making: it is the last one's
    IMPI_ARRAY(impi_PairDistance) distances; // of the work at hand
    IMPI_ARRAY(imp_ConvexState) states;      // likewise
    IMPI_ARRAY(imp_TouchingFaces) faces;
    impi_BodyPairs begun, ended;
    imp_ClearanceReport report;
} impi_Clearance;

void impi_clearance_destroy(const imp_Allocator *allocator, impi_Clearance *clearance);

#endif
