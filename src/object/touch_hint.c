#include "object/touch_hint.h"

#include "geom/pose.h"
#include "geom/touch.h"
#include "geom/vector.h"

#include <math.h>

imp_Triangle impi_body_triangle(const impi_Body *body, impi_BlockFace face)
{
    const impi_FaceBlock *block = &body->blocks->blocks.blocks[face / IMPI_BLOCK_FACES];
    const imp_Vec3 *vertices = impi_body_vertices(body) + block->first_vertex;
    unsigned lane = face % IMPI_BLOCK_FACES;
    imp_Triangle triangle;
    for (int i = 0; i < 3; ++i)
        triangle.v[i] = impi_pose_vertex(&body->transform, &vertices[block->corners[i][lane]]);
    return triangle;
}

static bool has_face(const impi_Body *body, impi_BlockFace face)
{
    const impi_FaceBlocks *blocks = &body->blocks->blocks;
    uint32_t number = face / IMPI_BLOCK_FACES;
    return number < blocks->block_count && face % IMPI_BLOCK_FACES < blocks->blocks[number].face_count;
}

static double longest_side(const imp_Triangle *face)
{
    imp_Vec3 one = impi_subtract(face->v[1], face->v[0]), other = impi_subtract(face->v[2], face->v[0]);
    return fmax(impi_longest(one), impi_longest(other));
}

impi_HintVerdict impi_hint_try(const impi_TouchHint *hint, const impi_Body *a, const impi_Body *b)
{
    if (!hint->is_set || !has_face(a, hint->a) || !has_face(b, hint->b))
        return IMPI_HINT_FAR;
    imp_Triangle face_a = impi_body_triangle(a, hint->a), face_b = impi_body_triangle(b, hint->b);
    double apart = impi_longest(impi_subtract(face_a.v[0], face_b.v[0]));
    if (apart > 2 * (longest_side(&face_a) + longest_side(&face_b))) // faces that touch are not
        return IMPI_HINT_FAR;
    return impi_triangles_touch(&face_a, &face_b) ? IMPI_HINT_TOUCHES : IMPI_HINT_NEAR;
}
