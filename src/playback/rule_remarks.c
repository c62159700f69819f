#include "playback/rule_remarks.h"

#include "base/context.h"
#include "playback/name_pattern.h"

#include <stdlib.h>
#include <string.h>

#define MAX_SUGGESTIONS 32 // each looks at the names of all bodies
#define NONE            SIZE_MAX

// ---- rules that are there twice

typedef struct Twin {
    const impi_Rule *rule;
    const char *names[2]; // in alphabetical order
} Twin;

static Twin twin_of(const impi_Rule *rule)
{
    const char *a = rule->names[0] ? rule->names[0] : "", *b = rule->names[1] ? rule->names[1] : "";
    bool is_ordered = strcmp(a, b) <= 0;
    return (Twin){rule, {is_ordered ? a : b, is_ordered ? b : a}};
}

// 0 for rules that say the same. Groups ignore what they have in common, but are written in another way.
static int compare_meaning(const Twin *a, const Twin *b)
{
    if (a->rule->kind != b->rule->kind)
        return a->rule->kind < b->rule->kind ? -1 : 1;
    if (a->rule->length != b->rule->length)
        return a->rule->length < b->rule->length ? -1 : 1;
    // Without names is not the same as with empty ones.
    int order = (a->rule->names[0] != NULL) - (b->rule->names[0] != NULL);
    for (int i = 0; i < 2 && order == 0; ++i)
        order = strcmp(a->names[i], b->names[i]);
    return order;
}

static int compare_twins(const void *left, const void *right)
{
    const Twin *a = left, *b = right;
    int order = compare_meaning(a, b);
    return order ? order : (a->rule > b->rule) - (a->rule < b->rule); // all in one array
}

// For each rule the first one that says the same, or NONE.
static imp_Status find_twins(const impi_Rules *rules, size_t *twin_of_rule)
{
    const imp_Allocator *allocator = &rules->context->allocator;
    size_t count = rules->list.count, first = 0;
    Twin *twins = impi_allocate_array(allocator, count, sizeof *twins);
    if (!twins)
        return impi_fail_out_of_memory(rules->context);
    for (size_t i = 0; i < count; ++i)
        twins[i] = twin_of(&rules->list.data[i]);
    qsort(twins, count, sizeof *twins, compare_twins);
    for (size_t i = 0; i < count; ++i) {
        bool is_same = i > 0 && compare_meaning(&twins[first], &twins[i]) == 0;
        first = is_same ? first : i;
        twin_of_rule[twins[i].rule - rules->list.data] =
            is_same ? (size_t)(twins[first].rule - rules->list.data) : NONE;
    }
    impi_release(allocator, twins, count * sizeof *twins);
    return IMP_STATUS_OK;
}

// ---- lines

typedef struct Remarks {
    const impi_Rules *rules;
    const impi_BodyNames *names;
    const impi_RuleSelections *selections;
    impi_Text *text;
    size_t count, suggestion_count;
} Remarks;

static void begin_line(Remarks *remarks, const impi_Rule *rule)
{
    char place[IMPI_MAX_RULE_DESCRIPTION];
    impi_rule_describe_place(rule, place);
    impi_text_printf(remarks->text, "%s: ", place);
}

static void end_line(Remarks *remarks)
{
    impi_text_append(remarks->text, "", 1);
    ++remarks->count;
}

static void put_twin(Remarks *remarks, const impi_Rule *rule, const impi_Rule *twin)
{
    char text[IMPI_MAX_RULE_DESCRIPTION], place[IMPI_MAX_RULE_DESCRIPTION];
    impi_rule_describe(rule, text);
    impi_rule_describe_place(twin, place);
    begin_line(remarks, rule);
    impi_text_printf(remarks->text, "'%s' is there twice, first at %s", text, place);
    end_line(remarks);
}

static void put_unmatched(Remarks *remarks, const impi_Rule *rule, const char *name)
{
    const char *suggestion = NULL;
    bool is_pattern = impi_is_pattern(name);
    if (!is_pattern && remarks->suggestion_count++ < MAX_SUGGESTIONS)
        suggestion = impi_body_names_suggest(remarks->names, name);
    begin_line(remarks, rule);
    impi_text_printf(remarks->text, is_pattern ? "no body fits '%s'" : "no body is named '%s'", name);
    if (suggestion)
        impi_text_printf(remarks->text, "; did you mean '%s'?", suggestion);
    end_line(remarks);
}

static void put_no_pair(Remarks *remarks, const impi_Rule *rule)
{
    char text[IMPI_MAX_RULE_DESCRIPTION];
    impi_rule_describe(rule, text);
    begin_line(remarks, rule);
    impi_text_printf(remarks->text, "'%s' names only one body, and no pair", text);
    end_line(remarks);
}

static void put_rule(Remarks *remarks, size_t index, size_t twin)
{
    const impi_Rule *rule = &remarks->rules->list.data[index];
    if (twin != NONE)
        put_twin(remarks, rule, &remarks->rules->list.data[twin]);
    for (unsigned side = 0; side < 2 && rule->names[side]; ++side) {
        const impi_RuleName *name = impi_rule_name(remarks->selections, index, side);
        bool is_told =
            name->first_rule != index || (side == 1 && strcmp(rule->names[0], rule->names[1]) == 0);
        if (name->first_body == name->end && !is_told)
            put_unmatched(remarks, rule, name->text);
    }
    impi_BodySpan a = impi_rule_bodies(remarks->selections, index, 0);
    impi_BodySpan b = impi_rule_bodies(remarks->selections, index, 1);
    if (rule->names[0] && twin == NONE && a.count == 1 && b.count == 1 && a.bodies[0] == b.bodies[0])
        put_no_pair(remarks, rule);
}

imp_Status impi_rule_remarks_put(const impi_Rules *rules, const impi_BodyNames *names,
                                 const impi_RuleSelections *selections, impi_Text *text, size_t *count)
{
    const imp_Allocator *allocator = &rules->context->allocator;
    Remarks remarks = {.rules = rules, .names = names, .selections = selections, .text = text};
    size_t rule_count = rules->list.count;
    *count = 0;
    if (rule_count == 0)
        return IMP_STATUS_OK;
    size_t *twins = impi_allocate_array(allocator, rule_count, sizeof *twins);
    if (!twins)
        return impi_fail_out_of_memory(rules->context);
    imp_Status status = find_twins(rules, twins);
    for (size_t i = 0; i < rule_count && status == IMP_STATUS_OK; ++i)
        put_rule(&remarks, i, twins[i]);
    if (status == IMP_STATUS_OK && text->out_of_memory)
        status = impi_fail_out_of_memory(rules->context);
    *count = remarks.count;
    impi_release(allocator, twins, rule_count * sizeof *twins);
    return status;
}
