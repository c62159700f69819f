// Filter "sphere-refine": as well as time allows, do two bodies with sphere trees touch?
//
// From Hubbard 1996, sections 4 and 5. Body pairs have turns of a few steps. Every pair has its first turn,
// because without one nothing is known of it, which leaves the faces of leaves to later ones; then come those
// with faces near each other that touched the last time, for a third of these touch again; then those whose
// error is largest; or all round robin as in the paper. Turns come in rounds, whose pairs are chosen before
// any of them begins: so they can be spread over the threads, and a budget in steps cuts one and the same
// sequence of steps wherever it ends, for any number of threads.
//
// Spheres of surfaces can't part a body from one that it is inside of: pairs that they part are asked for
// containment at the end of the round, unless the trees cover solids and no
// balls meet whose faces can't touch.
//
// What is known of pairs is kept from run to run: a pair whose bodies have not moved goes on where it was,
// any other begins with the spheres that were best the last time.
#include "base/slot_table.h"
#include "object/estimates.h"
#include "object/filter.h"
#include "object/sphere_descent.h"
#include "object/sphere_leaf.h"
#include "shape/sphere_tree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PAIRS_PER_ROUND 64
#define STEPS_PER_TURN  16
#define FIRST_TURN      6 // steps: what spheres part is mostly parted by then
#define PAIRS_PER_TASK  4

// Deformed bodies whose spheres would have to be widened by more than so many times the mean radius of the
// smallest ones go the exact way: their spheres part hardly anything.
#define MAX_WIDENING 2.0

// More than stacks of the deepest trees need: 8 << 14 spheres.
#define STACK_SIZES 16

// A body pair, and what it is known by.
typedef struct State {
    uint32_t slot_a, slot_b, generation_a, generation_b;
    uint64_t motion_a, motion_b;
    impi_SphereDescent descent;
    size_t first_sphere; // of its stack between turns, among all stacks
    unsigned stack_size; // see room_of
    uint64_t turn;       // how many it has had
    bool knows_boxes;    // the error of the descent is no more than the box around both tells
} State;

typedef struct States {
    IMPI_ARRAY(State) states; // in the order of the pairs of the run
    // Most pairs are decided in their first turn and have none; others have room for 8 spheres, 16, 32, ...
    IMPI_ARRAY(impi_MeetingSpheres) stacks;
    size_t first_free[STACK_SIZES]; // of each size: where, plus 1, the next of it there; 0: none
} States;

typedef struct Memory {
    States states[2]; // of the last run, and of this one
    unsigned current;
    uint64_t next_slots; // of the first pair whose turn did not come in the last run; 0: all had one
} Memory;

// Whose turn it is: larger keys first, then lower ranks.
typedef struct Turn {
    double key;
    uint32_t rank; // of the pair in the run, beginning with those whose turn did not come the last time
} Turn;

typedef struct Job {
    impi_FilterRun *run;
    States *now;
    State *states;
    impi_MeetingSpheres *stacks; // of the pairs whose turn it is
    size_t stack_room;           // for each of them
    Turn *queue;                 // a heap, of pairs that had their first turn
    size_t queue_count;
    size_t first_number;             // of the pair with rank 0
    size_t first_turn;               // rank from which on pairs may wait for their first turn
    uint32_t round[PAIRS_PER_ROUND]; // pairs whose turn it is
    size_t steps[PAIRS_PER_ROUND];   // how many they took
    size_t round_count;
    size_t most_steps; // of each
    uint32_t *parted;  // pairs to be asked for containment, as they stand in the list of the filter
    size_t parted_count;
    atomic_bool out_of_memory;
} Job;

static void release_memory(const imp_Allocator *allocator, void *argument)
{
    Memory *memory = argument;
    for (int i = 0; i < 2; ++i) {
        impi_array_free(allocator, &memory->states[i].states, sizeof(State));
        impi_array_free(allocator, &memory->states[i].stacks, sizeof(impi_MeetingSpheres));
    }
}

static size_t scratch_size(const impi_FilterRun *run)
{
    (void)run;
    return impi_leaf_scratch_size();
}

// ---- which pairs

// A solid that may have torn is a solid no more, and its protrusions say too little.
static bool is_too_deformed(const impi_Body *body)
{
    const impi_SphereLanes *lanes = &body->spheres->lanes;
    if (body->is_deformed && body->spheres->is_solid && body->spheres->has_seams)
        return true;
    double moved = impi_times_power(impi_body_displacement(body), lanes->frame.exponent);
    return moved > MAX_WIDENING * (double)lanes->mean_leaf_radius;
}

