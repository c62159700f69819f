#include "playback/rules.h"

#include "base/context.h"
#include "io/decimal.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define SHOWN 60 // bytes of a name, in messages

const impi_RuleForm impi_rule_forms[IMPI_RULE_KINDS] = {
    [IMPI_RULE_BETWEEN] = {"between", 2, false, false},
    [IMPI_RULE_IGNORE] = {"ignore", 2, false, false},
    [IMPI_RULE_GROUP] = {"group", 1, false, false},
    [IMPI_RULE_CLEARANCE] = {"clearance", 2, true, true},
    [IMPI_RULE_TOUCH_DEPTH] = {"touch-depth", 2, true, true},
};

void impi_rules_init(impi_Rules *rules, imp_Context *context)
{
    *rules = (impi_Rules){.context = context};
    impi_arena_init(&rules->text, &context->allocator);
}

void impi_rules_free(impi_Rules *rules)
{
    impi_array_free(&rules->context->allocator, &rules->list, sizeof *rules->list.data);
    impi_arena_destroy(&rules->text);
}

// Null stays null. False when out of memory.
static bool keep_text(impi_Rules *rules, const char **text)
{
    if (!*text)
        return true;
    size_t size = strlen(*text) + 1;
    char *copy = impi_arena_allocate(&rules->text, size);
    if (copy)
        memcpy(copy, *text, size);
    *text = copy;
    return copy != NULL;
}

static imp_Status check_rule(imp_Context *context, const impi_Rule *rule)
{
    const impi_RuleForm *form = &impi_rule_forms[rule->kind];
    unsigned name_count = (rule->names[0] != NULL) + (rule->names[1] != NULL);
    bool is_general = form->names_are_optional && name_count == 0;
    bool has_names = name_count == form->name_count && rule->names[0];
    if (!has_names && !is_general)
        return impi_fail_at(context, IMP_STATUS_BAD_ARGUMENT, impi_rule_place(rule),
                            "'%s' takes %u names, got %u", form->word, form->name_count, name_count);
    if (form->has_length && !(isfinite(rule->length) && rule->length >= 0))
        return impi_fail_at(context, IMP_STATUS_BAD_ARGUMENT, impi_rule_place(rule),
                            "'%s' takes a length of 0 or more, got %.9g", form->word, rule->length);
    return IMP_STATUS_OK;
}

imp_Status impi_rules_add(impi_Rules *rules, impi_RuleKind kind, const char *name_a, const char *name_b,
                          double length, const char *origin)
{
    impi_Rule rule = {kind, {name_a, name_b}, length == 0 ? 0 : length, origin, IMP_NOWHERE}; // 0 has no sign
    if ((unsigned)kind >= IMPI_RULE_KINDS)
        return impi_fail(rules->context, IMP_STATUS_BAD_ARGUMENT, IMP_NOWHERE, "there is no rule of kind %d",
                         (int)kind);
    imp_Status status = check_rule(rules->context, &rule);
    if (status != IMP_STATUS_OK)
        return status;
    if (!impi_array_reserve(&rules->context->allocator, &rules->list, sizeof rule, rules->list.count + 1) ||
        !keep_text(rules, &rule.names[0]) || !keep_text(rules, &rule.names[1]) ||
        !keep_text(rules, &rule.origin))
        return impi_fail_out_of_memory(rules->context);
    if (kind == IMPI_RULE_GROUP)
        rule.names[1] = rule.names[0];
    rules->list.data[rules->list.count++] = rule;
    return IMP_STATUS_OK;
}

impi_Place impi_rule_place(const impi_Rule *rule)
{
    impi_Place place = IMPI_NO_PLACE;
    place.file = rule->origin;
    place.line = rule->line;
    return place;
}

void impi_rule_describe(const impi_Rule *rule, char text[IMPI_MAX_RULE_DESCRIPTION])
{
    const impi_RuleForm *form = &impi_rule_forms[rule->kind];
    int used = snprintf(text, IMPI_MAX_RULE_DESCRIPTION, "%s", form->word);
    if (form->has_length) {
        char number[IMPI_MAX_DECIMAL_LENGTH];
        int length = (int)impi_decimal_format(rule->length, number);
        used += snprintf(text + used, IMPI_MAX_RULE_DESCRIPTION - (size_t)used, " %.*s", length, number);
    }
    for (unsigned i = 0; i < form->name_count && rule->names[i]; ++i)
        used +=
            snprintf(text + used, IMPI_MAX_RULE_DESCRIPTION - (size_t)used, " %.*s", SHOWN, rule->names[i]);
}

void impi_rule_describe_place(const impi_Rule *rule, char text[IMPI_MAX_RULE_DESCRIPTION])
{
    int shown = IMPI_MAX_RULE_DESCRIPTION - 24; // room for the line
    if (rule->line == IMP_NOWHERE)
        snprintf(text, IMPI_MAX_RULE_DESCRIPTION, "%.*s", shown, rule->origin);
    else
        snprintf(text, IMPI_MAX_RULE_DESCRIPTION, "%.*s:%" PRIu64, shown, rule->origin, rule->line);
}
