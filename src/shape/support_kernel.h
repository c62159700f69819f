// The body of impi_support_find_*, compiled once per instruction set; FIND is the function's name.
//
// Few blocks are all looked at. With many, the cylinders around them tell which can hold the farthest vertex:
// one reaches at least as far as the farthest centre, so blocks whose cylinders end before that are left out.
// Of a round body of 1000 vertices some three blocks of 63 remain.
//
// Intrinsics where gcc would keep the running best of sixteen lanes in memory, or bits in bytes.
#include "shape/float_lanes.h"
#include "shape/support_search.h"

// Up to this many blocks, looking at all of them is faster than asking which.
#define MAX_BLOCKS_WITHOUT_CYLINDERS 16

#if defined(__AVX512F__)

// The farthest so far in each lane, and in which block.
typedef struct Best {
    __m512d value;
    __m256i block;
} Best;

typedef struct Direction {
    __m512d x, y, z;
} Direction;

static inline Direction spread(double x, double y, double z)
{
    return (Direction){_mm512_set1_pd(x), _mm512_set1_pd(y), _mm512_set1_pd(z)};
}

static inline Best nothing_yet(void)
{
    return (Best){_mm512_set1_pd(-INFINITY), _mm256_setzero_si256()};
}

static inline void look_at(const impi_SupportSet *set, uint32_t number, const Direction *direction,
                           Best *best)
{
    const impi_SupportBlock *block = &set->blocks[number];
    __m512d x = _mm512_mul_pd(_mm512_load_pd(block->x), direction->x);
    __m512d y = _mm512_mul_pd(_mm512_load_pd(block->y), direction->y);
    __m512d z = _mm512_mul_pd(_mm512_load_pd(block->z), direction->z);
    __m512d value = _mm512_add_pd(_mm512_add_pd(x, y), z);
    __mmask8 is_farther = _mm512_cmp_pd_mask(value, best->value, _CMP_GT_OQ);
    best->block = _mm256_mask_mov_epi32(best->block, is_farther, _mm256_set1_epi32((int)number));
    best->value = _mm512_max_pd(value, best->value);
}

static inline uint32_t place_of(const Best *best)
{
    __m512d farthest = _mm512_set1_pd(_mm512_reduce_max_pd(best->value));
    uint32_t lanes = _mm512_cmp_pd_mask(best->value, farthest, _CMP_EQ_OQ);
    uint32_t lane = (uint32_t)__builtin_ctz(lanes | 1u << (IMPI_SUPPORT_LANES - 1));
    _Alignas(32) uint32_t blocks[IMPI_SUPPORT_LANES];
    _mm256_store_si256((__m256i *)blocks, best->block);
    return blocks[lane] * IMPI_SUPPORT_LANES + lane;
}

#elif defined(__AVX2__)

typedef struct Best {
    __m256d value[2], block[2]; // numbers of blocks, as doubles
} Best;

typedef struct Direction {
    __m256d x, y, z;
} Direction;

static inline Direction spread(double x, double y, double z)
{
    return (Direction){_mm256_set1_pd(x), _mm256_set1_pd(y), _mm256_set1_pd(z)};
}

static inline Best nothing_yet(void)
{
    Best best;
    for (unsigned i = 0; i < 2; ++i) {
        best.value[i] = _mm256_set1_pd(-INFINITY);
        best.block[i] = _mm256_setzero_pd();
    }
    return best;
}

static inline void look_at(const impi_SupportSet *set, uint32_t number, const Direction *direction,
                           Best *best)
{
    const impi_SupportBlock *block = &set->blocks[number];
    __m256d numbers = _mm256_set1_pd((double)number);
    for (unsigned i = 0; i < 2; ++i) {
        __m256d x = _mm256_mul_pd(_mm256_load_pd(block->x + 4 * i), direction->x);
        __m256d y = _mm256_mul_pd(_mm256_load_pd(block->y + 4 * i), direction->y);
        __m256d z = _mm256_mul_pd(_mm256_load_pd(block->z + 4 * i), direction->z);
        __m256d value = _mm256_add_pd(_mm256_add_pd(x, y), z);
        __m256d is_farther = _mm256_cmp_pd(value, best->value[i], _CMP_GT_OQ);
        best->block[i] = _mm256_blendv_pd(best->block[i], numbers, is_farther);
        best->value[i] = _mm256_max_pd(value, best->value[i]);
    }
}

static inline uint32_t place_of(const Best *best)
{
    __m256d four = _mm256_max_pd(best->value[0], best->value[1]);
    __m128d two = _mm_max_pd(_mm256_castpd256_pd128(four), _mm256_extractf128_pd(four, 1));
    __m256d farthest = _mm256_broadcastsd_pd(_mm_max_sd(two, _mm_unpackhi_pd(two, two)));
    uint32_t lanes = 0;
    _Alignas(32) double blocks[IMPI_SUPPORT_LANES];
    for (unsigned i = 0; i < 2; ++i) {
        lanes |= (uint32_t)_mm256_movemask_pd(_mm256_cmp_pd(best->value[i], farthest, _CMP_EQ_OQ)) << 4 * i;
        _mm256_store_pd(blocks + 4 * i, best->block[i]);
    }
    uint32_t lane = (uint32_t)__builtin_ctz(lanes | 1u << (IMPI_SUPPORT_LANES - 1));
    return (uint32_t)blocks[lane] * IMPI_SUPPORT_LANES + lane;
}

