// One pass splits the keys by their top 8 bits into 256 parts, on all threads; each part then is small enough
// for the nearest caches and is sorted there digit by digit. Even on one thread this is faster than a plain
// radix sort over the whole array, whose every pass goes through memory.
#include "broad/key_sort.h"

#include "base/memory.h"
#include "base/tasks.h"

#include <assert.h>
#include <string.h>

#define KEYS_PER_PIECE  32768
#define MAX_DIGIT_BITS  12
#define INSERTION_COUNT 24

// ---- splitting

typedef struct SplitJob {
    const impi_SearchWork *work;
    const impi_KeyPiece *pieces;
    unsigned shift;
    uint64_t *to;
    size_t (*positions)[IMPI_SPLIT_PARTS]; // of each piece: how many keys in each part; then where they go
} SplitJob;

static void count_piece(size_t begin, size_t end, size_t block, void *argument)
{
    (void)block;
    SplitJob *job = argument;
    for (size_t piece = begin; piece < end && impi_search_goes_on(job->work); ++piece) {
        size_t *restrict counts = job->positions[piece];
        const uint64_t *keys = job->pieces[piece].keys;
        memset(counts, 0, sizeof job->positions[piece]);
        for (size_t i = 0; i < job->pieces[piece].count; ++i)
            ++counts[keys[i] >> job->shift & (IMPI_SPLIT_PARTS - 1)];
    }
}

static void move_piece(size_t begin, size_t end, size_t block, void *argument)
{
    (void)block;
    SplitJob *job = argument;
    for (size_t piece = begin; piece < end && impi_search_goes_on(job->work); ++piece) {
        size_t *restrict positions = job->positions[piece];
        const uint64_t *restrict keys = job->pieces[piece].keys;
        uint64_t *restrict to = job->to;
        for (size_t i = 0; i < job->pieces[piece].count; ++i)
            to[positions[keys[i] >> job->shift & (IMPI_SPLIT_PARTS - 1)]++] = keys[i];
    }
}

bool impi_keys_split(const impi_SearchWork *work, const impi_KeyPiece *pieces, size_t piece_count,
                     unsigned shift, uint64_t *to, impi_KeyParts *parts)
{
    SplitJob job = {work, pieces, shift, to, NULL};
    job.positions = impi_arena_allocate_array(work->scratch, piece_count, sizeof *job.positions);
    if (!job.positions)
        return false;
    impi_parallel_for(work->executor, piece_count, 1, count_piece, &job);
    if (!impi_search_goes_on(work))
        return false;
    size_t position = 0;
    for (size_t part = 0; part < IMPI_SPLIT_PARTS; ++part) {
        parts->starts[part] = position;
        for (size_t piece = 0; piece < piece_count; ++piece) {
            size_t count = job.positions[piece][part];
            job.positions[piece][part] = position;
            position += count;
        }
    }
    parts->starts[IMPI_SPLIT_PARTS] = position;
    impi_parallel_for(work->executor, piece_count, 1, move_piece, &job);
    return impi_search_goes_on(work);
}

// ---- sorting a run

static void insertion_sort(uint64_t *keys, size_t count, unsigned low_bit, uint64_t mask)
{
    for (size_t i = 1; i < count; ++i) {
        uint64_t key = keys[i];
        size_t k = i;
        for (; k > 0 && (keys[k - 1] >> low_bit & mask) > (key >> low_bit & mask); --k)
            keys[k] = keys[k - 1];
        keys[k] = key;
    }
}

static void move_keys(const uint64_t *restrict from, uint64_t *restrict to, size_t count, unsigned shift,
                      uint64_t mask, size_t *restrict positions)
{
    for (size_t i = 0; i < count; ++i) {
        uint64_t key = from[i];
        to[positions[key >> shift & mask]++] = key;
    }
}

