// A rule decides a pair unless another one overrides it there: `ignore` and `group` override all rules of
// other kinds, a later length overrides an earlier one of the same kind that is another length.
//
// For one body of a rule, all bodies that overriding rules pair it with are crossed out on the rule's other
// side. As soon as one is left, the rule decides that pair and is fine: nearly always at its first body.

#include "playback/rule_conflicts.h"

#include "base/context.h"

#include <string.h>

#define SHOWN 60 // bytes of a name or rule, in errors
#define NONE  SIZE_MAX

// Of the rules of one kind that have no names. Any of them that overrides a rule is later and has another
// length, so that one of these two does as well.
typedef struct General {
    size_t last;       // or NONE
    size_t last_other; // the last one of another length than that, or NONE
} General;

typedef struct Check {
    const impi_Rules *rules;
    const impi_BodyNames *names;
    const impi_RuleSelections *selections;
    const impi_RuleEntries *entries;
    bool *is_other;     // by body: is it on the other side of the rule that is looked at?
    uint64_t *crossing; // by body: when it was crossed out last
    uint64_t round;     // the number of crossings so far
    General generals[IMPI_RULE_KINDS];
} Check;

static bool overrides(const Check *check, size_t rule, size_t overridden)
{
    const impi_Rule *a = &check->rules->list.data[rule], *b = &check->rules->list.data[overridden];
    if (a->kind == IMPI_RULE_IGNORE || a->kind == IMPI_RULE_GROUP)
        return true;
    return a->kind == b->kind && b->kind != IMPI_RULE_BETWEEN && rule > overridden && a->length != b->length;
}

// Cross out what the bodies are that a rule pairs with one of its side; returns how many were left before.
static size_t cross_out(Check *check, impi_BodySpan bodies)
{
    size_t count = 0;
    for (size_t i = 0; i < bodies.count; ++i) {
        uint32_t body = bodies.bodies[i];
        if (!check->is_other[body] || check->crossing[body] == check->round)
            continue;
        check->crossing[body] = check->round;
        ++count;
    }
    return count;
}

// Does the rule decide a pair of this body with one of `left` on its other side?
static bool decides_with(Check *check, size_t rule, uint32_t body, size_t left)
{
    impi_EntrySpan span = impi_rule_entries_of(check->entries, body);
    ++check->round;
    for (size_t i = 0; i < span.count && left > 0; ++i) {
        size_t other = impi_entry_rule(span.entries[i]);
        if (!overrides(check, other, rule))
            continue;
        for (unsigned side = 0; side < 2; ++side)
            if (impi_entry_has_side(span.entries[i], side))
                left -= cross_out(check, impi_rule_bodies(check->selections, other, 1 - side));
    }
    return left > 0;
}

static void note_general(Check *check, size_t rule)
{
    const impi_Rule *list = check->rules->list.data;
    General *general = &check->generals[list[rule].kind];
    if (general->last != NONE && list[general->last].length != list[rule].length)
        general->last_other = general->last;
    general->last = rule;
}

// A rule without names that overrides this one, for all pairs, or NONE.
static size_t find_general(const Check *check, size_t rule)
{
    const General *general = &check->generals[check->rules->list.data[rule].kind];
    if (general->last != NONE && overrides(check, general->last, rule))
        return general->last;
    if (general->last_other != NONE && overrides(check, general->last_other, rule))
        return general->last_other;
    return NONE;
}

// A rule that overrides another one for this pair.
static size_t find_override(const Check *check, size_t rule, uint32_t body_a, uint32_t body_b)
{
    size_t other = find_general(check, rule);
    if (other != NONE)
        return other;
    impi_PairCursor cursor = impi_pair_cursor(check->entries, body_a, body_b);
    while (impi_pair_cursor_next(&cursor, &other) && !overrides(check, other, rule)) {
    }
    return other;
}

