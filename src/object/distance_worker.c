// Boxes of faces in single precision leave out what is farther than the bound, then eight pairs of triangles
// at a time are sifted by a cheap bound and measured by a good one; what may be the closest after that is
// measured exactly, which depends on nothing but the triangles.
#include "object/distance_worker.h"

#include "base/radix_sort.h"
#include "geom/pose.h"
#include "geom/scalar.h"
#include "geom/triangle_closest.h"
#include "geom/vector.h"

#include <float.h>

#define POSED_BLOCKS   128  // of each body that are at hand
#define MAX_NEAR_FACES 1024 // that wait for the exact measure
#define FEW_KEYS       48   // are sorted by insertion

// Where boxes in the frame leave more pairs of faces than this, boxes in another one are compared too.
#define MANY_FACE_PAIRS 48

#define NO_BLOCK UINT32_MAX

typedef impi_DistanceWorker Worker;

size_t impi_distance_worker_memory(void)
{
    return 2 * POSED_BLOCKS * sizeof(impi_PosedBlock) + 2 * IMPI_ALL_FACE_PAIRS * sizeof(impi_NearKey) +
           2 * sizeof(impi_FaceBoxes) + sizeof(impi_FramePoints) + MAX_NEAR_FACES * sizeof(impi_NearFaces) +
           8 * IMPI_ALIGNMENT;
}

bool impi_distance_worker_init(Worker *worker, impi_DistanceSearch *search, impi_Arena *arena)
{
    *worker = (Worker){.search = search};
    worker->face_keys = impi_arena_allocate_array(arena, IMPI_ALL_FACE_PAIRS, sizeof *worker->face_keys);
    worker->spare_keys = impi_arena_allocate_array(arena, IMPI_ALL_FACE_PAIRS, sizeof *worker->spare_keys);
    worker->local_boxes = impi_arena_allocate_array(arena, 2, sizeof *worker->local_boxes);
    worker->local_points = impi_arena_allocate(arena, sizeof *worker->local_points);
    worker->near = impi_arena_allocate_array(arena, MAX_NEAR_FACES, sizeof *worker->near);
    for (int side = 0; side < 2; ++side) {
        worker->posed[side] = impi_arena_allocate_array(arena, POSED_BLOCKS, sizeof **worker->posed);
        for (size_t i = 0; worker->posed[side] && i < POSED_BLOCKS; ++i)
            worker->posed[side][i].number = NO_BLOCK;
    }
    return worker->face_keys && worker->spare_keys && worker->local_boxes && worker->local_points &&
           worker->near && worker->posed[0] && worker->posed[1];
}

// ---- blocks

static const impi_FaceBlock *block_of(const Worker *worker, int side, uint32_t number)
{
    return impi_side_block(&worker->search->sides[side], number);
}

static impi_PosedBlock *take_block(Worker *worker, int side, uint32_t number)
{
    impi_PosedBlock *posed = &worker->posed[side][number % POSED_BLOCKS];
    if (posed->number != number) {
        posed->number = number;
        posed->has_vertices = false;
        posed->points_frame = posed->boxes_frame = 0;
    }
    return posed;
}

static const imp_Vec3 *block_vertices(const Worker *worker, int side, const impi_FaceBlock *block)
{
    return impi_body_vertices(worker->search->sides[side].body) + block->first_vertex;
}

static void pose_block(Worker *worker, int side, impi_PosedBlock *posed)
{
    if (posed->has_vertices)
        return;
    const impi_FaceBlock *block = block_of(worker, side, posed->number);
    impi_transform_apply_many(&worker->search->sides[side].body->transform,
                              block_vertices(worker, side, block), block->vertex_count, posed->vertices);
    posed->has_vertices = true;
}

const impi_PosedBlock *impi_distance_worker_pose(Worker *worker, int side, uint32_t block)
{
    impi_PosedBlock *posed = take_block(worker, side, block);
    pose_block(worker, side, posed);
    return posed;
}

static impi_PosedBlock *map_block(Worker *worker, int side, uint32_t number)
{
    impi_PosedBlock *posed = take_block(worker, side, number);
    if (posed->points_frame != worker->search->frame_number) {
        const impi_FaceBlock *block = block_of(worker, side, number);
        impi_distance_frame_points(&worker->search->sides[side].to_frame, block_vertices(worker, side, block),
                                   block->vertex_count, &posed->points);
        posed->points_frame = worker->search->frame_number;
    }
    return posed;
}

static void box_faces(const Worker *worker, int side, impi_PosedBlock *posed)
{
    if (posed->boxes_frame == worker->search->frame_number)
        return;
    impi_face_boxes_of_points(&posed->boxes, block_of(worker, side, posed->number), posed->points.points);
    posed->boxes_frame = worker->search->frame_number;
}

