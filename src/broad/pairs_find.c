#include "broad/pairs_find.h"

#include "base/scratch_call.h"
#include "broad/pair_search.h"

#include <inttypes.h>

static imp_Status find_pairs(imp_Context *context, const impi_BoxSets *sets, imp_IndexPair *pairs,
                             size_t capacity, uint64_t *count)
{
    impi_PairSearch search;
    imp_Status status = impi_pair_search_run(&search, context, sets, capacity, &context->scratch);
    uint64_t total = search.store.total;
    if (status == IMP_STATUS_OK && total > capacity && (pairs || capacity)) {
        *count = total;
        status = impi_fail(context, IMP_STATUS_BUFFER_SHORT, IMP_NOWHERE,
                           "%" PRIu64 " pairs do not fit into a buffer for %zu", total, capacity);
    } else if (status == IMP_STATUS_OK) {
        status = capacity ? impi_pair_search_write(&search, pairs) : IMP_STATUS_OK;
        *count = status == IMP_STATUS_OK ? total : *count;
    }
    impi_pair_search_end(&search);
    return status;
}

// Arguments are checked here, for one set and for two.
static imp_Status find_in_call(imp_Context *context, const impi_BoxSets *sets, imp_IndexPair *pairs,
                               size_t capacity, uint64_t *count)
{
    if (!count || (capacity && !pairs))
        return impi_fail(context, IMP_STATUS_BAD_ARGUMENT, IMP_NOWHERE, "the count or the pairs are null");
    imp_Status status = impi_box_sets_check(context, sets);
    if (status != IMP_STATUS_OK)
        return status;
    impi_FloatGuard guard = impi_scratch_call_begin(context);
    status = find_pairs(context, sets, pairs, capacity, count);
    // Scratch stays as it is, since a search may be the only one: one chunk would take as much again.
    return impi_scratch_call_keep(context, guard, status);
}

imp_Status imp_pairs_find(imp_Context *context, const imp_BoxArray *boxes, imp_IndexPair *pairs,
                          size_t capacity, uint64_t *count)
{
    imp_Status status = impi_context_check(context);
    if (status != IMP_STATUS_OK)
        return status;
    return find_in_call(context, &(impi_BoxSets){boxes, NULL}, pairs, capacity, count);
}

static imp_Status fail_null_set(imp_Context *context)
{
    return impi_fail(context, IMP_STATUS_BAD_ARGUMENT, IMP_NOWHERE, "boxes are null");
}

imp_Status imp_pairs_find_between(imp_Context *context, const imp_BoxArray *boxes_a,
                                  const imp_BoxArray *boxes_b, imp_IndexPair *pairs, size_t capacity,
                                  uint64_t *count)
{
    imp_Status status = impi_context_check(context);
    if (status != IMP_STATUS_OK)
        return status;
    if (!boxes_b)
        return fail_null_set(context);
    return find_in_call(context, &(impi_BoxSets){boxes_a, boxes_b}, pairs, capacity, count);
}

// ---- lists

static imp_Status list_pairs(imp_Context *context, const impi_BoxSets *sets, impi_Arena *arena,
                             const imp_IndexPair **pairs, size_t *count)
{
    impi_PairSearch search;
    imp_Status status = impi_box_sets_check(context, sets);
    if (status != IMP_STATUS_OK)
        return status;
    status = impi_pair_search_run(&search, context, sets, UINT64_MAX, arena);
    imp_IndexPair *sorted = NULL;
    size_t kept = search.store.kept;
    if (status == IMP_STATUS_OK && kept > 0) {
        sorted = impi_arena_allocate_array(arena, kept, sizeof *sorted);
        status = sorted ? impi_pair_search_write(&search, sorted) : impi_fail_out_of_memory(context);
    }
    if (status == IMP_STATUS_OK) {
        *pairs = sorted;
        *count = kept;
    }
    impi_pair_search_end(&search);
    return status;
}

imp_Status impi_pairs_find(imp_Context *context, const imp_BoxArray *boxes, impi_Arena *arena,
                           const imp_IndexPair **pairs, size_t *count)
{
    return list_pairs(context, &(impi_BoxSets){boxes, NULL}, arena, pairs, count);
}

static imp_Status list_in_call(imp_Context *context, const impi_BoxSets *sets, const imp_IndexPair **pairs,
                               size_t *count)
{
    if (!pairs || !count)
        return impi_fail(context, IMP_STATUS_BAD_ARGUMENT, IMP_NOWHERE, "the count or the pairs are null");
    impi_FloatGuard guard = impi_scratch_call_begin(context);
    return impi_scratch_call_keep(context, guard, list_pairs(context, sets, &context->scratch, pairs, count));
}

imp_Status imp_pairs_list(imp_Context *context, const imp_BoxArray *boxes, const imp_IndexPair **pairs,
                          size_t *count)
{
    imp_Status status = impi_context_check(context);
    if (status != IMP_STATUS_OK)
        return status;
    return list_in_call(context, &(impi_BoxSets){boxes, NULL}, pairs, count);
}

imp_Status imp_pairs_list_between(imp_Context *context, const imp_BoxArray *boxes_a,
                                  const imp_BoxArray *boxes_b, const imp_IndexPair **pairs, size_t *count)
{
    imp_Status status = impi_context_check(context);
    if (status != IMP_STATUS_OK)
        return status;
    if (!boxes_b)
        return fail_null_set(context);
    return list_in_call(context, &(impi_BoxSets){boxes_a, boxes_b}, pairs, count);
}

imp_Status imp_pairs_measure(imp_Context *context, imp_SearchStats *stats)
{
    imp_Status status = impi_context_check(context);
    if (status != IMP_STATUS_OK)
        return status;
    context->search_stats = stats;
    return IMP_STATUS_OK;
}
