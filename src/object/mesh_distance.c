// Branch and bound over blocks of faces, nearest first.
//
// 1. A first bound: the closest faces of the last time; without them, vertices found by going back and forth
//    between the surfaces, each time to the nearest one (distance_seed.c).
// 2. A frame that looks along the way which that bound belongs to. All blocks get boxes in it.
// 3. Block pairs whose boxes are nearer than the bound, in the order of their distances; faces and triangles
// of
//    these (distance_worker.c), on all threads. Each may lower the bound.
// 4. Whatever pair of triangles may be closest, by its lower bound, is measured in exact arithmetic, and the
//    best one is the answer.
//
// Only pairs that are proven to be farther apart than an upper bound are left out, and the exact measure of
// the rest depends on nothing but the triangles. So neither the first bound nor the order of the search, nor
// which thread does what, can change a bit of the answer.
#include "object/mesh_distance.h"

#include "base/radix_sort.h"
#include "base/tasks.h"
#include "geom/scalar.h"
#include "geom/vector.h"
#include "object/distance_seed.h"

#include <assert.h>
#include <float.h>

#define MAX_BLOCK_PAIRS 4096 // that are found before they are worked on
#define FEW_KEYS        48   // are sorted by insertion

// Block pairs are worked on by several threads if there are so many of them, and in lots of so many.
#define SHARED_BLOCK_PAIRS  128
#define BLOCK_PAIRS_PER_LOT 8
#define MAX_WORKERS         16

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
#define BOUND_PART         0.95
#define LEAST_COSINE       0.97
#define MAX_TURNS          2

typedef struct BlockPair {
    uint32_t a, b;
} BlockPair;

typedef struct Search {
    impi_DistanceSearch shared;
    const imp_Executor *executor;
    impi_DistanceWorker *workers;
    size_t worker_count;
    int turn_count;                  // how often the frame has followed the way
    bool is_turning;                 // all block pairs are to be found again, in a better frame
    impi_NearKey *keys, *spare_keys; // numbers are positions in block_pairs
    BlockPair *block_pairs;
    size_t block_pair_count;
    const impi_NearKey *sorted; // the keys while they are worked on
    atomic_size_t next_lot;
} Search;

// ---- the bound

bool impi_search_lower_bound(impi_DistanceSearch *search, double bound)
{
    uint64_t bits, known = atomic_load_explicit(&search->bound_bits, memory_order_relaxed);
    memcpy(&bits, &bound, sizeof bits);
    do {
        if (bits >= known)
            return false;
    } while (!atomic_compare_exchange_weak_explicit(&search->bound_bits, &known, bits, memory_order_relaxed,
                                                    memory_order_relaxed));
    atomic_store_explicit(&search->is_bound_proven, true, memory_order_relaxed);
    return true;
}

bool impi_search_is_near(const impi_DistanceSearch *search)
{
    return search->ask->stop_below > 0 &&
           atomic_load_explicit(&search->is_bound_proven, memory_order_relaxed) &&
           impi_search_bound(search) <= search->ask->stop_below;
}

void impi_search_look_at_end(impi_DistanceSearch *search)
{
    if (impi_search_is_near(search) || impi_budget_is_over(search->ask->budget))
        atomic_store_explicit(&search->is_over, true, memory_order_relaxed);
}

static bool is_ending(const Search *search)
{
    return search->is_turning || impi_search_is_over(&search->shared);
}

// ---- pairs of blocks

// Squares in the frame of what may be nearer than the bound. Boxes are widened already.
static double block_limit(const impi_DistanceSearch *search)
{
    double limit = impi_search_bound(search) * search->frame.scale;
    return impi_smaller(limit * limit * (1 + 0x1p-40), DBL_MAX); // an empty box is infinitely far
}

// Does the frame look elsewhere than the way that was found since?
static bool is_frame_off(const impi_DistanceSearch *search)
{
    const double *row = search->frame.rows[0];
    imp_Vec3 way = impi_unit(search->way);
    return row[0] * way.x + row[1] * way.y + row[2] * way.z < LEAST_COSINE;
}

static void follow_way(Search *search)
{
    impi_DistanceWorker *worker = &search->workers[0];
    if (worker->has_way) {
        search->shared.way = worker->way;
        search->shared.origin = worker->origin;
    }
}

