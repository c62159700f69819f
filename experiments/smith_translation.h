/// Octree translation by Smith & Kitamura 1994, section 2.5: each source cube is compared once with the
/// planes of the target grid, by halving each axis, and the target octree looks the results up.
#ifndef IMPINGE_EXPERIMENTS_SMITH_TRANSLATION_H
#define IMPINGE_EXPERIMENTS_SMITH_TRANSLATION_H

#include "base/array.h"

#include <impinge/octree.h>

/// How a source cube is compared with a target cube.
typedef enum SmithTranslationTest {
    SMITH_TRANSLATION_PLANES, // with its six planes, each time
    SMITH_TRANSLATION_AXES,   // by what halving the axes has told
} SmithTranslationTest;

typedef struct SmithTranslationDef {
    imp_OctreeGrid source_grid, target_grid;
    const imp_OctreeCube *cubes; // of the source
    size_t cube_count;
    imp_Vec3 move;
    SmithTranslationTest test;
} SmithTranslationDef;

/// The target as depth-first text, and memory that is kept from motion to motion. All zero is good.
typedef struct SmithTranslation {
    SmithTranslationDef def;
    IMPI_ARRAY(char) text;
    uint64_t plane_tests; // of an interval of a source cube with one of the target, both ends
    uint64_t cube_tests;
    // Of each axis: intervals of cubes, cells, and what is known of each cube and cell, as they are needed.
    IMPI_ARRAY(double) lows[3], highs[3], low_rests[3], high_rests[3];
    IMPI_ARRAY(double) corners[3];
    IMPI_ARRAY(uint8_t) relations[3];
    IMPI_ARRAY(uint32_t) items; // cubes, on a stack of cells
} SmithTranslation;

void smith_translation_free(SmithTranslation *translation);

/// What has volume in common with a moved cube becomes black (IMP_MOVE_OVERLAP), exactly. The walk is that of
/// 2.4.3, from the root down, with lists of cubes. False when out of memory.
bool smith_translation_move(SmithTranslation *translation, const SmithTranslationDef *def);

#endif
