// Sixteen boxes at a time, in whatever vectors the instruction set has: which of them share a point with one
// box, or with each other. Included by linear_octree_kernel.h only.
#include "broad/linear_octree.h"

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#define INLINE static inline __attribute__((always_inline))

// One box against sixteen. overlap_mask: bit i tells whether lane i shares a point with the box; NaN never
// does.
#if defined(__AVX512F__)

typedef struct OneBox {
    __m512 min[3], max[3];
} OneBox;

INLINE OneBox lane_box(const impi_Lanes *lanes, size_t lane)
{
    return (OneBox){{_mm512_set1_ps(lanes->min[0][lane]), _mm512_set1_ps(lanes->min[1][lane]),
                     _mm512_set1_ps(lanes->min[2][lane])},
                    {_mm512_set1_ps(lanes->max[0][lane]), _mm512_set1_ps(lanes->max[1][lane]),
                     _mm512_set1_ps(lanes->max[2][lane])}};
}

INLINE uint32_t overlap_mask(const impi_Lanes *lanes, OneBox box)
{
    uint32_t mask = 0xFFFF;
    for (int axis = 0; axis < 3; ++axis) {
        mask &= _mm512_cmp_ps_mask(_mm512_load_ps(lanes->min[axis]), box.max[axis], _CMP_LE_OQ);
        mask &= _mm512_cmp_ps_mask(_mm512_load_ps(lanes->max[axis]), box.min[axis], _CMP_GE_OQ);
    }
    return mask;
}

#elif defined(__AVX2__)

typedef struct OneBox {
    __m256 min[3], max[3];
} OneBox;

INLINE OneBox lane_box(const impi_Lanes *lanes, size_t lane)
{
    return (OneBox){{_mm256_broadcast_ss(&lanes->min[0][lane]), _mm256_broadcast_ss(&lanes->min[1][lane]),
                     _mm256_broadcast_ss(&lanes->min[2][lane])},
                    {_mm256_broadcast_ss(&lanes->max[0][lane]), _mm256_broadcast_ss(&lanes->max[1][lane]),
                     _mm256_broadcast_ss(&lanes->max[2][lane])}};
}

INLINE uint32_t overlap_half(const impi_Lanes *lanes, OneBox box, int first)
{
    __m256 all = _mm256_cmp_ps(_mm256_load_ps(&lanes->min[0][first]), box.max[0], _CMP_LE_OQ);
    all = _mm256_and_ps(all, _mm256_cmp_ps(_mm256_load_ps(&lanes->max[0][first]), box.min[0], _CMP_GE_OQ));
    for (int axis = 1; axis < 3; ++axis) {
        all = _mm256_and_ps(
            all, _mm256_cmp_ps(_mm256_load_ps(&lanes->min[axis][first]), box.max[axis], _CMP_LE_OQ));
        all = _mm256_and_ps(
            all, _mm256_cmp_ps(_mm256_load_ps(&lanes->max[axis][first]), box.min[axis], _CMP_GE_OQ));
    }
    return (uint32_t)_mm256_movemask_ps(all);
}

INLINE uint32_t overlap_mask(const impi_Lanes *lanes, OneBox box)
{
    return overlap_half(lanes, box, 0) | overlap_half(lanes, box, 8) << 8;
}

#else

typedef struct OneBox {
    float min[3], max[3];
} OneBox;

INLINE OneBox lane_box(const impi_Lanes *lanes, size_t lane)
{
    return (OneBox){{lanes->min[0][lane], lanes->min[1][lane], lanes->min[2][lane]},
                    {lanes->max[0][lane], lanes->max[1][lane], lanes->max[2][lane]}};
}

// One bit of each of sixteen numbers 0 or 1, halving the distance between them, which vectors can do.
INLINE uint32_t pack_bits(uint32_t bits[IMPI_LANES])
{
    for (int half = IMPI_LANES / 2; half > 0; half /= 2)
        for (int i = 0; i < half; ++i)
            bits[i] |= bits[i + half] << half;
    return bits[0];
}

INLINE uint32_t overlap_mask(const impi_Lanes *lanes, OneBox box)
{
    uint32_t hit[IMPI_LANES];
    for (int i = 0; i < IMPI_LANES; ++i)
        hit[i] = 1;
    for (int axis = 0; axis < 3; ++axis)
        for (int i = 0; i < IMPI_LANES; ++i)
            hit[i] &= (uint32_t)(lanes->min[axis][i] <= box.max[axis]) &
                      (uint32_t)(box.min[axis] <= lanes->max[axis][i]);
    return pack_bits(hit);
}

