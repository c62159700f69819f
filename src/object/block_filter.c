// Filters "posed-boxes" and "exact-boxes": pairs of surfaces to touching faces, by blocks of faces.
//
// Body pairs give lists of block pairs, on all threads; these are cut into items of bounded size, so that one
// large body pair is spread over the threads just as many small ones are; each item gives the faces that
// touch, which are joined in the order of the items.
//
// Where very many blocks meet, this is done in rounds, each of which takes up the search for block pairs
// where the last one left it: so memory is bounded by what a round takes, and by the faces that are kept.
// Pairs that are only asked whether they touch get few block pairs in the first round, since those often
// tell.
#include "object/block_pairs.h"
#include "object/filter.h"
#include "object/kept_faces.h"
#include "object/posed_surface.h"
#include "object/surface_touch.h"

#define PAIRS_PER_LIST  32
#define BLOCKS_PER_TASK 32

// Block pairs of a round: in all lists, or in each if there are many; and of a pair that is only asked
// whether it touches, in the first round, and how many times more in each later one.
#define ROUND_BLOCK_PAIRS   65536
#define MIN_LIST_BLOCKPAIRS 2048
#define FIRST_TOUCH_LIMIT   256
#define TOUCH_LIMIT_GROWTH  4

// Items of many small bodies are handed out in lots.
#define MANY_ITEMS          1024
#define ITEMS_PER_LARGE_LOT 16

// Where few faces are to be kept, items are small, and few block pairs are worked on before what is too much
// is dropped: these have 2^20 faces at most.
#define LIMITED_ITEM_SIZE   16
#define LIMITED_BLOCK_PAIRS 256

// Where one touching pair of faces is enough, so many candidates are looked at in one go.
#define TOUCH_CANDIDATES 64

// Block pairs of one body pair that are worked on in one go.
typedef struct Item {
    uint32_t position; // of the body pair in the run
    uint32_t list;
    size_t first, count;
    bool is_direct;      // its faces go to the pair's list at once: no other item has any, and all are kept
    uint64_t face_count; // that were found to touch, kept or not
} Item;

// What becomes of a body pair while several threads work on it.
typedef struct PairState {
    impi_BlockSearch search;
    bool is_searched;    // no more block pairs are to be found
    size_t first, count; // its block pairs of this round, in the list of its PAIRS_PER_LIST
    atomic_bool touches, is_cut_short;
    atomic_uint_fast64_t candidate_count;
} PairState;

// A block of a body.
typedef struct BlockRef {
    impi_Body *body;
    uint32_t block;
} BlockRef;

typedef struct Memory {
    IMPI_ARRAY(impi_BlockPairs) block_pairs; // one list for every PAIRS_PER_LIST body pairs
    IMPI_ARRAY(BlockRef) needed_blocks;      // to be posed
    IMPI_ARRAY(Item) items;
    IMPI_ARRAY(impi_FaceKeys) item_faces; // of the items that are worked on, unless they are direct
    impi_BlockPairs touch_pairs;          // see object/surface_touch.h
} Memory;

typedef struct Job {
    impi_FilterRun *run;
    Memory *memory;
    PairState *states;
    size_t list_limit, touch_limit; // of this round
    size_t first_item;              // of those that are worked on
    uint64_t face_count;            // of all pairs, so far
    atomic_bool out_of_memory;
} Job;

// Working memory of a task.
typedef struct TaskScratch {
    impi_BlockPairsScratch *block_pairs;
    impi_FaceKey *touching; // IMPI_MAX_CANDIDATES
} TaskScratch;

static void release_memory(const imp_Allocator *allocator, void *argument)
{
    Memory *memory = argument;
    for (size_t i = 0; i < memory->block_pairs.count; ++i)
        impi_array_free(allocator, &memory->block_pairs.data[i], sizeof(impi_BlockPair));
    for (size_t i = 0; i < memory->item_faces.count; ++i)
        impi_array_free(allocator, &memory->item_faces.data[i], sizeof(impi_FaceKey));
    impi_array_free(allocator, &memory->block_pairs, sizeof *memory->block_pairs.data);
    impi_array_free(allocator, &memory->item_faces, sizeof *memory->item_faces.data);
    impi_array_free(allocator, &memory->needed_blocks, sizeof *memory->needed_blocks.data);
    impi_array_free(allocator, &memory->items, sizeof *memory->items.data);
    impi_array_free(allocator, &memory->touch_pairs, sizeof *memory->touch_pairs.data);
}

