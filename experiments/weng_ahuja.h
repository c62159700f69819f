/// Octree motion by Weng & Ahuja 1987, as Smith & Kitamura 1994 (2.2.2, 2.4.1, 2.6) describe and measure it:
/// the target is a tree of pointers, through which each source cube walks by itself from the root down.
#ifndef IMPINGE_EXPERIMENTS_WENG_AHUJA_H
#define IMPINGE_EXPERIMENTS_WENG_AHUJA_H

#include <impinge/octree.h>

/// How a moved cube is compared with a target cube above voxels.
typedef enum WengAhujaTest {
    WENG_AHUJA_SPHERES, // as described: the box around the cube's circumscribed sphere
    WENG_AHUJA_EXACT,   // exactly, along 15 directions: apart, in part, or the target as a whole
    WENG_AHUJA_STEPS,   // exactly, by Smith & Kitamura's sequence of tests (2.4.2)
    WENG_AHUJA_PLANES,  // six planes, exactly; for translations alone
    WENG_AHUJA_TEST_COUNT
} WengAhujaTest;

/// The first three make voxels black by their centers (IMP_MOVE_CENTRE), and compare with the cube that holds
/// the centers of a target's voxels; WENG_AHUJA_PLANES makes black what has volume in common
/// (IMP_MOVE_OVERLAP).
typedef struct WengAhujaDef {
    imp_OctreeGrid source_grid, target_grid;
    const imp_OctreeCube *cubes; // of the source
    size_t cube_count;
    imp_Transform transform;
    WengAhujaTest test;
} WengAhujaDef;

typedef struct WengAhujaStats {
    uint64_t cube_tests;  // of source cubes with target cubes, those above voxels
    uint64_t voxel_tests; // with voxels
} WengAhujaStats;

/// The target, and memory that is kept from motion to motion.
typedef struct WengAhuja WengAhuja;

/// Null when out of memory.
WengAhuja *weng_ahuja_create(void);
void weng_ahuja_destroy(WengAhuja *target);

/// False when out of memory.
bool weng_ahuja_move(WengAhuja *target, const WengAhujaDef *def);

WengAhujaStats weng_ahuja_stats(const WengAhuja *target);

/// As imp_octree_get_voxels.
void weng_ahuja_voxels(const WengAhuja *target, uint8_t *voxels);

#endif
