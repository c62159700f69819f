/// A moved cube against the eight octants of an upright block at once, in doubles with bounds: what cells of
/// octrees are asked for most. Directions, positions and errors are those of geom/cube_cube.h.
#ifndef IMPINGE_GEOM_CUBE_LANES_H
#define IMPINGE_GEOM_CUBE_LANES_H

#include "geom/cube_cube.h"

#define IMPI_CUBE_LANES 8

/// What all blocks of one size have in common.
typedef struct impi_CubeBlocks {
    int first, end;                                        // which directions are looked along
    double octants[IMPI_CUBE_DIRECTIONS][IMPI_CUBE_LANES]; // from a block's middle to those of its octants
    double half[IMPI_CUBE_DIRECTIONS];   // of octants, and what makes gaps beyond it certain
    double inside[IMPI_CUBE_DIRECTIONS]; // of octants, and what makes it certain that they are inside
    double bias;                         // apart: gaps above it, which is 0 or the next double below
    double sure;                         // not apart for sure: gaps below it
} impi_CubeBlocks;

/// For cells of which `center_offset` times the sign in each octant is the center, and `half` half of the
/// edge, both in the motion's frame.
void impi_cube_blocks_init(const impi_CubeMotion *motion, double center_offset, double half,
                           impi_CubeSense sense, impi_CubeBlocks *blocks);

/// Octants as bits.
typedef struct impi_CubeOctants {
    uint8_t possible; // not apart, as far as is seen
    uint8_t sure;     // the ones that were asked for: surely not apart, or surely inside of the cube
} impi_CubeOctants;

/// Middles of a block along all directions are the sums of x, y and z; `middle` are those of the cube, and
/// `reach` half of its widths and blocks->half together. All directions of them, whichever are looked along.
typedef struct impi_CubeQuestion {
    const double *x, *y, *z, *middle, *reach;
} impi_CubeQuestion;

/// Which octants are apart, and which are surely not?
typedef impi_CubeOctants (*impi_CubeMeetFn)(const impi_CubeBlocks *blocks, const impi_CubeQuestion *question);

/// Which octants are apart, seen along axes and normals only, and which are surely inside of the cube, half
/// of whose widths is `half`?
typedef impi_CubeOctants (*impi_CubeFillFn)(const impi_CubeBlocks *blocks, const impi_CubeQuestion *question,
                                            const double *half);

typedef struct impi_CubeLanes {
    impi_CubeMeetFn meet;
    impi_CubeFillFn fill;
} impi_CubeLanes;

/// The fastest ones that this processor runs; all give the same.
impi_CubeLanes impi_cube_lanes(void);

impi_CubeOctants impi_cube_meet_portable(const impi_CubeBlocks *blocks, const impi_CubeQuestion *question);
impi_CubeOctants impi_cube_meet_avx2(const impi_CubeBlocks *blocks, const impi_CubeQuestion *question);
impi_CubeOctants impi_cube_meet_avx512(const impi_CubeBlocks *blocks, const impi_CubeQuestion *question);
impi_CubeOctants impi_cube_fill_portable(const impi_CubeBlocks *blocks, const impi_CubeQuestion *question,
                                         const double *half);
impi_CubeOctants impi_cube_fill_avx2(const impi_CubeBlocks *blocks, const impi_CubeQuestion *question,
                                     const double *half);
impi_CubeOctants impi_cube_fill_avx512(const impi_CubeBlocks *blocks, const impi_CubeQuestion *question,
                                       const double *half);

#endif
