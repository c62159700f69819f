#include "broad/pair_store.h"

#include "base/memory.h"
#include "base/radix_sort.h"
#include "base/tasks.h"
#include "broad/box_rows.h"
#include "broad/key_sort.h"

#include <string.h>

#define PAIRS_PER_PAGE 8192

// Pairs with the same first box are few, as a rule; then comparing them is faster than passes over more
// digits.
#define FEW_PAIRS_PER_BOX 4
#define LONG_RUN          16

unsigned impi_index_bits(size_t count)
{
    unsigned bits = 0;
    while (bits < 32 && (size_t)1 << bits < count)
        ++bits;
    return bits;
}

void impi_pair_store_init(impi_PairStore *store, impi_Arena *arena, size_t box_count)
{
    *store = (impi_PairStore){.limit = UINT64_MAX, .arena = arena, .index_bits = impi_index_bits(box_count)};
    pthread_mutex_init(&store->mutex, NULL);
}

void impi_pair_store_destroy(impi_PairStore *store)
{
    pthread_mutex_destroy(&store->mutex);
}

// ---- taking

static imp_IndexPair unpack(uint64_t pair, unsigned index_bits)
{
    return (imp_IndexPair){(uint32_t)(pair >> index_bits),
                           (uint32_t)(pair & (((uint64_t)1 << index_bits) - 1))};
}

static size_t keep_overlapping(const impi_PairStore *store, uint64_t *pairs, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; ++i) {
        imp_IndexPair pair = unpack(pairs[i], store->index_bits);
        pairs[kept] = pairs[i];
        kept += impi_double_rows_overlap(store->double_rows, pair.a, pair.b);
    }
    return kept;
}

static size_t keep_not_ignored(const impi_PairStore *store, uint64_t *pairs, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; ++i) {
        imp_IndexPair pair = unpack(pairs[i], store->index_bits);
        pairs[kept] = pairs[i];
        kept += impi_filters_allow(&store->filters[pair.a], &store->filters[pair.b]);
    }
    return kept;
}

static bool add_page(impi_PairStore *store)
{
    if (store->page_count == store->page_capacity) {
        size_t capacity = store->page_capacity ? 2 * store->page_capacity : 64;
        uint64_t **pages = impi_arena_allocate_array(store->arena, capacity, sizeof *pages);
        if (!pages)
            return false;
        if (store->page_count)
            memcpy(pages, store->pages, store->page_count * sizeof *pages);
        store->pages = pages;
        store->page_capacity = capacity;
    }
    uint64_t *page = impi_arena_allocate_array(store->arena, PAIRS_PER_PAGE, sizeof *page);
    if (page)
        store->pages[store->page_count++] = page;
    return page;
}

// Up to two stretches of pages: what is reserved under the mutex is written outside it.
typedef struct Room {
    uint64_t *pairs[2];
    size_t counts[2];
} Room;

// `count` is at most the size of a page.
static Room reserve(impi_PairStore *store, size_t count)
{
    Room room = {{NULL, NULL}, {0, 0}};
    for (int k = 0; k < 2 && count > 0; ++k) {
        size_t used = store->kept % PAIRS_PER_PAGE;
        if (store->kept == store->page_count * PAIRS_PER_PAGE && !add_page(store)) {
            store->out_of_memory = true;
            break;
        }
        size_t here = count < PAIRS_PER_PAGE - used ? count : PAIRS_PER_PAGE - used;
        room.pairs[k] = store->pages[store->kept / PAIRS_PER_PAGE] + used;
        room.counts[k] = here;
        store->kept += here;
        count -= here;
    }
    return room;
}

static void keep_pairs(impi_PairStore *store, const uint64_t *pairs, size_t count)
{
    Room room = {{NULL, NULL}, {0, 0}};
    pthread_mutex_lock(&store->mutex);
    store->total += count;
    if (store->total > store->limit)
        atomic_store_explicit(&store->is_over_limit, true, memory_order_relaxed);
    else if (!store->out_of_memory)
        room = reserve(store, count);
    pthread_mutex_unlock(&store->mutex);
    for (int k = 0; k < 2 && room.pairs[k]; ++k) {
        memcpy(room.pairs[k], pairs, room.counts[k] * sizeof *pairs);
        pairs += room.counts[k];
    }
}

