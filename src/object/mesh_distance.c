// Branch and bound over blocks of faces, nearest first.
//
// 1. A first bound: the closest faces of the last time; without them, vertices found by going back and forth
//    between the surfaces, each time to the nearest one.
// 2. A frame that looks along the way which that bound belongs to. All blocks get boxes in it.
// 3. Block pairs whose boxes are nearer than the bound, in the order of their distances; faces of these, by
//    boxes in single precision; triangles of these, eight at a time. Each may lower the bound.
// 4. Whatever pair of triangles may be closest, by its lower bound, is measured in exact arithmetic, and the
//    best one is the answer.
//
// Only pairs that are proven to be farther apart than an upper bound are left out, and the exact measure of
// the rest depends on nothing but the triangles. So neither the first bound nor the order of the search can
// change a bit of the answer.
#include "object/mesh_distance.h"

#include "base/radix_sort.h"
#include "geom/pose.h"
#include "geom/scalar.h"
#include "geom/triangle_closest.h"
#include "geom/triangle_distance.h"
#include "geom/vector.h"
#include "object/box_distance.h"
#include "object/distance_frame.h"
#include "shape/surface.h"

#include <assert.h>
#include <float.h>

#define POSED_BLOCKS    128  // of each body that are at hand
#define MAX_BLOCK_PAIRS 4096 // that are found before they are worked on
#define MAX_NEAR_PAIRS  1024 // of triangles that wait for the exact measure
#define ALL_FACE_PAIRS  ((size_t)IMPI_BLOCK_FACES * IMPI_BLOCK_FACES)
#define SEED_STEPS      6
#define FEW_KEYS        48 // are sorted by insertion

// A hint whose faces are this much farther apart than they were is a bad one: the bodies have jumped.
#define HINT_GROWTH 1.25

// Where nothing counts that is farther than this part of the bodies' sizes, no first bound is looked for.
#define SMALL_STOP 0.125

// Where more block pairs are found than this, the nearest few are probed first, for a better bound and a
// better way: if the bound falls below this part of itself, or the way leaves the frame's by more than this
// cosine, all are found again, this many times at most.
#define MANY_BLOCK_PAIRS   128
#define PROBED_BLOCK_PAIRS 12
#define PROBED_FACE_PAIRS  16
#define MANY_FACE_PAIRS    48
#define BOUND_PART         0.95
#define LEAST_COSINE       0.97
#define MAX_TURNS          2

#define NO_BLOCK UINT32_MAX

typedef struct PosedBlock {
    impi_FaceBoxes boxes; // in the frame
    impi_FramePoints points;
    imp_Vec3 vertices[IMPI_MAX_BLOCK_VERTICES];
    uint32_t number;
    uint32_t points_frame, boxes_frame; // that points and boxes were made for
} PosedBlock;

typedef struct Side {
    const impi_Body *body;
    const impi_OrientedLanes *oriented;
    impi_BlockTree tree; // boxes in the frame
    PosedBlock *posed;   // block n is in n % POSED_BLOCKS, if anywhere
} Side;

typedef struct BlockPair {
    uint32_t a, b;
} BlockPair;

// Two faces that may be the closest.
typedef struct NearPair {
    impi_BlockFace a, b;
    double lower;
} NearPair;

typedef struct Winner {
    bool is_set;
    imp_Distance distance;
    impi_BlockFace a, b;
} Winner;

typedef struct Search {
    Side sides[2];
    const impi_SurfaceAsk *ask;
    const impi_BoxDistance *boxes;
    const impi_TriangleDistance *triangles;
    int exponent; // of the frame's scale
    impi_DistanceFrame frame;
    uint32_t frame_number;
    int turn_count;       // how often the frame has followed the way
    bool is_turning;      // all block pairs are to be found again, in a better frame
    double bound;         // the distance is not more, or more than what is asked for
    bool is_bound_proven; // it is the former
    imp_Vec3 way, origin; // of the bound: from a to b, and where it begins
    bool may_touch;       // some of the near pairs do, as far as doubles can tell
    bool is_over;
    impi_NearKey *keys, *spare_keys; // numbers are positions in block_pairs
    BlockPair *block_pairs;
    size_t block_pair_count;
    impi_NearKey *face_keys, *spare_face_keys;
    impi_FaceBoxes *local_boxes; // of the two blocks at hand, in a frame of their own
    impi_FramePoints *local_points;
    uint64_t near_faces[IMPI_BLOCK_FACES]; // likewise, see impi_BoxDistance
    NearPair *near;
    size_t near_count;
    Winner winner;
} Search;

