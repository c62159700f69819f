// The pipeline: bounds, broad, object and feature, answer. See docs/pipeline.md.
#include "world/world.h"

#include <string.h>

#define DEFAULT_SMITH_LEVEL 6

static imp_Status check_def(imp_Context *context, const imp_DetectDef *def)
{
    if (def->mode < IMP_DETECT_FACES || def->mode > IMP_DETECT_FIRST)
        return impi_fail(context, IMP_STATUS_BAD_ARGUMENT, IMP_NOWHERE, "unknown detect mode %d",
                         (int)def->mode);
    if (def->method != IMP_METHOD_AUTO && !impi_filter_of(def->method))
        return impi_fail(context, IMP_STATUS_BAD_ARGUMENT, IMP_NOWHERE, "unknown detect method %d",
                         (int)def->method);
    if (def->smith_level > IMP_MAX_SMITH_LEVEL)
        return impi_fail(context, IMP_STATUS_BAD_ARGUMENT, IMP_NOWHERE, "Smith level %u exceeds %u",
                         (unsigned)def->smith_level, (unsigned)IMP_MAX_SMITH_LEVEL);
    return IMPI_CHECK_RESERVED(context, def);
}

// Do two detects ask the same? How long they may take makes no difference.
static bool is_same_question(const imp_DetectDef *a, const imp_DetectDef *b)
{
    return a->mode == b->mode && a->method == b->method && a->ignore_containment == b->ignore_containment &&
           a->max_face_pairs == b->max_face_pairs && a->smith_level == b->smith_level;
}

static const impi_Answer *last_answer(const imp_World *world)
{
    return world->has_answer ? &world->answers[world->current] : NULL;
}

// Is what the last answer says of bodies at rest what this detect would say? Answers that depend on which
// pairs come together hold only all at once.
static bool can_take_over(const imp_World *world, const imp_DetectDef *def)
{
    const impi_Filter *named = impi_filter_of(def->method);
    return def->mode != IMP_DETECT_FIRST && world->has_answer && is_same_question(&world->answered, def) &&
           !last_answer(world)->report.truncated && !(named && named->takes_all_at_once);
}

static bool is_nothing_new(const imp_World *world, const imp_DetectDef *def)
{
    return !world->has_changed && def->mode != IMP_DETECT_FIRST && world->has_answer &&
           is_same_question(&world->answered, def) && !last_answer(world)->report.budget_spent;
}

static const imp_Report *repeat_answer(imp_World *world)
{
    imp_Report *report = &world->answers[world->current].report;
    report->begun_count = report->ended_count = 0;
    return report;
}

static imp_Status update_bounds(imp_World *world, const impi_BroadAsk *ask)
{
    impi_Arena *arena = &world->context->scratch;
    impi_Body **bodies = impi_arena_allocate_array(arena, world->unbounded.count, sizeof *bodies);
    size_t count = 0;
    if (!bodies)
        return impi_fail_out_of_memory(world->context);
    for (size_t i = 0; i < world->unbounded.count; ++i) {
        uint32_t slot = world->unbounded.data[i];
        bodies[count] = &world->bodies.data[slot - 1];
        count += impi_slot_table_is_used(&world->slots, slot);
    }
    imp_Status status = impi_bounds_stage(world->context, ask, bodies, count, &world->broad.boxes);
    if (status != IMP_STATUS_OK)
        return status;
    for (size_t i = 0; i < world->unbounded.count; ++i)
        world->changes.data[world->unbounded.data[i]] &= (uint8_t)~IMPI_CHANGE_BOUNDS;
    world->unbounded.count = 0;
    return IMP_STATUS_OK;
}

// All living bodies, in order, for filters that take all at once.
static imp_Status list_bodies(imp_World *world, impi_ObjectAsk *ask)
{
    const impi_Filter *named = impi_filter_of(ask->def->method);
    if (!named || !named->takes_all_at_once)
        return IMP_STATUS_OK;
    impi_Body **bodies =
        impi_arena_allocate_array(&world->context->scratch, world->slots.used_count, sizeof *bodies);
    if (!bodies)
        return impi_fail_out_of_memory(world->context);
    for (uint32_t slot = 1; slot <= world->bodies.count; ++slot)
        if (impi_slot_table_is_used(&world->slots, slot))
            bodies[ask->body_count++] = &world->bodies.data[slot - 1];
    ask->bodies = bodies;
    return IMP_STATUS_OK;
}

static void keep_answer(imp_World *world, const imp_DetectDef *def)
{
    world->current ^= 1;
    world->has_answer = true;
    world->answered = *def;
    world->has_changed = false;
    if (world->changes.count > 0)
        memset(world->changes.data, 0, world->changes.count);
}

// Every stage gets what it reads and writes; none of them gets the world.
static imp_Status run_pipeline(imp_World *world, const imp_DetectDef *def, impi_Budget *budget,
                               impi_Answer *answer)
{
    const double margin = 0;
    imp_Context *context = world->context;
    impi_BroadAsk broad = {world->bodies.data, margin, &world->ignored_pairs, budget};
    impi_ObjectAsk object = {.def = def, .budget = budget, .margin = margin};
    impi_AnswerDef answers = {def,
                              world->bodies.data,
                              &world->slots,
                              &world->broad.pairs,
                              last_answer(world),
                              can_take_over(world, def) ? world->changes.data : NULL};
    impi_filters_choose(def->method, &object.choice);
    imp_Status status = update_bounds(world, &broad);
    if (status == IMP_STATUS_OK)
        status = impi_broad_stage(context, &world->broad, &broad);
    if (status == IMP_STATUS_OK)
        status = impi_answer_begin(context, &answers, answer, &world->object);
    if (status == IMP_STATUS_OK)
        status = list_bodies(world, &object);
    if (status == IMP_STATUS_OK)
        status = impi_object_stage(context, &world->object, &object);
    if (status == IMP_STATUS_OK)
        status = impi_answer_finish(context, &answers, answer, &world->object, impi_budget_is_spent(budget));
    return status;
}

imp_Status impi_world_detect(imp_World *world, const imp_DetectDef *def, const imp_Report **report)
{
    imp_DetectDef chosen = *def;
    impi_Budget budget;
    imp_Status status = check_def(world->context, &chosen);
    if (status != IMP_STATUS_OK)
        return status;
    if (chosen.smith_level == 0)
        chosen.smith_level = DEFAULT_SMITH_LEVEL;
    impi_budget_begin(&budget, chosen.budget_us, chosen.cancel);
    if (impi_budget_is_cancelled(&budget))
        return impi_fail_cancelled(world->context);
    if (is_nothing_new(world, &chosen)) {
        *report = repeat_answer(world);
        return IMP_STATUS_OK;
    }
    bool is_first = chosen.mode == IMP_DETECT_FIRST;
    impi_Answer *answer = is_first ? &world->first : &world->answers[world->current ^ 1];
    impi_arena_reset(&world->context->scratch);
    status = run_pipeline(world, &chosen, &budget, answer);
    if (status != IMP_STATUS_OK)
        return status;
    if (!is_first)
        keep_answer(world, &chosen);
    *report = &answer->report;
    return IMP_STATUS_OK;
}
