// A sweep goes through the pipeline with boxes around ways: which of them meet, then when the bodies first
// touch, then the report. Bodies are the world's own, their surfaces on the way are kept with them, and the
// answers of detects are left alone.
#include "world/body_sweep.h"

#include "geom/time_span.h"
#include "geom/triangle_sweep.h"
#include "object/target.h"
#include "world/distance.h"
#include "world/world.h"

#include <math.h>

#define PAIRS_PER_STEP 4096

void impi_sweep_init(impi_Sweep *sweep, const imp_Allocator *allocator)
{
    *sweep = (impi_Sweep){0};
    impi_broad_stage_init(&sweep->broad, allocator);
}

void impi_sweep_destroy(const imp_Allocator *allocator, impi_Sweep *sweep)
{
    for (size_t i = 0; i < sweep->lists.count; ++i)
        impi_array_free(allocator, &sweep->lists.data[i], sizeof *sweep->lists.data[i].data);
    impi_array_free(allocator, &sweep->bodies, sizeof *sweep->bodies.data);
    impi_array_free(allocator, &sweep->pairs, sizeof *sweep->pairs.data);
    impi_array_free(allocator, &sweep->answers, sizeof *sweep->answers.data);
    impi_array_free(allocator, &sweep->states, sizeof *sweep->states.data);
    impi_array_free(allocator, &sweep->lists, sizeof *sweep->lists.data);
    impi_array_free(allocator, &sweep->found, sizeof *sweep->found.data);
    impi_array_free(allocator, &sweep->faces, sizeof *sweep->faces.data);
    impi_broad_stage_destroy(allocator, &sweep->broad);
}

// One sweep on its way.
typedef struct Run {
    imp_World *world;
    impi_Sweep *memory;
    const imp_SweepDef *def;
    impi_Budget *budget;
} Run;

// ---- what is refused

static imp_Status check_def(imp_Context *context, const imp_SweepDef *def)
{
    imp_Status status = impi_check_length(context, "a separation", def->separation);
    if (status == IMP_STATUS_OK)
        status = impi_check_length(context, "a tolerance", def->tolerance);
    if (status == IMP_STATUS_OK)
        status = IMPI_CHECK_RESERVED(context, def);
    return status;
}

static imp_Status check_targets(const imp_World *world)
{
    imp_Status status = IMP_STATUS_OK;
    for (uint32_t slot = 1; slot <= world->bodies.count && status == IMP_STATUS_OK; ++slot)
        if (impi_slot_table_is_used(&world->slots, slot))
            status = impi_body_check_target(world->context, &world->bodies.data[slot - 1]);
    return status;
}

// ---- pairs

static bool may_meet(const Run *run, imp_IndexPair pair)
{
    const impi_SweptBody *a = &run->memory->bodies.data[pair.a - 1],
                         *b = &run->memory->bodies.data[pair.b - 1];
    imp_Box boxes[4];
    for (int i = 0; i < 2; ++i) {
        boxes[i] = impi_sweep_widen(&a->ends[i], run->def->separation);
        boxes[2 + i] = impi_sweep_widen(&b->ends[i], run->def->separation);
    }
    impi_TimeSpan span = impi_boxes_meet_when(&boxes[0], &boxes[1], &boxes[2], &boxes[3]);
    return span.first <= span.last;
}

// Bodies with themselves, where that is asked for, from `*slot` up to `end`. There is room.
static void add_selves(const Run *run, uint32_t *slot, uint32_t end)
{
    const imp_World *world = run->world;
    impi_IndexPairs *pairs = &run->memory->pairs;
    for (; *slot <= end && run->def->self; ++*slot)
        if (impi_slot_table_is_used(&world->slots, *slot) &&
            impi_body_changes_shape(&world->bodies.data[*slot - 1]))
            pairs->data[pairs->count++] = (imp_IndexPair){*slot, *slot};
}

// The pairs of the broad stage whose boxes meet while they move, in order. False when out of memory.
static bool list_pairs(const Run *run)
{
    const impi_IndexPairs *found = &run->memory->broad.pairs;
    impi_IndexPairs *pairs = &run->memory->pairs;
    uint32_t slot = 1, last_slot = (uint32_t)run->world->bodies.count;
    if (!impi_array_reserve(&run->world->context->allocator, pairs, sizeof *pairs->data,
                            found->count + (run->def->self ? last_slot : 0)))
        return false;
    pairs->count = 0;
    for (size_t i = 0; i < found->count; ++i) {
        add_selves(run, &slot, found->data[i].a);
        if (may_meet(run, found->data[i]))
            pairs->data[pairs->count++] = found->data[i];
    }
    add_selves(run, &slot, last_slot);
    return true;
}

