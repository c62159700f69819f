/// What is worth a remark about rules and is no error. For pair_rules.c.
#ifndef IMPINGE_PLAYBACK_RULE_REMARKS_H
#define IMPINGE_PLAYBACK_RULE_REMARKS_H

#include "io/text_buffer.h"
#include "playback/rule_selections.h"

/// Append them, each ended by a zero, and count them; see impi_pair_rules_remark.
imp_Status impi_rule_remarks_put(const impi_Rules *rules, const impi_BodyNames *names,
                                 const impi_RuleSelections *selections, impi_Text *text, size_t *count);

#endif
