/// A block of a support set at once: a float or an integer for each of its IMPI_SUPPORT_LANES vertices, which
/// are sixteen. For the kernel of support_search, which is compiled once per instruction set. Each operation
/// rounds as the scalar one does, so that all sets give the same results.
#ifndef IMPINGE_SHAPE_SUPPORT_LANES_H
#define IMPINGE_SHAPE_SUPPORT_LANES_H

#include "shape/support_set.h"

#include <assert.h>
#include <math.h>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

static_assert(IMPI_SUPPORT_LANES == 16, "as many as there are in the vectors below");

#if defined(__AVX512F__)

typedef __m512 Floats;

static inline Floats floats_load(const float *from)
{
    return _mm512_load_ps(from);
}

static inline Floats floats_all(float value)
{
    return _mm512_set1_ps(value);
}

static inline Floats floats_add(Floats a, Floats b)
{
    return _mm512_add_ps(a, b);
}

static inline Floats floats_multiply(Floats a, Floats b)
{
    return _mm512_mul_ps(a, b);
}

static inline Floats floats_size(Floats a)
{
    return _mm512_abs_ps(a);
}

/// Bit i tells whether lane i of a is at least that of b.
static inline uint32_t floats_at_least(Floats a, Floats b)
{
    return _mm512_cmp_ps_mask(a, b, _CMP_GE_OQ);
}

typedef __m512i Integers;

/// A direction for integers_along.
typedef struct GridDirection {
    __m512i xy, z;
} GridDirection;

static inline GridDirection grid_direction(int16_t x, int16_t y, int16_t z)
{
    uint32_t pair = (uint16_t)x | (uint32_t)(uint16_t)y << 16;
    return (GridDirection){_mm512_set1_epi32((int32_t)pair), _mm512_set1_epi32(z)};
}

/// x * xy[2 * i] + y * xy[2 * i + 1] + z * z[i] in lane i.
static inline Integers integers_along(const int16_t *xy, const int16_t *z, const GridDirection *d)
{
    __m512i pairs = _mm512_madd_epi16(_mm512_loadu_si512(xy), d->xy);
    __m512i wide = _mm512_cvtepi16_epi32(_mm256_load_si256((const __m256i *)z));
    return _mm512_add_epi32(pairs, _mm512_mullo_epi32(wide, d->z));
}

static inline Integers integers_all(int32_t value)
{
    return _mm512_set1_epi32(value);
}

/// 0, 1, ... 15.
static inline Integers integers_count(void)
{
    return _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
}

static inline Integers integers_add(Integers a, Integers b)
{
    return _mm512_add_epi32(a, b);
}

/// The bits of `mask` from b, the others from a.
static inline Integers integers_replace(Integers a, Integers b, int32_t mask)
{
    return _mm512_ternarylogic_epi32(_mm512_set1_epi32(mask), b, a, 0xCA);
}

static inline Integers integers_larger(Integers a, Integers b)
{
    return _mm512_max_epi32(a, b);
}

static inline int32_t integers_largest(Integers a)
{
    return _mm512_reduce_max_epi32(a);
}

#elif defined(__AVX2__)

typedef struct Floats {
    __m256 low, high;
} Floats;

static inline Floats floats_load(const float *from)
{
    return (Floats){_mm256_load_ps(from), _mm256_load_ps(from + 8)};
}

static inline Floats floats_all(float value)
{
    return (Floats){_mm256_set1_ps(value), _mm256_set1_ps(value)};
}

static inline Floats floats_add(Floats a, Floats b)
{
    return (Floats){_mm256_add_ps(a.low, b.low), _mm256_add_ps(a.high, b.high)};
}

static inline Floats floats_multiply(Floats a, Floats b)
{
    return (Floats){_mm256_mul_ps(a.low, b.low), _mm256_mul_ps(a.high, b.high)};
}

static inline Floats floats_size(Floats a)
{
    __m256 sign = _mm256_set1_ps(-0.0f);
    return (Floats){_mm256_andnot_ps(sign, a.low), _mm256_andnot_ps(sign, a.high)};
}

static inline uint32_t floats_at_least(Floats a, Floats b)
{
    return (uint32_t)_mm256_movemask_ps(_mm256_cmp_ps(a.low, b.low, _CMP_GE_OQ)) |
           (uint32_t)_mm256_movemask_ps(_mm256_cmp_ps(a.high, b.high, _CMP_GE_OQ)) << 8;
}

typedef struct Integers {
    __m256i low, high;
} Integers;

typedef struct GridDirection {
    __m256i xy, z;
} GridDirection;

static inline GridDirection grid_direction(int16_t x, int16_t y, int16_t z)
{
    uint32_t pair = (uint16_t)x | (uint32_t)(uint16_t)y << 16;
    return (GridDirection){_mm256_set1_epi32((int32_t)pair), _mm256_set1_epi32(z)};
}

static inline __m256i half_along(const int16_t *xy, const int16_t *z, const GridDirection *d)
{
    __m256i pairs = _mm256_madd_epi16(_mm256_loadu_si256((const __m256i *)xy), d->xy);
    __m256i wide = _mm256_cvtepi16_epi32(_mm_loadu_si128((const __m128i *)z));
    return _mm256_add_epi32(pairs, _mm256_mullo_epi32(wide, d->z));
}