void impi_pair_store_take(uint64_t *pairs, size_t count, void *store_argument)
{
    impi_PairStore *store = store_argument;
    if (store->double_rows)
        count = keep_overlapping(store, pairs, count);
    if (store->filters)
        count = keep_not_ignored(store, pairs, count);
    for (size_t begin = 0; begin < count; begin += PAIRS_PER_PAGE)
        keep_pairs(store, pairs + begin, count - begin < PAIRS_PER_PAGE ? count - begin : PAIRS_PER_PAGE);
}

// ---- sorting

typedef struct SortJob {
    const impi_SearchWork *work;
    uint64_t *keys, *spare;
    unsigned index_bits; // of a box
    unsigned high_bit;   // keys are sorted by the bits below this one
    bool few;            // pairs per box
    uint32_t first_box;  // that keys count first boxes from
    impi_KeyParts parts;
    imp_IndexPair *pairs;
    bool writes_later; // when nothing can be ended any more
} SortJob;

static bool has_long_run(const uint64_t *keys, size_t count, unsigned index_bits)
{
    bool found = false;
    for (size_t i = LONG_RUN; i < count; ++i)
        found |= keys[i] >> index_bits == keys[i - LONG_RUN] >> index_bits;
    return found;
}

// Keys are sorted by first box; now each run of the same first box by the second.
static void sort_runs(uint64_t *keys, uint64_t *spare, size_t count, unsigned index_bits)
{
    for (size_t begin = 0, end; begin < count; begin = end) {
        end = begin + 1;
        while (end < count && keys[end] >> index_bits == keys[begin] >> index_bits)
            ++end;
        if (end - begin > 1)
            impi_keys_sort_run(keys + begin, spare + begin, end - begin, 0, index_bits);
    }
}

static void write_part(size_t begin, size_t end, size_t block, void *argument)
{
    (void)block;
    const SortJob *job = argument;
    for (size_t i = job->parts.starts[begin]; i < job->parts.starts[end]; ++i) {
        job->pairs[i] = unpack(job->keys[i], job->index_bits);
        job->pairs[i].a += job->first_box;
    }
}

static void sort_part(size_t begin, size_t end, size_t block, void *argument)
{
    SortJob *job = argument;
    for (size_t part = begin; part < end; ++part) {
        size_t start = job->parts.starts[part], count = job->parts.starts[part + 1] - start;
        if (!impi_search_step(job->work, count))
            return;
        uint64_t *keys = job->keys + start, *spare = job->spare + start;
        impi_keys_sort_run(keys, spare, count, job->few ? job->index_bits : 0, job->high_bit);
        if (job->few && has_long_run(keys, count, job->index_bits))
            sort_runs(keys, spare, count, job->index_bits);
        else if (job->few) // few are alike in their first box, so none has far to go
            impi_insertion_sort(keys, count);
    }
    if (!job->writes_later) // while the keys are in the caches
        write_part(begin, end, block, job);
}

static impi_KeyPiece *list_pages(const impi_PairStore *store)
{
    impi_KeyPiece *pieces = impi_arena_allocate_array(store->arena, store->page_count, sizeof *pieces);
    for (size_t i = 0; pieces && i < store->page_count; ++i) {
        size_t left = store->kept - i * PAIRS_PER_PAGE;
        pieces[i] = (impi_KeyPiece){store->pages[i], left < PAIRS_PER_PAGE ? left : PAIRS_PER_PAGE};
    }
    return pieces;
}

// Few pairs all in one part; many split by the top digit of their first box.
static bool split_pieces(SortJob *job, const impi_KeyPiece *pieces, size_t piece_count, size_t count)
{
    if (count >= IMPI_SPLIT_MIN_KEYS && job->high_bit > job->index_bits + IMPI_SPLIT_BITS) {
        job->high_bit -= IMPI_SPLIT_BITS;
        return impi_keys_split(job->work, pieces, piece_count, job->high_bit, job->keys, &job->parts);
    }
    size_t moved = 0;
    job->parts.starts[0] = 0;
    for (size_t i = 0; i < piece_count; ++i) {
        memcpy(job->keys + moved, pieces[i].keys, pieces[i].count * sizeof *job->keys);
        moved += pieces[i].count;
    }
    for (size_t part = 1; part <= IMPI_SPLIT_PARTS; ++part)
        job->parts.starts[part] = moved;
    return true;
}

