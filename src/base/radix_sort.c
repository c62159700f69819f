// Least-significant-digit radix sort with 8-bit digits.
//
// One pass over the keys counts all digits at once; then each digit that tells keys apart costs one pass that
// moves the items to their positions. 11-bit digits were measured to be no faster: they save a pass in four,
// and lose it to the larger number of positions written to at once.
#include "base/radix_sort.h"

#include <assert.h>
#include <string.h>

#define DIGIT_BITS   8
#define DIGIT_VALUES 256
#define MAX_DIGITS   8

// Who watches is asked before each so many keys are moved.
#define KEYS_PER_LOOK 65536

typedef struct Digits {
    unsigned low_bit, count;
    uint64_t mask;                              // of the bits sorted by, moved down to bit 0
    size_t positions[MAX_DIGITS][DIGIT_VALUES]; // how often each value occurs; then where its next item goes
} Digits;

// Called with constant numbers of digits, so that the inner loop is unrolled; digits above those sorted by
// are zero and cost less than a loop of variable length.
static inline void count_values(Digits *digits, unsigned digit_count, const uint64_t *keys, size_t count)
{
    unsigned low_bit = digits->low_bit;
    uint64_t mask = digits->mask;
    for (size_t i = 0; i < count; ++i) {
        uint64_t rest = keys[i] >> low_bit & mask;
        for (unsigned d = 0; d < digit_count; ++d)
            ++digits->positions[d][rest >> (DIGIT_BITS * d) & (DIGIT_VALUES - 1)];
    }
}

static void digits_init(Digits *digits, const uint64_t *keys, size_t count, unsigned low_bit,
                        unsigned high_bit)
{
    assert(low_bit < high_bit && high_bit <= 64);
    unsigned bit_count = high_bit - low_bit;
    digits->low_bit = low_bit;
    digits->count = (bit_count + DIGIT_BITS - 1) / DIGIT_BITS;
    digits->mask = UINT64_MAX >> (64 - bit_count);
    unsigned counted = digits->count <= MAX_DIGITS / 2 ? MAX_DIGITS / 2 : MAX_DIGITS;
    memset(digits->positions, 0, counted * sizeof digits->positions[0]);
    if (counted == MAX_DIGITS)
        count_values(digits, MAX_DIGITS, keys, count);
    else
        count_values(digits, MAX_DIGITS / 2, keys, count);
}

typedef struct Pass {
    unsigned shift;
    uint64_t mask;
    size_t *positions;
} Pass;

// Do keys differ in digit `d`? Otherwise its pass would move nothing.
static bool pass_is_needed(const Digits *digits, unsigned d, uint64_t any_key, size_t count)
{
    uint64_t mask = digits->mask >> (DIGIT_BITS * d) & (DIGIT_VALUES - 1);
    return digits->positions[d][any_key >> (digits->low_bit + DIGIT_BITS * d) & mask] != count;
}

static unsigned count_passes(const Digits *digits, uint64_t any_key, size_t count)
{
    unsigned pass_count = 0;
    for (unsigned d = 0; d < digits->count; ++d)
        pass_count += pass_is_needed(digits, d, any_key, count);
    return pass_count;
}

// One pass of several moves so many keys: all passes together are a step for each key.
typedef struct Watched {
    impi_Watch *watch;
    unsigned pass_count;
} Watched;

static bool goes_on(Watched watched, size_t moved)
{
    return impi_watch_step(watched.watch, moved / watched.pass_count);
}

// Turn the counts of digit `d` into first positions. False when no pass is needed.
static bool pass_begin(Digits *digits, unsigned d, const uint64_t *keys, size_t count, Pass *pass)
{
    if (!pass_is_needed(digits, d, keys[0], count))
        return false;
    pass->shift = digits->low_bit + DIGIT_BITS * d;
    pass->mask = digits->mask >> (DIGIT_BITS * d) & (DIGIT_VALUES - 1);
    pass->positions = digits->positions[d];
    size_t position = 0;
    for (unsigned value = 0; value < DIGIT_VALUES; ++value) {
        size_t occurrences = pass->positions[value];
        pass->positions[value] = position;
        position += occurrences;
    }
    return true;
}

