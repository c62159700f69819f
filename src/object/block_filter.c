// Filters "posed-boxes" and "exact-boxes": pairs of surfaces to touching faces, by blocks of faces.
//
// Body pairs give lists of block pairs, on all threads; these are cut into items of bounded size, so that one
// large body pair is spread over the threads just as many small ones are; each item gives the faces that
// touch, which are joined in the order of the items.
#include "object/block_pairs.h"
#include "object/filter.h"
#include "object/posed_surface.h"

#define PAIRS_PER_LIST  32
#define BLOCKS_PER_TASK 32

// Items of many small bodies are handed out in lots.
#define MANY_ITEMS          1024
#define ITEMS_PER_LARGE_LOT 16

// Block pairs of one body pair that are worked on in one go.
typedef struct Item {
    uint32_t position; // of the body pair in the run
    uint32_t list;
    size_t first, count;
} Item;

// What becomes of a body pair while several threads work on it.
typedef struct PairState {
    size_t first, count; // its block pairs, in the list of its PAIRS_PER_LIST
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
} Memory;

typedef struct Job {
    impi_FilterRun *run;
    Memory *memory;
    PairState *states;
    size_t first_list; // of the first item's faces
    atomic_bool out_of_memory;
} Job;

static void release_memory(const imp_Allocator *allocator, void *argument)
{
    Memory *memory = argument;
    for (size_t i = 0; i < memory->block_pairs.count; ++i)
        impi_array_free(allocator, &memory->block_pairs.data[i], sizeof(impi_BlockPair));
    impi_array_free(allocator, &memory->block_pairs, sizeof *memory->block_pairs.data);
    impi_array_free(allocator, &memory->needed_blocks, sizeof *memory->needed_blocks.data);
    impi_array_free(allocator, &memory->items, sizeof *memory->items.data);
}

static size_t scratch_size(const impi_FilterRun *run)
{
    (void)run;
    return impi_block_pairs_scratch_size();
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

// ---- block pairs

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
        if (impi_budget_is_over(run->budget)) {
            note_cut_short(state);
        } else if (!impi_block_pairs_find(&run->context->allocator, impi_surface_of(pair->a),
                                          impi_surface_of(pair->b), run->margin, block_pairs)) {
            note_out_of_memory(job);
            return;
        }
        state->count = block_pairs->count - state->first;
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

static bool cut_items(Job *job)
{
    const imp_Allocator *allocator = &job->run->context->allocator;
    Memory *memory = job->memory;
    memory->items.count = 0;
    job->first_list = job->run->faces->used;
    for (size_t i = 0; i < job->run->count; ++i) {
        impi_PairWork *pair = impi_run_pair(job->run, i);
        const PairState *state = &job->states[i];
        pair->first_list = job->first_list + memory->items.count;
        pair->list_count = impi_block_count(state->count, IMPI_MAX_BLOCK_PAIRS);
        if (!impi_array_reserve(allocator, &memory->items, sizeof *memory->items.data,
                                memory->items.count + pair->list_count))
            return false;
        for (size_t done = 0; done < state->count; done += IMPI_MAX_BLOCK_PAIRS) {
            size_t left = state->count - done;
            memory->items.data[memory->items.count++] =
                (Item){(uint32_t)i, (uint32_t)(i / PAIRS_PER_LIST), state->first + done,
                       left < IMPI_MAX_BLOCK_PAIRS ? left : IMPI_MAX_BLOCK_PAIRS};
        }
    }
    return impi_face_lists_add(allocator, job->run->faces, memory->items.count);
}

typedef struct ItemRun {
    Job *job;
    PairState *state;
    impi_FacePairs *faces;
    const impi_Surface *a, *b;
} ItemRun;

// Candidates to verdicts. Where only the bodies are asked for, one touching pair is enough.
static bool keep_touching(const impi_BlockFacePair *candidates, size_t count, void *argument)
{
    ItemRun *item = argument;
    const impi_FilterRun *run = item->job->run;
    impi_FacePairs *faces = item->faces;
    if (impi_budget_is_over(run->budget)) {
        note_cut_short(item->state);
        return false;
    }
    if (!impi_array_reserve(&run->context->allocator, faces, sizeof *faces->data, faces->count + count)) {
        note_out_of_memory(item->job);
        return false;
    }
    size_t touching = run->feature(item->a, item->b, candidates, count, faces->data + faces->count);
    faces->count += touching;
    atomic_fetch_add_explicit(&item->state->candidate_count, count, memory_order_relaxed);
    if (touching > 0)
        atomic_store_explicit(&item->state->touches, true, memory_order_relaxed);
    return run->wants_faces || touching == 0;
}

static void run_item(Job *job, size_t number, impi_BlockPairsScratch *scratch)
{
    const Item *item = &job->memory->items.data[number];
    const impi_PairWork *pair = impi_run_pair(job->run, item->position);
    PairState *state = &job->states[item->position];
    ItemRun run = {job, state, &job->run->faces->lists.data[job->first_list + number],
                   impi_surface_of(pair->a), impi_surface_of(pair->b)};
    if (!job->run->wants_faces && atomic_load_explicit(&state->touches, memory_order_relaxed))
        return;
    impi_BlockPairRun pairs = {run.a, run.b, job->run->margin,
                               job->memory->block_pairs.data[item->list].data + item->first, item->count};
    impi_block_pairs_find_faces(&pairs, scratch, keep_touching, &run);
}

static void run_items(size_t begin, size_t end, size_t block, void *argument)
{
    Job *job = argument;
    (void)block;
    if (is_out_of_memory(job))
        return;
    impi_Arena *arena = impi_scratch_pool_take(job->run->scratch);
    impi_BlockPairsScratch *scratch =
        arena ? impi_arena_allocate(arena, impi_block_pairs_scratch_size()) : NULL;
    for (size_t i = begin; i < end && scratch; ++i)
        run_item(job, i, scratch);
    if (!scratch)
        note_out_of_memory(job);
    if (arena)
        impi_scratch_pool_give_back(job->run->scratch, arena);
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
                          (is_done && job->run->wants_faces ? IMP_QUESTION_FACES : 0u);
        pair->candidate_count = atomic_load_explicit(&state->candidate_count, memory_order_relaxed);
    }
}

