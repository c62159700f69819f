// Filter "time-of-impact": when do two surfaces on straight ways first touch, and with which faces?
//
// Three passes, each of which goes from blocks of faces that meet within some time to faces to verdicts:
//   start  do any faces touch at time 0? Those that do are done but for the list.
//   first  when do the others first touch? Blocks come in the order of the times from which on they meet, and
//          what can't be earlier than what is known already is left out. Each vertex and edge is looked at
//          with the face that owns it.
//   list   which faces touch at that time, to the last bit of it? All parts of all faces whose boxes meet at
//          that moment. Where all face pairs that ever touch are asked for, this pass is the only one, and
//          looks at the whole time.
//
// A pass is spread over threads as in block_filter.c: by body pairs while blocks are looked for, by items of
// so many block pairs afterwards; and in rounds where very many blocks meet. What one thread finds in the
// second pass spares work of the others, and changes nothing in the end: the least time stands when all are
// done, whoever found it.
#include "object/filter.h"
#include "object/moving_pairs.h"
#include "object/swept_surface.h"

#include "geom/triangle_sweep.h"

#define PAIRS_PER_LIST  32
#define BLOCKS_PER_TASK 32
#define LISTS_PER_TASK  16

// Block pairs of a round: in all lists, or in each if there are many.
#define ROUND_BLOCK_PAIRS    65536
#define MIN_LIST_BLOCK_PAIRS 2048

// Block pairs of an item; fewer where each takes long and may spare others.
#define ITEM_SIZE       256
#define FIRST_ITEM_SIZE 16

// Items of many small bodies are handed out in lots.
#define MANY_ITEMS          1024
#define ITEMS_PER_LARGE_LOT 16

// Where one touching pair of faces is enough, or each may spare what comes after it, so many candidates are
// looked at in one go.
#define FEW_CANDIDATES 64

typedef enum Pass {
    PASS_START,
    PASS_FIRST,
    PASS_LIST,
} Pass;

// Block pairs of one body pair that are worked on in one go.
typedef struct Item {
    uint32_t position; // of the body pair in the run
    uint32_t list;
    size_t first, count;
    bool is_direct; // its faces go to the pair's list at once: no other item of the round has any
} Item;

// What becomes of a body pair while several threads work on it.
typedef struct PairState {
    impi_MovingSearch search;
    bool takes_part;     // in this pass
    bool is_searched;    // no more block pairs are to be found
    size_t first, count; // its block pairs of this round, in the list of its PAIRS_PER_LIST
    impi_FirstTime time; // the least so far
    atomic_bool is_cut_short;
} PairState;

typedef struct BlockRef {
    impi_Body *body;
    uint32_t block;
} BlockRef;

typedef struct Memory {
    IMPI_ARRAY(impi_MovingBlockPairs) block_pairs; // one list for every PAIRS_PER_LIST body pairs
    IMPI_ARRAY(BlockRef) needed_blocks;            // to be posed
    IMPI_ARRAY(Item) items;
    IMPI_ARRAY(impi_FaceTimes) item_faces; // of items, unless they are direct
} Memory;

typedef struct Job {
    impi_FilterRun *run;
    Memory *memory;
    PairState *states;
    Pass pass;
    size_t list_limit;
    atomic_bool out_of_memory;
} Job;

// Working memory of a task.
typedef struct TaskScratch {
    impi_MovingScratch *moving;
    impi_FaceKey *keys; // IMPI_MAX_MOVING_CANDIDATES
    impi_FaceTime *found;
} TaskScratch;

#define KEYS_SIZE  (IMPI_MAX_MOVING_CANDIDATES * sizeof(impi_FaceKey))
#define FOUND_SIZE (IMPI_MAX_MOVING_CANDIDATES * sizeof(impi_FaceTime))

