// Pairs of blocks whose boxes meet in the world are looked at again in the frames of both bodies, where boxes
// of turned parts are tighter; what is left is tried one after the other, beginning with blocks that overlap
// most, since bodies that touch mostly do so there.
//
// Cost: where bodies touch, that of one or two pairs of blocks; where they are apart, boxes of blocks in two
// more frames, and the faces of those few blocks that no frame tells apart.
#include "object/surface_touch.h"

#include "geom/pose.h"
#include "geom/scalar.h"
#include "geom/touch.h"
#include "object/box_distance.h"
#include "object/distance_frame.h"
#include "object/posed_surface.h"

#include <math.h>
#include <string.h>

// So many pairs of blocks are tried alone, then so many in one go: those share boxes of faces.
#define PAIRS_ALONE   4
#define PAIRS_AT_ONCE 16

// Where one touching pair of faces is enough, so many candidates are looked at in one go.
#define CANDIDATES_AT_ONCE 64

// Beyond these sizes of coordinates, as powers of two, frames are not looked at: they might overflow.
#define MAX_FRAME_EXPONENT 500

#define MAX_GROUPS (IMPI_MAX_TOUCH_BLOCKS / IMPI_GROUP_SIZE)

bool impi_surfaces_touch_takes(const impi_FilterRun *run, const impi_PairWork *pair)
{
    return pair->hint && !pair->wants_faces && run->margin == 0 && !pair->a->end && !pair->b->end &&
           pair->a->blocks->blocks.block_count <= IMPI_MAX_TOUCH_BLOCKS &&
           pair->b->blocks->blocks.block_count <= IMPI_MAX_TOUCH_BLOCKS;
}

// ---- block pairs

// Boxes of blocks in the frame of another body.
typedef struct Frame {
    bool is_known;
    impi_BoxLanes boxes[MAX_GROUPS];
} Frame;

// The blocks of `body` in the frame of `home`, whose own boxes are as the mesh has them. The frame makes of
// posed vertices what they were, all but for rounding, which is less than what boxes are widened by: twice
// IMPI_FRAME_ERROR for the two bodies, and as much again for rows that are not quite upright on each other.
static imp_Status fill_frame(imp_Context *context, const impi_Body *body, const impi_Body *home, Frame *frame)
{
    int exponent = impi_distance_frame_exponent(body, home);
    const impi_OrientedLanes *oriented;
    frame->is_known = false;
    if (body->is_deformed || exponent > MAX_FRAME_EXPONENT || exponent < -MAX_FRAME_EXPONENT)
        return IMP_STATUS_OK;
    imp_Status status = impi_mesh_oriented_boxes(context, impi_body_surface(body), &oriented);
    if (status != IMP_STATUS_OK)
        return status;
    impi_DistanceFrame at_home = {.origin = home->transform.translation, .scale = 1};
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k)
            at_home.rows[i][k] = home->transform.rows[k][i];
    imp_Transform to_home = impi_distance_frame_transform(&at_home, &body->transform);
    impi_box_distance()->pose_boxes(oriented, &to_home, ldexp(4 * IMPI_FRAME_ERROR, exponent),
                                    impi_group_count(body->blocks->blocks.block_count), frame->boxes);
    frame->is_known = true;
    return IMP_STATUS_OK;
}

// How far two boxes overlap, along the axis where they do least; negative where they don't.
static double overlap_of(const impi_BoxLanes *lanes_a, uint32_t a, const impi_BoxLanes *lanes_b, uint32_t b)
{
    const impi_BoxLanes *group_a = &lanes_a[a / IMPI_GROUP_SIZE], *group_b = &lanes_b[b / IMPI_GROUP_SIZE];
    unsigned i = a % IMPI_GROUP_SIZE, k = b % IMPI_GROUP_SIZE;
    double least = INFINITY;
    for (int axis = 0; axis < 3; ++axis) {
        double high = impi_smaller(group_a->max[axis][i], group_b->max[axis][k]);
        double low = impi_larger(group_a->min[axis][i], group_b->min[axis][k]);
        least = impi_smaller(high - low, least);
    }
    return least;
}

// The pairs that overlap most come first, the others behind them in order.
static void add_pair(impi_BlockPairs *pairs, double best[PAIRS_ALONE], impi_BlockPair pair, double overlap)
{
    size_t at = pairs->count++;
    if (at >= PAIRS_ALONE) {
        if (overlap <= best[PAIRS_ALONE - 1]) {
            pairs->data[at] = pair;
            return;
        }
        pairs->data[at] = pairs->data[PAIRS_ALONE - 1];
        at = PAIRS_ALONE - 1;
    }
    for (; at > 0 && best[at - 1] < overlap; --at) {
        best[at] = best[at - 1];
        pairs->data[at] = pairs->data[at - 1];
    }
    best[at] = overlap;
    pairs->data[at] = pair;
}

// Keep the block pairs that meet in both frames.
static void choose_pairs(const impi_Body *a, const impi_Body *b, const Frame frames[2],
                         impi_BlockPairs *pairs)
{
    const impi_BoxLanes *boxes_a = impi_surface_of(a)->tree.levels[0];
    const impi_BoxLanes *boxes_b = impi_surface_of(b)->tree.levels[0];
    double best[PAIRS_ALONE] = {0};
    size_t count = pairs->count;
    pairs->count = 0;
    for (size_t i = 0; i < count; ++i) {
        impi_BlockPair pair = pairs->data[i];
        double overlap = overlap_of(boxes_a, pair.block_a, boxes_b, pair.block_b);
        if (frames[0].is_known)
            overlap = impi_smaller(
                overlap, overlap_of(impi_body_boxes(a), pair.block_a, frames[0].boxes, pair.block_b));
        if (frames[1].is_known && overlap >= 0)
            overlap = impi_smaller(
                overlap, overlap_of(frames[1].boxes, pair.block_a, impi_body_boxes(b), pair.block_b));
        if (overlap >= 0)
            add_pair(pairs, best, pair, overlap);
    }
}

