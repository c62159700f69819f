/// Single-precision boxes of the faces of one block, and which of them meet those of another.
#ifndef IMPINGE_OBJECT_FACE_BOXES_H
#define IMPINGE_OBJECT_FACE_BOXES_H

#include "shape/surface.h"

/// Lanes beyond the block's faces are NaN, which meets nothing; `whole` is the box around all faces:
/// min x, y, z, max x, y, z.
typedef struct impi_FaceBoxes {
    _Alignas(64) float min[3][IMPI_BLOCK_FACES];
    float max[3][IMPI_BLOCK_FACES];
    float whole[6];
} impi_FaceBoxes;

/// Around `origin`, scaled by `scale`, then rounded to nearest. Each step is monotone, so closed boxes that
/// share a point in double precision share one here too, without any rounding outward; values beyond the
/// range of float become infinite and stay in order.
typedef struct impi_BoxFrame {
    imp_Vec3 origin;
    double scale;
} impi_BoxFrame;

/// Of a block that is posed, with a margin around each face; around both ends of its way where the surface is
/// in motion.
void impi_face_boxes_fill(impi_FaceBoxes *boxes, const impi_Surface *surface, uint32_t block,
                          const impi_BoxFrame *frame, double margin);

/// Around points that stand for the block's vertices.
void impi_face_boxes_of_points(impi_FaceBoxes *boxes, const impi_FaceBlock *block,
                               float points[3][IMPI_MAX_BLOCK_VERTICES]);

/// Along one axis: the boxes of the block's faces, and the box around them, where vertex i of the block is
/// between lows[i] and highs[i].
typedef void (*impi_FaceBoxesBoundFn)(impi_FaceBoxes *boxes, const impi_FaceBlock *block, int axis,
                                      const float *lows, const float *highs);

void impi_face_boxes_bound_portable(impi_FaceBoxes *boxes, const impi_FaceBlock *block, int axis,
                                    const float *lows, const float *highs);
#if defined(__x86_64__)
void impi_face_boxes_bound_avx2(impi_FaceBoxes *boxes, const impi_FaceBlock *block, int axis,
                                const float *lows, const float *highs);
void impi_face_boxes_bound_avx512(impi_FaceBoxes *boxes, const impi_FaceBlock *block, int axis,
                                  const float *lows, const float *highs);
#endif

/// The fastest that this processor runs.
impi_FaceBoxesBoundFn impi_face_boxes_bound(void);

/// Pairs of lanes as lane_a * 64 + lane_b.
typedef uint16_t impi_LanePair;

/// The pairs of lanes whose boxes share a point, ascending; returns how many. `pairs` holds 64 * 64.
typedef size_t (*impi_FaceBoxesMeetFn)(const impi_FaceBoxes *a, const impi_FaceBoxes *b,
                                       impi_LanePair *pairs);

size_t impi_face_boxes_meet_portable(const impi_FaceBoxes *a, const impi_FaceBoxes *b, impi_LanePair *pairs);
#if defined(__x86_64__)
size_t impi_face_boxes_meet_avx2(const impi_FaceBoxes *a, const impi_FaceBoxes *b, impi_LanePair *pairs);
size_t impi_face_boxes_meet_avx512(const impi_FaceBoxes *a, const impi_FaceBoxes *b, impi_LanePair *pairs);
#endif

/// The fastest that this processor runs.
impi_FaceBoxesMeetFn impi_face_boxes_meet(void);

#endif
