// A search sorts the boxes anew only when it pays. Between sorts the order is kept and bounds are refitted;
// boxes that moved make blocks overlap more than just after the sort. Each search adds the surplus of
// overlapping blocks to an account, and when what it has cost reaches the price of a sort, the next one
// sorts. So time lost to an old order is never more than that spent on sorting, whatever the motion. The
// account counts work, not time, so that runs are repeatable.
//
// While boxes move slowly even the search is saved. A search for boxes made larger by a margin gives
// candidates, sorted; as long as every box stays within its larger one, no search is made and only these are
// tested. When a box leaves, new candidates are made. If that happens so soon that they did not pay, several
// searches are for the boxes themselves before the next attempt, twice as many each time.
#include "broad/coherent_search.h"

#include "base/budget.h"
#include "base/memory.h"
#include "broad/candidates.h"
#include "broad/octree_visit.h"
#include "broad/search_stats.h"

#include <string.h>

// Sorting one box costs as much as comparing this many blocks, measured.
#define BLOCK_PAIRS_PER_SORTED_BOX 0.35

// New boxes wait in unsorted blocks behind the others, each of which may overlap everything.
#define MAX_UNSORTED_BOXES 128

// Margin of the larger boxes, in longest sides. Twice as much means twice as many candidates, roughly.
#define REACH 0.25

// Candidates have to serve this many times, or the next attempt is put off; for how many searches at most.
#define MIN_SERVED  2
#define MAX_PUT_OFF 64

// More candidates than this for each box are not worth keeping; more pairs are very many.
#define MAX_CANDIDATES_PER_BOX 6

typedef struct Job {
    impi_BoxTable *table;
    const impi_SearchWork *work;
    imp_SearchStats *stats;
} Job;

void impi_coherent_search_init(impi_CoherentSearch *search)
{
    *search = (impi_CoherentSearch){.next_put_off = 1, .put_off = 1};
}

void impi_coherent_search_destroy(const imp_Allocator *allocator, impi_CoherentSearch *search)
{
    impi_release(allocator, search->levels, search->levels_size);
    impi_array_free(allocator, &search->order, sizeof(uint32_t));
    impi_array_free(allocator, &search->candidates, sizeof(imp_IndexPair));
}

static bool wants_sort(const impi_CoherentSearch *search, const impi_BoxTable *table)
{
    return !search->is_sorted || table->added_since_sort > MAX_UNSORTED_BOXES ||
           search->surplus_block_pairs >= BLOCK_PAIRS_PER_SORTED_BOX * (double)table->box_count;
}

// Free slots are in the order too, so that one that is given away again has its position.
static bool sort_slots(impi_CoherentSearch *search, impi_BoxTable *table, const impi_SearchWork *work)
{
    impi_BoxRows rows = impi_box_table_rows(table);
    search->is_sorted = false;
    impi_box_rows_choose_map(&rows);
    memcpy(search->origin, rows.origin, sizeof rows.origin);
    search->scale = rows.scale;
    if (!impi_octree_sort(work, &rows, search->order.data, NULL))
        return false;
    search->order.count = rows.count;
    table->added_since_sort = 0;
    search->is_sorted = true;
    return true;
}

// Bring the order up to date, with every slot in it once and empty lanes up to a whole block.
static bool update_order(impi_CoherentSearch *search, impi_BoxTable *table, const impi_SearchWork *work,
                         bool sort)
{
    size_t slot_count = table->row_count;
    size_t lane_count = (slot_count + IMPI_LANES - 1) / IMPI_LANES * IMPI_LANES;
    const imp_Allocator *allocator = work->scratch->allocator;
    if (!impi_array_reserve(allocator, &search->order, sizeof(uint32_t), lane_count) ||
        (sort && !sort_slots(search, table, work)))
        return false;
    while (search->order.count < slot_count) {
        search->order.data[search->order.count] = (uint32_t)search->order.count;
        ++search->order.count;
    }
    for (size_t lane = slot_count; lane < lane_count; ++lane)
        search->order.data[lane] = IMPI_NO_BOX;
    search->octree.order = search->order.data;
    size_t size = impi_octree_levels_size(lane_count);
    if (size > search->levels_size) {
        void *levels = impi_allocate(allocator, size);
        if (!levels)
            return false;
        impi_release(allocator, search->levels, search->levels_size);
        search->levels = levels;
        search->levels_size = size;
    }
    impi_octree_lay_out(&search->octree, lane_count, search->levels);
    return true;
}