static bool is_ending(const Search *search)
{
    return search->is_over || search->is_turning;
}

// ---- blocks

static const impi_FaceBlock *block_of(const Side *side, uint32_t number)
{
    return &side->body->blocks->blocks.blocks[number];
}

static PosedBlock *pose_block(Side *side, uint32_t number)
{
    PosedBlock *posed = &side->posed[number % POSED_BLOCKS];
    if (posed->number != number) {
        const impi_FaceBlock *block = block_of(side, number);
        impi_transform_apply_many(&side->body->transform,
                                  impi_body_vertices(side->body) + block->first_vertex, block->vertex_count,
                                  posed->vertices);
        posed->number = number;
        posed->points_frame = posed->boxes_frame = 0;
    }
    return posed;
}

static PosedBlock *map_block(Search *search, int side, uint32_t number)
{
    PosedBlock *posed = pose_block(&search->sides[side], number);
    if (posed->points_frame != search->frame_number) {
        impi_distance_frame_points(&search->frame, posed->vertices,
                                   block_of(&search->sides[side], number)->vertex_count, &posed->points);
        posed->points_frame = search->frame_number;
    }
    return posed;
}

static void box_faces(Search *search, int side, PosedBlock *posed)
{
    if (posed->boxes_frame == search->frame_number)
        return;
    impi_face_boxes_of_points(&posed->boxes, block_of(&search->sides[side], posed->number),
                              posed->points.points);
    posed->boxes_frame = search->frame_number;
}

static imp_Triangle pose_face(const Side *side, impi_BlockFace face)
{
    const impi_FaceBlock *block = block_of(side, face / IMPI_BLOCK_FACES);
    const imp_Vec3 *vertices = impi_body_vertices(side->body) + block->first_vertex;
    imp_Triangle triangle;
    for (int i = 0; i < 3; ++i)
        triangle.v[i] =
            impi_pose_vertex(&side->body->transform, &vertices[block->corners[i][face % IMPI_BLOCK_FACES]]);
    return triangle;
}

static uint32_t face_number(const Side *side, impi_BlockFace face)
{
    return block_of(side, face / IMPI_BLOCK_FACES)->faces[face % IMPI_BLOCK_FACES];
}

static void set_frame(Search *search)
{
    search->frame = impi_distance_frame(search->way, search->origin, search->exponent);
    ++search->frame_number;
    for (int i = 0; i < 2; ++i)
        impi_distance_frame_boxes(&search->frame, search->sides[i].oriented,
                                  &search->sides[i].body->transform, &search->sides[i].tree);
}

// ---- the exact measure

// Faces of the least numbers, whichever body they are of, so that exchanging the bodies exchanges the
// answers.
typedef struct FaceOrder {
    uint32_t low, high;
} FaceOrder;

static FaceOrder face_order(uint32_t a, uint32_t b)
{
    return a < b ? (FaceOrder){a, b} : (FaceOrder){b, a};
}

// -1, 0, 1: the first is before the second, neither is before the other, it is behind it.
static int compare_orders(FaceOrder one, FaceOrder other)
{
    if (one.low != other.low)
        return one.low < other.low ? -1 : 1;
    return (one.high > other.high) - (one.high < other.high);
}

static FaceOrder winner_order(const Winner *winner)
{
    return face_order(winner->distance.a.face, winner->distance.b.face);
}

// Of distances that round up to the same double, the one that also rounds down to it is the largest. Two
// pairs that differ only in which body has which face go by where they are.
static bool is_better(const Winner *one, const Winner *other)
{
    if (one->distance.distance != other->distance.distance)
        return one->distance.distance < other->distance.distance;
    if (one->distance.lower_bound != other->distance.lower_bound)
        return one->distance.lower_bound < other->distance.lower_bound;
    int order = compare_orders(winner_order(one), winner_order(other));
    if (order != 0)
        return order < 0;
    imp_Vec3 one_sum = impi_add_scaled(one->distance.a.position, 1, one->distance.b.position);
    imp_Vec3 other_sum = impi_add_scaled(other->distance.a.position, 1, other->distance.b.position);
    if (!impi_is_equal(&one_sum, &other_sum))
        return impi_is_before(&one_sum, &other_sum);
    return one->distance.a.face < other->distance.a.face;
}

static bool has_touched(const Search *search)
{
    return search->winner.is_set && search->winner.distance.distance == 0;
}

