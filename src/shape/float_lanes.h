/// Sixteen floats at once, for kernels that are compiled once per instruction set. Each operation rounds as
/// the scalar one does, so that all sets give the same results.
#ifndef IMPINGE_SHAPE_FLOAT_LANES_H
#define IMPINGE_SHAPE_FLOAT_LANES_H

#include <math.h>
#include <stdint.h>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#define IMPI_FLOAT_LANES 16

#if defined(__AVX512F__)

typedef __m512 Floats;

static inline Floats floats_load(const float *from)
{
    return _mm512_load_ps(from);
}

/// From integers, which need only be aligned to 32 bytes.
static inline Floats floats_from(const int16_t *from)
{
    return _mm512_cvtepi32_ps(_mm512_cvtepi16_epi32(_mm256_load_si256((const __m256i *)from)));
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

/// Of numbers that are not NaN.
static inline Floats floats_larger(Floats a, Floats b)
{
    return _mm512_max_ps(a, b);
}

static inline float floats_largest(Floats a)
{
    return _mm512_reduce_max_ps(a);
}

/// `yes` where a is greater than b, else `no`.
static inline Floats floats_where_greater(Floats a, Floats b, Floats yes, Floats no)
{
    return _mm512_mask_mov_ps(no, _mm512_cmp_ps_mask(a, b, _CMP_GT_OQ), yes);
}

/// Bit i tells whether lane i of a is at least that of b.
static inline uint32_t floats_at_least(Floats a, Floats b)
{
    return _mm512_cmp_ps_mask(a, b, _CMP_GE_OQ);
}

static inline float floats_get(Floats a, uint32_t lane)
{
    return _mm512_cvtss_f32(_mm512_permutexvar_ps(_mm512_set1_epi32((int)lane), a));
}

#elif defined(__AVX2__)

typedef struct Floats {
    __m256 low, high;
} Floats;

static inline Floats floats_load(const float *from)
{
    return (Floats){_mm256_load_ps(from), _mm256_load_ps(from + 8)};
}

static inline __m256 half_from(const int16_t *from)
{
    return _mm256_cvtepi32_ps(_mm256_cvtepi16_epi32(_mm_load_si128((const __m128i *)from)));
}

static inline Floats floats_from(const int16_t *from)
{
    return (Floats){half_from(from), half_from(from + 8)};
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

static inline Floats floats_larger(Floats a, Floats b)
{
    return (Floats){_mm256_max_ps(a.low, b.low), _mm256_max_ps(a.high, b.high)};
}

static inline float floats_largest(Floats a)
{
    __m256 eight = _mm256_max_ps(a.low, a.high);
    __m128 four = _mm_max_ps(_mm256_castps256_ps128(eight), _mm256_extractf128_ps(eight, 1));
    __m128 two = _mm_max_ps(four, _mm_movehl_ps(four, four));
    return _mm_cvtss_f32(_mm_max_ss(two, _mm_movehdup_ps(two)));
}

static inline Floats floats_where_greater(Floats a, Floats b, Floats yes, Floats no)
{
    return (Floats){_mm256_blendv_ps(no.low, yes.low, _mm256_cmp_ps(a.low, b.low, _CMP_GT_OQ)),
                    _mm256_blendv_ps(no.high, yes.high, _mm256_cmp_ps(a.high, b.high, _CMP_GT_OQ))};
}

static inline uint32_t floats_at_least(Floats a, Floats b)
{
    return (uint32_t)_mm256_movemask_ps(_mm256_cmp_ps(a.low, b.low, _CMP_GE_OQ)) |
           (uint32_t)_mm256_movemask_ps(_mm256_cmp_ps(a.high, b.high, _CMP_GE_OQ)) << 8;
}

static inline float floats_get(Floats a, uint32_t lane)
{
    __m256 half = lane < 8 ? a.low : a.high;
    return _mm256_cvtss_f32(_mm256_permutevar8x32_ps(half, _mm256_set1_epi32((int)lane)));
}

#else

typedef struct Floats {
    float lane[IMPI_FLOAT_LANES];
} Floats;

#define IMPI_EACH_LANE(expression)                                                                           \
    Floats result;                                                                                           \
    for (unsigned i = 0; i < IMPI_FLOAT_LANES; ++i)                                                          \
        result.lane[i] = (expression);                                                                       \
    return result

static inline Floats floats_load(const float *from)
{
    IMPI_EACH_LANE(from[i]);
}

static inline Floats floats_from(const int16_t *from)
{
    IMPI_EACH_LANE((float)from[i]);
}

static inline Floats floats_all(float value)
{
    IMPI_EACH_LANE(value);
}

static inline Floats floats_add(Floats a, Floats b)
{
    IMPI_EACH_LANE(a.lane[i] + b.lane[i]);
}

static inline Floats floats_multiply(Floats a, Floats b)
{
    IMPI_EACH_LANE(a.lane[i] * b.lane[i]);
}

static inline Floats floats_size(Floats a)
{
    IMPI_EACH_LANE(fabsf(a.lane[i]));
}

static inline Floats floats_larger(Floats a, Floats b)
{
    IMPI_EACH_LANE(a.lane[i] > b.lane[i] ? a.lane[i] : b.lane[i]);
}

static inline float floats_largest(Floats a)
{
    float largest = a.lane[0];
    for (unsigned i = 1; i < IMPI_FLOAT_LANES; ++i)
        largest = a.lane[i] > largest ? a.lane[i] : largest;
    return largest;
}

static inline Floats floats_where_greater(Floats a, Floats b, Floats yes, Floats no)
{
    IMPI_EACH_LANE(a.lane[i] > b.lane[i] ? yes.lane[i] : no.lane[i]);
}

static inline uint32_t floats_at_least(Floats a, Floats b)
{
    uint32_t lanes = 0;
    for (unsigned i = 0; i < IMPI_FLOAT_LANES; ++i)
        lanes |= (uint32_t)(a.lane[i] >= b.lane[i]) << i;
    return lanes;
}

static inline float floats_get(Floats a, uint32_t lane)
{
    return a.lane[lane];
}

#endif

#endif