bool impi_sphere_refine_takes(const impi_PairWork *pair)
{
    return pair->a->spheres && pair->b->spheres && !is_too_deformed(pair->a) && !is_too_deformed(pair->b);
}

// ---- states

static uint64_t slots_of(const State *state)
{
    return impi_slot_pair(state->slot_a, state->slot_b);
}

static State new_state(const impi_PairWork *pair)
{
    const impi_Body *a = pair->a, *b = pair->b;
    return (State){
        .slot_a = a->slot,
        .slot_b = b->slot,
        .generation_a = a->generation,
        .generation_b = b->generation,
        .motion_a = a->motion,
        .motion_b = b->motion,
        .descent = {.a = a, .b = b, .error = INFINITY, .best_a = IMP_NO_SPHERE, .best_b = IMP_NO_SPHERE}};
}

// Boxes are looked at where the error is wanted: most pairs are decided before.
static double error_of(State *state)
{
    impi_SphereDescent *descent = &state->descent;
    if (!state->knows_boxes)
        descent->error = fmin(descent->error, impi_farthest_apart(&descent->a->bounds, &descent->b->bounds));
    state->knows_boxes = true;
    return descent->error;
}

// ---- stacks between turns

static size_t room_of(unsigned size)
{
    return size == 0 ? 0 : (size_t)IMPI_SPHERE_LANES << (size - 1);
}

// Between turns; null: it has none.
static impi_MeetingSpheres *stack_of(const States *states, const State *state)
{
    return state->stack_size > 0 ? states->stacks.data + state->first_sphere : NULL;
}

static void give_room_back(States *now, State *state)
{
    if (state->stack_size == 0)
        return;
    size_t *first_free = &now->first_free[state->stack_size];
    memcpy(stack_of(now, state), first_free, sizeof *first_free);
    *first_free = state->first_sphere + 1;
    state->stack_size = 0;
}

// False when out of memory.
static bool take_room(const imp_Allocator *allocator, States *now, State *state, unsigned size)
{
    size_t *first_free = &now->first_free[size], room = room_of(size);
    if (*first_free != 0) {
        state->first_sphere = *first_free - 1;
        memcpy(first_free, now->stacks.data + state->first_sphere, sizeof *first_free);
    } else {
        if (!impi_array_reserve(allocator, &now->stacks, sizeof *now->stacks.data, now->stacks.count + room))
            return false;
        state->first_sphere = now->stacks.count;
        now->stacks.count += room;
    }
    state->stack_size = size;
    return true;
}

// Keep what is on the stack of a pair, `from` there, for its next turn, or for what is told of it. False when
// out of memory.
static bool keep_stack(const imp_Allocator *allocator, States *now, State *state,
                       const impi_MeetingSpheres *from)
{
    impi_DescentVerdict verdict = state->descent.verdict;
    if (verdict != IMPI_DESCENT_OPEN && verdict != IMPI_DESCENT_PASSED)
        state->descent.count = 0;
    size_t count = state->descent.count;
    unsigned size = 0;
    while (room_of(size) < count)
        ++size;
    if (size == 0 || size > state->stack_size)
        give_room_back(now, state);
    if (size > state->stack_size && !take_room(allocator, now, state, size))
        return false;
    if (count > 0)
        memcpy(stack_of(now, state), from, count * sizeof *from);
    return true;
}

// ---- what was known

// Take over what the last run knew of the same bodies. False when out of memory.
static bool take_over(const imp_Allocator *allocator, const States *last, const State *known, States *now,
                      State *state)
{
    if (known->generation_a != state->generation_a || known->generation_b != state->generation_b)
        return true;
    state->descent.best_a = known->descent.best_a;
    state->descent.best_b = known->descent.best_b;
    state->descent.last_touch = known->descent.last_touch;
    if (known->motion_a != state->motion_a || known->motion_b != state->motion_b)
        return true;
    const impi_Body *a = state->descent.a, *b = state->descent.b; // bodies may lie elsewhere by now
    state->descent = known->descent;
    state->descent.a = a;
    state->descent.b = b;
    state->turn = known->turn;
    state->knows_boxes = known->knows_boxes;
    return keep_stack(allocator, now, state, stack_of(last, known));
}

