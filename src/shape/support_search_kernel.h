// The body of impi_support_find_*, compiled once per instruction set; FIND is the function's name.
//
// Few blocks are all looked at. With more, cones tell which ones can hold the farthest vertex: of a round
// body of 1000 vertices fewer than three of 63 on average. Distances are integers. Their last bits are
// replaced by the number of the vertex among those looked at, so that the largest of these numbers tells
// where it was found.
#include "shape/support_lanes.h"
#include "shape/support_search.h"

#include <assert.h>

// So many blocks have numbers in the last bits.
#define MAX_LOOKS   ((1 << IMPI_NUMBER_BITS) / IMPI_SUPPORT_LANES)
#define NUMBER_MASK ((1 << IMPI_NUMBER_BITS) - 1)

// The largest number so far in each lane.
typedef struct Looks {
    Integers largest;
    Integers next; // numbers of the vertices of the next block
} Looks;

// What was found in blocks looked at before.
typedef struct Found {
    int32_t distance;
    uint32_t position; // in the set
} Found;

static inline Looks no_looks(void)
{
    return (Looks){integers_all(INT32_MIN), integers_count()};
}

static inline GridDirection put_on_grid(const impi_SupportSet *set, double x, double y, double z)
{
    return grid_direction((int16_t)lrint(x * set->steps.x), (int16_t)lrint(y * set->steps.y),
                          (int16_t)lrint(z * set->steps.z));
}

static inline void look_at(const impi_GridLanes *block, const GridDirection *d, Looks *looks)
{
    Integers distance = integers_along(block->xy, block->z, d);
    looks->largest = integers_larger(integers_replace(distance, looks->next, NUMBER_MASK), looks->largest);
    looks->next = integers_add(looks->next, integers_all(IMPI_SUPPORT_LANES));
}

// Which vertex is the farthest of those looked at, if it is not nearer than what was found before.
static inline void take_stock(const Looks *looks, const uint32_t *blocks, Found *found)
{
    int32_t largest = integers_largest(looks->largest), distance = largest & ~NUMBER_MASK;
    uint32_t number = (uint32_t)largest & NUMBER_MASK, lane = number % IMPI_SUPPORT_LANES;
    if (distance >= found->distance)
        *found = (Found){distance, blocks[number / IMPI_SUPPORT_LANES] * IMPI_SUPPORT_LANES + lane};
}

// A direction in single precision for the cones, stretched the other way than vertices are.
typedef struct FloatDirection {
    Floats x, y, z;
    float squared_length;
} FloatDirection;

static inline FloatDirection round_direction(const impi_SupportSet *set, double x, double y, double z)
{
    float fx = (float)(x * set->half.x), fy = (float)(y * set->half.y), fz = (float)(z * set->half.z);
    return (FloatDirection){floats_all(fx), floats_all(fy), floats_all(fz), (fx * fx + fy * fy) + fz * fz};
}

// Bit i tells whether the direction is in cone i: when its part along the axis, squared with its sign kept,
// is at least the limit.
static inline uint32_t cones_around(const impi_SupportCones *cones, const FloatDirection *d)
{
    Floats x = floats_multiply(floats_load(cones->axes.x), d->x);
    Floats y = floats_multiply(floats_load(cones->axes.y), d->y);
    Floats z = floats_multiply(floats_load(cones->axes.z), d->z);
    Floats part = floats_add(floats_add(x, y), z), squared = floats_multiply(part, floats_size(part));
    return floats_at_least(squared,
                           floats_multiply(floats_load(cones->limits), floats_all(d->squared_length)));
}

static inline void look_at_list(const impi_SupportSet *set, const GridDirection *d, const uint32_t *blocks,
                                uint32_t count, Found *found)
{
    Looks looks = no_looks();
    for (uint32_t i = 0; i < count; ++i)
        look_at(&set->blocks[blocks[i]], d, &looks);
    take_stock(&looks, blocks, found);
}

// The blocks from `first` on that can hold the farthest vertex, a bit for each; all of them where nothing is
// known.
static inline uint32_t candidates_from(const impi_SupportSet *set, uint32_t first, const FloatDirection *d)
{
    if (set->cones)
        return cones_around(&set->cones[first / IMPI_SUPPORT_LANES], d);
    uint32_t left = set->block_count - first;
    return (1u << (left < IMPI_SUPPORT_LANES ? left : IMPI_SUPPORT_LANES)) - 1;
}

static inline uint32_t find_among_candidates(const impi_SupportSet *set, double x, double y, double z)
{
    const GridDirection direction = put_on_grid(set, x, y, z);
    const FloatDirection rounded = round_direction(set, x, y, z);
    Found found = {INT32_MIN, 0};
    uint32_t blocks[MAX_LOOKS], count = 0;
    for (uint32_t first = 0; first < set->block_count; first += IMPI_SUPPORT_LANES) {
        for (uint32_t lanes = candidates_from(set, first, &rounded); lanes; lanes &= lanes - 1) {
            blocks[count++] = first + (uint32_t)__builtin_ctz(lanes);
            if (count == MAX_LOOKS) {
                look_at_list(set, &direction, blocks, count, &found);
                count = 0;
            }
        }
    }
    if (count > 0)
        look_at_list(set, &direction, blocks, count, &found);
    return found.position;
}

// At most MAX_LOOKS blocks.
static inline uint32_t find_among_all(const impi_SupportSet *set, double x, double y, double z)
{
    assert(set->block_count <= MAX_LOOKS);
    const GridDirection direction = put_on_grid(set, x, y, z);
    Looks looks = no_looks();
    for (uint32_t block = 0; block < set->block_count; ++block)
        look_at(&set->blocks[block], &direction, &looks);
    return (uint32_t)integers_largest(looks.largest) & NUMBER_MASK;
}

uint32_t FIND(const impi_SupportSet *set, double x, double y, double z)
{
    assert(set->blocks);
    bool has_few = !set->cones && set->block_count <= MAX_LOOKS;
    return has_few ? find_among_all(set, x, y, z) : find_among_candidates(set, x, y, z);
}
