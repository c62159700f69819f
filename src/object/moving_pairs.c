// Blocks of faces are found by boxes around their ways, less the drift of one of the two bodies, so that what
// moves together is compared as if it stood. Of those that meet, boxes that move tell from when to when they
// do. Within that time, or as much of it as is asked about, each face has a box in single precision around
// its way, which is short, and those that meet are compared once more as boxes that move.
#include "object/moving_pairs.h"

#include "object/block_pairs.h"
#include "object/face_boxes.h"
#include "shape/bounds.h"

#include <assert.h>
#include <float.h>
#include <string.h>

// ---- blocks

typedef struct Visit {
    const imp_Allocator *allocator;
    impi_MovingSearch *search;
    impi_MovingBlockPairs *pairs;
    size_t end; // of the pairs: enough for this time
    imp_Box ends_a[2];
    bool is_out_of_memory;
} Visit;

static imp_Box box_at(const impi_MovingSurface *surface, int end, uint32_t block)
{
    return impi_box_lanes_load(&surface->ends[end][block / IMPI_GROUP_SIZE], block % IMPI_GROUP_SIZE);
}

static bool add_block_pair(uint32_t block_b, const imp_Box *box, void *argument)
{
    Visit *visit = argument;
    const impi_MovingSearch *search = visit->search;
    impi_MovingBlockPairs *pairs = visit->pairs;
    (void)box;
    if (search->a == search->b && block_b < search->next_block)
        return true;
    imp_Box begin = box_at(search->b, 0, block_b), end = box_at(search->b, 1, block_b);
    impi_TimeSpan span = impi_boxes_meet_when(&visit->ends_a[0], &visit->ends_a[1], &begin, &end);
    if (!impi_time_spans_meet(&span, &search->when))
        return true;
    visit->is_out_of_memory =
        pairs->count == pairs->capacity &&
        !impi_array_reserve(visit->allocator, pairs, sizeof *pairs->data, pairs->count + 1);
    if (visit->is_out_of_memory)
        return false;
    pairs->data[pairs->count++] = (impi_MovingBlocks){search->next_block, block_b, span.first};
    return true;
}

static bool search_block(uint32_t block_a, const imp_Box *box, void *argument)
{
    Visit *visit = argument;
    impi_MovingSearch *search = visit->search;
    (void)box;
    if (block_a < search->next_block)
        return true;
    search->next_block = block_a;
    visit->ends_a[0] = box_at(search->a, 0, block_a);
    visit->ends_a[1] = box_at(search->a, 1, block_a);
    imp_Box way = impi_box_around_way(&visit->ends_a[0], &visit->ends_a[1], search->b->drift);
    if (visit->pairs->count >= visit->end ||
        !impi_block_tree_visit(&search->b->tree, &way, add_block_pair, visit))
        return false;
    search->next_block = block_a + 1;
    return true;
}

bool impi_moving_blocks_find(const imp_Allocator *allocator, impi_MovingSearch *search, size_t limit,
                             impi_MovingBlockPairs *pairs)
{
    size_t end = limit < SIZE_MAX - pairs->count ? pairs->count + limit : SIZE_MAX;
    Visit visit = {.allocator = allocator, .search = search, .pairs = pairs, .end = end};
    const imp_Box *ends = search->b->end_bounds;
    imp_Box way = impi_box_around_way(&ends[0], &ends[1], search->a->drift);
    if (impi_block_tree_visit(&search->a->tree, &way, search_block, &visit))
        search->next_block = (uint32_t)search->a->blocks->block_count;
    return !visit.is_out_of_memory;
}

static impi_TimeSpan blocks_meet_when(const impi_MovingSurface *a, const impi_MovingSurface *b,
                                      const impi_MovingBlocks *pair)
{
    return impi_boxes_meet_when(&a->boxes[0][pair->block_a], &a->boxes[1][pair->block_a],
                                &b->boxes[0][pair->block_b], &b->boxes[1][pair->block_b]);
}