// Once faces are known to touch, only those of lesser numbers can be better.
static bool can_win(const Search *search, impi_BlockFace a, impi_BlockFace b)
{
    return !has_touched(search) ||
           compare_orders(face_order(face_number(&search->sides[0], a), face_number(&search->sides[1], b)),
                          winner_order(&search->winner)) <= 0;
}

static void measure_exactly(Search *search, const NearPair *pair)
{
    imp_Triangle a = pose_face(&search->sides[0], pair->a), b = pose_face(&search->sides[1], pair->b);
    Winner next = {.is_set = true, .a = pair->a, .b = pair->b};
    impi_triangles_closest(&a, &b, &next.distance);
    next.distance.a.face = face_number(&search->sides[0], pair->a);
    next.distance.b.face = face_number(&search->sides[1], pair->b);
    if (!search->winner.is_set || is_better(&next, &search->winner))
        search->winner = next;
    if (next.distance.distance < search->bound) {
        search->bound = next.distance.distance;
        search->is_bound_proven = true;
    }
}

static void note_what_is_over(Search *search)
{
    bool is_near =
        search->ask->stop_below > 0 && search->is_bound_proven && search->bound <= search->ask->stop_below;
    search->is_over |= is_near || impi_budget_is_over(search->ask->budget);
}

static void drop_near(Search *search)
{
    search->near_count = 0;
    search->may_touch = false;
}

static void settle(Search *search)
{
    for (size_t i = 0; i < search->near_count && !search->is_over; ++i) {
        if (search->near[i].lower <= search->bound && can_win(search, search->near[i].a, search->near[i].b))
            measure_exactly(search, &search->near[i]);
        note_what_is_over(search);
    }
    drop_near(search);
}

static void add_near(Search *search, NearPair pair)
{
    if (search->near_count == MAX_NEAR_PAIRS) {
        size_t kept = 0;
        for (size_t i = 0; i < search->near_count; ++i)
            if (search->near[i].lower <= search->bound)
                search->near[kept++] = search->near[i];
        search->near_count = kept;
        if (kept > MAX_NEAR_PAIRS / 2)
            settle(search);
    }
    search->near[search->near_count++] = pair;
    search->may_touch |= pair.lower <= 0;
}

// ---- triangles

static void fill_lane(double lanes[3][3][IMPI_BATCH_LANES], int lane, const imp_Triangle *triangle)
{
    for (int i = 0; i < 3; ++i) {
        lanes[i][0][lane] = triangle->v[i].x;
        lanes[i][1][lane] = triangle->v[i].y;
        lanes[i][2][lane] = triangle->v[i].z;
    }
}

static imp_Triangle posed_triangle(const PosedBlock *posed, const impi_FaceBlock *block, unsigned lane)
{
    const imp_Vec3 *v = posed->vertices;
    return (imp_Triangle){
        {v[block->corners[0][lane]], v[block->corners[1][lane]], v[block->corners[2][lane]]}};
}

// Pairs of triangles that wait until there are eight.
typedef struct Batch {
    impi_TriangleBatch triangles;
    impi_BlockFacePair faces[IMPI_BATCH_LANES];
    int count;
} Batch;

static void copy_lane(const impi_TriangleBatch *from, int from_lane, impi_TriangleBatch *to, int to_lane)
{
    for (int i = 0; i < 3; ++i) {
        for (int axis = 0; axis < 3; ++axis) {
            to->a[i][axis][to_lane] = from->a[i][axis][from_lane];
            to->b[i][axis][to_lane] = from->b[i][axis][from_lane];
        }
    }
}

// Lanes beyond the end repeat the first.
static void fill_up(Batch *batch)
{
    for (int lane = batch->count; lane < IMPI_BATCH_LANES; ++lane)
        copy_lane(&batch->triangles, 0, &batch->triangles, lane);
}

static void measure_batch(Search *search, Batch *batch)
{
    impi_BatchDistance found;
    if (batch->count == 0)
        return;
    fill_up(batch);
    search->triangles->measure(&batch->triangles, &found);
    for (int lane = 0; lane < batch->count; ++lane) {
        if (found.lower[lane] > search->bound)
            continue;
        if (found.upper[lane] < search->bound) {
            search->bound = found.upper[lane];
            search->is_bound_proven = true;
            search->way = (imp_Vec3){found.way[0][lane], found.way[1][lane], found.way[2][lane]};
            search->origin = (imp_Vec3){batch->triangles.a[0][0][lane], batch->triangles.a[0][1][lane],
                                        batch->triangles.a[0][2][lane]};
        }
        add_near(search, (NearPair){batch->faces[lane].a, batch->faces[lane].b, found.lower[lane]});
    }
    batch->count = 0;
}

