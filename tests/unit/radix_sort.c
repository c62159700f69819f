#include "base/radix_sort.h"
#include "harness.h"

#include <stdlib.h>
#include <string.h>

static unsigned order_low_bit, order_high_bit;

static uint64_t key_bits(uint64_t key)
{
    unsigned bit_count = order_high_bit - order_low_bit;
    return bit_count == 0 ? 0 : key >> order_low_bit & (UINT64_MAX >> (64 - bit_count));
}

// What qsort compares: the place it came from makes it stable.
typedef struct Item {
    uint64_t key;
    size_t place;
} Item;

static int compare_items(const void *a, const void *b)
{
    const Item *left = a, *right = b;
    uint64_t left_bits = key_bits(left->key), right_bits = key_bits(right->key);
    if (left_bits != right_bits)
        return left_bits < right_bits ? -1 : 1;
    return (left->place > right->place) - (left->place < right->place);
}

static void check_both_forms(const uint64_t *keys, size_t count, unsigned low_bit, unsigned high_bit)
{
    size_t room = count + 1; // so that nothing has no size
    Item *wanted = malloc(room * sizeof *wanted);
    uint64_t *work[2] = {malloc(room * sizeof *work[0]), malloc(room * sizeof *work[0])};
    uint32_t *payloads[2] = {malloc(room * sizeof *payloads[0]), malloc(room * sizeof *payloads[0])};
    for (size_t i = 0; i < count; ++i) {
        wanted[i] = (Item){keys[i], i};
        payloads[0][i] = (uint32_t)i;
    }
    order_low_bit = low_bit;
    order_high_bit = high_bit;
    qsort(wanted, count, sizeof *wanted, compare_items);

    memcpy(work[0], keys, count * sizeof *keys);
    const uint64_t *packed = impi_radix_sort_packed(work[0], work[1], count, low_bit, high_bit);
    CHECK(packed == work[0] || packed == work[1]);
    for (size_t i = 0; i < count; ++i)
        if (packed[i] != wanted[i].key) {
            CHECK(!"packed keys are out of order");
            break;
        }

    memcpy(work[0], keys, count * sizeof *keys);
    impi_KeyedArrays items = {work[0], payloads[0]}, spare = {work[1], payloads[1]};
    impi_KeyedArrays keyed = impi_radix_sort_keyed(items, spare, count, low_bit, high_bit);
    CHECK(keyed.keys == work[0] ? keyed.payloads == payloads[0]
                                : keyed.keys == work[1] && keyed.payloads == payloads[1]);
    for (size_t i = 0; i < count; ++i)
        if (keyed.keys[i] != wanted[i].key || keyed.payloads[i] != wanted[i].place) {
            CHECK(!"keyed items are out of order");
            break;
        }
    free(wanted);
    for (int i = 0; i < 2; ++i) {
        free(work[i]);
        free(payloads[i]);
    }
}

typedef uint64_t (*KeyFn)(size_t i, size_t count);

static uint64_t random_key(size_t i, size_t count)
{
    (void)i;
    (void)count;
    return test_random();
}

static uint64_t equal_key(size_t i, size_t count)
{
    (void)i;
    (void)count;
    return 0x123456789ABCDEF0u;
}

static uint64_t ascending_key(size_t i, size_t count)
{
    (void)count;
    return i * 0x100000001u;
}

static uint64_t descending_key(size_t i, size_t count)
{
    return ascending_key(count - i, count);
}

// Many keys are equal in any range of bits, so that instability would show.
static uint64_t few_values_key(size_t i, size_t count)
{
    (void)i;
    (void)count;
    return test_random_below(5) * 0x0101010101010101u;
}

static uint64_t packed_key(size_t i, size_t count)
{
    (void)count;
    return (test_random() & 0x3FF) << 32 | i;
}

static void check_range(unsigned low_bit, unsigned high_bit, size_t max_count)
{
    static const KeyFn makers[] = {random_key,     equal_key,      ascending_key,
                                   descending_key, few_values_key, packed_key};
    static const size_t counts[] = {0, 1, 2, 3, 1000, 100000};
    for (size_t c = 0; c < sizeof counts / sizeof counts[0] && counts[c] <= max_count; ++c)
        for (size_t m = 0; m < sizeof makers / sizeof makers[0]; ++m) {
            uint64_t *keys = malloc((counts[c] + 1) * sizeof *keys);
            for (size_t i = 0; i < counts[c]; ++i)
                keys[i] = makers[m](i, counts[c]);
            check_both_forms(keys, counts[c], low_bit, high_bit);
            free(keys);
        }
}

TEST(high_half_is_sorted_like_qsort)
{
    check_range(32, 64, 100000);
}

TEST(whole_keys_are_sorted_like_qsort)
{
    check_range(0, 64, 100000);
}

TEST(every_range_of_bits_is_sorted_like_qsort)
{
    for (unsigned low_bit = 0; low_bit <= 64; low_bit += low_bit % 8 == 7 ? 1 : 7)
        for (unsigned high_bit = low_bit; high_bit <= 64; high_bit += 3)
            check_range(low_bit, high_bit, 3);
    static const unsigned ranges[][2] = {{0, 0},   {0, 1},   {63, 64}, {5, 13},
                                         {32, 62}, {30, 64}, {1, 64},  {20, 53}};
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; ++i)
        check_range(ranges[i][0], ranges[i][1], 1000);
}

TEST(random_counts_and_ranges_are_sorted_like_qsort)
{
    enum { MAX_COUNT = 700 };
    uint64_t keys[MAX_COUNT];
    uint64_t rounds = test_count(300);
    for (uint64_t round = 0; round < rounds; ++round) {
        size_t count = test_random_below(MAX_COUNT + 1);
        unsigned low_bit = test_random_below(64);
        unsigned high_bit = low_bit + 1 + test_random_below(64 - low_bit);
        uint64_t mask = test_random() & test_random();
        for (size_t i = 0; i < count; ++i)
            keys[i] = test_random() & mask;
        check_both_forms(keys, count, low_bit, high_bit);
    }
}
