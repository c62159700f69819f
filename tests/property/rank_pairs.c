// Pairs of boxes that are spread over ranks, all of them in this process, beside brute force: random scenes
// of all kinds, float and double, one set and two, 1 to 40 ranks of 1 or 2 threads, boxes in stretches of any
// length.
#include "cluster/rank_pairs.h"
#include "box_scenes.h"
#include "cluster/local_exchange.h"
#include "cluster/pair_order.h"
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_RANKS 40

// What all ranks of one run read, and what each of them writes.
typedef struct Run {
    const BoxScene *scene;
    uint32_t rank_count, thread_count;
    size_t starts[MAX_RANKS + 1]; // boxes of each rank
    imp_RankDef def;
    imp_IndexPair *pairs; // of all ranks, at their places
    size_t capacity;
    imp_Status statuses[MAX_RANKS];
    imp_RankPairs results[MAX_RANKS];
    imp_RankStats stats[MAX_RANKS];
} Run;

static void find_as_rank(impi_Exchange *exchange, void *argument)
{
    Run *run = argument;
    uint32_t rank = exchange->rank;
    imp_Context *context;
    size_t first = run->starts[rank];
    imp_BoxArray own = box_scene_array(run->scene);
    own.count = run->starts[rank + 1] - first;
    if (own.boxes)
        own.boxes += 6 * first;
    else
        own.float_boxes += 6 * first;
    if (!CHECK_INT(imp_context_create(&(imp_ContextDef){.thread_count = run->thread_count}, &context),
                   IMP_STATUS_OK))
        abort(); // the others would wait for ever
    imp_RankDef def = run->def;
    imp_RankPairs *result = &run->results[rank];
    def.stats = &run->stats[rank];
    run->statuses[rank] = impi_rank_pairs_find(exchange, context, &own, &def, result);
    if (run->statuses[rank] == IMP_STATUS_OK && result->count > 0 &&
        CHECK(result->first + result->count <= run->capacity))
        memcpy(run->pairs + result->first, result->pairs, result->count * sizeof *result->pairs);
    imp_context_destroy(context);
}

// Boxes in stretches of any length, some empty.
static void draw_run(Run *run, const BoxScene *scene, imp_IndexPair *pairs, size_t capacity)
{
    memset(run, 0, sizeof *run);
    run->scene = scene;
    run->pairs = pairs;
    run->capacity = capacity;
    run->rank_count = 1 + test_random_below(test_random_below(4) ? 8 : MAX_RANKS);
    run->thread_count = 1 + test_random_below(2);
    for (uint32_t rank = 1; rank <= run->rank_count; ++rank)
        run->starts[rank] = test_random_below((uint32_t)scene->count + 1);
    run->starts[run->rank_count] = scene->count;
    for (uint32_t i = 1; i < run->rank_count; ++i)
        for (uint32_t k = i; k > 1 && run->starts[k - 1] > run->starts[k]; --k) {
            size_t start = run->starts[k];
            run->starts[k] = run->starts[k - 1];
            run->starts[k - 1] = start;
        }
}

static bool check_run(const Run *run, const PairList *want)
{
    uint64_t next = 0, found = 0;
    bool fine = true;
    for (uint32_t rank = 0; rank < run->rank_count; ++rank) {
        const imp_RankPairs *result = &run->results[rank];
        fine &= CHECK_INT(run->statuses[rank], IMP_STATUS_OK) &&
                CHECK_INT((int64_t)result->total, (int64_t)want->count);
        if (fine && !run->def.count_only)
            fine = CHECK_INT((int64_t)result->first, (int64_t)next);
        next += result->count;
        found += run->stats[rank].pair_count;
    }
    fine = fine && CHECK_INT((int64_t)found, (int64_t)want->count);
    if (!fine || run->def.count_only)
        return fine;
    return CHECK_INT((int64_t)next, (int64_t)want->count) &&
           CHECK(want->count == 0 || memcmp(run->pairs, want->pairs, want->count * sizeof *want->pairs) == 0);
}

static size_t keep_between(PairList *list, size_t first_set_count)
{
    size_t kept = 0;
    for (size_t i = 0; i < list->count; ++i) {
        list->pairs[kept] = list->pairs[i];
        kept += list->pairs[i].a < first_set_count && list->pairs[i].b >= first_set_count;
    }
    return kept;
}

static bool check_scene(Run *run, const BoxScene *scene, PairList *want, imp_IndexPair *pairs,
                        size_t capacity)
{
    bool fine = true;
    for (int way = 0; fine && way < 3; ++way) {
        draw_run(run, scene, pairs, capacity);
        run->def.count_only = way == 1;
        if (way == 2 && scene->count > 1) {
            run->def.first_set_count = 1 + test_random_below((uint32_t)scene->count - 1);
            want->count = keep_between(want, run->def.first_set_count);
        }
        fine = CHECK(impi_local_ranks_run(run->rank_count, (impi_LocalTurns)test_random_below(2),
                                          find_as_rank, run)) &&
               check_run(run, want);
        if (!fine)
            printf("kind %d, %s, %zu boxes, %u ranks, way %d\n", scene->kind,
                   scene->is_float ? "float" : "double", scene->count, run->rank_count, way);
    }
    return fine;
}

TEST(ranks_find_what_brute_force_finds)
{
    size_t capacity = (size_t)BOX_SCENE_MAX * (BOX_SCENE_MAX - 1) / 2;
    uint64_t scene_count = test_count(60), with_pairs = 0, with_halo = 0;
    BoxScene *scene = malloc(sizeof *scene);
    Run *run = malloc(sizeof *run);
    PairList want = {malloc(capacity * sizeof(imp_IndexPair)), 0};
    imp_IndexPair *pairs = malloc(capacity * sizeof *pairs);
    bool fine = CHECK(scene && run && want.pairs && pairs);
    for (uint64_t i = 0; fine && i < scene_count; ++i) {
        test_random_restart(i);
        box_scene_make_random(scene, (BoxKind)(i % BOX_KIND_COUNT), i / BOX_KIND_COUNT & 1);
        box_scene_brute_force(scene, &want);
        with_pairs += want.count > 0;
        fine = check_scene(run, scene, &want, pairs, capacity);
        bool has_halo = false;
        for (uint32_t rank = 0; rank < run->rank_count; ++rank)
            has_halo |= run->stats[rank].halo_count > 0;
        with_halo += has_halo;
    }
    printf("scenes %d, with pairs %d, with boxes of others %d\n", (int)scene_count, (int)with_pairs,
           (int)with_halo);
    if (fine && scene_count >= 60) {
        CHECK(with_pairs * 2 > scene_count);
        CHECK(with_halo * 2 > scene_count);
    }
    free(pairs);
    free(want.pairs);
    free(run);
    free(scene);
}