// False when out of memory.
static bool make_states(const impi_FilterRun *run, const States *last, States *now)
{
    const imp_Allocator *allocator = &run->context->allocator;
    bool done = true;
    size_t next = 0;
    if (!impi_array_reserve(allocator, &now->states, sizeof(State), run->count))
        return false;
    now->states.count = run->count;
    now->stacks.count = 0;
    memset(now->first_free, 0, sizeof now->first_free);
    for (size_t i = 0; i < run->count && done; ++i) {
        State *state = &now->states.data[i];
        *state = new_state(impi_run_pair(run, i));
        while (next < last->states.count && slots_of(&last->states.data[next]) < slots_of(state))
            ++next;
        if (next < last->states.count && slots_of(&last->states.data[next]) == slots_of(state))
            done = take_over(allocator, last, &last->states.data[next], now, state);
    }
    return done;
}

// ---- whose turn it is

static bool comes_first(const Turn *a, const Turn *b)
{
    return a->key > b->key || (a->key == b->key && a->rank < b->rank);
}

static void push_turn(Job *job, Turn turn)
{
    size_t at = job->queue_count++;
    for (; at > 0 && comes_first(&turn, &job->queue[(at - 1) / 2]); at = (at - 1) / 2)
        job->queue[at] = job->queue[(at - 1) / 2];
    job->queue[at] = turn;
}

static Turn pop_turn(Job *job)
{
    Turn first = job->queue[0], last = job->queue[--job->queue_count];
    size_t at = 0, child;
    while ((child = 2 * at + 1) < job->queue_count) {
        if (child + 1 < job->queue_count && comes_first(&job->queue[child + 1], &job->queue[child]))
            ++child;
        if (!comes_first(&job->queue[child], &last))
            break;
        job->queue[at] = job->queue[child];
        at = child;
    }
    job->queue[at] = last;
    return first;
}

static uint32_t number_of(const Job *job, size_t rank)
{
    return (uint32_t)((rank + job->first_number) % job->run->count);
}

static bool is_open(const Job *job, size_t number)
{
    return job->states[number].descent.verdict == IMPI_DESCENT_OPEN &&
           !(impi_run_pair(job->run, number)->answered & IMP_QUESTION_TOUCH);
}

// First turns come first, rank by rank. False when all had theirs.
static bool find_first_turn(Job *job)
{
    for (; job->first_turn < job->run->count; ++job->first_turn) {
        size_t number = number_of(job, job->first_turn);
        if (job->states[number].turn == 0 && is_open(job, number))
            return true;
    }
    return false;
}

static void queue_pair(Job *job, size_t number)
{
    State *state = &job->states[number];
    const impi_PairWork *pair = impi_run_pair(job->run, number);
    size_t count = job->run->count;
    if (state->turn == 0) // these are not queued
        return;
    double key = error_of(state) * (pair->a->importance + pair->b->importance);
    if (job->run->order == IMP_REFINE_ROUND_ROBIN)
        key = -(double)state->turn;
    else if (impi_descent_may_touch_again(&state->descent)) // nothing decides more pairs in less time
        key = INFINITY;
    push_turn(job, (Turn){key, (uint32_t)((number + count - job->first_number) % count)});
}

// ---- rounds

static void take_stack(const Job *job, size_t in_round)
{
    State *state = &job->states[job->round[in_round]];
    state->descent.stack = job->stacks + in_round * job->stack_room;
    if (state->descent.count > 0)
        memcpy(state->descent.stack, stack_of(job->now, state), state->descent.count * sizeof *job->stacks);
}

// False when out of memory.
static bool keep_stacks(const Job *job)
{
    const imp_Allocator *allocator = &job->run->context->allocator;
    bool done = true;
    for (size_t i = 0; i < job->round_count && done; ++i) {
        State *state = &job->states[job->round[i]];
        if (job->steps[i] > 0)
            done = keep_stack(allocator, job->now, state, state->descent.stack);
    }
    return done;
}

// After the first one, a turn for the neighbours of faces that touched, if there are any.
static impi_DescentTurn turn_of(const State *state, size_t most_steps)
{
    bool is_first = state->turn == 0;
    size_t most = is_first ? FIRST_TURN : impi_descent_may_touch_again(&state->descent) ? 1 : STEPS_PER_TURN;
    return (impi_DescentTurn){.most_steps = most < most_steps ? most : most_steps, .ends_at_faces = is_first};
}

