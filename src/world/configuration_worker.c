// A configuration goes through the same stages as a detect, without what a detect keeps: boxes of bodies that
// have moved, pairs of boxes that meet, and then the object stage. Where bodies are few, all pairs that may
// be compared are listed once for all configurations.
#include "world/configuration_worker.h"

#include "geom/pose.h"
#include "object/posed_surface.h"
#include "world/world.h"

#include <assert.h>
#include <string.h>

// Pairs that are asked about in one go: what is needed for them is little beside the answer.
#define PAIRS_PER_STEP 4096

// ---- coming and going

impi_ConfigurationWorker *impi_configuration_worker_create(const imp_Allocator *allocator)
{
    impi_ConfigurationWorker *worker = impi_allocate(allocator, sizeof *worker);
    if (!worker)
        return NULL;
    *worker = (impi_ConfigurationWorker){.call = 0};
    const imp_ContextDef def = {.allocator = *allocator};
    if (impi_context_make(&def, NULL, &worker->context) != IMP_STATUS_OK) {
        impi_release(allocator, worker, sizeof *worker);
        return NULL;
    }
    impi_broad_stage_init(&worker->broad, &worker->context->allocator);
    impi_object_stage_init(&worker->object, &worker->context->allocator);
    return worker;
}

void impi_configuration_worker_forget(impi_ConfigurationWorker *worker, uint32_t slot)
{
    if (slot > worker->copies.count || worker->copies.data[slot - 1].generation == 0)
        return;
    impi_posed_surface_release(&worker->context->allocator, &worker->bodies.data[slot - 1]);
    worker->copies.data[slot - 1] = (impi_BodyCopy){0};
}

void impi_configuration_worker_destroy(const imp_Allocator *allocator, impi_ConfigurationWorker *worker)
{
    for (uint32_t slot = 1; slot <= worker->copies.count; ++slot)
        impi_configuration_worker_forget(worker, slot);
    impi_array_free(allocator, &worker->bodies, sizeof *worker->bodies.data);
    impi_array_free(allocator, &worker->copies, sizeof *worker->copies.data);
    impi_array_free(allocator, &worker->unbounded, sizeof(impi_Body *));
    impi_array_free(allocator, &worker->candidates, sizeof *worker->candidates.data);
    impi_array_free(allocator, &worker->hints, sizeof *worker->hints.data);
    impi_array_free(allocator, &worker->states, sizeof *worker->states.data);
    impi_array_free(allocator, &worker->found, sizeof *worker->found.data);
    impi_broad_stage_destroy(allocator, &worker->broad);
    impi_object_stage_destroy(allocator, &worker->object);
    imp_context_destroy(worker->context);
    impi_release(allocator, worker, sizeof *worker);
}

// ---- bodies

// A body that does not move is where the world has it; one that does may be anywhere until it is placed. What
// was made for its surface is kept.
static void copy_body(impi_ConfigurationWorker *worker, const impi_ConfigurationPlan *plan, uint32_t slot)
{
    const imp_World *world = plan->world;
    const impi_Body *from = &world->bodies.data[slot - 1];
    impi_Body *to = &worker->bodies.data[slot - 1];
    impi_BodyCopy *copy = &worker->copies.data[slot - 1];
    uint32_t generation = impi_slot_generation(&world->slots, slot);
    bool is_new = copy->generation != generation;
    if (!is_new && copy->motion == from->motion &&
        (plan->moves[slot] || impi_is_same_pose(&to->pose, &from->pose)))
        return;
    impi_Body made = *from;
    made.inside_facts = NULL;
    made.contact_side = NULL;
    made.target = NULL;
    made.swept = NULL;
    made.posed = is_new ? NULL : to->posed;
    made.motion = is_new ? 0 : to->motion;
    impi_body_move(&made, &from->pose, &from->transform);
    *to = made;
    *copy = (impi_BodyCopy){generation, from->motion, false};
}

static bool reserve_bodies(impi_ConfigurationWorker *worker, size_t count)
{
    const imp_Allocator *allocator = &worker->context->allocator;
    if (!impi_array_reserve(allocator, &worker->bodies, sizeof *worker->bodies.data, count) ||
        !impi_array_reserve(allocator, &worker->copies, sizeof *worker->copies.data, count) ||
        !impi_array_reserve(allocator, &worker->unbounded, sizeof(impi_Body *), count))
        return false;
    while (worker->copies.count < count)
        worker->copies.data[worker->copies.count++] = (impi_BodyCopy){0};
    worker->bodies.count = worker->copies.count;
    return true;
}