static void open_account(impi_CoherentSearch *search)
{
    search->sorted_block_pairs[0] = search->sorted_block_pairs[1] = 0;
    search->surplus_block_pairs = 0;
}

static void keep_account(impi_CoherentSearch *search, bool is_reach, uint64_t block_pairs)
{
    uint64_t *at_sort = &search->sorted_block_pairs[is_reach];
    if (*at_sort == 0)
        *at_sort = block_pairs;
    else if (block_pairs > *at_sort)
        search->surplus_block_pairs += (double)(block_pairs - *at_sort);
}

// How a search went.
typedef enum Outcome {
    FAILED, // out of memory, or cancelled
    FOUND_ALL,
    FOUND_TOO_MANY, // more than the limit: none is listed
} Outcome;

static impi_BoxRows rows_of(const impi_CoherentSearch *search, const impi_BoxTable *table, bool is_reach)
{
    impi_BoxRows rows = is_reach ? impi_box_table_reach_rows(table) : impi_box_table_rows(table);
    memcpy(rows.origin, search->origin, sizeof rows.origin);
    rows.scale = search->scale;
    return rows;
}

static Outcome list_pairs(const impi_SearchWork *work, impi_PairStore *store, impi_IndexPairs *pairs)
{
    if (!impi_search_goes_on(work) || store->out_of_memory)
        return FAILED;
    if (store->total > store->limit)
        return FOUND_TOO_MANY;
    if (!impi_index_pairs_renew(work->scratch->allocator, pairs, store->kept) ||
        !impi_pair_store_sort(store, work, (void *)pairs->data, pairs->data))
        return FAILED;
    pairs->count = store->kept;
    return FOUND_ALL;
}

// Pairs of the boxes, or of the larger boxes.
static Outcome search_boxes(impi_CoherentSearch *search, const Job *job, bool is_reach, uint64_t limit,
                            impi_IndexPairs *pairs)
{
    impi_BoxTable *table = job->table;
    const impi_SearchWork *work = job->work;
    bool exact, sort = wants_sort(search, table);
    impi_PairStore store;
    imp_SearchStats *stats = job->stats;
    uint64_t start = impi_search_stats_begin(stats);
    if (!update_order(search, table, work, sort) || !impi_search_goes_on(work))
        return FAILED;
    impi_search_stats_stage(stats, IMP_SEARCH_SORT, &start);
    impi_BoxRows rows = rows_of(search, table, is_reach);
    impi_octree_fill(work, &rows, &search->octree, &exact);
    impi_search_stats_stage(stats, IMP_SEARCH_FILL, &start);
    impi_pair_store_init(&store, work->scratch, rows.count);
    store.limit = limit;
    store.double_rows = exact ? NULL : rows.double_rows;
    store.reusable = search->levels; // each search fills them anew
    store.reusable_size = search->levels_size;
    store.filters = table->has_filters ? table->filters.data : NULL;
    impi_PairTaker taker = {impi_pair_store_take, &store, store.index_bits, &store.is_over_limit};
    impi_SearchCounts counts = impi_octree_search(work, &search->octree, &taker);
    impi_search_stats_stage(stats, IMP_SEARCH_PAIRS, &start);
    impi_search_stats_count(stats, &search->octree, sort, counts.block_pairs);
    if (sort)
        open_account(search);
    Outcome outcome = list_pairs(work, &store, pairs);
    if (outcome == FOUND_ALL)
        keep_account(search, is_reach, counts.block_pairs);
    impi_pair_store_destroy(&store);
    return outcome;
}

