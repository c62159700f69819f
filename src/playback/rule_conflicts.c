// A rule decides a pair unless another one overrides it there: `ignore` and `group` override all rules of
// other kinds, a later length overrides an earlier one of the same kind that is another length. A rule
// contradicts another one that overrides it and covers all that it can ever name.
//
// What a rule can ever name is read from its words rather than from the bodies at hand: a project's rules may
// be used with a few of its parts, where an exception can be all there is.
//
// Whatever covers a rule names its first body, so that only rules that do are looked at.
#include "playback/rule_conflicts.h"

#include "base/context.h"
#include "playback/name_pattern.h"

#include <string.h>

#define SHOWN 60 // bytes of a rule, in errors
#define NONE  SIZE_MAX

// Of the rules of one kind that have no names. Any of them that overrides a rule is later and has another
// length, so that one of these two does as well.
typedef struct General {
    size_t last;       // or NONE
    size_t last_other; // the last one of another length than that, or NONE
} General;

typedef struct Check {
    const impi_Rules *rules;
    const impi_RuleSelections *selections;
    const impi_RuleEntries *entries;
    General generals[IMPI_RULE_KINDS];
} Check;

static bool overrides(const Check *check, size_t rule, size_t overridden)
{
    const impi_Rule *a = &check->rules->list.data[rule], *b = &check->rules->list.data[overridden];
    if (a->kind == IMPI_RULE_IGNORE || a->kind == IMPI_RULE_GROUP)
        return true;
    return a->kind == b->kind && b->kind != IMPI_RULE_BETWEEN && rule > overridden && a->length != b->length;
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

// ---- does one name cover another?

static bool holds(impi_BodySpan bodies, uint32_t body)
{
    for (size_t i = 0; i < bodies.count; ++i)
        if (bodies.bodies[i] == body)
            return true;
    return false;
}

// Stars alone cover whatever stands for a pattern in their place.
static bool has_stars_alone(const char *pattern)
{
    return !strpbrk(pattern, "?[\\");
}

static bool name_covers(const Check *check, size_t rule, unsigned side, size_t covered, unsigned covered_side)
{
    const char *name = check->rules->list.data[rule].names[side];
    const char *other = check->rules->list.data[covered].names[covered_side];
    if (!name)
        return true;
    if (!other)
        return false;
    if (strcmp(name, other) == 0)
        return true;
    if (impi_is_pattern(other))
        return impi_is_pattern(name) && has_stars_alone(name) && impi_name_matches(name, other);
    impi_BodySpan body = impi_rule_bodies(check->selections, covered, covered_side);
    return body.count == 1 && holds(impi_rule_bodies(check->selections, rule, side), body.bodies[0]);
}

static bool covers(const Check *check, size_t rule, size_t covered)
{
    return (name_covers(check, rule, 0, covered, 0) && name_covers(check, rule, 1, covered, 1)) ||
           (name_covers(check, rule, 0, covered, 1) && name_covers(check, rule, 1, covered, 0));
}

// ---- the rules

static imp_Status refuse(const Check *check, size_t rule, size_t by)
{
    const impi_Rule *refused = &check->rules->list.data[rule], *other = &check->rules->list.data[by];
    char text[IMPI_MAX_RULE_DESCRIPTION], other_text[IMPI_MAX_RULE_DESCRIPTION];
    char other_place[IMPI_MAX_RULE_DESCRIPTION];
    impi_rule_describe(refused, text);
    impi_rule_describe(other, other_text);
    impi_rule_describe_place(other, other_place);
    imp_Status status = refused->line == IMP_NOWHERE ? IMP_STATUS_BAD_ARGUMENT : IMP_STATUS_BAD_FILE;
    return impi_fail_at(check->rules->context, status, impi_rule_place(refused),
                        "'%.*s' decides nothing: %s ('%.*s') overrides it", SHOWN, text, other_place, SHOWN,
                        other_text);
}

static imp_Status check_rule(const Check *check, size_t rule)
{
    impi_RuleKind kind = check->rules->list.data[rule].kind;
    impi_BodySpan side = impi_rule_bodies(check->selections, rule, 0);
    impi_BodySpan other_side = impi_rule_bodies(check->selections, rule, 1);
    bool has_pair = side.count > 0 && other_side.count > 0 &&
                    (side.count > 1 || other_side.count > 1 || side.bodies[0] != other_side.bodies[0]);
    if (kind == IMPI_RULE_IGNORE || kind == IMPI_RULE_GROUP || !has_pair)
        return IMP_STATUS_OK;
    size_t general = find_general(check, rule);
    if (general != NONE)
        return refuse(check, rule, general);
    impi_EntrySpan span = impi_rule_entries_of(check->entries, side.bodies[0]);
    for (size_t i = 0; i < span.count; ++i) {
        size_t other = impi_entry_rule(span.entries[i]);
        if (other != rule && overrides(check, other, rule) && covers(check, other, rule))
            return refuse(check, rule, other);
    }
    return IMP_STATUS_OK;
}

imp_Status impi_rule_conflicts_check(const impi_Rules *rules, const impi_RuleSelections *selections,
                                     const impi_RuleEntries *entries)
{
    Check check = {.rules = rules, .selections = selections, .entries = entries};
    imp_Status status = IMP_STATUS_OK;
    for (int kind = 0; kind < IMPI_RULE_KINDS; ++kind)
        check.generals[kind] = (General){NONE, NONE};
    for (size_t rule = 0; rule < rules->list.count; ++rule)
        if (!rules->list.data[rule].names[0])
            note_general(&check, rule);
    for (size_t rule = 0; rule < rules->list.count && status == IMP_STATUS_OK; ++rule)
        status = check_rule(&check, rule);
    return status;
}