size_t impi_moving_blocks_keep(const impi_MovingSurface *a, const impi_MovingSurface *b,
                               const impi_TimeSpan *when, impi_MovingBlocks *pairs, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; ++i) {
        impi_TimeSpan span = blocks_meet_when(a, b, &pairs[i]);
        pairs[kept] = (impi_MovingBlocks){pairs[i].block_a, pairs[i].block_b, span.first};
        kept += impi_time_spans_meet(&span, when);
    }
    return kept;
}

// Heap sort: in place, and never slow. Which of equal ones comes first makes no difference to any answer.
static void sift_down(impi_MovingBlocks *pairs, size_t root, size_t count)
{
    for (size_t child = 2 * root + 1; child < count; child = 2 * root + 1) {
        child += child + 1 < count && pairs[child + 1].first > pairs[child].first;
        if (pairs[root].first >= pairs[child].first)
            return;
        impi_MovingBlocks swapped = pairs[root];
        pairs[root] = pairs[child];
        pairs[child] = swapped;
        root = child;
    }
}

void impi_moving_blocks_sort(impi_MovingBlocks *pairs, size_t count)
{
    for (size_t i = count / 2; i-- > 0;)
        sift_down(pairs, i, count);
    for (size_t i = count; i-- > 1;) {
        impi_MovingBlocks last = pairs[i];
        pairs[i] = pairs[0];
        pairs[0] = last;
        sift_down(pairs, 0, i);
    }
}

// ---- boxes of faces

#define CACHE_SLOTS 64
#define NO_BLOCK    UINT32_MAX

// Boxes of the faces of a block within a span of time.
typedef struct CachedBoxes {
    uint32_t block;
    impi_TimeSpan when;
    impi_FaceBoxes boxes;
} CachedBoxes;

struct impi_MovingScratch {
    CachedBoxes boxes_a, boxes_b[CACHE_SLOTS];
    float points[2][2][3][IMPI_MAX_BLOCK_VERTICES]; // low and high, at both ends of a span
    impi_LanePair lane_pairs[IMPI_BLOCK_FACES * IMPI_BLOCK_FACES];
    impi_BlockFacePair candidates[IMPI_MAX_MOVING_CANDIDATES];
};

size_t impi_moving_scratch_size(void)
{
    return sizeof(impi_MovingScratch);
}

// In which boxes of faces are compared: a frame that drifts with the second body.
typedef struct DriftFrame {
    impi_BoxFrame frame;
    imp_Vec3 drift;
    double margin;   // not less than what coordinates at some time are off by
    bool is_too_far; // numbers are too large for sums of some of them
} DriftFrame;

static double largest_of(const imp_Box *box)
{
    double low = impi_larger(impi_larger(fabs(box->min.x), fabs(box->min.y)), fabs(box->min.z));
    double high = impi_larger(impi_larger(fabs(box->max.x), fabs(box->max.y)), fabs(box->max.z));
    return impi_larger(low, high);
}

// A coordinate at time t is b + t ((e - b) - d). With all numbers up to m, five roundings of what is at most
// 4 m are off by 16 m 2^-53 in all, and one more when the margin is taken off. During a moment it moves by no
// more than 3 m 2^-53.
static DriftFrame choose_frame(const impi_MovingRun *run)
{
    const imp_Vec3 drift = run->b->drift;
    imp_Box way_a = impi_box_around_way(&run->a->end_bounds[0], &run->a->end_bounds[1], drift);
    imp_Box way_b = impi_box_around_way(&run->b->end_bounds[0], &run->b->end_bounds[1], drift);
    double largest = impi_larger(impi_larger(fabs(drift.x), fabs(drift.y)), fabs(drift.z));
    for (int end = 0; end < 2; ++end)
        largest = impi_larger(impi_larger(largest_of(&run->a->end_bounds[end]), largest),
                              largest_of(&run->b->end_bounds[end]));
    return (DriftFrame){impi_choose_frame(&way_a, &way_b), drift, 0x1p-48 * largest + 8 * DBL_TRUE_MIN,
                        largest > 1e300};
}

// So short a time that boxes at its begin, with their margins, are good for all of it.
static bool is_moment(const impi_TimeSpan *when)
{
    return when->last - when->first <= 0x1p-53;
}

static float to_frame(double x, double origin, double scale)
{
    return (float)((x - origin) * scale);
}