static void release_memory(const imp_Allocator *allocator, void *argument)
{
    Memory *memory = argument;
    for (size_t i = 0; i < memory->block_pairs.count; ++i)
        impi_array_free(allocator, &memory->block_pairs.data[i], sizeof(impi_MovingBlocks));
    for (size_t i = 0; i < memory->item_faces.count; ++i)
        impi_array_free(allocator, &memory->item_faces.data[i], sizeof(impi_FaceTime));
    impi_array_free(allocator, &memory->block_pairs, sizeof *memory->block_pairs.data);
    impi_array_free(allocator, &memory->item_faces, sizeof *memory->item_faces.data);
    impi_array_free(allocator, &memory->needed_blocks, sizeof *memory->needed_blocks.data);
    impi_array_free(allocator, &memory->items, sizeof *memory->items.data);
}

static size_t scratch_size(const impi_FilterRun *run)
{
    (void)run;
    return impi_moving_scratch_size() + KEYS_SIZE + FOUND_SIZE + 2 * (size_t)IMPI_ALIGNMENT;
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

// Nothing more is to be found in this pass.
static bool is_settled(const Job *job, PairState *state)
{
    return job->pass != PASS_LIST && impi_first_time_get(&state->time) == 0;
}

// ---- block pairs

static void find_block_pairs(size_t begin, size_t end, size_t list, void *argument)
{
    Job *job = argument;
    impi_MovingBlockPairs *block_pairs = &job->memory->block_pairs.data[list];
    block_pairs->count = 0;
    for (size_t i = begin; i < end; ++i) {
        PairState *state = &job->states[i];
        state->first = block_pairs->count;
        state->count = 0;
        if (!state->takes_part || state->is_searched || block_pairs->count >= job->list_limit)
            continue;
        if (impi_budget_is_over(job->run->budget)) {
            note_cut_short(state);
            continue;
        }
        if (job->pass == PASS_FIRST) // what earlier rounds have found
            state->search.when.last = impi_smaller(impi_first_time_get(&state->time), 1);
        if (!impi_moving_blocks_find(&job->run->context->allocator, &state->search,
                                     job->list_limit - block_pairs->count, block_pairs)) {
            note_out_of_memory(job);
            return;
        }
        state->count = block_pairs->count - state->first;
        state->is_searched = state->search.next_block == state->search.a->blocks->block_count;
    }
}

static bool reserve_lists(const imp_Allocator *allocator, Memory *memory, size_t count)
{
    if (!impi_array_reserve(allocator, &memory->block_pairs, sizeof *memory->block_pairs.data, count))
        return false;
    for (; memory->block_pairs.count < count; ++memory->block_pairs.count)
        memory->block_pairs.data[memory->block_pairs.count] = (impi_MovingBlockPairs){0};
    return true;
}

// ---- posing

static size_t need_block(impi_Body *body, uint32_t block, BlockRef *needed)
{
    bool is_new = !impi_swept_block_is_posed(body, block);
    *needed = (BlockRef){body, block};
    impi_swept_block_note(body, block, true);
    return is_new;
}

// A block that is listed counts as posed, so that none is listed twice. False when out of memory.
static bool list_needed_blocks(const Job *job)
{
    Memory *memory = job->memory;
    memory->needed_blocks.count = 0;
    for (size_t i = 0; i < job->run->count; ++i) {
        const PairState *state = &job->states[i];
        const impi_PairWork *pair = impi_run_pair(job->run, i);
        if (state->count == 0)
            continue;
        const impi_MovingBlocks *pairs = memory->block_pairs.data[i / PAIRS_PER_LIST].data + state->first;
        size_t count = memory->needed_blocks.count;
        if (!impi_array_reserve(&job->run->context->allocator, &memory->needed_blocks,
                                sizeof *memory->needed_blocks.data, count + 2 * state->count))
            return false;
        for (size_t k = 0; k < state->count; ++k) {
            count += need_block(pair->a, pairs[k].block_a, &memory->needed_blocks.data[count]);
            count += need_block(pair->b, pairs[k].block_b, &memory->needed_blocks.data[count]);
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
            impi_swept_block_note(blocks[i].body, blocks[i].block, false);
        else
            impi_swept_block_pose(blocks[i].body, blocks[i].block);
    }
}

static void keep_meeting(size_t begin, size_t end, size_t list, void *argument)
{
    const Job *job = argument;
    for (size_t i = begin; i < end; ++i) {
        PairState *state = &job->states[i];
        if (state->count == 0)
            continue;
        impi_MovingBlocks *pairs = job->memory->block_pairs.data[list].data + state->first;
        state->count = impi_moving_blocks_keep(state->search.a, state->search.b, &state->search.when, pairs,
                                               state->count);
        if (job->pass == PASS_FIRST)
            impi_moving_blocks_sort(pairs, state->count);
    }
}

// ---- faces

static bool cut_items(const Job *job)
{
    const imp_Allocator *allocator = &job->run->context->allocator;
    size_t most = job->pass == PASS_FIRST ? FIRST_ITEM_SIZE : ITEM_SIZE;
    Memory *memory = job->memory;
    memory->items.count = 0;
    for (size_t i = 0; i < job->run->count; ++i) {
        const PairState *state = &job->states[i];
        if (!impi_array_reserve(allocator, &memory->items, sizeof *memory->items.data,
                                memory->items.count + impi_block_count(state->count, most)))
            return false;
        for (size_t done = 0; done < state->count; done += most) {
            size_t left = state->count - done;
            memory->items.data[memory->items.count++] =
                (Item){(uint32_t)i, (uint32_t)(i / PAIRS_PER_LIST), state->first + done,
                       left < most ? left : most, state->count <= most};
        }
    }
    return true;
}

static bool reserve_item_faces(const imp_Allocator *allocator, Memory *memory, size_t count)
{
    if (!impi_array_reserve(allocator, &memory->item_faces, sizeof *memory->item_faces.data, count))
        return false;
    for (; memory->item_faces.count < count; ++memory->item_faces.count)
        memory->item_faces.data[memory->item_faces.count] = (impi_FaceTimes){0};
    return true;
}

typedef struct ItemRun {
    Job *job;
    PairState *state;
    impi_FaceTimes *faces;
    const TaskScratch *scratch;
} ItemRun;

static bool add_faces(const imp_Allocator *allocator, const impi_FaceTime *found, size_t count,
                      impi_FaceTimes *faces)
{
    if (count == 0)
        return true;
    if (!impi_array_reserve(allocator, faces, sizeof *faces->data, faces->count + count))
        return false;
    memcpy(faces->data + faces->count, found, count * sizeof *found);
    faces->count += count;
    return true;
}

// Each of these returns whether to go on.

static bool find_touch(const ItemRun *item, const impi_BlockFacePair *candidates, size_t count)
{
    const impi_MovingSearch *search = &item->state->search;
    for (size_t done = 0; done < count; done += FEW_CANDIDATES) {
        size_t here = count - done < FEW_CANDIDATES ? count - done : FEW_CANDIDATES;
        if (item->job->run->moving_feature.touch(search->a, search->b, candidates + done, here,
                                                 item->scratch->keys)) {
            impi_first_time_lower(&item->state->time, 0);
            return false;
        }
    }
    return true;
}

static bool find_first(const ItemRun *item, const impi_BlockFacePair *candidates, size_t count)
{
    const impi_MovingSearch *search = &item->state->search;
    double known = impi_first_time_get(&item->state->time);
    double time = item->job->run->moving_feature.first_time(search->a, search->b, candidates, count,
                                                            impi_smaller(known, 1));
    impi_first_time_lower(&item->state->time, time);
    return time > 0;
}

static bool find_times(const ItemRun *item, impi_BlockFacePair *candidates, size_t count)
{
    const impi_MovingSearch *search = &item->state->search;
    double until = item->job->run->sweep.face_times ? 1 : impi_first_time_get(&item->state->time);
    size_t found = item->job->run->moving_feature.times(search->a, search->b, candidates, count, until,
                                                        item->scratch->keys, item->scratch->found);
    if (add_faces(&item->job->run->context->allocator, item->scratch->found, found, item->faces))
        return true;
    note_out_of_memory(item->job);
    return false;
}

static bool take_candidates(impi_BlockFacePair *candidates, size_t count, void *argument)
{
    const ItemRun *item = argument;
    if (impi_budget_is_over(item->job->run->budget)) {
        note_cut_short(item->state);
        return false;
    }
    switch (item->job->pass) {
    case PASS_START:
        return find_touch(item, candidates, count);
    case PASS_FIRST:
        return find_first(item, candidates, count);
    case PASS_LIST:
        break;
    }
    return find_times(item, candidates, count);
}

static void run_item(Job *job, size_t number, const TaskScratch *scratch)
{
    const Item *item = &job->memory->items.data[number];
    PairState *state = &job->states[item->position];
    ItemRun run = {.job = job,
                   .state = state,
                   .faces = item->is_direct ? impi_run_pair(job->run, item->position)->sweep->faces
                                            : &job->memory->item_faces.data[number],
                   .scratch = scratch};
    if (!item->is_direct)
        run.faces->count = 0;
    if (is_settled(job, state))
        return;
    impi_MovingRun moving = {.a = state->search.a,
                             .b = state->search.b,
                             .when = state->search.when,
                             .until = job->pass == PASS_FIRST ? &state->time : NULL,
                             .pairs = job->memory->block_pairs.data[item->list].data + item->first,
                             .count = item->count,
                             .lot = job->pass == PASS_LIST    ? IMPI_MAX_MOVING_LOT
                                    : job->pass == PASS_START ? FEW_CANDIDATES
                                                              : 1};
    impi_moving_faces_find(&moving, scratch->moving, take_candidates, &run);
}

static void run_items(size_t begin, size_t end, size_t block, void *argument)
{
    Job *job = argument;
    TaskScratch scratch = {NULL, NULL, NULL};
    (void)block;
    if (is_out_of_memory(job))
        return;
    impi_Arena *arena = impi_scratch_pool_take(job->run->scratch);
    if (arena) {
        scratch.moving = impi_arena_allocate(arena, impi_moving_scratch_size());
        scratch.keys = impi_arena_allocate(arena, KEYS_SIZE);
        scratch.found = impi_arena_allocate(arena, FOUND_SIZE);
    }
    if (!scratch.moving || !scratch.keys || !scratch.found)
        note_out_of_memory(job);
    for (size_t i = begin; i < end && !is_out_of_memory(job); ++i)
        run_item(job, i, &scratch);
    if (arena)
        impi_scratch_pool_give_back(job->run->scratch, arena);
}

// False when out of memory.
static bool work_on_items(Job *job)
{
    const imp_Allocator *allocator = &job->run->context->allocator;
    Memory *memory = job->memory;
    size_t count = memory->items.count;
    if (!reserve_item_faces(allocator, memory, count))
        return false;
    impi_parallel_for(&job->run->context->executor, count, count < MANY_ITEMS ? 1 : ITEMS_PER_LARGE_LOT,
                      run_items, job);
    for (size_t i = 0; i < count && job->pass == PASS_LIST && !is_out_of_memory(job); ++i) {
        const impi_FaceTimes *faces = &memory->item_faces.data[i];
        impi_PairWork *pair = impi_run_pair(job->run, memory->items.data[i].position);
        if (!memory->items.data[i].is_direct &&
            !add_faces(allocator, faces->data, faces->count, pair->sweep->faces))
            return false;
    }
    return !is_out_of_memory(job);
}

// ---- passes

// Once the budget is over blocks may be left that are not posed, so nothing more is looked at.
static imp_Status run_round(Job *job)
{
    impi_FilterRun *run = job->run;
    const imp_Executor *executor = &run->context->executor;
    impi_parallel_for(executor, run->count, PAIRS_PER_LIST, find_block_pairs, job);
    if (is_out_of_memory(job))
        return impi_fail_out_of_memory(run->context);
    bool is_listed = list_needed_blocks(job);
    impi_parallel_for(executor, job->memory->needed_blocks.count, BLOCKS_PER_TASK, pose_blocks, job);
    if (!is_listed)
        return impi_fail_out_of_memory(run->context);
    if (impi_budget_is_over(run->budget))
        return IMP_STATUS_OK;
    impi_parallel_for(executor, run->count, PAIRS_PER_LIST, keep_meeting, job);
    return cut_items(job) && work_on_items(job) ? IMP_STATUS_OK : impi_fail_out_of_memory(run->context);
}

static bool is_any_left(const Job *job)
{
    for (size_t i = 0; i < job->run->count; ++i)
        if (job->states[i].takes_part && !job->states[i].is_searched && !is_settled(job, &job->states[i]))
            return true;
    return false;
}

// A pair of solids, or of one and a mesh, was asked whether it touches at the start.
static bool is_start_known(const impi_PairWork *pair)
{
    return pair->a != pair->b && (pair->answered & IMP_QUESTION_TOUCH);
}

static bool takes_part(const Job *job, const impi_PairWork *pair, PairState *state)
{
    double time = impi_first_time_get(&state->time);
    bool is_at_rest = state->search.a->is_at_rest && state->search.b->is_at_rest;
    switch (job->pass) {
    case PASS_START:
        return !is_start_known(pair);
    case PASS_FIRST:
        return time > 0 && !is_at_rest;
    case PASS_LIST:
        break;
    }
    return time <= 1 || job->run->sweep.face_times;
}

static impi_TimeSpan span_of(const Job *job, PairState *state)
{
    double time = impi_first_time_get(&state->time);
    if (job->pass == PASS_START)
        return (impi_TimeSpan){0, 0};
    if (job->pass == PASS_FIRST || job->run->sweep.face_times)
        return IMPI_ALL_TIME;
    return (impi_TimeSpan){time, impi_smaller(time + 0x1p-53, 1)};
}

static imp_Status run_pass(Job *job, Pass pass)
{
    imp_Status status = IMP_STATUS_OK;
    job->pass = pass;
    for (size_t i = 0; i < job->run->count; ++i) {
        PairState *state = &job->states[i];
        state->takes_part = takes_part(job, impi_run_pair(job->run, i), state);
        state->is_searched = false;
        state->search.next_block = 0;
        state->search.when = span_of(job, state);
    }
    while (status == IMP_STATUS_OK && is_any_left(job) && !impi_budget_is_over(job->run->budget))
        status = run_round(job);
    return status;
}

// ---- the filter

static void sift_down(impi_FaceTime *faces, size_t root, size_t count)
{
    for (size_t child = 2 * root + 1; child < count; child = 2 * root + 1) {
        child += child + 1 < count && faces[child + 1].faces > faces[child].faces;
        if (faces[root].faces >= faces[child].faces)
            return;
        impi_FaceTime swapped = faces[root];
        faces[root] = faces[child];
        faces[child] = swapped;
        root = child;
    }
}

// Heap sort: in place, and no two keys of a pair are the same.
static void sort_faces(size_t begin, size_t end, size_t block, void *argument)
{
    const Job *job = argument;
    (void)block;
    for (size_t i = begin; i < end; ++i) {
        impi_FaceTimes *faces = impi_run_pair(job->run, i)->sweep->faces;
        for (size_t k = faces->count / 2; k-- > 0;)
            sift_down(faces->data, k, faces->count);
        for (size_t k = faces->count; k-- > 1;) {
            impi_FaceTime last = faces->data[k];
            faces->data[k] = faces->data[0];
            faces->data[0] = last;
            sift_down(faces->data, 0, k);
        }
    }
}

static bool is_touch_at_start(const impi_FaceTime *face)
{
    return face->part_a == IMPI_WHOLE_FACE && face->part_b == IMPI_WHOLE_FACE;
}

static void note_answer(const Job *job, size_t i)
{
    impi_PairWork *pair = impi_run_pair(job->run, i);
    impi_PairSweep *sweep = pair->sweep;
    PairState *state = &job->states[i];
    sweep->time = impi_first_time_get(&state->time);
    sweep->touched_at_start = is_start_known(pair) && (pair->relations & IMP_RELATION_TOUCH);
    sweep->is_certain = true;
    for (size_t k = 0; k < sweep->faces->count; ++k) {
        sweep->time = impi_smaller(sweep->faces->data[k].time, sweep->time);
        sweep->touched_at_start |= is_touch_at_start(&sweep->faces->data[k]);
    }
    bool is_done = !atomic_load_explicit(&state->is_cut_short, memory_order_relaxed);
    pair->answered |= is_done && !impi_budget_is_over(job->run->budget) ? IMP_QUESTION_SWEEP : 0u;
}

static imp_Status require_surfaces(const impi_FilterRun *run)
{
    impi_Body **bodies = impi_arena_allocate_array(&run->context->scratch, 2 * run->count, sizeof *bodies);
    size_t count = 0;
    if (!bodies)
        return impi_fail_out_of_memory(run->context);
    for (size_t i = 0; i < run->count; ++i) {
        const impi_PairWork *pair = impi_run_pair(run, i);
        bodies[count] = pair->a;
        count += !impi_swept_surface_is_ready(pair->a);
        bodies[count] = pair->b;
        count += !impi_swept_surface_is_ready(pair->b);
    }
    return impi_swept_surfaces_require(run->context, bodies, count);
}

static void begin_states(const impi_FilterRun *run, PairState *states)
{
    for (size_t i = 0; i < run->count; ++i) {
        const impi_PairWork *pair = impi_run_pair(run, i);
        bool touches = is_start_known(pair) && (pair->relations & IMP_RELATION_TOUCH);
        states[i].search =
            (impi_MovingSearch){.a = impi_moving_surface_of(pair->a), .b = impi_moving_surface_of(pair->b)};
        states[i].first = states[i].count = 0;
        impi_first_time_begin(&states[i].time, touches ? 0 : INFINITY);
        atomic_init(&states[i].is_cut_short, false);
    }
}

static imp_Status run_passes(Job *job)
{
    imp_Status status = IMP_STATUS_OK;
    if (!job->run->sweep.face_times) {
        status = run_pass(job, PASS_START);
        if (status == IMP_STATUS_OK)
            status = run_pass(job, PASS_FIRST);
    }
    return status == IMP_STATUS_OK ? run_pass(job, PASS_LIST) : status;
}

static imp_Status run_sweep(impi_FilterRun *run)
{
    Job job = {.run = run, .memory = run->memory};
    impi_ArenaMark mark = impi_arena_mark(&run->context->scratch);
    size_t lists = impi_block_count(run->count, PAIRS_PER_LIST), share = ROUND_BLOCK_PAIRS / lists;
    atomic_init(&job.out_of_memory, false);
    job.list_limit = share > MIN_LIST_BLOCK_PAIRS ? share : MIN_LIST_BLOCK_PAIRS;
    job.states = impi_arena_allocate_array(&run->context->scratch, run->count, sizeof *job.states);
    bool has_memory = job.states && reserve_lists(&run->context->allocator, job.memory, lists);
    imp_Status status = has_memory ? require_surfaces(run) : impi_fail_out_of_memory(run->context);
    if (status == IMP_STATUS_OK && has_memory) {
        begin_states(run, job.states);
        status = run_passes(&job);
    }
    if (status == IMP_STATUS_OK && has_memory) {
        impi_parallel_for(&run->context->executor, run->count, LISTS_PER_TASK, sort_faces, &job);
        for (size_t i = 0; i < run->count; ++i)
            note_answer(&job, i);
    }
    impi_arena_rewind(&run->context->scratch, mark);
    return status;
}

const impi_Filter impi_time_of_impact_filter = {.name = "time-of-impact",
                                                .takes_sweep = {IMPI_ANY_KIND, IMPI_ANY_KIND},
                                                .memory_size = sizeof(Memory),
                                                .release_memory = release_memory,
                                                .scratch_size = scratch_size,
                                                .run = run_sweep};
