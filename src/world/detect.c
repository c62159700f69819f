// The pipeline: bounds, broad, object and feature, answer. See docs/pipeline.md.
#include "base/clock.h"
#include "world/pair_steps.h"
#include "world/world.h"

#include <math.h>
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
    if (def->contacts && def->mode != IMP_DETECT_FACES)
        return impi_fail(context, IMP_STATUS_BAD_ARGUMENT, IMP_NOWHERE,
                         "contacts are found in mode IMP_DETECT_FACES only");
    if (def->order != IMP_REFINE_LARGEST_ERROR && def->order != IMP_REFINE_ROUND_ROBIN)
        return impi_fail(context, IMP_STATUS_BAD_ARGUMENT, IMP_NOWHERE, "unknown order of refining %d",
                         (int)def->order);
    return IMPI_CHECK_RESERVED(context, def);
}

// Do two detects ask the same? How long they may take makes no difference, nor in which
// order.
static bool is_same_question(const imp_DetectDef *a, const imp_DetectDef *b)
{
    return a->mode == b->mode && a->method == b->method && a->ignore_containment == b->ignore_containment &&
           a->max_face_pairs == b->max_face_pairs && a->count_all == b->count_all &&
           a->smith_level == b->smith_level && a->contacts == b->contacts;
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

static void note_budget(const impi_Budget *budget, imp_Report *report)
{
    uint64_t now = budget->deadline_ns == IMPI_NO_DEADLINE ? 0 : impi_clock_ns();
    report->step_count = budget->step_count;
    report->overshoot_ns = now > budget->deadline_ns ? now - budget->deadline_ns : 0;
}

static const imp_Report *repeat_answer(imp_World *world, const impi_Budget *budget)
{
    imp_Report *report = &world->answers[world->current].report;
    report->begun_count = report->ended_count = 0;
    note_budget(budget, report);
    return report;
}

// All living bodies, in order. Null when out of memory.
static impi_Body **living_bodies(imp_World *world)
{
    impi_Body **bodies =
        impi_arena_allocate_array(&world->context->scratch, world->slots.used_count, sizeof *bodies);
    size_t count = 0;
    for (uint32_t slot = 1; bodies && slot <= world->bodies.count; ++slot)
        if (impi_slot_table_is_used(&world->slots, slot))
            bodies[count++] = &world->bodies.data[slot - 1];
    return bodies;
}

impi_BroadAsk impi_world_broad_ask(const imp_World *world, double margin, impi_Budget *budget)
{
    return (impi_BroadAsk){.bodies = world->bodies.data,
                           .margin = margin,
                           .ignored = &world->ignored_pairs,
                           .filter = world->pair_filter,
                           .slots = &world->slots,
                           .budget = budget};
}

static imp_Status change_margin(imp_World *world, const impi_BroadAsk *ask)
{
    impi_Body **bodies = living_bodies(world);
    if (!bodies)
        return impi_fail_out_of_memory(world->context);
    impi_bounds_stage_widen(ask, bodies, world->slots.used_count, &world->broad);
    return IMP_STATUS_OK;
}

imp_Status impi_world_update_bounds(imp_World *world, double margin, impi_Budget *budget)
{
    impi_Arena *arena = &world->context->scratch;
    impi_BroadAsk ask = impi_world_broad_ask(world, margin, budget);
    impi_Body **bodies = impi_arena_allocate_array(arena, world->unbounded.count, sizeof *bodies);
    size_t count = 0;
    if (!bodies)
        return impi_fail_out_of_memory(world->context);
    for (size_t i = 0; i < world->unbounded.count; ++i) {
        uint32_t slot = world->unbounded.data[i];
        bodies[count] = &world->bodies.data[slot - 1];
        count += impi_slot_table_is_used(&world->slots, slot);
    }
    imp_Status status = impi_bounds_stage(world->context, &ask, bodies, count, &world->broad.boxes);
    if (status != IMP_STATUS_OK)
        return status;
    for (size_t i = 0; i < world->unbounded.count; ++i)
        world->changes.data[world->unbounded.data[i]] &= (uint8_t)~IMPI_CHANGE_BOUNDS;
    world->unbounded.count = 0;
    return margin == world->broad.margin ? IMP_STATUS_OK : change_margin(world, &ask);
}

// For filters that take all at once.
static imp_Status list_bodies(imp_World *world, impi_ObjectAsk *ask)
{
    const impi_Filter *named = impi_filter_of(ask->def->method);
    if (!named || !named->takes_all_at_once)
        return IMP_STATUS_OK;
    ask->bodies = living_bodies(world);
    ask->body_count = world->slots.used_count;
    return ask->bodies ? IMP_STATUS_OK : impi_fail_out_of_memory(world->context);
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

// What the stages of one detect are handed: each gets what it reads and writes, none of them gets the world.
typedef struct Pipeline {
    impi_BroadAsk broad;
    impi_ObjectAsk object;
    impi_AnswerDef answers;
} Pipeline;

static imp_Status ask_about_pairs(imp_World *world, const Pipeline *pipeline, impi_Answer *answer)
{
    imp_Status status = impi_answer_begin(world->context, &pipeline->answers, answer);
    if (status == IMP_STATUS_OK)
        status =
            impi_pair_steps(world->context, &world->object, &pipeline->object, &pipeline->answers, answer);
    return status;
}

static bool is_search_over(const imp_World *world, const Pipeline *pipeline, const impi_Answer *answer)
{
    return world->broad.next_slot == 0 || impi_answer_find_first(answer) < answer->results.count ||
           impi_budget_is_over(pipeline->object.budget);
}

// Pairs until one has a relation; very many come little by little.
static imp_Status find_first(imp_World *world, const Pipeline *pipeline, impi_Answer *answer)
{
    imp_Context *context = world->context;
    imp_Status status = impi_broad_stage_first(context, &world->broad, &pipeline->broad);
    if (status == IMP_STATUS_OK)
        status = ask_about_pairs(world, pipeline, answer);
    while (status == IMP_STATUS_OK && !is_search_over(world, pipeline, answer)) {
        if (!impi_answer_pass(&context->allocator, &pipeline->answers, answer))
            return impi_fail_out_of_memory(context);
        status = impi_broad_stage_next(context, &world->broad, &pipeline->broad);
        if (status == IMP_STATUS_OK)
            status = ask_about_pairs(world, pipeline, answer);
    }
    return status;
}

static imp_Status find_all(imp_World *world, const Pipeline *pipeline, impi_Answer *answer)
{
    imp_Status status = impi_broad_stage(world->context, &world->broad, &pipeline->broad);
    return status == IMP_STATUS_OK ? ask_about_pairs(world, pipeline, answer) : status;
}

// What comes after the budget is seen to be over, the report above all, is learned from detects before, in
// time of the processor, since somebody else may have it meanwhile. More than was expected counts at once,
// but no more than twice as much; less counts slowly, because caches are now warm, now cold. Contacts have a
// part in the budget of their own.
static void learn_report_time(imp_World *world, const impi_Budget *budget, const impi_Answer *answer)
{
    const double room = 1.2, most = 2, forgetting = 0.98;
    if (budget->report_begun_ns == 0 || answer->report.contact_count > 0)
        return;
    double items = (double)answer->results.count + (double)answer->report.face_pair_count + 1;
    double latest = room * (double)(impi_thread_clock_ns() - budget->report_begun_ns) / items;
    double expected = world->report_ns;
    if (expected > 0)
        latest = fmin(latest, most * expected);
    world->report_ns = fmax(latest, forgetting * expected);
}

static imp_Status run_pipeline(imp_World *world, const imp_DetectDef *def, impi_Budget *budget,
                               impi_Answer *answer)
{
    Pipeline pipeline = {.broad = impi_world_broad_ask(world, 0, budget),
                         .object = {.def = def, .budget = budget, .margin = 0, .report_ns = world->report_ns},
                         .answers = {def, world->bodies.data, &world->slots, &world->broad.pairs,
                                     last_answer(world),
                                     can_take_over(world, def) ? world->changes.data : NULL}};
    impi_filters_choose(def->method, &pipeline.object.choice);
    answer->passed_count = 0;
    answer->open_containers.count = 0;
    imp_Status status = impi_world_update_bounds(world, 0, budget);
    if (status == IMP_STATUS_OK)
        status = list_bodies(world, &pipeline.object);
    if (status == IMP_STATUS_OK)
        status = def->mode == IMP_DETECT_FIRST ? find_first(world, &pipeline, answer)
                                               : find_all(world, &pipeline, answer);
    // Asked once everything has been left that looks at it: from here on nobody takes less than all for done.
    if (status == IMP_STATUS_OK && impi_budget_is_cancelled(budget))
        status = impi_fail_cancelled(world->context);
    if (status == IMP_STATUS_OK)
        status = impi_answer_finish(world->context, &pipeline.answers, answer, &world->object, budget);
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
    impi_budget_limit_steps(&budget, chosen.budget_steps);
    if (impi_budget_is_cancelled(&budget))
        return impi_fail_cancelled(world->context);
    if (is_nothing_new(world, &chosen)) {
        *report = repeat_answer(world, &budget);
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
    learn_report_time(world, &budget, answer);
    note_budget(&budget, &answer->report);
    *report = &answer->report;
    return IMP_STATUS_OK;
}

imp_Status impi_world_refine(imp_World *world, const imp_RefineDef *def, const imp_Report **report)
{
    imp_Status status = IMPI_CHECK_RESERVED(world->context, def);
    if (status != IMP_STATUS_OK)
        return status;
    if (!world->has_answer || world->has_changed)
        return impi_fail(world->context, IMP_STATUS_BAD_ARGUMENT, IMP_NOWHERE,
                         world->has_answer ? "the world was changed since the last detect: detect anew"
                                           : "there was no detect to go on with");
    imp_DetectDef again = world->answered;
    again.budget_us = def->budget_us;
    again.budget_steps = def->budget_steps;
    again.cancel = def->cancel;
    return impi_world_detect(world, &again, report);
}
