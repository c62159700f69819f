/// The surfaces of bodies in the world: boxes of their blocks of faces, and coordinates of those blocks that
/// filters ask for.
#ifndef IMPINGE_OBJECT_POSED_SURFACE_H
#define IMPINGE_OBJECT_POSED_SURFACE_H

#include "base/array.h"
#include "object/body.h"
#include "shape/surface.h"

/// Made when a filter first asks for it, and kept with the body.
typedef struct impi_PosedSurface {
    _Alignas(IMPI_ALIGNMENT) impi_Surface surface;
    uint64_t motion;      // the body's, that the tree shows; 0: none
    bool is_exact;        // the tree was made of posed vertices, not of boxes in the body's frame
    imp_Box exact_bounds; // at the begin of the interval, as of exact_motion
    uint64_t exact_motion;
    // World coordinates, computed for a block when it is needed. A block is up to date when posed_at has the
    // lower half of the body's motion.
    uint32_t *posed_at;
    imp_Vec3 *vertices, *end_vertices; // the latter once the body has been in motion during an interval
    imp_Box *boxes;
} impi_PosedSurface;

/// The surface must have been required.
static inline const impi_Surface *impi_surface_of(const impi_Body *body)
{
    return &body->posed->surface;
}

/// Have the trees of surfaces show where their bodies are, on all threads; bodies may come up several times.
/// Boxes of blocks come from boxes in the body's frame; with `exact` they come from posed vertices, which
/// costs a visit to every vertex. IMP_STATUS_OUT_OF_MEMORY or OK. Scratch comes from the context's arena.
imp_Status impi_surfaces_require(imp_Context *context, impi_Body *const *bodies, size_t count, bool exact);

/// The same for one body, with boxes of either kind: for filters whose answers do not depend on them.
imp_Status impi_surface_require(imp_Context *context, impi_Body *body);

/// Does the body's surface show where it is?
static inline bool impi_surface_is_ready(const impi_Body *body, bool exact)
{
    return body->posed && body->posed->motion == body->motion && body->posed->is_exact == exact;
}

static inline bool impi_block_is_posed(const impi_Body *body, uint32_t block)
{
    return body->posed->posed_at[block] == (uint32_t)body->motion;
}

/// World coordinates and exact box of one block.
void impi_block_pose(impi_Body *body, uint32_t block);

/// The box exactly around the body's vertices at the begin of the interval. The surface must be required.
const imp_Box *impi_surface_exact_bounds(impi_Body *body);

/// Nothing is posed.
void impi_posed_surface_forget(impi_Body *body);

void impi_posed_surface_release(const imp_Allocator *allocator, impi_Body *body);

#endif
