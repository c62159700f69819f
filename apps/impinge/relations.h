/// Relations of two bodies, as programs and as people read them.
#ifndef IMPINGE_APPS_RELATIONS_H
#define IMPINGE_APPS_RELATIONS_H

#include <impinge/world.h>

#define RELATION_COUNT 3

typedef struct RelationWords {
    imp_Relation relation;
    const char *name, *words; // "a_inside_b", "is inside"
} RelationWords;

extern const RelationWords relations[RELATION_COUNT];

/// The words of a single relation.
const RelationWords *relation_words(imp_Relation relation);

#endif
