#include "object/face_boxes.h"

#include "base/cpu.h"

#include <math.h>

static float smaller(float a, float b)
{
    return a < b ? a : b;
}

static float larger(float a, float b)
{
    return a > b ? a : b;
}

void impi_face_boxes_of_points(impi_FaceBoxes *boxes, const impi_FaceBlock *block,
                               float points[3][IMPI_MAX_BLOCK_VERTICES])
{
    impi_FaceBoxesBoundFn bound = impi_face_boxes_bound();
    for (int axis = 0; axis < 3; ++axis)
        bound(boxes, block, axis, points[axis], points[axis]);
}

static void map_vertices(const imp_Vec3 *vertices, unsigned count, const impi_BoxFrame *frame, double shift,
                         float local[3][IMPI_MAX_BLOCK_VERTICES])
{
    for (unsigned i = 0; i < count; ++i) {
        local[0][i] = (float)((vertices[i].x + shift - frame->origin.x) * frame->scale);
        local[1][i] = (float)((vertices[i].y + shift - frame->origin.y) * frame->scale);
        local[2][i] = (float)((vertices[i].z + shift - frame->origin.z) * frame->scale);
    }
}

static void fill_plain(impi_FaceBoxes *boxes, const impi_FaceBlock *block, const imp_Vec3 *vertices,
                       const impi_BoxFrame *frame)
{
    float local[3][IMPI_MAX_BLOCK_VERTICES];
    map_vertices(vertices, block->vertex_count, frame, 0, local);
    impi_face_boxes_of_points(boxes, block, local);
}

// Ways and margins make boxes of vertices. Every step is monotone, as without them.
static void fill_wide(impi_FaceBoxes *boxes, const impi_FaceBlock *block, const impi_Surface *surface,
                      const impi_BoxFrame *frame, double margin)
{
    float lows[3][IMPI_MAX_BLOCK_VERTICES], highs[3][IMPI_MAX_BLOCK_VERTICES];
    const imp_Vec3 *begin = surface->vertices + block->first_vertex;
    map_vertices(begin, block->vertex_count, frame, -margin, lows);
    map_vertices(begin, block->vertex_count, frame, margin, highs);
    if (surface->end_vertices) {
        float end_lows[3][IMPI_MAX_BLOCK_VERTICES], end_highs[3][IMPI_MAX_BLOCK_VERTICES];
        const imp_Vec3 *end = surface->end_vertices + block->first_vertex;
        map_vertices(end, block->vertex_count, frame, -margin, end_lows);
        map_vertices(end, block->vertex_count, frame, margin, end_highs);
        for (int axis = 0; axis < 3; ++axis) {
            for (unsigned i = 0; i < block->vertex_count; ++i) {
                lows[axis][i] = smaller(lows[axis][i], end_lows[axis][i]);
                highs[axis][i] = larger(highs[axis][i], end_highs[axis][i]);
            }
        }
    }
    impi_FaceBoxesBoundFn bound = impi_face_boxes_bound();
    for (int axis = 0; axis < 3; ++axis)
        bound(boxes, block, axis, lows[axis], highs[axis]);
}

void impi_face_boxes_fill(impi_FaceBoxes *boxes, const impi_Surface *surface, uint32_t number,
                          const impi_BoxFrame *frame, double margin)
{
    const impi_FaceBlock *block = &surface->blocks->blocks[number];
    if (margin == 0 && !surface->end_vertices)
        fill_plain(boxes, block, surface->vertices + block->first_vertex, frame);
    else
        fill_wide(boxes, block, surface, frame, margin);
}

impi_FaceBoxesMeetFn impi_face_boxes_meet(void)
{
#if IMPI_CPU_VARIANTS
    if (impi_cpu_has_avx512())
        return impi_face_boxes_meet_avx512;
    if (impi_cpu_has_avx2())
        return impi_face_boxes_meet_avx2;
#endif
    return impi_face_boxes_meet_portable;
}

impi_FaceBoxesBoundFn impi_face_boxes_bound(void)
{
#if IMPI_CPU_VARIANTS
    if (impi_cpu_has_avx512())
        return impi_face_boxes_bound_avx512;
    if (impi_cpu_has_avx2())
        return impi_face_boxes_bound_avx2;
#endif
    return impi_face_boxes_bound_portable;
}
