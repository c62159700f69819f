// Both detects list their pairs in the order of slots, so that going through both lists at once finds for
// each pair what it had. Pairs that the broad phase did not find this time lose it, which costs a few steps
// should they meet again.
#include "world/pair_states.h"

void impi_pair_states_destroy(const imp_Allocator *allocator, impi_PairStates *states)
{
    for (int i = 0; i < 2; ++i)
        impi_array_free(allocator, &states->lists[i], sizeof *states->lists[i].data);
}

bool impi_pair_states_begin(const imp_Allocator *allocator, impi_PairStates *states, size_t count)
{
    // Room in both lists, so that a later detect of as many pairs allocates nothing.
    for (int i = 0; i < 2; ++i)
        if (!impi_array_reserve(allocator, &states->lists[i], sizeof *states->lists[i].data, count))
            return false;
    states->current ^= 1;
    states->lists[states->current].count = 0;
    states->next = 0;
    return true;
}

static uint64_t slots_of(imp_BodyId a, imp_BodyId b)
{
    return (uint64_t)a.slot << 32 | b.slot;
}

static bool are_same(imp_BodyId a, imp_BodyId b)
{
    return a.slot == b.slot && a.generation == b.generation;
}

size_t impi_pair_states_add(impi_PairStates *states, imp_BodyId a, imp_BodyId b)
{
    size_t last_count = states->lists[states->current ^ 1].count, place;
    const impi_PairState *last = states->lists[states->current ^ 1].data;
    impi_PairState added = {.body_a = a, .body_b = b};
    while (states->next < last_count &&
           slots_of(last[states->next].body_a, last[states->next].body_b) < slots_of(a, b))
        ++states->next;
    if (states->next < last_count && are_same(last[states->next].body_a, a) &&
        are_same(last[states->next].body_b, b))
        added.state = last[states->next].state;
    place = states->lists[states->current].count++;
    states->lists[states->current].data[place] = added;
    return place;
}
