// Configurations are cut into blocks, each of which one thread answers with a worker of its own. Pairs of
// bodies that do not move are asked about once, on all threads, as a detect would.
#include "world/configurations.h"

#include "world/world.h"

#include <string.h>

// Blocks are as large as this, unless there are too few of them then for threads to share them evenly.
#define MOST_PER_BLOCK    32
#define BLOCKS_PER_THREAD 4

// With more pairs than this it costs less to search for those whose boxes meet than to look at all.
#define MOST_LISTED_PAIRS 16384

#define PAIRS_PER_STEP 4096

void impi_configurations_init(impi_Configurations *configurations)
{
    pthread_mutex_init(&configurations->lock, NULL);
}

void impi_configurations_destroy(const imp_Allocator *allocator, impi_Configurations *configurations)
{
    for (size_t i = 0; i < configurations->workers.count; ++i)
        impi_configuration_worker_destroy(allocator, configurations->workers.data[i]);
    impi_array_free(allocator, &configurations->workers, sizeof(impi_ConfigurationWorker *));
    impi_array_free(allocator, &configurations->pairs, sizeof *configurations->pairs.data);
    impi_array_free(allocator, &configurations->still, sizeof *configurations->still.data);
    impi_array_free(allocator, &configurations->found, sizeof *configurations->found.data);
    impi_array_free(allocator, &configurations->ends, sizeof *configurations->ends.data);
    pthread_mutex_destroy(&configurations->lock);
}

void impi_configurations_forget(impi_Configurations *configurations, uint32_t slot)
{
    for (size_t i = 0; i < configurations->workers.count; ++i)
        impi_configuration_worker_forget(configurations->workers.data[i], slot);
}

// ---- workers

// With the lock held.
static impi_ConfigurationWorker *make_worker(const imp_Allocator *allocator, impi_Configurations *memory)
{
    if (!impi_array_reserve(allocator, &memory->workers, sizeof(impi_ConfigurationWorker *),
                            memory->workers.count + 1))
        return NULL;
    impi_ConfigurationWorker *worker = impi_configuration_worker_create(allocator);
    if (!worker)
        return NULL;
    memory->workers.data[memory->workers.count++] = worker;
    return worker;
}

// Null when out of memory.
static impi_ConfigurationWorker *take_worker(const imp_Allocator *allocator, impi_Configurations *memory)
{
    pthread_mutex_lock(&memory->lock);
    impi_ConfigurationWorker *worker =
        memory->idle_count > 0 ? memory->workers.data[--memory->idle_count] : make_worker(allocator, memory);
    pthread_mutex_unlock(&memory->lock);
    return worker;
}

// The workers that are idle come first; which of them is which does not matter to anybody.
static void give_back_worker(impi_Configurations *memory, impi_ConfigurationWorker *worker)
{
    pthread_mutex_lock(&memory->lock);
    size_t at = memory->idle_count;
    while (memory->workers.data[at] != worker)
        ++at;
    memory->workers.data[at] = memory->workers.data[memory->idle_count];
    memory->workers.data[memory->idle_count++] = worker;
    pthread_mutex_unlock(&memory->lock);
}

// ---- what is asked

static imp_Status check_bodies(const imp_World *world, const imp_ConfigurationsDef *def, bool *moves)
{
    memset(moves, 0, (world->bodies.count + 1) * sizeof *moves);
    for (size_t i = 0; i < def->body_count; ++i) {
        imp_BodyId id = def->bodies[i];
        imp_Status status = IMP_STATUS_OK;
        if (!impi_world_find_body(world, id))
            status = impi_world_fail_no_body(world, id);
        else if (moves[id.slot])
            status = impi_fail(world->context, IMP_STATUS_BAD_ARGUMENT, i, "body %u is listed twice",
                               (unsigned)id.slot);
        if (status != IMP_STATUS_OK) {
            world->context->error.index = i;
            return status;
        }
        moves[id.slot] = true;
    }
    return IMP_STATUS_OK;
}

static imp_Status check_poses(const imp_World *world, const imp_ConfigurationsDef *def)
{
    for (size_t i = 0; i < def->configuration_count; ++i)
        for (size_t k = 0; k < def->body_count; ++k) {
            size_t index = i * def->body_count + k;
            imp_Transform transform;
            imp_Status status = impi_body_check_pose(
                world->context, &world->bodies.data[def->bodies[k].slot - 1], &def->poses[index], &transform);
            if (status != IMP_STATUS_OK) {
                world->context->error.index = index;
                return status;
            }
        }
    return IMP_STATUS_OK;
}