#define TOUCHING_SIZE (IMPI_MAX_CANDIDATES * sizeof(impi_FaceKey))

static size_t scratch_size(const impi_FilterRun *run)
{
    (void)run;
    return impi_block_pairs_scratch_size() + IMPI_ALIGNMENT + TOUCHING_SIZE;
}

static bool is_out_of_memory(Job *job)
{
    return atomic_load_explicit(&job->out_of_memory, memory_order_relaxed);
}

static void note_out_of_memory(Job *job)
{
    atomic_store_explicit(&job->out_of_memory, true, memory_order_relaxed);
}

static void note_cut_short(PairState *state)
{
    atomic_store_explicit(&state->is_cut_short, true, memory_order_relaxed);
}

// Nothing more is to be found out about the pair.
static bool is_settled(const impi_PairWork *pair, PairState *state)
{
    return !pair->wants_faces && atomic_load_explicit(&state->touches, memory_order_relaxed);
}

static bool is_limited(const impi_FilterRun *run)
{
    return run->max_faces != IMPI_ALL_FACES;
}

// ---- block pairs

// Block pairs of one body pair for this round. False when out of memory.
static bool find_for_pair(const Job *job, const impi_PairWork *pair, PairState *state,
                          impi_BlockPairs *block_pairs)
{
    size_t limit = job->list_limit - block_pairs->count;
    if (!pair->wants_faces && job->touch_limit < limit)
        limit = job->touch_limit;
    bool done = impi_block_pairs_find(&job->run->context->allocator, &state->search, limit, block_pairs);
    state->count = block_pairs->count - state->first;
    state->is_searched = state->search.next_block == state->search.a->blocks->block_count;
    return done;
}

static void find_block_pairs(size_t begin, size_t end, size_t list, void *argument)
{
    Job *job = argument;
    const impi_FilterRun *run = job->run;
    impi_BlockPairs *block_pairs = &job->memory->block_pairs.data[list];
    block_pairs->count = 0;
    for (size_t i = begin; i < end; ++i) {
        const impi_PairWork *pair = impi_run_pair(run, i);
        PairState *state = &job->states[i];
        state->first = block_pairs->count;
        state->count = 0;
        if (state->is_searched || block_pairs->count >= job->list_limit)
            continue;
        if (is_settled(pair, state)) {
            state->is_searched = true;
        } else if (impi_budget_is_over(run->budget)) {
            note_cut_short(state);
        } else if (!find_for_pair(job, pair, state, block_pairs)) {
            note_out_of_memory(job);
            return;
        }
    }
}

static bool reserve_lists(const imp_Allocator *allocator, Memory *memory, size_t count)
{
    if (!impi_array_reserve(allocator, &memory->block_pairs, sizeof *memory->block_pairs.data, count))
        return false;
    for (; memory->block_pairs.count < count; ++memory->block_pairs.count)
        memory->block_pairs.data[memory->block_pairs.count] = (impi_BlockPairs){0};
    return true;
}

// ---- posing

// A block that is listed counts as posed, so that none is listed twice. False when out of memory.
static bool list_needed_blocks(const Job *job)
{
    Memory *memory = job->memory;
    memory->needed_blocks.count = 0;
    for (size_t i = 0; i < job->run->count; ++i) {
        const PairState *state = &job->states[i];
        if (state->count == 0)
            continue;
        const impi_BlockPair *pairs = memory->block_pairs.data[i / PAIRS_PER_LIST].data + state->first;
        impi_Body *a = impi_run_pair(job->run, i)->a, *b = impi_run_pair(job->run, i)->b;
        if (!impi_array_reserve(&job->run->context->allocator, &memory->needed_blocks,
                                sizeof *memory->needed_blocks.data,
                                memory->needed_blocks.count + 2 * state->count))
            return false;
        BlockRef *needed = memory->needed_blocks.data;
        size_t count = memory->needed_blocks.count;
        for (size_t k = 0; k < state->count; ++k) {
            needed[count] = (BlockRef){a, pairs[k].block_a};
            count += !impi_block_is_posed(a, pairs[k].block_a);
            a->posed->posed_at[pairs[k].block_a] = a->motion;
            needed[count] = (BlockRef){b, pairs[k].block_b};
            count += !impi_block_is_posed(b, pairs[k].block_b);
            b->posed->posed_at[pairs[k].block_b] = b->motion;
        }
        memory->needed_blocks.count = count;
    }
    return true;
}