static void map_vertices(const impi_MovingSurface *surface, const impi_FaceBlock *block,
                         const DriftFrame *frame, double t, float low[3][IMPI_MAX_BLOCK_VERTICES],
                         float high[3][IMPI_MAX_BLOCK_VERTICES])
{
    const double *begin = &surface->vertices[0][block->first_vertex].x;
    const double *end = &surface->vertices[1][block->first_vertex].x;
    const double drift[3] = {frame->drift.x, frame->drift.y, frame->drift.z};
    const double origin[3] = {frame->frame.origin.x, frame->frame.origin.y, frame->frame.origin.z};
    double margin = frame->margin, scale = frame->frame.scale;
    for (int axis = 0; axis < 3; ++axis)
        for (unsigned i = 0; i < block->vertex_count; ++i) {
            double from = begin[3 * i + (unsigned)axis], to = end[3 * i + (unsigned)axis];
            double x = from + t * ((to - from) - drift[axis]);
            low[axis][i] = to_frame(x - margin, origin[axis], scale);
            high[axis][i] = to_frame(x + margin, origin[axis], scale);
        }
}

static void fill_boxes(impi_MovingScratch *scratch, const impi_MovingSurface *surface, uint32_t number,
                       const DriftFrame *frame, const impi_TimeSpan *when, impi_FaceBoxes *boxes)
{
    const impi_FaceBlock *block = &surface->blocks->blocks[number];
    impi_FaceBoxesBoundFn bound = impi_face_boxes_bound();
    float(*low)[IMPI_MAX_BLOCK_VERTICES] = scratch->points[0][0];
    float(*high)[IMPI_MAX_BLOCK_VERTICES] = scratch->points[0][1];
    map_vertices(surface, block, frame, when->first, low, high);
    if (!is_moment(when)) {
        float(*end_low)[IMPI_MAX_BLOCK_VERTICES] = scratch->points[1][0];
        float(*end_high)[IMPI_MAX_BLOCK_VERTICES] = scratch->points[1][1];
        map_vertices(surface, block, frame, when->last, end_low, end_high);
        for (int axis = 0; axis < 3; ++axis)
            for (unsigned i = 0; i < block->vertex_count; ++i) {
                low[axis][i] = end_low[axis][i] < low[axis][i] ? end_low[axis][i] : low[axis][i];
                high[axis][i] = end_high[axis][i] > high[axis][i] ? end_high[axis][i] : high[axis][i];
            }
    }
    for (int axis = 0; axis < 3; ++axis)
        bound(boxes, block, axis, low[axis], high[axis]);
}

static const impi_FaceBoxes *have_boxes(impi_MovingScratch *scratch, const impi_MovingSurface *surface,
                                        uint32_t block, const DriftFrame *frame, const impi_TimeSpan *when,
                                        CachedBoxes *cached)
{
    if (cached->block != block || cached->when.first != when->first || cached->when.last != when->last) {
        fill_boxes(scratch, surface, block, frame, when, &cached->boxes);
        cached->block = block;
        cached->when = *when;
    }
    return &cached->boxes;
}

// ---- faces

// Boxes of a face where its way begins and where it ends.
static void bound_face(const impi_MovingSurface *surface, impi_BlockFace face, imp_Box ends[2])
{
    size_t corners[3];
    impi_moving_corners(surface, face, corners);
    for (int end = 0; end < 2; ++end) {
        const imp_Vec3 *v = surface->vertices[end];
        ends[end] = (imp_Box){v[corners[0]], v[corners[0]]};
        impi_box_add(&ends[end], &v[corners[1]]);
        impi_box_add(&ends[end], &v[corners[2]]);
    }
}

static bool faces_meet(const impi_MovingRun *run, const impi_BlockFacePair *faces, const impi_TimeSpan *when)
{
    imp_Box a[2], b[2];
    bound_face(run->a, faces->a, a);
    bound_face(run->b, faces->b, b);
    impi_TimeSpan span = impi_boxes_meet_when(&a[0], &a[1], &b[0], &b[1]);
    return impi_time_spans_meet(&span, when);
}