static void run_turns(size_t begin, size_t end, size_t block, void *argument)
{
    Job *job = argument;
    impi_Arena *arena = impi_scratch_pool_take(job->run->scratch);
    impi_LeafScratch *scratch = arena ? impi_arena_allocate(arena, impi_leaf_scratch_size()) : NULL;
    (void)block;
    if (scratch)
        impi_leaf_scratch_begin(scratch);
    for (size_t i = begin; i < end && scratch; ++i) {
        State *state = &job->states[job->round[i]];
        impi_DescentTurn turn = turn_of(state, job->most_steps);
        take_stack(job, i);
        job->steps[i] = impi_descent_go_on(&state->descent, &turn, job->run->budget, scratch);
        state->turn += job->steps[i] > 0;
    }
    if (!scratch)
        atomic_store_explicit(&job->out_of_memory, true, memory_order_relaxed);
    if (arena)
        impi_scratch_pool_give_back(job->run->scratch, arena);
}

// With steps for all of them at once, on all threads; otherwise one after the other, until no steps are left.
static void run_round(Job *job)
{
    impi_Budget *budget = job->run->budget;
    job->most_steps = STEPS_PER_TURN;
    if (impi_budget_steps_left(budget) >= PAIRS_PER_ROUND * STEPS_PER_TURN) {
        impi_parallel_for(&job->run->context->executor, job->round_count, PAIRS_PER_TASK, run_turns, job);
        for (size_t i = 0; i < job->round_count; ++i)
            impi_budget_take_steps(budget, job->steps[i]);
        return;
    }
    for (size_t i = 0; i < job->round_count; ++i) {
        uint64_t left = impi_budget_steps_left(budget);
        job->most_steps = left < STEPS_PER_TURN ? (size_t)left : STEPS_PER_TURN;
        if (left > 0)
            run_turns(i, i + 1, 0, job);
        else
            impi_budget_note_spent(budget);
        impi_budget_take_steps(budget, left > 0 ? job->steps[i] : 0);
    }
}

// Where all bodies move all the time, each pair has its turn once before others have a second one.
static size_t find_first(const Memory *memory, const States *states)
{
    size_t first = 0;
    while (first < states->states.count && slots_of(&states->states.data[first]) < memory->next_slots)
        ++first;
    return first < states->states.count ? first : 0;
}

// Only the last round may have left some of those out whose first turn it was.
static void note_next(const Job *job, Memory *memory)
{
    size_t rank = job->first_turn > PAIRS_PER_ROUND ? job->first_turn - PAIRS_PER_ROUND : 0;
    memory->next_slots = 0;
    for (; rank < job->run->count && memory->next_slots == 0; ++rank) {
        const State *state = &job->states[number_of(job, rank)];
        if (state->turn == 0)
            memory->next_slots = slots_of(state);
    }
}

static bool needs_inside_test(const Job *job, size_t number)
{
    const impi_PairWork *pair = impi_run_pair(job->run, number);
    bool are_solid = !job->states[number].descent.may_be_inside &&
                     imp_sphere_tree_get_cover(pair->a->spheres) == IMP_COVER_SOLID &&
                     imp_sphere_tree_get_cover(pair->b->spheres) == IMP_COVER_SOLID &&
                     !pair->a->is_deformed && !pair->b->is_deformed;
    return job->run->asks_containment && !are_solid;
}

static void note_verdict(Job *job, size_t number)
{
    impi_PairWork *pair = impi_run_pair(job->run, number);
    switch (job->states[number].descent.verdict) {
    case IMPI_DESCENT_OPEN:
        if (is_open(job, number))
            queue_pair(job, number);
        break;
    case IMPI_DESCENT_TOUCH:
        pair->relations |= IMP_RELATION_TOUCH;
        pair->answered |= IMP_QUESTION_TOUCH;
        break;
    case IMPI_DESCENT_APART:
        pair->answered |= IMP_QUESTION_TOUCH;
        if (needs_inside_test(job, number))
            job->parted[job->parted_count++] = job->run->list[number];
        else
            pair->answered |= IMP_QUESTION_CONTAINMENT;
        break;
    case IMPI_DESCENT_PASSED:
        break;
    }
}

