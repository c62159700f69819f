#include "object/face_boxes.h"

#include "base/cpu.h"
#include "harness.h"
#include "posed_faces.h"
#include "scenes/shapes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_LANE_PAIRS (IMPI_BLOCK_FACES * IMPI_BLOCK_FACES)

static size_t brute_force_meet(const impi_FaceBoxes *a, const impi_FaceBoxes *b, impi_LanePair *pairs)
{
    size_t count = 0;
    for (unsigned i = 0; i < IMPI_BLOCK_FACES; ++i)
        for (unsigned k = 0; k < IMPI_BLOCK_FACES; ++k) {
            bool meets = true;
            for (int axis = 0; axis < 3; ++axis)
                meets &= a->min[axis][i] <= b->max[axis][k] && b->min[axis][k] <= a->max[axis][i];
            if (meets)
                pairs[count++] = (impi_LanePair)(i * IMPI_BLOCK_FACES + k);
        }
    return count;
}

static bool agrees(impi_FaceBoxesMeetFn meet, const impi_FaceBoxes *a, const impi_FaceBoxes *b)
{
    impi_LanePair got[MAX_LANE_PAIRS], want[MAX_LANE_PAIRS];
    size_t count = meet(a, b, got), wanted = brute_force_meet(a, b, want);
    return CHECK_INT(count, wanted) && CHECK(memcmp(got, want, count * sizeof *got) == 0);
}

static void check_kernels(const impi_FaceBoxes *a, const impi_FaceBoxes *b)
{
    agrees(impi_face_boxes_meet_portable, a, b);
    agrees(impi_face_boxes_meet(), a, b);
#if IMPI_CPU_VARIANTS
    if (impi_cpu_has_avx2())
        agrees(impi_face_boxes_meet_avx2, a, b);
    if (impi_cpu_has_avx512())
        agrees(impi_face_boxes_meet_avx512, a, b);
#endif
}

// Boxes on a small lattice often touch exactly; some reach to infinity, as those beyond the range of float
// do.
static float random_coordinate(bool on_lattice)
{
    if (test_random_below(64) == 0)
        return test_random_below(2) ? INFINITY : -INFINITY;
    return on_lattice ? (float)test_random_below(12) : (float)test_random_between(-1, 1);
}

static void random_boxes(impi_FaceBoxes *boxes, unsigned count, bool on_lattice)
{
    for (int axis = 0; axis < 3; ++axis) {
        boxes->whole[axis] = INFINITY;
        boxes->whole[3 + axis] = -INFINITY;
        for (unsigned i = 0; i < IMPI_BLOCK_FACES; ++i) {
            float low = random_coordinate(on_lattice), width = random_coordinate(on_lattice) / 2;
            float high = isfinite(width) ? low + fabsf(width) : low;
            boxes->min[axis][i] = i < count ? low : NAN;
            boxes->max[axis][i] = i < count ? high : NAN;
            if (i < count) {
                boxes->whole[axis] = fminf(boxes->whole[axis], low);
                boxes->whole[3 + axis] = fmaxf(boxes->whole[3 + axis], high);
            }
        }
    }
}

TEST(kernels_equal_brute_force)
{
    static const unsigned counts[] = {64, 1, 7, 8, 15, 16, 17, 63, 40};
    uint64_t count = test_count(2000), pairs = 0;
    impi_LanePair met[MAX_LANE_PAIRS];
    impi_FaceBoxes a, b;
    for (uint64_t i = 0; i < count; ++i) {
        bool on_lattice = i % 2;
        random_boxes(&a, counts[test_random_below(9)], on_lattice);
        random_boxes(&b, counts[test_random_below(9)], on_lattice);
        check_kernels(&a, &b);
        pairs += brute_force_meet(&a, &b, met);
    }
    printf("  %llu box pairs meet\n", (unsigned long long)pairs);
    CHECK(pairs > 5 * count && pairs < 2000 * count);
}

TEST(all_pairs_and_none)
{
    impi_FaceBoxes a, b;
    random_boxes(&a, 64, true);
    for (int axis = 0; axis < 3; ++axis)
        for (unsigned i = 0; i < IMPI_BLOCK_FACES; ++i) {
            a.min[axis][i] = a.whole[axis] = -1;
            a.max[axis][i] = a.whole[3 + axis] = 1;
        }
    b = a;
    check_kernels(&a, &b);
    impi_LanePair met[MAX_LANE_PAIRS];
    CHECK_INT(impi_face_boxes_meet()(&a, &b, met), MAX_LANE_PAIRS);
    for (unsigned i = 0; i < IMPI_BLOCK_FACES; ++i)
        b.min[2][i] = b.max[2][i] = b.whole[2] = b.whole[5] = nextafterf(1, 2);
    CHECK_INT(impi_face_boxes_meet()(&a, &b, met), 0);
    check_kernels(&a, &b);
}

static bool are_same_boxes(const impi_FaceBoxes *a, const impi_FaceBoxes *b)
{
    bool same = true;
    for (int axis = 0; axis < 3; ++axis) {
        same &= a->whole[axis] == b->whole[axis] && a->whole[3 + axis] == b->whole[3 + axis];
        for (unsigned i = 0; i < IMPI_BLOCK_FACES; ++i) {
            float low = a->min[axis][i], high = a->max[axis][i];
            same &= low == b->min[axis][i] || (isnan(low) && isnan(b->min[axis][i]));
            same &= high == b->max[axis][i] || (isnan(high) && isnan(b->max[axis][i]));
        }
    }
    return same;
}