static imp_Status refuse(const Check *check, size_t rule, uint32_t body_a, uint32_t body_b)
{
    const impi_Rule *refused = &check->rules->list.data[rule];
    const impi_Rule *other = &check->rules->list.data[find_override(check, rule, body_a, body_b)];
    char text[IMPI_MAX_RULE_DESCRIPTION], other_text[IMPI_MAX_RULE_DESCRIPTION];
    char other_place[IMPI_MAX_RULE_DESCRIPTION];
    impi_rule_describe(refused, text);
    impi_rule_describe(other, other_text);
    impi_rule_describe_place(other, other_place);
    imp_Status status = refused->line == IMP_NOWHERE ? IMP_STATUS_BAD_ARGUMENT : IMP_STATUS_BAD_FILE;
    return impi_fail_at(
        check->rules->context, status, impi_rule_place(refused),
        "'%.*s' decides nothing: %s ('%.*s') overrides it for '%.*s' and '%.*s', and each other "
        "pair of it is overridden as well",
        SHOWN, text, other_place, SHOWN, other_text, SHOWN, impi_body_name(check->names, body_a), SHOWN,
        impi_body_name(check->names, body_b));
}

static void mark_other(Check *check, impi_BodySpan other, bool is_other)
{
    for (size_t i = 0; i < other.count; ++i)
        check->is_other[other.bodies[i]] = is_other;
}

// The bodies of the smaller side, one by one, against those of the other one, which are marked.
static imp_Status check_sides(Check *check, size_t rule, impi_BodySpan side, impi_BodySpan other)
{
    bool has_general = find_general(check, rule) != NONE, has_pair = false;
    uint32_t example = 0;
    for (size_t i = 0; i < side.count; ++i) {
        uint32_t body = side.bodies[i];
        size_t left = other.count - check->is_other[body];
        if (left == 0)
            continue; // no body is a pair with itself
        if (!has_pair)
            example = body;
        has_pair = true;
        if (has_general)
            break;
        bool is_itself = check->is_other[body];
        check->is_other[body] = false;
        bool decides = decides_with(check, rule, body, left);
        check->is_other[body] = is_itself;
        if (decides)
            return IMP_STATUS_OK;
    }
    if (!has_pair)
        return IMP_STATUS_OK;
    return refuse(check, rule, example, other.bodies[other.bodies[0] == example]);
}

static imp_Status check_rule(Check *check, size_t rule)
{
    impi_RuleKind kind = check->rules->list.data[rule].kind;
    impi_BodySpan side = impi_rule_bodies(check->selections, rule, 0);
    impi_BodySpan other = impi_rule_bodies(check->selections, rule, 1);
    if (kind == IMPI_RULE_IGNORE || kind == IMPI_RULE_GROUP || side.count == 0 || other.count == 0)
        return IMP_STATUS_OK;
    if (other.count < side.count) {
        impi_BodySpan swapped = side;
        side = other;
        other = swapped;
    }
    mark_other(check, other, true);
    imp_Status status = check_sides(check, rule, side, other);
    mark_other(check, other, false);
    return status;
}

imp_Status impi_rule_conflicts_check(const impi_Rules *rules, const impi_BodyNames *names,
                                     const impi_RuleSelections *selections, const impi_RuleEntries *entries)
{
    const imp_Allocator *allocator = &rules->context->allocator;
    Check check = {.rules = rules, .names = names, .selections = selections, .entries = entries};
    size_t body_count = impi_body_names_count(names);
    imp_Status status = IMP_STATUS_OK;
    if (body_count == 0 || rules->list.count == 0)
        return status;
    check.is_other = impi_allocate_array(allocator, body_count, sizeof *check.is_other);
    check.crossing = impi_allocate_array(allocator, body_count, sizeof *check.crossing);
    if (!check.is_other || !check.crossing) {
        status = impi_fail_out_of_memory(rules->context);
    } else {
        memset(check.is_other, 0, body_count * sizeof *check.is_other);
        memset(check.crossing, 0, body_count * sizeof *check.crossing);
    }
    for (int kind = 0; kind < IMPI_RULE_KINDS; ++kind)
        check.generals[kind] = (General){NONE, NONE};
    for (size_t rule = 0; rule < rules->list.count; ++rule)
        if (!rules->list.data[rule].names[0])
            note_general(&check, rule);
    for (size_t rule = 0; rule < rules->list.count && status == IMP_STATUS_OK; ++rule)
        status = check_rule(&check, rule);
    impi_release(allocator, check.is_other, body_count * sizeof *check.is_other);
    impi_release(allocator, check.crossing, body_count * sizeof *check.crossing);
    return status;
}
