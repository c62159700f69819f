/// Which bodies the names in rules mean. For pair_rules.c and rule_conflicts.c.
#ifndef IMPINGE_PLAYBACK_RULE_SELECTIONS_H
#define IMPINGE_PLAYBACK_RULE_SELECTIONS_H

#include "playback/body_names.h"
#include "playback/rules.h"

/// A name that stands in rules, once for all of them that have it.
typedef struct impi_RuleName {
    const char *text;       // null: all bodies
    size_t first_rule;      // that has it
    size_t first_body, end; // among the bodies of the selections
} impi_RuleName;

/// Needs as much memory as rules and matches take.
typedef struct impi_RuleSelections {
    size_t rule_count, name_count;
    impi_RuleName *names; // in no order
    size_t *sides;        // the names of each rule, two by two
    impi_BodyList bodies; // of the names, one after the other
} impi_RuleSelections;

/// Bodies by number, ascending.
typedef struct impi_BodySpan {
    const uint32_t *bodies;
    size_t count;
} impi_BodySpan;

/// Look up all names; free it in any case. The error of the first rule with a name that fits several bodies
/// and is no pattern.
imp_Status impi_rule_selections_make(const impi_Rules *rules, const impi_BodyNames *names,
                                     impi_RuleSelections *selections);
void impi_rule_selections_free(imp_Context *context, impi_RuleSelections *selections);

static inline const impi_RuleName *impi_rule_name(const impi_RuleSelections *selections, size_t rule,
                                                  unsigned side)
{
    return &selections->names[selections->sides[2 * rule + side]];
}

/// The bodies that a rule names on this side, 0 or 1.
static inline impi_BodySpan impi_rule_bodies(const impi_RuleSelections *selections, size_t rule,
                                             unsigned side)
{
    const impi_RuleName *name = impi_rule_name(selections, rule, side);
    if (name->first_body == name->end)
        return (impi_BodySpan){NULL, 0};
    return (impi_BodySpan){selections->bodies.data + name->first_body, name->end - name->first_body};
}

#endif