static void note_unbounded(impi_ConfigurationWorker *worker, uint32_t slot)
{
    if (!worker->copies.data[slot - 1].is_bounded)
        worker->unbounded.data[worker->unbounded.count++] = &worker->bodies.data[slot - 1];
}

// Bounds of what was noted, and boxes where pairs are searched for.
static imp_Status bound_bodies(impi_ConfigurationWorker *worker, const impi_ConfigurationPlan *plan)
{
    impi_BroadAsk ask = {.margin = 0, .budget = plan->budget};
    imp_Status status = plan->is_listed ? impi_bodies_bound(worker->context, plan->budget,
                                                            worker->unbounded.data, worker->unbounded.count)
                                        : impi_bounds_stage(worker->context, &ask, worker->unbounded.data,
                                                            worker->unbounded.count, &worker->broad.boxes);
    for (size_t i = 0; i < worker->unbounded.count && status == IMP_STATUS_OK; ++i)
        worker->copies.data[worker->unbounded.data[i]->slot - 1].is_bounded = true;
    worker->unbounded.count = 0;
    return status;
}

bool impi_add_boxes(const imp_World *world, const bool *left_out, impi_BoxTable *boxes)
{
    if (!impi_box_table_reserve(boxes, world->bodies.count))
        return false;
    for (uint32_t slot = 1; slot <= world->bodies.count; ++slot) {
        if (!impi_slot_table_is_used(&world->slots, slot) || (left_out && left_out[slot]))
            continue;
        impi_PairFilter filter = impi_box_table_get_filter(&world->broad.boxes, slot);
        if (!impi_box_table_reserve_filter(boxes, filter))
            return false;
        impi_box_table_add(boxes, slot, filter);
    }
    return true;
}

// The search begins anew with the boxes of all bodies.
static bool begin_search(impi_ConfigurationWorker *worker, const imp_World *world)
{
    const imp_Allocator *allocator = &worker->context->allocator;
    impi_broad_stage_destroy(allocator, &worker->broad);
    impi_broad_stage_init(&worker->broad, allocator);
    for (size_t i = 0; i < worker->copies.count; ++i)
        worker->copies.data[i].is_bounded = false;
    return impi_add_boxes(world, NULL, &worker->broad.boxes);
}

static imp_Status prepare(impi_ConfigurationWorker *worker, const impi_ConfigurationPlan *plan)
{
    const imp_World *world = plan->world;
    worker->found.count = 0;
    if (!reserve_bodies(worker, world->bodies.count))
        return IMP_STATUS_OUT_OF_MEMORY;
    for (uint32_t slot = 1; slot <= world->bodies.count; ++slot)
        if (impi_slot_table_is_used(&world->slots, slot))
            copy_body(worker, plan, slot);
    if (!plan->is_listed && !begin_search(worker, world))
        return IMP_STATUS_OUT_OF_MEMORY;
    impi_arena_reset(&worker->context->scratch);
    for (uint32_t slot = 1; slot <= world->bodies.count; ++slot)
        if (impi_slot_table_is_used(&world->slots, slot) && !plan->moves[slot])
            note_unbounded(worker, slot);
    imp_Status status = bound_bodies(worker, plan);
    if (status == IMP_STATUS_OK)
        worker->call = plan->call;
    return status;
}

static imp_Status place_bodies(impi_ConfigurationWorker *worker, const impi_ConfigurationPlan *plan,
                               const imp_Pose *poses)
{
    for (size_t i = 0; i < plan->def->body_count; ++i) {
        uint32_t slot = plan->def->bodies[i].slot;
        impi_Body *body = &worker->bodies.data[slot - 1];
        if (!impi_is_same_pose(&body->pose, &poses[i])) {
            imp_Transform transform;
            imp_Status status = impi_pose_transform(&poses[i], &transform);
            assert(status == IMP_STATUS_OK); // all poses were checked
            (void)status;
            impi_body_move(body, &poses[i], &transform);
            worker->copies.data[slot - 1].is_bounded = false;
        }
        note_unbounded(worker, slot);
    }
    return bound_bodies(worker, plan);
}

// ---- pairs

