/// Squares of distances between boxes, many at a time: the inner loops of searches for what is closest.
#ifndef IMPINGE_OBJECT_BOX_DISTANCE_H
#define IMPINGE_OBJECT_BOX_DISTANCE_H

#include "object/face_boxes.h"
#include "shape/oriented_boxes.h"

#include <string.h>

/// How near something is, and which it is: the bits of the square of its distance, which are in order since
/// it is not negative, then a number.
typedef uint64_t impi_NearKey;

static inline impi_NearKey impi_near_key(float square, uint32_t number)
{
    uint32_t bits;
    memcpy(&bits, &square, sizeof bits);
    return (impi_NearKey)bits << 32 | number;
}

static inline float impi_near_square(impi_NearKey key)
{
    uint32_t bits = (uint32_t)(key >> 32);
    float square;
    memcpy(&square, &bits, sizeof square);
    return square;
}

static inline uint32_t impi_near_number(impi_NearKey key)
{
    return (uint32_t)key;
}

/// One set of functions for each instruction set; all give the same bits.
typedef struct impi_BoxDistance {
    /// Boxes along the axes of the frame that `transform` leads to, around oriented ones, each widened by
    /// `error`. Its rows may scale.
    void (*pose_boxes)(const impi_OrientedLanes *from, const imp_Transform *transform, double error,
                       size_t group_count, impi_BoxLanes *to);

    /// squares[i][j] is that of the distance of box i of a from box j of b; infinite where one is empty.
    void (*group_squares)(const impi_BoxLanes *a, const impi_BoxLanes *b,
                          double squares[IMPI_GROUP_SIZE][IMPI_GROUP_SIZE]);

    /// Squares of the distances of a point from the boxes of a group; infinite where one is empty.
    void (*point_squares)(const impi_BoxLanes *boxes, imp_Vec3 point, double squares[IMPI_GROUP_SIZE]);

    /// The faces of two blocks whose boxes are near: bit k of near[i] tells whether the square of the
    /// distance of face i of a from face k of b is at most `limit`. Bits of `near` that are not set at first
    /// stay so. Returns how many are set in the end.
    size_t (*near_faces)(const impi_FaceBoxes *a, const impi_FaceBoxes *b, float limit,
                         uint64_t near[IMPI_BLOCK_FACES]);
} impi_BoxDistance;

extern const impi_BoxDistance impi_box_distance_portable;
#if defined(__x86_64__)
extern const impi_BoxDistance impi_box_distance_avx2, impi_box_distance_avx512;
#endif

/// The fastest that this processor runs.
const impi_BoxDistance *impi_box_distance(void);

#endif