static void pose_blocks(impi_Body *a, impi_Body *b, const impi_BlockPair *pairs, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        if (!impi_block_is_posed(a, pairs[i].block_a))
            impi_block_pose(a, pairs[i].block_a);
        if (!impi_block_is_posed(b, pairs[i].block_b))
            impi_block_pose(b, pairs[i].block_b);
    }
}

// ---- faces

typedef struct Search {
    const impi_FilterRun *run;
    const impi_PairWork *pair;
    impi_FaceKey *touching;
    bool is_found;
} Search;

// Remember which of the candidates it was.
static void keep_hint(const impi_PairWork *pair, const impi_BlockFacePair *candidates, size_t count,
                      impi_FaceKey key)
{
    const impi_Surface *a = impi_surface_of(pair->a), *b = impi_surface_of(pair->b);
    for (size_t i = 0; i < count; ++i)
        if (impi_face_key(impi_face_number(a, candidates[i].a), impi_face_number(b, candidates[i].b)) == key)
            *pair->hint = (impi_TouchHint){true, candidates[i].a, candidates[i].b};
}

static bool find_touch(const impi_BlockFacePair *candidates, size_t count, void *argument)
{
    Search *search = argument;
    const impi_Surface *a = impi_surface_of(search->pair->a), *b = impi_surface_of(search->pair->b);
    for (size_t done = 0; done < count && !search->is_found; done += CANDIDATES_AT_ONCE) {
        size_t here = count - done < CANDIDATES_AT_ONCE ? count - done : CANDIDATES_AT_ONCE;
        search->is_found = search->run->feature(a, b, candidates + done, here, 0, search->touching) > 0;
        if (search->is_found)
            keep_hint(search->pair, candidates + done, here, search->touching[0]);
    }
    return !search->is_found;
}

static impi_TouchVerdict try_pairs(Search *search, impi_BlockPairsScratch *scratch,
                                   const impi_BlockPairs *pairs)
{
    const impi_PairWork *pair = search->pair;
    const impi_Surface *a = impi_surface_of(pair->a), *b = impi_surface_of(pair->b);
    for (size_t done = 0, step; done < pairs->count && !search->is_found; done += step) {
        impi_BlockPair *here = pairs->data + done;
        size_t left = pairs->count - done;
        step = done < PAIRS_ALONE ? 1 : left < PAIRS_AT_ONCE ? left : PAIRS_AT_ONCE;
        if (impi_budget_is_over(search->run->budget))
            return IMPI_TOUCH_CUT_SHORT;
        pose_blocks(pair->a, pair->b, here, step);
        impi_BlockPairRun run = {a, b, 0, here, impi_block_pairs_keep_meeting(a, b, 0, here, step)};
        if (run.count > 0)
            impi_block_pairs_find_faces(&run, scratch, find_touch, search);
    }
    return search->is_found ? IMPI_TOUCH_FOUND : IMPI_TOUCH_NONE;
}

static imp_Status search_faces(const impi_FilterRun *run, const impi_PairWork *pair,
                               const impi_BlockPairs *pairs, impi_TouchVerdict *verdict)
{
    impi_Arena *arena = impi_scratch_pool_take(run->scratch);
    if (!arena)
        return impi_fail_out_of_memory(run->context);
    impi_BlockPairsScratch *scratch = impi_arena_allocate(arena, impi_block_pairs_scratch_size());
    Search search = {run, pair, impi_arena_allocate(arena, IMPI_MAX_CANDIDATES * sizeof(impi_FaceKey)),
                     false};
    bool has_memory = scratch && search.touching;
    if (has_memory)
        *verdict = try_pairs(&search, scratch, pairs);
    impi_scratch_pool_give_back(run->scratch, arena);
    return has_memory ? IMP_STATUS_OK : impi_fail_out_of_memory(run->context);
}

imp_Status impi_surfaces_touch(const impi_FilterRun *run, const impi_PairWork *pair, impi_BlockPairs *pairs,
                               impi_TouchVerdict *verdict)
{
    impi_BlockSearch blocks = {impi_surface_of(pair->a), impi_surface_of(pair->b), 0, 0};
    *verdict = IMPI_TOUCH_FOUND;
    if (impi_hint_try(pair->hint, pair->a, pair->b) == IMPI_HINT_TOUCHES)
        return IMP_STATUS_OK;
    *verdict = IMPI_TOUCH_NONE;
    pairs->count = 0;
    if (!impi_block_pairs_find(&run->context->allocator, &blocks, SIZE_MAX, pairs))
        return impi_fail_out_of_memory(run->context);
    if (pairs->count == 0)
        return IMP_STATUS_OK;
    Frame frames[2];
    imp_Status status = fill_frame(run->context, pair->b, pair->a, &frames[0]);
    if (status == IMP_STATUS_OK)
        status = fill_frame(run->context, pair->a, pair->b, &frames[1]);
    if (status != IMP_STATUS_OK)
        return status;
    choose_pairs(pair->a, pair->b, frames, pairs);
    return pairs->count > 0 ? search_faces(run, pair, pairs, verdict) : IMP_STATUS_OK;
}
