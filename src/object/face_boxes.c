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

static void fill_axis(impi_FaceBoxes *boxes, const impi_FaceBlock *block, int axis, const float *coordinates)
{
    float low = INFINITY, high = -INFINITY;
    for (unsigned i = 0; i < block->face_count; ++i) {
        float a = coordinates[block->corners[0][i]], b = coordinates[block->corners[1][i]],
              c = coordinates[block->corners[2][i]];
        boxes->min[axis][i] = smaller(smaller(a, b), c);
        boxes->max[axis][i] = larger(larger(a, b), c);
        low = smaller(low, boxes->min[axis][i]);
        high = larger(high, boxes->max[axis][i]);
    }
    for (unsigned i = block->face_count; i < IMPI_BLOCK_FACES; ++i)
        boxes->min[axis][i] = boxes->max[axis][i] = NAN;
    boxes->whole[axis] = low;
    boxes->whole[3 + axis] = high;
}

void impi_face_boxes_fill(impi_FaceBoxes *boxes, const impi_Surface *surface, uint32_t number,
                          const impi_BoxFrame *frame)
{
    const impi_FaceBlock *block = &surface->blocks->blocks[number];
    const imp_Vec3 *vertices = surface->vertices + block->first_vertex;
    float local[3][3 * IMPI_BLOCK_FACES];
    for (unsigned i = 0; i < block->vertex_count; ++i) {
        local[0][i] = (float)((vertices[i].x - frame->origin.x) * frame->scale);
        local[1][i] = (float)((vertices[i].y - frame->origin.y) * frame->scale);
        local[2][i] = (float)((vertices[i].z - frame->origin.z) * frame->scale);
    }
    for (int axis = 0; axis < 3; ++axis)
        fill_axis(boxes, block, axis, local[axis]);
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
