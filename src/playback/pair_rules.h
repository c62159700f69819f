/// What rules mean for the bodies at hand.
#ifndef IMPINGE_PLAYBACK_PAIR_RULES_H
#define IMPINGE_PLAYBACK_PAIR_RULES_H

#include "playback/body_names.h"
#include "playback/rules.h"

/// Immutable: any thread may ask.
typedef struct impi_PairRules impi_PairRules;

/// What the rules say about a pair of bodies.
typedef struct impi_PairRule {
    bool is_ignored; // not compared: ignored, in one group, or there are `between` and none names it
    bool has_clearance, has_touch_depth;
    double clearance, touch_depth;               // 0 where there is none
    bool has_own_clearance, has_own_touch_depth; // by a rule that names the pair
} impi_PairRule;

/// Bind rules to bodies by their names. Neither the rules nor the names are needed afterwards.
/// Errors tell file and line, or the option, and have the status IMP_STATUS_BAD_FILE or, for options,
/// IMP_STATUS_BAD_ARGUMENT (IMP_STATUS_BAD_INDEX for names):
/// - a name that is no pattern and fits several bodies;
/// - a `between`, clearance or touch depth that another rule overrides wherever it could decide: an `ignore`
///   or group, or a later clearance or touch depth of another length, that names the same pairs, or more.
///   Tells both. What they could name is read from their words, not from the bodies at hand.
imp_Status impi_rules_bind(const impi_Rules *rules, const impi_BodyNames *names, impi_PairRules **pair_rules);

/// Null is fine.
void impi_pair_rules_destroy(impi_PairRules *rules);

/// What is worth a remark, one line each in the order of the rules: rules that are there twice, names and
/// patterns that fit no body, rules that name no pair. Names are in them as they were written: show what is
/// not printable as escapes.
size_t impi_pair_rules_remark_count(const impi_PairRules *rules);
const char *impi_pair_rules_remark(const impi_PairRules *rules, size_t index);

/// What holds for two different bodies, in any order. Takes time for the rules that name the body with fewer
/// of them. A number that is no body's is named by no rule.
impi_PairRule impi_pair_rules_of(const impi_PairRules *rules, uint32_t body_a, uint32_t body_b);

/// Is there a clearance, and what is the largest?
bool impi_pair_rules_max_clearance(const impi_PairRules *rules, double *clearance);

/// Is there a touch depth?
bool impi_pair_rules_has_touch_depth(const impi_PairRules *rules);

/// Can there be a pair that is not compared?
bool impi_pair_rules_excludes(const impi_PairRules *rules);

/// Is there a pair among so many bodies that is compared? Looks for the first.
bool impi_pair_rules_leave_any(const impi_PairRules *rules, size_t body_count);

#endif