static imp_Status check_def(imp_Context *context, const imp_ConfigurationsDef *def)
{
    if ((def->body_count > 0 && !def->bodies) ||
        (def->body_count > 0 && def->configuration_count > 0 && !def->poses))
        return impi_fail(context, IMP_STATUS_BAD_ARGUMENT, IMP_NOWHERE, "bodies or poses are null");
    if (def->body_count > 0 && def->configuration_count > SIZE_MAX / sizeof(imp_Pose) / def->body_count)
        return impi_fail(context, IMP_STATUS_BAD_ARGUMENT, IMP_NOWHERE,
                         "%zu poses for each of %zu configurations are more than memory can hold",
                         def->body_count, def->configuration_count);
    return IMPI_CHECK_RESERVED(context, def);
}

// ---- the plan

static bool may_compare(const imp_World *world, uint32_t a, uint32_t b)
{
    impi_PairFilter filter_a = impi_box_table_get_filter(&world->broad.boxes, a);
    impi_PairFilter filter_b = impi_box_table_get_filter(&world->broad.boxes, b);
    return impi_filters_allow(&filter_a, &filter_b) && !impi_world_ignores(world, a, b) &&
           (!world->pair_filter.passes ||
            world->pair_filter.passes(impi_body_id(&world->slots, a), impi_body_id(&world->slots, b),
                                      world->pair_filter.user));
}

// Pairs of a body with later ones, of which one moves. There is room.
static void list_partners(imp_World *world, const impi_ConfigurationPlan *plan, uint32_t a,
                          const uint32_t *others, size_t other_count)
{
    impi_IndexPairs *pairs = &world->configurations.pairs;
    for (size_t i = 0; i < other_count; ++i)
        if (others[i] > a && (plan->moves[a] || plan->moves[others[i]]) && may_compare(world, a, others[i]))
            pairs->data[pairs->count++] = (imp_IndexPair){a, others[i]};
}

// Pairs that may be compared and of which one moves, in order, unless they are too many. False when out of
// memory.
static bool list_pairs(imp_World *world, impi_ConfigurationPlan *plan)
{
    impi_IndexPairs *pairs = &world->configurations.pairs;
    impi_Arena *arena = &world->context->scratch;
    size_t body_count = world->slots.used_count, moved_count = plan->def->body_count, count = 0, moved = 0;
    pairs->count = 0;
    plan->is_listed = moved_count == 0 || body_count <= MOST_LISTED_PAIRS / moved_count;
    if (!plan->is_listed)
        return true;
    uint32_t *all = impi_arena_allocate_array(arena, body_count, sizeof *all);
    uint32_t *moving = impi_arena_allocate_array(arena, moved_count, sizeof *moving);
    if (!all || !moving ||
        !impi_array_reserve(&world->context->allocator, pairs, sizeof *pairs->data, moved_count * body_count))
        return false;
    for (uint32_t slot = 1; slot <= world->bodies.count; ++slot) {
        if (impi_slot_table_is_used(&world->slots, slot))
            all[count++] = slot;
        if (plan->moves[slot])
            moving[moved++] = slot;
    }
    for (size_t i = 0; i < count; ++i)
        if (plan->moves[all[i]])
            list_partners(world, plan, all[i], all + i + 1, count - i - 1);
        else
            list_partners(world, plan, all[i], moving, moved);
    plan->pairs = pairs->data;
    plan->pair_count = pairs->count;
    return true;
}

static bool has_solids(const imp_World *world)
{
    size_t count = 0;
    for (uint32_t slot = 1; slot <= world->bodies.count; ++slot)
        count += impi_slot_table_is_used(&world->slots, slot) &&
                 impi_body_is_convex(&world->bodies.data[slot - 1]);
    return count > 1;
}

// ---- bodies that do not move

// Ask about `count` pairs and list those that are related.
static imp_Status ask_still_step(imp_World *world, const impi_ObjectAsk *ask, const imp_IndexPair *pairs,
                                 size_t count)
{
    const imp_Allocator *allocator = &world->context->allocator;
    impi_ObjectStage *stage = &world->object;
    impi_BodyPairs *still = &world->configurations.still;
    impi_ArenaMark mark = impi_arena_mark(&world->context->scratch);
    imp_ConvexState *states = impi_arena_allocate_array(&world->context->scratch, count, sizeof *states);
    if (!states || !impi_array_reserve(allocator, &stage->work, sizeof *stage->work.data, count) ||
        !impi_array_reserve(allocator, still, sizeof *still->data, still->count + count))
        return impi_fail_out_of_memory(world->context);
    for (size_t i = 0; i < count; ++i) {
        states[i] = (imp_ConvexState){.witness_count = 0};
        stage->work.data[i] = impi_plain_work(&world->bodies.data[pairs[i].a - 1],
                                              &world->bodies.data[pairs[i].b - 1], &states[i]);
    }
    stage->work.count = count;
    imp_Status status = impi_object_stage(world->context, stage, ask, IMPI_ALL_FACES);
    for (size_t i = 0; i < count && status == IMP_STATUS_OK; ++i)
        if (stage->work.data[i].relations)
            still->data[still->count++] =
                (imp_BodyPair){impi_body_id(&world->slots, pairs[i].a),
                               impi_body_id(&world->slots, pairs[i].b), stage->work.data[i].relations, 0};
    stage->work.count = 0;
    impi_arena_rewind(&world->context->scratch, mark);
    return status;
}