static void move_by_digit(const uint64_t *from, uint64_t *to, size_t count, unsigned shift, unsigned bits)
{
    size_t positions[1 << MAX_DIGIT_BITS];
    uint64_t mask = ((uint64_t)1 << bits) - 1;
    memset(positions, 0, sizeof *positions << bits);
    for (size_t i = 0; i < count; ++i)
        ++positions[from[i] >> shift & mask];
    size_t position = 0;
    for (size_t value = 0; value <= mask; ++value) {
        size_t occurrences = positions[value];
        positions[value] = position;
        position += occurrences;
    }
    move_keys(from, to, count, shift, mask, positions);
}

// Digits about as wide as the run is long: counters cost much less than another pass over the keys.
static unsigned digit_bits(size_t count)
{
    unsigned bits = 4;
    while (bits < MAX_DIGIT_BITS && (size_t)1 << bits < 2 * count)
        ++bits;
    return bits;
}

void impi_keys_sort_run(uint64_t *keys, uint64_t *spare, size_t count, unsigned low_bit, unsigned high_bit)
{
    assert(low_bit <= high_bit && high_bit <= 64);
    unsigned bits = high_bit - low_bit;
    if (count < 2 || bits == 0)
        return;
    if (count <= INSERTION_COUNT) {
        insertion_sort(keys, count, low_bit, UINT64_MAX >> (64 - bits));
        return;
    }
    unsigned widest = digit_bits(count), passes = (bits + widest - 1) / widest;
    unsigned width = (bits + passes - 1) / passes;
    uint64_t *from = keys, *to = spare;
    for (unsigned done = 0; done < bits; done += width) {
        move_by_digit(from, to, count, low_bit + done, bits - done < width ? bits - done : width);
        uint64_t *moved = to;
        to = from;
        from = moved;
    }
    if (from != keys)
        memcpy(keys, from, count * sizeof *keys);
}

// ---- sorting on all threads

typedef struct PartsJob {
    const impi_SearchWork *work;
    uint64_t *keys, *spare;
    unsigned low_bit, high_bit;
    impi_KeyParts parts;
} PartsJob;

static void sort_part(size_t begin, size_t end, size_t block, void *argument)
{
    (void)block;
    PartsJob *job = argument;
    for (size_t part = begin; part < end; ++part) {
        size_t start = job->parts.starts[part], count = job->parts.starts[part + 1] - start;
        if (!impi_search_step(job->work, count))
            return;
        impi_keys_sort_run(job->spare + start, job->keys + start, count, job->low_bit, job->high_bit);
    }
}

uint64_t *impi_keys_sort(const impi_SearchWork *work, uint64_t *keys, uint64_t *spare, size_t count,
                         unsigned low_bit, unsigned high_bit)
{
    if (count < IMPI_SPLIT_MIN_KEYS || high_bit - low_bit <= IMPI_SPLIT_BITS) {
        impi_keys_sort_run(keys, spare, count, low_bit, high_bit);
        return keys;
    }
    size_t piece_count = impi_block_count(count, KEYS_PER_PIECE);
    impi_KeyPiece *pieces = impi_arena_allocate_array(work->scratch, piece_count, sizeof *pieces);
    if (!pieces)
        return NULL;
    for (size_t i = 0; i < piece_count; ++i) {
        size_t begin = i * KEYS_PER_PIECE, left = count - begin;
        pieces[i] = (impi_KeyPiece){keys + begin, left < KEYS_PER_PIECE ? left : KEYS_PER_PIECE};
    }
    PartsJob job = {.work = work,
                    .keys = keys,
                    .spare = spare,
                    .low_bit = low_bit,
                    .high_bit = high_bit - IMPI_SPLIT_BITS};
    if (!impi_keys_split(work, pieces, piece_count, job.high_bit, spare, &job.parts))
        return NULL;
    impi_parallel_for(work->executor, IMPI_SPLIT_PARTS, 1, sort_part, &job);
    return impi_search_goes_on(work) ? spare : NULL;
}
