#include "broad/pair_changes.h"

#include "base/list_changes.h"

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

typedef struct Lists {
    const imp_Allocator *allocator;
    const impi_IndexPairs *before, *after;
    const uint8_t *is_new;
    impi_IndexPairs *begun, *ended;
} Lists;

static uint64_t rank(imp_IndexPair pair)
{
    return (uint64_t)pair.a << 32 | pair.b;
}

// A pair with a new box is another one than the pair before that has its slots, and comes after it.
static inline int compare(size_t i, size_t k, const void *argument)
{
    const Lists *lists = argument;
    imp_IndexPair before = lists->before->data[i], after = lists->after->data[k];
    if (rank(before) != rank(after))
        return rank(before) < rank(after) ? -1 : 1;
    return lists->is_new && (lists->is_new[after.a] | lists->is_new[after.b]) ? -1 : 0;
}

static inline bool end_pair(size_t i, void *argument)
{
    const Lists *lists = argument;
    return push(lists->allocator, lists->ended, lists->before->data[i]);
}

static inline bool begin_pair(size_t k, void *argument)
{
    const Lists *lists = argument;
    return push(lists->allocator, lists->begun, lists->after->data[k]);
}

bool impi_pair_changes(const imp_Allocator *allocator, const impi_IndexPairs *before,
                       const impi_IndexPairs *after, const uint8_t *is_new, impi_IndexPairs *begun,
                       impi_IndexPairs *ended)
{
    Lists lists = {allocator, before, after, is_new, begun, ended};
    begun->count = ended->count = 0;
    return impi_list_changes(before->count, after->count, compare, end_pair, begin_pair, &lists);
}