static void bound(impi_FaceBoxesBoundFn kernel, const impi_FaceBlock *block,
                  float lows[3][IMPI_MAX_BLOCK_VERTICES], float highs[3][IMPI_MAX_BLOCK_VERTICES],
                  impi_FaceBoxes *boxes)
{
    for (int axis = 0; axis < 3; ++axis)
        kernel(boxes, block, axis, lows[axis], highs[axis]);
}

TEST(kernels_bound_alike)
{
    uint64_t count = test_count(2000);
    for (uint64_t i = 0; i < count; ++i) {
        float lows[3][IMPI_MAX_BLOCK_VERTICES], highs[3][IMPI_MAX_BLOCK_VERTICES];
        impi_FaceBlock block = {.vertex_count = (uint16_t)(1 + test_random_below(i % 3 ? 64 : 192)),
                                .face_count = (uint16_t)(1 + test_random_below(64))};
        bool are_points = i % 2;
        for (unsigned k = 0; k < 3 * IMPI_BLOCK_FACES; ++k)
            block.corners[k / IMPI_BLOCK_FACES][k % IMPI_BLOCK_FACES] =
                (uint8_t)test_random_below(block.vertex_count);
        for (unsigned k = 0; k < 3 * IMPI_MAX_BLOCK_VERTICES; ++k) {
            float low = random_coordinate(i % 5 == 0);
            lows[k / IMPI_MAX_BLOCK_VERTICES][k % IMPI_MAX_BLOCK_VERTICES] = low;
            highs[k / IMPI_MAX_BLOCK_VERTICES][k % IMPI_MAX_BLOCK_VERTICES] =
                low + (float)test_random_below(2);
        }
        impi_FaceBoxes want, got;
        bound(impi_face_boxes_bound_portable, &block, lows, are_points ? lows : highs, &want);
        bound(impi_face_boxes_bound(), &block, lows, are_points ? lows : highs, &got);
        CHECK(are_same_boxes(&want, &got));
#if IMPI_CPU_VARIANTS
        if (impi_cpu_has_avx2()) {
            bound(impi_face_boxes_bound_avx2, &block, lows, are_points ? lows : highs, &got);
            CHECK(are_same_boxes(&want, &got));
        }
#endif
        for (unsigned k = 0; k < block.face_count; ++k)
            for (int axis = 0; axis < 3; ++axis) {
                const float *low = lows[axis];
                float least = fminf(fminf(low[block.corners[0][k]], low[block.corners[1][k]]),
                                    low[block.corners[2][k]]);
                CHECK(want.min[axis][k] == least && want.whole[axis] <= least);
            }
    }
}

// In a frame, boxes only grow: what overlaps in double precision still does.
static void check_frame(const impi_FaceBlocks *blocks, const imp_Mesh *mesh, const impi_BoxFrame *frame)
{
    impi_FaceBoxes boxes;
    PosedFaces faces = posed_faces_make(mesh, NULL, &(imp_Pose){0});
    const impi_FaceBlock *block = &blocks->blocks[0];
    imp_Vec3 *vertices = malloc(blocks->vertex_count * sizeof *vertices);
    impi_BoxLanes *groups = aligned_alloc(64, impi_group_count(blocks->block_count) * sizeof *groups);
    impi_gather_blocks(blocks, imp_mesh_get_vertices(mesh), vertices, groups);
    free(groups);
    impi_face_boxes_fill(&boxes, &(impi_Surface){.blocks = blocks, .vertices = vertices}, 0, frame, 0);
    free(vertices);
    for (unsigned i = 0; i < IMPI_BLOCK_FACES; ++i) {
        if (i >= block->face_count) {
            CHECK(isnan(boxes.min[0][i]) && isnan(boxes.max[2][i]));
            continue;
        }
        CHECK(boxes.min[0][i] <= boxes.max[0][i] && boxes.whole[0] <= boxes.min[0][i] &&
              boxes.whole[5] >= boxes.max[2][i]);
        for (unsigned k = 0; k < block->face_count; ++k) {
            bool overlap = boxes_overlap(&faces.boxes[block->faces[i]], &faces.boxes[block->faces[k]]);
            bool meets = true;
            for (int axis = 0; axis < 3; ++axis)
                meets &= boxes.min[axis][i] <= boxes.max[axis][k] && boxes.min[axis][k] <= boxes.max[axis][i];
            CHECK(meets || !overlap);
        }
    }
    posed_faces_free(&faces);
}

TEST(boxes_that_overlap_still_do_in_any_frame)
{
    imp_Context *context = context_with_threads(1);
    const impi_BoxFrame frames[] = {
        {{0, 0, 0}, 1},         {{0.3, 0.1, 0.7}, 3},        {{1e10, 0, -1e10}, 1},   {{0, 0, 0}, 0x1p1000},
        {{0, 0, 0}, 0x1p-1070}, {{-1e308, 1e308, 0}, 1e200}, {{0.5, 0.5, 0.5}, 1e30}, {{0, 0, 0}, 1e-40}};
    for (uint32_t count = 1; count <= 64; count += 21) {
        imp_Mesh *mesh = NULL;
        impi_FaceBlocks blocks;
        CHECK_INT(scene_soup(context, count, 0.3, count, &mesh), IMP_STATUS_OK);
        CHECK_INT(impi_face_blocks_build(context, mesh, &blocks), IMP_STATUS_OK);
        for (size_t i = 0; i < sizeof frames / sizeof *frames; ++i)
            check_frame(&blocks, mesh, &frames[i]);
        impi_face_blocks_free(&context->allocator, &blocks);
        imp_mesh_release(mesh);
    }
    imp_context_destroy(context);
}