// Boxes of them alone, whose bounds are up to date.
static imp_Status set_still_boxes(imp_World *world, const impi_ConfigurationPlan *plan,
                                  const impi_BroadAsk *ask, impi_BroadStage *stage)
{
    size_t count = 0;
    impi_Body **bodies =
        impi_arena_allocate_array(&world->context->scratch, world->slots.used_count, sizeof *bodies);
    if (!bodies || !impi_add_boxes(world, plan->moves, &stage->boxes))
        return impi_fail_out_of_memory(world->context);
    for (uint32_t slot = 1; slot <= world->bodies.count; ++slot)
        if (impi_slot_table_is_used(&world->slots, slot) && !plan->moves[slot])
            bodies[count++] = &world->bodies.data[slot - 1];
    impi_bounds_stage_widen(ask, bodies, count, stage);
    return IMP_STATUS_OK;
}

static void drop_moving(const impi_ConfigurationPlan *plan, impi_IndexPairs *pairs)
{
    size_t kept = 0;
    for (size_t i = 0; i < pairs->count; ++i) {
        pairs->data[kept] = pairs->data[i];
        kept += !plan->moves[pairs->data[i].a] && !plan->moves[pairs->data[i].b];
    }
    pairs->count = kept;
}

// Their pairs whose boxes meet. The world's search is fast from call to call, but finds bodies that move,
// too, which may all be in one place for now. With more pairs of those than are listed, `own` is searched.
static imp_Status find_still(imp_World *world, const impi_ConfigurationPlan *plan, impi_BroadStage *own,
                             const impi_IndexPairs **pairs)
{
    impi_BroadAsk ask = impi_world_broad_ask(world, 0, plan->budget);
    impi_BroadStage *stage = plan->is_listed ? &world->broad : own;
    imp_Status status = impi_world_update_bounds(world, 0, plan->budget);
    if (status == IMP_STATUS_OK && stage == own)
        status = set_still_boxes(world, plan, &ask, own);
    if (status == IMP_STATUS_OK)
        status = impi_broad_stage(world->context, stage, &ask);
    if (status == IMP_STATUS_OK)
        drop_moving(plan, &stage->pairs);
    *pairs = &stage->pairs;
    return status;
}

// Once pairs are listed, or not.
static imp_Status ask_still(imp_World *world, impi_ConfigurationPlan *plan)
{
    const imp_Allocator *allocator = &world->context->allocator;
    impi_ObjectAsk ask = {.def = &plan->detect, .choice = plan->choice, .budget = plan->budget};
    impi_BroadStage own;
    const impi_IndexPairs *pairs;
    world->configurations.still.count = 0;
    if (world->slots.used_count - plan->def->body_count < 2)
        return IMP_STATUS_OK;
    impi_broad_stage_init(&own, allocator);
    imp_Status status = find_still(world, plan, &own, &pairs);
    size_t count = pairs->count;
    for (size_t done = 0; done < count && status == IMP_STATUS_OK; done += PAIRS_PER_STEP)
        status = ask_still_step(world, &ask, pairs->data + done,
                                count - done < PAIRS_PER_STEP ? count - done : PAIRS_PER_STEP);
    impi_broad_stage_destroy(allocator, &own);
    plan->still = world->configurations.still.data;
    plan->still_count = world->configurations.still.count;
    return status;
}

// ---- the whole

// Configurations that one task answers, and where its answers begin.
typedef struct Block {
    const impi_ConfigurationWorker *worker;
    size_t first;
} Block;

typedef struct Job {
    const impi_ConfigurationPlan *plan;
    impi_Configurations *memory;
    Block *blocks;
    size_t block_size;
    size_t *counts; // of pairs, by configuration
    atomic_bool out_of_memory;
} Job;

static void run_block(size_t begin, size_t end, size_t block, void *argument)
{
    Job *job = argument;
    const impi_ConfigurationPlan *plan = job->plan;
    if (atomic_load_explicit(&job->out_of_memory, memory_order_relaxed) ||
        impi_budget_is_over(plan->budget) || !impi_watch_goes_on(&plan->world->context->watch))
        return;
    impi_ConfigurationWorker *worker = take_worker(&plan->world->context->allocator, job->memory);
    imp_Status status = IMP_STATUS_OUT_OF_MEMORY;
    if (worker) {
        status =
            impi_configuration_worker_run(worker, plan, begin, end, job->counts, &job->blocks[block].first);
        job->blocks[block].worker = worker;
        give_back_worker(job->memory, worker);
    }
    if (status == IMP_STATUS_OUT_OF_MEMORY)
        atomic_store_explicit(&job->out_of_memory, true, memory_order_relaxed);
}

