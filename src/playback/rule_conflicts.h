/// Rules that contradict each other. For pair_rules.c.
#ifndef IMPINGE_PLAYBACK_RULE_CONFLICTS_H
#define IMPINGE_PLAYBACK_RULE_CONFLICTS_H

#include "playback/rule_entries.h"

/// Fail for the first rule that another one overrides wherever it could decide; see impi_rules_bind.
imp_Status impi_rule_conflicts_check(const impi_Rules *rules, const impi_RuleSelections *selections,
                                     const impi_RuleEntries *entries);

#endif