static void add_to_batch(Batch *batch, const imp_Triangle *a, const imp_Triangle *b, impi_BlockFacePair faces)
{
    fill_lane(batch->triangles.a, batch->count, a);
    fill_lane(batch->triangles.b, batch->count, b);
    batch->faces[batch->count++] = faces;
}

// Those that are not ruled out by the cheaper bound go on to be measured.
static void sift_batch(Search *search, Batch *batch, Batch *kept)
{
    _Alignas(64) double lower[IMPI_BATCH_LANES];
    if (batch->count == 0)
        return;
    fill_up(batch);
    search->triangles->bound(&batch->triangles, lower);
    for (int lane = 0; lane < batch->count; ++lane) {
        if (lower[lane] > search->bound)
            continue;
        copy_lane(&batch->triangles, lane, &kept->triangles, kept->count);
        kept->faces[kept->count++] = batch->faces[lane];
        if (kept->count == IMPI_BATCH_LANES)
            measure_batch(search, kept);
    }
    batch->count = 0;
}

// ---- faces of two blocks

// Squares in the frame, in single precision, of what may be nearer than the bound. Coordinates of boxes were
// rounded to nearest, and so was the square itself.
static float face_limit(const Search *search, const float a[6], const float b[6])
{
    double largest = 0;
    for (int i = 0; i < 6; ++i) {
        double size = fabs((double)a[i]) + fabs((double)b[i]);
        largest = size > largest ? size : largest;
    }
    double limit = search->bound * search->frame.scale + (largest * 0x1p-23 + 2 * IMPI_FRAME_ERROR);
    return (float)impi_smaller(limit * limit * (1 + 0x1p-20), 0.5 * FLT_MAX) + FLT_MIN;
}

static const impi_NearKey *sort_keys(impi_NearKey *keys, impi_NearKey *spare, size_t count)
{
    if (count > FEW_KEYS)
        return impi_radix_sort_packed(keys, spare, count, 32, 64);
    impi_insertion_sort(keys, count);
    return keys;
}

// The sum of the faces' normals, each as long as twice the area, over any common scale.
static imp_Vec3 block_normal(const PosedBlock *posed, const impi_FaceBlock *block, double scale)
{
    imp_Vec3 sum = {0, 0, 0};
    for (unsigned i = 0; i < block->face_count; ++i) {
        imp_Triangle t = posed_triangle(posed, block, i);
        imp_Vec3 first = impi_scale(t.v[0], scale);
        imp_Vec3 normal = impi_cross(impi_subtract(impi_scale(t.v[1], scale), first),
                                     impi_subtract(impi_scale(t.v[2], scale), first));
        sum = impi_add_scaled(sum, 1, normal);
    }
    return sum;
}

static float gap_square(float min_a, float max_a, float min_b, float max_b)
{
    float gap = impi_larger_float(impi_larger_float(min_b - max_a, min_a - max_b), 0);
    return gap * gap;
}

static float whole_square(const float a[6], const float b[6])
{
    return (gap_square(a[0], a[3], b[0], b[3]) + gap_square(a[1], a[4], b[1], b[4])) +
           gap_square(a[2], a[5], b[2], b[5]);
}

static float lane_square(const impi_FaceBoxes *a, unsigned i, const impi_FaceBoxes *b, unsigned k)
{
    float square = 0;
    for (int axis = 0; axis < 3; ++axis)
        square += gap_square(a->min[axis][i], a->max[axis][i], b->min[axis][k], b->max[axis][k]);
    return square;
}

// Where the surfaces look elsewhere than along the frame's way, its boxes leave many face pairs: then boxes
// in a frame that looks along the first block's own normal are compared too.
static size_t sift_faces(Search *search, const PosedBlock *a, const PosedBlock *b)
{
    const impi_FaceBlock *block_a = block_of(&search->sides[0], a->number);
    const impi_FaceBlock *block_b = block_of(&search->sides[1], b->number);
    imp_Vec3 normal = block_normal(a, block_a, search->frame.scale);
    impi_DistanceFrame frame = impi_distance_frame(normal, search->frame.origin, search->exponent);
    impi_FaceBoxes *local = search->local_boxes;
    impi_distance_frame_points(&frame, a->vertices, block_a->vertex_count, search->local_points);
    impi_face_boxes_of_points(&local[0], block_a, search->local_points->points);
    impi_distance_frame_points(&frame, b->vertices, block_b->vertex_count, search->local_points);
    impi_face_boxes_of_points(&local[1], block_b, search->local_points->points);
    return search->boxes->near_faces(&local[0], &local[1], face_limit(search, local[0].whole, local[1].whole),
                                     search->near_faces);
}