// What filters keep of the pairs that are asked about: of listed ones from configuration to configuration, of
// others for one step only.
static bool reserve_kept(impi_ConfigurationWorker *worker, const impi_ConfigurationPlan *plan, size_t count)
{
    const imp_Allocator *allocator = &worker->context->allocator;
    if (!impi_array_reserve(allocator, &worker->hints, sizeof *worker->hints.data, count) ||
        (plan->has_solids &&
         !impi_array_reserve(allocator, &worker->states, sizeof *worker->states.data, count)))
        return false;
    for (; worker->hints.count < count; ++worker->hints.count)
        worker->hints.data[worker->hints.count] = (impi_TouchHint){.is_set = false};
    for (; plan->has_solids && worker->states.count < count; ++worker->states.count)
        worker->states.data[worker->states.count] = (imp_ConvexState){.witness_count = 0};
    return true;
}

static bool reserve_candidates(impi_ConfigurationWorker *worker, const impi_ConfigurationPlan *plan,
                               size_t count)
{
    const imp_Allocator *allocator = &worker->context->allocator;
    size_t step = count < PAIRS_PER_STEP ? count : PAIRS_PER_STEP;
    return impi_array_reserve(allocator, &worker->candidates, sizeof *worker->candidates.data, count) &&
           impi_array_reserve(allocator, &worker->object.work, sizeof *worker->object.work.data, step) &&
           reserve_kept(worker, plan, plan->is_listed ? count : step);
}

// Of the listed pairs those whose boxes meet.
static imp_Status find_listed(impi_ConfigurationWorker *worker, const impi_ConfigurationPlan *plan)
{
    const impi_Body *bodies = worker->bodies.data;
    size_t count = 0;
    if (!reserve_candidates(worker, plan, plan->pair_count))
        return IMP_STATUS_OUT_OF_MEMORY;
    for (size_t i = 0; i < plan->pair_count; ++i) {
        worker->candidates.data[count] = (uint32_t)i;
        count += impi_boxes_meet(&bodies[plan->pairs[i].a - 1].bounds, &bodies[plan->pairs[i].b - 1].bounds);
    }
    worker->candidates.count = count;
    worker->pairs = plan->pairs;
    return IMP_STATUS_OK;
}

static imp_Status search_pairs(impi_ConfigurationWorker *worker, const impi_ConfigurationPlan *plan)
{
    impi_BroadAsk ask = impi_world_broad_ask(plan->world, 0, plan->budget);
    const impi_IndexPairs *pairs = &worker->broad.pairs;
    size_t count = 0;
    ask.bodies = worker->bodies.data;
    imp_Status status = impi_broad_stage(worker->context, &worker->broad, &ask);
    if (status != IMP_STATUS_OK)
        return status;
    if (!reserve_candidates(worker, plan, pairs->count))
        return IMP_STATUS_OUT_OF_MEMORY;
    for (size_t i = 0; i < pairs->count; ++i) {
        worker->candidates.data[count] = (uint32_t)i;
        count += plan->moves[pairs->data[i].a] || plan->moves[pairs->data[i].b];
    }
    worker->candidates.count = count;
    worker->pairs = pairs->data;
    return IMP_STATUS_OK;
}

// ---- answers

static impi_PairWork work_of(impi_ConfigurationWorker *worker, const impi_ConfigurationPlan *plan,
                             uint32_t candidate, size_t position)
{
    imp_IndexPair pair = worker->pairs[candidate];
    impi_Body *a = &worker->bodies.data[pair.a - 1], *b = &worker->bodies.data[pair.b - 1];
    size_t kept = plan->is_listed ? candidate : position;
    bool are_solids = impi_body_is_convex(a) && impi_body_is_convex(b);
    impi_PairWork work = impi_plain_work(a, b, are_solids ? &worker->states.data[kept] : NULL);
    work.hint = &worker->hints.data[kept];
    if (!plan->is_listed) {
        work.hint->is_set = false;
        if (are_solids)
            *work.state = (imp_ConvexState){.witness_count = 0};
    }
    return work;
}

// Ask about candidates [begin, end).
static imp_Status ask(impi_ConfigurationWorker *worker, const impi_ConfigurationPlan *plan, size_t begin,
                      size_t end)
{
    impi_ObjectAsk question = {.def = &plan->detect, .choice = plan->choice, .budget = plan->budget};
    for (size_t i = begin; i < end; ++i)
        worker->object.work.data[i - begin] = work_of(worker, plan, worker->candidates.data[i], i - begin);
    worker->object.work.count = end - begin;
    return impi_object_stage(worker->context, &worker->object, &question, IMPI_ALL_FACES);
}

