/// The rules of a project: which pairs of bodies are compared, and how near they may come.
///
/// A file of rules has one rule a line, words separated by blanks. A word with blanks in it stands in double
/// quotes, in which \" is a quote and \\ a backslash. '#' where a word would begin begins a comment.
///
///     between duct* wall*          only pairs that some `between` names are compared
///     ignore link1 link2           never compared
///     group robot/*                bodies that belong together: not compared with each other
///     clearance 0.05 duct* wall*   at least so far apart; without names: all pairs
///     touch-depth 1e-4 wall* slab* may reach so far into each other and still only touch; without names: all
///
/// Names are those of body_names.h: names, numbers, patterns. Pairs have no order. Whatever is ignored, or in
/// one group, is not compared, whatever `between` says; of several clearances for a pair the last one counts,
/// and so with touch depths: general rules first, exceptions later. pair_rules.h has what they mean for
/// given bodies.
#ifndef IMPINGE_PLAYBACK_RULES_H
#define IMPINGE_PLAYBACK_RULES_H

#include "base/arena.h"
#include "base/array.h"
#include "base/status.h"

typedef enum impi_RuleKind {
    IMPI_RULE_BETWEEN,
    IMPI_RULE_IGNORE,
    IMPI_RULE_GROUP,
    IMPI_RULE_CLEARANCE,
    IMPI_RULE_TOUCH_DEPTH,
    IMPI_RULE_KINDS
} impi_RuleKind;

/// What a rule of this kind is written with.
typedef struct impi_RuleForm {
    const char *word;
    unsigned name_count;
    bool has_length;
    bool names_are_optional;
} impi_RuleForm;

extern const impi_RuleForm impi_rule_forms[IMPI_RULE_KINDS];

typedef struct impi_Rule {
    impi_RuleKind kind;
    const char *names[2]; // a group has the same twice; null for all bodies
    double length;        // clearance or touch depth, else 0
    const char *origin;   // a file, or what stands for one: "--ignore link1,link2"
    uint64_t line;        // of the file, or IMP_NOWHERE
} impi_Rule;

/// Rules in the order in which they were added.
typedef struct impi_Rules {
    imp_Context *context;
    IMPI_ARRAY(impi_Rule) list;
    impi_Arena text; // of names and origins
} impi_Rules;

/// No rules yet. The context must outlive them. Free them in any case.
void impi_rules_init(impi_Rules *rules, imp_Context *context);
void impi_rules_free(impi_Rules *rules);

/// Longer files of rules are refused.
#define IMPI_MAX_RULE_FILE ((size_t)16 << 20)

/// Add what a file of rules says, or a file of ignored pairs: two names a line, "A B" or "A,B". When anything
/// is wrong, nothing is added: IMP_STATUS_BAD_FILE with file and line, IMP_STATUS_TOO_LARGE, or that of the
/// file's source.
imp_Status impi_rules_add_file(impi_Rules *rules, const char *path);
imp_Status impi_rules_add_ignore_file(impi_Rules *rules, const char *path);

/// The same for the text of such a file; `path` is only what errors call it.
imp_Status impi_rules_add_text(impi_Rules *rules, const void *text, size_t size, const char *path);
imp_Status impi_rules_add_ignore_text(impi_Rules *rules, const void *text, size_t size, const char *path);

/// Add one rule. `origin` stands for file and line in messages: an option as it was written. Names are
/// copied; groups have one, clearances and touch depths two or none (null). IMP_STATUS_BAD_ARGUMENT for a
/// length that is not finite or negative, and for names that are missing or too many.
imp_Status impi_rules_add(impi_Rules *rules, impi_RuleKind kind, const char *name_a, const char *name_b,
                          double length, const char *origin);

/// Ignore a pair written as a line of a file of ignored pairs: "A,B" or "A B".
imp_Status impi_rules_add_ignored(impi_Rules *rules, const char *text, const char *origin);

/// The place of a rule, for errors.
impi_Place impi_rule_place(const impi_Rule *rule);

#define IMPI_MAX_RULE_DESCRIPTION 192

/// The rule as it is written, and where: "rules.txt:3" or the option. Cut to the size.
void impi_rule_describe(const impi_Rule *rule, char text[IMPI_MAX_RULE_DESCRIPTION]);
void impi_rule_describe_place(const impi_Rule *rule, char text[IMPI_MAX_RULE_DESCRIPTION]);

#endif