// Steps in their order. Once the budget is over blocks may be left that are not posed, so nothing more is
// looked at.
static imp_Status search_faces(Job *job)
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
            note_cut_short(&job->states[i]);
        return IMP_STATUS_OK;
    }
    impi_parallel_for(executor, run->count, PAIRS_PER_LIST, keep_meeting, job);
    if (!cut_items(job))
        return impi_fail_out_of_memory(run->context);
    size_t items = job->memory->items.count;
    impi_parallel_for(executor, items, items < MANY_ITEMS ? 1 : ITEMS_PER_LARGE_LOT, run_items, job);
    return is_out_of_memory(job) ? impi_fail_out_of_memory(run->context) : IMP_STATUS_OK;
}

static void begin_states(PairState *states, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        states[i].first = states[i].count = 0;
        atomic_init(&states[i].touches, false);
        atomic_init(&states[i].is_cut_short, false);
        atomic_init(&states[i].candidate_count, 0);
    }
}

static imp_Status run_blocks(impi_FilterRun *run, bool exact)
{
    Job job = {.run = run, .memory = run->memory};
    atomic_init(&job.out_of_memory, false);
    impi_ArenaMark mark = impi_arena_mark(&run->context->scratch);
    job.states = impi_arena_allocate_array(&run->context->scratch, run->count, sizeof *job.states);
    size_t lists = impi_block_count(run->count, PAIRS_PER_LIST);
    imp_Status status = IMP_STATUS_OK;
    if (!job.states || !reserve_lists(&run->context->allocator, job.memory, lists))
        status = impi_fail_out_of_memory(run->context);
    else
        begin_states(job.states, run->count);
    if (status == IMP_STATUS_OK)
        status = require_surfaces(run, exact);
    if (status == IMP_STATUS_OK)
        status = search_faces(&job);
    if (status == IMP_STATUS_OK)
        note_answers(&job);
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

#define MESHES                                                                                               \
    {                                                                                                        \
        IMPI_KIND_BIT(IMPI_SHAPE_MESH), IMPI_KIND_BIT(IMPI_SHAPE_MESH)                                       \
    }
#define SURFACES                                                                                             \
    {                                                                                                        \
        IMPI_ANY_KIND, IMPI_ANY_KIND                                                                         \
    }

const impi_Filter impi_posed_boxes_filter = {.name = "posed-boxes",
                                             .method = IMP_METHOD_POSED_BOXES,
                                             .takes_touch = MESHES,
                                             .takes_faces = SURFACES,
                                             .memory_size = sizeof(Memory),
                                             .release_memory = release_memory,
                                             .scratch_size = scratch_size,
                                             .run = run_posed};

const impi_Filter impi_exact_boxes_filter = {.name = "exact-boxes",
                                             .method = IMP_METHOD_EXACT_BOXES,
                                             .takes_touch = MESHES,
                                             .takes_faces = SURFACES,
                                             .memory_size = sizeof(Memory),
                                             .release_memory = release_memory,
                                             .scratch_size = scratch_size,
                                             .run = run_exact};