static uint64_t slots_of(const imp_BodyPair *pair)
{
    return impi_slot_pair(pair->body_a.slot, pair->body_b.slot);
}

static bool add_found(impi_ConfigurationWorker *worker, const imp_BodyPair *pair)
{
    impi_BodyPairs *found = &worker->found;
    if (found->count == found->capacity &&
        !impi_array_reserve(&worker->context->allocator, found, sizeof *found->data, found->count + 1))
        return false;
    found->data[found->count++] = *pair;
    return true;
}

// Those that are always related, from `*next` on, up to these slots.
static bool add_still(impi_ConfigurationWorker *worker, const impi_ConfigurationPlan *plan, uint64_t slots,
                      size_t *next)
{
    for (; *next < plan->still_count && slots_of(&plan->still[*next]) < slots; ++*next)
        if (!add_found(worker, &plan->still[*next]))
            return false;
    return true;
}

// The related pairs of the work, and those that come before them, in order. False when out of memory.
static bool add_related(impi_ConfigurationWorker *worker, const impi_ConfigurationPlan *plan, size_t *next)
{
    const impi_SlotTable *slots = &plan->world->slots;
    for (size_t i = 0; i < worker->object.work.count; ++i) {
        const impi_PairWork *work = &worker->object.work.data[i];
        imp_BodyPair pair = {impi_body_id(slots, work->a->slot), impi_body_id(slots, work->b->slot),
                             work->relations, 0};
        if (work->relations && (!add_still(worker, plan, slots_of(&pair), next) || !add_found(worker, &pair)))
            return false;
    }
    return true;
}

// Step by step. Where the first pair is all that is asked for, steps are of one candidate, and what comes
// behind a pair that is found does not matter.
static imp_Status ask_all(impi_ConfigurationWorker *worker, const impi_ConfigurationPlan *plan)
{
    size_t count = worker->candidates.count, first = worker->found.count, next = 0;
    size_t step = plan->def->first_only ? 1 : PAIRS_PER_STEP;
    bool ends = false;
    for (size_t done = 0; done < count && !ends; done += step) {
        imp_IndexPair pair = worker->pairs[worker->candidates.data[done]];
        if (plan->def->first_only && plan->still_count > 0 &&
            slots_of(&plan->still[0]) < impi_slot_pair(pair.a, pair.b))
            break;
        imp_Status status = ask(worker, plan, done, count - done < step ? count : done + step);
        if (status != IMP_STATUS_OK)
            return status;
        if (!add_related(worker, plan, &next))
            return IMP_STATUS_OUT_OF_MEMORY;
        ends = plan->def->first_only && worker->found.count > first;
    }
    return ends || add_still(worker, plan, UINT64_MAX, &next) ? IMP_STATUS_OK : IMP_STATUS_OUT_OF_MEMORY;
}

static imp_Status answer(impi_ConfigurationWorker *worker, const impi_ConfigurationPlan *plan, size_t number,
                         size_t *count)
{
    size_t first = worker->found.count, body_count = plan->def->body_count;
    const imp_Pose *poses = body_count ? plan->def->poses + number * body_count : NULL;
    impi_arena_reset(&worker->context->scratch);
    imp_Status status = place_bodies(worker, plan, poses);
    if (status == IMP_STATUS_OK)
        status = plan->is_listed ? find_listed(worker, plan) : search_pairs(worker, plan);
    if (status == IMP_STATUS_OK)
        status = ask_all(worker, plan);
    *count = worker->found.count - first;
    if (plan->def->first_only && *count > 1) {
        worker->found.count = first + 1;
        *count = 1;
    }
    return status;
}

imp_Status impi_configuration_worker_run(impi_ConfigurationWorker *worker, const impi_ConfigurationPlan *plan,
                                         size_t begin, size_t end, size_t *counts, size_t *first)
{
    impi_Watch *watch = &plan->world->context->watch;
    imp_Status status = worker->call == plan->call ? IMP_STATUS_OK : prepare(worker, plan);
    *first = worker->found.count;
    for (size_t i = begin; i < end && status == IMP_STATUS_OK && !impi_budget_is_over(plan->budget); ++i) {
        status = answer(worker, plan, i, &counts[i]);
        if (!impi_watch_step(watch, 1))
            break;
    }
    return status;
}