static bool has_solids(const Run *run)
{
    const impi_IndexPairs *pairs = &run->memory->pairs;
    for (size_t i = 0; i < pairs->count; ++i)
        if (impi_body_is_convex(&run->world->bodies.data[pairs->data[i].a - 1]) ||
            impi_body_is_convex(&run->world->bodies.data[pairs->data[i].b - 1]))
            return true;
    return false;
}

// ---- answers

static bool reserve_work(const Run *run, size_t count)
{
    const imp_Allocator *allocator = &run->world->context->allocator;
    impi_ObjectStage *stage = &run->world->object;
    impi_Sweep *memory = run->memory;
    if (!impi_array_reserve(allocator, &stage->work, sizeof *stage->work.data, count) ||
        !impi_array_reserve(allocator, &memory->answers, sizeof *memory->answers.data, count) ||
        !impi_array_reserve(allocator, &memory->states, sizeof *memory->states.data, count) ||
        !impi_array_reserve(allocator, &memory->lists, sizeof *memory->lists.data, count))
        return false;
    for (; memory->lists.count < count; ++memory->lists.count)
        memory->lists.data[memory->lists.count] = (impi_FaceTimes){0};
    return true;
}

static bool is_way_straight(const impi_Body *body)
{
    return impi_body_path(body) == IMP_PATH_STRAIGHT;
}

// Solids are asked whether they touch at the start; a body and itself is for its faces to tell.
static void take_pairs(const Run *run, const imp_IndexPair *pairs, size_t count)
{
    imp_World *world = run->world;
    impi_Sweep *memory = run->memory;
    for (size_t i = 0; i < count; ++i) {
        impi_Body *a = &world->bodies.data[pairs[i].a - 1], *b = &world->bodies.data[pairs[i].b - 1];
        impi_PairWork work = impi_plain_work(a, b, &memory->states.data[i]);
        *work.state = (imp_ConvexState){.witness_count = 0};
        memory->lists.data[i].count = 0;
        memory->answers.data[i] = (impi_PairSweep){
            .is_exact = a == b || (run->def->separation == 0 && is_way_straight(a) && is_way_straight(b)),
            .time = INFINITY,
            .faces = &memory->lists.data[i]};
        work.sweep = &memory->answers.data[i];
        work.answered = a == b ? IMP_QUESTION_TOUCH : 0u;
        work.number = i;
        world->object.work.data[i] = work;
    }
    world->object.work.count = count;
}

static imp_Feature feature_of(uint8_t part)
{
    return part == IMPI_WHOLE_FACE ? IMP_FEATURE_FACE : part < 3 ? IMP_FEATURE_VERTEX : IMP_FEATURE_EDGE;
}

static uint32_t corner_of(uint8_t part)
{
    return part == IMPI_WHOLE_FACE ? 0 : part % 3;
}

static imp_SweptFaces swept_faces(imp_BodyId a, imp_BodyId b, const impi_FaceTime *faces)
{
    return (imp_SweptFaces){.body_a = a,
                            .face_a = (uint32_t)(faces->faces >> 32),
                            .body_b = b,
                            .face_b = (uint32_t)faces->faces,
                            .time = faces->time,
                            .feature_a = feature_of(faces->part_a),
                            .feature_b = feature_of(faces->part_b),
                            .corner_a = corner_of(faces->part_a),
                            .corner_b = corner_of(faces->part_b)};
}

// The pairs of the work that meet, in order. False when out of memory.
static bool list_found(const Run *run)
{
    const imp_Allocator *allocator = &run->world->context->allocator;
    const impi_ObjectStage *stage = &run->world->object;
    impi_Sweep *memory = run->memory;
    for (size_t i = 0; i < stage->work.count; ++i) {
        const impi_PairWork *pair = &stage->work.data[i];
        const impi_PairSweep *sweep = pair->sweep;
        if (!(sweep->time <= 1))
            continue;
        if (!impi_array_reserve(allocator, &memory->found, sizeof *memory->found.data,
                                memory->found.count + 1) ||
            !impi_array_reserve(allocator, &memory->faces, sizeof *memory->faces.data,
                                memory->faces.count + sweep->faces->count))
            return false;
        imp_BodyId a = impi_body_id(&run->world->slots, pair->a->slot),
                   b = impi_body_id(&run->world->slots, pair->b->slot);
        memory->found.data[memory->found.count++] = (imp_SweptBodies){
            .body_a = a,
            .body_b = b,
            .time = sweep->time,
            .is_certain = sweep->is_certain,
            .touched_at_start = sweep->touched_at_start,
            .path = is_way_straight(pair->a) && is_way_straight(pair->b) ? IMP_PATH_STRAIGHT : IMP_PATH_RIGID,
            .first_face_pair = memory->faces.count,
            .face_pair_count = sweep->faces->count};
        for (size_t k = 0; k < sweep->faces->count; ++k)
            memory->faces.data[memory->faces.count++] = swept_faces(a, b, &sweep->faces->data[k]);
    }
    return true;
}

