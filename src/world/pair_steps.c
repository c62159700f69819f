#include "world/pair_steps.h"

#include <math.h>

// Pairs in one go: enough for all threads, few enough that what a step needs is little beside the answer. A
// search for the first pair looks at one, then at twice as many each time. So does one with a budget, that
// what is known when it ends is known for good; and one that keeps only so many faces.
#define MAX_STEP       16384
#define MAX_SHORT_STEP 64
#define MAX_TIMED_STEP 8 // what a step begins with for all of its pairs is not cut by a budget

typedef struct Steps {
    imp_Context *context;
    impi_ObjectStage *stage;
    const impi_ObjectAsk *ask;
    const impi_AnswerDef *def;
    impi_Answer *answer;
    bool is_searching; // for the first pair with a relation
    bool is_timed;
    size_t first, most; // size of steps
    uint64_t limit;     // of faces
    uint64_t known;     // faces of the results before the next step
} Steps;

static void choose_sizes(Steps *steps)
{
    const impi_Filter *named = impi_filter_of(steps->ask->def->method);
    steps->first = steps->most = MAX_STEP;
    if (steps->is_searching || steps->is_timed || steps->limit != IMPI_ALL_FACES)
        steps->first = 1;
    if (steps->is_searching || steps->is_timed)
        steps->most = steps->is_timed ? MAX_TIMED_STEP : MAX_SHORT_STEP;
    if (named && named->takes_all_at_once)
        steps->first = steps->most = SIZE_MAX;
}

static bool wants_faces(const Steps *steps)
{
    return steps->ask->def->mode == IMP_DETECT_FACES &&
           (steps->known <= steps->limit || steps->ask->def->count_all);
}

static imp_Status ask_about_work(const Steps *steps)
{
    uint64_t left = steps->limit == IMPI_ALL_FACES ? IMPI_ALL_FACES
                    : steps->known < steps->limit  ? steps->limit - steps->known
                                                   : 0;
    imp_Status status = impi_object_stage(steps->context, steps->stage, steps->ask, left);
    if (status == IMP_STATUS_OK)
        impi_answer_note(steps->def, steps->answer, steps->stage);
    return status;
}

static bool is_found(const impi_ObjectStage *stage)
{
    for (size_t i = 0; i < stage->work.count; ++i)
        if (stage->work.data[i].relations)
            return true;
    return false;
}

// Keep time for the report: each pair is looked at, and each face that was found is written. One report that
// took very long, because somebody else had the processor, must not leave nothing for those after it.
static void reserve_time(const Steps *steps)
{
    double items = (double)steps->answer->results.count + (double)steps->known;
    double most_ns = 1000.0 * (double)steps->ask->def->budget_us / 2;
    impi_budget_reserve(steps->ask->budget, (uint64_t)fmin(steps->ask->report_ns * items, most_ns));
}

// A pair of the work is a step of the budget. Those that no steps are left for stay as they are: `*end` is
// where the first of them is. False then.
static bool spend_steps(const Steps *steps, size_t *end)
{
    impi_Budget *budget = steps->ask->budget;
    uint64_t left = impi_budget_steps_left(budget);
    bool is_enough = steps->stage->work.count <= left;
    if (!is_enough) {
        *end = steps->stage->work.data[left].number;
        steps->stage->work.count = (size_t)left;
    }
    impi_budget_take_steps(budget, steps->stage->work.count);
    return is_enough;
}

// Bodies with sphere trees: all at once, for they have turns.
static imp_Status refine(const Steps *steps)
{
    impi_ObjectStage *stage = steps->stage;
    impi_WorkRange range = {.end = steps->answer->results.count,
                            .most = SIZE_MAX,
                            .takes = impi_object_stage_refines,
                            .ask = steps->ask};
    size_t end;
    stage->estimates.estimates.count = stage->estimates.sphere_pairs.count = 0;
    if (!impi_answer_take_work(&steps->context->allocator, steps->def, steps->answer, &range, stage, &end))
        return impi_fail_out_of_memory(steps->context);
    imp_Status status = impi_object_stage_refine(steps->context, stage, steps->ask);
    if (status == IMP_STATUS_OK)
        impi_answer_note(steps->def, steps->answer, stage);
    return status;
}