static int compare_numbers(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

// Pairs that spheres part: a step each. The others stay as they are, undecided.
static imp_Status ask_for_containment(Job *job)
{
    impi_FilterRun inside = *job->run;
    uint64_t left = impi_budget_steps_left(job->run->budget);
    size_t count = job->parted_count < left ? job->parted_count : (size_t)left;
    imp_Status status = IMP_STATUS_OK;
    qsort(job->parted, job->parted_count, sizeof *job->parted, compare_numbers);
    inside.list = job->parted;
    inside.count = count;
    inside.memory = NULL;
    if (count > 0)
        status = impi_containment_filter.run(&inside);
    impi_budget_take_steps(job->run->budget, count);
    if (count < job->parted_count)
        impi_budget_note_spent(job->run->budget);
    job->parted_count = 0;
    return status;
}

static void choose_round(Job *job)
{
    job->round_count = 0;
    while (job->round_count < PAIRS_PER_ROUND && (find_first_turn(job) || job->queue_count > 0)) {
        size_t rank = find_first_turn(job) ? job->first_turn++ : pop_turn(job).rank;
        job->steps[job->round_count] = 0;
        job->round[job->round_count++] = number_of(job, rank);
    }
}

static imp_Status refine(Job *job)
{
    imp_Status status = IMP_STATUS_OK;
    while (status == IMP_STATUS_OK &&
           (find_first_turn(job) || job->queue_count > 0 || job->parted_count > 0) &&
           !impi_budget_is_over(job->run->budget)) {
        choose_round(job);
        run_round(job);
        if (atomic_load_explicit(&job->out_of_memory, memory_order_relaxed) || !keep_stacks(job))
            return impi_fail_out_of_memory(job->run->context);
        for (size_t i = 0; i < job->round_count; ++i)
            note_verdict(job, job->round[i]);
        if (job->parted_count > 0)
            status = ask_for_containment(job);
    }
    return status;
}

// ---- what is told of undecided pairs

static bool is_decided(const impi_FilterRun *run, const impi_PairWork *pair)
{
    uint32_t asked = IMP_QUESTION_TOUCH | (run->asks_containment ? IMP_QUESTION_CONTAINMENT : 0u);
    return pair->relations != 0 || (pair->answered & asked) == asked;
}

// False when out of memory.
static bool tell_estimates(const Job *job)
{
    bool done = true;
    for (size_t i = 0; i < job->run->count && done; ++i) {
        impi_PairWork *pair = impi_run_pair(job->run, i);
        if (is_decided(job->run, pair))
            continue;
        impi_SphereDescent *descent = &job->states[i].descent;
        error_of(&job->states[i]);
        descent->stack = stack_of(job->now, &job->states[i]);
        done =
            impi_estimates_add(&job->run->context->allocator, job->run->estimates, descent, &pair->estimate);
    }
    return done;
}

// False when out of memory.
static bool make_job(impi_FilterRun *run, const States *last, States *now, Job *job)
{
    impi_Arena *arena = &run->context->scratch;
    *job = (Job){.run = run, .now = now};
    atomic_init(&job->out_of_memory, false);
    job->queue = impi_arena_allocate_array(arena, run->count, sizeof *job->queue);
    job->parted = impi_arena_allocate_array(arena, run->count, sizeof *job->parted);
    for (size_t i = 0; i < run->count; ++i) {
        const impi_PairWork *pair = impi_run_pair(run, i);
        size_t room = impi_descent_room(pair->a, pair->b);
        job->stack_room = room > job->stack_room ? room : job->stack_room;
    }
    job->stacks = impi_arena_allocate_array(arena, PAIRS_PER_ROUND * job->stack_room, sizeof *job->stacks);
    return job->queue && job->parted && job->stacks && make_states(run, last, now);
}

static imp_Status run_pairs(impi_FilterRun *run)
{
    Memory *memory = run->memory;
    States *last = &memory->states[memory->current], *now = &memory->states[memory->current ^ 1];
    impi_Arena *arena = &run->context->scratch;
    impi_ArenaMark mark = impi_arena_mark(arena);
    Job job;
    bool has_memory = make_job(run, last, now, &job);
    imp_Status status = has_memory ? IMP_STATUS_OK : impi_fail_out_of_memory(run->context);
    if (has_memory) {
        job.states = now->states.data;
        job.first_number = find_first(memory, now);
        for (size_t i = 0; i < run->count; ++i)
            note_verdict(&job, i);
        status = refine(&job);
    }
    impi_budget_begin_report(run->budget);
    if (status == IMP_STATUS_OK && !tell_estimates(&job))
        status = impi_fail_out_of_memory(run->context);
    if (status == IMP_STATUS_OK) {
        note_next(&job, memory);
        memory->current ^= 1;
    }
    impi_arena_rewind(arena, mark);
    return status;
}

#define MESH IMPI_KIND_BIT(IMPI_SHAPE_MESH)

const impi_Filter impi_sphere_refine_filter = {.name = "sphere-refine",
                                               .method = IMP_METHOD_SPHERES,
                                               .takes_budget = {MESH, IMPI_ANY_KIND},
                                               .memory_size = sizeof(Memory),
                                               .release_memory = release_memory,
                                               .scratch_size = scratch_size,
                                               .run = run_pairs};
