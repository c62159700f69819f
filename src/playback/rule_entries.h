/// The rules that name a body. For pair_rules.c and rule_conflicts.c.
#ifndef IMPINGE_PLAYBACK_RULE_ENTRIES_H
#define IMPINGE_PLAYBACK_RULE_ENTRIES_H

#include "playback/rule_selections.h"

// A rule that names a body, and on which sides:  | rule 30 | side 1 | side 0 |
// They sort as rules do.
#define IMPI_MAX_RULES (UINT32_C(1) << 30)

typedef struct impi_RuleEntries {
    size_t body_count, entry_count;
    size_t *starts;    // where the entries of each body begin; one more, where the last ones end
    uint32_t *entries; // ascending for each body. Rules without names, which hold for all, are not among them
} impi_RuleEntries;

typedef struct impi_EntrySpan {
    const uint32_t *entries;
    size_t count;
} impi_EntrySpan;

/// Free them in any case. IMP_STATUS_TOO_LARGE for more than IMPI_MAX_RULES.
imp_Status impi_rule_entries_make(const impi_Rules *rules, const impi_RuleSelections *selections,
                                  size_t body_count, impi_RuleEntries *entries);
void impi_rule_entries_free(imp_Context *context, impi_RuleEntries *entries);

static inline impi_EntrySpan impi_rule_entries_of(const impi_RuleEntries *entries, uint32_t body)
{
    if (body >= entries->body_count || !entries->entries)
        return (impi_EntrySpan){NULL, 0};
    return (impi_EntrySpan){entries->entries + entries->starts[body],
                            entries->starts[body + 1] - entries->starts[body]};
}

static inline size_t impi_entry_rule(uint32_t entry)
{
    return entry >> 2;
}

static inline bool impi_entry_has_side(uint32_t entry, unsigned side)
{
    return entry >> side & 1;
}

/// The rules that name two bodies as a pair, one after the other.
typedef struct impi_PairCursor {
    impi_EntrySpan few, many; // entries of the bodies, that with fewer first
    size_t next_few, next_many;
} impi_PairCursor;

impi_PairCursor impi_pair_cursor(const impi_RuleEntries *entries, uint32_t body_a, uint32_t body_b);

/// False when there are no more.
bool impi_pair_cursor_next(impi_PairCursor *cursor, size_t *rule);

#endif
