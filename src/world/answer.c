// Both the last answer and the pairs at hand are in the order of slots, so that going through both at once
// finds for each pair what is known of it. A pair whose bodies have not moved keeps its answer; a pair of
// solids keeps its state in any case.
#include "world/answer.h"

#include "world/answer_contacts.h"
#include "world/answer_faces.h"
#include "world/report_lists.h"

#include <assert.h>

void impi_answer_destroy(const imp_Allocator *allocator, impi_Answer *answer)
{
    impi_array_free(allocator, &answer->results, sizeof *answer->results.data);
    impi_array_free(allocator, &answer->states, sizeof *answer->states.data);
    impi_array_free(allocator, &answer->faces, sizeof *answer->faces.data);
    impi_array_free(allocator, &answer->body_pairs, sizeof(imp_BodyPair));
    impi_array_free(allocator, &answer->undecided, sizeof(imp_BodyPair));
    impi_array_free(allocator, &answer->begun, sizeof(imp_BodyPair));
    impi_array_free(allocator, &answer->ended, sizeof(imp_BodyPair));
    impi_array_free(allocator, &answer->contacts, sizeof(imp_BodyPair));
    impi_array_free(allocator, &answer->open_containers, sizeof *answer->open_containers.data);
    impi_contact_lists_free(allocator, &answer->regions);
    impi_estimates_free(allocator, &answer->estimates);
}

// ---- what still holds

// An open result: nothing was asked yet.
#define ALL_OPEN 0xFF

static bool is_at_rest(const impi_AnswerDef *def, const impi_PairResult *last)
{
    return def->has_moved && !def->has_moved[last->slot_a] && !def->has_moved[last->slot_b];
}

// A result that was cut short: its relations hold, and what else is known but for faces, which are looked for
// anew.
static void go_on(const impi_AnswerDef *def, const impi_PairResult *last, impi_PairResult *result)
{
    uint32_t asked = impi_open_questions(last->relations, 0, def->def);
    uint32_t answered = asked & ~(uint32_t)(last->unanswered | IMP_QUESTION_FACES);
    result->relations = last->relations;
    result->unanswered = (uint8_t)(asked & ~answered);
    if (!last->relations && (answered & IMP_QUESTION_TOUCH))
        result->candidate_count = last->candidate_count;
}

// The state of two solids, as the last answer had it. Bodies that come and go share slots, but a state may
// hold anything.
static bool add_state(const imp_Allocator *allocator, const impi_AnswerDef *def, const impi_PairResult *last,
                      impi_Answer *answer)
{
    if (!impi_array_reserve(allocator, &answer->states, sizeof *answer->states.data,
                            answer->states.count + 1))
        return false;
    bool is_known = last && last->state != IMPI_NO_STATE;
    answer->states.data[answer->states.count++] =
        is_known ? def->last->states.data[last->state] : (imp_ConvexState){0};
    return true;
}

// One pair: `last` is what is known of its slots, or null.
static bool begin_pair(const imp_Allocator *allocator, const impi_AnswerDef *def, imp_IndexPair pair,
                       const impi_PairResult *last, impi_Answer *answer)
{
    impi_PairResult result = {.slot_a = pair.a,
                              .slot_b = pair.b,
                              .unanswered = ALL_OPEN,
                              .is_new = true,
                              .first_face = IMPI_NO_LIST};
    bool is_known = last && is_at_rest(def, last), is_kept = is_known && last->unanswered == 0;
    if (is_kept) {
        result = *last;
        result.is_new = false;
    } else if (is_known) {
        go_on(def, last, &result);
    }
    result.estimate = IMPI_NO_ESTIMATE;
    result.state = IMPI_NO_STATE;
    if (is_kept ? last->state != IMPI_NO_STATE
                : impi_body_is_convex(&def->bodies[pair.a - 1]) &&
                      impi_body_is_convex(&def->bodies[pair.b - 1])) {
        result.state = (uint32_t)answer->states.count;
        if (!add_state(allocator, def, last, answer))
            return false;
    }
    answer->results.data[answer->results.count++] = result;
    return true;
}

