#include "world/report_lists.h"

#include "base/list_changes.h"

#include <string.h>

static bool add_pair(const imp_Allocator *allocator, impi_BodyPairs *list, const imp_BodyPair *pair)
{
    if (list->count == list->capacity &&
        !impi_array_reserve(allocator, list, sizeof *list->data, list->count + 1))
        return false;
    list->data[list->count++] = *pair;
    return true;
}

// What is told of an undecided pair.
static bool add_estimate(const imp_Allocator *allocator, const impi_AnswerDef *def,
                         const impi_PairResult *result, const impi_Estimates *from, impi_Answer *answer)
{
    impi_Estimates *to = &answer->estimates;
    imp_Estimate estimate = {0};
    if (result->estimate != IMPI_NO_ESTIMATE)
        estimate = from->estimates.data[result->estimate];
    else
        estimate.error = impi_farthest_apart(&def->bodies[result->slot_a - 1].bounds,
                                             &def->bodies[result->slot_b - 1].bounds);
    size_t first = to->sphere_pairs.count, count = estimate.sphere_pair_count;
    if (!impi_array_reserve(allocator, &to->estimates, sizeof *to->estimates.data, to->estimates.count + 1) ||
        !impi_array_reserve(allocator, &to->sphere_pairs, sizeof *to->sphere_pairs.data, first + count))
        return false;
    if (count > 0)
        memcpy(to->sphere_pairs.data + first, from->sphere_pairs.data + estimate.first_sphere_pair,
               count * sizeof *to->sphere_pairs.data);
    estimate.first_sphere_pair = first;
    to->sphere_pairs.count += count;
    to->estimates.data[to->estimates.count++] = estimate;
    return true;
}

static bool list_pairs(const imp_Allocator *allocator, const impi_AnswerDef *def,
                       const impi_Estimates *estimates, impi_Answer *answer)
{
    answer->body_pairs.count = answer->undecided.count = 0;
    answer->estimates.estimates.count = answer->estimates.sphere_pairs.count = 0;
    for (size_t i = 0; i < answer->results.count; ++i) {
        const impi_PairResult *result = &answer->results.data[i];
        if (!result->relations && !(result->unanswered && answer->report.budget_spent))
            continue;
        imp_BodyPair pair = {impi_body_id(def->slots, result->slot_a),
                             impi_body_id(def->slots, result->slot_b), result->relations, result->unanswered};
        if (!add_pair(allocator, result->relations ? &answer->body_pairs : &answer->undecided, &pair))
            return false;
        if (!result->relations && !add_estimate(allocator, def, result, estimates, answer))
            return false;
    }
    return true;
}

static bool add_open_container(const imp_Allocator *allocator, const impi_SlotTable *slots, uint32_t inner,
                               uint32_t outer, impi_Answer *answer)
{
    if (!impi_array_reserve(allocator, &answer->open_containers, sizeof *answer->open_containers.data,
                            answer->open_containers.count + 1))
        return false;
    answer->open_containers.data[answer->open_containers.count++] =
        (imp_OpenContainer){impi_body_id(slots, inner), impi_body_id(slots, outer)};
    return true;
}

bool impi_list_open_containers(const imp_Allocator *allocator, const impi_AnswerDef *def, impi_Answer *answer)
{
    for (size_t i = 0; i < answer->results.count; ++i) {
        const impi_PairResult *result = &answer->results.data[i];
        if (result->a_in_open_b &&
            !add_open_container(allocator, def->slots, result->slot_a, result->slot_b, answer))
            return false;
        if (result->b_in_open_a &&
            !add_open_container(allocator, def->slots, result->slot_b, result->slot_a, answer))
            return false;
    }
    return true;
}

// ---- what has changed

// Slots order the pairs; where they are the same, generations tell whether it is other bodies, which come
// later.
static int compare_pairs(const imp_BodyPair *a, const imp_BodyPair *b)
{
    const uint32_t left[4] = {a->body_a.slot, a->body_b.slot, a->body_a.generation, a->body_b.generation};
    const uint32_t right[4] = {b->body_a.slot, b->body_b.slot, b->body_a.generation, b->body_b.generation};
    int i = 0;
    while (i < 3 && left[i] == right[i])
        ++i;
    return (left[i] > right[i]) - (left[i] < right[i]);
}

