/// Stage "bounds": boxes in the world of the blocks of all bodies; and coordinates in the world of those
/// blocks that later stages ask for.
#ifndef IMPINGE_WORLD_SURFACES_H
#define IMPINGE_WORLD_SURFACES_H

#include "world/world.h"

/// Make the trees and bounds of all bodies show their poses and shapes, on all threads. Boxes of blocks come
/// from boxes in the body's frame; with `exact` they come from posed vertices instead, which costs a visit to
/// every vertex. IMP_STATUS_OUT_OF_MEMORY or OK.
imp_Status impi_surfaces_update(imp_World *world, bool exact);

/// A block of a body.
typedef struct impi_BlockRef {
    impi_Body *body;
    uint32_t block;
} impi_BlockRef;

typedef IMPI_ARRAY(impi_BlockRef) impi_BlockRefs;

static inline bool impi_block_is_posed(const impi_Body *body, uint32_t block)
{
    return body->posed_at[block] == body->motion;
}

/// World coordinates and exact box of one block.
void impi_block_pose(impi_Body *body, uint32_t block);

/// The same for many, on all threads. No block may be listed twice.
void impi_blocks_pose(const imp_Executor *executor, const impi_BlockRefs *blocks);

/// The box exactly around the body's vertices. Poses all of its blocks.
imp_Box impi_body_exact_bounds(impi_Body *body);

#endif