#endif

// Each row of lanes, and then once more.
typedef struct TwiceLanes {
    _Alignas(64) float min[3][2 * IMPI_LANES];
    float max[3][2 * IMPI_LANES];
} TwiceLanes;

INLINE void repeat_lanes(const impi_Lanes *lanes, TwiceLanes *twice)
{
    for (int axis = 0; axis < 3; ++axis) {
        for (int i = 0; i < IMPI_LANES; ++i) {
            twice->min[axis][i] = twice->min[axis][i + IMPI_LANES] = lanes->min[axis][i];
            twice->max[axis][i] = twice->max[axis][i + IMPI_LANES] = lanes->max[axis][i];
        }
    }
}

// Bit i: do lanes i and (i + distance) mod 16 share a point?
#if defined(__AVX512F__)

INLINE uint32_t turned_overlap_mask(const impi_Lanes *lanes, const TwiceLanes *twice, unsigned distance)
{
    __mmask16 mask = 0xFFFF;
    for (int axis = 0; axis < 3; ++axis) {
        __m512 min = _mm512_loadu_ps(twice->min[axis] + distance);
        __m512 max = _mm512_loadu_ps(twice->max[axis] + distance);
        mask = _mm512_mask_cmp_ps_mask(mask, _mm512_load_ps(lanes->min[axis]), max, _CMP_LE_OQ);
        mask = _mm512_mask_cmp_ps_mask(mask, _mm512_load_ps(lanes->max[axis]), min, _CMP_GE_OQ);
    }
    return mask;
}

#elif defined(__AVX2__)

INLINE uint32_t turned_overlap_half(const impi_Lanes *lanes, const TwiceLanes *twice, unsigned distance,
                                    int first)
{
    __m256 all = _mm256_castsi256_ps(_mm256_set1_epi32(-1));
    for (int axis = 0; axis < 3; ++axis) {
        __m256 min = _mm256_loadu_ps(twice->min[axis] + first + distance);
        __m256 max = _mm256_loadu_ps(twice->max[axis] + first + distance);
        all = _mm256_and_ps(all, _mm256_cmp_ps(_mm256_load_ps(&lanes->min[axis][first]), max, _CMP_LE_OQ));
        all = _mm256_and_ps(all, _mm256_cmp_ps(_mm256_load_ps(&lanes->max[axis][first]), min, _CMP_GE_OQ));
    }
    return (uint32_t)_mm256_movemask_ps(all);
}

INLINE uint32_t turned_overlap_mask(const impi_Lanes *lanes, const TwiceLanes *twice, unsigned distance)
{
    return turned_overlap_half(lanes, twice, distance, 0) | turned_overlap_half(lanes, twice, distance, 8)
                                                                << 8;
}

#else

INLINE uint32_t turned_overlap_mask(const impi_Lanes *lanes, const TwiceLanes *twice, unsigned distance)
{
    uint32_t hit[IMPI_LANES];
    for (int i = 0; i < IMPI_LANES; ++i)
        hit[i] = 1;
    for (int axis = 0; axis < 3; ++axis) {
        const float *min = twice->min[axis] + distance, *max = twice->max[axis] + distance;
        for (int i = 0; i < IMPI_LANES; ++i)
            hit[i] &= (uint32_t)(lanes->min[axis][i] <= max[i]) & (uint32_t)(min[i] <= lanes->max[axis][i]);
    }
    return pack_bits(hit);
}

#endif

// Write first + i for each bit i of `mask` to `list`, which has room for sixteen whatever the mask. Returns
// how many there are.
INLINE uint32_t list_bits(uint32_t *list, uint32_t first, uint32_t mask)
{
    uint32_t count = (uint32_t)__builtin_popcount(mask);
#if defined(__AVX512F__)
    __m512i numbers =
        _mm512_add_epi32(_mm512_set1_epi32((int)first),
                         _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
    _mm512_storeu_si512(list, _mm512_maskz_compress_epi32((__mmask16)mask, numbers));
#else
    // Four at a time: few lists are longer, so that the loop's end is easy to predict.
    for (uint32_t done = 0; done < count; done += 4) {
        for (uint32_t k = 0; k < 4; ++k) {
            list[done + k] = first + (uint32_t)__builtin_ctz(mask | 1u << 31);
            mask &= mask - 1;
        }
    }
#endif
    return count;
}

// The same number sixteen times.
INLINE void store_sixteen(uint32_t *list, uint32_t value)
{
    for (int i = 0; i < IMPI_LANES; ++i)
        list[i] = value;
}

typedef struct Bounds {
    float min[3], max[3];
} Bounds;

#if defined(__AVX2__)

// Rows i and i + 4 in the two halves of a register, from element `offset` on.
INLINE __m256 two_rows(const float *const *rows, int i, int offset)
{
    return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(rows[i] + offset)),
                                _mm_loadu_ps(rows[i + 4] + offset), 1);
}

