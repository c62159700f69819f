#include "chung_wang_neighbours.h"

#include <string.h>

// Each vertex has one neighbour for each triangle that it is a corner of.
static void find_firsts(const uint32_t *indices, size_t corner_count, size_t vertex_count, uint32_t *firsts)
{
    memset(firsts, 0, (vertex_count + 1) * sizeof *firsts);
    for (size_t i = 0; i < corner_count; ++i)
        ++firsts[indices[i] + 1];
    for (size_t v = 0; v < vertex_count; ++v)
        firsts[v + 1] += firsts[v];
}

imp_Status chung_wang_list_neighbours(imp_Context *context, const uint32_t *indices, size_t triangle_count,
                                      size_t vertex_count, uint32_t *firsts, uint32_t *neighbours)
{
    size_t corner_count = 3 * triangle_count;
    impi_ArenaMark mark = impi_arena_mark(&context->scratch);
    uint32_t *unsorted = impi_arena_allocate_array(&context->scratch, corner_count, sizeof *unsorted);
    uint32_t *next_slots = impi_arena_allocate_array(&context->scratch, vertex_count, sizeof *next_slots);
    if (!unsorted || !next_slots)
        return impi_fail_out_of_memory(context);
    find_firsts(indices, corner_count, vertex_count, firsts);
    memcpy(next_slots, firsts, vertex_count * sizeof *next_slots);
    for (size_t i = 0; i < corner_count; ++i) {
        size_t next = i % 3 == 2 ? i - 2 : i + 1;
        unsorted[next_slots[indices[i]]++] = indices[next];
    }
    // Neighbours are mutual: handing each vertex in turn to its neighbours fills their lists in order.
    memcpy(next_slots, firsts, vertex_count * sizeof *next_slots);
    for (size_t v = 0; v < vertex_count; ++v)
        for (uint32_t i = firsts[v]; i < firsts[v + 1]; ++i)
            neighbours[next_slots[unsorted[i]]++] = (uint32_t)v;
    impi_arena_rewind(&context->scratch, mark);
    return IMP_STATUS_OK;
}
