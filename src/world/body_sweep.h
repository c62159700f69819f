/// What is kept of sweeps from one to the next.
#ifndef IMPINGE_WORLD_BODY_SWEEP_H
#define IMPINGE_WORLD_BODY_SWEEP_H

#include "world/broad_stage.h"
#include "world/object_stage.h"

#include <impinge/world_sweep.h>

/// Where a body was, and was to be, when it was looked at last.
typedef struct impi_SweptBody {
    uint32_t generation; // 0: there was none
    uint64_t motion, change;
    imp_Box ends[2]; // around it, where its way begins and where it ends
} impi_SweptBody;

typedef struct impi_Sweep {
    IMPI_ARRAY(impi_SweptBody) bodies;  // by slot - 1
    impi_BroadStage broad;              // boxes around their ways, less what all have in common
    impi_IndexPairs pairs;              // that are asked about; a body twice where it is itself
    IMPI_ARRAY(impi_PairSweep) answers; // of the work at hand
    IMPI_ARRAY(imp_ConvexState) states; // likewise
    IMPI_ARRAY(impi_FaceTimes) lists;   // likewise
    IMPI_ARRAY(imp_SweptBodies) found;
    IMPI_ARRAY(imp_SweptFaces) faces;
    imp_SweepReport report;
} impi_Sweep;

void impi_sweep_init(impi_Sweep *sweep, const imp_Allocator *allocator);
void impi_sweep_destroy(const imp_Allocator *allocator, impi_Sweep *sweep);

/// Bounds and boxes of all bodies of the world as of now, the latter widened by half of the separation. Uses
/// the context's scratch arena. IMP_STATUS_OUT_OF_MEMORY or OK.
imp_Status impi_sweep_bound(imp_World *world, impi_Sweep *sweep, double separation);

/// Boxes of bodies that come as near as the separation share a point when they are widened by this: half of
/// it, and what vertices on their way may be rounded by. The same box where there is no separation.
imp_Box impi_sweep_widen(const imp_Box *box, double separation);

#endif
