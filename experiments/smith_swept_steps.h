/// Smith & Kitamura 1994, chapter 4: what steps 1 to 3 make of two bodies that move during a cycle, which is
/// pairs of faces, and what step 4 makes of those.
#ifndef IMPINGE_EXPERIMENTS_SMITH_SWEPT_STEPS_H
#define IMPINGE_EXPERIMENTS_SMITH_SWEPT_STEPS_H

#include "base/array.h"
#include "feature/swept_hull.h"

#include <impinge/sweep.h>

/// Which faces are compared, and how.
typedef enum SmithSweptMethod {
    SMITH_SWEPT_STATIC,  // chapter 3: faces that share a voxel at the end of the cycle, whether they touch
                         // there
    SMITH_SWEPT_PRINTED, // chapter 4: the same faces, edges of swept hulls against faces of the other's
    SMITH_SWEPT_AHEAD,   // the same with faces that share a voxel at the beginning
    SMITH_SWEPT_CONSERVATIVE, // faces whose swept boxes share a voxel, widened swept hulls
    SMITH_SWEPT_METHOD_COUNT
} SmithSweptMethod;

/// How steps 2 and 3 find out which faces are in a cell; the conservative method compares boxes, whatever is
/// asked for.
typedef enum SmithCellTest {
    SMITH_CELL_FACES,   // each face and each cell, exactly
    SMITH_CELL_OCTANTS, // each face and a cell's octants at once, exactly (geom/triangle_octants.h)
    SMITH_CELL_BOXES,   // boxes of faces, as methods before did (3.2.3)
    SMITH_CELL_TEST_COUNT
} SmithCellTest;

/// A body during a cycle.
typedef struct SmithSweptBody {
    const imp_Vec3 *vertices; // in its own frame
    size_t vertex_count;
    const uint32_t *indices; // three for each face
    size_t face_count;
    imp_Transform begin, end;
    double widening; // see impi_turn_widening; for all of its faces
} SmithSweptBody;

typedef struct SmithSweptScene {
    SmithSweptBody bodies[2];
    imp_Box cube; // the world, which has both bodies throughout
    uint32_t level;
    SmithSweptMethod method;
    SmithCellTest cell_test;
} SmithSweptScene;

/// Faces by their numbers.
typedef struct SmithFacePair {
    uint32_t a, b;
} SmithFacePair;

typedef IMPI_ARRAY(SmithFacePair) SmithFacePairs;

/// Gets each pair once, as soon as it is found. False ends the search.
typedef bool (*SmithTakePairFn)(SmithFacePair pair, void *argument);

/// The memory of a search, kept from cycle to cycle.
typedef struct SmithSweptSearch {
    SmithSweptScene scene; // of the cycle
    imp_Allocator allocator;
    IMPI_ARRAY(imp_Vec3) begin[2], end[2]; // posed vertices
    imp_Box boxes[2];                      // of what step 2 looks at
    IMPI_ARRAY(uint32_t) items;            // faces of the first body, then of the second, on a stack of cells
    IMPI_ARRAY(uint8_t) masks;             // of each item: the octants of its cell that it meets
    IMPI_ARRAY(imp_Box) face_boxes;        // of swept faces, both bodies'
    IMPI_ARRAY(uint64_t) seen;             // a table of pairs, by their hash
    size_t seen_count;
    uint64_t cell_tests; // of faces or their boxes with cells, or with eight at once, in step 3
    SmithTakePairFn take;
    void *argument;
} SmithSweptSearch;

void smith_swept_init(SmithSweptSearch *search, const imp_Allocator *allocator);
void smith_swept_free(SmithSweptSearch *search);

/// Step 1: pose both bodies, and find their boxes. False when out of memory, here and below.
bool smith_swept_boxes(SmithSweptSearch *search, const SmithSweptScene *scene);

/// Step 2: the faces that touch the overlap of the boxes.
bool smith_swept_faces(SmithSweptSearch *search);

/// Step 3: pairs of faces that share a voxel.
bool smith_swept_subdivide(SmithSweptSearch *search, SmithTakePairFn take, void *argument);

/// A face on its way, as the doubles are that its vertices are posed to.
imp_MovingTriangle smith_swept_face(const SmithSweptSearch *search, int body, uint32_t face);

/// Step 4 for one pair, by the scene's method, after step 2; any thread, each with a scratch of its own.
imp_Status smith_swept_test(const SmithSweptSearch *search, impi_SweptHullScratch *scratch,
                            SmithFacePair pair, bool *collide);

/// The order in which results are listed.
void smith_face_pairs_sort(SmithFacePairs *pairs);

#endif