// Face pairs of two blocks that may be nearer than the bound, to face_keys; returns how many.
static size_t find_near_faces(Search *search, PosedBlock *a, PosedBlock *b)
{
    float limit = face_limit(search, a->points.whole, b->points.whole);
    if (whole_square(a->points.whole, b->points.whole) > limit)
        return 0;
    box_faces(search, 0, a);
    box_faces(search, 1, b);
    memset(search->near_faces, 0xFF, sizeof search->near_faces);
    size_t found = search->boxes->near_faces(&a->boxes, &b->boxes, limit, search->near_faces);
    if (found > MANY_FACE_PAIRS)
        found = sift_faces(search, a, b);
    size_t count = 0;
    for (unsigned i = 0; i < IMPI_BLOCK_FACES && count < found; ++i) {
        for (uint64_t near = search->near_faces[i]; near; near &= near - 1) {
            unsigned k = (unsigned)__builtin_ctzll(near);
            search->face_keys[count++] =
                impi_near_key(lane_square(&a->boxes, i, &b->boxes, k), i * IMPI_BLOCK_FACES + k);
        }
    }
    return count;
}

// The nearest `most` face pairs of two blocks, nearest first: they lower the bound for the others.
static void search_block_pair(Search *search, BlockPair pair, size_t most)
{
    PosedBlock *a = map_block(search, 0, pair.a), *b = map_block(search, 1, pair.b);
    const impi_FaceBlock *block_a = block_of(&search->sides[0], pair.a);
    const impi_FaceBlock *block_b = block_of(&search->sides[1], pair.b);
    size_t count = find_near_faces(search, a, b);
    const impi_NearKey *keys = sort_keys(search->face_keys, search->spare_face_keys, count);
    float limit = face_limit(search, a->points.whole, b->points.whole);
    Batch batch = {.count = 0}, kept = {.count = 0};
    for (size_t i = 0; i < count && i < most && impi_near_square(keys[i]) <= limit; ++i) {
        unsigned lane_a = impi_near_number(keys[i]) / IMPI_BLOCK_FACES;
        unsigned lane_b = impi_near_number(keys[i]) % IMPI_BLOCK_FACES;
        impi_BlockFacePair faces = {impi_block_face(pair.a, lane_a), impi_block_face(pair.b, lane_b)};
        if (!can_win(search, faces.a, faces.b))
            continue;
        imp_Triangle triangle_a = posed_triangle(a, block_a, lane_a);
        imp_Triangle triangle_b = posed_triangle(b, block_b, lane_b);
        add_to_batch(&batch, &triangle_a, &triangle_b, faces);
        if (batch.count == IMPI_BATCH_LANES) {
            sift_batch(search, &batch, &kept);
            limit = face_limit(search, a->points.whole, b->points.whole);
        }
    }
    sift_batch(search, &batch, &kept);
    measure_batch(search, &kept);
    if (search->may_touch)
        settle(search);
    note_what_is_over(search);
}

// ---- pairs of blocks

// Squares in the frame of what may be nearer than the bound. Boxes are widened already.
static double block_limit(const Search *search)
{
    double limit = search->bound * search->frame.scale;
    return impi_smaller(limit * limit * (1 + 0x1p-40), DBL_MAX); // an empty box is infinitely far
}

// Does the frame look elsewhere than the way that was found since?
static bool is_frame_off(const Search *search)
{
    const double *row = search->frame.rows[0];
    imp_Vec3 way = impi_unit(search->way);
    return row[0] * way.x + row[1] * way.y + row[2] * way.z < LEAST_COSINE;
}

static void probe_block_pairs(Search *search, const impi_NearKey *keys)
{
    double bound = search->bound;
    for (size_t i = 0; i < PROBED_BLOCK_PAIRS && !search->is_over; ++i)
        search_block_pair(search, search->block_pairs[impi_near_number(keys[i])], PROBED_FACE_PAIRS);
    search->is_turning = search->bound < BOUND_PART * bound || is_frame_off(search);
    drop_near(search); // they will be found again
}

static void search_block_pairs(Search *search)
{
    const impi_NearKey *keys = sort_keys(search->keys, search->spare_keys, search->block_pair_count);
    if (search->block_pair_count > MANY_BLOCK_PAIRS && search->turn_count < MAX_TURNS)
        probe_block_pairs(search, keys);
    for (size_t i = 0; i < search->block_pair_count && !is_ending(search); ++i) {
        if ((double)impi_near_square(keys[i]) > block_limit(search) * (1 + 0x1p-20))
            break;
        search_block_pair(search, search->block_pairs[impi_near_number(keys[i])], ALL_FACE_PAIRS);
    }
    search->block_pair_count = 0;
}