static size_t list_all_lanes(const impi_FaceBlock *a, const impi_FaceBlock *b, impi_LanePair *pairs)
{
    size_t count = 0;
    for (unsigned i = 0; i < a->face_count; ++i)
        for (unsigned k = 0; k < b->face_count; ++k)
            pairs[count++] = (impi_LanePair)(i * IMPI_BLOCK_FACES + k);
    return count;
}

// What is asked about, as far as the two blocks meet then.
static impi_TimeSpan span_of(const impi_MovingRun *run, const impi_MovingBlocks *pair, impi_TimeSpan asked)
{
    if (is_moment(&asked))
        return asked;
    impi_TimeSpan span = blocks_meet_when(run->a, run->b, pair);
    span = (impi_TimeSpan){impi_larger(span.first, asked.first), impi_smaller(span.last, asked.last)};
    // Boxes of faces are kept for the next pair of blocks while the time is the same.
    bool is_most = span.last - span.first > 0.5 * (asked.last - asked.first);
    return is_most ? asked : span;
}

static size_t find_lanes(const impi_MovingRun *run, impi_MovingScratch *scratch, const DriftFrame *frame,
                         const impi_MovingBlocks *pair, const impi_TimeSpan *when)
{
    if (frame->is_too_far)
        return list_all_lanes(&run->a->blocks->blocks[pair->block_a], &run->b->blocks->blocks[pair->block_b],
                              scratch->lane_pairs);
    const impi_FaceBoxes *a = have_boxes(scratch, run->a, pair->block_a, frame, when, &scratch->boxes_a);
    const impi_FaceBoxes *b = have_boxes(scratch, run->b, pair->block_b, frame, when,
                                         &scratch->boxes_b[pair->block_b % CACHE_SLOTS]);
    return impi_face_boxes_meet()(a, b, scratch->lane_pairs);
}

// Those of the lanes that meet; of a single moment their boxes tell. Of one and the same block each pair
// comes twice, and each face with itself.
static size_t add_candidates(const impi_MovingRun *run, impi_MovingScratch *scratch,
                             const impi_MovingBlocks *pair, size_t lane_count, const impi_TimeSpan *when,
                             size_t count)
{
    bool is_same_block = run->a == run->b && pair->block_a == pair->block_b, is_told = is_moment(when);
    for (size_t i = 0; i < lane_count; ++i) {
        unsigned lane_a = scratch->lane_pairs[i] / IMPI_BLOCK_FACES,
                 lane_b = scratch->lane_pairs[i] % IMPI_BLOCK_FACES;
        impi_BlockFacePair faces = {impi_block_face(pair->block_a, lane_a),
                                    impi_block_face(pair->block_b, lane_b)};
        scratch->candidates[count] = faces;
        count += !(is_same_block && lane_a >= lane_b) && (is_told || faces_meet(run, &faces, when));
    }
    return count;
}

static impi_TimeSpan asked_now(const impi_MovingRun *run)
{
    impi_TimeSpan asked = run->when;
    if (run->until)
        asked.last = impi_smaller(impi_first_time_get(run->until), asked.last);
    return asked;
}

void impi_moving_faces_find(const impi_MovingRun *run, impi_MovingScratch *scratch, impi_MovingFoundFn found,
                            void *argument)
{
    const DriftFrame frame = choose_frame(run);
    size_t count = 0;
    assert(run->lot > 0 && run->lot <= IMPI_MAX_MOVING_LOT);
    scratch->boxes_a.block = NO_BLOCK;
    for (int i = 0; i < CACHE_SLOTS; ++i)
        scratch->boxes_b[i].block = NO_BLOCK;
    for (size_t i = 0; i < run->count; ++i) {
        impi_TimeSpan asked = asked_now(run), when = span_of(run, &run->pairs[i], asked);
        if (run->pairs[i].first > asked.last || when.first > when.last)
            continue;
        size_t lanes = find_lanes(run, scratch, &frame, &run->pairs[i], &when);
        count = add_candidates(run, scratch, &run->pairs[i], lanes, &asked, count);
        if (count >= run->lot) {
            if (!found(scratch->candidates, count, argument))
                return;
            count = 0;
        }
    }
    if (count > 0)
        found(scratch->candidates, count, argument);
}
