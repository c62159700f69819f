// The body of impi_box_distance_*, compiled once per instruction set; TABLE is its name. Plain loops over
// lanes, which the compiler turns into vectors.
#include "geom/scalar.h"
#include "object/box_distance.h"

#include <math.h>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

static void pose_boxes(const impi_OrientedLanes *from, const imp_Transform *transform, double error,
                       size_t group_count, impi_BoxLanes *to)
{
    const double translation[3] = {transform->translation.x, transform->translation.y,
                                   transform->translation.z};
    for (size_t group = 0; group < group_count; ++group, ++from) {
        for (int axis = 0; axis < 3; ++axis) {
            const double *row = transform->rows[axis];
            for (unsigned i = 0; i < IMPI_GROUP_SIZE; ++i) {
                double centre = ((row[0] * from->centre[0][i] + row[1] * from->centre[1][i]) +
                                 row[2] * from->centre[2][i]) +
                                translation[axis];
                double half = error;
                for (int k = 0; k < 3; ++k)
                    half += fabs((row[0] * from->axes[k][0][i] + row[1] * from->axes[k][1][i]) +
                                 row[2] * from->axes[k][2][i]) *
                            from->half[k][i];
                to[group].min[axis][i] = centre - half;
                to[group].max[axis][i] = centre + half;
            }
        }
    }
}

// How far apart two intervals are; 0 where they meet.
static inline double gap(double min_a, double max_a, double min_b, double max_b)
{
    return impi_larger(impi_larger(min_b - max_a, min_a - max_b), 0.0);
}

static void group_squares(const impi_BoxLanes *a, const impi_BoxLanes *b,
                          double squares[IMPI_GROUP_SIZE][IMPI_GROUP_SIZE])
{
    for (unsigned i = 0; i < IMPI_GROUP_SIZE; ++i) {
        for (unsigned j = 0; j < IMPI_GROUP_SIZE; ++j) {
            double x = gap(a->min[0][i], a->max[0][i], b->min[0][j], b->max[0][j]);
            double y = gap(a->min[1][i], a->max[1][i], b->min[1][j], b->max[1][j]);
            double z = gap(a->min[2][i], a->max[2][i], b->min[2][j], b->max[2][j]);
            double square = (x * x + y * y) + z * z, both = a->min[0][i] + b->min[0][j];
            squares[i][j] = both == both ? square : (double)INFINITY; // NaN is an empty box
        }
    }
}

static void point_squares(const impi_BoxLanes *boxes, imp_Vec3 point, double squares[IMPI_GROUP_SIZE])
{
    for (unsigned i = 0; i < IMPI_GROUP_SIZE; ++i) {
        double x = gap(boxes->min[0][i], boxes->max[0][i], point.x, point.x);
        double y = gap(boxes->min[1][i], boxes->max[1][i], point.y, point.y);
        double z = gap(boxes->min[2][i], boxes->max[2][i], point.z, point.z);
        double square = (x * x + y * y) + z * z;
        squares[i] = boxes->min[0][i] == boxes->min[0][i] ? square : (double)INFINITY;
    }
}

static inline float float_gap(float min_a, float max_a, float min_b, float max_b)
{
    float one = min_b - max_a, other = min_a - max_b;
    float larger = one > other ? one : other;
    return larger > 0 ? larger : 0;
}

static inline void face_squares(const impi_FaceBoxes *boxes, const float *box, float *squares)
{
    for (unsigned i = 0; i < IMPI_BLOCK_FACES; ++i) {
        float x = float_gap(boxes->min[0][i], boxes->max[0][i], box[0], box[3]);
        float y = float_gap(boxes->min[1][i], boxes->max[1][i], box[1], box[4]);
        float z = float_gap(boxes->min[2][i], boxes->max[2][i], box[2], box[5]);
        float square = (x * x + y * y) + z * z;
        squares[i] = boxes->min[0][i] == boxes->min[0][i] ? square : (float)INFINITY;
    }
}

// Bit i tells whether square i is at most the limit. Intrinsics, because bits out of comparisons are what
// compilers do not see by themselves.
static inline uint64_t lanes_within(const float *squares, float limit)
{
    uint64_t lanes = 0;
#if defined(__AVX512F__)
    for (unsigned first = 0; first < IMPI_BLOCK_FACES; first += 16)
        lanes |=
            (uint64_t)_mm512_cmp_ps_mask(_mm512_load_ps(squares + first), _mm512_set1_ps(limit), _CMP_LE_OQ)
            << first;
#elif defined(__AVX2__)
    for (unsigned first = 0; first < IMPI_BLOCK_FACES; first += 8)
        lanes |= (uint64_t)(uint32_t)_mm256_movemask_ps(
                     _mm256_cmp_ps(_mm256_load_ps(squares + first), _mm256_set1_ps(limit), _CMP_LE_OQ))
                 << first;
#else
    for (unsigned i = 0; i < IMPI_BLOCK_FACES; ++i)
        lanes |= (uint64_t)(squares[i] <= limit) << i;
#endif
    return lanes;
}

static inline uint64_t faces_within(const impi_FaceBoxes *boxes, const float *box, float limit)
{
    _Alignas(64) float squares[IMPI_BLOCK_FACES];
    face_squares(boxes, box, squares);
    return lanes_within(squares, limit);
}

// Faces far from the other block's box are dropped first, which leaves few.
static size_t near_faces(const impi_FaceBoxes *a, const impi_FaceBoxes *b, float limit,
                         uint64_t near[IMPI_BLOCK_FACES])
{
    uint64_t faces_a = faces_within(a, b->whole, limit), faces_b = faces_within(b, a->whole, limit);
    size_t count = 0;
    for (unsigned i = 0; i < IMPI_BLOCK_FACES; ++i) {
        near[i] &= faces_a >> i & 1 ? faces_b : 0;
        if (!near[i])
            continue;
        const float box[6] = {a->min[0][i], a->min[1][i], a->min[2][i],
                              a->max[0][i], a->max[1][i], a->max[2][i]};
        near[i] &= faces_within(b, box, limit);
        count += (size_t)__builtin_popcountll(near[i]);
    }
    return count;
}

const impi_BoxDistance TABLE = {.pose_boxes = pose_boxes,
                                .group_squares = group_squares,
                                .point_squares = point_squares,
                                .near_faces = near_faces};
