#include "playback/pair_rules.h"

#include "base/context.h"
#include "playback/rule_conflicts.h"
#include "playback/rule_entries.h"
#include "playback/rule_remarks.h"

#include <string.h>

#define NONE SIZE_MAX

// What is left of a rule once names are bodies.
typedef struct Meaning {
    impi_RuleKind kind;
    double length;
} Meaning;

struct impi_PairRules {
    imp_Context *context;
    size_t rule_count;
    Meaning *meanings; // of the rules
    impi_RuleEntries entries;
    size_t last_clearance, last_touch_depth; // of those without names, or NONE
    bool has_between, has_ignored, has_clearance, has_touch_depth;
    double max_clearance;
    impi_Text remarks;
    size_t remark_count;
    const char **remark_lines;
};

static void note_rule(impi_PairRules *bound, size_t index, const impi_Rule *rule)
{
    bool is_general = !rule->names[0];
    bound->meanings[index] = (Meaning){rule->kind, rule->length};
    bound->has_between = bound->has_between || rule->kind == IMPI_RULE_BETWEEN;
    bound->has_ignored =
        bound->has_ignored || rule->kind == IMPI_RULE_IGNORE || rule->kind == IMPI_RULE_GROUP;
    if (rule->kind == IMPI_RULE_CLEARANCE) {
        bound->has_clearance = true;
        bound->max_clearance = rule->length > bound->max_clearance ? rule->length : bound->max_clearance;
        bound->last_clearance = is_general ? index : bound->last_clearance;
    }
    if (rule->kind == IMPI_RULE_TOUCH_DEPTH) {
        bound->has_touch_depth = true;
        bound->last_touch_depth = is_general ? index : bound->last_touch_depth;
    }
}

static imp_Status note_rules(const impi_Rules *rules, impi_PairRules *bound)
{
    const imp_Allocator *allocator = &rules->context->allocator;
    bound->rule_count = rules->list.count;
    if (bound->rule_count == 0)
        return IMP_STATUS_OK;
    bound->meanings = impi_allocate_array(allocator, bound->rule_count, sizeof *bound->meanings);
    if (!bound->meanings)
        return impi_fail_out_of_memory(rules->context);
    for (size_t i = 0; i < bound->rule_count; ++i)
        note_rule(bound, i, &rules->list.data[i]);
    return IMP_STATUS_OK;
}

static imp_Status list_remarks(const impi_Rules *rules, const impi_BodyNames *names,
                               const impi_RuleSelections *selections, impi_PairRules *bound)
{
    imp_Status status =
        impi_rule_remarks_put(rules, names, selections, &bound->remarks, &bound->remark_count);
    if (status != IMP_STATUS_OK || bound->remark_count == 0)
        return status;
    bound->remark_lines =
        impi_allocate_array(&rules->context->allocator, bound->remark_count, sizeof *bound->remark_lines);
    if (!bound->remark_lines)
        return impi_fail_out_of_memory(rules->context);
    const char *line = bound->remarks.bytes.data;
    for (size_t i = 0; i < bound->remark_count; ++i, line += strlen(line) + 1)
        bound->remark_lines[i] = line;
    return IMP_STATUS_OK;
}

imp_Status impi_rules_bind(const impi_Rules *rules, const impi_BodyNames *names, impi_PairRules **pair_rules)
{
    imp_Context *context = rules->context;
    impi_RuleSelections selections;
    impi_PairRules *bound = impi_allocate(&context->allocator, sizeof *bound);
    if (!bound)
        return impi_fail_out_of_memory(context);
    *bound = (impi_PairRules){.context = context, .last_clearance = NONE, .last_touch_depth = NONE};
    impi_text_init(&bound->remarks, &context->allocator);
    imp_Status status = impi_rule_selections_make(rules, names, &selections);
    if (status == IMP_STATUS_OK)
        status = note_rules(rules, bound);
    if (status == IMP_STATUS_OK)
        status = impi_rule_entries_make(rules, &selections, impi_body_names_count(names), &bound->entries);
    if (status == IMP_STATUS_OK)
        status = impi_rule_conflicts_check(rules, &selections, &bound->entries);
    if (status == IMP_STATUS_OK)
        status = list_remarks(rules, names, &selections, bound);
    impi_rule_selections_free(context, &selections);
    if (status == IMP_STATUS_OK)
        *pair_rules = bound;
    else
        impi_pair_rules_destroy(bound);
    return status;
}

void impi_pair_rules_destroy(impi_PairRules *rules)
{
    if (!rules)
        return;
    const imp_Allocator *allocator = &rules->context->allocator;
    impi_release(allocator, rules->meanings, rules->rule_count * sizeof *rules->meanings);
    impi_release(allocator, rules->remark_lines, rules->remark_count * sizeof *rules->remark_lines);
    impi_rule_entries_free(rules->context, &rules->entries);
    impi_text_free(&rules->remarks);
    impi_release(allocator, rules, sizeof *rules);
}

size_t impi_pair_rules_remark_count(const impi_PairRules *rules)
{
    return rules->remark_count;
}

const char *impi_pair_rules_remark(const impi_PairRules *rules, size_t index)
{
    return rules->remark_lines[index];
}

// The later of two rules, either of which may be NONE.
static size_t later(size_t a, size_t b)
{
    return a == NONE || (b != NONE && b > a) ? b : a;
}

impi_PairRule impi_pair_rules_of(const impi_PairRules *rules, uint32_t body_a, uint32_t body_b)
{
    bool is_named = !rules->has_between, is_ignored = false;
    size_t clearance = rules->last_clearance, touch_depth = rules->last_touch_depth, rule;
    impi_PairCursor cursor = impi_pair_cursor(&rules->entries, body_a, body_b);
    while (impi_pair_cursor_next(&cursor, &rule))
        switch (rules->meanings[rule].kind) {
        case IMPI_RULE_BETWEEN:
            is_named = true;
            break;
        case IMPI_RULE_CLEARANCE:
            clearance = later(clearance, rule);
            break;
        case IMPI_RULE_TOUCH_DEPTH:
            touch_depth = later(touch_depth, rule);
            break;
        default: // ignored, or in a group
            is_ignored = true;
        }
    return (impi_PairRule){.is_ignored = is_ignored || !is_named,
                           .has_clearance = clearance != NONE,
                           .has_touch_depth = touch_depth != NONE,
                           .has_own_clearance = clearance != rules->last_clearance,
                           .has_own_touch_depth = touch_depth != rules->last_touch_depth,
                           .clearance = clearance != NONE ? rules->meanings[clearance].length : 0,
                           .touch_depth = touch_depth != NONE ? rules->meanings[touch_depth].length : 0};
}

bool impi_pair_rules_max_clearance(const impi_PairRules *rules, double *clearance)
{
    *clearance = rules->max_clearance;
    return rules->has_clearance;
}

bool impi_pair_rules_has_touch_depth(const impi_PairRules *rules)
{
    return rules->has_touch_depth;
}

bool impi_pair_rules_excludes(const impi_PairRules *rules)
{
    return rules->has_between || rules->has_ignored;
}

bool impi_pair_rules_leave_any(const impi_PairRules *rules, size_t body_count)
{
    for (uint32_t a = 0; a < body_count; ++a)
        for (uint32_t b = a + 1; b < body_count; ++b)
            if (!impi_pair_rules_of(rules, a, b).is_ignored)
                return true;
    return false;
}