typedef struct EightBoxes {
    __m256 min[3], max[3];
} EightBoxes;

// Rows are read as elements 0..3 and 2..5, so that nothing behind a row is touched.
INLINE EightBoxes turn_eight(const float *const *rows, __m256 *low, __m256 *high)
{
    __m256 a[4], b[4];
    for (int i = 0; i < 4; ++i) {
        a[i] = two_rows(rows, i, 0);
        b[i] = two_rows(rows, i, 2);
        *low = _mm256_min_ps(a[i], *low); // the second operand when the first is NaN
        *high = _mm256_max_ps(b[i], *high);
    }
    __m256 xy01 = _mm256_unpacklo_ps(a[0], a[1]), xy23 = _mm256_unpacklo_ps(a[2], a[3]);
    __m256 zx01 = _mm256_unpackhi_ps(a[0], a[1]), zx23 = _mm256_unpackhi_ps(a[2], a[3]);
    __m256 yz01 = _mm256_unpackhi_ps(b[0], b[1]), yz23 = _mm256_unpackhi_ps(b[2], b[3]);
    return (EightBoxes){{_mm256_shuffle_ps(xy01, xy23, 0x44), _mm256_shuffle_ps(xy01, xy23, 0xEE),
                         _mm256_shuffle_ps(zx01, zx23, 0x44)},
                        {_mm256_shuffle_ps(zx01, zx23, 0xEE), _mm256_shuffle_ps(yz01, yz23, 0x44),
                         _mm256_shuffle_ps(yz01, yz23, 0xEE)}};
}

// In one piece where there are registers for it: a load of the whole can't wait for two stores of halves.
INLINE void store_halves(float *to, __m256 first, __m256 second)
{
#if defined(__AVX512F__)
    _mm512_store_ps(to, _mm512_insertf32x8(_mm512_castps256_ps512(first), second, 1));
#else
    _mm256_store_ps(to, first);
    _mm256_store_ps(to + 8, second);
#endif
}

// Turn sixteen rows into lanes. Returns their bounds, NaN left aside.
INLINE Bounds turn_rows(const float *const *rows, impi_Lanes *lanes)
{
    __m256 low = _mm256_set1_ps(__builtin_inff()), high = _mm256_set1_ps(-__builtin_inff());
    EightBoxes first = turn_eight(rows, &low, &high), second = turn_eight(rows + 8, &low, &high);
    for (int axis = 0; axis < 3; ++axis) {
        store_halves(lanes->min[axis], first.min[axis], second.min[axis]);
        store_halves(lanes->max[axis], first.max[axis], second.max[axis]);
    }
    float min[4], max[4];
    _mm_storeu_ps(min, _mm_min_ps(_mm256_castps256_ps128(low), _mm256_extractf128_ps(low, 1)));
    _mm_storeu_ps(max, _mm_max_ps(_mm256_castps256_ps128(high), _mm256_extractf128_ps(high, 1)));
    return (Bounds){{min[0], min[1], min[2]}, {max[1], max[2], max[3]}};
}

#else

INLINE Bounds turn_rows(const float *const *rows, impi_Lanes *lanes)
{
    float infinity = __builtin_inff();
    Bounds bounds = {{infinity, infinity, infinity}, {-infinity, -infinity, -infinity}};
    for (int i = 0; i < IMPI_LANES; ++i) {
        for (int axis = 0; axis < 3; ++axis) {
            float low = rows[i][axis], high = rows[i][axis + 3];
            lanes->min[axis][i] = low;
            lanes->max[axis][i] = high;
            bounds.min[axis] = low < bounds.min[axis] ? low : bounds.min[axis];
            bounds.max[axis] = high > bounds.max[axis] ? high : bounds.max[axis];
        }
    }
    return bounds;
}

#endif