// What all blocks have found, in their order. Counts become ends.
static bool join_blocks(const imp_Allocator *allocator, const Job *job, size_t count)
{
    impi_BodyPairs *found = &job->memory->found;
    size_t total = 0, begin = 0;
    for (size_t i = 0; i < count; ++i)
        job->counts[i] = total += job->counts[i];
    if (!impi_array_reserve(allocator, found, sizeof *found->data, total))
        return false;
    for (size_t block = 0; block * job->block_size < count; ++block) {
        size_t last = (block + 1) * job->block_size;
        size_t end = job->counts[(last < count ? last : count) - 1];
        if (end > begin)
            memcpy(found->data + begin, job->blocks[block].worker->found.data + job->blocks[block].first,
                   (end - begin) * sizeof *found->data);
        begin = end;
    }
    found->count = total;
    return true;
}

static size_t block_size_of(size_t count, uint32_t thread_count)
{
    size_t size = count / BLOCKS_PER_THREAD / thread_count;
    return size < 1 ? 1 : size > MOST_PER_BLOCK ? MOST_PER_BLOCK : size;
}

static imp_Status run_blocks(imp_World *world, const impi_ConfigurationPlan *plan)
{
    imp_Context *context = world->context;
    size_t count = plan->def->configuration_count;
    Job job = {.plan = plan,
               .memory = &world->configurations,
               .block_size = block_size_of(count, context->executor.thread_count)};
    atomic_init(&job.out_of_memory, false);
    job.blocks = impi_arena_allocate_array(&context->scratch, impi_block_count(count, job.block_size),
                                           sizeof *job.blocks);
    if (!job.blocks ||
        !impi_array_reserve(&context->allocator, &world->configurations.ends, sizeof(size_t), count))
        return impi_fail_out_of_memory(context);
    job.counts = world->configurations.ends.data;
    world->configurations.idle_count = world->configurations.workers.count;
    impi_watch_work(&context->watch, "testing configurations", count);
    impi_parallel_for(&context->executor, count, job.block_size, run_block, &job);
    if (impi_budget_is_cancelled(plan->budget))
        return impi_fail_cancelled(context);
    imp_Status status = impi_watch_status(context);
    if (status != IMP_STATUS_OK)
        return status;
    if (atomic_load(&job.out_of_memory) || !join_blocks(&context->allocator, &job, count))
        return impi_fail_out_of_memory(context);
    return IMP_STATUS_OK;
}

static imp_Status run_plan(imp_World *world, impi_ConfigurationPlan *plan)
{
    plan->has_solids = has_solids(world);
    if (!list_pairs(world, plan))
        return impi_fail_out_of_memory(world->context);
    imp_Status status = ask_still(world, plan);
    return status == IMP_STATUS_OK ? run_blocks(world, plan) : status;
}

imp_Status impi_world_detect_configurations(imp_World *world, const imp_ConfigurationsDef *def,
                                            const imp_ConfigurationsReport **report)
{
    imp_Context *context = world->context;
    impi_Configurations *memory = &world->configurations;
    impi_Budget budget;
    imp_Status status = check_def(context, def);
    if (status != IMP_STATUS_OK)
        return status;
    bool *moves = impi_arena_allocate_array(&context->scratch, world->bodies.count + 1, sizeof *moves);
    if (!moves)
        return impi_fail_out_of_memory(context);
    status = check_bodies(world, def, moves);
    if (status == IMP_STATUS_OK)
        status = check_poses(world, def);
    if (status != IMP_STATUS_OK)
        return status;
    impi_budget_begin(&budget, 0, def->cancel);
    if (impi_budget_is_cancelled(&budget))
        return impi_fail_cancelled(context);
    impi_ConfigurationPlan plan = {
        .world = world,
        .def = def,
        .call = ++memory->call,
        .moves = moves,
        .detect = {.mode = IMP_DETECT_BODIES, .ignore_containment = def->ignore_containment},
        // What is watched ends within a configuration, too, unless it has a flag of its own.
        .budget = def->cancel || !context->watch.is_active ? &budget : &context->watch.budget};
    impi_filters_choose(IMP_METHOD_AUTO, &plan.choice);
    status = run_plan(world, &plan);
    if (status != IMP_STATUS_OK)
        return status;
    memory->report = (imp_ConfigurationsReport){memory->found.data, memory->ends.data, memory->found.count,
                                                def->configuration_count};
    *report = &memory->report;
    return IMP_STATUS_OK;
}