static imp_Triangle pose_face(const Worker *worker, int side, impi_BlockFace face)
{
    const impi_Body *body = worker->search->sides[side].body;
    const impi_FaceBlock *block = block_of(worker, side, face / IMPI_BLOCK_FACES);
    const imp_Vec3 *vertices = impi_body_vertices(body) + block->first_vertex;
    imp_Triangle triangle;
    for (int i = 0; i < 3; ++i)
        triangle.v[i] =
            impi_pose_vertex(&body->transform, &vertices[block->corners[i][face % IMPI_BLOCK_FACES]]);
    return triangle;
}

static uint32_t face_number(const Worker *worker, int side, impi_BlockFace face)
{
    return block_of(worker, side, face / IMPI_BLOCK_FACES)->faces[face % IMPI_BLOCK_FACES];
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

// Negative, 0 or positive: the first is before the second, neither is before the other, it is behind it.
static int compare_orders(FaceOrder one, FaceOrder other)
{
    if (one.low != other.low)
        return one.low < other.low ? -1 : 1;
    return (one.high > other.high) - (one.high < other.high);
}

static FaceOrder order_of(const impi_ClosestFaces *faces)
{
    return face_order(faces->distance.a.face, faces->distance.b.face);
}

// Of distances that round up to the same double, the one that also rounds down to it is the largest. Two
// pairs that differ only in which body has which face go by where they are.
bool impi_closest_is_better(const impi_ClosestFaces *one, const impi_ClosestFaces *other)
{
    if (one->is_set != other->is_set)
        return one->is_set;
    if (one->distance.distance != other->distance.distance)
        return one->distance.distance < other->distance.distance;
    if (one->distance.lower_bound != other->distance.lower_bound)
        return one->distance.lower_bound < other->distance.lower_bound;
    int order = compare_orders(order_of(one), order_of(other));
    if (order != 0)
        return order < 0;
    imp_Vec3 one_sum = impi_add_scaled(one->distance.a.position, 1, one->distance.b.position);
    imp_Vec3 other_sum = impi_add_scaled(other->distance.a.position, 1, other->distance.b.position);
    if (!impi_is_equal(&one_sum, &other_sum))
        return impi_is_before(&one_sum, &other_sum);
    return one->distance.a.face < other->distance.a.face;
}

// Once faces are known to touch, only those of lesser numbers can be better.
static bool can_win(const Worker *worker, impi_BlockFace a, impi_BlockFace b)
{
    bool has_touched = worker->best.is_set && worker->best.distance.distance == 0;
    return !has_touched || compare_orders(face_order(face_number(worker, 0, a), face_number(worker, 1, b)),
                                          order_of(&worker->best)) <= 0;
}

static void measure_exactly(Worker *worker, const impi_NearFaces *faces)
{
    imp_Triangle a = pose_face(worker, 0, faces->a), b = pose_face(worker, 1, faces->b);
    impi_ClosestFaces next = {.is_set = true, .a = faces->a, .b = faces->b};
    impi_triangles_closest(&a, &b, &next.distance);
    next.distance.a.face = face_number(worker, 0, faces->a);
    next.distance.b.face = face_number(worker, 1, faces->b);
    if (impi_closest_is_better(&next, &worker->best))
        worker->best = next;
    impi_search_lower_bound(worker->search, next.distance.distance);
}

void impi_distance_worker_forget(Worker *worker)
{
    worker->near_count = 0;
    worker->may_touch = false;
}

void impi_distance_worker_settle(Worker *worker)
{
    for (size_t i = 0; i < worker->near_count && !impi_search_is_over(worker->search); ++i) {
        const impi_NearFaces *faces = &worker->near[i];
        if (faces->lower <= impi_search_bound(worker->search) && can_win(worker, faces->a, faces->b))
            measure_exactly(worker, faces);
        impi_search_look_at_end(worker->search);
    }
    impi_distance_worker_forget(worker);
}

static void add_near(Worker *worker, impi_NearFaces faces)
{
    if (worker->near_count == MAX_NEAR_FACES) {
        double bound = impi_search_bound(worker->search);
        size_t kept = 0;
        for (size_t i = 0; i < worker->near_count; ++i)
            if (worker->near[i].lower <= bound)
                worker->near[kept++] = worker->near[i];
        worker->near_count = kept;
        if (kept > MAX_NEAR_FACES / 2)
            impi_distance_worker_settle(worker);
    }
    worker->near[worker->near_count++] = faces;
    worker->may_touch |= faces.lower <= 0;
}

// ---- triangles

// Pairs of triangles that wait until there are eight.
typedef struct Batch {
    impi_TriangleBatch triangles;
    impi_BlockFacePair faces[IMPI_BATCH_LANES];
    int count;
} Batch;

static void fill_lane(double lanes[3][3][IMPI_BATCH_LANES], int lane, const imp_Triangle *triangle)
{
    for (int i = 0; i < 3; ++i) {
        lanes[i][0][lane] = triangle->v[i].x;
        lanes[i][1][lane] = triangle->v[i].y;
        lanes[i][2][lane] = triangle->v[i].z;
    }
}

static void add_to_batch(Batch *batch, const imp_Triangle *a, const imp_Triangle *b, impi_BlockFacePair faces)
{
    fill_lane(batch->triangles.a, batch->count, a);
    fill_lane(batch->triangles.b, batch->count, b);
    batch->faces[batch->count++] = faces;
}

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

static void measure_batch(Worker *worker, Batch *batch)
{
    impi_BatchDistance found;
    if (batch->count == 0)
        return;
    fill_up(batch);
    worker->search->triangles->measure(&batch->triangles, &found);
    const impi_NearVisit *visit = worker->search->visit;
    if (visit) {
        visit->visit(worker->search, &batch->triangles, batch->faces, batch->count, &found, visit->argument);
        batch->count = 0;
        return;
    }
    for (int lane = 0; lane < batch->count; ++lane) {
        if (found.lower[lane] > impi_search_bound(worker->search))
            continue;
        if (impi_search_lower_bound(worker->search, found.upper[lane])) {
            worker->has_way = true;
            worker->way = (imp_Vec3){found.way[0][lane], found.way[1][lane], found.way[2][lane]};
            worker->origin = (imp_Vec3){batch->triangles.a[0][0][lane], batch->triangles.a[0][1][lane],
                                        batch->triangles.a[0][2][lane]};
        }
        add_near(worker, (impi_NearFaces){batch->faces[lane].a, batch->faces[lane].b, found.lower[lane]});
    }
    batch->count = 0;
}

// Those that are not ruled out by the cheaper bound go on to be measured.
static void sift_batch(Worker *worker, Batch *batch, Batch *kept)
{
    _Alignas(64) double lower[IMPI_BATCH_LANES];
    if (batch->count == 0)
        return;
    fill_up(batch);
    worker->search->triangles->bound(&batch->triangles, lower);
    for (int lane = 0; lane < batch->count; ++lane) {
        if (lower[lane] > impi_search_bound(worker->search))
            continue;
        copy_lane(&batch->triangles, lane, &kept->triangles, kept->count);
        kept->faces[kept->count++] = batch->faces[lane];
        if (kept->count == IMPI_BATCH_LANES)
            measure_batch(worker, kept);
    }
    batch->count = 0;
}

void impi_distance_worker_try(Worker *worker, impi_BlockFace face_a, impi_BlockFace face_b)
{
    Batch batch = {.count = 0};
    imp_Triangle a = pose_face(worker, 0, face_a), b = pose_face(worker, 1, face_b);
    add_to_batch(&batch, &a, &b, (impi_BlockFacePair){face_a, face_b});
    measure_batch(worker, &batch);
    impi_distance_worker_forget(worker);
}

// ---- faces of two blocks

static imp_Triangle posed_triangle(const impi_PosedBlock *posed, const impi_FaceBlock *block, unsigned lane)
{
    const imp_Vec3 *v = posed->vertices;
    return (imp_Triangle){
        {v[block->corners[0][lane]], v[block->corners[1][lane]], v[block->corners[2][lane]]}};
}

// Squares in the frame, in single precision, of what may be nearer than the bound. Coordinates of boxes were
// rounded to nearest, and so was the square itself.
static float face_limit(const Worker *worker, const float a[6], const float b[6])
{
    double largest = 0;
    for (int i = 0; i < 6; ++i) {
        double size = fabs((double)a[i]) + fabs((double)b[i]);
        largest = size > largest ? size : largest;
    }
    double limit = impi_search_bound(worker->search) * worker->search->frame.scale +
                   (largest * 0x1p-23 + 2 * IMPI_FRAME_ERROR);
    return (float)impi_smaller(limit * limit * (1 + 0x1p-20), 0.5 * FLT_MAX) + FLT_MIN;
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

// The sum of the faces' normals, each as long as twice the area, over a common scale.
static imp_Vec3 block_normal(const impi_PosedBlock *posed, const impi_FaceBlock *block, double scale)
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

// Where the surfaces look elsewhere than along the frame's way, its boxes leave many face pairs: then boxes
// in a frame that looks along the first block's own normal are compared too.
static size_t sift_lanes(Worker *worker, const impi_PosedBlock *a, const impi_PosedBlock *b)
{
    const impi_DistanceSearch *search = worker->search;
    const impi_FaceBlock *block_a = block_of(worker, 0, a->number), *block_b = block_of(worker, 1, b->number);
    imp_Vec3 normal = block_normal(a, block_a, search->frame.scale);
    impi_DistanceFrame frame = impi_distance_frame(normal, search->frame.origin, search->exponent);
    impi_FaceBoxes *local = worker->local_boxes;
    for (int side = 0; side < 2; ++side) {
        const impi_FaceBlock *block = side ? block_b : block_a;
        imp_Transform to_frame = impi_distance_frame_transform(&frame, &search->sides[side].body->transform);
        impi_distance_frame_points(&to_frame, block_vertices(worker, side, block), block->vertex_count,
                                   worker->local_points);
        impi_face_boxes_of_points(&local[side], block, worker->local_points->points);
    }
    return search->boxes->near_faces(&local[0], &local[1], face_limit(worker, local[0].whole, local[1].whole),
                                     worker->near_lanes);
}

// Face pairs of two blocks that may be nearer than the bound, to face_keys; returns how many.
static size_t find_near_lanes(Worker *worker, impi_PosedBlock *a, impi_PosedBlock *b)
{
    float limit = face_limit(worker, a->points.whole, b->points.whole);
    if (whole_square(a->points.whole, b->points.whole) > limit)
        return 0;
    box_faces(worker, 0, a);
    box_faces(worker, 1, b);
    memset(worker->near_lanes, 0xFF, sizeof worker->near_lanes);
    size_t found = worker->search->boxes->near_faces(&a->boxes, &b->boxes, limit, worker->near_lanes);
    if (found == 0)
        return 0;
    pose_block(worker, 0, a);
    pose_block(worker, 1, b);
    if (found > MANY_FACE_PAIRS)
        found = sift_lanes(worker, a, b);
    size_t count = 0;
    for (unsigned i = 0; i < IMPI_BLOCK_FACES && count < found; ++i) {
        for (uint64_t near = worker->near_lanes[i]; near; near &= near - 1) {
            unsigned k = (unsigned)__builtin_ctzll(near);
            worker->face_keys[count++] =
                impi_near_key(lane_square(&a->boxes, i, &b->boxes, k), i * IMPI_BLOCK_FACES + k);
        }
    }
    return count;
}

static const impi_NearKey *sort_keys(Worker *worker, size_t count)
{
    if (count > FEW_KEYS)
        return impi_radix_sort_packed(worker->face_keys, worker->spare_keys, count, 32, 64);
    impi_insertion_sort(worker->face_keys, count);
    return worker->face_keys;
}

// Nearest first, since these lower the bound for the others.
void impi_distance_worker_search(Worker *worker, uint32_t number_a, uint32_t number_b, size_t most)
{
    impi_PosedBlock *a = map_block(worker, 0, number_a), *b = map_block(worker, 1, number_b);
    const impi_FaceBlock *block_a = block_of(worker, 0, number_a), *block_b = block_of(worker, 1, number_b);
    size_t count = find_near_lanes(worker, a, b);
    impi_search_look_at_end(worker->search);
    if (count == 0)
        return;
    const impi_NearKey *keys = sort_keys(worker, count);
    float limit = face_limit(worker, a->points.whole, b->points.whole);
    Batch batch = {.count = 0}, kept = {.count = 0};
    for (size_t i = 0; i < count && i < most && impi_near_square(keys[i]) <= limit; ++i) {
        unsigned lane_a = impi_near_number(keys[i]) / IMPI_BLOCK_FACES;
        unsigned lane_b = impi_near_number(keys[i]) % IMPI_BLOCK_FACES;
        impi_BlockFacePair faces = {impi_block_face(number_a, lane_a), impi_block_face(number_b, lane_b)};
        if (!can_win(worker, faces.a, faces.b))
            continue;
        imp_Triangle triangle_a = posed_triangle(a, block_a, lane_a);
        imp_Triangle triangle_b = posed_triangle(b, block_b, lane_b);
        add_to_batch(&batch, &triangle_a, &triangle_b, faces);
        if (batch.count == IMPI_BATCH_LANES) {
            sift_batch(worker, &batch, &kept);
            limit = face_limit(worker, a->points.whole, b->points.whole);
        }
    }
    sift_batch(worker, &batch, &kept);
    measure_batch(worker, &kept);
    if (worker->may_touch)
        impi_distance_worker_settle(worker);
    impi_search_look_at_end(worker->search);
}
