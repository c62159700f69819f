#include "playback/rule_selections.h"

#include "base/context.h"

#include <stdlib.h>
#include <string.h>

// A name where it stands.
typedef struct Use {
    const char *text;
    size_t side; // twice the rule, and which of its sides
} Use;

// All bodies, which have no text, come first.
static int compare_texts(const char *a, const char *b)
{
    if (!a || !b)
        return (a != NULL) - (b != NULL);
    return strcmp(a, b);
}

static int compare_uses(const void *left, const void *right)
{
    const Use *a = left, *b = right;
    int order = compare_texts(a->text, b->text);
    return order ? order : (a->side > b->side) - (a->side < b->side);
}

// Names that are the same text become one.
static void join_uses(Use *uses, impi_RuleSelections *selections)
{
    size_t use_count = 2 * selections->rule_count;
    qsort(uses, use_count, sizeof *uses, compare_uses);
    for (size_t i = 0; i < use_count; ++i) {
        if (i == 0 || compare_texts(uses[i - 1].text, uses[i].text) != 0)
            selections->names[selections->name_count++] =
                (impi_RuleName){.text = uses[i].text, .first_rule = uses[i].side / 2};
        selections->sides[uses[i].side] = selections->name_count - 1;
    }
}

static imp_Status list_names(const impi_Rules *rules, impi_RuleSelections *selections)
{
    const imp_Allocator *allocator = &rules->context->allocator;
    size_t count = rules->list.count;
    *selections = (impi_RuleSelections){.rule_count = count};
    if (count == 0)
        return IMP_STATUS_OK;
    Use *uses = impi_allocate_array(allocator, 2 * count, sizeof *uses);
    selections->names = impi_allocate_array(allocator, 2 * count, sizeof *selections->names);
    selections->sides = impi_allocate_array(allocator, 2 * count, sizeof *selections->sides);
    bool has_memory = uses && selections->names && selections->sides;
    for (size_t i = 0; has_memory && i < 2 * count; ++i)
        uses[i] = (Use){rules->list.data[i / 2].names[i % 2], i};
    if (has_memory)
        join_uses(uses, selections);
    impi_release(allocator, uses, 2 * count * sizeof *uses);
    return has_memory ? IMP_STATUS_OK : impi_fail_out_of_memory(rules->context);
}

static imp_Status find_bodies(const impi_Rules *rules, const impi_BodyNames *names, impi_RuleName *name,
                              impi_BodyList *found)
{
    imp_Context *context = rules->context;
    if (name->text)
        return impi_body_names_find(context, names, impi_rule_place(&rules->list.data[name->first_rule]),
                                    name->text, found);
    size_t count = impi_body_names_count(names);
    if (!impi_array_reserve(&context->allocator, found, sizeof *found->data, count))
        return impi_fail_out_of_memory(context);
    for (size_t i = 0; i < count; ++i)
        found->data[i] = (uint32_t)i;
    found->count = count;
    return IMP_STATUS_OK;
}

static imp_Status add_bodies(imp_Context *context, impi_RuleSelections *selections, impi_RuleName *name,
                             const impi_BodyList *found)
{
    impi_BodyList *bodies = &selections->bodies;
    if (!impi_array_reserve(&context->allocator, bodies, sizeof *bodies->data, bodies->count + found->count))
        return impi_fail_out_of_memory(context);
    name->first_body = bodies->count;
    if (found->count > 0)
        memcpy(bodies->data + bodies->count, found->data, found->count * sizeof *found->data);
    bodies->count += found->count;
    name->end = bodies->count;
    return IMP_STATUS_OK;
}

imp_Status impi_rule_selections_make(const impi_Rules *rules, const impi_BodyNames *names,
                                     impi_RuleSelections *selections)
{
    impi_BodyList found = {0};
    imp_Status status = list_names(rules, selections);
    // In the order of the rules, so that of several errors the first is told.
    for (size_t i = 0; i < 2 * selections->rule_count && status == IMP_STATUS_OK; ++i) {
        impi_RuleName *name = &selections->names[selections->sides[i]];
        bool is_first =
            name->first_rule == i / 2 && (i % 2 == 0 || selections->sides[i - 1] != selections->sides[i]);
        if (!is_first)
            continue;
        status = find_bodies(rules, names, name, &found);
        if (status == IMP_STATUS_OK)
            status = add_bodies(rules->context, selections, name, &found);
    }
    impi_body_list_free(rules->context, &found);
    return status;
}

void impi_rule_selections_free(imp_Context *context, impi_RuleSelections *selections)
{
    size_t count = 2 * selections->rule_count;
    impi_release(&context->allocator, selections->names, count * sizeof *selections->names);
    impi_release(&context->allocator, selections->sides, count * sizeof *selections->sides);
    impi_body_list_free(context, &selections->bodies);
}
