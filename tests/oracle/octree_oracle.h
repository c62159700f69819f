/// The slow, independent judge of octrees: every voxel of a grid by itself, in whole numbers of any length,
/// from the text of octree.h alone. What meets a box is found by cutting it to the box, and not by directions
/// between them. Not for use on several threads.
#ifndef IMPINGE_TESTS_OCTREE_ORACLE_H
#define IMPINGE_TESTS_OCTREE_ORACLE_H

#include <impinge/octree.h>

/// What is true of a voxel.
enum {
    ORACLE_MEETS = 1,       ///< a face meets its open box
    ORACLE_TOUCHES = 2,     ///< a face meets its closed box
    ORACLE_CENTRE_ON = 4,   ///< its center is on the surface
    ORACLE_CENTRE_WOUND = 8 ///< the surface winds around its center, which is not on it
};

/// Voxels lie as in imp_octree_create_from_voxels.
typedef struct OracleVoxels {
    uint32_t edge; // 2^level
    size_t count, face_count;
    uint8_t *facts;      // of each voxel
    uint8_t *face_lists; // of each voxel a byte for each face: does it touch?
    bool is_cut;         // vertices of faces lie beyond the cube
} OracleVoxels;

/// Corner i along an axis.
double oracle_grid_corner(const imp_OctreeGrid *grid, int axis, uint32_t i);

/// Centers are only looked at for closed meshes.
OracleVoxels oracle_voxels_make(const imp_Mesh *mesh, const imp_OctreeGrid *grid, bool is_closed);
void oracle_voxels_free(OracleVoxels *voxels);

/// Into one byte for each voxel, 0 or 1.
void oracle_voxels_colour(const OracleVoxels *voxels, imp_OctreeRule rule, uint8_t *black);

/// Is a point of the triangle strictly inside of the box? Never in a flat one.
bool oracle_triangle_enters_box(const imp_Triangle *triangle, const imp_Box *box);

/// A motion of black voxels into another grid.
typedef struct OracleMove {
    const uint8_t *black; // of the source
    imp_OctreeGrid from, to;
    imp_Transform transform;
    imp_OctreeMoveRule rule;
    double slack;
} OracleMove;

/// Returns whether anything black leaves the grid.
bool oracle_voxels_move(const OracleMove *move, uint8_t *black);

/// A box that is moved and one that is not, which may be flat.
typedef struct OracleBoxes {
    imp_Transform transform;
    double source[2][3];    // least and greatest corner, before the motion
    double target[2][3][2]; // the same; each coordinate is the middle of two numbers
} OracleBoxes;

typedef struct OracleMeeting {
    bool has_point, has_volume; // in common, both closed
    bool holds;                 // the moved one all of the other
} OracleMeeting;

OracleMeeting oracle_boxes_meet(const OracleBoxes *boxes);

#endif