static void pose_blocks(size_t begin, size_t end, size_t block, void *argument)
{
    const Job *job = argument;
    const BlockRef *blocks = job->memory->needed_blocks.data;
    bool is_over = impi_budget_is_over(job->run->budget);
    (void)block;
    for (size_t i = begin; i < end; ++i) {
        if (is_over)
            blocks[i].body->posed->posed_at[blocks[i].block] = 0;
        else
            impi_block_pose(blocks[i].body, blocks[i].block);
    }
}

// Blocks were listed by boxes that may be larger than need be; now that they are posed, the exact ones tell.
static void keep_meeting(size_t begin, size_t end, size_t list, void *argument)
{
    const Job *job = argument;
    for (size_t i = begin; i < end; ++i) {
        const impi_PairWork *pair = impi_run_pair(job->run, i);
        PairState *state = &job->states[i];
        if (state->count > 0)
            state->count = impi_block_pairs_keep_meeting(
                impi_surface_of(pair->a), impi_surface_of(pair->b), job->run->margin,
                job->memory->block_pairs.data[list].data + state->first, state->count);
    }
}

// ---- faces

static bool cut_items(const Job *job)
{
    const imp_Allocator *allocator = &job->run->context->allocator;
    size_t most = is_limited(job->run) ? LIMITED_ITEM_SIZE : IMPI_MAX_BLOCK_PAIRS;
    Memory *memory = job->memory;
    memory->items.count = 0;
    for (size_t i = 0; i < job->run->count; ++i) {
        const PairState *state = &job->states[i];
        impi_PairWork *pair = impi_run_pair(job->run, i);
        bool is_direct = !is_limited(job->run) && pair->wants_faces && state->count <= most;
        if (is_direct && state->count > 0 && !impi_faces_have_list(job->run, pair))
            return false;
        if (!impi_array_reserve(allocator, &memory->items, sizeof *memory->items.data,
                                memory->items.count + impi_block_count(state->count, most)))
            return false;
        for (size_t done = 0; done < state->count; done += most) {
            size_t left = state->count - done;
            memory->items.data[memory->items.count++] =
                (Item){(uint32_t)i,         (uint32_t)(i / PAIRS_PER_LIST),
                       state->first + done, left < most ? left : most,
                       is_direct,           0};
        }
    }
    return true;
}

static bool reserve_item_faces(const imp_Allocator *allocator, Memory *memory, size_t count)
{
    if (!impi_array_reserve(allocator, &memory->item_faces, sizeof *memory->item_faces.data, count))
        return false;
    for (; memory->item_faces.count < count; ++memory->item_faces.count)
        memory->item_faces.data[memory->item_faces.count] = (impi_FaceKeys){0};
    return true;
}

typedef struct ItemRun {
    Job *job;
    Item *item;
    const impi_PairWork *pair;
    PairState *state;
    impi_FaceKeys *faces;
    impi_FaceKey *touching;
} ItemRun;

static bool find_touch(const ItemRun *item, const impi_BlockFacePair *candidates, size_t count)
{
    const impi_Surface *a = impi_surface_of(item->pair->a), *b = impi_surface_of(item->pair->b);
    size_t touching = 0;
    for (size_t done = 0; done < count && touching == 0; done += TOUCH_CANDIDATES) {
        size_t here = count - done < TOUCH_CANDIDATES ? count - done : TOUCH_CANDIDATES;
        touching =
            item->job->run->feature(a, b, candidates + done, here, item->job->run->margin, item->touching);
    }
    return touching > 0;
}

