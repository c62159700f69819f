/// Tables for people: the bodies, and lines about two of them, with numbers and names.
///
/// Lines are announced before anything is put, so that columns are as wide as what is in them, and so that
/// of many bodies only those are listed that are in lines. On a terminal that is too narrow, names are
/// shortened.
#ifndef IMPINGE_APPS_BODY_TABLE_H
#define IMPINGE_APPS_BODY_TABLE_H

#include "playback/motion.h"
#include "relations.h"

/// The file of a body, from the source of a motion.
typedef const char *(*BodyPathFn)(const void *source, size_t body);

typedef struct BodyTable {
    const impi_Motion *motion;
    BodyPathFn path; // null: bodies have no files of their own
    bool *is_listed; // null when out of memory
    impi_Style style;
} BodyTable;

/// Running out of memory is noted in the output that the table is for. Free it in any case.
void body_table_begin(BodyTable *table, const impi_Motion *motion, BodyPathFn path, impi_Text *output);
void body_table_free(BodyTable *table);

/// Put all bodies, or where they are many those of announced lines, and how many others there are.
void body_table_put(const BodyTable *table, impi_Text *output);

/// Columns of lines about two bodies: "   0  ring  touch     1  star".
typedef struct PairTable {
    BodyTable *bodies;
    bool has_relations;
    size_t rest_width; // of what follows on each line
    size_t number_width, name_width_a, name_width_b, relation_width;
} PairTable;

PairTable pair_table_begin(BodyTable *bodies, bool has_relations, size_t rest_width);

/// Announce a line, and after the last one fit all of them into the terminal.
void pair_table_announce(PairTable *table, uint32_t body_a, Relation relation, uint32_t body_b);
void pair_table_fit(PairTable *table);

/// How many columns the bodies take; what follows begins behind them.
size_t pair_table_width(const PairTable *table);

/// The heading, after an empty line, with what is put between the two calls at its end.
void pair_table_begin_heading(const PairTable *table, impi_Text *output);
void pair_table_end_heading(const PairTable *table, impi_Text *output);

/// A line, up to where the rest begins. Where there may be none, impi_text_end_line ends it.
void pair_table_put(const PairTable *table, uint32_t body_a, Relation relation, uint32_t body_b,
                    impi_Text *output);

#endif