static void probe_block_pairs(Search *search)
{
    impi_DistanceWorker *worker = &search->workers[0];
    double bound = impi_search_bound(&search->shared);
    for (size_t i = 0; i < PROBED_BLOCK_PAIRS && !impi_search_is_over(&search->shared); ++i) {
        const BlockPair *pair = &search->block_pairs[impi_near_number(search->sorted[i])];
        impi_distance_worker_search(worker, pair->a, pair->b, PROBED_FACE_PAIRS);
    }
    follow_way(search);
    search->is_turning =
        impi_search_bound(&search->shared) < BOUND_PART * bound || is_frame_off(&search->shared);
    impi_distance_worker_forget(worker); // it will be found again
}

// Lots of block pairs, nearest first, until none of the rest can be nearer than the bound.
static void work_on_lots(size_t begin, size_t end, size_t number, void *argument)
{
    Search *search = argument;
    (void)begin, (void)end;
    for (;;) {
        size_t first = BLOCK_PAIRS_PER_LOT * atomic_fetch_add(&search->next_lot, 1);
        for (size_t i = first; i < first + BLOCK_PAIRS_PER_LOT; ++i) {
            if (i >= search->block_pair_count || impi_search_is_over(&search->shared) ||
                (double)impi_near_square(search->sorted[i]) > block_limit(&search->shared) * (1 + 0x1p-20))
                return;
            const BlockPair *pair = &search->block_pairs[impi_near_number(search->sorted[i])];
            impi_distance_worker_search(&search->workers[number], pair->a, pair->b, IMPI_ALL_FACE_PAIRS);
        }
    }
}

static const impi_NearKey *sort_keys(Search *search)
{
    if (search->block_pair_count > FEW_KEYS)
        return impi_radix_sort_packed(search->keys, search->spare_keys, search->block_pair_count, 32, 64);
    impi_insertion_sort(search->keys, search->block_pair_count);
    return search->keys;
}

