// Smith & Kitamura 1994, section 3.3: faces near the overlap region of two bounding boxes are sorted into
// space, and faces that share a cell are paired. No hierarchy is stored or refitted for bodies that move or
// deform.
//
// Departs from the paper, which stays available as impi_smith_octree_*:
// - One subdivision per body pair instead of one for the world, with bounds relative to the pair, so that a
//   small body far from the world's origin has bounds as sharp as any other.
// - The paper's cells become blocks: faces are grouped once per mesh (face_blocks.h), and what moves is the
//   blocks' boxes. A face is in exactly one block, so each pair is found exactly once, with no list of
//   pairs already seen, and the resolution follows the faces' density rather than a level the caller picks.
// - Faces are culled by their boxes, not by an exact triangle-box test: six comparisons on sixteen lanes
//   cost less than what the exact test would spare.
//
// Cost: a visit per vertex and block for the boxes of blocks (surface.h), n log n in blocks for their pairs,
// and about a nanosecond per face and block pair.
#include "object/block_pairs.h"

#include "geom/scalar.h"
#include "object/face_boxes.h"
#include "shape/bounds.h"

#include <assert.h>
#include <math.h>
#include <string.h>

typedef struct BlockVisit {
    const imp_Allocator *allocator;
    impi_BlockSearch *search;
    impi_BlockPairs *pairs;
    size_t end; // of the pairs: enough for this time
    bool is_out_of_memory;
} BlockVisit;

static bool add_block_pair(uint32_t block_b, const imp_Box *box, void *argument)
{
    BlockVisit *visit = argument;
    impi_BlockPairs *pairs = visit->pairs;
    (void)box;
    visit->is_out_of_memory =
        pairs->count == pairs->capacity &&
        !impi_array_reserve(visit->allocator, pairs, sizeof *pairs->data, pairs->count + 1);
    if (visit->is_out_of_memory)
        return false;
    pairs->data[pairs->count++] = (impi_BlockPair){visit->search->next_block, block_b};
    return true;
}

static bool search_block(uint32_t block_a, const imp_Box *box, void *argument)
{
    BlockVisit *visit = argument;
    impi_BlockSearch *search = visit->search;
    if (block_a < search->next_block)
        return true;
    imp_Box near = impi_box_widen(box, search->margin);
    search->next_block = block_a;
    if (visit->pairs->count >= visit->end ||
        !impi_block_tree_visit(&search->b->tree, &near, add_block_pair, visit))
        return false;
    search->next_block = block_a + 1;
    return true;
}

bool impi_block_pairs_find(const imp_Allocator *allocator, impi_BlockSearch *search, size_t limit,
                           impi_BlockPairs *pairs)
{
    size_t end = limit < SIZE_MAX - pairs->count ? pairs->count + limit : SIZE_MAX;
    BlockVisit visit = {allocator, search, pairs, end, false};
    imp_Box near = impi_box_widen(&search->b->bounds, search->margin);
    if (impi_block_tree_visit(&search->a->tree, &near, search_block, &visit))
        search->next_block = (uint32_t)search->a->blocks->block_count;
    return !visit.is_out_of_memory;
}

size_t impi_block_pairs_keep_meeting(const impi_Surface *a, const impi_Surface *b, double margin,
                                     impi_BlockPair *pairs, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; ++i) {
        imp_Box near = impi_box_widen(&a->boxes[pairs[i].block_a], margin);
        pairs[kept] = pairs[i];
        kept += impi_boxes_meet(&near, &b->boxes[pairs[i].block_b]);
    }
    return kept;
}

// Face boxes of the block of `a` at hand, and of the blocks of `b` met lately: neighbours in the list of
// block pairs share most of them.
#define CACHE_SLOTS 64
#define NO_BLOCK    UINT32_MAX

struct impi_BlockPairsScratch {
    impi_FaceBoxes boxes_a;
    impi_FaceBoxes boxes_b[CACHE_SLOTS];
    uint32_t cached_b[CACHE_SLOTS];
    impi_LanePair lane_pairs[IMPI_MAX_BLOCK_FACE_PAIRS];
    impi_BlockFacePair candidates[IMPI_MAX_CANDIDATES];
};

