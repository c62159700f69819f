// The body of impi_face_boxes_meet_*, compiled once per instruction set; MEET is the function's name.
// Intrinsics rather than a plain loop, because compilers turn sixteen comparisons into sixteen bits only when
// told to, and that is all this kernel does.
#include "object/face_boxes.h"

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#if defined(__AVX512F__)

#define LANES 16

static inline uint64_t meeting_lanes(const impi_FaceBoxes *boxes, const float *box, unsigned first)
{
    __mmask16 meets = 0xFFFF;
    for (int axis = 0; axis < 3; ++axis) {
        __m512 low = _mm512_load_ps(&boxes->min[axis][first]),
               high = _mm512_load_ps(&boxes->max[axis][first]);
        meets = _mm512_mask_cmp_ps_mask(meets, low, _mm512_set1_ps(box[3 + axis]), _CMP_LE_OQ);
        meets = _mm512_mask_cmp_ps_mask(meets, high, _mm512_set1_ps(box[axis]), _CMP_GE_OQ);
    }
    return meets;
}

#elif defined(__AVX2__)

#define LANES 8

static inline uint64_t meeting_lanes(const impi_FaceBoxes *boxes, const float *box, unsigned first)
{
    __m256 meets = _mm256_castsi256_ps(_mm256_set1_epi32(-1));
    for (int axis = 0; axis < 3; ++axis) {
        __m256 low = _mm256_load_ps(&boxes->min[axis][first]),
               high = _mm256_load_ps(&boxes->max[axis][first]);
        meets = _mm256_and_ps(meets, _mm256_cmp_ps(low, _mm256_set1_ps(box[3 + axis]), _CMP_LE_OQ));
        meets = _mm256_and_ps(meets, _mm256_cmp_ps(high, _mm256_set1_ps(box[axis]), _CMP_GE_OQ));
    }
    return (uint64_t)(uint32_t)_mm256_movemask_ps(meets);
}

#else

#define LANES 1

static inline uint64_t meeting_lanes(const impi_FaceBoxes *boxes, const float *box, unsigned first)
{
    return (boxes->min[0][first] <= box[3]) & (boxes->max[0][first] >= box[0]) &
           (boxes->min[1][first] <= box[4]) & (boxes->max[1][first] >= box[1]) &
           (boxes->min[2][first] <= box[5]) & (boxes->max[2][first] >= box[2]);
}

#endif

static inline uint64_t meeting_faces(const impi_FaceBoxes *boxes, const float *box)
{
    uint64_t faces = 0;
    for (unsigned first = 0; first < IMPI_BLOCK_FACES; first += LANES)
        faces |= meeting_lanes(boxes, box, first) << first;
    return faces;
}

// Faces outside the other block's box are dropped first, which leaves few.
size_t MEET(const impi_FaceBoxes *a, const impi_FaceBoxes *b, impi_LanePair *pairs)
{
    size_t count = 0;
    uint64_t faces_b = meeting_faces(b, a->whole);
    if (!faces_b)
        return 0;
    for (uint64_t faces_a = meeting_faces(a, b->whole); faces_a; faces_a &= faces_a - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(faces_a);
        const float box[6] = {a->min[0][lane], a->min[1][lane], a->min[2][lane],
                              a->max[0][lane], a->max[1][lane], a->max[2][lane]};
        for (uint64_t hits = meeting_faces(b, box) & faces_b; hits; hits &= hits - 1)
            pairs[count++] = (impi_LanePair)(lane * IMPI_BLOCK_FACES + (unsigned)__builtin_ctzll(hits));
    }
    return count;
}