static void search_block_pairs(Search *search)
{
    search->sorted = sort_keys(search);
    if (search->block_pair_count > MANY_BLOCK_PAIRS && search->turn_count < MAX_TURNS)
        probe_block_pairs(search);
    atomic_store(&search->next_lot, 0);
    if (!is_ending(search) && search->worker_count > 1 && search->block_pair_count > SHARED_BLOCK_PAIRS)
        impi_parallel_for(search->executor, search->worker_count, 1, work_on_lots, search);
    else if (!is_ending(search))
        work_on_lots(0, 1, 0, search);
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

static void visit_groups(Search *search, unsigned level_a, size_t group_a, unsigned level_b, size_t group_b);

// Of groups at different levels the higher one is divided alone; the other stands for all of its boxes.
static void divide_one(Search *search, double squares[IMPI_GROUP_SIZE][IMPI_GROUP_SIZE], unsigned level_a,
                       size_t group_a, unsigned level_b, size_t group_b)
{
    bool divides_a = level_a > level_b;
    for (size_t i = 0; i < IMPI_GROUP_SIZE && !is_ending(search); ++i) {
        double least = INFINITY;
        for (size_t j = 0; j < IMPI_GROUP_SIZE; ++j)
            least = impi_smaller(divides_a ? squares[i][j] : squares[j][i], least);
        if (!(least <= block_limit(&search->shared)))
            continue;
        if (divides_a)
            visit_groups(search, level_a - 1, group_a * IMPI_GROUP_SIZE + i, level_b, group_b);
        else
            visit_groups(search, level_a, group_a, level_b - 1, group_b * IMPI_GROUP_SIZE + i);
    }
}

static void visit_groups(Search *search, unsigned level_a, size_t group_a, unsigned level_b, size_t group_b)
{
    double squares[IMPI_GROUP_SIZE][IMPI_GROUP_SIZE];
    search->shared.boxes->group_squares(&search->shared.sides[0].tree.levels[level_a][group_a],
                                        &search->shared.sides[1].tree.levels[level_b][group_b], squares);
    if (level_a != level_b) {
        divide_one(search, squares, level_a, group_a, level_b, group_b);
        return;
    }
    double limit = block_limit(&search->shared);
    for (size_t i = 0; i < IMPI_GROUP_SIZE; ++i) {
        for (size_t j = 0; j < IMPI_GROUP_SIZE; ++j) {
            if (!(squares[i][j] <= limit))
                continue;
            size_t a = group_a * IMPI_GROUP_SIZE + i, b = group_b * IMPI_GROUP_SIZE + j;
            if (level_a > 0)
                visit_groups(search, level_a - 1, a, level_b - 1, b);
            else
                add_block_pair(search, a, b, squares[i][j]);
            if (is_ending(search))
                return;
        }
    }
}

// ---- the first bound

static void set_frame(impi_DistanceSearch *search)
{
    search->frame = impi_distance_frame(search->way, search->origin, search->exponent);
    ++search->frame_number;
    for (int i = 0; i < 2; ++i) {
        impi_DistanceSide *side = &search->sides[i];
        side->to_frame = impi_distance_frame_transform(&search->frame, &side->body->transform);
        impi_distance_frame_boxes(&side->to_frame, side->oriented, &side->tree);
    }
}

static bool is_face(const impi_DistanceSide *side, impi_BlockFace face)
{
    const impi_FaceBlocks *blocks = &side->body->blocks->blocks;
    return face / IMPI_BLOCK_FACES < blocks->block_count &&
           face % IMPI_BLOCK_FACES < blocks->blocks[face / IMPI_BLOCK_FACES].face_count;
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
    impi_DistanceSearch *shared = &search->shared;
    const impi_Body *body_a = shared->sides[0].body, *body_b = shared->sides[1].body;
    imp_Vec3 a = impi_posed_centre(body_a), b = impi_posed_centre(body_b);
    if (!search->workers[0].has_way) {
        shared->way = impi_subtract(impi_scale(b, 0.5), impi_scale(a, 0.5));
        shared->origin = a;
    }
    if (impi_search_bound(shared) > SMALL_STOP * impi_smaller(size_of(body_a), size_of(body_b))) {
        set_frame(shared);
        impi_distance_seed(&search->workers[0]);
    }
}

static void begin(Search *search)
{
    const impi_FaceHint *hint = search->shared.ask->hint;
    if (hint && is_face(&search->shared.sides[0], hint->a) && is_face(&search->shared.sides[1], hint->b)) {
        impi_distance_worker_try(&search->workers[0], hint->a, hint->b);
        follow_way(search);
    }
    if (!hint || !(impi_search_bound(&search->shared) <= HINT_GROWTH * hint->distance))
        begin_anywhere(search);
    search->workers[0].has_way = false;
    impi_search_look_at_end(&search->shared);
}

// ---- the whole

static size_t side_memory(const impi_Body *body)
{
    size_t blocks = body->blocks->blocks.block_count;
    return impi_block_tree_size(blocks) * sizeof(impi_BoxLanes) +
           (body->is_deformed ? impi_group_count(blocks) * sizeof(impi_OrientedLanes) : 0) +
           2 * IMPI_ALIGNMENT;
}

static bool make_side(impi_Arena *arena, const impi_Body *body, const impi_OrientedLanes *oriented,
                      impi_DistanceSide *side)
{
    size_t blocks = body->blocks->blocks.block_count, groups = impi_group_count(blocks);
    impi_BoxLanes *storage = impi_arena_allocate_array(arena, impi_block_tree_size(blocks), sizeof *storage);
    *side = (impi_DistanceSide){.body = body, .oriented = oriented};
    if (!storage)
        return false;
    impi_block_tree_init(&side->tree, blocks, storage);
    if (body->is_deformed) {
        impi_OrientedLanes *copy = impi_arena_allocate_array(arena, groups, sizeof *copy);
        if (!copy)
            return false;
        impi_oriented_boxes_copy(body->deformed.boxes, groups, copy);
        side->oriented = copy;
    }
    return true;
}

static size_t count_workers(const imp_Executor *executor)
{
    size_t count = executor ? executor->thread_count : 1;
    return count < 1 ? 1 : count > MAX_WORKERS ? MAX_WORKERS : count;
}

size_t impi_mesh_distance_memory(const impi_Body *a, const impi_Body *b, const imp_Executor *executor)
{
    return MAX_BLOCK_PAIRS * (2 * sizeof(impi_NearKey) + sizeof(BlockPair)) + 4 * IMPI_ALIGNMENT +
           count_workers(executor) * (sizeof(impi_DistanceWorker) + impi_distance_worker_memory()) +
           side_memory(a) + side_memory(b);
}

static bool make_search(impi_Arena *arena, const impi_SurfacePair *pair, Search *search)
{
    search->keys = impi_arena_allocate_array(arena, MAX_BLOCK_PAIRS, sizeof *search->keys);
    search->spare_keys = impi_arena_allocate_array(arena, MAX_BLOCK_PAIRS, sizeof *search->spare_keys);
    search->block_pairs = impi_arena_allocate_array(arena, MAX_BLOCK_PAIRS, sizeof *search->block_pairs);
    search->workers = impi_arena_allocate_array(arena, search->worker_count, sizeof *search->workers);
    if (!search->keys || !search->spare_keys || !search->block_pairs || !search->workers)
        return false;
    for (size_t i = 0; i < search->worker_count; ++i)
        if (!impi_distance_worker_init(&search->workers[i], &search->shared, arena))
            return false;
    return make_side(arena, pair->a, pair->boxes_a, &search->shared.sides[0]) &&
           make_side(arena, pair->b, pair->boxes_b, &search->shared.sides[1]);
}

static void run_search(Search *search)
{
    const impi_DistanceSide *sides = search->shared.sides;
    begin(search);
    do {
        search->is_turning = false;
        search->block_pair_count = 0;
        for (size_t i = 0; i < search->worker_count; ++i)
            impi_distance_worker_forget(&search->workers[i]);
        set_frame(&search->shared);
        if (!is_ending(search))
            visit_groups(search, sides[0].tree.level_count - 1, 0, sides[1].tree.level_count - 1, 0);
        if (!is_ending(search))
            search_block_pairs(search);
        ++search->turn_count;
    } while (search->is_turning);
    for (size_t i = 0; i < search->worker_count; ++i)
        impi_distance_worker_settle(&search->workers[i]);
}

static void conclude(const Search *search, impi_SurfaceDistance *result)
{
    const impi_ClosestFaces *best = &search->workers[0].best;
    for (size_t i = 1; i < search->worker_count; ++i)
        if (impi_closest_is_better(&search->workers[i].best, best))
            best = &search->workers[i].best;
    const impi_DistanceWorker *first = &search->workers[0];
    *result = (impi_SurfaceDistance){.verdict = IMPI_SURFACES_MEASURED,
                                     .way = first->has_way ? first->way : search->shared.way,
                                     .origin = first->has_way ? first->origin : search->shared.origin,
                                     .distance = best->distance,
                                     .hint = {best->a, best->b, best->distance.distance}};
    if (impi_search_is_near(&search->shared))
        result->verdict = IMPI_SURFACES_NEAR;
    else if (impi_search_is_over(&search->shared))
        result->verdict = IMPI_SURFACES_CUT_SHORT;
    else if (!best->is_set || best->distance.distance > search->shared.ask->stop_above)
        result->verdict = IMPI_SURFACES_FAR;
    else if (best->distance.distance == 0)
        result->verdict = IMPI_SURFACES_TOUCH;
}

static void init_search(Search *search, const imp_Executor *executor, const impi_SurfacePair *pair,
                        const impi_SurfaceAsk *ask)
{
    assert(!pair->a->end && !pair->b->end);
    *search = (Search){.shared = {.ask = ask,
                                  .boxes = impi_box_distance(),
                                  .triangles = impi_triangle_distance(),
                                  .exponent = impi_distance_frame_exponent(pair->a, pair->b)},
                       .executor = executor,
                       .worker_count = count_workers(executor)};
    uint64_t bits;
    memcpy(&bits, &ask->stop_above, sizeof bits);
    atomic_init(&search->shared.bound_bits, bits);
}

imp_Status impi_mesh_distance(impi_Arena *arena, const imp_Executor *executor, const impi_SurfacePair *pair,
                              const impi_SurfaceAsk *ask, impi_SurfaceDistance *result)
{
    impi_ArenaMark mark = impi_arena_mark(arena);
    Search search;
    init_search(&search, executor, pair, ask);
    bool has_memory = make_search(arena, pair, &search);
    if (has_memory) {
        run_search(&search);
        conclude(&search, result);
    }
    impi_arena_rewind(arena, mark);
    return has_memory ? IMP_STATUS_OK : IMP_STATUS_OUT_OF_MEMORY;
}

// In one frame, without a first bound: what is near is near whatever else is.
imp_Status impi_visit_near_faces(impi_Arena *arena, const impi_SurfacePair *pair, const impi_SurfaceAsk *ask,
                                 imp_Vec3 way, imp_Vec3 origin, const impi_NearVisit *visit)
{
    impi_ArenaMark mark = impi_arena_mark(arena);
    Search search;
    init_search(&search, NULL, pair, ask);
    bool has_memory = make_search(arena, pair, &search);
    if (has_memory) {
        const impi_DistanceSide *sides = search.shared.sides;
        search.shared.visit = visit;
        search.shared.way = way;
        search.shared.origin = origin;
        search.turn_count = MAX_TURNS;
        set_frame(&search.shared);
        visit_groups(&search, sides[0].tree.level_count - 1, 0, sides[1].tree.level_count - 1, 0);
        if (!is_ending(&search))
            search_block_pairs(&search);
    }
    impi_arena_rewind(arena, mark);
    return has_memory ? IMP_STATUS_OK : IMP_STATUS_OUT_OF_MEMORY;
}