// The first result of these slots or later ones, or their number.
static size_t find_slots(const impi_Answer *answer, uint64_t slots)
{
    size_t low = 0, high = answer->results.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (impi_result_slots(&answer->results.data[middle]) < slots)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

imp_Status impi_answer_begin(imp_Context *context, const impi_AnswerDef *def, impi_Answer *answer)
{
    assert(answer != def->last);
    const imp_Allocator *allocator = &context->allocator;
    const impi_PairResult *last = def->last ? def->last->results.data : NULL;
    size_t last_count = def->last ? def->last->results.count : 0, next = 0;
    answer->results.count = answer->states.count = 0;
    if (def->last && def->pairs->count > 0)
        next = find_slots(def->last, impi_slot_pair(def->pairs->data[0].a, def->pairs->data[0].b));
    if (!impi_array_reserve(allocator, &answer->results, sizeof *answer->results.data, def->pairs->count))
        return impi_fail_out_of_memory(context);
    for (size_t i = 0; i < def->pairs->count; ++i) {
        imp_IndexPair pair = def->pairs->data[i];
        uint64_t slots = impi_slot_pair(pair.a, pair.b);
        while (next < last_count && impi_result_slots(&last[next]) < slots)
            ++next;
        bool is_known = next < last_count && impi_result_slots(&last[next]) == slots;
        if (!begin_pair(allocator, def, pair, is_known ? &last[next] : NULL, answer))
            return impi_fail_out_of_memory(context);
    }
    return IMP_STATUS_OK;
}

// ---- finding results

size_t impi_answer_find_turn(const impi_Answer *answer, uint64_t slots)
{
    size_t found = find_slots(answer, slots);
    return found < answer->results.count ? found : 0;
}

size_t impi_answer_find_first(const impi_Answer *answer)
{
    size_t first = 0;
    while (first < answer->results.count && !answer->results.data[first].relations)
        ++first;
    return first;
}

uint64_t impi_answer_count_faces(const impi_Answer *answer, size_t begin, size_t end)
{
    uint64_t count = 0;
    for (size_t i = begin; i < end; ++i)
        count += answer->results.data[i].face_count;
    return count;
}

// ---- work

// What was not asked yet, as which faces of bodies touch of which that is not known, is not answered either.
static impi_PairWork work_of(const impi_AnswerDef *def, const impi_Answer *answer, size_t number)
{
    const impi_PairResult *result = &answer->results.data[number];
    uint32_t asked = impi_open_questions(result->relations, 0, def->def);
    return (impi_PairWork){
        .a = &def->bodies[result->slot_a - 1],
        .b = &def->bodies[result->slot_b - 1],
        .state = result->state == IMPI_NO_STATE ? NULL : &answer->states.data[result->state],
        .relations = result->relations,
        .answered = result->unanswered == ALL_OPEN ? 0 : asked & ~(uint32_t)result->unanswered,
        .estimate = result->estimate,
        .face_list = IMPI_NO_LIST,
        .face_room = IMPI_ALL_FACES,
        .last_face = UINT64_MAX,
        .candidate_count = result->candidate_count,
        .number = number};
}

bool impi_answer_take_work(const imp_Allocator *allocator, const impi_AnswerDef *def,
                           const impi_Answer *answer, const impi_WorkRange *range, impi_ObjectStage *stage,
                           size_t *end)
{
    size_t i = range->begin;
    stage->work.count = 0;
    for (; i < range->end && stage->work.count < range->most; ++i) {
        if (answer->results.data[i].unanswered == 0)
            continue;
        if (!impi_array_reserve(allocator, &stage->work, sizeof *stage->work.data, stage->work.count + 1))
            return false;
        impi_PairWork work = work_of(def, answer, i);
        work.wants_faces = range->wants_faces;
        if (!range->takes || range->takes(range->ask, &work))
            stage->work.data[stage->work.count++] = work;
    }
    *end = i;
    return true;
}

bool impi_answer_take_again(const imp_Allocator *allocator, const impi_AnswerDef *def,
                            const impi_Answer *answer, size_t result, impi_ObjectStage *stage)
{
    if (!impi_array_reserve(allocator, &stage->work, sizeof *stage->work.data, 1))
        return false;
    impi_PairWork work = work_of(def, answer, result);
    work.wants_faces = true;
    work.relations = IMP_RELATION_TOUCH;
    work.answered = IMP_QUESTION_TOUCH;
    stage->work.data[0] = work;
    stage->work.count = 1;
    return true;
}

void impi_answer_note(const impi_AnswerDef *def, impi_Answer *answer, const impi_ObjectStage *stage)
{
    for (size_t i = 0; i < stage->work.count; ++i) {
        const impi_PairWork *pair = &stage->work.data[i];
        impi_PairResult *result = &answer->results.data[pair->number];
        result->relations = (uint8_t)pair->relations;
        result->unanswered = (uint8_t)impi_open_questions(pair->relations, pair->answered, def->def);
        result->a_in_open_b = pair->a_in_open_b;
        result->b_in_open_a = pair->b_in_open_a;
        result->first_face = pair->face_list;
        result->face_count = pair->face_count;
        result->candidate_count = pair->wants_faces ? pair->candidate_count : 0;
        result->estimate = pair->estimate;
    }
}

// ---- the report

bool impi_answer_pass(const imp_Allocator *allocator, const impi_AnswerDef *def, impi_Answer *answer)
{
    answer->passed_count += answer->results.count;
    return impi_list_open_containers(allocator, def, answer);
}

// In mode IMP_DETECT_FIRST only the first related pair of all may stay.
static void keep_first(impi_Answer *answer)
{
    size_t first = impi_answer_find_first(answer);
    for (size_t i = first + 1; i < answer->results.count; ++i) {
        impi_PairResult *result = &answer->results.data[i];
        if (result->relations) // left out, not undecided
            result->relations = result->unanswered = 0;
        result->a_in_open_b = result->b_in_open_a = false;
    }
    if (first < answer->results.count && !answer->report.budget_spent)
        answer->report.candidate_body_pairs = answer->passed_count + first + 1;
}

// What nobody came to ask.
static void note_open(const imp_DetectDef *def, impi_Answer *answer)
{
    for (size_t i = 0; i < answer->results.count; ++i)
        if (answer->results.data[i].unanswered == ALL_OPEN)
            answer->results.data[i].unanswered = (uint8_t)impi_open_questions(0, 0, def);
}

imp_Status impi_answer_finish(imp_Context *context, const impi_AnswerDef *def, impi_Answer *answer,
                              impi_ObjectStage *stage, impi_Budget *budget)
{
    imp_Report *report = &answer->report;
    imp_Status status = IMP_STATUS_OK;
    *report = (imp_Report){.budget_spent = impi_budget_is_spent(budget),
                           .candidate_body_pairs = answer->passed_count + answer->results.count};
    note_open(def->def, answer);
    if (def->def->mode == IMP_DETECT_FIRST)
        keep_first(answer);
    if (def->def->mode != IMP_DETECT_BODIES)
        status = impi_answer_list_faces(context, def, answer, stage);
    if (status == IMP_STATUS_OK && def->def->contacts)
        status = impi_answer_list_contacts(context, def, answer, stage, budget);
    if (status != IMP_STATUS_OK)
        return status;
    return impi_report_lists(&context->allocator, def, &stage->estimates, answer)
               ? IMP_STATUS_OK
               : impi_fail_out_of_memory(context);
}