// Those that touch, without those that are beyond the last that is wanted. False when out of memory.
static bool add_faces(const ItemRun *item, size_t count)
{
    impi_FaceKeys *faces = item->faces;
    if (!impi_array_reserve(&item->job->run->context->allocator, faces, sizeof *faces->data,
                            faces->count + count))
        return false;
    for (size_t i = 0; i < count; ++i) {
        faces->data[faces->count] = item->touching[i];
        faces->count += item->touching[i] <= item->pair->last_face;
    }
    item->item->face_count += count;
    return true;
}

// Candidates to verdicts. Where only the bodies are asked for, one touching pair is enough.
static bool keep_touching(const impi_BlockFacePair *candidates, size_t count, void *argument)
{
    const ItemRun *item = argument;
    const impi_FilterRun *run = item->job->run;
    size_t touching = 0;
    if (impi_budget_is_over(run->budget)) {
        note_cut_short(item->state);
        return false;
    }
    atomic_fetch_add_explicit(&item->state->candidate_count, count, memory_order_relaxed);
    if (item->pair->wants_faces)
        touching = run->feature(impi_surface_of(item->pair->a), impi_surface_of(item->pair->b), candidates,
                                count, run->margin, item->touching);
    else
        touching = find_touch(item, candidates, count);
    if (touching == 0)
        return true;
    atomic_store_explicit(&item->state->touches, true, memory_order_relaxed);
    if (item->pair->wants_faces && !add_faces(item, touching))
        note_out_of_memory(item->job);
    return item->pair->wants_faces && !is_out_of_memory(item->job);
}

static void run_item(Job *job, size_t number, const TaskScratch *scratch)
{
    Item *item = &job->memory->items.data[job->first_item + number];
    const impi_PairWork *pair = impi_run_pair(job->run, item->position);
    ItemRun run = {.job = job,
                   .item = item,
                   .pair = pair,
                   .state = &job->states[item->position],
                   .faces = item->is_direct ? &job->run->faces->lists.data[pair->face_list]
                                            : &job->memory->item_faces.data[number],
                   .touching = scratch->touching};
    if (!item->is_direct)
        run.faces->count = 0;
    if (is_settled(pair, run.state))
        return;
    impi_BlockPairRun pairs = {impi_surface_of(pair->a), impi_surface_of(pair->b), job->run->margin,
                               job->memory->block_pairs.data[item->list].data + item->first, item->count};
    impi_block_pairs_find_faces(&pairs, scratch->block_pairs, keep_touching, &run);
}

static void run_items(size_t begin, size_t end, size_t block, void *argument)
{
    Job *job = argument;
    TaskScratch scratch = {NULL, NULL};
    (void)block;
    if (is_out_of_memory(job))
        return;
    impi_Arena *arena = impi_scratch_pool_take(job->run->scratch);
    if (arena) {
        scratch.block_pairs = impi_arena_allocate(arena, impi_block_pairs_scratch_size());
        scratch.touching = impi_arena_allocate(arena, TOUCHING_SIZE);
    }
    if (!scratch.block_pairs || !scratch.touching)
        note_out_of_memory(job);
    for (size_t i = begin; i < end && !is_out_of_memory(job); ++i)
        run_item(job, i, &scratch);
    if (arena)
        impi_scratch_pool_give_back(job->run->scratch, arena);
}

// Faces of items that were worked on become their pairs', as far as there is room. False when out of memory.
static bool join_items(Job *job, size_t count)
{
    const Item *items = job->memory->items.data + job->first_item;
    for (size_t i = 0; i < count; ++i) {
        impi_run_pair(job->run, items[i].position)->face_count += items[i].face_count;
        job->face_count += items[i].face_count;
    }
    if (job->face_count > job->run->max_faces && !impi_faces_cut(job->run, false))
        return false;
    for (size_t i = 0; i < count; ++i) {
        impi_FaceKeys *faces = &job->memory->item_faces.data[i];
        if (!impi_faces_add(job->run, impi_run_pair(job->run, items[i].position), faces->data, faces->count))
            return false;
        faces->count = 0;
    }
    return true;
}

// How many items from the first on are worked on in one go.
static size_t batch_size(const Job *job)
{
    size_t left = job->memory->items.count - job->first_item, count = 0, block_pairs = 0;
    const Item *items = job->memory->items.data + job->first_item;
    if (!is_limited(job->run))
        return left;
    for (; count < left && block_pairs < LIMITED_BLOCK_PAIRS; ++count)
        block_pairs += items[count].count;
    return count;
}

