#include "broad/pair_changes.h"

// There are about as many pairs in the next frame: with an eighth more room than needed the list hardly ever
// grows again, and what is not needed is not touched.
bool impi_index_pairs_renew(const imp_Allocator *allocator, impi_IndexPairs *list, size_t count)
{
    list->count = 0;
    if (count <= list->capacity)
        return true;
    impi_array_free(allocator, list, sizeof *list->data);
    return impi_array_reserve(allocator, list, sizeof *list->data, count + count / 8);
}

static bool push(const imp_Allocator *allocator, impi_IndexPairs *list, imp_IndexPair pair)
{
    if (list->count == list->capacity && !impi_array_reserve(allocator, list, sizeof pair, list->count + 1))
        return false;
    list->data[list->count++] = pair;
    return true;
}

static uint64_t rank(imp_IndexPair pair)
{
    return (uint64_t)pair.a << 32 | pair.b;
}

bool impi_pair_changes(const imp_Allocator *allocator, const impi_IndexPairs *before,
                       const impi_IndexPairs *after, const uint8_t *is_new, impi_IndexPairs *begun,
                       impi_IndexPairs *ended)
{
    size_t i = 0, k = 0;
    bool fits = true;
    begun->count = ended->count = 0;
    while (fits && i < before->count && k < after->count) {
        imp_IndexPair old = before->data[i], now = after->data[k];
        if (rank(old) == rank(now)) {
            ++i;
            ++k;
            if (is_new && (is_new[now.a] | is_new[now.b]))
                fits = push(allocator, begun, now) && push(allocator, ended, old);
        } else if (rank(old) < rank(now)) {
            ++i;
            fits = push(allocator, ended, old);
        } else {
            ++k;
            fits = push(allocator, begun, now);
        }
    }
    for (; fits && i < before->count; ++i)
        fits = push(allocator, ended, before->data[i]);
    for (; fits && k < after->count; ++k)
        fits = push(allocator, begun, after->data[k]);
    return fits;
}
