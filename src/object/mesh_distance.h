/// How far apart two surfaces are, and where.
#ifndef IMPINGE_OBJECT_MESH_DISTANCE_H
#define IMPINGE_OBJECT_MESH_DISTANCE_H

#include "base/arena.h"
#include "object/body.h"
#include "shape/surface.h"

#include <impinge/distance.h>

/// Two bodies at rest, and what is asked of their surfaces.
typedef struct impi_SurfacePair {
    const impi_Body *a, *b;
    const impi_OrientedLanes *boxes_a, *boxes_b; // of the meshes; not looked at for deformed bodies
} impi_SurfacePair;

typedef struct impi_SurfaceAsk {
    double stop_below;         // enough is known once the distance is at most this
    double stop_above;         // nor does anything count that is farther than this; may be infinite
    const impi_FaceHint *hint; // what was closest when asked before, or anything; null: nothing is known
    impi_Budget *budget;
} impi_SurfaceAsk;

typedef enum impi_SurfaceVerdict {
    IMPI_SURFACES_MEASURED,  // the distance is known, and above 0
    IMPI_SURFACES_TOUCH,     // distance, points and hints tell of the first two of their faces that do
    IMPI_SURFACES_NEAR,      // at most stop_below apart
    IMPI_SURFACES_FAR,       // farther apart than stop_above
    IMPI_SURFACES_CUT_SHORT, // the budget ended first
} impi_SurfaceVerdict;

typedef struct impi_SurfaceDistance {
    impi_SurfaceVerdict verdict;
    imp_Vec3 way, origin;  // about the way from what was found nearest of a to that of b, where it begins
    imp_Distance distance; // bounds and points, where measured or touching
    impi_FaceHint hint;    // for the next time, likewise
} impi_SurfaceDistance;

/// What impi_mesh_distance takes from its arena.
size_t impi_mesh_distance_memory(const impi_Body *a, const impi_Body *b, const imp_Executor *executor);

/// The result depends on where the posed vertices are, and on nothing else: neither on hints nor on the way
/// of the search. Among faces that are equally near, to the last bit of both bounds, those of the least
/// numbers are told. Memory comes from the arena, which is left as it was. IMP_STATUS_OUT_OF_MEMORY or OK.
/// Work is spread over the threads of the executor, unless it is null.
imp_Status impi_mesh_distance(impi_Arena *arena, const imp_Executor *executor, const impi_SurfacePair *pair,
                              const impi_SurfaceAsk *ask, impi_SurfaceDistance *result);

struct impi_NearVisit;

/// Visit all pairs of faces that may be no farther apart than `stop_above`, and few others, on one thread,
/// until the visit or the budget ends it (see object/distance_search.h). The search goes best with the way,
/// and where it begins, that an impi_mesh_distance has told. Takes from the arena as much as that does.
imp_Status impi_visit_near_faces(impi_Arena *arena, const impi_SurfacePair *pair, const impi_SurfaceAsk *ask,
                                 imp_Vec3 way, imp_Vec3 origin, const struct impi_NearVisit *visit);

#endif