static inline Integers integers_along(const int16_t *xy, const int16_t *z, const GridDirection *d)
{
    return (Integers){half_along(xy, z, d), half_along(xy + 16, z + 8, d)};
}

static inline Integers integers_all(int32_t value)
{
    return (Integers){_mm256_set1_epi32(value), _mm256_set1_epi32(value)};
}

static inline Integers integers_count(void)
{
    return (Integers){_mm256_set_epi32(7, 6, 5, 4, 3, 2, 1, 0),
                      _mm256_set_epi32(15, 14, 13, 12, 11, 10, 9, 8)};
}

static inline Integers integers_add(Integers a, Integers b)
{
    return (Integers){_mm256_add_epi32(a.low, b.low), _mm256_add_epi32(a.high, b.high)};
}

static inline __m256i half_replace(__m256i a, __m256i b, __m256i mask)
{
    return _mm256_or_si256(_mm256_andnot_si256(mask, a), _mm256_and_si256(mask, b));
}

static inline Integers integers_replace(Integers a, Integers b, int32_t mask)
{
    __m256i bits = _mm256_set1_epi32(mask);
    return (Integers){half_replace(a.low, b.low, bits), half_replace(a.high, b.high, bits)};
}

static inline Integers integers_larger(Integers a, Integers b)
{
    return (Integers){_mm256_max_epi32(a.low, b.low), _mm256_max_epi32(a.high, b.high)};
}

static inline int32_t integers_largest(Integers a)
{
    __m256i eight = _mm256_max_epi32(a.low, a.high);
    __m128i four = _mm_max_epi32(_mm256_castsi256_si128(eight), _mm256_extracti128_si256(eight, 1));
    __m128i two = _mm_max_epi32(four, _mm_shuffle_epi32(four, 0x4E));
    return _mm_cvtsi128_si32(_mm_max_epi32(two, _mm_shuffle_epi32(two, 0xB1)));
}

#else

typedef struct Floats {
    float lane[IMPI_SUPPORT_LANES];
} Floats;

#define EACH_FLOAT(expression)                                                                               \
    Floats result;                                                                                           \
    for (unsigned i = 0; i < IMPI_SUPPORT_LANES; ++i)                                                        \
        result.lane[i] = (expression);                                                                       \
    return result

static inline Floats floats_load(const float *from)
{
    EACH_FLOAT(from[i]);
}

static inline Floats floats_all(float value)
{
    EACH_FLOAT(value);
}

static inline Floats floats_add(Floats a, Floats b)
{
    EACH_FLOAT(a.lane[i] + b.lane[i]);
}

static inline Floats floats_multiply(Floats a, Floats b)
{
    EACH_FLOAT(a.lane[i] * b.lane[i]);
}

static inline Floats floats_size(Floats a)
{
    EACH_FLOAT(fabsf(a.lane[i]));
}

static inline uint32_t floats_at_least(Floats a, Floats b)
{
    uint32_t lanes = 0;
    for (unsigned i = 0; i < IMPI_SUPPORT_LANES; ++i)
        lanes |= (uint32_t)(a.lane[i] >= b.lane[i]) << i;
    return lanes;
}

typedef struct Integers {
    int32_t lane[IMPI_SUPPORT_LANES];
} Integers;

typedef struct GridDirection {
    int32_t x, y, z;
} GridDirection;

#define EACH_INTEGER(expression)                                                                             \
    Integers result;                                                                                         \
    for (int i = 0; i < IMPI_SUPPORT_LANES; ++i)                                                             \
        result.lane[i] = (expression);                                                                       \
    return result

static inline GridDirection grid_direction(int16_t x, int16_t y, int16_t z)
{
    return (GridDirection){x, y, z};
}

static inline Integers integers_along(const int16_t *xy, const int16_t *z, const GridDirection *d)
{
    EACH_INTEGER(xy[2 * i] * d->x + xy[2 * i + 1] * d->y + z[i] * d->z);
}

static inline Integers integers_all(int32_t value)
{
    EACH_INTEGER(value);
}

static inline Integers integers_count(void)
{
    EACH_INTEGER(i);
}

static inline Integers integers_add(Integers a, Integers b)
{
    EACH_INTEGER(a.lane[i] + b.lane[i]);
}

static inline Integers integers_replace(Integers a, Integers b, int32_t mask)
{
    EACH_INTEGER((a.lane[i] & ~mask) | (b.lane[i] & mask));
}

static inline Integers integers_larger(Integers a, Integers b)
{
    EACH_INTEGER(a.lane[i] > b.lane[i] ? a.lane[i] : b.lane[i]);
}

static inline int32_t integers_largest(Integers a)
{
    int32_t largest = a.lane[0];
    for (unsigned i = 1; i < IMPI_SUPPORT_LANES; ++i)
        largest = a.lane[i] > largest ? a.lane[i] : largest;
    return largest;
}

#endif

#endif