static void add_block_pair(Search *search, size_t a, size_t b, double square)
{
    if (search->block_pair_count == MAX_BLOCK_PAIRS)
        search_block_pairs(search);
    size_t position = search->block_pair_count++;
    search->block_pairs[position] = (BlockPair){(uint32_t)a, (uint32_t)b};
    search->keys[position] = impi_near_key((float)square, (uint32_t)position);
}

// Of groups at different levels the higher one is divided alone; the other stands for all of its boxes.
static void visit_groups(Search *search, unsigned level_a, size_t group_a, unsigned level_b, size_t group_b)
{
    double squares[IMPI_GROUP_SIZE][IMPI_GROUP_SIZE];
    search->boxes->group_squares(&search->sides[0].tree.levels[level_a][group_a],
                                 &search->sides[1].tree.levels[level_b][group_b], squares);
    if (level_a != level_b) {
        bool divides_a = level_a > level_b;
        for (size_t i = 0; i < IMPI_GROUP_SIZE && !is_ending(search); ++i) {
            double least = INFINITY;
            for (size_t j = 0; j < IMPI_GROUP_SIZE; ++j) {
                double square = divides_a ? squares[i][j] : squares[j][i];
                least = square < least ? square : least;
            }
            if (!(least <= block_limit(search)))
                continue;
            if (divides_a)
                visit_groups(search, level_a - 1, group_a * IMPI_GROUP_SIZE + i, level_b, group_b);
            else
                visit_groups(search, level_a, group_a, level_b - 1, group_b * IMPI_GROUP_SIZE + i);
        }
        return;
    }
    for (size_t i = 0; i < IMPI_GROUP_SIZE; ++i) {
        for (size_t j = 0; j < IMPI_GROUP_SIZE && !is_ending(search); ++j) {
            size_t a = group_a * IMPI_GROUP_SIZE + i, b = group_b * IMPI_GROUP_SIZE + j;
            if (!(squares[i][j] <= block_limit(search)))
                continue;
            if (level_a > 0)
                visit_groups(search, level_a - 1, a, level_b - 1, b);
            else
                add_block_pair(search, a, b, squares[i][j]);
        }
    }
}

// ---- the first bound

typedef struct NearestVertex {
    imp_Vec3 point; // in the world
    imp_Vec3 in_frame;
    imp_Vec3 vertex;
    double square; // in the frame
} NearestVertex;

static void look_at_vertices(const Search *search, const PosedBlock *posed, const impi_FaceBlock *block,
                             NearestVertex *nearest)
{
    for (unsigned i = 0; i < block->vertex_count; ++i) {
        imp_Vec3 way = impi_subtract(impi_scale(posed->vertices[i], search->frame.scale),
                                     impi_scale(nearest->point, search->frame.scale));
        double square = impi_dot(way, way);
        if (square < nearest->square) {
            nearest->square = square;
            nearest->vertex = posed->vertices[i];
        }
    }
}

static void visit_nearest(Search *search, int side, unsigned level, size_t group, NearestVertex *nearest)
{
    double squares[IMPI_GROUP_SIZE];
    search->boxes->point_squares(&search->sides[side].tree.levels[level][group], nearest->in_frame, squares);
    for (unsigned done = 0; done < IMPI_GROUP_SIZE; ++done) {
        size_t least = 0;
        for (size_t i = 1; i < IMPI_GROUP_SIZE; ++i)
            least = squares[i] < squares[least] ? i : least;
        if (!(squares[least] < nearest->square))
            return;
        squares[least] = INFINITY;
        size_t child = group * IMPI_GROUP_SIZE + least;
        if (level > 0)
            visit_nearest(search, side, level - 1, child, nearest);
        else
            look_at_vertices(search, pose_block(&search->sides[side], (uint32_t)child),
                             block_of(&search->sides[side], (uint32_t)child), nearest);
    }
}

static NearestVertex find_nearest(Search *search, int side, imp_Vec3 point)
{
    imp_Vec3 mapped = impi_distance_frame_map(&search->frame, point);
    NearestVertex nearest = {point, mapped, point, INFINITY};
    visit_nearest(search, side, search->sides[side].tree.level_count - 1, 0, &nearest);
    return nearest;
}

