#include "playback/rule_entries.h"

#include "base/context.h"

#include <string.h>

// The bodies of a rule and their sides, in ascending order.
typedef struct RuleBodies {
    impi_BodySpan sides[2];
    size_t next[2];
} RuleBodies;

static RuleBodies bodies_of(const impi_RuleSelections *selections, size_t rule)
{
    return (RuleBodies){
        .sides = {impi_rule_bodies(selections, rule, 0), impi_rule_bodies(selections, rule, 1)}};
}

// False at the end.
static bool take_body(RuleBodies *bodies, uint32_t *body, uint32_t *sides)
{
    bool has[2];
    for (int i = 0; i < 2; ++i)
        has[i] = bodies->next[i] < bodies->sides[i].count;
    if (!has[0] && !has[1])
        return false;
    uint32_t a = has[0] ? bodies->sides[0].bodies[bodies->next[0]] : UINT32_MAX;
    uint32_t b = has[1] ? bodies->sides[1].bodies[bodies->next[1]] : UINT32_MAX;
    *body = a < b ? a : b;
    *sides = (uint32_t)(has[0] && a == *body) | (uint32_t)(has[1] && b == *body) << 1;
    bodies->next[0] += *sides & 1;
    bodies->next[1] += *sides >> 1;
    return true;
}

// Move each body's end on by the number of its entries, and write them there if that is asked for.
static void count_or_fill(const impi_Rules *rules, const impi_RuleSelections *selections, size_t *ends,
                          uint32_t *entries)
{
    for (size_t rule = 0; rule < rules->list.count; ++rule) {
        RuleBodies bodies = bodies_of(selections, rule);
        uint32_t body, sides;
        while (rules->list.data[rule].names[0] && take_body(&bodies, &body, &sides)) {
            if (entries)
                entries[ends[body]] = (uint32_t)rule << 2 | sides;
            ++ends[body];
        }
    }
}

imp_Status impi_rule_entries_make(const impi_Rules *rules, const impi_RuleSelections *selections,
                                  size_t body_count, impi_RuleEntries *entries)
{
    imp_Context *context = rules->context;
    const imp_Allocator *allocator = &context->allocator;
    *entries = (impi_RuleEntries){.body_count = body_count};
    if (rules->list.count > IMPI_MAX_RULES)
        return impi_fail(context, IMP_STATUS_TOO_LARGE, IMP_NOWHERE, "there are more than %u rules",
                         IMPI_MAX_RULES);
    entries->starts = impi_allocate_array(allocator, body_count + 1, sizeof *entries->starts);
    if (!entries->starts)
        return impi_fail_out_of_memory(context);
    memset(entries->starts, 0, (body_count + 1) * sizeof *entries->starts);
    count_or_fill(rules, selections, entries->starts, NULL);
    size_t sum = 0;
    for (size_t i = 0; i <= body_count; ++i) {
        size_t count = entries->starts[i];
        entries->starts[i] = sum;
        sum += count;
    }
    if (sum == 0)
        return IMP_STATUS_OK;
    entries->entry_count = sum;
    entries->entries = impi_allocate_array(allocator, sum, sizeof *entries->entries);
    if (!entries->entries)
        return impi_fail_out_of_memory(context);
    count_or_fill(rules, selections, entries->starts, entries->entries);
    // Each start has moved to the end of its body, which is where the next one starts.
    memmove(entries->starts + 1, entries->starts, body_count * sizeof *entries->starts);
    entries->starts[0] = 0;
    return IMP_STATUS_OK;
}

void impi_rule_entries_free(imp_Context *context, impi_RuleEntries *entries)
{
    impi_release(&context->allocator, entries->starts, (entries->body_count + 1) * sizeof *entries->starts);
    impi_release(&context->allocator, entries->entries, entries->entry_count * sizeof *entries->entries);
}

// The first entry from `from` on that is no smaller.
static size_t find_entry(impi_EntrySpan span, size_t from, uint32_t entry)
{
    size_t low = from, high = span.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (span.entries[middle] < entry)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// Does the rule of these entries of two bodies name the bodies as a pair, in any order?
static bool is_pair(uint32_t entry_a, uint32_t entry_b)
{
    return (impi_entry_has_side(entry_a, 0) && impi_entry_has_side(entry_b, 1)) ||
           (impi_entry_has_side(entry_a, 1) && impi_entry_has_side(entry_b, 0));
}

impi_PairCursor impi_pair_cursor(const impi_RuleEntries *entries, uint32_t body_a, uint32_t body_b)
{
    impi_EntrySpan a = impi_rule_entries_of(entries, body_a), b = impi_rule_entries_of(entries, body_b);
    return a.count <= b.count ? (impi_PairCursor){.few = a, .many = b}
                              : (impi_PairCursor){.few = b, .many = a};
}

bool impi_pair_cursor_next(impi_PairCursor *cursor, size_t *rule)
{
    while (cursor->next_few < cursor->few.count) {
        uint32_t entry = cursor->few.entries[cursor->next_few++];
        uint32_t wanted = (uint32_t)impi_entry_rule(entry);
        cursor->next_many = find_entry(cursor->many, cursor->next_many, wanted << 2);
        if (cursor->next_many == cursor->many.count)
            return false;
        uint32_t other = cursor->many.entries[cursor->next_many];
        if (impi_entry_rule(other) == wanted && is_pair(entry, other)) {
            *rule = wanted;
            return true;
        }
    }
    return false;
}
