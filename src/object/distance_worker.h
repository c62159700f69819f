/// One thread's part in a search for the closest faces: pairs of blocks to pairs of triangles, and of those
/// the best one, in exact arithmetic.
#ifndef IMPINGE_OBJECT_DISTANCE_WORKER_H
#define IMPINGE_OBJECT_DISTANCE_WORKER_H

#include "object/distance_search.h"

/// A block in the world and in the frame.
typedef struct impi_PosedBlock {
    impi_FaceBoxes boxes;
    impi_FramePoints points;
    imp_Vec3 vertices[IMPI_MAX_BLOCK_VERTICES]; // in the world
    uint32_t number;
    bool has_vertices;
    uint32_t points_frame, boxes_frame; // that points and boxes were made for
} impi_PosedBlock;

/// Two faces that may be the closest.
typedef struct impi_NearFaces {
    impi_BlockFace a, b;
    double lower; // they are at least this far apart
} impi_NearFaces;

/// The best pair of faces so far, measured exactly.
typedef struct impi_ClosestFaces {
    bool is_set;
    imp_Distance distance;
    impi_BlockFace a, b;
} impi_ClosestFaces;

typedef struct impi_DistanceWorker {
    impi_DistanceSearch *search;
    impi_PosedBlock *posed[2];            // of each side; block n is in its place by n, if anywhere
    impi_NearKey *face_keys, *spare_keys; // of two blocks; numbers are those of impi_LanePair
    impi_FaceBoxes *local_boxes;          // of the two blocks, in a frame of their own
    impi_FramePoints *local_points;
    uint64_t near_lanes[IMPI_BLOCK_FACES]; // see impi_BoxDistance
    impi_NearFaces *near;                  // that wait for the exact measure
    size_t near_count;
    bool may_touch;       // some of these do, as far as doubles can tell
    imp_Vec3 way, origin; // of what has lowered the bound last: from a to b, and where it begins
    bool has_way;
    impi_ClosestFaces best;
} impi_DistanceWorker;

size_t impi_distance_worker_memory(void);

/// False when out of memory.
bool impi_distance_worker_init(impi_DistanceWorker *worker, impi_DistanceSearch *search, impi_Arena *arena);

/// The block's vertices in the world.
const impi_PosedBlock *impi_distance_worker_pose(impi_DistanceWorker *worker, int side, uint32_t block);

#define IMPI_ALL_FACE_PAIRS ((size_t)IMPI_BLOCK_FACES * IMPI_BLOCK_FACES)

/// Look at the face pairs of two blocks that may be nearer than the bound, nearest first, at most so many.
void impi_distance_worker_search(impi_DistanceWorker *worker, uint32_t block_a, uint32_t block_b,
                                 size_t most);

/// Look at one pair of faces, for a bound.
void impi_distance_worker_try(impi_DistanceWorker *worker, impi_BlockFace a, impi_BlockFace b);

/// Forget what waits for the exact measure: it will be found again.
void impi_distance_worker_forget(impi_DistanceWorker *worker);

/// Measure what waits.
void impi_distance_worker_settle(impi_DistanceWorker *worker);

/// Is one better than the other? They are nearer or, if equally near, of lesser numbers.
bool impi_closest_is_better(const impi_ClosestFaces *one, const impi_ClosestFaces *other);

#endif
