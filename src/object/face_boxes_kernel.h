// The bodies of impi_face_boxes_meet_* and impi_face_boxes_bound_*, compiled once per instruction set; MEET
// and BOUND are their names. Intrinsics rather than plain loops, because compilers turn sixteen comparisons
// into sixteen bits, and sixteen look-ups into one permutation, only when told to.
#include "object/face_boxes.h"

#include <math.h>

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

// ---- which boxes meet

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

// ---- boxes

static inline float smaller(float a, float b)
{
    return a < b ? a : b;
}

static inline float larger(float a, float b)
{
    return a > b ? a : b;
}

static inline void bound_plainly(impi_FaceBoxes *boxes, const impi_FaceBlock *block, int axis,
                                 const float *lows, const float *highs)
{
    float low = INFINITY, high = -INFINITY;
    for (unsigned i = 0; i < block->face_count; ++i) {
        unsigned a = block->corners[0][i], b = block->corners[1][i], c = block->corners[2][i];
        boxes->min[axis][i] = smaller(smaller(lows[a], lows[b]), lows[c]);
        boxes->max[axis][i] = larger(larger(highs[a], highs[b]), highs[c]);
        low = smaller(low, boxes->min[axis][i]);
        high = larger(high, boxes->max[axis][i]);
    }
    for (unsigned i = block->face_count; i < IMPI_BLOCK_FACES; ++i)
        boxes->min[axis][i] = boxes->max[axis][i] = NAN;
    boxes->whole[axis] = low;
    boxes->whole[3 + axis] = high;
}

#if defined(__AVX512F__)

// So many numbers fit into registers, from which sixteen at a time are picked by their positions.
#define TABLE_SIZE 64

typedef struct Table {
    __m512 parts[TABLE_SIZE / LANES];
} Table;

static inline Table load_table(const float *numbers, unsigned count)
{
    Table table;
    for (unsigned i = 0; i < TABLE_SIZE / LANES; ++i) {
        unsigned left = count > i * LANES ? count - i * LANES : 0;
        __mmask16 mask = (__mmask16)(left < LANES ? (1u << left) - 1 : 0xFFFF);
        table.parts[i] = _mm512_maskz_loadu_ps(mask, numbers + i * LANES);
    }
    return table;
}

// A permutation picks from 32 numbers; the next bit of the position tells from which.
static inline __m512 pick(const Table *table, __m512i positions)
{
    __m512 first = _mm512_permutex2var_ps(table->parts[0], positions, table->parts[1]);
    __m512 second = _mm512_permutex2var_ps(table->parts[2], positions, table->parts[3]);
    return _mm512_mask_blend_ps(_mm512_test_epi32_mask(positions, _mm512_set1_epi32(32)), first, second);
}

void BOUND(impi_FaceBoxes *boxes, const impi_FaceBlock *block, int axis, const float *lows,
           const float *highs)
{
    if (block->vertex_count > TABLE_SIZE) {
        bound_plainly(boxes, block, axis, lows, highs);
        return;
    }
    Table low_table = load_table(lows, block->vertex_count), high_table = low_table;
    if (highs != lows)
        high_table = load_table(highs, block->vertex_count);
    __m512 whole_low = _mm512_set1_ps(INFINITY), whole_high = _mm512_set1_ps(-INFINITY);
    for (unsigned first = 0; first < IMPI_BLOCK_FACES; first += LANES) {
        unsigned left = block->face_count > first ? block->face_count - first : 0;
        __mmask16 faces = (__mmask16)(left < LANES ? (1u << left) - 1 : 0xFFFF);
        __m512i corners[3];
        for (int i = 0; i < 3; ++i)
            corners[i] = _mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)(block->corners[i] + first)));
        __m512 low = _mm512_min_ps(_mm512_min_ps(pick(&low_table, corners[0]), pick(&low_table, corners[1])),
                                   pick(&low_table, corners[2]));
        __m512 high =
            _mm512_max_ps(_mm512_max_ps(pick(&high_table, corners[0]), pick(&high_table, corners[1])),
                          pick(&high_table, corners[2]));
        whole_low = _mm512_mask_min_ps(whole_low, faces, whole_low, low);
        whole_high = _mm512_mask_max_ps(whole_high, faces, whole_high, high);
        _mm512_store_ps(&boxes->min[axis][first], _mm512_mask_blend_ps(faces, _mm512_set1_ps(NAN), low));
        _mm512_store_ps(&boxes->max[axis][first], _mm512_mask_blend_ps(faces, _mm512_set1_ps(NAN), high));
    }
    boxes->whole[axis] = _mm512_reduce_min_ps(whole_low);
    boxes->whole[3 + axis] = _mm512_reduce_max_ps(whole_high);
}

#else

void BOUND(impi_FaceBoxes *boxes, const impi_FaceBlock *block, int axis, const float *lows,
           const float *highs)
{
    bound_plainly(boxes, block, axis, lows, highs);
}

#endif