static imp_Vec3 posed_centre(const impi_Body *body)
{
    const imp_Box *bounds = &body->shape->bounds;
    imp_Vec3 centre = {0.5 * bounds->min.x + 0.5 * bounds->max.x, 0.5 * bounds->min.y + 0.5 * bounds->max.y,
                       0.5 * bounds->min.z + 0.5 * bounds->max.z};
    return impi_pose_vertex(&body->transform, &centre);
}

static void lower_bound_to(Search *search, imp_Vec3 a, imp_Vec3 b)
{
    imp_Vec3 way = impi_subtract(b, a);
    double length = impi_length(way) * (1 + 0x1p-48);
    if (length < search->bound) {
        search->bound = length;
        search->is_bound_proven = true;
        search->way = way;
        search->origin = a;
    }
}

// Back and forth between the surfaces, from the middle of one of them to the other's nearest vertex first.
static void go_back_and_forth(Search *search, int side)
{
    imp_Vec3 from = posed_centre(search->sides[1 - side].body);
    double last = INFINITY;
    for (int step = 0; step < SEED_STEPS; ++step, side = 1 - side) {
        NearestVertex nearest = find_nearest(search, side, from);
        if (!(nearest.square < last))
            return;
        if (step > 0) {
            last = nearest.square;
            lower_bound_to(search, side ? from : nearest.vertex, side ? nearest.vertex : from);
        }
        from = nearest.vertex;
    }
}

static void find_first_bound(Search *search)
{
    go_back_and_forth(search, 0);
    go_back_and_forth(search, 1);
}

static bool is_face(const Side *side, impi_BlockFace face)
{
    const impi_FaceBlocks *blocks = &side->body->blocks->blocks;
    return face / IMPI_BLOCK_FACES < blocks->block_count &&
           face % IMPI_BLOCK_FACES < blocks->blocks[face / IMPI_BLOCK_FACES].face_count;
}

static void begin_with_hint(Search *search)
{
    Batch batch = {.count = 0};
    const impi_FaceHint *hint = search->ask->hint;
    imp_Triangle a = pose_face(&search->sides[0], hint->a), b = pose_face(&search->sides[1], hint->b);
    add_to_batch(&batch, &a, &b, (impi_BlockFacePair){hint->a, hint->b});
    measure_batch(search, &batch);
    drop_near(search); // it will be found again
}

static double size_of(const impi_Body *body)
{
    const imp_Box *bounds = &body->shape->bounds;
    return impi_longest((imp_Vec3){0.5 * bounds->max.x - 0.5 * bounds->min.x,
                                   0.5 * bounds->max.y - 0.5 * bounds->min.y,
                                   0.5 * bounds->max.z - 0.5 * bounds->min.z});
}

static void begin_anywhere(Search *search)
{
    imp_Vec3 a = posed_centre(search->sides[0].body), b = posed_centre(search->sides[1].body);
    double size_a = size_of(search->sides[0].body), size_b = size_of(search->sides[1].body);
    if (!search->is_bound_proven) {
        search->way = impi_subtract(impi_scale(b, 0.5), impi_scale(a, 0.5));
        search->origin = a;
    }
    if (search->bound > SMALL_STOP * (size_a < size_b ? size_a : size_b)) {
        set_frame(search);
        find_first_bound(search);
    }
}

// ---- the whole

static bool make_side(impi_Arena *arena, const impi_Body *body, const impi_OrientedLanes *oriented,
                      Side *side)
{
    size_t blocks = body->blocks->blocks.block_count, groups = impi_group_count(blocks);
    impi_BoxLanes *storage = impi_arena_allocate_array(arena, impi_block_tree_size(blocks), sizeof *storage);
    *side = (Side){.body = body, .oriented = oriented};
    side->posed = impi_arena_allocate_array(arena, POSED_BLOCKS, sizeof *side->posed);
    if (!storage || !side->posed)
        return false;
    impi_block_tree_init(&side->tree, blocks, storage);
    for (size_t i = 0; i < POSED_BLOCKS; ++i)
        side->posed[i].number = NO_BLOCK;
    if (body->is_deformed) {
        impi_OrientedLanes *copy = impi_arena_allocate_array(arena, groups, sizeof *copy);
        if (!copy)
            return false;
        impi_oriented_boxes_copy(body->deformed.boxes, groups, copy);
        side->oriented = copy;
    }
    return true;
}

static size_t side_memory(const impi_Body *body)
{
    size_t blocks = body->blocks->blocks.block_count;
    return impi_block_tree_size(blocks) * sizeof(impi_BoxLanes) + POSED_BLOCKS * sizeof(PosedBlock) +
           (body->is_deformed ? impi_group_count(blocks) * sizeof(impi_OrientedLanes) : 0) +
           3 * IMPI_ALIGNMENT;
}