typedef struct Changes {
    const imp_Allocator *allocator;
    const impi_BodyPairs *before, *after;
    impi_BodyPairs *begun, *ended;
} Changes;

static inline int compare(size_t i, size_t k, const void *argument)
{
    const Changes *changes = argument;
    return compare_pairs(&changes->before->data[i], &changes->after->data[k]);
}

static inline bool end_pair(size_t i, void *argument)
{
    const Changes *changes = argument;
    return add_pair(changes->allocator, changes->ended, &changes->before->data[i]);
}

static inline bool begin_pair(size_t k, void *argument)
{
    const Changes *changes = argument;
    return add_pair(changes->allocator, changes->begun, &changes->after->data[k]);
}

// What an answer leaves to the next one as pairs that are related.
static const impi_BodyPairs *contacts_of(const impi_Answer *answer)
{
    return answer->undecided.count > 0 ? &answer->contacts : &answer->body_pairs;
}

// Related pairs, and undecided ones that were related before: these neither begin nor end.
static bool join_contacts(const imp_Allocator *allocator, const impi_BodyPairs *before, impi_Answer *answer)
{
    const impi_BodyPairs *now = &answer->body_pairs, *undecided = &answer->undecided;
    size_t n = 0, u = 0;
    answer->contacts.count = 0;
    for (size_t i = 0; i < before->count; ++i) {
        const imp_BodyPair *pair = &before->data[i];
        while (u < undecided->count && compare_pairs(&undecided->data[u], pair) < 0)
            ++u;
        if (u == undecided->count || compare_pairs(&undecided->data[u], pair) != 0)
            continue;
        for (; n < now->count && compare_pairs(&now->data[n], pair) < 0; ++n)
            if (!add_pair(allocator, &answer->contacts, &now->data[n]))
                return false;
        if (!add_pair(allocator, &answer->contacts, pair))
            return false;
    }
    for (; n < now->count; ++n)
        if (!add_pair(allocator, &answer->contacts, &now->data[n]))
            return false;
    return true;
}

static bool list_changes(const imp_Allocator *allocator, const impi_Answer *last, impi_Answer *answer)
{
    static const impi_BodyPairs none = {0};
    const impi_BodyPairs *before = last ? contacts_of(last) : &none;
    answer->begun.count = answer->ended.count = 0;
    if (answer->undecided.count > 0 && !join_contacts(allocator, before, answer))
        return false;
    Changes changes = {allocator, before, contacts_of(answer), &answer->begun, &answer->ended};
    return impi_list_changes(before->count, changes.after->count, compare, end_pair, begin_pair, &changes);
}

bool impi_report_lists(const imp_Allocator *allocator, const impi_AnswerDef *def,
                       const impi_Estimates *estimates, impi_Answer *answer)
{
    imp_Report *report = &answer->report;
    answer->begun.count = answer->ended.count = 0;
    if (!list_pairs(allocator, def, estimates, answer) ||
        !impi_list_open_containers(allocator, def, answer) ||
        (def->def->mode != IMP_DETECT_FIRST && !list_changes(allocator, def->last, answer)))
        return false;
    report->body_pairs = answer->body_pairs.data;
    report->body_pair_count = answer->body_pairs.count;
    report->undecided = answer->undecided.data;
    report->undecided_count = answer->undecided.count;
    report->estimates = answer->estimates.estimates.data;
    report->sphere_pairs = answer->estimates.sphere_pairs.data;
    report->sphere_pair_count = answer->estimates.sphere_pairs.count;
    report->begun = answer->begun.data;
    report->begun_count = answer->begun.count;
    report->ended = answer->ended.data;
    report->ended_count = answer->ended.count;
    report->open_containers = answer->open_containers.data;
    report->open_container_count = answer->open_containers.count;
    return true;
}