static void move_keys(Pass pass, const uint64_t *restrict from, uint64_t *restrict to, size_t count)
{
    size_t *restrict positions = pass.positions;
    for (size_t i = 0; i < count; ++i) {
        uint64_t key = from[i];
        to[positions[key >> pass.shift & pass.mask]++] = key;
    }
}

static bool move_keys_watched(Watched watched, Pass pass, const uint64_t *from, uint64_t *to, size_t count)
{
    for (size_t begin = 0; begin < count; begin += KEYS_PER_LOOK) {
        size_t here = count - begin < KEYS_PER_LOOK ? count - begin : KEYS_PER_LOOK;
        move_keys(pass, from + begin, to, here);
        if (!goes_on(watched, here))
            return false;
    }
    return true;
}

uint64_t *impi_radix_sort_packed_watched(impi_Watch *watch, uint64_t *keys, uint64_t *spare, size_t count,
                                         unsigned low_bit, unsigned high_bit)
{
    if (count < 2 || low_bit >= high_bit)
        return keys;
    Digits digits;
    digits_init(&digits, keys, count, low_bit, high_bit);
    Watched watched = {watch, count_passes(&digits, keys[0], count)};
    for (unsigned d = 0; d < digits.count; ++d) {
        Pass pass;
        if (!pass_begin(&digits, d, keys, count, &pass))
            continue;
        if (!move_keys_watched(watched, pass, keys, spare, count))
            return NULL;
        uint64_t *sorted = spare;
        spare = keys;
        keys = sorted;
    }
    return keys;
}

uint64_t *impi_radix_sort_packed(uint64_t *keys, uint64_t *spare, size_t count, unsigned low_bit,
                                 unsigned high_bit)
{
    impi_Watch nobody = {.is_active = false};
    return impi_radix_sort_packed_watched(&nobody, keys, spare, count, low_bit, high_bit);
}

static void move_keyed(Pass pass, impi_KeyedArrays from, impi_KeyedArrays to, size_t count)
{
    const uint64_t *restrict from_keys = from.keys;
    const uint32_t *restrict from_payloads = from.payloads;
    uint64_t *restrict to_keys = to.keys;
    uint32_t *restrict to_payloads = to.payloads;
    size_t *restrict positions = pass.positions;
    for (size_t i = 0; i < count; ++i) {
        uint64_t key = from_keys[i];
        size_t position = positions[key >> pass.shift & pass.mask]++;
        to_keys[position] = key;
        to_payloads[position] = from_payloads[i];
    }
}

static bool move_keyed_watched(Watched watched, Pass pass, impi_KeyedArrays from, impi_KeyedArrays to,
                               size_t count)
{
    for (size_t begin = 0; begin < count; begin += KEYS_PER_LOOK) {
        size_t here = count - begin < KEYS_PER_LOOK ? count - begin : KEYS_PER_LOOK;
        move_keyed(pass, (impi_KeyedArrays){from.keys + begin, from.payloads + begin}, to, here);
        if (!goes_on(watched, here))
            return false;
    }
    return true;
}

impi_KeyedArrays impi_radix_sort_keyed_watched(impi_Watch *watch, impi_KeyedArrays items,
                                               impi_KeyedArrays spare, size_t count, unsigned low_bit,
                                               unsigned high_bit)
{
    if (count < 2 || low_bit >= high_bit)
        return items;
    Digits digits;
    digits_init(&digits, items.keys, count, low_bit, high_bit);
    Watched watched = {watch, count_passes(&digits, items.keys[0], count)};
    for (unsigned d = 0; d < digits.count; ++d) {
        Pass pass;
        if (!pass_begin(&digits, d, items.keys, count, &pass))
            continue;
        if (!move_keyed_watched(watched, pass, items, spare, count))
            return (impi_KeyedArrays){NULL, NULL};
        impi_KeyedArrays sorted = spare;
        spare = items;
        items = sorted;
    }
    return items;
}

impi_KeyedArrays impi_radix_sort_keyed(impi_KeyedArrays items, impi_KeyedArrays spare, size_t count,
                                       unsigned low_bit, unsigned high_bit)
{
    impi_Watch nobody = {.is_active = false};
    return impi_radix_sort_keyed_watched(&nobody, items, spare, count, low_bit, high_bit);
}