size_t impi_mesh_distance_memory(const impi_Body *a, const impi_Body *b)
{
    return MAX_BLOCK_PAIRS * (2 * sizeof(impi_NearKey) + sizeof(BlockPair)) +
           MAX_NEAR_PAIRS * sizeof(NearPair) + 2 * ALL_FACE_PAIRS * sizeof(impi_NearKey) +
           2 * sizeof(impi_FaceBoxes) + sizeof(impi_FramePoints) + 8 * IMPI_ALIGNMENT + side_memory(a) +
           side_memory(b);
}

static bool make_search(impi_Arena *arena, const impi_SurfacePair *pair, Search *search)
{
    search->keys = impi_arena_allocate_array(arena, MAX_BLOCK_PAIRS, sizeof *search->keys);
    search->spare_keys = impi_arena_allocate_array(arena, MAX_BLOCK_PAIRS, sizeof *search->spare_keys);
    search->block_pairs = impi_arena_allocate_array(arena, MAX_BLOCK_PAIRS, sizeof *search->block_pairs);
    search->near = impi_arena_allocate_array(arena, MAX_NEAR_PAIRS, sizeof *search->near);
    search->face_keys = impi_arena_allocate_array(arena, ALL_FACE_PAIRS, sizeof *search->face_keys);
    search->spare_face_keys = impi_arena_allocate_array(arena, ALL_FACE_PAIRS, sizeof *search->face_keys);
    search->local_boxes = impi_arena_allocate_array(arena, 2, sizeof *search->local_boxes);
    search->local_points = impi_arena_allocate(arena, sizeof *search->local_points);
    return search->local_boxes && search->local_points && search->keys && search->spare_keys &&
           search->block_pairs && search->near && search->face_keys && search->spare_face_keys &&
           make_side(arena, pair->a, pair->boxes_a, &search->sides[0]) &&
           make_side(arena, pair->b, pair->boxes_b, &search->sides[1]);
}

static void run_search(Search *search)
{
    const impi_FaceHint *hint = search->ask->hint;
    if (hint && is_face(&search->sides[0], hint->a) && is_face(&search->sides[1], hint->b))
        begin_with_hint(search);
    if (!hint || !(search->bound <= HINT_GROWTH * hint->distance))
        begin_anywhere(search);
    note_what_is_over(search);
    do {
        search->is_turning = false;
        drop_near(search);
        search->block_pair_count = 0;
        set_frame(search);
        if (!search->is_over)
            visit_groups(search, search->sides[0].tree.level_count - 1, 0,
                         search->sides[1].tree.level_count - 1, 0);
        if (!is_ending(search))
            search_block_pairs(search);
        ++search->turn_count;
    } while (search->is_turning);
    settle(search);
}

static void conclude(const Search *search, impi_SurfaceDistance *result)
{
    const Winner *winner = &search->winner;
    *result = (impi_SurfaceDistance){.verdict = IMPI_SURFACES_MEASURED,
                                     .distance = winner->distance,
                                     .hint = {winner->a, winner->b, winner->distance.distance}};
    if (search->ask->stop_below > 0 && search->is_bound_proven && search->bound <= search->ask->stop_below)
        result->verdict = IMPI_SURFACES_NEAR;
    else if (search->is_over)
        result->verdict = IMPI_SURFACES_CUT_SHORT;
    else if (!winner->is_set || winner->distance.distance > search->ask->stop_above)
        result->verdict = IMPI_SURFACES_FAR;
    else if (has_touched(search))
        result->verdict = IMPI_SURFACES_TOUCH;
}

imp_Status impi_mesh_distance(impi_Arena *arena, const impi_SurfacePair *pair, const impi_SurfaceAsk *ask,
                              impi_SurfaceDistance *result)
{
    assert(!pair->a->end && !pair->b->end);
    impi_ArenaMark mark = impi_arena_mark(arena);
    Search search = {.ask = ask,
                     .boxes = impi_box_distance(),
                     .triangles = impi_triangle_distance(),
                     .exponent = impi_distance_frame_exponent(pair->a, pair->b),
                     .bound = ask->stop_above};
    bool has_memory = make_search(arena, pair, &search);
    if (has_memory) {
        run_search(&search);
        conclude(&search, result);
    }
    impi_arena_rewind(arena, mark);
    return has_memory ? IMP_STATUS_OK : IMP_STATUS_OUT_OF_MEMORY;
}
