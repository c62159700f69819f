// The bodies of impi_cube_meet_*, impi_cube_hold_* and impi_cube_fill_*, compiled once per instruction set;
// MEET, HOLD and FILL are their names. Loops over the lanes without branches, which the compiler turns into
// vectors.
#include "geom/cube_lanes.h"
#include "geom/scalar.h"

#include <math.h>

#define KERNEL static inline __attribute__((always_inline))

KERNEL void find_distances(const impi_CubeQuestion *q, double *restrict distances)
{
    for (int k = 0; k < IMPI_CUBE_DIRECTIONS; ++k)
        distances[k] = ((q->x[k] + q->y[k]) + q->z[k]) - q->middle[k];
}

// By how much each octant's gap exceeds what may be, along the direction where it does so most. Directions
// are counted by constants, so that the compiler unrolls them and takes the octants together.
KERNEL void find_gaps(const impi_CubeBlocks *blocks, int first, int end, const double *restrict distances,
                      const double *restrict reach, double *restrict gaps)
{
    for (int lane = 0; lane < IMPI_CUBE_LANES; ++lane) {
        double gap = -INFINITY;
        for (int k = first; k < end; ++k)
            gap = impi_larger(fabs(distances[k] + blocks->octants[k][lane]) - reach[k], gap);
        gaps[lane] = gap;
    }
}

KERNEL uint8_t bits_at_most(const double *gaps, double limit)
{
    uint32_t bits = 0;
    for (int lane = 0; lane < IMPI_CUBE_LANES; ++lane)
        bits |= (gaps[lane] <= limit ? 1u : 0u) << lane;
    return (uint8_t)bits;
}

impi_CubeOctants MEET(const impi_CubeBlocks *blocks, const impi_CubeQuestion *question)
{
    double distances[IMPI_CUBE_DIRECTIONS], gaps[IMPI_CUBE_LANES];
    find_distances(question, distances);
    find_gaps(blocks, 0, IMPI_CUBE_DIRECTIONS - 1, distances, question->reach, gaps);
    return (impi_CubeOctants){bits_at_most(gaps, blocks->bias), bits_at_most(gaps, blocks->sure)};
}

impi_CubeOctants HOLD(const impi_CubeBlocks *blocks, const impi_CubeQuestion *question)
{
    double distances[IMPI_CUBE_DIRECTIONS], gaps[IMPI_CUBE_LANES];
    find_distances(question, distances);
    find_gaps(blocks, 3, IMPI_FACE_DIRECTIONS, distances, question->reach, gaps);
    return (impi_CubeOctants){bits_at_most(gaps, blocks->bias), bits_at_most(gaps, blocks->sure)};
}

impi_CubeOctants FILL(const impi_CubeBlocks *blocks, const impi_CubeQuestion *question)
{
    double distances[IMPI_CUBE_DIRECTIONS], gaps[IMPI_CUBE_LANES], room[IMPI_CUBE_DIRECTIONS];
    find_distances(question, distances);
    find_gaps(blocks, 0, IMPI_FACE_DIRECTIONS, distances, question->reach, gaps);
    uint8_t possible = bits_at_most(gaps, blocks->bias);
    for (int k = 3; k < IMPI_FACE_DIRECTIONS; ++k)
        room[k] = question->half[k] - blocks->inside[k];
    find_gaps(blocks, 3, IMPI_FACE_DIRECTIONS, distances, room, gaps);
    return (impi_CubeOctants){possible, bits_at_most(gaps, 0)};
}
