/// The surfaces of bodies on their way to their targets, along straight lines.
#ifndef IMPINGE_OBJECT_SWEPT_SURFACE_H
#define IMPINGE_OBJECT_SWEPT_SURFACE_H

#include "object/body.h"
#include "shape/moving_surface.h"

/// Made when a sweep first asks for it, and kept with the body.
typedef struct impi_SweptSurface {
    _Alignas(IMPI_ALIGNMENT) impi_MovingSurface surface;
    uint64_t motion, change; // of the body and of its target, that the surface shows; 0: none
    uint32_t round;          // counts what it has shown; a block is posed when posed_at has it
    uint32_t *posed_at;
    imp_Vec3 *vertices;  // where the way begins
    imp_Box *boxes;      // likewise
    impi_BoxLanes *ends; // likewise
    void *end_storage;   // where it ends, once the body has had a target
} impi_SweptSurface;

/// The surface must have been required.
static inline const impi_MovingSurface *impi_moving_surface_of(const impi_Body *body)
{
    return &body->swept->surface;
}

/// Does the surface show where the body is now, and where it goes to?
bool impi_swept_surface_is_ready(const impi_Body *body);

/// Have surfaces show the ways of their bodies, on all threads; bodies may come up several times. Those that
/// are ready keep their posed blocks. IMP_STATUS_OUT_OF_MEMORY or OK. Scratch comes from the context's arena.
imp_Status impi_swept_surfaces_require(imp_Context *context, impi_Body *const *bodies, size_t count);

/// Boxes around a body where its way begins and where it ends, without a surface.
void impi_body_bound_ends(const impi_Body *body, imp_Box ends[2]);

/// About what moves a body from one box to the other.
imp_Vec3 impi_drift_between(const imp_Box *begin, const imp_Box *end);

static inline bool impi_swept_block_is_posed(const impi_Body *body, uint32_t block)
{
    return body->swept->posed_at[block] == body->swept->round;
}

/// Note that a block is going to be posed, or that it was not.
static inline void impi_swept_block_note(impi_Body *body, uint32_t block, bool is_posed)
{
    body->swept->posed_at[block] = is_posed ? body->swept->round : 0;
}

/// Coordinates and exact boxes of one block, at both ends.
void impi_swept_block_pose(impi_Body *body, uint32_t block);

void impi_swept_surface_release(const imp_Allocator *allocator, impi_Body *body);

#endif
