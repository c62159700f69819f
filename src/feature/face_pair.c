#include "feature/face_pair.h"

#include "geom/touch.h"
#include "geom/triangle_batch.h"
#include "geom/triangle_distance.h"
#include "geom/triangle_within.h"

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

void impi_face_pairs_fill(const impi_Surface *a, const impi_Surface *b, const impi_BlockFacePair *pairs,
                          size_t count, impi_TriangleBatch *batch)
{
    for (int lane = 0; lane < IMPI_BATCH_LANES; ++lane) {
        const impi_BlockFacePair *pair = &pairs[(size_t)lane < count ? (size_t)lane : count - 1];
        fill_lane(batch->a, a, pair->a, lane);
        fill_lane(batch->b, b, pair->b, lane);
    }
}

typedef struct LaneVerdicts {
    uint32_t near, far; // bits of lanes; those in neither are open
} LaneVerdicts;

// What doubles tell of eight pairs.
typedef struct Judge {
    double margin;
    impi_BatchDecideFn decide;             // margin 0
    const impi_TriangleDistance *distance; // any other
} Judge;

static LaneVerdicts judge_batch(const Judge *judge, const impi_TriangleBatch *batch)
{
    LaneVerdicts verdicts = {0, 0};
    if (judge->margin == 0) {
        impi_BatchVerdict verdict = judge->decide(batch);
        return (LaneVerdicts){verdict.touch, verdict.separate};
    }
    impi_BatchDistance distance;
    judge->distance->measure(batch, &distance);
    for (unsigned lane = 0; lane < IMPI_BATCH_LANES; ++lane) {
        verdicts.near |= (uint32_t)(distance.upper[lane] <= judge->margin) << lane;
        verdicts.far |= (uint32_t)(distance.lower[lane] > judge->margin) << lane;
    }
    return verdicts;
}

static bool decide(const impi_Surface *a, const impi_Surface *b, const impi_BlockFacePair *pair,
                   double margin)
{
    imp_Triangle triangle_a = impi_surface_triangle(a, pair->a);
    imp_Triangle triangle_b = impi_surface_triangle(b, pair->b);
    return margin == 0 ? impi_triangles_touch(&triangle_a, &triangle_b)
                       : impi_triangles_within(&triangle_a, &triangle_b, margin);
}

// A batch is filled while the one before it is judged, as in triangle_pairs.c.
size_t impi_face_pairs_within(const impi_Surface *a, const impi_Surface *b,
                              const impi_BlockFacePair *candidates, size_t count, double margin,
                              impi_FaceKey *found)
{
    const Judge judge = {margin, impi_batch_decide(), impi_triangle_distance()};
    impi_TriangleBatch batches[2];
    size_t found_count = 0;
    if (count == 0)
        return 0;
    impi_face_pairs_fill(a, b, candidates, count, &batches[0]);
    for (size_t first = 0, next = 1; first < count; first += IMPI_BATCH_LANES, next ^= 1) {
        if (first + IMPI_BATCH_LANES < count)
            impi_face_pairs_fill(a, b, candidates + first + IMPI_BATCH_LANES,
                                 count - first - IMPI_BATCH_LANES, &batches[next]);
        LaneVerdicts verdicts = judge_batch(&judge, &batches[next ^ 1]);
        size_t lanes = count - first < IMPI_BATCH_LANES ? count - first : IMPI_BATCH_LANES;
        uint32_t remaining = ~verdicts.far & ((1u << lanes) - 1);
        for (; remaining; remaining &= remaining - 1) {
            unsigned lane = (unsigned)__builtin_ctz(remaining);
            const impi_BlockFacePair *pair = &candidates[first + lane];
            if ((verdicts.near >> lane & 1) || decide(a, b, pair, margin))
                found[found_count++] =
                    impi_face_key(impi_face_number(a, pair->a), impi_face_number(b, pair->b));
        }
    }
    return found_count;
}
