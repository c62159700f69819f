/// A moved cube against the eight octants of an upright block at once, in doubles with bounds: what cells of
/// octrees are asked for most. Directions, positions and errors are those of geom/cube_cube.h.
#ifndef IMPINGE_GEOM_CUBE_LANES_H
#define IMPINGE_GEOM_CUBE_LANES_H

#include "geom/cube_cube.h"

#define IMPI_CUBE_LANES 8

/// What all blocks of one size have in common.
typedef struct impi_CubeBlocks {
    double octants[IMPI_CUBE_DIRECTIONS][IMPI_CUBE_LANES]; // from a block's middle to those of its octants
    double half[IMPI_CUBE_DIRECTIONS];   // of octants, and what makes gaps beyond it certain
    double inside[IMPI_CUBE_DIRECTIONS]; // of octants, and what makes it certain that they are inside
    double bias;                         // apart: gaps above it, which is 0 or the next double below
    double sure;                         // not apart for sure: gaps up to it
} impi_CubeBlocks;

/// For octants whose centers are off a block's center by `center_offset` along each axis, with `half` half of
/// the edge, both in the motion's frame.
void impi_cube_blocks_init(const impi_CubeMotion *motion, double center_offset, double half,
                           impi_CubeSense sense, impi_CubeBlocks *blocks);

/// A block's middles along all directions are the sums of x, y and z; `middle` and `half` are those of the
/// cube, and `reach` is `half` and blocks->half together. All have IMPI_CUBE_DIRECTIONS numbers; beyond the
/// motion's, all but `reach` are 0.
typedef struct impi_CubeQuestion {
    const double *x, *y, *z, *middle, *half, *reach;
} impi_CubeQuestion;

/// Octants as bits.
typedef struct impi_CubeOctants {
    uint8_t possible; // not apart, as far as is seen
    uint8_t sure;     // surely not apart; of `fill`: surely inside of the cube
} impi_CubeOctants;

typedef impi_CubeOctants impi_CubeAskFn(const impi_CubeBlocks *blocks, const impi_CubeQuestion *question);

typedef struct impi_CubeLanes {
    impi_CubeAskFn *meet; // along all directions
    impi_CubeAskFn *hold; // along normals, which suffice for octants that are points
    impi_CubeAskFn *fill; // along axes and normals: some that are apart are possible
} impi_CubeLanes;

/// The fastest ones that this processor runs; all give the same.
impi_CubeLanes impi_cube_lanes(void);

impi_CubeAskFn impi_cube_meet_portable, impi_cube_hold_portable, impi_cube_fill_portable;
impi_CubeAskFn impi_cube_meet_avx2, impi_cube_hold_avx2, impi_cube_fill_avx2;
impi_CubeAskFn impi_cube_meet_avx512, impi_cube_hold_avx512, impi_cube_fill_avx512;

#endif