static bool sort_pieces(SortJob *job, const impi_KeyPiece *pieces, size_t piece_count, size_t count)
{
    job->writes_later = job->work->watch && job->work->watch->is_active;
    job->few = count / FEW_PAIRS_PER_BOX >> (job->high_bit - job->index_bits) == 0;
    impi_search_begin_work(job->work, "sorting pairs", count);
    if (!split_pieces(job, pieces, piece_count, count))
        return false;
    impi_parallel_for(job->work->executor, IMPI_SPLIT_PARTS, 1, sort_part, job);
    if (!impi_search_goes_on(job->work))
        return false;
    if (job->writes_later)
        impi_parallel_for(job->work->executor, IMPI_SPLIT_PARTS, 1, write_part, job);
    return true;
}

// Room for a key per pair: what the search needed is in the caches, and saves memory.
static uint64_t *find_room(impi_PairStore *store)
{
    size_t size = (store->kept * sizeof(uint64_t) + IMPI_ALIGNMENT - 1) / IMPI_ALIGNMENT * IMPI_ALIGNMENT;
    if (size > store->reusable_size)
        return impi_arena_allocate_array(store->arena, store->kept, sizeof(uint64_t));
    void *room = store->reusable;
    store->reusable = (char *)room + size;
    store->reusable_size -= size;
    return room;
}

bool impi_pair_store_sort(impi_PairStore *store, const impi_SearchWork *work, uint64_t *spare,
                          imp_IndexPair *pairs)
{
    SortJob job = {.work = work,
                   .pairs = pairs,
                   .spare = spare,
                   .index_bits = store->index_bits,
                   .high_bit = 2 * store->index_bits};
    if (store->out_of_memory)
        return false;
    if (store->kept == 0)
        return true;
    job.keys = find_room(store);
    if (!job.spare)
        job.spare = find_room(store);
    impi_KeyPiece *pieces = job.keys && job.spare ? list_pages(store) : NULL;
    return pieces && sort_pieces(&job, pieces, store->page_count, store->kept);
}

// ---- packed pairs of other stores

void impi_pair_store_copy(const impi_PairStore *store, uint64_t *keys)
{
    for (size_t i = 0; i < store->page_count && i * PAIRS_PER_PAGE < store->kept; ++i) {
        size_t left = store->kept - i * PAIRS_PER_PAGE;
        memcpy(keys + i * PAIRS_PER_PAGE, store->pages[i],
               (left < PAIRS_PER_PAGE ? left : PAIRS_PER_PAGE) * sizeof *keys);
    }
}

// A stretch of a sorted list has few first boxes: counted from the first of them, their numbers are small.
static void count_from_first(SortJob *job, uint64_t *keys, size_t count)
{
    uint64_t least = UINT64_MAX, most = 0;
    for (size_t i = 0; i < count; ++i) {
        least = keys[i] < least ? keys[i] : least;
        most = keys[i] > most ? keys[i] : most;
    }
    uint64_t first = least >> job->index_bits;
    for (size_t i = 0; i < count; ++i)
        keys[i] -= first << job->index_bits;
    job->first_box = (uint32_t)first;
    job->high_bit = job->index_bits + impi_index_bits((size_t)((most >> job->index_bits) - first + 1));
}

bool impi_pair_keys_sort(const impi_SearchWork *work, uint64_t *keys, uint64_t *spare, size_t count,
                         unsigned index_bits, imp_IndexPair *pairs)
{
    SortJob job = {.work = work, .keys = spare, .spare = keys, .index_bits = index_bits, .pairs = pairs};
    if (count == 0)
        return true;
    count_from_first(&job, keys, count);
    size_t piece_count = impi_block_count(count, PAIRS_PER_PAGE);
    impi_KeyPiece *pieces = impi_arena_allocate_array(work->scratch, piece_count, sizeof *pieces);
    for (size_t i = 0; pieces && i < piece_count; ++i) {
        size_t left = count - i * PAIRS_PER_PAGE;
        pieces[i] = (impi_KeyPiece){keys + i * PAIRS_PER_PAGE, left < PAIRS_PER_PAGE ? left : PAIRS_PER_PAGE};
    }
    return pieces && sort_pieces(&job, pieces, piece_count, count);
}
