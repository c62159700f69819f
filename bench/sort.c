// Radix sort of packed 64-bit keys (32 bits of key above 32 bits of id), beside the C library's qsort.
#include "base/radix_sort.h"
#include "bench.h"

#include <stdlib.h>
#include <string.h>

#define KEY_COUNT 1000000

typedef struct Keys {
    uint64_t *input, *work, *spare, *sorted;
} Keys;

static uint64_t run_radix(void *state)
{
    Keys *keys = state;
    memcpy(keys->work, keys->input, KEY_COUNT * sizeof *keys->work);
    keys->sorted = impi_radix_sort_packed(keys->work, keys->spare, KEY_COUNT, 32, 64);
    return 0;
}

static int compare_keys(const void *a, const void *b)
{
    uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
    return (left > right) - (left < right);
}

static uint64_t run_qsort(void *state)
{
    Keys *keys = state;
    memcpy(keys->work, keys->input, KEY_COUNT * sizeof *keys->work);
    qsort(keys->work, KEY_COUNT, sizeof *keys->work, compare_keys);
    return 0;
}

int bench_sort(const BenchOptions *options)
{
    uint64_t *memory = malloc(4 * KEY_COUNT * sizeof *memory), state = 1;
    if (!memory)
        return 1;
    Keys keys = {memory, memory + KEY_COUNT, memory + 2 * KEY_COUNT, NULL};
    uint64_t *radix_result = memory + 3 * KEY_COUNT;
    for (size_t i = 0; i < KEY_COUNT; ++i) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        keys.input[i] = (state >> 32 << 32) | i;
    }
    run_radix(&keys);
    memcpy(radix_result, keys.sorted, KEY_COUNT * sizeof *radix_result);
    run_qsort(&keys);
    // Ids ascend in the input, so a stable sort of the keys is the order of the whole words.
    bench_check(memcmp(radix_result, keys.work, KEY_COUNT * sizeof *radix_result) == 0,
                "radix sort and qsort differ");
    BenchSystem systems[] = {{.name = "impinge", .threads = 1, .run = run_radix, .state = &keys},
                             {.name = "qsort", .threads = 1, .run = run_qsort, .state = &keys}};
    BenchScene scene = {"keys-1m", "scratch", "ms", 1e6, options->quick ? 5 : 31};
    bench_measure(options, &scene, systems, 2);
    free(memory);
    return 0;
}
