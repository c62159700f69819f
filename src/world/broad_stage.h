/// Stages "bounds" and "broad": bodies to boxes, boxes to pairs of bodies. Both know what has not changed.
#ifndef IMPINGE_WORLD_BROAD_STAGE_H
#define IMPINGE_WORLD_BROAD_STAGE_H

#include "base/slot_table.h"
#include "broad/coherent_search.h"
#include "object/body.h"

#include <impinge/world.h>

/// Pairs that are never compared, by impi_slot_pair, a < b, ascending.
typedef IMPI_ARRAY(uint64_t) impi_IgnoredPairs;

static inline imp_BodyId impi_body_id(const impi_SlotTable *slots, uint32_t slot)
{
    return (imp_BodyId){slot, impi_slot_generation(slots, slot)};
}

typedef struct impi_BroadStage {
    impi_BoxTable boxes; // of bodies, by slot, with the margin around them
    double margin;       // that they have
    impi_CoherentSearch search;
    impi_IndexPairs pairs; // what was found last
    uint32_t next_slot;    // where impi_broad_stage_next goes on; 0: all pairs were found
} impi_BroadStage;

void impi_broad_stage_init(impi_BroadStage *stage, const imp_Allocator *allocator);
void impi_broad_stage_destroy(const imp_Allocator *allocator, impi_BroadStage *stage);

/// What the caller lets be compared, see imp_world_set_pair_filter.
typedef struct impi_CallerFilter {
    imp_PairFilterFn passes; // null: all pairs do
    void *user;
} impi_CallerFilter;

/// What is asked of both.
typedef struct impi_BroadAsk {
    const impi_Body *bodies; // slot s is bodies[s - 1]
    double margin;           // how near counts
    const impi_IgnoredPairs *ignored;
    impi_CallerFilter filter;
    const impi_SlotTable *slots;
    impi_Budget *budget; // only its being cancelled matters
} impi_BroadAsk;

/// Bring the boxes of `count` distinct bodies that have changed up to date, half of the margin on every side.
/// Whoever changes the margin calls impi_bounds_stage_widen behind it. IMP_STATUS_OUT_OF_MEMORY or
/// IMP_STATUS_CANCELLED, with the boxes as they were, or OK.
imp_Status impi_bounds_stage(imp_Context *context, const impi_BroadAsk *ask, impi_Body *const *changed,
                             size_t count, impi_BoxTable *boxes);

/// Another margin than boxes had: for all bodies, whose bounds are up to date.
void impi_bounds_stage_widen(const impi_BroadAsk *ask, impi_Body *const *bodies, size_t count,
                             impi_BroadStage *stage);

/// All pairs of bodies whose bounds are no farther apart than the margin, in every axis, and that nobody
/// ignores, into `pairs`. IMP_STATUS_OUT_OF_MEMORY, IMP_STATUS_CANCELLED or OK.
imp_Status impi_broad_stage(imp_Context *context, impi_BroadStage *stage, const impi_BroadAsk *ask);

/// The same for whoever may need only the first pairs: all of them, or, where there are very many, the first
/// ones. While next_slot is not 0 there may be more.
imp_Status impi_broad_stage_first(imp_Context *context, impi_BroadStage *stage, const impi_BroadAsk *ask);

/// Replace `pairs` by the next ones.
imp_Status impi_broad_stage_next(imp_Context *context, impi_BroadStage *stage, const impi_BroadAsk *ask);

#endif
