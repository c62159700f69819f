/// What the parts of a search for the closest faces of two surfaces share (object/mesh_distance.c).
#ifndef IMPINGE_OBJECT_DISTANCE_SEARCH_H
#define IMPINGE_OBJECT_DISTANCE_SEARCH_H

#include "geom/triangle_distance.h"
#include "object/box_distance.h"
#include "object/distance_frame.h"
#include "object/mesh_distance.h"

typedef struct impi_DistanceSide {
    const impi_Body *body;
    const impi_OrientedLanes *oriented;
    imp_Transform to_frame;
    impi_BlockTree tree; // boxes in the frame
} impi_DistanceSide;

/// Whoever wants to see each pair of faces that is near, instead of the closest ones: up to eight at a time,
/// measured. It may lower the bound or end the search.
struct impi_DistanceSearch;
typedef struct impi_NearVisit {
    void (*visit)(struct impi_DistanceSearch *search, const impi_TriangleBatch *triangles,
                  const impi_BlockFacePair *faces, int count, const impi_BatchDistance *found,
                  void *argument);
    void *argument;
} impi_NearVisit;

typedef struct impi_DistanceSearch {
    impi_DistanceSide sides[2];
    const impi_SurfaceAsk *ask;
    const impi_NearVisit *visit; // null: the closest faces are looked for
    const impi_BoxDistance *boxes;
    const impi_TriangleDistance *triangles;
    int exponent; // of the frame's scale
    impi_DistanceFrame frame;
    uint32_t frame_number; // counts frames from 1
    imp_Vec3 way, origin;  // that the next frame looks along: from a to b, and where it begins

    // Written by any worker at any time. The bound is kept as bits, which are in order because it is not
    // negative.
    atomic_uint_fast64_t bound_bits;
    atomic_bool is_bound_proven; // the distance is not more; otherwise, more than the bound is of no interest
    atomic_bool is_over;         // enough is known, or the budget has ended
} impi_DistanceSearch;

static inline double impi_search_bound(const impi_DistanceSearch *search)
{
    uint64_t bits = atomic_load_explicit(&search->bound_bits, memory_order_relaxed);
    double bound;
    memcpy(&bound, &bits, sizeof bound);
    return bound;
}

/// The distance is proven to be at most this. Returns whether that is news.
bool impi_search_lower_bound(impi_DistanceSearch *search, double bound);

static inline bool impi_search_is_over(const impi_DistanceSearch *search)
{
    return atomic_load_explicit(&search->is_over, memory_order_relaxed);
}

/// Is enough known, or has the budget ended?
void impi_search_look_at_end(impi_DistanceSearch *search);

/// Whether the distance is proven to be at most stop_below.
bool impi_search_is_near(const impi_DistanceSearch *search);

static inline const impi_FaceBlock *impi_side_block(const impi_DistanceSide *side, uint32_t number)
{
    return &side->body->blocks->blocks.blocks[number];
}

#endif
