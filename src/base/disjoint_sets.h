/// Sets that are united one by one: each element leads to the lowest of its set.
#ifndef IMPINGE_BASE_DISJOINT_SETS_H
#define IMPINGE_BASE_DISJOINT_SETS_H

#include <stddef.h>
#include <stdint.h>

/// Elements [begin, end), each alone.
static inline void impi_sets_begin(uint32_t *parents, size_t begin, size_t end)
{
    for (size_t i = begin; i < end; ++i)
        parents[i] = (uint32_t)i;
}

static inline uint32_t impi_set_of(uint32_t *parents, uint32_t element)
{
    while (parents[element] != element) {
        parents[element] = parents[parents[element]];
        element = parents[element];
    }
    return element;
}

// The lower number becomes the root, so that the result does not hang on the order of the unions.
static inline void impi_sets_unite(uint32_t *parents, uint32_t a, uint32_t b)
{
    a = impi_set_of(parents, a);
    b = impi_set_of(parents, b);
    parents[a > b ? a : b] = a < b ? a : b;
}

#endif
