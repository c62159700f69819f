#include "rule_options.h"

#include <stdio.h>
#include <string.h>

#define MAX_ORIGIN 256

static bool is_option(const OptionUse *use, const char *name)
{
    return strcmp(use->spec->name, name) == 0;
}

// The option as it was written stands for a file in messages.
static imp_Status add_option(impi_Rules *rules, const OptionUse *use)
{
    const char *a = use->values[0], *b = use->values[1];
    char origin[MAX_ORIGIN];
    snprintf(origin, sizeof origin, "--%s %s%s%s", use->spec->name, a, b ? " " : "", b ? b : "");
    if (is_option(use, "ignore"))
        return impi_rules_add_ignored(rules, a, origin);
    if (is_option(use, "between"))
        return impi_rules_add(rules, IMPI_RULE_BETWEEN, a, b, 0, origin);
    if (is_option(use, "group"))
        return impi_rules_add(rules, IMPI_RULE_GROUP, a, NULL, 0, origin);
    return IMP_STATUS_OK;
}

static imp_Status add_file(impi_Rules *rules, const OptionUse *use)
{
    if (is_option(use, "rules"))
        return impi_rules_add_file(rules, use->values[0]);
    if (is_option(use, "ignore-file"))
        return impi_rules_add_ignore_file(rules, use->values[0]);
    return IMP_STATUS_OK;
}

static imp_Status collect(const Options *options, impi_Rules *rules)
{
    imp_Status status = IMP_STATUS_OK;
    for (size_t i = 0; i < options->use_count && status == IMP_STATUS_OK; ++i)
        status = add_file(rules, &options->uses[i]);
    for (size_t i = 0; i < options->use_count && status == IMP_STATUS_OK; ++i)
        status = add_option(rules, &options->uses[i]);
    return status;
}

CommandResult rule_options_take(imp_Context *context, const Options *options, const impi_BodyNames *names,
                                impi_PairRules **bound)
{
    impi_Rules rules;
    impi_rules_init(&rules, context);
    imp_Status status = collect(options, &rules);
    if (status == IMP_STATUS_OK && rules.list.count > 0)
        status = impi_rules_bind(&rules, names, bound);
    impi_rules_free(&rules);
    if (status != IMP_STATUS_OK)
        return command_fail_in(context);
    for (size_t i = 0; *bound && i < impi_pair_rules_remark_count(*bound); ++i)
        command_remark("rules", impi_pair_rules_remark(*bound, i));
    return COMMAND_DONE;
}
