/// Relations of two bodies: one word for each, in tables, CSV and JSON alike.
#ifndef IMPINGE_APPS_RELATIONS_H
#define IMPINGE_APPS_RELATIONS_H

#include "kit/style.h"

#include <impinge/world_sweep.h>

typedef enum Relation {
    RELATION_TOUCH,   // not deeper than is let pass, or no depth was asked for
    RELATION_OVERLAP, // deeper
    RELATION_A_INSIDE_B,
    RELATION_B_INSIDE_A,
    RELATION_BOTH_INSIDE, // bodies of several parts can each hold a part of the other
    RELATION_CLEARANCE,   // apart, but not farther than was asked for
    RELATION_APART,
    RELATION_COUNT,
} Relation;

/// "a_inside_b"
const char *relation_name(Relation relation);

/// How bodies get to where they meet: "straight" or "rigid".
const char *path_name(imp_PathKind path);

/// How it stands out among others.
impi_Emphasis relation_emphasis(Relation relation);

/// Can faces be told that touch?
bool relation_has_faces(Relation relation);

/// Take the next one out of the flags of a report (imp_Relation), which have one relation each. False when
/// there is none left. `overlaps`: what touches overlaps.
bool relation_take(uint32_t *flags, bool overlaps, Relation *relation);

/// Of a single flag.
Relation relation_of(imp_Relation flag, bool overlaps);

#endif