size_t impi_block_pairs_scratch_size(void)
{
    return sizeof(impi_BlockPairsScratch);
}

// Halves first: sums and widths overflow for boxes as wide as the range of double.
static double half_width(const imp_Box *box)
{
    double x = 0.5 * box->max.x - 0.5 * box->min.x, y = 0.5 * box->max.y - 0.5 * box->min.y,
           z = 0.5 * box->max.z - 0.5 * box->min.z;
    return impi_larger(impi_larger(x, y), z);
}

static double overlap_middle(double min_a, double max_a, double min_b, double max_b)
{
    return 0.5 * impi_larger(min_a, min_b) + 0.5 * impi_smaller(max_a, max_b);
}

// Up to what subnormals would need; a point needs none.
static double scale_for(double width)
{
    return width >= 0x1p-1022 ? 1 / width : width > 0 ? 0x1p1022 : 1;
}

// Centred on the overlap region and scaled so that the smaller body has about unit size.
impi_BoxFrame impi_choose_frame(const imp_Box *a, const imp_Box *b)
{
    double width = impi_smaller(half_width(a), half_width(b));
    impi_BoxFrame frame = {{overlap_middle(a->min.x, a->max.x, b->min.x, b->max.x),
                            overlap_middle(a->min.y, a->max.y, b->min.y, b->max.y),
                            overlap_middle(a->min.z, a->max.z, b->min.z, b->max.z)},
                           scale_for(width)};
    return frame;
}

static const impi_FaceBoxes *cached_boxes(impi_BlockPairsScratch *scratch, const impi_Surface *b,
                                          uint32_t block, const impi_BoxFrame *frame)
{
    uint32_t slot = block % CACHE_SLOTS;
    if (scratch->cached_b[slot] != block) {
        impi_face_boxes_fill(&scratch->boxes_b[slot], b, block, frame, 0);
        scratch->cached_b[slot] = block;
    }
    return &scratch->boxes_b[slot];
}

static size_t name_faces(const impi_BlockPair *blocks, const impi_LanePair *pairs, size_t count,
                         impi_BlockFacePair *out)
{
    for (size_t i = 0; i < count; ++i)
        out[i] = (impi_BlockFacePair){impi_block_face(blocks->block_a, pairs[i] / IMPI_BLOCK_FACES),
                                      impi_block_face(blocks->block_b, pairs[i] % IMPI_BLOCK_FACES)};
    return count;
}

void impi_block_pairs_find_faces(const impi_BlockPairRun *run, impi_BlockPairsScratch *scratch,
                                 impi_CandidatesFn found, void *argument)
{
    assert(run->count <= IMPI_MAX_BLOCK_PAIRS && run->margin >= 0);
    impi_FaceBoxesMeetFn meet = impi_face_boxes_meet();
    impi_BoxFrame frame = impi_choose_frame(&run->a->bounds, &run->b->bounds);
    uint32_t block_a = NO_BLOCK;
    size_t candidate_count = 0;
    memset(scratch->cached_b, 0xFF, sizeof scratch->cached_b);
    for (size_t i = 0; i < run->count; ++i) {
        if (run->pairs[i].block_a != block_a) {
            block_a = run->pairs[i].block_a;
            impi_face_boxes_fill(&scratch->boxes_a, run->a, block_a, &frame, run->margin);
        }
        const impi_FaceBoxes *boxes_b = cached_boxes(scratch, run->b, run->pairs[i].block_b, &frame);
        size_t met = meet(&scratch->boxes_a, boxes_b, scratch->lane_pairs);
        candidate_count +=
            name_faces(&run->pairs[i], scratch->lane_pairs, met, scratch->candidates + candidate_count);
        if (candidate_count > IMPI_MAX_CANDIDATES - IMPI_MAX_BLOCK_FACE_PAIRS) {
            if (!found(scratch->candidates, candidate_count, argument))
                return;
            candidate_count = 0;
        }
    }
    if (candidate_count)
        found(scratch->candidates, candidate_count, argument);
}