// Candidates have become invalid: were they worth it?
static void judge_candidates(impi_CoherentSearch *search)
{
    if (!search->has_candidates)
        return;
    if (search->served >= MIN_SERVED)
        search->next_put_off = 1;
    else
        search->put_off = search->next_put_off;
    search->next_put_off = search->next_put_off < MAX_PUT_OFF / 2 ? 2 * search->next_put_off : MAX_PUT_OFF;
    search->has_candidates = false;
}

static uint64_t many_pairs(const impi_BoxTable *table)
{
    return MAX_CANDIDATES_PER_BOX * (uint64_t)table->box_count;
}

static Outcome make_candidates(impi_CoherentSearch *search, const Job *job)
{
    Outcome outcome = FAILED;
    search->served = 0;
    search->has_candidates = true;
    if (impi_box_table_make_reach(job->table, job->work->executor, REACH))
        outcome = search_boxes(search, job, true, many_pairs(job->table), &search->candidates);
    if (outcome != FOUND_ALL)
        atomic_store(&job->table->is_within_reach, false);
    return outcome;
}

static bool test_candidates(impi_CoherentSearch *search, const Job *job, impi_IndexPairs *pairs)
{
    impi_BoxRows rows = impi_box_table_rows(job->table);
    ++search->served;
    return impi_candidates_test(job->work->executor, job->work->scratch, &rows, &search->candidates, pairs);
}

bool impi_coherent_search_pairs(impi_CoherentSearch *search, impi_BoxTable *table,
                                const impi_SearchWork *work, imp_SearchStats *stats, impi_IndexPairs *pairs)
{
    Job job = {table, work, stats};
    if (table->box_count == 0) {
        pairs->count = 0;
        return true;
    }
    if (atomic_load(&table->is_within_reach))
        return test_candidates(search, &job, pairs);
    judge_candidates(search);
    if (search->put_off > 0) {
        --search->put_off;
        return search_boxes(search, &job, false, UINT64_MAX, pairs) == FOUND_ALL;
    }
    Outcome outcome = make_candidates(search, &job);
    if (outcome == FOUND_ALL)
        return test_candidates(search, &job, pairs);
    return outcome == FOUND_TOO_MANY && search_boxes(search, &job, false, UINT64_MAX, pairs) == FOUND_ALL;
}

bool impi_coherent_search_few(impi_CoherentSearch *search, impi_BoxTable *table, const impi_SearchWork *work,
                              imp_SearchStats *stats, impi_IndexPairs *pairs, bool *is_complete)
{
    Job job = {table, work, stats};
    pairs->count = 0;
    *is_complete = true;
    if (table->box_count == 0)
        return true;
    if (atomic_load(&table->is_within_reach))
        return test_candidates(search, &job, pairs);
    Outcome outcome = search_boxes(search, &job, false, many_pairs(table), pairs);
    *is_complete = outcome == FOUND_ALL;
    return outcome != FAILED;
}

size_t impi_coherent_search_others(const impi_CoherentSearch *search, const impi_BoxTable *table,
                                   uint32_t slot, uint32_t *others)
{
    impi_BoxRows rows = rows_of(search, table, false);
    size_t count = impi_octree_find_overlapping(&search->octree, &rows, slot, others), kept = 0;
    for (size_t i = 0; i < count; ++i) {
        uint32_t other = others[i];
        bool is_pair = other > slot;
        if (is_pair && rows.double_rows)
            is_pair = impi_double_rows_overlap(rows.double_rows, slot, other);
        if (is_pair && table->has_filters)
            is_pair = impi_filters_allow(&table->filters.data[slot], &table->filters.data[other]);
        others[kept] = other;
        kept += is_pair;
    }
    return kept;
}
