// The body of impi_support_find_*, compiled once per instruction set; FIND is the function's name.
//
// Few blocks are all looked at. With more, cones tell which ones can hold the farthest vertex: of a round
// body of 1000 vertices some four of 63.
#include "shape/float_lanes.h"
#include "shape/support_search.h"

#include <assert.h>

static_assert(IMPI_FLOAT_LANES == IMPI_SUPPORT_LANES, "a block is what is looked at at once");

typedef struct Direction {
    Floats x, y, z;
    float squared_length;
} Direction;

// The farthest so far in each lane, and in which block.
typedef struct Best {
    Floats distance, block;
} Best;

// Stretched the other way than vertices are.
static inline Direction round_direction(const impi_SupportSet *set, double x, double y, double z)
{
    float fx = (float)(x * set->half.x), fy = (float)(y * set->half.y), fz = (float)(z * set->half.z);
    return (Direction){floats_all(fx), floats_all(fy), floats_all(fz), (fx * fx + fy * fy) + fz * fz};
}

static inline Floats along(Floats x, Floats y, Floats z, const Direction *d)
{
    return floats_add(floats_add(floats_multiply(x, d->x), floats_multiply(y, d->y)),
                      floats_multiply(z, d->z));
}

static inline void look_at(const impi_SupportSet *set, uint32_t number, const Direction *d, Best *best)
{
    const impi_GridLanes *block = &set->blocks[number];
    Floats distance = along(floats_from(block->x), floats_from(block->y), floats_from(block->z), d);
    best->block = floats_where_greater(distance, best->distance, floats_all((float)number), best->block);
    best->distance = floats_larger(distance, best->distance);
}

static inline uint32_t place_of(const Best *best)
{
    Floats farthest = floats_all(floats_largest(best->distance));
    uint32_t lane = (uint32_t)__builtin_ctz(floats_at_least(best->distance, farthest));
    return (uint32_t)floats_get(best->block, lane) * IMPI_SUPPORT_LANES + lane;
}

// A direction is in a cone when its part along the axis, squared with its sign kept, is at least the limit.
static inline void look_at_candidates(const impi_SupportSet *set, const Direction *d, Best *best)
{
    for (uint32_t first = 0; first < set->block_count; first += IMPI_SUPPORT_LANES) {
        const impi_SupportCones *cones = &set->cones[first / IMPI_SUPPORT_LANES];
        Floats x = floats_load(cones->axes.x), y = floats_load(cones->axes.y), z = floats_load(cones->axes.z);
        Floats part = along(x, y, z, d), squared = floats_multiply(part, floats_size(part));
        Floats limits = floats_multiply(floats_load(cones->limits), floats_all(d->squared_length));
        for (uint32_t lanes = floats_at_least(squared, limits); lanes; lanes &= lanes - 1)
            look_at(set, first + (uint32_t)__builtin_ctz(lanes), d, best);
    }
}

uint32_t FIND(const impi_SupportSet *set, double x, double y, double z)
{
    const Direction direction = round_direction(set, x, y, z);
    Best best = {floats_all(-INFINITY), floats_all(0)};
    if (set->cones)
        look_at_candidates(set, &direction, &best);
    else
        for (uint32_t number = 0; number < set->block_count; ++number)
            look_at(set, number, &direction, &best);
    return place_of(&best);
}
