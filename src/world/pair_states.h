/// What is kept of pairs of convex bodies from detect to detect.
#ifndef IMPINGE_WORLD_PAIR_STATES_H
#define IMPINGE_WORLD_PAIR_STATES_H

#include "base/array.h"

#include <impinge/convex.h>
#include <impinge/world.h>

typedef struct impi_PairState {
    imp_BodyId body_a, body_b;
    imp_ConvexState state;
} impi_PairState;

typedef struct impi_PairStates {
    IMPI_ARRAY(impi_PairState) lists[2]; // sorted by slots
    unsigned current;                    // the list of the detect at hand
    size_t next;                         // how far the other list has been read
} impi_PairStates;

void impi_pair_states_destroy(const imp_Allocator *allocator, impi_PairStates *states);

/// Begin a detect with at most `count` pairs. False when out of memory, with all as it was.
bool impi_pair_states_begin(const imp_Allocator *allocator, impi_PairStates *states, size_t count);

/// Add a pair; they come sorted by slots. It gets what the last detect left of the very same bodies, or
/// knows nothing. Returns its place in the current list.
size_t impi_pair_states_add(impi_PairStates *states, imp_BodyId a, imp_BodyId b);

static inline imp_ConvexState *impi_pair_state(const impi_PairStates *states, size_t place)
{
    return &states->lists[states->current].data[place].state;
}

#endif