// Ask about results [begin, end) step by step; `*done` tells that no more are to be asked about. Returns in
// `*end` how far it came.
static imp_Status ask_range(Steps *steps, size_t begin, size_t *end, bool *done)
{
    size_t stop = *end, step = steps->first;
    impi_ObjectStage *stage = steps->stage;
    steps->known = impi_answer_count_faces(steps->answer, 0, begin);
    for (*end = begin; *end < stop && !*done; begin = *end) {
        impi_WorkRange range = {.begin = begin, .end = stop, .most = step, .wants_faces = wants_faces(steps)};
        if (!impi_answer_take_work(&steps->context->allocator, steps->def, steps->answer, &range, stage, end))
            return impi_fail_out_of_memory(steps->context);
        bool is_enough = spend_steps(steps, end);
        imp_Status status = stage->work.count > 0 ? ask_about_work(steps) : IMP_STATUS_OK;
        if (!is_enough) // once the others are answered
            impi_budget_note_spent(steps->ask->budget);
        if (status != IMP_STATUS_OK)
            return status;
        steps->known += impi_answer_count_faces(steps->answer, begin, *end);
        reserve_time(steps);
        step = step < steps->most / 2 ? 2 * step : steps->most;
        *done = impi_budget_is_over(steps->ask->budget) || (steps->is_searching && is_found(stage));
    }
    return IMP_STATUS_OK;
}

// The first pair is found: which of its faces touch?
static imp_Status ask_for_faces(Steps *steps)
{
    size_t first = impi_answer_find_first(steps->answer);
    steps->known = 0;
    if (first == steps->answer->results.count ||
        !(steps->answer->results.data[first].relations & IMP_RELATION_TOUCH))
        return IMP_STATUS_OK;
    if (!impi_answer_take_again(&steps->context->allocator, steps->def, steps->answer, first, steps->stage))
        return impi_fail_out_of_memory(steps->context);
    return ask_about_work(steps);
}

imp_Status impi_pair_steps(imp_Context *context, impi_ObjectStage *stage, const impi_ObjectAsk *ask,
                           const impi_AnswerDef *def, impi_Answer *answer)
{
    Steps steps = {.context = context, .stage = stage, .ask = ask, .def = def, .answer = answer};
    size_t count = answer->results.count, end = count;
    bool done = false;
    steps.is_searching = ask->def->mode == IMP_DETECT_FIRST;
    steps.is_timed = impi_budget_is_limited(ask->budget);
    steps.limit = ask->def->max_face_pairs && ask->def->mode != IMP_DETECT_BODIES ? ask->def->max_face_pairs
                                                                                  : IMPI_ALL_FACES;
    choose_sizes(&steps);
    bool takes_turns = steps.is_timed && !steps.is_searching && steps.first == 1;
    size_t begin = takes_turns ? impi_answer_find_turn(answer, stage->turn) : 0;
    stage->faces.used = 0;
    reserve_time(&steps);
    imp_Status status = refine(&steps);
    done = impi_budget_is_over(ask->budget);
    if (done) // the next detect begins one pair later all the same, so that none waits forever
        end = begin < count ? begin + 1 : count;
    else if (status == IMP_STATUS_OK)
        status = ask_range(&steps, begin, &end, &done);
    if (status == IMP_STATUS_OK && !done && begin > 0) {
        end = begin;
        status = ask_range(&steps, 0, &end, &done);
    }
    impi_budget_begin_report(ask->budget);
    if (status == IMP_STATUS_OK && steps.is_timed && !steps.is_searching)
        stage->turn = end < count ? impi_result_slots(&answer->results.data[end]) : 0;
    if (status == IMP_STATUS_OK && steps.is_searching)
        status = ask_for_faces(&steps);
    return status;
}
