#include "feature/face_pair.h"

#include "geom/touch.h"
#include "geom/triangle_batch.h"

static void fill_lane(double lanes[3][3][IMPI_BATCH_LANES], const impi_Surface *surface, impi_BlockFace face,
                      int lane)
{
    imp_Triangle triangle = impi_surface_triangle(surface, face);
    for (int i = 0; i < 3; ++i) {
        lanes[i][0][lane] = triangle.v[i].x;
        lanes[i][1][lane] = triangle.v[i].y;
        lanes[i][2][lane] = triangle.v[i].z;
    }
}

// Lanes beyond the end repeat the last pair.
static void fill_batch(const impi_Surface *a, const impi_Surface *b, const impi_BlockFacePair *pairs,
                       size_t count, impi_TriangleBatch *batch)
{
    for (int lane = 0; lane < IMPI_BATCH_LANES; ++lane) {
        const impi_BlockFacePair *pair = &pairs[(size_t)lane < count ? (size_t)lane : count - 1];
        fill_lane(batch->a, a, pair->a, lane);
        fill_lane(batch->b, b, pair->b, lane);
    }
}

static bool decide(const impi_Surface *a, const impi_Surface *b, const impi_BlockFacePair *pair)
{
    imp_Triangle triangle_a = impi_surface_triangle(a, pair->a);
    imp_Triangle triangle_b = impi_surface_triangle(b, pair->b);
    return impi_triangles_touch(&triangle_a, &triangle_b);
}

// A batch is filled while the one before it is decided, as in triangle_pairs.c.
size_t impi_face_pairs_touching(const impi_Surface *a, const impi_Surface *b,
                                const impi_BlockFacePair *candidates, size_t count, impi_FaceKey *touching)
{
    impi_BatchDecideFn decide_batch = impi_batch_decide();
    impi_TriangleBatch batches[2];
    size_t touching_count = 0;
    if (count == 0)
        return 0;
    fill_batch(a, b, candidates, count, &batches[0]);
    for (size_t first = 0, next = 1; first < count; first += IMPI_BATCH_LANES, next ^= 1) {
        if (first + IMPI_BATCH_LANES < count)
            fill_batch(a, b, candidates + first + IMPI_BATCH_LANES, count - first - IMPI_BATCH_LANES,
                       &batches[next]);
        impi_BatchVerdict verdict = decide_batch(&batches[next ^ 1]);
        size_t lanes = count - first < IMPI_BATCH_LANES ? count - first : IMPI_BATCH_LANES;
        uint32_t remaining = ~verdict.separate & ((1u << lanes) - 1);
        for (; remaining; remaining &= remaining - 1) {
            unsigned lane = (unsigned)__builtin_ctz(remaining);
            const impi_BlockFacePair *pair = &candidates[first + lane];
            if ((verdict.touch >> lane & 1) || decide(a, b, pair))
                touching[touching_count++] =
                    impi_face_key(impi_face_number(a, pair->a), impi_face_number(b, pair->b));
        }
    }
    return touching_count;
}