// False when out of memory.
static bool work_on_items(Job *job)
{
    size_t count;
    for (job->first_item = 0; job->first_item < job->memory->items.count; job->first_item += count) {
        count = batch_size(job);
        if (!reserve_item_faces(&job->run->context->allocator, job->memory, count))
            return false;
        impi_parallel_for(&job->run->context->executor, count, count < MANY_ITEMS ? 1 : ITEMS_PER_LARGE_LOT,
                          run_items, job);
        if (is_out_of_memory(job) || !join_items(job, count))
            return false;
    }
    return true;
}

// ---- the filter

static imp_Status require_surfaces(const impi_FilterRun *run, bool exact)
{
    impi_Arena *arena = &run->context->scratch;
    impi_Body **bodies = impi_arena_allocate_array(arena, 2 * run->count, sizeof *bodies);
    size_t count = 0;
    if (!bodies)
        return impi_fail_out_of_memory(run->context);
    for (size_t i = 0; i < run->count; ++i) {
        const impi_PairWork *pair = impi_run_pair(run, i);
        bodies[count] = pair->a;
        count += !impi_surface_is_ready(pair->a, exact);
        bodies[count] = pair->b;
        count += !impi_surface_is_ready(pair->b, exact);
    }
    return impi_surfaces_require(run->context, bodies, count, exact);
}

static void note_answers(const Job *job)
{
    for (size_t i = 0; i < job->run->count; ++i) {
        impi_PairWork *pair = impi_run_pair(job->run, i);
        PairState *state = &job->states[i];
        bool touches = atomic_load_explicit(&state->touches, memory_order_relaxed);
        bool is_done = !atomic_load_explicit(&state->is_cut_short, memory_order_relaxed);
        pair->relations |= touches ? IMP_RELATION_TOUCH : 0u;
        pair->answered |= (touches || is_done ? IMP_QUESTION_TOUCH : 0u) |
                          (is_done && pair->wants_faces ? IMP_QUESTION_FACES : 0u);
        pair->candidate_count = atomic_load_explicit(&state->candidate_count, memory_order_relaxed);
    }
}

// Steps in their order. Once the budget is over blocks may be left that are not posed, so nothing more is
// looked at.
static imp_Status search_round(Job *job)
{
    impi_FilterRun *run = job->run;
    const imp_Executor *executor = &run->context->executor;
    impi_parallel_for(executor, run->count, PAIRS_PER_LIST, find_block_pairs, job);
    if (is_out_of_memory(job))
        return impi_fail_out_of_memory(run->context);
    bool listed = list_needed_blocks(job);
    impi_parallel_for(executor, job->memory->needed_blocks.count, BLOCKS_PER_TASK, pose_blocks, job);
    if (!listed)
        return impi_fail_out_of_memory(run->context);
    if (impi_budget_is_over(run->budget)) {
        for (size_t i = 0; i < run->count; ++i)
            if (job->states[i].count > 0)
                note_cut_short(&job->states[i]);
        return IMP_STATUS_OK;
    }
    impi_parallel_for(executor, run->count, PAIRS_PER_LIST, keep_meeting, job);
    if (!cut_items(job) || !work_on_items(job))
        return impi_fail_out_of_memory(run->context);
    return IMP_STATUS_OK;
}

static bool is_left(const Job *job, size_t i)
{
    return !job->states[i].is_searched && !is_settled(impi_run_pair(job->run, i), &job->states[i]);
}

static bool is_any_left(const Job *job)
{
    for (size_t i = 0; i < job->run->count; ++i)
        if (is_left(job, i))
            return true;
    return false;
}