#else

typedef struct Best {
    double value[IMPI_SUPPORT_LANES];
    double block[IMPI_SUPPORT_LANES]; // as doubles, so that compilers see one width only
} Best;

typedef imp_Vec3 Direction;

static inline Direction spread(double x, double y, double z)
{
    return (Direction){x, y, z};
}

static inline Best nothing_yet(void)
{
    Best best;
    for (unsigned lane = 0; lane < IMPI_SUPPORT_LANES; ++lane) {
        best.value[lane] = -INFINITY;
        best.block[lane] = 0;
    }
    return best;
}

static inline void look_at(const impi_SupportSet *set, uint32_t number, const Direction *direction,
                           Best *best)
{
    const impi_SupportBlock *block = &set->blocks[number];
    double block_number = (double)number;
    for (unsigned lane = 0; lane < IMPI_SUPPORT_LANES; ++lane) {
        double value =
            (block->x[lane] * direction->x + block->y[lane] * direction->y) + block->z[lane] * direction->z;
        double best_value = best->value[lane], best_block = best->block[lane];
        best->block[lane] = value > best_value ? block_number : best_block;
        best->value[lane] = value > best_value ? value : best_value;
    }
}

static inline uint32_t place_of(const Best *best)
{
    uint32_t lane = 0;
    for (uint32_t other = 1; other < IMPI_SUPPORT_LANES; ++other)
        lane = best->value[other] > best->value[lane] ? other : lane;
    return (uint32_t)best->block[lane] * IMPI_SUPPORT_LANES + lane;
}

#endif

// A direction in single precision, and its length with more than rounding may have taken off it.
typedef struct FloatDirection {
    Floats x, y, z;
    float length, squared_length;
} FloatDirection;

static inline FloatDirection round_direction(double x, double y, double z)
{
    float fx = (float)x, fy = (float)y, fz = (float)z;
    float squared_length = ((fx * fx + fy * fy) + fz * fz) * (1 + 0x1p-18f);
    return (FloatDirection){floats_all(fx), floats_all(fy), floats_all(fz), sqrtf(squared_length),
                            squared_length};
}

static inline Floats along(const impi_FloatLanes *v, const FloatDirection *d)
{
    Floats x = floats_multiply(floats_load(v->x), d->x), y = floats_multiply(floats_load(v->y), d->y);
    return floats_add(floats_add(x, y), floats_multiply(floats_load(v->z), d->z));
}

// How far some vertex reaches at least: as far as the farthest centre.
static inline float least_reach(const impi_SupportSet *set, const FloatDirection *d)
{
    Floats farthest = floats_all(-INFINITY);
    for (size_t group = 0; group * IMPI_CYLINDER_LANES < set->block_count; ++group)
        farthest = floats_larger(along(&set->cylinders[group].centre, d), farthest);
    return floats_largest(farthest) - 2 * d->length * set->slack;
}

// Bit i tells whether block i of the group can hold a vertex that reaches so far. The direction is cut into
// what goes along the cylinder's axis and what goes across, the root of the difference of their squares. A
// root is at most half of x / k + k for any k; half the direction's length, taken for k, is near enough where
// it matters. The length was taken with a little more, so that the difference is not too small, whatever
// cancels.
static inline uint32_t candidate_blocks(const impi_SupportCylinders *c, const FloatDirection *d, float least)
{
    Floats axial = floats_size(along(&c->axis, d));
    Floats squared = floats_subtract(floats_all(d->squared_length), floats_multiply(axial, axial));
    Floats across =
        floats_add(floats_multiply(squared, floats_all(1 / d->length)), floats_all(0.25f * d->length));
    Floats height = floats_multiply(axial, floats_load(c->half_height));
    Floats reach =
        floats_add(floats_add(along(&c->centre, d), height), floats_multiply(across, floats_load(c->radius)));
    return floats_not_below(reach, floats_all(least));
}

static inline uint32_t find_among_candidates(const impi_SupportSet *set, double x, double y, double z)
{
    const Direction spread_direction = spread(x, y, z);
    const FloatDirection rounded = round_direction(x, y, z);
    float least = least_reach(set, &rounded);
    Best best = nothing_yet();
    for (uint32_t first = 0; first < set->block_count; first += IMPI_CYLINDER_LANES) {
        uint32_t candidates = candidate_blocks(&set->cylinders[first / IMPI_CYLINDER_LANES], &rounded, least);
        if (set->block_count - first < IMPI_CYLINDER_LANES)
            candidates &= (1u << (set->block_count - first)) - 1;
        for (; candidates; candidates &= candidates - 1)
            look_at(set, first + (uint32_t)__builtin_ctz(candidates), &spread_direction, &best);
    }
    return place_of(&best);
}

uint32_t FIND(const impi_SupportSet *set, double x, double y, double z)
{
    if (set->block_count > MAX_BLOCKS_WITHOUT_CYLINDERS)
        return find_among_candidates(set, x, y, z);
    const Direction spread_direction = spread(x, y, z);
    Best best = nothing_yet();
    for (uint32_t number = 0; number < set->block_count; ++number)
        look_at(set, number, &spread_direction, &best);
    return place_of(&best);
}