static imp_Status answer_pairs(const Run *run)
{
    const imp_DetectDef detect = {.mode = IMP_DETECT_BODIES, .ignore_containment = true};
    const impi_SweepAsk sweep = {.face_times = run->def->face_times,
                                 .separation = run->def->separation,
                                 .tolerance = run->def->tolerance};
    impi_ObjectAsk ask = {.def = &detect, .budget = run->budget, .sweep = &sweep};
    const impi_IndexPairs *pairs = &run->memory->pairs;
    imp_Status status = IMP_STATUS_OK;
    impi_filters_choose(IMP_METHOD_AUTO, &ask.choice);
    run->memory->found.count = run->memory->faces.count = 0;
    for (size_t done = 0; done < pairs->count && status == IMP_STATUS_OK; done += PAIRS_PER_STEP) {
        size_t left = pairs->count - done, count = left < PAIRS_PER_STEP ? left : PAIRS_PER_STEP;
        if (impi_budget_is_cancelled(run->budget))
            return impi_fail_cancelled(run->world->context);
        if (!reserve_work(run, count))
            return impi_fail_out_of_memory(run->world->context);
        take_pairs(run, pairs->data + done, count);
        status = impi_object_stage(run->world->context, &run->world->object, &ask, IMPI_ALL_FACES);
        if (status == IMP_STATUS_OK && !list_found(run))
            status = impi_fail_out_of_memory(run->world->context);
    }
    return status;
}

static void finish_report(const Run *run)
{
    impi_Sweep *memory = run->memory;
    double first = NAN;
    for (size_t i = 0; i < memory->found.count; ++i)
        first = fmin(memory->found.data[i].time, first);
    memory->report = (imp_SweepReport){.pairs = memory->found.data,
                                       .pair_count = memory->found.count,
                                       .face_pairs = memory->faces.data,
                                       .face_pair_count = memory->faces.count,
                                       .first_time = first,
                                       .candidate_body_pairs = memory->pairs.count};
}

// ---- the whole

static imp_Status run_stages(const Run *run)
{
    imp_World *world = run->world;
    impi_BroadAsk ask = impi_world_broad_ask(world, 0, run->budget);
    imp_Status status = impi_sweep_bound(world, run->memory, run->def->separation);
    if (status == IMP_STATUS_OK)
        status = impi_broad_stage(world->context, &run->memory->broad, &ask);
    if (status == IMP_STATUS_OK && !list_pairs(run))
        status = impi_fail_out_of_memory(world->context);
    if (status == IMP_STATUS_OK && has_solids(run)) // whose filters look at bounds
        status = impi_world_update_bounds(world, world->broad.margin, run->budget);
    if (status == IMP_STATUS_OK)
        status = answer_pairs(run);
    if (status == IMP_STATUS_OK && impi_budget_is_cancelled(run->budget))
        status = impi_fail_cancelled(world->context);
    return status;
}

imp_Status impi_world_sweep(imp_World *world, const imp_SweepDef *def, const imp_SweepReport **report)
{
    impi_Budget budget;
    Run run = {world, &world->sweep, def, &budget};
    imp_Status status = check_def(world->context, def);
    if (status == IMP_STATUS_OK)
        status = check_targets(world);
    if (status != IMP_STATUS_OK)
        return status;
    impi_budget_begin(&budget, 0, def->cancel);
    if (impi_budget_is_cancelled(&budget))
        return impi_fail_cancelled(world->context);
    impi_arena_reset(&world->context->scratch);
    status = run_stages(&run);
    world->object.work.count = 0;
    if (status != IMP_STATUS_OK)
        return status;
    finish_report(&run);
    *report = &world->sweep.report;
    return IMP_STATUS_OK;
}