static imp_Status search_faces(Job *job, size_t list_count)
{
    imp_Status status = IMP_STATUS_OK;
    size_t share = ROUND_BLOCK_PAIRS / list_count;
    job->list_limit = share > MIN_LIST_BLOCKPAIRS ? share : MIN_LIST_BLOCKPAIRS;
    job->touch_limit = FIRST_TOUCH_LIMIT;
    do {
        status = search_round(job);
        if (job->touch_limit < job->list_limit)
            job->touch_limit *= TOUCH_LIMIT_GROWTH;
    } while (status == IMP_STATUS_OK && !impi_budget_is_over(job->run->budget) && is_any_left(job));
    if (status == IMP_STATUS_OK && !impi_faces_cut(job->run, true))
        status = impi_fail_out_of_memory(job->run->context);
    for (size_t i = 0; i < job->run->count; ++i) // what the budget did not last for
        if (is_left(job, i))
            note_cut_short(&job->states[i]);
    return status;
}

static void begin_states(const impi_FilterRun *run, PairState *states)
{
    for (size_t i = 0; i < run->count; ++i) {
        const impi_PairWork *pair = impi_run_pair(run, i);
        states[i].search =
            (impi_BlockSearch){impi_surface_of(pair->a), impi_surface_of(pair->b), run->margin, 0};
        states[i].is_searched = false;
        states[i].first = states[i].count = 0;
        atomic_init(&states[i].touches, false);
        atomic_init(&states[i].is_cut_short, false);
        atomic_init(&states[i].candidate_count, 0);
    }
}

// Answer what one thread answers best on its own; the other pairs are left.
static imp_Status touch_pairs(const Job *job)
{
    imp_Status status = IMP_STATUS_OK;
    for (size_t i = 0; i < job->run->count && status == IMP_STATUS_OK; ++i) {
        const impi_PairWork *pair = impi_run_pair(job->run, i);
        PairState *state = &job->states[i];
        impi_TouchVerdict verdict = IMPI_TOUCH_NONE;
        if (!impi_surfaces_touch_takes(job->run, pair))
            continue;
        status = impi_surfaces_touch(job->run, pair, &job->memory->touch_pairs, &verdict);
        state->is_searched = true;
        atomic_store_explicit(&state->touches, verdict == IMPI_TOUCH_FOUND, memory_order_relaxed);
        if (verdict == IMPI_TOUCH_CUT_SHORT)
            note_cut_short(state);
    }
    return status;
}

static imp_Status run_blocks(impi_FilterRun *run, bool exact)
{
    Job job = {.run = run, .memory = run->memory};
    atomic_init(&job.out_of_memory, false);
    impi_ArenaMark mark = impi_arena_mark(&run->context->scratch);
    job.states = impi_arena_allocate_array(&run->context->scratch, run->count, sizeof *job.states);
    size_t lists = impi_block_count(run->count, PAIRS_PER_LIST);
    bool has_memory = job.states && reserve_lists(&run->context->allocator, job.memory, lists);
    imp_Status status = has_memory ? require_surfaces(run, exact) : impi_fail_out_of_memory(run->context);
    if (status == IMP_STATUS_OK && has_memory) {
        begin_states(run, job.states);
        status = touch_pairs(&job);
        if (status == IMP_STATUS_OK && is_any_left(&job))
            status = search_faces(&job, lists);
        if (status == IMP_STATUS_OK)
            note_answers(&job);
    }
    impi_arena_rewind(&run->context->scratch, mark);
    return status;
}

static imp_Status run_posed(impi_FilterRun *run)
{
    return run_blocks(run, false);
}

static imp_Status run_exact(impi_FilterRun *run)
{
    return run_blocks(run, true);
}

#define MESH IMPI_KIND_BIT(IMPI_SHAPE_MESH)

const impi_Filter impi_posed_boxes_filter = {.name = "posed-boxes",
                                             .method = IMP_METHOD_POSED_BOXES,
                                             .takes_touch = {MESH, MESH},
                                             .takes_faces = {IMPI_ANY_KIND, IMPI_ANY_KIND},
                                             .memory_size = sizeof(Memory),
                                             .release_memory = release_memory,
                                             .scratch_size = scratch_size,
                                             .run = run_posed};

const impi_Filter impi_exact_boxes_filter = {.name = "exact-boxes",
                                             .method = IMP_METHOD_EXACT_BOXES,
                                             .takes_touch = {MESH, MESH},
                                             .takes_faces = {IMPI_ANY_KIND, IMPI_ANY_KIND},
                                             .memory_size = sizeof(Memory),
                                             .release_memory = release_memory,
                                             .scratch_size = scratch_size,
                                             .run = run_exact};
